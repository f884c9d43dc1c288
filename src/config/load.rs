//! Reads the files that a start needs, reports all problems of all of them at once, and returns the
//! result. Never writes, never calls a network, and never guesses a meaning.

use super::actions::{ActionBase, actions};
use super::api_key::{self, ApiKeyState, Keys};
use super::environment::{Environment, local_zone};
use super::files::{self, FileProblem};
use super::init::SHIPPED_PROMPT;
use super::models;
use super::problem::{ConfigProblem, Findings, Severity};
use super::prompt_file;
use super::resolve;
use super::resolved::{Action, Config};
use super::root::problem_of;
use super::rules;
use super::settings::Settings;
use super::shipped_prompt::shipped_prompt;
use crate::core::automation::{Rule, is_elsewhere};
use crate::core::prompt::PromptFile;
use crate::core::route::ModelEntry;
use crate::failure::Code;
use crate::ids::RuleId;
use crate::limits::{CONFIG_FILE_BYTES_MAX, PROMPT_FILE_BYTES_MAX};
use crate::strict_json::{self, JsonPath, has_byte_order_mark};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

/// The configuration file, relative to the root.
pub const CONFIG_PATH: &str = "data/config.json";

/// The rules file, relative to the root.
/// It may be missing.
pub const RULES_PATH: &str = "data/rules.json";

/// The registry of models, relative to the root.
/// It may be missing.
pub const MODELS_PATH: &str = "data/models.json";

/// The registry that ships with the program.
const SHIPPED_MODELS: &str = include_str!("../../data/models.json");

/// The path of the prompt file when the configuration cannot be read.
pub(super) const PROMPT_PATH: &str = "data/agent-prompt.json";

/// The hint where a file, or the root, is missing.
pub(super) const MISSING_HINT: &str =
    "`init` writes the default files; `--root DIR` or `KJXLKJ_ROOT` names another root.";

/// The result of reading the files of a root.
#[derive(Clone, Debug)]
pub struct LoadedConfig {
    /// The configuration in force.
    pub config: Config,
    /// The prompt file in force.
    pub prompt: PromptFile,
    /// The problems that are only warnings.
    pub warnings: Vec<ConfigProblem>,
    /// All keys, each with its value and source.
    pub settings: Settings,
    /// The state of the provider's API key, if it uses one.
    pub api_key: Option<ApiKeyState>,
    /// The rules in force as JSON from the rules file, in the order of `config.rules`.
    pub rules: Vec<Value>,
}

/// Whether a missing API key stops the load.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum KeyRule {
    Required,
    Optional,
}

/// A path below the root, and the text that replaces that of the file there.
pub(super) type FileOverride<'a> = Option<(&'a str, &'a [u8])>;

/// Reads and checks the files below `root`.
///
/// # Errors
/// All problems of all files, errors and warnings; [`super::failure`] makes one failure of them.
pub fn load(
    root: &Path,
    environment: &dyn Environment,
) -> Result<LoadedConfig, Vec<ConfigProblem>> {
    load_by(root, environment, KeyRule::Required, None)
}

/// Like [`load`], for work that calls no model: a missing API key is only a warning.
pub fn load_without_key(
    root: &Path,
    environment: &dyn Environment,
) -> Result<LoadedConfig, Vec<ConfigProblem>> {
    load_by(root, environment, KeyRule::Optional, None)
}

/// Like [`load_without_key`], but with a given text in place of one file's.
pub(super) fn load_replaced(
    root: &Path,
    environment: &dyn Environment,
    replaced: (&str, &[u8]),
) -> Result<LoadedConfig, Vec<ConfigProblem>> {
    load_by(root, environment, KeyRule::Optional, Some(replaced))
}

