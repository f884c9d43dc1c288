//! What the program is asked to do while a call fails, and what its client was told of it.

#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a campaign may stop at once; it plays the client"
)]

use super::stage::{IMPORTED, Origin, Stage, imported, imported_title};
use super::strace::{self, Fault};
use kjxlkj_agent::core::journal::State;
use kjxlkj_agent::core::run::RunState;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{Read as _, Write as _};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// How long the program may take for anything, and a daemon for its end.
const DEADLINE: Duration = Duration::from_secs(30);

/// How long a client waits for the answer of a daemon.
const ANSWER_DEADLINE: Duration = Duration::from_secs(3);

/// How long a daemon gets for the run that it was asked for. With what fails it may never do it.
const RUN_DEADLINE: Duration = Duration::from_millis(1500);

/// After which time a run is asked to stop that says that it waits for room: where there will never be any,
/// it would wait for ever.
const ROOM_DEADLINE: Duration = Duration::from_secs(6);

/// What it says then.
const WAITS_FOR_ROOM: &str = "DISK_FULL: ";

/// Calls of the model that a run takes.
const RUN_CALLS: u64 = 3;

/// What is said with an error behind a commit.
const IS_MADE: &str = "the change is made";

/// What is said where nobody knows whether the change stands.
const UNKNOWN_AFTER: [&str; 2] = ["JOURNAL_WRITE_FAILED", "whether the change is made"];

/// Something to do, from a root with a past.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Phase {
    /// The first start of all.
    FirstStart,
    /// A start after a death in the middle of a write.
    Start,
    /// A note, a checkpoint and a stop in good order.
    Checkpoint,
    /// The same where the journal goes on in another file.
    Rotation,
    /// A run of some iterations, each in a journal file of its own.
    Iteration,
    /// A run taken back.
    Undo,
    /// New notes and new texts of old ones.
    Import,
    /// A daemon from start to stop, asked over HTTP.
    Daemon,
    /// The same after a death.
    DaemonAfterDeath,
    /// The same where old journal files are let go of.
    Retirement,
}

/// Every phase.
pub(crate) const PHASES: [Phase; 10] = [
    Phase::FirstStart,
    Phase::Start,
    Phase::Checkpoint,
    Phase::Rotation,
    Phase::Iteration,
    Phase::Undo,
    Phase::Import,
    Phase::Daemon,
    Phase::DaemonAfterDeath,
    Phase::Retirement,
];

/// What a client was told of what it asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Told {
    /// It is done.
    Done,
    /// Nothing has changed.
    NotDone,
    /// Neither.
    Nothing,
}

