//! The configuration as it is in force: typed, complete, valid.

use crate::core::agent::LoopPolicy;
use crate::core::automation::Rule;
use crate::core::guard::Scope;
use crate::core::memory::{MemoryLayout, MemoryPolicy};
use crate::core::notes::NotePolicy;
use crate::core::prompt::{Mode, PromptFile, TokenBudget};
use crate::core::protocol::ConstraintKind;
use crate::core::route::{Allowance, ModelEntry, RetryPolicy};
use crate::core::run::ConfiguredServer;
use crate::ids::RuleId;
use std::collections::BTreeMap;
use std::fmt;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

/// Everything that a run needs to know. Paths are absolute or relative to the root.
#[derive(Clone, Debug)]
pub struct Config {
    /// The base of every relative path.
    pub root: PathBuf,
    /// The prompt file.
    pub prompt_path: PathBuf,
    /// The KV file.
    pub kv_store_path: PathBuf,
    /// The model server.
    pub provider: ProviderConfig,
    /// Servers to choose among, by the table of models and then in this order; while there are any, [`Self::provider`] is not
    /// asked.
    pub providers: Vec<NamedProvider>,
    /// What is known of models that may be chosen.
    pub models: Vec<ModelEntry>,
    /// How note mutations are applied; `None` leaves it to the prompt file's `default_mode`.
    pub mode: Option<Mode>,
    /// RAM.
    pub memory: MemoryPolicy,
    /// Which files hold RAM and `/storage`.
    pub memory_layout: MemoryLayout,
    /// What of a prompt is in it.
    pub token_budget: TokenBudget,
    /// Tool calls that the log shows.
    pub log_entries_max: usize,
    /// The loop.
    pub r#loop: LoopPolicy,
    /// The fence.
    pub scope: Scope,
    /// Order among the notes.
    pub notes: NotePolicy,
    /// Repeats of failed calls.
    pub retry: RetryPolicy,
    /// What calls may cost.
    pub budget: CallBudget,
    /// Whether the parser refuses what it could repair.
    pub parser_strict: bool,
    /// The journal.
    pub journal: JournalPolicy,
    /// The control interface.
    pub api: ApiConfig,
    /// Logging.
    pub log: LogConfig,
    /// The automation rules.
    pub rules: Arc<[Rule]>,
    /// What is otherwise in the runs of rules whose actions change something.
    pub actions: BTreeMap<RuleId, Arc<Action>>,
}

/// What the runs of a rule are worked on with.
#[derive(Clone, Debug)]
pub struct Action {
    /// The configuration, with the rule's changes.
    pub config: Config,
    /// The prompt file.
    pub prompt: PromptFile,
    /// Whether it asks servers of its own, or asks them in its own way.
    pub has_own_servers: bool,
}

impl Config {
    /// How note mutations are applied with `prompt`: what the configuration says, else what the
    /// prompt file says.
    pub fn mode_with(&self, prompt: &PromptFile) -> Mode {
        self.mode.unwrap_or(prompt.default_mode)
    }

    /// The provider that is asked first, with its name where it is one of several.
    pub fn first_provider(&self) -> (Option<&str>, &ProviderConfig) {
        self.providers.first().map_or((None, &self.provider), |it| {
            (Some(it.name.as_str()), &it.config)
        })
    }

    /// Every provider that may be asked, those of rules included.
    pub fn all_providers(&self) -> impl Iterator<Item = &ProviderConfig> {
        let actions = self.actions.values().map(|action| &action.config);
        std::iter::once(self).chain(actions).flat_map(|config| {
            let listed = config.providers.iter().map(|it| &it.config);
            std::iter::once(&config.provider).chain(listed)
        })
    }

    /// Every key and token that is in use, those of rules included.
    pub fn secrets(&self) -> Vec<&Secret> {
        let keys = self.all_providers().filter_map(|it| it.api_key.as_ref());
        let token = self.api.tcp.as_ref().map(|(_, token)| token);
        keys.chain(token).collect()
    }
}