fn load_by(
    root: &Path,
    environment: &dyn Environment,
    key_rule: KeyRule,
    replaced: FileOverride<'_>,
) -> Result<LoadedConfig, Vec<ConfigProblem>> {
    if let Some(problem) = problem_of(root) {
        return Err(vec![problem]);
    }
    let mut problems = Vec::new();
    let mut prompt_problems = Vec::new();
    let config = Document::read(root, CONFIG_PATH, CONFIG_CODES, replaced, &mut problems);
    let mut config = config.map(|mut document| {
        let settings = Settings::check(&document.value, &mut document.findings);
        (document, settings)
    });
    // A refused path is null: which file was meant is unknown.
    let prompt_path = config.as_ref().map_or(Some(PROMPT_PATH), |(_, settings)| {
        let path = &settings.get("prompt_path").value;
        path.as_str()
    });
    let prompt = prompt_path.and_then(|path| read_prompt(root, path, &mut prompt_problems));
    let mut key = (None, Keys::default());
    if let Some((document, settings)) = &mut config {
        resolve::check_relations(root, settings, prompt.as_ref(), &mut document.findings);
        key = key_of(settings, environment, key_rule, &mut document.findings);
    }
    let mut written = Value::Null;
    let settings = config.map(|(document, settings)| {
        written.clone_from(&document.value);
        problems.extend(document.into_problems());
        settings
    });
    problems.append(&mut prompt_problems);
    let models = read_models(root, &mut problems);
    let resolved = (settings.as_ref().zip(prompt)).filter(|_| !is_stopped(&problems));
    let resolved = resolved.and_then(|(settings, prompt)| {
        let config = resolve::resolve(root, settings, key.1);
        let config = config.map_err(|problem| problems.push(problem)).ok()?;
        Some((prompt, Config { models, ..config }))
    });
    let base = resolved.as_ref().map(|(prompt, config)| ActionBase {
        root,
        environment,
        key_rule,
        document: &written,
        config,
        prompt,
    });
    let (checked, actions, rules) = read_rules(root, replaced, environment, base, &mut problems);
    // Errors first; otherwise configuration before prompt, and each in file order.
    problems.sort_by_key(|problem| problem.severity);
    match (settings, resolved) {
        (Some(settings), Some((prompt, config))) if !is_stopped(&problems) => Ok(LoadedConfig {
            prompt: prompt.for_profile(config.r#loop.idle_profile),
            config: Config {
                rules: checked.into(),
                actions,
                ..config
            },
            warnings: problems,
            settings,
            api_key: key.0,
            rules,
        }),
        _ => Err(problems),
    }
}

/// The codes of an unreadable configuration or registry, and of a wrong value in it.
pub(super) const CONFIG_CODES: [Code; 2] = [Code::ConfigJsonInvalid, Code::ConfigSchemaInvalid];

/// Reads the prompt file at a path below the root.
pub(super) fn read_prompt(
    root: &Path,
    path: &str,
    problems: &mut Vec<ConfigProblem>,
) -> Option<PromptFile> {
    // Most roots have the shipped file unchanged. It is right, and it is large.
    let file = root.join(resolve::lexical(Path::new(path)));
    let bytes = files::read_file(&file, PROMPT_FILE_BYTES_MAX);
    if bytes.as_deref() == Ok(SHIPPED_PROMPT.as_bytes()) {
        return shipped_prompt();
    }
    let codes = [Code::PromptJsonInvalid, Code::PromptSchemaInvalid];
    let mut document = Document::of(root, path, codes, bytes, problems)?;
    let prompt = prompt_file::check(&document.value, &document.bytes, &mut document.findings);
    problems.extend(document.into_problems());
    prompt
}

fn is_stopped(problems: &[ConfigProblem]) -> bool {
    let mut problems = problems.iter();
    problems.any(|problem| problem.severity == Severity::Error)
}

/// Reads the rules: as values, their actions where the configuration is valid, and as JSON.
fn read_rules(
    root: &Path,
    replaced: FileOverride<'_>,
    environment: &dyn Environment,
    base: Option<ActionBase<'_>>,
    problems: &mut Vec<ConfigProblem>,
) -> (Vec<Rule>, BTreeMap<RuleId, Arc<Action>>, Vec<Value>) {
    let nothing = (Vec::new(), BTreeMap::new(), Vec::new());
    let is_given = replaced.is_some_and(|(path, _)| path == RULES_PATH);
    if !is_given && !files::exists(&root.join(RULES_PATH)) {
        return nothing;
    }
    let codes = [Code::RulesInvalid; 2];
    let Some(mut document) = Document::read(root, RULES_PATH, codes, replaced, problems) else {
        return nothing;
    };
    let Document {
        value, findings, ..
    } = &mut document;
    let rules = rules::check(value, local_zone(environment), findings);
    if let Some(base) = &base {
        warn_of_workspaces(value, &rules, base.config, findings);
    }
    let actions = match base {
        Some(base) if !findings.has_errors() => actions(value, &rules, base, findings, problems),
        Some(_) | None => BTreeMap::new(),
    };
    let worded = value.as_array().cloned().unwrap_or_default();
    problems.extend(document.into_problems());
    (rules, actions, worded)
}

/// Warns of rules of another workspace, which open no runs here.
fn warn_of_workspaces(document: &Value, rules: &[Rule], config: &Config, findings: &mut Findings) {
    let own = config.scope.workspace_id;
    let elsewhere = rules.iter().filter(|rule| is_elsewhere(rule, own));
    let elsewhere: BTreeSet<RuleId> = elsewhere.map(|rule| rule.rule_id).collect();
    for (index, item) in document.as_array().into_iter().flatten().enumerate() {
        let rule_id = item.get("rule_id").and_then(Value::as_str);
        let rule_id = rule_id.and_then(|id| id.parse().ok());
        if rule_id.is_some_and(|rule_id| elsewhere.contains(&rule_id)) {
            let path = JsonPath::default().index(index).key("workspace_id");
            let message = format!("the rule opens nothing here: `scope.workspace_id` is {own}");
            findings.warn(path, message);
        }
    }
}

/// Reads the registry of models: that of the root, else the shipped one.
pub(super) fn read_models(root: &Path, problems: &mut Vec<ConfigProblem>) -> Vec<ModelEntry> {
    if !files::exists(&root.join(MODELS_PATH)) {
        return serde_json::from_str(SHIPPED_MODELS).unwrap_or_default();
    }
    let Some(mut document) = Document::read(root, MODELS_PATH, CONFIG_CODES, None, problems) else {
        return Vec::new();
    };
    let models = models::check(&document.value, &mut document.findings);
    problems.extend(document.into_problems());
    models
}

pub(super) fn key_of(
    settings: &Settings,
    environment: &dyn Environment,
    key_rule: KeyRule,
    findings: &mut Findings,
) -> (Option<ApiKeyState>, Keys) {
    match key_rule {
        KeyRule::Required => api_key::find(settings, environment, findings),
        KeyRule::Optional => {
            let mut about_key = Findings::new(Code::ConfigSchemaInvalid);
            let key = api_key::find(settings, environment, &mut about_key);
            findings.append_as_warnings(about_key);
            key
        }
    }
}

/// A file that is being checked.
#[derive(Debug)]
pub(super) struct Document {
    label: String,
    bytes: Vec<u8>,
    pub(super) value: Value,
    findings: Findings,
}

impl Document {
    /// Reads a file below the root, or the text that replaces it, as [`Self::of`] does.
    pub(super) fn read(
        root: &Path,
        path: &str,
        codes: [Code; 2],
        replaced: FileOverride<'_>,
        problems: &mut Vec<ConfigProblem>,
    ) -> Option<Self> {
        let file = root.join(resolve::lexical(Path::new(path)));
        let bytes = match replaced.filter(|(replaced, _)| *replaced == path) {
            Some((_, bytes)) => Ok(bytes.to_vec()),
            None => files::read_file(&file, CONFIG_FILE_BYTES_MAX),
        };
        Self::of(root, path, codes, bytes, problems)
    }

    /// Parses what was read of the file at a path below the root.
    /// `None` where it is not JSON, with the reason in `problems`. The codes are that of an unreadable
    /// file and that of a wrong value.
    fn of(
        root: &Path,
        path: &str,
        [unreadable, wrong]: [Code; 2],
        bytes: Result<Vec<u8>, FileProblem>,
        problems: &mut Vec<ConfigProblem>,
    ) -> Option<Self> {
        let relative = resolve::lexical(Path::new(path));
        let label = relative.strip_prefix(root).unwrap_or(&relative);
        let label = label.display().to_string();
        let bytes = match bytes {
            Ok(bytes) => bytes,
            Err(trouble) => {
                let missing = trouble == FileProblem::Missing;
                let message = if missing && path == CONFIG_PATH {
                    format!("{trouble}; the root is {}", root.display())
                } else {
                    trouble.to_string()
                };
                problems.push(ConfigProblem {
                    hint: missing.then(|| MISSING_HINT.to_owned()),
                    ..ConfigProblem::of_file(trouble.code(unreadable), label, message)
                });
                return None;
            }
        };
        match strict_json::parse(&bytes) {
            Ok(value) => {
                let mut findings = Findings::new(wrong);
                if has_byte_order_mark(&bytes) {
                    findings.warn(
                        JsonPath::default(),
                        "the file begins with a byte order mark, which is skipped",
                    );
                }
                Some(Self {
                    label,
                    bytes,
                    value,
                    findings,
                })
            }
            Err(bad) => {
                problems.push(ConfigProblem {
                    line: bad.line,
                    column: bad.column,
                    ..ConfigProblem::of_file(unreadable, label, bad.message)
                });
                None
            }
        }
    }

    fn into_problems(self) -> Vec<ConfigProblem> {
        self.findings.into_problems(&self.label, &self.bytes)
    }
}
