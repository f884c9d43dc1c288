//! The one way that every call goes: rate limit, breaker, retry, and then the server. It decides and
//! learns; whoever drives it does the waiting and sets a budget aside before each attempt. Never looks
//! into a reply, and never logs what was asked or answered.

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

/// Longest wait for the limit of calls a minute, in milliseconds. Whoever would have to wait longer is
/// told so.
const RATE_WAIT_MS_MAX: u64 = 30_000;

/// Whoever can wait: the daemon's clock, or a test that only notes how long.
pub trait Sleeper: Send + Sync + fmt::Debug {
    /// Waits. Dropping the future ends the wait and loses nothing.
    fn sleep(&self, duration: Duration) -> CallFuture<'_, ()>;
}

/// What a pipeline keeps to.
#[derive(Clone, Copy, Debug)]
pub struct CallPolicy {
    /// Repeats of failed attempts.
    pub retry: RetryPolicy,
    /// When a server is left alone.
    pub breaker: BreakerPolicy,
    /// Attempts a minute, over all servers.
    pub calls_per_minute: Option<u32>,
}

/// A provider with everything that stands around a call to it.
#[derive(Debug)]
pub struct Pipeline {
    provider: Box<dyn LlmProvider>,
    policy: CallPolicy,
    vitals: Shared<Vitals>,
    rate: Shared<Option<RateLimit>>,
}

/// A call while it is under way.
#[derive(Debug, Default)]
pub struct Call {
    attempts: u32,
    /// How many of them were refused for what is left out since: they are no failures.
    left_out: u32,
    failures: Vec<Code>,
    /// The pause before the next attempt, in milliseconds.
    pause_ms: u64,
    /// Whether the rate limit lets the next attempt through.
    is_granted: bool,
    /// The newest answer; the last one, if nothing follows.
    reply: Option<Result<LlmReply, ProviderError>>,
    is_over: bool,
}

/// What a call needs next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// A pause of so many milliseconds.
    Pause(u64),
    /// An attempt: ask the provider, and tell the pipeline how it went.
    Attempt,
    /// Nothing: it is over.
    Over,
}

/// How a call ended.
#[derive(Debug)]
pub struct CallOutcome {
    /// The reply, or the error of the last attempt.
    pub reply: Result<LlmReply, ProviderError>,
    /// Requests made, the first one included.
    pub attempts: u32,
    /// What the attempts that failed came to, in order: the codes of [`ErrorClass`] where there is one.
    pub failures: Vec<Code>,
}

/// Asks a provider that nothing stands around: once, and once more for each thing that it refuses and
/// that is left out since.
///
/// # Errors
/// What became of the last question.
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

impl Call {
    /// Whether nothing follows.
    pub const fn is_over(&self) -> bool {
        self.is_over
    }

    /// Ends it without another attempt.
    pub fn refuse(&mut self, error: ProviderError) {
        self.reply = Some(Err(error));
        self.is_over = true;
    }

    /// How it ended.
    pub fn into_outcome(self) -> CallOutcome {
        let unasked = || {
            let message = "the call ended before it began".to_owned();
            Err(ProviderError::held(Code::Internal, message, None))
        };
        CallOutcome {
            reply: self.reply.unwrap_or_else(unasked),
            attempts: self.attempts,
            failures: self.failures,
        }
    }
}

impl Pipeline {
    /// A pipeline to one provider, beside no other.
    pub fn new(provider: Box<dyn LlmProvider>, policy: CallPolicy) -> Self {
        let vitals = Shared::new(Vitals::new(policy.breaker));
        let rate = Shared::new(policy.calls_per_minute.map(RateLimit::new));
        Self::sharing(provider, policy, rate, vitals)
    }

    /// A pipeline that shares with others what is counted and known.
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

    /// The provider itself, for its name and its list of models.
    pub fn provider(&self) -> &dyn LlmProvider {
        self.provider.as_ref()
    }

    /// Asks another model of the same server from now on: what is known of the server still holds.
    pub fn ask_instead(&mut self, provider: Box<dyn LlmProvider>) {
        self.provider = provider;
    }

    /// What is known of the server's health.
    pub fn health(&self, now: Timestamp) -> Health {
        self.vitals.lock().health(now)
    }

