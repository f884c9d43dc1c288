//! The rules for near-duplicates and organizing. Plain values from the configuration.

/// The `notes` section of the configuration in force.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NotePolicy {
    /// The likeness from which on two notes are near-duplicates, from 0.5 to 1.
    pub similar_threshold: f64,
    /// Whether a new note of the agent is refused if it has a near-duplicate.
    pub refuse_near_duplicates: bool,
    /// The number of changes of notes after which an idle agent organizes them; 0 means never.
    pub organize_every: u32,
}
