//! What a person changes beside a daemon that runs: rules and their launches, and whole folders of notes.

#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test may stop at once, and it handles files as a person would"
)]

use super::sandbox::{DEADLINE, RULE_ID, Sandbox, answer, last_message, names, state_in, thinking};
use crate::peer::{Gate, Peer, Step};
use rustix::process::Signal;
use serde_json::{Value, json};

#[test]
fn rules_are_changed_and_launched_while_the_model_thinks() {
    let (sandbox, peer, gate, daemon) = thinking();
    let rule =
        json!({"rule_id": RULE_ID, "action_json": {"kind": "kjxlkj_agent", "mode": "reviewed"}});
    let added = sandbox.json(&["rules", "add", &rule.to_string()]);
    let in_file: Value = serde_json::from_str(&sandbox.read("data/rules.json")).unwrap();
    assert_eq!(in_file, json!([added]));
    let launch = |event: &str| {
        sandbox.cli(&[
            "rules",
            "trigger",
            RULE_ID,
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
    assert_eq!(
        sandbox.json(&["rules", "disable", RULE_ID])["enabled"],
        false
    );
    assert_eq!(launch("e2").ended(1).error()["code"], "RULE_NOT_FIRED");
    sandbox.cli(&["rules", "enable", RULE_ID]).ended(0);
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
    sandbox.cli(&["rules", "remove", RULE_ID]).ended(0);
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
fn a_folder_is_imported_beside_a_daemon_in_parts_as_it_would_be_without_one() {
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

/// What a daemon says that has something in force which its files no longer hold.
const IN_FORCE: &str = "warning: what was last good stays in force; ";

#[test]
fn while_a_file_is_broken_the_verbs_that_need_none_go_on_by_what_is_in_force_and_say_so() {
    let (sandbox, _peer, gate, daemon) = thinking();
    let added = sandbox.json(&["notes", "add", "Buy tea.", "--title", "Tea"]);
    let good = sandbox.read("data/config.json");
    let broken = good.replace(r#""mode": "yolo""#, r#""mode": "reviewd""#);
    assert_ne!(broken, good);
    sandbox.write("data/config.json", &broken);
    let out = sandbox.path("out").display().to_string();
    for words in [
        &["status"][..],
        &["prompt"],
        &["config", "show"],
        &["ask", "Buy rice."],
        &["notes", "add", "Buy rice.", "--title", "Rice"],
        &["notes", "show", "Rice"],
        &["notes", "export", "Tea"],
        &["notes", "export", "--json"],
        &["notes", "export", "--to", &out],
    ] {
        let done = sandbox.cli(words).ended(0);
        assert!(done.stderr.starts_with(IN_FORCE), "{done:?}");
        assert!(done.stderr.contains("data/config.json:"), "{done:?}");
    }
    assert_eq!(names(&sandbox.path("out")), ["Rice.md", "Tea.md"]);
    let shown = sandbox.cli(&["config", "show"]).ended(0);
    assert!(!shown.stdout.contains("reviewd"), "{shown:?}");
    let lines = sandbox.cli(&["notes", "export", "--json", "Tea"]).stdout;
    assert_eq!(serde_json::from_str::<Value>(&lines).unwrap(), added);
    // What `-` stands for goes along.
    sandbox
        .cli_reading(&["ram", "set", "colour", "-"], b"red")
        .ended(0);
    assert_eq!(sandbox.kv()["colour"], "red");
    let asked = sandbox.cli_reading(&["ask", "-", "--format", "json"], b"Buy milk.\n");
    let asked = asked.ended(0).json();
    let dropped = sandbox.read(asked["file"].as_str().unwrap());
    assert!(dropped.contains("\"Buy milk.\""), "{dropped}");
    let reply = b"<state_add><state>executing</state></state_add>";
    let parsed = sandbox.cli_reading(&["parse"], reply);
    assert!(
        parsed.stderr.contains("read with the shipped tags; "),
        "{parsed:?}"
    );
    for words in [
        &["call", "lmstudio", "Hello."][..],
        &["rehearse", "--days", "1"],
        &["rules", "add", "{}"],
        &["notes", "import", "out"],
        &["config", "check"],
    ] {
        sandbox.cli(words).ended(78);
    }
    gate.open();
    let (status, said) = daemon.end_by(Signal::TERM);
    assert_eq!(status.code(), Some(0), "{said}");
    // Without a daemon nothing is in force, and what was kept is still shown.
    let exported = sandbox.cli(&["notes", "export", "--json"]).ended(0);
    assert!(
        exported.stderr.contains("data/config.json:"),
        "{exported:?}"
    );
    sandbox.cli(&["config", "show"]).ended(78);
}

#[test]
fn rules_list_shows_what_is_in_force_while_the_rules_file_is_broken() {
    let sandbox = Sandbox::quiet();
    let rule = json!({"rule_id": RULE_ID, "trigger": "manual"}).to_string();
    let added = sandbox.json(&["rules", "add", &rule]);
    let daemon = sandbox.daemon();
    let good = sandbox.read("data/rules.json");
    sandbox.write(
        "data/rules.json",
        &good.replace(r#""manual""#, r#""sometimes""#),
    );
    let mut listed = sandbox.json(&["rules", "list"])["items"].take();
    assert!(
        listed[0]
            .as_object_mut()
            .unwrap()
            .remove("next_slot")
            .is_some()
    );
    assert_eq!(listed, json!([added]));
    sandbox.write("data/rules.json", "[");
    assert_eq!(
        sandbox.json(&["rules", "show", RULE_ID])["trigger"],
        "manual"
    );
    drop(daemon);
}

#[test]
fn what_holds_the_folder_is_told_for_what_it_is_and_a_run_is_no_daemon() {
    let gate = Gate::default();
    let waits = gate.clone();
    // The first question waits; what `doctor` asks beside it is answered.
    let peer = Peer::answering(move |request, index| match index {
        0 => Step::reply(&answer("planning", index)).behind(&waits),
        _ if last_message(request).contains("<state>") => {
            Step::reply(&answer(&state_in(request), index))
        }
        _ => Step::reply("ok"),
    });
    let sandbox = Sandbox::with(&peer);
    let run = sandbox.start(&["run", "--task", "Buy tea."]);
    peer.wait_for_requests(1, DEADLINE);
    let process = run.id();
    let status = sandbox.json(&["status"]);
    assert_eq!(status["daemon"]["running"], json!(false));
    assert_eq!(status["daemon"]["pid"], json!(process));
    assert_eq!(status["daemon"]["purpose"], json!("run"));
    let told = format!("not running; a `run` is, process {process}");
    let text = sandbox.cli(&["status"]).ended(0).stdout;
    assert!(text.contains(&told), "{text}");
    let told = format!("held by a `run`, process {process}; no daemon runs");
    let text = sandbox.cli(&["doctor"]).stdout;
    assert!(text.contains(&told), "{text}");
    let asked = sandbox.cli(&["ask", "Buy rice."]).ended(0);
    assert!(asked.stderr.contains("no daemon runs here"), "{asked:?}");
    let told = format!("hint: Process {process} is a `run`, no daemon");
    for words in [
        &["ram", "set", "colour", "red"][..],
        &["notes", "add", "Buy tea."],
        &["rules", "add", "{}"],
        &["daemon"],
        &["once"],
    ] {
        let refused = sandbox.cli(words).ended(75);
        assert!(refused.stderr.contains(&told), "{refused:?}");
    }
    gate.open();
    let (status, said) = run.wait();
    assert_eq!(status.code(), Some(0), "{said}");
    assert_eq!(sandbox.json(&["status"])["daemon"]["purpose"], json!(null));
}

#[test]
fn an_empty_text_goes_to_a_daemon_as_it_goes_without_one() {
    let (sandbox, _peer, gate, daemon) = thinking();
    sandbox
        .cli_reading(&["ram", "set", "colour", "-"], b"")
        .ended(0);
    assert_eq!(sandbox.kv()["colour"], "");
    gate.open();
    daemon.end_well(&sandbox);
}

#[test]
fn a_rule_that_is_refused_is_not_blamed_on_the_file() {
    let sandbox = Sandbox::quiet();
    for (rule, told) in [
        ("{bad", "the rule that was given is no JSON"),
        ("[]", "the rule that was given is no object"),
        (
            r#"{"trigger": "sometimes"}"#,
            "with this change: [0].trigger",
        ),
    ] {
        let done = sandbox.cli(&["rules", "add", rule]).ended(78);
        assert!(done.stderr.contains(told), "{done:?}");
        assert!(
            done.stderr.contains("hint: Nothing was written"),
            "{done:?}"
        );
        assert!(!done.stderr.contains("remove the file"), "{done:?}");
        assert!(!done.stderr.contains("rules.json:"), "{done:?}");
    }
    // A file that is broken is named with its place.
    sandbox.write("data/rules.json", "[{]");
    let done = sandbox.cli(&["rules", "add", "{}"]).ended(78);
    assert!(done.stderr.contains("data/rules.json:1:"), "{done:?}");
}

#[test]
fn a_request_that_nobody_took_yet_is_told_to_be_in_the_inbox() {
    let sandbox = Sandbox::quiet();
    let run = sandbox.cli(&["ask", "Buy tea."]).ended(0).stdout;
    for words in [["runs", "show"], ["runs", "cancel"]] {
        let done = sandbox.cli(&[&words[..], &[run.trim()]].concat()).ended(1);
        assert!(done.stderr.contains("still in the inbox"), "{done:?}");
    }
    let done = sandbox.cli(&["trace", run.trim()]).ended(1);
    assert!(done.stderr.contains("still in the inbox"), "{done:?}");
    let other = "00000000-0000-4000-8000-000000000000";
    let done = sandbox.cli(&["trace", other]).ended(1);
    assert!(!done.stderr.contains("still in the inbox"), "{done:?}");
}
