//! Paging at the bench: RAM keys move to the archive in `/storage` and back, value for value, because
//! the model says so or because a rule does. What moved leaves a line in RAM that names the key which
//! brings it back. Nothing is lost: a value that would be in the way keeps a place of its own.

use super::archive_list::{archived_lines, archived_list_chars};
use super::key_list::keys_in;
use super::tools::USER_DATA;
use super::{Bench, Done, Refused, TARGET_CHARS};
use crate::core::guard::{Guard, Refusal};
use crate::core::journal::Change;
use crate::core::memory::StorePath;
use crate::core::memory::directory::{ARCHIVED, PIN, is_own, member_of, places_of};
use crate::core::memory::path::ARCHIVE;
use crate::core::memory::ram::{CONTEXT, USER_REQUEST, text_in};
use crate::core::prompt::shorten;
use crate::failure::Code;
use crate::limits::CONTEXT_UNUSED_LOOPS;
use serde_json::Value;
use std::collections::BTreeSet;

/// Something in RAM that may leave it.
struct Candidate {
    key: String,
    /// About how much of the prompt it takes.
    characters: usize,
    last_use: u64,
    /// Members of `context` go last.
    of_context: bool,
}

impl Bench<'_> {
    /// The lists of a `<paging>` block: all of it, or nothing.
    pub(super) fn paging(
        &mut self,
        archive: &[String],
        retrieve: &[String],
        delete: &[String],
    ) -> Result<Done, Refused> {
        self.whole(|bench| {
            let keys = keys_in(archive, |key| bench.ram_value(key).is_some());
            keys.iter().try_for_each(|key| bench.archive(key))?;
            let keys = keys_in(retrieve, |key| bench.is_stored(key));
            keys.iter().try_for_each(|key| bench.retrieve(key))?;
            let is_there = |key: &str| bench.is_stored(key) || bench.ram_value(key).is_some();
            let keys = keys_in(delete, is_there);
            keys.iter().try_for_each(|key| bench.discard(key))?;
            Ok(Done::default())
        })
    }

    /// Works something that takes effect as a whole or not at all.
    pub(super) fn whole<T>(
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
    fn archive(&mut self, key: &str) -> Result<(), Refused> {
        if is_own(key) {
            let message = format!("`{key}` always stays in RAM");
            return Err(Refusal::new(Code::PathInvalid, message).into());
        }
        let Some(value) = self.ram_value(key) else {
            return Err(missing(key, "RAM").into());
        };
        // The value first: a key that is nowhere for a moment would be forgotten.
        self.put_in_archive(key, value)?;
        self.drop_from_ram(key)
    }

    /// The same by rule: as a whole or not at all, and whether it was done.
    fn archive_by_rule(&mut self, key: &str) -> bool {
        let of_context = movable_of(key).filter(|_| self.ram.get(key).is_none());
        let leaves = of_context.map_or(key, |_| CONTEXT);
        if self.guard.ram_delete(leaves).is_err() {
            return false;
        }
        if self.storage.has(StorePath::archive(key).parts()) {
            return self.whole(|bench| bench.archive(key)).is_ok();
        }
        // The value is put down by one step, and nothing after it can fail. To keep what was there before
        // would have the whole archive copied for each key.
        self.archive(key).is_ok()
    }

    /// The daemon's own work: nothing that the run has to show.
    fn quietly(&mut self, work: impl FnOnce(&mut Self)) {
        let (progress, has_changed) = (self.progress.clone(), self.has_changed);
        work(self);
        (self.progress, self.has_changed) = (progress, has_changed);
    }

    /// Puts a value into the archive. Another one of the same key moves aside.
    fn put_in_archive(&mut self, key: &str, value: Value) -> Result<(), Refused> {
        let place = StorePath::archive(key);
        let older = self.storage.value(place.parts());
        if let Some(older) = older.filter(|older| *older != value) {
            let free = (1..=u32::MAX)
                .map(|number| StorePath::archive(&format!("{key}.{number}")))
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
        let present = self.ram_value(key).filter(|present| *present != value);
        self.put_in_ram(key, value)?;
        self.storage_delete(&place)?;
        match present {
            Some(present) => self.put_in_archive(key, present),
            None => Ok(()),
        }
    }

    /// Removes a key from wherever it is.
    fn discard(&mut self, key: &str) -> Result<(), Refused> {
        if is_own(key) || key == ARCHIVE {
            let message = format!("`{key}` is always there");
            return Err(Refusal::new(Code::PathInvalid, message).into());
        }
        let stored: Vec<_> = places_of(key)
            .filter(|place| self.storage.has(place.parts()))
            .collect();
        let in_ram = self.ram_value(key).is_some();
        if stored.is_empty() && !in_ram {
            return Err(missing(key, "RAM or /storage").into());
        }
        for place in stored {
            self.storage_delete(&place)?;
        }
        if in_ram {
            self.drop_from_ram(key)?;
        }
        Ok(())
    }

    fn is_stored(&self, key: &str) -> bool {
        places_of(key).any(|place| self.storage.has(place.parts()))
    }

    /// The value of a key as a prompt names it: members of `context` have keys of their own.
    pub(super) fn ram_value(&self, key: &str) -> Option<Value> {
        let whole = self.ram.get(key).cloned();
        whole.or_else(|| self.ram.get(CONTEXT)?.get(movable_of(key)?).cloned())
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

    /// Pages out by rule what was not used for longest, until RAM has at most so many characters.
    pub(in crate::core::agent) fn page_out(&mut self, characters: usize) {
        let room = archived_list_chars(self.memory);
        let mut candidates = self.candidates();
        candidates.sort_by(|one, other| {
            let group = one.of_context.cmp(&other.of_context);
            let use_order = one.last_use.cmp(&other.last_use);
            let size_order = other.characters.cmp(&one.characters);
            group.then(use_order).then(size_order)
        });
        self.quietly(|bench| {
            let mut left = bench.ram.characters();
            let mut candidates = candidates.into_iter().peekable();
            while candidates.peek().is_some() && left + room > characters {
                // By the sizes first; rendering all of RAM for each key would take its square.
                while left + room > characters
                    && let Some(candidate) = candidates.next()
                {
                    if bench.archive_by_rule(&candidate.key) {
                        left = left.saturating_sub(candidate.characters);
                    }
                }
                left = bench.ram.characters();
            }
        });
    }

    /// Pages out what nobody used for so long that it is not part of the work any more.
    pub(in crate::core::agent) fn page_out_unused(&mut self) {
        let horizon = (self.state.keys.loops + 1).saturating_sub(CONTEXT_UNUSED_LOOPS);
        if horizon == 0 {
            return;
        }
        let mut unused = self.candidates();
        unused.retain(|candidate| {
            let is_known = self.state.keys.get(&candidate.key).is_some();
            is_known && !candidate.of_context && candidate.last_use < horizon
        });
        self.quietly(|bench| {
            for candidate in unused {
                // What is refused stays, and is looked at again in the next iteration.
                bench.archive_by_rule(&candidate.key);
            }
        });
    }

    /// What may leave RAM: nothing of the program's own, nothing pinned, nothing that a person edited
    /// meanwhile, not what the person has to do, and of `context` never the request.
    fn candidates(&self) -> Vec<Candidate> {
        let written: BTreeSet<&str> = self
            .changes
            .iter()
            .filter_map(|change| {
                let Change::RamSet(set) = change.get() else {
                    return None;
                };
                Some(set.key.as_str())
            })
            .collect();
        let keys = &self.state.keys;
        let candidate = |key: String, value: &Value, of_context: bool| {
            let last_use = if written.contains(key.as_str()) || self.noted.contains_key(&key) {
                keys.loops + 1
            } else {
                keys.get(&key).map_or(0, |entry| entry.last_use)
            };
            Candidate {
                characters: key.chars().count() + text_in(value).chars().count() + 3,
                key,
                last_use,
                of_context,
            }
        };
        let is_pinned = |key: &str| match self.noted.get(key) {
            Some(noted) => noted.tags.contains(PIN),
            None => keys.is_pinned(key),
        };
        let is_free = |key: &str| !is_own(key) && key != USER_DATA && !is_pinned(key);
        let may_go = |key: &str| is_free(key) && !self.guard.is_edited(key);
        let own = self.ram.entries().filter(|(key, _)| may_go(key));
        let own = own.map(|(key, value)| candidate(key.to_owned(), value, false));
        let context = self.ram.get(CONTEXT).and_then(Value::as_object);
        let members = context.into_iter().flatten().filter(|(name, _)| {
            let key = format!("{CONTEXT}.{name}");
            *name != USER_REQUEST && !is_pinned(&key) && !self.guard.is_edited(CONTEXT)
        });
        let members =
            members.map(|(name, value)| candidate(format!("{CONTEXT}.{name}"), value, true));
        own.chain(members).collect()
    }

    /// Brings the list of archived keys up to date, if this reply changed what it should say.
    pub(in crate::core::agent) fn list_archived(&mut self) {
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
            self.quietly(|bench| bench.take_ram(ARCHIVED, gone));
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

fn missing(key: &str, place: &str) -> Refusal {
    let key = shorten(key, TARGET_CHARS);
    Refusal::new(Code::RecordNotFound, format!("{place} has no key `{key}`"))
}

/// The member of `context` that a key names and that may move: the request never does.
fn movable_of(key: &str) -> Option<&str> {
    member_of(key).filter(|member| *member != USER_REQUEST)
}
