//! The guard: proposals of the model are untrusted, and only approved ones take effect.
//! It denies by default, is total and does no I/O. Nothing outside this folder can make an
//! [`Approved`].

mod approved;
mod memory;
mod notes;
mod permit;
mod private_ram;
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
    NewNote, NoteEdit, NoteImport, note_create_proposed, note_import, note_import_over,
    note_put_back, note_restore,
};
pub use permit::Permit;
pub use private_ram::{PrivateRamDeleted, PrivateRamSet, in_ram_of};
pub(in crate::core) use trees::{tree_names, tree_path};
pub(in crate::core) use truncation::check_not_truncated;

/// The `scope` section in force.
#[derive(Clone, Debug, PartialEq, Eq, serde::Deserialize)]
pub struct Scope {
    /// The only workspace that the agent may write in.
    pub workspace_id: WorkspaceId,
    /// The other workspaces whose notes the agent may read.
    pub can_read_workspaces: Vec<WorkspaceId>,
    /// Whether mode `reviewed` may propose changes of other workspaces.
    /// Only a person applies them.
    pub cross_workspace_writes: bool,
    /// The kinds of notes that the agent may write.
    pub allowed_note_kinds: Vec<String>,
    /// The maximum number of notes that one iteration may create.
    pub max_notes_per_loop: u32,
    /// The maximum number of edits that one iteration may make.
    pub max_edits_per_loop: u32,
}

impl Scope {
    /// Returns whether the agent may read notes of a workspace.
    pub fn reads(&self, workspace_id: WorkspaceId) -> bool {
        workspace_id == self.workspace_id || self.can_read_workspaces.contains(&workspace_id)
    }
}

/// The reason why something was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The stable code.
    pub code: Code,
    /// One short sentence that suits a small model.
    pub message: String,
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Self {
        Self::new(refusal.code, refusal.message)
    }
}

impl Refusal {
    /// Returns a refusal.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
        }
    }
}

/// The keys and notes that a person changed while the model was answering.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EditedItems {
    /// The keys of RAM.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub ram_keys: BTreeSet<String>,
    /// The notes.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub notes: BTreeSet<NoteId>,
}

/// The workspaces beside its own that a guard accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum WorkspaceReach {
    /// None.
    Own,
    /// Any, if the scope allows proposals for other workspaces.
    Proposed,
    /// Any: the note was committed there before.
    Committed,
}

/// The checks of one iteration or of one command.
/// The limits of each guard count from zero.
#[derive(Clone, Debug)]
pub struct Guard<'a> {
    scope: &'a Scope,
    reach: WorkspaceReach,
    actor: ActorType,
    run_id: Option<RunId>,
    edited: &'a EditedItems,
    created: u32,
    edits: u32,
    note_bytes: usize,
    storage_bytes: usize,
}

impl<'a> Guard<'a> {
    /// Returns the guard of one iteration of a run.
    /// The scope, the limits and the person's edits apply.
    pub const fn for_run(scope: &'a Scope, run_id: RunId, edited: &'a EditedItems) -> Self {
        Self::new(scope, ActorType::Agent, Some(run_id), edited)
    }

    /// Returns the guard of a person's own change.
    /// Sizes, forms and versions apply, limits do not.
    pub const fn for_user(scope: &'a Scope, nothing_edited: &'a EditedItems) -> Self {
        Self::new(scope, ActorType::User, None, nothing_edited)
    }

    const fn new(
        scope: &'a Scope,
        actor: ActorType,
        run_id: Option<RunId>,
        edited: &'a EditedItems,
    ) -> Self {
        Self {
            scope,
            reach: WorkspaceReach::Own,
            actor,
            run_id,
            edited,
            created: 0,
            edits: 0,
            note_bytes: 0,
            storage_bytes: 0,
        }
    }

    /// Returns the guard for making proposals or for applying an approved one.
    #[must_use]
    pub const fn of_proposals(self) -> Self {
        Self {
            reach: WorkspaceReach::Proposed,
            ..self
        }
    }

    /// Returns the guard for an undo, which accepts every workspace.
    #[must_use]
    pub const fn of_undo(self) -> Self {
        Self {
            reach: WorkspaceReach::Committed,
            ..self
        }
    }

    /// Returns the workspace that may be written.
    pub const fn workspace_id(&self) -> WorkspaceId {
        self.scope.workspace_id
    }

    /// Returns whether notes of a workspace may be read.
    pub fn reads(&self, workspace_id: WorkspaceId) -> bool {
        self.scope.reads(workspace_id)
    }

    fn is_agent(&self) -> bool {
        self.actor == ActorType::Agent
    }
}

/// Returns the nesting depth of a value; 0 for a scalar.
pub(in crate::core) fn depth_of(value: &Value) -> usize {
    let deepest = match value {
        Value::Array(items) => items.iter().map(depth_of).max(),
        Value::Object(members) => members.values().map(depth_of).max(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => return 0,
    };
    1 + deepest.unwrap_or_default()
}
