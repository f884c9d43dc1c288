//! A prompt that does not fit, part by part: for people, who can do something about it.

use super::allocation::{BudgetAllocation, Selection};
use super::budget::NoPrompt;
use super::critical::{Critical, Texts};
use super::fit::whole_parts;
use super::wanted::Wishes;
use super::{PromptData, PromptFile, Room};

/// What must be in a prompt that does not fit, and everything else, which has no room beside it.
///
/// # Errors
/// [`NoPrompt::EstimationFailed`] for a text that cannot be counted.
pub fn overflow(
    file: &PromptFile,
    data: &PromptData<'_>,
    room: &Room,
) -> Result<BudgetAllocation, NoPrompt> {
    let (budget, meter) = (room.in_force(), room.meter.steady());
    let critical = Critical::of(file, data, &budget, meter, Texts::Tight)?;
    let wishes = Wishes { data, meter };
    let parts = whole_parts(&critical, &wishes, &wishes.all()?);
    Ok(Selection::of_critical(&parts, &budget, meter)?.allocation(&parts))
}
