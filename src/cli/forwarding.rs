//! Forwards a command line to the daemon that holds the folder, and answers it there.
//!
//! The lock decides: a verb first tries by itself, and is forwarded only where the folder is
//! held. Within the daemon it is answered like any other, but changes go through the loop, and
//! messages are collected for the caller.
//!
//! Where a file that a person writes is broken, verbs that only read use its valid parts and
//! defaults for the rest, after a warning. Verbs that change data do not.

use super::arguments::{
    AgentsVerb, ConfigVerb, NotesVerb, RamVerb, ReviewVerb, RulesVerb, RunsVerb, Verb,
};
use super::context::{Context, MessageStyle};
use super::output::{Terminal, VerbOutput, print_message};
use super::server::runtime;
use super::text::visible;
use crate::api::{Call, CommandOutput, Verbs};
use crate::config::{self, ConfigProblem, Severity};
use crate::failure::{Code, Exit, Failure};
use crate::limits::COMMAND_WAIT_MS;
use crate::plain_text::joined;
use crate::store::disk::Disk as _;
use crate::store::{connect, layout};
use http_body_util::BodyExt as _;
use hyper::client::conn::http1;
use hyper::header::{CONTENT_TYPE, HOST};
use hyper::{Request, StatusCode};
use hyper_util::rt::TokioIo;
use serde::de::DeserializeOwned;
use serde_json::json;
use std::error::Error;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::pin::pin;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;
use tokio::time::timeout;

/// The longest wait for the daemon: its loop's own bound, and time for reading a large root.
const WAIT: Duration = Duration::from_millis(2 * COMMAND_WAIT_MS);

/// Returns the daemon's answer to a command line that was refused here.
/// The refusal stays where no daemon could do better, or none answers: another process, such as a
/// `run`, holds the folder.
pub(super) fn forward(
    context: &Context,
    words: Vec<String>,
    refused: Failure,
) -> Result<VerbOutput, Failure> {
    // A daemon has files in force even while the ones on disk are broken.
    if refused.code != Code::DataLocked && !is_of_files(context, &refused) {
        return Err(refused);
    }
    // Without a folder the first error is the better one.
    let disk = context.session.disk().ok();
    let Some(stream) = disk.and_then(|mut disk| connect(&mut disk).ok()) else {
        return Err(refused);
    };
    let call = Call {
        words,
        input: context.input.get().cloned(),
    };
    let output = send(stream, &call)?;
    let is_better = (output.failure.as_ref()).is_none_or(|error| error.exit() != Exit::Config);
    if refused.code != Code::DataLocked && is_better {
        let message = &refused.message;
        context.warn(&format!("what was last good stays in force; {message}"));
    }
    for line in &output.talk {
        print_message(&visible(line));
    }
    match output.failure {
        None => Ok(VerbOutput {
            text: output.stdout,
            exit: output.exit,
        }),
        Some(failure) => Err(failure),
    }
}

/// Like [`forward`], for an answer that is JSON.
pub(super) fn forward_json<T: DeserializeOwned>(
    context: &Context,
    words: Vec<String>,
    refused: Failure,
) -> Result<T, Failure> {
    let answer = forward(context, words, refused)?;
    serde_json::from_str(&answer.text).map_err(|error| unreadable(&error))
}

/// Returns the failure of an answer of the daemon that is not what was asked for.
pub(super) fn unreadable(error: &serde_json::Error) -> Failure {
    let message = format!("the daemon's answer cannot be read: {error}");
    Failure::new(Code::Internal, message)
}

/// Returns whether the refusal is about an unreadable file that a person writes.
fn is_of_files(context: &Context, refused: &Failure) -> bool {
    let is_of_disk = refused.code == Code::DiskError;
    refused.exit() == Exit::Config || is_of_disk && context.session.files.problems().is_some()
}

fn send(stream: UnixStream, call: &Call) -> Result<CommandOutput, Failure> {
    let body = json!(call).to_string();
    runtime()?.block_on(async {
        let line = shake_hands(stream).await.map_err(|error| {
            let message = format!("the daemon could not be asked: {error}");
            Failure::new(Code::DaemonBusy, message)
        })?;
        let answer = timeout(WAIT, ask(line, body)).await;
        let answer = answer.unwrap_or_else(|_| Err("it did not answer in time".into()));
        // The request was sent, so its effect is not known here.
        answer.map_err(|error| {
            let message = format!("the daemon was asked, and its answer is lost: {error}");
            Failure::new(Code::AnswerLost, message)
        })
    })
}

