//! Describes a prompt that does not fit, part by part, for people who can change that.
//! Also computes the smallest possible prompt. Fits nothing itself.

use super::allocation::{BudgetAllocation, Selection};
use super::budget::NoPrompt;
use super::fit::full_parts;
use super::optional::Wishes;
use super::required::{Required, Texts};
use super::{PromptBudget, PromptData, PromptFile, TokenBudget, TokenMeter};

/// Returns the required parts of a prompt that does not fit as included, all others as excluded.
///
/// # Errors
/// [`NoPrompt::EstimationFailed`] for a text that cannot be counted.
pub fn overflow(
    file: &PromptFile,
    data: &PromptData<'_>,
    prompt_budget: &PromptBudget,
) -> Result<BudgetAllocation, NoPrompt> {
    let (budget, meter) = (prompt_budget.in_force(), prompt_budget.meter.steady());
    let required = Required::of(file, data, &budget, meter, Texts::Tight)?;
    let wishes = Wishes { data, meter };
    let parts = full_parts(&required, &wishes, &wishes.all()?);
    Ok(Selection::of_critical(&parts, &budget, meter)?.allocation(&parts))
}

/// Returns the fewest tokens that a prompt can have.
/// It has the instructions of its state, the request and the step cut as short as possible, and
/// neither examples nor other data.
///
/// # Errors
/// [`NoPrompt::EstimationFailed`] for a text that cannot be counted.
pub fn least_tokens(
    file: &PromptFile,
    data: &PromptData<'_>,
    meter: TokenMeter,
) -> Result<usize, NoPrompt> {
    let nothing = TokenBudget::default().within(0);
    let required = Required::of(file, data, &nothing, meter.steady(), Texts::Tight)?;
    Ok(required.tokens())
}
