//! What is said of configurations that are wrong: one for each kind of mistake, and each key with a value
//! that no key takes.

use super::Goldens;
use crate::lab::WORKSPACE;
use kjxlkj_agent::config::{self, KEYS, SHIPPED_CONFIG, SHIPPED_PROMPT};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

const CONFIG: &str = "data/config.json";
const PROMPT: &str = "data/agent-prompt.json";
const RULES: &str = "data/rules.json";
const MODELS: &str = "data/models.json";

/// A root with the shipped files, in which one file has that text.
fn root_with(file: &str, text: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    config::init(folder.path()).unwrap();
    write(folder.path(), CONFIG, &shipped().to_string());
    write(folder.path(), file, text);
    folder
}

fn write(root: &Path, below: &str, text: &str) {
    std::fs::write(root.join(below), text).unwrap();
}

/// The shipped configuration with a workspace and a model.
fn shipped() -> Value {
    let mut config: Value = serde_json::from_str(SHIPPED_CONFIG).unwrap();
    config["scope"]["workspace_id"] = json!(WORKSPACE);
    config["provider"]["model"] = json!("peer-model");
    config
}

/// What is said of a root: every problem with its place, and the failure that a command ends with.
fn said_of(root: &Path) -> String {
    let nothing: BTreeMap<String, String> = BTreeMap::new();
    let mut told = String::new();
    let problems = match config::load(root, &nothing) {
        Ok(loaded) => loaded.warnings,
        Err(problems) => {
            let failure = config::failure(&problems);
            writeln!(told, "{failure}\n{}", failure.to_json()).unwrap();
            problems
        }
    };
    for problem in problems {
        writeln!(told, "{problem}\n{}", serde_json::json!(problem)).unwrap();
    }
    told.replace(root.to_str().unwrap(), "<root>")
}

/// What is said where the file has that text.
fn said(file: &str, text: &str) -> String {
    said_of(root_with(file, text).path())
}

/// A configuration with these members of its sections changed.
fn changed(changes: Value) -> String {
    let mut config = shipped();
    let Value::Object(sections) = changes else {
        panic!("sections are members");
    };
    for (section, value) in sections {
        match value.as_object() {
            Some(members) if config[&section].is_object() => {
                for (key, value) in members {
                    config[&section][key] = value.clone();
                }
            }
            _ => config[&section] = value,
        }
    }
    format!("{config:#}")
}

/// Configurations with one mistake each.
fn mistakes() -> Vec<String> {
    let cli = json!({"name": "a", "provider_kind": "cli"});
    let twice = json!([{"name": "a", "provider_kind": "openai", "base_url": "http://127.0.0.1:9/v1"},
                       {"name": "a", "provider_kind": "openai", "base_url": "http://127.0.0.1:9/v1"}]);
    let changes = [
        json!({"loop": {"max_stay": -1}}),
        json!({"loop": {"max_stya": 3}}),
        json!({"loop": {"idle_delay_ms": 10_000, "idle_delay_max_ms": 5}}),
        json!({"loop": {"idle_profile": "dancing"}}),
        json!({"loop": 7}),
        json!({"nothing_such": true}),
        json!({"mode": "wild"}),
        json!({"scope": {"workspace_id": 7}}),
        json!({"scope": {"cross_workspace_writes": true}}),
        json!({"scope": {"allowed_note_kinds": []}}),
        json!({"provider": {"api_key": "secret"}}),
        json!({"provider": {"temperature": 1.5}}),
        json!({"provider": {"temperature": 3}}),
        json!({"provider": {"provider_kind": "openrouter"}}),
        json!({"provider": {"provider_kind": "openrouter", "model": ""}}),
        json!({"provider": {"provider_kind": "scripted", "model": "none.json"}}),
        json!({"provider": {"provider_kind": "cli"}}),
        json!({"provider": {"provider_kind": "nobody"}}),
        json!({"provider": {"base_url": "http://example.org/v1"}}),
        json!({"provider": {"base_url": "ftp://127.0.0.1"}}),
        json!({"provider": {"base_url": "127.0.0.1:1234"}}),
        json!({"provider": {"constrain": "somehow"}}),
        json!({"providers": [7]}),
        json!({"providers": [{"name": 1}]}),
        json!({"providers": [cli]}),
        json!({"providers": twice}),
        json!({"memory": {"kv_store_path": "../../etc/passwd"}}),
        json!({"memory": {"kv_store_path": "data/notes/x.json"}}),
        json!({"prompt_path": []}),
        json!({"prompt_path": "./data/none.json"}),
        json!({"api": {"tcp": "0.0.0.0:80"}}),
        json!({"api": {"tcp": "127.0.0.1:8000"}}),
        json!({"api": {"tcp": "here"}}),
        json!({"log": {"level": "loud", "format": "poem"}}),
        json!({"kind": "other"}),
    ];
    changes.into_iter().map(changed).collect()
}

