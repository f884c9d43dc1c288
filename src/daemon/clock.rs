//! The one clock, and virtual time, in which a wait ends at once and moves the clock by its length.
//!
//! All other code is given the time, or waits through this trait. Virtual time is for rehearsals and
//! proofs; never for a root that a person keeps.

use super::stop::StopHandle;
use crate::provider::{CallFuture, Sleeper};
use crate::time::Timestamp;
use rustix::time::{ClockId, clock_gettime};
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// A source of the time, which can also wait.
pub trait Clock: Sleeper {
    fn now(&self) -> Timestamp;

    /// Returns the milliseconds of a monotonic clock, which stops while the machine sleeps.
    ///
    /// Only differences mean something.
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
        moment_of(SystemTime::now())
    }

    fn uptime_ms(&self) -> u64 {
        monotonic_ms()
    }
}

/// Converts a time of the system clock, which may be before 1970: most conversions panic then.
fn moment_of(time: SystemTime) -> Timestamp {
    let millis = |span: Duration| i64::try_from(span.as_millis()).unwrap_or(i64::MAX);
    Timestamp::from_millis(match time.duration_since(UNIX_EPOCH) {
        Ok(since) => millis(since),
        Err(before) => -millis(before.duration()),
    })
}

pub(super) fn monotonic_ms() -> u64 {
    let now = clock_gettime(ClockId::Monotonic);
    let (seconds, nanos) = (now.tv_sec.unsigned_abs(), now.tv_nsec.unsigned_abs());
    seconds
        .saturating_mul(1000)
        .saturating_add(nanos / 1_000_000)
}

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

#[cfg(test)]
mod tests {
    use super::{Duration, UNIX_EPOCH, moment_of};

    #[test]
    fn a_time_before_1970_is_a_time() {
        let year = Duration::from_hours(366 * 24);
        for (time, text) in [
            (UNIX_EPOCH, "1970-01-01T00:00:00.000Z"),
            (UNIX_EPOCH + year, "1971-01-02T00:00:00.000Z"),
            (
                UNIX_EPOCH - Duration::from_millis(1),
                "1969-12-31T23:59:59.999Z",
            ),
            (UNIX_EPOCH - year, "1968-12-31T00:00:00.000Z"),
            (UNIX_EPOCH - 1900 * year, "0066-"),
        ] {
            let moment = moment_of(time).to_string();
            assert!(moment.starts_with(text), "{moment}");
        }
    }
}
