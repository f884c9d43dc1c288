//! The token budget: selects the parts of a prompt.
//! Parts have a type and a priority; the budget has a size, a limit for each type, and a reserve
//! that only critical parts may use. It concerns the size of a prompt, never its cost, and never
//! its order.

use super::allocation::{PartType, Priority, PromptPart, TokensByType};
use crate::failure::Code;

/// The divisor of the budget that gives the share that must stay free beside low parts.
pub const LOW_LEAVES_ONE_IN: usize = 4;

/// The budget of one prompt, in tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
pub struct TokenBudget {
    /// The maximum tokens of all parts together.
    pub max_total: usize,
    /// The limit of parts of type `memory` that are not critical.
    pub memory: usize,
    /// The limit of parts of type `todo` that are not critical.
    pub todo: usize,
    /// The limit of parts of type `session` that are not critical.
    pub session: usize,
    /// The limit of parts of type `system` that are not critical.
    pub system: usize,
    /// The limit of parts of type `context` that are not critical; `None` is all that is left.
    pub context: Option<usize>,
    /// The part of `max_total` that only critical parts may use.
    pub critical_reserve: usize,
}

impl Default for TokenBudget {
    fn default() -> Self {
        Self {
            max_total: 4000,
            memory: 1500,
            todo: 800,
            session: 700,
            system: 500,
            context: None,
            critical_reserve: 500,
        }
    }
}

impl TokenBudget {
    /// Returns the budget with a smaller size; all limits shrink in proportion.
    #[must_use]
    pub fn within(self, tokens: usize) -> Self {
        if tokens >= self.max_total {
            return self;
        }
        let scaled = |part: usize| part.saturating_mul(tokens) / self.max_total;
        Self {
            max_total: tokens,
            memory: scaled(self.memory),
            todo: scaled(self.todo),
            session: scaled(self.session),
            system: scaled(self.system),
            context: self.context.map(scaled),
            critical_reserve: scaled(self.critical_reserve),
        }
    }

    /// Returns the limit of parts of a type that are not critical.
    pub fn limit(&self, part_type: PartType) -> usize {
        match part_type {
            PartType::System => self.system,
            PartType::Memory => self.memory,
            PartType::Session => self.session,
            PartType::Todo => self.todo,
            PartType::Context => self.context.unwrap_or(self.max_total),
        }
    }

    /// Returns the tokens for parts that are not critical, beside critical ones of that size.
    pub fn space_beside(&self, critical_tokens: usize) -> usize {
        let taken = critical_tokens.max(self.critical_reserve);
        self.max_total.saturating_sub(taken)
    }

    /// Returns the part of that space that low parts may use.
    pub const fn space_of_low(&self, space: usize) -> usize {
        space.saturating_sub(self.max_total.div_ceil(LOW_LEAVES_ONE_IN))
    }
}

/// The reason why there is no prompt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PromptError {
    /// The critical parts alone need too many tokens.
    CriticalDropped {
        /// The tokens that they need.
        critical_tokens: usize,
        /// The tokens of the budget for all parts.
        max_total: usize,
    },
    /// A text could not be counted.
    EstimationFailed,
}

impl PromptError {
    /// Returns the code.
    pub const fn code(self) -> Code {
        match self {
            Self::CriticalDropped { .. } => Code::TokenCriticalDropped,
            Self::EstimationFailed => Code::TokenEstimationFailed,
        }
    }
}

/// The tokens taken so far, and the priorities that are closed.
struct BudgetUsage<'a> {
    budget: &'a TokenBudget,
    space: usize,
    by_type: TokensByType,
    /// The priority at which a part did not fit: no part of a lower one is taken.
    shut: Option<Priority>,
    shut_by_type: [Option<Priority>; PartType::ALL.len()],
}

impl BudgetUsage<'_> {
    /// Takes a part that is not critical, or returns the reason why not.
    fn take(&mut self, part_type: PartType, priority: Priority, tokens: usize) -> Result<(), Code> {
        let is_shut = |at: Option<Priority>| at.is_some_and(|at| at < priority);
        let space = match priority {
            Priority::Low => self.budget.space_of_low(self.space),
            Priority::Critical | Priority::High | Priority::Normal => self.space,
        };
        let after = self.by_type.total().saturating_add(tokens);
        if is_shut(self.shut) || after > space {
            self.shut.get_or_insert(priority);
            return Err(Code::TokenBudgetExceeded);
        }
        let of_type = self.by_type.of(part_type).saturating_add(tokens);
        let shut = &mut self.shut_by_type[part_type as usize];
        if is_shut(*shut) || of_type > self.budget.limit(part_type) {
            shut.get_or_insert(priority);
            return Err(Code::TokenTypeLimitExceeded);
        }
        self.by_type.add(part_type, tokens);
        Ok(())
    }
}

/// Selects the parts of a prompt: every critical one, then high, normal and low ones.
/// Each is taken while the whole budget and its type have room; the others get the reason why not.
/// Among equals, the order is by type, then by place. Parts with a reason stay out.
///
/// # Errors
/// [`PromptError::CriticalDropped`] if the critical parts alone are too many.
pub fn select(parts: &mut [PromptPart], budget: &TokenBudget) -> Result<(), PromptError> {
    let critical = parts
        .iter()
        .filter(|part| part.priority == Priority::Critical);
    let critical_tokens = critical.fold(0, |sum: usize, part| sum.saturating_add(part.tokens));
    if critical_tokens > budget.max_total {
        return Err(PromptError::CriticalDropped {
            critical_tokens,
            max_total: budget.max_total,
        });
    }
    let mut taken = BudgetUsage {
        budget,
        space: budget.space_beside(critical_tokens),
        by_type: TokensByType::default(),
        shut: None,
        shut_by_type: [None; PartType::ALL.len()],
    };
    let mut order: Vec<&mut PromptPart> = parts
        .iter_mut()
        .filter(|part| part.priority != Priority::Critical && part.is_included())
        .collect();
    order.sort_by_key(|part| (part.priority, part.part_type as usize));
    for part in order {
        let outcome = taken.take(part.part_type, part.priority, part.tokens);
        part.reason = outcome.err();
    }
    Ok(())
}
