//! The cost of calls, and whether one more fits the budgets of a day and of a run.
//! Days are those of UTC. Pure: the journal holds what is reserved and settled, and the caller
//! waits for the next day.

use crate::core::is_default;
use crate::time::{DAY_MS, Timestamp};
use serde::{Deserialize, Serialize};

/// The cost of calls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cost {
    /// The number of requests to a server, failed ones included.
    pub calls: u64,
    /// The number of tokens read and written.
    pub tokens: u64,
    /// The charge that servers report, in millionths of a dollar.
    #[serde(default, skip_serializing_if = "is_default")]
    pub micro_dollars: u64,
}

impl Cost {
    /// Returns whether it is zero.
    pub fn is_nothing(&self) -> bool {
        *self == Self::default()
    }

    /// Returns the sum; saturates.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self {
            calls: self.calls.saturating_add(other.calls),
            tokens: self.tokens.saturating_add(other.tokens),
            micro_dollars: self.micro_dollars.saturating_add(other.micro_dollars),
        }
    }

    /// Returns the difference, at least zero.
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self {
            calls: self.calls.saturating_sub(other.calls),
            tokens: self.tokens.saturating_sub(other.tokens),
            micro_dollars: self.micro_dollars.saturating_sub(other.micro_dollars),
        }
    }
}

/// The budget of a day or a run; `None` is unlimited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Allowance {
    /// The maximum number of requests, repeated calls and questions included.
    pub calls: Option<u64>,
    /// The maximum number of tokens read and written.
    pub tokens: Option<u64>,
}

/// The reason why a call does not fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OverBudget {
    /// The day's calls are used up; there are more from that time on.
    Calls(Timestamp),
    /// The day's tokens do not suffice; there are more from that time on.
    Tokens(Timestamp),
    /// The tokens of a whole day do not suffice.
    Never,
    RunCalls,
    /// The run's remaining tokens do not suffice.
    RunTokens,
}

impl Allowance {
    /// Returns whether there is no limit.
    pub const fn is_endless(&self) -> bool {
        self.calls.is_none() && self.tokens.is_none()
    }

    /// Checks that a call of that cost fits the budget of its run, which has spent `spent`.
    ///
    /// # Errors
    /// The reason why it does not fit.
    pub fn fits_run(&self, spent: Cost, cost: Cost) -> Result<(), OverBudget> {
        let after = spent.and(cost);
        if exceeds(after.calls, self.calls) {
            return Err(OverBudget::RunCalls);
        }
        if exceeds(after.tokens, self.tokens) {
            return Err(OverBudget::RunTokens);
        }
        Ok(())
    }

    /// Checks that a call of that cost fits the budget of the day.
    ///
    /// # Errors
    /// The reason why it does not fit.
    pub fn fits_day(
        &self,
        spending: &Spending,
        cost: Cost,
        now: Timestamp,
    ) -> Result<(), OverBudget> {
        let day = spending.day_at(now);
        let after = spending.on(day).and(cost);
        if exceeds(cost.tokens, self.tokens) {
            return Err(OverBudget::Never);
        }
        let next_day = Timestamp::from_millis(day.saturating_add(1).saturating_mul(DAY_MS));
        if exceeds(after.calls, self.calls) {
            return Err(OverBudget::Calls(next_day));
        }
        if exceeds(after.tokens, self.tokens) {
            return Err(OverBudget::Tokens(next_day));
        }
        Ok(())
    }
}

fn exceeds(wanted: u64, most: Option<u64>) -> bool {
    most.is_some_and(|most| wanted > most)
}

/// The cost of the newest day.
/// A reserved cost counts as spent until it is settled, so that a process that dies during a call
/// has paid for it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spending {
    /// The day, as the number of days since 1970-01-01.
    day: i64,
    spent: Cost,
}

impl Spending {
    /// Returns whether no day is known.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Returns the day that a call at `now` belongs to.
    /// A clock that goes back over midnight brings no new budget; one that is put right by more
    /// than a day begins its day anew.
    pub const fn day_at(&self, now: Timestamp) -> i64 {
        let today = now.millis.div_euclid(DAY_MS);
        if self.day == today.saturating_add(1) {
            self.day
        } else {
            today
        }
    }

    /// Returns the cost of a day.
    pub fn on(&self, day: i64) -> Cost {
        if day == self.day {
            self.spent
        } else {
            Cost::default()
        }
    }

    /// Reserves a cost.
    pub fn reserve(&mut self, day: i64, cost: Cost) {
        let spent = self.on(day).and(cost);
        *self = Self { day, spent };
    }

