//! The bounds of a wait for a data folder that somebody holds, each with its reason. Nothing else stands
//! here.

/// How long a verb waits for the folder in all, or for the socket of a daemon that comes up, in
/// milliseconds: a change takes a fraction of a second, and so does a start.
pub const FOLDER_WAIT_MS: u64 = 10_000;

/// After how long it says what it waits for, in milliseconds.
pub const FOLDER_WORD_MS: u64 = 1000;

/// Longest pause between two looks, in milliseconds.
pub const FOLDER_LOOK_MS_MAX: u64 = 50;

const _: () = assert!(FOLDER_WORD_MS < FOLDER_WAIT_MS);
