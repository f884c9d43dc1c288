//! How far a run is, in words, while somebody waits for it: one line that is written over on a terminal,
//! and elsewhere a line for each change.

use super::context::Context;
use super::text::{one_line, visible};
use crate::core::run::RunState;
use crate::daemon::DaemonStatus;
use crate::service::follow::Stage;
use crate::time::Timestamp;
use std::io::{self, IsTerminal as _, Write as _};

/// Characters of the line that is written over: it must not wrap.
const LINE_CHARACTERS_MAX: usize = 78;

/// A stage in words, without what changes each second.
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

/// What the worker does, in words; empty where it says nothing.
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

/// Where progress is shown.
#[derive(Debug)]
pub(super) struct ProgressLine<'a> {
    context: &'a Context,
    is_terminal: bool,
    shown: String,
}

impl<'a> ProgressLine<'a> {
    /// Progress on standard error.
    pub(super) fn on_stderr(context: &'a Context) -> Self {
        Self {
            context,
            is_terminal: io::stderr().is_terminal(),
            shown: String::new(),
        }
    }

    /// Shows a stage and what the worker does. Where lines cannot be written over, only a new stage is
    /// said, or a wait that has begun.
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

    /// Takes the line away, so that what follows stands alone.
    pub(super) fn clear(&mut self) {
        if self.is_terminal && !self.shown.is_empty() {
            write_over("");
            self.shown.clear();
        }
    }
}

fn write_over(line: &str) {
    let mut out = io::stderr().lock();
    // A screen that is gone must not end the wait.
    write!(out, "\r\u{1b}[K{}", visible(line)).unwrap_or_default();
    out.flush().unwrap_or_default();
}
