//! The places that changes write, and which places contain one another. Holds no values.

use crate::core::journal::Change;
use crate::core::memory::StorePath;
use crate::ids::NoteId;
use serde::Serialize;
use std::fmt;

/// A place that a change writes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Place {
    /// A key of RAM.
    Ram {
        /// The key.
        key: String,
    },
    /// A path in `/storage`.
    Storage {
        /// The path.
        path: StorePath,
    },
    /// A note.
    Note {
        /// The note.
        id: NoteId,
    },
}

impl Place {
    /// Returns the place that a change writes.
    pub fn of(change: &Change) -> Self {
        match change {
            Change::RamSet(set) => Self::ram(&set.key),
            Change::RamDeleted(deleted) => Self::ram(&deleted.key),
            Change::StorageSet(set) => Self::storage(&set.path),
            Change::StorageDeleted(deleted) => Self::storage(&deleted.path),
            Change::NoteCreated(written)
            | Change::NoteUpdated(written)
            | Change::NoteDeleted(written) => Self::Note {
                id: written.note.id,
            },
        }
    }

    fn ram(key: &str) -> Self {
        Self::Ram {
            key: key.to_owned(),
        }
    }

    fn storage(path: &StorePath) -> Self {
        Self::Storage { path: path.clone() }
    }

    /// Returns whether the other place is this one or inside it.
    pub(super) fn contains(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Storage { path: one }, Self::Storage { path: other }) => one.contains(other),
            _ => self == other,
        }
    }

    /// Returns whether writing one place can change the value of the other.
    pub(super) fn touches(&self, other: &Self) -> bool {
        self.contains(other) || other.contains(self)
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ram { key } => f.write_str(key),
            Self::Storage { path } => path.fmt(f),
            Self::Note { id } => id.fmt(f),
        }
    }
}
