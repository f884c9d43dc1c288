//! The checks of changes to RAM and `/storage`.

use super::{Approved, Guard, Refusal, WorkspaceReach, depth_of};
use crate::core::journal::Change;
use crate::core::journal::event::{RamDeleted, RamSet, StorageDeleted, StorageSet};
use crate::core::memory::directory::is_kept;
use crate::core::memory::path::ARCHIVE;
use crate::core::memory::ram::{CONTEXT, Ram, TODO, USER_DATA, USER_REQUEST};
use crate::core::memory::{Storage, StorePath, Tree};
use crate::failure::Code;
use crate::limits::{
    JSON_DEPTH_MAX, RAM_HARD_FACTOR, RAM_KEY_BYTES_MAX, RAM_KEYS_MAX, RAM_VALUE_BYTES_MAX,
    STORAGE_WRITTEN_BYTES_MAX,
};
use serde_json::Value;

impl Guard<'_> {
    /// Checks a value for a key.
    /// `ram` is RAM before the change; `characters_max` is `working_memory_character_max`.
    pub fn ram_set(
        &self,
        ram: &Ram,
        key: &str,
        value: Value,
        characters_max: usize,
    ) -> Result<Approved<Change>, Refusal> {
        check_key(key)?;
        if ram.get(key).is_none() && key.trim() != key {
            let message = "the key begins or ends with a blank; no list could name it";
            return Err(Refusal::new(Code::PathInvalid, message));
        }
        self.check_not_edited(key)?;
        if self.is_agent() && key == USER_DATA && !is_user_data(&value) {
            let message =
                format!("`{USER_DATA}` and its `{TODO}` stay directories; put it below them");
            return Err(Refusal::new(Code::PathInvalid, message));
        }
        let bytes = bytes_of(key, &value);
        if bytes > RAM_VALUE_BYTES_MAX {
            let message = format!("`{key}` is {bytes} bytes; at most {RAM_VALUE_BYTES_MAX} fit");
            return Err(Refusal::new(Code::LimitExceeded, message));
        }
        if depth_of(&value) > JSON_DEPTH_MAX {
            let message = format!("`{key}` is nested deeper than {JSON_DEPTH_MAX} levels");
            return Err(Refusal::new(Code::LimitExceeded, message));
        }
        if ram.get(key).is_none() && ram.len() >= RAM_KEYS_MAX {
            let message = format!("RAM holds {RAM_KEYS_MAX} keys; delete some first");
            return Err(Refusal::new(Code::LimitExceeded, message));
        }
        let hard_max = characters_max.saturating_mul(RAM_HARD_FACTOR);
        if self.is_agent() && grows_beyond(ram, key, &value, hard_max) {
            let message = if is_too_large(ram, key, &value, hard_max) {
                format!("`{key}` is too large for RAM (at most {hard_max} characters)")
            } else {
                format!("RAM is full ({hard_max} characters); delete keys first")
            };
            return Err(Refusal::new(Code::LimitExceeded, message));
        }
        Ok(Approved::seal(Change::RamSet(RamSet {
            key: key.to_owned(),
            value,
        })))
    }

    /// Checks the removal of a key. Removing a key that does not exist is harmless.
    pub fn ram_delete(&self, key: &str) -> Result<Approved<Change>, Refusal> {
        check_key(key)?;
        self.check_not_edited(key)?;
        Ok(Approved::seal(Change::RamDeleted(RamDeleted {
            key: key.to_owned(),
        })))
    }

    /// Returns whether a person edited a key while the model was answering.
    pub fn is_edited(&self, key: &str) -> bool {
        self.edited.ram_keys.contains(key)
    }

    fn check_not_edited(&self, key: &str) -> Result<(), Refusal> {
        if self.is_edited(key) {
            let message = format!("`{key}` was edited by a person meanwhile; read it again");
            return Err(Refusal::new(Code::VersionConflict, message));
        }
        Ok(())
    }

    /// Checks a value for a place in `/storage`.
    /// `storage` is the tree before the change. The value replaces what is at the place, but no
    /// value on the path to it.
    ///
    /// # Errors
    /// `PATH_INVALID` for a root, the archive, another tree or a path through a value;
    /// `LIMIT_EXCEEDED` for a value that is too large or too deep, or for more than one reply may
    /// write.
    pub fn storage_set(
        &mut self,
        storage: &Storage,
        path: &StorePath,
        value: Value,
    ) -> Result<Approved<Change>, Refusal> {
        check_place(path)?;
        self.check_archive(path)?;
        match path.archived_key() {
            Some(key) => check_name(key)?,
            None => path.parts().iter().try_for_each(|part| check_key(part))?,
        }
        check_way(storage, path)?;
        // The archive accepts each value that RAM accepts: its two levels do not count.
        let own_levels = match path.archived_key() {
            Some(_) => 0,
            None => path.parts().len(),
        };
        if depth_of(&value) + own_levels > JSON_DEPTH_MAX {
            let message = format!("`{path}` would be nested deeper than {JSON_DEPTH_MAX} levels");
            return Err(Refusal::new(Code::LimitExceeded, message));
        }
        let bytes = value.to_string().len();
        if self.storage_bytes.saturating_add(bytes) > STORAGE_WRITTEN_BYTES_MAX {
            let message = format!(
                "`{path}` is {bytes} bytes; at most {STORAGE_WRITTEN_BYTES_MAX} are stored at once"
            );
            return Err(Refusal::new(Code::LimitExceeded, message));
        }
        self.storage_bytes += bytes;
        let path = path.clone();
        Ok(Approved::seal(Change::StorageSet(StorageSet {
            path,
            value,
        })))
    }

    /// Checks the removal of a place in `/storage` with everything below it.
    ///
    /// # Errors
    /// `PATH_INVALID` for a root, the archive or another tree, `RECORD_NOT_FOUND` if nothing is
    /// there.
    pub fn storage_delete(
        &self,
        storage: &Storage,
        path: &StorePath,
    ) -> Result<Approved<Change>, Refusal> {
        check_place(path)?;
        self.check_archive(path)?;
        if !storage.has(path.parts()) {
            let message = format!("nothing stands at `{path}`");
            return Err(Refusal::new(Code::RecordNotFound, message));
        }
        let path = path.clone();
        Ok(Approved::seal(Change::StorageDeleted(StorageDeleted {
            path,
        })))
    }

    /// Refuses to write the archive itself, which would remove all archived keys at once.
    /// An undo may: older commits can hold such a change.
    fn check_archive(&self, path: &StorePath) -> Result<(), Refusal> {
        let is_archive = path.parts() == [ARCHIVE] && self.reach != WorkspaceReach::Committed;
        if is_archive {
            let message =
                "the archive is not replaced or removed as a whole; name a place below it";
            return Err(Refusal::new(Code::PathInvalid, message));
        }
        Ok(())
    }
}

