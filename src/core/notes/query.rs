//! A parsed query: its words and phrases, the score of a note, and the index terms for it.
//! This is the one matcher of every search.

use super::note::Note;
use super::words::{Words, is_run, pairs, tokens};
use crate::limits::{INDEXED_WORD_BYTES_MAX, SEARCH_TERMS_MAX};
use std::collections::BTreeMap;

/// The number of places that are reported for one word in a text.
const PLACES_OF_WORD_MAX: usize = 50;

/// The fields that contain a term, one bit each: title 4, keywords 2, text 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fields(u8);

impl Fields {
    /// All fields.
    pub const ALL: Self = Self(7);

    /// The bits of title, keywords and text.
    const BITS: [u8; 3] = [4, 2, 1];

    /// The weights of a hit in title, keywords and text.
    const WEIGHTS: [u32; 3] = [3, 2, 1];

    /// Returns the fields of a number that an index stores; other bits are ignored.
    pub fn from_bits(bits: u32) -> Self {
        Self(u8::try_from(bits & 7).unwrap_or_default())
    }

    /// Returns the number of these fields, from 0 to 7.
    pub const fn bits(self) -> u32 {
        self.0 as u32
    }

    /// Returns the fields that are in both.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Returns the fields that are in either.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Returns the weight of a word in these fields; zero without any field.
    pub fn weight(self) -> u32 {
        let weights = Self::BITS.into_iter().zip(Self::WEIGHTS);
        let here = weights.filter(|(bit, _)| self.0 & bit != 0);
        here.map(|(_, weight)| weight).sum()
    }
}

/// A lookup in an index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Atom {
    /// Exactly one term.
    Whole(String),
    /// Every term with a prefix.
    Beginning(String),
}

/// The lookups for a word or phrase of a query: a note that contains it has all atoms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    /// The atoms that a note must have in one field.
    pub atoms: Vec<Atom>,
    /// Whether having the atoms is sufficient; otherwise the note itself must be checked.
    pub is_exact: bool,
}

/// A parsed query.
///
/// Words are compared without case and accents, in title, keywords and text, each as a prefix. A
/// word with signs inside, such as `node.js`, is several words in a row. Text in quotes is a phrase
/// of complete words. Scripts without blanks are found anywhere. All words must occur.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Query {
    patterns: Vec<String>,
    is_blank: bool,
}

impl Query {
    /// Parses a query. A blank one matches every note; one of punctuation alone matches none.
    pub fn parse(text: &str) -> Self {
        let mut patterns: Vec<String> = Vec::new();
        let mut add = |part: &str, is_quoted: bool| {
            if patterns.len() < SEARCH_TERMS_MAX
                && let Some(pattern) = pattern_of(part, is_quoted)
                && !patterns.contains(&pattern)
            {
                patterns.push(pattern);
            }
        };
        for (index, part) in text.split(['"', '\u{201c}', '\u{201d}']).enumerate() {
            // Text between an odd and the next quote is a phrase.
            if index % 2 == 1 {
                add(part, true);
            } else {
                part.split(|c: char| {
                    c.is_whitespace() || matches!(c, ',' | '\u{3001}' | '\u{ff0c}')
                })
                .for_each(|word| add(word, false));
            }
        }
        Self {
            patterns,
            is_blank: text.trim().is_empty(),
        }
    }

    /// Returns whether the query is blank, so that it lists every note, the newest first.
    pub const fn is_blank(&self) -> bool {
        self.is_blank
    }

    /// Returns the index terms of the words and phrases; none for a query without words.
    pub fn terms(&self) -> Vec<Term> {
        self.patterns
            .iter()
            .map(|pattern| term_of(pattern))
            .collect()
    }

    /// Returns each word and phrase as a query of its own; none for a query without words.
    pub fn parts(&self) -> Vec<Self> {
        let parts = self.patterns.iter().map(|pattern| Self {
            patterns: vec![pattern.clone()],
            is_blank: false,
        });
        parts.collect()
    }

    /// Returns the places of the words and phrases in a text, sorted.
    /// A place is the index of a character and the number of the word. Only the first few places of
    /// each word are returned.
    pub fn places(&self, text: &str) -> Vec<(usize, usize)> {
        let (words, origins) = Words::traced(text);
        let of_pattern = |(number, pattern): (usize, &String)| {
            let found = words.as_str().match_indices(pattern.as_str());
            let places = found.take(PLACES_OF_WORD_MAX);
            let places = places.filter_map(|(at, _)| Some((*origins.get(at)?, number)));
            places.collect::<Vec<_>>()
        };
        let patterns = self.patterns.iter().enumerate();
        let mut places: Vec<(usize, usize)> = patterns.flat_map(of_pattern).collect();
        places.sort_unstable();
        places
    }

    /// Returns the score of these fields; `None` if a word is missing.
    fn score(&self, fields: &[Words; 3]) -> Option<u32> {
        if self.patterns.is_empty() {
            return self.is_blank.then_some(0);
        }
        self.weights(fields)
            .try_fold(0, |total, weight| (weight > 0).then_some(total + weight))
    }

