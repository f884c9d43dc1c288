//! The state of a root, its last commit, and a person's pending edits, for processes that do not
//! hold it. A pending edit is a file with neither the present state nor the remains of a stop.
//! Never writes, and sees only complete commits, even while a daemon writes.

use super::notes::{each_version, histories};
use crate::core::journal::{Hash, State};
use crate::core::memory::Ram;
use crate::core::notes::Note;
use crate::ids::NoteId;
use crate::limits::KV_FILE_BYTES_MAX;
use crate::store::disk::Disk;
use crate::store::error::Error;
use crate::store::journal::reader::{SegmentReader, read_range};
use crate::store::journal::{Head, recover};
use crate::store::layout;
use crate::store::views::start::{NOTE_FILE_BYTES_MAX, read_good};
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
            let first = replayed.first;
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
    Ok(replayed.end.place.head)
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
