//! The health of a provider, learned from the outcome of each call to it.
//! It does not matter who calls: the loop, a command or a check. Pure: the time is an argument, and
//! no call is made here.

use super::breaker::{Breaker, CircuitState};
use super::outcome::ErrorClass;
use crate::failure::Code;
use crate::time::Timestamp;
use serde::{Deserialize, Serialize};

/// The known health of a provider.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Health {
    /// Whether the last call was answered, if there was one, and another would be admitted now.
    pub available: bool,
    /// The duration of the last successful call, in milliseconds.
    pub latency_ms: Option<u64>,
    /// The share of failures among the last calls, from 0 to 1.
    pub error_rate: f64,
    /// The number of failures since the last success.
    pub consecutive_failures: u32,
    /// The time at which the last call ended.
    pub last_check_time: Option<Timestamp>,
    /// The time at which the last answered call ended.
    pub last_success_time: Option<Timestamp>,
    /// The time at which the last unanswered call ended.
    pub last_failure_time: Option<Timestamp>,
    pub circuit_state: CircuitState,
    pub open_until: Option<Timestamp>,
}

/// The health of a provider, with its name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ProviderHealth {
    /// Its name in `providers`, else its kind.
    pub provider: String,
    pub model: String,
    #[serde(flatten)]
    pub health: Health,
}

/// The facts from which the health of a provider is computed.
#[derive(Clone, Copy, Debug, Default)]
pub struct HealthTracker {
    breaker: Breaker,
    /// The start of an admitted call whose outcome is not recorded yet.
    under_way_since: Option<Timestamp>,
    latency_ms: Option<u64>,
    succeeded_at: Option<Timestamp>,
    failed_at: Option<Timestamp>,
    /// Whether the last call was not answered.
    is_unanswered: bool,
    /// The start and the end of the pause that it asked for.
    pause: Option<(Timestamp, Timestamp)>,
    /// The time until which it announced that it will refuse, and the code of the reason.
    held: Option<(Timestamp, Code)>,
}

impl HealthTracker {
    /// Admits a call.
    /// An earlier call without a recorded outcome counts as given up.
    ///
    /// # Errors
    /// The time from which a new attempt is worthwhile, if the provider is left alone.
    pub fn begin(&mut self, now: Timestamp) -> Result<(), Timestamp> {
        self.given_up();
        self.breaker.admit(now)?;
        self.under_way_since = Some(now);
        Ok(())
    }

    /// Records that a call was given up before its outcome, which says nothing about the provider.
    pub fn given_up(&mut self) {
        if self.under_way_since.take().is_some() {
            self.breaker.abandoned();
        }
    }

    /// Records the outcome of a call: an answer, or an error with its class.
    /// A refused key or request says nothing about the health of a server. An unusable reply, which
    /// has no class, counts as an answer.
    pub fn ended(&mut self, outcome: Result<(), Option<ErrorClass>>, now: Timestamp) {
        let since = self.under_way_since.take();
        match outcome {
            Ok(()) | Err(None) => self.breaker.succeeded(),
            Err(Some(ErrorClass::Auth | ErrorClass::InvalidInput)) => self.breaker.abandoned(),
            Err(Some(_)) => self.breaker.failed(now),
        }
        self.is_unanswered = matches!(outcome, Err(Some(_)));
        if self.is_unanswered {
            self.failed_at = Some(now);
        } else {
            self.succeeded_at = Some(now);
        }
        if outcome.is_ok() {
            self.latency_ms = since.map(|since| since.millis_until(now));
        }
    }

    /// Records the provider's own announcement until when it will refuse, and why.
    pub fn hold_until(&mut self, now: Timestamp, until: Timestamp, why: Code) {
        self.breaker.hold_until(now, until);
        if self.held.is_none_or(|(known, _)| known <= until) {
            self.held = Some((until, why));
        }
    }

    /// Returns the code of the provider's own announcement, if that is why no call is made.
    pub fn held_for(&self, now: Timestamp) -> Option<Code> {
        let open_until = self.breaker.open_until(now)?;
        let (_, why) = self.held.filter(|(until, _)| open_until <= *until)?;
        Some(why)
    }

    /// Records that the provider asked for a short pause of all callers.
    pub fn pause_until(&mut self, now: Timestamp, until: Timestamp) {
        let known = self.paused_until(now);
        self.pause = Some((now, known.map_or(until, |known| known.max(until))));
    }

    /// Returns the end of that pause, if it is not over.
    /// A clock that was set back does not make it longer.
    pub fn paused_until(&self, now: Timestamp) -> Option<Timestamp> {
        let (since, until) = self.pause?;
        (since <= now && now < until).then_some(until)
    }

    /// Returns the time until which no call is made, if there is one.
    pub fn open_until(&self, now: Timestamp) -> Option<Timestamp> {
        self.breaker.open_until(now)
    }

    /// Returns the known health.
    pub fn health(&self, now: Timestamp) -> Health {
        Health {
            available: !self.is_unanswered && self.breaker.would_admit(now),
            latency_ms: self.latency_ms,
            error_rate: self.breaker.error_rate(),
            consecutive_failures: self.breaker.consecutive_failures(),
            last_check_time: self.succeeded_at.max(self.failed_at),
            last_success_time: self.succeeded_at,
            last_failure_time: self.failed_at,
            circuit_state: self.breaker.state(now),
            open_until: self.breaker.open_until(now),
        }
    }
}
