//! The one way of every call: rate limit, breaker, retry, and then the server. It decides and
//! learns; the caller waits and reserves the budget before each attempt. Never reads a reply, and
//! never logs requests or replies.

use super::attempts::{Attempts, CallOutcome, Next, retry_later};
use super::known::Shared;
use super::types::{
    CallFuture, FinishReason, LlmProvider, LlmReply, LlmRequest, Objection, ProviderError,
};
use crate::core::route::{BreakerPolicy, ErrorClass, Health, RateLimit, RetryPolicy, Vitals};
use crate::failure::Code;
use crate::limits::RETRY_AFTER_MS_MAX;
use crate::time::Timestamp;
use std::fmt;
use std::time::Duration;

/// The longest wait for the limit of calls a minute, in milliseconds; a longer one is an error.
const RATE_WAIT_MS_MAX: u64 = 30_000;

/// A clock that can wait: the daemon's, or that of a test that only notes how long.
pub trait Sleeper: Send + Sync + fmt::Debug {
    /// Waits for `duration`.
    /// Dropping the future ends the wait and loses nothing.
    fn sleep(&self, duration: Duration) -> CallFuture<'_, ()>;
}

/// The limits that a pipeline observes.
#[derive(Clone, Copy, Debug)]
pub struct CallPolicy {
    /// The rules for repeating failed attempts.
    pub retry: RetryPolicy,
    /// The rules for leaving a server alone.
    pub breaker: BreakerPolicy,
    /// The most attempts in a minute, over all servers.
    pub calls_per_minute: Option<u32>,
}

/// A provider with rate limit, breaker and retry.
#[derive(Debug)]
pub struct Pipeline {
    provider: Box<dyn LlmProvider>,
    policy: CallPolicy,
    vitals: Shared<Vitals>,
    rate: Shared<Option<RateLimit>>,
}

/// Sends a request without rate limit, breaker or retry.
/// Only a request whose form was refused is sent again, without the refused member.
///
/// # Errors
/// Those of the last attempt.
pub async fn ask_alone(
    provider: &dyn LlmProvider,
    request: &LlmRequest,
) -> Result<LlmReply, ProviderError> {
    loop {
        match provider.complete(request).await {
            Err(error) if error.objection == Objection::LeftOut => {}
            reply => return reply,
        }
    }
}

impl Pipeline {
    /// Creates a pipeline to a single provider.
    pub fn new(provider: Box<dyn LlmProvider>, policy: CallPolicy) -> Self {
        let vitals = Shared::new(Vitals::new(policy.breaker));
        let rate = Shared::new(policy.calls_per_minute.map(RateLimit::new));
        Self::sharing(provider, policy, rate, vitals)
    }

    /// Creates a pipeline that shares the call count and the server's health with others.
    pub(super) fn sharing(
        provider: Box<dyn LlmProvider>,
        policy: CallPolicy,
        rate: Shared<Option<RateLimit>>,
        vitals: Shared<Vitals>,
    ) -> Self {
        Self {
            provider,
            policy,
            vitals,
            rate,
        }
    }

    /// Returns the provider, for its name and its list of models.
    pub fn provider(&self) -> &dyn LlmProvider {
        self.provider.as_ref()
    }

    /// Uses another model of the same server from now on; the server's health still holds.
    pub fn ask_instead(&mut self, provider: Box<dyn LlmProvider>) {
        self.provider = provider;
    }

    /// Returns the server's health.
    pub fn health(&self, now: Timestamp) -> Health {
        self.vitals.lock().health(now)
    }

    /// Returns the time until which the server must not be asked; `None` where it may be.
    pub fn left_alone_until(&self, now: Timestamp) -> Option<Timestamp> {
        let vitals = self.vitals.lock();
        vitals.open_until(now).max(vitals.paused_until(now))
    }

    /// Leaves the server alone for `held_ms`, for an error that every request would meet.
    pub fn leave_alone(&mut self, now: Timestamp, held_ms: u64, why: Code) -> Timestamp {
        let until = now.after_millis(held_ms);
        self.vitals.lock().hold_until(now, until, why);
        until
    }

