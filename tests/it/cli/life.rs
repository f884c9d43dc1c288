//! The daemon's life: start, second start, signals, reload, sudden death.

#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test may stop at once, and it reads what the process shows of itself"
)]

use super::sandbox::{
    DEADLINE, Running, Sandbox, answer, last_message, names, started, state_in, until, worker,
};
use crate::peer::{Gate, Peer, Step};
use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use rustix::process::Signal;
use serde_json::{Value, json};
use std::io::{PipeReader, PipeWriter, Write as _};
use std::process::{Child, Stdio};

fn checkpoint(sandbox: &Sandbox) -> Value {
    serde_json::from_str(&sandbox.read("data/journal/checkpoint.json")).unwrap()
}

#[test]
fn a_signal_during_a_call_ends_the_daemon_well() {
    for signal in [Signal::TERM, Signal::INT] {
        let peer = Peer::start();
        peer.push(Step::hang());
        let sandbox = Sandbox::with(&peer);
        let daemon = sandbox.start(&["daemon"]);
        peer.wait_for_requests(1, DEADLINE);
        let (status, said) = daemon.end_by(signal);
        assert_eq!(status.code(), Some(0), "{said}");
        assert!(said.contains("started"), "{said}");
        assert!(said.contains("stopped"), "{said}");
        assert!(said.contains("peer-model"), "the model is named: {said}");
        assert_eq!(checkpoint(&sandbox)["clean"], json!(true));
        assert_eq!(sandbox.kv()["state"], json!("planning"));
        let runs = sandbox.json(&["runs", "list"]);
        assert_eq!(runs["items"][0]["state"], json!("Running"));
        assert_eq!(runs["items"][0]["trigger"], json!("manual"));
    }
}

/// A pipe into which nothing goes any more: whoever writes to it hangs.
fn full_pipe() -> (PipeReader, PipeWriter) {
    let (reader, mut writer) = std::io::pipe().unwrap();
    let flags = fcntl_getfl(&writer).unwrap();
    fcntl_setfl(&writer, flags | OFlags::NONBLOCK).unwrap();
    for bytes in [&[b'x'; 4096][..], b"x"] {
        while writer.write(bytes).is_ok() {}
    }
    fcntl_setfl(&writer, flags).unwrap();
    (reader, writer)
}

/// A daemon that hangs in its own log, so that its loop cannot end by itself.
fn hanging(sandbox: &Sandbox, log: PipeWriter) -> Child {
    let mut command = sandbox.command(&["daemon"]);
    let child = command.stderr(log).stdout(Stdio::null()).spawn().unwrap();
    let id = child.id();
    until("handlers of signals", || {
        let status = std::fs::read_to_string(format!("/proc/{id}/status")).unwrap();
        let caught = status
            .lines()
            .find_map(|line| line.strip_prefix("SigCgt:"))?;
        let caught = u64::from_str_radix(caught.trim(), 16).unwrap();
        let both = 1 << (Signal::TERM.as_raw() - 1) | 1 << (Signal::INT.as_raw() - 1);
        (caught & both == both).then_some(())
    });
    child
}

#[test]
fn a_second_signal_ends_it_at_once() {
    let (reader, writer) = full_pipe();
    let sandbox = Sandbox::quiet();
    let mut child = hanging(&sandbox, writer);
    let pid = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(pid, Signal::TERM).unwrap();
    rustix::process::kill_process(pid, Signal::INT).unwrap();
    let status = until("the end", || child.try_wait().unwrap());
    assert_eq!(status.code(), Some(130));
    drop(reader);
}

#[test]
fn a_daemon_that_hangs_is_ended_by_one_signal_and_goes_on_at_the_next_start() {
    let (reader, writer) = full_pipe();
    let peer = worker();
    let sandbox = Sandbox::with(&peer);
    let mut child = hanging(&sandbox, writer);
    let pid = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(pid, Signal::TERM).unwrap();
    // Neither the loop nor the line about it comes through; the end does.
    let status = until("the end", || child.try_wait().unwrap());
    assert_eq!(status.code(), Some(1));
    drop(reader);
    sandbox.start(&["daemon"]).end_well(&sandbox);
}