    /// What a call needs next. After [`Next::Attempt`] the provider is asked, and [`Pipeline::ended`]
    /// told what came of it; an attempt of which nothing is told was given up.
    pub fn next(&mut self, call: &mut Call, now: Timestamp) -> Next {
        if call.is_over {
            return Next::Over;
        }
        if call.pause_ms > 0 {
            return Next::Pause(std::mem::take(&mut call.pause_ms));
        }
        if !call.is_granted {
            // A server that is left alone is not asked, so nothing of the minute is used up.
            let open_until = self.vitals.lock().open_until(now);
            if let Some(until) = open_until {
                call.refuse(self.left_alone(now, until));
                return Next::Over;
            }
            match self.grant(now) {
                Ok(wait_ms) => {
                    call.is_granted = true;
                    if wait_ms > 0 {
                        return Next::Pause(wait_ms);
                    }
                }
                Err(error) => {
                    call.refuse(error);
                    return Next::Over;
                }
            }
        }
        let begun = self.vitals.lock().begin(now);
        match begun {
            Ok(()) => {
                call.attempts = call.attempts.saturating_add(1);
                Next::Attempt
            }
            Err(until) => {
                call.refuse(self.left_alone(now, until));
                Next::Over
            }
        }
    }

    /// Takes in what came of an attempt.
    pub fn ended(
        &mut self,
        call: &mut Call,
        reply: Result<LlmReply, ProviderError>,
        now: Timestamp,
    ) {
        call.is_granted = false;
        self.learn(&reply, now);
        let mut error = match reply {
            Ok(reply) => {
                call.is_over = true;
                call.reply = Some(Ok(reply));
                return;
            }
            Err(error) => error,
        };
        if error.objection == Objection::LeftOut {
            call.left_out += 1;
            call.reply = Some(Err(error));
            return;
        }
        let repeats_done = call.attempts.saturating_sub(call.left_out + 1);
        call.failures
            .push(error.class().map_or(error.code, ErrorClass::code));
        let asked_ms = error.retry_after_ms.unwrap_or(0);
        let open_until = self.vitals.lock().open_until(now);
        let open_ms = open_until.map_or(0, |until| now.millis_until(until));
        if open_ms > 0 {
            error.retry_after_ms = Some(asked_ms.max(open_ms));
        }
        call.is_over = !error.retry || repeats_done >= self.policy.retry.max_retries || open_ms > 0;
        if !call.is_over {
            let delay_ms = self.policy.retry.delay_ms(repeats_done);
            call.pause_ms = delay_ms.max(asked_ms.min(RETRY_AFTER_MS_MAX));
            tracing::warn!(
                code = error.code.as_str(),
                attempt = call.attempts,
                delay_ms = call.pause_ms,
                "the call failed and is repeated"
            );
        }
        call.reply = Some(Err(error));
    }

    /// Asks until there is a reply, an error that a repeat does not cure, or no repeat left.
    ///
    /// Cancel safe: to cancel, drop the future. The connection of a running request is closed, which
    /// also makes a local server stop generating.
    pub async fn call(
        &mut self,
        request: &LlmRequest,
        sleeper: &dyn Sleeper,
        now: &(dyn Fn() -> Timestamp + Sync),
    ) -> CallOutcome {
        let mut call = Call::default();
        loop {
            match self.next(&mut call, now()) {
                Next::Pause(pause_ms) => sleeper.sleep(Duration::from_millis(pause_ms)).await,
                Next::Attempt => {
                    let reply = self.provider.complete(request).await;
                    self.ended(&mut call, reply, now());
                }
                Next::Over => return call.into_outcome(),
            }
        }
    }

    /// The wait that the limit of a minute asks for.
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

    fn left_alone(&self, now: Timestamp, until: Timestamp) -> ProviderError {
        let failures = self.health(now).consecutive_failures;
        let name = self.provider.provider_name();
        let message = format!(
            "{name}: left alone after {failures} failures in a row; asked again at {until}"
        );
        ProviderError::held(Code::LlmUnavailable, message, Some(now.millis_until(until)))
    }

    /// What an attempt says of the server's health.
    fn learn(&self, reply: &Result<LlmReply, ProviderError>, now: Timestamp) {
        let before = self.health(now).circuit_state;
        match reply {
            Err(error) if error.code == Code::RunCancelled => self.vitals.lock().given_up(),
            // Refused for what stands in it, as a request may be.
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
        let asked_ms = reply.as_ref().err().and_then(|error| error.retry_after_ms);
        if let Some(asked_ms) = asked_ms.filter(|asked_ms| *asked_ms > RETRY_AFTER_MS_MAX) {
            let until = now.after_millis(asked_ms);
            self.vitals.lock().hold_until(now, until);
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
