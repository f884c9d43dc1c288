//! Decides which state follows: the model may ask, the machine decides.
//! Each reply makes one transition: the first legal request wins, and later ones are ignored.

use super::{LoopPolicy, LoopState};
use crate::core::journal::event::Cycle;
use crate::failure::Code;

/// A request of the model for a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StateRequest {
    /// `state_add`: enter the state.
    /// `None` is a name that is no state.
    Enter(Option<LoopState>),
    /// `state_delete`: leave the state.
    /// `None` is a name that is no state.
    Leave(Option<LoopState>),
}

/// The outcome of a request for a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StateRequestOutcome {
    /// It decided the transition.
    Applied,
    /// Another request had decided already, there was nothing to leave, or nothing was left to do.
    Ignored,
    /// The state cannot be entered from here.
    Rejected(Code),
}

/// The facts that decide a transition.
#[derive(Clone, Copy, Debug)]
pub struct Situation<'a> {
    /// The state that the iteration ran in.
    pub current: LoopState,
    /// Whether work is left after this iteration.
    pub pending: bool,
    /// Whether the loop goes on when nothing is left to do.
    pub perpetual: bool,
    /// The cycle before the transition.
    pub cycle: Cycle,
    /// The bounds and pauses of the loop.
    pub policy: &'a LoopPolicy,
}

/// The next state, the stays so far, and the outcome of each request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transition {
    /// The state of the next iteration.
    pub next: LoopState,
    /// The number of times in a row that the model asked to stay.
    pub stays: u32,
    /// The outcomes, one for each request.
    pub outcomes: Vec<StateRequestOutcome>,
}

/// Decides the transition.
pub fn transition(situation: &Situation<'_>, requests: &[StateRequest]) -> Transition {
    let mut chosen = None;
    let mut outcomes: Vec<StateRequestOutcome> = Vec::with_capacity(requests.len());
    for request in requests {
        outcomes.push(match request {
            StateRequest::Enter(Some(_)) | StateRequest::Leave(_) if chosen.is_some() => {
                StateRequestOutcome::Ignored
            }
            StateRequest::Enter(Some(target)) if is_legal(situation, *target) => {
                chosen = Some(*target);
                StateRequestOutcome::Applied
            }
            StateRequest::Enter(_) => StateRequestOutcome::Rejected(Code::StateTransitionInvalid),
            // A legal state_add anywhere in the reply goes before a state_delete, so leaving is
            // looked at once all requests to enter are known.
            StateRequest::Leave(_) => StateRequestOutcome::Ignored,
        });
    }
    if chosen.is_none() {
        let leaving = StateRequest::Leave(Some(situation.current));
        if let Some(index) = requests.iter().position(|request| *request == leaving) {
            chosen = Some(successor(situation));
            if let Some(answer) = outcomes.get_mut(index) {
                *answer = StateRequestOutcome::Applied;
            }
        }
    }
    // With nothing pending, an evaluating iteration is the end, even if a new round is asked for:
    // small models ask for one out of habit. Only organizing is work of its own.
    let done = situation.current == LoopState::Evaluating && !situation.pending;
    if done && chosen.is_some_and(|target| target != LoopState::RecordOrganizing) {
        let end = Some(successor(situation));
        if chosen != end {
            let decided = outcomes
                .iter_mut()
                .filter(|it| **it == StateRequestOutcome::Applied);
            decided.for_each(|it| *it = StateRequestOutcome::Ignored);
        }
        chosen = end;
    }
    let next = match chosen {
        Some(target) => target,
        // The daemon enters paging, so the daemon leaves it.
        None if situation.policy.auto_advance || situation.current == LoopState::Paging => {
            successor(situation)
        }
        None => situation.current,
    };
    let stayed = chosen.is_some() && next == situation.current;
    Transition {
        next,
        stays: if stayed { situation.cycle.stays + 1 } else { 0 },
        outcomes,
    }
}

/// Returns the state that follows without a request.
pub fn successor(situation: &Situation<'_>) -> LoopState {
    match situation.current {
        LoopState::Planning => LoopState::Executing,
        LoopState::Executing => LoopState::Evaluating,
        LoopState::Evaluating | LoopState::Idle if situation.pending || situation.perpetual => {
            LoopState::Planning
        }
        LoopState::Evaluating | LoopState::Idle => LoopState::Idle,
        LoopState::Paging => situation.cycle.before_paging.unwrap_or(LoopState::Planning),
        LoopState::RecordOrganizing => LoopState::Planning,
    }
}

/// Returns the states that the model may ask for.
pub fn legal_targets(situation: &Situation<'_>) -> impl Iterator<Item = LoopState> {
    LoopState::ALL
        .into_iter()
        .filter(|target| is_legal(situation, *target))
}

/// Returns the states that the next reply may ask for.
/// It is not known yet whether work will be left after that reply.
pub fn askable_targets(situation: &Situation<'_>) -> Vec<LoopState> {
    let may = |target: &LoopState| {
        [false, true].into_iter().any(|pending| {
            let then = Situation {
                pending,
                ..*situation
            };
            is_legal(&then, *target)
        })
    };
    LoopState::ALL.into_iter().filter(may).collect()
}

fn is_legal(situation: &Situation<'_>, target: LoopState) -> bool {
    if target == situation.current {
        // Other iterations must lie between two pagings.
        return target != LoopState::Paging && situation.cycle.stays < situation.policy.max_stay;
    }
    match target {
        LoopState::Planning | LoopState::RecordOrganizing => true,
        LoopState::Idle => !situation.pending && !situation.perpetual,
        LoopState::Executing if situation.current == LoopState::Evaluating => true,
        LoopState::Executing | LoopState::Evaluating | LoopState::Paging => {
            target == successor(situation)
        }
    }
}
