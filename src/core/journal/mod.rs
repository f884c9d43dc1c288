//! The journal's format: events, commits, their hash chain, and how an event changes the state.
//! It deals with bytes and their meaning; the store keeps the lines and makes them durable.

mod change;
pub mod commit;
pub mod event;
mod hash;
mod snapshot;
mod state;

pub use change::Change;
pub use commit::{
    Actor, ActorType, Cause, Commit, CommitContext, CommitDraft, LineError, REVIEW, UNDO,
};
pub use event::Event;
pub use hash::Hash;
pub use state::{State, change_run};
