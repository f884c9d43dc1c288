//! State that all pipelines of a process share: the count of calls in a minute, and the health of
//! each server. Sends nothing.

use super::pipeline::{CallPolicy, Pipeline};
use super::types::LlmProvider;
use crate::config::ProviderConfig;
use crate::core::route::{RateLimit, Vitals};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A value with several owners, each of which changes it for all.
#[derive(Debug)]
pub(super) struct Shared<T>(Arc<Mutex<T>>);

impl<T> Shared<T> {
    pub(super) fn new(value: T) -> Self {
        Self(Arc::new(Mutex::new(value)))
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, T> {
        // The value is consistent at any time, even after a panic.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T> Clone for Shared<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

/// The shared call count and the health of the servers that were called.
#[derive(Debug)]
pub struct KnownServers {
    rate: Shared<Option<RateLimit>>,
    servers: Vec<(ProviderConfig, Shared<Vitals>)>,
}

impl Default for KnownServers {
    fn default() -> Self {
        Self {
            rate: Shared::new(None),
            servers: Vec::new(),
        }
    }
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
        let mut rate = self.rate.lock();
        let known = rate.take();
        *rate = policy.calls_per_minute.map(|calls| match known {
            Some(known) => known.with(calls),
            None => RateLimit::new(calls),
        });
        drop(rate);
        let known = self.servers.iter().find(|(it, _)| is_same(it, config));
        let vitals = if let Some((_, vitals)) = known {
            vitals.clone()
        } else {
            let vitals = Shared::new(Vitals::new(policy.breaker));
            self.servers.push((config.clone(), vitals.clone()));
            vitals
        };
        Pipeline::sharing(provider, policy, self.rate.clone(), vitals)
    }

    /// Removes the servers that no pipeline uses any more.
    pub fn forget_unused(&mut self) {
        self.servers
            .retain(|(_, vitals)| Arc::strong_count(&vitals.0) > 1);
    }
}

/// Returns whether two configurations name the same model of the same server, on the same account.
fn is_same(one: &ProviderConfig, other: &ProviderConfig) -> bool {
    one.base_url == other.base_url
        && one.model == other.model
        && one.command == other.command
        && one.api_key == other.api_key
}
