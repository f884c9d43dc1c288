//! Decisions about calls: which model is asked, and when to try again.
//! Pure: `now` and delays are values; the pipeline in `provider` does the waiting.

mod model;
mod retry;

pub use model::{ModelChoice, choose_model};
pub use retry::RetryPolicy;
