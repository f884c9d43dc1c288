//! The agent's loop as a pure machine: states, their legal moves, and what a reply leads to.
//! Never waits, calls or writes: `daemon::iteration` does.

mod action_log;
mod bench;
mod carried;
mod copied;
mod decide;
mod echo;
mod entering;
mod examples;
mod found;
mod missed;
mod organizing;
mod person;
mod policy;
mod repair;
mod rest;
mod result;
mod shown_ram;
mod state;
mod stepwise;
mod transition;
mod turn;
mod verdict;

pub use action_log::{ActionLog, LogEntry};
pub use bench::archive_list_without;
pub(in crate::core) use bench::{RAM_LIST, archived_lines, archived_list_chars};
pub use bench::{TOOLS, Tool};
pub use carried::{Carried, carried, reply_of};
pub use decide::{decide, decide_failure};
pub use entering::{begins_in, cycle_in};
pub use found::{found, wants_notes};
pub use organizing::{is_organizing_asked, look, offered};
pub use person::{cancel, end_early, preempt, retry};
pub use policy::{IdleProfile, LoopPolicy, Protocol};
pub use repair::{Beside, Complaint, Complaints};
pub(in crate::core) use result::path_of_result;
pub use result::{ActionResult, Numbered, ResultItem, ResultLog};
pub use shown_ram::shown_ram;
pub use state::LoopState;
pub use stepwise::{Next, Stepwise, Worked};
pub use transition::{
    Granted, Situation, Transition, Wish, askable_targets, legal_targets, successor, transition,
};
pub use turn::{Decision, Policies, Turn};
pub use verdict::{Ending, Evidence, verdict};
