//! One key of the configuration: how it is set and shown, and what of it is refused.

#![expect(
    clippy::disallowed_methods,
    reason = "a test may stop at once, and it removes files as a person would"
)]

use super::sandbox::{Done, Sandbox, finished, thinking, worker};
use serde_json::{Value, json};

/// A variable with a key in it, as nobody must ever see it again.
const SECRET: &str = "sk-or-v1-5ecre75ecre75ecre75ecre7";

#[track_caller]
fn refused(done: Done, exit: i32, code: &str, words: &str) {
    let done = done.ended(exit);
    let error = done.error();
    assert_eq!(error["code"], code, "{done:?}");
    assert!(error.to_string().contains(words), "{words} in {done:?}");
    assert_eq!(done.stdout, "");
}

fn set(sandbox: &Sandbox, key: &str, value: &str) -> Done {
    sandbox.cli(&["config", "set", key, value, "--format", "json"])
}

fn get(sandbox: &Sandbox, key: &str) -> Value {
    sandbox.json(&["config", "get", key])["value"].clone()
}

#[test]
fn a_key_is_set_and_nothing_else_in_the_file_changes() {
    let sandbox = Sandbox::quiet();
    let before = "{\n\t\"provider\" : { \"model\":\"old\",\n\t\t\"base_url\": \"http://127.0.0.1:9/v1\" },\r\n\
                  \"scope\": {\"workspace_id\": \"6f0d3c52-8a5e-4d7b-9a41-2c7be1f05d38\"}, \"colour\": 1.50}";
    sandbox.write("data/config.json", before);
    let done = set(&sandbox, "provider.model", "a \"new\" one")
        .ended(0)
        .json();
    assert_eq!(
        done,
        json!({"key": "provider.model", "before": "old", "value": "a \"new\" one", "taken": "next_command"})
    );
    let after = before.replace("\"old\"", "\"a \\\"new\\\" one\"");
    assert_eq!(sandbox.read("data/config.json"), after);
    assert_eq!(get(&sandbox, "provider.model"), "a \"new\" one");
    let shown = sandbox.cli(&["config", "get", "provider.model"]).ended(0);
    assert_eq!(shown.stdout, "a \"new\" one\n");

    // A key that is missing, and a section that is.
    set(&sandbox, "provider.max_tokens", "700").ended(0);
    set(&sandbox, "loop.auto_advance", "false").ended(0);
    let after = sandbox.read("data/config.json");
    assert!(
        after.contains("\"base_url\": \"http://127.0.0.1:9/v1\",\n\t\t\"max_tokens\": 700 }"),
        "{after}"
    );
    assert!(after.contains("\"colour\": 1.50, \"loop\": {"), "{after}");
    let text = sandbox
        .cli(&["config", "set", "provider.max_tokens", "800"])
        .ended(0);
    assert_eq!(text.stdout, "provider.max_tokens = 800  (was 700)\n");
}

#[test]
fn a_value_is_read_as_the_type_of_its_key() {
    let sandbox = Sandbox::quiet();
    for (key, given, value) in [
        ("provider.temperature", "0.25", json!(0.25)),
        ("loop.max_iterations", "-1", json!(-1)),
        ("provider.model", "12", json!("12")),
        ("provider.model", "\"quoted\"", json!("quoted")),
        ("provider.context_tokens", "null", json!(null)),
        ("provider.api_key_env", "MY_KEY", json!("MY_KEY")),
        ("provider.api_key_env", "null", json!(null)),
        ("scope.allowed_note_kinds", "note", json!(["note"])),
        (
            "scope.allowed_note_kinds",
            "[\"note\", \"draft\"]",
            json!(["note", "draft"]),
        ),
        (
            "provider.launch",
            "{\"command\": [\"serve\", \"{port}\"]}",
            json!({"command": ["serve", "{port}"], "ready_timeout_ms": 900_000}),
        ),
        ("provider.launch", "null", json!(null)),
    ] {
        set(&sandbox, key, given).ended(0);
        assert_eq!(get(&sandbox, key), value, "{key} {given}");
    }
    let done = sandbox.cli_reading(&["config", "set", "provider.model", "-"], b"from a pipe\n");
    done.ended(0);
    assert_eq!(get(&sandbox, "provider.model"), "from a pipe");
}

/// A key, a value, and how setting it is refused: exit code, code, words.
const WRONG: [(&str, &str, i32, &str, &str); 10] = [
    (
        "provider.modle",
        "x",
        2,
        "USAGE",
        "Did you mean `provider.model`?",
    ),
    ("temperature", "1", 2, "USAGE", "`provider.temperature`"),
    ("colour", "red", 2, "USAGE", "config show"),
    ("provider", "{}", 2, "USAGE", "provider.base_url"),
    (
        "provider.launch.command",
        "[]",
        2,
        "USAGE",
        "`provider.launch` as a whole",
    ),
    (
        "loop.max_stay",
        "many",
        78,
        "CONFIG_SCHEMA_INVALID",
        "an integer from 0 to 1000",
    ),
    (
        "loop.auto_advance",
        "1",
        78,
        "CONFIG_SCHEMA_INVALID",
        "true or false",
    ),
    (
        "loop.idle_delay_max_ms",
        "1",
        78,
        "CONFIG_SCHEMA_INVALID",
        "must not be below",
    ),
    (
        "scope.cross_workspace_writes",
        "true",
        78,
        "CONFIG_SCHEMA_INVALID",
        "yolo",
    ),
    (
        "prompt_path",
        "./none.json",
        78,
        "PROMPT_JSON_INVALID",
        "does not exist",
    ),
];

