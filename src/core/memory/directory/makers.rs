//! The keys that the model made, each with its run.
//! A request does not see keys made for another one. A key that a person wrote stays the person's,
//! even if a run changes it later. Hides nothing itself.

use super::{KeyDirectory, is_own};
use crate::core::journal::Change;
use crate::core::memory::ram::CONTEXT;
use crate::core::memory::{Ram, StorePath};
use crate::ids::RunId;
use serde_json::{Map, Value};

impl KeyDirectory {
    /// Returns the run in which the model made a key; `None` for a key that a person wrote.
    pub fn maker(&self, key: &str) -> Option<RunId> {
        self.made.get(key).copied()
    }

    /// Returns the run of the newest iteration.
    pub const fn last_run(&self) -> Option<RunId> {
        self.run
    }

    /// Records who makes the key of a change. `ram` is RAM before the change.
    pub fn note_maker(&mut self, change: &Change, is_agent: bool, ram: &Ram) {
        let run = self.run.filter(|_| is_agent);
        match change {
            Change::RamSet(set) if set.key == CONTEXT => {
                self.note_members(ram.get(CONTEXT), &set.value, run);
            }
            Change::RamSet(set) => {
                let is_known = !is_own(&set.key) && self.holds(&set.key);
                self.mark(&set.key, is_known, run);
            }
            Change::RamDeleted(deleted) if is_own(&deleted.key) => {
                self.made.remove(&deleted.key);
            }
            Change::StorageSet(set) => {
                let key = set.path.archived_key();
                let key = key.filter(|key| set.path == StorePath::archive(key));
                // A value that only moves to the archive was not made now.
                if let Some(key) = key.filter(|key| ram.get(key) != Some(&set.value)) {
                    let is_known = self.holds(key);
                    self.mark(key, is_known, run);
                }
            }
            Change::RamDeleted(_)
            | Change::StorageDeleted(_)
            | Change::NoteCreated(_)
            | Change::NoteUpdated(_)
            | Change::NoteDeleted(_) => {}
        }
    }

    /// Records who makes members of `context`, each of which is a key of its own in a prompt.
    fn note_members(&mut self, before: Option<&Value>, after: &Value, run: Option<RunId>) {
        let none = Map::new();
        let before = before.and_then(Value::as_object).unwrap_or(&none);
        let after = after.as_object().unwrap_or(&none);
        for (name, value) in after {
            let present = before.get(name);
            if present != Some(value) {
                self.mark(&member_key(name), present.is_some(), run);
            }
        }
        for name in before.keys().filter(|name| !after.contains_key(*name)) {
            self.made.remove(&member_key(name));
        }
    }

    fn holds(&self, key: &str) -> bool {
        self.get(key).is_some_and(|entry| entry.layer.is_some())
    }

    /// Records that a key is written in a run, or by a person.
    /// A known key that the model did not make stays the person's.
    fn mark(&mut self, key: &str, is_known: bool, run: Option<RunId>) {
        match run {
            Some(run) if !is_known || self.made.contains_key(key) => {
                self.made.insert(key.to_owned(), run);
            }
            Some(_) => {}
            None => drop(self.made.remove(key)),
        }
    }
}

fn member_key(name: &str) -> String {
    format!("{CONTEXT}.{name}")
}
