//! The adapter for command-line programs: the prompt goes to standard input, events come out one a
//! line. The program runs in a process group of its own, in an empty folder, with a cleared
//! environment, and never outlives the call, unless this process is killed outright. It logs in by
//! itself: it gets the variables that its own login needs, and no other key.

use super::command_events::CommandAnswer;
use super::fault::{Fault, cut_short, not_text};
use super::known_commands::{Exit, known_by, variables_of, without_model};
use super::process_group::{END_GRACE, LAST_OUTPUT_WAIT, ProcessGroup};
use super::types::{
    CallFuture, CallResult, ChatRole, Contact, LlmProvider, LlmReply, LlmRequest, PromptMessage,
    ProviderError,
};
use super::wire::accept;
use crate::config::{ProviderConfig, Secret, UNNAMED_MODEL};
use crate::failure::Code;
use crate::limits::{COMMAND_LINE_BYTES_MAX, COMMAND_OUTPUT_BYTES_MAX};
use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};
use std::pin::pin;
use std::process::{ExitStatus, Stdio};
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{
    AsyncBufReadExt as _, AsyncRead, AsyncReadExt as _, AsyncWriteExt as _, BufReader,
};
use tokio::process::{ChildStdin, ChildStdout, Command};
use tokio::time::{Instant, timeout, timeout_at};

/// The command line of a program and its surroundings.
#[derive(Clone, Debug)]
pub struct CommandLine {
    /// The program and its arguments; `{model}` becomes the model.
    pub words: Vec<String>,
    pub model: String,
    /// The name of a variable with a key, beside those that the program is known to log in by.
    pub key_variable: Option<String>,
    pub environment: Vec<(String, String)>,
    /// The source of the empty folder that the program runs in.
    pub scratch: Arc<dyn Scratch>,
    /// The longest run.
    pub timeout: Duration,
}

/// A source of folders for programs to run in.
pub trait Scratch: Send + Sync + std::fmt::Debug {
    /// Returns an empty folder, which may be removed with all its files when the value is dropped.
    ///
    /// # Errors
    /// An error of the disk.
    fn folder(&self) -> io::Result<Box<dyn AsRef<Path> + Send>>;
}

impl Scratch for PathBuf {
    fn folder(&self) -> io::Result<Box<dyn AsRef<Path> + Send>> {
        Ok(Box::new(self.clone()))
    }
}

/// A command-line program that answers prompts.
#[derive(Clone, Debug)]
pub struct CommandProvider {
    line: CommandLine,
}

impl CommandProvider {
    /// Creates the adapter of a configuration; starts nothing.
    pub fn configured(
        config: &ProviderConfig,
        mut environment: Vec<(String, String)>,
        scratch: Arc<dyn Scratch>,
    ) -> Self {
        let known = known_by(&config.command);
        let mut words = config.command.clone();
        if let ([_], Some(known)) = (words.as_slice(), known) {
            // The configured path stays; the arguments are the known ones.
            words.extend(known.words().skip(1).map(str::to_owned));
        }
        if config.model == UNNAMED_MODEL {
            words = without_model(words);
        }
        let key_variable = config.api_key_env.clone();
        if let (Some(name), Some(key)) = (&key_variable, &config.api_key) {
            // The key may come from a credential, so that no variable holds it yet.
            environment.retain(|(variable, _)| variable != name);
            environment.push((name.clone(), key.expose().to_owned()));
        }
        Self::new(CommandLine {
            words,
            model: config.model.clone(),
            key_variable,
            environment,
            scratch,
            timeout: Duration::from_millis(config.timeout_ms),
        })
    }

    /// Creates an adapter; starts nothing.
    pub const fn new(line: CommandLine) -> Self {
        Self { line }
    }

    /// Returns the keys that the program gets, so that no message repeats them.
    fn keys(&self) -> Vec<Secret> {
        let known = known_by(&self.line.words);
        let keys = self.passed_on().filter(|(name, value)| {
            let is_key = known.is_some_and(|it| it.key_variables().any(|key| key == name))
                || self.is_own_key(name);
            // Another variable may hold an address with a password in it.
            is_key || (value.contains("://") && value.contains('@'))
        });
        keys.map(|(_, key)| Secret::new(key.clone())).collect()
    }

    /// Returns the variables of the environment that the program gets.
    fn passed_on(&self) -> impl Iterator<Item = &(String, String)> {
        let known = variables_of(&self.line.words);
        let environment = self.line.environment.iter();
        environment.filter(move |(name, _)| known.contains(&name.as_str()) || self.is_own_key(name))
    }

