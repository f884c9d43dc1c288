//! `daemon` and `stop`: the order of its start and end. Files are checked before any call or write;
//! the folder is locked before any read; a stop by signal ends with a clean checkpoint.

use super::forwarding::forward;
use super::server::{Server, servers_of, wait_for};
use super::{Context, VerbOutput, words_of};
use crate::api::{self, Bounds, Control, ListenConfig, OpenSockets};
use crate::config::{self, Config, Environment as _, LogFormat, Severity};
use crate::daemon::{
    self, Agent, Boot, ConfigLoader, Envelope, Halt, HangupCall, Heartbeat, LockedRoot,
    OutagePolicy, Purpose, Reload, ReloadedConfig, ServiceManager, ShutdownLimit, SystemClock,
    SystemEvents, command_channel, stop_pair, store_options,
};
use crate::failure::{Code, Failure};
use crate::provider::OutputSink;
use crate::service::stop::stop as service_stop;
use crate::service::{ActiveConfig, Session, hold};
use crate::store::FileWatch;
use crate::store::disk::RealDisk;
use crate::telemetry::{self, LogSink, messages};
use serde_json::json;
use std::io;
use std::path::Path;
use std::sync::Arc;
use tokio::sync::mpsc;
use tracing::Level;

/// The variable with which a service manager names its socket.
const NOTIFY_SOCKET: &str = "NOTIFY_SOCKET";

/// Runs until it is asked to stop.
/// A failure is logged as an error with its code where the journal of systemd reads standard error.
pub(super) fn run(context: &Context) -> Result<VerbOutput, Failure> {
    match run_until_asked(context) {
        Err(failure) if context.place() != LogSink::Stderr => {
            // Logging may not have started.
            context.start_log(Level::INFO, LogFormat::Auto);
            let (code, hints) = (failure.code.as_str(), failure.hints.join(" "));
            tracing::error!(name: messages::FAILED, code, hints, "{}", failure.message);
            Ok(VerbOutput::nothing().with_exit(failure.exit()))
        }
        ended => ended,
    }
}

fn run_until_asked(context: &Context) -> Result<VerbOutput, Failure> {
    daemon::check_for_daemon()?;
    let loaded = context.load()?;
    let config = &loaded.config;
    let observer = context.start_log(config.log.level, config.log.format);
    for warning in &loaded.warnings {
        tracing::warn!("{warning}");
    }
    let servers = servers_of(config, &context.environment)?;
    let server = Server::of(&loaded)?;
    let held = hold(&context.session, Purpose::Daemon)?;
    let (stop_handle, stop) = stop_pair();
    let ends = stop_handle.clone();
    let in_force = ActiveConfig::since_start(&loaded);
    let (reload_handle, reload) = Reload::by(config_loader(context, in_force.clone()));
    let on_hang_up = Some(Box::new(move || reload_handle.ask()) as HangupCall);
    daemon::listen(stop_handle, ShutdownLimit::Deadline, on_hang_up)?;
    log_start(config);
    let (commands, envelopes) = command_channel();
    let mut heartbeat = Heartbeat::default();
    if context.environment.get(NOTIFY_SOCKET).is_some()
        && let Some(manager) = ServiceManager::of(&heartbeat)
    {
        heartbeat.set_service_manager(manager);
    }
    let clock = Arc::new(SystemClock);
    let mut served = context.clone();
    served.session.commands = Some(commands);
    served.session.in_force = Some(in_force);
    served.stop = Some(ends);
    let control = Control {
        heartbeat: heartbeat.clone(),
        clock: clock.clone(),
        session: Session {
            named_root: None,
            ..served.session.clone()
        },
        verbs: Arc::new(served),
    };
    let boot = Boot {
        config: loaded.config,
        prompt: loaded.prompt,
        servers,
        patience: OutagePolicy::Endless,
        clock,
        stop,
        observer,
    };
    let parts = DaemonParts {
        server,
        reload,
        envelopes,
        heartbeat,
    };
    wait_for(live(held, boot, control, parts))?;
    tracing::info!(name: messages::STOPPED, "stopped");
    Ok(VerbOutput::nothing())
}

fn log_start(config: &Config) {
    let (name, provider) = config.first_provider();
    tracing::info!(
        name: messages::STARTED,
        version = env!("CARGO_PKG_VERSION"),
        root = %config.root.display(),
        provider = name.unwrap_or_else(|| provider.kind.name()),
        model = provider.model,
        process = std::process::id(),
        "started"
    );
}

/// Has the system report changed files, where it is known to report all of them.
fn watch(root: &Path, kv_path: &Path) -> io::Result<SystemEvents> {
    let number = RealDisk::open(root, false)?.file_system()?;
    if SHARED.contains(&number) {
        let unseen = "others may write to this file system unseen";
        return Err(io::Error::other(unseen));
    }
    SystemEvents::of(FileWatch::open(root, kv_path)?)
}

