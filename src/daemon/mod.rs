//! The daemon: boot and shutdown in order, the iteration, and what runs next. The loop owns the
//! store and syncs inline; the model call is the only long effect and is safe to repeat.

mod agent;
mod boot;
mod call;
mod clock;
mod compose;
mod counter;
mod cut_prompt;
mod descriptors;
mod desk;
mod doing;
mod errand;
mod fleet;
mod heard;
mod hours;
mod iteration;
mod ladder;
mod meanwhile;
mod model;
mod offer;
mod organize;
mod postponed;
mod preempt;
mod progress;
mod pulse;
mod purse;
mod rehearse;
mod reload;
mod replay;
mod rest;
mod room;
mod schedule;
mod service_manager;
mod signals;
mod silence;
mod steps;
mod stop;
mod survey;
mod undo;
mod virtual_clock;
mod wardrobe;
mod watcher;
mod windows;

use crate::failure::{Code, Failure};
use crate::ids::RunId;

pub use agent::{Agent, Halt, Patience};
pub use boot::{Boot, Held, call_policy, hold, hold_for, open, store_options};
pub use clock::{Clock, SystemClock};
pub use counter::run_alone;
pub use descriptors::{Share, check_for_daemon, check_for_start, raise_limit};
pub use desk::{Decide, Desk, Part};
pub use doing::{Asking, DOING_BYTES_MAX, Doing, Purpose, Waiting};
pub use errand::{Done, Errand, Errands, Letter, Settled, errands};
pub use iteration::Iterated;
pub use ladder::{Probed, probe, probed, rungs};
pub use offer::{Offer, is_choosy, offer, unclear};
pub use pulse::{Pulse, Standing, Totals};
pub use rehearse::{
    Ended, Held as HeldBack, OtherPart, Part as RehearsedPart, Rehearsal,
    Report as RehearsalReport, RulePart, Script, Slots, Writes, rehearse,
};
pub use reload::{Fresh, LoadAgain, Reload, ReloadHandle};
pub use replay::{Replayed, replay};
pub use rest::{FileEvents, SystemEvents, unwatched};
pub use service_manager::ServiceManager;
pub use signals::{EndsWithin, HangUp, listen};
pub use stop::{Stop, StopHandle, stop_pair};
pub use undo::{UndoReport, undo};
pub use virtual_clock::VirtualClock;
pub use wardrobe::{RuleServers, Servers};
pub use watcher::{ChangedNote, LogWatcher, Sight, SignedLogWatcher, Watcher};

/// No run has that id.
pub fn unknown_run(run_id: RunId) -> Failure {
    Failure::new(Code::RunNotFound, format!("no run has the id {run_id}"))
}
