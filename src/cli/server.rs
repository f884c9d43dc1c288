//! The model servers of a configuration: connects to them, and starts one that has a launch
//! command. Asks it nothing but its list of models.

use super::environment;
use crate::config::{
    Config, Environment, Launch, LoadedConfig, ProviderConfig, ProviderKind, read_file,
};
use crate::daemon::{Servers, ShutdownLimit, SystemClock, check_for_start, listen, stop_pair};
use crate::failure::{Code, Failure};
use crate::limits::{SCRIPT_BYTES_MAX, STOP_BESIDE_MS};
use crate::provider::{
    LaunchedServer, Launcher, LlmProvider, OutputSink, ProviderEnvironment, Scratch, Sleeper as _,
    connect_in, variables_of,
};
use crate::store::scratch::{ScratchFolder, sweep};
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use tokio::runtime::{Builder, Runtime};

/// The first pause before a launched server that ended is started again.
const RESTART_PAUSE_MIN: Duration = Duration::from_secs(1);
const RESTART_PAUSE_MAX: Duration = Duration::from_mins(1);

/// Creates the runtime on which a verb waits for the model.
pub(super) fn runtime() -> Result<Runtime, Failure> {
    check_for_start()?;
    let built = Builder::new_current_thread().enable_all().build();
    built.map_err(|error| {
        let message = format!("the runtime cannot be made: {error}");
        Failure::new(Code::Internal, message)
    })
}

/// Waits on a runtime of its own for work that asks a model.
/// Other work on it, such as a verb that only reads or the look-up of a host name, then gets only a
/// short time to end.
pub(super) fn wait_for<T>(work: impl Future<Output = Result<T, Failure>>) -> Result<T, Failure> {
    let runtime = runtime()?;
    let ended = runtime.block_on(Box::pin(work));
    runtime.shutdown_timeout(Duration::from_millis(STOP_BESIDE_MS));
    ended
}

/// Waits for the model, or until a signal asks for the end.
/// Then the call is given up, any program that was to answer it ends, and the result is `None`.
pub(super) fn unless_stopped<T>(question: impl Future<Output = T>) -> Result<Option<T>, Failure> {
    let (handle, stop) = stop_pair();
    listen(handle, ShutdownLimit::Deadline, None)?;
    wait_for(async {
        tokio::select! {
            biased;
            () = stop.asked() => Ok(None),
            answer = question => Ok(Some(answer)),
        }
    })
}

/// Returns the provider of a configuration.
/// Opens no connection; reads the script of a scripted one, and the variables that a program may
/// get.
pub(super) fn provider_of(
    config: &Config,
    environment: &dyn Environment,
) -> Result<Box<dyn LlmProvider>, Failure> {
    provider_at(&config.root, &config.provider, environment)
}

/// Returns the servers of a configuration and of its rules.
pub(super) fn servers_of(
    config: &Config,
    environment: &dyn Environment,
) -> Result<Servers, Failure> {
    Servers::connect(config, &|provider| {
        provider_at(&config.root, provider, environment)
    })
}

/// Returns a provider of the configuration below `root`.
pub(super) fn provider_at(
    root: &Path,
    provider: &ProviderConfig,
    environment: &dyn Environment,
) -> Result<Box<dyn LlmProvider>, Failure> {
    let mut around = ProviderEnvironment::default();
    if provider.kind == ProviderKind::Cli {
        let known = |name: &'static str| Some((name.to_owned(), environment.get(name)?));
        let names = variables_of(&provider.command).into_iter();
        around.environment = names.filter_map(known).collect();
        let place = std::env::temp_dir();
        sweep(&place);
        around.scratch = Arc::new(TemporaryFolders(place));
    }
    if provider.kind == ProviderKind::Scripted {
        around.script_text = Some(script_at(&root.join(&provider.model))?);
    }
    connect_in(provider, around)
}

/// A place with a folder for each call of a program; the folder is removed with the call.
#[derive(Debug)]
struct TemporaryFolders(PathBuf);

