//! Building the index from scratch, in the caller's thread: one segment, its documents in the order
//! of their ids. It is whole once `covers.json` stands beside it, which comes last.

use super::folder::Folder;
use super::{Covers, FORMAT, Indexed};
use crate::core::notes::{Fields, Note, index_terms};
use crate::store::layout;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use tantivy::directory::Directory as _;
use tantivy::schema::{
    Field, IndexRecordOption, NumericOptions, Schema, TextFieldIndexing, TextOptions,
};
use tantivy::tokenizer::{Token, TokenStream, Tokenizer, TokenizerManager};
use tantivy::{Index, TantivyDocument, TantivyError};

/// The tokenizer's name in the index.
const TOKENIZER: &str = "terms";

/// Bytes that the writer sizes its tables by; what it holds grows with the notes.
const MEMORY_BYTES: usize = 15_000_000;

/// What the index keeps of a note.
#[derive(Clone, Copy, Debug)]
pub(super) struct Columns {
    /// Every term; how often it "occurs" says in which fields it stands.
    pub(super) terms: Field,
    /// The halves of the id.
    high: Field,
    low: Field,
    /// When it was changed, in milliseconds.
    updated: Field,
    /// The beginning of its file's digest.
    digest: Field,
}

impl Columns {
    /// The names of the numeric columns.
    pub(super) const HIGH: &'static str = "high";
    pub(super) const LOW: &'static str = "low";
    pub(super) const UPDATED: &'static str = "updated";
    pub(super) const DIGEST: &'static str = "digest";

    /// The schema of an index of this format.
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
            high: schema.add_u64_field(Self::HIGH, number.clone()),
            low: schema.add_u64_field(Self::LOW, number.clone()),
            updated: schema.add_i64_field(Self::UPDATED, number.clone()),
            digest: schema.add_u64_field(Self::DIGEST, number),
        };
        (schema.build(), columns)
    }

    fn document(self, indexed: &Indexed) -> TantivyDocument {
        let note = &indexed.note;
        let (high, low) = note.id.0.as_u64_pair();
        let mut document = TantivyDocument::new();
        document.add_text(self.terms, encoded(note));
        document.add_u64(self.high, high);
        document.add_u64(self.low, low);
        document.add_i64(self.updated, note.updated_at.millis);
        document.add_u64(self.digest, indexed.digest.unwrap_or_default());
        document
    }
}

/// Builds an index of these notes, which are in the order of their ids, in place of whatever is in
/// the folder. `false`: it was told to stop, and nothing in the folder counts.
pub(super) fn build(
    folder: &Folder,
    notes: &[Indexed],
    seq: u64,
    stop: &AtomicBool,
) -> Result<bool, TantivyError> {
    folder.clear()?;
    let (schema, columns) = Columns::schema();
    let tokenizers = TokenizerManager::default();
    tokenizers.register(TOKENIZER, Terms::default());
    let builder = Index::builder().schema(schema).tokenizers(tokenizers);
    let mut writer = builder.single_segment_index_writer(folder.clone(), MEMORY_BYTES)?;
    for indexed in notes {
        if stop.load(Ordering::Relaxed) {
            return Ok(false);
        }
        writer.add_document(columns.document(indexed))?;
    }
    writer.finalize()?;
    let covers = Covers {
        format: FORMAT,
        seq,
        notes: notes.len(),
    };
    let bytes = serde_json::to_vec(&covers).map_err(std::io::Error::other)?;
    let name = Path::new(layout::INDEX_COVERS).file_name();
    folder.atomic_write(name.unwrap_or_default().as_ref(), &bytes)?;
    Ok(true)
}

/// A note's terms as one text: each on a line, behind the digit of its fields.
fn encoded(note: &Note) -> String {
    let mut text = String::new();
    for (term, fields) in index_terms(note) {
        text.push(char::from_digit(fields.bits(), 8).unwrap_or('0'));
        text.push_str(&term);
        text.push('\n');
    }
    text
}

/// Gives each term of such a text as often as the number of its fields.
#[derive(Clone, Debug, Default)]
struct Terms {
    token: Token,
}

impl Tokenizer for Terms {
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
