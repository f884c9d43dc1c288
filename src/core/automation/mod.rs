//! Automation rules: what they wait for, when they hold, which runs they open, and what becomes of every
//! time of a schedule. Decides only; working on runs is the daemon's business.

mod awaited;
mod condition;
mod event;
mod follow;
mod launch;
mod opening;
mod reconcile;
mod records;
mod rule;
mod schedule;
mod slots;
mod tick;
mod zone;

pub use awaited::{Awaited, Mark, Passed, ScheduleText, SchedulesTaken, time_passes};
pub use condition::Condition;
pub use event::{NoteAct, cron_event, manual_event, note_event, sample_event};
pub use follow::{follow, noted};
pub use launch::launch;
pub use opening::RuleSkipped;
pub use reconcile::{Reason, Reconciled, Reconciler, RuleSpan, Slot};
pub use rule::{CronTrigger, Rule, RuleTrigger};
pub use schedule::Schedule;
pub use slots::{
    Lateness, Look, MissedPolicy, MissedReason, SLOT_EVENTS, SlotOutcome, SlotSpan, SlotsRecorded,
    judge, slot_event, slot_run,
};
pub use tick::{
    all_judged_ahead, hindrance, is_elsewhere, judged_ahead, next_slot, next_slots, tick,
};
pub use zone::Zone;
