//! Finding notes: by key for a change, by words for a search.
//! Works over any iterator of notes, so that a draft's notes are searched like stored ones.

use super::note::{Note, split_keywords};
use crate::ids::NoteId;
use crate::limits::SEARCH_TERMS_MAX;
use std::cmp::Reverse;

/// What a key leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resolved {
    /// Exactly one note.
    One(NoteId),
    /// No note.
    None,
    /// Several: a change must not pick one.
    Many,
}

/// Finds the note that a key means: its id, else its exact title, else its exact keyword list.
pub fn resolve<'a>(notes: impl Iterator<Item = &'a Note> + Clone, key: &str) -> Resolved {
    let key = Key::of(key);
    let by_id = only(notes.clone().filter(|note| key.is_id(note)));
    let titled = notes.clone();
    let by_title = || only(titled.filter(|note| key.is_title(note)));
    let by_keywords = || only(notes.filter(|note| key.is_keywords(note)));
    by_id.or_else(by_title).or_else(by_keywords)
}

impl Resolved {
    /// What another way of looking finds, if this one found nothing.
    fn or_else(self, other: impl FnOnce() -> Self) -> Self {
        match self {
            Self::None => other(),
            Self::One(_) | Self::Many => self,
        }
    }
}

/// Whether a key means this note, in any of the ways that [`resolve`] knows.
pub fn answers_to(note: &Note, key: &str) -> bool {
    let key = Key::of(key);
    key.is_id(note) || key.is_title(note) || key.is_keywords(note)
}

/// A key as it may be meant.
struct Key<'a> {
    text: &'a str,
    id: Option<NoteId>,
    /// Sorted, so that the order does not matter.
    keywords: Vec<String>,
}

impl<'a> Key<'a> {
    fn of(text: &'a str) -> Self {
        let text = text.trim();
        let mut keywords = split_keywords(text);
        keywords.sort_unstable();
        Self {
            text,
            id: text.parse().ok(),
            keywords,
        }
    }

    fn is_id(&self, note: &Note) -> bool {
        self.id == Some(note.id)
    }

    fn is_title(&self, note: &Note) -> bool {
        !self.text.is_empty() && note.title.trim() == self.text
    }

    fn is_keywords(&self, note: &Note) -> bool {
        if self.keywords.is_empty() || self.keywords.len() != note.keywords.len() {
            return false;
        }
        let mut keywords: Vec<&str> = note.keywords.iter().map(String::as_str).collect();
        keywords.sort_unstable();
        keywords == self.keywords
    }
}

fn only<'a>(mut notes: impl Iterator<Item = &'a Note>) -> Resolved {
    match (notes.next(), notes.next()) {
        (Some(note), None) => Resolved::One(note.id),
        (None, _) => Resolved::None,
        (Some(_), Some(_)) => Resolved::Many,
    }
}

/// Weight of a word in the title, the keywords and the text.
const WEIGHTS: [u32; 3] = [3, 2, 1];

/// The notes in which every word of the query occurs, best first, at most `limit`.
///
/// Words are compared without case, anywhere in title, keywords and text; quotes make a phrase.
/// A hit in the title counts 3, in a keyword 2, in the text 1; ties go to the newest, then to the
/// smaller id. An empty query lists the newest notes.
pub fn search<'a>(
    notes: impl Iterator<Item = &'a Note>,
    query: &str,
    limit: usize,
) -> Vec<&'a Note> {
    let terms = terms(query);
    let mut hits: Vec<(u32, &Note)> = notes
        .filter_map(|note| Some((score(note, &terms)?, note)))
        .collect();
    hits.sort_by_key(|(score, note)| (Reverse(*score), Reverse(note.updated_at), note.id));
    hits.into_iter().take(limit).map(|(_, note)| note).collect()
}

/// The words and phrases of a query, in lower case, each once, as many as a search looks for.
fn terms(query: &str) -> Vec<String> {
    let mut terms: Vec<String> = Vec::new();
    let mut add = |term: &str| {
        let term = term.trim().to_lowercase();
        if !term.is_empty() && terms.len() < SEARCH_TERMS_MAX && !terms.contains(&term) {
            terms.push(term);
        }
    };
    for (index, part) in query.split(['"', '\u{201c}', '\u{201d}']).enumerate() {
        // Text between an odd and the next quote is a phrase.
        if index % 2 == 1 {
            add(part);
        } else {
            part.split(|c: char| c.is_whitespace() || matches!(c, ',' | '\u{3001}' | '\u{ff0c}'))
                .for_each(&mut add);
        }
    }
    terms
}

/// The note's score; `None` when a term is missing.
fn score(note: &Note, terms: &[String]) -> Option<u32> {
    if terms.is_empty() {
        return Some(0);
    }
    let title = note.title.to_lowercase();
    let keywords = note.keywords.join("\n").to_lowercase();
    let text = note.value.to_lowercase();
    let fields = [title, keywords, text];
    terms.iter().try_fold(0, |total, term| {
        let hit = fields
            .iter()
            .zip(WEIGHTS)
            .filter(|(field, _)| field.contains(term.as_str()));
        let weight: u32 = hit.map(|(_, weight)| weight).sum();
        (weight > 0).then_some(total + weight)
    })
}
