//! The bounds of configuration keys that are not bounds of the program, and their relations to
//! those.

use crate::limits;

/// The milliseconds of an hour.
pub(super) const HOUR_MS: i64 = 3_600_000;

/// The milliseconds of a day.
pub(super) const DAY_MS: i64 = 24 * HOUR_MS;

/// The ceiling of `memory.working_memory_character_max`.
/// Twelve thousand tokens in every prompt are already more than a small model can use.
pub(super) const RAM_CHARACTERS_MAX: i64 = 50_000;

/// The bounds of `provider.context_tokens`: those of a window that a server reports.
pub(super) const WINDOW_TOKENS_MIN: i64 = limits::WINDOW_TOKENS_MIN as i64;
pub(super) const WINDOW_TOKENS_MAX: i64 = limits::WINDOW_TOKENS_MAX as i64;

/// The ceiling of `memory.think_log_max_chars`.
pub(super) const THINK_LOG_CHARACTERS_MAX: i64 = 4096;

/// The ceiling of `memory.system_max_log_entries`.
pub(super) const LOG_ENTRIES_MAX: i64 = 1000;

/// The ceilings of `budget`: more than any server does in a day.
pub(super) const CALLS_PER_DAY_MAX: i64 = 10_000_000;
pub(super) const TOKENS_PER_DAY_MAX: i64 = 1_000_000_000_000;

/// The most bytes of one character in UTF-8.
pub(super) const CHARACTER_BYTES_MAX: usize = 4;

const _: () = assert!(
    RAM_CHARACTERS_MAX.unsigned_abs() * (limits::RAM_HARD_FACTOR * CHARACTER_BYTES_MAX) as u64
        <= limits::KV_FILE_BYTES_MAX as u64,
    "RAM at its largest is still taken in from the KV file"
);
const _: () = assert!(
    LOG_ENTRIES_MAX.unsigned_abs() == limits::LOG_ENTRIES_MAX as u64,
    "the log shows no more than is kept"
);
const _: () = assert!(
    THINK_LOG_CHARACTERS_MAX.unsigned_abs() * CHARACTER_BYTES_MAX as u64
        <= limits::RAM_VALUE_BYTES_MAX as u64,
    "think_log is a RAM value"
);
