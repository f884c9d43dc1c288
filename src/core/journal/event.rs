//! Every fact that the journal can hold: one closed, documented enum.
//! A type's name and shape, once written, are kept for ever; a new fact is a new type.

pub use super::calls::{BudgetReserved, BudgetSettled, CallMade, Waited};
pub use super::carried::{KeysCarried, KeysNoted, RunsRemembered, StateCarried};
pub use super::change::{Change, NoteWritten, RamDeleted, RamSet, StorageDeleted, StorageSet};
pub use super::proposals::ProposalsChanged;
pub use super::upkeep::{EditRefused, RequestRefused, TailCut, ViewRestored, ViewsWritten};
pub use crate::core::automation::{RuleSkipped, SchedulesTaken, SlotsRecorded};

use super::change::first_in;
use crate::core::agent::{ActionResult, LoopState};
use crate::core::guard::{Approved, Edited, replayed};
use crate::core::is_default;
use crate::core::notes::{Look, Note, ShownNote};
use crate::core::prompt::{AllocationSummary, Counted, Message, Mode, Window};
use crate::core::protocol::ConstraintKind;
use crate::core::run::{Answer, ConfiguredServer, Progress, Run, RunState, StopReason, Usage};
use crate::failure::Code;
use crate::ids::{RunId, WorkspaceId};
use crate::time::Timestamp;
use serde::{Deserialize, Serialize};

/// The version of the whole format that this program writes, as the first line states it.
pub const FORMAT_VERSION: u32 = 1;

/// The first line of every journal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RootCreated {
    /// The version of this format.
    pub format: u32,
    /// The workspace at that time.
    pub workspace_id: WorkspaceId,
}

/// A trigger opened a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunQueued {
    /// The run.
    pub run: Run,
}

/// A run that failed waits to be tried once more.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunRetried {
    /// The run, as it goes on.
    pub run: Run,
}

/// A run began.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunStarted {
    /// The run.
    pub run_id: RunId,
    /// When.
    pub started_at: Timestamp,
    /// The provider's kind.
    pub provider: String,
    /// The model asked.
    pub model: String,
    /// How note mutations are applied.
    pub mode: Mode,
    /// SHA-256 of the prompt file.
    pub prompt_hash: String,
    /// The grammar.
    pub parser_version: String,
    /// The window that its prompts are made for, once that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub window: Option<Window>,
    /// The server that is asked, where one is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub server: Option<ConfiguredServer>,
}

/// An iteration of a run: what it cost and where the loop stands after it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct IterationDone {
    /// The run.
    pub run_id: RunId,
    /// Its number in the run, from 1. Unique with the run.
    pub iteration: u32,
    /// The state it ran in.
    pub state: LoopState,
    /// SHA-256 over the SHA-256 of each message.
    pub messages_hash: String,
    /// What it cost, replies asked for again included.
    pub usage: Usage,
    /// Instructions applied.
    pub applied: u64,
    /// Instructions refused.
    pub rejected: u64,
    /// Instructions dropped or passed over.
    pub ignored: u64,
    /// Where the cycle stands after it.
    pub cycle: Cycle,
    /// What the run has to show for itself.
    pub progress: Progress,
    /// What the next prompt tells about this one.
    pub results: Vec<ActionResult>,
    /// The look over the notes that was made for it, if one was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub look: Option<Look>,
    /// What the server counted for the last prompt that it answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counted: Option<Counted>,
    /// What the token budget gave to the parts of its prompt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub allocation: Option<AllocationSummary>,
    /// Numbers of older results that the model removed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub results_removed: Vec<u64>,
    /// The notes that stood in its prompt, each in that version.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shown: Vec<ShownNote>,
    /// How many decisions about proposals it told.
    #[serde(rename = "told", default, skip_serializing_if = "is_default")]
    pub outcomes_shown: usize,
    /// Whether the request was worked on in small steps.
    #[serde(default, skip_serializing_if = "is_default")]
    pub is_stepwise: bool,
    /// What was answered to the person's questions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub answers: Vec<Answer>,
    /// What a person changed while the model answered.
    #[serde(default, skip_serializing_if = "is_default")]
    pub edited: Edited,
    /// Whether a person put another request before the question was asked.
    #[serde(default, skip_serializing_if = "is_default")]
    pub is_request_new: bool,
}

/// What the state machine remembers beside the state itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Cycle {
    /// How often in a row the model asked to stay.
    pub stays: u32,
    /// Iterations since the last paging; absent before the first one.
    pub since_paging: Option<u32>,
    /// Where paging returns to.
    pub before_paging: Option<LoopState>,
}