    /// Returns the next action of a call.
    /// After [`Next::Attempt`] the caller asks the provider and passes the result to
    /// [`Pipeline::ended`]; an attempt without a result counts as given up.
    pub fn next(&mut self, attempts: &mut Attempts, now: Timestamp) -> Next {
        if attempts.is_over {
            return Next::Over;
        }
        if attempts.pause_ms > 0 {
            return Next::Pause(std::mem::take(&mut attempts.pause_ms));
        }
        if !attempts.is_granted {
            // A server that is left alone is not asked, so the limit of the minute is not charged.
            let open_until = self.vitals.lock().open_until(now);
            if let Some(until) = open_until {
                attempts.refuse(self.left_alone(now, until));
                return Next::Over;
            }
            if let Some(pause_ms) = self.pause_of_others(attempts, now) {
                return Next::Pause(pause_ms);
            }
            match self.grant(now) {
                Ok(wait_ms) => {
                    attempts.is_granted = true;
                    if wait_ms > 0 {
                        return Next::Pause(wait_ms);
                    }
                }
                Err(error) => {
                    attempts.postpone();
                    attempts.refuse(error);
                    return Next::Over;
                }
            }
        }
        let begun = self.vitals.lock().begin(now);
        match begun {
            Ok(()) => {
                attempts.made = attempts.made.saturating_add(1);
                Next::Attempt
            }
            Err(until) => {
                attempts.refuse(self.left_alone(now, until));
                Next::Over
            }
        }
    }

    /// Records the result of an attempt.
    pub fn ended(
        &mut self,
        attempts: &mut Attempts,
        reply: Result<LlmReply, ProviderError>,
        now: Timestamp,
    ) {
        attempts.is_granted = false;
        self.learn(&reply, now);
        let mut error = match reply {
            Ok(reply) => {
                attempts.is_over = true;
                attempts.reply = Some(Ok(reply));
                return;
            }
            Err(error) => error,
        };
        if let Some(billed) = &error.billed {
            attempts.billed.add(**billed);
        }
        if error.objection == Objection::LeftOut {
            attempts.left_out += 1;
            attempts.reply = Some(Err(error));
            return;
        }
        let tried = attempts.before + attempts.made;
        let repeats_done = tried.saturating_sub(attempts.left_out + 1);
        attempts
            .failures
            .push(error.class().map_or(error.code, ErrorClass::code));
        let asked_ms = error.retry_after_ms.unwrap_or(0);
        let open_until = self.vitals.lock().open_until(now);
        let open_ms = open_until.map_or(0, |until| now.millis_until(until));
        if open_ms > 0 {
            error.retry_after_ms = Some(asked_ms.max(open_ms));
        }
        let has_repeats = error.retry && repeats_done < self.repeats_after(asked_ms);
        // An unreachable server is waited for without a limit.
        let is_postponed = has_repeats && open_ms > 0 && error.code != Code::LlmUnavailable;
        attempts.postponed = is_postponed.then_some(repeats_done + 1);
        attempts.is_over = !has_repeats || open_ms > 0;
        if !attempts.is_over {
            let delay_ms = self.policy.retry.delay_ms(repeats_done);
            attempts.pause_ms = delay_ms.max(asked_ms.min(RETRY_AFTER_MS_MAX));
            tracing::warn!(
                code = error.code.as_str(),
                attempt = attempts.made,
                delay_ms = attempts.pause_ms,
                "the call failed and is repeated"
            );
        }
        attempts.reply = Some(Err(error));
    }

    /// Repeats the request until there is a reply, a lasting error, or no repeat left.
    ///
    /// Cancel safe: to cancel, drop the future. The connection of a running request is closed,
    /// which also makes a local server stop generating.
    pub async fn call(
        &mut self,
        request: &LlmRequest,
        sleeper: &dyn Sleeper,
        now: &(dyn Fn() -> Timestamp + Sync),
    ) -> CallOutcome {
        let mut attempts = Attempts::default();
        loop {
            match self.next(&mut attempts, now()) {
                Next::Pause(pause_ms) => sleeper.sleep(Duration::from_millis(pause_ms)).await,
                Next::Attempt => {
                    let reply = self.provider.complete(request).await;
                    self.ended(&mut attempts, reply, now());
                }
                Next::Over => return attempts.into_outcome(),
            }
        }
    }

