//! Paging in the executor: RAM keys move to the archive in `/storage` and back, value for value, because
//! the model says so or because a rule does (`paging_rule` says which keys). What moved leaves a line in RAM that names the key which
//! brings it back. Nothing is lost: a value that would be in the way keeps a place of its own.

use super::archive_list::{archived_lines, archived_list_chars};
use super::key_list::keys_in;
use super::{Done, Executor, Refused, TARGET_CHARS};
use crate::core::guard::{Guard, Refusal};
use crate::core::journal::Change;
use crate::core::memory::directory::{ARCHIVED, is_own, member_of, places_of};
use crate::core::memory::path::ARCHIVE;
use crate::core::memory::ram::{CONTEXT, USER_REQUEST};
use crate::core::memory::{Ram, StorePath};
use crate::core::prompt::shorten;
use crate::failure::Code;
use crate::limits::RAM_KEY_BYTES_MAX;
use serde_json::Value;
use std::collections::BTreeSet;

impl Executor<'_> {
    /// The lists of a `<paging>` block: all of it, or nothing.
    pub(super) fn paging(
        &mut self,
        archive: &[String],
        retrieve: &[String],
        delete: &[String],
    ) -> Result<Done, Refused> {
        self.all_or_nothing(|executor| {
            let put_away = keys_in(archive, |key| executor.ram_value(key).is_some());
            put_away.iter().try_for_each(|key| executor.archive(key))?;
            let keys = keys_in(retrieve, |key| executor.is_stored(key));
            keys.iter().try_for_each(|key| executor.retrieve(key))?;
            let is_there = |key: &str| executor.is_stored(key) || executor.ram_value(key).is_some();
            let keys = keys_in(delete, is_there);
            let mut removed = Removed::default();
            for key in keys {
                if !put_away.contains(&key) {
                    executor.discard(&key, &mut removed)?;
                }
            }
            Ok(Done::feedback(removed.feedback()))
        })
    }

    /// Works something that takes effect as a whole or not at all.
    pub(super) fn all_or_nothing<T>(
        &mut self,
        work: impl FnOnce(&mut Self) -> Result<T, Refused>,
    ) -> Result<T, Refused> {
        let (ram, storage) = (self.ram.clone(), self.storage.clone());
        let (changes, noted) = (self.changes.len(), self.noted.clone());
        let (progress, wrote) = (self.progress.clone(), self.wrote);
        let has_changed = self.has_changed;
        let guard = self.guard.clone();
        let outcome = work(self);
        if outcome.is_err() {
            (self.ram, self.storage, self.noted) = (ram, storage, noted);
            (self.progress, self.wrote) = (progress, wrote);
            self.has_changed = has_changed;
            // What did not happen used nothing up.
            self.guard = guard;
            self.changes.truncate(changes);
        }
        outcome
    }

    /// Moves a key out of RAM.
    pub(super) fn archive(&mut self, key: &str) -> Result<(), Refused> {
        if is_own(key) {
            let message = format!("`{key}` always stays in RAM");
            return Err(Refusal::new(Code::PathInvalid, message).into());
        }
        let Some(value) = self.ram_value(key) else {
            // It may have made room in this reply already.
            return if self.has_left(key) && self.storage.has(StorePath::archive(key).parts()) {
                Ok(())
            } else {
                Err(missing(key, "RAM").into())
            };
        };
        // The value first: a key that is nowhere for a moment would be forgotten.
        self.put_in_archive(key, value)?;
        self.drop_from_ram(key)
    }

    /// Puts a value into the archive. Another one of the same key moves aside.
    fn put_in_archive(&mut self, key: &str, value: Value) -> Result<(), Refused> {
        let place = StorePath::archive(key);
        let older = self.storage.value(place.parts());
        if let Some(older) = older.filter(|older| *older != value) {
            let free = (1..=u32::MAX)
                .map(|number| StorePath::archive(&aside(key, number)))
                .find(|place| !self.storage.has(place.parts()));
            if let Some(free) = free {
                self.storage_set(&free, older)?;
            }
        }
        self.storage_set(&place, value)
    }

    /// Brings a key back into RAM. If RAM has one of that name, the two change places.
    fn retrieve(&mut self, key: &str) -> Result<(), Refused> {
        let found = places_of(key)
            .filter(|_| !is_own(key))
            .find_map(|place| Some((self.storage.value(place.parts())?, place)));
        let Some((value, place)) = found else {
            return Err(missing(key, "/storage").into());
        };
        let characters_max = self.memory.working_memory_character_max;
        Guard::fits_ram(&self.ram, key, &value, characters_max, key)?;
        let present = self.ram_value(key).filter(|present| *present != value);
        self.put_in_ram(key, value)?;
        self.storage_delete(&place)?;
        match present {
            Some(present) => self.put_in_archive(key, present),
            None => Ok(()),
        }
    }

    /// Removes a key from the first layer that has it. What left RAM in this reply is out of the way
    /// already: whoever deletes it then, or twice, does not mean the value that lies below.
    fn discard(&mut self, key: &str, removed: &mut Removed) -> Result<(), Refused> {
        if is_own(key) || key == ARCHIVE {
            let message = format!("`{key}` is always there");
            return Err(Refusal::new(Code::PathInvalid, message).into());
        }
        if self.ram_value(key).is_some() {
            self.drop_from_ram(key)?;
            removed.note("RAM", key);
            return Ok(());
        }
        if self.has_left(key) {
            return Ok(());
        }
        let stored = places_of(key).find(|place| self.storage.has(place.parts()));
        let Some(place) = stored else {
            return Err(missing(key, "RAM or /storage").into());
        };
        let is_archived = place.is_in_archive();
        let within = self.storage.directory(place.parts());
        if let Some(entries) = within.filter(|it| !is_archived && !it.is_empty()) {
            let count = entries.len();
            let message = format!("{place} is a directory ({count} inside); remove it with rm");
            return Err(Refusal::new(Code::PathInvalid, message).into());
        }
        self.storage_delete(&place)?;
        let layer = if is_archived {
            "the archive"
        } else {
            "/storage"
        };
        removed.note(layer, key);
        Ok(())
    }

    /// Whether this reply took a key out of RAM, or a value of it away.
    fn has_left(&self, key: &str) -> bool {
        let took = |change: &Change| match change {
            Change::RamDeleted(deleted) => deleted.key == key,
            Change::StorageDeleted(deleted) => places_of(key).any(|place| place == deleted.path),
            Change::RamSet(_)
            | Change::StorageSet(_)
            | Change::NoteCreated(_)
            | Change::NoteUpdated(_)
            | Change::NoteDeleted(_) => false,
        };
        value_in(&self.state.ram, key).is_some()
            || self.changes.iter().any(|change| took(change.get()))
    }

    fn is_stored(&self, key: &str) -> bool {
        places_of(key).any(|place| self.storage.has(place.parts()))
    }

    /// The value of a key as a prompt names it: members of `context` have keys of their own.
    pub(super) fn ram_value(&self, key: &str) -> Option<Value> {
        value_in(&self.ram, key).cloned()
    }

    fn put_in_ram(&mut self, key: &str, value: Value) -> Result<(), Refused> {
        let (key, value) = match movable_of(key) {
            Some(member) if self.ram.get(key).is_none() => {
                (CONTEXT, self.context_with(member, Some(value)))
            }
            _ => (key, value),
        };
        let characters_max = self.memory.working_memory_character_max;
        let change = self.guard.ram_set(&self.ram, key, value, characters_max)?;
        self.take_ram(key, change);
        Ok(())
    }

    fn drop_from_ram(&mut self, key: &str) -> Result<(), Refused> {
        match movable_of(key) {
            Some(member) if self.ram.get(key).is_none() => {
                self.guard.ram_delete(CONTEXT)?;
                let context = self.context_with(member, None);
                self.take_ram(CONTEXT, Guard::ram_own(CONTEXT, context));
            }
            _ => {
                let change = self.guard.ram_delete(key)?;
                self.take_ram(key, change);
            }
        }
        Ok(())
    }

    fn context_with(&self, member: &str, value: Option<Value>) -> Value {
        let context = self.ram.get(CONTEXT).and_then(Value::as_object);
        let mut members = context.cloned().unwrap_or_default();
        match value {
            Some(value) => members.insert(member.to_owned(), value),
            None => members.remove(member),
        };
        Value::Object(members)
    }

    /// Brings the list of archived keys up to date, if this reply changed what it should say.
    pub(super) fn list_archived(&mut self) {
        let touches = |change: &Change| match change {
            Change::StorageSet(set) => set.path.is_in_archive(),
            Change::StorageDeleted(deleted) => deleted.path.is_in_archive(),
            Change::RamSet(set) => set.key == ARCHIVED,
            Change::RamDeleted(deleted) => deleted.key == ARCHIVED,
            Change::NoteCreated(_) | Change::NoteUpdated(_) | Change::NoteDeleted(_) => false,
        };
        if !self.changes.iter().any(|change| touches(change.get())) {
            return;
        }
        let keys = self.archived_keys();
        if !keys.is_empty() {
            let lines = archived_lines(&self.storage, &keys, archived_list_chars(self.memory));
            self.write_own(ARCHIVED, Value::from(lines));
        } else if self.ram.get(ARCHIVED).is_some() {
            let gone = Guard::ram_own_deleted(ARCHIVED);
            self.quietly(|executor| executor.take_ram(ARCHIVED, gone));
        }
    }

    /// The keys that stand in the archive, the last archived first.
    pub(super) fn archived_keys(&self) -> Vec<&str> {
        let now = self.changes.iter().rev();
        let now = now.filter_map(|change| change.get().stored()?.path.archived_key());
        let before = self.state.keys.archived();
        let mut seen = BTreeSet::new();
        now.chain(before)
            .filter(|key| self.storage.has(StorePath::archive(key).parts()) && seen.insert(*key))
            .collect()
    }
}

