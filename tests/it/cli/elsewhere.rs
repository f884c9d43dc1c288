//! Notes of other workspaces: read where the configuration lists them, never written but by a person who
//! approves a proposal.

#![expect(clippy::unwrap_used, reason = "a test may stop at once")]

use super::sandbox::{Sandbox, state_in};
use crate::peer::{Peer, Step};
use rustix::process::Signal;
use serde_json::{Value, json};

const ELSEWHERE: &str = "0191c1e0-1111-7abc-8def-0123456789ab";

/// A model that changes a note of another workspace and adds one there.
fn reaching() -> Peer {
    Peer::answering(|request, _| {
        let think = "<ram_add><key>think_log</key><value>-</value></ram_add>".to_owned();
        Step::reply(&match state_in(request).as_str() {
            "planning" => {
                "<ram_add><key>steps</key><value>[\"write\"]</value></ram_add>".to_owned()
            }
            "executing" => format!(
                "<record_update><key>Theirs</key><value>Mine now.</value></record_update>\
                 <record_add><keywords>k</keywords><value>From afar.</value><title>New</title>\
                 <workspace_id>{ELSEWHERE}</workspace_id></record_add>"
            ),
            _ => think,
        })
    })
}

/// A root of its own workspace in which a note of another one stands.
fn beside(peer: &Peer) -> Sandbox {
    let sandbox = Sandbox::empty();
    sandbox.configure(
        &peer.base_url(),
        &json!({"scope": {"workspace_id": ELSEWHERE}}),
    );
    sandbox
        .cli(&["notes", "add", "--title", "Theirs", "Their text."])
        .ended(0);
    set(&sandbox, |config| {
        config["scope"]["workspace_id"] = json!("0191c1e0-2222-7abc-8def-0123456789ab");
    });
    sandbox
}

fn set(sandbox: &Sandbox, change: impl FnOnce(&mut Value)) {
    let path = "data/config.json";
    let mut config: Value = serde_json::from_str(&sandbox.read(path)).unwrap();
    change(&mut config);
    sandbox.write(path, &config.to_string());
}

fn open_up(config: &mut Value) {
    config["mode"] = json!("reviewed");
    config["scope"]["cross_workspace_writes"] = json!(true);
    config["scope"]["can_read_workspaces"] = json!([ELSEWHERE]);
}

fn values(sandbox: &Sandbox) -> Vec<Value> {
    let list = sandbox.json(&["notes", "list"]);
    let items = list["items"].as_array().unwrap().iter();
    let mut values: Vec<Value> = items
        .map(|item| {
            let id = item["id"].as_str().unwrap();
            sandbox.json(&["notes", "show", id])["value"].clone()
        })
        .collect();
    values.sort_by_key(Value::to_string);
    values
}

#[test]
fn a_foreign_note_is_proposed_to_and_changes_only_when_a_person_approves() {
    let peer = reaching();
    let sandbox = beside(&peer);
    set(&sandbox, open_up);
    let run = sandbox.json(&["run", "--task", "Change theirs"]);
    assert_eq!(run["stop_reason"], "pending_review", "{run}");
    assert_eq!(values(&sandbox), [json!("Their text.")]);
    // Each surface tells whose note it is.
    let list = sandbox.json(&["review", "list"]);
    assert_eq!(list["pagination"]["total"], 2);
    for item in list["items"].as_array().unwrap() {
        assert_eq!(item["note"]["workspace_id"], ELSEWHERE);
    }
    let text = sandbox.cli(&["review", "list"]).ended(0).stdout;
    assert_eq!(text.matches(&ELSEWHERE[..8]).count(), 2, "{text}");
    let text = sandbox.cli(&["review", "show", "1"]).ended(0).stdout;
    assert!(text.contains(ELSEWHERE), "{text}");
    // It is asked once more at the approval whether that may be.
    set(&sandbox, |config| {
        config["scope"]["cross_workspace_writes"] = json!(false);
    });
    let refused = sandbox
        .cli(&["review", "approve", "1", "--format", "json"])
        .ended(1);
    assert_eq!(refused.error()["code"], "CROSS_WORKSPACE_REJECTED");
    assert_eq!(values(&sandbox), [json!("Their text.")]);
    set(&sandbox, open_up);
    sandbox.cli(&["review", "approve", "--all"]).ended(0);
    assert_eq!(values(&sandbox), [json!("From afar."), json!("Mine now.")]);
    // What came of it is told and taken back like anything else.
    let why = sandbox.json(&["why", "Theirs"]);
    let versions = why["versions"].as_array().unwrap();
    assert_eq!(versions.last().unwrap()["run_id"], run["run_id"], "{why}");
    let run_id = run["run_id"].as_str().unwrap();
    let trace = sandbox.cli(&["trace", run_id]).ended(0).stdout;
    assert!(trace.contains("review"), "{trace}");
    sandbox.cli(&["runs", "undo", run_id]).ended(0);
    assert_eq!(values(&sandbox), [json!("Their text.")]);
    assert_eq!(sandbox.json(&["audit", "verify"])["ok"], json!(true));
}

#[test]
fn yolo_with_writes_elsewhere_is_no_configuration_and_a_daemon_keeps_the_last_good_one() {
    let peer = reaching();
    let sandbox = beside(&peer);
    let good = sandbox.read("data/config.json");
    set(&sandbox, |config| {
        open_up(config);
        config["mode"] = json!("yolo");
    });
    let bad = sandbox.read("data/config.json");
    let refused = sandbox.cli(&["config", "check", "--format", "json"]);
    assert_eq!(refused.code, Some(78), "{refused:?}");
    assert!(
        (refused.stdout.clone() + &refused.stderr).contains("scope.cross_workspace_writes"),
        "{refused:?}"
    );
    sandbox.cli(&["daemon"]).ended(78);
    sandbox.write("data/config.json", &good);
    let daemon = sandbox.daemon();
    sandbox.write("data/config.json", &bad);
    daemon.signal(Signal::HUP);
    daemon.wait_for("nothing was reloaded", 1);
    assert!(daemon.said().contains("scope.cross_workspace_writes"));
    let request = json!({"request": "Change theirs"}).to_string();
    sandbox.write("data/inbox/hand.json", &request);
    daemon.wait_for("run ended", 2);
    assert_eq!(daemon.end_by(Signal::TERM).0.code(), Some(0));
    sandbox.write("data/config.json", &good);
    assert_eq!(values(&sandbox), [json!("Their text.")]);
    assert_eq!(sandbox.json(&["review", "list"])["pagination"]["total"], 0);
}
