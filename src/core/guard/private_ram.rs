//! Changes of the private RAM of a run.
//! They are approved changes of RAM that name their run, and they have types of their own: a program
//! that does not know private RAM refuses them and does not take them for changes of the KV file.

use super::Approved;
use crate::core::journal::event::{Change, Event, RamDeleted, RamSet};
use crate::core::run::Run;
use crate::ids::RunId;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A key of a private RAM and its value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PrivateRamSet {
    run_id: RunId,
    key: String,
    value: Value,
}

/// A key of a private RAM that was removed, or a required one that was emptied.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PrivateRamDeleted {
    run_id: RunId,
    key: String,
}

/// Returns the events of a run, with changes of RAM as changes of its private RAM, if it has one.
pub fn in_ram_of(run: &Run, events: Vec<Event>) -> Vec<Event> {
    if !run.has_private_ram() {
        return events;
    }
    let own = events.into_iter().map(|event| {
        if let Event::Change(change) = event {
            in_private_ram(run.run_id, change)
        } else {
            event
        }
    });
    own.collect()
}

fn in_private_ram(run_id: RunId, change: Approved<Change>) -> Event {
    match change.into_inner() {
        Change::RamSet(RamSet { key, value }) => {
            Event::PrivateRamSet(PrivateRamSet { run_id, key, value })
        }
        Change::RamDeleted(RamDeleted { key }) => {
            Event::PrivateRamDeleted(PrivateRamDeleted { run_id, key })
        }
        shared @ (Change::StorageSet(_)
        | Change::StorageDeleted(_)
        | Change::NoteCreated(_)
        | Change::NoteUpdated(_)
        | Change::NoteDeleted(_)) => Event::Change(Approved::seal(shared)),
    }
}

impl PrivateRamSet {
    pub const fn run_id(&self) -> RunId {
        self.run_id
    }

    /// Returns the change within the private RAM.
    pub fn change(&self) -> Change {
        Change::RamSet(RamSet {
            key: self.key.clone(),
            value: self.value.clone(),
        })
    }
}

impl PrivateRamDeleted {
    pub const fn run_id(&self) -> RunId {
        self.run_id
    }

    /// Returns the change within the private RAM.
    pub fn change(&self) -> Change {
        Change::RamDeleted(RamDeleted {
            key: self.key.clone(),
        })
    }
}
