//! The bounds of an import of notes, each with its reason. Nothing else stands here.

use super::{ISSUE_BYTES_MAX, NOTE_ISSUES_MAX, NOTE_VALUE_BYTES_MAX};

/// Most files and folders that one import looks at. A wrong folder, such as a home folder, is told
/// by this before anything is read.
pub const IMPORT_FILES_MAX: usize = 200_000;

/// Deepest folder that an import goes into.
pub const IMPORT_DEPTH_MAX: usize = 32;

/// Largest Markdown file of an import, in bytes: the largest note and its head, in which issues may
/// take most of the room.
pub const IMPORT_MARKDOWN_BYTES_MAX: usize =
    NOTE_VALUE_BYTES_MAX + 2 * NOTE_ISSUES_MAX * ISSUE_BYTES_MAX + 64 * 1024;

/// Largest JSON file of an import, in bytes: the notes of ten years; it is read whole.
pub const IMPORT_JSON_BYTES_MAX: usize = 256 * 1024 * 1024;

/// Most notes that one commit of an import writes: each takes some hundred bytes of its line
/// besides its text, which is bounded by [`NOTES_WRITTEN_BYTES_MAX`](super::NOTES_WRITTEN_BYTES_MAX).
pub const IMPORT_COMMIT_NOTES_MAX: usize = 1000;

/// Highest version that an imported note may begin with, so that there is always a next one.
pub const IMPORT_VERSION_MAX: u64 = 1_000_000_000;
