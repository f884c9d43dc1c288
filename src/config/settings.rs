//! Reads a JSON document into one checked value for every key, with its source. Uses only the
//! table; `resolve` gives the values their types.

use super::keys::KEYS;
use super::problem::Findings;
use super::providers;
use super::shape::{LAUNCH_NAMES, Shape};
use super::table::{self, ALIASES, ConfigKey};
use crate::strict_json::JsonPath;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use strsim::levenshtein;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SettingSource {
    /// No source: the default is used.
    Default,
    /// `data/config.json`.
    File,
    /// A flat key of the older format in `data/config.json`.
    Alias,
    Prompt,
    Environment,
    Credential,
}

impl SettingSource {
    /// Returns the source's name in `config show`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::File => "file",
            Self::Alias => "alias",
            Self::Prompt => "prompt",
            Self::Environment => "environment",
            Self::Credential => "credential",
        }
    }
}

/// The value of one key in force.
#[derive(Clone, Debug)]
pub struct Setting {
    pub key: &'static ConfigKey,
    /// The value in normal form.
    pub value: Value,
    pub source: SettingSource,
}

impl Setting {
    /// Returns whether the value is the -1 that stands for no bound.
    pub(super) fn is_unlimited(&self) -> bool {
        matches!(self.key.shape, Shape::Iterations(_)) && self.value == -1
    }
}

/// The value of every key, in the order of the table.
#[derive(Clone, Debug)]
pub struct Settings(Vec<Setting>);

impl Settings {
    /// Returns all settings, in the order of the table.
    pub fn all(&self) -> &[Setting] {
        &self.0
    }

    /// Returns the setting of a key.
    /// A refused value is null.
    pub(super) fn get(&self, path: &str) -> &Setting {
        &self.0[row_of(path)]
    }

    /// Replaces a default by a value that follows from other keys.
    pub(super) fn set(&mut self, path: &str, value: Value, source: SettingSource) {
        let setting = &mut self.0[row_of(path)];
        setting.value = value;
        setting.source = source;
    }

    pub(super) fn text(&self, path: &str) -> &str {
        self.get(path).value.as_str().unwrap_or_default()
    }

    pub(super) fn items(&self, path: &str) -> impl Iterator<Item = &Value> {
        self.get(path).value.as_array().into_iter().flatten()
    }

    /// Gives the value of a key, or the values of a section, their type.
    ///
    /// # Errors
    /// None while every value is valid: the bounds of the table are those of the types.
    pub(super) fn typed<T: DeserializeOwned>(&self, path: &str) -> serde_json::Result<T> {
        let value = if table::is_section(path) {
            Value::Object(self.section(path))
        } else {
            self.get(path).value.clone()
        };
        serde_json::from_value(value)
    }

    /// Returns the values of a section by their names in it, without those that say nothing.
    pub(super) fn section(&self, name: &str) -> Map<String, Value> {
        let named = self.0.iter().filter_map(|setting| {
            let name = setting.key.path.strip_prefix(name)?.strip_prefix('.')?;
            let is_nothing = setting.value.is_null() || setting.is_unlimited();
            (!is_nothing).then(|| (name.to_owned(), setting.value.clone()))
        });
        named.collect()
    }

    /// Resets each refused value to its default, also one refused because of other keys.
    pub(super) fn forget_refused(&mut self, findings: &Findings) {
        let refused: Vec<&JsonPath> = findings.refused().collect();
        for setting in &mut self.0 {
            let path = JsonPath::dotted(setting.key.path);
            // A value of the wrong form is null; other errors name the value.
            let is_refused = refused.iter().any(|at| at.0.starts_with(&path.0));
            if is_refused || setting.value.is_null() {
                setting.value = setting.key.default.value();
                setting.source = SettingSource::Default;
            }
        }
    }

    pub(super) fn check(document: &Value, findings: &mut Findings) -> Self {
        let mut settings = Self(
            KEYS.iter()
                .map(|key| Setting {
                    key,
                    value: key.default.value(),
                    source: SettingSource::Default,
                })
                .collect(),
        );
        let Some(top) = document.as_object() else {
            findings.error(JsonPath::default(), "the configuration must be an object");
            return settings;
        };
        refuse_secrets(document, findings);
        for (name, value) in top {
            let path = JsonPath::default().key(name);
            if let Some(key) = table::find(name) {
                settings.take(key, value, findings);
            } else if table::is_section(name) {
                settings.take_section(name, value, findings);
            } else if !ALIASES.iter().any(|(alias, _)| alias == name) {
                unknown(&path, name, findings);
            }
        }
        for (alias, target) in ALIASES {
            if let (Some(key), Some(value)) = (table::find(target), top.get(*alias)) {
                settings.alias(alias, key, value, findings);
            }
        }
        settings
    }

    fn take_section(&mut self, name: &str, value: &Value, findings: &mut Findings) {
        let path = JsonPath::default().key(name);
        let Some(entries) = value.as_object() else {
            findings.error(path, "must be an object");
            return;
        };
        for (entry, value) in entries {
            let dotted = format!("{name}.{entry}");
            match table::find(&dotted) {
                Some(key) => self.take(key, value, findings),
                None => unknown(&path.key(entry), &dotted, findings),
            }
        }
    }

    fn take(&mut self, key: &ConfigKey, given: &Value, findings: &mut Findings) {
        let path = JsonPath::dotted(key.path);
        let mut value = checked(key, given, &path, findings);
        if key.path == "providers" {
            value = providers::check(&value, &path, findings);
        }
        self.set(key.path, value, SettingSource::File);
        if key.path == "provider.launch" {
            for name in given.as_object().into_iter().flat_map(Map::keys) {
                if !LAUNCH_NAMES.contains(&name.as_str()) {
                    unknown(
                        &path.key(name),
                        &format!("provider.launch.{name}"),
                        findings,
                    );
                }
            }
        }
    }

