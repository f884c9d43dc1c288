//! The one clock. Everything else is handed the time, or waits through this trait.

use crate::provider::{CallFuture, Sleeper};
use crate::time::Timestamp;
use std::time::Duration;

/// Tells the time and waits.
pub trait Clock: Sleeper {
    /// Now, by the wall.
    fn now(&self) -> Timestamp;
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
}
