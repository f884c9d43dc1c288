//! Reads the valid parts of broken files, for work that only shows stored data: each invalid value
//! counts as missing. Nothing that starts or changes anything may use the result.

use super::api_key::Keys;
use super::files;
use super::load::{CONFIG_CODES, CONFIG_PATH, LoadedConfig, Loader, load_without_key};
use super::problem::{Findings, Severity, failure};
use super::reader::ConfigReader;
use super::resolve;
use super::resolved::Config;
use super::settings::Settings;
use super::shipped_prompt::shipped_prompt;
use crate::failure::{Code, Failure};
use serde_json::Value;

impl LoadedConfig {
    /// Returns whether defaults replace values that a person wrote and that are invalid.
    pub fn is_makeshift(&self) -> bool {
        let mut problems = self.warnings.iter();
        problems.any(|problem| problem.severity == Severity::Error)
    }
}

impl ConfigReader {
    /// Like [`Self::load_without_key`], but reads on after errors, which then are among the
    /// warnings.
    ///
    /// # Errors
    /// All problems, where the root is missing.
    pub fn load_readable(&self) -> Result<LoadedConfig, Failure> {
        let problems = match load_without_key(self.root(), self.environment) {
            Err(problems) if files::check_folder(self.root()).is_ok() => problems,
            loaded => return loaded.map_err(|found| failure(&found)),
        };
        // These problems are found again.
        let mut loader = Loader::new(self.root(), self.environment);
        let document = loader.read(CONFIG_PATH, CONFIG_CODES);
        let written = document.map_or(Value::Null, |document| document.value);
        let mut findings = Findings::new(Code::ConfigSchemaInvalid);
        let mut settings = Settings::check(&written, &mut findings);
        settings.forget_refused(&findings);
        let path = settings.get("prompt_path").value.as_str();
        let prompt = path.and_then(|path| loader.prompt(path));
        let Some(prompt) = prompt.or_else(shipped_prompt) else {
            return Err(failure(&problems));
        };
        resolve::check_relations(loader.root, &mut settings, Some(&prompt), &mut findings);
        settings.forget_refused(&findings);
        let config = resolve::resolve(loader.root, &settings, Keys::default());
        let config = config.map_err(|problem| failure(&[problem]))?;
        let models = loader.models();
        let loaded = loader.rules(None);
        let rules = if loaded.is_valid {
            loaded.rules
        } else {
            Vec::new()
        };
        Ok(LoadedConfig {
            prompt: prompt.for_profile(config.r#loop.idle_profile),
            config: Config {
                models,
                rules: rules.into(),
                ..config
            },
            warnings: problems,
            settings,
            api_key: None,
            rules: loaded.written,
        })
    }
}
