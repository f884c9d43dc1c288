//! What the model is shown: segments of the prompt file by state, worked examples, and data.
//! All words that the model reads stand in the prompt file; this room only arranges them.

mod assemble;
mod file;
mod tokens;

pub use assemble::{PromptData, assemble, render_ram};
pub use file::{Condition, Example, Mode, PromptFile, Segment};
pub use tokens::{ESTIMATE_METHOD, TokenMeter, WINDOW_ASSUMED_TOKENS, characters};

/// Who speaks in a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChatRole {
    /// The standing instructions.
    System,
    /// The daemon.
    User,
    /// The model, in worked examples.
    Assistant,
}

/// One message of a prompt.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Message {
    /// Who speaks.
    pub role: ChatRole,
    /// The text.
    pub content: String,
}