/// A run ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunEnded {
    /// The run.
    pub run_id: RunId,
    /// Succeeded or failed.
    pub state: RunState,
    /// Why.
    pub stop_reason: StopReason,
    /// How it failed.
    pub error_code: Option<Code>,
    /// When.
    pub completed_at: Timestamp,
}

/// What became of one instruction: the audit entry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InstructionDecided {
    /// The element name.
    pub op: String,
    /// What it aimed at, shortened.
    pub target: String,
    /// What became of it.
    pub outcome: Outcome,
    /// Whether the parser had to repair it.
    pub repaired: bool,
    /// Why it was refused or passed over.
    pub code: Option<Code>,
    /// Whether what was applied is only a proposal, which a person has yet to decide.
    #[serde(default, skip_serializing_if = "is_default")]
    pub proposed: bool,
}

/// What became of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// It took effect.
    Applied,
    /// The guard refused it.
    Rejected,
    /// It was dropped by the parser or had nothing to do.
    Ignored,
}

impl Outcome {
    /// What a person is told of it: what was applied as a proposal has changed no note yet.
    pub const fn name_for_people(self, proposed: bool) -> &'static str {
        match (self, proposed) {
            (Self::Applied, true) => "proposed",
            (Self::Applied, false) => "applied",
            (Self::Rejected, _) => "rejected",
            (Self::Ignored, _) => "ignored",
        }
    }
}

/// A question and its answer in full; only when the configuration retains conversations.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConversationKept {
    /// The run.
    pub run_id: RunId,
    /// The iteration, from 1.
    pub iteration: u32,
    /// The attempt inside the iteration, from 1.
    pub attempt: u32,
    /// What was asked.
    pub messages: Vec<Message>,
    /// What came back.
    pub reply: KeptReply,
    /// The form in which it was read, where that is another than the plain one.
    #[serde(rename = "rung", default, skip_serializing_if = "Option::is_none")]
    pub constraint_kind: Option<ConstraintKind>,
}

/// A reply as a conversation keeps it; the shape that the scripted provider plays.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptReply {
    /// The text.
    pub text: String,
    /// The server's reasoning field.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reasoning: Option<String>,
    /// `stop` or `length`.
    pub finish: String,
    /// Calls and tokens.
    pub usage: Usage,
}

