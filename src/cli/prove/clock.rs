//! The clock of a proof, on which nobody has to wait, and whoever watches it: nobody.

use crate::daemon::{Clock, Sight, Watcher};
use crate::provider::{CallFuture, Sleeper};
use crate::time::Timestamp;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

/// A clock on which waits end at once and take their time.
#[derive(Debug)]
pub(super) struct HurriedClock(AtomicI64);

impl HurriedClock {
    /// One that stands at a time.
    pub(super) const fn at(now: Timestamp) -> Self {
        Self(AtomicI64::new(now.millis))
    }
}

impl Sleeper for HurriedClock {
    fn sleep(&self, duration: Duration) -> CallFuture<'_, ()> {
        let millis = i64::try_from(duration.as_millis()).unwrap_or(i64::MAX);
        self.0.fetch_add(millis, Ordering::Relaxed);
        Box::pin(std::future::ready(()))
    }
}

impl Clock for HurriedClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_millis(self.0.load(Ordering::Relaxed))
    }
}

/// Nobody watches a proof.
#[derive(Debug)]
pub(super) struct Silent;

impl Watcher for Silent {
    fn saw(&mut self, _sight: Sight<'_>) {}
}
