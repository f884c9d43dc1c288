//! Formats the output of the `config` verbs, as text and as JSON. Never shows an API key, only
//! whether there is one and its source.

use super::api_key::ApiKeyState;
use super::load::LoadedConfig;
use super::problem::{ConfigProblem, Severity};
use crate::plain_text::count;
use serde_json::{Map, Value, json};
use std::fmt::Write as _;

/// Formats `config show` as text: one line for each key, with its value and source.
pub fn show_text(loaded: &LoadedConfig) -> String {
    let settings = loaded.settings.all();
    let width = settings
        .iter()
        .map(|setting| setting.key.path.len())
        .max()
        .unwrap_or_default();
    let mut text = String::new();
    for setting in settings {
        let (path, value, source) = (setting.key.path, &setting.value, setting.source.name());
        let meaning = if setting.is_unlimited() {
            ", unlimited"
        } else {
            ""
        };
        // Writing into a string cannot fail.
        writeln!(text, "{path:width$} = {value}{meaning}  ({source})").unwrap_or_default();
    }
    if let Some(key) = &loaded.api_key {
        text.push_str(&key_line(key));
    }
    text
}

fn key_line(key: &ApiKeyState) -> String {
    match key.source {
        Some(source) => format!("API key `{}`: set  ({})\n", key.name, source.name()),
        None => format!("API key `{}`: missing\n", key.name),
    }
}

/// Formats `config show` as JSON.
/// The configuration in force has the shape of the file; `sources` holds the source of each key.
pub fn show_json(loaded: &LoadedConfig) -> Value {
    let mut shown = Map::new();
    let mut sources = Map::new();
    for setting in loaded.settings.all() {
        sources.insert(
            setting.key.path.to_owned(),
            Value::from(setting.source.name()),
        );
        match setting.key.path.split_once('.') {
            None => {
                shown.insert(setting.key.path.to_owned(), setting.value.clone());
            }
            Some((section, name)) => {
                let body = shown.entry(section).or_insert_with(|| json!({}));
                body[name] = setting.value.clone();
            }
        }
    }
    shown.insert("sources".to_owned(), Value::Object(sources));
    let key = loaded.api_key.as_ref().map(|key| {
        json!({
            "name": key.name,
            "found": key.source.is_some(),
            "source": key.source.map(super::SettingSource::name),
        })
    });
    shown.insert("api_key".to_owned(), json!(key));
    Value::Object(shown)
}

/// Formats `config check` as text: every problem on its line, then the verdict.
pub fn check_text(outcome: &Result<LoadedConfig, Vec<ConfigProblem>>) -> String {
    let problems = problems_of(outcome);
    let mut text = String::new();
    for problem in problems {
        writeln!(text, "{}: {problem}", problem.severity.name()).unwrap_or_default();
        if let Some(hint) = &problem.hint {
            writeln!(text, "  hint: {hint}").unwrap_or_default();
        }
    }
    let counted = |severity: Severity| {
        let same = problems.iter().filter(|one| one.severity == severity);
        count(same.count(), severity.name())
    };
    let verdict = if outcome.is_ok() { "valid" } else { "invalid" };
    writeln!(
        text,
        "{verdict}: {}, {}",
        counted(Severity::Error),
        counted(Severity::Warning),
    )
    .unwrap_or_default();
    text
}

pub fn check_json(outcome: &Result<LoadedConfig, Vec<ConfigProblem>>) -> Value {
    json!({"ok": outcome.is_ok(), "problems": problems_of(outcome)})
}

fn problems_of(outcome: &Result<LoadedConfig, Vec<ConfigProblem>>) -> &[ConfigProblem] {
    match outcome {
        Ok(loaded) => &loaded.warnings,
        Err(problems) => problems,
    }
}
