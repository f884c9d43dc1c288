//! The state and the last commit of a root, for processes that do not hold it.
//! Never writes, and sees only complete commits, even while a daemon writes.

use super::notes::histories;
use crate::core::journal::State;
use crate::store::disk::Disk;
use crate::store::error::Error;
use crate::store::journal::reader::{Reader, read_range};
use crate::store::journal::{Head, recover};
use crate::store::views::start::read_good;
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
            let mut journal = Reader { disk, first };
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
