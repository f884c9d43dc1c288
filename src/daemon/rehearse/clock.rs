//! Time that nobody lives through: a wait ends at once, and it is as much later. Ends when the days that
//! are rehearsed do.

use crate::daemon::clock::Clock;
use crate::daemon::stop::StopHandle;
use crate::provider::{CallFuture, Sleeper};
use crate::time::Timestamp;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

/// A clock whose waits move it.
#[derive(Debug)]
pub(super) struct VirtualClock {
    /// Milliseconds since the epoch.
    now: AtomicI64,
    end: Timestamp,
    stop: StopHandle,
}

impl VirtualClock {
    /// A clock that goes from `from` to `end`, and then asks for the end of the loop.
    pub(super) const fn new(from: Timestamp, end: Timestamp, stop: StopHandle) -> Self {
        Self {
            now: AtomicI64::new(from.millis),
            end,
            stop,
        }
    }

    /// Waits, unless that would last longer than the days do.
    fn pass(&self, duration: Duration) -> bool {
        let millis = u64::try_from(duration.as_millis()).unwrap_or(u64::MAX);
        let then = self.now().after_millis(millis);
        self.now.store(then.min(self.end).millis, Ordering::Relaxed);
        then <= self.end
    }
}

impl Sleeper for VirtualClock {
    /// Time passes when the wait is waited for, not when it is made: one that is not needed after all
    /// takes none.
    fn sleep(&self, duration: Duration) -> CallFuture<'_, ()> {
        Box::pin(async move {
            if !self.pass(duration) {
                self.stop.stop();
                std::future::pending::<()>().await;
            }
        })
    }
}

impl Clock for VirtualClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_millis(self.now.load(Ordering::Relaxed))
    }
}
