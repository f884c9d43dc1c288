//! The one clock. All other code is given the time, or waits through this trait.

use crate::provider::{CallFuture, Sleeper};
use crate::time::Timestamp;
use rustix::time::{ClockId, clock_gettime};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// A source of the time, which can also wait.
pub trait Clock: Sleeper {
    /// Returns the wall-clock time.
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

/// Returns the milliseconds of the machine's monotonic clock.
pub(super) fn monotonic_ms() -> u64 {
    let now = clock_gettime(ClockId::Monotonic);
    let (seconds, nanos) = (now.tv_sec.unsigned_abs(), now.tv_nsec.unsigned_abs());
    seconds
        .saturating_mul(1000)
        .saturating_add(nanos / 1_000_000)
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
