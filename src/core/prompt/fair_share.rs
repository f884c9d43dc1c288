//! The fair share of each part when not all of them fit.
//! All parts have the same limit, so that one huge part cannot push out many small ones. Limits
//! change in steps: a small change of one part nearly always leaves the others as they are, and
//! with them the prefix cache of a server.

use super::allocation::PartType;
use super::budget::TokenBudget;

/// The lowest step, in tokens.
const LEVEL_MIN: usize = 16;

/// The divisor of a step that gives the distance to the next one.
const STEP_PART: usize = 4;

/// The sizes of one part, in tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PartSize {
    /// Its type.
    pub(super) part_type: PartType,
    /// The tokens of the whole part.
    pub(super) full: usize,
    /// The tokens of the part when it is cut as short as possible.
    pub(super) least: usize,
    /// The tokens of low priority in it, which are cut first.
    pub(super) low: usize,
}

impl PartSize {
    const fn firm(self) -> usize {
        self.full - self.low
    }

    /// Returns its tokens that are not low, at a level.
    fn at(self, level: usize) -> usize {
        level.max(self.least).min(self.firm())
    }
}

/// The limits of parts, in tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FairShare {
    by_type: [usize; PartType::ALL.len()],
    low: usize,
}

impl FairShare {
    /// Returns the highest levels at which all parts fit, if there are any.
    pub(super) fn of(sizes: &[PartSize], budget: &TokenBudget, space: usize) -> Self {
        let mut by_type = PartType::ALL.map(|part_type| {
            let own = sizes.iter().filter(|size| size.part_type == part_type);
            let height = |level| own.clone().map(|size| size.at(level)).sum();
            highest(height, budget.limit(part_type))
        });
        let all = |level: usize| {
            let at = |size: &PartSize| size.at(level.min(by_type[size.part_type as usize]));
            sizes.iter().map(at).sum()
        };
        let common = highest(all, space);
        let taken = all(common);
        by_type = by_type.map(|level| level.min(common));
        // All low tokens belong to results of the previous reply.
        let session = sizes
            .iter()
            .filter(|size| size.low > 0 || size.part_type == PartType::Session);
        let of_session = session.clone();
        let session_taken = of_session.map(|size| size.at(by_type[size.part_type as usize]));
        let session_left = budget.session.saturating_sub(session_taken.sum());
        let low_space = budget.space_of_low(space).saturating_sub(taken);
        let low = highest(
            |level| session.clone().map(|size| size.low.min(level)).sum(),
            low_space.min(session_left),
        );
        Self { by_type, low }
    }

    /// Returns the maximum tokens of a part without its low tokens.
    pub(super) fn firm(&self, size: PartSize) -> usize {
        size.at(self.by_type[size.part_type as usize])
    }

    /// Returns the maximum tokens of a part with its low tokens.
    pub(super) fn full(&self, size: PartSize) -> usize {
        self.firm(size) + size.low.min(self.low)
    }
}

/// Returns the highest step at which the total is within `space`; no bound if all fits.
fn highest(height: impl Fn(usize) -> usize, space: usize) -> usize {
    if height(usize::MAX) <= space {
        return usize::MAX;
    }
    let mut level = LEVEL_MIN;
    loop {
        let next = level + level / STEP_PART;
        if height(next) > space {
            return level;
        }
        level = next;
    }
}
