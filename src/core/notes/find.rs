//! Finding notes: by key for a change, by words for a search.
//! Works over any iterator of notes, so that a draft's notes are searched like stored ones.

use super::note::{Note, split_keywords};
use crate::ids::NoteId;
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
    let key = key.trim();
    if let Ok(id) = key.parse::<NoteId>()
        && notes.clone().any(|note| note.id == id)
    {
        return Resolved::One(id);
    }
    match only(notes.clone().filter(|note| note.title == key)) {
        Resolved::None => {}
        found @ (Resolved::One(_) | Resolved::Many) => return found,
    }
    let mut wanted = split_keywords(key);
    wanted.sort_unstable();
    if wanted.is_empty() {
        return Resolved::None;
    }
    only(notes.filter(|note| {
        let mut keywords: Vec<&str> = note.keywords.iter().map(String::as_str).collect();
        keywords.sort_unstable();
        keywords == wanted
    }))
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

/// The words and phrases of a query, in lower case.
fn terms(query: &str) -> Vec<String> {
    let mut terms = Vec::new();
    for (index, part) in query.split('"').enumerate() {
        // Text between an odd and the next quote is a phrase.
        if index % 2 == 1 {
            terms.push(part.trim().to_lowercase());
        } else {
            let words = part.split(|c: char| c.is_whitespace() || c == ',');
            terms.extend(words.map(str::to_lowercase));
        }
    }
    terms.retain(|term| !term.is_empty());
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
