//! A terminal that closes: `run` and `once` end as at any other request for an end, unless they were
//! started so that it does not concern them.

use super::sandbox::{DEADLINE, Running, Sandbox, answer, started, state_in};
use crate::peer::{Gate, Peer, Step};
use rustix::process::Signal;
use serde_json::json;

/// A model that waits with its first word.
fn waiting_peer(gate: &Gate) -> Peer {
    let waits = gate.clone();
    Peer::answering(move |request, index| {
        Step::reply(&answer(&state_in(request), index)).behind(&waits)
    })
}

#[test]
fn a_hang_up_ends_run_and_once_in_good_order_and_the_run_goes_on_later() {
    for verb in ["run", "once"] {
        let gate = Gate::default();
        let peer = waiting_peer(&gate);
        let sandbox = Sandbox::with(&peer);
        let run = sandbox.start(&[verb, "--task", "Remember tea"]);
        peer.wait_for_requests(1, DEADLINE);
        let (status, said) = run.end_by(Signal::HUP);
        assert_eq!(status.code(), Some(1), "{verb}: {said}");
        assert!(said.contains("interrupted"), "{verb}: {said}");
        let runs = sandbox.json(&["runs", "list"]);
        assert_eq!(runs["items"][0]["state"], json!("Running"), "{verb}");
        assert_eq!(sandbox.json(&["audit", "verify"])["ok"], json!(true));
        gate.open();
        let run = sandbox.json(&["run"]);
        assert_eq!(run["state"], json!("Succeeded"), "{verb}: {run}");
        assert_eq!(run["run_id"], runs["items"][0]["run_id"], "{verb}");
    }
}

#[test]
fn a_hang_up_that_was_ignored_at_the_start_stays_ignored() {
    let gate = Gate::default();
    let peer = waiting_peer(&gate);
    let sandbox = Sandbox::with(&peer);
    // What `nohup` does.
    let run: Running = started(sandbox.after("trap '' HUP", &["run", "--task", "Remember tea"]));
    peer.wait_for_requests(1, DEADLINE);
    run.signal(Signal::HUP);
    gate.open();
    let (status, said) = run.wait();
    assert_eq!(status.code(), Some(0), "{said}");
    let runs = sandbox.json(&["runs", "list"]);
    assert_eq!(runs["items"][0]["state"], json!("Succeeded"));
}
