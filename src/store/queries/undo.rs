//! The changes to undo, read from the journal: each with the values before and after it.
//! Never writes. Values that the kept journal no longer has are named, never guessed.

use crate::core::journal::event::ProposalsChanged;
use crate::core::journal::{Cause, Change, Commit, CommitDraft, Event, REVIEW, State, UNDO};
use crate::core::memory::{Ram, StorePath};
use crate::core::merge;
use crate::core::notes::Note;
use crate::core::review::{Proposal, Verdict};
use crate::core::undo::{ChangeTarget, TargetContent, UndoStep};
use crate::ids::{NoteId, RunId};
use crate::store::disk::Disk;
use crate::store::error::Error;
use crate::store::journal::{ReadJournal, reader};
use crate::time::Timestamp;
use std::collections::{BTreeMap, BTreeSet};

/// The selection of changes to undo.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UndoScope {
    Run(RunId),
    /// The changes of every run since a time, and of undos since then. A person's changes stay.
    Since(Timestamp),
}

/// The changes to undo, with the facts that an undo needs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct UndoHistory {
    /// The changes, in the order of their commits.
    pub steps: Vec<UndoStep>,
    pub commits: Vec<u64>,
    pub runs: BTreeSet<RunId>,
    /// The runs whose earlier iterations are not undone.
    pub parts: BTreeSet<RunId>,
    /// The last version of each touched note.
    pub newest: BTreeMap<NoteId, Note>,
    /// The places whose earlier value the kept journal does not have.
    pub lost: BTreeSet<ChangeTarget>,
    /// Whether some of the commits may be in retired segments.
    pub is_retired: bool,
}

/// Reads the changes to undo.
pub fn past_of(disk: &mut dyn Disk, undone: UndoScope) -> Result<UndoHistory, Error> {
    reader::read(disk, &mut |journal| {
        let mut chosen = UndoSelection::of(undone, journal.is_complete());
        journal.each_commit(&mut |commit| chosen.take(commit))?;
        let mut reading = UndoPass::of(&chosen, journal);
        journal.each_commit(&mut |commit| reading.take(commit))?;
        Ok(reading.past)
    })
}

/// The selected commits, and the places that they write.
struct UndoSelection {
    undone: UndoScope,
    /// Whether the pass has reached the time.
    begun: bool,
    is_retired: bool,
    /// Whether the kept journal has the beginning of the run.
    is_begun: bool,
    /// The runs that were active since the time.
    since: BTreeSet<RunId>,
    /// The first selected iteration of each run.
    firsts: BTreeMap<RunId, u32>,
    /// The number of iterations of the run in the kept journal, and in all.
    iterations: (u32, u32),
    commits: BTreeSet<u64>,
    places: BTreeSet<ChangeTarget>,
}

impl UndoSelection {
    const fn of(undone: UndoScope, is_complete: bool) -> Self {
        Self {
            undone,
            begun: false,
            is_retired: !is_complete,
            is_begun: is_complete,
            since: BTreeSet::new(),
            firsts: BTreeMap::new(),
            iterations: (0, 0),
            commits: BTreeSet::new(),
            places: BTreeSet::new(),
        }
    }

    fn take(&mut self, commit: &Commit) {
        let (cause, ts) = (&commit.draft.cause, commit.draft.ts);
        let is_meant = match self.undone {
            UndoScope::Run(run_id) => {
                self.count(commit, run_id);
                cause.run_id == Some(run_id) && cause.kind != UNDO
            }
            UndoScope::Since(since) => {
                // An older commit is kept, so no selected one is retired.
                self.is_retired &= self.begun || ts >= since;
                self.begun |= ts >= since;
                self.begun && self.is_of_run(cause)
            }
        };
        if !is_meant {
            return;
        }
        if let (Some(run_id), Some(iteration)) = (cause.run_id, cause.iteration) {
            self.firsts.entry(run_id).or_insert(iteration);
        }
        let mut places = commit.draft.events.iter().filter_map(place_of).peekable();
        if places.peek().is_some() {
            self.commits.insert(commit.seq);
            self.places.extend(places);
        }
    }