/// The two ends of an open connection: the sender, and the driver.
type HttpConnection = (
    http1::SendRequest<String>,
    http1::Connection<TokioIo<tokio::net::UnixStream>, String>,
);

async fn shake_hands(stream: UnixStream) -> Result<HttpConnection, Box<dyn Error>> {
    stream.set_nonblocking(true)?;
    let stream = tokio::net::UnixStream::from_std(stream)?;
    Ok(http1::handshake(TokioIo::new(stream)).await?)
}

async fn ask(
    (mut sender, connection): HttpConnection,
    body: String,
) -> Result<CommandOutput, Box<dyn Error>> {
    let request = Request::post("/v1/verbs")
        .header(HOST, "localhost")
        .header(CONTENT_TYPE, "application/json")
        .body(body)?;
    let mut answered = pin!(async {
        let answer = sender.send_request(request).await?;
        let status = answer.status();
        let body = answer.into_body().collect().await?;
        Ok::<_, hyper::Error>((status, body.to_bytes()))
    });
    let (status, body) = tokio::select! {
        answered = &mut answered => answered?,
        ended = connection => {
            ended?;
            // A received reply stays valid.
            answered.await.map_err(|_| "it hung up")?
        }
    };
    if status == StatusCode::OK {
        return Ok(serde_json::from_slice(&body)?);
    }
    // The request was refused before its command line was read, also with a code.
    let refused = serde_json::from_slice(&body).map_err(|error| format!("{status}: {error}"))?;
    Ok(CommandOutput {
        failure: Some(refused),
        ..CommandOutput::default()
    })
}

impl Verbs for Context {
    fn answer(&self, call: &Call) -> CommandOutput {
        let talk = Arc::new(Mutex::new(Vec::new()));
        let outcome = answer_with(self, call, &talk);
        let talk = talk.lock().map(|lines| lines.clone()).unwrap_or_default();
        let (exit, stdout, failure) = match outcome {
            Ok(answer) => (answer.exit, answer.text, None),
            Err(failure) => (failure.exit().number(), String::new(), Some(failure)),
        };
        CommandOutput {
            exit,
            stdout,
            talk,
            failure,
        }
    }
}

fn answer_with(
    context: &Context,
    call: &Call,
    talk: &Arc<Mutex<Vec<String>>>,
) -> Result<VerbOutput, Failure> {
    let arguments = super::read(&call.words)?;
    let mut context =
        context.with_message_style(MessageStyle::of(&arguments, Some(Arc::clone(talk))));
    let verb = arguments
        .verb
        .filter(|verb| VerbRequirements::of(verb).is_served);
    let verb = verb.ok_or_else(|| {
        let message = "this verb is not answered by a daemon";
        Failure::new(Code::Usage, message).only_hint("Run it in the root.")
    })?;
    context.session.named_root = arguments.root;
    // The caller has another terminal, or none.
    context.terminal = Terminal::PLAIN;
    let input = call.input.clone();
    context.input = Arc::new(input.map_or_else(OnceLock::new, OnceLock::from));
    super::answer(&context, verb)
}

/// Answers a refused verb without the broken files, where it only reads.
pub(super) fn read_on(
    context: &Context,
    verb: Verb,
    refused: Failure,
) -> Result<VerbOutput, Failure> {
    let may_be_files = refused.exit() == Exit::Config || refused.code == Code::DiskError;
    if !may_be_files || !VerbRequirements::of(&verb).only_reads || !is_root(context) {
        return Err(refused);
    }
    let Some(problems) = context.session.files.problems() else {
        return Err(refused);
    };
    context.warn(&format!(
        "{}; what cannot be read of it counts as not written, and nothing starts or is changed so: \
         `config check` tells more",
        named(&problems)
    ));
    let mut makeshift = context.clone();
    makeshift.session.is_makeshift = true;
    match super::answer(&makeshift, verb) {
        // The rule may be in the invalid part of a file.
        Err(failure) if failure.code == Code::RuleNotFound => Err(refused),
        answered => answered,
    }
}

