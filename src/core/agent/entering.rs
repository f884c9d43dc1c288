//! Which state an iteration begins in. RAM names one; where somebody has filled RAM since, paging goes before
//! it. Changes nothing: what it comes to stands in the iteration's own commit.

use super::LoopState;
use crate::core::journal::State;
use crate::core::journal::event::Cycle;
use crate::core::memory::{MemoryPolicy, Ram};
use crate::limits::PAGING_GAP_ITERATIONS;

/// The state that the next iteration begins in, where RAM as it is names `named`.
pub fn begins_in(state: &State, memory: &MemoryPolicy, named: LoopState) -> LoopState {
    let is_work = !matches!(named, LoopState::Idle | LoopState::Paging);
    if is_work && is_overfull(&state.ram, memory) && has_rested(state.cycle) {
        LoopState::Paging
    } else {
        named
    }
}

/// What the machine remembers in an iteration that began in a state: paging that RAM did not name leads back
/// to what it does name.
pub fn cycle_in(state: &State, ran_in: LoopState) -> Cycle {
    let named = state.ram.state();
    if ran_in == LoopState::Paging && named != LoopState::Paging {
        Cycle {
            before_paging: Some(named),
            ..state.cycle
        }
    } else {
        state.cycle
    }
}

/// Whether RAM is larger than it should be.
pub(super) fn is_overfull(ram: &Ram, memory: &MemoryPolicy) -> bool {
    ram.characters() > memory.working_memory_character_max
}

/// Whether enough other iterations lie behind the last paging.
pub(super) fn has_rested(cycle: Cycle) -> bool {
    let rested = |count| count >= PAGING_GAP_ITERATIONS;
    cycle.since_paging.is_none_or(rested)
}
