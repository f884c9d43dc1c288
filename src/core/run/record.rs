//! The run record: what opened a run, its progress, its usage, its answer and its end.

use crate::core::is_default;
use crate::core::memory::Ram;
use crate::core::memory::ram::{CONTEXT, with_request};
use crate::core::prompt::{Mode, Window};
use crate::core::route::Cost;
use crate::core::steps::check::facts_of;
use crate::failure::Code;
use crate::ids::{AgentId, EventId, NoteId, RuleId, RunId};
use crate::limits::REFUSALS_REMEMBERED;
use crate::time::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The state of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum RunState {
    /// The run waits for the runs before it.
    Queued,
    /// The run is in progress; it survives restarts.
    Running,
    /// The run ended with success, its effects committed.
    Succeeded,
    /// The run ended with an error recorded.
    Failed,
}

impl RunState {
    /// Every state, in the order of a run's life.
    pub const ALL: [Self; 4] = [Self::Queued, Self::Running, Self::Succeeded, Self::Failed];

    /// Returns the name that records use.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Queued => "Queued",
            Self::Running => "Running",
            Self::Succeeded => "Succeeded",
            Self::Failed => "Failed",
        }
    }
}

/// The kind of event that opened a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Trigger {
    /// The loop itself, where it runs without a bound.
    Start,
    /// A person's request.
    Request,
    /// A launch by hand without a request.
    Manual,
    /// A person's edit of the KV file while the loop was idle.
    Edit,
    /// A period without work.
    Idle,
    /// A time of a rule's schedule.
    Cron,
    /// The creation or update of a note, for a rule that awaits either.
    NoteChanged,
    /// The creation of a note.
    NoteCreated,
    /// The deletion of a note.
    NoteDeleted,
}

impl Trigger {
    /// Returns whether the same event can be submitted a second time.
    /// The other events are identified by a commit number, a note version or a slot, and each of
    /// these occurs once.
    pub const fn may_come_again(self) -> bool {
        matches!(self, Self::Request | Self::Manual)
    }
}

/// The reason why a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StopReason {
    /// Work was done and nothing is pending.
    Done,
    /// Work was done, and some of it waits for a person.
    PendingReview,
    /// There was nothing to do.
    NothingToDo,
    /// It was an idle run and was ended for a requested one.
    Preempted,
    /// It reached the bound of iterations.
    MaxIterations,
    /// It failed; the error code says why.
    Error,
}

/// A refused instruction that the run has not made up for yet.
/// It is resolved when the same operation on the same target is applied later in the run, or when
/// the note that it was refused for is updated.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpenRefusal {
    /// The tag of the instruction.
    pub op: String,
    /// The target of the instruction.
    pub target: String,
    /// The reason for the refusal.
    pub code: Code,
    /// The note that already has the content, where that was the reason.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instead: Option<NoteId>,
}

/// A refused instruction and how often it was refused.
/// Two refusals with equal operation, target and reason count as one, whatever else the
/// instructions contain.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RefusedInstruction {
    /// The tag of the instruction.
    pub op: String,
    /// The target of the instruction, or the problem if the instruction could not be read.
    pub target: String,
    /// The reason for the refusal.
    pub code: Code,
    /// The number of iterations in which it was refused.
    pub times: u32,
}

/// The applied effects of a run, from which its verdict is computed.
/// The model's own claims do not count.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a fact of its own, and the journal holds them by name"
)]
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Progress {
    /// Whether a note or a RAM key other than `think_log` was changed in this run.
    pub changed: bool,
    /// Whether such a change or a step was made since the last evaluating iteration.
    pub changed_in_cycle: bool,
    /// Whether a change of a note waits for a person's decision.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub proposed: bool,
    /// The number of steps that needed no change.
    /// Such a step answers a question or repeats the content of notes.
    #[serde(default, skip_serializing_if = "is_default")]
    pub settled: u32,
    /// Whether it is not sure that the request asks for what was done.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unsure: bool,
    /// The facts of the request that the applied effects show.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shown: Vec<String>,
    /// The number of times that the model was asked again because facts of the request were missing.
    #[serde(default, skip_serializing_if = "is_default")]
    pub asked_again: u32,
    /// The refusals that are still open.
    #[serde(rename = "unsettled")]
    pub open_refusals: Vec<OpenRefusal>,
    /// The refused instructions that were not applied since, the newest last.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub refused: Vec<RefusedInstruction>,
    /// The number of iterations in a row that changed nothing and repeated refused instructions.
    #[serde(rename = "in_vain", default, skip_serializing_if = "is_default")]
    pub no_progress_streak: u32,
}

