//! The prompt: segments of the prompt file by state, worked examples, and data.
//! All standing words and examples are those of the prompt file. This module arranges them, and
//! words only what it says about the data: how much was cut or left out, and a correct example.

mod allocation;
mod assemble;
mod budget;
mod calibration;
mod clauses;
mod cut;
mod fair_share;
mod file;
mod fit;
mod joined_items;
mod linear;
mod optional;
mod page;
mod parts;
mod reading;
mod rendered;
mod required;
mod similar;
mod spelling;
mod step_kinds;
mod tokens;
mod verbs;
mod window;
mod words;
mod worst_case;

pub use allocation::{
    AllocationSummary, BudgetAllocation, PartType, Priority, PromptPart, TokensByType,
};
pub use assemble::{PromptData, assemble, render_ram, with_example};
pub use budget::{LOW_LEAVES_ONE_IN, PromptError, TokenBudget, select};
pub use calibration::{Calibration, Calibrations, estimate_method, unchecked_meter};
pub use cut::{marks, passage, shorten, shorten_more};
pub use file::{Condition, Example, Mode, PromptFile, QuestionKind, Segment};
pub use fit::{FittedPrompt, PromptBudget, fit, least_tokens, overflow};
pub use joined_items::JoinedWords;
pub use optional::{KEY_NAMED_BYTES, with_not_shown};
pub use page::TextPage;
pub use similar::SimilarExamples;
pub use step_kinds::StepKind;
pub use tokens::{TokenMeter, characters};
pub use window::{WINDOW_ASSUMED_TOKENS, Window, WindowSource};
pub use worst_case::{CharacterCounts, PromptCount, fit_worst_case, most_tokens};

/// The author of a message.
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
pub struct PromptMessage {
    /// The author.
    pub role: ChatRole,
    /// The text.
    pub content: String,
}