/// The file systems on which the system misses changes, by their numbers in Linux.
/// They are NFS, CIFS, SMB, 9p, FUSE, Ceph, AFS, Coda.
const SHARED: [u64; 8] = [
    0x6969,
    0xFF53_4D42,
    0xFE53_4D42,
    0x0102_1997,
    0x6573_5546,
    0x00C3_6400,
    0x5346_414F,
    0x7375_7245,
];

#[derive(Debug)]
struct DaemonParts {
    server: Option<Server>,
    reload: Reload,
    envelopes: mpsc::Receiver<Envelope>,
    heartbeat: Heartbeat,
}

async fn live(
    held: LockedRoot,
    boot: Boot,
    control: Control,
    parts: DaemonParts,
) -> Result<(), Failure> {
    // Before the store writes: a server at the socket holds the root, whatever happened to the
    // lock.
    let sockets = ListenConfig {
        socket: boot.config.api.socket,
        tcp: boot.config.api.tcp.as_ref().map(|(at, token)| (*at, token)),
        bounds: Bounds::default(),
    };
    let mut listening = api::open(&sockets, &control, boot.stop.clone())?;
    if let Some(address) = listening.tcp {
        tracing::info!(%address, "listening");
    }
    let ended = Box::pin(live_behind(&mut listening, held, boot, parts)).await;
    // The loop has ended, so no further answer is made; the finished ones still have to be sent.
    listening.drain();
    ended
}

/// Runs the daemon behind open listeners, and ends it in order.
async fn live_behind(
    listening: &mut OpenSockets,
    held: LockedRoot,
    boot: Boot,
    parts: DaemonParts,
) -> Result<(), Failure> {
    let server = parts.server;
    let root = boot.config.root.clone();
    let kv_path = store_options(&boot.config).kv_path;
    let mut agent = daemon::open(held, boot)?;
    agent.reload_by(parts.reload);
    agent.serve_by(parts.envelopes);
    let starts_within_ms = server.as_ref().map_or(0, Server::ready_timeout_ms);
    agent.set_heartbeat(parts.heartbeat, starts_within_ms);
    match watch(&root, &kv_path) {
        Ok(events) => agent.watch_by(Box::new(events)),
        Err(error) => tracing::warn!("{}", daemon::unwatched(&error)),
    }
    let ended = match server {
        None => agent.live().await,
        Some(server) => live_beside(&mut agent, &server).await,
    };
    agent.report_end();
    listening.hide();
    agent.serve_no_more();
    match ended {
        Ok(()) | Err(Halt::Stopped | Halt::Preempted) => agent.close(),
        Err(Halt::Failed(failure)) => Err(failure),
    }
}

/// Runs the daemon with a model server of our own, which ends with this call.
async fn live_beside(agent: &mut Agent, server: &Server) -> Result<(), Halt> {
    let output: OutputSink = Arc::new(|line| tracing::debug!(line, "model server"));
    // Dropping it loses nothing: a starting server ends, and no call is under way.
    let coming_up = server.start_if_needed(OutputSink::clone(&output));
    let up = agent.serve_until(coming_up).await?;
    // The loop never drops a commit half way: its only waits are pauses and calls. The other arm is
    // a wait for the server's end.
    tokio::select! {
        biased;
        ended = agent.live() => ended,
        never = server.keep_running(up, output) => match never {},
    }
}

/// Returns a function that reads configuration and prompt as at a start.
fn config_loader(context: &Context, in_force: ActiveConfig) -> ConfigLoader {
    let (root, environment) = (context.session.root().to_owned(), context.environment);
    let louder = context.message_style.verbosity;
    Box::new(move || {
        let loaded = config::load(&root, &environment).map_err(|problems| {
            let errors = problems.iter().filter(|it| it.severity == Severity::Error);
            let words = errors.map(|problem| format!("{}: {problem}", problem.code));
            words.collect::<Vec<_>>()
        })?;
        let servers = servers_of(&loaded.config, &environment)
            .map_err(|failure| vec![format!("{}: {}", failure.code, failure.message)])?;
        in_force.renew(&loaded);
        telemetry::set_level(telemetry::shifted(loaded.config.log.level, louder));
        Ok(ReloadedConfig {
            config: loaded.config,
            prompt: loaded.prompt,
            servers,
            warnings: loaded.warnings.iter().map(ToString::to_string).collect(),
        })
    })
}

/// Ends the daemon of the root, if one runs.
/// Within a daemon it stops this process.
pub(super) fn stop(context: &Context) -> Result<VerbOutput, Failure> {
    if let Some(stop) = &context.stop {
        stop.stop();
        let data = json!({"stopping": true, "process": std::process::id()});
        return context.answer(&data, |_| "stopping".to_owned());
    }
    let stopped = service_stop(&context.session, || {
        let held = Failure::new(Code::DataLocked, "a daemon holds the data folder");
        forward(context, words_of(context.format(), &["stop"]), held).map(drop)
    })?;
    context.answer(&stopped, |stopped| match stopped.process {
        Some(process) => format!("stopped: process {process}"),
        None if stopped.stopped => "stopped".to_owned(),
        None => format!("no daemon runs in {}", context.session.root().display()),
    })
}
