//! The state in which an iteration begins.
//! RAM names one; if RAM has become too large, paging goes before it. Changes nothing: the result
//! is part of the iteration's own commit.

use super::{LoopState, WorkingMemory};
use crate::core::journal::event::Cycle;
use crate::core::memory::{MemoryPolicy, Ram};
use crate::limits::PAGING_GAP_ITERATIONS;

/// Returns the state in which the next iteration begins, if RAM names `named`.
pub fn initial_state(
    working: &WorkingMemory,
    memory: &MemoryPolicy,
    named: LoopState,
) -> LoopState {
    let is_work = !matches!(named, LoopState::Idle | LoopState::Paging);
    if is_work && is_overfull(&working.ram, memory) && has_rested(working.cycle) {
        LoopState::Paging
    } else {
        named
    }
}

/// Returns the cycle of an iteration that began in the state `ran_in`.
/// Paging that RAM did not name leads back to the state that RAM names.
pub fn cycle_in(working: &WorkingMemory, ran_in: LoopState) -> Cycle {
    let named = working.ram.state();
    if ran_in == LoopState::Paging && named != LoopState::Paging {
        Cycle {
            before_paging: Some(named),
            ..working.cycle
        }
    } else {
        working.cycle
    }
}

/// Returns whether RAM is larger than its limit.
pub(super) fn is_overfull(ram: &Ram, memory: &MemoryPolicy) -> bool {
    ram.characters() > memory.working_memory_character_max
}

/// Returns whether enough other iterations have passed since the last paging.
pub(super) fn has_rested(cycle: Cycle) -> bool {
    let rested = |count| count >= PAGING_GAP_ITERATIONS;
    cycle.since_paging.is_none_or(rested)
}
