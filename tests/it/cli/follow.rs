//! Waiting for a run: `ask --wait`, `runs watch`, and what `status` says meanwhile.

use super::sandbox::{DEADLINE, Sandbox, answer, names, state_in, thinking, until, worker};
use crate::peer::{Peer, Step};
use rustix::process::Signal;
use serde_json::{Value, json};

#[test]
fn the_words_after_ask_are_the_request() {
    let sandbox = Sandbox::quiet();
    let words = ["ask", "what", "do", "I", "have", "to", "buy"];
    let asked = sandbox.json(&words);
    let file: Value = serde_json::from_str(&sandbox.read(asked["file"].as_str().unwrap())).unwrap();
    assert_eq!(file["request"], json!("what do I have to buy"));
    sandbox.cli(&["ask"]).ended(2);
    sandbox.cli(&["ask", " ", ""]).ended(2);
}

#[test]
fn ask_with_wait_prints_what_was_changed() {
    let peer = worker();
    let sandbox = Sandbox::with(&peer);
    let daemon = sandbox.resting();
    let done = sandbox.cli(&["ask", "--wait", "Remember", "tea"]).ended(0);
    let lines: Vec<&str> = done.stdout.lines().collect();
    assert_eq!(lines.len(), 1, "{done:?}");
    assert!(lines[0].starts_with("+ Tea "), "{done:?}");
    assert!(!done.stderr.contains('\u{1b}'), "no terminal: {done:?}");
    let record = sandbox.json(&["ask", "--wait", "Remember more tea"]);
    assert_eq!(record["state"], json!("Succeeded"));
    assert_eq!(record["changed_notes"][0]["change"], json!("created"));
    let quiet = sandbox
        .cli(&["ask", "--wait", "Remember it", "-q"])
        .ended(0);
    assert_eq!(quiet.stderr, "");
    let listed = sandbox.cli(&["runs", "list"]).ended(0).stdout;
    assert!(listed.contains(lines[0]), "{listed}");
    let listed = sandbox.json(&["runs", "list"]);
    let title = &listed["items"][0]["changed_notes"][0]["title"];
    assert!(title.as_str().unwrap().starts_with("Tea "), "{listed:#}");
    assert_eq!(daemon.end_by(Signal::TERM).0.code(), Some(0));
}

#[test]
fn ask_with_wait_tells_why_a_run_failed() {
    let think = "<ram_add><key>think_log</key><value>-</value></ram_add>";
    let peer = Peer::answering(move |_, _| Step::reply(think));
    let sandbox = Sandbox::with(&peer);
    let daemon = sandbox.resting();
    let done = sandbox.cli(&["ask", "--wait", "Remember tea"]).ended(1);
    assert!(done.stderr.contains("error[NO_PROGRESS]: "), "{done:?}");
    assert!(done.stderr.contains("hint: "), "{done:?}");
    assert_eq!(daemon.end_by(Signal::TERM).0.code(), Some(0));
}

#[test]
fn nobody_is_waited_for_where_nobody_works() {
    let sandbox = Sandbox::quiet();
    let done = sandbox.cli(&["ask", "--wait", "Remember tea"]).ended(1);
    assert!(done.stderr.contains("error[DAEMON_BUSY]: "), "{done:?}");
    assert!(done.stderr.contains("kjxlkj-agent daemon"), "{done:?}");
    assert_eq!(names(&sandbox.path("data/inbox")).len(), 1, "it is kept");
    sandbox.cli(&["runs", "watch"]).ended(1);
}

