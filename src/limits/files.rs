//! The bounds of files that a person writes beside the program, each with its reason.

/// The time that an edited file must stay unchanged before it is read, in milliseconds.
/// Editors write in several steps; half a second is longer than any of them needs.
pub const EDIT_SETTLE_MS: u64 = 500;

/// The longest wait for an edit that is being written, in milliseconds.
/// A slower writer is not waited for: the file is read once it stays unchanged.
pub const EDIT_WAIT_MS_MAX: u64 = 1000;

/// The time that an inbox file must stay unchanged before it is taken, in milliseconds.
pub const INBOX_SETTLE_MS: u64 = 1000;

/// The time that an unfinished file of `ask` must stay unchanged to count as abandoned, in ms.
/// Writing takes milliseconds; a slow disk may delay a sync for some seconds.
pub const INBOX_ABANDONED_MS: u64 = 60_000;

/// The longest name of a file, in bytes: the bound of the file systems of Linux.
pub const FILE_NAME_BYTES_MAX: usize = 255;

const _: () = assert!(
    EDIT_SETTLE_MS < EDIT_WAIT_MS_MAX,
    "an edit that is saved once is waited for"
);

/// The longest plausible time between two commits, in days: three years.
/// A longer one shows that the clock is or was wrong, and adds nothing to the age of older lines.
pub const RETENTION_GAP_DAYS: u32 = 3 * 365;
