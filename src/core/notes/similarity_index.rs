//! An index of possible near-duplicates, so that not every pair of notes must be compared.
//! It keeps the rarest words of the texts and the words of titles. It is derived, built on first
//! use, and small.
//!
//! Two word sets that share a part `t` must meet among the `n - ceil(t * n) + 1` rarest words of
//! each, if both sort their words in the same order. So only those words are kept, at most
//! [`SELDOM_WORDS_MAX`] for each note. Up to that bound no pair is missed. Beyond it, for texts of
//! more than 75 different words at a threshold of 0.8, a pair is missed only if all kept words of
//! one note are among the few that the other does not have.

use super::note::Note;
use super::similar::NoteFeatures;
use super::tokens::{Word, folded_title, word_set, words_of};
use crate::ids::NoteId;
use crate::limits::{POSTINGS_READ_MAX, SELDOM_WORDS_MAX, TITLE_WORDS_MAX};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// The number of notes that are read to learn which words are common.
const NOTES_SAMPLED_MAX: usize = 10_000;

/// The index of possible near-duplicates. Each note has a slot, a small number in place of its id.
#[derive(Clone, Debug)]
pub(super) struct SimilarityIndex {
    threshold: f64,
    /// The threshold in thousandths, rounded down.
    thousandths: usize,
    /// The approximate number of notes with each common word at the time of the build.
    /// Sorted by word, and frozen, since all notes must use one order of words.
    common: Vec<(u32, u32)>,
    /// The number of notes at the time of the build.
    built_with: usize,
    slots: BTreeMap<NoteId, u32>,
    /// The note of each slot, with the number of different words in its text.
    notes: Vec<Option<(NoteId, u16)>>,
    free: Vec<u32>,
    /// The words to find notes by, each with the slot of a note.
    postings: BTreeSet<(u32, u32)>,
}

/// The kind of word that a posting is about.
/// All kinds share one list: a clash costs only a comparison.
#[derive(Clone, Copy)]
enum Posting {
    /// One of the rarest words of a text.
    Seldom,
    /// A word of a title.
    InTitle,
    /// A whole title.
    Title,
}

impl Posting {
    const fn number(self, hash: u32) -> u32 {
        match self {
            Self::Seldom => hash,
            Self::InTitle => hash ^ 0x5bd1_e995,
            Self::Title => hash ^ 0x9e37_79b9,
        }
    }
}

