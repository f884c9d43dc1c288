//! The events that the loop sends to an observer: the log of a daemon, the screen of `run` and `demo`.
//! Observing never changes anything.

use super::status::Asking;
use crate::core::agent::{Ending, LoopState};
use crate::core::automation::{NoteAct, noted};
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

/// Something that happened in the loop.
#[derive(Clone, Copy, Debug)]
pub enum LoopEvent<'a> {
    /// A run began, or went on after a restart.
    RunBegan {
        /// The run.
        run: &'a Run,
    },
    /// The model is being asked.
    Asking {
        /// The state of the iteration.
        state: LoopState,
        /// Its number in the run, from 1.
        iteration: u32,
    },
    /// The model is still being asked.
    StillAsking {
        /// The question, with what has arrived of its answer.
        asking: &'a Asking,
        /// How many runs wait behind it.
        waiting: usize,
        /// The time.
        now: Timestamp,
    },
    /// A reply could not be read and is asked for again.
    Unreadable {
        /// What was wrong with it, as the model is told.
        message: &'a str,
    },
    /// An iteration was committed.
    Committed {
        /// The run, as it was before it.
        run: &'a Run,
        /// Its number in the run, from 1.
        iteration: u32,
        /// The state that it ran in.
        state: LoopState,
        /// The state that follows.
        next: LoopState,
        /// What it cost.
        usage: Usage,
        /// What became of each instruction.
        entries: &'a [InstructionDecided],
        /// The commit.
        head: Head,
        /// How the run ended, if it did.
        ending: Option<Ending>,
    },
    /// A note was changed by a commit.
    NoteChanged(&'a ChangedNote),
    /// A person's edit was taken in.
    Taken {
        /// One sentence.
        message: &'a str,
    },
    /// Work goes on; nothing is wrong.
    Progress {
        /// One sentence.
        message: &'a str,
    },
    /// Something that a person should hear.
    Notice {
        /// One sentence.
        message: &'a str,
    },
    /// The loop waits for something outside to get better.
    Waiting {
        /// What for.
        code: Code,
        /// One sentence.
        message: &'a str,
        /// Until the next attempt, in milliseconds.
        delay_ms: u64,
    },
}

/// A note that a commit has changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangedNote {
    /// What happened to it.
    pub act: NoteAct,
    /// Which it is.
    pub note_id: NoteId,
    /// What it is called.
    pub title: String,
    /// Its version from then on.
    pub version: u64,
}

impl ChangedNote {
    /// The notes that these facts change, in order.
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

/// Receives the events of the loop.
pub trait Observer: std::fmt::Debug {
    /// Takes an event.
    fn on_event(&mut self, event: LoopEvent<'_>);
}

impl dyn Observer + '_ {
    /// Says something that a person should hear.
    pub(super) fn notice(&mut self, message: &str) {
        self.on_event(LoopEvent::Notice { message });
    }

    /// Sends one event for each changed note.
    pub(super) fn on_notes_changed(&mut self, changed: &[ChangedNote]) {
        for note in changed {
            self.on_event(LoopEvent::NoteChanged(note));
        }
    }

    /// Sends the notices of the store.
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

    /// Sends what a look at hand edits found.
    pub(super) fn on_edits(&mut self, report: &EditReport) {
        for message in &report.taken {
            self.on_event(LoopEvent::Taken { message });
        }
        for message in &report.notices {
            self.notice(message);
        }
    }
}

/// Writes what happens to the log, in plain words.
#[derive(Clone, Copy, Debug)]
pub struct LogObserver;

impl Observer for LogObserver {
    fn on_event(&mut self, event: LoopEvent<'_>) {
        log(event, |_| "");
    }
}

/// Writes the same with one sign in front of each line, so that a log can be scanned by eye.
#[derive(Clone, Copy, Debug)]
pub struct SignedLogObserver;

impl Observer for SignedLogObserver {
    fn on_event(&mut self, event: LoopEvent<'_>) {
        if let LoopEvent::StillAsking {
            asking,
            waiting,
            now,
        } = event
        {
            // For whoever sits before it; a log that is kept has the iteration's own line.
            let words = asking.words(waiting, now);
            let sign = Phase::Iteration(asking.state).sign();
            tracing::info!("{sign}{}: {words}", asking.state);
            return;
        }
        log(event, Phase::sign);
    }
}

/// What a line of the log is about.
#[derive(Clone, Copy, Debug)]
enum Phase {
    Run,
    Iteration(LoopState),
    End,
    Wait,
}

impl Phase {
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

fn log(event: LoopEvent<'_>, sign: impl Fn(Phase) -> &'static str) {
    match event {
        LoopEvent::RunBegan { run } => {
            let sign = sign(Phase::Run);
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
            tracing::debug!("{}: {}", asking.state, asking.words(waiting, now));
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
                sign(Phase::Iteration(state))
            );
            for entry in entries {
                if let Some(code) = entry.code {
                    let (op, outcome) = (entry.op.as_str(), entry.outcome);
                    tracing::warn!(run_id = %run.run_id, iteration, op, %code, ?outcome, "not applied");
                }
            }
            if let Some(ending) = ending {
                log_end(run, ending, sign(Phase::End));
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
            tracing::warn!(name: messages::WAITING, %code, delay_ms, "{}{message}", sign(Phase::Wait));
        }
    }
}

/// How a run ended.
fn log_end(run: &Run, ending: Ending, sign: &str) {
    tracing::info!(
        name: messages::RUN_ENDED,
        run_id = %run.run_id,
        state = ?ending.state,
        code = ending.error_code.map(Code::as_str),
        "{sign}run ended"
    );
}

/// A note by its title, which people know it by.
fn log_note(note: &ChangedNote) {
    let act = match note.act {
        NoteAct::Created => "note created",
        NoteAct::Updated => "note updated",
        NoteAct::Deleted => "note deleted",
    };
    let (title, note_id, version) = (note.title.as_str(), note.note_id, note.version);
    tracing::info!(title, %note_id, version, "{act}");
}
