//! All runs of the kept journal, also those that the state no longer holds; their iterations, their
//! retained replies, and the slots of schedules that should have opened some. Never writes.
//!
//! For a page of runs, the checkpoint is read first. At most two passes over the whole journal
//! follow: one that keeps a few bytes of each run, to count and sort them, and one for the records
//! of the shown part.

use super::audit::{AuditEntry, entries_of};
use crate::core::automation::{Reconciler, SlotReconciliation};
use crate::core::journal::event::KeptReply;
use crate::core::journal::{Commit, Event, State, change_run};
use crate::core::review::Proposals;
use crate::core::run::{Run, RunState};
use crate::ids::{RuleId, RunId};
use crate::store::disk::Disk;
use crate::store::error::Error;
use crate::store::journal::recover;
use crate::store::journal::{
    ReadJournal,
    reader::{self, SegmentReader, read_range},
};
use crate::time::Timestamp;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

#[derive(Clone, Debug, PartialEq)]
pub struct RunPage {
    /// The runs of the page: open runs first, then finished ones, each part newest first.
    pub runs: Vec<Run>,
    /// The number of matching runs in all.
    pub total: usize,
    /// The open proposals of all runs.
    pub proposals: Proposals,
    /// The ids of all runs, in any state.
    pub ids: Vec<RunId>,
}

/// A run with the outcomes of its instructions.
#[derive(Clone, Debug, PartialEq)]
pub struct AuditedRun {
    pub run: Run,
    /// The outcome of each instruction.
    pub operations: Vec<AuditEntry>,
    /// The number of its open proposals.
    pub waiting: usize,
}

/// The selection of runs for a page.
#[derive(Clone, Copy, Debug)]
pub struct RunQuery {
    /// The wanted state; all states if absent.
    pub state: Option<RunState>,
    /// The number of runs to skip.
    pub offset: usize,
    /// The most runs to return.
    pub limit: usize,
}

/// Returns a page of the runs of the kept journal, newest first.
pub fn runs_page(disk: &mut dyn Disk, query: RunQuery) -> Result<RunPage, Error> {
    read_range(disk, &mut |disk| runs_page_once(disk, query))
}

fn runs_page_once(disk: &mut dyn Disk, query: RunQuery) -> Result<RunPage, Error> {
    let replayed = recover::replay(disk, Path::new(""))?;
    let first = replayed.segments.first;
    let mut journal = SegmentReader { disk, first };
    let (known, proposals) = (replayed.state.runs, replayed.state.proposals);
    let is_wanted = |state| query.state.is_none_or(|wanted| wanted == state);
    let (ids, wanted): (_, Vec<RunId>) = if known.is_complete() {
        let runs = known.newest_first().filter(|run| is_wanted(run.state));
        let wanted = runs.map(|run| run.run_id).collect();
        (known.newest_first().map(|run| run.run_id).collect(), wanted)
    } else {
        let index = RunIndex::of(&mut journal)?;
        (index.newest_first(|_| true), index.newest_first(is_wanted))
    };
    let page = || wanted.iter().skip(query.offset).take(query.limit);
    let missing = page().filter(|id| known.get(**id).is_none());
    let missing: BTreeSet<RunId> = missing.copied().collect();
    let mut found = BTreeMap::new();
    if !missing.is_empty() {
        found = records(&mut journal, missing)?;
    }
    let runs = page().filter_map(|id| known.get(*id).cloned().or_else(|| found.remove(id)));
    Ok(RunPage {
        runs: runs.collect(),
        total: wanted.len(),
        proposals,
        ids,
    })
}

/// Returns the ids of all runs of the kept journal.
pub fn run_ids(disk: &mut dyn Disk) -> Result<Vec<RunId>, Error> {
    let query = RunQuery {
        state: None,
        offset: 0,
        limit: 0,
    };
    Ok(runs_page(disk, query)?.ids)
}

