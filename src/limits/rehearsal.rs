//! Bounds of a rehearsal, each with its reason. Nothing here can be configured.

/// Days that are rehearsed at most: a year, so that every date and both changes of the clock are in it.
pub const REHEARSAL_DAYS_MAX: u32 = 366;

/// Days that are rehearsed where nobody says how many: every weekday and the turn of a month are in them.
pub const REHEARSAL_DAYS: u32 = 30;

/// What a rehearsal may write, in bytes: it is all in memory, and a small machine has a few times as much.
pub const REHEARSAL_BYTES_MAX: u64 = 1024 * 1024 * 1024;

/// How long a call is taken to last, in milliseconds, where no run of the root tells: a small model on a
/// small machine.
pub const REHEARSAL_CALL_MS: u64 = 10_000;

/// How long a call may be taken to last, in seconds: the longest that the configuration waits for one.
pub const REHEARSAL_CALL_SECONDS_MAX: u64 = 3600;
