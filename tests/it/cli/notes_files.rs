//! Notes that leave a root and come into one: export, import, and what is brought back from the past.

#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test may stop at once, and it handles files as a person would"
)]

use super::sandbox::{Sandbox, names};
use crate::peer::{Peer, Step};
use serde_json::{Value, json};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

/// Adds a note and gives it.
pub(super) fn add(sandbox: &Sandbox, title: &str, value: &str) -> Value {
    let words = ["notes", "add", "-", "--title", title, "--format", "json"];
    sandbox
        .cli_reading(&words, value.as_bytes())
        .ended(0)
        .json()
}

fn show(sandbox: &Sandbox, id: &Value) -> Value {
    sandbox.json(&["notes", "show", id.as_str().unwrap()])
}

/// The numbers of a report: created, updated, unchanged, conflicts, failed.
fn numbers(report: &Value) -> [u64; 5] {
    ["created", "updated", "unchanged", "conflicts", "failed"]
        .map(|name| report[name].as_u64().unwrap())
}

/// Imports, and gives the report and the exit code.
fn import(sandbox: &Sandbox, arguments: &[&str]) -> (Value, i32) {
    let words = [&["notes", "import", "--format", "json"], arguments].concat();
    let done = sandbox.cli(&words);
    (done.json(), done.code.unwrap())
}

fn head(sandbox: &Sandbox) -> Value {
    sandbox.json(&["audit", "head"])["seq"].clone()
}

fn write(path: &Path, bytes: &[u8]) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, bytes).unwrap();
}

#[test]
fn an_empty_root_gets_back_what_another_exported() {
    let source = Sandbox::quiet();
    let tea = add(&source, "Tea: \"green\"", "---\nBuy tea.\r\n");
    add(&source, "tea: \"GREEN\"", "no newline at its end");
    add(
        &source,
        "../../\u{4e2d}\u{6587} \u{1f375}",
        "[[Tea]] and\n```\n# code\n```\n\n",
    );
    let words = [
        "notes",
        "edit",
        "Tea: \"green\"",
        "--keywords",
        "a b,true,#x",
    ];
    source.json(&words);
    source.json(&["notes", "edit", "Tea: \"green\"", "--kind", "template"]);
    let listed = source.json(&["notes", "list"])["items"].clone();
    for (to, json) in [("out", false), ("notes.jsonl", true)] {
        let place = source.path(to);
        let place = place.to_str().unwrap();
        let mut words = vec!["notes", "export", "--to", place];
        words.extend(json.then_some("--json"));
        assert_eq!(source.json(&words)["exported"], 3);
        let empty = Sandbox::quiet();
        let (report, code) = import(&empty, &[place]);
        assert_eq!((numbers(&report), code), ([3, 0, 0, 0, 0], 0), "{report}");
        assert_eq!(empty.json(&["notes", "list"])["items"], listed);
        for item in listed.as_array().unwrap() {
            let (mut there, here) = (show(&source, &item["id"]), show(&empty, &item["id"]));
            // Who wrote it, in which run and workspace, is the other root's own history.
            there["workspace_id"] = here["workspace_id"].clone();
            there["created_by"] = json!({"actor_type": "import", "run_id": null});
            assert_eq!(here, there);
        }
        // Once more changes nothing, not even the journal.
        let before = head(&empty);
        let (report, code) = import(&empty, &[place]);
        assert_eq!((numbers(&report), code), ([0, 0, 3, 0, 0], 0), "{report}");
        assert_eq!(head(&empty), before);
        empty.json(&["audit", "verify"]);
    }
    assert_eq!(show(&source, &tea["id"])["version"], 3);
    let private = std::fs::metadata(source.path("out")).unwrap();
    assert_eq!(
        std::os::unix::fs::MetadataExt::mode(&private) & 0o777,
        0o700
    );
}