#[test]
fn what_a_stop_had_still_to_do_is_said_and_all_that_was_committed_stands() {
    let peer = Peer::answering(|request, index| match state_in(request).as_str() {
        "executing" => Step::hang(),
        state => Step::reply(&answer(state, index)),
    });
    let sandbox = Sandbox::with(&peer);
    // Nobody reads what it prints of the run, so it cannot end by itself once all is written.
    let (reader, writer) = full_pipe();
    let mut command = sandbox.command(&["run", "--format", "json"]);
    command.stdout(writer).stderr(Stdio::piped());
    let run = Running::watch(command.spawn().unwrap());
    drop(command);
    peer.wait_for_requests(2, DEADLINE);
    let (status, said) = run.end_by(Signal::TERM);
    assert_eq!(status.code(), Some(1), "{said}");
    assert!(said.contains("STOP_OVERDUE"), "{said}");
    assert!(said.contains("everything is written"), "{said}");
    drop(reader);
    assert_eq!(checkpoint(&sandbox)["clean"], json!(true));
    let runs = sandbox.json(&["runs", "list"]);
    assert_eq!(runs["items"][0]["state"], json!("Running"));
    assert_eq!(runs["items"][0]["loop_count"], json!(1));
    assert_eq!(sandbox.json(&["audit", "verify"])["ok"], json!(true));
}

#[test]
fn only_one_daemon_works_on_a_root_at_a_time() {
    let peer = Peer::start();
    peer.push(Step::hang());
    let sandbox = Sandbox::with(&peer);
    let daemon = sandbox.start(&[]);
    peer.wait_for_requests(1, DEADLINE);
    let pid = daemon.id().to_string();
    for arguments in [&["daemon"][..], &["once"], &["run", "--task", "x"]] {
        let done = sandbox.cli(arguments).ended(75);
        assert!(done.stderr.contains("error[DATA_LOCKED]"), "{done:?}");
        assert!(done.stderr.contains(&pid), "the holder is named: {done:?}");
        assert_eq!(done.stdout, "");
    }
    let done = sandbox.cli(&["once", "--format", "json"]).ended(75);
    assert_eq!(done.error()["code"], json!("DATA_LOCKED"));
    assert_eq!(done.error()["retryable"], json!(true));

    // Readers and `ask` go on beside it.
    let mut status = sandbox.json(&["status"]);
    let providers = status["daemon"]["providers"].take();
    assert_eq!(
        providers[0]["lastCheckTime"],
        json!(null),
        "nothing is known yet"
    );
    // Its files were read when it began.
    assert!(status["daemon"]["read_at"].take().is_string());
    let asking = status["daemon"]["asking"].take();
    assert_eq!(
        (&asking["model"], &asking["tokens"]),
        (&json!("peer-model"), &json!(0))
    );
    assert_eq!(
        status["daemon"],
        json!({"running": true, "pid": daemon.id(), "waiting": null, "next_idle_at": null,
               "asking": null, "providers": null, "read_at": null})
    );
    let asked = sandbox.cli(&["ask", "buy tea"]).ended(0);
    assert_eq!(asked.stderr, "", "no hint beside a daemon");
    assert_eq!(daemon.end_by(Signal::TERM).0.code(), Some(0));
    let status = sandbox.json(&["status"]);
    assert_eq!(
        status["daemon"],
        json!({"running": false, "pid": null, "waiting": null, "next_idle_at": null,
               "providers": []})
    );
}

#[test]
fn a_request_is_done_and_the_kv_file_is_whole_at_every_moment() {
    let peer = worker();
    let sandbox = Sandbox::with(&peer);
    let daemon = sandbox.start(&["daemon"]);
    let rest = || {
        until("rest", || {
            let path = sandbox.path("data/agent-kv-store.json");
            path.exists().then(|| sandbox.kv())?["state"]
                .as_str()
                .filter(|state| *state == "idle")
                .map(drop)
        });
    };
    // The run of the first start writes a note of its own.
    rest();
    let before = peer.request_count();
    let run_id = sandbox.json(&["ask", "Remember: buy tea"])["run_id"].clone();
    let run_id = run_id.as_str().unwrap().to_owned();
    let record = until("the end of the run", || {
        let text = sandbox.read("data/agent-kv-store.json");
        let kv: Value = serde_json::from_str(&text).expect("a whole file");
        assert_eq!(text, format!("{kv:#}\n"), "pretty-printed");
        let done = sandbox.cli(&["runs", "show", &run_id, "--format", "json"]);
        let record = (done.code == Some(0)).then(|| done.json())?;
        matches!(record["state"].as_str(), Some("Succeeded" | "Failed")).then_some(record)
    });
    assert_eq!(record["state"], json!("Succeeded"), "{record:#}");
    assert_eq!(record["trigger"], json!("request"));
    let first = peer.requests()[before].clone();
    assert_eq!(state_in(&first), "planning");
    assert!(last_message(&first).contains("Remember: buy tea"));
    // The journal tells of the end a moment before the file does.
    rest();
    assert_eq!(daemon.end_by(Signal::TERM).0.code(), Some(0));
}

