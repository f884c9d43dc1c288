//! The bounds of a wait for a locked data folder, each with its reason.

/// The longest wait for the folder, or for the socket of a starting daemon, in milliseconds.
/// A change takes a fraction of a second, and so does a start.
pub const FOLDER_WAIT_MS: u64 = 10_000;

/// The time after which the verb prints what it waits for, in milliseconds.
pub const FOLDER_WORD_MS: u64 = 1000;

/// The longest pause between two tries, in milliseconds.
pub const FOLDER_LOOK_MS_MAX: u64 = 50;

const _: () = assert!(FOLDER_WORD_MS < FOLDER_WAIT_MS);
