//! The bounds of an import of notes, each with its reason.

use super::{ISSUE_BYTES_MAX, NOTE_ISSUES_MAX, NOTE_VALUE_BYTES_MAX};

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
