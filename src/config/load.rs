//! Reads the files that a start needs, reports all problems of all of them at once, and returns the
//! result. Never writes, never calls a network, and never guesses a meaning.

use super::actions::{ActionBase, actions};
use super::agents::{self, AgentDescription};
use super::api_key::{self, ApiKeyState, Keys};
use super::files::{self, FileProblem};
use super::init::SHIPPED_PROMPT;
use super::problem::{ConfigProblem, Findings, Severity, failure};
use super::prompt_file;
use super::reader::{ConfigReader, Environment, local_zone};
use super::resolve;
use super::resolved::{Action, Config};
use super::root::problem_of;
use super::rules;
use super::settings::Settings;
use super::shipped_prompt::shipped_prompt;
use crate::core::automation::{Rule, is_elsewhere};
use crate::core::prompt::PromptFile;
use crate::core::route::{ModelEntry, PRIORITY_MAX};
use crate::failure::{Code, Failure};
use crate::ids::RuleId;
use crate::limits::{CONFIG_FILE_BYTES_MAX, PROMPT_FILE_BYTES_MAX};
use crate::strict_json::{self, JsonPath, has_byte_order_mark};
use crate::strict_yaml::{self, YamlDocument};
use serde::Deserialize as _;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The configuration file, relative to the root.
pub const CONFIG_PATH: &str = "data/config.json";

/// The rules file, relative to the root.
/// It may be missing.
pub const RULES_PATH: &str = "data/rules.json";

/// The registry of models, relative to the root.
/// It may be missing.
pub const MODELS_PATH: &str = "data/models.json";

const SHIPPED_MODELS: &str = include_str!("../../data/models.json");

/// The path of the prompt file when the configuration cannot be read.
pub(super) const PROMPT_PATH: &str = "data/agent-prompt.json";

/// The hint where a file, or the root, is missing.
pub(super) const MISSING_HINT: &str =
    "`init` writes the default files; `--root DIR` or `KJXLKJ_ROOT` names another root.";

/// The result of reading the files of a root.
#[derive(Clone, Debug)]
pub struct LoadedConfig {
    pub config: Config,
    pub prompt: PromptFile,
    /// The problems that are only warnings.
    pub warnings: Vec<ConfigProblem>,
    /// All keys, each with its value and source.
    pub settings: Settings,
    /// The state of the provider's API key, if it uses one.
    pub api_key: Option<ApiKeyState>,
    /// The rules in force as JSON from the rules file, in the order of `config.rules`.
    pub rules: Vec<Value>,
    /// The agents as their files describe them, in the order of their ids.
    pub agents: Vec<AgentDescription>,
}

/// Reads and checks the files below `root`.
///
/// # Errors
/// All problems of all files, errors and warnings; [`super::failure`] makes one failure of them.
pub fn load(
    root: &Path,
    environment: &dyn Environment,
) -> Result<LoadedConfig, Vec<ConfigProblem>> {
    let mut loader = Loader::new(root, environment);
    loader.needs_key = true;
    loader.load()
}

/// Like [`load`], for work that calls no model: a missing API key is only a warning.
pub fn load_without_key(
    root: &Path,
    environment: &dyn Environment,
) -> Result<LoadedConfig, Vec<ConfigProblem>> {
    Loader::new(root, environment).load()
}

/// The codes of an unreadable configuration or registry, and of a wrong value in it.
pub(super) const CONFIG_CODES: [Code; 2] = [Code::ConfigJsonInvalid, Code::ConfigSchemaInvalid];

/// The codes of an unreadable rules file, and of a wrong value in it.
pub(super) const RULES_CODES: [Code; 2] = [Code::RulesInvalid; 2];

/// Reads the files of a root and collects their problems.
pub(super) struct Loader<'a> {
    pub(super) root: &'a Path,
    environment: &'a dyn Environment,
    /// Whether a missing API key is an error.
    needs_key: bool,
    /// A path below the root, and the text that replaces that of the file there.
    pub(super) replaced: Option<(&'a str, &'a [u8])>,
    pub(super) problems: Vec<ConfigProblem>,
}