    /// Returns whether a run is selected only from some iteration on.
    fn is_part(&self, run_id: RunId) -> bool {
        self.firsts.get(&run_id).is_some_and(|first| *first > 1)
    }

    /// Returns whether a commit since the time comes from a run.
    /// A person's decision about an earlier proposal is the person's own change.
    fn is_of_run(&mut self, cause: &Cause) -> bool {
        match cause.run_id {
            None => cause.kind == UNDO,
            Some(run_id) if cause.kind == REVIEW => self.since.contains(&run_id),
            Some(run_id) => {
                self.since.insert(run_id);
                true
            }
        }
    }

    /// Counts the iterations of a run in the kept journal, and finds how many it had in all.
    fn count(&mut self, commit: &Commit, run_id: RunId) {
        for event in &commit.draft.events {
            if let Event::IterationDone(done) = event
                && done.run_id == run_id
            {
                self.iterations.0 += 1;
                self.iterations.1 = self.iterations.1.max(done.iteration);
            } else if let Event::StateCarried(carried) = event
                && let Some(run) = carried.runs.iter().find(|run| run.run_id == run_id)
            {
                self.iterations.1 = self.iterations.1.max(run.loop_count);
                self.is_begun = true;
            } else if let Event::RunQueued(queued) = event {
                self.is_begun |= queued.run.run_id == run_id;
            }
        }
        self.is_retired = !self.is_begun || self.iterations.0 != self.iterations.1;
    }
}

fn place_of(event: &Event) -> Option<ChangeTarget> {
    let Event::Change(change) = event else {
        return None;
    };
    Some(ChangeTarget::of(change.get()))
}

/// A pass over the journal that follows the values of the places.
struct UndoPass<'a> {
    chosen: &'a UndoSelection,
    past: UndoHistory,
    /// The known parts of RAM, `/storage` and the touched notes.
    state: State,
    /// The number of the first kept segment.
    first_segment: u32,
    /// Whether all of RAM is known.
    is_ram_complete: bool,
    /// Whether all of `/storage` is known.
    is_storage_complete: bool,
    /// The places written since the beginning of the kept journal.
    written: BTreeSet<ChangeTarget>,
    /// The proposals that were made since then, or were open then.
    proposed: BTreeMap<u64, Proposal>,
}

/// Returns the note as it would be without a person's changes of a proposal.
/// Those changes count as an edit, which an undo keeps.
fn as_proposed(proposal: &Proposal, before: &TargetContent) -> Option<TargetContent> {
    let note = match (&proposal.base, before) {
        (Some(base), TargetContent::Note(before)) => merge::note(base, &proposal.note, before)?,
        _ => proposal.note.clone(),
    };
    Some(TargetContent::Note(Box::new(note)))
}

impl<'a> UndoPass<'a> {
    fn of(chosen: &'a UndoSelection, journal: &dyn ReadJournal) -> Self {
        let is_complete = journal.is_complete();
        Self {
            chosen,
            past: UndoHistory {
                is_retired: chosen.is_retired,
                commits: chosen.commits.iter().copied().collect(),
                ..UndoHistory::default()
            },
            state: State::empty(),
            first_segment: journal.first().segment,
            is_ram_complete: is_complete,
            is_storage_complete: is_complete,
            written: BTreeSet::new(),
            proposed: BTreeMap::new(),
        }
    }