#[test]
fn a_killed_daemon_goes_on_where_it_was_and_does_nothing_twice() {
    let gate = Gate::default();
    let hanging = gate.clone();
    let first = Peer::answering(move |request, index| match state_in(request).as_str() {
        "evaluating" => Step::hang().behind(&hanging),
        state => Step::reply(&answer(state, index)),
    });
    let sandbox = Sandbox::with(&first);
    let daemon = sandbox.start(&["daemon"]);
    first.wait_for_requests(3, DEADLINE);
    let (status, _) = daemon.end_by(Signal::KILL);
    assert_eq!(status.code(), None, "killed");
    gate.open();
    drop(first);
    let before = sandbox.json(&["runs", "list"]);
    assert_eq!(before["items"][0]["loop_count"], json!(2));
    assert_eq!(before["items"][0]["state"], json!("Running"));

    let second = worker();
    sandbox.configure(&second.base_url(), &json!({}));
    let record = sandbox.json(&["run", "-q"]);
    assert_eq!(record["run_id"], before["items"][0]["run_id"]);
    assert_eq!(record["state"], json!("Succeeded"), "{record:#}");
    assert_eq!(record["loop_count"], json!(3));
    assert_eq!(second.request_count(), 1, "only what was not committed");
    assert_eq!(
        sandbox.json(&["notes", "list"])["pagination"]["total"],
        json!(1)
    );
    assert_eq!(sandbox.json(&["audit", "verify"])["ok"], json!(true));
}

#[test]
fn a_hang_up_reads_the_files_again_and_keeps_the_last_good_ones() {
    let (first, second) = (worker(), worker());
    let sandbox = Sandbox::with(&first);
    let daemon = sandbox.start(&["daemon"]);
    let rest = |times: usize| daemon.wait_for("run ended", times);
    rest(1);

    sandbox.configure(
        &second.base_url(),
        &json!({"provider": {"model": "another"}}),
    );
    second.push_models(Step::json(&json!({"data": [{"id": "another"}]})));
    daemon.signal(Signal::HUP);
    daemon.wait_for("reloaded", 1);
    let asked_first = first.request_count();
    sandbox.cli(&["ask", "to the second"]).ended(0);
    rest(2);
    assert_eq!(first.request_count(), asked_first);
    assert!(second.request_count() > 0);
    let body = second.requests()[0].json();
    assert_eq!(body["model"], json!("another"));

    sandbox.write(
        "data/config.json",
        &sandbox
            .read("data/config.json")
            .replace("\"max_stay\": 5", "\"max_stay\": -5")
            .replace("\"segment_bytes\": 8388608", "\"segment_bytes\": \"big\""),
    );
    daemon.signal(Signal::HUP);
    daemon.wait_for("nothing was reloaded", 1);
    let said = daemon.said();
    for key in ["loop.max_stay", "journal.segment_bytes"] {
        assert!(said.contains(key), "{key} is named: {said}");
    }
    let asked_second = second.request_count();
    sandbox.cli(&["ask", "still there?"]).ended(0);
    let request = json!({"request": "still there?"}).to_string();
    sandbox.write("data/inbox/hand.json", &request);
    rest(4);
    assert!(second.request_count() > asked_second);
    assert_eq!(daemon.end_by(Signal::TERM).0.code(), Some(0));
}

