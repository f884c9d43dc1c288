//! The rate limit of a provider: a number of calls in any minute.
//! Pure: it computes the wait, and the caller waits.

use crate::time::Timestamp;
use std::collections::VecDeque;

const MINUTE_MS: i64 = 60_000;

/// A limit of calls in a minute.
/// Each start makes a new one: the provider itself counts the calls of an earlier process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RateLimit {
    /// The maximum number of calls in a minute; at least one.
    calls_per_minute: usize,
    /// The due times of the calls of the last minute and of those still to come, in order.
    /// They are never more than fit in two minutes.
    due: VecDeque<Timestamp>,
}

impl RateLimit {
    /// Returns a limit of at least one call in a minute.
    pub fn new(calls_per_minute: u32) -> Self {
        let calls_per_minute = usize::try_from(calls_per_minute).unwrap_or(usize::MAX);
        Self {
            calls_per_minute: calls_per_minute.max(1),
            due: VecDeque::new(),
        }
    }

    /// Returns the limit with another number of calls.
    /// Granted calls stay granted.
    #[must_use]
    pub fn with(self, calls_per_minute: u32) -> Self {
        Self {
            due: self.due,
            ..Self::new(calls_per_minute)
        }
    }

    /// Grants the next call and returns the wait before it, in milliseconds.
    /// If the wait is longer than `wait_ms_max`, the call is refused with that wait, and does not
    /// count.
    pub fn grant(&mut self, now: Timestamp, wait_ms_max: u64) -> Result<u64, u64> {
        let (over, future) = (now.plus_millis(-MINUTE_MS), now.plus_millis(MINUTE_MS));
        // A clock that was set back must not make callers wait until it catches up.
        self.due.retain(|due| over < *due && *due <= future);
        // The call that must be a minute old by then.
        let before = self.due.len().checked_sub(self.calls_per_minute);
        let before = before.and_then(|at| self.due.get(at));
        let due = before.map_or(now, |before| before.plus_millis(MINUTE_MS).max(now));
        let wait_ms = now.millis_until(due);
        if wait_ms > wait_ms_max {
            return Err(wait_ms);
        }
        let place = self.due.partition_point(|known| *known <= due);
        self.due.insert(place, due);
        Ok(wait_ms)
    }
}

#[cfg(test)]
mod tests {
    use super::RateLimit;
    use crate::time::Timestamp;
    use proptest::prelude::*;

    fn at(millis: i64) -> Timestamp {
        Timestamp::from_millis(1_000_000 + millis)
    }

    #[test]
    fn a_minutes_worth_goes_at_once_and_the_next_when_the_first_is_a_minute_old() {
        let mut limit = RateLimit::new(3);
        for (call, time) in [0, 0, 25_000].into_iter().enumerate() {
            assert_eq!(limit.grant(at(time), 30_000), Ok(0), "{call}");
        }
        // Longer than the maximum wait, and not counted.
        assert_eq!(limit.grant(at(25_000), 30_000), Err(35_000));
        assert_eq!(limit.grant(at(30_000), 30_000), Ok(30_000));
        assert_eq!(limit.grant(at(30_000), 30_000), Ok(30_000));
        assert_eq!(limit.grant(at(30_000), 30_000), Err(55_000));
        assert_eq!(limit.grant(at(60_000), 30_000), Ok(25_000));
        assert_eq!(limit.grant(at(200_000), 0), Ok(0));
    }

    #[test]
    fn a_new_number_of_calls_counts_what_was_granted_by_the_old_one() {
        let mut limit = RateLimit::new(2);
        for _ in 0..2 {
            assert_eq!(limit.grant(at(0), 0), Ok(0));
        }
        let mut more = limit.clone().with(3);
        assert_eq!(more.grant(at(1000), 0), Ok(0));
        assert_eq!(more.grant(at(1000), 0), Err(59_000));
        let mut fewer = limit.with(1);
        assert_eq!(fewer.grant(at(1000), 0), Err(59_000));
        assert_eq!(RateLimit::new(0).grant(at(0), 0), Ok(0));
    }

    #[test]
    fn a_clock_that_is_set_back_holds_nothing_up() {
        let mut limit = RateLimit::new(1);
        assert_eq!(limit.grant(at(10_000_000), 0), Ok(0));
        assert_eq!(limit.grant(at(0), 0), Ok(0));
        // A clock that is set back by less than a minute can delay a call, for at most two.
        assert_eq!(limit.grant(at(-50_000), 0), Err(110_000));
    }

    proptest! {
        /// No minute has more calls than the limit, whenever it begins.
        /// If calls are always wanted, each minute has as many as the limit.
        #[test]
        fn it_holds_in_each_minute(calls_per_minute in 1_u32..100, pauses in prop::collection::vec(0_i64..5_000, 1..400)) {
            let mut limit = RateLimit::new(calls_per_minute);
            let (mut now, mut granted) = (0, Vec::new());
            for pause in pauses {
                now += pause;
                match limit.grant(at(now), 30_000) {
                    Ok(wait_ms) => granted.push(now + i64::try_from(wait_ms).unwrap()),
                    Err(wait_ms) => {
                        let soon = now + i64::try_from(wait_ms).unwrap();
                        prop_assert!(limit.clone().grant(at(soon), 0).is_ok(), "it is due then");
                    }
                }
                prop_assert!(limit.due.len() <= 2 * calls_per_minute as usize);
            }
            let most = calls_per_minute as usize;
            for (first, next) in granted.iter().zip(granted.iter().skip(most)) {
                prop_assert!(next - first >= 60_000, "{first} and {next}");
            }
        }
    }
}
