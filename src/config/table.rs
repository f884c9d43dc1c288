//! The rows of the key table, and functions over the whole table: the position of a key (computed
//! at compile time), its default, the schema and the table for the topic `config`.

use super::aliases::ALIASES;
use super::keys::KEYS;
use super::shape::Shape;
use serde_json::{Map, Value, json};
use std::fmt::Write as _;

/// The keys that change only at the next start.
/// A reload applies every other one, and names these.
pub const TAKEN_AT_START: &[&str] = &[
    "provider.launch",
    "memory.kv_store_path",
    "api.socket",
    "api.tcp",
    "log.format",
];

/// A configuration key.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// The JSON path, dotted.
    pub path: &'static str,
    /// The accepted values.
    pub shape: Shape,
    /// The default.
    pub default: Fallback,
    /// The description, in one line.
    pub doc: &'static str,
}

/// The default of a key.
#[derive(Clone, Copy, Debug)]
pub enum Fallback {
    /// Null.
    Null,
    /// A switch.
    Switch(bool),
    /// An integer.
    Integer(i64),
    /// A number.
    Number(f64),
    /// A text.
    Text(&'static str),
    /// A list of texts.
    Texts(&'static [&'static str]),
    /// A value that depends on other keys, which the words name.
    By(&'static str),
}

impl Fallback {
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

/// Returns the row of a key.
/// Called at compile time, so that a misspelt key does not build.
pub(super) const fn position(path: &str) -> usize {
    let mut row = 0;
    while row < KEYS.len() {
        if same(KEYS[row].path.as_bytes(), path.as_bytes()) {
            return row;
        }
        row += 1;
    }
    assert!(row < KEYS.len(), "every key stands in the table");
    row
}

const fn same(left: &[u8], right: &[u8]) -> bool {
    if left.len() != right.len() {
        return false;
    }
    let mut at = 0;
    while at < left.len() {
        if left[at] != right[at] {
            return false;
        }
        at += 1;
    }
    true
}

/// Finds the row of a key that is only known at run time.
pub(super) fn find(path: &str) -> Option<usize> {
    KEYS.iter().position(|key| key.path == path)
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
        let (section, name) = match key.path.split_once('.') {
            Some((section, name)) => (Some(section), name),
            None => (None, key.path),
        };
        let entry = property(key);
        match section {
            None => {
                sections.insert(name.to_owned(), entry);
            }
            Some(section) => {
                let body = sections
                    .entry(section)
                    .or_insert_with(|| json!({"type": "object", "properties": {}}));
                body["properties"][name] = entry;
            }
        }
    }
    for alias in ALIASES {
        let note = format!("older name of `{}`", alias.target);
        sections.insert(
            alias.name.to_owned(),
            json!({"description": note, "deprecated": true}),
        );
    }
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Configuration of kjxlkj-agent",
        "type": "object",
        "properties": sections,
    })
}

fn property(key: &Key) -> Value {
    let mut entry = key.shape.schema();
    entry["description"] = Value::from(key.doc);
    if !matches!(key.default, Fallback::By(_)) {
        entry["default"] = key.default.value();
    }
    entry
}

/// Returns the key table as Markdown, for the topic `config`.
pub fn table_markdown() -> String {
    let mut text = "| key | accepts | default | what it does |\n|---|---|---|---|\n".to_owned();
    for key in KEYS {
        let default = match key.default {
            Fallback::By(words) => words.to_owned(),
            value @ (Fallback::Null
            | Fallback::Switch(_)
            | Fallback::Integer(_)
            | Fallback::Number(_)
            | Fallback::Text(_)
            | Fallback::Texts(_)) => format!("`{}`", value.value()),
        };
        let row = [
            format!("`{}`", key.path),
            key.shape.to_string(),
            default,
            key.doc.to_owned(),
        ];
        // Writing into a string cannot fail.
        writeln!(text, "| {} |", row.join(" | ")).unwrap_or_default();
    }
    text
}
