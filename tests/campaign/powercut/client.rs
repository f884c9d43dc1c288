//! A small client of the control socket, and the real program as a child.

#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a campaign may stop at once; it plays the person and the machine"
)]

use super::witness::{By, Fact, Witness};
use rustix::process::{Pid, Signal, kill_process};
use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Longest wait for anything that the program has to do.
const DEADLINE: Duration = Duration::from_secs(40);

/// How the program is started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Syncs {
    /// As it is.
    True,
    /// Each of its syncs says that it is done, and does nothing.
    Lying,
}

/// The program with a root and some words.
pub(crate) fn program(syncs: Syncs, root: &Path, words: &[&str]) -> Command {
    let path = env!("CARGO_BIN_EXE_kjxlkj-agent");
    let mut command = match syncs {
        Syncs::True => Command::new(path),
        Syncs::Lying => {
            let mut command = Command::new("strace");
            let calls = "fsync,fdatasync,syncfs,sync,sync_file_range";
            command.args(["-f", "-qq", "-o", "/dev/null", "-e"]);
            command.args([format!("trace={calls}"), "-e".to_owned()]);
            command.args([format!("inject={calls}:retval=0"), path.to_owned()]);
            command
        }
    };
    command.arg("--root").arg(root).args(words);
    command.stdin(Stdio::null());
    command
}

/// Runs a verb to its end; gives what it printed, or how it failed.
pub(crate) fn verb(syncs: Syncs, root: &Path, words: &[&str]) -> Result<String, (i32, String)> {
    let output = program(syncs, root, words).output().unwrap();
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let said = [&output.stdout[..], &output.stderr[..]].concat();
    let said = String::from_utf8_lossy(&said);
    let what = format!("`{}`: {} {}", words.join(" "), output.status, said.trim());
    Err((output.status.code().unwrap_or(-1), what))
}

/// Waits until something is so, or says that it never was.
pub(crate) fn wait<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> Result<T, String> {
    let end = Instant::now() + DEADLINE;
    loop {
        if let Some(found) = look() {
            return Ok(found);
        }
        if Instant::now() > end {
            return Err(format!("never came: {what}"));
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// A running daemon. Dropping it kills it.
#[derive(Debug)]
pub(crate) struct Daemon {
    child: Child,
    syncs: Syncs,
    root: PathBuf,
    log: PathBuf,
}

impl Daemon {
    /// Starts one that says what it has to say into a file.
    pub(crate) fn spawn(syncs: Syncs, root: &Path, log: &Path) -> Self {
        let mut command = program(syncs, root, &["daemon"]);
        command.stdout(Stdio::null());
        command.stderr(File::create(log).unwrap());
        Self {
            child: command.spawn().unwrap(),
            syncs,
            root: root.to_owned(),
            log: log.to_owned(),
        }
    }

    /// Waits until something is so, while the daemon lives.
    pub(crate) fn wait<T>(
        &mut self,
        what: &str,
        mut look: impl FnMut() -> Option<T>,
    ) -> Result<T, String> {
        let found = wait(what, || {
            if let Some(status) = self.child.try_wait().unwrap() {
                return Some(Err(status));
            }
            look().map(Ok)
        })?;
        found.map_err(|status| format!("the daemon ended by itself: {status}{}", self.said()))
    }

    /// The last lines that it said.
    fn said(&self) -> String {
        let said = std::fs::read_to_string(&self.log).unwrap_or_default();
        let lines: Vec<&str> = said.lines().rev().take(3).collect();
        lines
            .iter()
            .rev()
            .fold(String::new(), |said, line| said + "\n    " + line)
    }

    /// The program's own process.
    fn process(&self) -> Option<Pid> {
        let own = self.child.id();
        let process = match self.syncs {
            Syncs::True => i32::try_from(own).unwrap(),
            Syncs::Lying => {
                let children = format!("/proc/{own}/task/{own}/children");
                let children = std::fs::read_to_string(children).unwrap_or_default();
                children.split_whitespace().next()?.parse().ok()?
            }
        };
        Pid::from_raw(process)
    }

    /// Sends a signal, and waits for the end; says whether it was a good one.
    pub(crate) fn end(mut self, signal: Signal) -> Result<(), String> {
        if let Some(process) = self.process() {
            kill_process(process, signal).map_err(|error| error.to_string())?;
        }
        let status = wait("the daemon's end", || self.child.try_wait().unwrap())?;
        if status.success() || signal == Signal::KILL {
            return Ok(());
        }
        let said = self.said();
        Err(format!("the daemon did not end well: {status}{said}"))
    }

    /// Asks something over the control socket; gives status and body.
    pub(crate) fn ask(
        &self,
        method: &str,
        path: &str,
        body: &str,
    ) -> Result<(u16, String), String> {
        let failed = |error: io::Error| format!("{method} {path}: {error}");
        let mut stream = connect(&self.root).map_err(failed)?;
        let length = body.len();
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\
             Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
        )
        .map_err(failed)?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer).map_err(failed)?;
        let status = answer.split(' ').nth(1).and_then(|word| word.parse().ok());
        let status = status.ok_or_else(|| format!("{method} {path}: no answer"))?;
        let body = answer.split_once("\r\n\r\n").unwrap_or_default().1;
        Ok((status, body.to_owned()))
    }

    /// Notes every event from a commit on, until the daemon ends.
    pub(crate) fn listen(&self, after: u64, witness: &Arc<Witness>) -> Result<Listener, String> {
        let failed = |error: io::Error| format!("/v1/events: {error}");
        let mut stream = connect(&self.root).map_err(failed)?;
        write!(
            stream,
            "GET /v1/events?after={after} HTTP/1.1\r\nHost: localhost\r\n\r\n"
        )
        .map_err(failed)?;
        let witness = Arc::clone(witness);
        Ok(Listener(std::thread::spawn(move || {
            for line in BufReader::new(stream).lines().map_while(Result::ok) {
                let number = line.strip_prefix("id:").map(str::trim);
                if let Some(seq) = number.and_then(|number| number.parse().ok()) {
                    witness.note(By::Event, Fact::Commit(seq));
                }
            }
        })))
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        if let Ok(None) = self.child.try_wait() {
            if let Some(process) = self.process() {
                kill_process(process, Signal::KILL).unwrap_or_default();
            }
            self.child.kill().unwrap_or_default();
            self.child.wait().map(drop).unwrap_or_default();
        }
    }
}

/// Reads events until there are no more.
#[derive(Debug)]
pub(crate) struct Listener(JoinHandle<()>);

impl Listener {
    /// Waits until there are no more.
    pub(crate) fn end(self) {
        self.0.join().unwrap();
    }
}

/// A stream to the control socket, by a path that is short enough.
fn connect(root: &Path) -> io::Result<UnixStream> {
    let stream = UnixStream::connect(root.join("data/control.sock"))?;
    stream.set_read_timeout(Some(DEADLINE))?;
    Ok(stream)
}
