//! The log of tool calls that people and the agent may read: the newest of them, with what came of
//! each. A convenience: the journal holds all of them for ever.

use super::executor::Tool;
use crate::core::journal::event::{InstructionDecided, Outcome};
use crate::core::journal::{Draft, Event};
use crate::core::memory::ram::file_of;
use crate::failure::Code;
use crate::ids::RunId;
use crate::limits::LOG_ENTRIES_MAX;
use crate::time::Timestamp;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// What became of one tool call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogEntry {
    /// When.
    pub ts: Timestamp,
    /// In which run.
    pub run_id: Option<RunId>,
    /// In which of its iterations, from 1.
    pub iteration: Option<u32>,
    /// The tool.
    pub op: String,
    /// The path that it worked on, shortened.
    pub target: String,
    /// What became of it.
    pub outcome: Outcome,
    /// Why it was refused.
    pub code: Option<Code>,
}

/// The newest tool calls, oldest first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ActionLog {
    entries: VecDeque<LogEntry>,
    /// How many are kept. Each start is told.
    #[serde(skip, default = "most")]
    entries_max: usize,
}

const fn most() -> usize {
    LOG_ENTRIES_MAX
}

impl Default for ActionLog {
    fn default() -> Self {
        Self {
            entries: VecDeque::new(),
            entries_max: most(),
        }
    }
}

impl ActionLog {
    /// Whether an event is one of a tool call.
    pub fn is_about(event: &Event) -> bool {
        // A call has a path; what the parser dropped under such a name has none.
        matches!(event, Event::InstructionDecided(decided)
            if Tool::find(&decided.op).is_some() && !decided.target.is_empty())
    }

    /// Adds what a draft tells of tool calls.
    pub fn add(&mut self, draft: &Draft) {
        for event in draft.events.iter().filter(|event| Self::is_about(event)) {
            if let Event::InstructionDecided(decided) = event {
                self.entries.push_back(entry(draft, decided));
            }
        }
        self.trim();
    }

    /// Keeps so many from now on.
    pub fn keep(&mut self, entries_max: usize) {
        self.entries_max = entries_max;
        self.trim();
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The entries, oldest first.
    pub fn entries(&self) -> impl Iterator<Item = &LogEntry> {
        self.entries.iter()
    }

    /// The file: a pretty-printed list with a final newline.
    pub fn to_file(&self) -> Vec<u8> {
        file_of(&self.entries)
    }

    fn trim(&mut self) {
        let over = self.entries.len().saturating_sub(self.entries_max);
        self.entries.drain(..over);
    }
}

fn entry(draft: &Draft, decided: &InstructionDecided) -> LogEntry {
    LogEntry {
        ts: draft.ts,
        run_id: draft.cause.run_id,
        iteration: draft.cause.iteration,
        op: decided.op.clone(),
        target: decided.target.clone(),
        outcome: decided.outcome,
        code: decided.code,
    }
}
