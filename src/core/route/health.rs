//! How a provider fares, learnt from what came of each question to it, whoever puts the questions: the
//! loop, a verb, or a check. Pure: the time is an argument, and nobody is asked from here.

use super::breaker::{Breaker, BreakerPolicy, CircuitState};
use super::class::ErrorClass;
use crate::failure::Code;
use crate::time::Timestamp;
use serde::{Deserialize, Serialize};

/// What is known of a provider's health.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Health {
    /// Whether the last question was answered, if there was one, and another would be let through now.
    pub available: bool,
    /// How long the last good call took, in milliseconds.
    pub latency_ms: Option<u64>,
    /// Failures among the last calls, from 0 to 1.
    pub error_rate: f64,
    /// Failures since the last success.
    pub consecutive_failures: u32,
    /// When the last call ended.
    pub last_check_time: Option<Timestamp>,
    /// When the last one that was answered did.
    pub last_success_time: Option<Timestamp>,
    /// When the last one that was not answered did.
    pub last_failure_time: Option<Timestamp>,
    /// How the breaker stands.
    pub circuit_state: CircuitState,
    /// Until when an open one stays so.
    pub open_until: Option<Timestamp>,
}

/// The health of a provider among others.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ProviderHealth {
    /// Its name in `providers`, else its kind.
    pub provider: String,
    /// The model that it is asked for.
    pub model: String,
    /// How it fares.
    #[serde(flatten)]
    pub health: Health,
}

/// What a provider's answers have taught.
#[derive(Clone, Copy, Debug)]
pub struct Vitals {
    policy: BreakerPolicy,
    breaker: Breaker,
    /// When an attempt was let through whose end nobody has told yet.
    under_way_since: Option<Timestamp>,
    latency_ms: Option<u64>,
    succeeded_at: Option<Timestamp>,
    failed_at: Option<Timestamp>,
    was_answered: bool,
    /// Since when and until when it asked for a pause.
    pause: Option<(Timestamp, Timestamp)>,
    /// Until when it said itself that it will refuse, and with which word.
    held: Option<(Timestamp, Code)>,
}

impl Vitals {
    /// Nothing is known yet.
    pub fn new(policy: BreakerPolicy) -> Self {
        Self {
            policy,
            breaker: Breaker::default(),
            under_way_since: None,
            latency_ms: None,
            succeeded_at: None,
            failed_at: None,
            was_answered: true,
            pause: None,
            held: None,
        }
    }

    /// A question is about to be put. One of which nobody has told what came of it was given up.
    ///
    /// # Errors
    /// When it will be worth asking again, where the provider is left alone.
    pub fn begin(&mut self, now: Timestamp) -> Result<(), Timestamp> {
        self.given_up();
        self.breaker.admit(now, &self.policy)?;
        self.under_way_since = Some(now);
        Ok(())
    }

    /// The question was taken back before anything came of it: that tells nothing of the provider.
    pub fn given_up(&mut self) {
        if self.under_way_since.take().is_some() {
            self.breaker.abandoned();
        }
    }

    /// What came of the question: an answer, or an error of a class. A refused key or request says
    /// nothing of a server's health, and a reply that is no use, which has no class, is a reply.
    pub fn ended(&mut self, outcome: Result<(), Option<ErrorClass>>, now: Timestamp) {
        let since = self.under_way_since.take();
        match outcome {
            Ok(()) | Err(None) => self.breaker.succeeded(&self.policy),
            Err(Some(ErrorClass::Auth | ErrorClass::InvalidInput)) => self.breaker.abandoned(),
            Err(Some(_)) => self.breaker.failed(now, &self.policy),
        }
        self.was_answered = !matches!(outcome, Err(Some(_)));
        if self.was_answered {
            self.succeeded_at = Some(now);
        } else {
            self.failed_at = Some(now);
        }
        if outcome.is_ok() {
            self.latency_ms = since.map(|since| since.millis_until(now));
        }
    }

    /// The provider said itself until when it will refuse, and why.
    pub fn hold_until(&mut self, now: Timestamp, until: Timestamp, why: Code) {
        self.breaker.hold_until(now, until);
        if self.held.is_none_or(|(known, _)| known <= until) {
            self.held = Some((until, why));
        }
    }

    /// Why nothing is asked, where that is the provider's own word.
    pub fn held_for(&self, now: Timestamp) -> Option<Code> {
        let open_until = self.breaker.open_until(now)?;
        let (_, why) = self.held.filter(|(until, _)| open_until <= *until)?;
        Some(why)
    }

    /// The provider asked for a moment's pause, whoever asks it.
    pub fn pause_until(&mut self, now: Timestamp, until: Timestamp) {
        let known = self.paused_until(now);
        self.pause = Some((now, known.map_or(until, |known| known.max(until))));
    }

    /// Until when that pause is, if it is not over. A clock that was set back makes it no longer.
    pub fn paused_until(&self, now: Timestamp) -> Option<Timestamp> {
        let (since, until) = self.pause?;
        (since <= now && now < until).then_some(until)
    }

    /// Until when nothing is asked, if nothing is.
    pub fn open_until(&self, now: Timestamp) -> Option<Timestamp> {
        self.breaker.open_until(now)
    }

    /// What is known.
    pub fn health(&self, now: Timestamp) -> Health {
        Health {
            available: self.was_answered && self.breaker.would_admit(now, &self.policy),
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
