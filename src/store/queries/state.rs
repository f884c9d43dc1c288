//! The state of a root, the versions of its notes, and a person's pending edits.
//! A pending edit is a file with neither the present state nor the remains of a stop. Never writes,
//! and sees only complete commits, even while a daemon writes.

use crate::core::journal::commit::ActorType;
use crate::core::journal::{Change, Event, Hash, State};
use crate::core::memory::Ram;
use crate::core::notes::Note;
use crate::ids::{NoteId, RunId};
use crate::limits::KV_FILE_BYTES_MAX;
use crate::store::disk::Disk;
use crate::store::error::Error;
use crate::store::journal::{Head, recover};
use crate::store::journal::{
    ReadJournal,
    reader::{self, SegmentReader, read_range},
};
use crate::store::layout;
use crate::store::views::start::{NOTE_FILE_BYTES_MAX, read_good};
use crate::time::Timestamp;
use serde::Serialize;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Returns the state after the last complete commit.
/// Notes come from their files if those are intact, else from the journal.
pub fn read_state(disk: &mut dyn Disk, kv_path: &Path) -> Result<State, Error> {
    read_range(disk, &mut |disk| read_state_once(disk, kv_path))
}

fn read_state_once(disk: &mut dyn Disk, kv_path: &Path) -> Result<State, Error> {
    let mut replayed = recover::replay(disk, kv_path)?;
    if !replayed.state.notes.is_complete() {
        let mut notes = BTreeMap::new();
        let mut in_doubt = BTreeSet::new();
        for (id, digest) in replayed.views.notes.read()?.iter() {
            match read_good(disk, *id, *digest) {
                Some(note) => drop(notes.insert(*id, note)),
                None => drop(in_doubt.insert(*id)),
            }
        }
        in_doubt.retain(|id| !replayed.state.notes.knows(*id));
        if !in_doubt.is_empty() {
            let first = replayed.segments.first;
            let mut journal = SegmentReader { disk, first };
            let found = histories(&mut journal, &|id| in_doubt.contains(&id))?;
            for (id, mut versions) in found {
                notes.extend(versions.pop().map(|version| (id, version.note)));
            }
        }
        replayed.state.notes.fill(notes.into_values());
    }
    Ok(replayed.state)
}

/// Returns the last commit, to be kept elsewhere; it is found from the newest checkpoint on.
pub fn head_of(disk: &mut dyn Disk) -> Result<Head, Error> {
    let replayed = read_range(disk, &mut |disk| recover::replay(disk, Path::new("")))?;
    Ok(replayed.segments.head())
}

/// Returns those notes whose files a person has changed.
/// Reads only their files, and the journal if a file differs. A missing file is no edit: it is
/// written again.
pub fn notes_with_pending_edits<'a>(
    disk: &mut dyn Disk,
    notes: impl Iterator<Item = &'a Note>,
) -> Result<Vec<NoteId>, Error> {
    let mut odd = BTreeMap::new();
    for note in notes {
        let read = disk.read(&layout::note_path(note.id), NOTE_FILE_BYTES_MAX);
        if let Ok(bytes) = read
            && !is_ours(&bytes, &note.to_file())
        {
            odd.insert(note.id, (Hash::of(&bytes), true));
        }
    }
    if !odd.is_empty() {
        let wanted: Vec<NoteId> = odd.keys().copied().collect();
        // A file that a crash left behind is an older version, not an edit.
        let is_wanted = |id: NoteId| wanted.binary_search(&id).is_ok();
        each_version(disk, &is_wanted, &mut |note| {
            if let Some((digest, is_edit)) = odd.get_mut(&note.id) {
                *is_edit &= Hash::of(&note.to_file()) != *digest;
            }
        })?;
    }
    let edited = odd.into_iter().filter(|(_, (_, is_edit))| *is_edit);
    Ok(edited.map(|(id, _)| id).collect())
}

/// Returns whether a person has changed the KV file.
pub fn has_pending_ram_edit(disk: &mut dyn Disk, kv_path: &Path, ram: &Ram) -> Result<bool, Error> {
    let Ok(bytes) = disk.read(kv_path, KV_FILE_BYTES_MAX) else {
        return Ok(false);
    };
    if is_ours(&bytes, &ram.to_file()) {
        return Ok(false);
    }
    let since = read_range(disk, &mut |disk| recover::replay(disk, kv_path))?.since;
    Ok(since.clean || !since.known.contains(&Hash::of(&bytes)))
}

/// Returns whether a file is as the program wrote it, or as far as the write came.
fn is_ours(bytes: &[u8], good: &[u8]) -> bool {
    good.starts_with(bytes) || bytes.iter().all(|byte| *byte == 0)
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NoteVersion {
    pub seq: u64,
    pub ts: Timestamp,
    pub actor_type: ActorType,
    /// The run, if there was one.
    pub run_id: Option<RunId>,
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
    reader::fold(disk, &mut |(), commit| {
        let notes = commit.draft.events.iter().filter_map(Event::note);
        notes.filter(|note| wanted(note.id)).for_each(&mut *show);
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
    let found = reader::fold(disk, &mut |found: &mut BTreeMap<NoteId, Note>, commit| {
        for note in commit.draft.events.iter().filter_map(Event::note) {
            if note.deleted_at.is_some() {
                found.insert(note.id, note.clone());
            } else {
                found.remove(&note.id);
            }
        }
    })?;
    let mut notes: Vec<Note> = found.into_values().collect();
    notes.sort_by_key(|note| Reverse((note.deleted_at, note.id)));
    Ok(notes)
}

/// The total change of a note over all commits of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum NoteOutcome {
    Created,
    /// It existed before, and has a new version.
    Updated,
    /// It existed before, and is deleted.
    Deleted,
}

/// A note that a run changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ChangedNote {
    pub note_id: NoteId,
    /// The title after the last change.
    pub title: String,
    pub change: NoteOutcome,
}

/// Returns the notes that each of these runs changed, in the order of the first change.
/// A note that a run created and deleted again is left out.
pub fn changed_notes(
    disk: &mut dyn Disk,
    runs: &BTreeSet<RunId>,
) -> Result<BTreeMap<RunId, Vec<ChangedNote>>, Error> {
    if runs.is_empty() {
        return Ok(BTreeMap::new());
    }
    reader::fold(disk, &mut |found: &mut BTreeMap<_, Vec<_>>, commit| {
        let run_id = commit.draft.cause.run_id;
        if let Some(run_id) = run_id.filter(|run_id| runs.contains(run_id)) {
            for event in &commit.draft.events {
                if let Event::Change(change) = event {
                    add(found.entry(run_id).or_default(), change.get());
                }
            }
        }
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
    let mut changed = ChangedNote {
        note_id: note.id,
        title: note.title.clone(),
        change,
    };
    let Some(at) = notes.iter().position(|known| known.note_id == note.id) else {
        return notes.push(changed);
    };
    changed.change = match (notes[at].change, change) {
        (NoteOutcome::Created, NoteOutcome::Deleted) => return drop(notes.remove(at)),
        (NoteOutcome::Created, _) => NoteOutcome::Created,
        // It was restored after it was deleted.
        (_, NoteOutcome::Created) => NoteOutcome::Updated,
        (_, change) => change,
    };
    notes[at] = changed;
}
