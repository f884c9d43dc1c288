//! `ask`, `ask --wait` and `runs watch`: put a request into the inbox, which needs no lock and no
//! daemon, show the progress of a run until it ends, and print its result.

use super::arguments::Format;
use super::context::Context;
use super::output::VerbOutput;
use super::record::{self, answer_text, marked};
use super::text::{one_line, visible};
use crate::core::run::{Run, RunState, StopReason};
use crate::daemon::DaemonStatus;
use crate::failure::{Code, Failure};
use crate::ids::RunId;
use crate::limits::INBOX_FILE_BYTES_MAX;
use crate::service::follow::RunStage;
use crate::service::runs::request_text;
use crate::service::{drop_request, follow, now};
use crate::store::ChangedNote;
use crate::time::Timestamp;
use std::io::{self, IsTerminal as _, Write as _};

/// Follows a run to its end.
/// Without an id, the run that is under way, or the next one.
pub(super) fn follow(context: &Context, run_id: Option<RunId>) -> Result<VerbOutput, Failure> {
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
        context.print_failure(&Failure::new(code, code.page().what));
    }
    if run.error_code == Some(Code::NotSure) && !outcome.changed_notes.is_empty() {
        context.inform(&format!(
            "hint: `runs undo {}` takes this back:",
            run.run_id
        ));
    }
    if run.stop_reason == Some(StopReason::PendingReview) {
        context.inform("hint: its proposals wait for your decision: `review list`");
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

/// Puts the request into the inbox and prints the id of its run.
/// With `wait` it prints the run's result.
pub(super) fn ask(context: &Context, words: &[String], wait: bool) -> Result<VerbOutput, Failure> {
    let text = context.value_or_input(words.join(" "), INBOX_FILE_BYTES_MAX)?;
    let dropped = drop_request(&context.session, &request_text(&text)?)?;
    if wait {
        return follow(context, Some(dropped.run_id));
    }
    if !dropped.daemon_running {
        context.inform("hint: no daemon runs here; the next `daemon` or `run` works on it");
    }
    context.answer(&dropped, || dropped.run_id.to_string())
}

/// The most characters of the rewritten line: it must not wrap.
const LINE_CHARACTERS_MAX: usize = 78;

/// Describes a stage, without the parts that change each second.
fn words(stage: &RunStage<'_>) -> String {
    match stage {
        RunStage::Nothing => "no run is under way".to_owned(),
        RunStage::Inbox => "in the inbox".to_owned(),
        RunStage::Known { run, before, ram } => match run.state {
            RunState::Queued if *before > 0 => format!("queued, {before} before it"),
            RunState::Queued => "queued".to_owned(),
            RunState::Running => format!("[{}] {}", run.loop_count + 1, ram.state()),
            RunState::Succeeded | RunState::Failed => "ended".to_owned(),
        },
    }
}

/// Describes what the worker does; empty where that is not known.
fn status_text(status: &DaemonStatus, waiting: usize, now: Timestamp) -> String {
    if let Some(asking) = &status.asking {
        return asking.words(waiting, now);
    }
    let Some(wait) = &status.waiting else {
        return String::new();
    };
    let seconds = now.millis_until(wait.next_attempt_at).div_ceil(1000);
    let message = one_line(&wait.message, LINE_CHARACTERS_MAX);
    format!(
        "waiting ({}), next attempt in {seconds} s: {message}",
        wait.code
    )
}

/// A line of progress.
#[derive(Debug)]
struct ProgressLine<'a> {
    context: &'a Context,
    is_terminal: bool,
    shown: String,
}

impl<'a> ProgressLine<'a> {
    /// Creates a line on standard error.
    fn on_stderr(context: &'a Context) -> Self {
        Self {
            context,
            is_terminal: io::stderr().is_terminal(),
            shown: String::new(),
        }
    }

    /// Shows a stage and what the worker does.
    /// Where a line cannot be rewritten, only a new stage or a new wait is printed.
    fn show(&mut self, stage: &RunStage<'_>, status: &DaemonStatus, more: &str) {
        if !self.context.shows_messages() {
            return;
        }
        let stage = words(stage);
        let line = match more {
            "" => stage.clone(),
            more => format!("{stage}: {more}"),
        };
        if self.is_terminal {
            let line = one_line(&line, LINE_CHARACTERS_MAX);
            if line != self.shown {
                write_over(&line);
                self.shown = line;
            }
            return;
        }
        let code = status.waiting.as_ref().map(|wait| wait.code.as_str());
        let key = format!("{stage} {}", code.unwrap_or_default());
        if key != self.shown {
            self.context.inform(&line);
            self.shown = key;
        }
    }

    /// Clears the line, so that the next output is on a line of its own.
    fn clear(&mut self) {
        if self.is_terminal && !self.shown.is_empty() {
            write_over("");
            self.shown.clear();
        }
    }
}

fn write_over(line: &str) {
    let mut out = io::stderr().lock();
    // A closed terminal must not end the wait.
    write!(out, "\r\u{1b}[K{}", visible(line)).unwrap_or_default();
    out.flush().unwrap_or_default();
}
