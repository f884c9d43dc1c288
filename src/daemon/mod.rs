//! The daemon: boot and shutdown in order, the iteration, and what runs next.
//!
//! The loop owns the store and syncs inline; the model call is the only long effect and is safe to
//! repeat.

mod agent;
mod asked_server;
mod asker;
mod background_verify;
mod boot;
mod budget_ledger;
mod call;
mod call_driver;
mod call_facts;
mod clock;
mod command;
mod command_handler;
mod compose;
mod concurrent_work;
mod context_window;
mod descriptors;
mod engine;
mod file_events;
mod heartbeat;
mod iteration;
mod observer;
mod organize;
mod output_constraint;
mod provider_pool;
mod rehearse;
mod reload;
mod replay;
mod run_profiles;
mod schedule;
mod service_manager;
mod signals;
mod status;
mod stop;
mod waits;

use crate::failure::{Code, Failure};
use crate::ids::RunId;

pub use agent::Agent;
pub use asked_server::{ServerModels, ambiguous_model, may_choose_model, offer};
pub use boot::{Boot, LockedRoot, call_policy, hold, hold_for, open, store_options};
pub use clock::{Clock, SystemClock, VirtualClock};
pub use command::{
    AgentLaunch, ChangeContext, Command, CommandOutcome, CommandReply, CommandSender, Decide,
    DraftParts, Envelope, command_channel,
};
pub use command_handler::run_alone;
pub use descriptors::{Share, check_for_daemon, check_for_start, raise_limit};
pub use file_events::{FileEvents, SystemEvents, unwatched};
pub use heartbeat::{Heartbeat, Snapshot, Totals};
pub use observer::{ChangedNote, LogObserver, LoopEvent, Observer};
pub use output_constraint::{ProbeOutcome, constraint_kinds, probe, probed};
pub use rehearse::{
    DelayedCalls as HeldBack, OtherTotals, Rehearsal, RehearsalReport, RuleTotals, RunEnds,
    RunTotals as RehearsedPart, Script, Slots, Writes, rehearse,
};
pub use reload::{ConfigLoader, Reload, ReloadHandle, ReloadedConfig};
pub use replay::{IterationReplay, replay};
pub use run_profiles::Servers;
pub use service_manager::ServiceManager;
pub use signals::{HangupCall, ShutdownLimit, listen};
pub use status::{CallStatus, DaemonStatus, Purpose, STATUS_BYTES_MAX, WaitStatus};
pub use stop::{Halt, OutagePolicy, Stop, StopHandle, stop_pair};

/// Returns the failure that no run has this id.
pub fn unknown_run(run_id: RunId) -> Failure {
    Failure::new(Code::RunNotFound, format!("no run has the id {run_id}"))
}