/// What a block removed, for the next prompt.
#[derive(Default)]
struct Removed(Vec<(&'static str, Vec<String>)>);

impl Removed {
    fn note(&mut self, layer: &'static str, key: &str) {
        let key = shorten(key, TARGET_CHARS);
        match self.0.iter_mut().find(|(known, _)| *known == layer) {
            Some((_, keys)) => keys.push(key),
            None => self.0.push((layer, vec![key])),
        }
    }

    fn feedback(&self) -> Option<String> {
        let each = self.0.iter();
        let each = each.map(|(layer, keys)| format!("removed from {layer}: {}", keys.join(", ")));
        let lines: Vec<String> = each.collect();
        (!lines.is_empty()).then(|| lines.join("; "))
    }
}

/// The key that an older value moves aside to: never longer than a key of RAM, so that it comes back by it.
fn aside(key: &str, number: u32) -> String {
    let mark = format!(".{number}");
    let room = RAM_KEY_BYTES_MAX.saturating_sub(mark.len());
    let end = key.floor_char_boundary(room);
    key.get(..end).unwrap_or_default().to_owned() + &mark
}

/// The value of a key as a prompt names it.
fn value_in<'r>(ram: &'r Ram, key: &str) -> Option<&'r Value> {
    let of_context = || ram.get(CONTEXT)?.get(movable_of(key)?);
    ram.get(key).or_else(of_context)
}

fn missing(key: &str, place: &str) -> Refusal {
    let key = shorten(key, TARGET_CHARS);
    Refusal::new(Code::RecordNotFound, format!("{place} has no key `{key}`"))
}

/// The member of `context` that a key names and that may move: the request never does.
pub(super) fn movable_of(key: &str) -> Option<&str> {
    member_of(key).filter(|member| *member != USER_REQUEST)
}
