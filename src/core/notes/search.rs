//! The best answers to a query, among notes or leaves of `/storage`: by looking at each, or by an
//! index that names those worth a look. Both ways give the same in the same order; the index itself is
//! the store's business.

use super::note::Note;
use super::query::{Matcher, Query};
use crate::core::memory::LeafPath;
use crate::ids::NoteId;
use crate::time::Timestamp;
use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};
use std::fmt;

/// What can be searched: a note, or a leaf of `/storage`.
pub trait Searched {
    /// What tells one from another; of two equally good answers the one with the smaller goes first.
    type Key: Clone + Ord;

    /// Its key.
    fn key(&self) -> Self::Key;

    /// When it was last changed, where that counts: the newest goes first.
    fn updated_at(&self) -> Timestamp;

    /// How well it answers the matcher's query; `None` when a word is missing.
    fn score(&self, matcher: &mut Matcher<'_>) -> Option<u32>;
}

impl Searched for &Note {
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

/// Something stored that may answer a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Candidate<K = NoteId> {
    /// Its key.
    pub key: K,
    /// What it scores, or the most that it can score.
    pub score: u32,
    /// When it was last changed.
    pub updated_at: Timestamp,
}

/// What an index knows about a query.
pub struct Candidates<'a, K = NoteId> {
    /// Those that may answer it, the best possible first; of equal ones the newest, then the
    /// smaller key.
    pub ranked: Box<dyn Iterator<Item = Candidate<K>> + 'a>,
    /// Whether each of them does, with just that score.
    pub are_exact: bool,
    /// What the index does not know as it is now. It has to be looked at.
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

/// Finds what is stored faster than by looking at each note and leaf.
pub trait SearchIndex: fmt::Debug {
    /// The stored notes that may answer a query. `None`: all have to be looked at.
    fn candidates(&self, query: &Query) -> Option<Candidates<'_>>;

    /// The leaves of the stored `/storage` that may answer a query. `None`: all have to be looked at.
    fn leaf_candidates(&self, query: &Query) -> Option<Candidates<'_, LeafPath>>;
}

/// No index: everything is looked at.
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

/// The best `limit` of these for a query, best first, by looking at each.
///
/// A word in the title counts 3, in a keyword 2, in the text 1; ties go to the newest, then to the
/// smaller key. A blank query lists the newest.
pub fn search<T: Searched>(all: impl Iterator<Item = T>, query: &Query, limit: usize) -> Vec<T> {
    let mut best = Best::new(limit);
    best.look_at(all, &mut Matcher::new(query));
    best.take()
}

/// Notes that have most of the words of a query, where none has all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Nearest<'a> {
    /// The notes, best first.
    pub notes: Vec<&'a Note>,
    /// How many of the words each of them has.
    pub words_found: usize,
    /// How many words the query has.
    pub words: usize,
}

/// The notes that have the most words of a query, ranked as [`search`] ranks them. `None` where no note
/// has any, and for a query of fewer than two words.
pub fn search_nearest<'a>(
    notes: impl Iterator<Item = &'a Note>,
    query: &Query,
) -> Option<Nearest<'a>> {
    let words = query.parts().len();
    let mut matcher = Matcher::new(query);
    let judged = notes.map(|note| (matcher.score_some(note), note));
    let mut found: Vec<((usize, u32), &Note)> =
        judged.filter(|((words, _), _)| *words > 0).collect();
    let most = found.iter().map(|((words, _), _)| *words).max();
    let words_found = most.filter(|_| words > 1)?;
    found.retain(|((words, _), _)| *words == words_found);
    found.sort_by_key(|((_, score), note)| Rank::new(*score, note.updated_at, note.id));
    Some(Nearest {
        notes: found.into_iter().map(|(_, note)| note).collect(),
        words_found,
        words,
    })
}

/// What [`search`] finds among what `stored` shows and what is `drafted`, with the help of an index over
/// what is stored.
pub fn search_indexed<T: Searched>(
    candidates: Candidates<'_, T::Key>,
    query: &Query,
    limit: usize,
    stored: impl Fn(T::Key) -> Option<T>,
    drafted: impl Iterator<Item = T>,
) -> Vec<T> {
    let mut best = Best::new(limit);
    let mut matcher = Matcher::new(query);
    let unindexed = candidates.unindexed;
    let changed = unindexed.iter().filter_map(|key| stored(key.clone()));
    best.look_at(changed.chain(drafted), &mut matcher);
    for candidate in candidates.ranked {
        let Candidate {
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

/// The place of a hit: the smaller, the better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Rank<K>(Reverse<u32>, Reverse<Timestamp>, K);

impl<K> Rank<K> {
    const fn new(score: u32, updated_at: Timestamp, key: K) -> Self {
        Self(Reverse(score), Reverse(updated_at), key)
    }
}

/// The best hits so far; the worst of them is at hand.
struct Best<T: Searched> {
    limit: usize,
    ranks: BinaryHeap<(Rank<T::Key>, usize)>,
    hits: Vec<Option<T>>,
}

impl<T: Searched> Best<T> {
    const fn new(limit: usize) -> Self {
        Self {
            limit,
            ranks: BinaryHeap::new(),
            hits: Vec::new(),
        }
    }

    fn look_at(&mut self, all: impl Iterator<Item = T>, matcher: &mut Matcher<'_>) {
        for one in all {
            if let Some(score) = one.score(matcher) {
                self.add(score, one);
            }
        }
    }

    /// Whether a hit of this rank would be among the best.
    fn takes(&self, rank: &Rank<T::Key>) -> bool {
        let full = self.ranks.len() >= self.limit;
        !full || self.ranks.peek().is_some_and(|(worst, _)| rank < worst)
    }

    fn add(&mut self, score: u32, hit: T) {
        let rank = Rank::new(score, hit.updated_at(), hit.key());
        if !self.takes(&rank) {
            return;
        }
        let at = if self.ranks.len() >= self.limit {
            self.ranks.pop().map_or(self.hits.len(), |(_, at)| at)
        } else {
            self.hits.len()
        };
        match self.hits.get_mut(at) {
            Some(place) => *place = Some(hit),
            None => self.hits.push(Some(hit)),
        }
        self.ranks.push((rank, at));
    }

    fn take(mut self) -> Vec<T> {
        let ranked = self.ranks.into_sorted_vec().into_iter();
        let hits = ranked.filter_map(|(_, at)| self.hits.get_mut(at)?.take());
        hits.collect()
    }
}
