//! The loader: what a person may write, what is refused with which words, and what comes out.

#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test may stop at once, and it sets up its own files"
)]

use kjxlkj_agent::config::{
    self, Config, ConfigProblem, Constrain, Environment, KEYS, Launch, LoadedConfig, LogFormat,
    ProviderKind, SHIPPED_CONFIG, SHIPPED_PROMPT, SettingSource, Severity,
};
use kjxlkj_agent::core::agent::{IdleProfile, LoopState, Protocol};
use kjxlkj_agent::core::memory::{MemoryLayout, ThinkLogSource};
use kjxlkj_agent::core::prompt::{Condition, Mode};
use kjxlkj_agent::core::protocol::ConstraintKind;
use kjxlkj_agent::core::protocol::Tag;
use kjxlkj_agent::failure::{Code, Exit};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use tempfile::TempDir;

/// Which test shows that a key does something. The tidy check of keys compares this with the table of
/// keys, so that no key can be added without a test.
pub(crate) const KEY_TESTS: &[(&str, &str)] = &[
    ("kind", "the_kind_has_an_underscore"),
    ("prompt_path", "prompt_path_selects_the_prompt_file"),
    ("provider.provider_kind", "kinds_bring_their_addresses"),
    ("provider.base_url", "kinds_bring_their_addresses"),
    ("provider.model", "provider_keys_reach_the_configuration"),
    (
        "provider.timeout_ms",
        "provider_keys_reach_the_configuration",
    ),
    (
        "provider.max_tokens",
        "provider_keys_reach_the_configuration",
    ),
    (
        "provider.temperature",
        "provider_keys_reach_the_configuration",
    ),
    (
        "provider.constrain",
        "provider_keys_reach_the_configuration",
    ),
    (
        "provider.fallback_models",
        "provider_keys_reach_the_configuration",
    ),
    (
        "provider.attribution",
        "provider_keys_reach_the_configuration",
    ),
    (
        "provider.ttl_seconds",
        "provider_keys_reach_the_configuration",
    ),
    ("provider.stream", "provider_keys_reach_the_configuration"),
    (
        "provider.stall_timeout_ms",
        "provider_keys_reach_the_configuration",
    ),
    ("provider.api_key_env", "keys_come_from_outside_the_files"),
    (
        "provider.context_tokens",
        "provider_keys_reach_the_configuration",
    ),
    ("provider.launch", "provider_keys_reach_the_configuration"),
    (
        "provider.command",
        "providers_and_programs_reach_the_configuration",
    ),
    (
        "providers",
        "providers_and_programs_reach_the_configuration",
    ),
    ("mode", "the_mode_and_its_precedence"),
    (
        "memory.kv_store_path",
        "memory_keys_reach_the_configuration",
    ),
    ("memory.layout", "the_layout_is_split_unless_it_is_unified"),
    (
        "memory.retain_full_conversation_logs",
        "memory_keys_reach_the_configuration",
    ),
    (
        "memory.working_memory_character_max",
        "memory_keys_reach_the_configuration",
    ),
    (
        "memory.think_log_source",
        "memory_keys_reach_the_configuration",
    ),
    (
        "memory.think_log_max_chars",
        "memory_keys_reach_the_configuration",
    ),
    (
        "memory.key_token_max",
        "names_are_short_and_directories_small",
    ),
    (
        "memory.working_memory_children_max",
        "names_are_short_and_directories_small",
    ),
    (
        "memory.system_auto_cleanup",
        "without_the_cleanup_results_stay_until_they_are_removed_or_twenty",
    ),
    (
        "memory.system_max_log_entries",
        "the_log_shows_as_many_calls_as_it_is_told_to",
    ),
    (
        "token_budget.max_total",
        "token_budget_keys_reach_the_configuration",
    ),
    (
        "token_budget.memory",
        "token_budget_keys_reach_the_configuration",
    ),
    (
        "token_budget.todo",
        "token_budget_keys_reach_the_configuration",
    ),
    (
        "token_budget.session",
        "token_budget_keys_reach_the_configuration",
    ),
    (
        "token_budget.system",
        "token_budget_keys_reach_the_configuration",
    ),
    (
        "token_budget.critical_reserve",
        "token_budget_keys_reach_the_configuration",
    ),
    ("loop.loop_delay_ms", "loop_keys_reach_the_configuration"),
    ("loop.idle_delay_ms", "loop_keys_reach_the_configuration"),
    (
        "loop.idle_delay_max_ms",
        "loop_keys_reach_the_configuration",
    ),
    (
        "loop.max_iterations",
        "iterations_are_positive_or_minus_one",
    ),
    ("loop.auto_advance", "loop_keys_reach_the_configuration"),
    ("loop.max_stay", "loop_keys_reach_the_configuration"),
    ("loop.parse_retries", "loop_keys_reach_the_configuration"),
    ("loop.protocol", "loop_keys_reach_the_configuration"),
    ("loop.idle_profile", "loop_keys_reach_the_configuration"),
    ("scope.workspace_id", "the_workspace_is_a_real_uuid"),
    (
        "scope.allowed_note_kinds",
        "other_keys_reach_the_configuration",
    ),
    (
        "scope.cross_workspace_writes",
        "writes_into_other_workspaces_are_for_mode_reviewed_alone",
    ),
    (
        "scope.can_read_workspaces",
        "the_workspaces_that_may_be_read_are_different_uuids",
    ),
    (
        "scope.max_notes_per_loop",
        "other_keys_reach_the_configuration",
    ),
    (
        "scope.max_edits_per_loop",
        "other_keys_reach_the_configuration",
    ),
    (
        "notes.similar_threshold",
        "the_threshold_says_what_counts_as_similar",
    ),
    (
        "notes.refuse_near_duplicates",
        "a_near_duplicate_is_refused_where_that_is_asked_for",
    ),
    (
        "notes.organize_every",
        "an_endless_loop_organises_between_two_rounds",
    ),
    ("retry.max_retries", "other_keys_reach_the_configuration"),
    ("retry.base_delay_ms", "other_keys_reach_the_configuration"),
    ("retry.max_delay_ms", "other_keys_reach_the_configuration"),
    (
        "budget.calls_per_day",
        "budget_keys_reach_the_configuration",
    ),
    (
        "budget.tokens_per_day",
        "budget_keys_reach_the_configuration",
    ),
    (
        "budget.calls_per_run",
        "budget_keys_reach_the_configuration",
    ),
    (
        "budget.tokens_per_run",
        "budget_keys_reach_the_configuration",
    ),
    (
        "budget.calls_per_minute",
        "budget_keys_reach_the_configuration",
    ),
    ("parser.strict", "other_keys_reach_the_configuration"),
    (
        "journal.segment_bytes",
        "other_keys_reach_the_configuration",
    ),
    (
        "journal.retention_days",
        "other_keys_reach_the_configuration",
    ),
    (
        "api.socket",
        "the_socket_is_private_and_only_a_silent_one_is_taken_over",
    ),
    (
        "api.tcp",
        "over_tcp_a_token_is_asked_for_and_pages_are_turned_away_first",
    ),
    ("log.level", "other_keys_reach_the_configuration"),
    ("log.format", "other_keys_reach_the_configuration"),
];

// === helpers ===

/// A root with the shipped files.
struct Root {
    folder: TempDir,
    environment: BTreeMap<String, String>,
}

impl Root {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("data")).unwrap();
        let root = Self {
            folder,
            environment: BTreeMap::new(),
        };
        root.write("data/config.json", SHIPPED_CONFIG);
        root.write("data/agent-prompt.json", SHIPPED_PROMPT);
        root
    }

    fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        std::fs::write(self.path().join(name), bytes).unwrap();
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    fn variable(mut self, name: &str, value: &str) -> Self {
        self.environment.insert(name.to_owned(), value.to_owned());
        self
    }

    fn load(&self) -> Result<LoadedConfig, Vec<ConfigProblem>> {
        config::load(self.path(), &self.environment)
    }
}

