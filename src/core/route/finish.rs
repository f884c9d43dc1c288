//! Why a model stopped, in the words of records. Knows no server's own words for it, and decides nothing.

use serde::{Deserialize, Serialize};

/// Why the model stopped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum FinishReason {
    /// By itself.
    #[default]
    Stop,
    /// At the token limit: whatever was open is incomplete.
    Length,
    /// A filter withheld the rest: there is no answer.
    ContentFilter,
    /// To have a tool called. There are none here, so it has said what it had to say.
    ToolCalls,
    /// Something failed: there is no answer.
    Error,
}

impl FinishReason {
    /// Its name in answers and records.
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