#[test]
fn a_server_that_is_away_is_told_and_a_hang_up_ends_the_wait() {
    let sandbox = Sandbox::quiet();
    let daemon = sandbox.start(&["daemon"]);
    // The third wait is four seconds long and grows: nobody comes back by itself soon.
    daemon.wait_for("LLM_UNAVAILABLE", 3);
    let status = sandbox.json(&["status"]);
    let waiting = &status["daemon"]["waiting"];
    assert_eq!(waiting["code"], json!("LLM_UNAVAILABLE"), "{status:#}");
    assert!(
        waiting["message"]
            .as_str()
            .unwrap()
            .contains("no connection"),
        "{waiting}"
    );
    let text = sandbox.cli(&["status"]).ended(0).stdout;
    assert!(
        text.contains("waiting") && text.contains("LLM_UNAVAILABLE"),
        "{text}"
    );
    let health = &status["daemon"]["providers"][0];
    assert_eq!(health["provider"], "lmstudio", "{status:#}");
    assert_eq!(health["available"], json!(false));
    assert!(
        health["consecutiveFailures"].as_u64() >= Some(3),
        "{health:#}"
    );
    assert!(health["lastFailureTime"].is_string() && health["lastSuccessTime"].is_null());
    assert!(text.contains("lmstudio failed "), "{text}");
    assert_eq!(status["runs"]["running"], json!(1), "nothing has failed");
    let peer = worker();
    sandbox.configure(&peer.base_url(), &json!({}));
    daemon.signal(Signal::HUP);
    peer.wait_for_requests(1, DEADLINE);
    daemon.wait_for("run ended", 1);
    let runs = sandbox.json(&["runs", "list"]);
    assert_eq!(runs["items"][0]["state"], json!("Succeeded"), "{runs:#}");
    let status = sandbox.json(&["status"]);
    assert_eq!(status["daemon"]["waiting"], json!(null));
    let health = &status["daemon"]["providers"][0];
    assert_eq!(
        (&health["available"], &health["circuitState"]),
        (&json!(true), &json!("closed")),
        "{status:#}"
    );
    assert!(health["lastSuccessTime"].is_string());
    assert_eq!(daemon.end_by(Signal::TERM).0.code(), Some(0));
}

#[test]
fn a_bad_file_stops_everything_before_any_call_or_write() {
    type Spoil = fn(&Sandbox);
    fn prompt(sandbox: &Sandbox, change: impl Fn(&mut Value)) {
        let mut file: Value =
            serde_json::from_str(&sandbox.read("data/agent-prompt.json")).unwrap();
        change(&mut file);
        sandbox.write("data/agent-prompt.json", &file.to_string());
    }
    let cases: [(&str, &str, Spoil); 9] = [
        ("k088", "PROMPT_JSON_INVALID", |sandbox| {
            let text = sandbox.read("data/agent-prompt.json");
            sandbox.write("data/agent-prompt.json", &text[..text.len() / 2]);
        }),
        ("k089", "PROMPT_SCHEMA_INVALID", |sandbox| {
            prompt(sandbox, |file| {
                drop(file.as_object_mut().unwrap().remove("agent_name"));
            });
        }),
        ("k014", "PROMPT_SCHEMA_INVALID", |sandbox| {
            prompt(sandbox, |file| file["agent_name"] = json!("somebody"));
        }),
        ("k090", "PROMPT_SCHEMA_INVALID", |sandbox| {
            prompt(sandbox, |file| {
                drop(file.as_object_mut().unwrap().remove("segments"));
            });
        }),
        ("k091", "PROMPT_SEGMENT_EMPTY", |sandbox| {
            prompt(sandbox, |file| file["segments"][0]["prompt"] = json!(""));
        }),
        ("k091 blank", "PROMPT_SEGMENT_EMPTY", |sandbox| {
            prompt(sandbox, |file| {
                file["segments"][0]["prompt"] = json!(" \n\t");
            });
        }),
        ("no prompt", "PROMPT_JSON_INVALID", |sandbox| {
            std::fs::remove_file(sandbox.path("data/agent-prompt.json")).unwrap();
        }),
        ("no config", "CONFIG_JSON_INVALID", |sandbox| {
            std::fs::remove_file(sandbox.path("data/config.json")).unwrap();
        }),
        ("l046", "CONFIG_SCHEMA_INVALID", |sandbox| {
            let text = sandbox
                .read("data/config.json")
                .replace("\"max_stay\": 5", "\"max_stay\": []");
            sandbox.write("data/config.json", &text);
        }),
    ];
    for (row, code, spoil) in cases {
        let peer = Peer::start();
        let sandbox = Sandbox::with(&peer);
        spoil(&sandbox);
        let before = sandbox.snapshot();
        for verb in ["daemon", "once", "run"] {
            let done = sandbox.cli(&[verb]).ended(78);
            assert!(
                done.stderr.contains(&format!("error[{code}]")),
                "{row}: {done:?}"
            );
            assert!(done.stderr.contains("\nhint: "), "{row}: {done:?}");
            assert_eq!(done.stdout, "", "{row}");
        }
        let done = sandbox.cli(&["--format=json"]).ended(78);
        assert_eq!(done.error()["code"], json!(code), "{row}");
        assert_eq!(peer.connection_count(), 0, "{row}");
        assert_eq!(sandbox.snapshot(), before, "{row}");
    }
}

