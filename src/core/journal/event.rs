//! The facts that the journal can hold, as one closed enum.
//! The name and shape of a type are permanent once written; a new fact is a new type.

pub use super::change::{Change, NoteWritten, RamDeleted, RamSet, StorageDeleted, StorageSet};
pub use crate::core::automation::{RuleSkipped, SchedulesTaken, SlotsRecorded};

use super::change::journal_types;
use crate::core::agent::{ActionLog, ActionResult, LoopState, ResultLog, WorkingMemory};
use crate::core::automation::ScheduleCursor;
use crate::core::guard::{Approved, EditedItems, PrivateRamDeleted, PrivateRamSet, replayed};
use crate::core::is_default;
use crate::core::memory::KeyDirectory;
use crate::core::memory::directory::KeyNoted;
use crate::core::notes::{Note, OrganizeScan, OrganizeState, ShownNote};
use crate::core::prompt::{
    AllocationSummary, Calibrations, Mode, PromptCount, PromptMessage, Window,
};
use crate::core::protocol::{ConstraintKind, EarlyStop};
use crate::core::review::{Proposal, ProposalDecision, Proposals};
use crate::core::route::{CircuitState, Cost, FinishReason, RoutingDecision, Spending};
use crate::core::run::{
    Answer, ConfiguredServer, PastRuns, Progress, Run, RunState, StopReason, Usage,
};
use crate::failure::Code;
use crate::ids::{NoteId, RunId, WorkspaceId};
use crate::time::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use uuid::Uuid;

/// The version of the journal's format, which the first line states.
pub const FORMAT_VERSION: u32 = 1;

/// The creation of the root, which is the first line of every journal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RootCreated {
    /// The version of the journal's format.
    pub format: u32,
    /// The workspace at that time.
    pub workspace_id: WorkspaceId,
}

/// The opening of a run by a trigger.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunQueued {
    pub run: Run,
}

/// A new attempt at a run that failed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunRetried {
    /// The run with which the new attempt begins.
    pub run: Run,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunStarted {
    pub run_id: RunId,
    pub started_at: Timestamp,
    pub provider: String,
    pub model: String,
    /// The mode in which changes of notes are applied.
    pub mode: Mode,
    /// The SHA-256 of the prompt file.
    pub prompt_hash: String,
    /// The version of the parser that reads replies.
    pub parser_version: String,
    /// The window that its prompts are made for, once it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub window: Option<Window>,
    /// The server that is asked, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub server: Option<ConfiguredServer>,
}

/// A finished iteration: its usage, its effects and the state of the loop after it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct IterationDone {
    pub run_id: RunId,
    /// The number of the iteration in the run, from 1.
    pub iteration: u32,
    pub state: LoopState,
    /// The SHA-256 over the SHA-256 of each message of its prompt.
    pub messages_hash: String,
    /// The calls and tokens that it took, including repeated calls.
    pub usage: Usage,
    /// The number of applied instructions.
    pub applied: u64,
    /// The number of refused instructions.
    pub rejected: u64,
    /// The number of instructions that were dropped or ignored.
    pub ignored: u64,
    /// The counters of the state machine after it.
    pub cycle: Cycle,
    /// The effects of the run so far.
    pub progress: Progress,
    /// The results that the next prompt shows.
    pub results: Vec<ActionResult>,
    /// The look over the notes that was made for its prompt, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub look: Option<OrganizeScan>,
    /// The tokens that the server counted for the last answered prompt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counted: Option<PromptCount>,
    /// The allocation of the prompt budget to the parts of its prompt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub allocation: Option<AllocationSummary>,
    /// The numbers of older results that the model removed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub results_removed: Vec<u64>,
    /// The notes in its prompt, each with its version.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shown: Vec<ShownNote>,
    /// The number of decisions about proposals that its prompt showed.
    #[serde(rename = "told", default, skip_serializing_if = "is_default")]
    pub outcomes_shown: usize,
    /// Whether the run worked in small steps.
    #[serde(default, skip_serializing_if = "is_default")]
    pub is_stepwise: bool,
    /// The answers to the person's questions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub answers: Vec<Answer>,
    /// The edits that a person made while the model answered.
    #[serde(default, skip_serializing_if = "is_default")]
    pub edited: EditedItems,
    /// Whether a person replaced the request before the prompt was sent.
    #[serde(default, skip_serializing_if = "is_default")]
    pub is_request_new: bool,
}

