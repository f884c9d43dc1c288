//! `notes add`, `edit` and `delete`: what is to change in a note. Whether it may is the guard's word.

use super::arguments::{FieldChanges, NoteFields};
use super::context::Context;
use super::editor::{self, check_terminal};
use super::hand_over::or_hand_over;
use super::notes::{shown, state};
use super::notes_find::find;
use super::notes_links::similar_hints;
use super::output::Answer;
use crate::core::guard::{Approved, NewNote, NoteEdit};
use crate::core::journal::Change;
use crate::core::notes::{
    MarkdownProblem, Note, Written, file_names, from_markdown, split_keywords, to_markdown,
};
use crate::failure::{Code, Failure};
use crate::ids::IdSource as _;
use crate::limits::{IMPORT_MARKDOWN_BYTES_MAX, NOTE_VALUE_BYTES_MAX};
use crate::service::change;
use crate::service::check_reachable;
use crate::store::DrawnIds;

/// What is said where a note is already as it was to be.
const UNCHANGED: &str = "nothing was changed";

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
    let (note, hints) = change(&context.session, move |cx| {
        let new = NewNote {
            links: cx
                .state
                .notes
                .titles_in(&new.value, cx.config.scope.workspace_id),
            ..new
        };
        let id = DrawnIds { now: cx.now }.next_note_id();
        let created = cx.guard.note_create(new, id, cx.now);
        let (changes, note) = with_note(created?)?;
        let threshold = cx.config.notes.similar_threshold;
        let hints = similar_hints(&cx.state.notes, &note, threshold);
        Ok((changes, (note, hints)))
    })?;
    for hint in &hints {
        context.talk(hint);
    }
    Ok(note)
}

/// Changes fields of a note, based on a version if one is named, and gives it as it is then.
pub(super) fn edit(
    context: &Context,
    key: &str,
    version: Option<u64>,
    changes: FieldChanges,
) -> Result<Note, Failure> {
    let is_complete = changes.markdown.is_some();
    let written = written(context, changes)?;
    let version = version.or(written.version);
    let key = key.to_owned();
    let (note, is_changed) = change(&context.session, move |cx| {
        let base = find(cx.state, &key)?;
        let notes = &cx.state.notes;
        let links = (is_complete || written.value.is_some()).then(|| {
            let text = written.value.as_deref().unwrap_or(&base.value);
            notes.links_written(Some(base), written.links, text, base.workspace_id)
        });
        let edit = NoteEdit {
            title: written.title,
            keywords: written.keywords,
            value: written.value,
            kind: written.kind,
            links,
            issue: None,
        };
        let (changes, note) = with_note(cx.guard.note_update(base, version, edit, cx.now)?)?;
        let as_before = Note {
            version: note.version,
            updated_at: note.updated_at,
            ..base.clone()
        };
        Ok(if note == as_before {
            (Vec::new(), (base.clone(), false))
        } else {
            (changes, (note, true))
        })
    })?;
    if !is_changed {
        context.talk(UNCHANGED);
    }
    Ok(note)
}

/// What a person wants to be written into a note.
pub(super) fn written(context: &Context, changes: FieldChanges) -> Result<Written, Failure> {
    if let Some(text) = changes.markdown {
        let text = context.value_or_input(text, IMPORT_MARKDOWN_BYTES_MAX)?;
        let portable = from_markdown(&text).map_err(|MarkdownProblem { line, reason }| {
            Failure::new(Code::ImportInvalid, format!("line {line}: {reason}"))
        });
        return Ok(portable?.written);
    }
    for (option, field) in [("--title", &changes.title), ("--kind", &changes.kind)] {
        if field.as_deref().is_some_and(|text| text.trim().is_empty()) {
            let message = format!("{option} is empty; a note cannot be without it");
            return Err(Failure::new(Code::Usage, message));
        }
    }
    let value = changes
        .value
        .map(|value| context.value_or_input(value, NOTE_VALUE_BYTES_MAX));
    Ok(Written {
        title: changes.title,
        keywords: changes.keywords.as_deref().map(split_keywords),
        value: value.transpose()?,
        kind: changes.kind,
        ..Written::default()
    })
}

/// Opens a note in the editor, and makes one change of what comes of it, based on the version that was
/// edited.
pub(super) fn edit_in_editor(context: &Context, key: &str) -> Result<Answer, Failure> {
    check_terminal()?;
    check_reachable(&context.session)?;
    let state = state(context)?;
    let note = find(&state, key)?;
    let (id, version) = (note.id.to_string(), note.version);
    let edited = in_editor(context, note, |text| {
        let context = &context.with_input(text);
        let version_text = version.to_string();
        let words = [
            "notes",
            "edit",
            &id,
            "--version",
            &version_text,
            "--markdown",
            "-",
        ];
        let changed = edit(context, &id, Some(version), FieldChanges::of_input());
        let changed = changed.and_then(|changed| shown(context, &changed));
        or_hand_over(context, changed, &words)
    })?;
    if let Some(answer) = edited {
        return Ok(answer);
    }
    context.talk(UNCHANGED);
    shown(context, note)
}

/// A note in the editor, as an export has it; none where nothing was changed.
pub(super) fn in_editor(
    context: &Context,
    note: &Note,
    take_in: impl FnOnce(String) -> Result<Answer, Failure>,
) -> Result<Option<Answer>, Failure> {
    let name = file_names(&[note]).pop().unwrap_or_default();
    editor::edit(context, &name, &to_markdown(note), take_in)
}

/// Deletes a note and gives its last form.
pub(super) fn delete(context: &Context, key: &str) -> Result<Note, Failure> {
    let key = key.to_owned();
    change(&context.session, move |cx| {
        let base = find(cx.state, &key)?;
        let deleted = cx.guard.note_delete(base, None, cx.now);
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
