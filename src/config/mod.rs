//! Reads the files that a person writes: layers are merged, every problem is reported with its
//! place, and the rest of the program sees one resolved [`Config`]. Nothing else sees raw keys.
//!
//! Read in this order: `keys` is the table that drives everything, `load` the entry point.

mod actions;
mod aliases;
mod api_key;
mod bounds;
mod calls;
mod config_file;
mod data_folder;
mod environment;
mod files;
mod forms;
mod init;
mod keys;
mod load;
mod local_server;
mod local_zone;
mod models;
mod nearest;
mod problem;
mod prompt_file;
mod providers;
mod readable;
mod reader;
mod resolve;
mod resolved;
mod root;
mod rules;
mod rules_file;
mod settings;
mod shape;
mod show;
mod table;
mod url;

pub use api_key::ApiKeyState;
pub use config_file::{KeySet, known_key};
pub use data_folder::check_data_folder;
pub use environment::Environment;
pub use files::{FileProblem, changed_since, read_file, read_to_end};
pub use init::{
    InitReport, SHIPPED_CONFIG, SHIPPED_EXTENDED_PROMPT, SHIPPED_PROMPT, init, init_launcher,
    init_with,
};
pub use keys::KEYS;
pub use load::{CONFIG_PATH, Loaded, MODELS_PATH, RULES_PATH, load, load_without_key};
pub use local_server::local_server;
pub use local_zone::local_zone;
pub use problem::{Problem, Severity, failure};
pub use providers::UNNAMED_MODEL;
pub use readable::load_readable;
pub use reader::ConfigReader;
pub use resolved::{
    Action, ApiConfig, CallBudget, Config, Constrain, JournalPolicy, Launch, LogConfig, LogFormat,
    NamedProvider, ProviderConfig, ProviderKind, Secret,
};
pub use root::root_above;
pub use rules_file::{change_rules, rules_warning};
pub use settings::{Setting, Settings, Source};
pub use shape::Shape;
pub use show::{check_json, check_text, show_json, show_text};
pub use table::{Fallback, Key, TAKEN_AT_START, schema, table_markdown};