/// The counters that the state machine keeps beside the state itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Cycle {
    /// The number of times in a row that the model asked to stay in its state.
    pub stays: u32,
    /// The number of iterations since the last paging; absent before the first one.
    pub since_paging: Option<u32>,
    pub before_paging: Option<LoopState>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunEnded {
    pub run_id: RunId,
    /// The final state: succeeded or failed.
    pub state: RunState,
    pub stop_reason: StopReason,
    /// The code of the error, if it failed.
    pub error_code: Option<Code>,
    pub completed_at: Timestamp,
}

/// The outcome of one instruction: an entry of the audit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InstructionDecided {
    /// The tag of the instruction.
    pub op: String,
    /// The target of the instruction, shortened.
    pub target: String,
    pub outcome: InstructionOutcome,
    /// Whether the parser repaired it.
    pub repaired: bool,
    /// The reason why it was refused or ignored.
    pub code: Option<Code>,
    /// Whether it was applied as a proposal that a person has yet to decide.
    #[serde(default, skip_serializing_if = "is_default")]
    pub proposed: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum InstructionOutcome {
    /// It took effect.
    Applied,
    /// The guard refused it.
    Rejected,
    /// The parser dropped it, or it had nothing to do.
    Ignored,
}

impl InstructionOutcome {
    /// Returns the name that a person reads.
    /// An applied proposal is `proposed`, since it has changed no note yet.
    pub const fn name_for_people(self, proposed: bool) -> &'static str {
        match (self, proposed) {
            (Self::Applied, true) => "proposed",
            (Self::Applied, false) => "applied",
            (Self::Rejected, _) => "rejected",
            (Self::Ignored, _) => "ignored",
        }
    }
}

/// A prompt and its reply in full, kept only if the configuration retains conversations.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConversationKept {
    pub run_id: RunId,
    /// The number of the iteration, from 1.
    pub iteration: u32,
    /// The number of the attempt within the iteration, from 1.
    pub attempt: u32,
    pub messages: Vec<PromptMessage>,
    pub reply: KeptReply,
    /// The constraint that shaped the reply, where it was not free text.
    #[serde(rename = "rung", default, skip_serializing_if = "Option::is_none")]
    pub constraint_kind: Option<ConstraintKind>,
}

/// A reply as a conversation keeps it, in the shape that the scripted provider reads.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptReply {
    pub text: String,
    /// The text of the server's reasoning field.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reasoning: Option<String>,
    /// The probability of its first token, in percent, where the server reported it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub certainty_percent: Option<u8>,
    /// The smallest probability of what its lines begin with, in percent, likewise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub least_percent: Option<u8>,
    /// The finish reason: `stop` or `length`.
    pub finish: String,
    /// The calls and tokens that it took.
    pub usage: Usage,
}

/// A reservation from the budget of a day and of a run, made before a call.
///
/// What is journaled of calls, here and in [`CallMade`], has no prompt and no reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BudgetReserved {
    /// The UTC day, counted from 1970-01-01.
    pub day: i64,
    /// The most that the call may cost.
    pub cost: Cost,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run_id: Option<RunId>,
}

/// The actual cost of calls, which replaces their reservation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BudgetSettled {
    /// The UTC day, counted from 1970-01-01.
    pub day: i64,
    pub reserved: Cost,
    /// The actual cost.
    pub spent: Cost,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run_id: Option<RunId>,
}

/// A wait before a call: its reason and its total length.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallWait {
    /// The reason: a limit, a budget, or a pause that a server asked for.
    pub code: Code,
    /// The length in milliseconds.
    pub ms: u64,
}

