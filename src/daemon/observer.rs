//! The events that the loop sends to an observer: a log, or the screen of `run` and `demo`.
//!
//! Observing never changes anything.

use super::status::CallStatus;
use crate::core::agent::{Ending, LoopState};
use crate::core::automation::{NoteEventKind, noted};
use crate::core::journal::Event;
use crate::core::journal::event::InstructionDecided;
use crate::core::run::{Run, Usage};
use crate::failure::Code;
use crate::ids::NoteId;
use crate::store::journal::Head;
use crate::store::{EditReport, Notice};
use crate::telemetry::messages;
use crate::time::Timestamp;
use tracing::field::display;

/// An event of the loop.
#[derive(Clone, Copy, Debug)]
pub enum LoopEvent<'a> {
    RunBegan {
        run: &'a Run,
    },
    /// The model is being asked.
    Asking {
        state: LoopState,
        /// Its number in the run, from 1.
        iteration: u32,
    },
    /// The model is still being asked.
    StillAsking {
        /// The call, with what has arrived of its reply.
        asking: &'a CallStatus,
        /// The number of runs that wait behind it.
        waiting: usize,
        now: Timestamp,
    },
    /// A reply cannot be read, and is asked for again.
    Unreadable {
        /// The reason why it does not count, as the model sees it.
        message: &'a str,
    },
    Committed {
        /// The run, as it was before the iteration.
        run: &'a Run,
        /// The number of the iteration in the run, from 1.
        iteration: u32,
        state: LoopState,
        next: LoopState,
        usage: Usage,
        entries: &'a [InstructionDecided],
        head: Head,
        /// The end of the run, if it ended.
        ending: Option<Ending>,
    },
    NoteChanged(&'a ChangedNote),
    /// A person's edit was taken in.
    Taken {
        message: &'a str,
    },
    /// News of work that goes on; nothing is wrong.
    Progress {
        message: &'a str,
    },
    /// A message that a person should see.
    Notice {
        message: &'a str,
    },
    /// The loop waits for something outside to get better.
    Waiting {
        code: Code,
        message: &'a str,
        /// The time until the next attempt, in milliseconds.
        delay_ms: u64,
    },
}

/// A note that a commit has changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangedNote {
    pub act: NoteEventKind,
    pub note_id: NoteId,
    pub title: String,
    pub version: u64,
}

impl ChangedNote {
    pub(super) fn of(events: &[Event]) -> Vec<Self> {
        let changed = events.iter().filter_map(noted);
        let changed = changed.map(|(act, note)| Self {
            act,
            note_id: note.id,
            title: note.title.clone(),
            version: note.version,
        });
        changed.collect()
    }
}

/// A receiver of the events of the loop.
pub trait Observer: std::fmt::Debug {
    fn on_event(&mut self, event: LoopEvent<'_>);
}

impl dyn Observer + '_ {
    /// Sends a message that a person should see.
    pub(super) fn notice(&mut self, message: &str) {
        self.on_event(LoopEvent::Notice { message });
    }

    pub(super) fn on_notes_changed(&mut self, changed: &[ChangedNote]) {
        for note in changed {
            self.on_event(LoopEvent::NoteChanged(note));
        }
    }

    pub(super) fn on_notices(&mut self, notices: &[Notice]) {
        for Notice {
            message,
            is_progress,
        } in notices
        {
            self.on_event(if *is_progress {
                LoopEvent::Progress { message }
            } else {
                LoopEvent::Notice { message }
            });
        }
    }

    /// Sends the report of a look at edited files.
    pub(super) fn on_edits(&mut self, report: &EditReport) {
        for message in &report.taken {
            self.on_event(LoopEvent::Taken { message });
        }
        for message in &report.notices {
            self.notice(message);
        }
    }
}

/// An observer that writes events to the log, in plain words.
#[derive(Clone, Copy, Debug, Default)]
pub struct LogObserver {
    /// Whether one sign stands in front of each line, by which a person scans a log by eye.
    pub is_signed: bool,
}

