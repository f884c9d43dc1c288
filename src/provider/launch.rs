//! Starts a local model server with the configured command, and ends it again. The only place that
//! starts servers. Never passes our secrets on, and never leaves a server running.

use super::fault::one_line;
use super::process_group::{LAST_OUTPUT_WAIT, ProcessGroup};
use super::types::LlmProvider;
use crate::config::{Launch, ProviderConfig};
use crate::failure::{Code, Failure};
use crate::limits::{LAUNCH_LINE_BYTES_MAX, LAUNCH_POLL_MS, LAUNCH_STOP_GRACE_MS};
use std::fmt;
use std::io;
use std::path::Path;
use std::process::Stdio;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt as _};
use tokio::process::Command;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

/// A receiver of the lines that a launched server prints, such as the progress of a download.
pub type OutputSink = Arc<dyn Fn(&str) + Send + Sync>;

/// The variables that no server gets: keys, and the service manager's channels.
// With the channels a child could speak for the daemon.
const PRIVATE_VARIABLES: [&str; 9] = [
    "OPENROUTER_API_KEY",
    "KJXLKJ_API_TOKEN",
    "CREDENTIALS_DIRECTORY",
    "NOTIFY_SOCKET",
    "WATCHDOG_USEC",
    "WATCHDOG_PID",
    "LISTEN_FDS",
    "LISTEN_PID",
    "LISTEN_FDNAMES",
];

/// The text before the address in the line with which a server reports that it is ready.
const READY: &str = "READY ";

/// The address that a server reports, once it listens.
type AddressReceiver = watch::Receiver<Option<String>>;

/// The inputs that are needed to start a server.
#[derive(Clone, Debug)]
pub struct Launcher<'a> {
    launch: &'a Launch,
    root: &'a Path,
    port: Option<u16>,
    private_variables: Vec<&'a str>,
}

impl<'a> Launcher<'a> {
    /// Creates a launcher for `config`, whose `launch` it is.
    /// Relative paths in the command are relative to `root`; `{port}` becomes the port of
    /// `base_url`.
    pub fn new(launch: &'a Launch, config: &ProviderConfig, root: &'a Path) -> Self {
        let url = reqwest::Url::parse(&config.base_url).ok();
        Self {
            launch,
            root,
            port: url.and_then(|url| url.port_or_known_default()),
            private_variables: PRIVATE_VARIABLES.to_vec(),
        }
    }

    /// Creates a launcher of a server that chooses a free port and reports it: `{port}` becomes 0.
    pub fn on_any_port(launch: &'a Launch, root: &'a Path) -> Self {
        Self {
            launch,
            root,
            port: Some(0),
            private_variables: PRIVATE_VARIABLES.to_vec(),
        }
    }

    /// Removes one more variable, such as one with a key, from the server's environment.
    #[must_use]
    pub fn hiding(mut self, variable: &'a str) -> Self {
        self.private_variables.push(variable);
        self
    }

    /// Starts the server and waits until `provider` lists models.
    ///
    /// Cancel safe: dropping the future ends the server. Must be called on a thread that lives as
    /// long as the server should: the kernel ends the server with the thread that started it.
    ///
    /// # Errors
    /// `LLM_UNAVAILABLE` when the server cannot be started, ends early, or is not ready in time;
    /// the message holds its last line of output.
    pub async fn start(
        &self,
        provider: &dyn LlmProvider,
        output: OutputSink,
    ) -> Result<LaunchedServer, Failure> {
        let (launched, _) = self.spawn(&output)?;
        let ready = async {
            while provider.models().await.is_err() {
                sleep(Duration::from_millis(LAUNCH_POLL_MS)).await;
            }
        };
        let (launched, ()) = self.wait(launched, ready, "answer").await?;
        Ok(launched)
    }

