//! Resolves checked values into the typed configuration, and checks keys that depend on each other.
//! Never reads a file or the environment.

use super::api_key::Keys;
use super::calls;
use super::problem::Findings;
use super::providers::{
    NO_ADDRESS, NO_COMMAND, NO_MODEL, NO_SCRIPT, OPEN_TO_LISTENERS, UNNAMED_MODEL, usual_address,
};
use super::resolved::{ApiConfig, Config, JournalPolicy, LogConfig, LogFormat, ProviderKind};
use super::settings::{Setting, Settings, Source, setting};
use super::table::position;
use super::url;
use crate::core::agent::{IdleProfile, LoopPolicy, Protocol};
use crate::core::guard::Scope;
use crate::core::memory::{MemoryLayout, MemoryPolicy, ThinkLogSource};
use crate::core::notes::NotePolicy;
use crate::core::prompt::{Mode, PromptFile, TokenBudget};
use crate::core::route::RetryPolicy;
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
    check_order(
        setting!(settings, "loop.idle_delay_ms"),
        setting!(settings, "loop.idle_delay_max_ms"),
        findings,
    );
    check_order(
        setting!(settings, "retry.base_delay_ms"),
        setting!(settings, "retry.max_delay_ms"),
        findings,
    );
    check_order(
        setting!(settings, "token_budget.critical_reserve"),
        setting!(settings, "token_budget.max_total"),
        findings,
    );
    check_address(settings, findings);
    check_store_path(root, settings, findings);
    let mode = const { position("mode") };
    if let (Source::Default, Some(prompt)) = (settings.at(mode).source, prompt) {
        let asked = prompt.default_mode.name();
        settings.set(mode, Value::from(asked), Source::Prompt);
    }
    check_foreign_writes(settings, findings);
    if let Some(prompt) = prompt {
        check_idle_words(idle_profile(settings), prompt, findings);
    }
}

