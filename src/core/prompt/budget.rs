//! The token budget: selects the parts of a prompt.
//! Parts have a type and a priority; the budget has a size, a limit for each type, and a reserve
//! that only critical parts may use. It concerns the size of a prompt, never its cost, and never
//! its order.

use super::TokenMeter;
use super::allocation::{BudgetAllocation, ByType, Selection};
use super::part::{EmbeddedInstruction, PartType, Priority};
use crate::failure::Code;

/// The divisor of the budget that gives the share that must stay free beside low parts.
pub const LOW_LEAVES_ONE_IN: usize = 4;

/// The budget of one prompt, in tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
pub enum NoPrompt {
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

impl NoPrompt {
    /// Returns the code.
    pub const fn code(self) -> Code {
        match self {
            Self::CriticalDropped { .. } => Code::TokenCriticalDropped,
            Self::EstimationFailed => Code::TokenEstimationFailed,
        }
    }
}

/// Returns the tokens of each part.
fn counted(parts: &[EmbeddedInstruction<'_>], meter: TokenMeter) -> Result<Vec<usize>, NoPrompt> {
    let tokens = |part: &EmbeddedInstruction<'_>| {
        let counted = part.estimated_tokens.or_else(|| meter.count(&part.content));
        counted.ok_or(NoPrompt::EstimationFailed)
    };
    parts.iter().map(tokens).collect()
}

/// The tokens taken so far, and the priorities that are closed.
struct Taken<'a> {
    budget: &'a TokenBudget,
    space: usize,
    by_type: ByType,
    /// The priority at which a part did not fit: no part of a lower one is taken.
    shut: Option<Priority>,
    shut_by_type: [Option<Priority>; PartType::ALL.len()],
}

impl Taken<'_> {
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
/// Each is taken while the whole budget and its type have room. Among equals, the order is by type,
/// then by place.
///
/// # Errors
/// [`NoPrompt::CriticalDropped`] if the critical parts alone are too many,
/// [`NoPrompt::EstimationFailed`] for a text that the meter cannot count.
pub fn allocate(
    parts: &[EmbeddedInstruction<'_>],
    budget: &TokenBudget,
    meter: TokenMeter,
) -> Result<BudgetAllocation, NoPrompt> {
    let selection = select(parts, &[], budget, meter)?;
    Ok(selection.allocation(parts))
}

impl Selection {
    /// Returns the selection of the critical parts alone, whether they fit or not.
    pub(super) fn of_critical(
        parts: &[EmbeddedInstruction<'_>],
        budget: &TokenBudget,
        meter: TokenMeter,
    ) -> Result<Self, NoPrompt> {
        let tokens = counted(parts, meter)?;
        let is_in = |part: &EmbeddedInstruction<'_>| part.priority == Priority::Critical;
        let reason = |part| (!is_in(part)).then_some(Code::TokenBudgetExceeded);
        let reasons = parts.iter().map(reason).collect();
        let usage_by_type = critical_by_type(parts, &tokens);
        Ok(Self::of(tokens, reasons, usage_by_type, budget))
    }

    fn of(
        tokens: Vec<usize>,
        reasons: Vec<Option<Code>>,
        usage_by_type: ByType,
        budget: &TokenBudget,
    ) -> Self {
        let total_tokens = usage_by_type.total();
        let unreserved = budget.max_total.saturating_sub(budget.critical_reserve);
        Self {
            tokens,
            reasons,
            total_tokens,
            remaining: budget.max_total.saturating_sub(total_tokens),
            usage_by_type,
            critical_reserve_used: total_tokens.saturating_sub(unreserved),
        }
    }
}

/// Returns the tokens of the critical parts, by type.
fn critical_by_type(parts: &[EmbeddedInstruction<'_>], tokens: &[usize]) -> ByType {
    let mut critical = ByType::default();
    for (part, &tokens) in parts.iter().zip(tokens) {
        if part.priority == Priority::Critical {
            critical.add(part.part_type, tokens);
        }
    }
    critical
}

/// Like [`allocate`], but returns places, and leaves out parts that are `barred` for a reason.
pub(super) fn select(
    parts: &[EmbeddedInstruction<'_>],
    barred: &[Option<Code>],
    budget: &TokenBudget,
    meter: TokenMeter,
) -> Result<Selection, NoPrompt> {
    let tokens = counted(parts, meter)?;
    let mut reasons = barred.to_vec();
    reasons.resize(parts.len(), None);
    let critical = critical_by_type(parts, &tokens);
    let critical_tokens = critical.total();
    if critical_tokens > budget.max_total {
        return Err(NoPrompt::CriticalDropped {
            critical_tokens,
            max_total: budget.max_total,
        });
    }
    let mut taken = Taken {
        budget,
        space: budget.space_beside(critical_tokens),
        by_type: ByType::default(),
        shut: None,
        shut_by_type: [None; PartType::ALL.len()],
    };
    let is_wanted =
        |at: &usize| parts[*at].priority != Priority::Critical && reasons[*at].is_none();
    let mut order: Vec<usize> = (0..parts.len()).filter(is_wanted).collect();
    order.sort_by_key(|&at| (parts[at].priority, parts[at].part_type as usize));
    for at in order {
        let outcome = taken.take(parts[at].part_type, parts[at].priority, tokens[at]);
        reasons[at] = outcome.err();
    }
    let mut usage_by_type = critical;
    for part_type in PartType::ALL {
        usage_by_type.add(part_type, taken.by_type.of(part_type));
    }
    Ok(Selection::of(tokens, reasons, usage_by_type, budget))
}
