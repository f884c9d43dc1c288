//! Changes that are made although something fails behind them, and a root whose lock somebody took away:
//! nothing acknowledged is lost, told as failed, or written by two programs.

#![expect(clippy::disallowed_methods, reason = "a test plays a person")]

use super::control::NO_NOTE_FILE;
use super::sandbox::{Sandbox, finished, started, worker};
use crate::peer::{Peer, Step};
use rustix::process::Signal;
use serde_json::json;

/// The checkpoint.
const CHECKPOINT: &str = "data/journal/checkpoint.json";

/// Where the checkpoint is written before it takes its place.
const CHECKPOINT_TEMPORARY: &str = "data/journal/.checkpoint.json.tmp";

#[test]
fn a_change_whose_checkpoint_cannot_be_written_is_told_as_made() {
    let sandbox = Sandbox::quiet();
    sandbox.cli(&["ram", "set", "first", "1"]).ended(0);
    // No file can take the place of a folder.
    std::fs::create_dir_all(sandbox.path(CHECKPOINT_TEMPORARY).join("x")).unwrap();
    for words in [
        &["ram", "set", "second", "2"][..],
        &["notes", "add", "--title", "Tea", "green"],
        &["runs", "launch", "--key", "one"],
    ] {
        let done = sandbox.cli(words).ended(0);
        assert!(done.stderr.contains("warning: "), "{done:?}");
        assert!(done.stderr.contains("the change is made"), "{done:?}");
    }
    std::fs::remove_dir_all(sandbox.path(CHECKPOINT_TEMPORARY)).unwrap();
    assert_eq!(sandbox.json(&["ram", "get", "second"])["value"], json!("2"));
    assert_eq!(
        sandbox.json(&["notes", "list"])["pagination"]["total"],
        json!(1)
    );
    assert_eq!(
        sandbox.json(&["runs", "list"])["pagination"]["total"],
        json!(1)
    );
    assert_eq!(sandbox.json(&["audit", "verify"])["ok"], json!(true));
}

/// The same of a run and of a single iteration: whoever repeats what is told as failed would do it twice.
#[test]
fn a_run_whose_checkpoint_cannot_be_written_is_told_by_how_it_ended() {
    let well = worker();
    let idle = Peer::answering(|_, index| {
        let think = format!("<ram_add><key>think_log</key><value>{index}</value></ram_add>");
        Step::reply(&think)
    });
    for (peer, verb, code, state) in [
        (&well, "run", 0, "Succeeded"),
        (&well, "once", 0, "Running"),
        (&idle, "run", 1, "Failed"),
    ] {
        let sandbox = Sandbox::with(peer);
        sandbox.cli(&["ram", "set", "first", "1"]).ended(0);
        std::fs::create_dir_all(sandbox.path(CHECKPOINT_TEMPORARY).join("x")).unwrap();
        let done = sandbox.cli(&[verb, "--task", "Remember tea", "--format", "json"]);
        let done = done.ended(code);
        assert_eq!(done.json()["state"], json!(state), "{done:?}");
        assert!(done.stderr.contains("the change is made"), "{done:?}");
        std::fs::remove_dir_all(sandbox.path(CHECKPOINT_TEMPORARY)).unwrap();
        let runs = sandbox.json(&["runs", "list"]);
        assert_eq!(runs["pagination"]["total"], json!(1), "{runs}");
        assert_eq!(runs["items"][0]["state"], json!(state), "{runs}");
        assert_eq!(sandbox.json(&["audit", "verify"])["ok"], json!(true));
    }
}

