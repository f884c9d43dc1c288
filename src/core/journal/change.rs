//! Changes of RAM, `/storage` and notes.
//! Only the guard can approve one, and only an approved one becomes an event.

use crate::core::memory::StorePath;
use crate::core::notes::Note;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Defines a closed enum of journal facts, each with its payload and its permanent name.
/// `with` adds the facts of another enum as one variant; `$made` makes it of such a fact.
macro_rules! journal_types {
    (
        $(#[$top:meta])*
        enum $facts:ident $(with $outer:ident($shell:ident<$inner:ident>) by $made:ident)? {
            $($(#[$doc:meta])* $variant:ident($payload:ty) $name:literal;)*
        }
    ) => {
        $(#[$top])*
        #[derive(Clone, Debug, PartialEq)]
        pub enum $facts {
            $(
                /// A change of RAM, storage or notes.
                $outer($shell<$inner>),
            )?
            $($(#[$doc])* $variant($payload),)*
        }

        impl $facts {
            /// Returns the name of this type in the journal.
            pub const fn type_name(&self) -> &'static str {
                match self {
                    $(Self::$outer(inner) => inner.get().type_name(),)?
                    $(Self::$variant(_) => $name,)*
                }
            }

            /// Appends the payload as JSON to `to`.
            pub fn write_data(&self, to: &mut Vec<u8>) -> serde_json::Result<()> {
                match self {
                    $(Self::$outer(inner) => inner.get().write_data(to),)?
                    $(Self::$variant(payload) => serde_json::to_writer(to, payload),)*
                }
            }

            /// Reads a payload; `Ok(None)` for a type that this version does not know.
            pub fn from_data(type_name: &str, data: &str) -> serde_json::Result<Option<Self>> {
                $(if let Some(inner) = $inner::from_data(type_name, data)? {
                    return Ok(Some(Self::$outer($made(inner))));
                })?
                Ok(match type_name {
                    $($name => Some(Self::$variant(serde_json::from_str(data)?)),)*
                    _ => None,
                })
            }
        }
    };
}

pub(super) use journal_types;

journal_types! {
    /// A change of RAM, `/storage` or notes. Only the guard can approve one.
    enum Change {
        /// A RAM key was set to a value.
        RamSet(RamSet) "ram.set";
        /// A RAM key was removed, or a required one was emptied.
        RamDeleted(RamDeleted) "ram.deleted";
        /// A path in `/storage` was set to a value.
        StorageSet(StorageSet) "storage.set";
        /// A path in `/storage` was removed, with everything below it.
        StorageDeleted(StorageDeleted) "storage.deleted";
        NoteCreated(NoteWritten) "note.created";
        NoteUpdated(NoteWritten) "note.updated";
        NoteDeleted(NoteWritten) "note.deleted";
    }
}

/// A RAM key and its value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RamSet {
    pub key: String,
    pub value: Value,
}

/// A RAM key that was removed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RamDeleted {
    pub key: String,
}

/// A path in `/storage` and its value.
/// The value replaces whatever was there, so that a tail of the journal can be applied to any state
/// within that tail.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StorageSet {
    pub path: StorePath,
    /// The value; an object is a directory.
    pub value: Value,
}

/// A path in `/storage` that was removed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StorageDeleted {
    pub path: StorePath,
}

/// A complete note as it is after the change, so that any single line can restore it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NoteWritten {
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
        if let Self::NoteCreated(written)
        | Self::NoteUpdated(written)
        | Self::NoteDeleted(written) = self
        {
            Some(&written.note)
        } else {
            None
        }
    }

    /// Returns whether this adds content: a note, or a value in `/storage` outside the archive.
    pub fn is_gain(&self) -> bool {
        matches!(self, Self::NoteCreated(_))
            || self
                .stored()
                .is_some_and(|set| set.path.archived_key().is_none())
    }
}
