//! What the calls of a run took, in tokens.

use crate::core::is_default;
use serde::{Deserialize, Serialize};

/// Token counts of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Usage {
    /// Replies received from the provider, those asked for again included.
    pub calls: u64,
    /// Prompt tokens, as the server counted them, if it did.
    pub input_tokens: u64,
    /// Generated tokens, as the server counted them, if it did.
    pub output_tokens: u64,
    /// Replies among them whose tokens no server counted: here they stand with an estimate.
    #[serde(default, skip_serializing_if = "is_default")]
    pub estimated_calls: u64,
    /// Tokens that were not generated because answers were ended early: at most so many, since an
    /// answer counts with all the room that it had left. A model that had lost itself would have
    /// filled it; one that went on in prose might have stopped before.
    #[serde(default, skip_serializing_if = "is_default")]
    pub saved_tokens: u64,
    /// What servers charged, in millionths of a dollar, as far as they said so: `usage.cost` of a market.
    #[serde(default, skip_serializing_if = "is_default")]
    pub cost_micro_dollars: u64,
}

impl Usage {
    /// One reply with so many tokens of prompt and of answer.
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

    /// The same, as what one call cost.
    #[must_use]
    pub const fn of_one_call(self) -> Self {
        Self { calls: 1, ..self }
    }

    /// Adds another count; saturates.
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
