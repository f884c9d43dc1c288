//! The allocation of the token budget to the parts of a prompt, for the journal and for people.
//! Decides nothing. The allocation is written in camel case, as the contract of the budget has it;
//! its summary is a part of the journal, and spelled as everything there.

use super::part::{EmbeddedInstruction, PartType, Priority};
use crate::failure::Code;
use serde::{Deserialize, Serialize};

/// Tokens by type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ByType {
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

impl ByType {
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

/// A part with the decision of the budget about it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Placed {
    /// Its name.
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

/// The included and excluded parts of a prompt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct BudgetAllocation {
    /// The included parts, in the order given.
    pub included: Vec<Placed>,
    /// The excluded parts with their reasons, in the order given.
    pub excluded: Vec<Placed>,
    /// The tokens of all included parts.
    pub total_tokens: usize,
    /// The tokens that are left of `max_total`.
    pub remaining: usize,
    /// The tokens of the included parts, by type.
    pub usage_by_type: ByType,
    /// The tokens of the reserve that the critical parts needed.
    pub critical_reserve_used: usize,
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
    pub usage_by_type: ByType,
    /// The tokens of the reserve that the critical parts needed.
    pub critical_reserve_used: usize,
}

impl AllocationSummary {
    /// Returns the summary of a question, which is no selection of parts.
    /// All of it is included but the examples that had no room.
    pub fn of_question(messages: usize, examples_out: usize, tokens: usize, budget: usize) -> Self {
        let count = |of: usize| u32::try_from(of).unwrap_or(u32::MAX);
        Self {
            included: count(messages),
            cut: 0,
            excluded: count(examples_out),
            total_tokens: tokens,
            remaining: budget.saturating_sub(tokens),
            usage_by_type: ByType {
                system: tokens,
                ..ByType::default()
            },
            critical_reserve_used: 0,
        }
    }
}

/// The selected parts, by their places.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Selection {
    /// The tokens of each part.
    pub(super) tokens: Vec<usize>,
    /// The reason why a part is excluded; `None` if it is included.
    pub(super) reasons: Vec<Option<Code>>,
    pub(super) total_tokens: usize,
    pub(super) remaining: usize,
    pub(super) usage_by_type: ByType,
    pub(super) critical_reserve_used: usize,
}

impl Selection {
    /// Returns whether a part is included.
    pub(super) fn has(&self, at: usize) -> bool {
        self.reasons.get(at).is_some_and(Option::is_none)
    }

    /// Returns the selection part by part.
    pub(super) fn allocation(&self, parts: &[EmbeddedInstruction<'_>]) -> BudgetAllocation {
        let placed = parts.iter().zip(&self.tokens).zip(&self.reasons);
        let placed = placed.map(|((part, tokens), reason)| Placed {
            id: part.id.clone().into_owned(),
            part_type: part.part_type,
            priority: part.priority,
            tokens: *tokens,
            cut_from: cut_from(part),
            reason: *reason,
        });
        let (included, excluded) = placed.partition(|part| part.reason.is_none());
        BudgetAllocation {
            included,
            excluded,
            total_tokens: self.total_tokens,
            remaining: self.remaining,
            usage_by_type: self.usage_by_type,
            critical_reserve_used: self.critical_reserve_used,
        }
    }

    /// Returns the selection in numbers.
    pub(super) fn summary(&self, parts: &[EmbeddedInstruction<'_>]) -> AllocationSummary {
        let mut summary = AllocationSummary {
            included: 0,
            cut: 0,
            excluded: 0,
            total_tokens: self.total_tokens,
            remaining: self.remaining,
            usage_by_type: self.usage_by_type,
            critical_reserve_used: self.critical_reserve_used,
        };
        for (part, reason) in parts.iter().zip(&self.reasons) {
            if reason.is_some() {
                summary.excluded += 1;
            } else {
                summary.included += 1;
                summary.cut += u32::from(cut_from(part).is_some());
            }
        }
        summary
    }
}

fn cut_from(part: &EmbeddedInstruction<'_>) -> Option<usize> {
    part.metadata.and_then(|known| known.cut_from)
}