/// A call: the provider that was asked, the reason for the choice, and the outcome.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallMade {
    pub run_id: RunId,
    /// The iteration that it was for, from 1.
    pub iteration: u32,
    /// The provider that was asked, by its name in the configuration.
    pub provider: String,
    pub model: String,
    /// The name of the model that answered, where the server reports another than the one asked.
    /// It is a model that stands in for the asked one, or a longer name of the same model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answered_by: Option<String>,
    /// The reason for the choice of the provider.
    pub reason: String,
    /// The codes of the failed attempts, in order.
    pub failures: Vec<Code>,
    /// Whether an attempt succeeded in the end.
    pub answered: bool,
    /// The state of the provider's breaker afterwards, unless it was closed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub circuit: Option<CircuitState>,
    /// The kind of constraint that the reply was kept to, if any.
    #[serde(rename = "rung", default, skip_serializing_if = "Option::is_none")]
    pub constraint_kind: Option<ConstraintKind>,
    /// The time to the first token in milliseconds, where the reply was streamed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_token_ms: Option<u64>,
    /// The reason why the reply was stopped early, if it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub early_stop: Option<EarlyStop>,
    /// The upper bound of the tokens that the early stop saved, as in [`crate::core::run::Usage`].
    #[serde(default, skip_serializing_if = "is_default")]
    pub saved_tokens: u64,
    /// The reason why the model stopped; absent in records of older versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub finish: Option<FinishReason>,
    /// The routing decision, where there was a choice.
    /// A provider that is asked in place of another comes from the decision for that one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decision: Option<Box<RoutingDecision>>,
    /// The id of the question that the provider was chosen for.
    /// A provider that is asked in its place has the same id. This field and the time are absent in
    /// records of older versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request_id: Option<Uuid>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chosen_at: Option<Timestamp>,
    /// The waits before the call and between its attempts, since the call before.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub waited: Vec<CallWait>,
}

/// The live state of retired segments, journaled again.
/// It follows the notes that are carried over with it, so it also marks the state as complete.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StateCarried {
    pub ram: BTreeMap<String, Value>,
    /// The open and the newest finished runs.
    pub runs: Vec<Run>,
    /// The counters of the state machine.
    pub cycle: Cycle,
    /// The results that no prompt has shown yet.
    pub results: Vec<ActionResult>,
    /// The results by their numbers.
    #[serde(default, skip_serializing_if = "ResultLog::is_empty")]
    pub result_log: ResultLog,
    /// The newest tool calls.
    #[serde(default, skip_serializing_if = "ActionLog::is_empty")]
    pub log: ActionLog,
    /// The version of each note that the agent saw last.
    pub seen: BTreeMap<NoteId, u64>,
    #[serde(default, skip_serializing_if = "OrganizeState::is_empty")]
    pub organizing: OrganizeState,
    /// The token calibration of each model, learned from past calls.
    #[serde(default, skip_serializing_if = "Calibrations::is_empty")]
    pub calibrations: Calibrations,
    /// The cost of the calls of the newest day.
    #[serde(default, skip_serializing_if = "Spending::is_empty")]
    pub spending: Spending,
    /// The schedule cursor of all rules.
    #[serde(
        rename = "awaited",
        default,
        skip_serializing_if = "ScheduleCursor::is_empty"
    )]
    pub schedule_cursor: ScheduleCursor,
    /// The number of the first kept segment. A journal that begins there, or before, is complete.
    pub first_segment: u32,
}

/// The tags and relations that a reply gives to keys, complete for each key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeysNoted {
    /// The tags and relations by key.
    pub keys: BTreeMap<String, KeyNoted>,
}

/// The complete directory of keys, journaled again when segments are retired.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeysCarried {
    pub keys: KeyDirectory,
}

/// The working memory of an open run with private RAM, journaled again when segments are retired.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PrivateMemoryCarried {
    pub run_id: RunId,
    pub memory: Box<WorkingMemory>,
}

/// The ids of the past runs, journaled behind the [`StateCarried`] that they belong to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunsRemembered {
    pub past: PastRuns,
}

/// A change of the proposals.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProposalsChanged {
    /// A proposal was made, or is carried over.
    Made(Box<Proposal>),
    Decided(ProposalDecision),
    /// All but the open proposals are carried over.
    Carried(Proposals),
}

impl ProposalsChanged {
    /// Returns the fact that a proposal was made.
    pub fn made(proposal: Proposal) -> Self {
        Self::Made(Box::new(proposal))
    }

    /// Applies the change to the proposals.
    pub fn apply(&self, proposals: &mut Proposals) {
        match self {
            Self::Made(proposal) => proposals.add(proposal.as_ref().clone()),
            Self::Decided(decided) => proposals.decide(decided),
            Self::Carried(carried) => proposals.take_over(carried),
        }
    }
}

/// The digests of the views that a commit writes, by path under the root.
/// An absent digest means that the file is removed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ViewsWritten {
    /// The SHA-256 of each file by its path.
    pub files: BTreeMap<String, Option<String>>,
}

