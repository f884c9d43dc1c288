//! The scope: plain values from the configuration that the guard checks against.

use crate::ids::WorkspaceId;

/// The `scope` section in force.
#[derive(Clone, Debug, PartialEq, Eq)]
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
