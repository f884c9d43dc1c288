//! The earlier versions of a note, and their restoration.
//!
//! History only grows: what is brought back is a new version.

use super::super::change::change;
use super::super::session::{Session, disk_of};
use super::change::with_note;
use super::find::{find_among, not_found};
use crate::core::guard::note_restore;
use crate::core::journal::State;
use crate::core::notes::{Note, unified};
use crate::failure::{Code, Failure};
use crate::ids::NoteId;
use crate::store::disk::RealDisk;
use crate::store::{NoteVersion, deleted_notes, note_history};
use clap::Args;
use serde::{Deserialize, Serialize};

/// Returns the id of the note that a person means: one that exists, else one that was deleted.
pub(super) fn id_of(disk: &mut RealDisk, state: &State, key: &str) -> Result<NoteId, Failure> {
    if let Ok(id) = key.parse() {
        return Ok(id);
    }
    let deleted: Vec<Note> = deleted_notes(disk)?;
    let deleted: Vec<&Note> = deleted.iter().collect();
    let present: Vec<&Note> = state.notes.iter().collect();
    let groups = [present, deleted].map(Vec::into_iter);
    Ok(find_among(&groups, key)?.id)
}

/// Returns every kept version of the note that a person means, oldest first.
///
/// The id or the title of a deleted note still leads to its history.
pub(super) fn versions(
    disk: &mut RealDisk,
    state: &State,
    key: &str,
) -> Result<Vec<NoteVersion>, Failure> {
    let id = id_of(disk, state, key)?;
    let versions = note_history(disk, id)?;
    if versions.is_empty() {
        return Err(not_found(&id.to_string()));
    }
    Ok(versions)
}

/// A request for the difference between two versions of a note.
#[derive(Args, Clone, Debug)]
pub struct DiffNote {
    /// Its id, exact title or exact keywords.
    pub note: String,
    /// The earlier version; else the one before the later one.
    pub from: Option<u64>,
    /// The later version; else the last.
    pub to: Option<u64>,
}

/// The difference between two versions of a note.
#[derive(Debug, Serialize)]
pub struct Difference {
    note_id: NoteId,
    from: Option<u64>,
    to: u64,
    pub diff: String,
}

/// Returns the difference between two versions; where none is named, between the last two.
pub fn diff(
    session: &Session,
    DiffNote {
        note: key,
        from,
        to,
    }: DiffNote,
) -> Result<Difference, Failure> {
    let state = session.present()?;
    let versions = versions(&mut session.disk()?, &state, &key)?;
    let last = versions.last().map(|version| &version.note);
    let last = last.ok_or_else(|| not_found(&key))?;
    let after = to.map_or(Ok(last), |to| pick(&versions, to))?;
    let before = if let Some(from) = from {
        Some(pick(&versions, from)?)
    } else {
        let mut earlier = versions.iter().rev().map(|version| &version.note);
        earlier.find(|note| note.version < after.version)
    };
    Ok(Difference {
        note_id: after.id,
        from: before.map(|note| note.version),
        to: after.version,
        diff: unified(before, after),
    })
}

/// A request that names a note, and perhaps one of its versions.
#[derive(Args, Clone, Debug, Deserialize)]
pub struct NoteSelector {
    /// Its id, title or exact keywords.
    #[arg(allow_hyphen_values = true)]
    pub note: String,
    /// The version, also of a deleted note by its id; `history` lists them.
    #[arg(long, value_name = "N")]
    pub version: Option<u64>,
}

/// Brings back a version, or the one before the last change, and returns the note.
pub fn restore(
    session: &Session,
    NoteSelector { note: key, version }: NoteSelector,
) -> Result<Note, Failure> {
    let root = session.root().to_owned();
    change(session, move |cx| {
        let versions = versions(&mut disk_of(&root)?, cx.state, &key)?;
        let last = versions.last().map(|version| &version.note);
        let last = last.ok_or_else(|| not_found(&key))?;
        let earlier = match version {
            Some(version) => pick(&versions, version)?,
            None => before(&versions, last)?,
        };
        if last.deleted_at.is_none() && is_same_text(last, earlier) {
            return Ok((Vec::new(), last.clone()));
        }
        let restored = note_restore(&mut cx.guard, last, earlier, cx.now);
        with_note(restored?)
    })
}

pub(super) fn pick(versions: &[NoteVersion], wanted: u64) -> Result<&Note, Failure> {
    let found = versions
        .iter()
        .rfind(|version| version.note.version == wanted);
    found.map(|version| &version.note).ok_or_else(|| {
        let number = |version: Option<&NoteVersion>| version.map_or(0, |it| it.note.version);
        let message = format!(
            "the note has no version {wanted} in the kept journal; it has {} to {}",
            number(versions.first()),
            number(versions.last())
        );
        Failure::new(Code::RecordNotFound, message).only_hint("`notes history` lists them.")
    })
}

/// Returns what the last change removed: the version before it, or the note that was deleted.
fn before<'a>(versions: &'a [NoteVersion], last: &'a Note) -> Result<&'a Note, Failure> {
    if last.deleted_at.is_some() {
        return Ok(last);
    }
    let mut earlier = versions.iter().rev().map(|version| &version.note);
    let found = earlier.find(|note| note.version < last.version);
    found.ok_or_else(|| {
        let message = "the kept journal has no earlier version of the note";
        Failure::new(Code::RecordNotFound, message).only_hint("`notes history` lists them.")
    })
}

/// Returns whether two versions are equal in all that a person may write.
fn is_same_text(one: &Note, other: &Note) -> bool {
    one.title == other.title
        && one.note_kind == other.note_kind
        && one.keywords == other.keywords
        && one.value == other.value
        && one.links == other.links
}
