//! The fair share of each part when not all of them fit: the same limit for all, so that one huge part
//! cannot push out many small ones. Limits change in steps: a small change of one part nearly always
//! leaves the others as they are, and a server's prefix cache with them.

use super::budget::TokenBudget;
use super::part::PartType;

/// The lowest step, in tokens.
const LEVEL_MIN: usize = 16;

/// A step is higher than the one before by one part in so many.
const STEP_PART: usize = 4;

/// The sizes of one part, in tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Size {
    /// Its type.
    pub(super) part_type: PartType,
    /// Whole.
    pub(super) full: usize,
    /// Cut as short as it can be.
    pub(super) least: usize,
    /// How much of it is of low priority, and may be cut first.
    pub(super) low: usize,
}

impl Size {
    const fn firm(self) -> usize {
        self.full - self.low
    }

    /// What of it that is not low stands at a height.
    const fn at(self, level: usize) -> usize {
        let level = if level < self.least {
            self.least
        } else {
            level
        };
        if self.firm() < level {
            self.firm()
        } else {
            level
        }
    }
}

/// How long parts may be, in tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FairShare {
    by_type: [usize; PartType::ALL.len()],
    low: usize,
}

impl FairShare {
    /// The levels at which all parts fit, as far as there are any.
    pub(super) fn of(sizes: &[Size], budget: &TokenBudget, space: usize) -> Self {
        let mut by_type = PartType::ALL.map(|part_type| {
            let own = sizes.iter().filter(|size| size.part_type == part_type);
            let height = |level| own.clone().map(|size| size.at(level)).sum();
            highest(height, budget.limit(part_type))
        });
        let all = |level: usize| {
            let at = |size: &Size| size.at(level.min(by_type[size.part_type as usize]));
            sizes.iter().map(at).sum()
        };
        let common = highest(all, space);
        let taken = all(common);
        by_type = by_type.map(|level| level.min(common));
        // Whatever is low is of what the reply before led to.
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

    /// The most tokens of a part without what is low of it.
    pub(super) fn firm(&self, size: Size) -> usize {
        size.at(self.by_type[size.part_type as usize])
    }

    /// The most tokens of a part with what is low of it.
    pub(super) fn full(&self, size: Size) -> usize {
        self.firm(size) + size.low.min(self.low)
    }
}

/// The highest step at which everything together is within `space`; no bound if no step is needed.
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
