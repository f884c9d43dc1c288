//! The indexed entries, a note or a leaf of `/storage` each, and the build of an index of them.
//! An index is built in the caller's thread: one segment, sorted by key. It is complete once
//! `covers.json` exists, which is written last.

use super::folder::Folder;
use super::{FORMAT, IndexCoverage};
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
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tantivy::directory::Directory as _;
use tantivy::schema::{
    Field, IndexRecordOption, NumericOptions, STORED, Schema, TextFieldIndexing, TextOptions,
};
use tantivy::tokenizer::{Token, TokenStream, Tokenizer, TokenizerManager};
use tantivy::{Index, TantivyDocument, TantivyError};

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

    fn key(&self) -> Self::Key;

    /// Returns the beginning of the digest, if it is known.
    fn digest(&self) -> Option<u64>;

    /// Returns the time of the last change.
    fn updated(&self) -> Timestamp;

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

/// The name of the tokenizer in the index.
const TOKENIZER: &str = "terms";

/// The number of bytes by which the writer sizes its tables; its memory grows with the entries.
const MEMORY_BYTES: usize = 15_000_000;

/// The fields of an entry in an index.
#[derive(Clone, Copy, Debug)]
pub(super) struct IndexFields {
    /// The terms; the frequency of a term encodes the fields that contain it.
    pub(super) terms: Field,
    /// The time of the last change, in milliseconds.
    updated: Field,
    /// The beginning of the digest.
    digest: Field,
    /// The key as JSON.
    pub(super) key: Field,
}

/// The name of the column with the time of the last change.
pub(super) const UPDATED: &str = "updated";
/// The name of the column with the beginning of the digest.
pub(super) const DIGEST: &str = "digest";

impl IndexFields {
    /// Returns the schema of an index.
    pub(super) fn schema() -> (Schema, Self) {
        let mut schema = Schema::builder();
        let number = NumericOptions::default().set_fast();
        let indexing = TextFieldIndexing::default()
            .set_tokenizer(TOKENIZER)
            .set_fieldnorms(false)
            .set_index_option(IndexRecordOption::WithFreqs);
        let text = TextOptions::default().set_indexing_options(indexing);
        let columns = Self {
            terms: schema.add_text_field("terms", text),
            updated: schema.add_i64_field(UPDATED, number.clone()),
            digest: schema.add_u64_field(DIGEST, number),
            key: schema.add_text_field("key", STORED),
        };
        (schema.build(), columns)
    }

    fn document<E: IndexEntry>(self, entry: &E) -> Result<TantivyDocument, TantivyError> {
        let mut document = TantivyDocument::new();
        document.add_text(self.terms, encoded(&entry.terms()));
        document.add_i64(self.updated, entry.updated().millis);
        document.add_u64(self.digest, entry.digest().unwrap_or_default());
        let key = serde_json::to_string(&entry.key()).map_err(io::Error::other)?;
        document.add_text(self.key, key);
        Ok(document)
    }
}

/// Builds an index of entries sorted by key, and replaces the content of the folder.
/// Returns `false` if it was stopped; the folder is invalid then.
pub(super) fn build<E: IndexEntry>(
    folder: &Folder,
    entries: &[E],
    seq: u64,
    stop: &AtomicBool,
) -> Result<bool, TantivyError> {
    folder.clear()?;
    let (schema, columns) = IndexFields::schema();
    let tokenizers = TokenizerManager::default();
    tokenizers.register(TOKENIZER, TermTokenizer::default());
    let builder = Index::builder().schema(schema).tokenizers(tokenizers);
    let mut writer = builder.single_segment_index_writer(folder.clone(), MEMORY_BYTES)?;
    for entry in entries {
        if stop.load(Ordering::Relaxed) {
            return Ok(false);
        }
        writer.add_document(columns.document(entry)?)?;
    }
    writer.finalize()?;
    let covers = IndexCoverage {
        format: FORMAT,
        seq,
        entries: entries.len(),
    };
    let bytes = serde_json::to_vec(&covers).map_err(io::Error::other)?;
    folder.atomic_write(Path::new(layout::INDEX_COVERS), &bytes)?;
    Ok(true)
}

/// Encodes an entry's terms as one text: each on a line, behind the digit of its fields.
fn encoded(terms: &BTreeMap<String, Fields>) -> String {
    let mut text = String::new();
    for (term, fields) in terms {
        text.push(char::from_digit(fields.bits(), 8).unwrap_or('0'));
        text.push_str(term);
        text.push('\n');
    }
    text
}

/// A tokenizer of such a text, which repeats each term as often as the number of its fields.
#[derive(Clone, Debug, Default)]
struct TermTokenizer {
    token: Token,
}

impl Tokenizer for TermTokenizer {
    type TokenStream<'a> = TermStream<'a>;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> TermStream<'a> {
        self.token.reset();
        let token = &mut self.token;
        TermStream {
            lines: text.lines(),
            left: 0,
            token,
        }
    }
}

struct TermStream<'a> {
    lines: std::str::Lines<'a>,
    left: u32,
    token: &'a mut Token,
}

impl TokenStream for TermStream<'_> {
    fn advance(&mut self) -> bool {
        while self.left == 0 {
            let Some(line) = self.lines.next() else {
                return false;
            };
            let mut term = line.chars();
            let digit = term.next().and_then(|digit| digit.to_digit(8));
            self.left = Fields::from_bits(digit.unwrap_or_default()).bits();
            self.token.text.clear();
            self.token.text.push_str(term.as_str());
        }
        self.left -= 1;
        self.token.position = self.token.position.wrapping_add(1);
        true
    }

    fn token(&self) -> &Token {
        self.token
    }

    fn token_mut(&mut self) -> &mut Token {
        self.token
    }
}