#[test]
fn what_would_be_wrong_is_refused_and_the_file_stays() {
    let sandbox = Sandbox::quiet();
    let before = sandbox.read("data/config.json");
    for (key, value, exit, code, words) in WRONG {
        refused(set(&sandbox, key, value), exit, code, words);
        assert_eq!(sandbox.read("data/config.json"), before, "{key}");
    }
    let unknown = sandbox.cli(&["config", "get", "provider.modle", "--format", "json"]);
    refused(unknown, 2, "USAGE", "`provider.model`");
    for (file, code, words) in [
        ("{\"provider\": 7}", "CONFIG_SCHEMA_INVALID", "no object"),
        ("{\"provider\": {", "CONFIG_JSON_INVALID", "config.json:1:"),
    ] {
        sandbox.write("data/config.json", file);
        refused(set(&sandbox, "provider.model", "x"), 78, code, words);
        assert_eq!(sandbox.read("data/config.json"), file);
    }
    std::fs::remove_file(sandbox.path("data/config.json")).unwrap();
    let missing = set(&sandbox, "provider.model", "x");
    refused(missing, 78, "CONFIG_JSON_INVALID", "init");
}

#[test]
fn a_broken_key_is_mended_by_setting_it() {
    let sandbox = Sandbox::quiet();
    let before = sandbox.read("data/config.json");
    sandbox.write("data/config.json", &before.replace("8192", "\"many\""));
    set(&sandbox, "provider.context_tokens", "8192").ended(0);
    assert_eq!(sandbox.read("data/config.json"), before);
}

#[test]
fn a_secret_is_neither_written_nor_repeated() {
    let sandbox = Sandbox::quiet();
    let before = sandbox.read("data/config.json");
    for key in [
        "provider.api_key",
        "provider.api_key_env",
        "api_key",
        "provider.max_tokens",
    ] {
        let mut command = sandbox.command(&["config", "set", key, SECRET, "--format", "json"]);
        command
            .env("KJXLKJ_API_TOKEN", SECRET)
            .env("OPENROUTER_API_KEY", SECRET);
        let done = finished(command);
        assert!(matches!(done.code, Some(2 | 78)), "{done:?}");
        assert!(!format!("{done:?}").contains(SECRET), "{done:?}");
        assert_eq!(sandbox.read("data/config.json"), before, "{key}");
    }
    // A value is known to be a key where that key is in use.
    set(&sandbox, "provider.provider_kind", "openrouter").ended(0);
    let before = sandbox.read("data/config.json");
    let mut command = sandbox.command(&[
        "config",
        "set",
        "provider.model",
        SECRET,
        "--format",
        "json",
    ]);
    command.env("OPENROUTER_API_KEY", SECRET);
    let done = finished(command);
    assert!(!format!("{done:?}").contains(SECRET), "{done:?}");
    refused(done, 78, "CONFIG_SCHEMA_INVALID", "API key");
    assert_eq!(sandbox.read("data/config.json"), before);
}

#[test]
fn a_daemon_takes_a_key_that_is_set_at_once() {
    let (sandbox, _peer, gate, daemon) = thinking();
    let done = set(&sandbox, "loop.max_stay", "7").ended(0).json();
    assert_eq!(done["taken"], "next_step");
    let waits = set(&sandbox, "log.format", "json").ended(0).json();
    assert_eq!(waits["taken"], "next_start");
    refused(
        set(&sandbox, "loop.max_stay", "many"),
        78,
        "CONFIG_SCHEMA_INVALID",
        "integer",
    );
    assert_eq!(get(&sandbox, "loop.max_stay"), 7);
    gate.open();
    daemon.wait_for("reloaded", 1);
    daemon.end_well(&sandbox);
}

#[test]
fn beside_a_daemon_without_a_socket_the_file_stays() {
    let peer = worker();
    let sandbox = Sandbox::with(&peer);
    sandbox.configure(&peer.base_url(), &json!({"api": {"socket": false}}));
    let daemon = sandbox.start(&["daemon"]);
    daemon.wait_for("run ended", 1);
    let before = sandbox.read("data/config.json");
    refused(
        set(&sandbox, "loop.max_stay", "7"),
        75,
        "DATA_LOCKED",
        "holds",
    );
    assert_eq!(sandbox.read("data/config.json"), before);
    daemon.end_well(&sandbox);
}
