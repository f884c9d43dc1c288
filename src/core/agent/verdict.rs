//! Decides how a run ends, from what was applied and never from what the model says.

use super::LoopState;
use crate::core::run::{Progress, RunState, StopReason, Trigger};
use crate::failure::Code;
use crate::limits::{NO_PROGRESS_MAX, PERPETUAL_RUN_ITERATIONS};

/// The facts that decide the verdict after an iteration.
#[derive(Clone, Copy, Debug)]
pub struct Evidence<'a> {
    /// The trigger of the run.
    pub trigger: Trigger,
    /// Whether the run has a request of a person.
    pub has_request: bool,
    /// The state that the iteration ran in.
    pub ran_in: LoopState,
    /// The state that follows.
    pub next: LoopState,
    /// Whether work is left.
    pub pending: bool,
    /// The progress of the run.
    pub progress: &'a Progress,
    /// Whether everything that the request names appears in what was done.
    pub is_shown: bool,
    /// The iteration's number, from 1.
    pub iteration: u32,
    /// The maximum number of iterations; `None` is unlimited.
    pub max_iterations: Option<u32>,
}

/// The end of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ending {
    /// The final state: succeeded or failed.
    pub state: RunState,
    /// The reason for the end.
    pub stop_reason: StopReason,
    /// The error code of a failed run.
    pub error_code: Option<Code>,
}

impl Ending {
    /// Returns the end of a failed run.
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

/// Returns the end of the run after this iteration, or `None` if it goes on.
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
    // Without a bound, the work goes on in the next run; this run only closes here.
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
    if has_request && progress.unsure {
        return Ending::failed(Code::NotSure);
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
