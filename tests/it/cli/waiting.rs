//! Verbs that find the folder held: they wait for a moment, for the lock or for a daemon that comes up, and
//! each change is made once.

#![expect(clippy::unwrap_used, reason = "a test may stop at once")]

use super::sandbox::{Running, Sandbox, started, worker};
use crate::wait::until;
use serde_json::json;
use std::fs::File;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::net::UnixListener;

/// How many change something at once.
const AT_ONCE: usize = 20;

/// What a verb says that waits.
const WAITS: &str = "waiting: process";

#[test]
fn twenty_changes_at_once_without_a_daemon_are_all_made_once() {
    let sandbox = Sandbox::quiet();
    sandbox.cli(&["ram", "set", "first", "value"]).ended(0);
    let before = sandbox.json(&["audit", "head"])["seq"].as_u64().unwrap();
    let verbs: Vec<Running> = (0..AT_ONCE)
        .map(|number| {
            let text = format!("text {number}");
            let name = format!("name{number}");
            if number % 2 == 0 {
                sandbox.start(&["ram", "set", &name, &text])
            } else {
                sandbox.start(&["notes", "add", &text, "--title", &name])
            }
        })
        .collect();
    for verb in verbs {
        let (status, said) = verb.wait();
        assert_eq!(status.code(), Some(0), "{said}");
    }
    let kv = sandbox.kv();
    for number in (0..AT_ONCE).step_by(2) {
        let name = format!("name{number}");
        assert_eq!(kv[name], json!(format!("text {number}")));
    }
    let notes = sandbox.json(&["notes", "list"]);
    let total = notes["pagination"]["total"].as_u64().unwrap();
    assert_eq!(total, AT_ONCE as u64 / 2, "{notes}");
    let head = sandbox.json(&["audit", "head"])["seq"].as_u64().unwrap();
    assert_eq!(head - before, AT_ONCE as u64, "each change is one commit");
    assert_eq!(sandbox.json(&["audit", "verify"])["ok"], json!(true));
}

/// The folder's lock, as another process would hold it.
fn held(sandbox: &Sandbox) -> File {
    sandbox.cli(&["ram", "set", "first", "value"]).ended(0);
    let path = sandbox.path("data/daemon.lock");
    let file = File::options().read(true).write(true).open(path).unwrap();
    file.lock().unwrap();
    file
}

#[test]
fn a_change_waits_for_the_lock_and_says_so_once() {
    let sandbox = Sandbox::quiet();
    let lock = held(&sandbox);
    let words: [&[&str]; 3] = [
        &["ram", "set", "key", "value"],
        &[
            "rules",
            "add",
            r#"{"action_json": {"kind": "kjxlkj_agent"}}"#,
        ],
        &["notes", "add", "tea"],
    ];
    let verbs = words.map(|words| sandbox.start(words));
    for verb in &verbs {
        verb.wait_for(WAITS, 1);
    }
    drop(lock);
    for verb in verbs {
        let (status, said) = verb.wait();
        assert_eq!(status.code(), Some(0), "{said}");
        assert_eq!(said.matches(WAITS).count(), 1, "{said}");
    }
    assert_eq!(sandbox.kv()["key"], json!("value"));
    assert_eq!(sandbox.json(&["rules", "list"])["pagination"]["total"], 1);
    assert_eq!(sandbox.json(&["notes", "list"])["pagination"]["total"], 1);
}

#[test]
fn a_change_waits_for_the_socket_of_whoever_holds_the_folder() {
    let sandbox = Sandbox::quiet();
    let lock = held(&sandbox);
    let verb = sandbox.start(&["ram", "set", "key", "value"]);
    verb.wait_for(WAITS, 1);
    let path = sandbox.path("data/control.sock");
    let listener = UnixListener::bind(&path).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600)).unwrap();
    // Whoever only looks whether somebody answers says nothing.
    let asked = until("a request", || {
        let (stream, _) = listener.accept().unwrap();
        let mut reader = BufReader::new(&stream);
        let mut head = String::new();
        while reader.read_line(&mut head).unwrap() > 2 {}
        let (_, length) = head
            .to_lowercase()
            .split_once("content-length: ")
            .map(|(before, rest)| (before.to_owned(), rest.lines().next().unwrap().to_owned()))?;
        let mut body = vec![0; length.trim().parse().unwrap()];
        reader.read_exact(&mut body).unwrap();
        let answer = json!({"exit": 0, "stdout": "set key\n", "talk": [], "error": null});
        let answer = answer.to_string();
        let length = answer.len();
        let head = format!(
            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n"
        );
        (&stream).write_all((head + &answer).as_bytes()).unwrap();
        Some(String::from_utf8(body).unwrap())
    });
    assert!(asked.contains("\"set\",\"key\",\"value\""), "{asked}");
    let (status, said) = verb.wait();
    assert_eq!(status.code(), Some(0), "{said}");
    drop(lock);
}

#[test]
fn between_lock_and_socket_of_a_starting_daemon_a_change_waits() {
    let peer = worker();
    let sandbox = Sandbox::with(&peer);
    sandbox.cli(&["ram", "set", "first", "value"]).ended(0);
    // Its socket is bound late; everything else is as ever.
    let late = ["-e", "trace=bind", "-e", "inject=bind:delay_enter=1500000"];
    let Some(command) = sandbox.traced(&late, &["daemon"]) else {
        return;
    };
    let daemon = started(command);
    until("the daemon's lock", || {
        let text = sandbox.read("data/daemon.lock");
        (text.lines().next() == Some(&daemon.id().to_string())).then_some(())
    });
    sandbox.cli(&["ram", "set", "key", "value"]).ended(0);
    sandbox.cli(&["once"]).ended(75);
    assert!(daemon.end_by(rustix::process::Signal::TERM).0.success());
    assert_eq!(sandbox.kv()["key"], json!("value"));
}

#[test]
fn whoever_holds_the_folder_for_long_is_not_waited_for_for_ever() {
    let sandbox = Sandbox::quiet();
    let lock = held(&sandbox);
    let words: [&[&str]; 2] = [&["ram", "set", "key", "value"], &["notes", "add", "tea"]];
    let verbs = words.map(|words| sandbox.start(words));
    for verb in verbs {
        let (status, said) = verb.wait();
        assert_eq!(status.code(), Some(75), "{said}");
        assert!(said.contains("DATA_LOCKED"), "{said}");
    }
    drop(lock);
    sandbox.cli(&["ram", "get", "key"]).ended(1);
}