/// Refuses writes to other workspaces in mode `yolo`: there a person must approve each.
fn check_foreign_writes(settings: &Settings, findings: &mut Findings) {
    let mode = &setting!(settings, "mode").value;
    if switch(setting!(settings, "scope.cross_workspace_writes")) && mode == Mode::Yolo.name() {
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
        let (key, relation, other) = if larger.source == Source::Default {
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

fn check_address(settings: &mut Settings, findings: &mut Findings) {
    let row = const { position("provider.base_url") };
    let path = JsonPath::dotted("provider.base_url");
    let kind = provider_kind(setting!(settings, "provider.provider_kind"));
    match kind {
        ProviderKind::Scripted => return check_script(settings, findings),
        ProviderKind::Cli => {
            if setting!(settings, "provider.command").value.is_null() {
                findings.error(JsonPath::dotted("provider.command"), NO_COMMAND);
            }
            let model = const { position("provider.model") };
            if settings.at(model).source == Source::Default {
                settings.set(model, Value::from(UNNAMED_MODEL), Source::Default);
            }
            return;
        }
        ProviderKind::OpenRouter
            if setting!(settings, "provider.model").source == Source::Default =>
        {
            findings.error(JsonPath::dotted("provider.model"), NO_MODEL);
        }
        ProviderKind::LmStudio | ProviderKind::OpenRouter | ProviderKind::OpenAi => {}
    }
    if settings.at(row).source == Source::Default {
        match usual_address(kind) {
            Some(address) => settings.set(row, Value::from(address), Source::Default),
            None => findings.error(path, NO_ADDRESS),
        }
        return;
    }
    let address = settings.at(row).value.as_str();
    if address.is_some_and(url::is_open_to_listeners) {
        findings.warn(path, OPEN_TO_LISTENERS);
    }
}

fn check_script(settings: &Settings, findings: &mut Findings) {
    if setting!(settings, "provider.model").source == Source::Default {
        findings.error(JsonPath::dotted("provider.model"), NO_SCRIPT);
    }
}

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
    let store = setting!(settings, "memory.kv_store_path");
    let prompt = setting!(settings, "prompt_path");
    let store_path = lexical(Path::new(text(store)));
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
    if is_taken || store_path == lexical(Path::new(text(prompt))) {
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

/// Returns the mode that the configuration itself sets.
fn mode(setting: &Setting) -> Option<Mode> {
    let is_own = setting.source != Source::Prompt;
    Mode::parse(text(setting)).filter(|_| is_own)
}

/// Resolves the typed configuration.
/// Call it only when no value was refused.
pub(super) fn resolve(root: &Path, settings: &Settings, keys: Keys) -> Config {
    let path = |setting: &Setting| root.join(lexical(Path::new(text(setting))));
    Config {
        root: root.to_owned(),
        prompt_path: path(setting!(settings, "prompt_path")),
        kv_store_path: path(setting!(settings, "memory.kv_store_path")),
        provider: calls::provider(&calls::main_entry(settings), keys.main),
        providers: calls::listed(settings, keys.listed),
        models: Vec::new(),
        rules: Arc::default(),
        actions: BTreeMap::new(),
        mode: mode(setting!(settings, "mode")),
        memory: memory(settings),
        memory_layout: match text(setting!(settings, "memory.layout")) {
            "unified" => MemoryLayout::Unified,
            _ => MemoryLayout::Split,
        },
        token_budget: token_budget(settings),
        log_entries_max: count(setting!(settings, "memory.system_max_log_entries")),
        r#loop: loop_policy(settings),
        scope: scope(settings),
        notes: NotePolicy {
            similar_threshold: number(setting!(settings, "notes.similar_threshold")),
            refuse_near_duplicates: switch(setting!(settings, "notes.refuse_near_duplicates")),
            organize_every: small(setting!(settings, "notes.organize_every")),
        },
        retry: RetryPolicy {
            max_retries: small(setting!(settings, "retry.max_retries")),
            base_delay_ms: large(setting!(settings, "retry.base_delay_ms")),
            max_delay_ms: large(setting!(settings, "retry.max_delay_ms")),
        },
        budget: calls::budget(settings),
        parser_strict: switch(setting!(settings, "parser.strict")),
        journal: JournalPolicy {
            segment_bytes: large(setting!(settings, "journal.segment_bytes")),
            retention_days: small(setting!(settings, "journal.retention_days")),
        },
        api: ApiConfig {
            socket: switch(setting!(settings, "api.socket")),
            tcp: url::own_address(&setting!(settings, "api.tcp").value).zip(keys.api_token),
        },
        log: LogConfig {
            level: text(setting!(settings, "log.level"))
                .parse()
                .unwrap_or(Level::INFO),
            format: match text(setting!(settings, "log.format")) {
                "text" => LogFormat::Text,
                "json" => LogFormat::Json,
                _ => LogFormat::Auto,
            },
        },
    }
}

fn memory(settings: &Settings) -> MemoryPolicy {
    MemoryPolicy {
        retain_full_conversation_logs: switch(setting!(
            settings,
            "memory.retain_full_conversation_logs"
        )),
        working_memory_character_max: count(setting!(
            settings,
            "memory.working_memory_character_max"
        )),
        think_log_source: match text(setting!(settings, "memory.think_log_source")) {
            "reasoning" => ThinkLogSource::Reasoning,
            "model" => ThinkLogSource::Model,
            _ => ThinkLogSource::Auto,
        },
        think_log_max_chars: count(setting!(settings, "memory.think_log_max_chars")),
        key_token_max: count(setting!(settings, "memory.key_token_max")),
        children_max: count(setting!(settings, "memory.working_memory_children_max")),
        auto_cleanup: switch(setting!(settings, "memory.system_auto_cleanup")),
    }
}

fn token_budget(settings: &Settings) -> TokenBudget {
    TokenBudget {
        max_total: count(setting!(settings, "token_budget.max_total")),
        memory: count(setting!(settings, "token_budget.memory")),
        todo: count(setting!(settings, "token_budget.todo")),
        session: count(setting!(settings, "token_budget.session")),
        system: count(setting!(settings, "token_budget.system")),
        context: None,
        critical_reserve: count(setting!(settings, "token_budget.critical_reserve")),
    }
}

fn loop_policy(settings: &Settings) -> LoopPolicy {
    let iterations = &setting!(settings, "loop.max_iterations").value;
    LoopPolicy {
        loop_delay_ms: large(setting!(settings, "loop.loop_delay_ms")),
        idle_delay_ms: large(setting!(settings, "loop.idle_delay_ms")),
        idle_delay_max_ms: large(setting!(settings, "loop.idle_delay_max_ms")),
        // -1, the unlimited run, is not a u64.
        max_iterations: iterations.as_u64().and_then(|count| count.try_into().ok()),
        auto_advance: switch(setting!(settings, "loop.auto_advance")),
        max_stay: small(setting!(settings, "loop.max_stay")),
        parse_retries: small(setting!(settings, "loop.parse_retries")),
        idle_profile: idle_profile(settings),
        protocol: Protocol::parse(text(setting!(settings, "loop.protocol")))
            .unwrap_or(Protocol::Auto),
    }
}

fn idle_profile(settings: &Settings) -> IdleProfile {
    let name = text(setting!(settings, "loop.idle_profile"));
    IdleProfile::parse(name).unwrap_or(IdleProfile::Maintenance)
}

fn scope(settings: &Settings) -> Scope {
    let readable = texts(setting!(settings, "scope.can_read_workspaces"));
    let kinds = texts(setting!(settings, "scope.allowed_note_kinds"));
    Scope {
        workspace_id: text(setting!(settings, "scope.workspace_id"))
            .parse()
            .unwrap_or(WorkspaceId(uuid::Uuid::nil())),
        can_read_workspaces: readable.filter_map(|id| id.parse().ok()).collect(),
        cross_workspace_writes: switch(setting!(settings, "scope.cross_workspace_writes")),
        allowed_note_kinds: kinds.map(str::to_owned).collect(),
        max_notes_per_loop: small(setting!(settings, "scope.max_notes_per_loop")),
        max_edits_per_loop: small(setting!(settings, "scope.max_edits_per_loop")),
    }
}

pub(super) fn provider_kind(setting: &Setting) -> ProviderKind {
    ProviderKind::named(text(setting))
}

// The table's bounds make these conversions exact; their defaults are never reached.

fn text(setting: &Setting) -> &str {
    setting.value.as_str().unwrap_or_default()
}

fn texts(setting: &Setting) -> impl Iterator<Item = &str> {
    let items = setting.value.as_array().into_iter().flatten();
    items.filter_map(Value::as_str)
}

fn switch(setting: &Setting) -> bool {
    setting.value.as_bool().unwrap_or_default()
}

fn number(setting: &Setting) -> f64 {
    setting.value.as_f64().unwrap_or_default()
}

fn large(setting: &Setting) -> u64 {
    setting.value.as_u64().unwrap_or_default()
}

fn small(setting: &Setting) -> u32 {
    u32::try_from(large(setting)).unwrap_or(u32::MAX)
}

fn count(setting: &Setting) -> usize {
    usize::try_from(large(setting)).unwrap_or(usize::MAX)
}
