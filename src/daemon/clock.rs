//! The one clock. Everything else is handed the time, or waits through this trait.

use crate::provider::{CallFuture, Sleeper};
use crate::time::Timestamp;
use rustix::time::{ClockId, clock_gettime};
use std::time::Duration;

/// Tells the time and waits.
pub trait Clock: Sleeper {
    /// Now, by the wall.
    fn now(&self) -> Timestamp;

    /// Milliseconds on a clock that nobody sets, and that stands still while the machine sleeps; only
    /// differences mean something.
    fn uptime_ms(&self) -> u64;
}

/// The machine's clock.
#[derive(Clone, Copy, Debug)]
pub struct SystemClock;

impl Sleeper for SystemClock {
    fn sleep(&self, duration: Duration) -> CallFuture<'_, ()> {
        Box::pin(tokio::time::sleep(duration))
    }
}

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "this is the one clock")]
    fn now(&self) -> Timestamp {
        Timestamp::from_millis(chrono::Utc::now().timestamp_millis())
    }

    fn uptime_ms(&self) -> u64 {
        monotonic_ms()
    }
}

/// What [`Clock::uptime_ms`] of the machine says.
pub(super) fn monotonic_ms() -> u64 {
    let now = clock_gettime(ClockId::Monotonic);
    let (seconds, nanos) = (now.tv_sec.unsigned_abs(), now.tv_nsec.unsigned_abs());
    seconds
        .saturating_mul(1000)
        .saturating_add(nanos / 1_000_000)
}
