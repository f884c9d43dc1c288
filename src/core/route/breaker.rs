//! The circuit breaker of one provider.
//! After some failures in a row, no call is made for a while; then a few trials decide. Pure: the
//! time is an argument, and no call is made here.
//!
//! Closed: each failure counts, and a success resets the count. Open: calls fail at once until the
//! reset time. Half open: a few trials are admitted; if all succeed, it closes, and one failure
//! opens it again. The caller does not report refused keys and refused requests, because they say
//! nothing about the health of a server.

use crate::time::Timestamp;
use serde::{Deserialize, Serialize};

/// The number of outcomes in the error rate.
const OUTCOMES_KEPT: u32 = 32;

/// The number of failures in a row that open a breaker.
pub const FAILURES_MAX: u32 = 5;

/// The time that a breaker stays open, in milliseconds.
const RESET_TIMEOUT_MS: u64 = 30_000;

/// The number of trials while a breaker is half open, which must all succeed.
const TRIALS: u32 = 3;

/// The wait of a call that finds all trials under way, in milliseconds.
/// No timer asks the provider: its health is known from calls alone.
const TRIAL_WAIT_MS: u64 = 10_000;

/// The state of a breaker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum CircuitState {
    Closed,
    /// Calls fail at once.
    Open,
    /// A few trials are admitted.
    HalfOpen,
}

impl CircuitState {
    /// Returns the state in words.
    pub const fn text(self) -> &'static str {
        match self {
            Self::Closed => "closed",
            Self::Open => "open",
            Self::HalfOpen => "half open",
        }
    }
}

/// The breaker of one provider.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(super) struct Breaker {
    phase: BreakerPhase,
    consecutive_failures: u32,
    /// The outcomes as bits, the newest one lowest; a set bit is a failure.
    outcomes: u32,
    outcomes_known: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
enum BreakerPhase {
    #[default]
    Closed,
    Open {
        /// The time at which it was opened.
        /// A clock that was set back to before it must not keep it open for longer, so a trial
        /// decides.
        since: Timestamp,
        until: Timestamp,
    },
    HalfOpen {
        /// The number of trials under way.
        asked: u32,
        /// The number of successful trials.
        good: u32,
    },
}

impl Breaker {
    /// Admits a call, or returns the time from which a new attempt is worthwhile.
    /// An admitted call must be followed by exactly one of [`Breaker::succeeded`],
    /// [`Breaker::failed`] and [`Breaker::abandoned`].
    pub(super) fn admit(&mut self, now: Timestamp) -> Result<(), Timestamp> {
        if let Some(until) = self.open_until(now) {
            return Err(until);
        }
        if let BreakerPhase::Open { .. } = self.phase {
            self.phase = BreakerPhase::HalfOpen { asked: 0, good: 0 };
        }
        match &mut self.phase {
            BreakerPhase::HalfOpen { asked, good } if *asked + *good >= TRIALS => {
                // The trials under way will decide.
                Err(now.after_millis(TRIAL_WAIT_MS))
            }
            BreakerPhase::HalfOpen { asked, .. } => {
                *asked += 1;
                Ok(())
            }
            BreakerPhase::Closed | BreakerPhase::Open { .. } => Ok(()),
        }
    }

    pub(super) fn succeeded(&mut self) {
        self.note(false);
        self.consecutive_failures = 0;
        if let BreakerPhase::HalfOpen { asked, good } = &mut self.phase {
            *asked = asked.saturating_sub(1);
            *good += 1;
            if *good >= TRIALS {
                self.phase = BreakerPhase::Closed;
            }
        }
    }

    /// Records that a call failed in a way that says something about the provider's health.
    pub(super) fn failed(&mut self, now: Timestamp) {
        self.note(true);
        self.consecutive_failures = self.consecutive_failures.saturating_add(1);
        let opens = match self.phase {
            BreakerPhase::Closed => self.consecutive_failures >= FAILURES_MAX,
            BreakerPhase::HalfOpen { .. } => true,
            // The call was admitted before another one opened the breaker.
            BreakerPhase::Open { .. } => false,
        };
        if opens {
            let until = now.after_millis(RESET_TIMEOUT_MS);
            self.phase = BreakerPhase::Open { since: now, until };
        }
    }

    /// Records that an admitted call ended without an outcome.
    /// It was cancelled, or refused for its content.
    pub(super) const fn abandoned(&mut self) {
        if let BreakerPhase::HalfOpen { asked, .. } = &mut self.phase {
            *asked = asked.saturating_sub(1);
        }
    }

    /// Opens the breaker until the time at which the provider's own limit resets.
    pub(super) fn hold_until(&mut self, now: Timestamp, until: Timestamp) {
        let until = match self.phase {
            BreakerPhase::Open { until: known, .. } => known.max(until),
            BreakerPhase::Closed | BreakerPhase::HalfOpen { .. } => until,
        };
        self.phase = BreakerPhase::Open { since: now, until };
    }

    /// Returns the time until which it stays open, if it is open.
    pub(super) fn open_until(&self, now: Timestamp) -> Option<Timestamp> {
        match self.phase {
            BreakerPhase::Open { since, until } if since <= now && now < until => Some(until),
            BreakerPhase::Open { .. } | BreakerPhase::Closed | BreakerPhase::HalfOpen { .. } => {
                None
            }
        }
    }

