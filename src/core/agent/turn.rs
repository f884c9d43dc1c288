//! One iteration as a decision takes it in, the rules that it is decided by, and what comes of it.

use super::carried::Carried;
use super::verdict::Ending;
use super::{LoopPolicy, LoopState};
use crate::core::guard::{Edited, Scope};
use crate::core::journal::event::InstructionDecided;
use crate::core::journal::{Draft, State};
use crate::core::memory::MemoryPolicy;
use crate::core::notes::{Look, NotePolicy, SearchIndex, ShownNote};
use crate::core::prompt::{AllocationSummary, Counted, Mode};
use crate::core::protocol::Parsed;
use crate::core::run::{Run, Usage};
use crate::time::Timestamp;

/// The rules that a decision is made by.
#[derive(Clone, Copy, Debug)]
pub struct Policies<'a> {
    /// The fence.
    pub scope: &'a Scope,
    /// How changes of notes are applied.
    pub mode: Mode,
    /// RAM.
    pub memory: &'a MemoryPolicy,
    /// Notes.
    pub notes: &'a NotePolicy,
    /// The loop.
    pub r#loop: &'a LoopPolicy,
    /// The bound of iterations that holds for this run.
    pub max_iterations: Option<u32>,
}

/// One iteration, once its reply has been read.
#[derive(Clone, Debug)]
pub struct Turn<'a> {
    /// The state before it, hand edits taken in.
    pub state: &'a State,
    /// Finds notes and leaves of that state.
    pub index: &'a dyn SearchIndex,
    /// The run.
    pub run: &'a Run,
    /// The loop's state when the prompt was made.
    pub ran_in: LoopState,
    /// What the reply says.
    pub reply: &'a Parsed,
    /// The server's reasoning field.
    pub reasoning: Option<&'a str>,
    /// What the calls cost.
    pub usage: Usage,
    /// What the server counted for the last prompt that it answered.
    pub counted: Option<Counted>,
    /// What the token budget gave to the parts of the last prompt.
    pub allocation: Option<AllocationSummary>,
    /// The notes that stood in the last prompt.
    pub shown: &'a [ShownNote],
    /// How many decisions about proposals it told.
    pub outcomes_shown: usize,
    /// SHA-256 over the SHA-256 of each message.
    pub messages_hash: String,
    /// What a person changed while the model answered.
    pub edited: &'a Edited,
    /// Whether a person wrote the request after the iteration before: nothing was done for it yet.
    pub is_request_new: bool,
    /// The look over the notes that was made for the prompt, if one was.
    pub look: Option<&'a Look>,
    /// Whether the request is worked on in small steps.
    pub is_stepwise: bool,
    /// What carrying a step out came to, where the program did that itself.
    pub carried: Option<&'a Carried>,
    /// Now.
    pub now: Timestamp,
}

/// What is to be committed, and what it means for the loop.
#[derive(Clone, Debug)]
pub struct Decision {
    /// The commit.
    pub draft: Draft,
    /// The state of the next iteration.
    pub next: LoopState,
    /// How the run ended, if it did.
    pub ending: Option<Ending>,
    /// What became of each instruction.
    pub entries: Vec<InstructionDecided>,
}