    fn alias(&mut self, alias: &str, key: &ConfigKey, given: &Value, findings: &mut Findings) {
        let path = JsonPath::default().key(alias);
        let given = match (alias, given) {
            ("system_debug_mode", Value::Bool(on)) => {
                Value::from(if *on { "debug" } else { "info" })
            }
            ("system_debug_mode", _) => {
                findings.error(path, "must be true or false");
                return;
            }
            _ => given.clone(),
        };
        let value = checked(key, &given, &path, findings);
        if alias == "llm_temperature" && value.as_f64().is_some_and(|number| number > 1.0) {
            findings.warn(
                path.clone(),
                "is above 1, where small models lose the thread",
            );
        }
        if self.get(key.path).source == SettingSource::Default {
            self.set(key.path, value, SettingSource::Alias);
        } else if self.get(key.path).value != value && !value.is_null() {
            let message = format!("differs from `{}`, which wins", key.path);
            findings.warn(path, message).at_key = true;
        }
    }
}

fn row_of(path: &str) -> usize {
    let row = KEYS.iter().position(|key| key.path == path);
    // Each load asks for every key, so that a misspelt one is found by the first test.
    debug_assert!(row.is_some(), "`{path}` is no key");
    row.unwrap_or_default()
}

pub(super) fn checked(
    key: &ConfigKey,
    given: &Value,
    path: &JsonPath,
    findings: &mut Findings,
) -> Value {
    key.shape.check(given).unwrap_or_else(|refusal| {
        let place = match refusal.inside {
            Some(step) => path.step(step),
            None => path.clone(),
        };
        findings.error(place, refusal.message).hint = refusal.hint.map(str::to_owned);
        Value::Null
    })
}

pub(super) fn unknown(path: &JsonPath, dotted: &str, findings: &mut Findings) {
    let last = dotted.rsplit('.').next().unwrap_or(dotted);
    if is_secret_name(last) {
        return; // `refuse_secrets` has reported more.
    }
    let meant = closest(dotted).map_or_else(String::new, |near| format!("; is `{near}` meant?"));
    let message = format!("is not a known key and is ignored{meant}");
    let finding = findings.warn(path.clone(), message);
    finding.at_key = true;
    finding.refusal = Some(format!("is not a known key{meant}"));
}

/// Returns the known key that a misspelt one resembles.
/// It has the same last name, or is at most two edits away.
pub(super) fn closest(dotted: &str) -> Option<&'static str> {
    let last = dotted.rsplit('.').next();
    let paths = KEYS.iter().map(|key| key.path);
    let same = paths.clone().find(|path| path.rsplit('.').next() == last);
    same.or_else(|| nearest(dotted, paths, 2))
}

/// Returns the closest known name that is at most `slips_max` edits away.
pub(super) fn nearest<'a>(
    name: &str,
    known: impl IntoIterator<Item = &'a str>,
    slips_max: usize,
) -> Option<&'a str> {
    known
        .into_iter()
        .map(|known| (levenshtein(known, name), known))
        .filter(|(slips, known)| *slips <= slips_max && *slips < known.chars().count())
        .min()
        .map(|(_, known)| known)
}

/// Refuses every key, at any depth, that looks like a place for a literal secret and is not null.
fn refuse_secrets(document: &Value, findings: &mut Findings) {
    let mut open = vec![(JsonPath::default(), document)];
    while let Some((path, value)) = open.pop() {
        match value {
            Value::Object(entries) => {
                for (name, inner) in entries {
                    let path = path.key(name);
                    if is_secret_name(name) && !inner.is_null() {
                        let hint = "Remove it here and put it into an environment variable \
                                    (`OPENROUTER_API_KEY`, or the one that \
                                    `provider.api_key_env` names).";
                        let message = "a secret must not stand in this file";
                        findings.error(path, message).hint = Some(hint.to_owned());
                    } else {
                        open.push((path, inner));
                    }
                }
            }
            Value::Array(items) => {
                for (index, inner) in items.iter().enumerate() {
                    open.push((path.index(index), inner));
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }
}

pub(super) fn is_secret_name(name: &str) -> bool {
    let plain: String = name
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .map(|c| c.to_ascii_lowercase())
        .collect();
    [
        "apikey",
        "token",
        "secret",
        "authorization",
        "password",
        "bearer",
        "privatekey",
        "accesskey",
    ]
    .iter()
    .any(|suspect| plain.ends_with(suspect))
}

#[cfg(test)]
mod tests {
    use super::{closest, is_secret_name};

    #[test]
    fn misspelt_keys_find_their_neighbour() {
        assert_eq!(closest("loop.max_iteration"), Some("loop.max_iterations"));
        assert_eq!(closest("temperature"), Some("provider.temperature"));
        assert_eq!(closest("scope.colour"), None);
    }

    #[test]
    fn names_of_secrets_are_told_from_names_of_numbers() {
        for name in [
            "api_key",
            "API-Key",
            "openrouterApiKey",
            "auth_token",
            "client_secret",
        ] {
            assert!(is_secret_name(name), "{name}");
        }
        for name in [
            "max_tokens",
            "context_tokens",
            "api_key_env",
            "key_token_max",
        ] {
            assert!(!is_secret_name(name), "{name}");
        }
    }
}
