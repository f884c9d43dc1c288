//! The verbs of `rules`, as a person uses them.

use super::sandbox::{RULE_ID, Sandbox, started, until, worker};
use rustix::process::Signal;
use serde_json::{Value, json};

#[test]
fn rules_are_added_changed_and_removed_by_verbs() {
    let sandbox = Sandbox::quiet();
    let list = |sandbox: &Sandbox| {
        sandbox
            .cli(&["rules", "list", "--format", "json"])
            .ended(0)
            .json()
    };
    assert_eq!(list(&sandbox)["pagination"]["total"], 0);
    let new = json!({"rule_id": RULE_ID, "trigger": "automation_schedule.cron",
                     "condition_json": {"cron": "0 9 * * 1"}});
    let added = sandbox
        .cli(&["rules", "add", &new.to_string(), "--format", "json"])
        .ended(0)
        .json();
    assert_eq!(added["enabled"], true);
    assert_eq!(added["action_json"], json!({"kind": "kjxlkj_agent"}));
    let listed = list(&sandbox)["items"][0].clone();
    assert!(
        listed["next_slot"]
            .as_str()
            .unwrap()
            .ends_with("T09:00:00.000Z"),
        "{listed}"
    );
    assert_eq!(listed["created_at"], added["created_at"]);
    let status = sandbox.cli(&["status", "--format", "json"]).ended(0).json();
    let next = &status["next_slots"][0];
    assert_eq!(
        (&next["rule_id"], &next["at"]),
        (&json!(RULE_ID), &listed["next_slot"])
    );
    let off = sandbox
        .cli(&["rules", "disable", RULE_ID, "--format", "json"])
        .ended(0)
        .json();
    assert_eq!(
        (&off["enabled"], &off["created_at"]),
        (&json!(false), &added["created_at"])
    );
    assert!(off["updated_at"].as_str() >= added["updated_at"].as_str());
    assert_eq!(list(&sandbox)["items"][0]["next_slot"], Value::Null);
    sandbox.cli(&["rules", "trigger", RULE_ID]).ended(1);
    sandbox.cli(&["rules", "enable", RULE_ID]).ended(0);
    assert_eq!(
        sandbox
            .cli(&["rules", "show", RULE_ID, "--format", "json"])
            .ended(0)
            .json()["enabled"],
        true
    );
    sandbox.cli(&["rules", "remove", RULE_ID]).ended(0);
    assert_eq!(list(&sandbox)["pagination"]["total"], 0);
    for verb in ["show", "remove", "enable", "disable", "trigger"] {
        let done = sandbox
            .cli(&["rules", verb, RULE_ID, "--format", "json"])
            .ended(1);
        assert_eq!(done.error()["code"], "RULE_NOT_FOUND", "{verb}");
    }
}

#[test]
fn a_file_that_would_be_wrong_is_never_written() {
    let sandbox = Sandbox::quiet();
    sandbox
        .cli(&["rules", "add", &json!({"rule_id": RULE_ID}).to_string()])
        .ended(0);
    // The same id again, a rule that is none, and one that changes what it must not.
    let twice = sandbox
        .cli(&[
            "rules",
            "add",
            &json!({"rule_id": RULE_ID}).to_string(),
            "--format",
            "json",
        ])
        .ended(78);
    assert!(
        twice.error()["message"]
            .as_str()
            .unwrap()
            .contains("another rule has this id")
    );
    let before = sandbox.read("data/rules.json");
    for bad in [
        json!({"trigger": "fire"}),
        json!({"action_json": {"kind": "kjxlkj_agent", "journal": {"retention_days": 1}}}),
        json!({"action_json": {"kind": "kjxlkj_agent", "loop": {"max_stay": "many"}}}),
    ] {
        sandbox.cli(&["rules", "add", &bad.to_string()]).ended(78);
        assert_eq!(sandbox.read("data/rules.json"), before);
    }
}

