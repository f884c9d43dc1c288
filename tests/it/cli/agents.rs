//! The verbs of `agents`, as a person uses them.

use super::sandbox::{Sandbox, worker};
use serde_json::json;

const REVIEWER: &str = r#"{"agentId": "reviewer", "description": "Reads many notes.",
 "role": "You sum up notes.", "capabilities": ["ram_add", "record_add"]}"#;

fn with_agents(sandbox: &Sandbox) {
    sandbox.write("data/agents/reviewer.json", REVIEWER);
    let off = r#"{"description": "Rests.", "enabled": false}"#;
    sandbox.write("data/agents/resting.json", off);
}

#[test]
fn agents_are_listed_and_shown() {
    let sandbox = Sandbox::quiet();
    let example = sandbox.json(&["agents", "list"])["items"][0].clone();
    assert_eq!(
        (&example["agentId"], &example["enabled"]),
        (&json!("librarian"), &json!(false))
    );
    with_agents(&sandbox);
    let listed = sandbox.json(&["agents", "list"]);
    let items = listed["items"].as_array().unwrap().iter();
    let ids: Vec<_> = items.map(|it| (&it["agentId"], &it["enabled"])).collect();
    assert_eq!(
        ids,
        [
            (&json!("librarian"), &json!(false)),
            (&json!("resting"), &json!(false)),
            (&json!("reviewer"), &json!(true)),
        ]
    );
    let text = sandbox.cli(&["agents", "list"]).ended(0).stdout;
    assert!(
        text.contains("reviewer") && text.contains("Reads many notes."),
        "{text}"
    );
    let shown = sandbox.json(&["agents", "show", "reviewer"]);
    assert_eq!(shown["words"], "You sum up notes.");
    assert!(shown["wordsTokens"].as_u64().unwrap() > 0);
    let text = sandbox.cli(&["agent", "info", "reviewer"]).ended(0).stdout;
    assert!(text.contains("ram_add, record_add"), "{text}");
    assert!(text.ends_with("\n\nYou sum up notes.\n"), "{text}");
    for id in ["nobody", "two words"] {
        let done = sandbox
            .cli(&["agents", "show", id, "--format", "json"])
            .ended(1);
        assert_eq!(done.error()["code"], "AGENT_NOT_FOUND");
    }
}

#[test]
fn a_task_opens_one_run_for_one_key_and_one_at_a_time() {
    let peer = worker();
    let sandbox = Sandbox::with(&peer);
    with_agents(&sandbox);
    let run = |words: &[&str], code| {
        let verb = ["agents", "run", "--format", "json"];
        sandbox.cli(&[&verb, words].concat()).ended(code)
    };
    for id in ["nobody", "resting"] {
        assert_eq!(run(&[id, "work"], 1).error()["code"], "AGENT_NOT_FOUND");
    }
    assert_eq!(run(&["reviewer", " "], 2).error()["code"], "USAGE");
    let words = ["reviewer", "--key", "k", "sum", "it", "up"];
    let first = run(&words, 0).json();
    assert_eq!(
        (&first["agent"], &first["request"], &first["duplicate"]),
        (&json!("reviewer"), &json!("sum it up"), &json!(false))
    );
    let again = run(&words, 0).json();
    assert_eq!(
        (&again["run_id"], &again["duplicate"]),
        (&first["run_id"], &json!(true))
    );
    let other = run(&["reviewer", "--key", "k", "something else"], 1);
    assert_eq!(other.error()["code"], "IDEMPOTENCY_KEY_REUSED");
    let busy = run(&["reviewer", "more"], 1);
    assert_eq!(busy.error()["code"], "AGENT_ALREADY_RUNNING");
    let queued = run(&["reviewer", "--queue", "more"], 0).json();
    assert_ne!(queued["run_id"], first["run_id"]);

    // The runs are worked on in their turn, and leave the KV file as it is.
    sandbox.cli(&["status"]).ended(0);
    let kv = sandbox.kv();
    let done = sandbox.json(&["run"]);
    assert_eq!(
        (&done["run_id"], &done["state"]),
        (&first["run_id"], &json!("Succeeded"))
    );
    assert_eq!(sandbox.kv(), kv);
    let text = sandbox.cli(&["runs", "show", first["run_id"].as_str().unwrap()]);
    assert!(text.ended(0).stdout.contains("reviewer"));
    let notes = sandbox.json(&["notes", "list"]);
    assert_eq!(notes["pagination"]["total"], 1);
    let undone = sandbox.json(&["runs", "undo", first["run_id"].as_str().unwrap()]);
    assert!(undone.is_object());
    assert_eq!(sandbox.json(&["notes", "list"])["pagination"]["total"], 0);
}

/// A daemon takes the file as it is now, works on the run, and tells its result.
#[test]
fn a_daemon_works_for_an_agent_whose_file_is_new() {
    let peer = worker();
    let sandbox = Sandbox::with(&peer);
    let daemon = sandbox.daemon();
    with_agents(&sandbox);
    let done = sandbox
        .cli(&["agents", "run", "--wait", "reviewer", "sum", "it", "up"])
        .ended(0);
    assert!(done.stdout.contains("+ Tea"), "{done:?}");
    let prompt = peer.requests().last().unwrap().json().to_string();
    assert!(prompt.contains("You sum up notes."), "{prompt}");
    daemon.end_well(&sandbox);
}

#[test]
fn a_wrong_agent_stops_the_start_and_tells_where() {
    let sandbox = Sandbox::quiet();
    with_agents(&sandbox);
    let bad = "{\n  \"description\": \"Reads.\",\n  \"temperature\": \"hot\"\n}";
    sandbox.write("data/agents/reviewer.json", bad);
    let done = sandbox
        .cli(&["config", "check", "--format", "json"])
        .ended(78);
    assert!(
        done.stdout.contains("data/agents/reviewer.json")
            || done.stderr.contains("data/agents/reviewer.json"),
        "{done:?}"
    );
    let done = sandbox
        .cli(&["run", "--task", "x", "--format", "json"])
        .ended(78);
    let error = done.error();
    assert_eq!(error["code"], "AGENT_VALIDATION_ERROR");
    let message = error["message"].as_str().unwrap();
    let place = "data/agents/reviewer.json:3:18: temperature: must be a number from 0 to 2";
    assert!(message.contains(place), "{message}");
}
