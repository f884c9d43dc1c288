//! The index for readers that do not hold the root.
//! They need only read the notes that may match a query. Never writes.

use super::entry::{IndexEntry as _, NoteEntry};
use super::folder::Folder;
use super::maintainer::is_behind;
use super::reader::{self, IndexReader};
use crate::core::notes::{Note, Query};
use crate::ids::NoteId;
use crate::store::IndexCoverage;
use crate::store::disk::RealDisk;
use crate::store::error::Error;
use crate::store::journal::reader::read_range;
use crate::store::journal::recover;
use crate::store::views::start::read_good;
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::{Arc, Mutex};

/// Returns the coverage of the index over a root's notes, if there is a complete one.
pub fn index_covers(disk: RealDisk) -> Option<IndexCoverage> {
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
    let Some((reader, hits)) = opened.ok().flatten() else {
        return Ok(None);
    };
    let mut replayed = read_range(disk, &mut |disk| recover::replay(disk, kv_path))?;
    if replayed.state.notes.is_complete() {
        return Ok(None);
    }
    let digests = replayed.views.notes.read()?;
    let present = digests.iter();
    let present = present.map(|(id, digest)| (*id, Some(digest.beginning())));
    let outdated = catch_unwind(AssertUnwindSafe(|| reader.outdated(present)));
    let Ok(Ok(outdated)) = outdated else {
        return Ok(None);
    };
    if is_behind(outdated.len(), digests.len()) {
        return Ok(None);
    }
    let mut notes = Vec::new();
    for id in outdated.union(&hits) {
        let Some(digest) = digests.get(id) else {
            // The note is deleted.
            continue;
        };
        let known = replayed.state.notes.get(*id).cloned();
        let Some(note) = known.or_else(|| read_good(disk, *id, *digest)) else {
            // Only the journal has this note.
            return Ok(None);
        };
        notes.push(note);
    }
    Ok(Some(notes))
}

/// Opens the index, and returns it with the notes that it finds.
fn open(folder: &Folder, query: &Query) -> Option<(IndexReader<NoteEntry>, BTreeSet<NoteId>)> {
    if query.is_blank() {
        return None;
    }
    let covers = reader::covers(folder)?;
    let reader = IndexReader::<NoteEntry>::open(folder, &covers).ok()?;
    let (ranked, _) = reader.find(query).ok()?;
    let hits = ranked.map(|candidate| candidate.key).collect();
    Some((reader, hits))
}
