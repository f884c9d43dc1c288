//! The reasons why a model stops, as records name them.
//! Knows no server's own names, and decides nothing.

use serde::{Deserialize, Serialize};

/// The reason why the model stopped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum FinishReason {
    /// The model stopped by itself.
    #[default]
    Stop,
    /// The token limit was reached: an element that was open is incomplete.
    Length,
    /// A filter withheld the rest: there is no answer.
    ContentFilter,
    /// The model called a tool.
    /// There are none here, so its text is complete.
    ToolCalls,
    /// The call failed: there is no answer.
    Error,
}

impl FinishReason {
    /// Returns the name in answers and records.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Stop => "stop",
            Self::Length => "length",
            Self::ContentFilter => "contentFilter",
            Self::ToolCalls => "toolCalls",
            Self::Error => "error",
        }
    }
}
