//! The index for readers that do not hold the root.
//! They need only read the notes that may match a query. Never writes.

use super::entry::{Entry as _, NoteEntry};
use super::folder::Folder;
use super::keeper::is_behind;
use super::reader::{self, Reader};
use crate::core::journal::Hash;
use crate::core::notes::{Note, Query};
use crate::ids::NoteId;
use crate::store::Covers;
use crate::store::disk::RealDisk;
use crate::store::error::Error;
use crate::store::journal::reader::read_range;
use crate::store::journal::recover::{self, Replayed};
use crate::store::views::start::read_good;
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::{Arc, Mutex};

/// Returns the coverage of the index over a root's notes, if there is a complete one.
pub fn index_covers(disk: RealDisk) -> Option<Covers> {
    reader::covers(&folder(disk))
}

fn folder(disk: RealDisk) -> Folder {
    Folder::of(Arc::new(Mutex::new(disk)), NoteEntry::FOLDER)
}

/// Returns every note that may match a query after the last complete commit, and some others.
/// The order is arbitrary. `None` means that there is no usable index, and all notes must be read.
pub fn notes_worth_a_look(
    disk: &mut RealDisk,
    kv_path: &Path,
    query: &Query,
) -> Result<Option<Vec<Note>>, Error> {
    let path = disk.path().to_path_buf();
    let Ok(second) = RealDisk::open(&path, false) else {
        return Ok(None);
    };
    // Bytes that are not an index may make the library panic.
    let opened = catch_unwind(AssertUnwindSafe(|| open(&folder(second), query)));
    let Some(found) = opened.ok().flatten() else {
        return Ok(None);
    };
    let mut replayed = read_range(disk, &mut |disk| recover::replay(disk, kv_path))?;
    let Some(wanted) = wanted(&mut replayed, found)? else {
        return Ok(None);
    };
    let mut notes = Vec::new();
    for (id, digest) in wanted {
        if let Some(note) = replayed.state.notes.get(id) {
            notes.push(note.clone());
            continue;
        }
        let Some(note) = read_good(disk, id, digest) else {
            // Only the journal has this note.
            return Ok(None);
        };
        notes.push(note);
    }
    Ok(Some(notes))
}

/// The answer of an index: the notes that it knows with their digests, and those that may match.
struct Found {
    known: Vec<(NoteId, u64)>,
    hits: BTreeSet<NoteId>,
}

fn open(folder: &Folder, query: &Query) -> Option<Found> {
    if query.is_blank() {
        return None;
    }
    let covers = reader::covers(folder)?;
    let reader = Reader::<NoteEntry>::open(folder, &covers).ok()?;
    let (ranked, _) = reader.find(query).ok()?;
    let hits = ranked.map(|candidate| candidate.key).collect();
    let known = reader.digests().ok()?.collect();
    Some(Found { known, hits })
}

/// Returns the notes to read, each with its digest: possible matches, and outdated entries.
fn wanted(replayed: &mut Replayed, found: Found) -> Result<Option<Vec<(NoteId, Hash)>>, Error> {
    if replayed.state.notes.is_complete() {
        return Ok(None);
    }
    let digests = replayed.views.notes.read()?;
    let mut unindexed: BTreeSet<NoteId> = digests.keys().copied().collect();
    for (id, digest) in found.known {
        if digests
            .get(&id)
            .is_some_and(|now| now.beginning() == digest)
        {
            unindexed.remove(&id);
        }
    }
    if is_behind(unindexed.len(), digests.len()) {
        return Ok(None);
    }
    let both = unindexed.union(&found.hits);
    let wanted = both.filter_map(|id| Some((*id, *digests.get(id)?)));
    Ok(Some(wanted.collect()))
}
