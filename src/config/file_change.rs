//! Changes the configuration file and the rules file on a person's command: the changed file is
//! checked as at a start, and replaces the old one only if it is valid and that one is unchanged
//! meanwhile. Does not apply the change, and never repeats a refused value that could be a secret.

use super::files::{self, FileProblem};
use super::keys::KEYS;
use super::load::{CONFIG_PATH, LoadedConfig, Loader, MISSING_HINT, RULES_PATH, load_without_key};
use super::problem::{self, ConfigProblem};
use super::reader::ConfigReader;
use super::settings::{closest, is_secret_name};
use super::shape::Shape;
use super::table::{self, ConfigKey, TAKEN_AT_START};
use crate::core::automation::Rule;
use crate::failure::{Code, Failure};
use crate::limits::CONFIG_FILE_BYTES_MAX;
use crate::plain_text::spelt_out;
use crate::strict_json::{self, JsonPath, with_value};
use serde_json::Value;
use std::sync::Arc;

/// The most characters of an unknown key that a refusal repeats.
const KEY_CHARACTERS_MAX: usize = 60;

/// The result of setting a key.
#[derive(Clone, Debug)]
pub struct KeySet {
    pub key: &'static ConfigKey,
    /// The value in force before, where the file was valid.
    pub before: Option<Value>,
    /// The value in force with the new file.
    pub after: Value,
    /// The warnings about the new file that the old one did not have.
    pub warnings: Vec<ConfigProblem>,
}

impl KeySet {
    /// Returns whether a running daemon applies the key only at its next start.
    pub fn waits_for_start(&self) -> bool {
        TAKEN_AT_START.contains(&self.key.path)
    }
}

/// Finds the key of a dotted name.
///
/// # Errors
/// `USAGE` with the key that is probably meant.
pub fn known_key(name: &str) -> Result<&'static ConfigKey, Failure> {
    if let Some(key) = table::find(name) {
        return Ok(key);
    }
    let last = name.rsplit('.').next().unwrap_or(name);
    if is_secret_name(last) {
        let message = "a secret must not stand in the configuration";
        return Err(Failure::new(Code::Usage, message).only_hint(
            "Put it into an environment variable and that variable's name into `provider.api_key_env`.",
        ));
    }
    let shown: String = name.chars().take(KEY_CHARACTERS_MAX).collect();
    let shown = spelt_out(&shown, |_| false);
    let unknown = |what: String, hint: String| {
        Err(Failure::new(Code::Usage, format!("`{shown}` {what}")).only_hint(hint))
    };
    if table::is_section(name) {
        let inside = KEYS.iter().map(|key| key.path);
        let inside = inside.filter(|path| path.split('.').next() == Some(name));
        let inside: Vec<&str> = inside.collect();
        let hint = format!("Name one of its keys: {}.", inside.join(", "));
        return unknown("is a section of the configuration".to_owned(), hint);
    }
    let is_around = |key: &&ConfigKey| {
        let rest = name.strip_prefix(key.path);
        rest.is_some_and(|rest| rest.starts_with('.'))
    };
    if let Some(around) = KEYS.iter().find(is_around) {
        let hint = format!("Give `{}` as a whole, as JSON.", around.path);
        return unknown(format!("is a part of `{}`", around.path), hint);
    }
    let list = "`config show` lists every key.";
    let hint = closest(name).map_or_else(
        || list.to_owned(),
        |near| format!("Did you mean `{near}`? {list}"),
    );
    unknown("is no key of the configuration".to_owned(), hint)
}

impl ConfigReader {
    /// Sets a key in the file to the value of `given`, parsed as the key's type.
    /// Everything else in the file stays byte for byte.
    ///
    /// # Errors
    /// `USAGE` for an unknown key; else every problem that the new file would have, or the error of
    /// the disk. The file then stays as it was.
    pub fn set_key(&self, name: &str, given: &str) -> Result<KeySet, Failure> {
        let key = known_key(name)?;
        let value = value_of(key.shape, given);
        key.shape.check(&value).map_err(|refusal| {
            let message = format!("`{}` {}", key.path, refusal.message);
            let failure = Failure::new(Code::ConfigSchemaInvalid, message);
            failure.only_hint(refusal.hint.unwrap_or(NOTHING_WRITTEN))
        })?;
        let before = self.bytes_of(CONFIG_PATH)?;
        strict_json::parse(&before)
            .map_err(|bad| Failure::new(Code::ConfigJsonInvalid, format!("{CONFIG_PATH}:{bad}")))?;
        let after = with_value(&before, &JsonPath::dotted(key.path), &value).ok_or_else(|| {
            let message = format!("{CONFIG_PATH}: what `{}` stands in is no object", key.path);
            Failure::new(Code::ConfigSchemaInvalid, message)
        })?;
        let was = load_without_key(self.root(), self.environment);
        let is = self.load_with(CONFIG_PATH, &after).map_err(|found| {
            let hint = found.iter().find_map(|problem| problem.hint.clone());
            let hint = hint.unwrap_or_else(|| NOTHING_WRITTEN.to_owned());
            refused(CONFIG_PATH, found, was.is_ok(), hint)
        })?;
        refuse_secrets(&is, &value)?;
        self.replace(CONFIG_PATH, &before, &after)?;
        Ok(outcome(key, was.ok().as_ref(), is))
    }

