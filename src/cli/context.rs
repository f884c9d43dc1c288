//! What every verb is given: root, output format, loudness, environment; and the few ways in which
//! verbs read the root. Never writes and never takes the folder's lock.

use super::arguments::{Arguments, Format, Verb};
use super::environment::{self, ProcessEnvironment};
use super::in_force::InForce;
use super::list::List;
use super::output::{self, Answer};
use super::table::Table;
use super::terminal::{NO_COLOR, Terminal};
use super::text::visible;
use crate::config::{self, Config, Environment as _, Loaded, LogFormat};
use crate::core::journal::State;
use crate::daemon::{
    Clock as _, CommandSender, LogObserver, Observer, SignedLogObserver, StopHandle, SystemClock,
    store_options,
};
use crate::failure::{Code, Failure};
use crate::plain_text::json_spelt_out;
use crate::store::disk::RealDisk;
use crate::store::outside::{is_file, is_socket};
use crate::store::read_state;
use crate::telemetry::{self, Look, Place};
use crate::time::Timestamp;
use serde::Serialize;
use serde_json::json;
use std::io::{IsTerminal as _, Read as _};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock};
use tracing::Level;

/// The variable by which systemd names the stream that goes into its journal.
const JOURNAL_STREAM: &str = "JOURNAL_STREAM";

/// What every verb is given.
#[derive(Clone, Debug)]
pub(super) struct Context {
    /// The root, absolute.
    pub(super) root: PathBuf,
    /// The root that the command line names.
    pub(super) named_root: Option<PathBuf>,
    /// How data and errors are printed.
    pub(super) format: Format,
    /// How tables look that are printed for people.
    pub(super) terminal: Terminal,
    /// How many steps louder than usual; negative is quieter.
    pub(super) louder: i16,
    /// The process's environment.
    pub(super) environment: ProcessEnvironment,
    /// The loop of this very process, where a daemon answers a verb.
    pub(super) commands: Option<CommandSender>,
    /// What ends that loop.
    pub(super) stop: Option<StopHandle>,
    /// What that loop has in force, whatever its files hold by now.
    pub(super) in_force: Option<InForce>,
    /// What `-` stands for, once it was read, or was sent along.
    pub(super) input: Arc<OnceLock<String>>,
    /// Whether a verb that only reads goes on with what can be read of broken files.
    pub(super) is_makeshift: bool,
    /// Since when this command line waits for the folder, on a clock that nobody sets; shared by its waits.
    pub(super) waits_since: Arc<OnceLock<u64>>,
    /// Where talk goes for somebody who is not at this process's standard error.
    pub(super) talk: Option<Arc<Mutex<Vec<String>>>>,
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
        let root = root.map_err(failed)?;
        Ok(Self {
            root: std::path::absolute(root).map_err(failed)?,
            named_root,
            format: arguments.format,
            terminal: Terminal::of_stdout(&environment),
            louder: i16::from(arguments.verbose) - i16::from(arguments.quiet),
            environment,
            commands: None,
            stop: None,
            in_force: None,
            input: Arc::default(),
            is_makeshift: false,
            waits_since: Arc::default(),
            talk: None,
        })
    }

    /// Says a line to whoever gave the command.
    fn say(&self, line: &str) {
        match self.talk.as_ref().map(|talk| talk.lock()) {
            Some(Ok(mut lines)) => lines.push(visible(line)),
            Some(Err(_)) => {}
            None => output::say(&visible(line)),
        }
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
            if self.commands.is_some() {
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

    /// A command line of this program, for the root of this one, as a shell takes it.
    pub(super) fn command_line(&self, words: &str) -> String {
        let program = env!("CARGO_PKG_NAME");
        match &self.named_root {
            Some(root) => {
                let root = root.display().to_string().replace('\'', "'\\''");
                format!("{program} --root '{root}' {words}")
            }
            None => format!("{program} {words}"),
        }
    }

    /// The configuration and prompt in force, for work that calls a model.
    pub(super) fn load(&self) -> Result<Loaded, Failure> {
        config::load(&self.root, &self.environment).map_err(|found| config::failure(&found))
    }

    /// The same for work that calls no model: a missing API key stops nothing. Neither do broken files,
    /// where the verb goes on with what can be read of them.
    pub(super) fn load_without_key(&self) -> Result<Loaded, Failure> {
        let load = if self.is_makeshift {
            config::load_readable
        } else {
            config::load_without_key
        };
        let read = load(&self.root, &self.environment).map_err(|found| config::failure(&found));
        match &self.in_force {
            Some(in_force) => in_force.or_last(read),
            None => read,
        }
    }

    /// The root's files, to read.
    pub(super) fn disk(&self) -> Result<RealDisk, Failure> {
        config::check_data_folder(&self.root)?;
        RealDisk::open(&self.root, false).map_err(|error| {
            let message = format!("cannot open {}: {error}", self.root.display());
            Failure::new(Code::DiskError, message)
        })
    }

    /// The state as of the last commit. Needs no lock; a root without data has an empty state.
    pub(super) fn state(&self, config: &Config) -> Result<State, Failure> {
        let kv_path = store_options(config).kv_path;
        Ok(read_state(&mut self.disk()?, &kv_path)?)
    }

    /// An answer in the format that was asked for.
    pub(super) fn answer(
        &self,
        data: &impl Serialize,
        text: impl FnOnce() -> String,
    ) -> Result<Answer, Failure> {
        Answer::of(self.format, data, text)
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
        if self.format == Format::Json {
            return self.answer(data, String::new);
        }
        let text = list.text(&table(), self.terminal);
        Ok(Answer::of_text(visible(before) + &text))
    }

    /// Tells a failure beside data that explain it.
    pub(super) fn complain(&self, failure: &Failure) {
        output::report_failure(failure, self.format);
    }

    /// Tells a person something beside the data that is no warning. Programs, and those who want quiet, are
    /// spared.
    pub(super) fn talk(&self, line: &str) {
        if self.talks() {
            self.say(line);
        }
    }

    /// Whether whoever gave the command wants to be talked to.
    pub(super) fn talks(&self) -> bool {
        self.format == Format::Text && self.louder >= 0
    }

    /// Tells a person what must not be missed, also one who wants quiet. Programs find it in the data.
    pub(super) fn insist(&self, line: &str) {
        if self.format == Format::Text {
            self.say(line);
        }
    }

    /// Warns whoever gave the command, whatever the format and however quiet: one line, of JSON for a
    /// program.
    pub(super) fn warn(&self, message: &str) {
        self.say(&match self.format {
            Format::Text => format!("warning: {message}"),
            Format::Json => json_spelt_out(&json!({"warning": {"message": message}}).to_string()),
        });
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
        let level = telemetry::shifted(level, self.louder);
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

/// Now.
pub(super) fn now() -> Timestamp {
    SystemClock.now()
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