    /// Replaces a reserved cost by the real one.
    /// A day that is over stays as it is.
    pub fn settle(&mut self, day: i64, reserved: Cost, spent: Cost) {
        if day == self.day {
            self.spent = self.spent.without(reserved).and(spent);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Allowance, Cost, OverBudget, Spending};
    use crate::time::{DAY_MS, Timestamp};
    use proptest::prelude::*;

    const fn cost(calls: u64, tokens: u64) -> Cost {
        Cost {
            calls,
            tokens,
            micro_dollars: 0,
        }
    }

    fn at(day: i64, millis: i64) -> Timestamp {
        Timestamp::from_millis(day * DAY_MS + millis)
    }

    #[test]
    fn what_does_not_fit_the_day_waits_for_the_next() {
        let budget = Allowance {
            calls: Some(2),
            tokens: Some(100),
        };
        let mut spending = Spending::default();
        assert_eq!(budget.fits_day(&spending, cost(1, 100), at(5, 0)), Ok(()));
        assert_eq!(
            budget.fits_day(&spending, cost(1, 101), at(5, 0)),
            Err(OverBudget::Never)
        );
        spending.reserve(5, cost(1, 60));
        assert_eq!(budget.fits_day(&spending, cost(1, 40), at(5, 9)), Ok(()));
        assert_eq!(
            budget.fits_day(&spending, cost(1, 41), at(5, 9)),
            Err(OverBudget::Tokens(at(6, 0)))
        );
        spending.settle(5, cost(1, 60), cost(2, 10));
        assert_eq!(
            budget.fits_day(&spending, cost(1, 1), at(5, DAY_MS - 1)),
            Err(OverBudget::Calls(at(6, 0)))
        );
        assert_eq!(budget.fits_day(&spending, cost(1, 100), at(6, 0)), Ok(()));
        assert!(Allowance::default().is_endless() && !budget.is_endless());
    }

    #[test]
    fn a_run_has_its_own_bound_and_no_day_renews_it() {
        let budget = Allowance {
            calls: Some(2),
            tokens: Some(100),
        };
        assert_eq!(budget.fits_run(cost(1, 60), cost(1, 40)), Ok(()));
        let calls = budget.fits_run(cost(2, 0), cost(1, 0));
        assert_eq!(calls, Err(OverBudget::RunCalls));
        let tokens = budget.fits_run(cost(1, 60), cost(1, 41));
        assert_eq!(tokens, Err(OverBudget::RunTokens));
        assert_eq!(
            Allowance::default().fits_run(cost(9, 9), cost(1, 1)),
            Ok(())
        );
    }

    #[test]
    fn a_clock_that_goes_back_brings_no_second_budget_and_holds_nobody_up_for_years() {
        let mut spending = Spending::default();
        spending.reserve(8, cost(3, 0));
        assert_eq!(spending.day_at(at(7, DAY_MS - 1)), 8);
        assert_eq!(spending.day_at(at(8, 0)), 8);
        assert_eq!(spending.day_at(at(9, 0)), 9);
        assert_eq!(spending.day_at(at(6, 0)), 6);
        // A cost of a day that is over does not count for this one.
        spending.reserve(9, cost(1, 1));
        spending.settle(8, cost(3, 0), cost(100, 100));
        assert_eq!((spending.on(9), spending.on(8)), (cost(1, 1), cost(0, 0)));
    }

    proptest! {
        /// Whatever is reserved and settled, no more is admitted than the budget of the day.
        /// That holds as long as a call costs no more than was reserved for it.
        #[test]
        fn no_day_spends_more_than_it_has(
            steps in prop::collection::vec((0_i64..40_000_000, 0_u64..60, 0_u64..60), 1..200)
        ) {
            let budget = Allowance { calls: Some(20), tokens: Some(500) };
            let (mut spending, mut now) = (Spending::default(), at(3, 0));
            let mut really = std::collections::BTreeMap::<i64, Cost>::new();
            for (pause, reserved, used) in steps {
                now = now.plus_millis(pause);
                let wanted = cost(1, reserved);
                if budget.fits_day(&spending, wanted, now).is_err() {
                    continue;
                }
                let day = spending.day_at(now);
                spending.reserve(day, wanted);
                let used = cost(1, used.min(reserved));
                let spent = really.entry(day).or_default();
                *spent = spent.and(used);
                // Every third process dies before it can settle.
                if !used.tokens.is_multiple_of(3) {
                    spending.settle(day, wanted, used);
                }
            }
            for spent in really.values() {
                prop_assert!(spent.calls <= 20 && spent.tokens <= 500, "{spent:?}");
            }
        }
    }
}