/// Returns a run of the kept journal with the outcome of each of its instructions.
pub fn run_with_audit(disk: &mut dyn Disk, id: RunId) -> Result<Option<AuditedRun>, Error> {
    reader::read(disk, &mut |journal| {
        let mut records = Records::of(BTreeSet::from([id]));
        let mut entries = Vec::new();
        let mut proposals = Proposals::default();
        journal.each_commit(&mut |commit| {
            records.take(commit);
            take_proposals(&mut proposals, commit);
            if commit.draft.cause.run_id == Some(id) {
                let entries_of_it = entries_of(commit).into_iter();
                // The record has the end of the run.
                entries.extend(entries_of_it.filter(|entry| entry.op != "run.ended"));
            }
        })?;
        let run = records.found.remove(&id);
        Ok(run.map(|run| AuditedRun {
            run,
            operations: entries,
            waiting: proposals.waiting_of(id),
        }))
    })
}

/// Applies the changes of proposals in a commit.
pub(super) fn take_proposals(proposals: &mut Proposals, commit: &Commit) {
    for event in &commit.draft.events {
        if let Event::ProposalsChanged(changed) = event {
            changed.apply(proposals);
        }
    }
}

/// Returns the record of a run of the kept journal.
pub(crate) fn run_of(journal: &mut dyn ReadJournal, id: RunId) -> Result<Option<Run>, Error> {
    Ok(records(journal, BTreeSet::from([id]))?.remove(&id))
}

fn records(
    journal: &mut dyn ReadJournal,
    wanted: BTreeSet<RunId>,
) -> Result<BTreeMap<RunId, Run>, Error> {
    let mut records = Records::of(wanted);
    journal.each_commit(&mut |commit| records.take(commit))?;
    Ok(records.found)
}

/// The records of some runs, collected during a pass over the journal.
pub(super) struct Records {
    wanted: BTreeSet<RunId>,
    pub(super) found: BTreeMap<RunId, Run>,
}

impl Records {
    pub(super) const fn of(wanted: BTreeSet<RunId>) -> Self {
        Self {
            wanted,
            found: BTreeMap::new(),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.wanted.is_empty()
    }

    pub(super) fn take(&mut self, commit: &Commit) {
        for event in &commit.draft.events {
            if let Event::RunQueued(queued) = event {
                self.put(&queued.run);
            } else if let Event::RunRetried(retried) = event {
                self.put(&retried.run);
            } else if let Event::StateCarried(carried) = event {
                // A carried record is complete up to that time.
                carried.runs.iter().for_each(|run| self.put(run));
            } else if let Some(run) = event.run_id().and_then(|id| self.found.get_mut(&id)) {
                change_run(run, event);
            }
        }
    }

    fn put(&mut self, run: &Run) {
        if self.wanted.contains(&run.run_id) {
            self.found.insert(run.run_id, run.clone());
        }
    }
}

/// The rank of a run among all: the number of the commit, and the position in it.
type Rank = (u64, usize);

/// The facts that the first pass keeps of a run.
struct RunIndexEntry {
    rank: Rank,
    state: RunState,
    /// Whether the kept journal has the event that opened it. Without that, there is no record.
    has_record: bool,
}

/// The index of all runs of the kept journal.
#[derive(Default)]
struct RunIndex {
    runs: BTreeMap<RunId, RunIndexEntry>,
}

impl RunIndex {
    fn of(journal: &mut dyn ReadJournal) -> Result<Self, Error> {
        let mut index = Self::default();
        journal.each_commit(&mut |commit| {
            for (position, event) in commit.draft.events.iter().enumerate() {
                index.take(event, (commit.seq, position));
            }
        })?;
        Ok(index)
    }

    fn take(&mut self, event: &Event, rank: Rank) {
        if let Event::RunQueued(queued) = event {
            self.put(&queued.run, rank);
        } else if let Event::RunRetried(retried) = event {
            let entry = RunIndexEntry {
                rank,
                state: retried.run.state,
                has_record: true,
            };
            self.runs.insert(retried.run.run_id, entry);
        } else if let Event::StateCarried(carried) = event {
            // A run that is new here is older than all known ones.
            for (position, run) in carried.runs.iter().enumerate() {
                self.put(run, (0, position));
            }
        } else if let Event::RunStarted(started) = event {
            if let Some(entry) = self.runs.get_mut(&started.run_id) {
                entry.state = RunState::Running;
            }
        } else if let Event::RunEnded(ended) = event {
            let known = self.runs.get(&ended.run_id);
            let entry = RunIndexEntry {
                rank,
                state: ended.state,
                has_record: known.is_some_and(|entry| entry.has_record),
            };
            self.runs.insert(ended.run_id, entry);
        }
    }

