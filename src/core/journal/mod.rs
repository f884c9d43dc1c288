//! The journal's format: events, commits, their hash chain, and how an event changes the state.
//! It deals with bytes and their meaning; the store keeps the lines and makes them durable.

mod hash;

mod calls;
mod carried;
mod change;
pub mod event;

mod proposals;

pub mod commit;
mod header;

mod run_facts;

mod state;

mod upkeep;

pub use change::Change;
pub use commit::{Actor, ActorType, Cause, Commit, Draft, LineError, REVIEW, UNDO};
pub use event::Event;
pub use hash::Hash;
pub use run_facts::change_run;
pub use state::State;