    fn is_own_key(&self, variable: &str) -> bool {
        self.line.key_variable.as_deref() == Some(variable)
    }

    fn program(&self) -> &str {
        self.line.words.first().map_or("", String::as_str)
    }

    async fn ask(&self, messages: &[PromptMessage]) -> Result<LlmReply, Fault> {
        let scratch = self.line.scratch.folder();
        let scratch = scratch.map_err(|error| cannot_start(&error))?;
        // Declared before the program, so that it is removed after the program has ended.
        let mut command = self.command((*scratch).as_ref());
        let mut run = ProcessGroup::start(&mut command).map_err(|error| cannot_start(&error))?;
        let exits = known_by(&self.line.words).map_or(&[][..], |known| known.exits);
        let answer = timeout(self.line.timeout, run.answer(prompt_of(messages), exits));
        if let Ok(answer) = answer.await {
            return answer;
        }
        run.end(END_GRACE).await;
        Err(Fault::passing(Code::LlmTimeout, "no answer in time"))
    }

    #[expect(
        clippy::disallowed_methods,
        reason = "a command-line provider is a process; it starts nowhere else"
    )]
    fn command(&self, folder: &Path) -> Command {
        let word = |word: &String| word.replace("{model}", &self.line.model);
        let words: Vec<String> = self.line.words.iter().map(word).collect();
        let mut command = Command::new(words.first().map_or("", String::as_str));
        command
            .args(words.iter().skip(1))
            .env_clear()
            .current_dir(folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        command.envs(self.passed_on().cloned());
        let environment = known_by(&self.line.words).map_or(&[][..], |known| known.environment);
        command.envs(environment.iter().copied());
        command
    }
}

fn cannot_start(error: &io::Error) -> Fault {
    let reason = if error.kind() == io::ErrorKind::NotFound {
        "it is not installed, or its folder is missing".to_owned()
    } else {
        error.to_string()
    };
    let fault = Fault::passing(Code::LlmUnavailable, format!("cannot be started: {reason}"));
    fault.at(Contact::Held)
}

impl LlmProvider for CommandProvider {
    fn complete<'a>(&'a self, request: &'a LlmRequest) -> CallFuture<'a, CallResult> {
        Box::pin(async move {
            let answer = self.ask(&request.messages).await;
            let answer = answer.and_then(|reply| accept(reply, request));
            let keys = self.keys();
            answer.map_err(|fault| fault.into_error(self.program(), &keys, &request.messages))
        })
    }

    fn provider_name(&self) -> &'static str {
        "cli"
    }

    /// Returns the configured model, as a program lists none.
    fn models(&self) -> CallFuture<'_, Result<Vec<String>, ProviderError>> {
        Box::pin(std::future::ready(Ok(vec![self.line.model.clone()])))
    }

    fn with_model(&self, model: &str) -> Option<Box<dyn LlmProvider>> {
        let mut other = self.clone();
        model.clone_into(&mut other.line.model);
        Some(Box::new(other))
    }
}

/// Joins the messages to one text.
/// Each turn but the system messages is marked with its speaker.
fn prompt_of(messages: &[PromptMessage]) -> String {
    let mut text = String::new();
    for message in messages {
        let speaker = match message.role {
            ChatRole::System => "",
            ChatRole::User => "User:\n",
            ChatRole::Assistant => "Assistant:\n",
        };
        // Writing into a string cannot fail.
        writeln!(text, "{speaker}{}\n", message.content).unwrap_or_default();
    }
    text
}

/// The talk with a program that runs.
impl ProcessGroup {
    async fn answer(&mut self, prompt: String, exits: &[Exit]) -> Result<LlmReply, Fault> {
        let (input, output) = (self.leader.stdin.take(), self.leader.stdout.take());
        let (Some(input), Some(output)) = (input, output) else {
            return Err(Fault::lasting(Code::Internal, "the program has no pipes"));
        };
        let mut answer = CommandAnswer::default();
        let status = self.talk(input, prompt, output, &mut answer).await?;
        let code = status.as_ref().and_then(|it| it.as_ref().ok()?.code());
        let (status, is_success) = match status {
            Some(Ok(status)) => (status.to_string(), status.success()),
            Some(Err(error)) => (error.to_string(), false),
            None => ("it did not end by itself".to_owned(), true),
        };
        let answer = answer.finish(&status, is_success);
        answer.map_err(|fault| meant_by(code, exits, fault))
    }

