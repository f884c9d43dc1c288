//! The input of a decision about one iteration, the rules for it, and its result.

use super::step_outcome::StepOutcome;
use super::verdict::Ending;
use super::{LoopPolicy, LoopState, WorkingMemory};
use crate::core::guard::{EditedItems, Permit, Scope};
use crate::core::journal::event::InstructionDecided;
use crate::core::journal::{CommitDraft, State};
use crate::core::memory::MemoryPolicy;
use crate::core::notes::{NotePolicy, OrganizeScan, SearchIndex, ShownNote};
use crate::core::prompt::{AllocationSummary, Mode, PromptCount};
use crate::core::protocol::ParsedReply;
use crate::core::run::{Run, Usage};
use crate::time::Timestamp;

/// The rules that a decision follows.
#[derive(Clone, Copy, Debug)]
pub struct Policies<'a> {
    /// The scope: what the agent may write.
    pub scope: &'a Scope,
    /// The instructions that the agent may use.
    pub permit: &'a Permit,
    /// The mode: whether changes of notes take effect at once or become proposals.
    pub mode: Mode,
    /// The policy for RAM.
    pub memory: &'a MemoryPolicy,
    /// The policy for notes.
    pub notes: &'a NotePolicy,
    /// The policy for the loop.
    pub r#loop: &'a LoopPolicy,
    /// The maximum number of iterations of this run; `None` is unlimited.
    pub max_iterations: Option<u32>,
}

/// One iteration with its parsed reply.
#[derive(Clone, Debug)]
pub struct Turn<'a> {
    /// The state before the iteration, with the edits of the person taken over.
    pub state: &'a State,
    /// The working memory of the run in that state.
    pub working: &'a WorkingMemory,
    /// The search index over the notes and leaves of that state.
    pub index: &'a dyn SearchIndex,
    /// The run.
    pub run: &'a Run,
    /// The state of the loop for which the prompt was made.
    pub ran_in: LoopState,
    /// The parsed reply.
    pub reply: &'a ParsedReply,
    /// The content of the server's reasoning field.
    pub reasoning: Option<&'a str>,
    /// The calls and tokens that the iteration used.
    pub usage: Usage,
    /// The server's token count for the last prompt that it answered.
    pub counted: Option<PromptCount>,
    /// The share of the token budget that each part of the last prompt received.
    pub allocation: Option<AllocationSummary>,
    /// The notes that stood in the last prompt.
    pub shown: &'a [ShownNote],
    /// The number of decisions about proposals that the prompt showed.
    pub outcomes_shown: usize,
    /// The SHA-256 hash over the SHA-256 hashes of the messages.
    pub messages_hash: String,
    /// The changes by a person while the model answered.
    pub edited: &'a EditedItems,
    /// Whether a person wrote the request after the previous iteration.
    /// Nothing was done for it yet.
    pub is_request_new: bool,
    /// The look over the notes that was made for the prompt, if any.
    pub look: Option<&'a OrganizeScan>,
    /// Whether the request is worked on in small steps.
    pub is_stepwise: bool,
    /// Whether it is not sure that the request asks for what this turn does.
    pub is_unsure: bool,
    /// The outcome of a step that the program carried out, beside its instructions.
    pub outcome: Option<&'a StepOutcome>,
    /// The current time.
    pub now: Timestamp,
}

/// The commit of an iteration, and its consequences for the loop.
#[derive(Clone, Debug)]
pub struct Decision {
    /// The commit.
    pub draft: CommitDraft,
    /// The state of the next iteration.
    pub next: LoopState,
    /// The end of the run, if it ended.
    pub ending: Option<Ending>,
    /// The outcome of each instruction.
    pub entries: Vec<InstructionDecided>,
}
