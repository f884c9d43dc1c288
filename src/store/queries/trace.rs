//! The trace of a run by commit: calls, instructions, refusals and effects.
//! Never writes. A run whose commits are retired in part is marked as such.

use super::runs::{Records, take_proposals};
use crate::core::agent::{ActionResult, LoopState};
use crate::core::journal::commit::{ActorType, Commit};
use crate::core::journal::event::{
    CallMade, InstructionDecided, ProposalsChanged, RamSet, StorageSet,
};
use crate::core::journal::{Change, Event};
use crate::core::notes::{Note, ShownNote, unified};
use crate::core::review::Proposals;
use crate::core::run::{Run, RunState, StopReason, Trigger, Usage};
use crate::core::undo::ChangeTarget;
use crate::failure::Code;
use crate::ids::{RuleId, RunId};
use crate::store::disk::Disk;
use crate::store::error::Error;
use crate::store::journal::{ReadJournal, reader};
use crate::time::Timestamp;
use serde::Serialize;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// A run with its commits.
#[derive(Clone, Debug, PartialEq)]
pub struct RunTrace {
    pub run: Run,
    /// The commits, in order.
    pub steps: Vec<TraceStep>,
    /// Whether some of its commits are retired.
    pub is_retired: bool,
    /// The number of its open proposals.
    pub waiting: usize,
}

/// One commit of a run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TraceStep {
    pub seq: u64,
    pub ts: Timestamp,
    pub actor_type: ActorType,
    /// The kind of cause: `trigger`, `run`, `iteration`, `calls`, `undo` or `review`.
    /// A commit that opened the run may also have `schedule`, or the cause of the change of a note.
    pub cause: String,
    /// The event that opened the run, if it is in this commit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub queued: Option<RunOpening>,
    /// The provider and the model, if the run started here or another one was asked from here on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<[String; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub iteration: Option<Iteration>,
    /// The calls that have more to report than their cost.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<CallMade>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub instructions: Vec<InstructionResult>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub effects: Vec<TraceEffect>,
    /// The end of the run, if it is in this commit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ended: Option<TraceEnd>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct RunOpening {
    pub trigger: Trigger,
    /// The rule, if one opened it.
    pub rule_id: Option<RuleId>,
}

/// The iteration of a commit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Iteration {
    /// The number, from 1.
    pub number: u32,
    pub state: LoopState,
    /// The milliseconds since the run's commit before.
    /// They include the pause between iterations and other waits.
    pub took_ms: u64,
    /// The calls and tokens that it took.
    pub usage: Usage,
    /// The SHA-256 over the SHA-256 of each message.
    pub messages_hash: String,
    pub shown: Vec<ShownNote>,
}

/// The outcome of an instruction, and the result that the model saw.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct InstructionResult {
    #[serde(flatten)]
    pub decided: InstructionDecided,
    /// The message in the next prompt; absent if there was none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

/// A change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TraceEffect {
    /// The name of the type of change in the journal.
    pub kind: String,
    /// The target: a key, a path or a note's id.
    pub target: String,
    /// The title, for a note.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The version after the change, for a note.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<u64>,
    /// The written value, for RAM and `/storage`; only in a trace.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<Value>,
    /// The unified diff from the version before, for a note; only in a trace.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub diff: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct TraceEnd {
    /// The final state: succeeded or failed.
    pub state: RunState,
    pub stop_reason: StopReason,
    /// The code of the error, if it failed.
    pub error_code: Option<Code>,
}

/// Returns the trace of a run; `None` if the kept journal does not have it.
pub fn trace_of(disk: &mut dyn Disk, id: RunId) -> Result<Option<RunTrace>, Error> {
    reader::read(disk, &mut |journal| {
        let mut records = Records::of(BTreeSet::from([id]));
        let mut steps: Vec<TraceStep> = Vec::new();
        let mut proposals = Proposals::default();
        journal.each_commit(&mut |commit| {
            records.take(commit);
            take_proposals(&mut proposals, commit);
            let queued = queued_in(commit, id);
            if commit.draft.cause.run_id == Some(id) || queued.is_some() {
                let before = steps.last().map(|step| step.ts);
                steps.push(step_of(commit, id, queued, before));
            }
        })?;
        add_diffs(journal, &mut steps)?;
        Ok(records.found.remove(&id).map(|run| RunTrace {
            is_retired: is_retired(&run, &steps),
            run,
            steps,
            waiting: proposals.waiting_of(id),
        }))
    })
}

/// Adds to each change of a note the diff from the version before, whoever wrote that.
fn add_diffs(journal: &mut dyn ReadJournal, steps: &mut [TraceStep]) -> Result<(), Error> {
    let effects = steps.iter().flat_map(|step| &step.effects);
    let targets = effects.filter(|effect| effect.version.is_some());
    let mut last: BTreeMap<String, Option<Note>> = targets
        .map(|effect| (effect.target.clone(), None))
        .collect();
    if last.is_empty() {
        return Ok(());
    }
    let mut steps = steps.iter_mut().peekable();
    journal.each_commit(&mut |commit| {
        while steps.next_if(|step| step.seq < commit.seq).is_some() {}
        let mut step = steps.next_if(|step| step.seq == commit.seq);
        for note in commit.draft.events.iter().filter_map(Event::note) {
            let target = note.id.to_string();
            let Some(before) = last.get_mut(&target) else {
                continue;
            };
            let is_it = |effect: &&mut TraceEffect| {
                effect.target == target && effect.version == Some(note.version)
            };
            let effects = step.iter_mut().flat_map(|step| &mut step.effects);
            if let Some(effect) = effects.into_iter().find(is_it) {
                effect.diff = Some(unified(before.as_ref(), note));
            }
            *before = Some(note.clone());
        }
    })
}

