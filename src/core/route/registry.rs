//! The models that routing may choose from, and the requirements of a task.
//! Spelled as in `data/models.json`. Prices are not included: cost never decides. Chooses nothing.

use crate::core::protocol::ConstraintKind;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// The type of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum TaskType {
    Chat,
    Completion,
    Code,
    Analysis,
    Creative,
}

/// The risk of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum RiskLevel {
    Low,
    #[default]
    Medium,
    /// High: excludes experimental models.
    High,
}

/// A capability of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Capability {
    Vision,
    FunctionCalling,
    JsonMode,
    Streaming,
}

/// The maker of a model, or the local network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Vendor {
    Anthropic,
    Openai,
    Google,
    /// A server on this machine or network.
    Local,
}

/// A model that may be chosen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ModelEntry {
    /// Its name, as its provider knows it.
    pub model_id: String,
    pub provider: Vendor,
    /// The window of the model, in tokens.
    pub context_length: u32,
    #[serde(default)]
    pub experimental: bool,
    pub capabilities: BTreeSet<Capability>,
    pub optimized_for: BTreeSet<TaskType>,
    /// The preference of the person, from 0 to [`PRIORITY_MAX`].
    #[serde(default)]
    pub priority: u32,
    /// Its usual answer time, in milliseconds.
    /// If it is unknown, no bound excludes the model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub latency_ms: Option<u64>,
    /// The best constraint for its output, if tests showed no loss against free text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub constrain: Option<ConstraintKind>,
    /// The way to reach it, for readers of the table.
    /// The configuration of a provider decides.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub adapter: Option<Adapter>,
}

/// A way to reach a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Adapter {
    OpenaiHttp,
    Cli,
    Scripted,
}

/// The highest [`ModelEntry::priority`], which is the largest bonus of the specification.
pub const PRIORITY_MAX: u32 = 50;

/// The input of a routing decision.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RoutingInput {
    pub task_type: TaskType,
    #[serde(default)]
    pub risk_level: RiskLevel,
    #[serde(default)]
    pub requirements: Requirements,
    /// Any other data that the caller wants in the record.
    /// Decides nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context: Option<serde_json::Value>,
}

/// The requirements for a model.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Requirements {
    /// The smallest window, in tokens.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_context_length: Option<u32>,
    /// The longest usual answer time, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_latency_ms: Option<u64>,
    pub capabilities: BTreeSet<Capability>,
    /// The makers whose models are preferred, best first.
    pub preferred_providers: Vec<Vendor>,
    pub excluded_models: BTreeSet<String>,
}
