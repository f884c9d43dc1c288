//! Formats the run record for people.

use super::context::Context;
use super::output::Answer;
use super::text::{one_line, pairs};
use super::when::at;
use crate::core::run::{Run, StopReason, Usage};
use crate::failure::Failure;
use crate::plain_text::count;
use crate::service::runs::LaunchedView;
use crate::time::Timestamp;
use serde::Serialize;
use std::fmt::Write as _;

/// The most characters of a request in a line of text.
const REQUEST_CHARACTERS_MAX: usize = 200;

/// Prints a launched run, and whether it was launched before.
pub(super) fn launched(context: &Context, launched: &LaunchedView) -> Result<Answer, Failure> {
    context.answer(launched, || text_of(&launched.run.run))
}

/// Formats the record as a block of lines.
pub(super) fn text_of(run: &Run) -> String {
    text_with(run, None)
}

/// Like [`text_of`], but with the number of the run's waiting proposals, where it is known.
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

/// Returns the word before a number of tokens that is an estimate.
pub(super) const fn about(usage: Usage) -> &'static str {
    if usage.estimated_calls > 0 {
        "about "
    } else {
        ""
    }
}

/// Formats tokens and replies, their price if known, and the tokens that early ends have saved.
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

/// Formats the state of a run, with the reason if it has ended.
/// A review counts as pending only where the run's proposals are known to wait.
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

/// Returns a plain value as JSON spells it.
pub(super) fn word(value: &impl Serialize) -> String {
    let json = serde_json::to_value(value).unwrap_or_default();
    json.as_str().unwrap_or_default().to_owned()
}
