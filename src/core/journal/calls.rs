//! Facts about calls: budget reservations, costs, and the providers that were asked.
//! Prompts and replies are not here.

use crate::core::is_default;
use crate::core::protocol::{ConstraintKind, EarlyStop};
use crate::core::route::{CircuitState, Cost, FinishReason, RoutingDecision};
use crate::failure::Code;
use crate::ids::RunId;
use crate::time::Timestamp;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// A reservation from the budget of a day and of a run, made before a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BudgetReserved {
    /// The UTC day, counted from 1970-01-01.
    pub day: i64,
    /// The most that the call may cost.
    pub cost: Cost,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run_id: Option<RunId>,
}

/// The actual cost of calls, which replaces their reservation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BudgetSettled {
    /// The UTC day, counted from 1970-01-01.
    pub day: i64,
    pub reserved: Cost,
    /// The actual cost.
    pub spent: Cost,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run_id: Option<RunId>,
}

/// A wait before a call: its reason and its total length.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallWait {
    /// The reason: a limit, a budget, or a pause that a server asked for.
    pub code: Code,
    /// The length in milliseconds.
    pub ms: u64,
}

/// A call: the provider that was asked, the reason for the choice, and the outcome.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallMade {
    pub run_id: RunId,
    /// The iteration that it was for, from 1.
    pub iteration: u32,
    /// The provider that was asked, by its name in the configuration.
    pub provider: String,
    pub model: String,
    /// The name of the model that answered, where the server reports another than the one asked.
    /// It is a model that stands in for the asked one, or a longer name of the same model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answered_by: Option<String>,
    /// The reason for the choice of the provider.
    pub reason: String,
    /// The codes of the failed attempts, in order.
    pub failures: Vec<Code>,
    /// Whether an attempt succeeded in the end.
    pub answered: bool,
    /// The state of the provider's breaker afterwards, unless it was closed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub circuit: Option<CircuitState>,
    /// The kind of constraint that the reply was kept to, if any.
    #[serde(rename = "rung", default, skip_serializing_if = "Option::is_none")]
    pub constraint_kind: Option<ConstraintKind>,
    /// The time to the first token in milliseconds, where the reply was streamed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_token_ms: Option<u64>,
    /// The reason why the reply was stopped early, if it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub early_stop: Option<EarlyStop>,
    /// The upper bound of the tokens that the early stop saved, as in [`crate::core::run::Usage`].
    #[serde(default, skip_serializing_if = "is_default")]
    pub saved_tokens: u64,
    /// The reason why the model stopped; absent in records of older versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub finish: Option<FinishReason>,
    /// The routing decision, where there was a choice.
    /// A provider that is asked in place of another comes from the decision for that one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decision: Option<Box<RoutingDecision>>,
    /// The id of the question that the provider was chosen for.
    /// A provider that is asked in its place has the same id. This field and the time are absent in
    /// records of older versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request_id: Option<Uuid>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chosen_at: Option<Timestamp>,
    /// The waits before the call and between its attempts, since the call before.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub waited: Vec<CallWait>,
}
