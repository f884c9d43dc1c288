//! Automation rules: their triggers and conditions, the runs that they open, the records of slots.
//! Decides only; the daemon works on the runs.

mod condition;
mod event;
mod fire_due;
mod match_rules;
mod reconcile;
mod rule;
mod run_opener;
mod schedule;
mod schedule_cursor;
mod slots;
mod zone;

pub use condition::Condition;
pub use event::{NoteEventKind, cron_event, manual_event, note_event, sample_event};
pub use fire_due::{
    all_judged_ahead, fire_due, hindrance, is_elsewhere, judged_ahead, next_slot, next_slots,
};
pub use match_rules::{match_rules, noted};
pub use reconcile::{Reason, Reconciler, RuleSpan, Slot, SlotReconciliation};
pub use rule::{CronTrigger, Rule, RuleTrigger};
pub use run_opener::{RuleSkipped, launch};
pub use schedule::Schedule;
pub use schedule_cursor::{
    CursorAdvance, RuleCursor, ScheduleCursor, ScheduleText, SchedulesTaken, time_passes,
};
pub use slots::{
    LatenessPolicy, MissedPolicy, MissedReason, SLOT_EVENTS, SlotOutcome, SlotSpan, SlotTimes,
    SlotsRecorded, judge, slot_event, slot_run,
};
pub use zone::Zone;
