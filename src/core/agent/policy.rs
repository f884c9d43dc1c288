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
    /// The same with words of their own that ask for a text.
    Creative,
    /// The same with words of their own that ask for more on what is known.
    Enrich,
    /// No model calls until a trigger.
    Sleep,
}

impl IdleProfile {
    /// Every profile.
    pub const ALL: [Self; 4] = [Self::Maintenance, Self::Creative, Self::Enrich, Self::Sleep];

    /// The profile's name in the configuration.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Maintenance => "maintenance",
            Self::Creative => "creative",
            Self::Enrich => "enrich",
            Self::Sleep => "sleep",
        }
    }

    /// Reads a profile's name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|profile| profile.name() == name)
    }

    /// Whether a prompt file may have words for it alone: those of the state `idle` are upkeep.
    pub const fn has_own_words(self) -> bool {
        matches!(self, Self::Creative | Self::Enrich)
    }
}
