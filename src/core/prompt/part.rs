//! The parts of a prompt as the token budget sees them: a name, a type, a priority, a text.
//! Knows nothing of their rendering. Written in camel case, as the contract of the budget has it,
//! and read in both spellings.

use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// The type of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PartType {
    /// Words and examples of the prompt file.
    System,
    /// Keys of RAM.
    Memory,
    /// Results of the previous reply.
    Session,
    /// Request, steps and other work to do.
    Todo,
    /// Anything else.
    Context,
}

impl PartType {
    /// Every type, in the order of precedence among equals.
    pub const ALL: [Self; 5] = [
        Self::System,
        Self::Memory,
        Self::Session,
        Self::Todo,
        Self::Context,
    ];

    /// Returns the name in tables.
    pub const fn name(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::Memory => "memory",
            Self::Session => "session",
            Self::Todo => "todo",
            Self::Context => "context",
        }
    }
}

/// The priority of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Priority {
    /// Always included, or there is no prompt.
    Critical,
    /// Included before all that follow.
    High,
    /// Included if there is room.
    Normal,
    /// Included if there is much room.
    Low,
}

impl Priority {
    /// Every priority, the highest first.
    pub const ALL: [Self; 4] = [Self::Critical, Self::High, Self::Normal, Self::Low];

    /// Returns the name in tables.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Critical => "critical",
            Self::High => "high",
            Self::Normal => "normal",
            Self::Low => "low",
        }
    }
}

/// A part that may be included in a prompt.
/// Among equals, the first one has priority.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct EmbeddedInstruction<'a> {
    /// Its name, for people.
    pub id: Cow<'a, str>,
    /// Its type.
    #[serde(rename = "type")]
    pub part_type: PartType,
    /// The text as it stands in the prompt.
    pub content: Cow<'a, str>,
    /// Its priority.
    pub priority: Priority,
    /// Its tokens, if they have been counted already.
    #[serde(
        default,
        alias = "estimated_tokens",
        skip_serializing_if = "Option::is_none"
    )]
    pub estimated_tokens: Option<usize>,
    /// Further facts about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metadata: Option<Metadata>,
}

impl<'a> EmbeddedInstruction<'a> {
    /// Returns a part by its size, without its text, which another place holds.
    pub(super) fn measured(
        id: impl Into<Cow<'a, str>>,
        part_type: PartType,
        priority: Priority,
        tokens: usize,
    ) -> Self {
        Self {
            id: id.into(),
            part_type,
            content: Cow::Borrowed(""),
            priority,
            estimated_tokens: Some(tokens),
            metadata: None,
        }
    }
}

/// Further facts about a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Metadata {
    /// The tokens of the whole text, if `content` is cut.
    #[serde(default, alias = "cut_from", skip_serializing_if = "Option::is_none")]
    pub cut_from: Option<usize>,
}
