//! The configuration in force: typed, complete, valid.

use crate::core::agent::LoopPolicy;
use crate::core::automation::Rule;
use crate::core::guard::{Permit, Scope};
use crate::core::memory::{MemoryLayout, MemoryPolicy};
use crate::core::notes::NotePolicy;
use crate::core::prompt::{Mode, PromptFile, TokenBudget};
use crate::core::protocol::ConstraintKind;
use crate::core::route::{Allowance, ModelEntry, RetryPolicy};
use crate::core::run::{ConfiguredServer, Run};
use crate::ids::{AgentId, RuleId};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

/// All settings of a run.
/// Paths are absolute or relative to the root.
#[derive(Clone, Debug)]
pub struct Config {
    /// The base of all relative paths.
    pub root: PathBuf,
    pub prompt_path: PathBuf,
    pub kv_store_path: PathBuf,
    /// The model server.
    pub provider: ProviderConfig,
    /// The servers to choose among, by the table of models and then in this order.
    /// While there are any, [`Self::provider`] is not asked.
    pub providers: Vec<NamedProvider>,
    pub models: Vec<ModelEntry>,
    /// The mode; `None` leaves it to the prompt file's `default_mode`.
    pub mode: Option<Mode>,
    /// The settings of RAM.
    pub memory: MemoryPolicy,
    /// The files that hold RAM and `/storage`.
    pub memory_layout: MemoryLayout,
    pub token_budget: TokenBudget,
    /// The number of tool calls that the log shows.
    pub log_entries_max: usize,
    pub r#loop: LoopPolicy,
    pub scope: Scope,
    /// The settings of near-duplicates and organising.
    pub notes: NotePolicy,
    /// The rules for repeating failed calls.
    pub retry: RetryPolicy,
    /// The bounds of calls and tokens.
    pub budget: CallBudget,
    /// Whether the parser refuses a reply that it could repair.
    pub parser_strict: bool,
    pub journal: JournalPolicy,
    /// The settings of the control interface.
    pub api: ApiConfig,
    /// The settings of logging.
    pub log: LogConfig,
    pub rules: Arc<[Rule]>,
    /// The run profiles of the rules whose actions change something.
    pub actions: BTreeMap<RuleId, Arc<Action>>,
    /// The agents beside the main one that are switched on.
    pub agents: BTreeMap<AgentId, Arc<Action>>,
}

/// What the runs of a rule or of an agent are worked on with.
#[derive(Clone, Debug)]
pub struct Action {
    /// The configuration with the changes of the rule or the agent.
    pub config: Config,
    pub prompt: PromptFile,
    /// Whether the servers or the repeats of calls are changed.
    pub has_own_servers: bool,
    /// The instructions that the agent may use.
    pub permit: Permit,
}

/// The rule or the agent whose action a run is worked on with.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ActionOwner {
    Rule(RuleId),
    Agent(AgentId),
}

impl ActionOwner {
    /// Returns the owner of the action of a run, if it may have one.
    pub fn of(run: &Run) -> Option<Self> {
        let agent = run.agent.clone().map(Self::Agent);
        agent.or_else(|| run.rule_id.map(Self::Rule))
    }
}

impl Config {
    /// Returns the mode of the configuration, else that of `prompt`.
    pub fn mode_with(&self, prompt: &PromptFile) -> Mode {
        self.mode.unwrap_or(prompt.default_mode)
    }

    /// Returns the provider that is asked first, with its name where it is one of several.
    pub fn first_provider(&self) -> (Option<&str>, &ProviderConfig) {
        self.providers.first().map_or((None, &self.provider), |it| {
            (Some(it.name.as_str()), &it.config)
        })
    }

    /// Returns the actions of rules and agents.
    pub fn own_actions(&self) -> impl Iterator<Item = (ActionOwner, &Action)> {
        let of_rules = self.actions.iter();
        let of_rules = of_rules.map(|(id, action)| (ActionOwner::Rule(*id), action.as_ref()));
        let of_agents = self.agents.iter();
        let of_agents =
            of_agents.map(|(id, action)| (ActionOwner::Agent(id.clone()), action.as_ref()));
        of_rules.chain(of_agents)
    }

    /// Returns the action of an owner, if it has one.
    pub fn action_of(&self, owner: &ActionOwner) -> Option<&Action> {
        match owner {
            ActionOwner::Rule(id) => self.actions.get(id).map(Arc::as_ref),
            ActionOwner::Agent(id) => self.agents.get(id).map(Arc::as_ref),
        }
    }

    /// Returns all providers that may be asked, those of rules and agents included.
    pub fn all_providers(&self) -> impl Iterator<Item = &ProviderConfig> {
        let actions = self.own_actions().map(|(_, action)| &action.config);
        std::iter::once(self).chain(actions).flat_map(|config| {
            let listed = config.providers.iter().map(|it| &it.config);
            std::iter::once(&config.provider).chain(listed)
        })
    }

