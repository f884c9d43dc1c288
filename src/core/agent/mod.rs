//! The agent's loop as a pure machine: states, their legal moves, and what a reply leads to.
//! Never waits, calls or writes: `daemon::iteration` does.

mod bench;
mod decide;
mod policy;
mod result;
mod state;
mod transition;
mod verdict;

pub use decide::{Decision, Policies, Turn, decide, decide_failure};
pub use policy::{IdleProfile, LoopPolicy};
pub use result::{ActionResult, ResultItem};
pub use state::LoopState;
pub use transition::{Granted, Situation, Transition, Wish, legal_targets, successor, transition};
pub use verdict::{Ending, Evidence, verdict};
