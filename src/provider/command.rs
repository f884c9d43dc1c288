//! The one adapter for programs that answer on a terminal: the prompt goes in on standard input,
//! events come out a line each. The program runs in a process group of its own, in an empty folder,
//! with a cleared environment, and never outlives the call, unless this process is killed outright. It
//! logs in by itself: what its own login needs is handed on to it, and no other key.

use super::body::not_text;
use super::command_events::CommandAnswer;
use super::fault::Fault;
use super::known_commands::{Exit, known_by, variables_of, without_model};
use super::process_group::{END_GRACE, LAST_OUTPUT_WAIT, ProcessGroup};
use super::types::{
    CallFuture, ChatRole, Contact, LlmProvider, LlmReply, LlmRequest, Message, ProviderError,
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
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::time::{Instant, timeout, timeout_at};

/// How a program is run.
#[derive(Clone, Debug)]
pub struct CommandLine {
    /// The program and its arguments; `{model}` becomes the model.
    pub words: Vec<String>,
    /// The model.
    pub model: String,
    /// A variable that holds a key, beside those that the program is known to log in by.
    pub key_variable: Option<String>,
    /// The environment to pass on from.
    pub environment: Vec<(String, String)>,
    /// Where the empty folder comes from that it runs in.
    pub scratch: Arc<dyn Scratch>,
    /// Longest run.
    pub timeout: Duration,
}

/// Whoever gives a program a folder to run in.
pub trait Scratch: Send + Sync + std::fmt::Debug {
    /// An empty folder, which may go with the value, and with it all that was put into it.
    ///
    /// # Errors
    /// Of the disk.
    fn folder(&self) -> io::Result<Box<dyn AsRef<Path> + Send>>;
}

/// One that stands, and stays.
impl Scratch for PathBuf {
    fn folder(&self) -> io::Result<Box<dyn AsRef<Path> + Send>> {
        Ok(Box::new(self.clone()))
    }
}

/// A program that answers on a terminal.
#[derive(Clone, Debug)]
pub struct CommandProvider {
    line: CommandLine,
}

impl CommandProvider {
    /// The adapter of a configuration; starts nothing.
    pub fn configured(
        config: &ProviderConfig,
        mut environment: Vec<(String, String)>,
        scratch: Arc<dyn Scratch>,
    ) -> Self {
        let known = known_by(&config.command);
        let mut words = config.command.clone();
        if let ([_], Some(known)) = (words.as_slice(), known) {
            // A path of its own stays; the arguments are the known ones.
            words.extend(known.words.iter().skip(1).map(|word| (*word).to_owned()));
        }
        if config.model == UNNAMED_MODEL {
            words = without_model(words);
        }
        let key_variable = config.api_key_env.clone();
        if let (Some(name), Some(key)) = (&key_variable, &config.api_key) {
            // It may come from a credential, and then no variable holds it yet.
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

    /// An adapter; starts nothing.
    pub const fn new(line: CommandLine) -> Self {
        Self { line }
    }

    /// The keys that the program is given, so that no message repeats them.
    fn keys(&self) -> Vec<Secret> {
        let known = known_by(&self.line.words).map_or(&[][..], |known| known.key_variables);
        let keys = self.passed_on().filter(|(name, value)| {
            let is_key = known.contains(&name.as_str()) || self.is_own_key(name);
            // What is no key may be an address with a password in it.
            is_key || (value.contains("://") && value.contains('@'))
        });
        keys.map(|(_, key)| Secret::new(key.clone())).collect()
    }

    /// The variables that the program is given of those that are there.
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

    async fn ask(&self, messages: &[Message]) -> Result<LlmReply, Fault> {
        let scratch = self.line.scratch.folder();
        let scratch = scratch.map_err(|error| cannot_start(&error))?;
        // It goes after the program that runs in it, however the call ends.
        let command = self.command((*scratch).as_ref());
        let mut run = Run::start(command).map_err(|error| cannot_start(&error))?;
        let exits = known_by(&self.line.words).map_or(&[][..], |known| known.exits);
        let answer = timeout(self.line.timeout, run.answer(prompt_of(messages), exits));
        if let Ok(answer) = answer.await {
            return answer;
        }
        run.end().await;
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
            .stderr(Stdio::null())
            .process_group(0)
            .kill_on_drop(true);
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
    fn complete<'a>(
        &'a self,
        request: &'a LlmRequest,
    ) -> CallFuture<'a, Result<LlmReply, ProviderError>> {
        Box::pin(async move {
            let answer = self.ask(&request.messages).await;
            let answer = answer.and_then(|reply| accept(reply, request));
            let keys = self.keys();
            answer.map_err(|fault| fault.word(self.program(), &keys, &request.messages))
        })
    }

    fn provider_name(&self) -> &'static str {
        "cli"
    }

    /// A program lists no models; the configured one is all that is known.
    fn models(&self) -> CallFuture<'_, Result<Vec<String>, ProviderError>> {
        Box::pin(std::future::ready(Ok(vec![self.line.model.clone()])))
    }

    fn with_model(&self, model: &str) -> Option<Box<dyn LlmProvider>> {
        let mut other = self.clone();
        model.clone_into(&mut other.line.model);
        Some(Box::new(other))
    }
}

