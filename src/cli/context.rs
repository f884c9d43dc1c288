//! What every verb is given: who asks, output format, loudness, environment. Never writes and never takes
//! the folder's lock.

use super::arguments::{Arguments, Format, Verb};
use super::environment::{self, ProcessEnvironment};
use super::list::list_text;
use super::output::{self, Answer};
use super::table::Table;
use super::terminal::{NO_COLOR, Terminal};
use super::text::visible;
use crate::config::{self, ConfigReader, Environment as _, Loaded, LogFormat};
use crate::daemon::{LogObserver, Observer, SignedLogObserver, StopHandle};
use crate::failure::{Code, Failure};
use crate::plain_text::json_spelt_out;
use crate::service::{List, Notices, Session};
use crate::store::outside::{is_file, is_socket};
use crate::telemetry::{self, Look, Place};
use serde::Serialize;
use serde_json::json;
use std::io::{IsTerminal as _, Read as _};
use std::sync::{Arc, Mutex, OnceLock};
use tracing::Level;

/// The variable by which systemd names the stream that goes into its journal.
const JOURNAL_STREAM: &str = "JOURNAL_STREAM";

/// What every verb is given.
#[derive(Clone, Debug)]
pub(super) struct Context {
    /// Who asks, and how the root is reached.
    pub(super) session: Session,
    /// How tables look that are printed for people.
    pub(super) terminal: Terminal,
    /// How whoever gave the command is talked to.
    pub(super) voice: Voice,
    /// The process's environment.
    pub(super) environment: ProcessEnvironment,
    /// What ends the loop of this very process, where a daemon answers a verb.
    pub(super) stop: Option<StopHandle>,
    /// What `-` stands for, once it was read, or was sent along.
    pub(super) input: Arc<OnceLock<String>>,
}

/// How whoever gave the command is talked to.
#[derive(Clone, Debug)]
pub(super) struct Voice {
    /// How data and errors are printed.
    pub(super) format: Format,
    /// How many steps louder than usual; negative is quieter.
    pub(super) louder: i16,
    /// Where talk goes for somebody who is not at this process's standard error.
    pub(super) talk: Option<Arc<Mutex<Vec<String>>>>,
}

impl Voice {
    /// The voice that a command line asks for.
    pub(super) fn of(arguments: &Arguments, talk: Option<Arc<Mutex<Vec<String>>>>) -> Self {
        Self {
            format: arguments.format,
            louder: i16::from(arguments.verbose) - i16::from(arguments.quiet),
            talk,
        }
    }

    /// Whether whoever gave the command wants to be talked to.
    fn talks(&self) -> bool {
        self.format == Format::Text && self.louder >= 0
    }

    /// Says a line to whoever gave the command.
    fn say(&self, line: &str) {
        match self.talk.as_ref().map(|talk| talk.lock()) {
            Some(Ok(mut lines)) => lines.push(visible(line)),
            Some(Err(_)) => {}
            None => output::say(&visible(line)),
        }
    }
}

impl Notices for Voice {
    /// Whatever the format and however quiet: one line, of JSON for a program.
    fn warn(&self, message: &str) {
        self.say(&match self.format {
            Format::Text => format!("warning: {message}"),
            Format::Json => json_spelt_out(&json!({"warning": {"message": message}}).to_string()),
        });
    }

    /// Programs, and those who want quiet, are spared.
    fn talk(&self, line: &str) {
        if self.talks() {
            self.say(line);
        }
    }
}

impl Context {
    /// The context of a command line.
    pub(super) fn new(
        arguments: &Arguments,
        environment: ProcessEnvironment,
    ) -> Result<Self, Failure> {
        let failed = |error: std::io::Error| {
            let message = format!("the working directory cannot be found: {error}");
            Failure::new(Code::DiskError, message)
        };
        let is_new = matches!(arguments.verb, Some(Verb::Init { .. }));
        let named_root = arguments.root.clone();
        let root = named_root
            .clone()
            .map_or_else(|| environment::root(is_new), Ok);
        let root = std::path::absolute(root.map_err(failed)?).map_err(failed)?;
        let voice = Voice::of(arguments, None);
        let files = ConfigReader::new(root, &ProcessEnvironment);
        Ok(Self {
            session: Session {
                named_root,
                ..Session::alone(files, Arc::new(voice.clone()))
            },
            terminal: Terminal::of_stdout(&environment),
            voice,
            environment,
            stop: None,
            input: Arc::default(),
        })
    }

    /// The same context for whoever is talked to so.
    pub(super) fn for_voice(&self, voice: Voice) -> Self {
        let mut context = self.clone();
        context.session.notices = Arc::new(voice.clone());
        context.voice = voice;
        context
    }

    /// How data and errors are printed.
    pub(super) const fn format(&self) -> Format {
        self.voice.format
    }