#[test]
fn every_problem_of_both_files_is_told_at_once() {
    let sandbox = Sandbox::quiet();
    let text = sandbox.read("data/config.json");
    let text = text
        .replace("\"max_stay\": 5", "\"max_stay\": -5")
        .replace("\"auto_advance\": true", "\"auto_advance\": 7");
    sandbox.write("data/config.json", &text);
    let prompt = sandbox.read("data/agent-prompt.json");
    sandbox.write(
        "data/agent-prompt.json",
        &prompt.replace("\"yolo\"", "\"wild\""),
    );
    let done = sandbox.cli(&["daemon"]).ended(78);
    for what in ["loop.max_stay", "loop.auto_advance", "default_mode"] {
        assert!(done.stderr.contains(what), "{what}: {done:?}");
    }
    let check = sandbox
        .cli(&["config", "check", "--format", "json"])
        .ended(78);
    assert_eq!(check.json()["ok"], json!(false));
    assert_eq!(check.json()["problems"].as_array().unwrap().len(), 3);
}

#[test]
fn damaged_data_is_refused_and_left_as_it_is() {
    let peer = worker();
    let sandbox = Sandbox::with(&peer);
    sandbox.cli(&["run", "--task", "x"]).ended(0);
    let segment = "data/journal/00000001.jsonl";
    let text = sandbox.read(segment);
    // One digit of a digest in the middle.
    let changed = text.replacen("\"Tea 1\"", "\"Tee 1\"", 1);
    assert_ne!(text, changed);
    sandbox.write(segment, &changed);
    let before = sandbox.snapshot();
    let checked = sandbox
        .cli(&["audit", "verify", "--format", "json"])
        .ended(1);
    assert_eq!(checked.json()["ok"], json!(false));
    assert_eq!(
        checked.json()["first_bad"]["segment"],
        json!("00000001.jsonl")
    );
    let code = &checked.json()["first_bad"]["code"];
    assert_eq!(code, "JOURNAL_TAMPERED", "the code that a start ends with");
    let text = sandbox.cli(&["audit", "verify"]).ended(1).stdout;
    assert!(text.contains("damaged"), "{text}");
    assert!(text.contains("JOURNAL_TAMPERED"), "{text}");
    assert_eq!(sandbox.snapshot(), before);
    let told = sandbox.cli(&["doctor"]).ended(1).stdout;
    assert!(told.contains("fail  journal"), "{told}");
    assert!(told.contains("00000001.jsonl, line"), "{told}");
    assert!(told.contains("JOURNAL_TAMPERED: commit"), "{told}");

    // A start reads only what follows the checkpoint; the rest is read as soon as it works.
    let checkpoint = sandbox.read("data/journal/checkpoint.json");
    for work in [&["run", "--task", "y"][..], &["once"], &["daemon"]] {
        let done = sandbox.cli(work).ended(65);
        assert!(done.stderr.contains("error[JOURNAL_TAMPERED]"), "{done:?}");
        assert!(done.stderr.contains("00000001.jsonl, line"), "{done:?}");
        assert_eq!(sandbox.read("data/journal/checkpoint.json"), checkpoint);
    }

    std::fs::remove_file(sandbox.path("data/journal/checkpoint.json")).unwrap();
    let before = sandbox.snapshot();
    let done = sandbox.cli(&["daemon"]).ended(65);
    assert!(done.stderr.contains("error[JOURNAL_TAMPERED]"), "{done:?}");
    assert!(done.stderr.contains("00000001.jsonl"), "{done:?}");
    let after = sandbox.snapshot();
    let without_lock = |files: &[(std::path::PathBuf, Vec<u8>)]| {
        let kept = files
            .iter()
            .filter(|(path, _)| !path.ends_with("daemon.lock"));
        kept.cloned().collect::<Vec<_>>()
    };
    assert_eq!(without_lock(&after), without_lock(&before));
    assert_eq!(
        names(&sandbox.path("data/quarantine")),
        Vec::<String>::new()
    );
}

