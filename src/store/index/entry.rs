//! The indexed entries: a note, or a leaf of `/storage`.
//! They define the keys and the terms in an index. They neither build nor search.

use crate::core::journal::Hash;
use crate::core::memory::storage::Node;
use crate::core::memory::{Leaf, LeafPath, Storage};
use crate::core::notes::{Fields, Note, Searchable as _, index_terms};
use crate::ids::NoteId;
use crate::store::layout;
use crate::time::Timestamp;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;
use std::fmt::Debug;
use std::sync::Arc;

/// An entry to be indexed, as it was at one moment.
pub(super) trait IndexEntry: Sized + Send + 'static {
    /// The key that identifies an entry. Documents are sorted by key, and hold it as JSON.
    type Key: Clone + Debug + Ord + Send + Serialize + DeserializeOwned;

    /// The path of the index folder.
    const FOLDER: &'static str;

    /// The description of a search without an index, in words for a person.
    const SLOW_SEARCH: &'static str;

    /// Returns the name for a number of entries, in words for a person.
    fn counted(count: usize) -> String;

    /// Returns the key.
    fn key(&self) -> Self::Key;

    /// Returns the beginning of the digest, if it is known.
    fn digest(&self) -> Option<u64>;

    /// Returns the time of the last change.
    fn updated(&self) -> Timestamp;

    /// Returns the terms with their fields.
    fn terms(&self) -> BTreeMap<String, Fields>;
}

/// A note, with the beginning of its file's digest if that is known.
#[derive(Clone, Debug)]
pub(super) struct NoteEntry {
    pub(super) note: Arc<Note>,
    pub(super) digest: Option<u64>,
}

impl IndexEntry for NoteEntry {
    type Key = NoteId;

    const FOLDER: &'static str = layout::NOTE_INDEX;
    const SLOW_SEARCH: &'static str = "every search looks at every note";

    fn counted(count: usize) -> String {
        format!("{count} notes")
    }

    fn key(&self) -> NoteId {
        self.note.id
    }

    fn digest(&self) -> Option<u64> {
        self.digest
    }

    fn updated(&self) -> Timestamp {
        self.note.updated_at
    }

    fn terms(&self) -> BTreeMap<String, Fields> {
        index_terms(&self.note.title, &self.note.keywords, &self.note.value)
    }
}

/// A leaf of `/storage`.
#[derive(Clone, Debug)]
pub(super) struct LeafEntry {
    path: LeafPath,
    node: Node,
}

impl LeafEntry {
    /// Returns every leaf of a tree, in order.
    pub(super) fn all(storage: &Storage) -> Vec<Self> {
        let leaves = Leaf::all(storage).map(|leaf| Self {
            path: leaf.key(),
            node: leaf.node().clone(),
        });
        leaves.collect()
    }

    fn leaf(&self) -> Leaf<'_> {
        Leaf::new(&self.path, &self.node)
    }
}

impl IndexEntry for LeafEntry {
    type Key = LeafPath;

    const FOLDER: &'static str = layout::STORAGE_INDEX;
    const SLOW_SEARCH: &'static str = "every search looks at all of it";

    fn counted(count: usize) -> String {
        format!("{count} values of /storage")
    }

    fn key(&self) -> LeafPath {
        self.path.clone()
    }

    fn digest(&self) -> Option<u64> {
        // The key identifies the place of the leaf.
        Some(Hash::of(self.leaf().text().as_bytes()).beginning())
    }

    fn updated(&self) -> Timestamp {
        Timestamp::from_millis(0)
    }

    fn terms(&self) -> BTreeMap<String, Fields> {
        self.leaf().index_terms()
    }
}
