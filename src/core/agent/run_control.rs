//! Decisions of a person about a run: to end it early, or to try it again.
//! They never decide whether a run ends well.

use crate::core::guard::{Refusal, in_ram_of, ram_own};
use crate::core::journal::Event;
use crate::core::journal::event::{RunEnded, RunRetried};
use crate::core::memory::Ram;
use crate::core::memory::ram::{CONTEXT, STATE};
use crate::core::route::Cost;
use crate::core::run::{Progress, Run, RunState, StopReason, Trigger};
use crate::failure::Code;
use crate::limits::RUN_ATTEMPTS_MAX;
use crate::time::Timestamp;
use serde_json::Value;

use super::{Ending, LoopState};

/// Returns the events that end a run that waits or is running.
/// Its changes stay.
///
/// # Errors
/// `RUN_STATE_INVALID` for a run that has ended.
pub fn cancel(run: &Run, ram: &Ram, now: Timestamp) -> Result<Vec<Event>, Refusal> {
    if run.is_finished() {
        let message = format!("the run has ended: it is {}", run.state.name());
        return Err(Refusal::new(Code::RunStateInvalid, message));
    }
    Ok(end_early(run, ram, Code::RunCancelled, now))
}

/// Returns the events that end a run early, for the reason of a code.
pub fn end_early(run: &Run, ram: &Ram, code: Code, now: Timestamp) -> Vec<Event> {
    end_as(run, ram, Ending::failed(code), now)
}

/// Returns the events that end an idle run in favour of another run.
/// Its changes stay; nothing has failed.
pub fn preempt(run: &Run, ram: &Ram, now: Timestamp) -> Vec<Event> {
    let ending = Ending {
        state: RunState::Succeeded,
        stop_reason: StopReason::Preempted,
        error_code: None,
    };
    end_as(run, ram, ending, now)
}

fn end_as(run: &Run, ram: &Ram, ending: Ending, now: Timestamp) -> Vec<Event> {
    let Ending {
        state,
        stop_reason,
        error_code,
    } = ending;
    let mut events = Vec::new();
    // A request that a person wrote by an edit stands in `context` before its run begins.
    let stands = run.state == RunState::Running || run.trigger == Trigger::Edit;
    if stands && run.owns_request(ram) {
        let context = ram.context_with_request(None);
        events.push(Event::Change(ram_own(CONTEXT, context)));
    }
    if run.state == RunState::Running {
        let idle = Value::from(LoopState::Idle.name());
        events.push(Event::Change(ram_own(STATE, idle)));
    }
    events.push(Event::RunEnded(RunEnded {
        run_id: run.run_id,
        state,
        stop_reason,
        error_code,
        completed_at: run.ends_at(now),
    }));
    in_ram_of(run, events)
}

/// Returns the event for another attempt of a failed run, under the same id.
/// The record of the run goes on, so that no event has two runs.
///
/// # Errors
/// `RUN_STATE_INVALID` for a run that has not failed, `LIMIT_EXCEEDED` after [`RUN_ATTEMPTS_MAX`]
/// attempts.
pub fn retry(run: &Run) -> Result<Event, Refusal> {
    if run.state != RunState::Failed {
        let message = format!(
            "only a failed run is tried again; this one is {}",
            run.state.name()
        );
        return Err(Refusal::new(Code::RunStateInvalid, message));
    }
    if run.attempt >= RUN_ATTEMPTS_MAX {
        let message = format!("the run was tried {} times already", run.attempt);
        return Err(Refusal::new(Code::LimitExceeded, message));
    }
    let run = Run {
        state: RunState::Queued,
        stop_reason: None,
        error_code: None,
        started_at: None,
        completed_at: None,
        progress: Progress::default(),
        // A new attempt gets the whole budget again.
        spent: Cost::default(),
        attempt: run.attempt + 1,
        attempt_from: run.loop_count,
        ..run.clone()
    };
    Ok(Event::RunRetried(RunRetried { run }))
}