/// Checks that a value from `/storage` fits in RAM once all that may leave RAM has left.
/// `ram` is RAM before the move, `characters_max` is `working_memory_character_max`, and `asked` is
/// the name by which a search finds the value.
///
/// # Errors
/// `LIMIT_EXCEEDED` if it does not fit.
pub(in crate::core) fn fits_ram(
    ram: &Ram,
    key: &str,
    value: &Value,
    characters_max: usize,
    asked: &str,
) -> Result<(), Refusal> {
    let hard_max = characters_max.saturating_mul(RAM_HARD_FACTOR);
    if is_too_large(ram, key, value, hard_max) {
        let message = format!("too large for RAM; read it with record_search {asked}");
        return Err(Refusal::new(Code::LimitExceeded, message));
    }
    Ok(())
}

/// Returns a change that the program makes for itself.
/// Examples are the state, the request, the trace and a finished step. No instruction leads here.
pub fn ram_own(key: &str, value: Value) -> Approved<Change> {
    Approved::seal(Change::RamSet(RamSet {
        key: key.to_owned(),
        value,
    }))
}

/// Returns the removal of a key that the program maintains for itself.
pub fn ram_own_deleted(key: &str) -> Approved<Change> {
    Approved::seal(Change::RamDeleted(RamDeleted {
        key: key.to_owned(),
    }))
}

