//! `notes add`, `edit` and `delete`: what is to change in a note. Whether it may is the guard's word.

use super::arguments::NoteFields;
use super::change::change;
use super::context::Context;
use super::notes::find;
use super::notes_links::similar_hint;
use crate::core::guard::{Approved, NewNote, NoteEdit};
use crate::core::journal::Change;
use crate::core::notes::{Note, split_keywords};
use crate::failure::{Code, Failure};
use crate::ids::IdSource as _;
use crate::limits::NOTE_VALUE_BYTES_MAX;
use crate::store::DrawnIds;

/// New values of fields; absent ones stay.
#[derive(Debug)]
pub(super) struct Fields {
    pub(super) title: Option<String>,
    pub(super) keywords: Option<String>,
    pub(super) value: Option<String>,
    pub(super) kind: Option<String>,
}

impl Fields {
    /// Whether nothing is named.
    pub(super) const fn is_empty(&self) -> bool {
        self.title.is_none()
            && self.keywords.is_none()
            && self.value.is_none()
            && self.kind.is_none()
    }
}

/// Adds a note and gives it as it was written.
pub(super) fn add(context: &Context, fields: NoteFields) -> Result<Note, Failure> {
    let value = context.value_or_input(fields.value, NOTE_VALUE_BYTES_MAX)?;
    if value.trim().is_empty() {
        return Err(Failure::new(Code::Usage, "the note is empty"));
    }
    let new = NewNote {
        workspace_id: None,
        kind: fields.kind,
        title: fields.title,
        keywords: split_keywords(fields.keywords.as_deref().unwrap_or_default()),
        links: Vec::new(),
        value,
    };
    let (note, hint) = change(context, move |desk| {
        let new = NewNote {
            links: desk.state.notes.titles_in(&new.value),
            ..new
        };
        let id = DrawnIds { now: desk.now }.next_note_id();
        let created = desk.guard.note_create(new, id, desk.now);
        let (changes, note) = with_note(created?)?;
        let threshold = desk.config.notes.similar_threshold;
        let hint = similar_hint(&desk.state.notes, &note, threshold);
        Ok((changes, (note, hint)))
    })?;
    if let Some(hint) = hint {
        context.talk(&hint);
    }
    Ok(note)
}

/// Changes fields of a note and gives it as it is then.
pub(super) fn edit(context: &Context, key: &str, fields: Fields) -> Result<Note, Failure> {
    for (option, field) in [("--title", &fields.title), ("--kind", &fields.kind)] {
        if field.as_deref().is_some_and(|text| text.trim().is_empty()) {
            let message = format!("{option} is empty; a note cannot be without it");
            return Err(Failure::new(Code::Usage, message));
        }
    }
    let value = fields
        .value
        .map(|value| context.value_or_input(value, NOTE_VALUE_BYTES_MAX));
    let edit = NoteEdit {
        title: fields.title,
        keywords: fields.keywords.as_deref().map(split_keywords),
        value: value.transpose()?,
        kind: fields.kind,
        links: None,
        issue: None,
    };
    let key = key.to_owned();
    change(context, move |desk| {
        let base = find(desk.state, &key)?;
        let links = edit
            .value
            .as_deref()
            .map(|text| desk.state.notes.titles_in(text));
        let edit = NoteEdit { links, ..edit };
        let updated = desk.guard.note_update(base, None, edit, desk.now);
        with_note(updated?)
    })
}

/// Deletes a note and gives its last form.
pub(super) fn delete(context: &Context, key: &str) -> Result<Note, Failure> {
    let key = key.to_owned();
    change(context, move |desk| {
        let base = find(desk.state, &key)?;
        let deleted = desk.guard.note_delete(base, None, desk.now);
        with_note(deleted?)
    })
}

/// A change of one note, together with the note as it is after it.
pub(super) fn with_note(
    change: Approved<Change>,
) -> Result<(Vec<Approved<Change>>, Note), Failure> {
    match change.get() {
        Change::NoteCreated(written)
        | Change::NoteUpdated(written)
        | Change::NoteDeleted(written) => {
            let note = written.note.clone();
            Ok((vec![change], note))
        }
        Change::RamSet(_)
        | Change::RamDeleted(_)
        | Change::StorageSet(_)
        | Change::StorageDeleted(_) => Err(Failure::new(
            Code::Internal,
            "a change of a note came back as another",
        )),
    }
}
