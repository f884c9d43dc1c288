//! Repeats calls that a signal interrupts, but not for ever: a system that only interrupts is an
//! error like any other.

use rustix::io::{Errno, Result};

/// The most repeats of one call that is interrupted before it has done anything.
/// Even two interruptions in a row are rare.
pub const INTERRUPTIONS_MAX: u32 = 1000;

/// Repeats a call as long as it is interrupted, up to [`INTERRUPTIONS_MAX`] times.
///
/// # Errors
/// The error of the call; [`Errno::INTR`] where it was interrupted each time.
pub fn retry_interrupted<T>(mut call: impl FnMut() -> Result<T>) -> Result<T> {
    for _ in 0..INTERRUPTIONS_MAX {
        match call() {
            Err(Errno::INTR) => {}
            outcome => return outcome,
        }
    }
    call()
}

#[cfg(test)]
mod tests {
    use super::{INTERRUPTIONS_MAX, retry_interrupted};
    use rustix::io::{Errno, Result};

    /// Returns the result of an interrupted call, and the number of calls made.
    fn after(interruptions: u32, outcome: Result<u8>) -> (Result<u8>, u32) {
        let mut calls = 0;
        let came = retry_interrupted(|| {
            calls += 1;
            if calls <= interruptions {
                Err(Errno::INTR)
            } else {
                outcome
            }
        });
        (came, calls)
    }

    #[test]
    fn an_interrupted_call_is_repeated_so_often_and_no_more() {
        let max = INTERRUPTIONS_MAX;
        for (interruptions, outcome, expected, calls) in [
            (0, Ok(7), Ok(7), 1),
            (1, Ok(7), Ok(7), 2),
            (max, Ok(7), Ok(7), max + 1),
            (u32::MAX, Ok(7), Err(Errno::INTR), max + 1),
            (0, Err(Errno::IO), Err(Errno::IO), 1),
            (3, Err(Errno::IO), Err(Errno::IO), 4),
        ] {
            assert_eq!(after(interruptions, outcome), (expected, calls));
        }
    }
}