impl Observer for LogObserver {
    fn on_event(&mut self, event: LoopEvent<'_>) {
        let sign = |subject: LogSubject| if self.is_signed { subject.sign() } else { "" };
        log(event, sign);
    }
}

#[derive(Clone, Copy, Debug)]
enum LogSubject {
    Run,
    Iteration(LoopState),
    End,
    Wait,
}

impl LogSubject {
    const fn sign(self) -> &'static str {
        match self {
            Self::Run => "\u{1F680} ",
            Self::Iteration(LoopState::Planning) => "\u{1F9ED} ",
            Self::Iteration(LoopState::Executing) => "\u{1F528} ",
            Self::Iteration(LoopState::Evaluating) => "\u{1F50D} ",
            Self::Iteration(LoopState::Paging) => "\u{1F4E6} ",
            Self::Iteration(LoopState::RecordOrganizing) => "\u{1F5C2}\u{FE0F} ",
            Self::Iteration(LoopState::Idle) => "\u{1F4A4} ",
            Self::End => "\u{1F3C1} ",
            Self::Wait => "\u{23F3} ",
        }
    }
}

fn log(event: LoopEvent<'_>, sign: impl Fn(LogSubject) -> &'static str) {
    match event {
        LoopEvent::RunBegan { run } => {
            let sign = sign(LogSubject::Run);
            let rule_id = run.rule_id.map(display);
            tracing::info!(run_id = %run.run_id, rule_id, trigger = ?run.trigger, "{sign}run");
        }
        LoopEvent::Asking { state, iteration } => {
            tracing::debug!(%state, iteration, "asking the model");
        }
        LoopEvent::StillAsking {
            asking,
            waiting,
            now,
        } => {
            let sign = sign(LogSubject::Iteration(asking.state));
            let words = asking.words(waiting, now);
            // For a person at the screen; a log that is kept has the iteration's own line.
            if sign.is_empty() {
                tracing::debug!("{}: {words}", asking.state);
            } else {
                tracing::info!("{sign}{}: {words}", asking.state);
            }
        }
        LoopEvent::Unreadable { message } => {
            tracing::warn!(code = %Code::XmlParseError, "{message}");
        }
        LoopEvent::Committed {
            run,
            iteration,
            state,
            next,
            usage,
            entries,
            head,
            ending,
        } => {
            tracing::info!(
                run_id = %run.run_id,
                iteration,
                %next,
                input_tokens = usage.input_tokens,
                output_tokens = usage.output_tokens,
                instructions = entries.len(),
                seq = head.seq,
                "{}{state}",
                sign(LogSubject::Iteration(state))
            );
            for entry in entries {
                if let Some(code) = entry.code {
                    let (op, outcome) = (entry.op.as_str(), entry.outcome);
                    tracing::warn!(run_id = %run.run_id, iteration, op, %code, ?outcome, "not applied");
                }
            }
            if let Some(ending) = ending {
                log_end(run, ending, sign(LogSubject::End));
            }
        }
        LoopEvent::NoteChanged(note) => log_note(note),
        LoopEvent::Taken { message } | LoopEvent::Progress { message } => {
            tracing::info!("{message}");
        }
        LoopEvent::Notice { message } => tracing::warn!("{message}"),
        LoopEvent::Waiting {
            code,
            message,
            delay_ms,
        } => {
            tracing::warn!(name: messages::WAITING, %code, delay_ms, "{}{message}", sign(LogSubject::Wait));
        }
    }
}

fn log_end(run: &Run, ending: Ending, sign: &str) {
    tracing::info!(
        name: messages::RUN_ENDED,
        run_id = %run.run_id,
        state = ?ending.state,
        code = ending.error_code.map(Code::as_str),
        "{sign}run ended"
    );
}

/// Logs a change of a note, by its title, which people know it by.
fn log_note(note: &ChangedNote) {
    let act = match note.act {
        NoteEventKind::Created => "note created",
        NoteEventKind::Updated => "note updated",
        NoteEventKind::Deleted => "note deleted",
    };
    let (title, note_id, version) = (note.title.as_str(), note.note_id, note.version);
    tracing::info!(title, %note_id, version, "{act}");
}