#[test]
fn a_lost_journal_is_never_taken_for_an_empty_root() {
    let peer = worker();
    let sandbox = Sandbox::with(&peer);
    sandbox.cli(&["run", "--task", "x"]).ended(0);
    std::fs::remove_dir_all(sandbox.path("data/journal")).unwrap();
    for (verb, code) in [
        (&["status"][..], 65),
        (&["notes", "list"], 65),
        (&["ram", "list"], 65),
        (&["audit", "head"], 65),
        (&["audit", "verify"], 1),
        (&["doctor"], 1),
        (&["ram", "set", "a", "1"], 65),
        (&["run", "--task", "y"], 65),
        (&["daemon"], 65),
    ] {
        let done = sandbox.cli(verb).ended(code);
        let told = done.stdout + &done.stderr;
        assert!(
            told.contains("is a note with a history"),
            "{verb:?}: {told}"
        );
    }
    let verified = sandbox.cli(&["audit", "verify", "--format", "json"]);
    assert_eq!(verified.ended(1).json()["ok"], json!(false));
    // The folder is there to be locked, and no journal was begun in it.
    let mut begun = std::fs::read_dir(sandbox.path("data/journal")).unwrap();
    assert!(begun.next().is_none());
}

#[test]
fn a_torn_tail_is_told_and_no_damage() {
    let peer = worker();
    let sandbox = Sandbox::with(&peer);
    sandbox.cli(&["run", "--task", "x"]).ended(0);
    let segment = "data/journal/00000001.jsonl";
    for (torn, bytes) in [("", 0), ("{\"v\":1,\"seq\"", 12)] {
        sandbox.write(segment, &(sandbox.read(segment) + torn));
        let verified = sandbox.json(&["audit", "verify"]);
        assert_eq!(
            (&verified["ok"], &verified["torn_bytes"]),
            (&json!(true), &json!(bytes))
        );
        let text = sandbox.cli(&["audit", "verify"]).ended(0).stdout;
        assert!(text.contains("intact"), "{text}");
        let told = sandbox.cli(&["doctor"]).stdout;
        assert!(told.contains("ok    journal"), "{told}");
        for text in [text, told] {
            let words = "12 bytes, put aside at the next start";
            assert_eq!(text.contains(words), bytes > 0, "{text}");
            assert_eq!(text.contains("torn tail"), bytes > 0, "{text}");
        }
    }
}

#[test]
fn runs_beyond_memory_are_listed_and_never_run_again() {
    let think = "<ram_add><key>think_log</key><value>-</value></ram_add>";
    let peer = Peer::answering(move |_, _| Step::reply(think));
    let sandbox = Sandbox::with(&peer);
    sandbox.configure(&peer.base_url(), &json!({"loop": {"max_iterations": 1}}));
    let name = |number: usize| format!("data/inbox/0192f0c4-7a11-7c9e-8000-{number:012}.json");
    let drop_in = |number: usize| {
        let request = json!({"request": format!("request {number}")}).to_string();
        sandbox.write(&name(number), &request);
    };
    std::fs::create_dir_all(sandbox.path("data/inbox")).unwrap();
    (0..210).for_each(drop_in);
    let daemon = sandbox.start(&["daemon"]);
    daemon.wait_for("run ended", 211);
    let list = |arguments: &[&str]| sandbox.json(&[&["runs", "list"], arguments].concat());
    let all = list(&["--limit", "1000"]);
    assert_eq!(all["pagination"]["total"], json!(211));
    let oldest = &all["items"][210];
    assert_eq!(oldest["trigger"], json!("manual"));
    let part = list(&["--limit", "2", "--offset", "208"]);
    assert_eq!(
        part["pagination"],
        json!({"total": 211, "limit": 2, "offset": 208, "hasMore": true})
    );
    assert_eq!(part["items"], json!([all["items"][208], all["items"][209]]));
    assert_eq!(part["items"][1]["request"], json!("request 0"));
    let failed = list(&["--state", "failed"])["pagination"]["total"].clone();
    let well = list(&["--state", "Succeeded"])["pagination"]["total"].clone();
    assert_eq!((failed, well), (json!(210), json!(1)));
    assert_eq!(list(&["--state", "queued"])["items"], json!([]));
    sandbox.cli(&["runs", "list", "--state", "done"]).ended(2);
    let shown = sandbox.json(&["runs", "show", oldest["run_id"].as_str().unwrap()]);
    assert_eq!(shown["trigger"], json!("manual"));
    assert_eq!(
        shown["operations"].as_array().unwrap().len(),
        1,
        "{shown:#}"
    );
    let text = sandbox
        .cli(&["runs", "list", "--offset", "209"])
        .ended(0)
        .stdout;
    assert!(
        text.contains("request 0") && text.contains("2 of 211"),
        "{text}"
    );

    assert_eq!(daemon.end_by(Signal::TERM).0.code(), Some(0));
    let daemon = sandbox.start(&["daemon"]);
    drop_in(0);
    drop_in(210);
    until("the end of the new request", || {
        let newest = list(&["--limit", "1"])["items"][0].clone();
        let over = newest["state"] == json!("Failed") && newest["request"] == json!("request 210");
        over.then_some(())
    });
    assert!(!sandbox.path(&name(0)).exists());
    assert_eq!(names(&sandbox.path("data/inbox/.taken")), [""; 0]);
    assert_eq!(peer.request_count(), 212, "the old one was not asked again");
    assert_eq!(daemon.end_by(Signal::TERM).0.code(), Some(0));
    let total = list(&[])["pagination"]["total"].clone();
    assert_eq!(total, json!(212), "the new request alone");
}