/// Prompt files with one mistake each.
fn prompts() -> Vec<String> {
    let with = |change: &dyn Fn(&mut Value)| {
        let mut prompt: Value = serde_json::from_str(super::life::PROMPT).unwrap();
        change(&mut prompt);
        prompt.to_string()
    };
    vec![
        "{".to_owned(),
        "[]".to_owned(),
        "{}".to_owned(),
        format!("\u{feff}{SHIPPED_PROMPT}"),
        with(&|it| it["version"] = json!("late")),
        with(&|it| it["default_mode"] = json!("wild")),
        with(&|it| it["protocol"] = json!("sgml")),
        with(&|it| it["allowed_tags"] = json!([])),
        with(&|it| it["allowed_tags"] = json!(["ram_add", "ram_add", "ram_ad", 7])),
        with(&|it| it["segments"][0]["condition"] = json!("dancing")),
        with(&|it| it["segments"][0] = json!(7)),
        with(&|it| it["segments"][1]["prompt"] = json!("")),
        with(&|it| it["segments"][1]["promt"] = json!("x")),
        with(&|it| it["examples"][0] = json!("x")),
        with(&|it| it["examples"][0]["output"] = json!(7)),
        with(&|it| it["question_words"] = json!("who")),
    ]
}

/// Rules files with one mistake each.
fn rules() -> Vec<String> {
    let rule = json!({
        "rule_id": "11111111-1111-4111-8111-111111111111", "workspace_id": WORKSPACE,
        "trigger": "automation_schedule.cron", "condition_json": {"cron": "0 9 * * *"},
        "action_json": {"kind": "kjxlkj_agent"}, "enabled": true,
        "created_at": "2026-02-15T00:00:00Z", "updated_at": "2026-02-15T00:00:00Z",
    });
    let with = |key: &str, value: Value| {
        let mut rule = rule.clone();
        rule[key] = value;
        json!([rule]).to_string()
    };
    vec![
        "[{".to_owned(),
        "{}".to_owned(),
        "[7]".to_owned(),
        "[{}]".to_owned(),
        json!([rule, rule]).to_string(),
        with("rule_id", json!("one")),
        with(
            "workspace_id",
            json!("99999999-9999-4999-8999-999999999999"),
        ),
        with("trigger", json!("never")),
        with("enabled", json!("yes")),
        with("created_at", json!("today")),
        with("coment", json!("x")),
        with("condition_json", json!([])),
        with("condition_json", json!({"cron": "61 9 * * *"})),
        with(
            "condition_json",
            json!({"cron": "0 9 * * *", "timezone": "Mars/Base"}),
        ),
        with(
            "condition_json",
            json!({"cron": "0 9 * * *", "missed": "some"}),
        ),
        with(
            "condition_json",
            json!({"cron": "0 9 * * *", "max_lateness_minutes": -1}),
        ),
        with(
            "condition_json",
            json!({"cron": "0 9 * * *", "cel": "event.("}),
        ),
        with(
            "condition_json",
            json!({"cron": "0 9 * * *", "include_own": 7}),
        ),
        with("condition_json", json!({"crn": "0 9 * * *"})),
        with("action_json", json!({"kind": "other"})),
        with("action_json", json!({"kind": "kjxlkj_agent", "request": 7})),
        with(
            "action_json",
            json!({"kind": "kjxlkj_agent", "loop": {"max_stay": -1}}),
        ),
        with(
            "action_json",
            json!({"kind": "kjxlkj_agent", "scope": {"workspace_id": "x"}}),
        ),
        with(
            "action_json",
            json!({"kind": "kjxlkj_agent", "api": {"socket": false}}),
        ),
    ]
}

#[test]
fn wrong_configurations_are_told_as_they_were() {
    let mut goldens = Goldens::of("configuration");
    let mut keys = String::new();
    for key in KEYS {
        let mut config = shipped();
        let pointer = format!("/{}", key.path.replace('.', "/"));
        if let Some((section, name)) = key.path.split_once('.') {
            config[section][name] = json!({"x": [null]});
        } else {
            config[key.path] = json!({"x": [null]});
        }
        writeln!(
            keys,
            "=== {pointer}\n{}",
            said(CONFIG, &format!("{config:#}"))
        )
        .unwrap();
    }
    goldens.check("keys.txt", &keys);
    let mut texts = mistakes();
    texts.extend(
        [
            "{",
            "[1]",
            "",
            "{\"mode\": \"yolo\", \"mode\": \"yolo\"}",
            "nul",
        ]
        .map(str::to_owned),
    );
    let models = ["{", "{}", "[7]", "[{\"modelId\": 7}]"].map(str::to_owned);
    for (name, file, texts) in [
        ("config.txt", CONFIG, texts),
        ("prompt.txt", PROMPT, prompts()),
        ("rules.txt", RULES, rules()),
        ("models.txt", MODELS, models.to_vec()),
    ] {
        let told = texts.iter().enumerate().map(|(number, text)| {
            let said = said(file, text);
            format!("=== {number}\n{said}\n")
        });
        goldens.check(name, &told.collect::<String>());
    }
    goldens.end();
}
