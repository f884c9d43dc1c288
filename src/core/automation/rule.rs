//! An automation rule as it stands in the rules file.

use super::NoteAct;
use super::{Condition, Lateness, Schedule, ScheduleText};
use crate::core::notes::Note;
use crate::core::run::Trigger;
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
    Cron(Box<CronTrigger>),
    /// A person launches it.
    Manual,
}

/// The times that a rule waits for.
#[derive(Clone, Debug)]
pub struct CronTrigger {
    /// The schedule as the rule words it.
    pub text: ScheduleText,
    /// The same, read.
    pub schedule: Schedule,
    /// What is done about times that went by.
    pub lateness: Lateness,
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

    /// Its name in a rule.
    pub const fn name(&self) -> &'static str {
        let [changed, created, deleted, cron, manual] = Self::NAMES;
        match self {
            Self::NoteChanged => changed,
            Self::NoteCreated => created,
            Self::NoteDeleted => deleted,
            Self::Cron(_) => cron,
            Self::Manual => manual,
        }
    }

    /// What the record of a run says opened it.
    pub const fn of_run(&self) -> Trigger {
        match self {
            Self::NoteChanged => Trigger::NoteChanged,
            Self::NoteCreated => Trigger::NoteCreated,
            Self::NoteDeleted => Trigger::NoteDeleted,
            Self::Cron(_) => Trigger::Cron,
            Self::Manual => Trigger::Manual,
        }
    }

    /// Whether it waits for this to happen to some note.
    const fn waits_for(&self, act: NoteAct) -> bool {
        match self {
            Self::NoteChanged => matches!(act, NoteAct::Created | NoteAct::Updated),
            Self::NoteCreated => matches!(act, NoteAct::Created),
            Self::NoteDeleted => matches!(act, NoteAct::Deleted),
            Self::Cron(_) | Self::Manual => false,
        }
    }
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
    /// When it holds.
    pub condition: Condition,
    /// Whether it also heeds what its own runs cause.
    pub includes_own: bool,
    /// Whether it is looked at.
    pub enabled: bool,
    /// The request that its runs work on; without one the prompt file alone says what they do.
    pub request: Option<String>,
}

impl Rule {
    /// Whether it waits for something to happen to notes.
    pub const fn listens_to_notes(&self) -> bool {
        match self.trigger {
            RuleTrigger::NoteChanged | RuleTrigger::NoteCreated | RuleTrigger::NoteDeleted => {
                self.enabled
            }
            RuleTrigger::Cron(_) | RuleTrigger::Manual => false,
        }
    }

    /// Whether it waits for this to happen to this note.
    pub fn listens_to(&self, act: NoteAct, note: &Note) -> bool {
        self.enabled && self.workspace_id == note.workspace_id && self.trigger.waits_for(act)
    }

    /// The times that it waits for, while it is enabled.
    pub fn cron(&self) -> Option<&CronTrigger> {
        match &self.trigger {
            RuleTrigger::Cron(cron) if self.enabled => Some(cron),
            RuleTrigger::Cron(_)
            | RuleTrigger::NoteChanged
            | RuleTrigger::NoteCreated
            | RuleTrigger::NoteDeleted
            | RuleTrigger::Manual => None,
        }
    }
}