fn named(problems: &[ConfigProblem]) -> String {
    let errors = problems.iter().filter(|it| it.severity == Severity::Error);
    let mut firsts: Vec<&ConfigProblem> = Vec::new();
    for problem in errors {
        if firsts.iter().all(|first| first.file != problem.file) {
            firsts.push(problem);
        }
    }
    joined(firsts, "; ")
}

/// Returns whether the folder holds data of this program.
/// Any other folder is an error of the caller.
fn is_root(context: &Context) -> bool {
    let is_there = |name: &str| {
        let mut disk = context.session.disk().ok()?;
        disk.stat(Path::new(name)).ok()?
    };
    is_there(layout::JOURNAL).is_some() || is_there(config::CONFIG_PATH).is_some()
}

#[derive(Clone, Copy, Debug)]
pub(super) struct VerbRequirements {
    /// Whether it needs only the root: no files of the caller, no terminal, no model.
    pub(super) is_served: bool,
    /// Whether it only shows the journal, or an effect that it does not apply.
    /// `rehearse` and `replay` do not count: they judge by the files, and defaults would mislead
    /// them.
    pub(super) only_reads: bool,
}

impl VerbRequirements {
    pub(super) fn of(verb: &Verb) -> Self {
        let (is_served, only_reads) = match verb {
            Verb::Status
            | Verb::Audit(_)
            | Verb::Trace(_)
            | Verb::Why(_)
            | Verb::Prompt { .. }
            | Verb::Ram(RamVerb::List(_) | RamVerb::Get(_) | RamVerb::Export)
            | Verb::Rules(RulesVerb::List(_) | RulesVerb::Show(_) | RulesVerb::Reconcile { .. })
            | Verb::Agents(AgentsVerb::List(_) | AgentsVerb::Show(_))
            | Verb::Runs(RunsVerb::List(_) | RunsVerb::Show(_))
            | Verb::Review(ReviewVerb::List(_) | ReviewVerb::Show { .. }) => (true, true),
            Verb::Notes(verb) => of_notes(verb),
            Verb::Undo { dry_run, .. } | Verb::Runs(RunsVerb::Undo { dry_run, .. }) => {
                (true, *dry_run)
            }
            Verb::Runs(RunsVerb::Watch { .. }) => (false, true),
            // A waiting verb waits in the caller's process.
            Verb::Ask { wait, .. } | Verb::Agents(AgentsVerb::Run { wait, .. }) => (!wait, false),
            Verb::Review(ReviewVerb::Edit { changes, .. }) => (!changes.is_empty(), false),
            Verb::Replay(_)
            | Verb::Stop
            | Verb::Ram(_)
            | Verb::Rules(_)
            | Verb::Runs(_)
            | Verb::Review(_)
            | Verb::Config(ConfigVerb::Show | ConfigVerb::Get { .. } | ConfigVerb::Set { .. }) => {
                (true, false)
            }
            Verb::Daemon
            | Verb::Init(_)
            | Verb::Once { .. }
            | Verb::Run(_)
            | Verb::Demo(_)
            | Verb::Doctor { .. }
            | Verb::Call(_)
            | Verb::Config(ConfigVerb::Check | ConfigVerb::Schema)
            | Verb::Rehearse(_)
            | Verb::Parse(_)
            | Verb::Service(_)
            | Verb::Completions { .. }
            | Verb::Man
            | Verb::Explain { .. }
            | Verb::Help { .. } => (false, false),
        };
        Self {
            is_served,
            only_reads,
        }
    }
}

fn of_notes(verb: &NotesVerb) -> (bool, bool) {
    match verb {
        NotesVerb::List { .. }
        | NotesVerb::Show(_)
        | NotesVerb::Search(_)
        | NotesVerb::History(_)
        | NotesVerb::Diff(_)
        | NotesVerb::Issues(_) => (true, true),
        NotesVerb::Export(options) => (options.json && options.to.is_none(), true),
        NotesVerb::Add(_) | NotesVerb::Delete(_) | NotesVerb::Restore { .. } => (true, false),
        NotesVerb::Edit(asked) => (!asked.changes.is_empty(), false),
        NotesVerb::Import(options) => (options.part, false),
    }
}
