//! A place of its own for each test of the program: root, home, environment; and the model that most
//! of them speak with. Knows no verb.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "a test may stop at once, starts processes and waits in real time"
)]

pub(crate) use crate::lab::names;
use crate::peer::{Gate, NOBODY, Peer, Request, Step};
pub(crate) use crate::wait::{DEADLINE, until};
use kjxlkj_agent::config::init_with;
use rustix::fs::{Mode, OFlags};
use rustix::process::{Pid, Signal, kill_process};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::io::{BufRead as _, BufReader, Write as _};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex};
use tempfile::TempDir;

/// The rule of those tests that have one.
pub(crate) const RULE_ID: &str = "55555555-5555-4555-8555-555555555555";

/// A model that does the main job: plans one step, writes one note, is content.
pub(crate) fn worker() -> Peer {
    Peer::answering(|request, index| Step::reply(&answer(&state_in(request), index)))
}

/// What that model says in a state.
pub(crate) fn answer(state: &str, index: usize) -> String {
    let think = format!("<ram_add><key>think_log</key><value>{state} {index}</value></ram_add>");
    match state {
        "planning" => {
            format!("<ram_add><key>steps</key><value>write the note</value></ram_add>{think}")
        }
        "executing" => format!(
            "<record_add><keywords>tea,shop</keywords><value>Buy tea {index}.</value>\
             <title>Tea {index}</title></record_add>{think}"
        ),
        _ => think,
    }
}

/// The state that a request was made in: it stands at the end of the last message.
pub(crate) fn state_in(request: &Request) -> String {
    let text = last_message(request);
    let (_, rest) = text.rsplit_once("<state>").unwrap();
    rest.split('<').next().unwrap().to_owned()
}

/// The last message of a request.
pub(crate) fn last_message(request: &Request) -> String {
    let body = request.json();
    let messages = body["messages"].as_array().unwrap();
    messages.last().unwrap()["content"]
        .as_str()
        .unwrap()
        .to_owned()
}

/// A root, a home and an environment.
pub(crate) struct Sandbox {
    folder: TempDir,
}

/// How a process ended and what it said.
#[derive(Debug)]
pub(crate) struct Done {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Done {
    /// Standard output as JSON.
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// The error on standard error as JSON.
    #[track_caller]
    pub(crate) fn error(&self) -> Value {
        let last = self.stderr.lines().last().unwrap_or_default();
        let error: Value =
            serde_json::from_str(last).unwrap_or_else(|error| panic!("{error}: {self:?}"));
        error["error"].clone()
    }

    /// The same, if it ended with that code.
    #[track_caller]
    pub(crate) fn ended(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "{self:#?}");
        self
    }
}

