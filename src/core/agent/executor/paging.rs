//! Paging in the executor: keys of RAM move to the archive in `/storage` and back.
//! The model asks for it, or a rule does (see `paging_rule`). A key that moved leaves a line in RAM
//! that names it. Nothing is lost: an older value of the same key moves aside.

use super::archive_list::{archived_lines, archived_list_chars};
use super::{Done, Executor, Refused, TARGET_CHARS};
use crate::core::guard::{Refusal, fits_ram, ram_own, ram_own_deleted};
use crate::core::journal::Change;
use crate::core::memory::directory::{ARCHIVED, is_own, member_of, places_of};
use crate::core::memory::path::ARCHIVE;
use crate::core::memory::ram::{CONTEXT, USER_REQUEST, canonical_key};
use crate::core::memory::{Ram, StorePath};
use crate::core::prompt::shorten;
use crate::failure::Code;
use crate::limits::RAM_KEY_BYTES_MAX;
use serde_json::Value;
use std::collections::BTreeSet;

/// Executes a `<paging>` block, as a whole or not at all.
pub(super) fn paging(
    executor: &mut Executor<'_>,
    archive: &[String],
    retrieve: &[String],
    delete: &[String],
) -> Result<Done, Refused> {
    if executor.context.run.has_private_ram() && !(archive.is_empty() && retrieve.is_empty()) {
        let message = "there is no archive here: delete keys, or write shorter values";
        return Err(Refusal::new(Code::PathInvalid, message).into());
    }
    executor.all_or_nothing(|executor| {
        let put_away = keys_in(archive, |key| ram_value(executor, key).is_some());
        put_away
            .iter()
            .try_for_each(|key| archive_key(executor, key))?;
        let keys = keys_in(retrieve, |key| is_stored(executor, key));
        keys.iter()
            .try_for_each(|key| retrieve_key(executor, key))?;
        let is_there = |key: &str| is_stored(executor, key) || ram_value(executor, key).is_some();
        let keys = keys_in(delete, is_there);
        let mut removed = Removed::default();
        for key in keys {
            if !put_away.contains(&key) {
                discard(executor, &key, &mut removed)?;
            }
        }
        Ok(Done::feedback(removed.feedback()))
    })
}

/// Moves a key out of RAM.
pub(super) fn archive_key(executor: &mut Executor<'_>, key: &str) -> Result<(), Refused> {
    if is_own(key) {
        let message = format!("`{key}` always stays in RAM");
        return Err(Refusal::new(Code::PathInvalid, message).into());
    }
    let Some(value) = ram_value(executor, key) else {
        // It may have left RAM in this reply already.
        return if has_left(executor, key)
            && executor
                .overlay
                .storage()
                .has(StorePath::archive(key).parts())
        {
            Ok(())
        } else {
            Err(missing(key, "RAM").into())
        };
    };
    // The value first: the directory forgets a key that is in no layer.
    put_in_archive(executor, key, value)?;
    drop_from_ram(executor, key)
}

/// Puts a value into the archive.
/// Another value of the same key moves aside.
fn put_in_archive(executor: &mut Executor<'_>, key: &str, value: Value) -> Result<(), Refused> {
    let place = StorePath::archive(key);
    let older = executor.overlay.storage().value(place.parts());
    if let Some(older) = older.filter(|older| *older != value) {
        let free = (1..=u32::MAX)
            .map(|number| StorePath::archive(&aside(key, number)))
            .find(|place| !executor.overlay.storage().has(place.parts()));
        if let Some(free) = free {
            executor.overlay.storage_set(&free, older)?;
        }
    }
    Ok(executor.overlay.storage_set(&place, value)?)
}