#[test]
fn a_launch_by_hand_opens_one_run_for_one_event() {
    let peer = worker();
    let sandbox = Sandbox::with(&peer);
    sandbox
        .cli(&["rules", "add", &json!({"rule_id": RULE_ID}).to_string()])
        .ended(0);
    let launch = || {
        let words = [
            "rules",
            "trigger",
            RULE_ID,
            "--event-id",
            "e1",
            "--format",
            "json",
        ];
        sandbox.cli(&words).ended(0).json()
    };
    for wrong in ["", "a\nb", &"x".repeat(5000)] {
        let words = ["rules", "trigger", RULE_ID, "--event-id", wrong];
        sandbox.cli(&words).ended(2);
    }
    let first = launch();
    assert_eq!(
        (&first["duplicate"], &first["state"]),
        (&json!(false), &json!("Queued"))
    );
    assert_eq!(
        (&first["trigger"], &first["rule_id"]),
        (&json!("manual"), &json!(RULE_ID))
    );
    assert_eq!(launch()["run_id"], first["run_id"]);
    let run = sandbox.cli(&["run", "--format", "json"]).ended(0).json();
    assert_eq!(run["run_id"], first["run_id"]);
    let asked = peer.request_count();
    let again = launch();
    assert_eq!(
        (&again["duplicate"], &again["state"]),
        (&json!(true), &json!("Succeeded"))
    );
    assert_eq!(again["completed_at"], run["completed_at"]);
    assert_eq!(peer.request_count(), asked);
    let done = sandbox
        .cli(&["rules", "reconcile", "--format", "json"])
        .ended(0)
        .json();
    assert_eq!((&done["ok"], &done["slots"]), (&json!(true), &json!(0)));
}

#[test]
fn a_daemon_takes_rules_while_it_runs_and_keeps_the_last_good_ones() {
    let peer = worker();
    let sandbox = Sandbox::with(&peer);
    let daemon = sandbox.daemon();
    let each = json!({"rule_id": RULE_ID, "trigger": "automation_schedule.cron",
                      "condition_json": {"cron": "* * * * * *"}});
    sandbox.cli(&["rules", "add", &each.to_string()]).ended(0);
    let events = |count: usize| {
        let runs = sandbox
            .cli(&["runs", "list", "--format", "json"])
            .ended(0)
            .json();
        let runs = runs["items"].as_array().unwrap().iter();
        let mut events: Vec<String> = runs
            .filter(|run| run["trigger"] == "cron")
            .map(|run| run["triggering_event_id"].as_str().unwrap().to_owned())
            .collect();
        events.sort_unstable();
        let all = events.len();
        events.dedup();
        assert_eq!(events.len(), all);
        (all >= count).then_some(all)
    };
    until("two runs", || events(2));
    let good = sandbox.read("data/rules.json");
    sandbox.write("data/rules.json", "[{}]");
    daemon.signal(Signal::HUP);
    daemon.wait_for("nothing was reloaded", 1);
    sandbox.write("data/rules.json", &good);
    let before = until("a run", || events(0));
    until("the last good rules go on", || events(before + 2));
    let (status, _) = daemon.end_by(Signal::TERM);
    assert!(status.success());
    sandbox.write("data/rules.json", "[]");
    let found = sandbox
        .cli(&["rules", "reconcile", "--format", "json"])
        .ended(0)
        .json();
    assert_eq!(
        (&found["unexplained"], &found["doubled"]),
        (&json!(0), &json!(0)),
        "{found}"
    );
    assert!(found["ran"].as_u64().unwrap() >= 4, "{found}");
}