impl Progress {
    /// Records a change.
    pub const fn note_change(&mut self) {
        self.changed = true;
        self.changed_in_cycle = true;
    }

    /// Records that a step is finished, with or without a change.
    pub const fn note_step(&mut self) {
        self.changed_in_cycle = true;
    }

    /// Returns how often an instruction was refused before.
    pub fn times_refused(&self, op: &str, target: &str, code: Code) -> u32 {
        let is_it =
            |it: &&RefusedInstruction| it.op == op && it.target == target && it.code == code;
        self.refused.iter().find(is_it).map_or(0, |it| it.times)
    }

    /// Records a refusal with its count, and forgets the oldest one beyond the bound.
    pub fn note_refusal(&mut self, refused: RefusedInstruction) {
        let RefusedInstruction {
            op, target, code, ..
        } = &refused;
        let is_it =
            |it: &RefusedInstruction| it.op == *op && it.target == *target && it.code == *code;
        self.refused.retain(|it| !is_it(it));
        if self.refused.len() >= REFUSALS_REMEMBERED {
            self.refused.remove(0);
        }
        self.refused.push(refused);
    }

    /// Returns the facts of a request that nothing done for it has shown yet.
    pub fn missing(&self, request: &str) -> Vec<String> {
        let mut facts = facts_of(request);
        facts.retain(|fact| !self.shown.contains(fact));
        facts
    }

    /// Forgets the refusals of an operation on a target, since it was applied.
    pub fn forget_refusals(&mut self, op: &str, target: &str) {
        self.refused.retain(|it| it.op != op || it.target != target);
    }
}

/// The member of `context` with the event for which a rule opened the run.
const RULE_EVENT: &str = "rule_event";

/// The event that made a rule open a run, and the runs before it in the chain.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// The number of runs before it in the chain, each opened by an effect of the one before.
    #[serde(default, skip_serializing_if = "is_default")]
    pub depth: u32,
    /// The first run of the chain, which caused all others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub root: Option<RunId>,
    /// The event as the prompt shows it.
    pub event: Value,
}

impl Origin {
    /// Returns the origin of a run that no other run caused.
    pub const fn first(event: Value) -> Self {
        Self {
            depth: 0,
            root: None,
            event,
        }
    }
}

/// The origin of a run, as the runs that its effects open need it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunAncestry {
    /// The rule that opened it, if one did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<RuleId>,
    /// The number of runs before it in a chain, each opened by an effect of the one before.
    #[serde(default, skip_serializing_if = "is_default")]
    pub depth: u32,
    /// The first run of that chain; the run itself where none precedes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub root: Option<RunId>,
}

impl RunAncestry {
    /// Returns the origin of a run.
    pub fn of(run: &Run) -> Self {
        let origin = run.origin.as_ref();
        Self {
            rule: run.rule_id,
            depth: origin.map_or(0, |origin| origin.depth),
            root: origin.and_then(|origin| origin.root).or(Some(run.run_id)),
        }
    }
}

/// The address of a run's server, and the model that is configured for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConfiguredServer {
    /// The base address.
    pub base_url: String,
    /// The configured name of the model.
    /// Another model is asked where the server does not list this one.
    pub model: String,
}

/// The calls, tokens and charges of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Usage {
    /// The number of replies from the provider, including repeated calls.
    pub calls: u64,
    /// The number of prompt tokens, as counted by the server where it counts.
    pub input_tokens: u64,
    /// The number of generated tokens, as counted by the server where it counts.
    pub output_tokens: u64,
    /// The number of replies whose tokens no server counted, so that they are estimated here.
    #[serde(default, skip_serializing_if = "is_default")]
    pub estimated_calls: u64,
    /// The upper bound of the tokens that were not generated because answers were stopped early.
    /// An answer counts with all the room that it had left. A looping model would have filled it;
    /// one that went on in prose might have stopped before.
    #[serde(default, skip_serializing_if = "is_default")]
    pub saved_tokens: u64,
    /// The charges that servers reported in `usage.cost`, in millionths of a dollar.
    #[serde(default, skip_serializing_if = "is_default")]
    pub cost_micro_dollars: u64,
}

