//! The versions of notes, as far back as the kept journal goes. Never writes.

use crate::core::journal::Event;
use crate::core::journal::commit::ActorType;
use crate::core::notes::Note;
use crate::ids::{NoteId, RunId};
use crate::store::disk::Disk;
use crate::store::error::Error;
use crate::store::journal::reader::{self, Reader};
use crate::time::Timestamp;
use serde::Serialize;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// One version of a note.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NoteVersion {
    /// The number of the commit.
    pub seq: u64,
    /// The time of the commit.
    pub ts: Timestamp,
    /// The kind of actor.
    pub actor_type: ActorType,
    /// The run, if there was one.
    pub run_id: Option<RunId>,
    /// The note in this version.
    pub note: Note,
}

/// Returns the versions of the wanted notes, oldest first. Reads the whole kept journal.
pub(crate) fn histories(
    journal: &mut Reader<'_>,
    wanted: &dyn Fn(NoteId) -> bool,
) -> Result<BTreeMap<NoteId, Vec<NoteVersion>>, Error> {
    let mut found: BTreeMap<NoteId, Vec<NoteVersion>> = BTreeMap::new();
    journal.each_commit(&mut |commit| {
        for event in &commit.draft.events {
            let Some(note) = event.note() else { continue };
            if wanted(note.id) {
                found.entry(note.id).or_default().push(NoteVersion {
                    seq: commit.seq,
                    ts: commit.draft.ts,
                    actor_type: commit.draft.actor.actor_type,
                    run_id: commit.draft.cause.run_id,
                    note: note.clone(),
                });
            }
        }
    })?;
    Ok(found)
}

/// Passes every kept version of the wanted notes to `show`, oldest first; some may come twice.
pub fn each_version(
    disk: &mut dyn Disk,
    wanted: &dyn Fn(NoteId) -> bool,
    show: &mut dyn FnMut(&Note),
) -> Result<(), Error> {
    reader::read(disk, &mut |journal| {
        journal.each_commit(&mut |commit| {
            let notes = commit.draft.events.iter().filter_map(Event::note);
            notes.filter(|note| wanted(note.id)).for_each(&mut *show);
        })
    })
}

/// Returns every version of one note, oldest first.
pub fn note_history(disk: &mut dyn Disk, id: NoteId) -> Result<Vec<NoteVersion>, Error> {
    let mut found = reader::read(disk, &mut |journal| {
        histories(journal, &|wanted| wanted == id)
    })?;
    Ok(found.remove(&id).unwrap_or_default())
}

/// Returns the last version of each deleted note, the last deleted first.
/// Notes that were deleted before the kept journal are missing.
pub fn deleted_notes(disk: &mut dyn Disk) -> Result<Vec<Note>, Error> {
    let found = reader::read(disk, &mut |journal| {
        let mut found: BTreeMap<NoteId, Note> = BTreeMap::new();
        journal.each_commit(&mut |commit| {
            for note in commit.draft.events.iter().filter_map(Event::note) {
                if note.deleted_at.is_some() {
                    found.insert(note.id, note.clone());
                } else {
                    found.remove(&note.id);
                }
            }
        })?;
        Ok(found)
    })?;
    let mut notes: Vec<Note> = found.into_values().collect();
    notes.sort_by_key(|note| Reverse((note.deleted_at, note.id)));
    Ok(notes)
}
