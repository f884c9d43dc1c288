//! The bounds of files that a person writes beside the program, and of an import of notes, each with
//! its reason.

use super::{ISSUE_BYTES_MAX, NOTE_ISSUES_MAX, NOTE_VALUE_BYTES_MAX};

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

// === import of notes ===

/// The most files and folders that one import lists.
/// It refuses a wrong folder, such as a home folder, before anything is read.
pub const IMPORT_FILES_MAX: usize = 200_000;

/// The deepest folder that an import reads.
pub const IMPORT_DEPTH_MAX: usize = 32;

/// The largest Markdown file of an import, in bytes: the largest note and its head with all issues.
pub const IMPORT_MARKDOWN_BYTES_MAX: usize =
    NOTE_VALUE_BYTES_MAX + 2 * NOTE_ISSUES_MAX * ISSUE_BYTES_MAX + 64 * 1024;

/// The largest JSON file of an import, in bytes: the notes of ten years; it is read whole.
pub const IMPORT_JSON_BYTES_MAX: usize = 256 * 1024 * 1024;

/// The most notes that one commit of an import writes.
/// Each takes some hundred bytes of its line besides its text, which
/// [`NOTES_WRITTEN_BYTES_MAX`](super::NOTES_WRITTEN_BYTES_MAX) bounds.
pub const IMPORT_COMMIT_NOTES_MAX: usize = 1000;

/// The highest version that an imported note may begin with, so that there is always a next one.
pub const IMPORT_VERSION_MAX: u64 = 1_000_000_000;
