//! The search for work to organize notes.
//! The program searches, so that a small model only has to decide. An offer that the model leaves
//! alone is not repeated until one of its notes changes. Changes by the model while it organizes do
//! not count for that.

use super::collection::Notes;
use super::links::Link;
use super::note::Note;
use super::similar::{NoteFeatures, similar_to};
use super::similarity_index::{SimilarityIndex, title_words};
use super::tokens::words_of;
use crate::ids::NoteId;
use crate::limits::{
    OFFER_TEXT_CHARS, OFFERS_MAX, OFFERS_REMEMBERED, ORGANIZE_NEWEST, ORGANIZE_WALK,
};
use serde::{Deserialize, Serialize};
use std::cell::OnceCell;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// A kind of organizing work. The first kind with any work is offered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OrganizeTask {
    /// Two near-duplicates.
    Alike,
    /// A note without links, and one whose title it mentions.
    Unlinked,
    /// A note without keywords.
    NoKeywords,
}

/// A note in the version that a prompt showed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ShownNote {
    /// The note.
    pub id: NoteId,
    /// The version.
    pub version: u64,
}

/// One piece of organizing work.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct OrganizeOffer {
    /// The kind of work.
    pub chore: OrganizeTask,
    /// The one or two notes that it is about, the one to change first.
    pub notes: Vec<ShownNote>,
}

impl OrganizeOffer {
    fn about<const N: usize>(chore: OrganizeTask, notes: [&Note; N]) -> Self {
        let shown = |note: &Note| ShownNote {
            id: note.id,
            version: note.version,
        };
        Self {
            chore,
            notes: notes.map(shown).to_vec(),
        }
    }
}

/// A note that an organizing reply changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RewrittenNote {
    /// The note.
    pub id: NoteId,
    /// The version before the reply.
    pub from: u64,
    /// The version after the reply.
    pub to: u64,
}

/// The result of one look over the notes, as a fact of the iteration that made it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OrganizeScan {
    /// The offers to the model.
    pub offers: Vec<OrganizeOffer>,
    /// The note at which the next walk continues; absent at the end of the notes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<NoteId>,
    /// Whether there was more work than could be offered.
    #[serde(default)]
    pub more: bool,
    /// The notes that the reply changed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rewritten: Vec<RewrittenNote>,
}

/// The memory of the organizing state between looks.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OrganizeState {
    /// The number of changes of notes since the last look.
    pub changes: u32,
    /// Whether the last look found more work than could be offered.
    pub more: bool,
    /// The note at which the next walk continues.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<NoteId>,
    /// The past offers, oldest first, at most [`OFFERS_REMEMBERED`].
    pub offered: VecDeque<OrganizeOffer>,
}

impl OrganizeState {
    /// Counts a change of a note.
    pub const fn count_change(&mut self) {
        self.changes = self.changes.saturating_add(1);
    }

    /// Returns whether a look is due.
    /// It is due after `every` changes, or if the last look found more work than it could offer. It
    /// is never due if `every` is 0.
    pub const fn is_due(&self, every: u32) -> bool {
        every > 0 && (self.changes >= every || self.more)
    }

    /// Returns whether the memory is empty.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Takes over the result of a look.
    pub fn take(&mut self, look: &OrganizeScan) {
        self.changes = 0;
        self.more = look.more;
        self.next = look.next;
        let about =
            |offer: &OrganizeOffer| offer.notes.iter().map(|note| note.id).collect::<Vec<_>>();
        for offer in &look.offers {
            let same =
                |other: &OrganizeOffer| other.chore == offer.chore && about(other) == about(offer);
            self.offered.retain(|other| !same(other));
            self.offered.push_back(offer.clone());
        }
        for shown in self.offered.iter_mut().flat_map(|offer| &mut offer.notes) {
            let mut rewritten = look.rewritten.iter();
            let same = rewritten.find(|it| it.id == shown.id && it.from == shown.version);
            shown.version = same.map_or(shown.version, |it| it.to);
        }
        let beyond = self.offered.len().saturating_sub(OFFERS_REMEMBERED);
        self.offered.drain(..beyond);
    }
}

/// Looks over the notes that may be changed and returns the work found.
/// It reads the newest notes, then some more from where the last look ended. Returns no work before
/// [`Notes::prepare`] was called.
pub fn scan_notes(
    notes: &Notes,
    memory: &OrganizeState,
    threshold: f64,
    may_change: impl Fn(&Note) -> bool,
) -> OrganizeScan {
    let Some(index) = notes.similarity() else {
        return OrganizeScan::default();
    };
    let (walked, next) = walk(notes, memory.next);
    let mut search = Search {
        notes,
        index,
        threshold,
        known: memory.offered.iter().collect(),
        found: BTreeMap::new(),
    };
    for note in newest(notes).into_iter().chain(walked) {
        if may_change(note) {
            search.look_at(note, &may_change);
        }
    }
    let more =
        search.found.values().any(|found| found.len() > OFFERS_MAX) || search.found.len() > 1;
    let offers = search.found.into_values().next().unwrap_or_default();
    OrganizeScan {
        offers: offers.into_iter().take(OFFERS_MAX).collect(),
        // Work that there was no room for is still at the same place.
        next: if more { memory.next } else { next },
        more,
        rewritten: Vec::new(),
    }
}