    /// Returns the weight of each word in these fields; zero if it is missing.
    fn weights<'q>(&'q self, fields: &'q [Words; 3]) -> impl Iterator<Item = u32> + 'q {
        self.patterns.iter().map(move |pattern| {
            let hit = Fields::BITS.iter().zip(fields);
            let hit = hit.filter(|(_, field)| field.as_str().contains(pattern));
            let found = hit.fold(Fields::default(), |all, (bit, _)| all.or(Fields(*bit)));
            found.weight()
        })
    }
}

/// A matcher that scores one note after another and reuses its buffers.
#[derive(Clone, Debug)]
pub struct Matcher<'a> {
    query: &'a Query,
    fields: [Words; 3],
}

impl<'a> Matcher<'a> {
    /// Returns a matcher for a query.
    pub fn new(query: &'a Query) -> Self {
        let fields = Default::default();
        Self { query, fields }
    }

    /// Returns the score of a note; `None` if a word is missing.
    pub fn score(&mut self, note: &Note) -> Option<u32> {
        self.score_of(&note.title, &note.keywords, &note.value)
    }

    /// Returns the score of a named text; `None` if a word is missing. The name counts as a title.
    pub fn score_text(&mut self, name: &str, text: &str) -> Option<u32> {
        self.score_of(name, &[], text)
    }

    fn score_of(&mut self, title: &str, keywords: &[String], text: &str) -> Option<u32> {
        if !self.query.patterns.is_empty() {
            read(&mut self.fields, title, keywords, text);
        }
        self.query.score(&self.fields)
    }

    /// Returns the number of words of the query that a note has, and their score.
    pub fn score_some(&mut self, note: &Note) -> (usize, u32) {
        read(&mut self.fields, &note.title, &note.keywords, &note.value);
        let weights = self.query.weights(&self.fields);
        let found = weights.filter(|weight| *weight > 0);
        found.fold((0, 0), |(words, score), weight| (words + 1, score + weight))
    }
}

/// Returns the terms under which an index keeps a note or a named text, each with its fields.
pub fn index_terms(title: &str, keywords: &[String], text: &str) -> BTreeMap<String, Fields> {
    let mut fields: [Words; 3] = Default::default();
    read(&mut fields, title, keywords, text);
    let mut terms: BTreeMap<String, Fields> = BTreeMap::new();
    for (bit, field) in Fields::BITS.into_iter().zip(&fields) {
        let mut add = |term: &str| match terms.get_mut(term) {
            Some(known) => *known = known.or(Fields(bit)),
            None => drop(terms.insert(term.to_owned(), Fields(bit))),
        };
        for token in tokens(field.as_str()) {
            if is_run(token) {
                singles(token).for_each(&mut add);
                pairs(token).for_each(&mut add);
            } else {
                add(beginning(token));
            }
        }
    }
    terms
}

/// Replaces the forms of title, keywords and text.
fn read(fields: &mut [Words; 3], title: &str, keywords: &[String], text: &str) {
    fields.iter_mut().for_each(Words::clear);
    let [titles, words, texts] = fields;
    titles.push(title);
    for keyword in keywords {
        words.push(keyword);
    }
    texts.push(text);
}

/// Returns the text that a field must contain, or `None` for a part without words.
/// A word matches as a prefix, in quotes as a complete word, and a run of single characters
/// anywhere.
fn pattern_of(part: &str, is_quoted: bool) -> Option<String> {
    let words = Words::of(part);
    let form = words.as_str();
    let first = tokens(form).next()?;
    let last = tokens(form).last()?;
    let form = if is_run(first) {
        form.trim_start()
    } else {
        form
    };
    let form = if is_quoted && !is_run(last) {
        form
    } else {
        form.trim_end()
    };
    Some(form.to_owned())
}

fn term_of(pattern: &str) -> Term {
    let mut atoms = Vec::new();
    let mut is_cut = false;
    let is_whole = pattern.ends_with(' ');
    let mut left = tokens(pattern).peekable();
    while let Some(token) = left.next() {
        if !is_run(token) {
            let word = beginning(token);
            is_cut |= word.len() < token.len();
            let is_last = left.peek().is_none();
            atoms.push(if is_last && !is_whole {
                Atom::Beginning(word.to_owned())
            } else {
                Atom::Whole(word.to_owned())
            });
        } else if token.chars().nth(1).is_none() {
            atoms.push(Atom::Whole(token.to_owned()));
        } else {
            atoms.extend(pairs(token).map(|pair| Atom::Whole(pair.to_owned())));
        }
    }
    let is_exact = atoms.len() == 1 && !is_cut;
    Term { atoms, is_exact }
}

/// Returns the beginning of a word, as long as an index keeps words.
fn beginning(word: &str) -> &str {
    let end = word.floor_char_boundary(INDEXED_WORD_BYTES_MAX);
    word.get(..end).unwrap_or(word)
}

/// Returns the single characters of a run.
fn singles(run: &str) -> impl Iterator<Item = &str> {
    let ends = run
        .char_indices()
        .map(|(at, character)| (at, at + character.len_utf8()));
    ends.filter_map(|(from, to)| run.get(from..to))
}