    pub(super) fn state(&self, now: Timestamp) -> CircuitState {
        match self.phase {
            BreakerPhase::Closed => CircuitState::Closed,
            BreakerPhase::Open { .. } if self.open_until(now).is_some() => CircuitState::Open,
            BreakerPhase::Open { .. } | BreakerPhase::HalfOpen { .. } => CircuitState::HalfOpen,
        }
    }

    /// Returns whether a call would be admitted.
    pub(super) fn would_admit(&self, now: Timestamp) -> bool {
        let mut trial = *self;
        trial.admit(now).is_ok()
    }

    /// Returns the number of failures since the last success.
    pub(super) const fn consecutive_failures(&self) -> u32 {
        self.consecutive_failures
    }

    /// Returns the share of failures among the last calls, from 0 to 1.
    pub(super) fn error_rate(&self) -> f64 {
        f64::from(self.outcomes.count_ones()) / f64::from(self.outcomes_known.max(1))
    }

    fn note(&mut self, is_failure: bool) {
        self.outcomes = self.outcomes << 1 | u32::from(is_failure);
        self.outcomes_known = (self.outcomes_known + 1).min(OUTCOMES_KEPT);
    }
}

#[cfg(test)]
mod tests {
    use super::{Breaker, CircuitState};
    use crate::time::Timestamp;
    use proptest::prelude::*;

    fn at(millis: i64) -> Timestamp {
        Timestamp::from_millis(1_000_000 + millis)
    }

    fn opened() -> Breaker {
        let mut breaker = Breaker::default();
        for call in 0..5 {
            assert_eq!(breaker.state(at(call)), CircuitState::Closed, "{call}");
            breaker.admit(at(call)).unwrap();
            breaker.failed(at(call));
        }
        breaker
    }

    #[test]
    fn the_fifth_failure_opens_and_three_trials_close() {
        let mut breaker = opened();
        assert_eq!(breaker.admit(at(5)), Err(at(30_004)));
        assert_eq!(breaker.state(at(30_003)), CircuitState::Open);
        assert_eq!(breaker.state(at(30_004)), CircuitState::HalfOpen);
        for trial in 0..3 {
            let now = at(31_000 + trial);
            assert_eq!(breaker.state(now), CircuitState::HalfOpen, "{trial}");
            breaker.admit(now).unwrap();
            breaker.succeeded();
        }
        assert_eq!(breaker.state(at(31_003)), CircuitState::Closed);
        assert!(breaker.would_admit(at(31_003)));
        assert_eq!(breaker.consecutive_failures(), 0);
        assert!((breaker.error_rate() - 5.0 / 8.0).abs() < f64::EPSILON);
    }

    #[test]
    fn a_failed_trial_opens_it_again_for_the_whole_time() {
        let mut breaker = opened();
        breaker.admit(at(40_000)).unwrap();
        breaker.succeeded();
        breaker.admit(at(41_000)).unwrap();
        breaker.failed(at(42_000));
        assert_eq!(breaker.admit(at(42_001)), Err(at(72_000)));
    }

    #[test]
    fn no_more_calls_than_trials_are_under_way_and_a_cancelled_one_frees_its_place() {
        let mut breaker = opened();
        for _ in 0..3 {
            breaker.admit(at(40_000)).unwrap();
        }
        assert_eq!(breaker.admit(at(40_000)), Err(at(50_000)));
        breaker.abandoned();
        breaker.admit(at(40_001)).unwrap();
    }

    #[test]
    fn a_success_forgets_the_failures_before_it() {
        let mut breaker = Breaker::default();
        for call in 0..100 {
            breaker.admit(at(call)).unwrap();
            if call % 5 == 4 {
                breaker.succeeded();
            } else {
                breaker.failed(at(call));
            }
        }
        assert_eq!(breaker.state(at(100)), CircuitState::Closed);
    }

    #[test]
    fn a_known_reset_time_is_waited_for_and_never_shortened() {
        let mut breaker = Breaker::default();
        breaker.hold_until(at(0), at(3_600_000));
        breaker.hold_until(at(0), at(10));
        assert_eq!(breaker.admit(at(60_000)), Err(at(3_600_000)));
        breaker.admit(at(3_600_000)).unwrap();
    }

    #[test]
    fn a_clock_that_is_set_back_keeps_it_open_no_longer() {
        let mut breaker = opened();
        let set_back = at(-900_000);
        assert_eq!(breaker.open_until(set_back), None);
        assert_eq!(breaker.state(set_back), CircuitState::HalfOpen);
        breaker.admit(set_back).unwrap();
        breaker.failed(set_back);
        assert_eq!(breaker.open_until(set_back), Some(at(-870_000)));
    }

    proptest! {
        /// Whatever happened before, a server that works again is asked again.
        #[test]
        fn it_always_closes_again(outcomes in prop::collection::vec((0_u8..4, 0_i64..100_000), 0..200)) {
            let mut breaker = Breaker::default();
            let mut now = 0;
            for (outcome, pause) in outcomes {
                now += pause;
                if breaker.admit(at(now)).is_ok() {
                    match outcome {
                        0 => breaker.succeeded(),
                        1 | 2 => breaker.failed(at(now)),
                        _ => breaker.abandoned(),
                    }
                }
            }
            for _ in 0..10 {
                now += 30_000;
                if breaker.admit(at(now)).is_ok() {
                    breaker.succeeded();
                }
            }
            prop_assert_eq!(breaker.state(at(now)), CircuitState::Closed);
        }
    }
}
