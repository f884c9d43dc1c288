//! What a person types: texts that begin with a hyphen, verbs that are given somewhere below the root, and
//! a look at the help.

#![expect(
    clippy::disallowed_methods,
    reason = "a test handles files and folders as a person would"
)]

use super::sandbox::{Done, Sandbox, finished};
use serde_json::{Value, json};
use std::path::Path;

#[test]
fn texts_may_begin_with_a_hyphen() {
    let sandbox = Sandbox::quiet();
    let note = sandbox.json(&["notes", "add", "- milk", "--title", "- Shopping"]);
    assert_eq!(
        (&note["value"], &note["title"]),
        (&json!("- milk"), &json!("- Shopping"))
    );
    let note = sandbox.json(&["notes", "edit", "- Shopping", "--value", "- tea"]);
    assert_eq!(note["value"], "- tea");
    assert_eq!(
        sandbox.json(&["notes", "show", "- shopping"])["value"],
        "- tea"
    );
    sandbox.cli(&["ram", "set", "mood", "-5 of 10"]).ended(0);
    assert_eq!(sandbox.json(&["ram", "get", "mood"])["value"], "-5 of 10");
    sandbox.cli(&["ask", "--", "- buy milk"]).ended(0);
    assert_eq!(
        sandbox.json(&["notes", "search", "-tea"])["pagination"]["total"],
        1
    );
    // A slip is no text.
    for words in [
        &["notes", "add", "--titel"][..],
        &["notes", "add", "text", "--title", "--keywords"],
        &["ask", "--dry-run"],
        &["ask", "-n"],
    ] {
        let done = sandbox.cli(words).ended(2);
        assert!(done.stderr.contains("error[USAGE]"), "{done:?}");
        assert!(done.stderr.contains(words.last().unwrap()), "{done:?}");
    }
    let words = ["--format", "json", "notes", "add", "--", "--titel"];
    assert_eq!(sandbox.cli(&words).ended(0).json()["value"], "--titel");
}

/// A command in a folder below the root, without the option that names it.
fn below(sandbox: &Sandbox, folder: &Path, words: &[&str]) -> Done {
    let mut command = sandbox.command(words);
    command.current_dir(folder);
    finished(command)
}

#[test]
fn a_root_is_looked_for_upwards_from_the_working_folder() {
    let sandbox = Sandbox::quiet();
    sandbox
        .cli(&["notes", "add", "green", "--title", "Tea"])
        .ended(0);
    let deep = sandbox.path("papers/2026");
    std::fs::create_dir_all(&deep).unwrap();
    for folder in [&deep, &sandbox.path("data/notes")] {
        let list = below(&sandbox, folder, &["notes", "list", "--format", "json"]).ended(0);
        assert_eq!(list.json()["items"][0]["title"], "Tea");
    }
    let root = sandbox.root().canonicalize().unwrap();
    let status = below(&sandbox, &deep, &["status", "--format", "json"])
        .ended(0)
        .json();
    assert_eq!(status["root"].as_str(), root.to_str());
    // What names a root goes first, and a root within another is itself.
    let done = below(&sandbox, &deep, &["--root", ".", "status"]).ended(78);
    assert!(done.stderr.contains("CONFIG_JSON_INVALID"), "{done:?}");
    let made = below(&sandbox, &deep, &["init", "--format", "json"])
        .ended(0)
        .json();
    assert_eq!(made["root"].as_str(), deep.canonicalize().unwrap().to_str());
    let list = below(&sandbox, &deep, &["notes", "list", "--format", "json"])
        .ended(0)
        .json();
    assert_eq!(list["items"], Value::Array(Vec::new()));
    // One that lost its configuration is not taken for a part of the one above it.
    below(&sandbox, &deep, &["ram", "set", "mood", "calm"]).ended(0);
    std::fs::remove_file(deep.join("data/config.json")).unwrap();
    let done = below(&sandbox, &deep, &["notes", "list"]).ended(0);
    assert!(
        done.stderr
            .contains("data/config.json: the file does not exist"),
        "{done:?}"
    );
}

#[test]
fn a_root_above_that_is_somebody_elses_is_passed_over() {
    let sandbox = Sandbox::quiet();
    let deep = sandbox.path("below");
    std::fs::create_dir(&deep).unwrap();
    below(&sandbox, &deep, &["config", "check"]).ended(0);
    // Only an administrator can give a folder away.
    if !rustix::process::geteuid().is_root() {
        return;
    }
    for given_away in ["data/config.json", "data"] {
        let path = sandbox.path(given_away);
        std::os::unix::fs::chown(&path, Some(1), None).unwrap();
        let done = below(&sandbox, &deep, &["config", "check"]).ended(78);
        let here = deep.canonicalize().unwrap();
        assert!(done.stdout.contains(here.to_str().unwrap()), "{done:?}");
        std::os::unix::fs::chown(&path, Some(0), None).unwrap();
    }
}

#[test]
fn help_has_examples_and_says_where_the_root_is_looked_for() {
    let sandbox = Sandbox::empty();
    for words in [
        &["--help"][..],
        &["notes", "--help"],
        &["notes", "add", "-h"],
        &["help", "ask"],
    ] {
        let text = sandbox.cli(words).ended(0).stdout;
        assert!(
            text.contains("Example") && text.contains("\n  kjxlkj-agent "),
            "{text}"
        );
    }
    let text = sandbox.cli(&["--help"]).ended(0).stdout;
    let text = text.split_whitespace().collect::<Vec<&str>>().join(" ");
    assert!(
        text.contains("upwards that holds `data/config.json`"),
        "{text}"
    );
    let page = sandbox.cli(&["man"]).ended(0).stdout;
    assert!(
        page.contains("Spare key"),
        "the manual has the examples, too"
    );
}
