//! Reads the valid parts of broken files, for work that only shows stored data: each invalid value
//! counts as missing. Nothing that starts or changes anything may use the result.

use super::api_key::Keys;
use super::environment::{Environment, local_zone};
use super::files;
use super::load::{
    CONFIG_CODES, CONFIG_PATH, Document, LoadedConfig, RULES_PATH, load_without_key, read_models,
    read_prompt,
};
use super::problem::{ConfigProblem, Findings, Severity};
use super::resolve;
use super::resolved::Config;
use super::rules;
use super::settings::Settings;
use super::shipped_prompt::shipped_prompt;
use crate::failure::Code;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

impl LoadedConfig {
    /// Returns whether defaults replace values that a person wrote and that are invalid.
    pub fn is_makeshift(&self) -> bool {
        let mut problems = self.warnings.iter();
        problems.any(|problem| problem.severity == Severity::Error)
    }
}

/// Like [`load_without_key`], but reads on after errors, which then are among the warnings.
///
/// # Errors
/// All problems, where the root is missing.
pub fn load_readable(
    root: &Path,
    environment: &dyn Environment,
) -> Result<LoadedConfig, Vec<ConfigProblem>> {
    let problems = match load_without_key(root, environment) {
        Err(problems) if files::check_folder(root).is_ok() => problems,
        loaded => return loaded,
    };
    let mut found_again = Vec::new();
    let document = Document::read(root, CONFIG_PATH, CONFIG_CODES, None, &mut found_again);
    let written = document.map_or(Value::Null, |document| document.value);
    let mut findings = Findings::new(Code::ConfigSchemaInvalid);
    let mut settings = Settings::check(&written, &mut findings);
    settings.forget_refused(&findings);
    let path = &settings.get("prompt_path").value;
    let prompt = path
        .as_str()
        .and_then(|path| read_prompt(root, path, &mut found_again));
    let Some(prompt) = prompt.or_else(shipped_prompt) else {
        return Err(problems);
    };
    resolve::check_relations(root, &mut settings, Some(&prompt), &mut findings);
    settings.forget_refused(&findings);
    let config = resolve::resolve(root, &settings, Keys::default()).map_err(|it| vec![it])?;
    let codes = [Code::RulesInvalid; 2];
    let document = Document::read(root, RULES_PATH, codes, None, &mut found_again);
    let rules = document.map_or(Value::Null, |document| document.value);
    let mut findings = Findings::new(Code::RulesInvalid);
    let checked = rules::check(&rules, local_zone(environment), &mut findings);
    let checked = if findings.has_errors() {
        Vec::new()
    } else {
        checked
    };
    Ok(LoadedConfig {
        prompt: prompt.for_profile(config.r#loop.idle_profile),
        config: Config {
            models: read_models(root, &mut found_again),
            rules: checked.into(),
            actions: BTreeMap::new(),
            ..config
        },
        warnings: problems,
        settings,
        api_key: None,
        rules: rules.as_array().cloned().unwrap_or_default(),
    })
}
