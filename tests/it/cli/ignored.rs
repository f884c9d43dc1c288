//! What lies in the notes folder and the inbox and is taken in by nobody: it is told of, and stays.

#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test may stop at once, and plays the person's hand"
)]

use super::sandbox::{Sandbox, worker};
use rustix::fs::{CWD, Mode, mkfifoat};
use rustix::process::Signal;
use serde_json::json;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;
use std::path::PathBuf;

/// What is said of each of the odd ones.
const TOLD: [&str; 5] = [
    r"data/notes/caf\xe9.json is not taken in and stays where it is: its name is not UTF-8",
    "data/notes/link.json is not taken in and stays where it is: it is a link",
    r"data/inbox/caf\xe9.txt is not taken in and stays where it is: its name is not UTF-8",
    "data/inbox/pipe is not taken in and stays where it is: it is a pipe",
    "data/inbox/socket is not taken in and stays where it is: it is a socket",
];

/// Where a name stands that need not be text.
fn place(sandbox: &Sandbox, folder: &str, name: &[u8]) -> PathBuf {
    sandbox.path(folder).join(OsStr::from_bytes(name))
}

/// Puts them there.
fn odd_ones(sandbox: &Sandbox) {
    std::fs::write(place(sandbox, "data/notes", b"caf\xe9.json"), "{}").unwrap();
    symlink("/etc/passwd", sandbox.path("data/notes/link.json")).unwrap();
    std::fs::write(place(sandbox, "data/inbox", b"caf\xe9.txt"), "Buy tea.").unwrap();
    let mode = Mode::RUSR | Mode::WUSR;
    mkfifoat(CWD, sandbox.path("data/inbox/pipe"), mode).unwrap();
    // Its name stays when nobody listens any more.
    drop(UnixListener::bind(sandbox.path("data/inbox/socket")).unwrap());
    // Nobody speaks of these: they are others', or kept by the program itself.
    std::fs::write(place(sandbox, "data/inbox", b".caf\xe9.swp"), "").unwrap();
    symlink("x", sandbox.path("data/notes/.#lock")).unwrap();
    symlink(
        "x",
        sandbox.path("data/notes/a.json.broken-20260101T000000Z"),
    )
    .unwrap();
    std::fs::create_dir(sandbox.path("data/notes/attachments")).unwrap();
}

fn all_there(sandbox: &Sandbox) -> bool {
    let of_notes = place(sandbox, "data/notes", b"caf\xe9.json").exists();
    let of_inbox = place(sandbox, "data/inbox", b"caf\xe9.txt").exists();
    let odd = ["notes/link.json", "inbox/pipe", "inbox/socket"];
    let mut odd = odd
        .map(|name| sandbox.path(&format!("data/{name}")))
        .into_iter();
    of_notes && of_inbox && odd.all(|path| path.symlink_metadata().is_ok())
}

#[test]
fn status_and_doctor_tell_of_what_is_not_taken_in() {
    let sandbox = Sandbox::quiet();
    sandbox.cli(&["notes", "add", "Buy tea."]).ended(0);
    let check = || {
        let report = sandbox.cli(&["doctor", "--format", "json"]).json();
        let checks = report["checks"].as_array().unwrap().clone();
        let mut checks = checks.into_iter();
        checks.find(|one| one["name"] == "ignored").unwrap()
    };
    assert_eq!(check()["status"], json!("ok"));
    odd_ones(&sandbox);
    let warnings = sandbox.json(&["status"])["warnings"].take();
    let warnings: Vec<String> = serde_json::from_value(warnings).unwrap();
    let checked = check();
    assert_eq!(checked["status"], json!("warn"));
    let message = checked["message"].as_str().unwrap();
    for told in TOLD {
        let of_it = warnings.iter().filter(|line| line.starts_with(told));
        assert_eq!(of_it.count(), 1, "{told}: {warnings:?}");
        assert!(message.contains(told), "{told}: {message}");
    }
    let told = warnings.iter().filter(|line| line.contains("not taken in"));
    assert_eq!(told.count(), TOLD.len(), "{warnings:?}");
    // Of many the number is told.
    for number in 0..20 {
        symlink("x", sandbox.path(&format!("data/notes/{number}"))).unwrap();
    }
    let text = sandbox.cli(&["status"]).ended(0).stdout;
    assert!(
        text.contains("data/notes: 17 more names of such a kind"),
        "{text}"
    );
    assert!(all_there(&sandbox));
}

#[test]
fn a_daemon_tells_of_each_once_and_takes_nothing_of_it() {
    let peer = worker();
    let sandbox = Sandbox::with(&peer);
    sandbox.cli(&["notes", "add", "Buy milk."]).ended(0);
    // Some are there at the start, and others come.
    symlink("x", sandbox.path("data/notes/early")).unwrap();
    let daemon = sandbox.resting();
    daemon.wait_for("data/notes/early is not taken in", 1);
    odd_ones(&sandbox);
    for told in TOLD {
        daemon.wait_for(told, 1);
    }
    // Another look at both folders, since something else comes.
    sandbox.write("data/inbox/request.txt", "Buy tea.");
    symlink("x", sandbox.path("data/notes/late")).unwrap();
    daemon.wait_for("data/notes/late is not taken in", 1);
    daemon.wait_for("run ended", 2);
    let (_, said) = daemon.end_by(Signal::TERM);
    for told in TOLD {
        assert_eq!(said.matches(told).count(), 1, "{told}: {said}");
        let line = said.lines().find(|line| line.contains(told)).unwrap();
        assert!(line.contains("WARN"), "{line}");
    }
    assert_eq!(
        said.matches("not taken in").count(),
        TOLD.len() + 2,
        "{said}"
    );
    assert!(all_there(&sandbox));
    assert_eq!(
        sandbox.json(&["runs", "list"])["pagination"]["total"],
        json!(2)
    );
}

/// A pipe where a note would be: whoever opened it would wait for ever.
#[test]
fn a_pipe_among_the_notes_holds_nobody_up() {
    let peer = worker();
    let sandbox = Sandbox::with(&peer);
    sandbox.cli(&["notes", "add", "Buy tea."]).ended(0);
    let pipe = sandbox.path("data/notes/pipe.json");
    mkfifoat(CWD, &pipe, Mode::RUSR | Mode::WUSR).unwrap();
    for words in [
        &["notes", "list"][..],
        &["notes", "search", "tea"],
        &["ram", "set", "key", "value"],
        &["run", "--task", "Remember tea"],
        &["audit", "verify"],
    ] {
        sandbox.cli(words).ended(0);
    }
    let warnings = sandbox.json(&["status"])["warnings"].to_string();
    let told = "data/notes/pipe.json is not taken in and stays where it is: it is a pipe";
    assert!(warnings.contains(told), "{warnings}");
    let daemon = sandbox.daemon();
    sandbox.cli(&["ram", "set", "key", "other"]).ended(0);
    let (status, said) = daemon.end_by(Signal::TERM);
    assert_eq!(status.code(), Some(0), "{said}");
    assert!(pipe.symlink_metadata().is_ok());
}
