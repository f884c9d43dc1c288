//! `daemon`: the order of a life. Files are checked before anything is called or written; the folder
//! is held before anything is read; a stop by signal ends with a clean checkpoint.

use super::context::Context;
use super::environment::ProcessEnvironment;
use super::output::Answer;
use super::server::{Server, provider_of, runtime};
use crate::config::{self, Config, Severity};
use crate::daemon::{
    self, Agent, Boot, Fresh, Halt, Held, LoadAgain, Patience, Reload, Stop, SystemClock, stop_pair,
};
use crate::failure::Failure;
use crate::provider::OutputSink;
use crate::telemetry;
use std::path::Path;
use std::sync::Arc;

/// Runs until it is asked to stop.
pub(super) fn run(context: &Context) -> Result<Answer, Failure> {
    let loaded = context.load()?;
    let config = &loaded.config;
    let watcher = context.start_log(config.log.level, config.log.format);
    for warning in &loaded.warnings {
        tracing::warn!("{warning}");
    }
    let provider = provider_of(config)?;
    let server = Server::of(&loaded)?;
    let held = daemon::hold(&context.root)?;
    let (stop_handle, stop) = stop_pair();
    let (reload_handle, reload) = Reload::by(load_again(context));
    daemon::listen(stop_handle, Box::new(move || reload_handle.ask()))?;
    say_hello(config);
    let boot = Boot {
        config: loaded.config,
        prompt: loaded.prompt,
        provider,
        patience: Patience::Endless,
        clock: Arc::new(SystemClock),
        stop,
        watcher,
    };
    runtime()?.block_on(Box::pin(live(held, boot, server, reload)))?;
    tracing::info!("stopped");
    Ok(Answer::nothing())
}

fn say_hello(config: &Config) {
    tracing::info!(
        version = env!("CARGO_PKG_VERSION"),
        root = %config.root.display(),
        provider = config.provider.kind.name(),
        model = config.provider.model,
        process = std::process::id(),
        "started"
    );
}

async fn live(
    held: Held,
    boot: Boot,
    server: Option<Server>,
    reload: Reload,
) -> Result<(), Failure> {
    let stop = boot.stop.clone();
    let mut agent = daemon::open(held, boot)?;
    agent.reload_by(reload);
    let ended = match server {
        None => agent.live().await,
        Some(server) => live_beside(&mut agent, &server, &stop).await,
    };
    match ended {
        Ok(()) | Err(Halt::Stopped) => agent.close(),
        Err(Halt::Failed(failure)) => Err(failure),
    }
}

/// Lives with a model server of our own, which ends with this call.
async fn live_beside(agent: &mut Agent, server: &Server, stop: &Stop) -> Result<(), Halt> {
    let output: OutputSink = Arc::new(|line| tracing::info!(line, "model server"));
    // Dropping either arm loses nothing: a server that is coming up ends, and nothing is under way.
    let up = tokio::select! {
        biased;
        () = stop.asked() => return Err(Halt::Stopped),
        up = server.bring_up(OutputSink::clone(&output)) => up,
    };
    // The loop never drops a commit half way: its only waits are pauses and calls. The other arm is
    // a wait for the server's end.
    tokio::select! {
        biased;
        ended = agent.live() => ended,
        never = server.keep_up(up, output) => match never {},
    }
}

/// Reads configuration and prompt again, as a start would.
fn load_again(context: &Context) -> LoadAgain {
    let (root, environment) = (context.root.clone(), context.environment);
    let louder = context.louder;
    Box::new(move || {
        let fresh = read_again(&root, environment)?;
        telemetry::set_level(telemetry::shifted(fresh.config.log.level, louder));
        Ok(fresh)
    })
}

fn read_again(root: &Path, environment: ProcessEnvironment) -> Result<Fresh, Vec<String>> {
    let loaded = config::load(root, &environment).map_err(|problems| {
        let errors = problems
            .iter()
            .filter(|problem| problem.severity == Severity::Error);
        errors
            .map(|problem| format!("{}: {problem}", problem.code))
            .collect::<Vec<_>>()
    })?;
    let provider = provider_of(&loaded.config)
        .map_err(|failure| vec![format!("{}: {}", failure.code, failure.message)])?;
    Ok(Fresh {
        config: loaded.config,
        prompt: loaded.prompt,
        provider,
        warnings: loaded.warnings.iter().map(ToString::to_string).collect(),
    })
}