/// Moves a key back into RAM.
/// Another value of that key in RAM moves to the archive.
fn retrieve_key(executor: &mut Executor<'_>, key: &str) -> Result<(), Refused> {
    let found = places_of(key)
        .filter(|_| !is_own(key))
        .find_map(|place| Some((executor.overlay.storage().value(place.parts())?, place)));
    let Some((value, place)) = found else {
        return Err(missing(key, "/storage").into());
    };
    let max = executor.context.memory.working_memory_character_max;
    fits_ram(executor.overlay.ram(), key, &value, max, key)?;
    let present = ram_value(executor, key).filter(|present| *present != value);
    put_in_ram(executor, key, value)?;
    executor.overlay.storage_delete(&place)?;
    match present {
        Some(present) => put_in_archive(executor, key, present),
        None => Ok(()),
    }
}

/// Removes a key from the first layer that has it.
/// If this reply has already taken the key out of RAM, nothing happens: the value in the next layer
/// is not meant.
fn discard(executor: &mut Executor<'_>, key: &str, removed: &mut Removed) -> Result<(), Refused> {
    if is_own(key) || key == ARCHIVE {
        let message = format!("`{key}` is always there");
        return Err(Refusal::new(Code::PathInvalid, message).into());
    }
    if ram_value(executor, key).is_some() {
        drop_from_ram(executor, key)?;
        removed.note("RAM", key);
        return Ok(());
    }
    if has_left(executor, key) {
        return Ok(());
    }
    let stored = places_of(key).find(|place| executor.overlay.storage().has(place.parts()));
    let Some(place) = stored else {
        return Err(missing(key, "RAM or /storage").into());
    };
    let is_archived = place.is_in_archive();
    let within = executor.overlay.storage().directory(place.parts());
    if let Some(entries) = within.filter(|it| !is_archived && !it.is_empty()) {
        let count = entries.len();
        let message = format!("{place} is a directory ({count} inside); remove it with rm");
        return Err(Refusal::new(Code::PathInvalid, message).into());
    }
    executor.overlay.storage_delete(&place)?;
    let layer = if is_archived {
        "the archive"
    } else {
        "/storage"
    };
    removed.note(layer, key);
    Ok(())
}

/// Returns whether this reply moved a key out of RAM, or removed a value of it.
fn has_left(executor: &Executor<'_>, key: &str) -> bool {
    let took = |change: &Change| match change {
        Change::RamDeleted(deleted) => deleted.key == key,
        Change::StorageDeleted(deleted) => places_of(key).any(|place| place == deleted.path),
        Change::RamSet(_)
        | Change::StorageSet(_)
        | Change::NoteCreated(_)
        | Change::NoteUpdated(_)
        | Change::NoteDeleted(_) => false,
    };
    value_in(&executor.context.working.ram, key).is_some()
        || executor
            .overlay
            .changes
            .iter()
            .any(|change| took(change.get()))
}

fn is_stored(executor: &Executor<'_>, key: &str) -> bool {
    places_of(key).any(|place| executor.overlay.storage().has(place.parts()))
}

/// Returns the value of a key as a prompt names it.
/// Members of `context` have keys of their own.
pub(super) fn ram_value(executor: &Executor<'_>, key: &str) -> Option<Value> {
    value_in(executor.overlay.ram(), key).cloned()
}

fn put_in_ram(executor: &mut Executor<'_>, key: &str, value: Value) -> Result<(), Refused> {
    let (key, value) = match movable_of(key) {
        Some(member) if executor.overlay.ram().get(key).is_none() => {
            (CONTEXT, context_with(executor, member, Some(value)))
        }
        _ => (key, value),
    };
    let overlay = &mut executor.overlay;
    Ok(overlay.ram_set(key, value, executor.context.memory)?)
}

fn drop_from_ram(executor: &mut Executor<'_>, key: &str) -> Result<(), Refused> {
    match movable_of(key) {
        Some(member) if executor.overlay.ram().get(key).is_none() => {
            executor.overlay.guard.ram_delete(CONTEXT)?;
            let context = context_with(executor, member, None);
            executor.overlay.take(ram_own(CONTEXT, context));
        }
        _ => executor.overlay.ram_delete(key)?,
    }
    Ok(())
}