    /// Changes the rules in the file; returns the result of `change` and the new rules.
    ///
    /// # Errors
    /// That of `change`, every problem that the new file would have, or the error of the disk.
    /// The file then stays as it was.
    pub fn change_rules<T>(
        &self,
        change: impl FnOnce(&mut Vec<Value>) -> Result<T, Failure>,
    ) -> Result<(T, Arc<[Rule]>), Failure> {
        let before = self.bytes_of(RULES_PATH)?;
        let mut items = match strict_json::parse(&before) {
            Ok(Value::Array(items)) => items,
            Ok(_) => return Err(invalid_rules("the rules file must be an array of rules")),
            Err(bad) => {
                let message = format!("line {}: {}", bad.line, bad.message);
                return Err(invalid_rules(&message));
            }
        };
        let changed = change(&mut items)?;
        let text = serde_json::to_string_pretty(&items)
            .map_err(|error| Failure::new(Code::Internal, error.to_string()))?;
        let after = format!("{text}\n").into_bytes();
        let loaded = self.load_with(RULES_PATH, &after).map_err(|found| {
            let was_valid = self.problems().is_none();
            let hint = "Nothing was written: give the rule again, as the message says.";
            refused(RULES_PATH, found, was_valid, hint)
        })?;
        self.replace(RULES_PATH, &before, &after)?;
        Ok((changed, loaded.config.rules))
    }

    fn load_with(&self, path: &str, text: &[u8]) -> Result<LoadedConfig, Vec<ConfigProblem>> {
        let mut loader = Loader::new(self.root(), self.environment);
        loader.replaced = Some((path, text));
        loader.load()
    }

    /// Reads a file; a missing rules file holds no rules.
    fn bytes_of(&self, path: &str) -> Result<Vec<u8>, Failure> {
        files::read_file(&self.root().join(path), CONFIG_FILE_BYTES_MAX).or_else(|trouble| {
            let is_missing = trouble == FileProblem::Missing;
            if is_missing && path == RULES_PATH {
                return Ok(b"[]".to_vec());
            }
            let code = if path == RULES_PATH {
                Code::RulesInvalid
            } else {
                Code::ConfigJsonInvalid
            };
            let failure = trouble.failure(code, format!("{path}: {trouble}"));
            Err(if is_missing {
                failure.only_hint(MISSING_HINT)
            } else {
                failure
            })
        })
    }

    /// Replaces a file by `after`, unless it is no longer `before`.
    fn replace(&self, path: &str, before: &[u8], after: &[u8]) -> Result<(), Failure> {
        if self.bytes_of(path)? != before {
            let message = format!("{path} was changed at this very moment; nothing was written");
            return Err(Failure::new(Code::VersionConflict, message));
        }
        if after != before {
            files::replace_file(&self.root().join(path), after)?;
        }
        Ok(())
    }
}

/// The hint where the file stays as it was.
const NOTHING_WRITTEN: &str = "Nothing was written. `config schema` tells what each key accepts.";

fn outcome(key: &'static ConfigKey, was: Option<&LoadedConfig>, is: LoadedConfig) -> KeySet {
    let in_force = |loaded: &LoadedConfig| {
        let mut all = loaded.settings.all().iter();
        let setting = all.find(|setting| setting.key.path == key.path);
        setting.map(|setting| setting.value.clone())
    };
    let is_new = |problem: &ConfigProblem| {
        let mut known = was.iter().flat_map(|was| &was.warnings);
        !known.any(|it| it.message == problem.message && it.json_path == problem.json_path)
    };
    KeySet {
        key,
        before: was.and_then(in_force),
        after: in_force(&is).unwrap_or_default(),
        warnings: is.warnings.into_iter().filter(is_new).collect(),
    }
}

/// Parses a value as the type of its key.
/// Text may have quotes or not; everything else is JSON, and a list of one item may be just that
/// item.
fn value_of(shape: Shape, given: &str) -> Value {
    let json = serde_json::from_str::<Value>(given).ok();
    let text = || Value::from(given);
    match shape {
        Shape::Literal(_)
        | Shape::Text
        | Shape::Path
        | Shape::OneOf(_)
        | Shape::Uuid
        | Shape::BaseUrl => json.filter(Value::is_string).unwrap_or_else(text),
        Shape::VariableName | Shape::OwnAddress => {
            let may_be = |it: &Value| it.is_string() || it.is_null();
            json.filter(may_be).unwrap_or_else(text)
        }
        Shape::Texts | Shape::Uuids | Shape::Command | Shape::CommandLine => {
            let one = || Value::Array(vec![text()]);
            json.filter(|it| it.is_array() || it.is_null())
                .unwrap_or_else(one)
        }
        Shape::Switch
        | Shape::OptionalInteger(..)
        | Shape::Integer(..)
        | Shape::Iterations(_)
        | Shape::Number(..)
        | Shape::Launch
        | Shape::Providers => json.unwrap_or_else(text),
    }
}

/// Refuses a value that holds an API key or a token of the environment.
fn refuse_secrets(loaded: &LoadedConfig, value: &Value) -> Result<(), Failure> {
    let text = value.to_string();
    let secrets = loaded.config.secrets();
    let mut secrets = secrets.iter().map(|secret| secret.expose());
    if secrets.any(|secret| !secret.is_empty() && text.contains(secret)) {
        let message = "the value holds an API key or a token, which must not stand in this file";
        return Err(Failure::new(Code::ConfigSchemaInvalid, message).only_hint(NOTHING_WRITTEN));
    }
    Ok(())
}

fn invalid_rules(what: &str) -> Failure {
    Failure::new(Code::RulesInvalid, format!("{RULES_PATH}: {what}"))
}

/// Words the refusal of a change.
// Where the file was valid, the new text exists nowhere, so line numbers would mislead.
fn refused(
    path: &str,
    mut found: Vec<ConfigProblem>,
    was_valid: bool,
    hint: impl Into<String>,
) -> Failure {
    if !was_valid {
        return problem::failure(&found);
    }
    for problem in found.iter_mut().filter(|it| it.file == path) {
        problem.line = 0;
        problem.file = format!("{path} with this change");
    }
    problem::failure(&found).only_hint(hint)
}