#[test]
fn a_run_is_cancelled_and_tried_again_under_the_same_id() {
    let peer = worker();
    let sandbox = Sandbox::with(&peer);
    let run = sandbox.json(&["ask", "Note the tea."])["run_id"].clone();
    let id = run.as_str().unwrap();
    sandbox.json(&["once"]);
    // The first start goes first; then the request begins.
    until("its turn", || {
        (sandbox.json(&["once"])["run_id"] == run).then_some(())
    });
    let code = |words: &[&str]| {
        let words = [words, &["--format", "json"]].concat();
        sandbox.cli(&words).ended(1).error()["code"].clone()
    };
    assert_eq!(code(&["runs", "retry", id]), "RUN_STATE_INVALID");
    let cancelled = sandbox.json(&["runs", "cancel", id]);
    assert_eq!(
        (&cancelled["state"], &cancelled["error_code"]),
        (&json!("Failed"), &json!("RUN_CANCELLED"))
    );
    let kv = sandbox.kv();
    assert_eq!(
        (&kv["state"], &kv["context"].get("user_request")),
        (&json!("idle"), &None)
    );
    assert_eq!(code(&["runs", "cancel", id]), "RUN_STATE_INVALID");
    let again = sandbox.json(&["runs", "retry", id]);
    assert_eq!(
        (&again["state"], &again["attempt"]),
        (&json!("Queued"), &json!(2))
    );
    let done = sandbox.json(&["run"]);
    assert_eq!(
        (&done["run_id"], &done["state"]),
        (&run, &json!("Succeeded"))
    );
    assert_eq!(done["attempt"], 2);
    assert!(done["loop_count"].as_u64() > cancelled["loop_count"].as_u64());
    let listed = sandbox.json(&["runs", "list"]);
    let same = listed["items"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|it| it["run_id"] == run);
    assert_eq!(same.count(), 1);
}

/// Rules about notes heed a person's verbs and imports as they heed runs.
#[test]
fn verbs_and_imports_set_off_the_rules_about_notes() {
    let sandbox = Sandbox::quiet();
    let config: Value = serde_json::from_str(&sandbox.read("data/config.json")).unwrap();
    let rule = |number: u32, trigger: &str, condition: Value| {
        json!({
            "rule_id": format!("{number:08}-0000-4000-8000-000000000000"),
            "workspace_id": config["scope"]["workspace_id"],
            "trigger": format!("workspace_event.{trigger}"), "condition_json": condition,
            "action_json": {"kind": "kjxlkj_agent"}, "enabled": true,
            "created_at": "2026-02-15T00:00:00Z", "updated_at": "2026-02-15T00:00:00Z",
        })
    };
    let rules = json!([
        rule(1, "note_created", json!({})),
        rule(2, "note_changed", json!({})),
        rule(3, "note_deleted", json!({})),
        rule(4, "note_created", json!({"cel": "event.actor == 'import'"})),
        rule(5, "note_deleted", json!({"cel": "event.actor == 'user'"})),
    ]);
    sandbox.write("data/rules.json", &rules.to_string());
    let counts = || {
        let runs = sandbox.json(&["runs", "list"]);
        let runs = runs["items"].as_array().unwrap().clone();
        assert!(runs.iter().all(|run| run["state"] == "Queued"));
        [1, 2, 3, 4, 5].map(|number| {
            let begins = |run: &&Value| {
                let id = run["rule_id"].as_str().unwrap();
                id.starts_with(&format!("{number:08}"))
            };
            runs.iter().filter(begins).count()
        })
    };
    sandbox
        .cli(&["notes", "add", "--title", "Tea", "green"])
        .ended(0);
    assert_eq!(counts(), [1, 1, 0, 0, 0]);
    sandbox
        .cli(&["notes", "edit", "Tea", "--value", "black"])
        .ended(0);
    assert_eq!(counts(), [1, 2, 0, 0, 0]);
    sandbox.write("Coffee.md", "strong\n");
    sandbox.cli(&["notes", "import", "Coffee.md"]).ended(0);
    assert_eq!(counts(), [2, 3, 0, 1, 0]);
    sandbox.cli(&["notes", "delete", "Tea"]).ended(0);
    assert_eq!(counts(), [2, 3, 1, 1, 1]);
}

