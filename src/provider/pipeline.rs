//! The one way of every call: rate limit, breaker, retry, and then the server. It decides and
//! learns; the caller waits and reserves the budget before each attempt. All pipelines of a process
//! share the count of calls in a minute, and the health of each server. Never reads a reply, and
//! never logs requests or replies.

use super::types::{
    CallFuture, CallResult, Contact, FinishReason, LlmProvider, LlmRequest, Objection,
    ProviderError, Usage,
};
use crate::config::ProviderConfig;
use crate::core::route::{ErrorClass, Health, HealthTracker, RateLimit, RetryPolicy};
use crate::failure::Code;
use crate::limits::RETRY_AFTER_MS_MAX;
use crate::time::Timestamp;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
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
    /// The most attempts in a minute, over all servers.
    pub calls_per_minute: Option<u32>,
}

/// A provider with rate limit, breaker and retry.
#[derive(Debug)]
pub struct Pipeline {
    provider: Box<dyn LlmProvider>,
    policy: CallPolicy,
    vitals: Shared<HealthTracker>,
    rate: Shared<Option<RateLimit>>,
}

/// Sends a request without rate limit, breaker or retry.
/// Only a request whose form was refused is sent again, without the refused member.
///
/// # Errors
/// Those of the last attempt.
pub async fn ask_alone(provider: &dyn LlmProvider, request: &LlmRequest) -> CallResult {
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
        Self {
            provider,
            policy,
            vitals: Shared::default(),
            rate: Arc::new(Mutex::new(policy.calls_per_minute.map(RateLimit::new))),
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
        lock(&self.vitals).health(now)
    }

    /// Returns the time until which the server must not be asked; `None` where it may be.
    pub fn left_alone_until(&self, now: Timestamp) -> Option<Timestamp> {
        let vitals = lock(&self.vitals);
        vitals.open_until(now).max(vitals.paused_until(now))
    }

    /// Leaves the server alone for `held_ms`, for an error that every request would meet.
    pub fn leave_alone(&mut self, now: Timestamp, held_ms: u64, why: Code) -> Timestamp {
        let until = now.after_millis(held_ms);
        lock(&self.vitals).hold_until(now, until, why);
        until
    }

    /// Returns the next action of a call.
    /// After [`CallStep::Attempt`] the caller asks the provider and passes the result to
    /// [`Pipeline::ended`]; an attempt without a result counts as given up.
    pub fn next(&mut self, attempts: &mut Attempts, now: Timestamp) -> CallStep {
        if attempts.is_over {
            return CallStep::Over;
        }
        if attempts.pause_ms > 0 {
            return CallStep::Pause(std::mem::take(&mut attempts.pause_ms));
        }
        if !attempts.is_granted {
            // A server that is left alone is not asked, so the limit of the minute is not charged.
            let open_until = lock(&self.vitals).open_until(now);
            if let Some(until) = open_until {
                attempts.refuse(self.left_alone(now, until));
                return CallStep::Over;
            }
            if let Some(pause_ms) = self.pause_of_others(attempts, now) {
                return CallStep::Pause(pause_ms);
            }
            match self.grant(now) {
                Ok(wait_ms) => {
                    attempts.is_granted = true;
                    if wait_ms > 0 {
                        return CallStep::Pause(wait_ms);
                    }
                }
                Err(error) => {
                    attempts.postpone();
                    attempts.refuse(error);
                    return CallStep::Over;
                }
            }
        }
        let begun = lock(&self.vitals).begin(now);
        match begun {
            Ok(()) => {
                attempts.made = attempts.made.saturating_add(1);
                CallStep::Attempt
            }
            Err(until) => {
                attempts.refuse(self.left_alone(now, until));
                CallStep::Over
            }
        }
    }

    /// Records the result of an attempt.
    pub fn ended(&mut self, attempts: &mut Attempts, reply: CallResult, now: Timestamp) {
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
        let open_until = lock(&self.vitals).open_until(now);
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
                CallStep::Pause(pause_ms) => sleeper.sleep(Duration::from_millis(pause_ms)).await,
                CallStep::Attempt => {
                    let reply = self.provider.complete(request).await;
                    self.ended(&mut attempts, reply, now());
                }
                CallStep::Over => return attempts.into_outcome(),
            }
        }
    }

    /// Takes one call from the limit of the minute and returns the wait in milliseconds.
    fn grant(&self, now: Timestamp) -> Result<u64, ProviderError> {
        let mut rate = lock(&self.rate);
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
        let until = lock(&self.vitals).paused_until(now)?;
        let pause_ms = now.millis_until(until);
        let name = self.provider.provider_name();
        let message = format!("{name}: it asked not to be asked before {until}");
        tracing::warn!(delay_ms = pause_ms, "{message}");
        attempts.reply = Some(Err(retry_later(Code::RateLimited, message, pause_ms)));
        Some(pause_ms)
    }

    fn left_alone(&self, now: Timestamp, until: Timestamp) -> ProviderError {
        let name = self.provider.provider_name();
        let held_for = lock(&self.vitals).held_for(now);
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
    fn learn(&self, reply: &CallResult, now: Timestamp) {
        let before = self.health(now).circuit_state;
        match reply {
            Err(error) if error.code == Code::RunCancelled => lock(&self.vitals).given_up(),
            // The content of the request was refused; the server is healthy.
            Err(error)
                if error.finish == FinishReason::ContentFilter
                    || error.objection == Objection::LeftOut =>
            {
                let refused = Err(Some(ErrorClass::InvalidInput));
                lock(&self.vitals).ended(refused, now);
            }
            Err(error) => lock(&self.vitals).ended(Err(error.class()), now),
            Ok(_) => lock(&self.vitals).ended(Ok(()), now),
        }
        if let Err(error) = reply
            && let Some(asked_ms) = error.retry_after_ms
        {
            let until = now.after_millis(asked_ms);
            let mut vitals = lock(&self.vitals);
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

// === attempts ===

/// The attempts of a running call at one server.
#[derive(Debug, Default)]
pub struct Attempts {
    /// The attempts at this request before the wait that this call ends.
    before: u32,
    made: u32,
    /// The attempts that failed because of a member that is left out since.
    /// They count as no failures.
    left_out: u32,
    failures: Vec<Code>,
    /// The usage of the replies that could not be used.
    billed: Usage,
    pause_ms: u64,
    /// Whether the rate limit lets the next attempt through.
    is_granted: bool,
    /// The newest result; the final one when the call is over.
    reply: Option<CallResult>,
    is_over: bool,
    /// The number of attempts so far, where the request is to be repeated.
    /// The repeat comes once the server is no longer left alone.
    postponed: Option<u32>,
    /// Whether the pause that the server asked other calls for was kept.
    has_paused: bool,
}

/// The next action of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallStep {
    /// Wait for that many milliseconds.
    Pause(u64),
    /// Send the request and report the result to the pipeline.
    Attempt,
    /// Nothing: the call is over.
    Over,
}

/// The result of a call.
#[derive(Debug)]
pub struct CallOutcome {
    /// The reply, or the error of the last attempt.
    pub reply: CallResult,
    /// The number of requests made, the first one included.
    pub attempts: u32,
    /// The codes of the failed attempts, in order.
    /// It is the code of the `ErrorClass` where there is one.
    pub failures: Vec<Code>,
    /// The usage of the replies that could not be used.
    pub billed: Usage,
    /// The number of attempts so far, where the call ended before its repeats did.
    /// The server is left alone until a known time, and the request is worth repeating then.
    pub postponed: Option<u32>,
}

impl Attempts {
    /// Creates the attempts of a call that resumes a request, postponed after `attempts` attempts.
    pub fn after(attempts: u32) -> Self {
        Self {
            before: attempts,
            ..Self::default()
        }
    }

    /// Returns the error of the newest attempt, if it failed.
    pub fn last_error(&self) -> Option<&ProviderError> {
        self.reply.as_ref()?.as_ref().err()
    }

    /// Returns the code that explains the pause.
    /// It is `RATE_LIMITED` for the limit of a minute, else the code of the last error.
    pub fn waits_for(&self) -> Code {
        let trouble = self.last_error().filter(|_| !self.is_granted);
        trouble.map_or(Code::RateLimited, |error| error.code)
    }

    /// Returns whether the call is over.
    pub const fn is_over(&self) -> bool {
        self.is_over
    }

    /// Postpones the request, so that its next call goes on counting the attempts.
    /// A server that is unreachable is waited for without a limit, so its attempts are not counted.
    fn postpone(&mut self) {
        let is_away = self
            .last_error()
            .is_some_and(|error| error.code == Code::LlmUnavailable);
        let failed = self.made.saturating_sub(self.left_out);
        let attempts = self.before.saturating_add(failed);
        self.postponed = (failed > 0 && !is_away).then_some(attempts);
    }

    /// Ends the call with an error, without another attempt.
    pub fn refuse(&mut self, error: ProviderError) {
        self.reply = Some(Err(error));
        self.is_over = true;
    }

    /// Returns the result of the call.
    pub fn into_outcome(self) -> CallOutcome {
        let unasked = || {
            let message = "the call ended before it began".to_owned();
            Err(ProviderError::held(Code::Internal, message, None))
        };
        CallOutcome {
            reply: self.reply.unwrap_or_else(unasked),
            attempts: self.made,
            failures: self.failures,
            billed: self.billed,
            postponed: self.postponed,
        }
    }
}

/// Creates the error of a call that was not made because the server is left alone for `wait_ms`.
fn retry_later(code: Code, message: String, wait_ms: u64) -> ProviderError {
    ProviderError {
        contact: Contact::Postponed,
        ..ProviderError::held(code, message, Some(wait_ms))
    }
}

// === shared state ===

/// A value with several owners, each of which changes it for all.
type Shared<T> = Arc<Mutex<T>>;

fn lock<T>(shared: &Shared<T>) -> MutexGuard<'_, T> {
    // The value is consistent at any time, even after a panic.
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The shared call count and the health of the servers that were called.
#[derive(Debug, Default)]
pub struct KnownServers {
    rate: Shared<Option<RateLimit>>,
    servers: Vec<(ProviderConfig, Shared<HealthTracker>)>,
}

impl KnownServers {
    /// Creates a pipeline to a provider with this configuration.
    /// It shares the health of the same server with other pipelines, and the calls of the minute
    /// with all.
    pub fn pipeline(
        &mut self,
        provider: Box<dyn LlmProvider>,
        config: &ProviderConfig,
        policy: CallPolicy,
    ) -> Pipeline {
        let mut rate = lock(&self.rate);
        let known = rate.take();
        *rate = policy.calls_per_minute.map(|calls| match known {
            Some(known) => known.with(calls),
            None => RateLimit::new(calls),
        });
        drop(rate);
        let known = self.servers.iter().find(|(it, _)| is_same(it, config));
        let vitals = if let Some((_, vitals)) = known {
            Arc::clone(vitals)
        } else {
            let vitals = Shared::default();
            self.servers.push((config.clone(), Arc::clone(&vitals)));
            vitals
        };
        Pipeline {
            provider,
            policy,
            vitals,
            rate: Arc::clone(&self.rate),
        }
    }

    /// Removes the servers that no pipeline uses any more.
    pub fn forget_unused(&mut self) {
        self.servers
            .retain(|(_, vitals)| Arc::strong_count(vitals) > 1);
    }
}

/// Returns whether two configurations name the same model of the same server, on the same account.
fn is_same(one: &ProviderConfig, other: &ProviderConfig) -> bool {
    one.base_url == other.base_url
        && one.model == other.model
        && one.command == other.command
        && one.api_key == other.api_key
}
