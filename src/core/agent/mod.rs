//! The agent's loop as a pure machine: states, their legal moves, and what a reply leads to.
//! Never waits, calls or writes: `daemon::iteration` does.

mod policy;
mod result;
mod state;

pub use policy::{IdleProfile, LoopPolicy};
pub use result::{ActionResult, ResultItem};
pub use state::LoopState;
