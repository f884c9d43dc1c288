//! Notes that are not where they were looked for: those with most of the words, those that were deleted,
//! and those of the same title.

use super::sandbox::{Sandbox, worker};
use serde_json::{Value, json};

fn add(sandbox: &Sandbox, title: &str, value: &str) -> String {
    let note = sandbox.json(&["notes", "add", value, "--title", title]);
    note["id"].as_str().unwrap_or_default().to_owned()
}

/// The beginning of an id that another one does not have.
fn apart<'i>(id: &'i str, other: &str) -> &'i str {
    let pairs = id.bytes().zip(other.bytes());
    let shared = pairs.take_while(|(one, other)| one == other).count();
    &id[..=shared.max(7)]
}

fn titles(list: &Value) -> Vec<&str> {
    let items = list["items"].as_array().into_iter().flatten();
    items.filter_map(|item| item["title"].as_str()).collect()
}

#[test]
fn a_search_falls_back_to_most_of_the_words_and_says_so() {
    let sandbox = Sandbox::quiet();
    add(&sandbox, "Harbour", "the boat lies there");
    add(&sandbox, "Anna", "she has the key of the boat");
    add(&sandbox, "Kitchen", "the key of the cupboard");
    // All words: nothing has changed.
    let all = sandbox.json(&["notes", "search", "boat key"]);
    assert_eq!(
        (titles(&all), &all["partial"]),
        (vec!["Anna"], &Value::Null)
    );
    // No note has all three; one has two of them, and the others one.
    let some = sandbox.json(&["notes", "search", "boat key submarine"]);
    assert_eq!(titles(&some), ["Anna"]);
    assert_eq!(some["partial"], json!({"words_found": 2, "words": 3}));
    assert_eq!(some["pagination"]["total"], 1);
    let text = sandbox
        .cli(&["notes", "search", "boat key submarine"])
        .ended(0)
        .stdout;
    let mut lines = text.lines();
    assert_eq!(
        lines.next(),
        Some("no note has all 3 words; these have 2 of them:")
    );
    assert!(
        lines.next().is_some_and(|line| line.starts_with("TITLE")),
        "{text}"
    );
    // A phrase counts as one word; title goes before text.
    let some = sandbox.json(&["notes", "search", "submarine harbour"]);
    assert_eq!(titles(&some), ["Harbour"]);
    let some = sandbox.json(&["notes", "search", "submarine \"key of\""]);
    assert_eq!(titles(&some).len(), 2, "{some}");
    // Not a single word of it.
    for nothing in ["submarine", "submarine torpedo"] {
        let none = sandbox.json(&["notes", "search", nothing]);
        assert_eq!(
            (titles(&none), &none["partial"]),
            (Vec::new(), &Value::Null)
        );
        assert_eq!(
            sandbox.cli(&["notes", "search", nothing]).ended(0).stdout,
            "nothing found\n"
        );
    }
}

#[test]
fn deleting_says_how_to_undo_and_deleted_notes_are_listed() {
    let sandbox = Sandbox::quiet();
    let id = add(&sandbox, "Spare key", "Anna has it");
    let tea = add(&sandbox, "Tea", "green");
    let short = apart(&id, &tea);
    assert_eq!(
        sandbox.cli(&["notes", "list", "--deleted"]).ended(0).stdout,
        "nothing found\n"
    );
    let text = sandbox
        .cli(&["notes", "delete", "spare KEY"])
        .ended(0)
        .stdout;
    let undo = text.lines().find_map(|line| line.strip_prefix("undo: "));
    assert_eq!(
        undo,
        Some(format!("kjxlkj-agent notes restore {id}").as_str()),
        "{text}"
    );
    let list = sandbox.json(&["notes", "list", "--deleted"]);
    assert_eq!(titles(&list), ["Spare key"]);
    let item = &list["items"][0];
    assert!(item["deleted_at"].is_string(), "{item}");
    assert_eq!(item["undo"].as_str(), undo);
    let text = sandbox.cli(&["notes", "list", "--deleted"]).ended(0).stdout;
    assert!(
        text.starts_with("brought back by: kjxlkj-agent notes restore ID\nTITLE"),
        "{text}"
    );
    assert!(
        text.contains("Spare key  just now") && text.contains(short),
        "{text}"
    );
    assert_eq!(titles(&sandbox.json(&["notes", "list"])), ["Tea"]);
    // What is printed does it, word by word; so does the title in any case, and the beginning of the id.
    let words = undo.unwrap_or_default().split(' ').skip(1);
    let words: Vec<&str> = words.collect();
    for words in [
        &words[..],
        &["notes", "restore", "SPARE key"],
        &["notes", "restore", short],
    ] {
        let note = sandbox.json(words);
        assert_eq!(
            (&note["id"], &note["value"]),
            (&json!(id), &json!("Anna has it"))
        );
        assert_eq!(
            titles(&sandbox.json(&["notes", "list", "--deleted"])),
            [""; 0]
        );
        sandbox.cli(&["notes", "delete", &id]).ended(0);
    }
    // What two ids begin with is refused, also where only one of the notes is there.
    let shared = &id[..short.len() - 1];
    let done = sandbox.cli(&["notes", "restore", &shared[..6]]).ended(1);
    assert!(done.stderr.contains("RECORD_KEY_AMBIGUOUS"), "{done:?}");
    let why = sandbox.json(&["why", "spare key"]);
    assert_eq!(why["note_id"], json!(id));
    // From another folder the root is named as it was.
    let root = sandbox.root();
    let other = add(&sandbox, "Boat", "red");
    let mut command = sandbox.command(&["--root", root.to_str().unwrap_or_default()]);
    command.args(["notes", "delete", "Boat"]).current_dir("/");
    let text = super::sandbox::finished(command).ended(0).stdout;
    let line = format!(
        "undo: kjxlkj-agent --root '{}' notes restore {other}",
        root.display()
    );
    assert!(text.contains(&line), "{text}");
}

#[test]
fn what_a_daemon_deletes_for_a_person_is_undone_the_same_way() {
    let peer = worker();
    let sandbox = Sandbox::with(&peer);
    let daemon = sandbox.daemon();
    let id = add(&sandbox, "Tea", "green");
    let text = sandbox.cli(&["notes", "delete", "tea"]).ended(0).stdout;
    assert!(
        text.contains(&format!("undo: kjxlkj-agent notes restore {id}")),
        "{text}"
    );
    let note = sandbox.json(&["notes", "restore", &id[..20]]);
    assert_eq!(note["title"], "Tea");
    drop(daemon);
}

#[test]
fn a_note_of_the_same_title_is_added_with_a_hint() {
    let sandbox = Sandbox::quiet();
    let id = add(&sandbox, "Spare key", "Anna has it");
    for title in ["Spare key", "SPARE KEY"] {
        let done = sandbox
            .cli(&["notes", "add", "other words", "--title", title])
            .ended(0);
        let hint = "a note of the same title is there already: Spare key (";
        assert!(
            done.stderr.contains(hint) && done.stderr.contains(&id),
            "{done:?}"
        );
    }
    let done = sandbox
        .cli(&["notes", "add", "nothing alike", "--title", "Boat"])
        .ended(0);
    assert!(!done.stderr.contains("hint"), "{done:?}");
    assert_eq!(sandbox.json(&["notes", "list"])["pagination"]["total"], 4);
}
