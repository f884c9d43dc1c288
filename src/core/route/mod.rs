//! Decisions about calls: what kind of failure this was and when to try again.
//! Pure: `now` and delays are values; the pipeline in `provider` does the waiting.

mod retry;

pub use retry::RetryPolicy;
