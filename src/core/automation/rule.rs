//! An automation rule as it stands in the rules file.

use super::Schedule;
use crate::ids::{RuleId, WorkspaceId};

/// What a rule waits for.
#[derive(Clone, Debug)]
pub enum RuleTrigger {
    /// A note is created or updated.
    NoteChanged,
    /// A note is created.
    NoteCreated,
    /// A note is deleted.
    NoteDeleted,
    /// A time comes.
    Cron(Box<Schedule>),
    /// A person launches it.
    Manual,
}

impl RuleTrigger {
    /// The names of the triggers, in the order of the documentation.
    pub const NAMES: [&str; 5] = [
        "workspace_event.note_changed",
        "workspace_event.note_created",
        "workspace_event.note_deleted",
        "automation_schedule.cron",
        "manual",
    ];
}

/// A rule that is well-formed.
#[derive(Clone, Debug)]
pub struct Rule {
    /// Its name for ever.
    pub rule_id: RuleId,
    /// The workspace that owns it.
    pub workspace_id: WorkspaceId,
    /// What it waits for.
    pub trigger: RuleTrigger,
    /// Whether it is looked at.
    pub enabled: bool,
}
