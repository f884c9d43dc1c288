//! The parts of a prompt as the token budget sees them: a name, a type, a priority, a text.
//! Knows nothing of how they are rendered. Written in camel case, as the contract of the budget has it,
//! and read in both spellings.

use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// What a part is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PartType {
    /// Words and examples of the prompt file.
    System,
    /// What the agent keeps in RAM.
    Memory,
    /// What the reply before led to.
    Session,
    /// What is to be done.
    Todo,
    /// Anything else.
    Context,
}

impl PartType {
    /// Every type, in the order in which ties are settled.
    pub const ALL: [Self; 5] = [
        Self::System,
        Self::Memory,
        Self::Session,
        Self::Todo,
        Self::Context,
    ];

    /// The name in tables.
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

/// How much a part matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Priority {
    /// Always in, or nothing is asked.
    Critical,
    /// In before all that follow.
    High,
    /// In if there is room.
    Normal,
    /// In if there is much room.
    Low,
}

impl Priority {
    /// Every priority, the highest first.
    pub const ALL: [Self; 4] = [Self::Critical, Self::High, Self::Normal, Self::Low];

    /// The name in tables.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Critical => "critical",
            Self::High => "high",
            Self::Normal => "normal",
            Self::Low => "low",
        }
    }
}

/// One part that would like to be in the prompt. Among equals the first one goes first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct EmbeddedInstruction<'a> {
    /// Its name, for people.
    pub id: Cow<'a, str>,
    /// What it is about.
    #[serde(rename = "type")]
    pub part_type: PartType,
    /// The text as it would stand in the prompt.
    pub content: Cow<'a, str>,
    /// How much it matters.
    pub priority: Priority,
    /// Tokens, where they have been counted already.
    #[serde(
        default,
        alias = "estimated_tokens",
        skip_serializing_if = "Option::is_none"
    )]
    pub estimated_tokens: Option<usize>,
    /// What else is known of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metadata: Option<Metadata>,
}

impl<'a> EmbeddedInstruction<'a> {
    /// A part by its measure: its text stands elsewhere and is not held twice.
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

/// What else is known of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Metadata {
    /// Tokens of the whole text, where `content` is cut.
    #[serde(default, alias = "cut_from", skip_serializing_if = "Option::is_none")]
    pub cut_from: Option<usize>,
}
