//! The unified diff between two versions of a note, in the lines that a person reads.

use super::Note;
use diffy::{DiffOptions, PatchFormatter};

/// The number of lines shown around each change.
const CONTEXT_LINES: usize = 3;

/// Returns the unified diff from one version of a note to a later one.
/// Its file names are the versions. It is empty if title, kind, keywords and text are equal.
/// Without an earlier version, every line is new.
pub fn unified(before: Option<&Note>, after: &Note) -> String {
    let (old, new) = (before.map_or_else(String::new, lines), lines(after));
    if old == new {
        return String::new();
    }
    let name = |note: &Note| format!("version {}", note.version);
    let old_name = before.map_or_else(|| "nothing".to_owned(), name);
    let mut options = DiffOptions::new();
    options
        .set_context_len(CONTEXT_LINES)
        .set_original_filename(old_name)
        .set_modified_filename(name(after));
    let patch = options.create_patch(&old, &new);
    let formatter = PatchFormatter::new().suppress_blank_empty(false);
    formatter.fmt_patch(&patch).to_string()
}

/// Returns a note as lines; a deleted note has none.
fn lines(note: &Note) -> String {
    if note.deleted_at.is_some() {
        return String::new();
    }
    let keywords = note.keywords.join(", ");
    let (title, kind, value) = (&note.title, &note.note_kind, note.value.trim_end());
    format!("title: {title}\nkind: {kind}\nkeywords: {keywords}\n\n{value}\n")
}