impl Sandbox {
    /// An empty root.
    pub(crate) fn empty() -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("root")).unwrap();
        std::fs::create_dir(folder.path().join("home")).unwrap();
        Self { folder }
    }

    /// A root with the shipped files, quick, speaking with that peer, idle without a word.
    pub(crate) fn with(peer: &Peer) -> Self {
        Self::at(&peer.base_url())
    }

    /// The same without any server: nobody listens there.
    pub(crate) fn quiet() -> Self {
        Self::at(NOBODY[0])
    }

    /// The same with another address.
    pub(crate) fn at(base_url: &str) -> Self {
        let sandbox = Self::empty();
        sandbox.configure(base_url, &json!({}));
        sandbox
    }

    /// Writes the configuration anew, with these sections changed.
    pub(crate) fn configure(&self, base_url: &str, changes: &Value) {
        let path = self.path("data/config.json");
        let workspace = std::fs::read(&path).ok().map(|bytes| {
            let config: Value = serde_json::from_slice(&bytes).unwrap();
            config["scope"]["workspace_id"].clone()
        });
        if path.exists() {
            std::fs::remove_file(&path).unwrap();
        }
        let mut all = json!({
            "provider": {"base_url": base_url, "model": "peer-model", "context_tokens": 8192},
            "loop": {"loop_delay_ms": 0, "idle_profile": "sleep", "protocol": "xml"},
            "retry": {"max_retries": 0, "base_delay_ms": 1},
            "log": {"format": "text"},
        });
        if let Some(workspace) = workspace {
            all["scope"] = json!({ "workspace_id": workspace });
        }
        for (section, members) in changes.as_object().unwrap() {
            for (key, value) in members.as_object().unwrap() {
                all[section][key] = value.clone();
            }
        }
        init_with(&self.root(), &all).unwrap();
    }

    pub(crate) fn root(&self) -> PathBuf {
        self.folder.path().join("root")
    }

    pub(crate) fn path(&self, below: &str) -> PathBuf {
        self.root().join(below)
    }

    pub(crate) fn read(&self, below: &str) -> String {
        std::fs::read_to_string(self.path(below)).unwrap()
    }

    pub(crate) fn write(&self, below: &str, text: &str) {
        std::fs::write(self.path(below), text).unwrap();
    }

    /// The KV file.
    pub(crate) fn kv(&self) -> Value {
        serde_json::from_str(&self.read("data/agent-kv-store.json")).unwrap()
    }

    /// Every file below the root with its bytes.
    pub(crate) fn snapshot(&self) -> Vec<(PathBuf, Vec<u8>)> {
        let mut open = vec![self.root()];
        let mut files = Vec::new();
        while let Some(path) = open.pop() {
            if path.is_dir() {
                let entries = std::fs::read_dir(&path).unwrap();
                open.extend(entries.map(|entry| entry.unwrap().path()));
            } else if path.is_file() {
                let bytes = std::fs::read(&path).unwrap();
                files.push((path, bytes));
            }
        }
        files.sort();
        files
    }

    /// The program with these arguments, in the root, with nothing of the tester's environment.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_kjxlkj-agent"));
        command
            .args(arguments)
            .env_clear()
            .env("HOME", self.folder.path().join("home"))
            .env("PATH", "/usr/bin:/bin")
            .env("TZ", "UTC")
            .current_dir(self.root())
            .stdin(Stdio::null());
        command
    }

    /// Runs it to its end.
    pub(crate) fn cli(&self, arguments: &[&str]) -> Done {
        finished(self.command(arguments))
    }

    /// Runs it with that text on standard input.
    pub(crate) fn cli_reading(&self, arguments: &[&str], input: &[u8]) -> Done {
        let mut command = self.command(arguments);
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        // A program that has ended already reads nothing; what it says is judged all the same.
        drop(child.stdin.take().unwrap().write_all(input));
        done(child.wait_with_output().unwrap())
    }

    /// Runs it with `--format json` and gives what it printed.
    #[track_caller]
    pub(crate) fn json(&self, arguments: &[&str]) -> Value {
        let done = self.cli(&[arguments, &["--format", "json"]].concat());
        done.ended(0).json()
    }

    /// Starts a daemon whose files may not grow beyond so many blocks of 512 bytes, and goes on.
    pub(crate) fn start_with_room_for(&self, blocks: u32) -> Running {
        let usual = self.command(&[]);
        let mut command = Command::new("/bin/sh");
        let line = format!("ulimit -f {blocks}; exec \"$0\" daemon");
        command.args(["-c", &line]).arg(usual.get_program());
        command.env_clear().current_dir(self.root());
        for (name, value) in usual.get_envs() {
            command.env(name, value.unwrap_or_default());
        }
        command.stdin(Stdio::null());
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        Running::watch(command.spawn().unwrap())
    }

    /// A daemon that answers at its socket, and whose files are there.
    pub(crate) fn daemon(&self) -> Running {
        let daemon = self.start(&["daemon"]);
        drop(self.connect());
        until("the KV file", || {
            self.path("data/agent-kv-store.json").exists().then_some(())
        });
        daemon
    }

    /// A daemon that rests: its first run has ended.
    pub(crate) fn resting(&self) -> Running {
        let daemon = self.daemon();
        daemon.wait_for("run ended", 1);
        until("rest", || {
            let status = self.json(&["status"]);
            (status["runs"]["running"] == json!(0)).then_some(())
        });
        daemon
    }

    /// A connection to the daemon's socket, as soon as there is one.
    pub(crate) fn connect(&self) -> UnixStream {
        let stream = until("the socket", || {
            UnixStream::connect(self.path("data/control.sock")).ok()
        });
        stream.set_read_timeout(Some(DEADLINE)).unwrap();
        stream
    }

    /// Launches a run without a request, unless there has been a run: a daemon has something to do then.
    pub(crate) fn give_work(&self) {
        let folder = self.path("data/journal");
        let has_run = |name: &String| {
            let bytes = std::fs::read(folder.join(name)).unwrap_or_default();
            bytes.windows(10).any(|it| it == b"run.queued")
        };
        if !names(&folder).iter().any(has_run) {
            // Files that are broken on purpose are the daemon's to refuse.
            drop(self.cli(&["runs", "launch"]));
        }
    }

    /// Starts it and goes on. A daemon has a run to begin with.
    pub(crate) fn start(&self, arguments: &[&str]) -> Running {
        if arguments.first().is_none_or(|verb| *verb == "daemon") {
            self.give_work();
        }
        started(self.command(arguments))
    }
}