/// The document with some values replaced; null at a path that ends in `!` removes the entry.
fn edited(document: &str, edits: &[(&str, Value)]) -> String {
    let mut document: Value = serde_json::from_str(document).unwrap();
    for (path, value) in edits {
        let removed = path.ends_with('!');
        let path = path.trim_end_matches('!');
        let (outer, last) = path.rsplit_once('.').unwrap_or(("", path));
        let mut place = &mut document;
        for step in outer.split('.').filter(|step| !step.is_empty()) {
            place = match step.parse::<usize>() {
                Ok(index) => &mut place[index],
                Err(_) => &mut place[step],
            };
        }
        if removed {
            place.as_object_mut().unwrap().remove(last);
        } else {
            match last.parse::<usize>() {
                Ok(index) => place[index] = value.clone(),
                Err(_) => place[last] = value.clone(),
            }
        }
    }
    document.to_string()
}

fn with_config(edits: &[(&str, Value)]) -> Result<LoadedConfig, Vec<ConfigProblem>> {
    let root = Root::new();
    root.write("data/config.json", edited(SHIPPED_CONFIG, edits));
    root.load()
}

fn with_prompt(edits: &[(&str, Value)]) -> Result<LoadedConfig, Vec<ConfigProblem>> {
    let root = Root::new();
    root.write("data/agent-prompt.json", edited(SHIPPED_PROMPT, edits));
    root.load()
}

fn with_text(config: &str) -> Result<LoadedConfig, Vec<ConfigProblem>> {
    let root = Root::new();
    root.write("data/config.json", config);
    root.load()
}

/// The one error of a refused load.
fn only_error(outcome: Result<LoadedConfig, Vec<ConfigProblem>>) -> ConfigProblem {
    let errors: Vec<ConfigProblem> = outcome
        .unwrap_err()
        .into_iter()
        .filter(|problem| problem.severity == Severity::Error)
        .collect();
    assert_eq!(errors.len(), 1, "{errors:#?}");
    errors[0].clone()
}

/// Every way to write the key is refused, at its own place, with exit code 78.
fn refuses(path: &str, values: &[Value]) {
    for value in values {
        let problem = only_error(with_config(&[(path, value.clone())]));
        assert_eq!(problem.code, Code::ConfigSchemaInvalid, "{path} {value}");
        assert!(problem.json_path.starts_with(path), "{problem}");
        assert!(problem.line == 1 && problem.column > 1, "{problem}");
        assert_eq!(config::failure(&[problem]).exit(), Exit::Config);
    }
}

fn source_of(loaded: &LoadedConfig, path: &str) -> SettingSource {
    let mut all = loaded.settings.all().iter();
    all.find(|one| one.key.path == path).unwrap().source
}

fn warnings(loaded: &LoadedConfig) -> Vec<String> {
    loaded.warnings.iter().map(ToString::to_string).collect()
}

// === the shipped files ===

#[test]
fn the_shipped_files_load_without_a_word_and_equal_the_defaults() {
    let shipped = Root::new().load().unwrap();
    assert_eq!(warnings(&shipped), Vec::<String>::new());
    let empty = with_text("{}").unwrap();
    for (left, right) in shipped.settings.all().iter().zip(empty.settings.all()) {
        assert_eq!(left.value, right.value, "{}", left.key.path);
        assert_eq!(
            left.source,
            SettingSource::File,
            "{} is shipped",
            left.key.path
        );
        let expected = if left.key.path == "mode" {
            SettingSource::Prompt
        } else {
            SettingSource::Default
        };
        assert_eq!(right.source, expected, "{}", right.key.path);
    }
    assert_eq!(empty.config.mode, None);
    assert_eq!(shipped.config.mode, Some(Mode::Yolo));
}

