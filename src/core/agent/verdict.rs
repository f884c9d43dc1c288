//! How a run ends. Computed from what was applied, never from what the model says.

use super::LoopState;
use crate::core::run::{Progress, RunState, StopReason, Trigger};
use crate::failure::Code;
use crate::limits::{NO_PROGRESS_MAX, PERPETUAL_RUN_ITERATIONS};

/// What the verdict is computed from, after an iteration.
#[derive(Clone, Copy, Debug)]
pub struct Evidence<'a> {
    /// What opened the run.
    pub trigger: Trigger,
    /// Whether a person asked for something.
    pub has_request: bool,
    /// The state that the iteration ran in.
    pub ran_in: LoopState,
    /// The state that follows.
    pub next: LoopState,
    /// Whether work is left.
    pub pending: bool,
    /// What the run has to show.
    pub progress: &'a Progress,
    /// Whether everything that the request names shows in what was done.
    pub is_shown: bool,
    /// The iteration's number, from 1.
    pub iteration: u32,
    /// The bound; `None` is unlimited.
    pub max_iterations: Option<u32>,
}

/// The end of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ending {
    /// Succeeded or failed.
    pub state: RunState,
    /// Why.
    pub stop_reason: StopReason,
    /// How it failed.
    pub error_code: Option<Code>,
}

impl Ending {
    /// A failure.
    pub const fn failed(code: Code) -> Self {
        let stop_reason = if matches!(code, Code::IterationLimit) {
            StopReason::MaxIterations
        } else {
            StopReason::Error
        };
        Self {
            state: RunState::Failed,
            stop_reason,
            error_code: Some(code),
        }
    }
}

/// The end of the run after this iteration, or `None` if it goes on.
pub fn verdict(evidence: &Evidence<'_>) -> Option<Ending> {
    let Evidence {
        trigger,
        has_request,
        progress,
        ..
    } = *evidence;
    // An idle run is one iteration long; every other ends when idle is reached.
    if trigger == Trigger::Idle || (evidence.next == LoopState::Idle && !evidence.pending) {
        return Some(idle_ending(evidence));
    }
    let cycle_over =
        evidence.ran_in == LoopState::Evaluating && evidence.next != LoopState::Evaluating;
    if has_request && cycle_over && !progress.changed_in_cycle {
        return Some(Ending::failed(Code::NoProgress));
    }
    if progress.no_progress_streak >= NO_PROGRESS_MAX {
        return Some(Ending::failed(Code::NoProgress));
    }
    let bound = evidence.max_iterations.unwrap_or(PERPETUAL_RUN_ITERATIONS);
    if evidence.iteration < bound {
        return None;
    }
    // Without a bound the work goes on in the next run; this one is just audited here.
    let goes_on = evidence.max_iterations.is_none() && !has_request;
    Some(if evidence.pending && !goes_on {
        Ending::failed(Code::IterationLimit)
    } else {
        idle_ending(evidence)
    })
}

fn idle_ending(evidence: &Evidence<'_>) -> Ending {
    let Evidence {
        has_request,
        progress,
        is_shown,
        ..
    } = *evidence;
    if let Some(refusal) = progress.open_refusals.first() {
        return Ending::failed(refusal.code);
    }
    if has_request && !progress.changed && progress.settled == 0 {
        return Ending::failed(Code::NoProgress);
    }
    if has_request && !is_shown {
        return Ending::failed(Code::NotShown);
    }
    let stop_reason = if progress.proposed {
        StopReason::PendingReview
    } else if progress.changed || progress.settled > 0 {
        StopReason::Done
    } else {
        StopReason::NothingToDo
    };
    Ending {
        state: RunState::Succeeded,
        stop_reason,
        error_code: None,
    }
}