impl<'a> Loader<'a> {
    pub(super) const fn new(root: &'a Path, environment: &'a dyn Environment) -> Self {
        Self {
            root,
            environment,
            needs_key: false,
            replaced: None,
            problems: Vec::new(),
        }
    }

    pub(super) fn load(mut self) -> Result<LoadedConfig, Vec<ConfigProblem>> {
        if let Some(problem) = problem_of(self.root) {
            return Err(vec![problem]);
        }
        let Some(mut document) = self.read(CONFIG_PATH, CONFIG_CODES) else {
            self.prompt(PROMPT_PATH);
            self.models();
            self.rules(None);
            agents::agents(&mut self, None);
            return Err(self.in_order());
        };
        let mut settings = Settings::check(&document.value, &mut document.findings);
        // A refused path is null: which file was meant is unknown.
        let prompt_path = settings.get("prompt_path").value.as_str();
        let prompt = prompt_path.and_then(|path| self.prompt(path));
        let findings = &mut document.findings;
        resolve::check_relations(self.root, &mut settings, prompt.as_ref(), findings);
        let (api_key, keys) = self.keys(&settings, findings);
        let written = document.value.take();
        self.problems.splice(0..0, document.into_problems());
        let models = self.models();
        let resolved = prompt.filter(|_| !self.is_stopped()).and_then(|prompt| {
            let config = resolve::resolve(self.root, &settings, keys);
            let config = config.map_err(|problem| self.problems.push(problem)).ok()?;
            Some((prompt, Config { models, ..config }))
        });
        let base = resolved.as_ref().map(|(prompt, config)| ActionBase {
            document: &written,
            config,
            prompt,
        });
        let loaded = self.rules(base);
        let agents = agents::agents(&mut self, base);
        match resolved {
            Some((prompt, config)) if !self.is_stopped() => Ok(LoadedConfig {
                prompt: prompt.for_profile(config.r#loop.idle_profile),
                config: Config {
                    rules: loaded.rules.into(),
                    actions: loaded.actions,
                    agents: agents.profiles,
                    ..config
                },
                warnings: self.in_order(),
                settings,
                api_key,
                rules: loaded.written,
                agents: agents.described,
            }),
            Some(_) | None => Err(self.in_order()),
        }
    }

    fn is_stopped(&self) -> bool {
        has_error(&self.problems)
    }

    /// Returns the problems: errors first; otherwise configuration before prompt, and each in file
    /// order.
    fn in_order(mut self) -> Vec<ConfigProblem> {
        self.problems.sort_by_key(|problem| problem.severity);
        self.problems
    }

    pub(super) fn prompt(&mut self, path: &str) -> Option<PromptFile> {
        // Most roots have the shipped file unchanged. It is right, and it is large.
        let bytes = files::read_file(&self.below(path), PROMPT_FILE_BYTES_MAX);
        if bytes.as_deref() == Ok(SHIPPED_PROMPT.as_bytes()) {
            return shipped_prompt();
        }
        let codes = [Code::PromptJsonInvalid, Code::PromptSchemaInvalid];
        let mut document = self.parsed(path, codes, bytes)?;
        let prompt = prompt_file::check(&document.value, &document.bytes, &mut document.findings);
        self.problems.extend(document.into_problems());
        prompt
    }

    /// Reads the rules, and their actions where the configuration is valid.
    pub(super) fn rules(&mut self, base: Option<ActionBase<'_>>) -> LoadedRules {
        let is_given = self.replaced.is_some_and(|(path, _)| path == RULES_PATH);
        if !is_given && !files::exists(&self.root.join(RULES_PATH)) {
            return LoadedRules::default();
        }
        let Some(mut document) = self.read(RULES_PATH, RULES_CODES) else {
            return LoadedRules::default();
        };
        let (value, findings) = (&document.value, &mut document.findings);
        let mut rules = rules::check(value, local_zone(self.environment), findings);
        if let Some(base) = &base {
            warn_of_workspaces(value, &rules, base.config, findings);
        }
        let actions = match base {
            Some(base) if !findings.has_errors() => actions(value, &rules, base, self, findings),
            Some(_) | None => BTreeMap::new(),
        };
        let written = value.as_array().cloned().unwrap_or_default();
        if document.findings.has_errors() {
            rules.clear();
        }
        self.problems.extend(document.into_problems());
        LoadedRules {
            rules,
            actions,
            written,
        }
    }

    /// Reads the registry of models: that of the root, else the shipped one.
    pub(super) fn models(&mut self) -> Vec<ModelEntry> {
        if !files::exists(&self.root.join(MODELS_PATH)) {
            return serde_json::from_str(SHIPPED_MODELS).unwrap_or_default();
        }
        let Some(mut document) = self.read(MODELS_PATH, CONFIG_CODES) else {
            return Vec::new();
        };
        let models = check_models(&document.value, &mut document.findings);
        self.problems.extend(document.into_problems());
        models
    }

    /// Reads the API keys that the providers need, and the token of the control interface.
    pub(super) fn keys(
        &self,
        settings: &Settings,
        findings: &mut Findings,
    ) -> (Option<ApiKeyState>, Keys) {
        if self.needs_key {
            return api_key::find(settings, self.environment, findings);
        }
        let mut about_keys = Findings::new(Code::ConfigSchemaInvalid);
        let found = api_key::find(settings, self.environment, &mut about_keys);
        findings.append_as_warnings(about_keys);
        found
    }

    fn below(&self, path: &str) -> PathBuf {
        self.root.join(resolve::lexical(Path::new(path)))
    }

    /// Reads a file below the root, or the text that replaces it.
    /// `None` where it is not JSON, with the reason in the problems. The codes are that of an
    /// unreadable file and that of a wrong value.
    pub(super) fn read(&mut self, path: &str, codes: [Code; 2]) -> Option<Document> {
        let bytes = match self.replaced.filter(|(replaced, _)| *replaced == path) {
            Some((_, bytes)) => Ok(bytes.to_vec()),
            None => files::read_file(&self.below(path), CONFIG_FILE_BYTES_MAX),
        };
        self.parsed(path, codes, bytes)
    }

    fn parsed(
        &mut self,
        path: &str,
        [unreadable, wrong]: [Code; 2],
        bytes: Result<Vec<u8>, FileProblem>,
    ) -> Option<Document> {
        let relative = resolve::lexical(Path::new(path));
        let label = relative.strip_prefix(self.root).unwrap_or(&relative);
        let label = label.display().to_string();
        let bytes = match bytes {
            Ok(bytes) => bytes,
            Err(trouble) => {
                let missing = trouble == FileProblem::Missing;
                let message = if missing && path == CONFIG_PATH {
                    format!("{trouble}; the root is {}", self.root.display())
                } else {
                    trouble.to_string()
                };
                self.problems.push(ConfigProblem {
                    hint: missing.then(|| MISSING_HINT.to_owned()),
                    ..ConfigProblem::of_file(trouble.code(unreadable), label, message)
                });
                return None;
            }
        };
        let parsed = if is_yaml(&label) {
            strict_yaml::parse(&bytes).map(|mut read| (read.value.take(), Some(read)))
        } else {
            strict_json::parse(&bytes).map(|value| (value, None))
        };
        let parsed = parsed.map_err(|bad| {
            self.problems.push(ConfigProblem {
                line: bad.line,
                column: bad.column,
                ..ConfigProblem::of_file(unreadable, label.clone(), bad.message)
            });
        });
        let (value, yaml) = parsed.ok()?;
        let mut document = Document {
            value,
            yaml,
            label,
            findings: Findings::new(wrong),
            bytes,
        };
        if has_byte_order_mark(&document.bytes) {
            let message = "the file begins with a byte order mark, which is skipped";
            document.findings.warn(JsonPath::default(), message);
        }
        Some(document)
    }
}

#[derive(Default)]
pub(super) struct LoadedRules {
    pub(super) rules: Vec<Rule>,
    actions: BTreeMap<RuleId, Arc<Action>>,
    /// The rules as JSON, in the same order.
    pub(super) written: Vec<Value>,
}

/// Warns of rules of another workspace, which open no runs here.
fn warn_of_workspaces(document: &Value, rules: &[Rule], config: &Config, findings: &mut Findings) {
    let own = config.scope.workspace_id;
    let elsewhere = rules.iter().filter(|rule| is_elsewhere(rule, own));
    let elsewhere: BTreeSet<RuleId> = elsewhere.map(|rule| rule.rule_id).collect();
    for (index, item) in document.as_array().into_iter().flatten().enumerate() {
        if written_id(item).is_some_and(|rule_id| elsewhere.contains(&rule_id)) {
            let path = JsonPath::default().index(index).key("workspace_id");
            let message = format!("the rule opens nothing here: `scope.workspace_id` is {own}");
            findings.warn(path, message);
        }
    }
}

/// Returns the id of a rule in the file, which may be spelt in any form of a UUID.
pub(super) fn written_id(item: &Value) -> Option<RuleId> {
    item.get("rule_id")?.as_str()?.parse().ok()
}

/// A file that is being checked.
pub(super) struct Document {
    label: String,
    bytes: Vec<u8>,
    /// The places of its values, where it is YAML.
    yaml: Option<YamlDocument>,
    pub(super) value: Value,
    pub(super) findings: Findings,
}

impl Document {
    pub(super) fn into_problems(self) -> Vec<ConfigProblem> {
        let Some(yaml) = self.yaml else {
            return self.findings.into_problems(&self.label, &self.bytes);
        };
        self.findings.into_located(&self.label, |path, at_key| {
            if at_key {
                yaml.locate_key(path)
            } else {
                yaml.locate(path)
            }
        })
    }
}

fn is_yaml(label: &str) -> bool {
    Path::new(label).extension().is_some_and(|it| it == "yaml")
}

/// Returns the usable rows of a registry of models.
fn check_models(value: &Value, findings: &mut Findings) -> Vec<ModelEntry> {
    let top = JsonPath::default();
    let Some(rows) = value.as_array() else {
        findings.error(top, "must be a list of models");
        return Vec::new();
    };
    let mut models = Vec::new();
    let mut names = BTreeSet::new();
    for (index, row) in rows.iter().enumerate() {
        let place = top.index(index);
        let entry = match ModelEntry::deserialize(row) {
            Ok(entry) => entry,
            Err(error) => {
                findings.error(place, format!("is no row of a model: {error}"));
                continue;
            }
        };
        if entry.priority > PRIORITY_MAX {
            let message = format!("must be at most {PRIORITY_MAX}");
            findings.error(place.key("priority"), message);
        }
        if !names.insert(entry.model_id.clone()) {
            findings.error(place.key("modelId"), "stands in a row before this one");
        }
        models.push(entry);
    }
    models
}

impl LoadedConfig {
    /// Returns whether defaults replace values that a person wrote and that are invalid.
    pub fn is_makeshift(&self) -> bool {
        has_error(&self.warnings)
    }
}

fn has_error(problems: &[ConfigProblem]) -> bool {
    let mut problems = problems.iter();
    problems.any(|problem| problem.severity == Severity::Error)
}

impl ConfigReader {
    /// Like [`Self::load_without_key`], but reads on after errors, which then are among the
    /// warnings: each invalid value counts as missing. Nothing that starts or changes anything may
    /// use the result.
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
        let agents = agents::agents(&mut loader, None);
        Ok(LoadedConfig {
            prompt: prompt.for_profile(config.r#loop.idle_profile),
            config: Config {
                models,
                rules: loaded.rules.into(),
                ..config
            },
            warnings: problems,
            settings,
            api_key: None,
            rules: loaded.written,
            agents: agents.described,
        })
    }
}
