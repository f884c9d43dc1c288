//! Shows a run to a person while it goes on: a few plain lines an iteration, on standard error or
//! another writer. Shows decisions and commits; decides nothing.

use super::record::{about, word};
use super::text::{one_line, visible};
use crate::config::ProviderKind;
use crate::core::agent::LoopState;
use crate::core::journal::event::InstructionDecided;
use crate::core::run::Usage;
use crate::daemon::{LoopEvent, Observer};
use std::fmt;
use std::io::{self, Write};

/// The most characters of a target in a line.
const TARGET_CHARACTERS_MAX: usize = 60;

/// The most characters of a sentence in a line.
const SENTENCE_CHARACTERS_MAX: usize = 300;

/// An observer that writes for a person.
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
            let code = entry.code.map(|code| format!("  {code}"));
            let line = format!(
                "    {outcome:8}  {}  {target}{}",
                entry.op,
                code.unwrap_or_default()
            );
            self.line(line.trim_end());
        }
    }
}

impl fmt::Debug for ScreenObserver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ScreenWatcher").finish_non_exhaustive()
    }
}

impl Observer for ScreenObserver {
    fn on_event(&mut self, event: LoopEvent<'_>) {
        match event {
            LoopEvent::RunBegan { run } => {
                let request = run.request.as_deref();
                let request = request.map(|text| one_line(text, SENTENCE_CHARACTERS_MAX));
                let line = format!(
                    "run {} ({}) {}",
                    run.run_id,
                    word(&run.trigger),
                    request.unwrap_or_default()
                );
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
                let words = one_line(&asking.words(waiting, now), SENTENCE_CHARACTERS_MAX);
                self.line(&format!("    {words}"));
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
                    let code = ending.error_code.map(|code| format!(" ({code})"));
                    let state = word(&ending.state);
                    self.line(&format!("run ended: {state}{}", code.unwrap_or_default()));
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
