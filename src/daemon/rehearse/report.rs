//! The report of rehearsed days, counted from the journal that they left.

use super::stage::DelayedCalls;
use crate::core::automation::{Reconciler, Rule, SlotOutcome, SlotReconciliation, SlotSpan};
use crate::core::journal::commit::ActorType;
use crate::core::journal::event::{
    InstructionDecided, InstructionOutcome, ProposalsChanged, RunEnded,
};
use crate::core::journal::{Change, Commit, Event};
use crate::core::run::{Run, RunState, Runs, Trigger, Usage};
use crate::failure::Code;
use crate::ids::{RuleId, RunId};
use crate::limits::SLOTS_COUNTED_MAX;
use crate::time::Timestamp;
use serde::Serialize;
use std::collections::BTreeMap;

/// The origin of a run: a rule, or another trigger by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum RunOrigin {
    Rule(RuleId),
    Other(&'static str),
}

impl Default for RunOrigin {
    fn default() -> Self {
        Self::Other(name_of(Trigger::Idle))
    }
}

impl RunOrigin {
    pub(super) fn of(run: &Run) -> Self {
        run.rule_id
            .map_or_else(|| Self::Other(name_of(run.trigger)), Self::Rule)
    }
}

/// Returns the name of a trigger in run records, for runs that no rule opened.
const fn name_of(trigger: Trigger) -> &'static str {
    match trigger {
        Trigger::Start => "start",
        Trigger::Request => "request",
        Trigger::Manual => "manual",
        Trigger::Edit => "edit",
        Trigger::Idle => "idle",
        Trigger::Cron => "cron",
        Trigger::NoteChanged => "note_changed",
        Trigger::NoteCreated => "note_created",
        Trigger::NoteDeleted => "note_deleted",
    }
}

/// The outcomes of a schedule's slots, as numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Slots {
    /// The slots that opened a run when they came.
    pub ran: u64,
    /// The slots that opened a run later.
    pub caught_up: u64,
    /// The slots that a later slot stood for.
    pub coalesced: u64,
    pub missed: u64,
    pub skipped: BTreeMap<String, u64>,
}

impl Slots {
    fn add(&mut self, span: &SlotSpan) {
        let uncounted = u64::try_from(SLOTS_COUNTED_MAX).unwrap_or(u64::MAX);
        let count = span.count.unwrap_or(uncounted);
        *match &span.outcome {
            SlotOutcome::Ran { .. } => &mut self.ran,
            SlotOutcome::CaughtUp { .. } => &mut self.caught_up,
            SlotOutcome::Coalesced { .. } => &mut self.coalesced,
            SlotOutcome::Missed { .. } => &mut self.missed,
            SlotOutcome::Skipped { reason } => self.skipped.entry(reason.clone()).or_default(),
        } += count;
    }
}

/// The ends of runs, as numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct RunEnds {
    pub succeeded: u64,
    pub failed: BTreeMap<Code, u64>,
    /// The runs that did not end in these days.
    pub open: u64,
}

/// The numbers of writes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Writes {
    /// The notes that were created, changed and deleted.
    pub notes: u64,
    pub ram: u64,
    /// The changes of `/storage`.
    pub storage: u64,
    /// The changes of notes that wait for a person.
    pub proposals: u64,
}

/// The results of one rule, or of all of them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct RunTotals {
    pub fires: u64,
    pub slots: Slots,
    /// The events of notes that it waited for but that opened no run, by error code.
    pub not_opened: BTreeMap<Code, u64>,
    /// The ends of its runs, those included that were open before.
    pub runs: RunEnds,
    pub writes: Writes,
    pub refusals: BTreeMap<Code, u64>,
    pub ignored: u64,
    pub held: BTreeMap<Code, DelayedCalls>,
    pub iterations: u64,
    /// The calls, and their tokens as far as they are known.
    pub usage: Usage,
    /// The time for which its runs were under way, in milliseconds.
    pub busy_ms: u64,
}

