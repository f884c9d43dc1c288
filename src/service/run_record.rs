//! The run record as programs read it: its shape, with the order of fields that the contract sets.

use crate::core::prompt::{Mode, Window};
use crate::core::run::{Answer, Run, RunState, StopReason, Trigger, Usage};
use crate::failure::Code;
use crate::ids::{EventId, RuleId, RunId};
use crate::time::Timestamp;
use serde::Serialize;

/// The fields of a run that its record has.
#[derive(Serialize)]
#[serde(remote = "Run")]
struct RunRecord {
    run_id: RunId,
    rule_id: Option<RuleId>,
    triggering_event_id: EventId,
    trigger: Trigger,
    state: RunState,
    stop_reason: Option<StopReason>,
    error_code: Option<Code>,
    agent_name: String,
    provider: Option<String>,
    model: Option<String>,
    mode: Mode,
    prompt_hash: Option<String>,
    parser_version: Option<String>,
    window: Option<Window>,
    loop_count: u32,
    operation_count: u64,
    rejected_count: u64,
    ignored_count: u64,
    usage: Usage,
    queued_at: Timestamp,
    started_at: Option<Timestamp>,
    completed_at: Option<Timestamp>,
    request: Option<String>,
    /// The answer, where the request was a question.
    #[serde(skip_serializing_if = "Option::is_none")]
    answer: Option<Answer>,
    /// The parts of the request that no change shows, where the run failed for that.
    #[serde(getter = "Run::not_shown", skip_serializing_if = "Vec::is_empty")]
    not_shown: Vec<String>,
    attempt: u32,
}

/// A run that is shown as its record.
#[derive(Clone, Debug, Serialize)]
pub struct RunView {
    #[serde(flatten, with = "RunRecord")]
    pub run: Run,
    /// The number of its proposals that wait for a person, where that was looked up.
    #[serde(rename = "proposals_waiting", skip_serializing_if = "Option::is_none")]
    pub waiting: Option<usize>,
}

impl From<Run> for RunView {
    fn from(run: Run) -> Self {
        Self { run, waiting: None }
    }
}
