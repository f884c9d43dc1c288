//! Calls that are made again at a known time: a limit ends, or the breaker lets a trial through.
//!
//! The run waits, and its attempts are counted across the waits, so that a server that always fails
//! still fails the run. The breaker decides how long a server is left alone.

use super::halt::Patience;
use super::provider_pool::ProviderPool;
use crate::failure::Code;
use crate::provider::{Contact, ProviderError};
use crate::time::Timestamp;

/// The longest wait for a server with a person in front of it, in milliseconds.
///
/// It is as long as a breaker stays open.
const SHORT_WAIT_MS_MAX: u64 = 30_000;

/// A call that failed for now.
#[derive(Debug)]
pub(super) struct Away {
    /// The error.
    pub(super) error: ProviderError,
    /// Whether the call is to be made again at a known time.
    pub(super) is_postponed: bool,
}

impl Away {
    /// Returns whether a wait for the asked server is worth it.
    pub(super) fn is_waited_for(
        &self,
        patience: Patience,
        pool: &ProviderPool,
        now: Timestamp,
    ) -> bool {
        if patience == Patience::Endless {
            return true;
        }
        let is_short = |wait_ms: u64| wait_ms <= SHORT_WAIT_MS_MAX;
        self.is_postponed && self.due_in_ms(pool, now).is_some_and(is_short)
    }

    /// Returns the milliseconds until the call is made again, where that is known.
    ///
    /// A budget opens then, or the server is asked again, or another one before it.
    pub(super) fn due_in_ms(&self, pool: &ProviderPool, now: Timestamp) -> Option<u64> {
        if self.error.code == Code::BudgetExceeded {
            return self.error.retry_after_ms;
        }
        let wait_ms = self.error.retry_after_ms.filter(|_| self.is_postponed)?;
        let soonest_ms = pool.soonest_ms(now);
        Some(soonest_ms.map_or(wait_ms, |soonest_ms| soonest_ms.min(wait_ms)))
    }

    /// Returns the message about a wait: the error, and the time of the next attempt.
    pub(super) fn message(&self, pool: &ProviderPool, now: Timestamp) -> String {
        let message = &self.error.message;
        let is_reported = self.error.contact == Contact::Postponed || !self.is_postponed;
        match self.due_in_ms(pool, now).filter(|_| !is_reported) {
            Some(due_ms) => {
                let due = now.after_millis(due_ms);
                format!("{message}; asked again at {due}")
            }
            None => message.clone(),
        }
    }
}
