//! Adds, changes and deletes notes. The guard decides whether a change may be made.

use super::super::change::change;
use super::super::session::Session;
use super::find::find;
use super::links::similar_hints;
use crate::core::guard::{Approved, NewNote, NoteEdit};
use crate::core::journal::Change;
use crate::core::notes::{MarkdownProblem, Note, NoteFields, from_markdown, split_keywords};
use crate::failure::{Code, Failure};
use crate::ids::IdSource as _;
use crate::store::TimeOrderedIds;
use clap::{ArgAction, Args};
use serde::{Deserialize, Serialize};

/// The message where a note already is as it was to be.
pub const UNCHANGED: &str = "nothing was changed";

/// A request to add a note.
#[derive(Args, Clone, Debug, Deserialize)]
pub struct AddNote {
    /// The text; `-` reads standard input.
    #[arg(allow_hyphen_values = true)]
    pub value: String,
    /// The title; else the date and time.
    #[arg(long, allow_hyphen_values = true)]
    pub title: Option<String>,
    /// Keywords, separated by commas.
    #[arg(long, allow_hyphen_values = true, num_args = 1, action = ArgAction::Set)]
    pub keywords: Option<Vec<String>>,
    /// The kind; else `note`.
    #[arg(long)]
    pub kind: Option<String>,
}

/// A request to change a note, based on a version if one is named.
#[derive(Args, Clone, Debug, Deserialize)]
pub struct EditNote {
    /// Its id, title or exact keywords.
    #[arg(allow_hyphen_values = true)]
    pub note: String,
    /// The version that the change is based on; if the note has a newer one, it is refused.
    #[arg(long, value_name = "N")]
    pub version: Option<u64>,
    #[command(flatten)]
    #[serde(flatten)]
    pub changes: NoteChanges,
}

/// The changes of a note. A field that is not named stays.
#[derive(Args, Clone, Debug, Default, Deserialize, PartialEq, Eq)]
pub struct NoteChanges {
    /// Another title.
    #[arg(long, allow_hyphen_values = true)]
    pub title: Option<String>,
    /// Other keywords, separated by commas.
    #[arg(long, allow_hyphen_values = true, num_args = 1, action = ArgAction::Set)]
    pub keywords: Option<Vec<String>>,
    /// Another text; `-` reads standard input.
    #[arg(long, allow_hyphen_values = true)]
    pub value: Option<String>,
    /// Another kind.
    #[arg(long)]
    pub kind: Option<String>,
    /// The note as Markdown with front matter, as `notes export` writes it; `-` reads standard input.
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true,
          conflicts_with_all = ["title", "keywords", "value", "kind"])]
    pub markdown: Option<String>,
}

/// A request that names a note.
#[derive(Args, Clone, Debug, Deserialize)]
pub struct NamedNote {
    /// Its id, title or exact keywords.
    #[arg(allow_hyphen_values = true)]
    pub note: String,
}

/// A note that was deleted just now.
#[derive(Debug, Serialize)]
pub struct Deleted {
    #[serde(flatten)]
    pub note: Note,
    /// The command that brings it back.
    pub undo: String,
}

fn keywords_of(texts: &[String]) -> Vec<String> {
    split_keywords(&texts.join(","))
}

/// Adds a note and returns it as it was written.
pub fn add(session: &Session, asked: AddNote) -> Result<Note, Failure> {
    if asked.value.trim().is_empty() {
        return Err(Failure::new(Code::Usage, "the note is empty"));
    }
    let new = NewNote {
        workspace_id: None,
        kind: asked.kind,
        title: asked.title,
        keywords: keywords_of(&asked.keywords.unwrap_or_default()),
        links: Vec::new(),
        value: asked.value,
    };
    let (note, hints) = change(session, move |cx| {
        let new = NewNote {
            links: cx
                .state
                .notes
                .titles_in(&new.value, cx.config.scope.workspace_id),
            ..new
        };
        let id = TimeOrderedIds { now: cx.now }.next_note_id();
        let created = cx.guard.note_create(new, id, cx.now);
        let (changes, note) = with_note(created?)?;
        let threshold = cx.config.notes.similar_threshold;
        let hints = similar_hints(&cx.state.notes, &note, threshold);
        Ok((changes, (note, hints)))
    })?;
    for hint in &hints {
        session.inform(hint);
    }
    Ok(note)
}

/// Changes fields of a note and returns it as it is then.
pub fn edit(session: &Session, asked: EditNote) -> Result<Note, Failure> {
    let is_complete = asked.changes.markdown.is_some();
    let written = asked.changes.written()?;
    let version = asked.version.or(written.version);
    let (note, is_changed) = change(session, move |cx| {
        let base = find(cx.state, &asked.note)?;
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
        session.inform(UNCHANGED);
    }
    Ok(note)
}

/// Deletes a note and returns its last form.
pub fn delete(session: &Session, NamedNote { note: key }: NamedNote) -> Result<Deleted, Failure> {
    let note = change(session, move |cx| {
        let base = find(cx.state, &key)?;
        let deleted = cx.guard.note_delete(base, None, cx.now);
        with_note(deleted?)
    })?;
    let undo = undo(session, &note);
    Ok(Deleted { note, undo })
}

/// Returns the command that brings a note back.
pub(super) fn undo(session: &Session, note: &Note) -> String {
    session.command_line(&format!("notes restore {}", note.id))
}

impl NoteChanges {
    /// Returns whether no field is named.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Returns the fields to write into a note.
    ///
    /// # Errors
    /// `USAGE` where a field would be empty that a note cannot be without, `IMPORT_INVALID` for a
    /// head that cannot be read.
    pub fn written(self) -> Result<NoteFields, Failure> {
        if let Some(text) = self.markdown {
            let portable = from_markdown(&text).map_err(|MarkdownProblem { line, reason }| {
                Failure::new(Code::ImportInvalid, format!("line {line}: {reason}"))
            });
            return Ok(portable?.written);
        }
        for (option, field) in [("--title", &self.title), ("--kind", &self.kind)] {
            if field.as_deref().is_some_and(|text| text.trim().is_empty()) {
                let message = format!("{option} is empty; a note cannot be without it");
                return Err(Failure::new(Code::Usage, message));
            }
        }
        Ok(NoteFields {
            title: self.title,
            keywords: self.keywords.as_deref().map(keywords_of),
            value: self.value,
            kind: self.kind,
            ..NoteFields::default()
        })
    }
}

/// Returns a change of one note, together with the note as it is after it.
pub(in crate::service) fn with_note(
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