#[test]
fn a_rule_of_another_root_is_told_to_open_nothing() {
    let sandbox = Sandbox::quiet();
    let new = json!({"rule_id": RULE_ID, "trigger": "automation_schedule.cron",
                     "workspace_id": "77777777-7777-4777-8777-777777777777",
                     "condition_json": {"cron": "0 9 * * 1"}});
    sandbox.cli(&["rules", "add", &new.to_string()]).ended(0);
    let checked = sandbox.json(&["config", "check"]);
    let problem = &checked["problems"][0];
    assert_eq!(problem["severity"], "warning", "{checked}");
    assert_eq!(problem["json_path"], "[0].workspace_id", "{checked}");
    let listed = sandbox.json(&["rules", "list"])["items"][0].clone();
    assert_eq!(listed["next_slot"], Value::Null);
    assert!(
        listed["hindrance"]
            .as_str()
            .unwrap()
            .contains("another workspace")
    );
    let status = sandbox.json(&["status"]);
    assert_eq!(status["next_slots"], json!([]));
    assert!(
        status["warnings"].to_string().contains("workspace_id"),
        "{status}"
    );
    let shown = sandbox.cli(&["rules", "list"]).ended(0);
    assert!(shown.stderr.contains("another workspace"), "{shown:?}");
    // One that waits for nothing is launched by hand, and one that is off waits for nothing.
    sandbox.cli(&["rules", "disable", RULE_ID]).ended(0);
    assert_eq!(sandbox.json(&["config", "check"])["problems"], json!([]));
}

#[test]
fn files_that_a_daemon_has_not_read_are_told_of() {
    let peer = worker();
    let sandbox = Sandbox::with(&peer);
    sandbox.give_work();
    let daemon = started(sandbox.command(&["daemon"]));
    daemon.wait_for("run ended", 1);
    let told = |arguments: &[&str]| {
        let done = sandbox.cli(arguments).ended(0);
        (done.stdout + &done.stderr).contains("SIGHUP has it read")
    };
    let verbs: [&[&str]; 3] = [&["rules", "list"], &["status"], &["config", "show"]];
    for verb in verbs {
        assert!(!told(verb), "{verb:?}");
    }
    let rule = json!({"rule_id": RULE_ID, "trigger": "manual", "condition_json": {}});
    sandbox.cli(&["rules", "add", &rule.to_string()]).ended(0);
    until("the daemon has read its own change", || {
        (!told(&["rules", "list"])).then_some(())
    });
    let rules = sandbox.read("data/rules.json");
    sandbox.write("data/rules.json", &format!("{rules}\n"));
    for verb in verbs {
        assert!(told(verb), "{verb:?}");
    }
    daemon.signal(Signal::HUP);
    daemon.wait_for("reloaded", 1);
    until("the daemon has read it", || {
        (!told(&["rules", "list"])).then_some(())
    });
    assert_eq!(daemon.end_by(Signal::TERM).0.code(), Some(0));
}

#[test]
fn a_reconciliation_takes_times_as_an_undo_does_and_no_empty_stretch() {
    let sandbox = Sandbox::quiet();
    let whole = sandbox.json(&["rules", "reconcile", "--from", "2h", "--to", "1m"]);
    assert_eq!((&whole["ok"], &whole["slots"]), (&json!(true), &json!(0)));
    assert!(whole["from"].as_str() < whole["to"].as_str());
    let done = sandbox.cli(&[
        "rules",
        "reconcile",
        "--from",
        "1m",
        "--to",
        "2h",
        "--format",
        "json",
    ]);
    assert_eq!(done.ended(2).error()["code"], "USAGE");
}

#[test]
fn a_prompt_file_that_a_rule_lacks_is_named_and_no_launch_takes_the_place_of_a_time() {
    let sandbox = Sandbox::quiet();
    let new = json!({"rule_id": RULE_ID, "action_json": {"kind": "kjxlkj_agent", "prompt_path": "./data/none.json"}});
    let done = sandbox.cli(&["rules", "add", &new.to_string(), "--format", "json"]);
    let message = done.ended(78).error()["message"].to_string();
    assert!(
        message.contains("data/none.json") && !message.contains("rules.json"),
        "{message}"
    );
    sandbox
        .cli(&["rules", "add", &json!({"rule_id": RULE_ID}).to_string()])
        .ended(0);
    let event = format!("cron:{RULE_ID}:2030-01-01T00:00:00.000Z");
    let done = sandbox.cli(&[
        "rules",
        "trigger",
        RULE_ID,
        "--event-id",
        &event,
        "--format",
        "json",
    ]);
    assert_eq!(done.ended(2).error()["code"], "USAGE");
}

