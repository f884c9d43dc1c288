//! What the loop keeps from iteration to iteration beside the notes.

use super::{ActionLog, ActionResult, ResultLog};
use crate::core::journal::event::Cycle;
use crate::core::memory::Ram;
use crate::ids::NoteId;
use std::collections::BTreeMap;

/// The working memory of an agent: RAM, and what belongs to it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WorkingMemory {
    /// The keys and values in every prompt.
    pub ram: Ram,
    /// The counters of the state machine.
    pub cycle: Cycle,
    /// The results of the last iteration, which the next prompt shows.
    pub results: Vec<ActionResult>,
    /// The results by their numbers, including those of older iterations.
    pub result_log: ResultLog,
    /// The newest tool calls.
    pub log: ActionLog,
    /// The version of each note that the agent saw last.
    pub seen: BTreeMap<NoteId, u64>,
}
