//! Changes of RAM, `/storage` and notes.
//! Only the guard can approve one, and only an approved one becomes an event.

use crate::core::memory::StorePath;
use crate::core::notes::Note;
use serde::de::Error as _;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A change of RAM, `/storage` or notes. Only the guard can approve one.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    /// A RAM key was set to a value.
    RamSet(RamSet),
    /// A RAM key was removed, or a required one was emptied.
    RamDeleted(RamDeleted),
    /// A path in `/storage` was set to a value.
    StorageSet(StorageSet),
    /// A path in `/storage` was removed, with everything below it.
    StorageDeleted(StorageDeleted),
    /// A note was created.
    NoteCreated(NoteWritten),
    /// A note was updated.
    NoteUpdated(NoteWritten),
    /// A note was deleted.
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

/// A path in `/storage` and its value.
/// The value replaces whatever was there, so that a tail of the journal can be applied to any state
/// within that tail.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StorageSet {
    /// The path.
    pub path: StorePath,
    /// The value; an object is a directory.
    pub value: Value,
}

/// A path in `/storage` that was removed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StorageDeleted {
    /// The path.
    pub path: StorePath,
}

/// A complete note as it is after the change, so that any single line can restore it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NoteWritten {
    /// The note.
    pub note: Note,
}

impl Change {
    /// Returns the value that this puts into `/storage`, if it does.
    pub const fn stored(&self) -> Option<&StorageSet> {
        if let Self::StorageSet(set) = self {
            Some(set)
        } else {
            None
        }
    }

    /// Returns the note that this writes, if it does.
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

    /// Returns whether this adds content: a note, or a value in `/storage` outside the archive.
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

    /// Returns the name of this type of change in the journal.
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

/// Reads the JSON value at the start of a text. Returns it with its length in bytes.
pub(super) fn first_in<'a, P: Deserialize<'a>, T>(
    text: &'a str,
    made: impl FnOnce(P) -> T,
) -> serde_json::Result<(T, usize)> {
    let mut values = serde_json::Deserializer::from_str(text).into_iter();
    let first = values.next().transpose()?;
    let first = first.ok_or_else(|| serde_json::Error::custom("there is no value"))?;
    Ok((made(first), values.byte_offset()))
}