#[test]
fn a_schedule_and_its_request_are_added_by_options() {
    let sandbox = Sandbox::quiet();
    let words = [
        "rules",
        "add",
        "--cron",
        "0 9 * * 1-5",
        "--ask",
        "Sum up the week.",
    ];
    let added = sandbox.json(&words);
    assert_eq!(added["enabled"], true);
    assert_eq!(added["trigger"], "automation_schedule.cron");
    assert_eq!(
        added["condition_json"],
        json!({"cron": "0 9 * * 1-5", "timezone": "UTC"})
    );
    assert_eq!(
        added["action_json"],
        json!({"kind": "kjxlkj_agent", "request": "Sum up the week."})
    );
    let first = added["next_slot"].as_str().unwrap();
    assert!(first.ends_with("T09:00:00.000Z"), "{added}");
    let listed = sandbox.json(&["rules", "list"])["items"][0].clone();
    assert_eq!(listed["next_slot"], added["next_slot"]);
    sandbox.cli(&["config", "check"]).ended(0);

    let words = [
        "rules",
        "add",
        "--cron",
        "30 8 * * *",
        "--timezone",
        "Asia/Tokyo",
        "--ask",
        "Tidy up.",
    ];
    let said = sandbox.cli(&words).ended(0);
    assert!(said.stderr.contains("it first runs at "), "{said:?}");
    assert!(
        said.stderr
            .contains("T23:30:00.000Z, read from the clock of Asia/Tokyo"),
        "{said:?}"
    );
    assert!(
        said.stderr
            .contains("only a `daemon` opens runs at these times"),
        "{said:?}"
    );
}

#[test]
fn options_of_a_new_rule_that_mean_nothing_are_refused() {
    let sandbox = Sandbox::quiet();
    for (words, exit, wanted) in [
        (
            &["--cron", "61 9 * * *", "--ask", "x"][..],
            78,
            "is no schedule",
        ),
        (
            &["--cron", "0 9 * * *", "--timezone", "Mars"],
            78,
            "time zone",
        ),
        (&["--cron", "0 9 * * *", "--ask", " "], 78, "not blank"),
        (
            &["--cron", "0 9 * * *", "--on", "manual"],
            2,
            "cannot be used",
        ),
        (&["--ask", "x"], 2, "required"),
        (&["{}", "--ask", "x"], 2, "cannot be used"),
    ] {
        let before = sandbox.read("data/rules.json");
        let done = sandbox
            .cli(&[&["rules", "add"], words].concat())
            .ended(exit);
        assert!(done.stderr.contains(wanted), "{done:?}");
        assert_eq!(sandbox.read("data/rules.json"), before);
    }
}

#[test]
fn a_rule_of_notes_is_added_by_options_and_its_run_has_a_request() {
    let peer = worker();
    let sandbox = Sandbox::with(&peer);
    for (event, trigger) in [
        ("note_created", "workspace_event.note_created"),
        ("note_changed", "workspace_event.note_changed"),
        ("note_deleted", "workspace_event.note_deleted"),
        ("manual", "manual"),
    ] {
        let added = sandbox.json(&["rules", "add", "--on", event, "--ask", "Buy tea."]);
        assert_eq!(added["trigger"], trigger);
        let id = added["rule_id"].as_str().unwrap().to_owned();
        if event != "manual" {
            sandbox.cli(&["rules", "remove", &id]).ended(0);
            continue;
        }
        sandbox.cli(&["rules", "trigger", &id]).ended(0);
        let run = sandbox.cli(&["run", "--format", "json"]).ended(0).json();
        assert_eq!(
            (&run["rule_id"], &run["state"]),
            (&json!(id), &json!("Succeeded"))
        );
        let shown = sandbox.json(&["runs", "show", run["run_id"].as_str().unwrap()]);
        assert_eq!(shown["request"], "Buy tea.");
    }
}
