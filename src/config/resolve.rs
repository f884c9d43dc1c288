//! Resolves checked values into the typed configuration, and checks keys that depend on each other.
//! Never reads a file or the environment.

use super::api_key::Keys;
use super::problem::Findings;
use super::providers;
use super::resolved::{
    ApiConfig, CallBudget, Config, JournalPolicy, LogConfig, LogFormat, ProviderKind,
};
use super::settings::{Setting, SettingSource, Settings};
use super::url;
use crate::core::agent::{IdleProfile, LoopPolicy, Protocol};
use crate::core::guard::Scope;
use crate::core::memory::{MemoryLayout, MemoryPolicy, ThinkLogSource};
use crate::core::notes::NotePolicy;
use crate::core::prompt::{Mode, PromptFile, TokenBudget};
use crate::core::route::{Allowance, RetryPolicy};
use crate::ids::WorkspaceId;
use crate::strict_json::JsonPath;
use serde_json::Value;
use std::collections::BTreeMap;
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
    if let Some(prompt) = prompt {
        check_idle_words(idle_profile(settings), prompt, findings);
    }
}

/// Refuses writes to other workspaces in mode `yolo`: there a person must approve each.
fn check_foreign_writes(settings: &Settings, findings: &mut Findings) {
    let mode = &settings.get("mode").value;
    if settings.flag("scope.cross_workspace_writes") && mode == Mode::Yolo.name() {
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
/// Call it only when no value was refused.
pub(super) fn resolve(root: &Path, settings: &Settings, keys: Keys) -> Config {
    let path = |key: &str| root.join(lexical(Path::new(settings.text(key))));
    let has_own_mode = settings.get("mode").source != SettingSource::Prompt;
    let (provider, providers) = providers::resolved(settings, keys.providers);
    Config {
        root: root.to_owned(),
        prompt_path: path("prompt_path"),
        kv_store_path: path("memory.kv_store_path"),
        provider,
        providers,
        models: Vec::new(),
        rules: Arc::default(),
        actions: BTreeMap::new(),
        mode: Mode::parse(settings.text("mode")).filter(|_| has_own_mode),
        memory: memory(settings),
        memory_layout: match settings.text("memory.layout") {
            "unified" => MemoryLayout::Unified,
            _ => MemoryLayout::Split,
        },
        token_budget: token_budget(settings),
        log_entries_max: settings.count("memory.system_max_log_entries"),
        r#loop: loop_policy(settings),
        scope: scope(settings),
        notes: NotePolicy {
            similar_threshold: settings.number("notes.similar_threshold"),
            refuse_near_duplicates: settings.flag("notes.refuse_near_duplicates"),
            organize_every: settings.small("notes.organize_every"),
        },
        retry: RetryPolicy {
            max_retries: settings.small("retry.max_retries"),
            base_delay_ms: settings.large("retry.base_delay_ms"),
            max_delay_ms: settings.large("retry.max_delay_ms"),
        },
        budget: budget(settings),
        parser_strict: settings.flag("parser.strict"),
        journal: JournalPolicy {
            segment_bytes: settings.large("journal.segment_bytes"),
            retention_days: settings.small("journal.retention_days"),
        },
        api: ApiConfig {
            socket: settings.flag("api.socket"),
            tcp: url::own_address(&settings.get("api.tcp").value).zip(keys.api_token),
        },
        log: LogConfig {
            level: settings.text("log.level").parse().unwrap_or(Level::INFO),
            format: match settings.text("log.format") {
                "text" => LogFormat::Text,
                "json" => LogFormat::Json,
                _ => LogFormat::Auto,
            },
        },
    }
}

fn memory(settings: &Settings) -> MemoryPolicy {
    MemoryPolicy {
        retain_full_conversation_logs: settings.flag("memory.retain_full_conversation_logs"),
        working_memory_character_max: settings.count("memory.working_memory_character_max"),
        think_log_source: match settings.text("memory.think_log_source") {
            "reasoning" => ThinkLogSource::Reasoning,
            "model" => ThinkLogSource::Model,
            _ => ThinkLogSource::Auto,
        },
        think_log_max_chars: settings.count("memory.think_log_max_chars"),
        key_token_max: settings.count("memory.key_token_max"),
        children_max: settings.count("memory.working_memory_children_max"),
        auto_cleanup: settings.flag("memory.system_auto_cleanup"),
    }
}

fn token_budget(settings: &Settings) -> TokenBudget {
    TokenBudget {
        max_total: settings.count("token_budget.max_total"),
        memory: settings.count("token_budget.memory"),
        todo: settings.count("token_budget.todo"),
        session: settings.count("token_budget.session"),
        system: settings.count("token_budget.system"),
        context: None,
        critical_reserve: settings.count("token_budget.critical_reserve"),
    }
}

fn loop_policy(settings: &Settings) -> LoopPolicy {
    let iterations = settings.optional("loop.max_iterations");
    LoopPolicy {
        loop_delay_ms: settings.large("loop.loop_delay_ms"),
        idle_delay_ms: settings.large("loop.idle_delay_ms"),
        idle_delay_max_ms: settings.large("loop.idle_delay_max_ms"),
        // -1, the unlimited run, is not a u64.
        max_iterations: iterations.and_then(|count| count.try_into().ok()),
        auto_advance: settings.flag("loop.auto_advance"),
        max_stay: settings.small("loop.max_stay"),
        parse_retries: settings.small("loop.parse_retries"),
        idle_profile: idle_profile(settings),
        protocol: Protocol::parse(settings.text("loop.protocol")).unwrap_or(Protocol::Auto),
    }
}

fn budget(settings: &Settings) -> CallBudget {
    let mut kinds = providers::entries(settings)
        .map(|(_, values)| providers::kind_of(values.get("provider_kind")));
    let is_paid = kinds.any(|kind| kind == ProviderKind::OpenRouter);
    let per_minute = settings.optional("budget.calls_per_minute");
    CallBudget {
        day: Allowance {
            calls: settings
                .optional("budget.calls_per_day")
                .or_else(|| is_paid.then_some(PAID_CALLS_PER_DAY)),
            tokens: settings.optional("budget.tokens_per_day"),
        },
        run: Allowance {
            calls: settings.optional("budget.calls_per_run"),
            tokens: settings.optional("budget.tokens_per_run"),
        },
        calls_per_minute: per_minute.and_then(|calls| calls.try_into().ok()),
    }
}

fn idle_profile(settings: &Settings) -> IdleProfile {
    let name = settings.text("loop.idle_profile");
    IdleProfile::parse(name).unwrap_or(IdleProfile::Maintenance)
}

fn scope(settings: &Settings) -> Scope {
    let readable = settings.texts("scope.can_read_workspaces");
    let kinds = settings.texts("scope.allowed_note_kinds");
    Scope {
        workspace_id: settings
            .text("scope.workspace_id")
            .parse()
            .unwrap_or(WorkspaceId(uuid::Uuid::nil())),
        can_read_workspaces: readable.filter_map(|id| id.parse().ok()).collect(),
        cross_workspace_writes: settings.flag("scope.cross_workspace_writes"),
        allowed_note_kinds: kinds.map(str::to_owned).collect(),
        max_notes_per_loop: settings.small("scope.max_notes_per_loop"),
        max_edits_per_loop: settings.small("scope.max_edits_per_loop"),
    }
}