    /// Returns the constraint that the registry of models has for a model, if it has one.
    pub fn known_form(&self, model: &str) -> Option<ConstraintKind> {
        let entry = self.models.iter().find(|entry| entry.model_id == model);
        entry.and_then(|entry| entry.constrain)
    }

    /// Returns all keys and tokens in use, those of rules and agents included.
    pub fn secrets(&self) -> Vec<&Secret> {
        let keys = self.all_providers().filter_map(|it| it.api_key.as_ref());
        let token = self.api.tcp.as_ref().map(|(_, token)| token);
        keys.chain(token).collect()
    }
}

#[derive(Clone, Debug, Deserialize)]
pub struct ProviderConfig {
    #[serde(rename = "provider_kind")]
    pub kind: ProviderKind,
    /// The base address, normalised: no trailing slash, no `/chat/completions`.
    /// Unused for `scripted`.
    #[serde(default)]
    pub base_url: String,
    /// The name by which the server knows the model.
    /// For `scripted`: the path of the script.
    pub model: String,
    /// The longest wait for one reply, in milliseconds.
    pub timeout_ms: u64,
    pub max_tokens: u32,
    /// The sampling temperature, 0 to 2.
    pub temperature: f64,
    /// The key, already read from the environment or a credential.
    #[serde(skip)]
    pub api_key: Option<Secret>,
    /// The configured variable that holds the key.
    /// A program gets the key under this name.
    pub api_key_env: Option<String>,
    pub context_tokens: Option<u32>,
    pub constrain: Constrain,
    /// The models that the server uses where the first one fails.
    #[serde(default)]
    pub fallback_models: Vec<String>,
    /// The address and the title that calls are listed under.
    #[serde(default)]
    pub attribution: Vec<String>,
    /// The time that a model stays loaded after a request, in seconds.
    pub ttl_seconds: Option<u64>,
    /// Whether replies are read while the model writes them.
    pub stream: bool,
    /// The longest silence between two pieces of a streamed reply, in milliseconds.
    pub stall_timeout_ms: u64,
    /// The command that starts the server when it does not answer.
    pub launch: Option<Launch>,
    /// The program of `cli` with its arguments, or the name of a known program.
    #[serde(default)]
    pub command: Vec<String>,
}

impl ProviderConfig {
    /// Returns the server as records name it; `None` where no server is asked.
    pub fn as_server(&self) -> Option<ConfiguredServer> {
        let is_server = !matches!(self.kind, ProviderKind::Cli | ProviderKind::Scripted);
        is_server.then(|| ConfiguredServer {
            base_url: self.base_url.clone(),
            model: self.model.clone(),
        })
    }
}

/// A choice of the constraint of replies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Constrain {
    /// The constraint that the registry of models has for the model, if it has one.
    #[default]
    Auto,
    Off,
    /// This form, or the next one that the server supports.
    #[serde(untagged)]
    From(ConstraintKind),
}

#[derive(Clone, Debug)]
pub struct NamedProvider {
    /// The unique name of the entry.
    pub name: String,
    /// The settings of the server.
    pub config: ProviderConfig,
}

/// A command that starts a local server.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Launch {
    /// The program and its arguments; the program is relative to the root.
    pub command: Vec<String>,
    /// The longest wait until the server answers, in milliseconds.
    pub ready_timeout_ms: u64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ProviderKind {
    /// LM Studio on this machine.
    #[default]
    LmStudio,
    /// OpenRouter, with a key.
    OpenRouter,
    /// Any other OpenAI-compatible server.
    OpenAi,
    /// A program on this machine that prints its replies.
    Cli,
    /// Replies from a JSONL file, for rehearsal and tests.
    Scripted,
}

impl ProviderKind {
    /// Returns the kind's name in configuration and run records.
    pub const fn name(self) -> &'static str {
        match self {
            Self::LmStudio => "lmstudio",
            Self::OpenRouter => "openrouter",
            Self::OpenAi => "openai",
            Self::Cli => "cli",
            Self::Scripted => "scripted",
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CallBudget {
    pub day: Allowance,
    pub run: Allowance,
    pub calls_per_minute: Option<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub struct JournalPolicy {
    /// The size at which a new segment begins, in bytes.
    pub segment_bytes: u64,
    /// The age at which a whole segment may be removed, in days.
    pub retention_days: u32,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApiConfig {
    /// Whether the daemon listens at a socket in the data folder.
    pub socket: bool,
    /// The address of this machine where the daemon listens, and the token that it requires.
    pub tcp: Option<(SocketAddr, Secret)>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogConfig {
    /// The level: `error`, `warn`, `info`, `debug` or `trace`.
    pub level: tracing::Level,
    pub format: LogFormat,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogFormat {
    /// Text on a terminal, JSON elsewhere.
    Auto,
    /// Text for people.
    Text,
    /// One JSON object a line.
    Json,
}

/// A text that must never be shown.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    pub const fn new(text: String) -> Self {
        Self(text)
    }

    /// Returns the secret, for the one place that sends it.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(..)")
    }
}