fn context_with(executor: &Executor<'_>, member: &str, value: Option<Value>) -> Value {
    let context = executor.overlay.ram().context();
    let mut members = context.cloned().unwrap_or_default();
    match value {
        Some(value) => members.insert(member.to_owned(), value),
        None => members.remove(member),
    };
    Value::Object(members)
}

/// Updates the list of archived keys, if this reply changed the archive or the list.
pub(super) fn list_archived(executor: &mut Executor<'_>) {
    let touches = |change: &Change| match change {
        Change::StorageSet(set) => set.path.is_in_archive(),
        Change::StorageDeleted(deleted) => deleted.path.is_in_archive(),
        Change::RamSet(set) => set.key == ARCHIVED,
        Change::RamDeleted(deleted) => deleted.key == ARCHIVED,
        Change::NoteCreated(_) | Change::NoteUpdated(_) | Change::NoteDeleted(_) => false,
    };
    if !executor
        .overlay
        .changes
        .iter()
        .any(|change| touches(change.get()))
    {
        return;
    }
    let keys = archived_keys(executor);
    if !keys.is_empty() {
        let lines = archived_lines(
            executor.overlay.storage(),
            &keys,
            archived_list_chars(executor.context.memory),
        );
        executor.overlay.write_own(ARCHIVED, Value::from(lines));
    } else if executor.overlay.ram().get(ARCHIVED).is_some() {
        executor.overlay.take_own(ram_own_deleted(ARCHIVED));
    }
}

/// Returns the archived keys, the last archived first.
pub(super) fn archived_keys<'e>(executor: &'e Executor<'_>) -> Vec<&'e str> {
    let now = executor.overlay.changes.iter().rev();
    let now = now.filter_map(|change| change.get().stored()?.path.archived_key());
    let before = executor.context.working.keys.archived();
    let mut seen = BTreeSet::new();
    let storage = executor.overlay.storage();
    now.chain(before)
        .filter(|key| storage.has(StorePath::archive(key).parts()) && seen.insert(*key))
        .collect()
}

/// Returns the keys of a list that was split at its commas.
/// A key may contain commas: the longest existing key has priority.
fn keys_in(list: &[String], exists: impl Fn(&str) -> bool) -> Vec<String> {
    let mut keys = Vec::new();
    let mut rest = list;
    while let Some(first) = rest.first() {
        let whole = (2..=rest.len()).rev().find_map(|count| {
            let parts = rest.get(..count)?;
            let bytes: usize = parts.iter().map(|part| part.len() + 1).sum();
            let spellings = [", ", ","].map(|comma| (bytes <= RAM_KEY_BYTES_MAX).then_some(comma));
            let mut joined = spellings
                .into_iter()
                .flatten()
                .map(|comma| parts.join(comma));
            Some((joined.find(|key| exists(key))?, count))
        });
        let (key, count) = whole.unwrap_or_else(|| (canonical_key(first).to_owned(), 1));
        keys.push(key);
        rest = rest.get(count..).unwrap_or_default();
    }
    keys
}

/// The keys that a block removed, by layer, for the next prompt.
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

/// Returns the key to which an older value moves.
/// It is no longer than a key of RAM may be, so that it can be retrieved.
fn aside(key: &str, number: u32) -> String {
    let mark = format!(".{number}");
    let room = RAM_KEY_BYTES_MAX.saturating_sub(mark.len());
    let end = key.floor_char_boundary(room);
    key.get(..end).unwrap_or_default().to_owned() + &mark
}

/// Returns the value of a key as a prompt names it.
fn value_in<'r>(ram: &'r Ram, key: &str) -> Option<&'r Value> {
    let of_context = || ram.get(CONTEXT)?.get(movable_of(key)?);
    ram.get(key).or_else(of_context)
}

fn missing(key: &str, place: &str) -> Refusal {
    let key = shorten(key, TARGET_CHARS);
    Refusal::new(Code::RecordNotFound, format!("{place} has no key `{key}`"))
}

/// Returns the member of `context` that a key names, if it may move.
/// The request never moves.
pub(super) fn movable_of(key: &str) -> Option<&str> {
    member_of(key).filter(|member| *member != USER_REQUEST)
}
