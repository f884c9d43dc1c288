//! Shows the progress of a run to a waiting person: one line that is rewritten on a terminal,
//! elsewhere a line for each change.

use super::context::Context;
use super::text::{one_line, visible};
use crate::core::run::RunState;
use crate::daemon::DaemonStatus;
use crate::service::follow::Stage;
use crate::time::Timestamp;
use std::io::{self, IsTerminal as _, Write as _};

/// The most characters of the rewritten line: it must not wrap.
const LINE_CHARACTERS_MAX: usize = 78;

/// Describes a stage, without the parts that change each second.
fn words(stage: &Stage<'_>) -> String {
    match stage {
        Stage::Nothing => "no run is under way".to_owned(),
        Stage::Inbox => "in the inbox".to_owned(),
        Stage::Known { run, before, ram } => match run.state {
            RunState::Queued if *before > 0 => format!("queued, {before} before it"),
            RunState::Queued => "queued".to_owned(),
            RunState::Running => format!("[{}] {}", run.loop_count + 1, ram.state()),
            RunState::Succeeded | RunState::Failed => "ended".to_owned(),
        },
    }
}

/// Describes what the worker does; empty where that is not known.
pub(super) fn status_text(status: &DaemonStatus, waiting: usize, now: Timestamp) -> String {
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
pub(super) struct ProgressLine<'a> {
    context: &'a Context,
    is_terminal: bool,
    shown: String,
}

impl<'a> ProgressLine<'a> {
    /// Creates a line on standard error.
    pub(super) fn on_stderr(context: &'a Context) -> Self {
        Self {
            context,
            is_terminal: io::stderr().is_terminal(),
            shown: String::new(),
        }
    }

    /// Shows a stage and what the worker does.
    /// Where a line cannot be rewritten, only a new stage or a new wait is printed.
    pub(super) fn show(&mut self, stage: &Stage<'_>, status: &DaemonStatus, more: &str) {
        if !self.context.talks() {
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
            self.context.talk(&line);
            self.shown = key;
        }
    }

    /// Clears the line, so that the next output is on a line of its own.
    pub(super) fn clear(&mut self) {
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