#[test]
fn an_export_never_replaces_a_file_unasked() {
    let sandbox = Sandbox::quiet();
    add(&sandbox, "Tea", "old");
    let out = sandbox.path("out");
    let to = out.to_str().unwrap();
    write(&out.join("Tea.md"), b"mine");
    sandbox
        .cli(&["notes", "add", "x", "--title", "Aa"])
        .ended(0);
    let refused = sandbox.cli(&["notes", "export", "--to", to, "--format", "json"]);
    assert_eq!(refused.ended(1).error()["code"], "FILE_EXISTS");
    assert_eq!(names(&out), ["Tea.md"], "nothing was written");
    assert_eq!(std::fs::read(out.join("Tea.md")).unwrap(), b"mine");
    sandbox
        .cli(&["notes", "export", "--to", to, "--force"])
        .ended(0);
    assert_eq!(names(&out), ["Aa.md", "Tea.md"]);
    let text = std::fs::read_to_string(out.join("Tea.md")).unwrap();
    assert!(text.ends_with("---\nold\n"), "{text}");
    // One note may go to a file or to standard output.
    let one = sandbox.path("one.md");
    let words = ["notes", "export", "Tea", "--to", one.to_str().unwrap()];
    sandbox.cli(&words).ended(0);
    assert_eq!(
        sandbox.cli(&["notes", "export", "Tea"]).ended(0).stdout,
        text
    );
    assert_eq!(std::fs::read_to_string(&one).unwrap(), text);
    sandbox.cli(&words).ended(1);
    let lines = sandbox
        .cli(&["notes", "export", "--json", "--to", "-"])
        .ended(0)
        .stdout;
    assert_eq!(lines.lines().count(), 2);
    for (words, code) in [
        (vec!["notes", "export"], 2),
        (vec!["notes", "export", "--to", "data/notes"], 2),
        (vec!["notes", "export", "--to", "data/new/deep"], 2),
        (vec!["notes", "export", "--to", "absent/../data/notes"], 2),
        (
            vec!["notes", "export", "--json", "--to", "data/all.jsonl"],
            2,
        ),
        (vec!["notes", "export", "--json", "--to", "out"], 2),
        (vec!["notes", "export", "nobody"], 1),
    ] {
        sandbox.cli(&words).ended(code);
    }
    let link = sandbox.path("link");
    std::os::unix::fs::symlink(sandbox.path("data"), &link).unwrap();
    sandbox.cli(&["notes", "export", "--to", "link/x"]).ended(2);
    assert!(!sandbox.path("data/new").exists() && !sandbox.path("data/x").exists());
}

