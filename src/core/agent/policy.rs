//! How the loop paces and bounds itself. Plain values from the configuration.

/// The `loop` section as it is in force.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoopPolicy {
    /// Pause between iterations, in milliseconds.
    pub loop_delay_ms: u64,
    /// First pause before an idle iteration, in milliseconds.
    pub idle_delay_ms: u64,
    /// Longest pause between idle iterations, in milliseconds.
    pub idle_delay_max_ms: u64,
    /// Iterations of one run; `None` is unlimited.
    pub max_iterations: Option<u32>,
    /// Whether the daemon moves to the next state when the model does not.
    pub auto_advance: bool,
    /// How often in a row the model may ask to stay in a state.
    pub max_stay: u32,
    /// How often a reply that cannot be read is asked for again inside one iteration.
    pub parse_retries: u32,
    /// What happens while there is nothing to do.
    pub idle_profile: IdleProfile,
}

/// What happens while there is nothing to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IdleProfile {
    /// Single maintenance iterations, ever further apart.
    Maintenance,
    /// No model calls until a trigger.
    Sleep,
}
