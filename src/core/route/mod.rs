//! Decisions about calls: which model is asked, and when to try again.
//! Pure: `now` and delays are values; the pipeline in `provider` does the waiting.

mod breaker;
mod choose;
mod health;
mod outcome;
mod rate;
mod registry;
mod spending;

pub use breaker::{CircuitState, FAILURES_MAX};
pub use choose::{
    Breakdown, Constraints, Disqualified, ModelChoice, RoutingDecision, RoutingError, ScoredModel,
    choose_model, is_stand_in, read_input, route,
};
pub use health::{Health, HealthTracker, ProviderHealth};
pub use outcome::{ErrorClass, FinishReason, RetryPolicy};
pub use rate::RateLimit;
pub use registry::{
    Adapter, Capability, ModelEntry, PRIORITY_MAX, Requirements, RiskLevel, RoutingInput, TaskType,
    Vendor,
};
pub use spending::{Allowance, Cost, OverBudget, Spending};
