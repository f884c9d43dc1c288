//! The rows of the key table, and functions over the whole table: a key by its path, and the schema.

use super::keys::KEYS;
use super::shape::Shape;
use serde_json::{Map, Value, json};

/// The keys that change only at the next start.
/// A reload applies every other one, and names these.
pub const TAKEN_AT_START: &[&str] = &[
    "provider.launch",
    "memory.kv_store_path",
    "api.socket",
    "api.tcp",
    "log.format",
];

/// The flat keys of the older file format, and the nested keys that they stand for.
/// The nested key wins where both are given. No new key belongs here.
pub(super) const ALIASES: &[(&str, &str)] = &[
    (
        "working_memory_character_max",
        "memory.working_memory_character_max",
    ),
    ("llm_api_url", "provider.base_url"),
    ("llm_model", "provider.model"),
    ("llm_max_tokens", "provider.max_tokens"),
    ("llm_temperature", "provider.temperature"),
    ("system_debug_mode", "log.level"),
    ("system_max_log_entries", "memory.system_max_log_entries"),
    ("system_auto_cleanup", "memory.system_auto_cleanup"),
    ("key_token_max", "memory.key_token_max"),
    (
        "working_memory_children_max",
        "memory.working_memory_children_max",
    ),
];

#[derive(Clone, Copy, Debug)]
pub struct ConfigKey {
    /// The JSON path, dotted.
    pub path: &'static str,
    /// The accepted values.
    pub shape: Shape,
    pub default: DefaultValue,
    /// The description, in one line.
    pub doc: &'static str,
}

#[derive(Clone, Copy, Debug)]
pub enum DefaultValue {
    Null,
    Switch(bool),
    Integer(i64),
    /// A number.
    Number(f64),
    Text(&'static str),
    Texts(&'static [&'static str]),
    /// A value that depends on other keys, which the words name.
    By(&'static str),
}

impl DefaultValue {
    /// Returns the default as JSON; null where it depends on other keys.
    pub fn value(self) -> Value {
        match self {
            Self::Null | Self::By(_) => Value::Null,
            Self::Switch(value) => Value::Bool(value),
            Self::Integer(value) => Value::from(value),
            Self::Number(value) => Value::from(value),
            Self::Text(value) => Value::from(value),
            Self::Texts(value) => Value::from(value),
        }
    }
}

pub(super) fn find(path: &str) -> Option<&'static ConfigKey> {
    KEYS.iter().find(|key| key.path == path)
}

/// Returns whether `name` is a section: the first part of some nested key.
pub(super) fn is_section(name: &str) -> bool {
    KEYS.iter().any(|key| {
        key.path
            .split_once('.')
            .is_some_and(|(section, _)| section == name)
    })
}

/// Returns the JSON Schema (2020-12) of the configuration file, for `config schema`.
/// Unknown keys only cause warnings, so the schema allows them.
pub fn schema() -> Value {
    let mut sections: Map<String, Value> = Map::new();
    for key in KEYS {
        let mut entry = key.shape.schema();
        entry["description"] = Value::from(key.doc);
        if !matches!(key.default, DefaultValue::By(_)) {
            entry["default"] = key.default.value();
        }
        if let Some((section, name)) = key.path.split_once('.') {
            let body = sections
                .entry(section)
                .or_insert_with(|| json!({"type": "object", "properties": {}}));
            body["properties"][name] = entry;
        } else {
            sections.insert(key.path.to_owned(), entry);
        }
    }
    for (name, target) in ALIASES {
        let note = format!("older name of `{target}`");
        let entry = json!({"description": note, "deprecated": true});
        sections.insert((*name).to_owned(), entry);
    }
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Configuration of kjxlkj-agent",
        "type": "object",
        "properties": sections,
    })
}
