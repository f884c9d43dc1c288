//! The versions of notes and the notes that runs changed, as far back as the kept journal goes.
//! Never writes.

use crate::core::journal::commit::ActorType;
use crate::core::journal::{Change, Event};
use crate::core::notes::Note;
use crate::ids::{NoteId, RunId};
use crate::store::disk::Disk;
use crate::store::error::Error;
use crate::store::journal::{ReadJournal, reader};
use crate::time::Timestamp;
use serde::Serialize;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

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
    journal: &mut dyn ReadJournal,
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

/// The total change of a note over all commits of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum NoteOutcome {
    /// The run created it.
    Created,
    /// It existed before, and has a new version.
    Updated,
    /// It existed before, and is deleted.
    Deleted,
}

/// A note that a run changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ChangedNote {
    /// The note.
    pub note_id: NoteId,
    /// The title after the last change.
    pub title: String,
    /// The total change.
    pub change: NoteOutcome,
}

/// Returns the notes that each of these runs changed, in the order of the first change.
/// A note that a run created and deleted again is left out.
pub fn changed_notes(
    disk: &mut dyn Disk,
    runs: &BTreeSet<RunId>,
) -> Result<BTreeMap<RunId, Vec<ChangedNote>>, Error> {
    reader::read(disk, &mut |journal| {
        let mut found: BTreeMap<RunId, Vec<ChangedNote>> = BTreeMap::new();
        if runs.is_empty() {
            return Ok(found);
        }
        journal.each_commit(&mut |commit| {
            let run_id = commit.draft.cause.run_id;
            let Some(run_id) = run_id.filter(|run_id| runs.contains(run_id)) else {
                return;
            };
            for event in &commit.draft.events {
                if let Event::Change(change) = event {
                    add(found.entry(run_id).or_default(), change.get());
                }
            }
        })?;
        Ok(found)
    })
}

/// Combines a change with the earlier changes of its note.
fn add(notes: &mut Vec<ChangedNote>, change: &Change) {
    let Some(note) = change.note() else { return };
    let change = if let Change::NoteCreated(_) = change {
        NoteOutcome::Created
    } else if let Change::NoteDeleted(_) = change {
        NoteOutcome::Deleted
    } else {
        NoteOutcome::Updated
    };
    let Some(at) = notes.iter().position(|known| known.note_id == note.id) else {
        notes.push(ChangedNote {
            note_id: note.id,
            title: note.title.clone(),
            change,
        });
        return;
    };
    let known = &mut notes[at];
    known.title.clone_from(&note.title);
    known.change = match (known.change, change) {
        (NoteOutcome::Created, NoteOutcome::Deleted) => {
            notes.remove(at);
            return;
        }
        (NoteOutcome::Created, _) => NoteOutcome::Created,
        // It was restored after it was deleted.
        (_, NoteOutcome::Created) => NoteOutcome::Updated,
        (_, change) => change,
    };
}
