//! The journal's language: events, commits and their chain, and how an event changes the state.
//! Bytes and meaning only; where lines are kept and how they are made durable is the store's
//! business.

pub mod commit;
pub mod event;
mod state;

pub use commit::{Actor, ActorType, Cause, Commit, Draft, Hash, LineError};
pub use event::{Change, Event};
pub use state::State;
