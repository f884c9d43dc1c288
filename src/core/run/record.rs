//! The run record: what opened a run, how far it is, how it ended.

use super::{Answer, ConfiguredServer, Usage};
use crate::core::is_default;
use crate::core::memory::Ram;
use crate::core::memory::ram::{CONTEXT, with_request};
use crate::core::prompt::{Mode, Window};
use crate::core::route::Cost;
use crate::failure::Code;
use crate::ids::{EventId, NoteId, RuleId, RunId};
use crate::limits::REFUSALS_REMEMBERED;
use crate::time::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Where a run stands in its life.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum RunState {
    /// Waiting for the one before it.
    Queued,
    /// Under way; survives restarts.
    Running,
    /// Ended well, effects committed.
    Succeeded,
    /// Ended with an error recorded.
    Failed,
}

impl RunState {
    /// Every state, in the order of a run's life.
    pub const ALL: [Self; 4] = [Self::Queued, Self::Running, Self::Succeeded, Self::Failed];

    /// The name that records have.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Queued => "Queued",
            Self::Running => "Running",
            Self::Succeeded => "Succeeded",
            Self::Failed => "Failed",
        }
    }
}

/// What opened a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Trigger {
    /// Nothing but the loop itself, where it has no bound.
    Start,
    /// A person's request.
    Request,
    /// A launch by hand without a request.
    Manual,
    /// A hand edit of the KV file while idle.
    Edit,
    /// Nothing to do for a while.
    Idle,
    /// A time that a rule waits for.
    Cron,
    /// A note was created or updated, and a rule waits for either.
    NoteChanged,
    /// A note was created.
    NoteCreated,
    /// A note was deleted.
    NoteDeleted,
}

impl Trigger {
    /// Whether an event of this sort could be handed in a second time. The others are named by the
    /// number of a commit or the version of a note, which is given once, or by a time, which is judged
    /// once.
    pub const fn may_come_again(self) -> bool {
        match self {
            Self::Request | Self::Manual => true,
            Self::Start
            | Self::Edit
            | Self::Idle
            | Self::Cron
            | Self::NoteChanged
            | Self::NoteCreated
            | Self::NoteDeleted => false,
        }
    }
}

/// Why a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StopReason {
    /// Work was done and nothing is pending.
    Done,
    /// Work was done, and some of it waits for a person.
    PendingReview,
    /// There was nothing to do.
    NothingToDo,
    /// It was idle, and gave way to a run that was asked for.
    Preempted,
    /// The bound of iterations was reached.
    MaxIterations,
    /// It failed; the error code says how.
    Error,
}

/// A refused instruction that is still open: it is resolved when the same operation on the same
/// target is applied later in the run, or when the note is updated that it was refused for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpenRefusal {
    /// The element name.
    pub op: String,
    /// What it aimed at.
    pub target: String,
    /// Why it was refused.
    pub code: Code,
    /// The note that says the same already, where that was the reason.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instead: Option<NoteId>,
}

/// A refusal by what it was about: the same operation on the same target for the same reason is the same
/// refusal, whatever else the instruction said.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refused {
    /// The element name.
    pub op: String,
    /// What it aimed at; of what could not be read, what was wrong with it.
    pub target: String,
    /// Why it was refused.
    pub code: Code,
    /// In how many iterations.
    pub times: u32,
}

/// What the verdict is computed from: applied effects, never the model's words.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Progress {
    /// A note or a RAM key other than `think_log` was changed in this run.
    pub changed: bool,
    /// The same, since the last evaluating iteration.
    pub changed_in_cycle: bool,
    /// A change of a note waits for a person.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub proposed: bool,
    /// Steps that needed no change: a question was answered, or the notes say it already.
    #[serde(default, skip_serializing_if = "is_default")]
    pub settled: u32,
    /// The facts of the request that what was done shows.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shown: Vec<String>,
    /// How often the model was told that something of the request is missing.
    #[serde(default, skip_serializing_if = "is_default")]
    pub asked_again: u32,
    /// Refusals that are still open.
    #[serde(rename = "unsettled")]
    pub open_refusals: Vec<OpenRefusal>,
    /// What was refused and not done since, the newest last.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub refused: Vec<Refused>,
    /// Iterations in a row that changed nothing and were refused what had been refused before.
    #[serde(rename = "in_vain", default, skip_serializing_if = "is_default")]
    pub no_progress_streak: u32,
}

impl Progress {
    /// Something was changed.
    pub const fn note_change(&mut self) {
        self.changed = true;
        self.changed_in_cycle = true;
    }

    /// A step is done, whatever it came to.
    pub const fn note_step(&mut self) {
        self.changed_in_cycle = true;
    }

