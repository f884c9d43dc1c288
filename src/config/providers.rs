//! Checks the list `providers`: each entry like `provider`, by the same rows of the table, with
//! defaults filled in. Knows of a server only its default address.

use super::keys::KEYS;
use super::problem::Findings;
use super::resolved::ProviderKind;
use super::settings::{checked, unknown};
use super::shape::Shape;
use super::table::Key;
use super::url;
use crate::strict_json::JsonPath;
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// The address of LM Studio's server after installation.
const LM_STUDIO_URL: &str = "http://127.0.0.1:1234/v1";

/// The address of OpenRouter.
const OPENROUTER_URL: &str = "https://openrouter.ai/api/v1";

/// The most entries: more are no useful choice.
const PROVIDERS_MAX: usize = 16;

/// The prefix of the keys of one provider in the table.
pub(super) const SECTION: &str = "provider.";

/// Checks the list.
/// Each valid entry is returned with its name and every key of `provider` but `launch`.
pub(super) fn check(given: &Value, path: &JsonPath, findings: &mut Findings) -> Value {
    let Some(items) = given.as_array() else {
        return Value::Array(Vec::new());
    };
    if items.len() > PROVIDERS_MAX {
        let message = format!("must hold at most {PROVIDERS_MAX} entries");
        findings.error(path.clone(), message);
    }
    let mut names = BTreeSet::new();
    let mut document = Vec::with_capacity(items.len());
    for (index, item) in items.iter().enumerate().take(PROVIDERS_MAX) {
        let path = path.index(index);
        let Some(entries) = item.as_object() else {
            findings.error(path, "must be an object");
            continue;
        };
        let entry = entry(entries, &path, findings);
        let name = entry.get("name").and_then(Value::as_str);
        if let Some(name) = name
            && !names.insert(name.to_owned())
        {
            let message = "another entry has this name; give each a `name` of its own";
            findings.error(path.key("name"), message);
        }
        document.push(Value::Object(entry));
    }
    Value::Array(document)
}

/// Returns the rows of the table that an entry has, with their names in it.
fn rows() -> impl Iterator<Item = (&'static str, &'static Key)> {
    let named = |key: &'static Key| key.path.strip_prefix(SECTION).map(|name| (name, key));
    KEYS.iter()
        .filter_map(named)
        .filter(|(name, _)| *name != "launch")
}

fn entry(
    entries: &Map<String, Value>,
    path: &JsonPath,
    findings: &mut Findings,
) -> Map<String, Value> {
    for name in entries.keys() {
        if name != "name" && !rows().any(|(known, _)| known == name) {
            unknown(&path.key(name), &format!("providers.{name}"), findings);
        }
    }
    let mut document = Map::new();
    for (name, key) in rows() {
        let value = match entries.get(name) {
            Some(given) => checked(key, given, &path.key(name), findings),
            None => key.default.value(),
        };
        document.insert(name.to_owned(), value);
    }
    check_kind(&mut document, entries, path, findings);
    let name = match entries.get("name") {
        Some(given) => Shape::Text.check(given).unwrap_or_else(|refusal| {
            findings.error(path.key("name"), refusal.message);
            Value::Null
        }),
        None => usual_name(&document),
    };
    document.insert("name".to_owned(), name);
    document
}

/// Returns the default name of an entry: its model, or its program where that chooses the model.
fn usual_name(document: &Map<String, Value>) -> Value {
    let program = document
        .get("command")
        .and_then(|words| words.get(0)?.as_str());
    match (text(document, "model"), program) {
        (UNNAMED_MODEL, Some(program)) => program.rsplit('/').next().map(Value::from),
        _ => document.get("model").cloned(),
    }
    .unwrap_or_default()
}

/// Checks the keys that depend on the kind: address, model, command.
fn check_kind(
    document: &mut Map<String, Value>,
    written: &Map<String, Value>,
    path: &JsonPath,
    findings: &mut Findings,
) {
    let kind = ProviderKind::named(text(document, "provider_kind"));
    match (usual_address(kind), written.get("base_url")) {
        (Some(address), None) => {
            document.insert("base_url".to_owned(), Value::from(address));
        }
        (None, None) => {
            findings.error(path.key("base_url"), NO_ADDRESS);
        }
        (_, Some(_)) if url::is_open_to_listeners(text(document, "base_url")) => {
            findings.warn(path.key("base_url"), OPEN_TO_LISTENERS);
        }
        (_, Some(_)) => {}
    }
    if kind == ProviderKind::Scripted && !written.contains_key("model") {
        findings.error(path.key("model"), NO_SCRIPT);
    }
    match kind {
        _ if written.contains_key("model") => {}
        ProviderKind::Cli => {
            document.insert("model".to_owned(), Value::from(UNNAMED_MODEL));
        }
        ProviderKind::OpenRouter => findings.error(path.key("model"), NO_MODEL),
        ProviderKind::LmStudio | ProviderKind::OpenAi | ProviderKind::Scripted => {}
    }
    if kind == ProviderKind::Cli && document.get("command").is_none_or(Value::is_null) {
        findings.error(path.key("command"), NO_COMMAND);
    }
}

/// The warning about an address whose traffic others can read.
pub(super) const OPEN_TO_LISTENERS: &str =
    "plain http to another machine: anybody on the way can read prompts and keys";

/// The error for a missing program.
pub(super) const NO_COMMAND: &str = "must name the program for the provider kind `cli`";

/// The error for a missing address.
pub(super) const NO_ADDRESS: &str = "must be given for the provider kind `openai`";

/// The model name of a program without a configured model: it chooses its own.
pub const UNNAMED_MODEL: &str = "unnamed";

/// The error for a missing model of `openrouter`.
pub(super) const NO_MODEL: &str = "must be given for the provider kind `openrouter`, as it is named there, such as `vendor/model`";

/// The error for a missing script.
pub(super) const NO_SCRIPT: &str = "must name the file of replies for the provider kind `scripted`";

/// Returns the default address of a kind; `None` where one must be configured.
pub(super) const fn usual_address(kind: ProviderKind) -> Option<&'static str> {
    match kind {
        ProviderKind::LmStudio => Some(LM_STUDIO_URL),
        ProviderKind::OpenRouter => Some(OPENROUTER_URL),
        ProviderKind::OpenAi => None,
        ProviderKind::Cli | ProviderKind::Scripted => Some(""),
    }
}

fn text<'a>(entries: &'a Map<String, Value>, name: &str) -> &'a str {
    let value = entries.get(name).and_then(Value::as_str);
    value.unwrap_or_default()
}
