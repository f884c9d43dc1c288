//! Events as the condition of a rule sees them: plain JSON in the variable `event`.

use super::RuleTrigger;
use crate::core::notes::Note;
use crate::ids::{NoteId, WorkspaceId};
use crate::time::Timestamp;
use serde_json::{Value, json};
use uuid::Uuid;

/// The kind of a change of a note.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoteEventKind {
    /// The note is new.
    Created,
    /// The note has a new version.
    Updated,
    /// The note is deleted.
    Deleted,
}

impl NoteEventKind {
    /// Returns the name in an event.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Created => "note_created",
            Self::Updated => "note_updated",
            Self::Deleted => "note_deleted",
        }
    }
}

/// Returns the event of a change of a note; `actor` is `agent`, `user` or `import`.
pub fn note_event(act: NoteEventKind, note: &Note, actor: &str) -> Value {
    shape(
        act,
        actor,
        &json!({
            "id": note.id,
            "workspace_id": note.workspace_id,
            "note_kind": note.note_kind,
            "title": note.title,
            "keywords": note.keywords,
            "value": note.value,
            "version": note.version,
        }),
    )
}

fn shape(act: NoteEventKind, actor: &str, note: &Value) -> Value {
    json!({"kind": act.name(), "actor": actor, "note": note})
}

/// Returns the event of a slot, with its scheduled time.
pub fn cron_event(slot: Timestamp) -> Value {
    json!({"kind": "cron", "slot": slot})
}

/// Returns the event of a launch by hand.
pub fn manual_event() -> Value {
    json!({"kind": "manual"})
}

/// Returns a sample event of a trigger, to try conditions on.
pub fn sample_event(trigger: &RuleTrigger) -> Value {
    let act = match trigger {
        RuleTrigger::NoteChanged => NoteEventKind::Updated,
        RuleTrigger::NoteCreated => NoteEventKind::Created,
        RuleTrigger::NoteDeleted => NoteEventKind::Deleted,
        RuleTrigger::Cron(_) => return cron_event(Timestamp::from_millis(0)),
        RuleTrigger::Manual => return manual_event(),
    };
    let note = json!({
        "id": NoteId::FIRST,
        "workspace_id": WorkspaceId(Uuid::nil()),
        "note_kind": "note",
        "title": "",
        "keywords": [],
        "value": "",
        "version": 1,
    });
    shape(act, "user", &note)
}
