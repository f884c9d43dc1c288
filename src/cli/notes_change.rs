//! `notes edit`: reads the changes from the command line or from an editor.

use super::arguments::FieldChanges;
use super::context::Context;
use super::editor::{self, check_terminal};
use super::notes::shown;
use super::output::Answer;
use crate::core::notes::{Note, file_names, to_markdown};
use crate::failure::Failure;
use crate::limits::{IMPORT_MARKDOWN_BYTES_MAX, NOTE_VALUE_BYTES_MAX};
use crate::service::check_reachable;
use crate::service::notes::{NoteChanges, UNCHANGED, find};

/// Returns the changes, with standard input in the place of `-`.
pub(super) fn changes_of(context: &Context, changes: FieldChanges) -> Result<NoteChanges, Failure> {
    let markdown = changes
        .markdown
        .map(|text| context.value_or_input(text, IMPORT_MARKDOWN_BYTES_MAX));
    let value = changes
        .value
        .map(|value| context.value_or_input(value, NOTE_VALUE_BYTES_MAX));
    Ok(NoteChanges {
        title: changes.title,
        keywords: changes.keywords.map(|keywords| vec![keywords]),
        value: value.transpose()?,
        kind: changes.kind,
        markdown: markdown.transpose()?,
    })
}

/// Opens a note in the editor, and applies the edit as one change of the edited version.
pub(super) fn edit_in_editor(context: &Context, key: &str) -> Result<Answer, Failure> {
    check_terminal()?;
    check_reachable(&context.session)?;
    let state = context.session.present()?;
    let note = find(&state, key)?;
    let (id, version) = (note.id.to_string(), note.version);
    let edited = in_editor(context, note, |text| {
        let version = version.to_string();
        let words = [
            "notes",
            "edit",
            &id,
            "--version",
            &version,
            "--markdown",
            "-",
        ];
        super::answer_words(&context.with_input(text), &words)
    })?;
    if let Some(answer) = edited {
        return Ok(answer);
    }
    context.talk(UNCHANGED);
    shown(context, note)
}

/// Opens a note as Markdown in the editor; `None` where it is unchanged.
pub(super) fn in_editor(
    context: &Context,
    note: &Note,
    take_in: impl FnOnce(String) -> Result<Answer, Failure>,
) -> Result<Option<Answer>, Failure> {
    let name = file_names(&[note]).pop().unwrap_or_default();
    editor::edit(context, &name, &to_markdown(note), take_in)
}
