//! Warnings of verbs: a line on standard error whatever the format, as JSON where a program asks.

use super::sandbox::{Done, RULE_ID, Sandbox, thinking, worker};
use rustix::process::Signal;
use serde_json::{Value, json};

/// The warnings on standard error, as a person is told them.
fn told(done: &Done) -> Vec<String> {
    let lines = done.stderr.lines();
    let told = lines.filter_map(|line| line.strip_prefix("warning: "));
    told.map(str::to_owned).collect()
}

/// The same, as a program is told them.
fn told_in_json(done: &Done) -> Vec<String> {
    let lines = done.stderr.lines();
    let lines = lines.filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let told = lines.filter_map(|line| Some(line["warning"]["message"].as_str()?.to_owned()));
    told.collect()
}

/// Each of these verbs warns in both formats, in the same words, and of that; a quiet one, too.
#[track_caller]
fn warns(sandbox: &Sandbox, words: &[&str], of: &str) {
    let text = told(&sandbox.cli(words));
    assert!(
        text.iter().any(|line| line.contains(of)),
        "{words:?}: {text:?}"
    );
    let done = sandbox.cli(&[words, &["--format", "json"]].concat());
    assert_eq!(told_in_json(&done), text, "{words:?}: {done:?}");
    assert!(told(&done).is_empty(), "{words:?}: {done:?}");
    let quiet = sandbox.cli(&[words, &["-q"]].concat());
    assert_eq!(told(&quiet), text, "{words:?}: {quiet:?}");
}

#[test]
fn a_warning_is_said_in_every_format() {
    let sandbox = Sandbox::quiet();
    let rule = json!({"rule_id": RULE_ID, "trigger": "automation_schedule.cron",
                      "workspace_id": "77777777-7777-4777-8777-777777777777",
                      "condition_json": {"cron": "0 9 * * 1"}});
    sandbox.cli(&["rules", "add", &rule.to_string()]).ended(0);
    warns(&sandbox, &["rules", "list"], "another workspace");
    warns(&sandbox, &["run", "--task", "x"], "workspace_id");
    warns(
        &sandbox,
        &["ram", "set", "a", "{\"a\": 1, \"a\": 2}"],
        "stored as text",
    );
    let note = sandbox.json(&["notes", "add", "green tea"]);
    let file = format!("data/notes/{}.json", note["id"].as_str().unwrap());
    let edited = sandbox.read(&file).replace("green", "black");
    sandbox.write(&file, &edited);
    warns(&sandbox, &["notes", "list"], "was edited by hand");
    sandbox.write("reply", "<ram_delete><key>a</key></ram_delete>");
    sandbox.write("data/config.json", "{");
    warns(&sandbox, &["parse", "reply"], "read with the shipped tags");
}

#[test]
fn a_changing_verb_warns_of_a_broken_edit_in_every_format() {
    let sandbox = Sandbox::quiet();
    sandbox.cli(&["ram", "set", "mood", "calm"]).ended(0);
    let of_broken = |arguments: &[&str]| {
        sandbox.write("data/agent-kv-store.json", "{\"mood\": ");
        sandbox.cli(arguments).ended(0)
    };
    let words = ["ram", "set", "other", "x"];
    let text = told(&of_broken(&words));
    assert!(text[0].contains("data/agent-kv-store.json"), "{text:?}");
    let json = of_broken(&[&words[..], &["--format", "json"]].concat());
    assert_eq!(told_in_json(&json).len(), text.len(), "{json:?}");
}

#[test]
fn what_a_daemon_has_not_read_is_warned_of_in_every_format() {
    let peer = worker();
    let sandbox = Sandbox::with(&peer);
    let daemon = sandbox.resting();
    sandbox.write("data/rules.json", "[ ]");
    for words in [&["config", "show"][..], &["rules", "list"]] {
        warns(&sandbox, words, "has not read data/rules.json");
    }
    drop(daemon.end_by(Signal::TERM));
}

#[test]
fn what_stays_in_force_beside_a_broken_file_is_warned_of_in_every_format() {
    let (sandbox, _peer, gate, daemon) = thinking();
    sandbox.write("data/config.json", "{");
    for words in [&["status"][..], &["config", "show"], &["notes", "list"]] {
        warns(&sandbox, words, "what was last good stays in force");
    }
    gate.open();
    drop(daemon.end_by(Signal::TERM));
}
