//! How often a provider is asked: so many calls a minute, spread evenly after a first burst. Pure:
//! it says how long to wait, and somebody else waits.

use crate::time::Timestamp;

/// A minute, in milliseconds.
const MINUTE_MS: i64 = 60_000;

/// A limit of calls a minute. Made anew with each start: what an earlier process asked is the
/// provider's own business to count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RateLimit {
    calls_per_minute: u32,
    /// When the calls granted so far have been paid for, at so many a minute.
    paid_until: Option<Timestamp>,
}

impl RateLimit {
    /// A limit; at least one call a minute.
    pub const fn new(calls_per_minute: u32) -> Self {
        let calls_per_minute = if calls_per_minute == 0 {
            1
        } else {
            calls_per_minute
        };
        Self {
            calls_per_minute,
            paid_until: None,
        }
    }

    /// The same with another number of calls; those that are granted stay so.
    #[must_use]
    pub const fn with(self, calls_per_minute: u32) -> Self {
        Self {
            paid_until: self.paid_until,
            ..Self::new(calls_per_minute)
        }
    }

    /// Grants the next call, after so many milliseconds; or refuses it, with the wait that it would
    /// take, when that is longer than `wait_ms_max`. A refused call is not counted.
    pub fn grant(&mut self, now: Timestamp, wait_ms_max: u64) -> Result<u64, u64> {
        let cost_ms = MINUTE_MS / i64::from(self.calls_per_minute);
        let paid_until = self
            .paid_until
            // A clock that was set back must not make anybody wait for it to come round again.
            .filter(|until| until.millis <= now.millis.saturating_add(2 * MINUTE_MS))
            .map_or(now, |until| until.max(now));
        let due = paid_until.plus_millis(cost_ms);
        // A minute's worth may be used at once.
        let wait = due.millis.saturating_sub(now.millis) - MINUTE_MS;
        let wait_ms = u64::try_from(wait.max(0)).unwrap_or_default();
        if wait_ms > wait_ms_max {
            return Err(wait_ms);
        }
        self.paid_until = Some(due);
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
    fn g47_a_minutes_worth_goes_at_once_then_evenly() {
        let mut limit = RateLimit::new(6);
        for call in 0..6 {
            assert_eq!(limit.grant(at(0), 30_000), Ok(0), "{call}");
        }
        assert_eq!(limit.grant(at(0), 30_000), Ok(10_000));
        assert_eq!(limit.grant(at(0), 30_000), Ok(20_000));
        assert_eq!(limit.grant(at(0), 30_000), Ok(30_000));
        // Longer than anybody waits, and not counted.
        assert_eq!(limit.grant(at(0), 30_000), Err(40_000));
        assert_eq!(limit.grant(at(10_000), 30_000), Ok(30_000));
        assert_eq!(limit.grant(at(200_000), 0), Ok(0));
    }

    #[test]
    fn a_clock_that_is_set_back_holds_nothing_up() {
        let mut limit = RateLimit::new(1);
        assert_eq!(limit.grant(at(10_000_000), 0), Ok(0));
        assert_eq!(limit.grant(at(0), 0), Ok(0));
    }

    proptest! {
        /// In no minute are there more calls than twice the limit, and over an hour not more than
        /// the limit and the first burst.
        #[test]
        fn it_holds_over_time(calls_per_minute in 1_u32..100, pauses in prop::collection::vec(0_i64..5_000, 1..400)) {
            let mut limit = RateLimit::new(calls_per_minute);
            let mut now = 0;
            let mut granted = Vec::new();
            for pause in pauses {
                now += pause;
                if let Ok(wait_ms) = limit.grant(at(now), 30_000) {
                    granted.push(now + i64::try_from(wait_ms).unwrap());
                }
            }
            let first = granted[0];
            for (count, time) in (1_i64..).zip(&granted) {
                let minutes = (time - first) / 60_000 + 2;
                prop_assert!(count <= minutes * i64::from(calls_per_minute) + 1);
            }
        }
    }
}
