//! Automation rules: what they wait for, when they hold, and what becomes of every time of a schedule.
//! Decides only; opening runs is the daemon's business. Rules are read and checked, but nothing fires
//! them yet, and the start says so for each one that is enabled.

mod awaited;
mod condition;
mod event;
mod reconcile;
mod rule;
mod schedule;
mod slots;
mod zone;

pub use awaited::{Awaited, Mark, Passed, ScheduleText, SchedulesTaken, time_passes};
pub use condition::Condition;
pub use event::{NoteAct, cron_event, manual_event, note_event, sample_event};
pub use reconcile::{Reconciled, Reconciler, Slot};
pub use rule::{CronTrigger, Rule, RuleTrigger};
pub use schedule::Schedule;
pub use slots::{
    Lateness, Look, MissedPolicy, MissedReason, SlotOutcome, SlotSpan, SlotsRecorded, judge,
    slot_event, slot_run,
};
pub use zone::Zone;
