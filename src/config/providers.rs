//! The settings of model servers: `provider`, and each entry of the list `providers`, which has the
//! same rows of the table. Checks the entries, with defaults filled in, and gives both their types.
//! Knows of a server only its default address.

use super::api_key::Keys;
use super::keys::KEYS;
use super::problem::Findings;
use super::resolve;
use super::resolved::{NamedProvider, ProviderConfig, ProviderKind, Secret};
use super::settings::{SettingSource, Settings, checked, unknown};
use super::shape::Shape;
use super::table::ConfigKey;
use super::url;
use crate::failure::Code;
use crate::strict_json::JsonPath;
use serde::Deserialize as _;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use std::path::Path;

/// The address of LM Studio's server after installation.
const LM_STUDIO_URL: &str = "http://127.0.0.1:1234/v1";

const OPENROUTER_URL: &str = "https://openrouter.ai/api/v1";

/// The model name of a program without a configured model: it chooses its own.
pub const UNNAMED_MODEL: &str = "unnamed";

/// The most entries: more are no useful choice.
const PROVIDERS_MAX: usize = 16;

/// The prefix of the keys of one provider in the table.
const SECTION: &str = "provider.";

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
fn rows() -> impl Iterator<Item = (&'static str, &'static ConfigKey)> {
    let named = |key: &'static ConfigKey| key.path.strip_prefix(SECTION).map(|name| (name, key));
    KEYS.iter()
        .filter_map(named)
        .filter(|(name, _)| *name != "launch")
}

fn entry(
    entries: &Map<String, Value>,
    path: &JsonPath,
    findings: &mut Findings,
) -> Map<String, Value> {
    let defaults = rows().map(|(name, key)| (name.to_owned(), key.default.value()));
    let mut document: Map<String, Value> = defaults.collect();
    for (name, given) in entries.iter().filter(|(name, _)| *name != "name") {
        let path = path.key(name);
        match rows().find(|(known, _)| known == name) {
            Some((_, key)) => {
                document.insert(name.clone(), checked(key, given, &path, findings));
            }
            None => unknown(&path, &format!("providers.{name}"), findings),
        }
    }
    check_kind(
        &mut document,
        |name| entries.contains_key(name),
        path,
        findings,
    );
    if document.get("base_url").is_some_and(Value::is_null) {
        document.insert("base_url".to_owned(), Value::from(""));
    }
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
    let model = document.get("model");
    match program.filter(|_| model.is_some_and(|model| model == UNNAMED_MODEL)) {
        Some(program) => program.rsplit('/').next().map(Value::from),
        None => model.cloned(),
    }
    .unwrap_or_default()
}

/// Checks the keys of `provider` that depend on its kind, and fills in what follows from it.
pub(super) fn check_main(settings: &mut Settings, findings: &mut Findings) {
    let mut values = settings.section("provider");
    let path = |name: &str| format!("{SECTION}{name}");
    let is_written = |name: &str| settings.get(&path(name)).source != SettingSource::Default;
    let filled = check_kind(
        &mut values,
        is_written,
        &JsonPath::dotted("provider"),
        findings,
    );
    for name in filled {
        let value = values.remove(name).unwrap_or_default();
        settings.set(&path(name), value, SettingSource::Default);
    }
}

/// Checks the keys that depend on the kind: address, model, command.
/// Returns the names of those that it has filled in.
fn check_kind(
    values: &mut Map<String, Value>,
    is_written: impl Fn(&str) -> bool,
    path: &JsonPath,
    findings: &mut Findings,
) -> Vec<&'static str> {
    let kind = kind_of(values.get("provider_kind"));
    let mut filled = Vec::new();
    match kind {
        ProviderKind::Cli | ProviderKind::Scripted => {}
        _ if is_written("base_url") => {
            let address = values.get("base_url").and_then(Value::as_str);
            if address.is_some_and(url::is_open_to_listeners) {
                let message =
                    "plain http to another machine: anybody on the way can read prompts and keys";
                findings.warn(path.key("base_url"), message);
            }
        }
        ProviderKind::LmStudio => filled.push(("base_url", LM_STUDIO_URL)),
        ProviderKind::OpenRouter => filled.push(("base_url", OPENROUTER_URL)),
        ProviderKind::OpenAi => {
            let message = "must be given for the provider kind `openai`";
            findings.error(path.key("base_url"), message);
        }
    }
    let mut missing = |name: &str, message: &str| {
        findings.error(path.key(name), message);
    };
    match kind {
        _ if is_written("model") => {}
        ProviderKind::Cli => filled.push(("model", UNNAMED_MODEL)),
        ProviderKind::OpenRouter => missing(
            "model",
            "must be given for the provider kind `openrouter`, as it is named there, such as \
             `vendor/model`",
        ),
        ProviderKind::Scripted => missing(
            "model",
            "must name the file of replies for the provider kind `scripted`",
        ),
        ProviderKind::LmStudio | ProviderKind::OpenAi => {}
    }
    if kind == ProviderKind::Cli && values.get("command").is_none_or(Value::is_null) {
        missing(
            "command",
            "must name the program for the provider kind `cli`",
        );
    }
    let named = |(name, value): (&'static str, &str)| {
        values.insert(name.to_owned(), Value::from(value));
        name
    };
    filled.into_iter().map(named).collect()
}

/// Returns the place and the values of `provider`, and of each entry of `providers`.
pub(super) fn entries(settings: &Settings) -> impl Iterator<Item = (JsonPath, Value)> {
    let main = (
        JsonPath::dotted("provider"),
        settings.section("provider").into(),
    );
    let listed = settings.items("providers").enumerate();
    let listed = listed.map(|(index, entry)| {
        let path = JsonPath::dotted("providers").index(index);
        (path, entry.clone())
    });
    std::iter::once(main).chain(listed)
}

/// Returns the kind of a provider from its value; the default one where that was refused.
pub(super) fn kind_of(value: Option<&Value>) -> ProviderKind {
    let kind = value.and_then(|value| ProviderKind::deserialize(value).ok());
    kind.unwrap_or_default()
}

/// Gives `provider` and the entries of `providers` their types, each with its key.
pub(super) fn resolved(
    settings: &Settings,
    keys: Vec<Option<Secret>>,
) -> serde_json::Result<(ProviderConfig, Vec<NamedProvider>)> {
    let mut keys = keys.into_iter();
    let mut typed = |mut values: Map<String, Value>| {
        values.retain(|_, value| !value.is_null());
        let config = serde_json::from_value(Value::Object(values))?;
        Ok(ProviderConfig {
            api_key: keys.next().flatten(),
            ..config
        })
    };
    let main = typed(settings.section("provider"))?;
    let listed = settings.items("providers").filter_map(Value::as_object);
    let listed = listed.map(|entry| {
        Ok(NamedProvider {
            name: String::deserialize(&entry["name"])?,
            config: typed(entry.clone())?,
        })
    });
    Ok((main, listed.collect::<serde_json::Result<_>>()?))
}

/// Returns a provider of that kind at an address that ends in `/v1`; `None` for invalid ones.
/// It is searched for on this machine, and all its other settings are the defaults.
pub fn local_server(provider_kind: &str, base_url: &str) -> Option<ProviderConfig> {
    let document = json!({"provider": {"provider_kind": provider_kind, "base_url": base_url}});
    let mut findings = Findings::new(Code::ConfigSchemaInvalid);
    let settings = Settings::check(&document, &mut findings);
    if findings.has_errors() {
        return None;
    }
    let config = resolve::resolve(Path::new(""), &settings, Keys::default()).ok()?;
    Some(config.provider)
}
