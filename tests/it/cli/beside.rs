//! What a person changes beside a daemon that runs: rules and their launches, and whole folders of notes.

#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test may stop at once, and it handles files as a person would"
)]

use super::sandbox::{Sandbox, thinking};
use rustix::process::Signal;
use serde_json::{Value, json};

const ID: &str = "55555555-5555-4555-8555-555555555555";

#[test]
fn g29_k013_rules_are_changed_and_launched_while_the_model_thinks() {
    let (sandbox, peer, gate, daemon) = thinking();
    let rule = json!({"rule_id": ID, "action_json": {"kind": "kjxlkj_agent", "mode": "reviewed"}});
    let added = sandbox.json(&["rules", "add", &rule.to_string()]);
    let in_file: Value = serde_json::from_str(&sandbox.read("data/rules.json")).unwrap();
    assert_eq!(in_file, json!([added]));
    let launch = |event: &str| {
        sandbox.cli(&[
            "rules",
            "trigger",
            ID,
            "--event-id",
            event,
            "--format",
            "json",
        ])
    };
    let first = launch("e1").ended(0).json();
    assert_eq!(
        (&first["state"], &first["duplicate"]),
        (&json!("Queued"), &json!(false))
    );
    let again = launch("e1").ended(0).json();
    assert_eq!(
        (&again["run_id"], &again["duplicate"]),
        (&first["run_id"], &json!(true))
    );
    assert_eq!(sandbox.json(&["rules", "disable", ID])["enabled"], false);
    assert_eq!(launch("e2").ended(1).error()["code"], "RULE_NOT_FIRED");
    sandbox.cli(&["rules", "enable", ID]).ended(0);
    // What would be wrong is refused word for word, and never written.
    let before = sandbox.read("data/rules.json");
    let bad = sandbox
        .cli(&["rules", "add", &rule.to_string(), "--format", "json"])
        .ended(78);
    let message = bad.error()["message"].as_str().unwrap().to_owned();
    assert!(message.contains("another rule has this id"), "{message}");
    assert_eq!(sandbox.read("data/rules.json"), before);
    assert_eq!(peer.request_count(), 1, "the question was not disturbed");
    gate.open();
    daemon.wait_for("run ended", 2);
    let run = sandbox.json(&["runs", "show", first["run_id"].as_str().unwrap()]);
    assert_eq!(
        (&run["state"], &run["mode"]),
        (&json!("Succeeded"), &json!("reviewed")),
        "the rule was in force when its run began"
    );
    sandbox.cli(&["rules", "remove", ID]).ended(0);
    assert_eq!(launch("e3").ended(1).error()["code"], "RULE_NOT_FOUND");
    assert_eq!(sandbox.json(&["rules", "list"])["pagination"]["total"], 0);
    assert_eq!(launch("e1").ended(1).error()["code"], "RULE_NOT_FOUND");
    let (status, said) = daemon.end_by(Signal::TERM);
    assert_eq!(status.code(), Some(0), "{said}");
    assert_eq!(sandbox.json(&["audit", "verify"])["ok"], json!(true));
}

/// What became of each file, in order.
fn outcomes(report: &Value) -> Vec<(String, Value, Value)> {
    let items = report["items"].as_array().unwrap().iter();
    let outcome = |item: &Value| {
        let file = item["file"].as_str().unwrap();
        let name = file.rsplit('/').next().unwrap().to_owned();
        (name, item["outcome"].clone(), item["code"].clone())
    };
    items.map(outcome).collect()
}

/// A folder with a little of everything.
fn folder(sandbox: &Sandbox) -> String {
    let folder = sandbox.path("vault");
    std::fs::create_dir(&folder).unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).unwrap();
    for number in 0..12 {
        write(
            &format!("large-{number:02}.md"),
            &format!("number {number}\n{}", "x".repeat(250 * 1024)),
        );
    }
    // Nothing takes more room on the way.
    write("spelt-out.md", &"\u{1}".repeat(250 * 1024));
    let id = "0192f0c1-0000-7000-8000-000000000001";
    write(
        "a-one.md",
        &format!("---\nid: {id}\ntitle: One\nversion: 3\n---\none\n"),
    );
    write(
        "z-one.md",
        &format!("---\nid: {id}\ntitle: One\nversion: 3\n---\none\n"),
    );
    write("bad.md", "---\ntitle: [\n---\n");
    write("too-large.md", &"y".repeat(260 * 1024));
    folder.to_str().unwrap().to_owned()
}

#[test]
fn g29_a_folder_is_imported_beside_a_daemon_in_parts_as_it_would_be_without_one() {
    let alone = Sandbox::quiet();
    let vault = folder(&alone);
    let import = |sandbox: &Sandbox| {
        let words = ["notes", "import", &vault, "--format", "json"];
        sandbox.cli(&words).ended(1).json()
    };
    let expected = import(&alone);
    let (sandbox, peer, gate, daemon) = thinking();
    let seq = || sandbox.json(&["audit", "head"])["seq"].as_u64().unwrap();
    let before = seq();
    let report = import(&sandbox);
    assert_eq!(outcomes(&report), outcomes(&expected), "{report:#}");
    for name in ["created", "updated", "unchanged", "conflicts", "failed"] {
        assert_eq!(report[name], expected[name], "{name}");
    }
    assert!(report["created"].as_u64().unwrap() >= 14, "{report:#}");
    let parts = seq() - before;
    assert!((2..14).contains(&parts), "{parts} commits");
    let again = import(&sandbox);
    assert_eq!(
        (&again["created"], &again["unchanged"]),
        (&json!(0), &report["created"])
    );
    assert_eq!(seq(), before + parts, "nothing was left to change");
    // A note that went on here is not taken back by its older file.
    sandbox
        .cli(&["notes", "edit", "One", "--value", "more"])
        .ended(0);
    let conflict = import(&sandbox);
    assert_eq!(conflict["conflicts"], json!(2), "{conflict:#}");
    assert_eq!(peer.request_count(), 1, "the question was not disturbed");
    gate.open();
    daemon.end_well(&sandbox);
    assert_eq!(
        sandbox.json(&["notes", "show", "large-07"])["version"],
        json!(1)
    );
}
