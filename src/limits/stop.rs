//! The bounds of a stop, each with its reason. Nothing else stands here.

/// How long a stop may take, in milliseconds, also in the middle of a model call. Whatever is not done
/// by then is left to the next start.
pub const STOP_DEADLINE_MS: u64 = 5000;

/// Of that, how long the line may take that tells of what was not done: it may be the log that hangs.
pub const STOP_LINE_MS: u64 = 250;

/// How long a stop waits for what runs beside the loop, such as a verb that reads or a name that a
/// resolver does not answer, in milliseconds.
pub const STOP_BESIDE_MS: u64 = 1000;

/// How long `stop` waits for the end of a daemon, in milliseconds: twice what one allows itself.
pub const STOP_WAIT_MS: u64 = 2 * STOP_DEADLINE_MS;

/// How often `stop` looks whether a daemon has ended, in milliseconds.
pub const STOP_LOOK_MS: u64 = 20;