/// Wherever a file cannot take its place: the exit code says what the record of the run says, and a run
/// that is kept goes on.
#[test]
fn a_run_during_which_the_disk_fails_is_told_as_its_record_says() {
    let mut codes = std::collections::BTreeSet::new();
    for number in 1.. {
        let peer = worker();
        let sandbox = Sandbox::with(&peer);
        let inject = format!("inject=rename,renameat,renameat2:error=EIO:when={number}+");
        let words = ["run", "--task", "Remember tea", "--format", "json"];
        let Some(command) = sandbox.traced(&["-e", &inject], &words) else {
            return;
        };
        let done = finished(command);
        let runs = sandbox.json(&["runs", "list"]);
        let items = runs["items"].as_array().unwrap();
        let has_succeeded = items.iter().any(|run| run["state"] == "Succeeded");
        assert_eq!(done.code == Some(0), has_succeeded, "{number}: {done:?}");
        let is_told = done.stderr.contains("the change is made");
        match done.code {
            Some(0) if !is_told => break,
            Some(0) => assert_eq!(done.json()["state"], json!("Succeeded"), "{number}"),
            _ if items.is_empty() => assert_eq!(done.code, Some(74), "{number}: {done:?}"),
            _ => {
                assert_eq!(done.code, Some(74), "{number}: {done:?}");
                assert!(
                    done.stderr.contains("The request is kept"),
                    "{number}: {done:?}"
                );
                assert_eq!(
                    sandbox.json(&["run"])["state"],
                    json!("Succeeded"),
                    "{number}"
                );
            }
        }
        codes.insert((done.code, items.len()));
        let notes = sandbox.json(&["notes", "list"]);
        assert!(
            notes["pagination"]["total"].as_u64() <= Some(1),
            "{number}: {notes}"
        );
        assert_eq!(sandbox.json(&["audit", "verify"])["ok"], json!(true));
    }
    assert!(codes.contains(&(Some(0), 1)), "{codes:?}");
    assert!(codes.contains(&(Some(74), 1)), "{codes:?}");
}

/// A lock that somebody removed lets nobody else in, and whoever holds the root writes nothing more.
#[test]
fn a_removed_lock_lets_no_second_writer_in() {
    let peer = worker();
    let sandbox = Sandbox::with(&peer);
    let daemon = sandbox.resting();
    std::fs::remove_file(sandbox.path("data/daemon.lock")).unwrap();
    let second = sandbox.cli(&["daemon"]).ended(75);
    assert!(second.stderr.contains("DATA_LOCKED"), "{second:?}");
    sandbox.cli(&["run", "--task", "write"]).ended(75);
    let import = sandbox.path("import");
    std::fs::create_dir(&import).unwrap();
    std::fs::write(import.join("late.md"), "late\n").unwrap();
    let import = ["notes", "import", import.to_str().unwrap()];
    let before = sandbox.json(&["audit", "head"]);
    // Handed over to the daemon, which finds that its lock is gone.
    let refused = sandbox.cli(&["ram", "set", "late", "1"]).ended(74);
    assert!(refused.stderr.contains("data/daemon.lock"), "{refused:?}");
    let (status, said) = daemon.wait();
    assert_eq!(status.code(), Some(74), "{said}");
    assert_eq!(sandbox.json(&["audit", "head"]), before);
    assert_eq!(sandbox.json(&["audit", "verify"])["ok"], json!(true));
    sandbox.cli(&["ram", "set", "late", "2"]).ended(0);
    sandbox.cli(&import).ended(0);
    assert_eq!(sandbox.json(&["audit", "verify"])["ok"], json!(true));
}

/// The same without a socket: nobody can be asked, so nobody else writes.
#[test]
fn a_removed_lock_without_a_socket_lets_no_second_writer_in() {
    let peer = worker();
    let sandbox = Sandbox::with(&peer);
    sandbox.configure(&peer.base_url(), &json!({"api": {"socket": false}}));
    let daemon = sandbox.start(&["daemon"]);
    daemon.wait_for("run ended", 1);
    std::fs::remove_file(sandbox.path("data/daemon.lock")).unwrap();
    let before = sandbox.json(&["audit", "head"]);
    let import = sandbox.path("import");
    std::fs::create_dir(&import).unwrap();
    std::fs::write(import.join("late.md"), "late\n").unwrap();
    let late = [
        &["ram", "set", "late", "1"][..],
        &["notes", "add", "--title", "Late", "text"],
        &["notes", "import", import.to_str().unwrap()],
        &["once"],
        &["run", "--task", "write"],
        &["daemon"],
        &["undo", "--since", "2020-01-01T00:00:00Z"],
    ];
    // All at once: each waits for the holder, who ends at the next look at its lock, after a minute.
    std::thread::scope(|scope| {
        let sandbox = &sandbox;
        for words in late {
            scope.spawn(move || {
                let refused = sandbox.cli(words).ended(75);
                assert!(refused.stderr.contains("DATA_LOCKED"), "{refused:?}");
            });
        }
    });
    assert_eq!(sandbox.json(&["audit", "head"]), before);
    assert_eq!(sandbox.json(&["audit", "verify"])["ok"], json!(true));
    drop(daemon);
}

