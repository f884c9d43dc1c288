//! `ask --wait` and `runs watch`: show the progress of a run until it ends, and print its result.

use super::arguments::Format;
use super::context::Context;
use super::outcome::{answer_text, marked};
use super::output::Answer;
use super::progress::{ProgressLine, status_text};
use super::record;
use crate::core::run::{Run, RunState, StopReason};
use crate::failure::Failure;
use crate::ids::RunId;
use crate::service::{follow, now};
use crate::store::ChangedNote;

/// Follows a run to its end.
/// Without an id, the run that is under way, or the next one.
pub(super) fn follow(context: &Context, run_id: Option<RunId>) -> Result<Answer, Failure> {
    let mut line = ProgressLine::on_stderr(context);
    let outcome = follow::follow(&context.session, run_id, &mut |stage, status, waiting| {
        line.show(stage, status, &status_text(status, waiting, now()));
    });
    line.clear();
    let outcome = outcome?;
    let run = &outcome.run.run;
    if let Some(code) = run.error_code
        && context.format() == Format::Text
    {
        context.complain(&Failure::new(code, code.page().what));
    }
    if run.stop_reason == Some(StopReason::PendingReview) {
        context.talk("hint: what it proposes waits for you: `review list`");
    }
    let text = || text_of(run, &outcome.changed_notes);
    let answer = context.answer(&outcome, text)?;
    Ok(answer.ok_if(run.state == RunState::Succeeded))
}

fn text_of(run: &Run, notes: &[ChangedNote]) -> String {
    match &run.answer {
        Some(answer) => answer_text(answer),
        None if notes.is_empty() => record::state_text(run, None),
        None => marked(notes).join("\n"),
    }
}
