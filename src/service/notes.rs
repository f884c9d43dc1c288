//! Notes: lists, searches and single ones; adding, changing, deleting and restoring.

mod change;
mod find;
mod links;
mod search;
mod versions;

use super::list::{List, ListWithIds, PageQuery};
use super::pending_edits::{warn_of_ids, warn_of_notes};
use super::session::Session;
use crate::core::notes::{Issue, Note};
use crate::failure::Failure;
use crate::ids::NoteId;
use crate::limits::SEARCH_PREVIEW_CHARS;
use crate::store::disk::Disk as _;
use crate::store::{NoteVersion, VersionOrigins, deleted_notes, layout, why_of};
use crate::time::Timestamp;
use clap::Args;
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::path::Path;

pub use change::{
    AddNote, Deleted, EditNote, NamedNote, NoteChanges, UNCHANGED, add, delete, edit,
};
pub use find::find;
pub use links::{LinkEnd, LinkedNote};
pub use search::{FoundNotes, PartialMatch, SearchNotes, search_notes};
pub use versions::{DiffNote, Difference, NoteSelector, diff, restore};

/// A note in a list: everything but its text, of which only the beginning is shown.
#[derive(Debug, Serialize)]
pub struct NoteRow {
    pub id: NoteId,
    pub title: String,
    pub keywords: Vec<String>,
    note_kind: String,
    pub version: u64,
    pub updated_at: Timestamp,
    issues: usize,
    preview: String,
}

impl NoteRow {
    fn of(note: &Note) -> Self {
        Self {
            id: note.id,
            title: note.title.clone(),
            keywords: note.keywords.clone(),
            note_kind: note.note_kind.clone(),
            version: note.version,
            updated_at: note.updated_at,
            issues: note.issues.iter().filter(|issue| issue.open).count(),
            preview: note.value.chars().take(SEARCH_PREVIEW_CHARS).collect(),
        }
    }
}

/// A deleted note in a list.
#[derive(Debug, Serialize)]
pub struct DeletedRow {
    /// The note as it was last.
    #[serde(flatten)]
    pub row: NoteRow,
    pub deleted_at: Option<Timestamp>,
    /// The command that brings it back.
    undo: String,
}

/// A flagged note, with its issue.
#[derive(Debug, Serialize)]
pub struct FlaggedNote {
    pub note_id: NoteId,
    pub title: String,
    #[serde(flatten)]
    pub issue: Issue,
}

/// A note as it is, with its links, or as it was.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum ShownNote {
    Present(Box<LinkedNote>),
    Past(Box<Note>),
}

/// A request for the versions of a note.
#[derive(Args, Clone, Debug, Deserialize)]
pub struct NoteHistory {
    /// Its id, title or exact keywords.
    #[arg(allow_hyphen_values = true)]
    pub note: String,
    #[command(flatten)]
    #[serde(flatten)]
    pub page: PageQuery,
}

/// The origin of each version of a note.
#[derive(Debug, Serialize)]
pub struct NoteOrigins {
    pub note_id: NoteId,
    #[serde(flatten)]
    pub why: VersionOrigins,
}

/// Lists the notes, last changed first.
pub fn list(session: &Session, page: PageQuery) -> Result<List<NoteRow>, Failure> {
    let state = session.present()?;
    let mut notes: Vec<&Note> = state.notes.iter().collect();
    notes.sort_by_key(|note| (Reverse(note.updated_at), note.id));
    let list = List::page(notes, page);
    warn_of_notes(session, list.items.iter().copied())?;
    Ok(list.map(NoteRow::of))
}

/// Lists the deleted notes, last deleted first.
pub fn deleted(
    session: &Session,
    page: PageQuery,
) -> Result<ListWithIds<DeletedRow, NoteId>, Failure> {
    session.load()?;
    let notes = deleted_notes(&mut session.disk()?)?;
    let ids = notes.iter().map(|note| note.id).collect();
    let list = List::page(notes, page).map(|note| DeletedRow {
        row: NoteRow::of(&note),
        deleted_at: note.deleted_at,
        undo: change::undo(session, &note),
    });
    Ok(ListWithIds { list, ids })
}

/// Returns a note as it is, or as it was in a version.
pub fn show(
    session: &Session,
    NoteSelector { note: key, version }: NoteSelector,
) -> Result<ShownNote, Failure> {
    let state = session.present()?;
    if let Some(version) = version {
        let versions = versions::versions(&mut session.disk()?, &state, &key)?;
        let note = versions::pick(&versions, version)?.clone();
        return Ok(ShownNote::Past(Box::new(note)));
    }
    let shown = LinkedNote::of(&state.notes, find(&state, &key)?);
    warn_of_notes(session, std::iter::once(&shown.note))?;
    Ok(ShownNote::Present(Box::new(shown)))
}

/// Returns the named notes for an export; all, where none is named.
pub fn export(session: &Session, keys: &[String]) -> Result<Vec<Note>, Failure> {
    let state = session.present()?;
    let notes: Vec<Note> = if keys.is_empty() {
        state.notes.iter().cloned().collect()
    } else {
        let found = keys.iter().map(|key| find(&state, key).cloned());
        found.collect::<Result<_, _>>()?
    };
    warn_of_notes(session, notes.iter())?;
    Ok(notes)
}

/// Lists every kept version of a note, oldest first.
pub fn history(session: &Session, asked: NoteHistory) -> Result<List<NoteVersion>, Failure> {
    let NoteHistory { note: key, page } = asked;
    let state = session.present()?;
    let versions = versions::versions(&mut session.disk()?, &state, &key)?;
    let last = versions.last().map(|it| it.note.id);
    warn_of_ids(session, &state, last.into_iter())?;
    Ok(List::page(versions, page))
}

/// Lists what was flagged about notes, last flagged first.
pub fn issues(
    session: &Session,
    page: PageQuery,
) -> Result<ListWithIds<FlaggedNote, NoteId>, Failure> {
    let state = session.present()?;
    let flagged = state.notes.iter().flat_map(|note| {
        note.issues.iter().map(|issue| FlaggedNote {
            note_id: note.id,
            title: note.title.clone(),
            issue: issue.clone(),
        })
    });
    let mut all: Vec<FlaggedNote> = flagged.collect();
    all.sort_by_key(|flagged| Reverse(flagged.issue.created_at));
    let list = List::page(all, page);
    warn_of_ids(session, &state, list.items.iter().map(|it| it.note_id))?;
    let ids = state.notes.iter().map(|note| note.id).collect();
    Ok(ListWithIds { list, ids })
}

/// Returns the origin of each version of a note.
pub fn why(session: &Session, NamedNote { note: key }: NamedNote) -> Result<NoteOrigins, Failure> {
    let note_id = if let Ok(id) = key.parse() {
        id
    } else {
        let state = session.present()?;
        versions::id_of(&mut session.disk()?, &state, &key)?
    };
    let why = why_of(&mut session.disk()?, note_id)?;
    if why.versions.is_empty() {
        return Err(find::not_found(&note_id.to_string()));
    }
    Ok(NoteOrigins { note_id, why })
}

/// Returns the ids of all notes that have a file: a list may hold only some of them.
pub fn ids_of_files(session: &Session) -> Vec<NoteId> {
    let disk = session.disk().ok();
    let names = disk.and_then(|mut disk| disk.list(Path::new(layout::NOTES)).ok());
    let names = names.unwrap_or_default();
    names
        .iter()
        .filter_map(|name| layout::note_of(name))
        .collect()
}