/// What another program does to the journal of a daemon that lives is noticed before anything is
/// acknowledged that could never be read again.
#[test]
fn a_daemon_whose_journal_was_cut_acknowledges_nothing_more() {
    let peer = worker();
    let sandbox = Sandbox::with(&peer);
    let daemon = sandbox.resting();
    let segment = sandbox.path("data/journal/00000001.jsonl");
    let mut bytes = std::fs::read(&segment).unwrap();
    bytes.extend_from_slice(b"{}\n");
    let file = std::fs::File::options()
        .append(true)
        .open(&segment)
        .unwrap();
    std::io::Write::write_all(&mut &file, b"{}\n").unwrap();
    let refused = sandbox.cli(&["ram", "set", "late", "1"]).ended(74);
    assert!(refused.stderr.contains("another program"), "{refused:?}");
    assert_eq!(daemon.wait().0.code(), Some(74));
    assert_eq!(std::fs::read(&segment).unwrap(), bytes, "nothing was added");
}

/// The same at rest: a stop leaves no checkpoint behind that says something else than the journal.
#[test]
fn a_daemon_whose_journal_was_changed_at_rest_stops_without_a_new_checkpoint() {
    for is_cut in [true, false] {
        let peer = worker();
        let sandbox = Sandbox::with(&peer);
        let daemon = sandbox.resting();
        let segment = sandbox.path("data/journal/00000001.jsonl");
        let mut bytes = std::fs::read(&segment).unwrap();
        if is_cut {
            let last = bytes.iter().rev().skip(1).position(|byte| *byte == b'\n');
            bytes.truncate(bytes.len() - 1 - last.unwrap());
        } else {
            bytes.extend_from_slice(b"{}");
        }
        let file = std::fs::File::options().write(true).open(&segment).unwrap();
        file.set_len(0).unwrap();
        std::io::Write::write_all(&mut &file, &bytes).unwrap();
        let checkpoint = std::fs::read(sandbox.path(CHECKPOINT)).unwrap();
        let (status, said) = daemon.end_by(Signal::TERM);
        assert_eq!(status.code(), Some(74), "{is_cut}: {said}");
        assert!(said.contains("another program"), "{is_cut}: {said}");
        let after = std::fs::read(sandbox.path(CHECKPOINT)).unwrap();
        assert!(after == checkpoint, "{is_cut}: a checkpoint was written");
        assert_eq!(std::fs::read(&segment).unwrap(), bytes);
        // What is left of the journal is whole, so the next start goes on from there.
        sandbox.cli(&["ram", "set", "late", "1"]).ended(0);
        assert_eq!(sandbox.json(&["audit", "verify"])["ok"], json!(true));
    }
}

/// A daemon that can put no file of a note in place ends, and what it was asked for is told as made.
#[test]
fn a_daemon_that_fails_behind_a_commit_tells_the_change_as_made_and_ends() {
    let sandbox = Sandbox::quiet();
    sandbox.cli(&["ram", "set", "first", "1"]).ended(0);
    let Some(command) = sandbox.traced(&NO_NOTE_FILE, &["daemon"]) else {
        return;
    };
    let daemon = started(command);
    drop(sandbox.connect());
    let done = sandbox.cli(&["notes", "add", "--title", "Tea", "green"]);
    let done = done.ended(0);
    assert!(done.stderr.contains("the change is made"), "{done:?}");
    let (status, said) = daemon.wait();
    assert_eq!(status.code(), Some(74), "{said}");
    let notes = sandbox.json(&["notes", "list"]);
    assert_eq!(notes["pagination"]["total"], json!(1), "{notes}");
    assert_eq!(sandbox.json(&["audit", "verify"])["ok"], json!(true));
    // The next start writes the file.
    sandbox.cli(&["ram", "set", "key", "value"]).ended(0);
    let id = notes["items"][0]["id"].as_str().unwrap();
    assert!(sandbox.path(&format!("data/notes/{id}.json")).exists());
}
