//! Few descriptors, and calls that are interrupted for ever: what is asked for is refused clearly or goes
//! on, and a daemon is never ended by whoever only connects.

use super::sandbox::{Sandbox, finished, started, worker};
use rustix::process::Signal;
use serde_json::json;
use std::os::unix::net::UnixStream;
use std::path::PathBuf;

/// More than a shell's small limit has room for, several times.
const IDLE: usize = 200;

#[test]
fn idle_connections_never_end_a_daemon_with_few_descriptors_nor_keep_others_out() {
    let peer = worker();
    let sandbox = Sandbox::with(&peer);
    sandbox.give_work();
    let daemon = started(sandbox.after("ulimit -n 64", &["daemon"]));
    drop(sandbox.connect());
    daemon.wait_for("run ended", 1);
    let path = sandbox.path("data/control.sock");
    // Whoever finds the queue full waits in `connect`, so each is a thread of its own.
    let idle: Vec<_> = (0..IDLE)
        .map(|_| {
            let path = path.clone();
            std::thread::spawn(move || UnixStream::connect(path).unwrap())
        })
        .collect();
    for number in 0..5 {
        let key = format!("key{number}");
        sandbox.cli(&["ram", "set", &key, "value"]).ended(0);
        let task = format!("Remember tea{}", " again".repeat(number));
        sandbox.cli(&["ask", &task]).ended(0);
        daemon.wait_for("run ended", 2 + number);
        assert_eq!(sandbox.kv()[&key], json!("value"));
    }
    let idle: Vec<UnixStream> = idle.into_iter().map(|it| it.join().unwrap()).collect();
    sandbox.cli(&["ram", "set", "last", "value"]).ended(0);
    drop(idle);
    let (status, said) = daemon.end_by(Signal::TERM);
    assert_eq!(status.code(), Some(0), "{said}");
    assert_eq!(sandbox.json(&["audit", "verify"])["ok"], json!(true));
    assert_eq!(sandbox.json(&["notes", "list"])["pagination"]["total"], 6);
}

#[test]
fn too_few_descriptors_are_told_and_never_panic() {
    let sandbox = Sandbox::quiet();
    for limit in (6..=46).step_by(2) {
        let words = format!("ulimit -n {limit}");
        for arguments in [&["daemon"][..], &["once"], &["call", "lmstudio", "hello"]] {
            let done = finished(sandbox.after(&words, arguments));
            assert!(!done.stderr.contains("panicked"), "{limit}: {done:?}");
            assert!(done.stderr.contains("error["), "{limit}: {done:?}");
            if arguments == ["daemon"] || limit <= 12 {
                assert_eq!(done.code, Some(74), "{limit} {arguments:?}: {done:?}");
            }
        }
    }
    let done = finished(sandbox.after("ulimit -n 12", &["once", "--format", "json"])).ended(74);
    assert_eq!(done.error()["code"], json!("TOO_MANY_OPEN_FILES"));
    assert_eq!(done.error()["retryable"], json!(true));
    assert!(done.stderr.contains("LimitNOFILE"), "{done:?}");
}

#[test]
fn a_soft_limit_is_raised_as_far_as_is_needed_and_allowed() {
    let peer = worker();
    let sandbox = Sandbox::with(&peer);
    let daemon = started(sandbox.after("ulimit -S -n 16", &["daemon"]));
    drop(sandbox.connect());
    sandbox.cli(&["ram", "set", "key", "value"]).ended(0);
    assert_eq!(daemon.end_by(Signal::TERM).0.code(), Some(0));
}

#[test]
fn a_sync_that_is_interrupted_for_ever_ends_the_program_as_any_failed_one() {
    let sandbox = Sandbox::quiet();
    let inject = ["-e", "inject=fsync,fdatasync,syncfs:error=EINTR"];
    let Some(mut command) = sandbox.traced(&inject, &["ram", "set", "key", "value"]) else {
        return;
    };
    command.stdout(std::process::Stdio::null());
    let (status, said) = started(command).wait();
    assert_eq!(status.code(), Some(74), "{said}");
    // Nothing is half done: what comes next begins where this ended.
    sandbox.cli(&["ram", "set", "key", "other"]).ended(0);
    assert_eq!(sandbox.kv()["key"], json!("other"));
}

/// What a person writes is written outside the store, by `init` and by the verbs that change such a file.
#[test]
fn a_file_of_a_person_whose_write_is_interrupted_for_ever_stays_as_it_was() {
    let rule = json!({"trigger": "manual"}).to_string();
    let inject = ["-e", "inject=fsync,fdatasync,syncfs:error=EINTR"];
    for words in [
        &["init", "--offline"][..],
        &["config", "set", "retry.max_retries", "4"],
        &["rules", "add", &rule],
    ] {
        let sandbox = if words.contains(&"init") {
            Sandbox::empty()
        } else {
            Sandbox::quiet()
        };
        let before = written_by_a_person(&sandbox);
        let Some(command) = sandbox.traced(&inject, words) else {
            return;
        };
        let (status, said) = started(command).wait();
        assert_eq!(status.code(), Some(74), "{words:?}: {said}");
        assert!(said.contains("DISK_ERROR"), "{words:?}: {said}");
        assert_eq!(written_by_a_person(&sandbox), before, "{words:?}");
        sandbox.cli(words).ended(0);
        assert_ne!(written_by_a_person(&sandbox), before, "{words:?}");
    }
}

/// The files of a person, and drafts of them.
fn written_by_a_person(sandbox: &Sandbox) -> Vec<(PathBuf, Vec<u8>)> {
    let mut files = sandbox.snapshot();
    files.retain(|(path, _)| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.contains("config.json") || name.contains("rules.json")
    });
    files
}
