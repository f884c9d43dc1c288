//! Changes of what a person sees: RAM and notes. Only the guard can approve one, and only an
//! approved one becomes an event.

use crate::core::notes::Note;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

/// A change of what a person sees: RAM or notes. Only the guard can approve one.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    /// A RAM key has this value now.
    RamSet(RamSet),
    /// A RAM key is gone, or a required one is empty again.
    RamDeleted(RamDeleted),
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

/// A note as it is after the change, whole, so that any one line can bring it back.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NoteWritten {
    /// The note.
    pub note: Note,
}

impl Change {
    /// The name that the journal gives to this type of change.
    pub const fn type_name(&self) -> &'static str {
        match self {
            Self::RamSet(_) => "ram.set",
            Self::RamDeleted(_) => "ram.deleted",
            Self::NoteCreated(_) => "note.created",
            Self::NoteUpdated(_) => "note.updated",
            Self::NoteDeleted(_) => "note.deleted",
        }
    }

    pub(super) fn to_data(&self) -> serde_json::Result<Vec<u8>> {
        match self {
            Self::RamSet(payload) => serde_json::to_vec(payload),
            Self::RamDeleted(payload) => serde_json::to_vec(payload),
            Self::NoteCreated(payload)
            | Self::NoteUpdated(payload)
            | Self::NoteDeleted(payload) => serde_json::to_vec(payload),
        }
    }

    pub(super) fn from_data(type_name: &str, data: &RawValue) -> serde_json::Result<Option<Self>> {
        let data = data.get();
        Ok(Some(match type_name {
            "ram.set" => Self::RamSet(serde_json::from_str(data)?),
            "ram.deleted" => Self::RamDeleted(serde_json::from_str(data)?),
            "note.created" => Self::NoteCreated(serde_json::from_str(data)?),
            "note.updated" => Self::NoteUpdated(serde_json::from_str(data)?),
            "note.deleted" => Self::NoteDeleted(serde_json::from_str(data)?),
            _ => return Ok(None),
        }))
    }
}
