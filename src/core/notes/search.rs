//! The best notes for a query: by looking at each, or by an index that names those worth a look.
//! Both ways give the same notes in the same order; the index itself is the store's business.

use super::note::Note;
use super::query::{Matcher, Query};
use crate::ids::NoteId;
use crate::time::Timestamp;
use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};
use std::fmt;

/// A stored note that may answer a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The note.
    pub id: NoteId,
    /// What it scores, or the most that it can score.
    pub score: u32,
    /// When it was last changed.
    pub updated_at: Timestamp,
}

/// What an index knows about a query.
pub struct Candidates<'a> {
    /// Those that may answer it, the best possible first; of equal ones the newest, then the
    /// smaller id.
    pub ranked: Box<dyn Iterator<Item = Candidate> + 'a>,
    /// Whether each of them does, with just that score.
    pub are_exact: bool,
    /// Notes that the index does not know as they are now. They have to be looked at.
    pub unindexed: &'a BTreeSet<NoteId>,
}

impl fmt::Debug for Candidates<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unindexed = self.unindexed.len();
        write!(
            f,
            "Candidates(exact: {}, {unindexed} unindexed)",
            self.are_exact
        )
    }
}

/// Finds stored notes faster than by looking at each.
pub trait NoteIndex: fmt::Debug {
    /// The stored notes that may answer a query. `None`: all have to be looked at.
    fn candidates(&self, query: &Query) -> Option<Candidates<'_>>;
}

/// No index: every note is looked at.
#[derive(Clone, Copy, Debug)]
pub struct NoIndex;

impl NoteIndex for NoIndex {
    fn candidates(&self, _: &Query) -> Option<Candidates<'_>> {
        None
    }
}

/// The best `limit` of these notes for a query, best first, by looking at each.
///
/// A word in the title counts 3, in a keyword 2, in the text 1; ties go to the newest, then to the
/// smaller id. A blank query lists the newest notes.
pub fn search<'a>(
    notes: impl Iterator<Item = &'a Note>,
    query: &Query,
    limit: usize,
) -> Vec<&'a Note> {
    let mut best = Best::new(limit);
    best.look_at(notes, &mut Matcher::new(query));
    best.take()
}

/// The same among the notes that `stored` shows and the `drafted` ones, with the help of an index
/// over the stored ones.
pub fn search_indexed<'a>(
    candidates: Candidates<'_>,
    query: &Query,
    limit: usize,
    stored: impl Fn(NoteId) -> Option<&'a Note>,
    drafted: impl Iterator<Item = &'a Note>,
) -> Vec<&'a Note> {
    let mut best = Best::new(limit);
    let mut matcher = Matcher::new(query);
    let unindexed = candidates.unindexed;
    let changed = unindexed.iter().filter_map(|id| stored(*id));
    best.look_at(changed.chain(drafted), &mut matcher);
    for candidate in candidates.ranked {
        let rank = Rank::new(candidate.score, candidate.updated_at, candidate.id);
        if !best.takes(rank) {
            break;
        }
        let Some(note) = stored(candidate.id).filter(|note| !unindexed.contains(&note.id)) else {
            continue;
        };
        let score = if candidates.are_exact {
            Some(candidate.score)
        } else {
            matcher.score(note)
        };
        if let Some(score) = score {
            best.add(score, note);
        }
    }
    best.take()
}

/// The place of a hit: the smaller, the better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Rank(Reverse<u32>, Reverse<Timestamp>, NoteId);

impl Rank {
    const fn new(score: u32, updated_at: Timestamp, id: NoteId) -> Self {
        Self(Reverse(score), Reverse(updated_at), id)
    }
}

/// The best hits so far; the worst of them is at hand.
struct Best<'a> {
    limit: usize,
    ranks: BinaryHeap<(Rank, usize)>,
    notes: Vec<&'a Note>,
}

impl<'a> Best<'a> {
    const fn new(limit: usize) -> Self {
        Self {
            limit,
            ranks: BinaryHeap::new(),
            notes: Vec::new(),
        }
    }

    fn look_at(&mut self, notes: impl Iterator<Item = &'a Note>, matcher: &mut Matcher<'_>) {
        for note in notes {
            if let Some(score) = matcher.score(note) {
                self.add(score, note);
            }
        }
    }

    /// Whether a hit of this rank would be among the best.
    fn takes(&self, rank: Rank) -> bool {
        let full = self.ranks.len() >= self.limit;
        !full || self.ranks.peek().is_some_and(|(worst, _)| rank < *worst)
    }

    fn add(&mut self, score: u32, note: &'a Note) {
        let rank = Rank::new(score, note.updated_at, note.id);
        if !self.takes(rank) {
            return;
        }
        let at = if self.ranks.len() >= self.limit {
            self.ranks.pop().map_or(self.notes.len(), |(_, at)| at)
        } else {
            self.notes.len()
        };
        match self.notes.get_mut(at) {
            Some(place) => *place = note,
            None => self.notes.push(note),
        }
        self.ranks.push((rank, at));
    }

    fn take(self) -> Vec<&'a Note> {
        let ranked = self.ranks.into_sorted_vec();
        let notes = ranked.iter().filter_map(|(_, at)| self.notes.get(*at));
        notes.copied().collect()
    }
}
