//! Changes of what a person sees: RAM, storage and notes. Only the guard can approve one, and only an
//! approved one becomes an event.

use crate::core::memory::StorePath;
use crate::core::notes::Note;
use serde::de::Error as _;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A change of what a person sees: RAM, storage or notes. Only the guard can approve one.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    /// A RAM key has this value now.
    RamSet(RamSet),
    /// A RAM key is gone, or a required one is empty again.
    RamDeleted(RamDeleted),
    /// A place in `/storage` holds this value now.
    StorageSet(StorageSet),
    /// A place in `/storage` is gone, with everything below it.
    StorageDeleted(StorageDeleted),
    /// A note exists.
    NoteCreated(NoteWritten),
    /// A note has a new version.
    NoteUpdated(NoteWritten),
    /// A note left the folder.
    NoteDeleted(NoteWritten),
}

/// A RAM key and its value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RamSet {
    /// The key.
    pub key: String,
    /// The value.
    pub value: Value,
}

/// A RAM key that was removed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RamDeleted {
    /// The key.
    pub key: String,
}

/// A place in `/storage` and its value. Absolute: it counts whatever stood there, so that a tail of
/// the journal can be added to any state inside it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StorageSet {
    /// The place.
    pub path: StorePath,
    /// The value; an object is a directory.
    pub value: Value,
}

/// A place in `/storage` that was removed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StorageDeleted {
    /// The place.
    pub path: StorePath,
}

/// A note as it is after the change, whole, so that any one line can bring it back.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NoteWritten {
    /// The note.
    pub note: Note,
}

impl Change {
    /// What this puts into `/storage`, if it does.
    pub const fn stored(&self) -> Option<&StorageSet> {
        if let Self::StorageSet(set) = self {
            Some(set)
        } else {
            None
        }
    }

    /// The note that this writes, if it does.
    pub const fn note(&self) -> Option<&Note> {
        match self {
            Self::NoteCreated(written)
            | Self::NoteUpdated(written)
            | Self::NoteDeleted(written) => Some(&written.note),
            Self::RamSet(_)
            | Self::RamDeleted(_)
            | Self::StorageSet(_)
            | Self::StorageDeleted(_) => None,
        }
    }

    /// Whether this adds to what is kept: a note, or a value in `/storage` that was not in RAM before.
    pub fn is_gain(&self) -> bool {
        match self {
            Self::NoteCreated(_) => true,
            Self::StorageSet(set) => set.path.archived_key().is_none(),
            Self::RamSet(_)
            | Self::RamDeleted(_)
            | Self::StorageDeleted(_)
            | Self::NoteUpdated(_)
            | Self::NoteDeleted(_) => false,
        }
    }

    /// The name that the journal gives to this type of change.
    pub const fn type_name(&self) -> &'static str {
        match self {
            Self::RamSet(_) => "ram.set",
            Self::RamDeleted(_) => "ram.deleted",
            Self::StorageSet(_) => "storage.set",
            Self::StorageDeleted(_) => "storage.deleted",
            Self::NoteCreated(_) => "note.created",
            Self::NoteUpdated(_) => "note.updated",
            Self::NoteDeleted(_) => "note.deleted",
        }
    }

    pub(super) fn write_data(&self, to: &mut Vec<u8>) -> serde_json::Result<()> {
        match self {
            Self::RamSet(payload) => serde_json::to_writer(to, payload),
            Self::RamDeleted(payload) => serde_json::to_writer(to, payload),
            Self::StorageSet(payload) => serde_json::to_writer(to, payload),
            Self::StorageDeleted(payload) => serde_json::to_writer(to, payload),
            Self::NoteCreated(payload)
            | Self::NoteUpdated(payload)
            | Self::NoteDeleted(payload) => serde_json::to_writer(to, payload),
        }
    }

    pub(super) fn from_data(
        type_name: &str,
        text: &str,
    ) -> serde_json::Result<Option<(Self, usize)>> {
        Ok(Some(match type_name {
            "ram.set" => first_in(text, Self::RamSet)?,
            "ram.deleted" => first_in(text, Self::RamDeleted)?,
            "storage.set" => first_in(text, Self::StorageSet)?,
            "storage.deleted" => first_in(text, Self::StorageDeleted)?,
            "note.created" => first_in(text, Self::NoteCreated)?,
            "note.updated" => first_in(text, Self::NoteUpdated)?,
            "note.deleted" => first_in(text, Self::NoteDeleted)?,
            _ => return Ok(None),
        }))
    }
}

/// Reads the JSON value that a text begins with; gives also how many bytes of the text it takes.
pub(super) fn first_in<'a, P: Deserialize<'a>, T>(
    text: &'a str,
    made: impl FnOnce(P) -> T,
) -> serde_json::Result<(T, usize)> {
    let mut values = serde_json::Deserializer::from_str(text).into_iter();
    let first = values.next().transpose()?;
    let first = first.ok_or_else(|| serde_json::Error::custom("there is no value"))?;
    Ok((made(first), values.byte_offset()))
}
