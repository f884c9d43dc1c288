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
    /// How requests are worked on.
    pub protocol: Protocol,
}

/// How requests are worked on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// The model plans one line for each thing, and the program carries the lines out.
    Steps,
    /// The model writes instructions in every state.
    Xml,
    /// As the asked model is known to do better, and in small steps where that is not known.
    Auto,
}

impl Protocol {
    /// Returns the protocol of a name in the configuration.
    pub fn parse(name: &str) -> Option<Self> {
        match name {
            "steps" => Some(Self::Steps),
            "xml" => Some(Self::Xml),
            "auto" => Some(Self::Auto),
            _ => None,
        }
    }

    /// Returns whether requests to a model of that name are worked on in small steps. A model whose name
    /// tells 8 billion parameters or more has room for whole instructions.
    pub fn is_stepwise(self, model: &str) -> bool {
        match self {
            Self::Steps => true,
            Self::Xml => false,
            Self::Auto => billions_in(model).is_none_or(|billions| billions < LARGE_BILLIONS),
        }
    }
}

/// Billions of parameters from which on a model counts as large.
const LARGE_BILLIONS: f64 = 8.0;

/// Returns the billions of parameters that the name of a model tells, as in `qwen2.5-1.5b-instruct`.
fn billions_in(model: &str) -> Option<f64> {
    let lower = model.to_ascii_lowercase();
    let parts = lower.split(|it: char| !it.is_ascii_alphanumeric() && it != '.');
    let mut numbers = parts.filter_map(|part| part.strip_suffix('b')?.parse::<f64>().ok());
    numbers.next_back()
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
