//! The one way that every call goes: ask, and repeat what is worth repeating. Rate limit, choice of
//! model and circuit breaker belong in front of the call in [`Pipeline::call`] and nowhere else.
//! Never looks into a reply, and never logs what was asked or answered.

use super::types::{CallFuture, LlmProvider, LlmReply, LlmRequest, ProviderError};
use crate::core::route::RetryPolicy;
use crate::limits::RETRY_AFTER_MS_MAX;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// Whoever can wait: the daemon's clock, or a test that only notes how long.
pub trait Sleeper: Send + Sync + fmt::Debug {
    /// Waits. Dropping the future ends the wait and loses nothing.
    fn sleep(&self, duration: Duration) -> CallFuture<'_, ()>;
}

/// A provider with everything that stands around a call to it.
#[derive(Debug)]
pub struct Pipeline {
    provider: Box<dyn LlmProvider>,
    retry: RetryPolicy,
    sleeper: Arc<dyn Sleeper>,
}

/// How a call ended.
#[derive(Debug)]
pub struct CallOutcome {
    /// The reply, or the error of the last attempt.
    pub reply: Result<LlmReply, ProviderError>,
    /// Requests made, the first one included.
    pub attempts: u32,
}

impl Pipeline {
    /// A pipeline to one provider.
    pub fn new(
        provider: Box<dyn LlmProvider>,
        retry: RetryPolicy,
        sleeper: Arc<dyn Sleeper>,
    ) -> Self {
        Self {
            provider,
            retry,
            sleeper,
        }
    }

    /// The provider itself, for its name and its list of models.
    pub fn provider(&self) -> &dyn LlmProvider {
        self.provider.as_ref()
    }

    /// Asks until there is a reply, an error that a repeat does not cure, or no repeat left.
    ///
    /// Cancel safe: to cancel, drop the future. The connection of a running request is closed, which
    /// also makes a local server stop generating, and nothing is kept between calls.
    pub async fn call(&self, request: &LlmRequest) -> CallOutcome {
        let mut attempts = 0_u32;
        loop {
            let reply = self.provider.complete(request).await;
            let repeats_done = attempts;
            attempts = attempts.saturating_add(1);
            let error = match reply {
                Err(error) if error.retry && repeats_done < self.retry.max_retries => error,
                reply => return CallOutcome { reply, attempts },
            };
            let asked_ms = error.retry_after_ms.unwrap_or(0).min(RETRY_AFTER_MS_MAX);
            let delay_ms = self.retry.delay_ms(repeats_done).max(asked_ms);
            tracing::warn!(
                code = error.code.as_str(),
                attempt = attempts,
                delay_ms,
                "the call failed and is repeated"
            );
            self.sleeper.sleep(Duration::from_millis(delay_ms)).await;
        }
    }
}
