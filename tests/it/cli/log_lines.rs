//! What a daemon's log names: notes by their titles, and a launched server's lines only for those who look
//! closely.

#![expect(
    clippy::disallowed_methods,
    reason = "a test removes files as a person would"
)]

use super::sandbox::{Sandbox, worker};
use crate::peer::NOBODY;
use rustix::process::Signal;
use serde_json::json;

/// The first line with these words.
#[track_caller]
fn line_with(said: &str, words: &str) -> String {
    let line = said.lines().find(|line| line.contains(words));
    line.unwrap_or_else(|| unreachable!("{words} in {said}"))
        .to_owned()
}

#[test]
fn the_log_names_notes_by_their_titles() {
    let peer = worker();
    let sandbox = Sandbox::with(&peer);
    let daemon = sandbox.resting();
    let note = sandbox.json(&["notes", "add", "hello", "--title", "Green tea"]);
    let id = note["id"].as_str().unwrap_or_default();
    let file = format!("data/notes/{id}.json");
    std::fs::remove_file(sandbox.path(&file)).unwrap();
    daemon.wait_for("was missing", 1);
    sandbox.write(&file, "{\"title\": ");
    daemon.wait_for("could not be taken in", 1);
    sandbox
        .cli(&["notes", "edit", id, "--title", "Black tea"])
        .ended(0);
    sandbox.cli(&["notes", "delete", id]).ended(0);
    sandbox.write(
        "data/notes/stranger.json",
        "{\"title\": \"A stranger\", \"value\": \"hello\"}",
    );
    daemon.wait_for("became the note", 1);
    let (_, said) = daemon.end_by(Signal::TERM);
    for (words, title) in [
        ("note created", "Tea 1"),
        ("note updated", "Black tea"),
        ("note deleted", "Black tea"),
        ("became the note", "A stranger"),
        ("was missing", "Green tea"),
        ("could not be taken in", "Green tea"),
    ] {
        assert!(line_with(&said, words).contains(title), "{said}");
    }
}

#[test]
fn the_lines_of_a_launched_server_are_told_at_level_debug() {
    let sandbox = Sandbox::quiet();
    let launch = json!({"command": ["sh", "-c", "echo loading; echo half; exit 1"]});
    sandbox.configure(NOBODY[0], &json!({"provider": {"launch": launch}}));
    for (words, told) in [(&["daemon"][..], false), (&["daemon", "-v"], true)] {
        let daemon = sandbox.start(words);
        daemon.wait_for("ended before it was ready", 1);
        let (_, said) = daemon.end_by(Signal::TERM);
        line_with(&said, "starting the model server");
        let is_told = said.lines().any(|line| line.contains("line=\"loading\""));
        assert_eq!(is_told, told, "{said}");
        if told {
            assert!(line_with(&said, "loading").contains("DEBUG"), "{said}");
        }
    }
}
