//! The log of the newest tool calls and their outcomes, for people and the agent.
//! It is a convenience: the journal holds all calls for ever.

use super::executor::Tool;
use crate::core::journal::event::{InstructionDecided, InstructionOutcome};
use crate::core::journal::{CommitDraft, Event};
use crate::core::memory::ram::file_of;
use crate::failure::Code;
use crate::ids::RunId;
use crate::limits::LOG_ENTRIES_MAX;
use crate::time::Timestamp;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// A tool call and its outcome.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogEntry {
    /// The time of the commit.
    pub ts: Timestamp,
    /// The run.
    pub run_id: Option<RunId>,
    /// The number of the iteration in the run, from 1.
    pub iteration: Option<u32>,
    /// The tool.
    pub op: String,
    /// The path that it worked on, shortened.
    pub target: String,
    /// The outcome.
    pub outcome: InstructionOutcome,
    /// The reason of a refusal.
    pub code: Option<Code>,
}

/// The newest tool calls, oldest first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ActionLog {
    entries: VecDeque<LogEntry>,
    /// The maximum number of entries.
    /// It is not stored: each start sets it.
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
    /// Returns whether an event is about a tool call.
    pub fn is_about(event: &Event) -> bool {
        // A call has a path; an element that the parser dropped has none.
        matches!(event, Event::InstructionDecided(decided)
            if Tool::find(&decided.op).is_some() && !decided.target.is_empty())
    }

    /// Adds the tool calls of a draft.
    pub fn add(&mut self, draft: &CommitDraft) {
        for event in draft.events.iter().filter(|event| Self::is_about(event)) {
            if let Event::InstructionDecided(decided) = event {
                self.entries.push_back(entry(draft, decided));
            }
        }
        self.trim();
    }

    /// Sets the maximum number of entries, and removes the oldest ones above it.
    pub fn keep(&mut self, entries_max: usize) {
        self.entries_max = entries_max;
        self.trim();
    }

    /// Returns whether there are no entries.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Returns the entries, oldest first.
    pub fn entries(&self) -> impl Iterator<Item = &LogEntry> {
        self.entries.iter()
    }

    /// Returns the content of the file: a pretty-printed list with a final newline.
    pub fn to_file(&self) -> Vec<u8> {
        file_of(&self.entries)
    }

    fn trim(&mut self) {
        let over = self.entries.len().saturating_sub(self.entries_max);
        self.entries.drain(..over);
    }
}

fn entry(draft: &CommitDraft, decided: &InstructionDecided) -> LogEntry {
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
