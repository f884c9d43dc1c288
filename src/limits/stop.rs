//! The bounds of a stop, each with its reason.

/// The longest time of a stop, in milliseconds, also in the middle of a model call.
/// Unfinished work is left to the next start.
pub const STOP_DEADLINE_MS: u64 = 5000;

/// The part of it for the line that reports unfinished work, in milliseconds: the log may hang.
pub const STOP_LINE_MS: u64 = 250;

/// The longest time that a stop waits for work beside the loop, in milliseconds.
/// Such work is a verb that reads, or a name that a resolver does not answer.
pub const STOP_BESIDE_MS: u64 = 1000;

/// The longest time that `stop` waits for the end of a daemon, in milliseconds: twice its deadline.
pub const STOP_WAIT_MS: u64 = 2 * STOP_DEADLINE_MS;

/// The time between two checks by `stop` whether a daemon has ended, in milliseconds.
pub const STOP_LOOK_MS: u64 = 20;
