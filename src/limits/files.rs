//! The bounds of files that a person writes beside the program, each with its reason. Nothing else
//! stands here.

/// How long a hand edit must lie still before it is judged, in milliseconds. Editors write in
/// several steps; half a second is longer than any of them needs.
pub const EDIT_SETTLE_MS: u64 = 500;

/// Longest wait for an edit that is being written, in milliseconds. Whoever writes for longer than it
/// takes to save a file is not waited for: what they write is judged once it lies still.
pub const EDIT_WAIT_MS_MAX: u64 = 1000;

/// How long an inbox file must lie still before it is taken, in milliseconds.
pub const INBOX_SETTLE_MS: u64 = 1000;

/// How long a file that `ask` was writing must lie still until it counts as given up, in
/// milliseconds. Writing takes milliseconds; a slow disk may hold a sync back for some seconds.
pub const INBOX_ABANDONED_MS: u64 = 60_000;

/// Longest name of a file, in bytes: the file systems of Linux know no longer ones.
pub const FILE_NAME_BYTES_MAX: usize = 255;

const _: () = assert!(
    EDIT_SETTLE_MS < EDIT_WAIT_MS_MAX,
    "an edit that is saved once is waited for"
);

/// A time without any commit that tells nothing of how old the lines before it are, in days, three years:
/// rather than switched off for so long, the machine has a clock that is wrong, or was. History that is
/// gone for it does not come back when the clock is right again.
pub const RETENTION_GAP_DAYS: u32 = 3 * 365;
