//! A working copy of both trees for one tool call: either all that the call changes passes the guard and
//! the executor takes it over, or nothing of it happens. Places are checked before anything else, so that
//! of two faults of a call the earlier one is reported: its form, its places, what it writes, what it finds.

use super::super::Refused;
use super::view::{self, ACTION_RESULT, SYSTEM_INFO, empty_user_data, stands};
use super::{Executor, nothing_at};
use crate::core::guard::{Approved, Guard, Refusal};
use crate::core::journal::Change;
use crate::core::memory::ram::{CONTEXT, REQUIRED_KEYS, USER_DATA, USER_REQUEST, with_request};
use crate::core::memory::{Ram, Storage, StorePath, Tree};
use crate::failure::Code;
use serde_json::{Value, json};

/// The working copy of one tool call.
pub(super) struct Overlay<'b, 'a> {
    executor: &'b mut Executor<'a>,
    ram: Ram,
    storage: Storage,
    changes: Vec<Approved<Change>>,
}

impl<'b, 'a> Overlay<'b, 'a> {
    pub(super) fn new(executor: &'b mut Executor<'a>) -> Self {
        let (ram, storage) = (executor.ram.clone(), executor.storage.clone());
        Self {
            executor,
            ram,
            storage,
            changes: Vec::new(),
        }
    }

    /// Puts a value in a place that was checked by [`Executor::check_target`].
    pub(super) fn put(&mut self, path: &StorePath, value: Value) -> Result<(), Refused> {
        check_writable(path)?;
        let policy = self.executor.memory;
        let there = |path: &StorePath| {
            let node = stands(&self.ram, &self.storage, path)?;
            Some(
                node.as_directory()
                    .map_or(0, crate::core::memory::storage::Directory::len),
            )
        };
        Guard::tree_names(policy, path, &value, there)?;
        match path.tree() {
            Tree::Storage => {
                let change = self
                    .executor
                    .guard
                    .storage_set(&self.storage, path, value)?;
                self.take(change);
            }
            Tree::WorkingMemory => {
                let (key, value) = self.ram_with(path, Some(value))?;
                self.ram_set(&key, value)?;
            }
        }
        Ok(())
    }

    /// Takes away what stands in a place, with everything below it.
    pub(super) fn remove(&mut self, path: &StorePath) -> Result<(), Refused> {
        check_source(path)?;
        if stands(&self.ram, &self.storage, path).is_none() {
            return Err(nothing_at(path));
        }
        match (path.tree(), path.parts()) {
            (Tree::Storage, _) => {
                let change = self.executor.guard.storage_delete(&self.storage, path)?;
                self.take(change);
            }
            (Tree::WorkingMemory, [key]) => {
                let change = self.executor.guard.ram_delete(key)?;
                self.take(change);
            }
            (Tree::WorkingMemory, _) => {
                let (key, value) = self.ram_with(path, None)?;
                self.ram_set(&key, value)?;
            }
        }
        Ok(())
    }

    /// Hands all changes over to the executor.
    pub(super) fn commit(mut self) {
        // What is put somewhere first: a key that is nowhere for a moment would be forgotten.
        self.changes.sort_by_key(|change| {
            matches!(
                change.get(),
                Change::RamDeleted(_) | Change::StorageDeleted(_)
            )
        });
        for change in self.changes {
            match change.get() {
                Change::RamSet(set) => {
                    let key = set.key.clone();
                    self.executor.take_ram(&key, change);
                }
                Change::RamDeleted(deleted) => {
                    let key = deleted.key.clone();
                    self.executor.take_ram(&key, change);
                }
                Change::StorageSet(_)
                | Change::StorageDeleted(_)
                | Change::NoteCreated(_)
                | Change::NoteUpdated(_)
                | Change::NoteDeleted(_) => self.executor.take_storage(change),
            }
        }
    }

    fn ram_set(&mut self, key: &str, value: Value) -> Result<(), Refused> {
        let characters_max = self.executor.memory.working_memory_character_max;
        let guard = &self.executor.guard;
        let change = guard.ram_set(&self.ram, key, value, characters_max)?;
        self.take(change);
        Ok(())
    }

