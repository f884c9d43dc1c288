//! `/storage` in the executor: the tree as this reply leaves it. Whoever executes an instruction on it,
//! in whatever dialect, does it through these.

use super::{Executor, Refused};
use crate::core::guard::Approved;
use crate::core::journal::Change;
use crate::core::memory::StorePath;
use serde_json::Value;

impl Executor<'_> {
    /// Puts a value in a place.
    pub(super) fn storage_set(&mut self, path: &StorePath, value: Value) -> Result<(), Refused> {
        let change = self.guard.storage_set(&self.storage, path, value)?;
        self.take_storage(change);
        Ok(())
    }

    /// Takes away what stands in a place, with everything below it.
    pub(super) fn storage_delete(&mut self, path: &StorePath) -> Result<(), Refused> {
        let change = self.guard.storage_delete(&self.storage, path)?;
        self.take_storage(change);
        Ok(())
    }

    /// Takes an approved change in. One that makes no difference is not written down.
    pub(super) fn take_storage(&mut self, change: Approved<Change>) {
        match change.get() {
            Change::StorageSet(set) => {
                let parts = set.path.parts();
                if self.storage.value(parts).as_ref() == Some(&set.value) {
                    return;
                }
                self.storage.set(parts, set.value.clone());
            }
            Change::StorageDeleted(deleted) => self.storage.remove(deleted.path.parts()),
            Change::RamSet(_)
            | Change::RamDeleted(_)
            | Change::NoteCreated(_)
            | Change::NoteUpdated(_)
            | Change::NoteDeleted(_) => return,
        }
        self.note_change();
        self.changes.push(change);
    }
}