    fn put(&mut self, run: &Run, rank: Rank) {
        let state = run.state;
        let entry = self.runs.entry(run.run_id).or_insert(RunIndexEntry {
            rank,
            state,
            has_record: true,
        });
        entry.has_record = true;
    }

    /// Returns the runs in wanted states: open ones first, each part newest first.
    fn newest_first(&self, is_wanted: impl Fn(RunState) -> bool) -> Vec<RunId> {
        let runs = self.runs.iter();
        let wanted = runs.filter(|(_, entry)| entry.has_record && is_wanted(entry.state));
        let mut wanted: Vec<(bool, Rank, RunId)> = wanted
            .map(|(id, entry)| {
                let is_open = matches!(entry.state, RunState::Queued | RunState::Running);
                (is_open, entry.rank, *id)
            })
            .collect();
        wanted.sort_unstable_by(|one, other| other.cmp(one));
        wanted.into_iter().map(|(_, _, id)| id).collect()
    }
}

/// Passes each iteration of a run to `show` with the state before its commit.
/// Returns `false` if the beginning of the journal is retired, so that the states are unknown.
pub fn each_iteration(
    disk: &mut dyn Disk,
    run_id: RunId,
    show: &mut dyn FnMut(&State, &Commit),
) -> Result<bool, Error> {
    reader::read(disk, &mut |journal| {
        if !journal.is_complete() {
            return Ok(false);
        }
        let mut state = State::empty();
        journal.each_commit(&mut |commit| {
            let cause = &commit.draft.cause;
            if cause.run_id == Some(run_id) && cause.iteration.is_some() {
                show(&state, commit);
            }
            state.apply_draft(&commit.draft);
        })?;
        Ok(true)
    })
}

/// The retained replies of one run, in their order.
#[derive(Clone, Debug, PartialEq)]
pub struct RetainedRun {
    /// The rule that opened it, if one did and the kept journal has that commit.
    pub rule_id: Option<RuleId>,
    pub replies: Vec<KeptReply>,
}

/// Returns the runs with retained replies, oldest first.
pub fn retained_runs(disk: &mut dyn Disk) -> Result<Vec<RetainedRun>, Error> {
    reader::read(disk, &mut |journal| {
        let mut rules: BTreeMap<RunId, RuleId> = BTreeMap::new();
        let mut places: BTreeMap<RunId, usize> = BTreeMap::new();
        let mut runs: Vec<RetainedRun> = Vec::new();
        journal.each_commit(&mut |commit| {
            for event in &commit.draft.events {
                if let Event::RunQueued(queued) = event {
                    let run = &queued.run;
                    rules.extend(run.rule_id.map(|rule_id| (run.run_id, rule_id)));
                } else if let Event::ConversationKept(kept) = event {
                    let place = *places.entry(kept.run_id).or_insert_with(|| {
                        runs.push(RetainedRun {
                            rule_id: rules.get(&kept.run_id).copied(),
                            replies: Vec::new(),
                        });
                        runs.len() - 1
                    });
                    if let Some(run) = runs.get_mut(place) {
                        run.replies.push(kept.reply.clone());
                    }
                }
            }
        })?;
        Ok(runs)
    })
}

/// Derives the slots in `(from, to]` from the journal, and compares them with their records.
pub fn reconcile(
    disk: &mut dyn Disk,
    from: Timestamp,
    to: Timestamp,
) -> Result<SlotReconciliation, Error> {
    let slots = reader::read(disk, &mut |journal| {
        let mut slots = Reconciler::of(journal.first().segment > 1);
        journal.each_commit(&mut |commit| {
            for event in &commit.draft.events {
                if let Event::SchedulesTaken(taken) = event {
                    slots.take(taken, commit.draft.ts);
                } else if let Event::SlotsRecorded(recorded) = event {
                    slots.record(recorded);
                } else if let Event::StateCarried(carried) = event {
                    slots.carry(&carried.schedule_cursor);
                }
            }
        })?;
        Ok(slots)
    })?;
    Ok(slots.reconcile(from, to))
}
