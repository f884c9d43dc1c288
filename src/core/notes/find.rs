//! Search for the note that a change means by its key.
//! Works over any iterator of notes, so that a draft's notes are found like stored ones.

use super::note::{Note, split_keywords};
use super::spelling::composed;
use crate::ids::NoteId;
use std::borrow::Cow;

/// The result of resolving a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyMatch {
    /// Exactly one note.
    One(NoteId),
    /// No note.
    None,
    /// Several notes: a change must not pick one.
    Many,
}

/// Finds the note that a key means: its id, else its exact title, else its exact keyword list.
pub fn resolve<'a>(notes: impl Iterator<Item = &'a Note> + Clone, key: &str) -> KeyMatch {
    let key = LookupKey::of(key);
    let by_id = only(notes.clone().filter(|note| key.is_id(note)));
    let titled = notes.clone();
    let by_title = || only(titled.filter(|note| key.is_title(note)));
    let by_keywords = || only(notes.filter(|note| key.is_keywords(note)));
    by_id.or_else(by_title).or_else(by_keywords)
}

impl KeyMatch {
    /// Returns the result of another way of search, if this one found nothing.
    fn or_else(self, other: impl FnOnce() -> Self) -> Self {
        match self {
            Self::None => other(),
            Self::One(_) | Self::Many => self,
        }
    }
}

/// Returns whether a key means this note, in any of the ways of [`resolve`].
pub fn answers_to(note: &Note, key: &str) -> bool {
    let key = LookupKey::of(key);
    key.is_id(note) || key.is_title(note) || key.is_keywords(note)
}

/// A key in the forms that it may have.
struct LookupKey<'a> {
    /// The text in the spelling in which titles and keywords are compared.
    text: Cow<'a, str>,
    id: Option<NoteId>,
    /// The keywords, sorted, so that their order does not matter.
    keywords: Vec<String>,
}

impl<'a> LookupKey<'a> {
    fn of(text: &'a str) -> Self {
        let text = composed(text.trim());
        let mut keywords = split_keywords(&text);
        keywords.sort_unstable();
        Self {
            id: text.parse().ok(),
            text,
            keywords,
        }
    }

    fn is_id(&self, note: &Note) -> bool {
        self.id == Some(note.id)
    }

    fn is_title(&self, note: &Note) -> bool {
        !self.text.is_empty() && composed(note.title.trim()) == self.text
    }

    fn is_keywords(&self, note: &Note) -> bool {
        if self.keywords.is_empty() || self.keywords.len() != note.keywords.len() {
            return false;
        }
        let mut keywords: Vec<Cow<'_, str>> =
            note.keywords.iter().map(|word| composed(word)).collect();
        keywords.sort_unstable();
        keywords.iter().eq(&self.keywords)
    }
}

fn only<'a>(mut notes: impl Iterator<Item = &'a Note>) -> KeyMatch {
    match (notes.next(), notes.next()) {
        (Some(note), None) => KeyMatch::One(note.id),
        (None, _) => KeyMatch::None,
        (Some(_), Some(_)) => KeyMatch::Many,
    }
}
