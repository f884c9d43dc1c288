//! `once` and `run`: one iteration, or one run to its end, while a person waits. An unreachable
//! server ends them, a signal stops them between commits, and commits stay.

use super::arguments::{Format, RunOptions};
use super::follow::ScreenObserver;
use super::runs::text_with;
use super::server::{Server, servers_of, wait_for};
use super::{Context, VerbOutput};
use crate::config::{LoadedConfig, LogFormat, ProviderKind};
use crate::core::run::{Run, RunState, StopReason, Trigger};
use crate::daemon::{
    self, Agent, Boot, Halt, LockedRoot, LogObserver, Observer, OutagePolicy, Purpose, Servers,
    ShutdownLimit, Stop, SystemClock, stop_pair,
};
use crate::failure::{Code, Exit, Failure};
use crate::ids::{EventId, RunId};
use crate::provider::{OutputSink, Sleeper as _};
use crate::service::runs::request_text;
use crate::service::{RunView, hold, warn_after};
use std::sync::Arc;
use std::time::Duration;
use tracing::Level;
use uuid::Uuid;

/// The pause between two looks into the inbox while a request in it must stay unchanged.
const INBOX_POLL: Duration = Duration::from_millis(50);

pub(super) fn run(context: &Context, mut work: RunOptions) -> Result<VerbOutput, Failure> {
    let loaded = context.load()?;
    work.task = work.task.map(|task| request_text(&task)).transpose()?;
    let log_format = match (loaded.config.log.format, context.format()) {
        // Between lines for a person, JSON objects would only be noise.
        (LogFormat::Auto, Format::Text) => LogFormat::Text,
        (format, _) => format,
    };
    context.start_log(Level::WARN, log_format);
    for warning in &loaded.warnings {
        context.warn(&warning.to_string());
    }
    let servers = servers_of(&loaded.config, &context.environment)?;
    let server = Server::of(&loaded)?;
    let purpose = if work.is_once {
        Purpose::Once
    } else {
        Purpose::Run
    };
    let held = hold(&context.session, purpose)?;
    let (stop_handle, stop) = stop_pair();
    daemon::listen(stop_handle, ShutdownLimit::Deadline, None)?;
    let boot = boot_of(context, loaded, servers, stop);
    wait_for(drive(context, held, boot, server, &work))
}

/// Returns the parts of an agent for a verb for which a person waits.
pub(super) fn boot_of(
    context: &Context,
    loaded: LoadedConfig,
    servers: Servers,
    stop: Stop,
) -> Boot {
    let observer = observer(context, loaded.config.first_provider().1.kind);
    Boot {
        config: loaded.config,
        prompt: loaded.prompt,
        servers,
        patience: OutagePolicy::None,
        clock: Arc::new(SystemClock),
        stop,
        observer,
    }
}

/// Returns the observer: the screen for a person; the log for a program and in quiet mode.
fn observer(context: &Context, kind: ProviderKind) -> Box<dyn Observer> {
    match context.format() {
        Format::Text if context.message_style.verbosity >= 0 => {
            Box::new(ScreenObserver::on_stderr(kind))
        }
        Format::Text | Format::Json => Box::new(LogObserver::default()),
    }
}

async fn drive(
    context: &Context,
    held: LockedRoot,
    boot: Boot,
    server: Option<Server>,
    work: &RunOptions,
) -> Result<VerbOutput, Failure> {
    let stop = boot.stop.clone();
    let mut agent = daemon::open(held, boot)?;
    agent.max_iterations = work.max_iterations;
    let mut subject = None;
    let ended = match &server {
        None => go(context, &mut agent, &stop, work, &mut subject).await,
        Some(server) => {
            let output: OutputSink = Arc::new(|line| tracing::debug!(line, "model server"));
            // No call is under way while the server starts.
            let up = tokio::select! {
                biased;
                () = stop.asked() => Err(Halt::Stopped),
                up = server.start_if_needed(output) => up.map_err(Halt::Failed),
            };
            match up {
                // The started server lives as long as this arm.
                Ok(_up) => go(context, &mut agent, &stop, work, &mut subject).await,
                Err(halt) => Err(halt),
            }
        }
    };
    let is_done = subject.is_some_and(|subject| subject.is_done(&agent, work.is_once));
    let (interrupted, failed_after) = match ended {
        Ok(()) => (false, None),
        Err(Halt::Stopped | Halt::Preempted) => (true, None),
        // The requested work is in the journal: reported as failed, it would be done twice.
        Err(Halt::Failed(failure)) if is_done && failure.exit() == Exit::Disk => {
            (false, Some(failure))
        }
        Err(Halt::Failed(failure)) => return Err(failure),
    };
    let state = agent.store().state();
    let run = subject.and_then(|subject| state.runs.get(subject.run_id).cloned());
    let waiting = subject.map_or(0, |subject| state.proposals.waiting_of(subject.run_id));
    let closed = if let Some(failure) = failed_after {
        // Nothing is written any more.
        Err(failure)
    } else {
        // A journal that was truncated outside may no longer hold this run.
        agent.check_journal()?;
        agent.close()
    };
    match closed {
        Err(failure) if is_done && failure.exit() == Exit::Disk => warn_made(context, failure),
        other => other?,
    }
    if interrupted {
        context.inform("interrupted; what was committed stands");
    }
    let Some(run) = run else {
        return Ok(VerbOutput::nothing().ok_if(!interrupted));
    };
    if interrupted && !run.is_finished() {
        context.inform("the run goes on at the next start of `daemon`, `run` or `once`");
    }
    let well = match run.state {
        RunState::Succeeded => true,
        RunState::Running => work.is_once && !interrupted,
        RunState::Queued | RunState::Failed => false,
    };
    Ok(answer(context, &run, waiting)?.ok_if(well))
}

