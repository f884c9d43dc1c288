//! The context of every verb: session, output format, verbosity, environment. Never writes and
//! never takes the folder's lock.

use super::arguments::{Arguments, Format, Verb};
use super::environment::{self, ProcessEnvironment};
use super::output::{self, NO_COLOR, Terminal, VerbOutput};
use super::table::{Column, Table, list_text};
use super::text::{ShortIds, visible};
use crate::config::{self, ConfigReader, Environment as _, LoadedConfig, LogFormat};
use crate::daemon::{LogObserver, Observer, StopHandle};
use crate::failure::{Code, Failure};
use crate::ids::NoteId;
use crate::plain_text::json_spelt_out;
use crate::service::notes::ids_of_files;
use crate::service::{List, Notices, Session};
use crate::store::external_files::{is_file, is_socket};
use crate::telemetry::{self, LineFormat, LogSink};
use serde::Serialize;
use serde_json::json;
use std::io::{IsTerminal as _, Read as _};
use std::sync::{Arc, Mutex, OnceLock};
use tracing::Level;

/// The variable with which systemd names the stream to its journal.
const JOURNAL_STREAM: &str = "JOURNAL_STREAM";

#[derive(Clone, Debug)]
pub(super) struct Context {
    /// The session: who asks, and how the root is reached.
    pub(super) session: Session,
    /// The width and colours of tables for people.
    pub(super) terminal: Terminal,
    /// The form of messages to the caller.
    pub(super) message_style: MessageStyle,
    pub(super) environment: ProcessEnvironment,
    /// The handle that stops this process's loop, where a daemon answers a verb.
    pub(super) stop: Option<StopHandle>,
    /// The text that `-` stands for, once it was read or received.
    pub(super) input: Arc<OnceLock<String>>,
}

/// The form of messages to the caller.
#[derive(Clone, Debug)]
pub(super) struct MessageStyle {
    pub(super) format: Format,
    /// The steps of verbosity above the default; negative is quieter.
    pub(super) verbosity: i16,
    /// The collected messages for a caller who is not at this process's standard error.
    pub(super) collected: Option<Arc<Mutex<Vec<String>>>>,
}

impl MessageStyle {
    /// Returns the form that a command line asks for.
    pub(super) fn of(arguments: &Arguments, collected: Option<Arc<Mutex<Vec<String>>>>) -> Self {
        Self {
            format: arguments.format,
            verbosity: i16::from(arguments.verbose) - i16::from(arguments.quiet),
            collected,
        }
    }

    /// Returns whether the caller wants messages.
    fn shows_messages(&self) -> bool {
        self.format == Format::Text && self.verbosity >= 0
    }

    /// Prints or collects a line for the caller.
    fn print_message(&self, line: &str) {
        match self.collected.as_ref().map(|lines| lines.lock()) {
            Some(Ok(mut lines)) => lines.push(visible(line)),
            Some(Err(_)) => {}
            None => output::print_message(&visible(line)),
        }
    }
}

impl Notices for MessageStyle {
    /// Prints a warning in any format and verbosity: one line, of JSON for a program.
    fn warn(&self, message: &str) {
        self.print_message(&match self.format {
            Format::Text => format!("warning: {message}"),
            Format::Json => json_spelt_out(&json!({"warning": {"message": message}}).to_string()),
        });
    }

    /// Prints a message, except to programs and in quiet mode.
    fn inform(&self, line: &str) {
        if self.shows_messages() {
            self.print_message(line);
        }
    }
}

