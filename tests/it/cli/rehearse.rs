//! `rehearse` as a person uses it: beside a daemon, without a model server, and with rules that are wrong.

use super::sandbox::{RULE_ID, Sandbox, worker};
use rustix::process::Signal;
use serde_json::json;

fn add_daily(sandbox: &Sandbox) {
    let rule = json!({"rule_id": RULE_ID, "trigger": "automation_schedule.cron",
                      "condition_json": {"cron": "0 9 * * *"}});
    sandbox.cli(&["rules", "add", &rule.to_string()]).ended(0);
}

#[test]
fn a_rehearsal_asks_nobody_and_leaves_the_root_alone_also_beside_a_daemon() {
    let peer = worker();
    let sandbox = Sandbox::with(&peer);
    add_daily(&sandbox);
    let before = sandbox.snapshot();
    let words = ["rehearse", "--days", "3", "--from", "2026-05-01T00:00:00Z"];
    let told = sandbox.json(&words);
    assert_eq!(sandbox.snapshot(), before);
    assert_eq!(peer.request_count(), 0);
    assert_eq!(
        (&told["ok"], &told["script"]),
        (&json!(true), &json!("built-in"))
    );
    assert_eq!(told["to"], "2026-05-04T00:00:00.000Z");
    let rule = &told["rules"][0];
    assert_eq!(
        (&rule["rule_id"], &rule["fires"]),
        (&json!(RULE_ID), &json!(3))
    );
    assert_eq!(
        (&rule["slots"]["ran"], &rule["runs"]["succeeded"]),
        (&json!(3), &json!(3))
    );
    assert_eq!(
        (&rule["usage"]["calls"], &rule["writes"]["notes"]),
        (&json!(9), &json!(3))
    );
    // No call of this root tells how long one takes.
    assert_eq!(told["call_ms"], 10_000);
    assert_eq!(rule["busy_ms"], 90_000);
    let text = sandbox
        .cli(&[&words[..], &["--call-seconds", "60"]].concat())
        .ended(0);
    assert!(
        text.stdout
            .contains("each of 3 times has exactly one record"),
        "{text:?}"
    );
    assert!(text.stdout.contains("in 9 calls of 1 min 0 s"), "{text:?}");
    assert!(
        text.stderr.contains("nothing of the root was changed"),
        "{text:?}"
    );
    // The lock is held by somebody else, who goes on.
    let daemon = sandbox.start(&[]);
    daemon.wait_for("run ended", 1);
    let asked = peer.request_count();
    assert_eq!(sandbox.json(&words)["rules"][0]["fires"], 3);
    assert_eq!(peer.request_count(), asked);
    let (status, _) = daemon.end_by(Signal::TERM);
    assert!(status.success());
}

#[test]
fn a_rehearsal_plays_what_the_root_has_retained() {
    let peer = worker();
    let sandbox = Sandbox::with(&peer);
    add_daily(&sandbox);
    let words = ["rehearse", "--days", "1", "--recorded", "--format", "json"];
    let nothing = sandbox.cli(&words).ended(1);
    assert_eq!(nothing.error()["code"], "CONVERSATION_NOT_KEPT");
    sandbox.configure(
        &peer.base_url(),
        &json!({"memory": {"retain_full_conversation_logs": true}}),
    );
    sandbox.cli(&["rules", "trigger", RULE_ID]).ended(0);
    let run = sandbox.json(&["run"]);
    assert_eq!(
        (&run["rule_id"], &run["state"]),
        (&json!(RULE_ID), &json!("Succeeded"))
    );
    let asked = peer.request_count();
    let told = sandbox.cli(&words).ended(0).json();
    let rule = &told["rules"][0];
    assert_eq!(
        (&told["script"], &told["made_up"]),
        (&json!("retained"), &json!(0))
    );
    assert_eq!(
        (&rule["fires"], &rule["writes"]["notes"]),
        (&json!(1), &json!(1))
    );
    // What the server counted then is what counts.
    let mut usage = run["usage"].clone();
    // Nobody counts what is only played.
    usage["estimated_calls"] = usage["calls"].clone();
    assert_eq!(rule["usage"], usage);
    assert_eq!(peer.request_count(), asked);
    // A conversation file is a script.
    let file = format!(
        "data/conversations/{}.jsonl",
        run["run_id"].as_str().unwrap_or_default()
    );
    let told = sandbox.json(&["rehearse", "--days", "1", "--recorded", &file]);
    assert_eq!(told["script"], json!(file));
}

#[test]
fn rules_that_are_wrong_and_days_that_are_too_many_are_refused() {
    let sandbox = Sandbox::quiet();
    sandbox.write("data/rules.json", "[{}]");
    let refused = sandbox.cli(&["rehearse", "--format", "json"]).ended(78);
    assert_eq!(refused.error()["code"], "RULES_INVALID");
    for days in ["0", "367", "many"] {
        sandbox.cli(&["rehearse", "--days", days]).ended(2);
    }
    sandbox.cli(&["rehearse", "--from", "tomorrow"]).ended(2);
}
