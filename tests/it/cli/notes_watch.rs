//! A daemon at rest: it sleeps until the system tells of a changed file, and ends when its folder is
//! taken away from under it.

#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test may stop at once, and it handles files as a person would"
)]

use super::notes_files::add;
use super::sandbox::{Running, Sandbox, names, worker};
use rustix::process::Signal;
use serde_json::{Value, json};
use std::path::Path;

/// Whether a process has the system tell it of changed files.
fn is_told(daemon: &Running) -> bool {
    let folder = format!("/proc/{}/fd", daemon.id());
    let links = names(Path::new(&folder)).into_iter();
    let mut links = links.filter_map(|name| std::fs::read_link(format!("{folder}/{name}")).ok());
    links.any(|link| link.to_string_lossy().contains("inotify"))
}

fn edit(sandbox: &Sandbox, below: &str, change: impl Fn(&mut Value)) {
    let mut value: Value = serde_json::from_str(&sandbox.read(below)).unwrap();
    change(&mut value);
    // Editors write beside a file and rename.
    let path = sandbox.path(below);
    let beside = path.with_extension("swp");
    std::fs::write(&beside, value.to_string()).unwrap();
    std::fs::rename(beside, path).unwrap();
}

#[test]
fn a_resting_daemon_is_told_of_what_a_person_changes() {
    let peer = worker();
    let sandbox = Sandbox::with(&peer);
    let note = add(&sandbox, "Tea", "one");
    let daemon = sandbox.resting();
    assert!(is_told(&daemon), "{}", daemon.said());
    let path = format!("data/notes/{}.json", note["id"].as_str().unwrap());
    edit(&sandbox, &path, |note| note["value"] = json!("two"));
    daemon.wait_for("taken in from data/notes", 1);
    let said = daemon.said();
    let mut lines = said.lines();
    let line = lines.find(|line| line.contains("taken in from")).unwrap();
    assert!(line.contains("INFO"), "an edit is no trouble: {line}");
    // In place, without another name.
    let text = sandbox.read(&path).replace("two", "three");
    std::fs::write(sandbox.path(&path), text).unwrap();
    daemon.wait_for("taken in from data/notes", 2);
    std::fs::remove_file(sandbox.path(&path)).unwrap();
    daemon.wait_for("was missing and was written again", 1);
    sandbox.write("data/notes/stranger.json", "{\"value\": \"hello\"}");
    daemon.wait_for("became the note", 1);
    // A request, and then the KV file: each opens a run.
    sandbox.write("data/inbox/wish.txt", "keep this");
    daemon.wait_for("run ended", 2);
    edit(&sandbox, "data/agent-kv-store.json", |kv| {
        kv["mood"] = json!("calm");
    });
    daemon.wait_for("run ended", 3);
    // A folder that is replaced is watched again.
    std::fs::rename(sandbox.path("data/inbox"), sandbox.path("data/inbox.old")).unwrap();
    std::fs::create_dir(sandbox.path("data/inbox")).unwrap();
    sandbox.write("data/inbox/again.txt", "and this");
    daemon.wait_for("run ended", 4);
    let (status, said) = daemon.end_by(Signal::TERM);
    assert_eq!(status.code(), Some(0), "{said}");
    assert!(!said.contains("does not tell"), "{said}");
}

#[test]
fn a_reload_wakes_a_daemon_that_rests() {
    let peer = worker();
    let sandbox = Sandbox::with(&peer);
    let daemon = sandbox.resting();
    sandbox.configure(&peer.base_url(), &json!({"log": {"level": "chatty"}}));
    daemon.signal(Signal::HUP);
    daemon.wait_for("nothing was reloaded", 1);
}

#[test]
fn a_folder_that_is_taken_away_ends_the_daemon_before_its_next_commit() {
    let peer = worker();
    for taken in ["data", "data/journal", ""] {
        let sandbox = Sandbox::with(&peer);
        let daemon = sandbox.resting();
        let from = sandbox.path(taken);
        let from = if taken.is_empty() {
            sandbox.root()
        } else {
            from
        };
        let to = from.with_extension("old");
        let before = sandbox.json(&["audit", "head"]);
        std::fs::rename(&from, &to).unwrap();
        let (status, said) = daemon.wait();
        assert_eq!(status.code(), Some(74), "{said}");
        assert!(said.contains("was moved away or replaced"), "{said}");
        // Put back, everything is as it was.
        std::fs::rename(&to, &from).unwrap();
        assert_eq!(sandbox.json(&["audit", "head"]), before, "{taken}");
        assert_eq!(sandbox.json(&["audit", "verify"])["ok"], true);
    }
}

#[test]
fn another_folder_in_its_place_is_not_written_to() {
    let peer = worker();
    let sandbox = Sandbox::with(&peer);
    let daemon = sandbox.resting();
    let (data, old) = (sandbox.path("data"), sandbox.path("old"));
    std::fs::rename(&data, &old).unwrap();
    std::fs::create_dir(&data).unwrap();
    let (status, said) = daemon.wait();
    assert_eq!(status.code(), Some(74), "{said}");
    assert_eq!(names(&data), Vec::<String>::new());
}
