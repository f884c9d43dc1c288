//! The similarity of two notes, and the near-duplicates of a draft.
//! Pure; `tokens` makes the words, and `similarity_index` knows which notes are worth a comparison.

use super::collection::Notes;
use super::note::Note;
use super::tokens::{folded_title, word_set};
use crate::limits::COMPARED_NOTES_MAX;

/// The `notes` section of the configuration in force.
#[derive(Clone, Copy, Debug, PartialEq, serde::Deserialize)]
pub struct NotePolicy {
    /// The similarity from which on two notes are near-duplicates, from 0.5 to 1.
    pub similar_threshold: f64,
    /// Whether a new note of the agent is refused if it has a near-duplicate.
    pub refuse_near_duplicates: bool,
    /// The number of changes of notes after which an idle agent organizes them; 0 means never.
    pub organize_every: u32,
}

/// The features by which notes are compared.
/// Notes of different kinds are never alike: a template is made to be repeated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoteFeatures<'a> {
    kind: &'a str,
    title: Option<u32>,
    text: &'a str,
    /// The hashes of the words, sorted, each once.
    pub(super) words: Vec<u32>,
}

impl<'a> NoteFeatures<'a> {
    /// Returns the features of a note.
    pub fn of(note: &'a Note) -> Self {
        Self {
            kind: &note.note_kind,
            title: folded_title(&note.title),
            text: note.value.trim(),
            words: word_set(&note.value),
        }
    }

    /// Returns the similarity of two notes, from 0 to 1.
    /// It is 1 for equal titles, where only words count and a mere date is no title. Otherwise it
    /// is the number of words in both texts, divided by the number of words in either. So a short
    /// note inside a long one is no near-duplicate, and the order of the two makes no difference.
    pub fn similarity(&self, other: &Self) -> f64 {
        if self.kind != other.kind {
            return 0.0;
        }
        let same_title = self.title.is_some() && self.title == other.title;
        // Texts without words are alike only if they are equal.
        if same_title || !self.text.is_empty() && self.text == other.text {
            return 1.0;
        }
        let shared = shared(&self.words, &other.words);
        let all = self.words.len() + other.words.len() - shared;
        if all == 0 { 0.0 } else { ratio(shared, all) }
    }
}

/// Returns how many numbers two sorted lists share.
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

/// Returns a part of a whole. Both are small, since texts are read up to a bound.
fn ratio(part: usize, whole: usize) -> f64 {
    let number = |count| f64::from(u32::try_from(count).unwrap_or(u32::MAX));
    number(part) / number(whole)
}

/// The near-duplicates of a draft, and the effort to find them.
#[derive(Clone, Debug, PartialEq)]
pub struct SimilarNotes<'a> {
    /// The notes with their similarity, the most alike first, then the oldest.
    pub notes: Vec<(f64, &'a Note)>,
    /// The number of notes that were compared.
    pub compared: usize,
}

/// Returns at most `limit` notes whose similarity to `draft` is at least `threshold`.
/// Only notes for which `counts` is true are compared, and never the draft itself.
///
/// If the collection is prepared for that threshold or a lower one, only possible near-duplicates
/// are compared, however many notes there are; see [`Notes::prepare`]. Otherwise all are compared.
pub fn similar_to<'a>(
    draft: &Note,
    notes: &'a Notes,
    threshold: f64,
    limit: usize,
    counts: impl Fn(&Note) -> bool,
) -> SimilarNotes<'a> {
    let face = NoteFeatures::of(draft);
    let mut compared = 0;
    let mut found: Vec<(f64, &Note)> = Vec::new();
    let counts = |note: &&Note| note.id != draft.id && counts(note);
    let mut compare = |note: &'a Note| {
        compared += 1;
        let similarity = face.similarity(&NoteFeatures::of(note));
        if similarity >= threshold {
            found.push((similarity, note));
        }
    };
    match notes.similarity().filter(|it| it.serves(threshold)) {
        Some(index) => {
            let ids = index.candidates(draft, &face).into_iter();
            let candidates = ids.filter_map(|id| notes.get(id)).filter(counts);
            candidates.take(COMPARED_NOTES_MAX).for_each(&mut compare);
        }
        None => notes.iter().filter(counts).for_each(&mut compare),
    }
    found.sort_by(|(one, a), (other, b)| other.total_cmp(one).then(a.id.cmp(&b.id)));
    found.truncate(limit);
    SimilarNotes {
        notes: found,
        compared,
    }
}
