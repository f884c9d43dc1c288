//! The prompt file after validation. Loading and checking it is `config::prompt_file`'s business.

use crate::core::agent::LoopState;
use crate::core::protocol::AllowedTags;

/// When a segment or an example applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// In every prompt.
    Default,
    /// In prompts of that state.
    State(LoopState),
}

impl Condition {
    /// Reads a condition's label; `None` for a label that nothing recognises.
    pub fn parse(label: &str) -> Option<Self> {
        if label == "default" {
            return Some(Self::Default);
        }
        LoopState::parse(label).map(Self::State)
    }
}

/// How note mutations are applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// At once, inside the scope.
    Yolo,
    /// As proposals that a person approves.
    Reviewed,
}

/// A piece of instruction text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    /// When it applies.
    pub condition: Condition,
    /// The text.
    pub prompt: String,
}

/// A worked example, sent as a user turn and an assistant turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    /// When it applies.
    pub condition: Condition,
    /// What the user turn says.
    pub input: String,
    /// What the assistant turn answers.
    pub output: String,
}

/// A valid prompt file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PromptFile {
    /// Always `kjxlkj-agent`.
    pub agent_name: String,
    /// A date or a semantic version.
    pub version: String,
    /// The mode used when the configuration names none.
    pub default_mode: Mode,
    /// The instructions that the model may use.
    pub allowed_tags: AllowedTags,
    /// Instruction text in file order.
    pub segments: Vec<Segment>,
    /// Worked examples in file order.
    pub examples: Vec<Example>,
    /// SHA-256 of the file's bytes, lower-case hex: the `prompt_hash` of run records.
    pub hash: String,
}
