//! What the token budget gave to each part of a prompt, for the journal and for people.
//! Decides nothing. The allocation is spelled as the contract of the budget has it, in camel case; its
//! summary is a part of the journal, and spelled as everything there.

use super::part::{EmbeddedInstruction, PartType, Priority};
use crate::failure::Code;
use serde::{Deserialize, Serialize};

/// Tokens by type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ByType {
    /// Of type `memory`.
    pub memory: usize,
    /// Of type `todo`.
    pub todo: usize,
    /// Of type `session`.
    pub session: usize,
    /// Of type `system`.
    pub system: usize,
    /// Of type `context`.
    pub context: usize,
}

impl ByType {
    /// The tokens of a type.
    pub const fn of(&self, part_type: PartType) -> usize {
        match part_type {
            PartType::System => self.system,
            PartType::Memory => self.memory,
            PartType::Session => self.session,
            PartType::Todo => self.todo,
            PartType::Context => self.context,
        }
    }

    /// The tokens of all types.
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

/// A part as the budget placed it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Placed {
    /// Its name.
    pub id: String,
    /// What it is about.
    #[serde(rename = "type")]
    pub part_type: PartType,
    /// How much it matters.
    pub priority: Priority,
    /// Its tokens.
    pub tokens: usize,
    /// Tokens of the whole text, where it was cut.
    pub cut_from: Option<usize>,
    /// Why it is not in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<Code>,
}

/// What is in a prompt, and what is not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct BudgetAllocation {
    /// What is in, in the order given.
    pub included: Vec<Placed>,
    /// What is not, each with the reason, in the order given.
    pub excluded: Vec<Placed>,
    /// Tokens of everything that is in.
    pub total_tokens: usize,
    /// What is left of `max_total`.
    pub remaining: usize,
    /// What is in, by type.
    pub usage_by_type: ByType,
    /// How much of the reserve the critical parts needed.
    pub critical_reserve_used: usize,
}

/// The same in numbers, as the journal keeps it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AllocationSummary {
    /// How many parts are in.
    pub included: u32,
    /// How many of them are cut.
    pub cut: u32,
    /// How many are not in.
    pub excluded: u32,
    /// Tokens of everything that is in.
    pub total_tokens: usize,
    /// What is left of the budget.
    pub remaining: usize,
    /// What is in, by type.
    pub usage_by_type: ByType,
    /// How much of the reserve the critical parts needed.
    pub critical_reserve_used: usize,
}

impl AllocationSummary {
    /// Returns the summary of a question that is no selection of parts: all of it is in but the examples that
    /// had no room.
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

/// What was selected, by the parts' places.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Selection {
    /// Tokens of each part.
    pub(super) tokens: Vec<usize>,
    /// Why a part is not in; `None` for one that is.
    pub(super) reasons: Vec<Option<Code>>,
    pub(super) total_tokens: usize,
    pub(super) remaining: usize,
    pub(super) usage_by_type: ByType,
    pub(super) critical_reserve_used: usize,
}

impl Selection {
    /// Whether a part is in.
    pub(super) fn has(&self, at: usize) -> bool {
        self.reasons.get(at).is_some_and(Option::is_none)
    }

    /// The selection in full.
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

    /// The selection in numbers.
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