macro_rules! events {
    ($($(#[$doc:meta])* $variant:ident($payload:ty) $name:literal;)*) => {
        /// One fact.
        #[derive(Clone, Debug, PartialEq)]
        pub enum Event {
            /// A change of RAM, storage or notes.
            Change(Approved<Change>),
            $($(#[$doc])* $variant($payload),)*
        }

        impl Event {
            /// The name that the journal gives to this type of fact.
            pub const fn type_name(&self) -> &'static str {
                match self {
                    Self::Change(change) => change.get().type_name(),
                    $(Self::$variant(_) => $name,)*
                }
            }

            /// Writes the payload as JSON behind what is there.
            pub fn write_data(&self, to: &mut Vec<u8>) -> serde_json::Result<()> {
                match self {
                    Self::Change(change) => change.get().write_data(to),
                    $(Self::$variant(payload) => serde_json::to_writer(to, payload),)*
                }
            }

            /// Reads the event whose payload a text begins with; gives also how many bytes of the
            /// text it takes. `Ok(None)` for a type that this version does not know.
            pub fn from_data(
                type_name: &str,
                text: &str,
            ) -> serde_json::Result<Option<(Self, usize)>> {
                if let Some((change, bytes)) = Change::from_data(type_name, text)? {
                    return Ok(Some((Self::Change(replayed(change)), bytes)));
                }
                Ok(match type_name {
                    $($name => Some(first_in(text, Self::$variant)?),)*
                    _ => None,
                })
            }
        }
    };
}

events! {
    /// The first line of every journal.
    RootCreated(RootCreated) "root.created";
    /// A trigger opened a run.
    RunQueued(RunQueued) "run.queued";
    /// A run that failed waits to be tried once more.
    RunRetried(RunRetried) "run.retried";
    /// A run began.
    RunStarted(RunStarted) "run.started";
    /// An iteration of a run.
    IterationDone(IterationDone) "iteration.done";
    /// A run ended.
    RunEnded(RunEnded) "run.ended";
    /// What became of one instruction.
    InstructionDecided(InstructionDecided) "instruction.decided";
    /// The digests of the views that this commit writes.
    ViewsWritten(ViewsWritten) "views.written";
    /// A torn last append was cut off.
    TailCut(TailCut) "journal.tail_cut";
    /// A missing or damaged view was written again.
    ViewRestored(ViewRestored) "view.restored";
    /// A hand edit that could not be read was put aside.
    EditRefused(EditRefused) "edit.refused";
    /// An inbox file that could not be read was put aside.
    RequestRefused(RequestRefused) "request.refused";
    /// A question and its answer in full.
    ConversationKept(ConversationKept) "conversation.kept";
    /// RAM, runs and the rest, carried over from a retired segment.
    StateCarried(StateCarried) "state.carried";
    /// The ids of past runs, carried over from retired segments.
    RunsRemembered(RunsRemembered) "runs.remembered";
    /// What a reply says of keys.
    KeysNoted(KeysNoted) "keys.noted";
    /// The directory of keys, carried over from retired segments.
    KeysCarried(KeysCarried) "keys.carried";
    /// A part of the budget was set aside.
    BudgetReserved(BudgetReserved) "budget.reserved";
    /// What calls have really cost.
    BudgetSettled(BudgetSettled) "budget.settled";
    /// A question of which there is more to tell than what it cost.
    CallMade(CallMade) "call.made";
    /// The schedules that are in force from now on.
    SchedulesTaken(SchedulesTaken) "schedules.taken";
    /// What became of slots of a schedule.
    SlotsRecorded(SlotsRecorded) "slots.recorded";
    /// A rule opened nothing though it held.
    RuleSkipped(RuleSkipped) "rule.skipped";
    /// A proposal was made or decided.
    ProposalsChanged(ProposalsChanged) "proposals.changed";
    /// A place in `/storage` carried over from a retired segment.
    StorageCarried(StorageSet) "storage.carried";
    /// A note carried over from a retired segment.
    NoteCarried(NoteWritten) "note.carried";
}

impl Event {
    /// The note that this event writes, in whatever way.
    pub const fn note(&self) -> Option<&Note> {
        match self {
            Self::Change(change) => change.get().note(),
            Self::NoteCarried(carried) => Some(&carried.note),
            Self::RootCreated(_)
            | Self::RunQueued(_)
            | Self::RunRetried(_)
            | Self::RunStarted(_)
            | Self::IterationDone(_)
            | Self::RunEnded(_)
            | Self::InstructionDecided(_)
            | Self::ViewsWritten(_)
            | Self::TailCut(_)
            | Self::ViewRestored(_)
            | Self::EditRefused(_)
            | Self::RequestRefused(_)
            | Self::ConversationKept(_)
            | Self::StateCarried(_)
            | Self::RunsRemembered(_)
            | Self::KeysNoted(_)
            | Self::KeysCarried(_)
            | Self::BudgetReserved(_)
            | Self::BudgetSettled(_)
            | Self::CallMade(_)
            | Self::SchedulesTaken(_)
            | Self::SlotsRecorded(_)
            | Self::RuleSkipped(_)
            | Self::ProposalsChanged(_)
            | Self::StorageCarried(_) => None,
        }
    }

    /// The run whose record this event changes, if it is about one.
    pub const fn run_id(&self) -> Option<RunId> {
        match self {
            Self::RunQueued(queued) => Some(queued.run.run_id),
            Self::RunRetried(retried) => Some(retried.run.run_id),
            Self::RunStarted(started) => Some(started.run_id),
            Self::IterationDone(done) => Some(done.run_id),
            Self::RunEnded(ended) => Some(ended.run_id),
            Self::BudgetReserved(reserved) => reserved.run_id,
            Self::BudgetSettled(settled) => settled.run_id,
            Self::Change(_)
            | Self::RootCreated(_)
            | Self::InstructionDecided(_)
            | Self::ViewsWritten(_)
            | Self::TailCut(_)
            | Self::ViewRestored(_)
            | Self::EditRefused(_)
            | Self::RequestRefused(_)
            | Self::ConversationKept(_)
            | Self::StateCarried(_)
            | Self::RunsRemembered(_)
            | Self::KeysNoted(_)
            | Self::KeysCarried(_)
            | Self::CallMade(_)
            | Self::SchedulesTaken(_)
            | Self::SlotsRecorded(_)
            | Self::RuleSkipped(_)
            | Self::ProposalsChanged(_)
            | Self::StorageCarried(_)
            | Self::NoteCarried(_) => None,
        }
    }
}
