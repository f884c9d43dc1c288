//! The state machine of the loop: its states, its legal transitions and the decision on a reply.
//! Pure: `daemon::iteration` does the waiting, calling and writing.

mod action_log;
mod carried;
mod copied;
mod decide;
mod echo;
mod entering;
mod examples;
mod executor;
mod missed;
mod organizing;
mod person;
mod planning;
mod policy;
mod relevant_notes;
mod repair;
mod rest;
mod result;
mod shown_ram;
mod state;
mod step_faults;
mod stepwise;
mod transition;
mod turn;
mod verdict;

pub use action_log::{ActionLog, LogEntry};
pub use carried::{Carried, carried, reply_of};
pub use decide::{decide, decide_failure};
pub use entering::{begins_in, cycle_in};
pub use executor::archive_list_without;
pub(in crate::core) use executor::{RAM_LIST, archived_lines, archived_list_chars};
pub use executor::{TOOLS, Tool};
pub use organizing::{is_organizing_asked, look, offered};
pub use person::{cancel, end_early, preempt, retry};
pub use policy::{IdleProfile, LoopPolicy, Protocol};
pub use relevant_notes::{relevant_notes, wants_notes};
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