/// The `provider` section.
#[derive(Clone, Debug)]
pub struct ProviderConfig {
    /// Which server's habits to expect.
    pub kind: ProviderKind,
    /// The base address, normalised: no trailing slash, no `/chat/completions`. For `scripted` it
    /// is unused.
    pub base_url: String,
    /// The model's name as the server knows it. For `scripted`: the path of the script.
    pub model: String,
    /// Longest wait for one answer, in milliseconds.
    pub timeout_ms: u64,
    /// Most tokens of one answer.
    pub max_tokens: u32,
    /// Sampling temperature, 0 to 2.
    pub temperature: f64,
    /// The key, already read from the environment or a credential.
    pub api_key: Option<Secret>,
    /// The variable that the key was looked for under, where one is named. A program gets it so.
    pub api_key_env: Option<String>,
    /// The window in tokens, if the person knows it better than the server.
    pub context_tokens: Option<u32>,
    /// What the server is to keep answers to.
    pub constrain: Constrain,
    /// Models that the server asks in place of the first where that one fails.
    pub fallback_models: Vec<String>,
    /// Address and title that calls are listed under.
    pub attribution: Vec<String>,
    /// How long a model that a question loaded stays loaded, in seconds.
    pub ttl_seconds: Option<u64>,
    /// Whether answers are read while the model writes them.
    pub stream: bool,
    /// Longest silence between two words of a streamed answer, in milliseconds.
    pub stall_timeout_ms: u64,
    /// A command that starts the server when it does not answer.
    pub launch: Option<Launch>,
    /// For `cli`: the program and its arguments, or the name of a known one.
    pub command: Vec<String>,
}

impl ProviderConfig {
    /// The server that it names, as records tell of it; none where no server is asked.
    pub fn as_server(&self) -> Option<ConfiguredServer> {
        let is_server = !matches!(self.kind, ProviderKind::Cli | ProviderKind::Scripted);
        is_server.then(|| ConfiguredServer {
            base_url: self.base_url.clone(),
            model: self.model.clone(),
        })
    }
}

/// What a server is to keep answers to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Constrain {
    /// What is known to be no worse for the model than nothing.
    #[default]
    Auto,
    /// That, or what the server can do of what comes after it.
    From(ConstraintKind),
    /// Nothing.
    Off,
}

impl Constrain {
    /// The choice of that name; what was checked has one.
    pub(super) fn named(name: &str) -> Self {
        match name {
            "off" => Self::Off,
            _ => ConstraintKind::parse(name).map_or(Self::Auto, Self::From),
        }
    }
}

/// An entry of `providers`.
#[derive(Clone, Debug)]
pub struct NamedProvider {
    /// What it is called; no other is called so.
    pub name: String,
    /// The server.
    pub config: ProviderConfig,
}

/// A command that brings a local server up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Launch {
    /// Program and arguments; the program is relative to the root.
    pub command: Vec<String>,
    /// Longest wait until the server answers, in milliseconds.
    pub ready_timeout_ms: u64,
}

/// Which server's habits to expect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProviderKind {
    /// LM Studio on this machine.
    LmStudio,
    /// OpenRouter, with a key.
    OpenRouter,
    /// Any other OpenAI-compatible server.
    OpenAi,
    /// A program on this machine that answers on a terminal.
    Cli,
    /// Replies from a JSONL file, for rehearsal and tests.
    Scripted,
}

impl ProviderKind {
    /// The kind of that name; LM Studio for a name that is none, as nothing that was checked is.
    pub(super) fn named(name: &str) -> Self {
        let kinds = [Self::OpenRouter, Self::OpenAi, Self::Cli, Self::Scripted];
        let found = kinds.into_iter().find(|kind| kind.name() == name);
        found.unwrap_or(Self::LmStudio)
    }

    /// The kind's name in configuration and run records.
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

/// The `budget` section.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CallBudget {
    /// What a day may cost.
    pub day: Allowance,
    /// What a run may cost.
    pub run: Allowance,
    /// Requests in a minute.
    pub calls_per_minute: Option<u32>,
}

/// The `journal` section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JournalPolicy {
    /// Size at which a new segment is begun, in bytes.
    pub segment_bytes: u64,
    /// Age at which a whole segment may be retired, in days.
    pub retention_days: u32,
}

/// The `api` section.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApiConfig {
    /// Whether a socket of the data folder is listened at.
    pub socket: bool,
    /// An address of this machine that is listened at, and the token that is asked for there.
    pub tcp: Option<(SocketAddr, Secret)>,
}

/// The `log` section.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogConfig {
    /// `error`, `warn`, `info`, `debug` or `trace`.
    pub level: tracing::Level,
    /// How lines look.
    pub format: LogFormat,
}

/// How log lines look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogFormat {
    /// Text on a terminal, JSON elsewhere.
    Auto,
    /// For people.
    Text,
    /// One JSON object a line.
    Json,
}

/// A text that must never be shown.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Wraps a secret.
    pub const fn new(text: String) -> Self {
        Self(text)
    }

    /// The secret itself, for the one place that sends it.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(..)")
    }
}