impl Usage {
    /// Returns the usage of one reply, from its prompt tokens and its answer tokens.
    pub const fn of_reply(input_tokens: u64, output_tokens: u64) -> Self {
        Self {
            calls: 1,
            input_tokens,
            output_tokens,
            estimated_calls: 0,
            saved_tokens: 0,
            cost_micro_dollars: 0,
        }
    }

    /// Returns these counts as the usage of a single call.
    #[must_use]
    pub const fn of_one_call(self) -> Self {
        Self { calls: 1, ..self }
    }

    /// Adds another usage; the counts saturate.
    pub const fn add(&mut self, other: Self) {
        self.calls = self.calls.saturating_add(other.calls);
        self.input_tokens = self.input_tokens.saturating_add(other.input_tokens);
        self.output_tokens = self.output_tokens.saturating_add(other.output_tokens);
        self.estimated_calls = self.estimated_calls.saturating_add(other.estimated_calls);
        self.saved_tokens = self.saved_tokens.saturating_add(other.saved_tokens);
        self.cost_micro_dollars = self
            .cost_micro_dollars
            .saturating_add(other.cost_micro_dollars);
    }
}

/// An answer from the notes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answer {
    /// The answer, or a sentence saying that the notes do not contain it.
    pub text: String,
    /// Whether the notes contain the answer.
    pub found: bool,
    /// The notes that it comes from; where nothing was found, the notes that were searched.
    pub sources: Vec<AnswerSource>,
}

/// A note that an answer comes from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AnswerSource {
    /// The note.
    pub note_id: NoteId,
    /// The title of the note at that time.
    pub title: String,
}

impl Answer {
    /// Adds the answer to one more question of a request.
    /// It goes on a line of its own, and each source is listed once.
    pub fn add_to(known: &mut Option<Self>, answer: &Self) {
        let Some(known) = known else {
            *known = Some(answer.clone());
            return;
        };
        known.text = [known.text.as_str(), answer.text.as_str()].join("\n");
        known.found &= answer.found;
        for source in &answer.sources {
            if !known.sources.iter().any(|it| it.note_id == source.note_id) {
                known.sources.push(source.clone());
            }
        }
    }
}

/// A run. The field order is the order of the printed record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Run {
    /// The id, derived from rule or workspace and event, see [`RunId::derive`].
    pub run_id: RunId,
    /// The rule that opened it, if one did.
    pub rule_id: Option<RuleId>,
    /// The event that opened it.
    pub triggering_event_id: EventId,
    /// The kind of trigger.
    pub trigger: Trigger,
    /// The agent that works on it, where that is not the main agent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<AgentId>,
    /// The state.
    pub state: RunState,
    /// The reason why it ended.
    pub stop_reason: Option<StopReason>,
    /// The code of the error with which it failed.
    pub error_code: Option<Code>,
    /// The name of the agent, always `kjxlkj-agent`.
    pub agent_name: String,
    /// The provider's kind.
    pub provider: Option<String>,
    /// The model that was asked.
    pub model: Option<String>,
    /// The mode in which changes of notes are applied.
    pub mode: Mode,
    /// The SHA-256 of the prompt file.
    pub prompt_hash: Option<String>,
    /// The version of the parser that reads replies.
    pub parser_version: Option<String>,
    /// The window that its prompts were made for, once it was known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub window: Option<Window>,
    /// The server that it asks, if it asks one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub server: Option<ConfiguredServer>,
    /// The number of committed iterations.
    pub loop_count: u32,
    /// The number of applied instructions.
    pub operation_count: u64,
    /// The number of refused instructions.
    pub rejected_count: u64,
    /// The number of instructions that were dropped or ignored.
    pub ignored_count: u64,
    /// The calls and tokens that it took.
    pub usage: Usage,
    /// The cost of the calls of this attempt, where there is a budget.
    /// A reservation counts until it is settled.
    #[serde(default, skip_serializing_if = "is_default")]
    pub spent: Cost,
    /// The time at which it was queued.
    pub queued_at: Timestamp,
    /// The time at which it started.
    pub started_at: Option<Timestamp>,
    /// The time at which it ended.
    pub completed_at: Option<Timestamp>,
    /// The request of the person.
    pub request: Option<String>,
    /// The answer, where the request was a question.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<Answer>,
    /// The effects so far, from which the verdict is computed.
    pub progress: Progress,
    /// The event for which its rule opened it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<Origin>,
    /// The number of this attempt, from 1.
    #[serde(default = "first_attempt", skip_serializing_if = "is_first_attempt")]
    pub attempt: u32,
    /// The number of iterations of the attempts before this one.
    #[serde(default, skip_serializing_if = "is_default")]
    pub attempt_from: u32,
}