    /// How often something was refused before.
    pub fn times_refused(&self, op: &str, target: &str, code: Code) -> u32 {
        let is_it = |it: &&Refused| it.op == op && it.target == target && it.code == code;
        self.refused.iter().find(is_it).map_or(0, |it| it.times)
    }

    /// Something was refused, for the time that `times` says.
    pub fn note_refusal(&mut self, refused: Refused) {
        let Refused {
            op, target, code, ..
        } = &refused;
        let is_it = |it: &Refused| it.op == *op && it.target == *target && it.code == *code;
        self.refused.retain(|it| !is_it(it));
        if self.refused.len() >= REFUSALS_REMEMBERED {
            self.refused.remove(0);
        }
        self.refused.push(refused);
    }

    /// It was done after all.
    pub fn forget_refusals(&mut self, op: &str, target: &str) {
        self.refused.retain(|it| it.op != op || it.target != target);
    }
}

/// The member of `context` with the event for which a rule opened the run.
const RULE_EVENT: &str = "rule_event";

/// What made a rule open a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// How many runs lie behind it in a row, each opened by what the one before it did.
    #[serde(default, skip_serializing_if = "is_default")]
    pub depth: u32,
    /// The first of them, whose doing it all is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub root: Option<RunId>,
    /// What happened, as the model is told.
    pub event: Value,
}

impl Origin {
    /// That of a run behind which no other lies.
    pub const fn first(event: Value) -> Self {
        Self {
            depth: 0,
            root: None,
            event,
        }
    }
}

/// A run. The field order is the order of the printed record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Run {
    /// Derived from rule or workspace and event, see [`RunId::derive`].
    pub run_id: RunId,
    /// The rule that opened it, if one did.
    pub rule_id: Option<RuleId>,
    /// The event that opened it.
    pub triggering_event_id: EventId,
    /// The sort of trigger.
    pub trigger: Trigger,
    /// Where it stands.
    pub state: RunState,
    /// Why it ended.
    pub stop_reason: Option<StopReason>,
    /// How it failed.
    pub error_code: Option<Code>,
    /// Always `kjxlkj-agent`.
    pub agent_name: String,
    /// The provider's kind.
    pub provider: Option<String>,
    /// The model asked.
    pub model: Option<String>,
    /// How note mutations are applied.
    pub mode: Mode,
    /// SHA-256 of the prompt file.
    pub prompt_hash: Option<String>,
    /// The grammar that reads replies.
    pub parser_version: Option<String>,
    /// The window that its prompts were made for, once that was known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub window: Option<Window>,
    /// The server that it asks, where it asks one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub server: Option<ConfiguredServer>,
    /// Committed iterations.
    pub loop_count: u32,
    /// Instructions applied.
    pub operation_count: u64,
    /// Instructions refused.
    pub rejected_count: u64,
    /// Instructions dropped or passed over.
    pub ignored_count: u64,
    /// Calls and tokens.
    pub usage: Usage,
    /// What its calls have cost in this attempt, where there is a budget: what is reserved counts until
    /// it is settled.
    #[serde(default, skip_serializing_if = "is_default")]
    pub spent: Cost,
    /// When it was queued.
    pub queued_at: Timestamp,
    /// When it began.
    pub started_at: Option<Timestamp>,
    /// When it ended.
    pub completed_at: Option<Timestamp>,
    /// What the person asked for.
    pub request: Option<String>,
    /// What was answered, where it asked a question.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<Answer>,
    /// What the verdict will be computed from.
    pub progress: Progress,
    /// What made its rule open it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<Origin>,
    /// Which attempt this is, from 1.
    #[serde(default = "first_attempt", skip_serializing_if = "is_first_attempt")]
    pub attempt: u32,
    /// Iterations of the attempts before it.
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
    /// A queued run of a rule.
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

    /// A queued run for an event.
    pub fn queued(run_id: RunId, event: EventId, trigger: Trigger, now: Timestamp) -> Self {
        Self {
            run_id,
            rule_id: None,
            triggering_event_id: event,
            trigger,
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

    /// `context` as the run begins with it: its request in place of the one before, and the event for
    /// which a rule opened it. `None` if nothing changes.
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

    /// When it ends, if it does now: never before it began, whatever the clock says.
    pub fn ends_at(&self, now: Timestamp) -> Timestamp {
        now.max(self.started_at.unwrap_or(now))
    }

    /// Whether the request in `context` is its own, and none that a person has written there since.
    pub fn owns_request(&self, ram: &Ram) -> bool {
        let own = self.request.as_deref();
        own.is_some() && own == ram.request()
    }

    /// Whether it has ended.
    pub const fn is_finished(&self) -> bool {
        matches!(self.state, RunState::Succeeded | RunState::Failed)
    }
}

/// The agent's one name.
pub const AGENT_NAME: &str = "kjxlkj-agent";