/// Something that a client asks for.
#[derive(Clone, Debug)]
pub(crate) enum Thing {
    /// A key of RAM.
    Ram(&'static str),
    /// A new note of that title.
    Note(&'static str),
    /// A note of an import.
    Imported(u64),
    /// A run taken back.
    Undone,
    /// A run for a request.
    Launched(&'static str),
    /// A run for a request that has ended well.
    Ran(&'static str),
}

/// The value and text of whatever is asked for.
const VALUE: &str = "asked for";

/// One wish, and what was answered.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    pub(crate) thing: Thing,
    pub(crate) told: Told,
}

/// What came of a phase.
#[derive(Debug)]
pub(crate) struct Ended {
    /// The exit code; absent for a process that was killed by a signal.
    pub(crate) code: Option<i32>,
    pub(crate) stderr: String,
    pub(crate) asked: Vec<Asked>,
    /// The largest number whose commit the model was shown.
    pub(crate) shown: u64,
    /// What went wrong with the process itself.
    pub(crate) wrong: Vec<String>,
}

impl Thing {
    /// How often it stands in the state.
    pub(crate) fn count(&self, state: &State, stage: &Stage) -> Result<usize, String> {
        let notes = |title: &str, text: &str| {
            let found = state.notes.iter();
            found
                .filter(|note| note.title == title && note.value.trim_end() == text)
                .count()
        };
        Ok(match self {
            Self::Ram(key) => usize::from(state.main.ram.get(key) == Some(&json!(VALUE))),
            Self::Note(title) => notes(title, VALUE),
            Self::Imported(number) => notes(&imported_title(*number), &imported(*number)),
            Self::Undone => usize::from(is_undone(state, stage)?),
            Self::Launched(request) => {
                let runs = state.runs.newest_first();
                runs.filter(|run| run.request.as_deref() == Some(request))
                    .count()
            }
            Self::Ran(request) => {
                let runs = state.runs.newest_first();
                let runs = runs.filter(|run| run.request.as_deref() == Some(request));
                runs.filter(|run| run.state == RunState::Succeeded).count()
            }
        })
    }

    /// The words that ask for it once more in this state.
    pub(crate) fn words(&self, stage: &Stage, state: Option<&State>) -> Vec<String> {
        let is_kept = |request: &str| {
            let runs = state
                .into_iter()
                .flat_map(|state| state.runs.newest_first());
            let mut open = runs.filter(|run| !run.is_finished());
            open.any(|run| run.request.as_deref() == Some(request))
        };
        let import = stage.beside("import").display().to_string();
        let words: &[&str] = match self {
            Self::Ram(key) => &["ram", "set", key, VALUE],
            Self::Note(title) => &["notes", "add", "--title", title, VALUE],
            Self::Imported(_) => &["notes", "import", &import],
            Self::Undone => &["runs", "undo", &stage.run_id],
            Self::Launched(request) => &["runs", "launch", "--request", request, "--key", request],
            Self::Ran(request) if is_kept(request) => &["run"],
            Self::Ran(request) => &["run", "--task", request],
        };
        words.iter().map(|&word| word.to_owned()).collect()
    }

    /// Whether asking twice is the same as asking once.
    pub(crate) const fn is_idempotent(&self) -> bool {
        !matches!(self, Self::Note(_) | Self::Ran(_))
    }
}

/// Whether everything is as before the run; an error if only a part of it is.
fn is_undone(state: &State, stage: &Stage) -> Result<bool, String> {
    let facts = |state: &State| {
        let notes = state.notes.iter();
        let notes: BTreeMap<String, String> = notes
            .map(|note| (note.title.clone(), note.value.clone()))
            .collect();
        (
            notes,
            state.main.ram.get("count").cloned(),
            state.storage.clone(),
        )
    };
    let (now, before) = (facts(state), facts(&stage.before_run));
    if now == before {
        return Ok(true);
    }
    let after = facts(&stage.template(Origin::Clean).state);
    if now == after {
        return Ok(false);
    }
    Err("the run is taken back in part".to_owned())
}

impl Phase {
    pub(crate) const fn origin(self) -> Origin {
        match self {
            Self::FirstStart => Origin::Fresh,
            Self::Start | Self::DaemonAfterDeath => Origin::Died,
            Self::Checkpoint | Self::Undo | Self::Import | Self::Daemon => Origin::Clean,
            Self::Rotation | Self::Iteration => Origin::Full,
            Self::Retirement => Origin::Old,
        }
    }

    /// Plays the phase on a fresh root, with or without a fault.
    pub(crate) fn play(self, stage: &Stage, fault: Option<&Fault>) -> Ended {
        stage.reset(self.origin());
        stage.said.shown.store(0, Ordering::SeqCst);
        let mut ended = match self {
            Self::FirstStart | Self::Start => by_verb(stage, fault, &[Thing::Ram("mark")]),
            Self::Checkpoint | Self::Rotation => by_verb(stage, fault, &[Thing::Note("mark")]),
            Self::Undo => by_verb(stage, fault, &[Thing::Undone]),
            Self::Import => {
                let things: Vec<Thing> = (0..IMPORTED).map(Thing::Imported).collect();
                by_verb(stage, fault, &things)
            }
            Self::Iteration => by_run(stage, fault),
            Self::Daemon | Self::DaemonAfterDeath | Self::Retirement => by_daemon(stage, fault),
        };
        ended.shown = stage.said.shown.load(Ordering::SeqCst);
        if ended.stderr.contains("panicked at") {
            ended.wrong.push(format!("it panicked: {}", ended.stderr));
        }
        if !matches!(ended.code, Some(0 | 1 | 65 | 74 | 75 | 78)) {
            ended
                .wrong
                .push(format!("it ended with {:?}: {}", ended.code, ended.stderr));
        }
        ended
    }
}

/// What an exit code and the words beside it say of a change.
fn told_by(code: Option<i32>, stderr: &str) -> Told {
    let is_unknown = UNKNOWN_AFTER.iter().any(|code| stderr.contains(code));
    match code {
        Some(0) => Told::Done,
        _ if is_unknown => Told::Nothing,
        _ if stderr.contains(IS_MADE) => Told::Done,
        Some(_) if stderr.contains("error[") => Told::NotDone,
        _ => Told::Nothing,
    }
}

/// One verb, which asks for all of `things` at once.
fn by_verb(stage: &Stage, fault: Option<&Fault>, things: &[Thing]) -> Ended {
    let words = things[0].words(stage, None);
    let child = Traced::start(stage, fault, &words);
    let (code, stderr, wrong) = child.end(DEADLINE);
    let mut told = told_by(code, &stderr);
    if things.len() > 1 && told == Told::NotDone {
        // Parts before the one that failed stand.
        told = Told::Nothing;
    }
    let asked = things.iter().cloned();
    Ended {
        asked: asked.map(|thing| Asked { thing, told }).collect(),
        ..Ended::of(code, stderr, wrong)
    }
}

/// A run, whose exit code must say what its record says.
fn by_run(stage: &Stage, fault: Option<&Fault>) -> Ended {
    let thing = Thing::Ran("write more");
    let words = thing.words(stage, None);
    let mut child = Traced::start(stage, fault, &words);
    if !wait_until(ROOM_DEADLINE, || child.has_ended()) && child.says(WAITS_FOR_ROOM) {
        child.signal(Signal::TERM);
    }
    let (code, stderr, wrong) = child.end(DEADLINE);
    if code == Some(0) {
        // A run that succeeded has committed each reply.
        let last = stage.said.number.load(Ordering::SeqCst);
        stage.said.shown.fetch_max(last, Ordering::SeqCst);
    }
    let told = match code {
        Some(0) => Told::Done,
        // It may have ended badly, or have been stopped.
        Some(1) | None => Told::Nothing,
        Some(_) if UNKNOWN_AFTER.iter().any(|it| stderr.contains(it)) => Told::Nothing,
        // A change that is made within a run is not the whole run.
        Some(_) => Told::NotDone,
    };
    Ended {
        asked: vec![Asked { thing, told }],
        ..Ended::of(code, stderr, wrong)
    }
}

/// A daemon that is asked for several things, and then to stop.
fn by_daemon(stage: &Stage, fault: Option<&Fault>) -> Ended {
    let mut child = Traced::start(stage, fault, &["daemon".to_owned()]);
    let socket = stage.root().join("data/control.sock");
    let is_up = wait_until(DEADLINE, || {
        child.has_ended() || UnixStream::connect(&socket).is_ok()
    });
    let before = stage.said.calls.load(Ordering::SeqCst);
    let body = json!({"value": VALUE});
    let note = json!({"value": VALUE, "title": "mark"});
    let launch = json!({"request": "mark"});
    let mut asked = Vec::new();
    let requests = [
        (Thing::Ram("mark"), "PUT /v1/ram/mark", "", body.clone()),
        (
            Thing::Launched("mark"),
            "POST /v1/runs",
            "Idempotency-Key: mark\r\n",
            launch,
        ),
        (Thing::Note("mark"), "POST /v1/notes", "", note),
        (Thing::Ram("last"), "PUT /v1/ram/last", "", body),
    ];
    for (thing, line, header, body) in requests {
        let told =
            ask(&socket, line, header, &body).map_or(Told::Nothing, |answer| told_over(&answer));
        asked.push(Asked { thing, told });
    }
    if asked.iter().any(|it| it.told == Told::Done) {
        let calls = || stage.said.calls.load(Ordering::SeqCst) - before;
        wait_until(RUN_DEADLINE, || child.has_ended() || calls() >= RUN_CALLS);
    }
    child.signal(Signal::TERM);
    let (code, stderr, mut wrong) = child.end(DEADLINE);
    if !is_up {
        wrong.push("the daemon neither answered nor ended".to_owned());
    }
    Ended {
        asked,
        ..Ended::of(code, stderr, wrong)
    }
}

impl Ended {
    const fn of(code: Option<i32>, stderr: String, wrong: Vec<String>) -> Self {
        Self {
            code,
            stderr,
            asked: Vec::new(),
            shown: 0,
            wrong,
        }
    }
}

/// Status and body of an answer.
type Answer = (u16, String);

/// Asks a daemon; nothing where no whole answer comes.
fn ask(socket: &Path, line: &str, header: &str, body: &Value) -> Option<Answer> {
    let mut stream = UnixStream::connect(socket).ok()?;
    stream.set_read_timeout(Some(ANSWER_DEADLINE)).unwrap();
    stream.set_write_timeout(Some(ANSWER_DEADLINE)).unwrap();
    let body = body.to_string();
    let request = format!(
        "{line} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{header}\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes()).ok()?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).ok()?;
    let status = answer.split(' ').nth(1)?.parse().ok()?;
    let (_, body) = answer.split_once("\r\n\r\n")?;
    Some((status, body.to_owned()))
}

fn told_over((status, body): &Answer) -> Told {
    let is_unknown = UNKNOWN_AFTER.iter().any(|code| body.contains(code));
    match status {
        200..300 => Told::Done,
        _ if is_unknown => Told::Nothing,
        _ if body.contains(IS_MADE) => Told::Done,
        _ if body.contains("\"DISK_") => Told::NotDone,
        _ => Told::Nothing,
    }
}

/// Looks again and again until it is so; says whether that came.
fn wait_until(deadline: Duration, mut is_so: impl FnMut() -> bool) -> bool {
    let end = Instant::now() + deadline;
    while !is_so() {
        if Instant::now() > end {
            return false;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    true
}

/// The program under way.
struct Traced {
    child: Child,
    stderr: std::path::PathBuf,
}

impl Traced {
    fn start(stage: &Stage, fault: Option<&Fault>, words: &[String]) -> Self {
        let stderr = stage.beside("stderr");
        let mut command = strace::traced(fault, &stage.root(), &stage.beside("strace"));
        command.arg("--root").arg(stage.root()).args(words);
        Self::spawn(command, stderr)
    }

    fn spawn(mut command: Command, stderr: std::path::PathBuf) -> Self {
        let file = std::fs::File::create(&stderr).unwrap();
        let child = command.stdout(Stdio::null()).stderr(file).spawn().unwrap();
        Self { child, stderr }
    }

    fn has_ended(&mut self) -> bool {
        self.child.try_wait().unwrap().is_some()
    }

    /// Whether it has said something so far.
    fn says(&self, words: &str) -> bool {
        let said = std::fs::read(&self.stderr).unwrap();
        String::from_utf8_lossy(&said).contains(words)
    }

    fn signal(&mut self, signal: Signal) {
        if !self.has_ended() {
            let process = Pid::from_raw(i32::try_from(self.child.id()).unwrap()).unwrap();
            kill_process(process, signal).unwrap();
        }
    }

    /// Waits for the end; gives exit code, what was said, and what is wrong with it.
    fn end(mut self, deadline: Duration) -> (Option<i32>, String, Vec<String>) {
        let mut wrong = Vec::new();
        if !wait_until(deadline, || self.has_ended()) {
            wrong.push("it never ended".to_owned());
            self.child.kill().unwrap();
        }
        let status: ExitStatus = self.child.wait().unwrap();
        let stderr = std::fs::read(&self.stderr).unwrap();
        let stderr = String::from_utf8_lossy(&stderr).into_owned();
        (status.code(), stderr, wrong)
    }
}

/// Asks for something without any fault; gives exit code and what was said.
pub(crate) fn ask_again(stage: &Stage, words: &[String]) -> (Option<i32>, String) {
    let mut command = stage.program();
    command.args(words);
    let (code, stderr, mut wrong) = Traced::spawn(command, stage.beside("stderr")).end(DEADLINE);
    wrong.push(stderr);
    (code, wrong.join("; "))
}
