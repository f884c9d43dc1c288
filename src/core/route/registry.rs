//! The models that routing may choose among, and what a task asks of one, in the words of
//! `data/models.json`. Knows no prices: money never decides. Chooses nothing.

use crate::core::protocol::ConstraintKind;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// What a task is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum TaskType {
    /// Talking.
    Chat,
    /// Going on with a text.
    Completion,
    /// Programs.
    Code,
    /// Reading and judging.
    Analysis,
    /// Inventing.
    Creative,
}

/// How much may go wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum RiskLevel {
    /// Little.
    Low,
    /// Some; what is meant when nobody says.
    #[default]
    Medium,
    /// A lot: no experimental model.
    High,
}

/// Something that a model can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Capability {
    /// It sees pictures.
    Vision,
    /// It calls functions.
    FunctionCalling,
    /// It writes JSON when it is told to.
    JsonMode,
    /// It answers piece by piece.
    Streaming,
}

/// Who makes a model, or that it runs here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Vendor {
    /// Anthropic.
    Anthropic,
    /// `OpenAI`.
    Openai,
    /// Google.
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
    /// Who makes it.
    pub provider: Vendor,
    /// Its window, in tokens.
    pub context_length: u32,
    /// Whether it is not to be relied on.
    #[serde(default)]
    pub experimental: bool,
    /// What it can do.
    pub capabilities: BTreeSet<Capability>,
    /// What it is good at.
    pub optimized_for: BTreeSet<TaskType>,
    /// What a person prefers, from 0 to [`PRIORITY_MAX`].
    #[serde(default)]
    pub priority: u32,
    /// How long it usually takes, in milliseconds; where nobody knows, no bound shuts it out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub latency_ms: Option<u64>,
    /// What its output is best kept to, where that was measured to be no worse than nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub constrain: Option<ConstraintKind>,
    /// How it is reached, for whoever reads the table: a provider's configuration decides.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub adapter: Option<Adapter>,
}

/// A way to reach a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Adapter {
    /// An `OpenAI`-compatible server.
    OpenaiHttp,
    /// A program on this machine.
    Cli,
    /// Replies from a file.
    Scripted,
}

/// Highest [`ModelEntry::priority`]; the specification's largest bonus.
pub const PRIORITY_MAX: u32 = 50;

/// What is asked of the model to be chosen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RoutingInput {
    /// What the task is about.
    pub task_type: TaskType,
    /// How much may go wrong.
    #[serde(default)]
    pub risk_level: RiskLevel,
    /// What the model must have.
    #[serde(default)]
    pub requirements: Requirements,
    /// Whatever else the caller wants to see in the record. Decides nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context: Option<serde_json::Value>,
}

/// What the model must have.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Requirements {
    /// Smallest window, in tokens.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_context_length: Option<u32>,
    /// Longest usual answer time, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_latency_ms: Option<u64>,
    /// What it must be able to do.
    pub capabilities: BTreeSet<Capability>,
    /// Whose models go first, best first.
    pub preferred_providers: Vec<Vendor>,
    /// Models that are out.
    pub excluded_models: BTreeSet<String>,
}
