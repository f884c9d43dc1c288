//! Holds requests back while the first one to a model is under way: LM Studio would load its model
//! once more for each request that comes while none is loaded. All adapters of one model at one
//! server share the lock.

use crate::config::ProviderKind;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex as Registry, PoisonError, Weak};
use tokio::sync::{Mutex, MutexGuard};

/// The values in use, by address and model.
static KNOWN: Registry<BTreeMap<(String, String), Weak<FirstRequest>>> =
    Registry::new(BTreeMap::new());

#[derive(Debug, Default)]
pub(super) struct FirstRequest {
    /// Whether there is nothing to wait for: a reply has arrived, or the server does not need this.
    is_over: AtomicBool,
    turn: Mutex<()>,
}

impl FirstRequest {
    /// Returns the value for a model at a server.
    pub(super) fn of(kind: ProviderKind, base_url: &str, model: &str) -> Arc<Self> {
        if kind != ProviderKind::LmStudio {
            return Arc::new(Self {
                is_over: AtomicBool::new(true),
                turn: Mutex::default(),
            });
        }
        let place = (base_url.trim_end_matches('/').to_owned(), model.to_owned());
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        known.retain(|_, flight| flight.strong_count() > 0);
        if let Some(flight) = known.get(&place).and_then(Weak::upgrade) {
            return flight;
        }
        let flight = Arc::new(Self::default());
        known.insert(place, Arc::downgrade(&flight));
        flight
    }

    /// Waits until the request may be sent; returns a guard while the model is not loaded yet.
    pub(super) async fn turn(&self) -> Option<MutexGuard<'_, ()>> {
        if self.is_over.load(Ordering::Relaxed) {
            return None;
        }
        let turn = self.turn.lock().await;
        // The request before this one has loaded the model.
        let is_over = self.is_over.load(Ordering::Relaxed);
        (!is_over).then_some(turn)
    }

    /// Notes that a reply has arrived, so that no request waits any more.
    pub(super) fn ended(&self) {
        self.is_over.store(true, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::FirstRequest;
    use crate::config::ProviderKind::{LmStudio, OpenAi};
    use std::sync::Arc;

    #[test]
    fn adapters_of_one_model_at_one_server_share_it() {
        let base = "http://127.0.0.1:1/shared";
        let first = FirstRequest::of(LmStudio, base, "m");
        assert!(Arc::ptr_eq(
            &first,
            &FirstRequest::of(LmStudio, &format!("{base}/"), "m")
        ));
        assert!(!Arc::ptr_eq(&first, &FirstRequest::of(LmStudio, base, "n")));
        assert!(!Arc::ptr_eq(&first, &FirstRequest::of(OpenAi, base, "m")));
        first.ended();
        drop(first);
        // No adapter holds it any more: the server may have been restarted.
        let again = FirstRequest::of(LmStudio, base, "m");
        assert!(!again.is_over.load(std::sync::atomic::Ordering::Relaxed));
    }
}