/// Refuses a key that only the program writes.
///
/// # Errors
/// `PATH_INVALID` for such a key.
pub fn check_not_kept(key: &str) -> Result<(), Refusal> {
    if is_kept(key) {
        let message = format!("`{key}` is written by the program alone; use another key");
        return Err(Refusal::new(Code::PathInvalid, message));
    }
    Ok(())
}

/// Returns the size of a value in bytes.
/// The person's request in `context` does not count.
fn bytes_of(key: &str, value: &Value) -> usize {
    match value {
        Value::String(text) => text.len(),
        Value::Object(members) if key == CONTEXT => {
            let own = members.iter().filter(|(name, _)| *name != USER_REQUEST);
            own.map(|(name, value)| name.len() + value.to_string().len())
                .sum()
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => {
            value.to_string().len()
        }
    }
}

/// Returns whether a value is a directory, and its [`TODO`] as well if it has one.
fn is_user_data(value: &Value) -> bool {
    value.is_object() && value.get(TODO).is_none_or(Value::is_object)
}

/// Returns whether a value makes RAM larger than before and larger than `max` characters.
/// A value that makes RAM smaller is allowed at any size.
fn grows_beyond(ram: &Ram, key: &str, value: &Value, max: usize) -> bool {
    let characters = ram.characters_after(key, value);
    characters > max && characters > ram.characters()
}

/// Returns whether a value does not fit even beside only the keys that the program maintains.
fn is_too_large(ram: &Ram, key: &str, value: &Value, max: usize) -> bool {
    let kept = ram.entries().filter(|(key, _)| is_kept(key));
    let kept = kept.map(|(key, value)| (key.to_owned(), value.clone()));
    Ram::from_entries(kept).characters_after(key, value) > max
}

/// Checks a key: not empty, bounded, without invisible characters and without `..`.
pub(in crate::core) fn check_key(key: &str) -> Result<(), Refusal> {
    if key.len() > RAM_KEY_BYTES_MAX {
        return Err(Refusal::new(Code::PathInvalid, "the key is too long"));
    }
    check_name(key)
}

/// Checks a key like [`check_key`], but at any length.
/// A member of `context` is archived under a key that is longer than its name.
fn check_name(key: &str) -> Result<(), Refusal> {
    let invalid = |what: &str| Err(Refusal::new(Code::PathInvalid, format!("the key {what}")));
    if key.trim().is_empty() {
        return invalid("is empty");
    }
    if key.chars().any(is_invisible) {
        return invalid("holds an invisible character");
    }
    if key.split('/').any(|part| part == ".." || part == ".") {
        return invalid("holds `..`");
    }
    Ok(())
}

/// Returns whether a character is invisible: control, bidirectional, zero-width or tag.
/// Two keys that differ only in these look equal to a person.
fn is_invisible(character: char) -> bool {
    character.is_control()
        || matches!(character,
            '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{206F}'
            | '\u{FEFF}' | '\u{FFF9}'..='\u{FFFB}' | '\u{E0000}'..='\u{E007F}')
}

/// Refuses a place outside `/storage`, and the root of `/storage`.
fn check_place(path: &StorePath) -> Result<(), Refusal> {
    if path.tree() != Tree::Storage {
        let message = format!("`{path}` is not in /storage");
        return Err(Refusal::new(Code::PathInvalid, message));
    }
    if path.is_root() {
        let message = "a root is not written or removed; name a place below it";
        return Err(Refusal::new(Code::PathInvalid, message));
    }
    Ok(())
}

/// Refuses a path through a value: writing below it would lose the value unseen.
fn check_way(storage: &Storage, path: &StorePath) -> Result<(), Refusal> {
    let parts = path.parts();
    let blocked = (1..parts.len()).find_map(|length| {
        let way = parts.get(..length)?;
        let node = storage.get(way)?;
        node.as_directory().is_none().then_some(way)
    });
    let Some(way) = blocked else {
        return Ok(());
    };
    let message = format!("`/storage/{}` is a value, not a directory", way.join("/"));
    Err(Refusal::new(Code::PathInvalid, message))
}
