//! The fence: plain values from the configuration that the guard checks against.

use crate::ids::WorkspaceId;

/// The `scope` section as it is in force.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scope {
    /// The one workspace that the agent may write in.
    pub workspace_id: WorkspaceId,
    /// Kinds of notes that the agent may write.
    pub allowed_note_kinds: Vec<String>,
    /// Creations that one iteration may make.
    pub max_notes_per_loop: u32,
    /// Edits that one iteration may make.
    pub max_edits_per_loop: u32,
}
