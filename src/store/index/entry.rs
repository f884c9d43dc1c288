//! What is indexed: a note, or a leaf of `/storage`. How each is told apart in an index, and what it is
//! found by. Neither builds nor searches.

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

/// One thing to be indexed, as it was at one moment.
pub(super) trait Entry: Sized + Send + 'static {
    /// What tells it from the others. Documents stand in the order of their keys.
    type Key: Clone + Debug + Ord + Send;

    /// The fields that hold a key.
    type KeyFields: Copy;

    /// Reads keys out of an index.
    type Keys: Send;

    /// The folder of the index.
    const FOLDER: &'static str;

    /// What a person calls so many of them.
    fn counted(count: usize) -> String;

    /// What a person calls the search for them that goes on without an index.
    const SLOW_SEARCH: &'static str;

    /// Its key.
    fn key(&self) -> Self::Key;

    /// The beginning of its digest, where that is known.
    fn digest(&self) -> Option<u64>;

    /// When it was changed.
    fn updated(&self) -> Timestamp;

    /// What it is found by.
    fn terms(&self) -> BTreeMap<String, Fields>;

    /// Adds the fields of a key.
    fn key_fields(schema: &mut SchemaBuilder) -> Self::KeyFields;

    /// Writes its key.
    fn write_key(&self, fields: Self::KeyFields, document: &mut TantivyDocument);

    /// Opens the keys of an index.
    fn open_keys(
        segment: &SegmentReader,
        fields: Self::KeyFields,
    ) -> Result<Self::Keys, TantivyError>;

    /// The key of a document.
    fn read_key(keys: &Self::Keys, doc: DocId) -> Option<Self::Key>;
}

/// A note, with the beginning of its file's digest where that is known.
#[derive(Clone, Debug)]
pub(super) struct NoteEntry {
    pub(super) note: Arc<Note>,
    pub(super) digest: Option<u64>,
}

/// The halves of a note's id.
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
    /// Every leaf of a tree, in order.
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
    /// The paths as JSON, by document: read in one go, so that none can be found damaged later.
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
        // Its place is told by its key.
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
        // Names can always be written as JSON.
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