#[test]
fn the_defaults_are_the_documented_ones() {
    let loaded = with_text("{}").unwrap();
    let config = &loaded.config;
    assert_eq!(loaded.prompt.agent_name, "kjxlkj-agent");
    assert_eq!(config.provider.base_url, "http://127.0.0.1:1234/v1");
    assert_eq!(config.provider.model, "nvidia/nemotron-3-nano");
    assert_eq!(config.provider.timeout_ms, 300_000);
    assert_eq!(config.provider.max_tokens, 4096);
    assert_eq!(config.provider.temperature.to_string(), "0.1");
    assert_eq!(config.provider.launch, None);
    assert_eq!(config.memory.working_memory_character_max, 2048);
    assert_eq!(config.r#loop.loop_delay_ms, 1500);
    assert_eq!(config.r#loop.idle_delay_ms, 300_000);
    assert_eq!(config.r#loop.max_iterations, Some(100));
    assert_eq!(config.scope.allowed_note_kinds, ["note", "template"]);
    assert_eq!(config.scope.max_notes_per_loop, 10);
    assert_eq!(config.scope.max_edits_per_loop, 20);
    assert_eq!(config.retry.max_retries, 3);
    assert_eq!(config.retry.base_delay_ms, 100);
    assert_eq!(config.retry.max_delay_ms, 5000);
    assert!(!config.memory.retain_full_conversation_logs);
    let shown = config::show_json(&loaded);
    assert_eq!(
        shown["retry"],
        json!({"max_retries": 3, "base_delay_ms": 100, "max_delay_ms": 5000})
    );
    assert_eq!(shown["provider"]["temperature"].to_string(), "0.1");
}

#[test]
fn the_shipped_prompt_has_every_condition() {
    let prompt = Root::new().load().unwrap().prompt;
    let count = |condition| {
        let mut of = prompt.segments.iter().map(|segment| segment.condition);
        of.by_ref().filter(|one| *one == condition).count()
    };
    assert!(prompt.segments.len() >= 13);
    assert!(count(Condition::Default) >= 6);
    assert!(count(Condition::State(LoopState::Planning)) >= 2);
    for state in LoopState::ALL {
        assert!(count(Condition::State(state)) >= 1, "{state}");
    }
    for tag in Tag::ALL {
        assert_eq!(
            prompt.allowed_tags.contains(tag),
            !tag.is_extension(),
            "{tag}"
        );
    }
}

// === configuration: what is accepted ===

/// A key, a value that differs from its default, and what the configuration then shows.
type Case = (&'static str, Value, fn(&Config) -> bool);

#[track_caller]
fn assert_reaches(cases: &[Case]) {
    let untouched = Root::new().load().unwrap().config;
    for (path, value, holds) in cases {
        let loaded = with_config(&[(path, value.clone())]).unwrap();
        assert!(holds(&loaded.config), "{path}: {:#?}", loaded.config);
        assert!(!holds(&untouched), "{path} must differ from its default");
        assert_eq!(source_of(&loaded, path), SettingSource::File);
    }
}

#[test]
fn provider_keys_reach_the_configuration() {
    assert_reaches(&[
        ("provider.model", json!("m"), |c| c.provider.model == "m"),
        ("provider.timeout_ms", json!(200), |c| {
            c.provider.timeout_ms == 200
        }),
        ("provider.max_tokens", json!(77), |c| {
            c.provider.max_tokens == 77
        }),
        ("provider.temperature", json!(2), |c| {
            (c.provider.temperature - 2.0).abs() < 1e-9
        }),
        ("provider.stream", json!(false), |c| !c.provider.stream),
        ("provider.fallback_models", json!(["a", "b"]), |c| {
            c.provider.fallback_models == ["a", "b"]
        }),
        (
            "provider.attribution",
            json!(["https://a.example", "A"]),
            |c| c.provider.attribution == ["https://a.example", "A"],
        ),
        ("provider.ttl_seconds", json!(60), |c| {
            c.provider.ttl_seconds == Some(60)
        }),
        ("provider.constrain", json!("off"), |c| {
            c.provider.constrain == Constrain::Off
        }),
        ("provider.constrain", json!("json_schema"), |c| {
            c.provider.constrain == Constrain::From(ConstraintKind::JsonSchema)
        }),
        ("provider.stall_timeout_ms", json!(500), |c| {
            c.provider.stall_timeout_ms == 500
        }),
        ("provider.context_tokens", json!(4096), |c| {
            c.provider.context_tokens == Some(4096)
        }),
        ("provider.launch", json!({"command": ["a", "b"]}), |c| {
            let command = vec!["a".to_owned(), "b".to_owned()];
            c.provider.launch
                == Some(Launch {
                    command,
                    ready_timeout_ms: 900_000,
                })
        }),
    ]);
}

#[expect(clippy::too_many_lines, reason = "one table")]
#[test]
fn providers_and_programs_reach_the_configuration() {
    assert_reaches(&[
        ("provider.command", json!(["claude"]), |c| {
            c.provider.command == ["claude"]
        }),
        // An argument may be empty, a program may not.
        ("provider.command", json!(["claude", "--tools", ""]), |c| {
            c.provider.command == ["claude", "--tools", ""]
        }),
    ]);
    let problem = only_error(with_config(&[("provider.command", json!(["", "-p"]))]));
    assert_eq!(problem.json_path, "provider.command");
    let list = json!([
        {"model": "one", "timeout_ms": 7},
        {"name": "two", "provider_kind": "openai", "base_url": "http://127.0.0.1:9/v1/"},
        {"name": "three", "provider_kind": "cli", "command": ["codex"]},
    ]);
    let config = with_config(&[("providers", list)]).unwrap().config;
    let named: Vec<(&str, ProviderKind, &str)> = config
        .providers
        .iter()
        .map(|it| {
            (
                it.name.as_str(),
                it.config.kind,
                it.config.base_url.as_str(),
            )
        })
        .collect();
    assert_eq!(
        named,
        [
            ("one", ProviderKind::LmStudio, "http://127.0.0.1:1234/v1"),
            ("two", ProviderKind::OpenAi, "http://127.0.0.1:9/v1"),
            ("three", ProviderKind::Cli, ""),
        ]
    );
    let [one, _, three] = &config.providers[..] else {
        panic!("three were given");
    };
    assert_eq!((one.config.timeout_ms, one.config.max_tokens), (7, 4096));
    assert_eq!(three.config.command, ["codex"]);
    assert_eq!(config.models.len(), 7, "the shipped registry");

    for (bad, place) in [
        (json!({}), "providers"),
        (json!([1]), "providers[0]"),
        (json!([{"model": "a"}, {"model": "a"}]), "providers[1].name"),
        (json!([{"timeout_ms": 0}]), "providers[0].timeout_ms"),
        (
            json!([{"provider_kind": "openai"}]),
            "providers[0].base_url",
        ),
        (json!([{"provider_kind": "cli"}]), "providers[0].command"),
        (
            json!([{"provider_kind": "openrouter", "model": "m"}]),
            "providers[0].api_key_env",
        ),
    ] {
        let problems = with_config(&[("providers", bad.clone())]).unwrap_err();
        let places: Vec<&str> = problems.iter().map(|it| it.json_path.as_str()).collect();
        assert_eq!(places, [place], "{bad}");
    }
    let root = Root::new();
    let row = |name: &str, more: Value| {
        let mut row = json!({"modelId": name, "provider": "local", "contextLength": 1,
                             "capabilities": [], "optimizedFor": []});
        row.as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        row
    };
    let rows = json!([
        {"modelId": 1},
        row("a", json!({"adapter": "openai-http", "priority": 50})),
        row("a", json!({"priority": 51})),
        row("b", json!({"adapter": "pigeon"})),
    ]);
    root.write("data/models.json", rows.to_string());
    let problems = root.load().unwrap_err();
    let places: Vec<(&str, &str)> = problems
        .iter()
        .map(|it| (it.file.as_str(), it.json_path.as_str()))
        .collect();
    let expected = ["[0]", "[2].modelId", "[2].priority", "[3]"];
    assert_eq!(places, expected.map(|place| ("data/models.json", place)));
    assert!(problems.iter().all(|it| it.column > 0), "{problems:?}");
    root.write("data/models.json", "{}");
    assert_eq!(root.load().unwrap_err().len(), 1);
    let whole = json!([row("a", json!({"adapter": "cli", "priority": 50}))]);
    root.write("data/models.json", whole.to_string());
    root.load().unwrap();
}

#[test]
fn budget_keys_reach_the_configuration() {
    assert_reaches(&[
        ("budget.calls_per_day", json!(7), |c| {
            c.budget.day.calls == Some(7)
        }),
        ("budget.tokens_per_day", json!(7), |c| {
            c.budget.day.tokens == Some(7)
        }),
        ("budget.calls_per_run", json!(7), |c| {
            c.budget.run.calls == Some(7)
        }),
        ("budget.tokens_per_run", json!(7), |c| {
            c.budget.run.tokens == Some(7)
        }),
        ("budget.calls_per_minute", json!(7), |c| {
            c.budget.calls_per_minute == Some(7)
        }),
    ]);
    // Where it costs money there is a bound without a word.
    for (budget, calls) in [(json!(null), 5000), (json!(6000), 6000)] {
        let root = Root::new().variable("OPENROUTER_API_KEY", "k");
        let edits = [
            ("provider.provider_kind", json!("openrouter")),
            ("budget.calls_per_day", budget),
        ];
        root.write("data/config.json", edited(SHIPPED_CONFIG, &edits));
        let paid = root.load().unwrap().config.budget.day;
        assert_eq!((paid.calls, paid.tokens), (Some(calls), None));
    }
    let root = Root::new().variable("OPENROUTER_API_KEY", "k");
    let one_of_two = json!([
        {"name": "here", "provider_kind": "lmstudio", "model": "m"},
        {"name": "paid", "provider_kind": "openrouter", "model": "m"},
    ]);
    let edits = [("providers", one_of_two)];
    root.write("data/config.json", edited(SHIPPED_CONFIG, &edits));
    let paid = root.load().unwrap().config.budget.day;
    assert_eq!((paid.calls, paid.tokens), (Some(5000), None));
}

#[test]
fn memory_keys_reach_the_configuration() {
    assert_reaches(&[
        ("memory.kv_store_path", json!("./data/kv.json"), |c| {
            c.kv_store_path == c.root.join("data/kv.json")
        }),
        ("memory.retain_full_conversation_logs", json!(true), |c| {
            c.memory.retain_full_conversation_logs
        }),
        ("memory.working_memory_character_max", json!(100), |c| {
            c.memory.working_memory_character_max == 100
        }),
        ("memory.think_log_source", json!("reasoning"), |c| {
            c.memory.think_log_source == ThinkLogSource::Reasoning
        }),
        ("memory.think_log_source", json!("model"), |c| {
            c.memory.think_log_source == ThinkLogSource::Model
        }),
        ("memory.think_log_max_chars", json!(9), |c| {
            c.memory.think_log_max_chars == 9
        }),
        ("memory.key_token_max", json!(5), |c| {
            c.memory.key_token_max == 5
        }),
        ("memory.working_memory_children_max", json!(9), |c| {
            c.memory.children_max == 9
        }),
        ("memory.system_auto_cleanup", json!(false), |c| {
            !c.memory.auto_cleanup
        }),
        ("memory.system_max_log_entries", json!(10), |c| {
            c.log_entries_max == 10
        }),
    ]);
}

#[test]
fn the_layout_is_split_unless_it_is_unified() {
    let shipped = Root::new().load().unwrap().config;
    assert_eq!(shipped.memory_layout, MemoryLayout::Split);
    assert_reaches(&[("memory.layout", json!("unified"), |c| {
        c.memory_layout == MemoryLayout::Unified
    })]);
    refuses("memory.layout", &[json!("both"), json!(2), json!(null)]);
    for taken in [
        "./data/memory.json",
        "./data/log.json",
        "./data/models.json",
        "./data/prompts/extended.json",
    ] {
        refuses("memory.kv_store_path", &[json!(taken)]);
    }
}

#[test]
fn token_budget_keys_reach_the_configuration() {
    assert_reaches(&[
        ("token_budget.max_total", json!(777), |c| {
            c.token_budget.max_total == 777
        }),
        ("token_budget.memory", json!(777), |c| {
            c.token_budget.memory == 777
        }),
        ("token_budget.todo", json!(777), |c| {
            c.token_budget.todo == 777
        }),
        ("token_budget.session", json!(777), |c| {
            c.token_budget.session == 777
        }),
        ("token_budget.system", json!(777), |c| {
            c.token_budget.system == 777
        }),
        ("token_budget.critical_reserve", json!(777), |c| {
            c.token_budget.critical_reserve == 777
        }),
    ]);
}

#[test]
fn loop_keys_reach_the_configuration() {
    assert_reaches(&[
        ("loop.loop_delay_ms", json!(0), |c| {
            c.r#loop.loop_delay_ms == 0
        }),
        ("loop.idle_delay_ms", json!(1), |c| {
            c.r#loop.idle_delay_ms == 1
        }),
        ("loop.idle_delay_max_ms", json!(600_000), |c| {
            c.r#loop.idle_delay_max_ms == 600_000
        }),
        ("loop.auto_advance", json!(false), |c| {
            !c.r#loop.auto_advance
        }),
        ("loop.max_stay", json!(0), |c| c.r#loop.max_stay == 0),
        ("loop.parse_retries", json!(0), |c| {
            c.r#loop.parse_retries == 0
        }),
        ("loop.protocol", json!("xml"), |c| {
            c.r#loop.protocol == Protocol::Xml
        }),
        ("loop.idle_profile", json!("sleep"), |c| {
            c.r#loop.idle_profile == IdleProfile::Sleep
        }),
        ("loop.idle_profile", json!("enrich"), |c| {
            c.r#loop.idle_profile == IdleProfile::Enrich
        }),
    ]);
}

#[test]
fn other_keys_reach_the_configuration() {
    assert_reaches(&[
        ("scope.allowed_note_kinds", json!(["x"]), |c| {
            c.scope.allowed_note_kinds == ["x"]
        }),
        ("scope.max_notes_per_loop", json!(12), |c| {
            c.scope.max_notes_per_loop == 12
        }),
        ("scope.max_edits_per_loop", json!(22), |c| {
            c.scope.max_edits_per_loop == 22
        }),
        ("notes.similar_threshold", json!(0.6), |c| {
            c.notes.similar_threshold.to_string() == "0.6"
        }),
        ("notes.refuse_near_duplicates", json!(true), |c| {
            c.notes.refuse_near_duplicates
        }),
        ("notes.organize_every", json!(0), |c| {
            c.notes.organize_every == 0
        }),
        ("retry.max_retries", json!(0), |c| c.retry.max_retries == 0),
        ("retry.base_delay_ms", json!(7), |c| {
            c.retry.base_delay_ms == 7
        }),
        ("retry.max_delay_ms", json!(800), |c| {
            c.retry.max_delay_ms == 800
        }),
        ("parser.strict", json!(true), |c| c.parser_strict),
        ("journal.segment_bytes", json!(65536), |c| {
            c.journal.segment_bytes == 65536
        }),
        ("journal.retention_days", json!(30.0), |c| {
            c.journal.retention_days == 30
        }),
        ("log.level", json!("trace"), |c| {
            c.log.level == tracing::Level::TRACE
        }),
        ("log.format", json!("json"), |c| {
            c.log.format == LogFormat::Json
        }),
    ]);
}

#[test]
fn the_kind_has_an_underscore() {
    refuses("kind", &[json!("kjxlkj-agent"), json!(""), json!(1)]);
}

#[test]
fn prompt_path_selects_the_prompt_file() {
    let root = Root::new();
    let edits = [("prompt_path", json!("./data/other.json"))];
    root.write("data/config.json", edited(SHIPPED_CONFIG, &edits));
    let edits = [("segments.0.prompt", json!("other words"))];
    root.write("data/other.json", edited(SHIPPED_PROMPT, &edits));
    let loaded = root.load().unwrap();
    assert_eq!(loaded.prompt.segments[0].prompt, "other words");
    assert_eq!(
        loaded.config.prompt_path,
        root.path().join("data/other.json")
    );
    refuses("prompt_path", &[json!(""), json!(null), json!("a\u{0}b")]);
}

#[test]
fn kinds_bring_their_addresses() {
    let of_kind = |kind: &str, more: &[(&str, Value)]| {
        let mut edits = vec![
            ("provider.provider_kind", json!(kind)),
            ("provider.base_url!", json!(null)),
        ];
        edits.extend_from_slice(more);
        let root = Root::new().variable("OPENROUTER_API_KEY", "k");
        root.write("data/config.json", edited(SHIPPED_CONFIG, &edits));
        root.load()
    };
    let local = of_kind("lmstudio", &[]).unwrap().config.provider;
    assert_eq!(local.base_url, "http://127.0.0.1:1234/v1");
    let remote = of_kind("openrouter", &[]).unwrap().config.provider;
    assert_eq!(remote.base_url, "https://openrouter.ai/api/v1");
    let problem = only_error(of_kind("openai", &[]));
    assert_eq!(problem.json_path, "provider.base_url");
    // The usual model is LM Studio's, and no market has it.
    let nameless = [("provider.model!", json!(null))];
    let problem = only_error(of_kind("openrouter", &nameless));
    assert_eq!(problem.json_path, "provider.model");
    let listed = [("providers", json!([{"provider_kind": "openrouter"}]))];
    assert_eq!(
        only_error(of_kind("lmstudio", &listed)).json_path,
        "providers[0].model"
    );
    let address = [("provider.base_url", json!("http://localhost:8080/v1/"))];
    let other = of_kind("openai", &address).unwrap().config.provider;
    assert_eq!(other.kind, ProviderKind::OpenAi);
    assert_eq!(other.base_url, "http://localhost:8080/v1");
    let replies = [("provider.model", json!("replies.jsonl"))];
    let scripted = of_kind("scripted", &replies).unwrap().config.provider;
    assert_eq!(scripted.kind, ProviderKind::Scripted);
    let problem = only_error(of_kind("scripted", &[("provider.model!", json!(null))]));
    assert_eq!(problem.json_path, "provider.model");
    refuses("provider.provider_kind", &[json!("ollama"), json!(null)]);
}

#[test]
fn temperature_keeps_its_value_and_its_range() {
    for value in [0.1, 0.7, 2.0, 0.0] {
        let loaded = with_config(&[("provider.temperature", json!(value))]).unwrap();
        assert_eq!(
            loaded.config.provider.temperature.to_string(),
            value.to_string()
        );
    }
    let bad = [
        json!(-0.1),
        json!(2.1),
        json!("0.1"),
        json!(null),
        json!(true),
    ];
    refuses("provider.temperature", &bad);
}

#[test]
fn iterations_are_positive_or_minus_one() {
    let of = |value: Value| {
        let loaded = with_config(&[("loop.max_iterations", value)]).unwrap();
        loaded.config.r#loop.max_iterations
    };
    assert_eq!(of(json!(-1)), None);
    assert_eq!(of(json!(3)), Some(3));
    for (value, shown) in [(-1, "= -1, unlimited  (file)"), (3, "= 3  (file)")] {
        let loaded = with_config(&[("loop.max_iterations", json!(value))]).unwrap();
        let text = config::show_text(&loaded);
        let line = text.lines().find(|line| line.contains("max_iterations"));
        assert!(line.unwrap().ends_with(shown), "{line:?}");
        assert_eq!(config::show_json(&loaded)["loop"]["max_iterations"], value);
    }
    let bad = [
        json!(0),
        json!(-2),
        json!(1.5),
        json!(1_000_001),
        json!("3"),
        json!(null),
    ];
    refuses("loop.max_iterations", &bad);
}

#[test]
fn the_mode_and_its_precedence() {
    let config = with_config(&[("mode!", json!(null))]).unwrap();
    assert_eq!(config.config.mode, None);
    assert_eq!(config.config.mode_with(&config.prompt), Mode::Yolo);
    assert_eq!(config::show_json(&config)["mode"], "yolo");
    // The file may ask for it; the configuration overrides it.
    let loaded = with_prompt(&[("default_mode", json!("reviewed"))]).unwrap();
    assert_eq!(loaded.prompt.default_mode, Mode::Reviewed);
    assert_eq!(loaded.config.mode_with(&loaded.prompt), Mode::Yolo);
    // Where it says nothing, the prompt file's word holds.
    let root = Root::new();
    let edits = [("mode!", json!(null))];
    root.write("data/config.json", edited(SHIPPED_CONFIG, &edits));
    let edits = [("default_mode", json!("reviewed"))];
    root.write("data/agent-prompt.json", edited(SHIPPED_PROMPT, &edits));
    let asked = root.load().unwrap();
    let set = with_config(&[("mode", json!("reviewed"))]).unwrap();
    for loaded in [asked, set] {
        assert_eq!(loaded.config.mode_with(&loaded.prompt), Mode::Reviewed);
        assert_eq!(config::show_json(&loaded)["mode"], "reviewed");
    }
    refuses("mode", &[json!("wild"), json!(null), json!(1)]);
}

#[test]
fn writes_into_other_workspaces_are_for_mode_reviewed_alone() {
    let path = "scope.cross_workspace_writes";
    refuses(path, &[json!(true), json!("no")]);
    let open = |mode: &str| with_config(&[(path, json!(true)), ("mode", json!(mode))]);
    let problem = only_error(open("yolo"));
    assert_eq!(problem.json_path, path);
    assert!(
        open("reviewed")
            .unwrap()
            .config
            .scope
            .cross_workspace_writes
    );
    // The mode of the prompt file counts where the configuration names none.
    let root = Root::new();
    let unsaid = SHIPPED_CONFIG.replace("  \"mode\": \"yolo\",\n", "");
    assert_ne!(unsaid, SHIPPED_CONFIG);
    root.write("data/config.json", edited(&unsaid, &[(path, json!(true))]));
    let asked = [("default_mode", json!("reviewed"))];
    root.write("data/agent-prompt.json", edited(SHIPPED_PROMPT, &asked));
    assert!(root.load().unwrap().config.scope.cross_workspace_writes);
}

#[test]
fn the_workspaces_that_may_be_read_are_different_uuids() {
    let path = "scope.can_read_workspaces";
    let id = "0191c1e0-1111-7abc-8def-0123456789ab";
    let loaded = with_config(&[(path, json!([id.to_uppercase()]))]).unwrap();
    let listed = &loaded.config.scope.can_read_workspaces;
    assert_eq!(
        listed.iter().map(ToString::to_string).collect::<Vec<_>>(),
        [id]
    );
    let nil = "00000000-0000-0000-0000-000000000000";
    let wrong = [
        json!(id),
        json!([7]),
        json!(["all"]),
        json!([nil]),
        json!([id, id]),
    ];
    refuses(path, &wrong);
}

#[test]
fn the_workspace_is_a_real_uuid() {
    let id = "0191c1e0-1111-7abc-8def-0123456789ab";
    let given = json!(id.to_uppercase());
    let loaded = with_config(&[("scope.workspace_id", given)]).unwrap();
    assert_eq!(loaded.config.scope.workspace_id.to_string(), id);
    let nil = json!("00000000-0000-0000-0000-000000000000");
    refuses(
        "scope.workspace_id",
        &[json!("ws-uuid"), nil, json!(""), json!(7)],
    );
}

#[expect(clippy::too_many_lines, reason = "one table")]
#[test]
fn limits_have_floors_and_ceilings_and_types_are_kept() {
    for path in [
        "provider.timeout_ms",
        "provider.max_tokens",
        "memory.working_memory_character_max",
        "memory.think_log_max_chars",
        "memory.key_token_max",
        "memory.working_memory_children_max",
        "memory.system_max_log_entries",
        "loop.idle_delay_ms",
        "loop.idle_delay_max_ms",
        "scope.max_notes_per_loop",
        "scope.max_edits_per_loop",
        "retry.base_delay_ms",
        "retry.max_delay_ms",
        "journal.segment_bytes",
        "journal.retention_days",
        "token_budget.max_total",
    ] {
        let ceiling = json!(99_999_999_999_u64);
        refuses(
            path,
            &[
                json!(0),
                json!(-1),
                json!(2.5),
                ceiling,
                json!("5"),
                json!(null),
            ],
        );
    }
    for path in [
        "loop.loop_delay_ms",
        "loop.max_stay",
        "loop.parse_retries",
        "retry.max_retries",
        "token_budget.memory",
        "token_budget.todo",
        "token_budget.session",
        "token_budget.system",
        "token_budget.critical_reserve",
    ] {
        refuses(path, &[json!(-1), json!(99_999_999_999_u64), json!(false)]);
    }
    refuses("provider.context_tokens", &[json!(0), json!("many")]);
    refuses(
        "api.tcp",
        &[
            json!("0.0.0.0:80"),
            json!("localhost:80"),
            json!("127.0.0.1"),
            json!(80),
        ],
    );
    for path in [
        "api.socket",
        "parser.strict",
        "loop.auto_advance",
        "memory.retain_full_conversation_logs",
    ] {
        refuses(path, &[json!("true"), json!(1), json!(null)]);
    }
    for path in [
        "loop.protocol",
        "log.level",
        "log.format",
        "loop.idle_profile",
        "memory.think_log_source",
    ] {
        refuses(path, &[json!("loud"), json!(1)]);
    }
    refuses(
        "scope.allowed_note_kinds",
        &[json!([]), json!("note"), json!(["a", "a"]), json!([1])],
    );
    let launches = [
        json!({}),
        json!({"command": []}),
        json!({"command": [1]}),
        json!("x"),
    ];
    refuses("provider.launch", &launches);
    refuses(
        "provider.launch",
        &[json!({"command": ["x"], "ready_timeout_ms": 0})],
    );
}

#[test]
fn values_that_contradict_each_other_are_refused() {
    for (path, value) in [
        ("loop.idle_delay_max_ms", json!(4999)),
        ("retry.max_delay_ms", json!(99)),
        ("token_budget.max_total", json!(499)),
        ("memory.kv_store_path", json!("data/../data/config.json")),
        ("memory.kv_store_path", json!("./data/agent-prompt.json")),
        ("memory.kv_store_path", json!("data/rules.json")),
        ("memory.kv_store_path", json!("./data/notes/kv.json")),
        // The folder of everything, what is outside, and what is no file at all.
        ("memory.kv_store_path", json!("data")),
        ("memory.kv_store_path", json!("./data/x/..")),
        ("memory.kv_store_path", json!("../kv.json")),
        ("memory.kv_store_path", json!("data/../../kv.json")),
        ("memory.kv_store_path", json!("/kv.json")),
        ("memory.kv_store_path", json!(".")),
        ("memory.kv_store_path", json!("/")),
    ] {
        refuses(path, &[value]);
    }
    let problem = only_error(with_text(r#"{"loop": {"idle_delay_ms": 4000000}}"#));
    assert_eq!(
        problem.json_path, "loop.idle_delay_ms",
        "the one that was written"
    );
}

// === addresses, keys and secrets ===

#[test]
fn addresses_are_normalised_and_dangerous_ones_refused() {
    let given = json!("http://localhost:9/v1/chat/completions/");
    let loaded = with_config(&[("provider.base_url", given)]).unwrap();
    assert_eq!(loaded.config.provider.base_url, "http://localhost:9/v1");
    let bad = [
        "file:///x",
        "http://u:p@h/v1",
        "http://h/v1?k=1",
        "ftp://h",
        "h:1",
        "",
        "http://",
    ];
    refuses("provider.base_url", &bad.map(|address| json!(address)));
    let lan = json!("http://192.168.1.2:1234/v1");
    let loaded = with_config(&[("provider.base_url", lan)]).unwrap();
    assert!(
        warnings(&loaded)[0].contains("plain http"),
        "{:?}",
        loaded.warnings
    );
}

#[test]
fn keys_come_from_outside_the_files() {
    let router = edited(
        SHIPPED_CONFIG,
        &[
            ("provider.provider_kind", json!("openrouter")),
            ("provider.base_url!", json!(null)),
        ],
    );
    let named = edited(&router, &[("provider.api_key_env", json!("MY_KEY"))]);
    let with = |text: &str, root: Root| {
        root.write("data/config.json", text);
        root.load()
    };
    let key_of = |loaded: &LoadedConfig| {
        let secret = loaded.config.provider.api_key.as_ref();
        secret.map(|secret| secret.expose().to_owned())
    };
    let set = |name: &str, value: &str| Root::new().variable(name, value);

    let loaded = with(&router, set("OPENROUTER_API_KEY", " sk-or-1 \n")).unwrap();
    assert_eq!(key_of(&loaded).as_deref(), Some("sk-or-1"));
    assert_eq!(
        loaded.api_key.unwrap().source,
        Some(SettingSource::Environment)
    );
    let loaded = with(&named, set("MY_KEY", "k2")).unwrap();
    assert_eq!(key_of(&loaded).as_deref(), Some("k2"));

    let credentials = tempfile::tempdir().unwrap();
    std::fs::write(credentials.path().join("openrouter_api_key"), "k3\n").unwrap();
    let folder = credentials.path().to_str().unwrap();
    let loaded = with(&router, set("CREDENTIALS_DIRECTORY", folder)).unwrap();
    assert_eq!(key_of(&loaded).as_deref(), Some("k3"));
    assert_eq!(
        loaded.api_key.clone().unwrap().source,
        Some(SettingSource::Credential)
    );
    let shown = config::show_text(&loaded) + &config::show_json(&loaded).to_string();
    assert!(
        !shown.contains("k3") && shown.contains("credential"),
        "{shown}"
    );

    for root in [Root::new(), set("OPENROUTER_API_KEY", " ")] {
        let problem = only_error(with(&router, root));
        assert_eq!(problem.code.exit(), Exit::Config);
        assert!(problem.message.contains("OPENROUTER_API_KEY"), "{problem}");
    }
    let problem = only_error(with(&router, set("OPENROUTER_API_KEY", "a\nsecret")));
    assert!(!problem.to_string().contains("secret"), "{problem}");

    // A program has its own way to log in, unless one is named.
    let program = edited(
        SHIPPED_CONFIG,
        &[
            ("provider.provider_kind", json!("cli")),
            ("provider.command", json!(["claude"])),
        ],
    );
    let loaded = with(&program, set("MY_KEY", "k4")).unwrap();
    assert_eq!((key_of(&loaded), loaded.api_key), (None, None));
    let program = edited(&program, &[("provider.api_key_env", json!("MY_KEY"))]);
    let loaded = with(&program, set("MY_KEY", "k4")).unwrap();
    assert_eq!(key_of(&loaded).as_deref(), Some("k4"));
    assert_eq!(
        loaded.config.provider.api_key_env.as_deref(),
        Some("MY_KEY")
    );
    let loaded = with(&program, Root::new()).unwrap();
    assert!(warnings(&loaded)[0].contains("MY_KEY"));

    // No key is looked up for a local server, and a missing named one is no reason to stop it.
    let loaded = with(SHIPPED_CONFIG, set("OPENROUTER_API_KEY", "k")).unwrap();
    assert_eq!((key_of(&loaded), loaded.api_key), (None, None));
    let local = edited(SHIPPED_CONFIG, &[("provider.api_key_env", json!("MY_KEY"))]);
    assert!(warnings(&with(&local, Root::new()).unwrap())[0].contains("MY_KEY"));
}

#[test]
fn work_without_a_model_needs_no_key() {
    let root = Root::new();
    let edits = [("provider.provider_kind", json!("openrouter"))];
    root.write("data/config.json", edited(SHIPPED_CONFIG, &edits));
    let loaded = config::load_without_key(root.path(), &root.environment).unwrap();
    assert!(warnings(&loaded)[0].contains("OPENROUTER_API_KEY"));
}

#[test]
fn literal_secrets_are_refused_and_never_repeated() {
    for path in [
        "provider.api_key",
        "provider.apiKey",
        "provider.token",
        "openrouter_api_key",
        "Authorization",
        "client_secret",
    ] {
        let outcome = with_config(&[(path, json!("hunter2-hunter2"))]);
        let problem = only_error(outcome);
        let failure = config::failure(std::slice::from_ref(&problem));
        assert_eq!(failure.exit(), Exit::Config);
        assert!(failure.hints[0].contains("environment variable"));
        assert!(!failure.to_string().contains("hunter2"), "{failure}");
    }
    let deep = with_text(r#"{"providers": [{"api_key": "hunter2"}]}"#);
    assert_eq!(only_error(deep).json_path, "providers[0].api_key");
    // A key pasted where its variable's name belongs.
    let problem = only_error(with_config(&[(
        "provider.api_key_env",
        json!("sk-or-hunter2"),
    )]));
    assert!(!problem.to_string().contains("hunter2"), "{problem}");
}

// === older flat keys ===

#[test]
fn flat_keys_are_aliases() {
    let loaded = with_text(
        r#"{"working_memory_character_max": 4096, "llm_api_url": "http://localhost:1/v1/chat/completions",
            "llm_model": "m", "llm_max_tokens": 5, "llm_temperature": 0.5, "system_debug_mode": true}"#,
    )
    .unwrap();
    let config = &loaded.config;
    assert_eq!(config.memory.working_memory_character_max, 4096);
    assert_eq!(config.provider.base_url, "http://localhost:1/v1");
    assert_eq!(config.provider.model, "m");
    assert_eq!(config.provider.max_tokens, 5);
    assert_eq!(config.provider.temperature.to_string(), "0.5");
    assert_eq!(config.log.level, tracing::Level::DEBUG);
    assert_eq!(source_of(&loaded, "provider.model"), SettingSource::Alias);
    assert_eq!(warnings(&loaded), Vec::<String>::new());
}

#[test]
fn the_nested_key_wins_and_a_difference_is_told() {
    let loaded = with_text(r#"{"llm_model": "flat", "provider": {"model": "nested"}}"#).unwrap();
    assert_eq!(loaded.config.provider.model, "nested");
    assert_eq!(loaded.warnings.len(), 1);
    assert_eq!(loaded.warnings[0].json_path, "llm_model");
    let same = with_text(r#"{"llm_max_tokens": 7.0, "provider": {"max_tokens": 7}}"#).unwrap();
    assert_eq!(warnings(&same), Vec::<String>::new());
}

#[test]
fn flat_values_have_ranges_too() {
    for text in [
        r#"{"llm_temperature": 2.5}"#,
        r#"{"llm_temperature": -0.5}"#,
        r#"{"llm_max_tokens": 0}"#,
        r#"{"llm_api_url": "localhost"}"#,
        r#"{"system_debug_mode": "yes"}"#,
        r#"{"working_memory_character_max": null}"#,
    ] {
        let problem = only_error(with_text(text));
        assert!(text.contains(&problem.json_path), "{problem}");
    }
    let warm = with_text(r#"{"llm_temperature": 1.5}"#).unwrap();
    assert!(warnings(&warm)[0].contains("above 1"));
}

#[test]
fn the_flat_keys_of_the_tools_are_aliases_too() {
    let text = r#"{"key_token_max": 5, "working_memory_children_max": 9,
        "system_max_log_entries": 10, "system_auto_cleanup": false}"#;
    let loaded = with_text(text).unwrap();
    assert_eq!(warnings(&loaded), Vec::<String>::new());
    let memory = &loaded.config.memory;
    assert_eq!((memory.key_token_max, memory.children_max), (5, 9));
    assert!(!memory.auto_cleanup);
    assert_eq!(loaded.config.log_entries_max, 10);
}

// === unknown keys, syntax and places ===

#[test]
fn unknown_keys_are_told_once_each() {
    let loaded = with_config(&[
        ("colour", json!(1)),
        ("loop.max_iteration", json!(3)),
        ("api.sock", json!(true)),
        ("provider.launch", json!({"command": ["x"], "dir": "y"})),
    ])
    .unwrap();
    let told = warnings(&loaded);
    assert_eq!(told.len(), 4, "{told:#?}");
    let about = |key: &str| {
        let mut all = loaded.warnings.iter();
        all.find(|one| one.json_path == key)
            .unwrap()
            .message
            .clone()
    };
    assert!(about("colour").contains("not a known key"));
    assert!(about("loop.max_iteration").contains("`loop.max_iterations`"));
    assert!(about("api.sock").contains("not a known key"));
    assert!(about("provider.launch.dir").contains("not a known key"));
}

#[test]
fn every_problem_of_both_files_is_told_at_once_with_its_place() {
    let root = Root::new();
    root.write(
        "data/config.json",
        "{\n  \"mode\": \"wild\",\n  \"loop\": {\"max_stay\": -1, \"oddity\": 1},\n  \"log\": []\n}",
    );
    let edits = [("agent_name", json!("x")), ("segments", json!([]))];
    root.write("data/agent-prompt.json", edited(SHIPPED_PROMPT, &edits));
    let problems = root.load().unwrap_err();
    let errors = problems
        .iter()
        .filter(|one| one.severity == Severity::Error);
    assert_eq!(errors.count(), 5, "{problems:#?}");
    let lines: Vec<String> = problems.iter().map(ToString::to_string).collect();
    for start in [
        "data/config.json:2:11: mode: must be",
        "data/config.json:3:24: loop.max_stay: must be an integer from 0",
        "data/config.json:3:28: loop.oddity: is not a known key",
        "data/config.json:4:10: log: must be an object",
    ] {
        assert!(
            lines.iter().any(|line| line.starts_with(start)),
            "{start}: {lines:#?}"
        );
    }
    let failure = config::failure(&problems);
    assert!(failure.message.starts_with("5 problems\n"), "{failure}");
    assert!(
        failure.message.contains("segments: must be a list"),
        "{failure}"
    );
    assert!(
        !failure.message.contains("oddity"),
        "warnings are no errors"
    );
    assert_eq!(failure.code, problems[0].code);
    let outcome = Err(problems);
    let checked = config::check_json(&outcome);
    assert_eq!(checked["ok"], false);
    assert_eq!(checked["problems"].as_array().unwrap().len(), lines.len());
    assert!(config::check_text(&outcome).ends_with("invalid: 5 errors, 1 warning\n"));
}

#[test]
fn a_flood_of_problems_is_counted() {
    let keys: Vec<String> = (0..500).map(|n| format!("\"x{n}\": 1")).collect();
    let loaded = with_text(&format!("{{{}}}", keys.join(","))).unwrap();
    assert_eq!(loaded.warnings.len(), 101);
    let counted = |one: &ConfigProblem| one.message == "and 400 problems more";
    assert!(loaded.warnings.iter().any(counted));
    let broken = format!("{{\"mode\": 1, {}}}", keys.join(","));
    assert_eq!(only_error(with_text(&broken)).json_path, "mode");
}

#[test]
fn files_that_are_not_strict_json_are_refused() {
    let cases: [(&[u8], &str); 7] = [
        (b"", "empty"),
        (b"{\"mode\": \"yolo\"", "EOF"),
        (b"{\"mode\": \"yolo\", \"mode\": \"yolo\"}", "stands twice"),
        (b"{\"mode\": \"\xC3\x28\"}", "UTF-8"),
        (b"{} {}", "trailing"),
        (b"{\"loop\": {\"max_stay\": NaN}}", "expected value"),
        (b"{\"provider\": {\"temperature\": 1e999}}", "out of range"),
    ];
    for (bytes, words) in cases {
        let root = Root::new();
        root.write("data/config.json", bytes);
        let problem = only_error(root.load());
        assert_eq!(problem.code, Code::ConfigJsonInvalid);
        assert!(problem.message.contains(words), "{problem}");
        assert!(problem.line >= 1 && problem.column >= 1, "{problem}");
    }
    let root = Root::new();
    root.write(
        "data/config.json",
        [b"\xEF\xBB\xBF", SHIPPED_CONFIG.as_bytes()].concat(),
    );
    assert!(warnings(&root.load().unwrap())[0].contains("byte order mark"));
    assert_eq!(only_error(with_text("[]")).code, Code::ConfigSchemaInvalid);
}

#[test]
fn a_missing_file_points_to_init() {
    let root = tempfile::tempdir().unwrap();
    let problems = config::load(root.path(), &BTreeMap::new()).unwrap_err();
    let codes: Vec<Code> = problems.iter().map(|problem| problem.code).collect();
    assert_eq!(codes, [Code::ConfigJsonInvalid, Code::PromptJsonInvalid]);
    let failure = config::failure(&problems);
    assert_eq!(failure.hints.len(), 1, "{failure}");
    assert!(failure.hints[0].contains("init"), "{failure}");
    assert_eq!(failure.exit(), Exit::Config);
    let root = root.path().display();
    assert_eq!(
        problems[0].to_string(),
        format!("data/config.json: the file does not exist; the root is {root}")
    );
    let nowhere = Path::new("/nowhere/at/all");
    let problems = config::load(nowhere, &BTreeMap::new()).unwrap_err();
    assert_eq!(problems.len(), 1, "{problems:?}");
    let failure = config::failure(&problems);
    assert_eq!(failure.code, Code::ConfigJsonInvalid);
    assert!(
        failure.message.starts_with("/nowhere/at/all: "),
        "{failure}"
    );
    assert_eq!(failure.hints.len(), 1, "{failure}");
    let folder = Root::new();
    std::fs::remove_file(folder.path().join("data/config.json")).unwrap();
    std::fs::create_dir(folder.path().join("data/config.json")).unwrap();
    assert!(
        only_error(folder.load())
            .message
            .contains("not a regular file")
    );
}

#[test]
fn a_short_wrong_text_is_shown_and_a_long_one_is_not() {
    let secret = "sk-".to_owned() + &"0123456789abcdef".repeat(3);
    for (text, shown) in [
        ("many", "but is \"many\"".to_owned()),
        ("a\u{1b}[2J", "but is \"a\\u{1b}[2J\"".to_owned()),
        (&secret, "but is a text of 51 characters".to_owned()),
    ] {
        let wrong = json!({"loop": {"max_stay": text}}).to_string();
        let problem = only_error(with_text(&wrong));
        assert!(problem.message.ends_with(&shown), "{problem}");
    }
}

#[test]
fn an_oversized_file_is_not_read() {
    let text = format!("{{\"x\": \"{}\"}}", "y".repeat(1024 * 1024));
    assert!(only_error(with_text(&text)).message.contains("larger than"));
}

// === the prompt file ===

#[test]
fn every_wrong_shape_of_a_prompt_file_is_refused() {
    let schema = Code::PromptSchemaInvalid;
    let empty = Code::PromptSegmentEmpty;
    let cases: &[(&str, Value, Code)] = &[
        ("agent_name", json!("kjxlkj_agent"), schema),
        ("agent_name!", json!(null), schema),
        ("version", json!("banana"), schema),
        ("version", json!(2), schema),
        ("version!", json!(null), schema),
        ("default_mode", json!("wild"), schema),
        ("default_mode!", json!(null), schema),
        ("protocol", json!("xml"), schema),
        ("protocol!", json!(null), schema),
        ("allowed_tags", json!([]), schema),
        ("allowed_tags", json!("ram_add"), schema),
        ("allowed_tags!", json!(null), schema),
        ("allowed_tags.0", json!("note_add"), schema),
        ("allowed_tags.0", json!("LKJAgent"), schema),
        ("allowed_tags.0", json!(1), schema),
        ("segments", json!([]), schema),
        ("segments", json!({}), schema),
        ("segments!", json!(null), schema),
        ("segments.0", json!("text"), schema),
        ("segments.0.condition", json!("dreaming"), schema),
        ("segments.0.condition!", json!(null), schema),
        ("segments.0.prompt", json!(7), schema),
        ("segments.0.prompt!", json!(null), schema),
        ("segments.0.prompt", json!(""), empty),
        ("segments.0.prompt", json!(" \n\t"), empty),
        ("examples", json!({}), schema),
        ("examples", json!([1]), schema),
        (
            "examples",
            json!([{"condition": "default", "input": " ", "output": "x"}]),
            schema,
        ),
        (
            "examples",
            json!([{"condition": "default", "input": "x"}]),
            schema,
        ),
        (
            "examples",
            json!([{"condition": "x", "input": "x", "output": "x"}]),
            schema,
        ),
    ];
    for (path, value, code) in cases {
        let problem = only_error(with_prompt(&[(path, value.clone())]));
        assert_eq!(problem.code, *code, "{path} {value}: {problem}");
        assert_eq!(problem.file, "data/agent-prompt.json");
        let top = path.split(['.', '!']).next().unwrap();
        assert!(problem.json_path.starts_with(top), "{problem}");
        assert_eq!(config::failure(&[problem]).exit(), Exit::Config);
    }
}

#[test]
fn unknown_tags_are_answered_with_the_known_ones() {
    let hint = |tag: &str| {
        let outcome = with_prompt(&[("allowed_tags.0", json!(tag))]);
        only_error(outcome).hint.unwrap()
    };
    assert!(hint("ram_ad").contains("ram_add"));
    for dialect in ["actions", "thinking", "action", "evaluation", "paging"] {
        assert!(hint("x").contains(dialect), "{dialect}");
        let loaded = with_prompt(&[("allowed_tags.0", json!(dialect))]).unwrap();
        let tag = Tag::parse(dialect).unwrap();
        assert!(loaded.prompt.allowed_tags.contains(tag), "{dialect}");
    }
}

#[test]
fn versions_and_states_of_a_prompt_file_are_read() {
    for version in ["2026-02-15", "1.2.0"] {
        let loaded = with_prompt(&[("version", json!(version))]).unwrap();
        assert_eq!(loaded.prompt.version, version);
    }
    let example = json!([{"condition": "thinking", "input": "i", "output": "o"}]);
    let prompt = with_prompt(&[("examples", example)]).unwrap().prompt;
    assert_eq!(
        prompt.examples[0].condition,
        Condition::State(LoopState::Planning)
    );
    assert_eq!(
        (&*prompt.examples[0].input, &*prompt.examples[0].output),
        ("i", "o")
    );
}

#[test]
fn a_prompt_file_that_is_no_json_is_refused() {
    let broken = &SHIPPED_PROMPT.as_bytes()[..SHIPPED_PROMPT.len() / 2];
    let bad_text = SHIPPED_PROMPT.replacen("XML", "\u{1}", 1).into_bytes();
    let mut not_utf8 = SHIPPED_PROMPT.as_bytes().to_vec();
    let middle = not_utf8.len() / 2;
    not_utf8[middle] = 0xFF;
    for bytes in [broken, &bad_text, &not_utf8] {
        let root = Root::new();
        root.write("data/agent-prompt.json", bytes);
        let problem = only_error(root.load());
        assert_eq!(problem.code, Code::PromptJsonInvalid, "{problem}");
        assert_eq!(config::failure(&[problem]).exit(), Exit::Config);
    }
}

#[test]
fn unknown_keys_of_the_prompt_file_are_told_and_ignored() {
    let edits = [("foo", json!(1)), ("segments.0.note", json!("x"))];
    let loaded = with_prompt(&edits).unwrap();
    let told = warnings(&loaded);
    assert_eq!(told.len(), 2, "{told:#?}");
    assert!(told.iter().any(|text| text.contains(": foo: ")));
    assert!(told.iter().any(|text| text.contains("segments[0].note")));
}

#[test]
fn an_allowed_tag_that_no_segment_mentions_is_told() {
    let loaded = with_prompt(&[("segments", json!([{"condition": "default", "prompt": "X"}]))]);
    let loaded = loaded.unwrap();
    assert_eq!(loaded.warnings.len(), 8);
    assert!(loaded.warnings[0].message.contains("no segment mentions"));
}

#[test]
fn the_prompt_hash_is_that_of_the_bytes() {
    let root = Root::new();
    let first = root.load().unwrap().prompt.hash;
    assert_eq!(first.len(), 64);
    root.write("data/agent-prompt.json", format!("{SHIPPED_PROMPT}\n"));
    assert_ne!(root.load().unwrap().prompt.hash, first);
}

// === init, show, schema ===

#[test]
fn init_writes_a_root_that_loads_and_never_overwrites() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("new/root");
    let report = config::init(&root).unwrap();
    assert!(
        report.files.iter().all(|(_, written)| *written),
        "{report:?}"
    );
    let loaded = config::load(&root, &BTreeMap::new()).unwrap();
    assert_eq!(report.workspace_id, Some(loaded.config.scope.workspace_id));
    let shipped = Root::new().load().unwrap().config.scope.workspace_id;
    assert_ne!(
        loaded.config.scope.workspace_id, shipped,
        "each root has its own"
    );
    let mode = |name: &str| {
        let about = std::fs::metadata(root.join(name)).unwrap();
        about.permissions().mode() & 0o777
    };
    assert_eq!(mode("data"), 0o700);
    assert_eq!(mode("data/config.json"), 0o600);
    assert_eq!(mode("data/rules.json"), 0o600);
    assert_eq!(mode("data/small-model"), 0o700);

    std::fs::write(root.join("data/config.json"), "{}").unwrap();
    std::fs::remove_file(root.join("data/rules.json")).unwrap();
    let report = config::init(&root).unwrap();
    let written: Vec<&str> = (report.files.iter().filter(|one| one.1).map(|one| one.0)).collect();
    assert_eq!(written, ["data/rules.json"]);
    assert_eq!(report.workspace_id, None);
    assert_eq!(
        std::fs::read_to_string(root.join("data/config.json")).unwrap(),
        "{}"
    );
    assert_eq!(
        std::fs::read_to_string(root.join("data/rules.json"))
            .unwrap()
            .trim(),
        "[]"
    );
}

#[test]
fn a_refused_configuration_writes_nothing() {
    let root = Root::new();
    root.write("data/config.json", "{\"loop\": 1}");
    assert!(root.load().is_err());
    let names: Vec<_> = std::fs::read_dir(root.path().join("data"))
        .unwrap()
        .collect();
    assert_eq!(names.len(), 2);
}

#[test]
fn show_tells_value_and_source_of_every_key() {
    let loaded = with_text(r#"{"llm_model": "m", "loop": {"max_stay": 1}}"#).unwrap();
    let text = config::show_text(&loaded);
    assert_eq!(text.lines().count(), KEYS.len());
    let line = |key: &str| text.lines().find(|line| line.starts_with(key)).unwrap();
    assert!(line("provider.model").ends_with("= \"m\"  (alias)"));
    assert!(line("loop.max_stay").ends_with("= 1  (file)"));
    assert!(line("retry.max_retries").ends_with("= 3  (default)"));
    assert!(line("mode").ends_with("= \"yolo\"  (prompt)"));
    let shown = config::show_json(&loaded);
    assert_eq!(shown["sources"].as_object().unwrap().len(), KEYS.len());
    assert_eq!(shown["provider"]["base_url"], "http://127.0.0.1:1234/v1");
    assert_eq!(shown["sources"]["loop.max_stay"], "file");
}

#[test]
fn the_schema_and_the_table_cover_exactly_the_keys() {
    let schema = config::schema();
    let properties = &schema["properties"];
    let table = crate::help::table_of_keys();
    for key in KEYS {
        let mut place = &schema;
        for step in key.path.split('.') {
            place = &place["properties"][step];
        }
        assert_eq!(place["description"], key.doc, "{}", key.path);
        assert!(table.contains(&format!("| `{}` | ", key.path)), "{table}");
    }
    assert_eq!(table.lines().count(), KEYS.len() + 2);
    assert_eq!(
        properties["loop"]["properties"]["max_iterations"]["default"],
        100
    );
    // What the schema says about numbers is what the loader does.
    for key in KEYS {
        let rule = config_rule(&schema, key.path);
        for (bound, slip) in [("minimum", -1), ("maximum", 1)] {
            if let Some(limit) = rule[bound].as_i64() {
                refuses(key.path, &[json!(limit + slip)]);
            }
        }
    }
}

fn config_rule<'a>(schema: &'a Value, path: &str) -> &'a Value {
    path.split('.')
        .fold(schema, |place, step| &place["properties"][step])
}

#[test]
fn secrets_do_not_show_in_debug_output() {
    let environment: BTreeMap<String, String> = BTreeMap::new();
    assert_eq!(Environment::get(&environment, "X"), None);
    let secret = config::Secret::new("hunter2".to_owned());
    assert!(!format!("{secret:?}").contains("hunter2"));
}