#[test]
fn status_tells_how_far_the_answer_is_and_who_waits() {
    // Twelve words arrive, and then no more.
    let text = "word ".repeat(12);
    let whole = Step::streamed(&text);
    let bytes = whole.body_bytes();
    let end = b"\"finish_reason\":\"stop\"";
    let end = bytes.windows(end.len()).position(|it| it == end).unwrap();
    let end = bytes[..end]
        .windows(2)
        .rposition(|it| it == b"\n\n")
        .unwrap()
        + 2;
    let peer = Peer::answering(move |_, _| Step::streamed(&text).stall_after(end));
    let sandbox = Sandbox::with(&peer);
    let daemon = sandbox.daemon();
    peer.wait_for_requests(1, DEADLINE);
    for request in ["one", "two", "three", "four"] {
        sandbox.cli(&["ask", request]).ended(0);
    }
    let line = until("the words of `status`", || {
        let status = sandbox.cli(&["status"]).ended(0).stdout;
        let line = status.lines().find(|line| line.contains("asking "))?;
        line.contains(" 12 tokens").then(|| line.to_owned())
    });
    let words = line.trim_start_matches("doing").trim();
    let (model, rest) = words.split_once(" for ").unwrap();
    assert_eq!(model, "asking peer-model");
    let (seconds, rest) = rest.split_once(' ').unwrap();
    assert!(seconds.parse::<u64>().is_ok(), "{line}");
    assert_eq!(rest, "s, 12 tokens, 4 waiting");
    let asking = sandbox.json(&["status"])["daemon"]["asking"].clone();
    assert_eq!(asking["state"], json!("planning"));
    assert!(asking["run_id"].is_string(), "{asking}");
    assert_eq!(daemon.end_by(Signal::TERM).0.code(), Some(0));
}

#[test]
fn runs_watch_follows_the_run_under_way_to_its_end() {
    let (sandbox, _peer, gate, daemon) = thinking();
    let run_id = sandbox.json(&["runs", "list"])["items"][0]["run_id"].clone();
    let watch = sandbox.start(&["runs", "watch"]);
    watch.wait_for("[1] planning: asking peer-model for ", 1);
    let named = sandbox.start(&["runs", "watch", run_id.as_str().unwrap()]);
    named.wait_for("[1] planning", 1);
    gate.open();
    for watch in [watch, named] {
        let (status, said) = watch.wait();
        assert_eq!(status.code(), Some(0), "{said}");
        assert!(said.contains("+ Tea "), "{said}");
    }
    let unknown = "0192f0c4-7a11-5c9e-8000-000000000001";
    let done = sandbox.cli(&["runs", "watch", unknown]).ended(1);
    assert!(done.stderr.contains("RUN_NOT_FOUND"), "{done:?}");
    assert_eq!(daemon.end_by(Signal::TERM).0.code(), Some(0));
}

#[test]
fn a_daemon_ends_an_idle_question_for_a_request() {
    let peer = Peer::answering(|request, index| match state_in(request).as_str() {
        "idle" => Step::hang(),
        state => Step::reply(&answer(state, index)),
    });
    let sandbox = Sandbox::with(&peer);
    let idle = json!({"loop": {"idle_profile": "maintenance", "idle_delay_ms": 1}});
    sandbox.configure(&peer.base_url(), &idle);
    let daemon = sandbox.daemon();
    let is_idle = || {
        let status = sandbox.json(&["status"]);
        (status["daemon"]["asking"]["state"] == json!("idle")).then_some(())
    };
    until("an idle question", is_idle);
    sandbox.cli(&["ask", "--wait", "Remember tea"]).ended(0);
    until("the next idle question", is_idle);
    // A launch through the socket ends it as well.
    let launched = sandbox.json(&["runs", "launch", "--request", "Remember milk"]);
    let run_id = launched["run_id"].as_str().unwrap();
    sandbox.cli(&["runs", "watch", run_id]).ended(0);
    let runs = sandbox.json(&["runs", "list"]);
    let ended = runs["items"].as_array().unwrap().iter();
    let preempted = ended.filter(|run| run["stop_reason"] == json!("preempted"));
    assert_eq!(preempted.count(), 2, "{runs:#}");
    assert_eq!(daemon.end_by(Signal::TERM).0.code(), Some(0));
}