impl Scratch for TemporaryFolders {
    fn folder(&self) -> io::Result<Box<dyn AsRef<Path> + Send>> {
        Ok(Box::new(ScratchFolder::make(&self.0)?))
    }
}

pub(super) fn script_at(path: &Path) -> Result<String, Failure> {
    let code = Code::ConfigSchemaInvalid;
    let worded = |what: &dyn std::fmt::Display| format!("script `{}`: {what}", path.display());
    let read = read_file(path, SCRIPT_BYTES_MAX);
    let bytes = read.map_err(|problem| problem.failure(code, worded(&problem)))?;
    String::from_utf8(bytes).map_err(|_| Failure::new(code, worded(&"it is not UTF-8")))
}

/// A model server with a launch command.
#[derive(Debug)]
pub(super) struct Server {
    config: Config,
    launch: Launch,
    /// The names of the variables that hold a key of ours.
    private_variables: Vec<String>,
    provider: Box<dyn LlmProvider>,
}

/// The way in which a server is running.
#[derive(Debug)]
pub(super) enum RunningServer {
    /// It was started by another process.
    Already,
    /// We started it; it ends with this value.
    Ours(LaunchedServer),
}

impl Server {
    /// Returns the server to launch, if the configuration has one.
    pub(super) fn of(loaded: &LoadedConfig) -> Result<Option<Self>, Failure> {
        let Some(launch) = loaded.config.provider.launch.clone() else {
            return Ok(None);
        };
        Ok(Some(Self {
            config: loaded.config.clone(),
            launch,
            private_variables: environment::holding(&loaded.config.secrets()),
            // A launched provider is a server, which gets no variables.
            provider: provider_of(&loaded.config, &BTreeMap::new())?,
        }))
    }

    /// Returns the longest time until it answers, in milliseconds.
    pub(super) const fn ready_timeout_ms(&self) -> u64 {
        self.launch.ready_timeout_ms
    }

    /// Starts the server unless one answers already, and waits until it does.
    /// Cancel safe: dropping the future ends the started server.
    pub(super) async fn start_if_needed(
        &self,
        output: OutputSink,
    ) -> Result<RunningServer, Failure> {
        match self.provider.models().await {
            Err(error) if error.is_nobody_there() => {}
            // Any other error still means that a server answers at the address.
            Ok(_) | Err(_) => return Ok(RunningServer::Already),
        }
        let launcher = Launcher::new(&self.launch, &self.config.provider, &self.config.root);
        let names = self.private_variables.iter();
        let launcher = names.fold(launcher, |launcher, name| launcher.hiding(name));
        let program = self.launch.command.first();
        tracing::info!(
            program,
            "starting the model server; its own lines are at level debug"
        );
        let launched = launcher.start(self.provider.as_ref(), output).await?;
        tracing::info!("the model server answers");
        Ok(RunningServer::Ours(launched))
    }

    /// Keeps a server running: starts it again whenever it ends, with growing pauses.
    /// A server that another process started is checked now and then. Never returns; dropping the
    /// future ends a server of ours.
    pub(super) async fn keep_running(
        &self,
        up: Result<RunningServer, Failure>,
        output: OutputSink,
    ) -> Infallible {
        let mut up = up;
        let mut pause = RESTART_PAUSE_MIN;
        loop {
            match up {
                // Its owner may end it.
                Ok(RunningServer::Already) => pause = RESTART_PAUSE_MAX,
                Ok(RunningServer::Ours(mut launched)) => {
                    pause = RESTART_PAUSE_MIN;
                    let how = launched.ended().await;
                    tracing::warn!(how, "the model server ended and is started again");
                }
                Err(failure) => {
                    tracing::warn!(code = %failure.code, "{}", failure.message);
                }
            }
            SystemClock.sleep(pause).await;
            pause = pause.saturating_mul(2).min(RESTART_PAUSE_MAX);
            up = self.start_if_needed(OutputSink::clone(&output)).await;
        }
    }
}