impl SimilarityIndex {
    /// Builds the index of a collection for a threshold.
    pub(super) fn build<'a>(notes: impl Iterator<Item = &'a Note> + Clone, threshold: f64) -> Self {
        let built_with = notes.clone().count();
        let part = |thousandths: &u32| f64::from(*thousandths) / 1000.0 <= threshold;
        let mut index = Self {
            threshold,
            thousandths: (1..=1000).take_while(part).count(),
            common: common_words(notes.clone(), built_with),
            built_with,
            slots: BTreeMap::new(),
            notes: Vec::new(),
            free: Vec::new(),
            postings: BTreeSet::new(),
        };
        // Reserved at once, since a growing list is copied again and again.
        let most = SELDOM_WORDS_MAX + TITLE_WORDS_MAX + 1;
        let mut postings = Vec::with_capacity(built_with * most);
        let slots = notes.zip(0..).map(|(note, slot)| {
            let (words, size) = index.words_to_keep(note);
            index.notes.push(Some((note.id, short(size))));
            postings.extend(words.into_iter().map(|word| (word, slot)));
            (note.id, slot)
        });
        // Collected at once, the map and the set have full leaves.
        index.slots = slots.collect();
        index.postings = postings.into_iter().collect();
        index
    }

    /// Returns whether the index finds every near-duplicate at `threshold`.
    pub(super) fn serves(&self, threshold: f64) -> bool {
        self.threshold <= threshold
    }

    /// Returns whether it was built for exactly that threshold.
    pub(super) fn is_for(&self, threshold: f64) -> bool {
        self.threshold.total_cmp(&threshold).is_eq()
    }

    /// Returns whether the collection has grown so much that the word counts are out of date.
    pub(super) fn is_outgrown(&self) -> bool {
        self.slots.len() > 2 * self.built_with + 64
    }

    /// Adds a note, which replaces `old`.
    pub(super) fn put(&mut self, old: Option<&Note>, note: &Note) {
        if let Some(old) = old {
            self.remove(old);
        }
        let (words, size) = self.words_to_keep(note);
        let slot = self.take_slot(note.id, size);
        self.postings
            .extend(words.into_iter().map(|word| (word, slot)));
    }

    /// Removes a note, which must be as it was added.
    pub(super) fn remove(&mut self, note: &Note) {
        let Some(slot) = self.slots.remove(&note.id) else {
            return;
        };
        for word in self.words_to_keep(note).0 {
            self.postings.remove(&(word, slot));
        }
        if let Some(place) = self.notes.get_mut(index_of(slot)) {
            *place = None;
        }
        self.free.push(slot);
    }

    fn take_slot(&mut self, id: NoteId, size: usize) -> u32 {
        let entry = Some((id, short(size)));
        let slot = self.free.pop().unwrap_or_else(|| {
            self.notes.push(None);
            u32::try_from(self.notes.len() - 1).unwrap_or(u32::MAX)
        });
        if let Some(place) = self.notes.get_mut(index_of(slot)) {
            *place = entry;
        }
        self.slots.insert(id, slot);
        slot
    }

    /// Returns the words to keep of a note, and the number of different words in its text.
    fn words_to_keep(&self, note: &Note) -> (Vec<u32>, usize) {
        let words = word_set(&note.value);
        let size = words.len();
        let mut keep = self.seldomest(words);
        keep.extend(title_words(note).map(|word| Posting::InTitle.number(word.hash)));
        keep.extend(folded_title(&note.title).map(|title| Posting::Title.number(title)));
        (keep, size)
    }

    /// Returns the rarest words of a text, of which every near-duplicate has at least one.
    fn seldomest(&self, mut words: Vec<u32>) -> Vec<u32> {
        let keep = self.kept(words.len());
        words.sort_unstable_by_key(|word| (self.notes_with(*word), *word));
        words.truncate(keep);
        words
    }

    /// Returns the number of notes with a word at the time of the build; 1 also means none.
    pub(super) fn notes_with(&self, word: u32) -> u32 {
        let found = self.common.binary_search_by_key(&word, |(word, _)| *word);
        let entry = found.ok().and_then(|at| self.common.get(at));
        entry.map_or(1, |(_, count)| *count)
    }

    /// Returns the number of notes at the time of the build.
    pub(super) const fn built_with(&self) -> usize {
        self.built_with
    }

    /// Returns the notes that can be near-duplicates of a note.
    /// Those of the same title come first, then those of similar length by the number of shared
    /// rare words.
    pub(super) fn candidates(&self, note: &Note, face: &NoteFeatures<'_>) -> Vec<NoteId> {
        let size = face.words.len();
        let mut shared: BTreeMap<u32, usize> = BTreeMap::new();
        // The number of words with too many notes to read all of them.
        let mut unread = 0;
        for word in self.seldomest(face.words.clone()) {
            let mut read = 0;
            for slot in self.slots_with(Posting::Seldom.number(word)) {
                *shared.entry(slot).or_default() += 1;
                read += 1;
            }
            unread += usize::from(read == POSTINGS_READ_MAX);
        }
        let mut ranked: Vec<(Reverse<usize>, NoteId)> = Vec::new();
        for (slot, count) in shared {
            if let Some((id, other)) = self.note_in(slot)
                && self.can_be_alike(size, usize::from(other), count + unread)
            {
                ranked.push((Reverse(count), id));
            }
        }
        let titled = folded_title(&note.title).map(|title| Posting::Title.number(title));
        let titled = titled.into_iter().flat_map(|word| self.slots_with(word));
        // The same title counts more than any number of words.
        ranked.extend(titled.filter_map(|slot| Some((Reverse(usize::MAX), self.note_in(slot)?.0))));
        ranked.sort_unstable();
        let mut met = BTreeSet::new();
        ranked.retain(|(_, id)| met.insert(*id));
        ranked.into_iter().map(|(_, id)| id).collect()
    }

    /// Returns the notes with a word in their title, up to a bound.
    pub(super) fn titled_with(&self, word: u32) -> impl Iterator<Item = NoteId> {
        self.slots_with(Posting::InTitle.number(word))
            .filter_map(|slot| self.note_in(slot).map(|(id, _)| id))
    }

    /// Returns whether two texts can be near-duplicates that share `seldom` of their kept words.
    /// `size` and `other` are their numbers of words. A shared word that is not kept of both is
    /// missing among the kept words of one of them, and of that text at most the rest is shared.
    fn can_be_alike(&self, size: usize, other: usize, seldom: usize) -> bool {
        let all = (size + other) * self.thousandths;
        let needed = all.div_ceil(1000 + self.thousandths);
        let rest = |size: usize| size - self.kept(size);
        size.min(other) >= needed && seldom + rest(size).max(rest(other)) >= needed
    }

    /// Returns the number of words that are kept of a text with `size` words.
    fn kept(&self, size: usize) -> usize {
        // A near-duplicate shares at least so many words.
        let least_shared = (size * self.thousandths).div_ceil(1000);
        let enough = size + 1 - least_shared.max(1);
        enough.min(SELDOM_WORDS_MAX).min(size)
    }

    fn slots_with(&self, word: u32) -> impl Iterator<Item = u32> {
        let with_word = self.postings.range((word, 0)..=(word, u32::MAX));
        with_word.map(|(_, slot)| *slot).take(POSTINGS_READ_MAX)
    }

    fn note_in(&self, slot: u32) -> Option<(NoteId, u16)> {
        *self.notes.get(index_of(slot))?
    }
}

/// Returns the words of a note's title, up to a bound.
pub(super) fn title_words(note: &Note) -> impl Iterator<Item = Word> + use<> {
    words_of(&note.title).into_iter().take(TITLE_WORDS_MAX)
}

/// Returns the number of notes with each word that is in more than one note.
/// Of a large collection, evenly spaced notes are read, since only the order of words matters.
fn common_words<'a>(notes: impl Iterator<Item = &'a Note>, count: usize) -> Vec<(u32, u32)> {
    let step = count.div_ceil(NOTES_SAMPLED_MAX).max(1);
    let mut words: Vec<u32> = notes
        .step_by(step)
        .flat_map(|note| word_set(&note.value))
        .collect();
    words.sort_unstable();
    let step = u32::try_from(step).unwrap_or(u32::MAX);
    let runs = words.chunk_by(|one, other| one == other);
    let counted = runs.filter(|run| run.len() > 1).filter_map(|run| {
        let count = u32::try_from(run.len()).unwrap_or(u32::MAX);
        Some((*run.first()?, count.saturating_mul(step)))
    });
    counted.collect()
}

/// Returns a number of words in the size in which it is kept.
fn short(size: usize) -> u16 {
    u16::try_from(size).unwrap_or(u16::MAX)
}

const fn index_of(slot: u32) -> usize {
    slot as usize
}