#[test]
fn every_bad_file_is_told_with_its_place_and_the_rest_is_imported() {
    let sandbox = Sandbox::quiet();
    let vault = sandbox.path("vault");
    write(
        &vault.join("good.md"),
        b"# Good\n\ntext with [[Other note]]\n",
    );
    write(&vault.join("sub/also good.markdown"), b"plain");
    write(&vault.join("head.md"), b"---\ntitle: T\ntitle: U\n---\n");
    write(&vault.join("binary.md"), b"line\n\xff\xfe\n");
    write(&vault.join("nul.md"), b"a\0b");
    write(&vault.join("large.md"), &vec![b'x'; 300 * 1024]);
    write(&vault.join("huge.md"), &vec![b'x'; 2 * 1024 * 1024]);
    let tags: Vec<String> = (0..65).map(|number| format!("k{number}")).collect();
    let many_tags = format!("---\ntags: [{}]\n---\nx\n", tags.join(", "));
    write(&vault.join("keys.md"), many_tags.as_bytes());
    write(&vault.join(OsStr::from_bytes(b"odd\xff.md")), b"text");
    write(&vault.join(".obsidian/skip.md"), b"hidden");
    write(&vault.join("picture.png"), b"\x89PNG");
    write(&sandbox.path("secret.md"), b"secret");
    std::os::unix::fs::symlink(sandbox.path("secret.md"), vault.join("link.md")).unwrap();
    std::os::unix::fs::symlink("/", vault.join("root")).unwrap();
    let (dry, code) = import(&sandbox, &["vault", "--dry-run"]);
    let (report, real_code) = import(&sandbox, &["vault"]);
    assert_eq!((code, real_code), (1, 1));
    assert_eq!(
        dry["items"], report["items"],
        "a rehearsal says what happens"
    );
    assert_eq!(numbers(&report)[..4], [2, 0, 0, 0], "{report:#}");
    let told = |file: &str| {
        let items = report["items"].as_array().unwrap().iter();
        let mut found = items.filter(|item| item["file"].as_str().unwrap().ends_with(file));
        let item = found.next().unwrap().clone();
        (
            item["outcome"].clone(),
            item["code"].clone(),
            item["line"].clone(),
        )
    };
    for (file, code, line) in [
        ("head.md", "IMPORT_INVALID", json!(3)),
        ("binary.md", "IMPORT_INVALID", json!(2)),
        ("nul.md", "IMPORT_INVALID", json!(1)),
        ("large.md", "LIMIT_EXCEEDED", Value::Null),
        ("huge.md", "IMPORT_INVALID", Value::Null),
        ("keys.md", "LIMIT_EXCEEDED", Value::Null),
        ("link.md", "IMPORT_INVALID", Value::Null),
        ("vault/root", "IMPORT_INVALID", Value::Null),
        ("odd\u{fffd}.md", "IMPORT_INVALID", Value::Null),
    ] {
        assert_eq!(told(file), (json!("failed"), json!(code), line), "{file}");
    }
    let titles = sandbox.json(&["notes", "list"]);
    let mut titles: Vec<&str> = titles["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|item| item["title"].as_str().unwrap())
        .collect();
    titles.sort_unstable();
    assert_eq!(titles, ["Good", "also good"]);
    let good = sandbox.json(&["notes", "show", "Good"]);
    assert_eq!(good["value"], "# Good\n\ntext with [[Other note]]");
    assert_eq!(good["created_by"]["actor_type"], "import");
    // What is not there at all is told before anything else happens.
    sandbox
        .cli(&["notes", "import", "nowhere", "vault"])
        .ended(1);
    sandbox.cli(&["notes", "import", "-"]).ended(2);
}

#[test]
fn an_import_knows_what_it_brought_before() {
    let sandbox = Sandbox::quiet();
    let file = sandbox.path("vault/tea.md");
    write(&file, b"# Tea\none\n");
    let (report, _) = import(&sandbox, &["vault"]);
    let id = report["items"][0]["note_id"].clone();
    // The file went on: the note does, too.
    write(&file, b"# Tea\ntwo\n");
    assert_eq!(
        numbers(&import(&sandbox, &["vault", "vault"]).0),
        [0, 1, 0, 0, 0]
    );
    assert_eq!(show(&sandbox, &id)["version"], 2);
    assert_eq!(show(&sandbox, &id)["created_by"]["actor_type"], "import");
    // The note went on: a file that says what it was takes nothing back.
    let key = id.as_str().unwrap();
    sandbox
        .cli(&["notes", "edit", key, "--value", "three"])
        .ended(0);
    let (report, code) = import(&sandbox, &["vault"]);
    assert_eq!((numbers(&report), code), ([0, 0, 1, 0, 0], 0), "{report}");
    assert_eq!(show(&sandbox, &id)["value"], "three");
    // Another place with the same words is the same note; with others it is a new one.
    write(
        &sandbox.path("moved/tea.md"),
        b"---\ntitle: Tea\n---\n# Tea\ntwo\n",
    );
    write(&sandbox.path("moved/new.md"), b"# Tea\nfour\n");
    sandbox.cli(&["notes", "restore", key]).ended(0);
    assert_eq!(numbers(&import(&sandbox, &["moved"]).0), [1, 0, 1, 0, 0]);
    // A deleted note stays deleted.
    sandbox.cli(&["notes", "delete", key]).ended(0);
    let (report, code) = import(&sandbox, &["vault"]);
    assert_eq!((numbers(&report), code), ([0, 0, 0, 1, 0], 1), "{report}");
    assert_eq!(report["items"][0]["code"], "VERSION_CONFLICT");
}

#[test]
fn versions_decide_between_a_file_and_a_note_that_both_went_on() {
    let sandbox = Sandbox::quiet();
    let tea = add(&sandbox, "Tea", "one");
    let words = ["notes", "export", "--to", "out"];
    sandbox.cli(&words).ended(0);
    let file = sandbox.path("out/Tea.md");
    let text = std::fs::read_to_string(&file).unwrap();
    write(&file, text.replace("one", "of the file").as_bytes());
    assert_eq!(numbers(&import(&sandbox, &["out"]).0), [0, 1, 0, 0, 0]);
    assert_eq!(show(&sandbox, &tea["id"])["value"], "of the file");
    write(&file, text.replace("one", "too late").as_bytes());
    let (report, code) = import(&sandbox, &["out"]);
    assert_eq!((numbers(&report), code), ([0, 0, 0, 1, 0], 1));
    assert_eq!(show(&sandbox, &tea["id"])["value"], "of the file");
    // A file that is ahead brings its number with it.
    let ahead = text
        .replace("one", "ahead")
        .replace("version: 1", "version: 9");
    write(&file, ahead.as_bytes());
    assert_eq!(numbers(&import(&sandbox, &["out"]).0), [0, 1, 0, 0, 0]);
    assert_eq!(show(&sandbox, &tea["id"])["version"], 9);
    // Twice in one import, it cannot be said which one is meant.
    write(&sandbox.path("out/copy.md"), text.as_bytes());
    assert_eq!(numbers(&import(&sandbox, &["out"]).0), [0, 0, 1, 1, 0]);
}

#[test]
fn json_is_imported_line_by_line_in_few_commits() {
    let sandbox = Sandbox::quiet();
    let mut lines: Vec<String> = (0..2500)
        .map(|number| {
            json!({"title": format!("t{number}"), "value": "v", "workspace_id": "other"})
                .to_string()
        })
        .collect();
    lines.insert(1, "{\"title\": \"no value\"}".to_owned());
    lines.insert(0, "{broken".to_owned());
    write(&sandbox.path("all.jsonl"), lines.join("\n").as_bytes());
    let before = head(&sandbox).as_u64().unwrap();
    let (report, code) = import(&sandbox, &["all.jsonl"]);
    assert_eq!((numbers(&report), code), ([2500, 0, 0, 0, 2], 1));
    let failed: Vec<&Value> = report["items"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|item| item["outcome"] == "failed")
        .map(|item| &item["line"])
        .collect();
    assert_eq!(failed, [1, 3]);
    let commits = head(&sandbox).as_u64().unwrap() - before;
    assert!((1..=8).contains(&commits), "{commits} commits");
    assert_eq!(
        numbers(&import(&sandbox, &["all.jsonl"]).0),
        [0, 0, 2500, 0, 2]
    );
    // A note's own file, a list, and standard input are read as well.
    let note = sandbox.json(&["notes", "show", "t7"]);
    write(&sandbox.path("one.json"), format!("{note:#}").as_bytes());
    write(
        &sandbox.path("list.json"),
        json!([note, {"value": "new", "title": "l"}, 3])
            .to_string()
            .as_bytes(),
    );
    assert_eq!(numbers(&import(&sandbox, &["one.json"]).0), [0, 0, 1, 0, 0]);
    assert_eq!(
        numbers(&import(&sandbox, &["list.json"]).0),
        [1, 0, 1, 0, 1]
    );
    let words = ["notes", "import", "--json", "-", "--format", "json"];
    let done = sandbox.cli_reading(&words, b"{\"value\": \"from a pipe\"}\n");
    assert_eq!(numbers(&done.ended(0).json()), [1, 0, 0, 0, 0]);
    assert_eq!(sandbox.json(&["audit", "verify"])["ok"], true);
}

#[test]
fn restore_brings_any_version_back_as_the_next_one() {
    let sandbox = Sandbox::quiet();
    let note = add(&sandbox, "Tea", "one");
    let id = note["id"].as_str().unwrap();
    for value in ["two", "three"] {
        sandbox
            .cli(&["notes", "edit", id, "--value", value])
            .ended(0);
    }
    let restored = |words: &[&str]| sandbox.json(&[&["notes", "restore", id], words].concat());
    let brought = restored(&[]);
    assert_eq!(
        (&brought["value"], &brought["version"]),
        (&json!("two"), &json!(4))
    );
    let brought = restored(&["--version", "1"]);
    assert_eq!(
        (&brought["value"], &brought["version"]),
        (&json!("one"), &json!(5))
    );
    assert_eq!(restored(&["--version", "1"])["version"], 5, "nothing to do");
    sandbox.cli(&["notes", "delete", "Tea"]).ended(0);
    sandbox.cli(&["notes", "show", id]).ended(1);
    let old = sandbox.json(&["notes", "show", id, "--version", "3"]);
    assert_eq!(old["value"], "three");
    let brought = restored(&[]);
    assert_eq!(
        (&brought["value"], &brought["version"]),
        (&json!("one"), &json!(7))
    );
    assert_eq!(brought["deleted_at"], Value::Null);
    assert_eq!(brought["created_at"], note["created_at"]);
    let mut shown = show(&sandbox, &note["id"]);
    for derived in ["linked_to", "linked_from"] {
        assert_eq!(
            shown.as_object_mut().unwrap().remove(derived),
            Some(json!([]))
        );
    }
    assert_eq!(shown, brought, "by its file, too");
    for words in [
        ["notes", "restore", id, "--version", "99"],
        ["notes", "show", id, "--version", "0"],
    ] {
        let done = sandbox.cli(&[&words[..], &["--format", "json"]].concat());
        assert_eq!(done.ended(1).error()["code"], "RECORD_NOT_FOUND");
    }
    let history = sandbox.json(&["notes", "history", id]);
    let versions: Vec<u64> = history["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|item| item["note"]["version"].as_u64().unwrap())
        .collect();
    assert_eq!(versions, [1, 2, 3, 4, 5, 6, 7]);
    assert_eq!(sandbox.json(&["audit", "verify"])["ok"], true);
}

#[test]
fn an_import_does_not_bring_back_what_was_deleted_here_from_a_moved_file_either() {
    let sandbox = Sandbox::quiet();
    write(&sandbox.path("a.md"), b"# Tea\nthree\n");
    let (report, _) = import(&sandbox, &["a.md"]);
    assert_eq!(numbers(&report), [1, 0, 0, 0, 0]);
    let id = report["items"][0]["note_id"].as_str().unwrap().to_owned();
    std::fs::rename(sandbox.path("a.md"), sandbox.path("b.md")).unwrap();
    assert_eq!(numbers(&import(&sandbox, &["b.md"]).0), [0, 0, 1, 0, 0]);
    sandbox.cli(&["notes", "delete", &id]).ended(0);
    let (report, code) = import(&sandbox, &["b.md"]);
    assert_eq!((numbers(&report), code), ([0, 0, 0, 1, 0], 1), "{report:#}");
    assert_eq!(report["items"][0]["note_id"], json!(id));
    // Other words are another note; what is brought back is known as before.
    write(&sandbox.path("b.md"), b"# Tea\nfour\n");
    assert_eq!(numbers(&import(&sandbox, &["b.md"]).0), [1, 0, 0, 0, 0]);
    sandbox.cli(&["notes", "restore", &id]).ended(0);
    write(&sandbox.path("c.md"), b"# Tea\nthree\n");
    assert_eq!(numbers(&import(&sandbox, &["c.md"]).0), [0, 0, 1, 0, 0]);
}

#[test]
fn a_path_that_is_not_there_stops_no_other_and_an_empty_find_is_said() {
    let sandbox = Sandbox::quiet();
    write(&sandbox.path("good.md"), b"# Tea\nthree\n");
    let (report, code) = import(&sandbox, &["gone.md", "good.md"]);
    assert_eq!((numbers(&report), code), ([1, 0, 0, 0, 1], 1), "{report:#}");
    assert_eq!(report["items"][0]["file"], json!("gone.md"));
    write(&sandbox.path("only/notes.json"), b"[]");
    let done = sandbox.cli(&["notes", "import", "only"]).ended(0);
    let hint = "with --json, JSON is read";
    assert!(done.stderr.contains(hint), "{done:?}");
    // A file that is named is read, whatever its ending; then nothing is said of an empty find.
    let words = ["notes", "import", "--json", "good.md", "only"];
    let done = sandbox.cli(&words).ended(1);
    assert!(!done.stderr.contains("is read"), "{done:?}");
    std::fs::remove_file(sandbox.path("only/notes.json")).unwrap();
    let done = sandbox.cli(&["notes", "import", "--json", "only"]).ended(0);
    assert!(
        done.stderr.contains("without --json, Markdown is read"),
        "{done:?}"
    );
}

#[test]
fn an_edit_that_changes_nothing_makes_no_version() {
    let sandbox = Sandbox::quiet();
    let tea = add(&sandbox, "Tea", "three [[litres]]");
    let id = tea["id"].as_str().unwrap();
    let before = head(&sandbox);
    let whole = sandbox.cli(&["notes", "export", id]).ended(0).stdout;
    for (words, input) in [
        (&["notes", "edit", id, "--title", "Tea"][..], ""),
        (&["notes", "edit", id, "--value", "three [[litres]]"], ""),
        (&["notes", "edit", id, "--markdown", "-"], whole.as_str()),
    ] {
        let done = sandbox.cli_reading(words, input.as_bytes()).ended(0);
        assert!(done.stderr.contains("nothing was changed"), "{done:?}");
        assert_eq!(show(&sandbox, &tea["id"])["version"], json!(1), "{words:?}");
        assert_eq!(head(&sandbox), before);
    }
    // A stale version is a conflict all the same.
    sandbox
        .cli(&["notes", "edit", id, "--title", "Milk"])
        .ended(0);
    sandbox
        .cli(&["notes", "edit", id, "--version", "1", "--title", "Milk"])
        .ended(1);
}

#[test]
fn of_two_files_of_one_note_the_higher_version_is_imported_and_the_other_told() {
    let source = Sandbox::quiet();
    let note = add(&source, "Alpha", "first");
    let export = ["notes", "export", "--to", "out", "--force"];
    source.cli(&export).ended(0);
    let id = note["id"].as_str().unwrap();
    let words = ["notes", "edit", id, "--title", "Zeta", "--value", "second"];
    source.cli(&words).ended(0);
    source.cli(&export).ended(0);
    let out = source.path("out");
    assert_eq!(names(&out), ["Alpha.md", "Zeta.md"]);
    for extra in [&["--dry-run"][..], &[]] {
        let empty = Sandbox::quiet();
        let words = [extra, &[out.to_str().unwrap()]].concat();
        let (report, code) = import(&empty, &words);
        assert_eq!((numbers(&report), code), ([1, 0, 0, 1, 0], 1), "{report}");
        let old = &report["items"][0];
        assert_eq!(old["outcome"], "conflict", "{report}");
        let reason = old["reason"].as_str().unwrap();
        assert!(
            reason.starts_with("left out: ") && reason.contains("Zeta.md"),
            "{reason}"
        );
        assert!(
            reason.ends_with(" holds version 2 of the same note"),
            "{reason}"
        );
        if extra.is_empty() {
            let there = show(&empty, &note["id"]);
            assert_eq!(
                (&there["title"], &there["value"]),
                (&json!("Zeta"), &json!("second"))
            );
        }
    }
}

#[test]
fn a_name_in_parts_and_a_name_in_whole_letters_are_one_name() {
    let sandbox = Sandbox::quiet();
    let (whole, parts) = ("\u{dc}bung", "U\u{308}bung");
    write(&sandbox.path(&format!("mac/{parts}.md")), b"of the file");
    write(&sandbox.path(&format!("linux/{whole}.md")), b"of the file");
    assert_eq!(numbers(&import(&sandbox, &["mac"]).0), [1, 0, 0, 0, 0]);
    assert_eq!(numbers(&import(&sandbox, &["linux"]).0), [0, 0, 1, 0, 0]);
    for name in [whole, parts] {
        let shown = sandbox.json(&["notes", "show", name]);
        assert_eq!(shown["value"], "of the file");
        let found = sandbox.json(&["notes", "search", name]);
        assert_eq!(found["pagination"]["total"], 1, "{found}");
    }
    add(&sandbox, "Plan", &format!("see [[{whole}]]"));
    let shown = sandbox.cli(&["notes", "show", "Plan"]).ended(0).stdout;
    assert!(!shown.contains("(missing)"), "{shown}");
}

/// Runs leave an issue of the note `Tea`, and a proposal for it.
fn looks_after_the_tea(sandbox: &Sandbox, peer: &Peer) {
    let run = |first: &str| {
        let to_evaluating = "<state_add><state>evaluating</state></state_add>";
        let done = "<state_delete><state>evaluating</state></state_delete>";
        for step in [first, to_evaluating, done] {
            peer.push(Step::reply(step));
        }
        sandbox.json(&["run", "--task", "Look after the tea."])
    };
    let issue = "<key>Tea</key><value>old</value><metadata>{}</metadata>";
    let to_executing = "<state_add><state>executing</state></state_add>";
    run(&format!(
        "<record_issue>{issue}</record_issue>{to_executing}"
    ));
    let config = sandbox.read("data/config.json");
    let mut config: Value = serde_json::from_str(&config).unwrap();
    config["mode"] = json!("reviewed");
    sandbox.write("data/config.json", &config.to_string());
    let update = "<key>Tea</key><value>fresh</value>";
    let run = run(&format!(
        "<record_update>{update}</record_update>{to_executing}"
    ));
    assert_eq!(run["stop_reason"], "pending_review", "{run}");
}

/// What only reads takes nothing in; it says that there is something to take in.
#[test]
fn what_was_edited_by_hand_and_is_not_taken_in_is_said_by_whoever_shows_it() {
    let peer = Peer::start();
    let sandbox = Sandbox::with(&peer);
    let note = add(&sandbox, "Tea", "green");
    add(&sandbox, "Milk", "white");
    looks_after_the_tea(&sandbox, &peer);
    sandbox.cli(&["ram", "set", "mine", "one"]).ended(0);
    let said = |words: &[&str]| sandbox.cli(words).ended(0).stderr;
    let file = format!("data/notes/{}.json", note["id"].as_str().unwrap());
    let of_note = format!(
        "warning: {file} was edited by hand and is not taken in yet; \
         the next daemon, run or changing verb takes it in\n"
    );
    let of_ram = of_note.replace(&file, "data/agent-kv-store.json");
    let of_notes = [
        &["notes", "show", "Tea"][..],
        &["notes", "search", "green"],
        &["notes", "list"],
        &["notes", "export", "--json", "--to", "-"],
        &["notes", "history", "Tea"],
        &["notes", "issues"],
        &["review", "list"],
        &["review", "show", "1"],
    ];
    let of_keys = [
        &["ram", "list"][..],
        &["ram", "get", "mine"],
        &["ram", "export"],
        &["prompt"],
    ];
    for words in of_notes.iter().chain(&of_keys) {
        assert_eq!(said(words), "", "{words:?}");
    }
    let edited = sandbox.read(&file).replace("green", "green and black");
    sandbox.write(&file, &edited);
    for words in of_notes {
        assert_eq!(said(words), of_note, "{words:?}");
    }
    assert_eq!(said(&["notes", "show", "Milk"]), "", "only what is shown");
    for words in of_keys {
        assert_eq!(said(words), "", "{words:?}");
    }
    let kv = sandbox
        .read("data/agent-kv-store.json")
        .replace("one", "two");
    sandbox.write("data/agent-kv-store.json", &kv);
    for words in of_keys {
        assert_eq!(said(words), of_ram, "{words:?}");
    }
    let status = sandbox.json(&["status"]);
    let warnings = status["warnings"].to_string();
    assert!(warnings.contains(&file), "{warnings}");
    assert!(
        warnings.contains("data/agent-kv-store.json was edited"),
        "{warnings}"
    );
    // A verb that changes something takes both in, and then there is nothing to say.
    sandbox.cli(&["ram", "set", "other", "x"]).ended(0);
    for words in of_notes.iter().chain(&of_keys) {
        assert_eq!(said(words), "", "{words:?}");
    }
    let shown = sandbox.json(&["notes", "show", "Tea"]);
    assert_eq!(shown["value"], "green and black");
    assert_eq!(sandbox.json(&["ram", "get", "mine"])["value"], "two");
}