    /// Starts the server and waits for a line `READY http://...` on its standard output.
    /// Returns that address, which is one of this machine. No other server can be mistaken for this
    /// one. Needs a thread as [`Launcher::start`] does.
    ///
    /// # Errors
    /// Those of [`Launcher::start`], and `LLM_UNAVAILABLE` for an address of another machine.
    pub async fn start_announced(
        &self,
        output: OutputSink,
    ) -> Result<(LaunchedServer, String), Failure> {
        let (launched, mut announced) = self.spawn(&output)?;
        let ready = async move {
            let said = announced.wait_for(Option::is_some).await;
            match said {
                Ok(said) => said.clone().unwrap_or_default(),
                // Its output has ended, and the server soon ends as well.
                Err(_) => std::future::pending().await,
            }
        };
        let (launched, address) = self.wait(launched, ready, "say READY").await?;
        if is_on_this_machine(&address) {
            return Ok((launched, address));
        }
        launched
            .stop(Duration::from_millis(LAUNCH_STOP_GRACE_MS))
            .await;
        Err(cannot_start(&format!(
            "it says that it listens at {address}, which is no address of this machine"
        )))
    }

    /// Waits until a server is ready, unless it ends first or takes too long to do `what`.
    async fn wait<T>(
        &self,
        mut launched: LaunchedServer,
        ready: impl Future<Output = T>,
        what: &str,
    ) -> Result<(LaunchedServer, T), Failure> {
        let ready_timeout = Duration::from_millis(self.launch.ready_timeout_ms);
        // Neither branch loses anything when dropped: both waits can be started again. The child
        // comes first, so that another server on the same port is not mistaken for one that has
        // already ended.
        let outcome = tokio::select! {
            biased;
            ended = launched.ended() => Some(ended),
            ready = timeout(ready_timeout, ready) => match ready {
                Ok(ready) => return Ok((launched, ready)),
                Err(_) => None,
            },
        };
        let problem = match outcome {
            Some(ended) => format!("ended before it was ready ({ended})"),
            None => format!("did not {what} within {} ms", ready_timeout.as_millis()),
        };
        let last_line = launched.last_line();
        launched
            .stop(Duration::from_millis(LAUNCH_STOP_GRACE_MS))
            .await;
        let message = format!("the launched model server {problem}");
        Err(Failure::new(
            Code::LlmUnavailable,
            match last_line {
                Some(line) => format!("{message}; its last line: {line}"),
                None => format!("{message}; it printed nothing"),
            },
        )
        .hint("Run the command of `provider.launch` by hand to see what it says."))
    }

    fn spawn(&self, output: &OutputSink) -> Result<(LaunchedServer, AddressReceiver), Failure> {
        let words: Vec<String> = self.launch.command.iter().map(|w| self.word(w)).collect();
        let Some(program) = words.first() else {
            return Err(cannot_start("provider.launch.command is empty"));
        };
        // `setpriv` has the kernel end the server when we end, even after `kill -9`. Without it,
        // code would have to run between fork and exec, which is unsafe.
        let tied = ["setpriv", "--pdeathsig", "TERM", "--"].map(str::to_owned);
        let group = match self.command(&[&tied[..], &words].concat()) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                tracing::warn!("no `setpriv` here: the model server may outlive this process");
                self.command(&words)
            }
            group => group,
        };
        let group = group.map_err(|error| cannot_start(&format!("`{program}`: {error}")))?;
        Ok(LaunchedServer::watch(group, output))
    }

    #[expect(
        clippy::disallowed_methods,
        reason = "this is the one place that starts processes"
    )]
    fn command(&self, words: &[String]) -> io::Result<ProcessGroup> {
        let (program, arguments) = words.split_first().ok_or(io::ErrorKind::InvalidInput)?;
        let mut command = Command::new(program);
        command
            .args(arguments)
            .current_dir(self.root)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        for variable in &self.private_variables {
            command.env_remove(variable);
        }
        ProcessGroup::start(&mut command)
    }

    fn word(&self, word: &str) -> String {
        match self.port {
            Some(port) => word.replace("{port}", &port.to_string()),
            None => word.to_owned(),
        }
    }
}