/// The messages as one text: such programs take one. Each turn but the standing instructions says
/// whose it is.
fn prompt_of(messages: &[Message]) -> String {
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

/// A program that is running. Dropping it ends the whole process group.
struct Run {
    child: Child,
    group: ProcessGroup,
}

impl Run {
    fn start(mut command: Command) -> io::Result<Self> {
        let child = command.spawn()?;
        let group = ProcessGroup::of(&child);
        Ok(Self { child, group })
    }

    async fn answer(&mut self, prompt: String, exits: &[Exit]) -> Result<LlmReply, Fault> {
        let (input, output) = (self.child.stdin.take(), self.child.stdout.take());
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

    /// Asks the program to end, and a moment later makes it.
    async fn end(&mut self) {
        self.group.end(&mut self.child, END_GRACE).await;
    }

    /// Hands the prompt over and takes in what is printed, until the program has ended; gives how.
    /// Gives nothing where it has said its last and does not end: its answer is there, and paid for.
    async fn talk(
        &mut self,
        input: ChildStdin,
        prompt: String,
        output: ChildStdout,
        answer: &mut CommandAnswer,
    ) -> Result<Option<io::Result<ExitStatus>>, Fault> {
        // Both at once: a program may begin to answer before it has read everything.
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
            status = self.child.wait() => status,
        };
        // First it may still be read, then its pipe is closed for whoever holds it.
        for _ in 0..2 {
            if let Ok(read) = timeout(LAST_OUTPUT_WAIT, &mut talk).await {
                read?;
                break;
            }
            self.group.kill();
        }
        Ok(Some(status))
    }

    /// How it ends, now that it is listened to no more. One that has said its last is not waited for long.
    async fn ended(&mut self, silent: Silent) -> Option<io::Result<ExitStatus>> {
        let status = match silent {
            Silent::Broken => return Some(self.child.wait().await),
            Silent::Over => timeout(LAST_OUTPUT_WAIT, self.child.wait()).await.ok(),
            Silent::Lingering => None,
        };
        if status.is_some() {
            return status;
        }
        tracing::debug!("the program has given its result and is ended");
        self.end().await;
        None
    }
}

/// What a program that said no more than that it failed means by its exit status.
fn meant_by(status: Option<i32>, exits: &[Exit], fault: Fault) -> Fault {
    let mut exits = exits.iter();
    match exits.find(|exit| status == Some(exit.status)) {
        Some(exit) if fault.code == Code::ProviderServerError => Fault {
            // Nothing is repeated of what stands beside a refused key: it may be the key.
            quote: fault.quote.filter(|_| exit.code != Code::ProviderAuthError),
            ..Fault::lasting(exit.code, exit.reason)
        },
        _ => fault,
    }
}

/// Writes the prompt and closes the pipe. A program that stops reading says by its answer what it
/// makes of that.
async fn write_all(mut input: ChildStdin, prompt: String) {
    if let Err(error) = input.write_all(prompt.as_bytes()).await {
        tracing::debug!(%error, "the program did not read the whole prompt");
    }
}

/// Why a program is listened to no more.
#[derive(Clone, Copy, Debug)]
enum Silent {
    /// Its output has ended, and it has not said its last.
    Broken,
    /// Its output has ended behind its last word.
    Over,
    /// It has said its last, and its output stays open.
    Lingering,
}

/// Takes in what is printed, up to its end, or a moment longer than the program had something to say.
async fn read_lines(
    output: impl AsyncRead + Unpin,
    answer: &mut CommandAnswer,
) -> Result<Silent, Fault> {
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
                Err(_) => return Ok(Silent::Lingering),
            },
        };
        read.map_err(|_| super::body::cut_short())?;
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
        Silent::Over
    } else {
        Silent::Broken
    })
}

fn runaway(reason: String) -> Fault {
    Fault::lasting(Code::LlmReplyRunaway, reason)
}
