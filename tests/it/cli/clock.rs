//! The real program under a clock that is wrong, by `libfaketime` where that is installed.

use super::sandbox::{Sandbox, finished, started, until, worker};
use rustix::process::Signal;
use serde_json::{Value, json};
use std::path::Path;
use std::process::Command;

/// Where Debian and others put the library.
const LIBRARIES: [&str; 4] = [
    "/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1",
    "/usr/lib/aarch64-linux-gnu/faketime/libfaketime.so.1",
    "/usr/lib64/faketime/libfaketime.so.1",
    "/usr/lib/faketime/libfaketime.so.1",
];

/// The program with a clock that begins at that time.
fn at(sandbox: &Sandbox, time: &str, arguments: &[&str]) -> Option<Command> {
    let library = LIBRARIES
        .into_iter()
        .find(|path| Path::new(path).exists())?;
    let mut command = sandbox.command(arguments);
    command
        .env("LD_PRELOAD", library)
        .env("FAKETIME", format!("@{time}"))
        .env("FAKETIME_DONT_FAKE_MONOTONIC", "1")
        .env("NO_FAKE_STAT", "1");
    Some(command)
}

/// A machine without a battery begins in 1970, and west of Greenwich some begin before it.
#[test]
fn a_clock_before_1970_ends_nothing() {
    for time in ["1969-12-31 12:00:00", "1903-05-06 07:08:09"] {
        let (peer, year) = (worker(), &time[..4]);
        let sandbox = Sandbox::with(&peer);
        let Some(version) = at(&sandbox, time, &["--version"]) else {
            eprintln!("skipped: libfaketime is not installed");
            return;
        };
        finished(version).ended(0);
        let run = |arguments: &[&str]| finished(at(&sandbox, time, arguments).unwrap());
        let verbs: [&[&str]; 9] = [
            &["status"],
            &["ram", "set", "mood", "calm"],
            &["notes", "add", "text", "--title", "Old"],
            &["notes", "list"],
            &["ask", "Remember tea"],
            &["rules", "list"],
            &["rules", "reconcile"],
            &["runs", "list"],
            &["audit", "verify"],
        ];
        for verb in verbs {
            let done = run(verb).ended(0);
            assert!(!done.stderr.contains("panicked"), "{done:?}");
        }
        let record = run(&["run", "--task", "Remember tea", "--format", "json"]);
        let record: Value = record.ended(0).json();
        let began = record["started_at"].as_str().unwrap();
        assert!(began.starts_with(year), "{record}");
        let run_id = record["run_id"].as_str().unwrap();
        run(&["runs", "undo", run_id]).ended(0);

        let daemon = started(at(&sandbox, time, &["daemon"]).unwrap());
        drop(sandbox.connect());
        // At the socket, where each answer has a date, it is said what is wrong.
        let done = run(&["ram", "set", "mood", "wild", "--format", "json"]).ended(1);
        let error = done.error();
        assert_eq!(error["code"], json!("DAEMON_BUSY"), "{error}");
        let message = error["message"].as_str().unwrap();
        assert!(message.contains("before 1970"), "{error}");
        until("the request from before", || {
            let runs = sandbox.json(&["runs", "list"]);
            let runs = runs["items"].as_array().unwrap().clone();
            let ended = |run: &Value| run["completed_at"].is_string();
            (runs.len() == 2 && runs.iter().all(ended)).then_some(())
        });
        let (status, said) = daemon.end_by(Signal::TERM);
        assert_eq!(status.code(), Some(0), "{said}");
        assert!(!said.contains("panicked"), "{said}");
        assert_eq!(sandbox.kv()["mood"], json!("calm"));
        run(&["audit", "verify"]).ended(0);
    }
}
