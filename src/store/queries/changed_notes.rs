//! The notes that runs created, changed and deleted, read from the kept journal in one pass.
//! Never writes.

use crate::core::journal::{Change, Event};
use crate::ids::{NoteId, RunId};
use crate::store::disk::Disk;
use crate::store::error::Error;
use crate::store::journal::reader;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// The total change of a note over all commits of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum NoteFate {
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
    pub change: NoteFate,
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
    let (note, change) = match change {
        Change::NoteCreated(written) => (&written.note, NoteFate::Created),
        Change::NoteUpdated(written) => (&written.note, NoteFate::Updated),
        Change::NoteDeleted(written) => (&written.note, NoteFate::Deleted),
        Change::RamSet(_)
        | Change::RamDeleted(_)
        | Change::StorageSet(_)
        | Change::StorageDeleted(_) => return,
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
        (NoteFate::Created, NoteFate::Deleted) => {
            notes.remove(at);
            return;
        }
        (NoteFate::Created, _) => NoteFate::Created,
        // It was restored after it was deleted.
        (_, NoteFate::Created) => NoteFate::Updated,
        (_, change) => change,
    };
}