    /// Writes the prompt and reads the output until the program has ended.
    /// Returns its exit status; `None` where it has given its result and does not end, since the
    /// reply is complete, and paid for.
    async fn talk(
        &mut self,
        input: ChildStdin,
        prompt: String,
        output: ChildStdout,
        answer: &mut CommandAnswer,
    ) -> Result<Option<io::Result<ExitStatus>>, Fault> {
        // Both at once: a program may begin to reply before it has read everything.
        let talk = async {
            let mut read = pin!(read_lines(output, answer));
            tokio::select! {
                biased;
                read = &mut read => read,
                () = write_all(input, prompt) => read.await,
            }
        };
        let mut talk = pin!(talk);
        let status = tokio::select! {
            biased;
            silent = &mut talk => return Ok(self.ended(silent?).await),
            status = self.leader.wait() => status,
        };
        // First the rest of the output is read; after the timeout whatever holds the pipe is
        // killed.
        for _ in 0..2 {
            if let Ok(read) = timeout(LAST_OUTPUT_WAIT, &mut talk).await {
                read?;
                break;
            }
            self.kill();
        }
        Ok(Some(status))
    }

    /// Waits for the exit after reading has stopped.
    /// A program that has given its result gets only a short time.
    async fn ended(&mut self, silent: OutputEnd) -> Option<io::Result<ExitStatus>> {
        let status = match silent {
            OutputEnd::Broken => return Some(self.leader.wait().await),
            OutputEnd::Over => timeout(LAST_OUTPUT_WAIT, self.leader.wait()).await.ok(),
            OutputEnd::Lingering => None,
        };
        if status.is_some() {
            return status;
        }
        tracing::debug!("the program has given its result and is ended");
        self.end(END_GRACE).await;
        None
    }
}

/// Replaces a bare failure by the meaning of the program's exit status.
fn meant_by(status: Option<i32>, exits: &[Exit], fault: Fault) -> Fault {
    let mut exits = exits.iter();
    match exits.find(|exit| status == Some(exit.status)) {
        Some(exit) if fault.error.code == Code::ProviderServerError => Fault {
            // A text beside a refused key is not shown: it may hold the key.
            quote: fault.quote.filter(|_| exit.code != Code::ProviderAuthError),
            ..Fault::lasting(exit.code, exit.reason)
        },
        _ => fault,
    }
}

/// Writes the prompt and closes the pipe.
/// A program that stops reading shows in its reply why.
async fn write_all(mut input: ChildStdin, prompt: String) {
    if let Err(error) = input.write_all(prompt.as_bytes()).await {
        tracing::debug!(%error, "the program did not read the whole prompt");
    }
}

/// The reason why the output is no longer read.
#[derive(Clone, Copy, Debug)]
enum OutputEnd {
    /// The output has ended without a last record.
    Broken,
    /// The output has ended after the last record.
    Over,
    /// The last record has arrived, and the output stays open.
    Lingering,
}

/// Reads the output up to its end, or for a short time after the last record.
async fn read_lines(
    output: impl AsyncRead + Unpin,
    answer: &mut CommandAnswer,
) -> Result<OutputEnd, Fault> {
    let mut output = BufReader::new(output.take(COMMAND_OUTPUT_BYTES_MAX));
    let mut line = Vec::new();
    let mut until = None;
    loop {
        line.clear();
        let mut bounded = (&mut output).take(COMMAND_LINE_BYTES_MAX);
        let read = bounded.read_until(b'\n', &mut line);
        let read = match until {
            None => read.await,
            Some(until) => match timeout_at(until, read).await {
                Ok(read) => read,
                Err(_) => return Ok(OutputEnd::Lingering),
            },
        };
        read.map_err(|_| cut_short())?;
        if line.is_empty() {
            break;
        }
        if !line.ends_with(b"\n") && bounded.limit() == 0 {
            return Err(runaway(format!(
                "one line is longer than {COMMAND_LINE_BYTES_MAX} bytes"
            )));
        }
        let text = std::str::from_utf8(&line).map_err(|_| not_text())?;
        answer.take(text)?;
        if answer.is_over() && until.is_none() {
            until = Some(Instant::now() + LAST_OUTPUT_WAIT);
        }
    }
    if output.get_ref().limit() == 0 {
        return Err(runaway(format!(
            "more than {COMMAND_OUTPUT_BYTES_MAX} bytes of output"
        )));
    }
    Ok(if answer.is_over() {
        OutputEnd::Over
    } else {
        OutputEnd::Broken
    })
}

fn runaway(reason: String) -> Fault {
    Fault::lasting(Code::LlmReplyRunaway, reason)
}
