//! `stop`: the daemon of the root ends in good order, and nobody else is ended.

use super::sandbox::{DEADLINE, Sandbox, thinking, worker};
use crate::peer::{Gate, Peer, Step};
use rustix::process::Signal;
use serde_json::json;

#[test]
fn stop_ends_the_daemon_of_the_root_and_waits_for_it() {
    let peer = worker();
    let sandbox = Sandbox::with(&peer);
    let none = sandbox.json(&["stop"]);
    assert_eq!(none, json!({"stopped": false, "process": null}));
    let said = sandbox.cli(&["stop"]).ended(0);
    assert!(said.stdout.starts_with("no daemon runs in "), "{said:?}");

    let daemon = sandbox.resting();
    let process = daemon.id();
    assert_eq!(
        sandbox.json(&["stop"]),
        json!({"stopped": true, "process": process})
    );
    // The folder is free by now.
    sandbox.cli(&["ram", "set", "mood", "calm"]).ended(0);
    let (status, said) = daemon.wait();
    assert_eq!(status.code(), Some(0), "{said}");
    assert_eq!(sandbox.json(&["audit", "verify"])["ok"], json!(true));
    assert_eq!(sandbox.json(&["stop"])["stopped"], false);
}

#[test]
fn stop_ends_a_daemon_in_the_middle_of_a_question() {
    let (sandbox, _peer, _gate, daemon) = thinking();
    assert_eq!(sandbox.json(&["stop"])["stopped"], true);
    assert_eq!(daemon.wait().0.code(), Some(0));
}

#[test]
fn stop_signals_a_daemon_that_has_no_socket() {
    let peer = worker();
    let sandbox = Sandbox::with(&peer);
    sandbox.configure(&peer.base_url(), &json!({"api": {"socket": false}}));
    let daemon = sandbox.start(&["daemon"]);
    daemon.wait_for("run ended", 1);
    let process = daemon.id();
    assert_eq!(
        sandbox.json(&["stop"]),
        json!({"stopped": true, "process": process})
    );
    assert_eq!(daemon.wait().0.code(), Some(0));
}

#[test]
fn stop_leaves_a_run_alone() {
    let gate = Gate::default();
    let peer = Peer::answering(move |_, _| Step::reply("").behind(&gate));
    let sandbox = Sandbox::with(&peer);
    let run = sandbox.start(&["run", "--task", "buy tea"]);
    peer.wait_for_requests(1, DEADLINE);
    let refused = sandbox.cli(&["stop", "--format", "json"]).ended(75).error();
    assert_eq!(refused["code"], "DATA_LOCKED");
    assert!(refused.to_string().contains("no daemon runs"), "{refused}");
    drop(run.end_by(Signal::TERM));
}
