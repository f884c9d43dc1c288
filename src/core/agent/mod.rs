//! The state machine of the loop: its states, its legal transitions and the decision on a reply.
//! Pure: `daemon::iteration` does the waiting, calling and writing.

mod action_log;
mod copied_example;
mod decide;
mod executor;
mod initial_state;
mod joined_items;
mod likely_correction;
mod organizing;
mod plan_examples;
mod plan_replies;
mod plan_verb;
mod plan_wording;
mod planning;
mod policy;
mod prompt_echo;
mod relevant_notes;
mod reply_errors;
mod result;
mod run_control;
mod shown_ram;
mod state;
mod step_faults;
mod step_outcome;
mod stepwise;
mod transition;
mod turn;
mod unfulfilled_step;
mod unplanned_part;
mod unwritten_clauses;
mod verdict;
mod working_memory;

pub use action_log::{ActionLog, LogEntry};
pub use decide::{decide, decide_failure};
pub use executor::archive_list_without;
pub(in crate::core) use executor::{RAM_LIST, archived_lines, archived_list_chars};
pub use executor::{TOOLS, Tool};
pub use initial_state::{cycle_in, initial_state};
pub use organizing::{is_organizing_asked, offers_as_results, scan_for_work};
pub use plan_replies::StepReply;
pub use policy::{IdleProfile, LoopPolicy, Protocol};
pub use relevant_notes::{relevant_notes, wants_notes};
pub use reply_errors::{PromptAdditions, ReplyError, ReplyErrors};
pub(in crate::core) use result::path_of_result;
pub use result::{ActionResult, Numbered, ResultItem, ResultLog};
pub use run_control::{cancel, end_early, preempt, retry};
pub use shown_ram::shown_ram;
pub use state::LoopState;
pub use step_outcome::{StepOutcome, instructions_of, reply_of};
pub use stepwise::{NextAction, Stepwise, StepwiseResult};
pub use transition::{
    Situation, StateRequest, StateRequestOutcome, Transition, askable_targets, legal_targets,
    successor, transition,
};
pub use turn::{Decision, Policies, Turn};
pub use verdict::{Ending, Evidence, verdict};
pub use working_memory::WorkingMemory;
