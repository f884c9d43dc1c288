//! Facts about calls of models: what was set aside for one and what it cost, and whom it went to. What
//! was asked and answered is not here.

use crate::core::is_default;
use crate::core::protocol::{ConstraintKind, EarlyStop};
use crate::core::route::{CircuitState, Cost, FinishReason, RoutingDecision};
use crate::failure::Code;
use crate::ids::RunId;
use crate::time::Timestamp;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// A part of the budget of a day and of a run was set aside, before a call was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BudgetReserved {
    /// The day in UTC, counted from 1970-01-01.
    pub day: i64,
    /// What the call may cost.
    pub cost: Cost,
    /// The run that it is for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run_id: Option<RunId>,
}

/// What calls have really cost, in the place of what was set aside for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BudgetSettled {
    /// The day in UTC, counted from 1970-01-01.
    pub day: i64,
    /// What was set aside.
    pub reserved: Cost,
    /// What was spent.
    pub spent: Cost,
    /// The run that the calls were for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run_id: Option<RunId>,
}

/// What was waited for before a call, and how long altogether.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Waited {
    /// What for: a limit, a budget, or what a server said.
    pub code: Code,
    /// Milliseconds.
    pub ms: u64,
}

/// A question: whom it went to and why, and how it was answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallMade {
    /// The run.
    pub run_id: RunId,
    /// The iteration that it was for, from 1.
    pub iteration: u32,
    /// The provider that was asked, by its name in the configuration.
    pub provider: String,
    /// The model that was asked.
    pub model: String,
    /// The model that answered, where the server gives it another name: one that stands in for the asked
    /// one, or a longer name of that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answered_by: Option<String>,
    /// Why this one.
    pub reason: String,
    /// The attempts that failed, in order.
    pub failures: Vec<Code>,
    /// Whether there was an answer in the end.
    pub answered: bool,
    /// How the provider's breaker stood afterwards, unless it was closed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub circuit: Option<CircuitState>,
    /// What the server was to keep the answer to, if to anything.
    #[serde(rename = "rung", default, skip_serializing_if = "Option::is_none")]
    pub constraint_kind: Option<ConstraintKind>,
    /// Milliseconds to the model's first word, where the answer was streamed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_token_ms: Option<u64>,
    /// Why the rest of the answer was not waited for, if it was not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub early_stop: Option<EarlyStop>,
    /// The tokens that this saved at most, as the usage of an iteration counts them.
    #[serde(default, skip_serializing_if = "is_default")]
    pub saved_tokens: u64,
    /// Why the model stopped; absent in records of an older make.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub finish: Option<FinishReason>,
    /// How it was chosen, where there was a choice. One that is asked in place of another comes from the
    /// choice of that one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decision: Option<Box<RoutingDecision>>,
    /// The question that it was chosen for: whoever is asked in its place has the same one. Absent in
    /// records of an older make, and so is the time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request_id: Option<Uuid>,
    /// When it was chosen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chosen_at: Option<Timestamp>,
    /// What was waited for before it and between its attempts, since the call before.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub waited: Vec<Waited>,
}
