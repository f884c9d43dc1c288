//! A person's edits of note files.
//! The edit of a note is taken in field by field; a foreign file becomes a new note. Pure: decides,
//! and touches nothing.

use super::edits::EditDecision;
use super::kv::object_of;
use crate::core::guard::{Approved, EditedItems, Guard, NewNote, NoteEdit, Scope, note_put_back};
use crate::core::journal::{Change, State};
use crate::core::notes::{Note, NoteFields};
use crate::ids::NoteId;
use crate::store::layout;
use crate::strict_json;
use crate::time::Timestamp;
use std::path::Path;

/// Judges the edit of a note, by the fields that a person may change.
/// The edit may be based on one of the `older` versions: a field that equals that version is not an
/// edit.
pub(crate) fn judge(
    base: &Note,
    written: NoteFields,
    older: &[Note],
    state: &State,
    scope: &Scope,
    now: Timestamp,
) -> EditDecision {
    let mut edit = edit_of(base, older, written);
    if edit.value.is_some() || edit.links.is_some() {
        let text = edit.value.as_deref().unwrap_or(&base.value);
        let links = edit.links;
        let notes = &state.notes;
        edit.links = Some(notes.links_written(Some(base), links, text, base.workspace_id));
    }
    if edit == NoteEdit::default() {
        return EditDecision::default();
    }
    let nothing = EditedItems::default();
    let mut guard = Guard::for_user(scope, &nothing);
    match guard.note_update(base, Some(base.version), edit, now) {
        Ok(change) => taken(base.id, change, |title| {
            let path = layout::note_path(base.id);
            format!("taken in from {}: {title}", path.display())
        }),
        Err(refusal) => EditDecision::refused(refusal.message),
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
) -> Result<EditDecision, String> {
    let nothing = EditedItems::default();
    let mut guard = Guard::for_user(scope, &nothing);
    let made = match last {
        Some(last) => {
            let restored = Note {
                title: new.title.unwrap_or_else(|| last.title.clone()),
                note_kind: new.kind.unwrap_or_else(|| last.note_kind.clone()),
                keywords: new.keywords,
                value: new.value,
                links: new.links,
                ..last.clone()
            };
            note_put_back(&mut guard, last, &restored, now)
        }
        None => guard.note_create(new, id, now),
    };
    let change = made.map_err(|refusal| refusal.message)?;
    Ok(taken(id, change, |title| {
        format!("{} became the note {id}: {title}", path.display())
    }))
}

/// Returns the judgement that takes in a change of a note.
fn taken(
    id: NoteId,
    change: Approved<Change>,
    message: impl FnOnce(&str) -> String,
) -> EditDecision {
    let note = change.get().note();
    EditDecision {
        message: message(note.map_or("", |note| &note.title)),
        edited: EditedItems {
            notes: [id].into(),
            ..EditedItems::default()
        },
        changes: vec![change],
        ..EditDecision::default()
    }
}

/// Parses a foreign file as a new note.
pub(crate) fn read_stranger(bytes: &[u8], state: &State, scope: &Scope) -> Result<NewNote, String> {
    let written = NoteFields::from_json(&object_of(strict_json::parse(bytes))?)?;
    let value = written.value.ok_or("it has no `value`")?;
    let links = Some(written.links.unwrap_or_default());
    let notes = &state.notes;
    Ok(NewNote {
        workspace_id: None,
        kind: written.kind,
        title: written.title,
        keywords: written.keywords.unwrap_or_default(),
        links: notes.links_written(None, links, &value, scope.workspace_id),
        value,
    })
}

/// Parses a person's edit of a note.
pub(crate) fn read_edited(bytes: &[u8]) -> Result<NoteFields, String> {
    NoteFields::of_edit(&object_of(strict_json::parse(bytes))?)
}

/// Returns whether a text changes nothing in a version.
pub(crate) fn is_unchanged(note: &Note, written: &NoteFields) -> bool {
    edit_of(note, &[], written.clone()) == NoteEdit::default()
}

/// Returns the message about a note's file that was restored.
pub(crate) fn was_missing(path: &str, note: Option<&Note>) -> String {
    let title = note.map_or("a note", |note| &note.title);
    format!("{path} was missing and was written again; to delete `{title}`, use `notes delete`")
}

/// Returns the changes of a file to a note.
/// A field that equals one of the `older` versions is a leftover, not an edit.
fn edit_of(base: &Note, older: &[Note], written: NoteFields) -> NoteEdit {
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
