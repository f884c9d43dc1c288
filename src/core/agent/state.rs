//! The six states of the loop.

use serde::{Deserialize, Serialize};
use std::fmt;

/// A state of the loop.
/// RAM keeps it under `state`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LoopState {
    /// Splitting work into steps.
    Planning,
    /// Changing notes.
    Executing,
    /// Judging what was done.
    Evaluating,
    /// Shrinking RAM.
    Paging,
    /// Merging, linking and tagging notes.
    RecordOrganizing,
    /// Waiting for a trigger.
    Idle,
}

impl LoopState {
    /// Every state.
    pub const ALL: [Self; 6] = [
        Self::Planning,
        Self::Executing,
        Self::Evaluating,
        Self::Paging,
        Self::RecordOrganizing,
        Self::Idle,
    ];

    /// Returns the name of the state in RAM and in prompts.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Planning => "planning",
            Self::Executing => "executing",
            Self::Evaluating => "evaluating",
            Self::Paging => "paging",
            Self::RecordOrganizing => "record_organizing",
            Self::Idle => "idle",
        }
    }

    /// Reads a state's name; `thinking` is accepted for `planning`.
    pub fn parse(name: &str) -> Option<Self> {
        let name = name.trim();
        if name == "thinking" {
            return Some(Self::Planning);
        }
        Self::ALL.into_iter().find(|state| state.name() == name)
    }
}

impl fmt::Display for LoopState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
