//! The indexed entries: a note, or a leaf of `/storage`.
//! They define the keys and the terms in an index. They neither build nor search.

use crate::core::journal::Hash;
use crate::core::memory::storage::Node;
use crate::core::memory::{Leaf, LeafPath, Storage};
use crate::core::notes::{Fields, Note, Searched as _, index_terms};
use crate::ids::NoteId;
use crate::store::layout;
use crate::time::Timestamp;
use std::collections::BTreeMap;
use std::fmt::Debug;
use std::sync::Arc;
use tantivy::columnar::Column;
use tantivy::schema::{Field, NumericOptions, STORED, SchemaBuilder, Value as _};
use tantivy::{DocId, SegmentReader, TantivyDocument, TantivyError};

/// An entry to be indexed, as it was at one moment.
pub(super) trait Entry: Sized + Send + 'static {
    /// The key that identifies an entry. Documents are sorted by key.
    type Key: Clone + Debug + Ord + Send;

    /// The fields that hold a key.
    type KeyFields: Copy;

    /// The reader of keys in an index.
    type Keys: Send;

    /// The path of the index folder.
    const FOLDER: &'static str;

    /// Returns the name for a number of entries, in words for a person.
    fn counted(count: usize) -> String;

    /// The description of a search without an index, in words for a person.
    const SLOW_SEARCH: &'static str;

    /// Returns the key.
    fn key(&self) -> Self::Key;

    /// Returns the beginning of the digest, if it is known.
    fn digest(&self) -> Option<u64>;

    /// Returns the time of the last change.
    fn updated(&self) -> Timestamp;

    /// Returns the terms with their fields.
    fn terms(&self) -> BTreeMap<String, Fields>;

    /// Adds the fields of a key to a schema.
    fn key_fields(schema: &mut SchemaBuilder) -> Self::KeyFields;

    /// Writes the key to a document.
    fn write_key(&self, fields: Self::KeyFields, document: &mut TantivyDocument);

    /// Opens the reader of keys.
    fn open_keys(
        segment: &SegmentReader,
        fields: Self::KeyFields,
    ) -> Result<Self::Keys, TantivyError>;

    /// Returns the key of a document.
    fn read_key(keys: &Self::Keys, doc: DocId) -> Option<Self::Key>;
}

/// A note, with the beginning of its file's digest if that is known.
#[derive(Clone, Debug)]
pub(super) struct NoteEntry {
    pub(super) note: Arc<Note>,
    pub(super) digest: Option<u64>,
}

/// The columns with the two halves of a note's id.
#[derive(Debug)]
pub(super) struct NoteKeys {
    high: Column<u64>,
    low: Column<u64>,
}

const HIGH: &str = "high";
const LOW: &str = "low";

impl Entry for NoteEntry {
    type Key = NoteId;
    type KeyFields = [Field; 2];
    type Keys = NoteKeys;

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
        index_terms(&self.note)
    }

    fn key_fields(schema: &mut SchemaBuilder) -> [Field; 2] {
        let number = NumericOptions::default().set_fast();
        [HIGH, LOW].map(|name| schema.add_u64_field(name, number.clone()))
    }

    fn write_key(&self, [high, low]: [Field; 2], document: &mut TantivyDocument) {
        let halves = self.note.id.0.as_u64_pair();
        document.add_u64(high, halves.0);
        document.add_u64(low, halves.1);
    }

    fn open_keys(segment: &SegmentReader, _: [Field; 2]) -> Result<NoteKeys, TantivyError> {
        let fast = segment.fast_fields();
        Ok(NoteKeys {
            high: fast.u64(HIGH)?,
            low: fast.u64(LOW)?,
        })
    }

    fn read_key(keys: &NoteKeys, doc: DocId) -> Option<NoteId> {
        let (high, low) = (keys.high.first(doc)?, keys.low.first(doc)?);
        Some(NoteId(uuid::Uuid::from_u64_pair(high, low)))
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

impl Entry for LeafEntry {
    type Key = LeafPath;
    type KeyFields = Field;
    /// The paths as JSON, by document. They are read at once, so that damage is found at once.
    type Keys = Vec<Box<str>>;

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

    fn key_fields(schema: &mut SchemaBuilder) -> Field {
        schema.add_text_field("path", STORED)
    }

    fn write_key(&self, field: Field, document: &mut TantivyDocument) {
        // Encoding names as JSON cannot fail.
        let path = serde_json::to_string(&self.path).unwrap_or_default();
        document.add_text(field, path);
    }

    fn open_keys(segment: &SegmentReader, field: Field) -> Result<Self::Keys, TantivyError> {
        let stored = segment.get_store_reader(0)?;
        let paths = stored.iter::<TantivyDocument>(None).map(|document| {
            let document = document?;
            let path = document
                .get_first(field)
                .and_then(|path| path.as_str().map(Box::from));
            path.ok_or_else(|| std::io::Error::other("an entry has no path").into())
        });
        paths.collect()
    }

    fn read_key(keys: &Self::Keys, doc: DocId) -> Option<LeafPath> {
        let path = keys.get(usize::try_from(doc).ok()?)?;
        serde_json::from_str(path).ok()
    }
}