impl RunTotals {
    fn decided(&mut self, decided: &InstructionDecided) {
        match (decided.outcome, decided.code) {
            (InstructionOutcome::Applied, _) => {
                self.writes.ram += u64::from(decided.op.starts_with("ram_"));
            }
            (InstructionOutcome::Rejected, Some(code)) => {
                *self.refusals.entry(code).or_default() += 1;
            }
            (InstructionOutcome::Rejected, None) | (InstructionOutcome::Ignored, _) => {
                self.ignored += 1;
            }
        }
    }

    const fn changed(&mut self, change: &Change) {
        match change {
            Change::NoteCreated(_) | Change::NoteUpdated(_) | Change::NoteDeleted(_) => {
                self.writes.notes += 1;
            }
            Change::StorageSet(_) | Change::StorageDeleted(_) => self.writes.storage += 1,
            // Its instruction is counted; nobody asked for what the loop itself keeps there.
            Change::RamSet(_) | Change::RamDeleted(_) => {}
        }
    }

    fn ended(&mut self, ended: &RunEnded, started_at: Option<Timestamp>) {
        match (ended.state, ended.error_code) {
            (RunState::Failed, code) => {
                let code = code.unwrap_or(Code::Internal);
                *self.runs.failed.entry(code).or_default() += 1;
            }
            (RunState::Succeeded | RunState::Queued | RunState::Running, _) => {
                self.runs.succeeded += 1;
            }
        }
        let took_ms = started_at.map_or(0, |at| at.millis_until(ended.completed_at));
        self.busy_ms = self.busy_ms.saturating_add(took_ms);
    }
}

/// The results of a rule of the file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RuleTotals {
    pub rule_id: RuleId,
    pub trigger: &'static str,
    pub enabled: bool,
    #[serde(flatten)]
    pub part: RunTotals,
}

/// The results of runs that no rule opened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OtherTotals {
    pub trigger: &'static str,
    #[serde(flatten)]
    pub part: RunTotals,
}

/// The report of a rehearsal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RehearsalReport {
    /// The time after which it begins.
    pub from: Timestamp,
    pub to: Timestamp,
    /// Whether it ended before the time that was asked for.
    pub interrupted: bool,
    pub call_ms: u64,
    /// The replies that the built-in script gave where none was retained.
    pub made_up: u64,
    /// The results of the rules, in the order of their file.
    pub rules: Vec<RuleTotals>,
    /// The results of runs that no rule opened.
    pub others: Vec<OtherTotals>,
    pub total: RunTotals,
    /// The slots of the days, derived again from the schedules and compared with their records.
    pub reconciled: SlotReconciliation,
}

/// A run, as far as the count needs it.
#[derive(Clone, Copy, Debug)]
struct CountedRun {
    who: RunOrigin,
    started_at: Option<Timestamp>,
    is_open: bool,
}

/// A count of the commits of a journal.
#[derive(Debug)]
pub(super) struct Tally {
    parts: BTreeMap<RunOrigin, RunTotals>,
    total: RunTotals,
    runs: BTreeMap<RunId, CountedRun>,
    journal: Reconciler,
}

impl Tally {
    /// Makes a count with nothing in it; these runs are open already.
    pub(super) fn after(runs: &Runs) -> Self {
        let known = runs.open().map(|run| {
            let known = CountedRun {
                who: RunOrigin::of(run),
                started_at: run.started_at,
                is_open: true,
            };
            (run.run_id, known)
        });
        Self {
            parts: BTreeMap::new(),
            total: RunTotals::default(),
            runs: known.collect(),
            journal: Reconciler::default(),
        }
    }

    /// Counts something for one origin of runs, and for all of them.
    fn count(&mut self, who: RunOrigin, count: impl Fn(&mut RunTotals)) {
        count(self.parts.entry(who).or_default());
        count(&mut self.total);
    }

    fn who(&self, run_id: Option<RunId>) -> RunOrigin {
        let known = run_id.and_then(|run_id| self.runs.get(&run_id));
        known.map_or_else(RunOrigin::default, |known| known.who)
    }

