//! The pure heart: what to do, computed without clock, disk, network, environment or randomness.
//! `now` and new ids come in as arguments. Nothing here may do I/O, and nothing here is `async`.
//! Read in this order.

pub mod protocol;

pub mod memory;
pub mod notes;

pub mod steps;

pub mod prompt;

pub mod guard;

pub mod agent;

pub mod automation;

pub mod run;

pub mod route;

pub mod journal;

pub mod merge;

pub mod undo;

pub mod review;

/// Whether a member says nothing, so that JSON may leave it out.
fn is_default<T: Default + PartialEq>(member: &T) -> bool {
    *member == T::default()
}