/// A daemon in the middle of a question that is answered when the gate opens.
pub(crate) fn thinking() -> (Sandbox, Peer, Gate, Running) {
    let gate = Gate::default();
    let waits = gate.clone();
    let peer = Peer::answering(move |request, index| {
        Step::reply(&answer(&state_in(request), index)).behind(&waits)
    });
    let sandbox = Sandbox::with(&peer);
    let daemon = sandbox.daemon();
    peer.wait_for_requests(1, DEADLINE);
    (sandbox, peer, gate, daemon)
}

/// A terminal: its two ends.
pub(crate) fn terminal() -> (OwnedFd, OwnedFd) {
    let ours = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&ours).unwrap();
    unlockpt(&ours).unwrap();
    let name = ptsname(&ours, Vec::new()).unwrap();
    let theirs = rustix::fs::open(name, OFlags::RDWR | OFlags::NOCTTY, Mode::empty()).unwrap();
    (ours, theirs)
}

/// Starts a command and goes on.
pub(crate) fn started(mut command: Command) -> Running {
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    Running::watch(command.spawn().unwrap())
}

/// Runs a command to its end.
pub(crate) fn finished(mut command: Command) -> Done {
    done(command.output().unwrap())
}

fn done(output: std::process::Output) -> Done {
    Done {
        code: output.status.code(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// A process under way. Dropping it kills it.
pub(crate) struct Running {
    child: Child,
    said: Arc<Mutex<String>>,
    readers: Vec<std::thread::JoinHandle<()>>,
}

impl Running {
    /// Listens to what it says on the streams that were handed over.
    pub(crate) fn watch(mut child: Child) -> Self {
        let said = Arc::new(Mutex::new(String::new()));
        let mut readers = Vec::new();
        let out = child
            .stdout
            .take()
            .map(|pipe| Box::new(pipe) as Box<dyn std::io::Read + Send>);
        let err = child
            .stderr
            .take()
            .map(|pipe| Box::new(pipe) as Box<dyn std::io::Read + Send>);
        // Read from the first moment, so that the process never waits for us.
        for pipe in [out, err].into_iter().flatten() {
            let said = Arc::clone(&said);
            readers.push(std::thread::spawn(move || {
                for line in BufReader::new(pipe).lines() {
                    let Ok(line) = line else { return };
                    writeln!(said.lock().unwrap(), "{line}").unwrap();
                }
            }));
        }
        Self {
            child,
            said,
            readers,
        }
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// What it has said so far, on both streams.
    pub(crate) fn said(&self) -> String {
        self.said.lock().unwrap().clone()
    }

    /// Waits until it has said something with that text in it, so many times.
    #[track_caller]
    pub(crate) fn wait_for(&self, text: &str, times: usize) {
        let until_said = || (self.said().matches(text).count() >= times).then_some(());
        until(&format!("`{text}` in: {}", self.said()), until_said);
    }

    pub(crate) fn signal(&self, signal: Signal) {
        let pid = Pid::from_raw(i32::try_from(self.id()).unwrap()).unwrap();
        kill_process(pid, signal).unwrap();
    }

    /// Waits for its end and gives how it ended, with everything it said.
    #[track_caller]
    pub(crate) fn wait(mut self) -> (ExitStatus, String) {
        let status = until("the end of the process", || self.child.try_wait().unwrap());
        for reader in std::mem::take(&mut self.readers) {
            reader.join().unwrap();
        }
        (status, self.said())
    }

    /// Waits for the end of its run, ends it, and looks whether it left everything in good order.
    #[track_caller]
    pub(crate) fn end_well(self, sandbox: &Sandbox) {
        self.wait_for("run ended", 1);
        let (status, said) = self.end_by(Signal::TERM);
        assert_eq!(status.code(), Some(0), "{said}");
        assert_eq!(sandbox.json(&["audit", "verify"])["ok"], json!(true));
    }

    /// Asks for the end by a signal and waits for it.
    #[track_caller]
    pub(crate) fn end_by(self, signal: Signal) -> (ExitStatus, String) {
        self.signal(signal);
        self.wait()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended already.
        drop(self.child.kill());
        drop(self.child.wait());
        if std::thread::panicking() {
            std::io::stderr().write_all(self.said().as_bytes()).unwrap();
        }
    }
}
