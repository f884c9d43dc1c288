//! Waiting for what must come, in real time.

#![expect(
    clippy::disallowed_methods,
    reason = "other threads and processes take real time"
)]

use std::time::{Duration, Instant};

/// Longer than anything here takes on a busy machine.
pub(crate) const DEADLINE: Duration = Duration::from_mins(1);

/// Waits until something is so, looking again and again.
#[track_caller]
pub(crate) fn until<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let end = Instant::now() + DEADLINE;
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(Instant::now() < end, "never came: {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}
