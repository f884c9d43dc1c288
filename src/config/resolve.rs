//! Resolves checked values into the typed configuration, and checks keys that depend on each other.
//! Never reads a file or the environment.

use super::api_key::Keys;
use super::load::CONFIG_PATH;
use super::problem::{ConfigProblem, Findings};
use super::providers;
use super::resolved::{ApiConfig, CallBudget, Config, LogConfig, ProviderKind};
use super::settings::{Setting, SettingSource, Settings};
use super::url;
use crate::core::agent::IdleProfile;
use crate::core::prompt::{Mode, PromptFile};
use crate::core::route::Allowance;
use crate::failure::Code;
use crate::strict_json::JsonPath;
use serde_json::Value;
use std::collections::BTreeMap;
use std::iter;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use tracing::Level;

/// Checks the keys that depend on each other: order, addresses, the mode.
pub(super) fn check_relations(
    root: &Path,
    settings: &mut Settings,
    prompt: Option<&PromptFile>,
    findings: &mut Findings,
) {
    for (smaller, larger) in [
        ("loop.idle_delay_ms", "loop.idle_delay_max_ms"),
        ("retry.base_delay_ms", "retry.max_delay_ms"),
        ("token_budget.critical_reserve", "token_budget.max_total"),
    ] {
        check_order(settings.get(smaller), settings.get(larger), findings);
    }
    providers::check_main(settings, findings);
    check_store_path(root, settings, findings);
    if let (SettingSource::Default, Some(prompt)) = (settings.get("mode").source, prompt) {
        let asked = prompt.default_mode.name();
        settings.set("mode", Value::from(asked), SettingSource::Prompt);
    }
    check_foreign_writes(settings, findings);
    if let (Some(prompt), Ok(profile)) = (prompt, settings.typed("loop.idle_profile")) {
        check_idle_words(profile, prompt, findings);
    }
}

/// Refuses writes to other workspaces in mode `yolo`: there a person must approve each.
fn check_foreign_writes(settings: &Settings, findings: &mut Findings) {
    let mode = &settings.get("mode").value;
    let writes = &settings.get("scope.cross_workspace_writes").value;
    if *writes == Value::Bool(true) && mode == Mode::Yolo.name() {
        findings.error(
            JsonPath::dotted("scope.cross_workspace_writes"),
            "must be false while the mode is `yolo`: other workspaces are only proposed to, in `reviewed`",
        );
    }
}

fn check_idle_words(profile: IdleProfile, prompt: &PromptFile, findings: &mut Findings) {
    if profile.has_own_words() && !prompt.has_words_for(profile) {
        let name = profile.name();
        findings.warn(
            JsonPath::dotted("loop.idle_profile"),
            format!(
                "is `{name}`, and the prompt file has no segment `idle_{name}`: those of `idle` are used"
            ),
        );
    }
}

fn check_order(smaller: &Setting, larger: &Setting, findings: &mut Findings) {
    if let (Some(low), Some(high)) = (smaller.value.as_u64(), larger.value.as_u64())
        && low > high
    {
        // The error is at a key that a person wrote.
        let (key, relation, other) = if larger.source == SettingSource::Default {
            (smaller, "must not be above", larger)
        } else {
            (larger, "must not be below", smaller)
        };
        findings.error(
            JsonPath::dotted(key.key.path),
            format!("{relation} `{}` ({})", other.key.path, other.value),
        );
    }
}

/// The default bound of requests a day to a paid server.
/// It keeps the bill of a runaway loop small.
const PAID_CALLS_PER_DAY: u64 = 5000;

/// The files and folders below `data/` that the KV file must not use, as it is often rewritten.
const TAKEN: [&str; 18] = [
    "agent-prompt.json",
    "config.json",
    "rules.json",
    "models.json",
    "prompts",
    "small-model",
    "storage.json",
    "context_keys.json",
    "memory.json",
    "log.json",
    "daemon.lock",
    "control.sock",
    "notes",
    "inbox",
    "journal",
    "quarantine",
    "conversations",
    "index",
];

