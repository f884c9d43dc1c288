//! Rehearsal: the agent as it runs, on a disk in memory, in virtual time, with a scripted model.
//!
//! Its rules, schedules, guards and budgets are in force. Touches no root, and asks no server.

mod report;
mod script;
mod stage;

pub use report::{OtherTotals, RehearsalReport, RuleTotals, RunEnds, RunTotals, Slots, Writes};
pub use script::Script;
pub use stage::DelayedCalls;

use super::agent::Agent;
use super::boot::{Boot, LockedRoot as HeldRoot, open, store_options};
use super::clock::{Clock as _, VirtualClock};
use super::run_profiles::Servers;
use super::stop::{Halt, OutagePolicy, Stop, StopHandle};

use crate::config::{Action, Config, ProviderKind};
use crate::core::automation::ScheduleCursor;
use crate::core::journal::State;
use crate::core::prompt::PromptFile;
use crate::core::run::Run;
use crate::failure::{Code, Failure};
use crate::limits::REHEARSAL_CALL_MS;
use crate::store::disk::MemoryDisk;
use crate::store::journal::Head;
use crate::store::{Store, each_commit};
use crate::time::Timestamp;
use report::Tally;
use stage::{PlaybackModel, PlaybackObserver, SharedPlayback};
use std::convert::Infallible;
use std::sync::Arc;

/// The input of a rehearsal.
#[derive(Debug)]
pub struct Rehearsal {
    pub config: Config,
    pub prompt: PromptFile,
    /// The state of the root, as it is now. Slots of its past are not caught up with.
    pub state: State,
    /// The time at which it begins; only later slots count.
    pub from: Timestamp,
    pub to: Timestamp,
    pub script: Script,
    /// The time that a call takes, in milliseconds; else that of the root's own calls.
    pub call_ms: Option<u64>,
    pub bytes_max: u64,
}

/// Runs a rehearsal. The stop ends it early.
///
/// # Errors
/// `LIMIT_EXCEEDED` where the days write more than there is room for, and any failure of the loop.
pub async fn rehearse(
    rehearsal: Rehearsal,
    handle: StopHandle,
    stop: Stop,
) -> Result<RehearsalReport, Failure> {
    let (from, to, bytes_max) = (rehearsal.from, rehearsal.to, rehearsal.bytes_max);
    let mut state = rehearsal.state;
    let usual_ms = || usual_call_ms(&state, &rehearsal.config);
    let call_ms = rehearsal.call_ms.unwrap_or_else(usual_ms);
    let rules = Arc::clone(&rehearsal.config.rules);
    let config = for_rehearsal(rehearsal.config);
    state.schedule_cursor = ScheduleCursor::default();
    let mut disk = MemoryDisk::with_room(bytes_max);
    let founded = Store::bootstrap(Box::new(disk.clone()), store_options(&config), &state, from)?;
    let clock = Arc::new(VirtualClock::between(from, to, handle.clone()));
    let stage = SharedPlayback::of(rehearsal.script);
    let Ok(servers) = Servers::connect(&config, &|provider| -> Result<_, Infallible> {
        let model = &provider.model;
        let is_of_model = |run: &&Run| run.model.as_ref() == Some(model);
        let last = state.runs.newest_first().find(is_of_model);
        Ok(Box::new(PlaybackModel {
            stage: stage.clone(),
            clock: Arc::clone(&clock),
            call_ms,
            meter: state.meter_for(model),
            model: model.clone(),
            window_tokens: last.and_then(|run| run.window).map(|window| window.tokens),
        }))
    });
    let boot = Boot {
        servers,
        config,
        prompt: rehearsal.prompt,
        patience: OutagePolicy::Endless,
        clock: Arc::<VirtualClock>::clone(&clock),
        stop,
        observer: Box::new(PlaybackObserver {
            stage: stage.clone(),
            stop: handle,
        }),
    };
    let mut agent = open(HeldRoot::unshared(Box::new(disk.clone())), boot)?;
    live(&mut agent).await?;
    let reached = clock.now();
    let stage = stage.look();
    if stage.is_full {
        return Err(no_room(bytes_max, reached));
    }
    let mut tally = tally(&mut disk, founded, &state)?;
    tally.add_held(stage.held.clone());
    Ok(RehearsalReport {
        interrupted: reached < to,
        call_ms,
        made_up: stage.script.made_up(),
        ..tally.report(&rules, from, reached)
    })
}

/// Runs the loop until the days are over. The agent is not closed: nobody starts from it again.
async fn live(agent: &mut Agent) -> Result<(), Failure> {
    match agent.live().await {
        Ok(()) | Err(Halt::Stopped | Halt::Preempted) => Ok(()),
        Err(Halt::Failed(failure)) => Err(failure),
    }
}

/// Counts the commits since the root was founded.
fn tally(disk: &mut MemoryDisk, founded: Head, state: &State) -> Result<Tally, Failure> {
    let mut tally = Tally::after(&state.runs);
    each_commit(disk, &mut |commit| {
        if commit.seq > founded.seq {
            tally.take(commit);
        }
    })?;
    Ok(tally)
}

fn no_room(bytes_max: u64, reached: Timestamp) -> Failure {
    let message = format!("up to {reached} all the room was used, {bytes_max} bytes");
    Failure::new(Code::LimitExceeded, message).only_hint("Rehearse fewer days.")
}

/// Returns the configuration without servers to ask, and with the whole journal kept.
fn for_rehearsal(mut config: Config) -> Config {
    config.provider.kind = ProviderKind::Scripted;
    for listed in &mut config.providers {
        listed.config.kind = ProviderKind::Scripted;
    }
    config.memory.retain_full_conversation_logs = false;
    config.journal.retention_days = u32::MAX;
    let of_rules = config.actions.values_mut();
    for action in of_rules.chain(config.agents.values_mut()) {
        *action = Arc::new(Action {
            config: for_rehearsal(action.config.clone()),
            ..action.as_ref().clone()
        });
    }
    config
}

/// Returns the usual time of a call in this root's own runs, in milliseconds.
///
/// It includes everything around the call but the pauses between iterations.
fn usual_call_ms(state: &State, config: &Config) -> u64 {
    let mut calls = 0;
    let mut took_ms: u64 = 0;
    for run in state.runs.newest_first().filter(|run| run.is_finished()) {
        if let (Some(from), Some(to)) = (run.started_at, run.completed_at) {
            let pauses_ms = u64::from(run.loop_count) * config.r#loop.loop_delay_ms;
            calls += run.usage.calls;
            took_ms = took_ms.saturating_add(from.millis_until(to).saturating_sub(pauses_ms));
        }
    }
    took_ms.checked_div(calls).unwrap_or(REHEARSAL_CALL_MS)
}
