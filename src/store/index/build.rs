//! The build of an index from scratch, in the caller's thread: one segment, sorted by key.
//! The index is complete once `covers.json` exists, which is written last.

use super::entry::IndexEntry;
use super::folder::Folder;
use super::{FORMAT, IndexCoverage};
use crate::core::notes::Fields;
use crate::store::layout;
use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use tantivy::directory::Directory as _;
use tantivy::schema::{
    Field, IndexRecordOption, NumericOptions, STORED, Schema, TextFieldIndexing, TextOptions,
};
use tantivy::tokenizer::{Token, TokenStream, Tokenizer, TokenizerManager};
use tantivy::{Index, TantivyDocument, TantivyError};

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
