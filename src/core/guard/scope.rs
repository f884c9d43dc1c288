//! The fence: plain values from the configuration that the guard checks against.

use crate::ids::WorkspaceId;

/// The `scope` section as it is in force.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scope {
    /// The one workspace that the agent may write in.
    pub workspace_id: WorkspaceId,
    /// Other workspaces whose notes the agent may read.
    pub can_read_workspaces: Vec<WorkspaceId>,
    /// Whether mode `reviewed` may propose changes of other workspaces. Nothing applies them but a person.
    pub cross_workspace_writes: bool,
    /// Kinds of notes that the agent may write.
    pub allowed_note_kinds: Vec<String>,
    /// Creations that one iteration may make.
    pub max_notes_per_loop: u32,
    /// Edits that one iteration may make.
    pub max_edits_per_loop: u32,
}

impl Scope {
    /// Whether the agent may see notes of a workspace.
    pub fn reads(&self, workspace_id: WorkspaceId) -> bool {
        workspace_id == self.workspace_id || self.can_read_workspaces.contains(&workspace_id)
    }
}