    fn take(&mut self, commit: &Commit) {
        let draft = &commit.draft;
        let is_chosen = self.chosen.commits.contains(&commit.seq);
        if let Some(run_id) = draft.cause.run_id.filter(|_| is_chosen) {
            self.past.runs.insert(run_id);
            if self.chosen.is_part(run_id) {
                self.past.parts.insert(run_id);
            }
        }
        for event in &draft.events {
            if let Event::Change(change) = event {
                self.follow(event, change.get(), draft, is_chosen);
            } else if let Event::NoteCarried(carried) = event {
                let id = carried.note.id;
                if self.chosen.places.contains(&ChangeTarget::Note { id }) {
                    self.past.newest.insert(id, carried.note.clone());
                    self.state.notes.put(carried.note.clone());
                    self.written.insert(ChangeTarget::Note { id });
                }
            } else if let Event::ProposalsChanged(ProposalsChanged::Made(proposal)) = event {
                let proposal = proposal.as_ref().clone();
                self.proposed.insert(proposal.number, proposal);
            } else if let Event::StorageCarried(_) = event {
                self.state.apply(event, draft.context());
            } else if let Event::StateCarried(carried) = event {
                self.state.main.ram = Ram::from_entries(carried.ram.clone());
                self.is_ram_complete = true;
                // Of `/storage` it carries only the paths that the journal from its first segment
                // on does not have.
                self.is_storage_complete |= carried.first_segment >= self.first_segment;
            }
        }
    }

    fn follow(&mut self, event: &Event, change: &Change, draft: &CommitDraft, is_chosen: bool) {
        let written = ChangeTarget::of(change);
        let place = self.place_made(written.clone());
        // `/storage` is followed as a whole, since its places contain one another.
        let is_stored = matches!(place, ChangeTarget::Storage { .. });
        if !is_stored && !self.chosen.places.contains(&place) {
            return;
        }
        let is_known = self.is_known(&place, change);
        let before = self.held(&place);
        self.state.apply(event, draft.context());
        if let Some(note) = change.note() {
            self.past.newest.insert(note.id, note.clone());
        }
        self.written.insert(written);
        if !is_chosen {
            return;
        }
        if !is_known {
            self.past.lost.insert(place.clone());
        }
        let after = match self.edited(draft) {
            Some(proposal) => as_proposed(proposal, &before).unwrap_or_else(|| self.held(&place)),
            None => self.held(&place),
        };
        self.past.steps.push(UndoStep {
            is_of_part: draft.cause.run_id.is_some_and(|it| self.chosen.is_part(it)),
            place,
            before,
            after,
        });
    }

    /// Returns the proposal that a person applied with changes, if a draft does that.
    fn edited(&self, draft: &CommitDraft) -> Option<&Proposal> {
        draft.events.iter().find_map(|event| {
            let Event::ProposalsChanged(ProposalsChanged::Decided(decided)) = event else {
                return None;
            };
            let is_edited = decided.verdict == Verdict::Edited;
            self.proposed.get(&decided.number).filter(|_| is_edited)
        })
    }

    /// Returns the uppermost place that a change creates, which may be a directory on its way.
    fn place_made(&self, place: ChangeTarget) -> ChangeTarget {
        let ChangeTarget::Storage { path } = &place else {
            return place;
        };
        let parts = path.parts();
        let ways = (1..parts.len()).filter_map(|length| parts.get(..length));
        let made = ways.into_iter().find(|way| !self.state.storage.has(way));
        match made {
            Some(way) => ChangeTarget::Storage {
                path: StorePath::storage(way.iter().cloned()),
            },
            None => place,
        }
    }

    /// Returns whether the value of a place just before a change is known.
    fn is_known(&self, place: &ChangeTarget, change: &Change) -> bool {
        match change {
            // A new note has no earlier value.
            Change::NoteCreated(_) => true,
            Change::NoteUpdated(_) | Change::NoteDeleted(_) => self.written.contains(place),
            Change::RamSet(_) | Change::RamDeleted(_) => {
                self.is_ram_complete || self.written.contains(place)
            }
            Change::StorageSet(_) | Change::StorageDeleted(_) => {
                self.is_storage_complete || self.written.contains(place)
            }
        }
    }

    fn held(&self, place: &ChangeTarget) -> TargetContent {
        let State {
            main,
            storage,
            notes,
            ..
        } = &self.state;
        TargetContent::held(place, &main.ram, storage, notes)
    }
}