impl Context {
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
        let root = (named_root.clone()).map_or_else(|| environment::root(is_new), Ok);
        let root = root.and_then(std::path::absolute).map_err(failed)?;
        let message_style = MessageStyle::of(arguments, None);
        let files = ConfigReader::new(root, &ProcessEnvironment);
        Ok(Self {
            session: Session {
                named_root,
                ..Session::alone(files, Arc::new(message_style.clone()))
            },
            terminal: Terminal::of_stdout(&environment),
            message_style,
            environment,
            stop: None,
            input: Arc::default(),
        })
    }

    pub(super) fn with_message_style(&self, message_style: MessageStyle) -> Self {
        let mut context = self.clone();
        context.session.notices = Arc::new(message_style.clone());
        context.message_style = message_style;
        context
    }

    pub(super) const fn format(&self) -> Format {
        self.message_style.format
    }

    /// Returns a value of the command line, or standard input for `-`.
    /// It has at most `bytes_max` bytes.
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
                // Standard input belongs to the daemon, not to the caller.
                let message = "`-` stands for a text that was not sent along";
                return Err(Failure::new(Code::Usage, message));
            }
            let text = String::from_utf8(read_input(bytes_max)?)
                .map_err(|_| Failure::new(Code::Usage, "standard input is not UTF-8"))?;
            self.input.get_or_init(|| text);
        }
        let text = self.input.get().cloned().unwrap_or_default();
        check_length(text.len(), bytes_max)?;
        Ok(text)
    }

    /// Like [`Self::value_or_input`], but for a value that may be absent.
    pub(super) fn text_or_input(
        &self,
        value: Option<String>,
        bytes_max: usize,
    ) -> Result<Option<String>, Failure> {
        value
            .map(|value| self.value_or_input(value, bytes_max))
            .transpose()
    }

    /// Returns the context with a text that `-` stands for.
    pub(super) fn with_input(&self, text: String) -> Self {
        Self {
            input: Arc::new(OnceLock::from(text)),
            ..self.clone()
        }
    }

    /// Reads configuration and prompt for work that calls a model.
    pub(super) fn load(&self) -> Result<LoadedConfig, Failure> {
        let files = &self.session.files;
        files.load().map_err(|found| config::failure(&found))
    }

    /// Formats an answer in the requested format.
    pub(super) fn answer<T: Serialize>(
        &self,
        data: &T,
        text: impl FnOnce(&T) -> String,
    ) -> Result<VerbOutput, Failure> {
        VerbOutput::of(self.format(), data, || text(data))
    }

    /// Formats an answer, which is a failure to the caller unless `well`.
    pub(super) fn answer_if<T: Serialize>(
        &self,
        well: bool,
        data: &T,
        text: impl FnOnce(&T) -> String,
    ) -> Result<VerbOutput, Failure> {
        Ok(self.answer(data, text)?.ok_if(well))
    }

    /// Formats a list: for programs the data that it is part of; for people a table with a row of
    /// each item, or a line that there is none.
    pub(super) fn list<T, const N: usize>(
        &self,
        data: &impl Serialize,
        list: &List<T>,
        columns: [Column; N],
        row: impl FnMut(&T) -> [String; N],
    ) -> Result<VerbOutput, Failure> {
        self.list_after("", data, list, columns, row)
    }

    /// Like [`Self::list`], with a text before the table.
    pub(super) fn list_after<T, const N: usize>(
        &self,
        before: &str,
        data: &impl Serialize,
        list: &List<T>,
        columns: [Column; N],
        row: impl FnMut(&T) -> [String; N],
    ) -> Result<VerbOutput, Failure> {
        if self.format() == Format::Json {
            return self.answer(data, |_| String::new());
        }
        let table = Table::new(columns, list.items.iter().map(row));
        let text = list_text(list, &table, self.terminal);
        Ok(VerbOutput::of_text(visible(before) + &text))
    }

    /// Returns short forms of ids of notes, none of which another note's id begins with.
    ///
    /// Programs get whole ids.
    pub(super) fn short_note_ids(&self, shown: impl Iterator<Item = NoteId>) -> ShortIds {
        match self.format() {
            Format::Text => ShortIds::of(shown.chain(ids_of_files(&self.session))),
            Format::Json => ShortIds::of(shown),
        }
    }

    /// Prints a failure beside data that explain it.
    pub(super) fn print_failure(&self, failure: &Failure) {
        output::report_failure(failure, self.format());
    }

    /// Prints a message to a person that is neither data nor a warning.
    pub(super) fn inform(&self, line: &str) {
        self.message_style.inform(line);
    }

    pub(super) fn shows_messages(&self) -> bool {
        self.message_style.shows_messages()
    }

    /// Prints an important message to a person, also in quiet mode.
    /// Programs find it in the data.
    pub(super) fn inform_always(&self, line: &str) {
        if self.format() == Format::Text {
            self.message_style.print_message(line);
        }
    }

    pub(super) fn warn(&self, message: &str) {
        self.message_style.warn(message);
    }

    /// Returns the answer of a verb that was interrupted.
    pub(super) fn interrupted(&self) -> VerbOutput {
        self.inform("interrupted");
        VerbOutput::nothing().ok_if(false)
    }

    /// Starts logging; `level` is the default one, before `-v` and `-q`.
    /// Returns the observer that logs the loop: with symbols for people, unless `NO_COLOR` is set.
    pub(super) fn start_log(&self, level: Level, format: LogFormat) -> Box<dyn Observer> {
        let look = LineFormat::of(format, std::io::stderr().is_terminal());
        let level = telemetry::shifted(level, self.message_style.verbosity);
        telemetry::init(level, look, self.place());
        let plain = self.environment.get(NO_COLOR);
        let is_signed = look == LineFormat::Text && plain.is_none_or(|it| it.is_empty());
        Box::new(LogObserver { is_signed })
    }

    /// Returns the place where log lines are written.
    pub(super) fn place(&self) -> LogSink {
        let stream = self.environment.get(JOURNAL_STREAM);
        let stderr = std::io::stderr();
        match stream.filter(|stream| is_file(&stderr, stream)) {
            None => LogSink::Stderr,
            Some(_) if is_socket(&stderr) => LogSink::Journal,
            Some(_) => LogSink::Weighed,
        }
    }
}

/// Refuses a text of standard input that has too many bytes.
fn check_length(bytes: usize, bytes_max: usize) -> Result<(), Failure> {
    if bytes <= bytes_max {
        return Ok(());
    }
    let message = format!("standard input holds more than {bytes_max} bytes");
    Err(Failure::new(Code::LimitExceeded, message))
}

/// Reads standard input, which has at most `bytes_max` bytes.
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
    check_length(bytes.len(), bytes_max)?;
    Ok(bytes)
}