fn check_store_path(root: &Path, settings: &Settings, findings: &mut Findings) {
    let path = |key: &str| lexical(Path::new(settings.text(key)));
    let store_path = path("memory.kv_store_path");
    let below_root = store_path.strip_prefix(root).unwrap_or(&store_path);
    let is_plain = |part: Component<'_>| matches!(part, Component::Normal(_));
    if !below_root.components().all(is_plain) || Path::new("data").starts_with(below_root) {
        findings.error(
            JsonPath::dotted("memory.kv_store_path"),
            "must name a file below the root",
        );
        return;
    }
    let store_path = below_root.to_owned();
    let is_taken = store_path
        .strip_prefix("data")
        .is_ok_and(|inside| TAKEN.iter().any(|name| inside.starts_with(name)));
    if is_taken || store_path == path("prompt_path") {
        findings.error(
            JsonPath::dotted("memory.kv_store_path"),
            "must not be, or lie in, a place that is used for something else",
        );
    }
}

/// Returns the path without `.` parts and with each `..` resolved by its text.
pub(super) fn lexical(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if plain.file_name().is_some() => {
                plain.pop();
            }
            Component::ParentDir
            | Component::Normal(_)
            | Component::RootDir
            | Component::Prefix(_) => plain.push(part),
        }
    }
    plain
}

/// Resolves the typed configuration.
///
/// # Errors
/// None while no value was refused.
pub(super) fn resolve(
    root: &Path,
    settings: &Settings,
    keys: Keys,
) -> Result<Config, ConfigProblem> {
    typed(root, settings, keys).map_err(|error| {
        ConfigProblem::of_file(Code::Internal, CONFIG_PATH.to_owned(), error.to_string())
    })
}

fn typed(root: &Path, settings: &Settings, keys: Keys) -> serde_json::Result<Config> {
    let path = |key: &str| root.join(lexical(Path::new(settings.text(key))));
    let has_own_mode = settings.get("mode").source != SettingSource::Prompt;
    let mode: Option<Mode> = settings.typed("mode")?;
    let (provider, providers) = providers::resolved(settings, keys.providers)?;
    let listed = providers.iter().map(|it| &it.config);
    let is_paid = iter::once(&provider)
        .chain(listed)
        .any(|it| it.kind == ProviderKind::OpenRouter);
    Ok(Config {
        root: root.to_owned(),
        prompt_path: path("prompt_path"),
        kv_store_path: path("memory.kv_store_path"),
        provider,
        providers,
        models: Vec::new(),
        rules: Arc::default(),
        actions: BTreeMap::new(),
        agents: BTreeMap::new(),
        mode: mode.filter(|_| has_own_mode),
        memory: settings.typed("memory")?,
        memory_layout: settings.typed("memory.layout")?,
        token_budget: settings.typed("token_budget")?,
        log_entries_max: settings.typed("memory.system_max_log_entries")?,
        r#loop: settings.typed("loop")?,
        scope: settings.typed("scope")?,
        notes: settings.typed("notes")?,
        retry: settings.typed("retry")?,
        budget: budget(settings, is_paid)?,
        parser_strict: settings.typed("parser.strict")?,
        journal: settings.typed("journal")?,
        api: ApiConfig {
            socket: settings.typed("api.socket")?,
            tcp: url::own_address(&settings.get("api.tcp").value).zip(keys.api_token),
        },
        log: LogConfig {
            level: settings.text("log.level").parse().unwrap_or(Level::INFO),
            format: settings.typed("log.format")?,
        },
    })
}

fn budget(settings: &Settings, is_paid: bool) -> serde_json::Result<CallBudget> {
    let per_day: Option<u64> = settings.typed("budget.calls_per_day")?;
    Ok(CallBudget {
        day: Allowance {
            calls: per_day.or_else(|| is_paid.then_some(PAID_CALLS_PER_DAY)),
            tokens: settings.typed("budget.tokens_per_day")?,
        },
        run: Allowance {
            calls: settings.typed("budget.calls_per_run")?,
            tokens: settings.typed("budget.tokens_per_run")?,
        },
        calls_per_minute: settings.typed("budget.calls_per_minute")?,
    })
}