fn is_on_this_machine(address: &str) -> bool {
    let Ok(url) = reqwest::Url::parse(address) else {
        return false;
    };
    let host = url.host_str().unwrap_or_default();
    url.scheme() == "http" && matches!(host, "127.0.0.1" | "[::1]" | "localhost")
}

fn cannot_start(what: &str) -> Failure {
    Failure::new(
        Code::LlmUnavailable,
        format!("the model server cannot be started: {what}"),
    )
}

/// A server that we started.
/// Dropping it kills the whole process group at once.
// A drop cannot wait, and a model server has no data to lose. [`LaunchedServer::stop`] asks first.
pub struct LaunchedServer {
    group: ProcessGroup,
    /// The readers of its output; they end with this value.
    readers: JoinSet<()>,
    last_line: Arc<Mutex<Option<String>>>,
}

impl LaunchedServer {
    fn watch(mut group: ProcessGroup, output: &OutputSink) -> (Self, AddressReceiver) {
        let last_line = Arc::new(Mutex::new(None));
        let mut readers = JoinSet::new();
        let note = || {
            let (last_line, output) = (Arc::clone(&last_line), Arc::clone(output));
            move |line: &str| {
                output(line);
                *last_line.lock().unwrap_or_else(PoisonError::into_inner) = Some(line.to_owned());
            }
        };
        let (announce, announced) = watch::channel(None);
        if let Some(pipe) = group.leader.stdout.take() {
            let note = note();
            readers.spawn(read_lines(pipe, move |line: &str| {
                note(line);
                let said = line.strip_prefix(READY).map(str::trim_start);
                if let Some(address) = said.and_then(|said| said.split(' ').next()) {
                    announce.send_replace(Some(address.to_owned()));
                }
            }));
        }
        if let Some(pipe) = group.leader.stderr.take() {
            readers.spawn(read_lines(pipe, note()));
        }
        let launched = Self {
            group,
            readers,
            last_line,
        };
        (launched, announced)
    }

    /// Returns the process id of the server, which is also the id of its process group.
    pub fn process_id(&self) -> Option<u32> {
        self.group.leader.id()
    }

    /// Returns the last line that the server printed.
    pub fn last_line(&self) -> Option<String> {
        let line = self.last_line.lock();
        line.unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Waits until the server ends by itself, then kills the rest of its group.
    /// Returns the exit status. Cancel safe.
    pub async fn ended(&mut self) -> String {
        let status = self.group.leader.wait().await;
        self.group.kill();
        let all_read = async { while self.readers.join_next().await.is_some() {} };
        // After the timeout the last lines are not waited for.
        if timeout(LAST_OUTPUT_WAIT, all_read).await.is_err() {
            self.readers.abort_all();
        }
        status.map_or_else(|error| error.to_string(), |status| status.to_string())
    }

    /// Asks the server to end, kills it after `grace`, and returns when it has ended.
    pub async fn stop(mut self, grace: Duration) {
        self.group.end(grace).await;
        self.ended().await;
    }
}

impl fmt::Debug for LaunchedServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Launched")
            .field("process_id", &self.process_id())
            .finish_non_exhaustive()
    }
}

/// Reads a pipe to its end, so that the server never blocks, and passes on each line.
/// The lines hold no control characters. A carriage return ends a line too, as progress bars use
/// it.
async fn read_lines(mut pipe: impl AsyncRead + Unpin, note: impl Fn(&str)) {
    let mut line = Vec::new();
    let mut chunk = [0_u8; 1024];
    let emit = |line: &mut Vec<u8>| {
        let text = one_line(&String::from_utf8_lossy(line));
        line.clear();
        if !text.is_empty() {
            note(&text);
        }
    };
    while let Ok(count @ 1..) = pipe.read(&mut chunk).await {
        for &byte in chunk.iter().take(count) {
            if matches!(byte, b'\n' | b'\r') || line.len() == LAUNCH_LINE_BYTES_MAX {
                emit(&mut line);
            }
            if !matches!(byte, b'\n' | b'\r') {
                line.push(byte);
            }
        }
    }
    emit(&mut line);
}