    fn take(&mut self, change: Approved<Change>) {
        match change.get() {
            Change::RamSet(set) => self.ram.put(&set.key, &set.value),
            Change::RamDeleted(deleted) => self.ram.delete(&deleted.key),
            Change::StorageSet(set) => self.storage.set(set.path.parts(), set.value.clone()),
            Change::StorageDeleted(deleted) => self.storage.remove(deleted.path.parts()),
            Change::NoteCreated(_) | Change::NoteUpdated(_) | Change::NoteDeleted(_) => {}
        }
        self.changes.push(change);
    }

    /// The RAM key that a place belongs to, and its value once something is put there or taken away.
    fn ram_with(&self, path: &StorePath, value: Option<Value>) -> Result<(String, Value), Refusal> {
        let blocked = || {
            let message = format!("{path} leads through a value, not a directory");
            Refusal::new(Code::PathInvalid, message)
        };
        let [key, rest @ ..] = path.parts() else {
            return Err(blocked());
        };
        let Some((name, parents)) = rest.split_last() else {
            return Ok((key.clone(), value.unwrap_or_default()));
        };
        let fresh = || match key.as_str() {
            USER_DATA => empty_user_data(),
            _ => json!({}),
        };
        let mut whole = self.ram.get(key).cloned().unwrap_or_else(fresh);
        let mut members = whole.as_object_mut().ok_or_else(blocked)?;
        for parent in parents {
            let inner = members.entry(parent.clone()).or_insert_with(|| json!({}));
            members = inner.as_object_mut().ok_or_else(blocked)?;
        }
        match value {
            Some(value) => drop(members.insert(name.clone(), value)),
            None => drop(members.remove(name)),
        }
        if key == CONTEXT {
            whole = with_request(whole, self.ram.request());
        }
        Ok((key.clone(), whole))
    }
}

impl Executor<'_> {
    /// Checks that something may be put in a place, whatever it is and whatever stands there.
    pub(super) fn check_target(&self, path: &StorePath) -> Result<(), Refusal> {
        check_writable(path)?;
        let there = |place: &StorePath| stands(&self.ram, &self.storage, place);
        let mut above = path.parent();
        while let Some(place) = above.filter(|place| !place.is_root()) {
            if there(&place).is_some_and(|node| node.as_directory().is_none()) {
                let message = format!("{place} is a value, not a directory");
                return Err(Refusal::new(Code::PathInvalid, message));
            }
            above = place.parent();
        }
        Guard::tree_path(self.memory, path, |place| there(place).is_some())
    }
}

/// Checks that what stands in a place may be taken away, whether or not something does.
pub(super) fn check_source(path: &StorePath) -> Result<(), Refusal> {
    check_writable(path)?;
    if is_required(path) {
        let message = format!("{path} always exists; it can be set, not removed or moved");
        return Err(Refusal::new(Code::PathInvalid, message));
    }
    Ok(())
}

/// Whether a place is a key that always exists.
fn is_required(path: &StorePath) -> bool {
    match (path.tree(), path.parts()) {
        (Tree::WorkingMemory, [key]) => REQUIRED_KEYS.contains(&key.as_str()),
        _ => false,
    }
}

/// Roots, what is computed or kept by the program, and the person's request are not the model's to write.
fn check_writable(path: &StorePath) -> Result<(), Refusal> {
    let refused = |message: String| Err(Refusal::new(Code::PathInvalid, message));
    if path.is_root() {
        return refused("a root is not written or removed; name a place below it".to_owned());
    }
    if view::is_computed(path) {
        return refused(format!("{ACTION_RESULT} and {SYSTEM_INFO} are only read"));
    }
    let parts = path.parts();
    if let (Tree::WorkingMemory, Some(key)) = (path.tree(), parts.first()) {
        Guard::not_kept(key)?;
    }
    if path.tree() == Tree::WorkingMemory
        && parts.starts_with(&[CONTEXT.into(), USER_REQUEST.into()])
    {
        return refused("the request is the person's".to_owned());
    }
    Ok(())
}
