//! The model server of a configuration: reaching it, and bringing up one that this program starts
//! itself. Asks it nothing but its list of models.

use super::environment;
use crate::config::{
    Config, Environment, Launch, Loaded, NamedProvider, ProviderConfig, ProviderKind, read_file,
};
use crate::daemon::{
    EndsWithin, HangUp, RuleServers, Servers, SystemClock, check_for_start, listen, stop_pair,
};
use crate::failure::{Code, Failure};
use crate::limits::{SCRIPT_BYTES_MAX, STOP_BESIDE_MS};
use crate::provider::{
    Launched, Launcher, LlmProvider, OutputSink, Scratch, Sleeper as _, Surroundings, connect_in,
    variables_of,
};
use crate::store::scratch::{ScratchFolder, sweep};
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use tokio::runtime::{Builder, Runtime};

/// First pause before a launched server that ended is started again.
const RESTART_PAUSE_MIN: Duration = Duration::from_secs(1);

/// Longest such pause.
const RESTART_PAUSE_MAX: Duration = Duration::from_mins(1);

/// The runtime on which a verb waits for the model.
pub(super) fn runtime() -> Result<Runtime, Failure> {
    check_for_start()?;
    let built = Builder::new_current_thread().enable_all().build();
    built.map_err(|error| {
        let message = format!("the runtime cannot be made: {error}");
        Failure::new(Code::Internal, message)
    })
}

/// Waits on a runtime of its own for work that asks a model. What runs beside it, such as a verb that
/// only reads or the look-up of a name that nobody answers, is waited for only a moment then.
pub(super) fn wait_for<T>(work: impl Future<Output = Result<T, Failure>>) -> Result<T, Failure> {
    let runtime = runtime()?;
    let ended = runtime.block_on(Box::pin(work));
    runtime.shutdown_timeout(Duration::from_millis(STOP_BESIDE_MS));
    ended
}

/// Waits for the model, or until a signal asks for the end: then the question is given up, with whatever
/// program was to answer it, and there is nothing.
pub(super) fn unless_stopped<T>(question: impl Future<Output = T>) -> Result<Option<T>, Failure> {
    let (handle, stop) = stop_pair();
    listen(handle, EndsWithin::Deadline, HangUp::Ends)?;
    wait_for(async {
        tokio::select! {
            biased;
            () = stop.asked() => Ok(None),
            answer = question => Ok(Some(answer)),
        }
    })
}

/// The provider of a configuration. Opens no connection; reads the script of a scripted one, and the
/// variables that a program may be given.
pub(super) fn provider_of(
    config: &Config,
    environment: &dyn Environment,
) -> Result<Box<dyn LlmProvider>, Failure> {
    provider_at(&config.root, &config.provider, environment)
}

/// The same with each entry of `providers`.
pub(super) fn servers_of(
    config: &Config,
    environment: &dyn Environment,
) -> Result<Servers, Failure> {
    let made = |listed: &NamedProvider| provider_at(&config.root, &listed.config, environment);
    Ok(Servers {
        main: provider_of(config, environment)?,
        listed: config
            .providers
            .iter()
            .map(made)
            .collect::<Result<_, _>>()?,
    })
}

/// The servers of rules that ask others than the configuration does.
pub(super) fn servers_of_rules(
    config: &Config,
    environment: &dyn Environment,
) -> Result<RuleServers, Failure> {
    let own = config
        .actions
        .iter()
        .filter(|(_, action)| action.has_own_servers);
    own.map(|(rule_id, action)| Ok((*rule_id, servers_of(&action.config, environment)?)))
        .collect()
}

/// A provider of the configuration below `root`.
pub(super) fn provider_at(
    root: &Path,
    provider: &ProviderConfig,
    environment: &dyn Environment,
) -> Result<Box<dyn LlmProvider>, Failure> {
    let mut around = Surroundings::default();
    if provider.kind == ProviderKind::Cli {
        let known = |name: &'static str| Some((name.to_owned(), environment.get(name)?));
        let names = variables_of(&provider.command).into_iter();
        around.environment = names.filter_map(known).collect();
        let place = std::env::temp_dir();
        sweep(&place);
        around.scratch = Arc::new(Temporary { place });
    }
    if provider.kind == ProviderKind::Scripted {
        around.script_text = Some(script_at(&root.join(&provider.model))?);
    }
    connect_in(provider, around)
}

/// Gives each call of a program a folder of its own, which goes with the call.
#[derive(Debug)]
struct Temporary {
    place: PathBuf,
}

impl Scratch for Temporary {
    fn folder(&self) -> io::Result<Box<dyn AsRef<Path> + Send>> {
        Ok(Box::new(ScratchFolder::make(&self.place)?))
    }
}

/// The text of a script.
pub(super) fn script_at(path: &Path) -> Result<String, Failure> {
    let code = Code::ConfigSchemaInvalid;
    let worded = |what: &dyn std::fmt::Display| format!("script `{}`: {what}", path.display());
    let read = read_file(path, SCRIPT_BYTES_MAX);
    let bytes = read.map_err(|problem| problem.failure(code, worded(&problem)))?;
    String::from_utf8(bytes).map_err(|_| Failure::new(code, worded(&"it is not UTF-8")))
}

/// A model server that the configuration says how to start.
#[derive(Debug)]
pub(super) struct Server {
    config: Config,
    launch: Launch,
    /// The variables that hold a key of ours.
    private_variables: Vec<String>,
    provider: Box<dyn LlmProvider>,
}

/// How a server came to answer.
#[derive(Debug)]
pub(super) enum Up {
    /// Somebody else runs it.
    Already,
    /// We started it; it ends with this value.
    Ours(Launched),
}

impl Server {
    /// The server to be started, if the configuration has one.
    pub(super) fn of(loaded: &Loaded) -> Result<Option<Self>, Failure> {
        let Some(launch) = loaded.config.provider.launch.clone() else {
            return Ok(None);
        };
        Ok(Some(Self {
            config: loaded.config.clone(),
            launch,
            private_variables: environment::holding(&loaded.config.secrets()),
            // What is launched is a server, which is given no variables.
            provider: provider_of(&loaded.config, &BTreeMap::new())?,
        }))
    }

    /// How long it may take until it answers, in milliseconds.
    pub(super) const fn ready_timeout_ms(&self) -> u64 {
        self.launch.ready_timeout_ms
    }

    /// Starts the server unless one answers already, and waits until it does. Cancel safe: dropping
    /// the future ends what was started.
    pub(super) async fn bring_up(&self, output: OutputSink) -> Result<Up, Failure> {
        match self.provider.models().await {
            Err(error) if error.is_nobody_there() => {}
            // Whatever else is wrong with it, somebody answers at the address.
            Ok(_) | Err(_) => return Ok(Up::Already),
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
        Ok(Up::Ours(launched))
    }

    /// Keeps a server up: starts it again whenever it ends, with growing pauses; one that somebody else
    /// runs is looked at now and then. Never returns; dropping the future ends a server of ours.
    pub(super) async fn keep_up(&self, up: Result<Up, Failure>, output: OutputSink) -> Infallible {
        let mut up = up;
        let mut pause = RESTART_PAUSE_MIN;
        loop {
            match up {
                // Whoever runs it may end it.
                Ok(Up::Already) => pause = RESTART_PAUSE_MAX,
                Ok(Up::Ours(mut launched)) => {
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
            up = self.bring_up(OutputSink::clone(&output)).await;
        }
    }
}
