//! How much two notes say the same, and which notes a draft is like. Pure; the words are
//! `tokens`' business, and which notes are worth a comparison `likeness` knows.

use super::collection::Notes;
use super::note::Note;
use super::tokens::{folded_title, word_set};
use crate::limits::COMPARED_NOTES_MAX;

/// What notes are compared by. Notes of different kinds are never alike: a template is made to be
/// repeated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Face<'a> {
    kind: &'a str,
    title: Option<u32>,
    text: &'a str,
    /// Sorted, each once.
    pub(super) words: Vec<u32>,
}

impl<'a> Face<'a> {
    /// Reads a note.
    pub fn of(note: &'a Note) -> Self {
        Self {
            kind: &note.note_kind,
            title: folded_title(&note.title),
            text: note.value.trim(),
            words: word_set(&note.value),
        }
    }

    /// How much two notes say the same, from 0 to 1: 1 with the same title, where only its words
    /// count and a mere date is no title; else the words that both texts have, divided by the words
    /// that either has. So a short note inside a long one is not its double, and which of the two
    /// comes first makes no difference.
    pub fn likeness(&self, other: &Self) -> f64 {
        if self.kind != other.kind {
            return 0.0;
        }
        let same_title = self.title.is_some() && self.title == other.title;
        // Of texts without a word, only the same one is alike.
        if same_title || !self.text.is_empty() && self.text == other.text {
            return 1.0;
        }
        let shared = shared(&self.words, &other.words);
        let all = self.words.len() + other.words.len() - shared;
        if all == 0 { 0.0 } else { ratio(shared, all) }
    }
}

/// How many numbers two sorted lists share.
fn shared(left: &[u32], right: &[u32]) -> usize {
    let (mut left, mut right) = (left.iter().peekable(), right.iter().peekable());
    let mut count = 0;
    while let (Some(one), Some(other)) = (left.peek(), right.peek()) {
        let (step_left, step_right) = (one <= other, other <= one);
        count += usize::from(step_left && step_right);
        if step_left {
            left.next();
        }
        if step_right {
            right.next();
        }
    }
    count
}

/// A part of a whole. Both are small: texts are read to a bound.
fn ratio(part: usize, whole: usize) -> f64 {
    let number = |count| f64::from(u32::try_from(count).unwrap_or(u32::MAX));
    number(part) / number(whole)
}

/// The notes that a draft is like, and what it took to find them.
#[derive(Clone, Debug, PartialEq)]
pub struct Similar<'a> {
    /// Each with its likeness, most like first, then oldest first.
    pub notes: Vec<(f64, &'a Note)>,
    /// How many notes were compared.
    pub compared: usize,
}

/// The notes that are at least `threshold` like `draft` and that `counts` lets through, at most
/// `limit`. The draft itself, if it is among them, is passed over.
///
/// Where the collection has prepared itself for that threshold or a lower one, only notes that can
/// be like it are compared, however many there are; see [`Notes::prepare`]. Else all of them are.
pub fn similar_to<'a>(
    draft: &Note,
    notes: &'a Notes,
    threshold: f64,
    limit: usize,
    counts: impl Fn(&Note) -> bool,
) -> Similar<'a> {
    let face = Face::of(draft);
    let mut compared = 0;
    let mut found: Vec<(f64, &Note)> = Vec::new();
    let counts = |note: &&Note| note.id != draft.id && counts(note);
    let mut compare = |note: &'a Note| {
        compared += 1;
        let likeness = face.likeness(&Face::of(note));
        if likeness >= threshold {
            found.push((likeness, note));
        }
    };
    match notes.likeness().filter(|it| it.serves(threshold)) {
        Some(index) => {
            let ids = index.candidates(draft, &face).into_iter();
            let candidates = ids.filter_map(|id| notes.get(id)).filter(counts);
            candidates.take(COMPARED_NOTES_MAX).for_each(&mut compare);
        }
        None => notes.iter().filter(counts).for_each(&mut compare),
    }
    found.sort_by(|(one, a), (other, b)| other.total_cmp(one).then(a.id.cmp(&b.id)));
    found.truncate(limit);
    Similar {
        notes: found,
        compared,
    }
}
