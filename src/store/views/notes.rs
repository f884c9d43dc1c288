//! A person's edits of note files.
//! The edit of a note is taken in field by field; a foreign file becomes a new note. Pure: decides,
//! and touches nothing.

use super::edits::Judgement;
use super::kv::in_words;
use crate::core::guard::{Edited, Guard, NewNote, NoteEdit, Scope, note_put_back};
use crate::core::journal::State;
use crate::core::notes::{Note, Written};
use crate::ids::NoteId;
use crate::store::layout;
use crate::strict_json;
use crate::time::Timestamp;
use serde_json::{Map, Value};
use std::path::Path;

/// Judges the edit of a note, by the fields that a person may change.
/// The edit may be based on one of the `older` versions: a field that equals that version is not an
/// edit.
pub(crate) fn judge(
    base: &Note,
    written: Written,
    older: &[Note],
    state: &State,
    scope: &Scope,
    now: Timestamp,
) -> Judgement {
    let mut edit = edit_of(base, older, written);
    if edit.value.is_some() || edit.links.is_some() {
        let text = edit.value.as_deref().unwrap_or(&base.value);
        let links = edit.links;
        let notes = &state.notes;
        edit.links = Some(notes.links_written(Some(base), links, text, base.workspace_id));
    }
    if edit == NoteEdit::default() {
        return Judgement::default();
    }
    let nothing = Edited::default();
    let mut guard = Guard::for_user(scope, &nothing);
    match guard.note_update(base, Some(base.version), edit, now) {
        Ok(change) => {
            let note = change.get().note();
            let title = note.map_or_else(String::new, |note| note.title.clone());
            let path = layout::note_path(base.id);
            Judgement {
                message: format!("taken in from {}: {title}", path.display()),
                edited: edited(base.id),
                changes: vec![change],
                ..Judgement::default()
            }
        }
        Err(refusal) => Judgement::refused(refusal.message),
    }
}

/// Makes a note of a foreign file, or restores the `last` version of the note that had its name.
///
/// # Errors
/// The reason why the file is refused, in words.
pub(crate) fn judge_stranger(
    new: NewNote,
    id: NoteId,
    last: Option<&Note>,
    scope: &Scope,
    path: &Path,
    now: Timestamp,
) -> Result<Judgement, String> {
    let nothing = Edited::default();
    let mut guard = Guard::for_user(scope, &nothing);
    let made = match last {
        Some(last) => note_put_back(&mut guard, last, &put_back(last, new), now),
        None => guard.note_create(new, id, now),
    };
    let change = made.map_err(|refusal| refusal.message)?;
    let note = change.get().note();
    let title = note.map_or_else(String::new, |note| note.title.clone());
    Ok(Judgement {
        message: format!("{} became the note {id}: {title}", path.display()),
        edited: edited(id),
        changes: vec![change],
        ..Judgement::default()
    })
}

/// Parses a foreign file as a new note.
pub(crate) fn read_stranger(bytes: &[u8], state: &State, scope: &Scope) -> Result<NewNote, String> {
    let new = new_note_of(bytes)?;
    let links = state
        .notes
        .links_written(None, Some(new.links), &new.value, scope.workspace_id);
    Ok(NewNote { links, ..new })
}

/// Returns whether a text changes nothing in a version.
pub(crate) fn is_unchanged(note: &Note, written: &Written) -> bool {
    edit_of(note, &[], written.clone()) == NoteEdit::default()
}

fn edited(id: NoteId) -> Edited {
    Edited {
        notes: [id].into(),
        ..Edited::default()
    }
}

/// Returns the message about a note's file that was restored.
pub(crate) fn was_missing(path: &str, note: Option<&Note>) -> String {
    let title = note.map_or("a note", |note| &note.title);
    format!("{path} was missing and was written again; to delete `{title}`, use `notes delete`")
}

/// Parses the fields of a file with `read`.
fn written(
    bytes: &[u8],
    read: impl FnOnce(&Map<String, Value>) -> Result<Written, String>,
) -> Result<Written, String> {
    match strict_json::parse(bytes).map_err(|problem| in_words(&problem))? {
        Value::Object(members) => read(&members),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
            Err("it is not a JSON object".to_owned())
        }
    }
}

/// Parses a person's edit of a note.
pub(crate) fn read_edited(bytes: &[u8]) -> Result<Written, String> {
    written(bytes, Written::of_edit)
}

/// Returns the changes of a file to a note.
/// A field that equals one of the `older` versions is a leftover, not an edit.
fn edit_of(base: &Note, older: &[Note], written: Written) -> NoteEdit {
    let known = || older.iter().chain([base]);
    NoteEdit {
        title: written
            .title
            .filter(|title| known().all(|note| note.title != *title)),
        keywords: written
            .keywords
            .filter(|words| known().all(|note| note.keywords != *words)),
        value: written
            .value
            .filter(|value| known().all(|note| note.value != *value)),
        kind: written
            .kind
            .filter(|kind| known().all(|note| note.note_kind != *kind)),
        links: written
            .links
            .filter(|links| known().all(|note| note.links != *links)),
        issue: None,
    }
}

/// Returns a note with the fields of its restored file.
fn put_back(last: &Note, file: NewNote) -> Note {
    Note {
        title: file.title.unwrap_or_else(|| last.title.clone()),
        note_kind: file.kind.unwrap_or_else(|| last.note_kind.clone()),
        keywords: file.keywords,
        value: file.value,
        links: file.links,
        ..last.clone()
    }
}

fn new_note_of(bytes: &[u8]) -> Result<NewNote, String> {
    let written = written(bytes, Written::from_json)?;
    let value = written.value.ok_or("it has no `value`")?;
    Ok(NewNote {
        workspace_id: None,
        kind: written.kind,
        title: written.title,
        keywords: written.keywords.unwrap_or_default(),
        links: written.links.unwrap_or_default(),
        value,
    })
}