const fn first_attempt() -> u32 {
    1
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands a reference")]
const fn is_first_attempt(attempt: &u32) -> bool {
    *attempt == first_attempt()
}

impl Run {
    /// Returns a queued run of a rule.
    pub fn of_rule(
        rule_id: RuleId,
        event: EventId,
        trigger: Trigger,
        origin: Origin,
        now: Timestamp,
    ) -> Self {
        Self {
            rule_id: Some(rule_id),
            origin: Some(origin),
            ..Self::queued(RunId::of_rule(rule_id, &event), event, trigger, now)
        }
    }

    /// Returns a queued run for an event.
    pub fn queued(run_id: RunId, event: EventId, trigger: Trigger, now: Timestamp) -> Self {
        Self {
            run_id,
            rule_id: None,
            triggering_event_id: event,
            trigger,
            agent: None,
            state: RunState::Queued,
            stop_reason: None,
            error_code: None,
            agent_name: AGENT_NAME.to_owned(),
            provider: None,
            model: None,
            mode: Mode::Yolo,
            prompt_hash: None,
            parser_version: None,
            window: None,
            server: None,
            loop_count: 0,
            operation_count: 0,
            rejected_count: 0,
            ignored_count: 0,
            usage: Usage::default(),
            spent: Cost::default(),
            queued_at: now,
            started_at: None,
            completed_at: None,
            request: None,
            answer: None,
            progress: Progress::default(),
            origin: None,
            attempt: first_attempt(),
            attempt_from: 0,
        }
    }

    /// Returns whether it works on a RAM of its own and not on the KV file.
    /// That RAM is empty when the run is queued, and gone when it has ended.
    pub const fn has_private_ram(&self) -> bool {
        self.agent.is_some()
    }

    /// Returns the `context` with which the run starts, or `None` where it does not change.
    /// It holds the run's request in place of the one before, and the event for which a rule opened
    /// it.
    pub fn context_in(&self, ram: &Ram) -> Option<Value> {
        let event = self.origin.as_ref().map(|origin| &origin.event);
        let before = ram.get(CONTEXT).cloned().unwrap_or_default();
        if self.request.is_none() && before.get(RULE_EVENT) == event {
            return None;
        }
        let request = self.request.as_deref().or_else(|| ram.request());
        let mut context = with_request(before, request);
        if let Value::Object(members) = &mut context {
            match event {
                Some(event) => members.insert(RULE_EVENT.to_owned(), event.clone()),
                None => members.remove(RULE_EVENT),
            };
        }
        Some(context)
    }

    /// Returns the end time for a run that ends now, which is never before its start.
    pub fn ends_at(&self, now: Timestamp) -> Timestamp {
        now.max(self.started_at.unwrap_or(now))
    }

    /// Returns whether the request in `context` is that of this run.
    /// A person may have written another one since.
    pub fn owns_request(&self, ram: &Ram) -> bool {
        let own = self.request.as_deref();
        own.is_some() && own == ram.request()
    }

    /// Returns the missing facts and the targets not found of a run that failed with `NOT_SHOWN`.
    pub fn not_shown(&self) -> Vec<String> {
        if self.error_code != Some(Code::NotShown) {
            return Vec::new();
        }
        let facts = self
            .progress
            .missing(self.request.as_deref().unwrap_or_default());
        let not_shown = self.progress.open_refusals.iter();
        let not_shown = not_shown.filter(|refusal| refusal.code == Code::NotShown);
        let not_shown = not_shown.map(|refusal| refusal.target.clone());
        not_shown.chain(facts).collect()
    }

    /// Returns whether it has ended.
    pub const fn is_finished(&self) -> bool {
        matches!(self.state, RunState::Succeeded | RunState::Failed)
    }
}

/// The name of the agent in every record.
pub const AGENT_NAME: &str = "kjxlkj-agent";