/// Returns whether the kept journal lacks commits of a run: the one that queued it, or iterations.
fn is_retired(run: &Run, steps: &[TraceStep]) -> bool {
    let iterations = steps.iter().filter(|step| step.iteration.is_some()).count();
    let is_queued = steps.first().map(|step| step.queued.is_some());
    is_queued != Some(true) || iterations != usize::try_from(run.loop_count).unwrap_or(usize::MAX)
}

/// Returns the opening of a run, if this commit has it.
fn queued_in(commit: &Commit, id: RunId) -> Option<RunOpening> {
    commit.draft.events.iter().find_map(|event| {
        let Event::RunQueued(queued) = event else {
            return None;
        };
        (queued.run.run_id == id).then_some(RunOpening {
            trigger: queued.run.trigger,
            rule_id: queued.run.rule_id,
        })
    })
}

fn step_of(
    commit: &Commit,
    id: RunId,
    queued: Option<RunOpening>,
    before: Option<Timestamp>,
) -> TraceStep {
    let draft = &commit.draft;
    let mut step = TraceStep {
        seq: commit.seq,
        ts: draft.ts,
        actor_type: draft.actor.actor_type,
        cause: draft.cause.kind.clone(),
        queued,
        model: None,
        iteration: None,
        calls: Vec::new(),
        instructions: Vec::new(),
        effects: Vec::new(),
        ended: None,
    };
    if draft.cause.run_id != Some(id) {
        // The other events are the cause of the run, and no part of it.
        return step;
    }
    let mut results: &[ActionResult] = &[];
    for event in &draft.events {
        if let Event::RunStarted(started) = event {
            step.model = Some([started.provider.clone(), started.model.clone()]);
        } else if let Event::IterationDone(done) = event {
            results = &done.results;
            step.iteration = Some(Iteration {
                number: done.iteration,
                state: done.state,
                took_ms: before.map_or(0, |before| before.millis_until(draft.ts)),
                usage: done.usage,
                messages_hash: done.messages_hash.clone(),
                shown: done.shown.clone(),
            });
        } else if let Event::CallMade(call) = event {
            step.calls.push(call.clone());
        } else if let Event::InstructionDecided(decided) = event {
            let mut seen = results.iter();
            let result = seen.find(|result| result.is_about(decided));
            step.instructions.push(InstructionResult {
                decided: decided.clone(),
                message: result
                    .map(|result| result.message.clone())
                    .filter(|message| !message.is_empty()),
            });
        } else if let Event::Change(change) = event {
            step.effects.push(TraceEffect::of_value(change.get()));
        } else if let Event::PrivateRamSet(set) = event {
            step.effects.push(TraceEffect::of_value(&set.change()));
        } else if let Event::PrivateRamDeleted(deleted) = event {
            step.effects.push(TraceEffect::of(&deleted.change()));
        } else if let Event::ProposalsChanged(changed) = event {
            step.effects.extend(TraceEffect::of_proposal(changed));
        } else if let Event::RunEnded(ended) = event {
            step.ended = Some(TraceEnd {
                state: ended.state,
                stop_reason: ended.stop_reason,
                error_code: ended.error_code,
            });
        }
    }
    step
}

impl TraceEffect {
    /// Returns the effect of a change, with the value that it put into RAM or `/storage`.
    fn of_value(change: &Change) -> Self {
        let value = if let Change::RamSet(RamSet { value, .. })
        | Change::StorageSet(StorageSet { value, .. }) = change
        {
            Some(value.clone())
        } else {
            None
        };
        Self {
            value,
            ..Self::of(change)
        }
    }

    /// Returns the effect of a change of proposals: a new one, or a person's decision.
    fn of_proposal(changed: &ProposalsChanged) -> Option<Self> {
        let (kind, number, title) = match changed {
            ProposalsChanged::Made(proposal) => {
                let title = proposal.note.title.clone();
                ("made", proposal.number, Some(title))
            }
            ProposalsChanged::Decided(decided) => (decided.verdict.name(), decided.number, None),
            ProposalsChanged::Carried(_) => return None,
        };
        Some(Self {
            kind: format!("proposal.{kind}"),
            target: number.to_string(),
            title,
            version: None,
            value: None,
            diff: None,
        })
    }

    pub fn of(change: &Change) -> Self {
        let note = change.note();
        Self {
            kind: change.type_name().to_owned(),
            target: ChangeTarget::of(change).to_string(),
            title: note.map(|note| note.title.clone()),
            version: note.map(|note| note.version),
            value: None,
            diff: None,
        }
    }
}
