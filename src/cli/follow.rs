//! Follows a run. `ask`, `ask --wait` and `runs watch` put a request into the inbox, which needs no
//! lock and no daemon, show the progress of a run until it ends, and print its result; an observer
//! shows the iterations of a run in this process.

use super::arguments::Format;
use super::runs::{about, answer_text, marked, state_text};
use super::text::{one_line, visible, word};
use super::{Context, VerbOutput};
use crate::config::ProviderKind;
use crate::core::agent::LoopState;
use crate::core::journal::event::InstructionDecided;
use crate::core::run::{RunState, StopReason, Usage};
use crate::daemon::{DaemonStatus, LoopEvent, Observer};
use crate::failure::{Code, Failure};
use crate::ids::RunId;
use crate::limits::INBOX_FILE_BYTES_MAX;
use crate::service::follow::RunStage;
use crate::service::runs::request_text;
use crate::service::{drop_request, follow, now};
use crate::time::Timestamp;
use std::fmt;
use std::io::{self, IsTerminal as _, Write};

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
        let run_id = run.run_id;
        context.inform(&format!("hint: `runs undo {run_id}` takes this back:"));
    }
    if run.stop_reason == Some(StopReason::PendingReview) {
        context.inform("hint: its proposals wait for your decision: `review list`");
    }
    context.answer_if(
        run.state == RunState::Succeeded,
        &outcome,
        |outcome| match (&run.answer, outcome.changed_notes.as_slice()) {
            (Some(answer), _) => answer_text(answer),
            (None, []) => state_text(run, None),
            (None, notes) => marked(notes).join("\n"),
        },
    )
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
    context.answer(&dropped, |it| it.run_id.to_string())
}

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

#[derive(Debug)]
struct ProgressLine<'a> {
    context: &'a Context,
    is_terminal: bool,
    shown: String,
}

impl<'a> ProgressLine<'a> {
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

const TARGET_CHARACTERS_MAX: usize = 60;
const SENTENCE_CHARACTERS_MAX: usize = 300;

pub(super) struct ScreenObserver {
    out: Box<dyn Write>,
    /// The text that announces a call.
    asking: &'static str,
}

impl ScreenObserver {
    /// Creates an observer that writes to standard error, for a provider of that kind.
    pub(super) fn on_stderr(kind: ProviderKind) -> Self {
        Self {
            out: Box::new(io::stderr()),
            asking: match kind {
                ProviderKind::Scripted => "playing the next reply",
                ProviderKind::LmStudio
                | ProviderKind::OpenRouter
                | ProviderKind::OpenAi
                | ProviderKind::Cli => "asking the model",
            },
        }
    }

    fn line(&mut self, line: &str) {
        // A closed terminal must not end a run.
        writeln!(self.out, "{}", visible(line)).unwrap_or_default();
    }

    fn instructions(&mut self, entries: &[InstructionDecided]) {
        for entry in entries {
            let outcome = entry.outcome.name_for_people(entry.proposed);
            let target = one_line(&entry.target, TARGET_CHARACTERS_MAX);
            let code = entry
                .code
                .map_or_else(String::new, |code| format!("  {code}"));
            let line = format!("    {outcome:8}  {}  {target}{code}", entry.op);
            self.line(line.trim_end());
        }
    }
}

impl fmt::Debug for ScreenObserver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ScreenObserver").finish_non_exhaustive()
    }
}

impl Observer for ScreenObserver {
    fn on_event(&mut self, event: LoopEvent<'_>) {
        match event {
            LoopEvent::RunBegan { run } => {
                let request = run.request.as_deref().unwrap_or_default();
                let request = one_line(request, SENTENCE_CHARACTERS_MAX);
                let line = format!("run {} ({}) {request}", run.run_id, word(&run.trigger));
                self.line(line.trim_end());
            }
            LoopEvent::Asking { state, iteration } => {
                self.line(&format!("[{iteration}] {state}: {}", self.asking));
            }
            LoopEvent::StillAsking {
                asking,
                waiting,
                now,
            } => {
                let words = asking.words(waiting, now);
                self.line(&format!(
                    "    {}",
                    one_line(&words, SENTENCE_CHARACTERS_MAX)
                ));
            }
            LoopEvent::Unreadable { message } => {
                let message = one_line(message, SENTENCE_CHARACTERS_MAX);
                self.line(&format!("    unreadable, asked again: {message}"));
            }
            LoopEvent::Committed {
                iteration,
                state,
                next,
                usage,
                entries,
                head,
                ending,
                ..
            } => {
                self.line(&committed(iteration, state, next, usage, head.seq));
                self.instructions(entries);
                if let Some(ending) = ending {
                    let code = (ending.error_code).map(|code| format!(" ({code})"));
                    let (state, code) = (word(&ending.state), code.unwrap_or_default());
                    self.line(&format!("run ended: {state}{code}"));
                }
            }
            // The line of its instruction names the note.
            LoopEvent::NoteChanged(_) => {}
            LoopEvent::Taken { message }
            | LoopEvent::Progress { message }
            | LoopEvent::Notice { message } => {
                self.line(&one_line(message, SENTENCE_CHARACTERS_MAX));
            }
            LoopEvent::Waiting {
                code,
                message,
                delay_ms,
            } => {
                let message = one_line(message, SENTENCE_CHARACTERS_MAX);
                self.line(&format!("{code}: {message}; again in {delay_ms} ms"));
            }
        }
    }
}

fn committed(iteration: u32, state: LoopState, next: LoopState, usage: Usage, seq: u64) -> String {
    let about = about(usage);
    format!(
        "[{iteration}] {state} -> {next}  {about}{} tokens in, {about}{} out  commit {seq}",
        usage.input_tokens, usage.output_tokens
    )
}