    /// Takes one call from the limit of the minute and returns the wait in milliseconds.
    fn grant(&self, now: Timestamp) -> Result<u64, ProviderError> {
        let mut rate = self.rate.lock();
        let Some(rate) = rate.as_mut() else {
            return Ok(0);
        };
        rate.grant(now, RATE_WAIT_MS_MAX).map_err(|wait_ms| {
            let message = format!(
                "the next call is due in {} s by `budget.calls_per_minute`",
                wait_ms.div_ceil(1000)
            );
            ProviderError::held(Code::RateLimited, message, Some(wait_ms))
        })
    }

    /// Returns the number of repeats; at least one after an error that names the end of a limit.
    fn repeats_after(&self, asked_ms: u64) -> u32 {
        let least = u32::from(asked_ms > RETRY_AFTER_MS_MAX);
        self.policy.retry.max_retries.max(least)
    }

    /// Returns the rest, in milliseconds, of the pause that the server asked other calls for.
    /// Only before the first attempt of a call: its repeats keep the pauses of their own errors.
    fn pause_of_others(&self, attempts: &mut Attempts, now: Timestamp) -> Option<u64> {
        if attempts.made > 0 || std::mem::replace(&mut attempts.has_paused, true) {
            return None;
        }
        let until = self.vitals.lock().paused_until(now)?;
        let pause_ms = now.millis_until(until);
        let name = self.provider.provider_name();
        let message = format!("{name}: it asked not to be asked before {until}");
        tracing::warn!(delay_ms = pause_ms, "{message}");
        attempts.reply = Some(Err(retry_later(Code::RateLimited, message, pause_ms)));
        Some(pause_ms)
    }

    fn left_alone(&self, now: Timestamp, until: Timestamp) -> ProviderError {
        let name = self.provider.provider_name();
        let held_for = self.vitals.lock().held_for(now);
        let why = match held_for {
            Some(Code::RateLimited) => "a limit is used up, as it said".to_owned(),
            Some(Code::ProviderInvalidRequest) => "the account has no credit left".to_owned(),
            Some(_) => "it asked to be left alone".to_owned(),
            None => {
                let failures = self.health(now).consecutive_failures;
                format!("left alone after {failures} failures in a row")
            }
        };
        let message = format!("{name}: {why}; asked again at {until}");
        let code = held_for.unwrap_or(Code::LlmUnavailable);
        retry_later(code, message, now.millis_until(until))
    }

    /// Updates the server's health from the result of an attempt.
    fn learn(&self, reply: &Result<LlmReply, ProviderError>, now: Timestamp) {
        let before = self.health(now).circuit_state;
        match reply {
            Err(error) if error.code == Code::RunCancelled => self.vitals.lock().given_up(),
            // The content of the request was refused; the server is healthy.
            Err(error)
                if error.finish == FinishReason::ContentFilter
                    || error.objection == Objection::LeftOut =>
            {
                let refused = Err(Some(ErrorClass::InvalidInput));
                self.vitals.lock().ended(refused, now);
            }
            Err(error) => self.vitals.lock().ended(Err(error.class()), now),
            Ok(_) => self.vitals.lock().ended(Ok(()), now),
        }
        if let Err(error) = reply
            && let Some(asked_ms) = error.retry_after_ms
        {
            let until = now.after_millis(asked_ms);
            let mut vitals = self.vitals.lock();
            if asked_ms > RETRY_AFTER_MS_MAX {
                vitals.hold_until(now, until, error.code);
            } else {
                vitals.pause_until(now, until);
            }
        }
        let after = self.health(now).circuit_state;
        if before != after {
            let name = self.provider.provider_name();
            tracing::warn!(
                provider = name,
                ?before,
                ?after,
                "the circuit breaker moved"
            );
        }
    }
}