/// A torn last line that a start cut off.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TailCut {
    pub segment: String,
    /// The number of bytes that were cut off.
    pub bytes: u64,
    /// The path at which they are kept.
    pub kept_as: String,
}

/// A missing or damaged view that was written again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ViewRestored {
    pub path: String,
    /// The reason why it was written again.
    pub reason: String,
    /// The path at which the old bytes are kept, if there were any.
    pub kept_as: Option<String>,
}

impl ViewRestored {
    /// The reason for a file that is missing.
    pub const MISSING: &str = "it was missing";

    /// Returns the restoration of a missing file.
    pub fn missing(path: String) -> Self {
        Self {
            path,
            reason: Self::MISSING.to_owned(),
            kept_as: None,
        }
    }
}

/// An edit that could not be taken in and was kept beside its file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EditRefused {
    pub path: String,
    /// The path at which the edit is kept.
    pub kept_as: String,
    /// The reason why it could not be taken in.
    pub reason: String,
}

/// An inbox file that could not be read and was moved to `rejected`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RequestRefused {
    pub file: String,
    /// The reason why it could not be read.
    pub reason: String,
}

journal_types! {
    /// A fact of the journal; its payload says what happened.
    enum Event with Change(Approved<Change>) by replayed {
        RootCreated(RootCreated) "root.created";
        RunQueued(RunQueued) "run.queued";
        RunRetried(RunRetried) "run.retried";
        RunStarted(RunStarted) "run.started";
        IterationDone(IterationDone) "iteration.done";
        RunEnded(RunEnded) "run.ended";
        InstructionDecided(InstructionDecided) "instruction.decided";
        ViewsWritten(ViewsWritten) "views.written";
        TailCut(TailCut) "journal.tail_cut";
        ViewRestored(ViewRestored) "view.restored";
        EditRefused(EditRefused) "edit.refused";
        RequestRefused(RequestRefused) "request.refused";
        ConversationKept(ConversationKept) "conversation.kept";
        StateCarried(StateCarried) "state.carried";
        RunsRemembered(RunsRemembered) "runs.remembered";
        KeysNoted(KeysNoted) "keys.noted";
        KeysCarried(KeysCarried) "keys.carried";
        /// A key of the private RAM of a run was set to a value.
        PrivateRamSet(PrivateRamSet) "private_ram.set";
        /// A key of the private RAM of a run was removed, or a required one was emptied.
        PrivateRamDeleted(PrivateRamDeleted) "private_ram.deleted";
        PrivateMemoryCarried(PrivateMemoryCarried) "private_memory.carried";
        BudgetReserved(BudgetReserved) "budget.reserved";
        BudgetSettled(BudgetSettled) "budget.settled";
        CallMade(CallMade) "call.made";
        SchedulesTaken(SchedulesTaken) "schedules.taken";
        SlotsRecorded(SlotsRecorded) "slots.recorded";
        RuleSkipped(RuleSkipped) "rule.skipped";
        ProposalsChanged(ProposalsChanged) "proposals.changed";
        StorageCarried(StorageSet) "storage.carried";
        NoteCarried(NoteWritten) "note.carried";
    }
}

#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "most events are about no note, value or run"
)]
impl Event {
    /// Returns the note that this event writes or carries over.
    pub const fn note(&self) -> Option<&Note> {
        match self {
            Self::Change(change) => change.get().note(),
            Self::NoteCarried(carried) => Some(&carried.note),
            _ => None,
        }
    }

    /// Returns the value that this event puts into `/storage` or carries over.
    pub const fn stored(&self) -> Option<&StorageSet> {
        match self {
            Self::Change(change) => change.get().stored(),
            Self::StorageCarried(set) => Some(set),
            _ => None,
        }
    }

    /// Returns the run whose record this event changes, if any.
    pub const fn run_id(&self) -> Option<RunId> {
        match self {
            Self::RunQueued(RunQueued { run }) | Self::RunRetried(RunRetried { run }) => {
                Some(run.run_id)
            }
            Self::RunStarted(started) => Some(started.run_id),
            Self::IterationDone(done) => Some(done.run_id),
            Self::RunEnded(ended) => Some(ended.run_id),
            Self::BudgetReserved(reserved) => reserved.run_id,
            Self::BudgetSettled(settled) => settled.run_id,
            _ => None,
        }
    }
}
