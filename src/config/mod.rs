//! Reads the files that a person writes: layers are merged, every problem is reported with its
//! place, and the rest of the program sees one resolved [`Config`]. Nothing else sees raw keys.
//!
//! Read in this order: `keys` is the table that drives everything, `load` the entry point.

mod actions;
mod agents;
mod api_key;
mod file_change;
mod files;
mod init;
mod keys;
mod load;
mod members;
mod object;
mod problem;
mod prompt_file;
mod providers;
mod reader;
mod resolve;
mod resolved;
mod root;
mod rules;
mod settings;
mod shape;
mod shipped_prompt;
mod show;
mod table;
mod url;

pub use agents::{AGENTS_PATH, AgentDescription};
pub use api_key::ApiKeyState;
pub use file_change::{KeySet, known_key};
pub use files::{FileProblem, changed_since, read_file, read_to_end};
pub use init::{
    InitReport, SHIPPED_CONFIG, SHIPPED_EXTENDED_PROMPT, SHIPPED_PROMPT, init, init_launcher,
    init_with,
};
pub use keys::KEYS;
pub use load::{CONFIG_PATH, LoadedConfig, MODELS_PATH, RULES_PATH, load, load_without_key};
pub use problem::{ConfigProblem, Severity, failure};
pub use providers::{UNNAMED_MODEL, local_server};
pub use reader::{ConfigReader, Environment};
pub use resolved::{
    Action, ActionOwner, ApiConfig, CallBudget, Config, Constrain, JournalPolicy, Launch,
    LogConfig, LogFormat, NamedProvider, ProviderConfig, ProviderKind, Secret,
};
pub use root::{check_data_folder, root_above};
pub use settings::{Setting, SettingSource, Settings};
pub use shape::Shape;
pub use show::{check_json, check_text, show_json, show_text};
pub use table::{ConfigKey, DefaultValue, TAKEN_AT_START, schema};
