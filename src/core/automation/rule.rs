//! An automation rule of the rules file.

use super::NoteEventKind;
use super::{Condition, LatenessPolicy, Schedule, ScheduleText};
use crate::core::notes::Note;
use crate::core::run::Trigger;
use crate::ids::{RuleId, WorkspaceId};

/// The trigger of a rule.
#[derive(Clone, Debug)]
pub enum RuleTrigger {
    /// A note is created or updated.
    NoteChanged,
    /// A note is created.
    NoteCreated,
    /// A note is deleted.
    NoteDeleted,
    /// A slot of a schedule is due.
    Cron(Box<CronTrigger>),
    /// A person launches it.
    Manual,
}

/// The schedule that a rule waits for.
#[derive(Clone, Debug)]
pub struct CronTrigger {
    /// The schedule as text.
    pub text: ScheduleText,
    /// The parsed schedule.
    pub schedule: Schedule,
    /// The treatment of late slots.
    pub lateness: LatenessPolicy,
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

    /// Returns the name in a rule.
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

    /// Returns the trigger that the record of a run names.
    pub const fn of_run(&self) -> Trigger {
        match self {
            Self::NoteChanged => Trigger::NoteChanged,
            Self::NoteCreated => Trigger::NoteCreated,
            Self::NoteDeleted => Trigger::NoteDeleted,
            Self::Cron(_) => Trigger::Cron,
            Self::Manual => Trigger::Manual,
        }
    }

    /// Returns whether it waits for that change of a note.
    const fn waits_for(&self, act: NoteEventKind) -> bool {
        match self {
            Self::NoteChanged => matches!(act, NoteEventKind::Created | NoteEventKind::Updated),
            Self::NoteCreated => matches!(act, NoteEventKind::Created),
            Self::NoteDeleted => matches!(act, NoteEventKind::Deleted),
            Self::Cron(_) | Self::Manual => false,
        }
    }
}

/// A well-formed rule.
#[derive(Clone, Debug)]
pub struct Rule {
    /// Its id, which never changes.
    pub rule_id: RuleId,
    /// The workspace that owns it.
    pub workspace_id: WorkspaceId,
    /// Its trigger.
    pub trigger: RuleTrigger,
    /// Its condition.
    pub condition: Condition,
    /// Whether it also reacts to changes that its own runs cause.
    pub includes_own: bool,
    /// Whether it is enabled.
    pub enabled: bool,
    /// The request that its runs work on.
    /// Without one, only the prompt file guides them.
    pub request: Option<String>,
}

impl Rule {
    /// Returns whether it waits for changes of notes.
    pub const fn listens_to_notes(&self) -> bool {
        self.enabled
            && matches!(
                self.trigger,
                RuleTrigger::NoteChanged | RuleTrigger::NoteCreated | RuleTrigger::NoteDeleted
            )
    }

    /// Returns whether it waits for that change of that note.
    pub fn listens_to(&self, act: NoteEventKind, note: &Note) -> bool {
        self.enabled && self.workspace_id == note.workspace_id && self.trigger.waits_for(act)
    }

    /// Returns the schedule that it waits for, while it is enabled.
    pub fn cron(&self) -> Option<&CronTrigger> {
        let RuleTrigger::Cron(cron) = &self.trigger else {
            return None;
        };
        self.enabled.then_some(cron.as_ref())
    }
}
