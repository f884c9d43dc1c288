//! What a person types: texts that begin with a hyphen, and a look at the help.

use super::sandbox::Sandbox;
use serde_json::json;

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
    sandbox.cli(&["ask", "- buy milk"]).ended(0);
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

#[test]
fn help_has_examples() {
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
    let page = sandbox.cli(&["man"]).ended(0).stdout;
    assert!(
        page.contains("Spare key"),
        "the manual has the examples, too"
    );
}
