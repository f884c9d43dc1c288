//! A key of a provider, in front of a server that says it back in every way: the program says it
//! nowhere, and writes it into no file.

use super::canary::{Searched, search_one_in};
use super::sandbox::{DEADLINE, Done, Sandbox, finished, started};
use crate::peer::{Peer, Step};
use rustix::process::Signal;
use serde_json::json;

const KEY: &str = "sk-or-v1-9f8e7d6c5b4a39281706f5e4d3c2b1a0";

/// An answer that holds the key wherever one can be put.
fn echo(index: usize) -> Step {
    let words = format!("you sent `Authorization: Bearer {KEY}`, you know");
    let error = json!({"error": {"message": words, "code": words, "type": words,
        "metadata": {"raw": words, "provider_name": words}}});
    let step = match index % 4 {
        0 => Step::status(500).body(error.to_string()),
        1 => Step::status(302).header("location", &format!("http://127.0.0.1:1/?key={KEY}")),
        2 => Step::json(&error),
        _ => Step::status(400).body(words.clone()),
    };
    step.header("x-echo", &words).header("set-cookie", &words)
}

#[test]
fn a_key_stands_in_no_log_no_answer_and_no_file() {
    let peer = Peer::answering(|_, index| echo(index));
    let sandbox = Sandbox::with(&peer);
    sandbox.configure(
        &peer.base_url(),
        &json!({
            "provider": {"provider_kind": "openrouter"},
            "retry": {"max_retries": 3, "base_delay_ms": 1},
        }),
    );
    let command = |arguments: &[&str]| {
        let mut command = sandbox.command(arguments);
        command.env("OPENROUTER_API_KEY", KEY);
        command
    };
    sandbox.give_work();
    let daemon = started(command(&["daemon", "-vvvv"]));
    peer.wait_for_requests(2, DEADLINE);
    daemon.wait_for("the call failed and is repeated", 1);
    let (_, said) = daemon.end_by(Signal::TERM);
    assert!(said.contains("PROVIDER_SERVER_ERROR"), "{said}");
    let mut told = vec![said];
    for arguments in [
        &["doctor"][..],
        &["doctor", "--format", "json"],
        &["call", "openrouter", "geese", "-vvvv"],
        &["config", "show", "--format", "json"],
        &["status"],
        &["runs"],
        &["audit"],
    ] {
        let Done { stdout, stderr, .. } = finished(command(arguments));
        told.extend([stdout, stderr]);
    }
    let bearer = format!("Bearer {KEY}");
    let sent = peer.requests();
    assert!(
        sent.iter()
            .all(|it| it.header("authorization") == Some(&bearer))
    );
    for (path, bytes) in sandbox.snapshot() {
        told.push(format!(
            "{} {}",
            path.display(),
            String::from_utf8_lossy(&bytes)
        ));
    }
    for told in told {
        assert!(!told.contains(&KEY[9..]), "{told}");
    }
}

/// The short form of what the campaign `hostile` does with every server.
#[test]
fn a_canary_is_carried_off_by_no_error_path() {
    let searched = search_one_in(10);
    assert_eq!(searched.leaks, Vec::<String>::new());
    assert_eq!(searched.missed, Vec::<String>::new());
    assert!(searched.paths > 200, "{} paths", searched.paths);
}

#[test]
fn a_canary_is_seen_where_it_stands() {
    let mut searched = Searched::default();
    searched.look("here", b"nothing");
    assert!(searched.leaks.is_empty());
    searched.look("there", b"Bearer SK-OR-v1-canary-6D1F0E9B7A53C284");
    assert_eq!((searched.leaks.len(), searched.texts), (1, 2));
}
