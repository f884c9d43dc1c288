//! What was written: diffs between versions of a note, and the values in a trace.

use super::sandbox::{Sandbox, worker};
use serde_json::json;

#[test]
fn the_versions_of_a_note_are_compared() {
    let sandbox = Sandbox::quiet();
    let add = ["notes", "add", "Milk\nTea\nBread", "--title", "Shop"];
    sandbox.cli(&add).ended(0);
    let edit = |value: &str| {
        let words = ["notes", "edit", "Shop", "--value", value];
        sandbox.cli(&words).ended(0);
    };
    edit("Milk\nCoffee\nBread");
    edit("Milk\nCoffee\nBread\nJam");
    let diff = |versions: &[&str]| {
        let words = [&["notes", "diff", "Shop"], versions].concat();
        sandbox.cli(&words).ended(0).stdout
    };
    let last = diff(&[]);
    assert!(
        last.starts_with("--- version 2\n+++ version 3\n@@"),
        "{last}"
    );
    assert!(last.ends_with(" Milk\n Coffee\n Bread\n+Jam\n"), "{last}");
    let all = diff(&["1"]);
    assert!(all.contains("-Tea\n+Coffee\n Bread\n+Jam\n"), "{all}");
    let first = diff(&["1", "2"]);
    assert!(first.contains("-Tea\n+Coffee\n"), "{first}");
    assert!(!first.contains("Jam"), "{first}");
    assert_eq!(diff(&["2", "2"]), "nothing differs\n");
    let told = sandbox.json(&["notes", "diff", "Shop", "1", "2"]);
    assert_eq!((&told["from"], &told["to"]), (&json!(1), &json!(2)));
    sandbox.cli(&["notes", "diff", "Shop", "9"]).ended(1);
    let why = sandbox.cli(&["why", "Shop"]).ended(0).stdout;
    assert!(why.contains("    -Tea\n    +Coffee\n"), "{why}");
    assert!(why.contains("    +Jam\n"), "{why}");
}

#[test]
fn a_trace_shows_the_values_that_were_written() {
    let peer = worker();
    let sandbox = Sandbox::with(&peer);
    let run = sandbox.json(&["run", "--task", "Remember tea"]);
    let run_id = run["run_id"].as_str().unwrap_or_default();
    let trace = sandbox.cli(&["trace", run_id]).ended(0).stdout;
    assert!(trace.contains(" steps = [\"write the note\"]"), "{trace}");
    assert!(trace.contains("+Buy tea "), "{trace}");
    let trace = sandbox.json(&["trace", run_id]);
    let steps = trace["steps"].as_array().map(Vec::as_slice);
    let effects = steps.unwrap_or_default().iter();
    let diffs = effects
        .filter_map(|step| step["effects"].as_array())
        .flatten();
    assert_eq!(diffs.filter(|effect| effect["diff"].is_string()).count(), 1);
}