    pub(super) fn take(&mut self, commit: &Commit) {
        for event in &commit.draft.events {
            // The run may begin in this commit.
            let who = self.who(commit.draft.cause.run_id);
            if let Event::InstructionDecided(decided) = event {
                self.count(who, |part| part.decided(decided));
            } else if let Event::Change(change) = event
                && commit.draft.actor.actor_type == ActorType::Agent
            {
                self.count(who, |part| part.changed(change.get()));
            } else if let Event::ProposalsChanged(ProposalsChanged::Made(_)) = event {
                self.count(who, |part| part.writes.proposals += 1);
            } else if let Event::IterationDone(done) = event {
                self.count(who, |part| {
                    part.iterations += 1;
                    part.usage.add(done.usage);
                });
            } else if let Event::RuleSkipped(skipped) = event {
                self.count(RunOrigin::Rule(skipped.rule_id), |part| {
                    *part.not_opened.entry(skipped.code).or_default() += skipped.count;
                });
            } else {
                self.take_passing(event, commit.draft.ts);
            }
        }
    }

    /// Counts the beginning and the end of a run, and slots.
    fn take_passing(&mut self, event: &Event, ts: Timestamp) {
        if let Event::RunQueued(queued) = event {
            let known = CountedRun {
                who: RunOrigin::of(&queued.run),
                started_at: None,
                is_open: true,
            };
            self.runs.insert(queued.run.run_id, known);
            self.count(known.who, |part| part.fires += 1);
        } else if let Event::RunStarted(started) = event {
            if let Some(known) = self.runs.get_mut(&started.run_id) {
                known.started_at = Some(started.started_at);
            }
        } else if let Event::RunEnded(ended) = event {
            let started_at = self.runs.get_mut(&ended.run_id).and_then(|known| {
                known.is_open = false;
                known.started_at
            });
            let who = self.who(Some(ended.run_id));
            self.count(who, |part| part.ended(ended, started_at));
        } else if let Event::SchedulesTaken(taken) = event {
            self.journal.take(taken, ts);
        } else if let Event::SlotsRecorded(recorded) = event {
            self.count(RunOrigin::Rule(recorded.rule_id), |part| {
                recorded.spans.iter().for_each(|span| part.slots.add(span));
            });
            self.journal.record(recorded);
        }
    }

    /// Adds the calls that were held back, which the journal does not have.
    pub(super) fn add_held(&mut self, held: BTreeMap<RunOrigin, BTreeMap<Code, DelayedCalls>>) {
        for (who, held) in held {
            for (code, more) in &held {
                self.total.held.entry(*code).or_default().add(*more);
            }
            self.parts.entry(who).or_default().held = held;
        }
    }

    /// Returns the report, with the rules in the order of their file.
    pub(super) fn report(
        mut self,
        rules: &[Rule],
        from: Timestamp,
        to: Timestamp,
    ) -> RehearsalReport {
        let open = self.runs.values().filter(|known| known.is_open);
        let open: Vec<RunOrigin> = open.map(|known| known.who).collect();
        for who in open {
            self.count(who, |part| part.runs.open += 1);
        }
        let rule_part = |rule: &Rule| RuleTotals {
            rule_id: rule.rule_id,
            trigger: rule.trigger.name(),
            enabled: rule.enabled,
            part: self
                .parts
                .remove(&RunOrigin::Rule(rule.rule_id))
                .unwrap_or_default(),
        };
        let rules = rules.iter().map(rule_part).collect();
        let others = self.parts.into_iter().map(|(who, part)| OtherTotals {
            trigger: match who {
                RunOrigin::Other(name) => name,
                // It was open since before the rule was removed from the file.
                RunOrigin::Rule(_) => "a rule that is gone",
            },
            part,
        });
        RehearsalReport {
            from,
            to,
            interrupted: false,
            call_ms: 0,
            made_up: 0,
            rules,
            others: others.collect(),
            total: self.total,
            reconciled: self.journal.reconcile(from, to),
        }
    }
}
