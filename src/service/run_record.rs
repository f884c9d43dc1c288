//! The run record as programs read it: its shape, with the order of fields that the contract sets.

use crate::core::prompt::{Mode, Window};
use crate::core::run::{self, Run, RunState, StopReason, Trigger, Usage};
use crate::failure::Code;
use crate::ids::{EventId, RuleId, RunId};
use crate::time::Timestamp;
use serde::{Serialize, Serializer};

/// A run record.
#[derive(Debug, Serialize)]
pub struct RunRecord<'a> {
    run_id: RunId,
    rule_id: Option<RuleId>,
    triggering_event_id: &'a EventId,
    trigger: Trigger,
    state: RunState,
    stop_reason: Option<StopReason>,
    error_code: Option<Code>,
    agent_name: &'a str,
    provider: Option<&'a str>,
    model: Option<&'a str>,
    mode: Mode,
    prompt_hash: Option<&'a str>,
    parser_version: Option<&'a str>,
    window: Option<Window>,
    loop_count: u32,
    operation_count: u64,
    rejected_count: u64,
    ignored_count: u64,
    usage: Usage,
    queued_at: Timestamp,
    started_at: Option<Timestamp>,
    completed_at: Option<Timestamp>,
    request: Option<&'a str>,
    /// The answer, where the request was a question.
    #[serde(skip_serializing_if = "Option::is_none")]
    answer: Option<&'a run::Answer>,
    /// The parts of the request that no change shows, where the run failed for that.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    not_shown: Vec<String>,
    attempt: u32,
    /// The number of its proposals that wait for a person, where that was looked up.
    #[serde(skip_serializing_if = "Option::is_none")]
    proposals_waiting: Option<usize>,
}

/// A run that is shown as its record.
#[derive(Clone, Debug)]
pub struct RunView {
    /// The run.
    pub run: Run,
    /// The number of its proposals that wait for a person, where that was looked up.
    pub waiting: Option<usize>,
}

impl Serialize for RunView {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut record = RunRecord::from(&self.run);
        record.proposals_waiting = self.waiting;
        record.serialize(serializer)
    }
}

impl<'a> From<&'a Run> for RunRecord<'a> {
    fn from(run: &'a Run) -> Self {
        Self {
            run_id: run.run_id,
            rule_id: run.rule_id,
            triggering_event_id: &run.triggering_event_id,
            trigger: run.trigger,
            state: run.state,
            stop_reason: run.stop_reason,
            error_code: run.error_code,
            agent_name: &run.agent_name,
            provider: run.provider.as_deref(),
            model: run.model.as_deref(),
            mode: run.mode,
            prompt_hash: run.prompt_hash.as_deref(),
            parser_version: run.parser_version.as_deref(),
            window: run.window,
            loop_count: run.loop_count,
            operation_count: run.operation_count,
            rejected_count: run.rejected_count,
            ignored_count: run.ignored_count,
            usage: run.usage,
            queued_at: run.queued_at,
            started_at: run.started_at,
            completed_at: run.completed_at,
            request: run.request.as_deref(),
            answer: run.answer.as_ref(),
            not_shown: run.not_shown(),
            attempt: run.attempt,
            proposals_waiting: None,
        }
    }
}
