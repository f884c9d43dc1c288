//! The parts of a prompt as the token budget sees them, and which of them it includes.
//! Knows nothing of their texts, which the messages hold, and decides nothing. For people it is written
//! in camel case, as the contract of the budget has it; its summary is a part of the journal, and
//! spelled as everything there.

use super::TokenBudget;
use crate::failure::Code;
use serde::{Deserialize, Serialize};

/// The type of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
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

/// A part of a prompt, with the decision of the budget about it.
/// Among equals, the first one has priority.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PromptPart {
    /// Its name, for people.
    pub id: String,
    /// Its type.
    #[serde(rename = "type")]
    pub part_type: PartType,
    /// Its priority.
    pub priority: Priority,
    /// Its tokens.
    pub tokens: usize,
    /// The tokens of the whole text, if it was cut.
    pub cut_from: Option<usize>,
    /// The reason why it is excluded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<Code>,
}

impl PromptPart {
    /// Returns a part that is included whole.
    pub fn new(
        id: impl Into<String>,
        part_type: PartType,
        priority: Priority,
        tokens: usize,
    ) -> Self {
        Self {
            id: id.into(),
            part_type,
            priority,
            tokens,
            cut_from: None,
            reason: None,
        }
    }

    /// Returns whether it is included.
    pub const fn is_included(&self) -> bool {
        self.reason.is_none()
    }
}

/// Tokens by type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct TokensByType {
    /// The tokens of type `memory`.
    pub memory: usize,
    /// The tokens of type `todo`.
    pub todo: usize,
    /// The tokens of type `session`.
    pub session: usize,
    /// The tokens of type `system`.
    pub system: usize,
    /// The tokens of type `context`.
    pub context: usize,
}

impl TokensByType {
    /// Returns the tokens of a type.
    pub const fn of(&self, part_type: PartType) -> usize {
        match part_type {
            PartType::System => self.system,
            PartType::Memory => self.memory,
            PartType::Session => self.session,
            PartType::Todo => self.todo,
            PartType::Context => self.context,
        }
    }

    /// Returns the tokens of all types.
    pub const fn total(&self) -> usize {
        self.memory
            .saturating_add(self.todo)
            .saturating_add(self.session)
            .saturating_add(self.system)
            .saturating_add(self.context)
    }

    /// Adds tokens to a type.
    pub const fn add(&mut self, part_type: PartType, tokens: usize) {
        let of = match part_type {
            PartType::System => &mut self.system,
            PartType::Memory => &mut self.memory,
            PartType::Session => &mut self.session,
            PartType::Todo => &mut self.todo,
            PartType::Context => &mut self.context,
        };
        *of = of.saturating_add(tokens);
    }
}

/// The included and excluded parts of a prompt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct BudgetAllocation {
    /// The included parts, in the order given.
    pub included: Vec<PromptPart>,
    /// The excluded parts with their reasons, in the order given.
    pub excluded: Vec<PromptPart>,
    /// The tokens of all included parts.
    pub total_tokens: usize,
    /// The tokens that are left of `max_total`.
    pub remaining: usize,
    /// The tokens of the included parts, by type.
    pub usage_by_type: TokensByType,
    /// The tokens of the reserve that the critical parts needed.
    pub critical_reserve_used: usize,
}

impl BudgetAllocation {
    /// Returns the allocation of a budget to parts of which each has its decision.
    pub fn of(parts: Vec<PromptPart>, budget: &TokenBudget) -> Self {
        let (included, excluded): (Vec<_>, Vec<_>) =
            parts.into_iter().partition(PromptPart::is_included);
        let mut usage_by_type = TokensByType::default();
        for part in &included {
            usage_by_type.add(part.part_type, part.tokens);
        }
        let total_tokens = usage_by_type.total();
        let unreserved = budget.max_total.saturating_sub(budget.critical_reserve);
        Self {
            included,
            excluded,
            total_tokens,
            remaining: budget.max_total.saturating_sub(total_tokens),
            usage_by_type,
            critical_reserve_used: total_tokens.saturating_sub(unreserved),
        }
    }

    /// Returns the allocation in numbers.
    pub fn summary(&self) -> AllocationSummary {
        let cut = self.included.iter().filter(|part| part.cut_from.is_some());
        AllocationSummary {
            included: number(self.included.len()),
            cut: number(cut.count()),
            excluded: number(self.excluded.len()),
            total_tokens: self.total_tokens,
            remaining: self.remaining,
            usage_by_type: self.usage_by_type,
            critical_reserve_used: self.critical_reserve_used,
        }
    }
}

/// The numbers of an allocation, as the journal keeps them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AllocationSummary {
    /// The number of included parts.
    pub included: u32,
    /// The number of included parts that are cut.
    pub cut: u32,
    /// The number of excluded parts.
    pub excluded: u32,
    /// The tokens of all included parts.
    pub total_tokens: usize,
    /// The tokens that are left of the budget.
    pub remaining: usize,
    /// The tokens of the included parts, by type.
    pub usage_by_type: TokensByType,
    /// The tokens of the reserve that the critical parts needed.
    pub critical_reserve_used: usize,
}

impl AllocationSummary {
    /// Returns the summary of a question, which is no selection of parts.
    /// All of it is included but the examples that had no room.
    pub fn of_question(messages: usize, examples_out: usize, tokens: usize, budget: usize) -> Self {
        Self {
            included: number(messages),
            cut: 0,
            excluded: number(examples_out),
            total_tokens: tokens,
            remaining: budget.saturating_sub(tokens),
            usage_by_type: TokensByType {
                system: tokens,
                ..TokensByType::default()
            },
            critical_reserve_used: 0,
        }
    }
}

fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}
