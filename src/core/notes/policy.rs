//! How notes are kept in order. Plain values from the configuration.

/// The `notes` section as it is in force.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NotePolicy {
    /// How much two notes must say the same to count as near-duplicates, from 0.5 to 1.
    pub similar_threshold: f64,
    /// Whether the agent's new note is refused when there is one like it.
    pub refuse_near_duplicates: bool,
    /// After how many changes of notes an idle agent puts them in order; 0 is never.
    pub organize_every: u32,
}
