//! Virtual time: a wait ends at once, and moves the clock by its length.
//!
//! For rehearsals and proofs; never for a root that somebody keeps.

use super::clock::Clock;
use super::stop::StopHandle;
use crate::provider::{CallFuture, Sleeper};
use crate::time::Timestamp;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

/// A clock whose waits move it.
#[derive(Debug)]
pub struct VirtualClock {
    /// The time, in milliseconds since the epoch.
    now: AtomicI64,
    /// The time at which it ends, and the handle that ends the loop with it.
    end: Option<(Timestamp, StopHandle)>,
}

impl VirtualClock {
    /// Makes a clock that goes on for ever.
    pub const fn from(from: Timestamp) -> Self {
        Self {
            now: AtomicI64::new(from.millis),
            end: None,
        }
    }

    /// Makes a clock that goes from `from` to `end`, and then asks for the end of the loop.
    pub const fn between(from: Timestamp, end: Timestamp, stop: StopHandle) -> Self {
        Self {
            now: AtomicI64::new(from.millis),
            end: Some((end, stop)),
        }
    }

    /// Moves the clock; returns the loop to end where the wait goes beyond the end of time.
    fn pass(&self, duration: Duration) -> Option<&StopHandle> {
        let millis = u64::try_from(duration.as_millis()).unwrap_or(u64::MAX);
        let then = self.now().after_millis(millis);
        let over = self.end.as_ref().filter(|(end, _)| then > *end);
        let then = over.map_or(then, |(end, _)| *end);
        self.now.store(then.millis, Ordering::Relaxed);
        over.map(|(_, stop)| stop)
    }
}

impl Sleeper for VirtualClock {
    /// Waits. Time passes when the future is awaited, not when it is made.
    ///
    /// A wait that is not needed after all takes no time.
    fn sleep(&self, duration: Duration) -> CallFuture<'_, ()> {
        Box::pin(async move {
            if let Some(stop) = self.pass(duration) {
                stop.stop();
                std::future::pending::<()>().await;
            }
        })
    }
}

impl Clock for VirtualClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_millis(self.now.load(Ordering::Relaxed))
    }

    /// Returns the clock's own time, which nobody sets; 0 before the epoch.
    fn uptime_ms(&self) -> u64 {
        u64::try_from(self.now().millis).unwrap_or_default()
    }
}
