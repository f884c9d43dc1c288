//! Bounds of a rehearsal, each with its reason. Nothing here can be configured.

/// The most days of a rehearsal: a year, so that it has every date and both changes of the clock.
pub const REHEARSAL_DAYS_MAX: u32 = 366;

/// The default days of a rehearsal: they have every weekday and the turn of a month.
pub const REHEARSAL_DAYS: u32 = 30;

/// The most bytes that a rehearsal writes.
/// All are in memory, and small machines have a few times that.
pub const REHEARSAL_BYTES_MAX: u64 = 1024 * 1024 * 1024;

/// The default length of a call in milliseconds, where no run of the root has measured it.
/// It is that of a small model on a small machine.
pub const REHEARSAL_CALL_MS: u64 = 10_000;

/// The longest length of a call that can be given, in seconds: the longest configurable timeout.
pub const REHEARSAL_CALL_SECONDS_MAX: u64 = 3600;