#[test]
fn a_hang_up_changes_the_level_of_the_log_and_names_what_waits_for_the_next_start() {
    let peer = worker();
    let sandbox = Sandbox::with(&peer);
    let mut command = sandbox.command(&["daemon"]);
    command.env("KJXLKJ_API_TOKEN", "0123456789abcdef");
    sandbox.give_work();
    let daemon = started(command);
    daemon.wait_for("run ended", 1);
    assert!(!daemon.said().contains("DEBUG"), "{}", daemon.said());
    let changes = json!({
        "log": {"level": "debug", "format": "json"},
        "memory": {"kv_store_path": "./data/elsewhere.json"},
        "provider": {"launch": {"command": ["/bin/false"]}},
        "api": {"socket": false, "tcp": "127.0.0.1:1"},
    });
    sandbox.configure(&peer.base_url(), &changes);
    daemon.signal(Signal::HUP);
    daemon.wait_for("reloaded", 1);
    let waits: Vec<String> = daemon.said().lines().map(str::to_owned).collect();
    for key in kjxlkj_agent::config::TAKEN_AT_START {
        let named = |line: &&String| line.contains(key) && line.contains("next start");
        assert_eq!(waits.iter().filter(named).count(), 1, "{key}: {waits:#?}");
    }
    sandbox.cli(&["ask", "More"]).ended(0);
    daemon.wait_for("run ended", 2);
    daemon.wait_for("DEBUG", 1);
    assert!(!sandbox.path("data/elsewhere.json").exists());
    assert_eq!(sandbox.kv()["state"], json!("idle"), "where it was");

    sandbox.configure(&peer.base_url(), &json!({"log": {"level": "error"}}));
    daemon.signal(Signal::HUP);
    let before = peer.request_count();
    sandbox.cli(&["ask", "Even more"]).ended(0);
    until("the last run", || {
        let runs = sandbox.json(&["runs", "list", "--state", "succeeded"]);
        (runs["pagination"]["total"] == json!(3)).then_some(())
    });
    assert!(peer.request_count() > before);
    let (status, said) = daemon.end_by(Signal::TERM);
    assert_eq!(status.code(), Some(0), "{said}");
    assert_eq!(said.matches("run ended").count(), 2, "quiet since: {said}");
}

#[test]
fn a_folder_that_others_may_write_in_is_told_at_the_start() {
    use std::os::unix::fs::PermissionsExt as _;
    for (mode, told) in [(0o700, 0), (0o770, 1), (0o702, 1)] {
        let peer = worker();
        let sandbox = Sandbox::with(&peer);
        let permissions = std::fs::Permissions::from_mode(mode);
        std::fs::set_permissions(sandbox.path("data"), permissions).unwrap();
        let daemon = sandbox.start(&["daemon"]);
        daemon.wait_for("run ended", 1);
        let (_, said) = daemon.end_by(Signal::TERM);
        let count = said.matches("other users may write in the folder").count();
        assert_eq!(count, told, "{mode:o}: {said}");
        let report = sandbox.cli(&["doctor"]).stdout;
        assert_eq!(
            report.contains("warn  folder"),
            told == 1,
            "{mode:o}: {report}"
        );
    }
}