    /// A value from the command line: itself, or standard input for `-`. At most `bytes_max` bytes.
    pub(super) fn value_or_input(
        &self,
        value: String,
        bytes_max: usize,
    ) -> Result<String, Failure> {
        if value != "-" {
            return Ok(value);
        }
        if self.input.get().is_none() {
            if self.session.commands.is_some() {
                // Standard input is the daemon's own, not that of whoever asks.
                let message = "`-` stands for a text that was not sent along";
                return Err(Failure::new(Code::Usage, message));
            }
            let text = input_text(bytes_max)?;
            self.input.get_or_init(|| text);
        }
        let text = self.input.get().cloned().unwrap_or_default();
        if text.len() > bytes_max {
            let message = format!("standard input holds more than {bytes_max} bytes");
            return Err(Failure::new(Code::LimitExceeded, message));
        }
        Ok(text)
    }

    /// The same context, with a text that `-` stands for.
    pub(super) fn with_input(&self, text: String) -> Self {
        Self {
            input: Arc::new(OnceLock::from(text)),
            ..self.clone()
        }
    }

    /// The configuration and prompt in force, for work that calls a model.
    pub(super) fn load(&self) -> Result<Loaded, Failure> {
        let files = &self.session.files;
        files.load().map_err(|found| config::failure(&found))
    }

    /// An answer in the format that was asked for.
    pub(super) fn answer(
        &self,
        data: &impl Serialize,
        text: impl FnOnce() -> String,
    ) -> Result<Answer, Failure> {
        Answer::of(self.format(), data, text)
    }

    /// An answer that is a list: a table for people, who are told where there is nothing in it.
    pub(super) fn list<T: Serialize>(
        &self,
        list: &List<T>,
        table: impl FnOnce() -> Table,
    ) -> Result<Answer, Failure> {
        self.list_with(list, list, "", table)
    }

    /// The same with data of its own for programs, and for people with words that go before the table.
    pub(super) fn list_with<T>(
        &self,
        data: &impl Serialize,
        list: &List<T>,
        before: &str,
        table: impl FnOnce() -> Table,
    ) -> Result<Answer, Failure> {
        if self.format() == Format::Json {
            return self.answer(data, String::new);
        }
        let text = list_text(list, &table(), self.terminal);
        Ok(Answer::of_text(visible(before) + &text))
    }

    /// Tells a failure beside data that explain it.
    pub(super) fn complain(&self, failure: &Failure) {
        output::report_failure(failure, self.format());
    }

    /// Tells a person something beside the data that is no warning.
    pub(super) fn talk(&self, line: &str) {
        self.voice.talk(line);
    }

    /// Whether whoever gave the command wants to be talked to.
    pub(super) fn talks(&self) -> bool {
        self.voice.talks()
    }

    /// Tells a person what must not be missed, also one who wants quiet. Programs find it in the data.
    pub(super) fn insist(&self, line: &str) {
        if self.format() == Format::Text {
            self.voice.say(line);
        }
    }

    /// Warns whoever gave the command.
    pub(super) fn warn(&self, message: &str) {
        self.voice.warn(message);
    }

    /// The answer of a verb that was asked to end before it had one.
    pub(super) fn interrupted(&self) -> Answer {
        self.talk("interrupted");
        Answer::nothing().ok_if(false)
    }

    /// Starts logging. `level` is the usual one, before `-v` and `-q`. Gives whoever writes what the
    /// loop does: with signs to scan by eye where people read, unless `NO_COLOR` asks for plain text.
    pub(super) fn start_log(&self, level: Level, format: LogFormat) -> Box<dyn Observer> {
        let look = Look::of(format, std::io::stderr().is_terminal());
        let level = telemetry::shifted(level, self.voice.louder);
        telemetry::init(level, look, self.place());
        let plain = self
            .environment
            .get(NO_COLOR)
            .is_some_and(|it| !it.is_empty());
        if look == Look::Text && !plain {
            Box::new(SignedLogObserver)
        } else {
            Box::new(LogObserver)
        }
    }

    /// Where log lines go.
    pub(super) fn place(&self) -> Place {
        let stream = self.environment.get(JOURNAL_STREAM);
        let stderr = std::io::stderr();
        match stream.filter(|stream| is_file(&stderr, stream)) {
            None => Place::Stderr,
            Some(_) if is_socket(&stderr) => Place::Journal,
            Some(_) => Place::Weighed,
        }
    }
}

/// Standard input as text, up to one byte more than `bytes_max`.
fn input_text(bytes_max: usize) -> Result<String, Failure> {
    let text = String::from_utf8(read_input(bytes_max)?);
    text.map_err(|_| Failure::new(Code::Usage, "standard input is not UTF-8"))
}

/// Standard input up to one byte more than `bytes_max`, so that the caller sees what is too long.
pub(super) fn read_input(bytes_max: usize) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let bound = u64::try_from(bytes_max)
        .unwrap_or(u64::MAX)
        .saturating_add(1);
    let read = std::io::stdin().lock().take(bound).read_to_end(&mut bytes);
    read.map_err(|error| {
        let message = format!("standard input cannot be read: {error}");
        Failure::new(Code::DiskError, message)
    })?;
    Ok(bytes)
}
