//! Takes back what runs did to notes, RAM and `/storage`.
//!
//! Conflicts are reported, and then nothing changes; else the undo is one change by a person.

use super::change::{change_by_part, without_change};
use super::runs::{NamedRun, run_id_of};
use super::session::{Session, disk_of, now};
use crate::core::guard::Guard;
use crate::core::journal::event::ProposalsChanged;
use crate::core::journal::{Cause, Event, State, UNDO};
use crate::core::memory::MemoryPolicy;
use crate::core::review::{Proposal, ProposalDecision};
use crate::core::undo::{self as core_undo, Conflict};
use crate::daemon::{ChangeContext, DraftParts, unknown_run};
use crate::failure::{Code, Failure};
use crate::ids::RunId;
use crate::store::{TraceEffect, UndoHistory, UndoScope, past_of};
use crate::time::Timestamp;
use serde::Serialize;
use std::collections::BTreeSet;

/// Takes back what a run did. A dry run only reports what would happen.
pub fn of_run(
    session: &Session,
    NamedRun { run }: &NamedRun,
    dry_run: bool,
) -> Result<UndoReport, Failure> {
    session.checked_disk()?;
    take_back(session, UndoScope::Run(run_id_of(session, run)?), dry_run)
}

/// Takes back what runs did since a time. A dry run only reports what would happen.
pub fn since(session: &Session, since: Timestamp, dry_run: bool) -> Result<UndoReport, Failure> {
    if since > now() {
        let failure = Failure::new(Code::Usage, "--since names a time that has not come yet");
        return Err(failure);
    }
    take_back(session, UndoScope::Since(since), dry_run)
}

fn take_back(session: &Session, undone: UndoScope, dry_run: bool) -> Result<UndoReport, Failure> {
    let root = session.root().to_owned();
    let decide = move |cx: &mut ChangeContext<'_>| {
        let past = past_of(&mut disk_of(&root)?, undone)?;
        let memory = &cx.config.memory;
        undo(&past, undone, cx.state, &cx.guard, memory, cx.now)
    };
    if !dry_run {
        return change_by_part(session, decide);
    }
    let config = session.load()?.config;
    let (_, report) = without_change(session, &config, decide)?;
    Ok(UndoReport {
        dry_run,
        undone_at: None,
        ..report
    })
}

/// The report of an undo.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct UndoReport {
    /// Whether it is a dry run, which changes nothing.
    pub dry_run: bool,
    pub commits: Vec<u64>,
    /// The runs whose earlier iterations stand.
    ///
    /// Their requests are not opened again, and the work that they had left is not left again.
    pub runs_in_part: BTreeSet<RunId>,
    /// The changes of the undo; none where there is a conflict.
    pub changes: Vec<TraceEffect>,
    /// The time since which to take changes back in order to undo this undo.
    ///
    /// Absent where nothing happens.
    pub undone_at: Option<Timestamp>,
    /// The undecided proposals that are withdrawn with the run that made them.
    ///
    /// They do not come back when the undo is undone.
    pub withdrawn: Vec<u64>,
    /// The loop's own keys that were written since: the later value stands.
    pub kept: BTreeSet<String>,
    /// `VERSION_CONFLICT` where there is a conflict.
    pub code: Option<Code>,
    /// The conflicts, each of which forbids the undo.
    pub conflicts: Vec<Conflict>,
}

/// Returns the changes that take something past back, for one commit.
///
/// # Errors
/// `RUN_NOT_FOUND`; `RUN_NOT_FINISHED` for a run that is queued or under way; `HISTORY_RETIRED`
/// where the kept journal lacks a part; the guard's.
pub fn undo(
    past: &UndoHistory,
    undone: UndoScope,
    state: &State,
    guard: &Guard<'_>,
    memory: &MemoryPolicy,
    now: Timestamp,
) -> Result<(DraftParts, UndoReport), Failure> {
    let is_open = |run_id: &RunId| {
        let run = state.runs.get(*run_id);
        run.is_some_and(|run| !run.is_finished())
    };
    let (asked, cause) = match undone {
        UndoScope::Run(run_id) => (Some(run_id), Cause::run(UNDO, run_id)),
        UndoScope::Since(_) => (None, Cause::plain(UNDO)),
    };
    if let Some(open) = asked.iter().chain(&past.runs).find(|run| is_open(run)) {
        let message = format!("run {open} has not ended");
        return Err(Failure::new(Code::RunNotFinished, message));
    }
    if let Some(run_id) = asked
        && past.commits.is_empty()
        && !state.runs.knows(run_id)
    {
        return Err(unknown_run(run_id));
    }
    if past.is_retired || !past.lost.is_empty() {
        let places: Vec<String> = past.lost.iter().map(ToString::to_string).collect();
        let places = if places.is_empty() {
            String::new()
        } else {
            format!(": what stood before in {}", places.join(", "))
        };
        let message = format!("the kept journal does not tell everything{places}");
        return Err(Failure::new(Code::HistoryRetired, message));
    }
    let mut guard = guard.clone().of_undo();
    let taken = core_undo::take_back(state, &past.steps, &past.newest, &mut guard, memory, now)?;
    let is_withdrawn = |proposal: &&Proposal| match undone {
        UndoScope::Run(run_id) => proposal.run_id == run_id,
        UndoScope::Since(since) => proposal.made_at >= since,
    };
    let withdrawn: Vec<u64> = if taken.conflicts.is_empty() {
        let pending = state.proposals.pending().filter(is_withdrawn);
        pending.map(|proposal| proposal.number).collect()
    } else {
        Vec::new()
    };
    let changes = taken.changes.iter().map(|it| TraceEffect::of(it.get()));
    let report = UndoReport {
        dry_run: false,
        undone_at: (!taken.changes.is_empty()).then_some(now),
        commits: past.commits.clone(),
        runs_in_part: past.parts.clone(),
        changes: changes.collect(),
        withdrawn,
        kept: taken.kept,
        code: (!taken.conflicts.is_empty()).then_some(Code::VersionConflict),
        conflicts: taken.conflicts,
    };
    let mut part = DraftParts::of(&cause, taken.changes);
    part.events.extend(report.withdrawn.iter().map(|number| {
        let decided = ProposalDecision::withdrawn(*number);
        Event::ProposalsChanged(ProposalsChanged::Decided(decided))
    }));
    Ok((part, report))
}
