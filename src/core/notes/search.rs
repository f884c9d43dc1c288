//! The best matches for a query among notes or leaves, with or without an index.
//! Both ways give the same matches in the same order; the store keeps the index.

use super::note::Note;
use super::query::{Matcher, Query};
use crate::core::memory::LeafPath;
use crate::ids::NoteId;
use crate::time::Timestamp;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// An item that can be searched: a note, or a leaf of `/storage`.
pub trait Searchable {
    /// The key that identifies an item; of equal matches the one with the smaller key comes first.
    type Key: Clone + Ord;

    /// Returns the key.
    fn key(&self) -> Self::Key;

    /// Returns the time of the last change, if that counts: the newest comes first.
    fn updated_at(&self) -> Timestamp;

    /// Returns the score for the matcher's query; `None` if a word is missing.
    fn score(&self, matcher: &mut Matcher<'_>) -> Option<u32>;
}

impl Searchable for &Note {
    type Key = NoteId;

    fn key(&self) -> NoteId {
        self.id
    }

    fn updated_at(&self) -> Timestamp {
        self.updated_at
    }

    fn score(&self, matcher: &mut Matcher<'_>) -> Option<u32> {
        matcher.score(self)
    }
}

/// A stored item that may match a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchCandidate<K = NoteId> {
    /// The key.
    pub key: K,
    /// The score, or an upper bound of it.
    pub score: u32,
    /// The time of the last change.
    pub updated_at: Timestamp,
}

/// The items that an index finds for a query.
pub struct Candidates<'a, K = NoteId> {
    /// The candidates, the best possible first; of equal ones the newest, then the smaller key.
    pub ranked: Box<dyn Iterator<Item = SearchCandidate<K>> + 'a>,
    /// Whether every candidate matches with exactly its score.
    pub are_exact: bool,
    /// The items whose current content the index does not know, so that they must be checked.
    pub unindexed: &'a BTreeSet<K>,
}

impl<K> fmt::Debug for Candidates<'_, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unindexed = self.unindexed.len();
        write!(
            f,
            "Candidates(exact: {}, {unindexed} unindexed)",
            self.are_exact
        )
    }
}

/// An index that saves a look at each note and leaf.
pub trait SearchIndex: fmt::Debug {
    /// Returns the stored notes that may match a query; `None` if all must be checked.
    fn candidates(&self, query: &Query) -> Option<Candidates<'_>>;

    /// Returns the stored leaves that may match a query; `None` if all must be checked.
    fn leaf_candidates(&self, query: &Query) -> Option<Candidates<'_, LeafPath>>;
}

/// The absence of an index, so that everything is checked.
#[derive(Clone, Copy, Debug)]
pub struct NoIndex;

impl SearchIndex for NoIndex {
    fn candidates(&self, _: &Query) -> Option<Candidates<'_>> {
        None
    }

    fn leaf_candidates(&self, _: &Query) -> Option<Candidates<'_, LeafPath>> {
        None
    }
}

/// Returns the best `limit` items for a query, best first, by checking each.
///
/// A word in the title counts 3, in a keyword 2, in the text 1; ties go to the newest, then to the
/// smaller key. A blank query lists the newest.
pub fn search<T: Searchable>(all: impl Iterator<Item = T>, query: &Query, limit: usize) -> Vec<T> {
    let mut best = TopHits::new(limit);
    best.look_at(all, &mut Matcher::new(query));
    best.take()
}

/// The notes that have the most words of a query, where none has all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartialMatches<'a> {
    /// The notes, best first.
    pub notes: Vec<&'a Note>,
    /// The number of words of the query that each of them has.
    pub words_found: usize,
    /// The number of words of the query.
    pub words: usize,
}

/// Returns the notes that have the most words of a query, ranked like those of [`search`].
/// Returns `None` if no note has any word, or if the query has fewer than two.
pub fn search_nearest<'a>(
    notes: impl Iterator<Item = &'a Note>,
    query: &Query,
) -> Option<PartialMatches<'a>> {
    let words = query.parts().len();
    let mut matcher = Matcher::new(query);
    let judged = notes.map(|note| (matcher.score_some(note), note));
    let mut found: Vec<((usize, u32), &Note)> =
        judged.filter(|((words, _), _)| *words > 0).collect();
    let most = found.iter().map(|((words, _), _)| *words).max();
    let words_found = most.filter(|_| words > 1)?;
    found.retain(|((words, _), _)| *words == words_found);
    found.sort_by_key(|((_, score), note)| Rank::new(*score, note.updated_at, note.id));
    Some(PartialMatches {
        notes: found.into_iter().map(|(_, note)| note).collect(),
        words_found,
        words,
    })
}

/// Returns the result of [`search`] over stored and drafted items, with the help of an index.
/// `stored` looks up an item by its key; `drafted` gives the items of a draft.
pub fn search_indexed<T: Searchable>(
    candidates: Candidates<'_, T::Key>,
    query: &Query,
    limit: usize,
    stored: impl Fn(T::Key) -> Option<T>,
    drafted: impl Iterator<Item = T>,
) -> Vec<T> {
    let mut best = TopHits::new(limit);
    let mut matcher = Matcher::new(query);
    let unindexed = candidates.unindexed;
    let changed = unindexed.iter().filter_map(|key| stored(key.clone()));
    best.look_at(changed.chain(drafted), &mut matcher);
    for candidate in candidates.ranked {
        let SearchCandidate {
            key,
            score,
            updated_at,
        } = candidate;
        if !best.takes(&Rank::new(score, updated_at, key.clone())) {
            break;
        }
        if unindexed.contains(&key) {
            continue;
        }
        let Some(found) = stored(key) else { continue };
        let score = if candidates.are_exact {
            Some(score)
        } else {
            found.score(&mut matcher)
        };
        if let Some(score) = score {
            best.add(score, found);
        }
    }
    best.take()
}

/// The rank of a hit: the smaller, the better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Rank<K>(Reverse<u32>, Reverse<Timestamp>, K);

impl<K> Rank<K> {
    const fn new(score: u32, updated_at: Timestamp, key: K) -> Self {
        Self(Reverse(score), Reverse(updated_at), key)
    }
}

/// The best hits so far, best first.
struct TopHits<T: Searchable> {
    limit: usize,
    hits: BTreeMap<Rank<T::Key>, T>,
}

impl<T: Searchable> TopHits<T> {
    const fn new(limit: usize) -> Self {
        let hits = BTreeMap::new();
        Self { limit, hits }
    }

    fn look_at(&mut self, all: impl Iterator<Item = T>, matcher: &mut Matcher<'_>) {
        for one in all {
            if let Some(score) = one.score(matcher) {
                self.add(score, one);
            }
        }
    }

    /// Returns whether a hit of this rank would be among the best.
    fn takes(&self, rank: &Rank<T::Key>) -> bool {
        let worst = self.hits.last_key_value();
        self.hits.len() < self.limit || worst.is_some_and(|(worst, _)| rank < worst)
    }

    fn add(&mut self, score: u32, hit: T) {
        let rank = Rank::new(score, hit.updated_at(), hit.key());
        if self.takes(&rank) {
            self.hits.insert(rank, hit);
            if self.hits.len() > self.limit {
                self.hits.pop_last();
            }
        }
    }

    fn take(self) -> Vec<T> {
        self.hits.into_values().collect()
    }
}
