//! `doctor --prove`: every guard fires, whatever the person has configured, and nothing of the person's is
//! touched. That each guard is really missed is shown by `campaign -- prove`, with the changes checked here.

#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test may stop at once, and it looks at files itself"
)]

use super::sandbox::{Done, Sandbox, finished, names, worker};
use crate::mutants::{MUTANTS, mutated};
use crate::peer::NOBODY;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::Path;

/// A proof with a folder of its own for what is temporary; gives also what is left there.
fn prove(sandbox: &Sandbox, arguments: &[&str]) -> (Done, Vec<String>) {
    let temporary = tempfile::tempdir().unwrap();
    let mut command = sandbox.command(&[&["doctor", "--prove"], arguments].concat());
    command.env("TMPDIR", temporary.path());
    (finished(command), names(temporary.path()))
}

fn red(report: &Value) -> Vec<String> {
    let lines = report["lines"].as_array().unwrap().iter();
    let red = lines.filter(|line| line["fired"] != true);
    red.map(Value::to_string).collect()
}

#[test]
fn every_guard_fires_and_nothing_of_the_persons_is_touched() {
    let peer = worker();
    let sandbox = Sandbox::with(&peer);
    sandbox
        .cli(&["notes", "add", "--title", "Mine", "my text"])
        .ended(0);
    let before = sandbox.snapshot();
    let (done, left) = prove(&sandbox, &["--format", "json"]);
    let report = done.json();
    assert_eq!(red(&report), [""; 0], "{}", done.stderr);
    done.ended(0);
    assert!(peer.requests().is_empty(), "a model server was asked");
    assert_eq!(left, [""; 0], "the scratch folder stays");
    assert!(before == sandbox.snapshot(), "the root was changed");

    let lines = report["lines"].as_array().unwrap();
    assert_eq!(report["guards"], lines.len());
    for line in lines {
        // Each shows its entry in the audit, or says why there is none.
        assert_ne!(
            line["audit"].is_null(),
            line["unaudited"].is_null(),
            "{line}"
        );
    }
    assert_eq!(report["fired"], lines.len());
    let line = |guard: &str| lines.iter().find(|line| line["guard"] == guard).unwrap();
    let kind = line("scope.kind");
    assert_eq!(kind["code"], "SCOPE_VIOLATION");
    assert_eq!(kind["audit"]["op"], "record_add");
    assert_eq!(kind["audit"]["target"], "Proof of kinds");
    assert_eq!(kind["audit"]["outcome"], "rejected");
    assert_eq!(kind["audit"]["code"], "SCOPE_VIOLATION");
    assert!(kind["audit"]["seq"].as_u64().unwrap() > 0);
    assert_eq!(kind["before"], kind["after"]);
    assert_eq!(kind["before"].as_str().unwrap().len(), 64);
    // Of a limit the first ones stand.
    let counted = line("scope.notes_per_loop");
    assert_ne!(counted["before"], counted["after"]);
}

#[test]
fn every_guard_fires_behind_a_narrow_fence_beside_a_daemon_and_tells_it_in_lines() {
    let sandbox = Sandbox::quiet();
    let narrow = json!({
        "scope": {"allowed_note_kinds": ["diary"], "max_notes_per_loop": 1, "max_edits_per_loop": 1},
        "memory": {"working_memory_character_max": 600},
        "notes": {"refuse_near_duplicates": true},
        "parser": {"strict": true},
        "budget": {"calls_per_day": 1},
    });
    sandbox.configure(NOBODY[0], &narrow);
    let path = "data/config.json";
    let mut config: Value = serde_json::from_str(&sandbox.read(path)).unwrap();
    config["mode"] = json!("reviewed");
    sandbox.write(path, &config.to_string());
    let daemon = sandbox.start(&["daemon"]);
    daemon.wait_for("started", 1);
    let (done, _) = prove(&sandbox, &[]);
    assert_eq!(done.code, Some(0), "{}", done.stdout);
    let lines: Vec<&str> = done.stdout.lines().collect();
    let (last, guards) = lines.split_last().unwrap();
    assert!(guards.iter().all(|line| line.starts_with("fired  ")));
    assert_eq!(
        *last,
        format!("{0} guards tried, {0} fired, 0 did not", guards.len())
    );
    let has = |words: &[&str]| {
        guards
            .iter()
            .any(|line| words.iter().all(|it| line.contains(it)))
    };
    assert!(has(&["DATA_LOCKED", "a second writer"]));
    assert!(has(&["CROSS_WORKSPACE_REJECTED", "audit "]));
}

#[test]
fn a_proof_needs_a_configuration_that_can_be_read() {
    let sandbox = Sandbox::quiet();
    sandbox.write("data/config.json", "{");
    let (done, left) = prove(&sandbox, &["--format", "json"]);
    assert_eq!(done.ended(78).error()["code"], "CONFIG_JSON_INVALID");
    assert_eq!(left, [""; 0]);
}

/// Each guard of the report has a change of the sources that takes it away, each such change is one of a
/// guard, and fits.
#[test]
fn each_guard_can_be_taken_away_from_a_copy_of_the_sources() {
    let (done, _) = prove(&Sandbox::quiet(), &["--format", "json"]);
    let report = done.json();
    let lines = report["lines"].as_array().unwrap().iter();
    let guards: BTreeSet<&str> = lines.map(|line| line["guard"].as_str().unwrap()).collect();
    assert_eq!(report["guards"], guards.len(), "a name stands twice");
    let changed: BTreeSet<&str> = MUTANTS.iter().map(|mutant| mutant.guard).collect();
    assert_eq!(guards, changed);
    let top = Path::new(env!("CARGO_MANIFEST_DIR"));
    for file in MUTANTS
        .iter()
        .map(|mutant| mutant.file)
        .collect::<BTreeSet<_>>()
    {
        let text = std::fs::read_to_string(top.join(file)).unwrap();
        let changed = mutated(file, &text).unwrap();
        assert_ne!(changed, text, "{file}");
        mutated(file, "").unwrap_err();
    }
}
