//! The pure core: decides what to do, without clock, disk, network, environment or randomness.
//! `now` and new ids come in as arguments. Nothing here does I/O, and nothing here is `async`. Read
//! the modules in this order.

pub mod protocol;

pub mod memory;
pub mod notes;

pub mod steps;

pub mod prompt;

pub mod guard;

pub mod agent;

pub mod predicate;

pub mod automation;

pub mod flow;

pub mod run;

pub mod route;

pub mod journal;

pub mod merge;

pub mod undo;

pub mod review;

/// Returns whether a member has its default value, so that JSON may omit it.
fn is_default<T: Default + PartialEq>(member: &T) -> bool {
    *member == T::default()
}
