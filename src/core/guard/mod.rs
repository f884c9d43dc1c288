//! The guard: what the model proposes is untrusted, and only what passes here takes effect.
//! Deny by default; total; no I/O. Nothing outside this folder can make an [`Approved`].

mod approved;
mod memory;
mod notes;
mod scope;
mod trees;
mod truncation;

use crate::core::journal::ActorType;
use crate::failure::{Code, Failure};
use crate::ids::{NoteId, RunId, WorkspaceId};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeSet;

pub use approved::Approved;
pub(in crate::core) use approved::replayed;
pub(in crate::core) use memory::{check_key, fits_ram};
pub use memory::{check_not_kept, ram_own, ram_own_deleted};
pub use notes::{
    BroughtNote, NewNote, NoteEdit, note_create_proposed, note_import, note_import_over,
    note_put_back, note_restore,
};
pub use scope::Scope;
pub(in crate::core) use trees::{tree_names, tree_path};
pub(in crate::core) use truncation::check_not_truncated;

/// Why something was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The stable code.
    pub code: Code,
    /// One short sentence, fit to be shown to a small model.
    pub message: String,
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Self {
        Self::new(refusal.code, refusal.message)
    }
}

impl Refusal {
    /// A refusal.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
        }
    }
}

/// What a person changed while the model was answering: these things are the person's.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Edited {
    /// RAM keys.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub ram_keys: BTreeSet<String>,
    /// Notes.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub notes: BTreeSet<NoteId>,
}

/// How far beyond the own workspace a guard lets anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reach {
    /// Not at all.
    Own,
    /// Anywhere if the scope has proposals for other workspaces.
    Proposed,
    /// Anywhere: it stood there before.
    Committed,
}

/// The checks of one iteration, or of one verb. Limits count from zero each time one is made.
#[derive(Clone, Debug)]
pub struct Guard<'a> {
    scope: &'a Scope,
    reach: Reach,
    actor: ActorType,
    run_id: Option<RunId>,
    edited: &'a Edited,
    created: u32,
    edits: u32,
    note_bytes: usize,
    storage_bytes: usize,
}

impl<'a> Guard<'a> {
    /// The guard of one iteration of a run: the fence, the limits and the person's edits bind.
    pub const fn for_run(scope: &'a Scope, run_id: RunId, edited: &'a Edited) -> Self {
        Self::new(scope, ActorType::Agent, Some(run_id), edited)
    }

    /// The guard of a person's own change: sizes, forms and versions bind, limits do not.
    pub const fn for_user(scope: &'a Scope, nothing_edited: &'a Edited) -> Self {
        Self::new(scope, ActorType::User, None, nothing_edited)
    }

    const fn new(
        scope: &'a Scope,
        actor: ActorType,
        run_id: Option<RunId>,
        edited: &'a Edited,
    ) -> Self {
        Self {
            scope,
            reach: Reach::Own,
            actor,
            run_id,
            edited,
            created: 0,
            edits: 0,
            note_bytes: 0,
            storage_bytes: 0,
        }
    }

    /// The same where what passes is only proposed, or is a proposal that a person approves.
    #[must_use]
    pub const fn of_proposals(self) -> Self {
        Self {
            reach: Reach::Proposed,
            ..self
        }
    }

    /// The same where a person takes back what was committed, wherever that was.
    #[must_use]
    pub const fn of_undo(self) -> Self {
        Self {
            reach: Reach::Committed,
            ..self
        }
    }

    /// The workspace that may be written.
    pub const fn workspace_id(&self) -> WorkspaceId {
        self.scope.workspace_id
    }

    /// Whether notes of a workspace may be seen.
    pub fn reads(&self, workspace_id: WorkspaceId) -> bool {
        self.scope.reads(workspace_id)
    }

    fn is_agent(&self) -> bool {
        self.actor == ActorType::Agent
    }
}

/// How deep a value is nested; 0 for a plain one.
fn depth_of(value: &Value) -> usize {
    let deepest = match value {
        Value::Array(items) => items.iter().map(depth_of).max(),
        Value::Object(members) => members.values().map(depth_of).max(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => return 0,
    };
    1 + deepest.unwrap_or_default()
}