fn answer(context: &Context, run: &Run, waiting: usize) -> Result<VerbOutput, Failure> {
    if let Some(code) = run.error_code {
        context.inform(&format!("hint: {}", code.page().hint));
    }
    if run.stop_reason == Some(StopReason::PendingReview) && waiting > 0 {
        context.inform("hint: its proposals wait for your decision: `review list`");
    }
    let shown = RunView {
        run: run.clone(),
        waiting: Some(waiting),
    };
    context.answer(&shown, |it| text_with(&it.run, it.waiting))
}

/// Warns that the work is done although a later step failed, so that nobody repeats it.
fn warn_made(context: &Context, mut failure: Failure) {
    // An error after a commit begins like this too.
    let is_made = "the change is made";
    let message = &failure.message;
    if !message.starts_with(is_made) {
        failure.message = format!("{is_made}; what failed came after it: {message}");
    }
    warn_after(
        &context.session,
        &Failure::new(failure.code, failure.message),
    );
}

/// The run that is worked on, and its progress before.
#[derive(Clone, Copy, Debug)]
struct RunProgress {
    run_id: RunId,
    /// The number of its iterations before this work.
    loops_before: u32,
}

impl RunProgress {
    fn of(agent: &Agent, run_id: RunId) -> Self {
        let run = agent.store().state().runs.get(run_id);
        Self {
            run_id,
            loops_before: run.map_or(0, |run| run.loop_count),
        }
    }

    /// Returns whether the requested work is committed.
    fn is_done(self, agent: &Agent, is_once: bool) -> bool {
        let run = agent.store().state().runs.get(self.run_id);
        run.is_some_and(|run| run.is_finished() || is_once && run.loop_count > self.loops_before)
    }
}

/// Does the work; sets `subject` to its run as soon as that is known.
async fn go(
    context: &Context,
    agent: &mut Agent,
    stop: &Stop,
    work: &RunOptions,
    subject: &mut Option<RunProgress>,
) -> Result<(), Halt> {
    let open = agent.store().state().runs.open();
    let before: Vec<RunId> = open.map(|run| run.run_id).collect();
    let ended = match choose(agent, stop, work.task.clone()).await {
        Ok(wanted) => {
            *subject = Some(RunProgress::of(agent, wanted));
            work_on(context, agent, work, wanted, subject).await
        }
        Err(halt) => Err(halt),
    };
    let mut open = agent.store().state().runs.open();
    let is_of_task = |run: &&Run| run.request == work.task && !before.contains(&run.run_id);
    let kept = open.find(|run| work.task.is_some() && is_of_task(run));
    let kept = kept.map(|run| run.run_id);
    ended.map_err(|halt| match (halt, kept) {
        (Halt::Failed(failure), Some(run_id)) if keeps_request(&failure) => {
            let kept = format!(
                "The request is kept as run {run_id}; `run` without --task goes on with it."
            );
            Halt::Failed(failure.hint(kept))
        }
        (halt, _) => halt,
    })
}

/// Returns whether a run that ends with this failure stays open.
fn keeps_request(failure: &Failure) -> bool {
    let is_of_disk = failure.exit() == Exit::Disk && failure.code != Code::JournalWriteFailed;
    is_of_disk
        || matches!(
            failure.code,
            Code::LlmUnavailable
            | Code::BudgetExceeded
            | Code::RateLimited
            // A server may ask to be left alone with any of these.
            | Code::LlmTimeout
            | Code::LlmEmptyReply
            | Code::ProviderServerError
            | Code::ProviderBadResponse
        )
}

async fn work_on(
    context: &Context,
    agent: &mut Agent,
    work: &RunOptions,
    wanted: RunId,
    subject: &mut Option<RunProgress>,
) -> Result<(), Halt> {
    if work.is_once {
        // Of several runs the oldest is worked on.
        let next = agent.next_run().unwrap_or(wanted);
        *subject = Some(RunProgress::of(agent, next));
        if next != wanted {
            context.inform(&format!("run {wanted} waits for run {next}"));
        }
        return agent.step(next).await.map(drop);
    }
    // First come, first served: runs that were open before go first.
    loop {
        let next = agent.next_run().unwrap_or(wanted);
        agent.drive(next).await?;
        if next == wanted {
            return Ok(());
        }
    }
}

/// Returns the run to work on: a new one for a task, else an open one.
/// Without an open one it takes a request from the inbox, or makes a run without a request.
async fn choose(agent: &mut Agent, stop: &Stop, task: Option<String>) -> Result<RunId, Halt> {
    let event = EventId(Uuid::new_v4().to_string());
    agent.take_inbox().await?;
    if let Some(task) = task {
        return agent.queue(event, Trigger::Request, Some(task)).await;
    }
    loop {
        if let Some(run_id) = agent.next_run() {
            return Ok(run_id);
        }
        if !agent.expects_request() {
            if agent.has_nothing_to_do() {
                let message = "there is nothing to do: no request waits, and no run is open";
                let failure = Failure::new(Code::Usage, message);
                return Err(failure.hint("Say what to do with `--task TEXT`.").into());
            }
            return agent.queue(event, Trigger::Manual, None).await;
        }
        // Both arms can be dropped at any point: a wait holds nothing.
        tokio::select! {
            biased;
            () = stop.asked() => return Err(Halt::Stopped),
            () = SystemClock.sleep(INBOX_POLL) => {}
        }
        agent.take_inbox().await?;
    }
}
