//! The bounds and pauses of the loop, as plain values from the configuration.

/// The `loop` section in force.
#[derive(Clone, Debug, PartialEq, Eq, serde::Deserialize)]
pub struct LoopPolicy {
    /// The pause between iterations, in milliseconds.
    pub loop_delay_ms: u64,
    /// The first pause before an idle iteration, in milliseconds.
    pub idle_delay_ms: u64,
    /// The longest pause between idle iterations, in milliseconds.
    pub idle_delay_max_ms: u64,
    /// The maximum number of iterations of one run; `None` is unlimited.
    pub max_iterations: Option<u32>,
    /// Whether the daemon moves to the next state when the model does not.
    pub auto_advance: bool,
    /// The maximum number of times in a row that the model may ask to stay in a state.
    pub max_stay: u32,
    /// The maximum number of times that an unreadable reply is asked for again in one iteration.
    pub parse_retries: u32,
    /// The work of the loop while there is nothing to do.
    pub idle_profile: IdleProfile,
    /// The way to work on requests.
    pub protocol: Protocol,
}

/// The way to work on requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Protocol {
    /// The model plans one line for each thing, and the program carries the lines out.
    Steps,
    /// The model writes instructions in every state.
    Xml,
    /// The way that suits the model; small steps if that is not known.
    Auto,
}

impl Protocol {
    /// Returns whether a model of that name works on requests in small steps.
    /// With `auto`, it does unless its name states 8 billion parameters or more.
    pub fn is_stepwise(self, model: &str) -> bool {
        match self {
            Self::Steps => true,
            Self::Xml => false,
            Self::Auto => billions_in(model).is_none_or(|billions| billions < LARGE_BILLIONS),
        }
    }
}

/// The number of parameters from which a model counts as large, in billions.
const LARGE_BILLIONS: f64 = 8.0;

/// Returns the billions of parameters in the name of a model, as in `qwen2.5-1.5b-instruct`.
fn billions_in(model: &str) -> Option<f64> {
    let lower = model.to_ascii_lowercase();
    let parts = lower.split(|it: char| !it.is_ascii_alphanumeric() && it != '.');
    let mut numbers = parts.filter_map(|part| part.strip_suffix('b')?.parse::<f64>().ok());
    numbers.next_back()
}

/// The work of the loop while there is nothing to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum IdleProfile {
    /// Single maintenance iterations, ever further apart.
    Maintenance,
    /// Like [`Self::Maintenance`], but with a prompt of its own that asks for a text.
    Creative,
    /// Like [`Self::Maintenance`], but with a prompt of its own that asks for more on known topics.
    Enrich,
    /// No model calls until a trigger.
    Sleep,
}

impl IdleProfile {
    /// Every profile.
    pub const ALL: [Self; 4] = [Self::Maintenance, Self::Creative, Self::Enrich, Self::Sleep];

    /// Returns the name of the profile in the configuration.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Maintenance => "maintenance",
            Self::Creative => "creative",
            Self::Enrich => "enrich",
            Self::Sleep => "sleep",
        }
    }

    /// Returns the profile of a name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|profile| profile.name() == name)
    }

    /// Returns whether a prompt file may have a prompt for this profile alone.
    /// The prompts of the state `idle` are for maintenance.
    pub const fn has_own_words(self) -> bool {
        matches!(self, Self::Creative | Self::Enrich)
    }
}
