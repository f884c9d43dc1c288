//! The usage of a run: calls, tokens and charges.

use crate::core::is_default;
use serde::{Deserialize, Serialize};

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