/// Returns the notes that were changed last.
fn newest(notes: &Notes) -> Vec<&Note> {
    let mut newest: Vec<&Note> = notes.iter().collect();
    let key = |note: &&Note| (Reverse(note.updated_at), Reverse(note.id));
    if newest.len() > ORGANIZE_NEWEST {
        newest.select_nth_unstable_by_key(ORGANIZE_NEWEST, key);
        newest.truncate(ORGANIZE_NEWEST);
    }
    newest.sort_by_key(key);
    newest
}

/// Returns some notes from an id on, and the id at which to continue.
fn walk(notes: &Notes, from: Option<NoteId>) -> (Vec<&Note>, Option<NoteId>) {
    let mut rest = notes.iter_from(from.unwrap_or(NoteId::FIRST));
    let walked = rest.by_ref().take(ORGANIZE_WALK).collect();
    (walked, rest.next().map(|note| note.id))
}

/// Returns the offer of two near-duplicates, the newer one to be changed first.
fn alike(one: &Note, other: &Note) -> OrganizeOffer {
    let (older, newer) = if one.id < other.id {
        (one, other)
    } else {
        (other, one)
    };
    OrganizeOffer::about(OrganizeTask::Alike, [newer, older])
}

struct Search<'a> {
    notes: &'a Notes,
    index: &'a SimilarityIndex,
    threshold: f64,
    known: BTreeSet<&'a OrganizeOffer>,
    found: BTreeMap<OrganizeTask, Vec<OrganizeOffer>>,
}

impl Search<'_> {
    fn look_at(&mut self, note: &Note, may_change: &dyn Fn(&Note) -> bool) {
        if self.wants(OrganizeTask::Alike) {
            // A known pair must not hide another one.
            let counts = |other: &Note| may_change(other) && self.is_new(&alike(note, other));
            let found = similar_to(note, self.notes, self.threshold, OFFERS_MAX, counts);
            for (_, other) in found.notes {
                self.add(alike(note, other));
            }
        }
        // Notes that cannot be shown completely are not offered to be rewritten.
        let is_short = note.value.chars().nth(OFFER_TEXT_CHARS).is_none();
        if is_short
            && self.wants(OrganizeTask::Unlinked)
            && let Some(target) = self.target_for(note)
        {
            self.add(OrganizeOffer::about(OrganizeTask::Unlinked, [note, target]));
        }
        if is_short && self.wants(OrganizeTask::NoKeywords) && note.keywords.is_empty() {
            self.add(OrganizeOffer::about(OrganizeTask::NoKeywords, [note]));
        }
    }

    /// Returns whether more offers of a kind are wanted.
    /// One more than [`OFFERS_MAX`] is kept, which shows that there is more.
    fn wants(&self, chore: OrganizeTask) -> bool {
        self.found
            .get(&chore)
            .is_none_or(|found| found.len() <= OFFERS_MAX)
    }

    /// Returns whether an offer was neither made before nor found already.
    fn is_new(&self, offer: &OrganizeOffer) -> bool {
        let found = self.found.get(&offer.chore);
        !self.known.contains(offer) && found.is_none_or(|found| !found.contains(offer))
    }

    fn add(&mut self, offer: OrganizeOffer) {
        if self.is_new(&offer) {
            self.found.entry(offer.chore).or_default().push(offer);
        }
    }

    /// Returns a note that a note without links might link to.
    /// Its title has a long and rare word, and at least half of its words are in the note.
    fn target_for(&self, note: &Note) -> Option<&Note> {
        let links = self.notes.links_of(note);
        if links.iter().any(|link| matches!(link, Link::To(_))) {
            return None;
        }
        let words = words_of(&note.value);
        let has: BTreeSet<u32> = words.iter().map(|word| word.hash).collect();
        // A word in one note of fifty still names a subject; in a small collection, a word in three
        // notes.
        let seldom = u32::try_from(self.index.built_with() / 50)
            .unwrap_or(u32::MAX)
            .max(3);
        let mut telling: Vec<u32> = words
            .iter()
            .filter(|word| word.telling && self.index.notes_with(word.hash) <= seldom)
            .map(|word| word.hash)
            .collect();
        telling.sort_unstable();
        telling.dedup();
        let face = OnceCell::new();
        let fits = |target: &&Note| {
            let title: Vec<_> = title_words(target).collect();
            let named = title.iter().filter(|word| has.contains(&word.hash)).count();
            let is_known = |pair| {
                self.known
                    .contains(&OrganizeOffer::about(OrganizeTask::Unlinked, pair))
            };
            let is_new = || !is_known([note, target]) && !is_known([target, note]);
            let same_fence =
                target.workspace_id == note.workspace_id && target.note_kind == note.note_kind;
            let is_reachable = || {
                self.notes
                    .titled(&target.title, target.workspace_id)
                    .is_some()
            };
            target.id != note.id
                && same_fence
                && 2 * named >= title.len()
                && is_new()
                && is_reachable()
                && face
                    .get_or_init(|| NoteFeatures::of(note))
                    .similarity(&NoteFeatures::of(target))
                    < self.threshold
                && !self.notes.links_of(target).contains(&Link::To(note.id))
        };
        let mut met = BTreeSet::new();
        let targets = telling
            .iter()
            .flat_map(|word| self.index.titled_with(*word))
            .filter(|id| met.insert(*id));
        targets.filter_map(|id| self.notes.get(id)).find(fits)
    }
}
