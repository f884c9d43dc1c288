//! The run record as it is printed. Owns its shape; the order of the fields is the contract's.

use super::ask::runs_in_inbox;
use super::context::Context;
use super::output::Answer;
use super::text::{one_line, pairs};
use super::when::at;
use crate::core::prompt::{Mode, Window};
use crate::core::run::{self, Run, RunState, StopReason, Trigger, Usage};
use crate::failure::{Code, Failure};
use crate::ids::{EventId, RuleId, RunId};
use crate::plain_text::count;
use crate::service::{beginning_with, only};
use crate::store::run_ids;
use crate::time::Timestamp;
use serde::Serialize;
use std::fmt::Write as _;

/// Characters of a request that a line of text shows.
const REQUEST_CHARACTERS_MAX: usize = 200;

/// A run record.
#[derive(Debug, Serialize)]
pub(super) struct RunRecord<'a> {
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
    /// What was answered, where it asked a question.
    #[serde(skip_serializing_if = "Option::is_none")]
    answer: Option<&'a run::Answer>,
    /// What of the request shows nowhere in what was done, where it failed for that.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    not_shown: Vec<String>,
    attempt: u32,
    /// Proposals of it that wait for a person, where that was looked up.
    #[serde(skip_serializing_if = "Option::is_none")]
    proposals_waiting: Option<usize>,
}

impl RunRecord<'_> {
    /// With so many proposals that wait for a person.
    pub(super) fn with_waiting(self, waiting: usize) -> Self {
        Self {
            proposals_waiting: Some(waiting),
            ..self
        }
    }
}

/// A launch as it is printed.
#[derive(Debug, Serialize)]
struct Launched<'a> {
    #[serde(flatten)]
    record: RunRecord<'a>,
    /// Whether this event had opened the run already.
    duplicate: bool,
}

/// Prints a run that was launched, and whether that was so before.
pub(super) fn launched(context: &Context, run: &Run, is_new: bool) -> Result<Answer, Failure> {
    let shown = Launched {
        record: RunRecord::from(run),
        duplicate: !is_new,
    };
    context.answer(&shown, || text_of(run))
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

/// The record as a block of lines.
pub(super) fn text_of(run: &Run) -> String {
    text_with(run, None)
}

/// The same with how many of its proposals wait for a person, where that is known.
pub(super) fn text_with(run: &Run, waiting: Option<usize>) -> String {
    let time = |moment: Option<Timestamp>| moment.map(at).unwrap_or_default();
    let model = [run.provider.as_deref(), run.model.as_deref()];
    let model: Vec<&str> = model.into_iter().flatten().collect();
    pairs(&[
        ("run", run.run_id.to_string()),
        ("state", state_text(run, waiting)),
        ("trigger", word(&run.trigger)),
        (
            "rule",
            run.rule_id.map(|id| id.to_string()).unwrap_or_default(),
        ),
        (
            "request",
            run.request
                .as_deref()
                .map(|request| one_line(request, REQUEST_CHARACTERS_MAX))
                .unwrap_or_default(),
        ),
        (
            "answer",
            run.answer
                .as_ref()
                .map(|answer| answer.text.replace('\n', "\n  "))
                .unwrap_or_default(),
        ),
        ("missing", run.not_shown().join(", ")),
        ("model", one_line(&model.join(" "), REQUEST_CHARACTERS_MAX)),
        ("iterations", run.loop_count.to_string()),
        (
            "instructions",
            format!(
                "{} applied, {} refused, {} ignored",
                run.operation_count, run.rejected_count, run.ignored_count
            ),
        ),
        ("tokens", tokens_text(run.usage)),
        ("queued", at(run.queued_at)),
        ("started", time(run.started_at)),
        ("ended", time(run.completed_at)),
    ])
}

/// What stands before a number of tokens that nobody counted.
pub(super) const fn about(usage: Usage) -> &'static str {
    if usage.estimated_calls > 0 {
        "about "
    } else {
        ""
    }
}

/// Tokens and replies, what they cost where servers say so, and what ending answers early has saved.
pub(super) fn tokens_text(usage: Usage) -> String {
    let replies = count(usage.calls, "reply");
    let (input, output) = (usage.input_tokens, usage.output_tokens);
    let about = about(usage);
    let mut text = format!("{about}{input} in, {about}{output} out, {replies}");
    if usage.cost_micro_dollars > 0 {
        let (dollars, rest) = (
            usage.cost_micro_dollars / 1_000_000,
            usage.cost_micro_dollars % 1_000_000,
        );
        write!(text, ", {dollars}.{rest:06} dollars").unwrap_or_default();
    }
    match usage.saved_tokens {
        0 => text,
        saved => format!("{text}, up to {saved} saved by ending answers early"),
    }
}

/// Where a run stands, with the reason if it has ended. That review is pending is said only of a run whose
/// proposals are known to wait.
pub(super) fn state_text(run: &Run, waiting: Option<usize>) -> String {
    let state = word(&run.state);
    match (run.error_code, run.stop_reason) {
        (Some(code), _) => format!("{state} ({code})"),
        (None, Some(StopReason::PendingReview)) => match waiting {
            Some(0) => format!("{state} (reviewed)"),
            Some(_) => format!("{state} (pending review)"),
            None => format!("{state} (with proposals)"),
        },
        (None, Some(reason)) => format!("{state} ({})", word(&reason).replace('_', " ")),
        (None, None) => state,
    }
}

/// A plain value as JSON spells it.
pub(super) fn word(value: &impl Serialize) -> String {
    let json = serde_json::to_value(value).unwrap_or_default();
    json.as_str().unwrap_or_default().to_owned()
}

/// The run that a person means: by its id, or by a beginning of it that no other run has.
pub(super) fn run_id(context: &Context, text: &str) -> Result<RunId, Failure> {
    if let Ok(id) = text.parse() {
        return Ok(id);
    }
    let mut ids = run_ids(&mut context.session.disk()?)?;
    let waiting = runs_in_inbox(context)?;
    ids.extend(
        waiting
            .into_iter()
            .filter(|id| !ids.contains(id))
            .collect::<Vec<_>>(),
    );
    only(beginning_with(ids.into_iter(), text), "runs", text, || {
        let shown = one_line(text, REQUEST_CHARACTERS_MAX);
        Failure::new(Code::RunNotFound, format!("no run has the id {shown}"))
    })
}
