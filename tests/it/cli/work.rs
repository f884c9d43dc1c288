//! `once`, `run` and `ask`: the main job, from the command line to the notes on disk.

use super::sandbox::{DEADLINE, Sandbox, names, worker};
use crate::peer::{NOBODY, Peer, Step};
use kjxlkj_agent::ids::{EventId, RunId};
use rustix::process::Signal;
use serde_json::{Value, json};

/// The fields of a run record, in the order of the contract.
const FIELDS: [&str; 25] = [
    "run_id",
    "rule_id",
    "triggering_event_id",
    "trigger",
    "state",
    "stop_reason",
    "error_code",
    "agent_name",
    "provider",
    "model",
    "mode",
    "prompt_hash",
    "parser_version",
    "window",
    "loop_count",
    "operation_count",
    "rejected_count",
    "ignored_count",
    "usage",
    "queued_at",
    "started_at",
    "completed_at",
    "request",
    "attempt",
    "proposals_waiting",
];

#[test]
fn a_server_that_is_still_loading_is_there_and_none_is_launched_beside_it() {
    let peer = worker();
    peer.push_models(Step::status(503).body(r#"{"error":{"message":"Loading model"}}"#));
    let sandbox = Sandbox::with(&peer);
    let launch = json!({"command": ["touch", "launched"], "ready_timeout_ms": 20_000});
    let launch = json!({"provider": { "launch": launch }});
    sandbox.configure(&peer.base_url(), &launch);
    sandbox.cli(&["run", "--task", "Remember tea"]).ended(0);
    assert!(!sandbox.path("launched").exists());

    sandbox.configure(NOBODY[0], &launch);
    sandbox.cli(&["run", "--task", "Remember milk"]).ended(1);
    assert!(sandbox.path("launched").exists(), "nobody was there");
}

#[test]
fn a_task_is_done_and_its_record_printed() {
    let peer = worker();
    let sandbox = Sandbox::with(&peer);
    let arguments = ["run", "--task", "Remember tea", "--format", "json"];
    let done = sandbox.cli(&arguments).ended(0);
    let record = done.json();
    let mut at = 0;
    for field in FIELDS {
        let quoted = format!("\n  \"{field}\": ");
        let found = done.stdout[at..].find(&quoted);
        at += found.unwrap_or_else(|| panic!("{field} in its place: {}", done.stdout));
    }
    assert_eq!(record.as_object().unwrap().len(), FIELDS.len());
    assert_eq!(record["state"], json!("Succeeded"));
    assert_eq!(record["stop_reason"], json!("done"));
    assert_eq!(record["agent_name"], json!("kjxlkj-agent"));
    assert_eq!(record["provider"], json!("lmstudio"));
    assert_eq!(record["loop_count"], json!(3));
    assert_eq!(record["operation_count"], json!(5));
    assert_eq!(
        record["usage"],
        json!({"calls": 3, "input_tokens": 33, "output_tokens": 21})
    );
    assert_eq!(record["request"], json!("Remember tea"));

    // The run's id follows from workspace and event.
    let config: Value = serde_json::from_str(&sandbox.read("data/config.json")).unwrap();
    let workspace = config["scope"]["workspace_id"].as_str().unwrap();
    let event = record["triggering_event_id"].as_str().unwrap();
    let expected = RunId::derive(workspace.parse().unwrap(), &EventId(event.to_owned()));
    assert_eq!(record["run_id"], json!(expected.to_string()));

    let notes = names(&sandbox.path("data/notes"));
    assert_eq!(notes.len(), 1);
    let note: Value =
        serde_json::from_str(&sandbox.read(&format!("data/notes/{}", notes[0]))).unwrap();
    assert_eq!(note["title"], json!("Tea 1"));
    assert_eq!(note["created_by"]["run_id"], record["run_id"]);
}

#[test]
fn progress_is_talk_and_the_record_is_data() {
    let peer = worker();
    let sandbox = Sandbox::with(&peer);
    let done = sandbox.cli(&["run", "--task", "Remember tea"]).ended(0);
    for part in [
        "Remember tea",
        "[2] executing -> evaluating",
        "11 tokens in, 7 out",
        "applied   record_add",
        "commit ",
        "run ended: Succeeded",
    ] {
        assert!(done.stderr.contains(part), "{part}: {}", done.stderr);
    }
    assert!(done.stdout.starts_with("run "), "{}", done.stdout);
    assert!(done.stdout.contains("Succeeded (done)"), "{}", done.stdout);
    assert!(!done.stdout.contains('\u{1b}') && !done.stderr.contains('\u{1b}'));
    let quiet = sandbox.cli(&["run", "-q", "--task", "again"]).ended(0);
    assert_eq!(quiet.stderr, "");
}

#[test]
fn once_runs_exactly_one_iteration_of_the_open_run() {
    let peer = worker();
    let sandbox = Sandbox::with(&peer);
    let first = sandbox.json(&["once", "--task", "Remember tea"]);
    assert_eq!(first["state"], json!("Running"));
    assert_eq!(first["loop_count"], json!(1));
    assert_eq!(peer.request_count(), 1);
    let second = sandbox.json(&["once"]);
    assert_eq!(second["run_id"], first["run_id"]);
    assert_eq!(second["loop_count"], json!(2));
    let third = sandbox.json(&["once"]);
    assert_eq!(third["run_id"], first["run_id"]);
    assert_eq!(third["state"], json!("Succeeded"));
    assert_eq!(peer.request_count(), 3);
    // With nothing open and nothing asked, a run without a request is opened.
    let fourth = sandbox.json(&["once"]);
    assert_ne!(fourth["run_id"], first["run_id"]);
    assert_eq!(fourth["trigger"], json!("manual"));
    assert_eq!(fourth["request"], json!(null));
    // A new task waits for the open run.
    let arguments = ["once", "--task", "Something else"];
    let done = sandbox.cli(&arguments).ended(0);
    let open = fourth["run_id"].as_str().unwrap();
    assert!(done.stdout.contains(open), "{done:?}");
    assert!(done.stderr.contains("waits for run"), "{done:?}");
}

#[test]
fn first_come_first_served() {
    let peer = worker();
    let sandbox = Sandbox::with(&peer);
    let first = sandbox.json(&["once", "--task", "first"]);
    let second = sandbox.json(&["run", "--task", "second"]);
    assert_eq!(second["request"], json!("second"));
    assert_eq!(second["state"], json!("Succeeded"));
    let first_id = first["run_id"].as_str().unwrap();
    let first = sandbox.json(&["runs", "show", first_id]);
    assert_eq!(first["state"], json!("Succeeded"));
    assert!(first["completed_at"].as_str() <= second["started_at"].as_str());
}

#[test]
fn what_was_asked_is_worked_on_by_the_next_run() {
    let peer = worker();
    let sandbox = Sandbox::with(&peer);
    let done = sandbox.cli(&["ask", " Remember tea\n"]).ended(0);
    assert!(
        done.stderr.contains("hint: no daemon runs here"),
        "{done:?}"
    );
    let run_id = done.stdout.trim();
    assert_eq!(peer.connection_count(), 0);
    let record = sandbox.json(&["run"]);
    assert_eq!(record["run_id"], json!(run_id));
    assert_eq!(record["request"], json!("Remember tea"));
    assert_eq!(record["trigger"], json!("request"));
    assert_eq!(names(&sandbox.path("data/inbox/done")).len(), 1);
}

#[test]
fn requests_that_ask_nothing_or_too_much_are_refused() {
    let sandbox = Sandbox::quiet();
    for arguments in [
        &["ask", " \n"][..],
        &["run", "--task", ""],
        &["once", "--task", " "],
    ] {
        let done = sandbox.cli(arguments).ended(2);
        assert!(done.stderr.contains("error[USAGE]"), "{done:?}");
    }
    let long = "x".repeat(70_000);
    let done = sandbox.cli(&["ask", &long]).ended(1);
    assert!(done.stderr.contains("error[LIMIT_EXCEEDED]"), "{done:?}");
    assert!(!sandbox.path("data/inbox").exists());
    assert!(!sandbox.path("data/journal").exists());
}

#[test]
fn a_run_that_has_nothing_to_do_asks_no_model() {
    let peer = worker();
    let sandbox = Sandbox::with(&peer);
    let set = ["config", "set", "loop.protocol", "steps"];
    sandbox.cli(&set).ended(0);
    for verb in ["run", "once"] {
        let done = sandbox.cli(&[verb]).ended(2);
        assert!(done.stderr.contains("there is nothing to do"), "{done:?}");
    }
    assert_eq!(peer.request_count(), 0);
    assert!(
        sandbox.json(&["runs", "list"])["items"]
            .as_array()
            .is_some_and(Vec::is_empty)
    );
}

#[test]
fn a_run_that_fails_says_so_with_exit_1() {
    let prose = Peer::answering(|_, _| Step::reply("I will do it at once, I promise."));
    let sandbox = Sandbox::with(&prose);
    let done = sandbox
        .cli(&["run", "--task", "x", "--format", "json"])
        .ended(1);
    assert_eq!(done.json()["state"], json!("Failed"));
    assert_eq!(done.json()["error_code"], json!("XML_PARSE_ERROR"));
    assert_eq!(prose.request_count(), 3, "asked again twice");
    let done = sandbox.cli(&["once", "--task", "x"]).ended(1);
    assert!(done.stdout.contains("Failed (XML_PARSE_ERROR)"), "{done:?}");
    let status = sandbox.json(&["status"]);
    assert_eq!(
        status["last_failures"][0]["error_code"],
        json!("XML_PARSE_ERROR")
    );

    let sandbox = Sandbox::quiet();
    let done = sandbox
        .cli(&["run", "--task", "x", "--format", "json"])
        .ended(1);
    assert_eq!(done.error()["code"], json!("LLM_UNAVAILABLE"), "{done:?}");
    assert_eq!(done.stdout, "", "the run stays open");
    let again = sandbox.cli(&["once", "--task", "y"]).ended(1);
    let open = sandbox.json(&["status"])["runs"]["open"].clone();
    let kept = |index: usize| {
        let run_id = open[index]["run_id"].as_str().unwrap();
        format!("The request is kept as run {run_id}; `run` without --task goes on with it.")
    };
    assert_eq!(done.error()["hints"][0], json!(kept(0)));
    assert!(again.stderr.contains(&kept(1)), "{again:?}");
    let alone = sandbox.cli(&["run"]).ended(1);
    assert!(!alone.stderr.contains("is kept as run"), "{alone:?}");

    let peer = worker();
    let sandbox = Sandbox::with(&peer);
    let arguments = ["run", "--task", "x", "--max-iterations", "1"];
    let done = sandbox.cli(&arguments).ended(1);
    assert!(done.stdout.contains("ITERATION_LIMIT"), "{done:?}");
    assert_eq!(peer.request_count(), 1);
}

#[test]
fn an_interrupted_run_stays_open_and_goes_on() {
    let first = Peer::start();
    first.push(Step::hang());
    let sandbox = Sandbox::with(&first);
    let run = sandbox.start(&["run", "--task", "Remember tea"]);
    first.wait_for_requests(1, DEADLINE);
    let (status, said) = run.end_by(Signal::INT);
    assert_eq!(status.code(), Some(1), "{said}");
    assert!(said.contains("goes on at the next start"), "{said}");
    assert!(said.contains("Running"), "the record is printed: {said}");
    let second = worker();
    sandbox.configure(&second.base_url(), &json!({}));
    let record = sandbox.json(&["run"]);
    assert_eq!(record["request"], json!("Remember tea"));
    assert_eq!(record["state"], json!("Succeeded"));
    assert!(said.contains(record["run_id"].as_str().unwrap()), "{said}");
}

#[test]
fn a_launched_program_that_ends_at_once_is_told_and_none_is_started_where_somebody_answers() {
    // The program that is launched is nobody's model server: it ends at once, and that is told.
    let sandbox = Sandbox::quiet();
    let command =
        json!({"command": ["sh", "-c", "echo no model here; exit 3"], "ready_timeout_ms": 60000});
    sandbox.configure(NOBODY[0], &json!({"provider": {"launch": command}}));
    let done = sandbox.cli(&["run", "--task", "x"]).ended(1);
    assert!(done.stderr.contains("error[LLM_UNAVAILABLE]"), "{done:?}");
    assert!(done.stderr.contains("no model here"), "{done:?}");

    // Where somebody answers already, nothing is started.
    let peer = worker();
    sandbox.configure(&peer.base_url(), &json!({"provider": {"launch": command}}));
    let record = sandbox.json(&["run", "--task", "x"]);
    assert_eq!(record["state"], json!("Succeeded"));
    assert_eq!(
        peer.models_asked(),
        4,
        "whether it is there, what it has, and with which window"
    );

    // A daemon lives on without it.
    sandbox.configure(NOBODY[0], &json!({"provider": {"launch": command}}));
    let daemon = sandbox.start(&["daemon"]);
    daemon.wait_for("no model here", 2);
    assert_eq!(daemon.end_by(Signal::TERM).0.code(), Some(0));
}

#[test]
fn a_scripted_provider_plays_its_script() {
    let sandbox = Sandbox::empty();
    let script = json!({"provider_kind": "scripted", "model": "data/script.jsonl"});
    sandbox.configure(NOBODY[0], &json!({ "provider": script }));
    let done = sandbox.cli(&["run", "--task", "x"]).ended(78);
    assert!(done.stderr.contains("data/script.jsonl"), "{done:?}");
    let lines = ["planning", "executing", "evaluating"].map(|state| {
        let text = super::sandbox::answer(state, 0);
        json!({ "text": text }).to_string()
    });
    sandbox.write("data/script.jsonl", &lines.join("\n"));
    let record = sandbox.json(&["run", "--task", "x"]);
    assert_eq!(record["state"], json!("Succeeded"), "{record:#}");
    assert_eq!(record["provider"], json!("scripted"));
}

#[test]
#[expect(
    clippy::disallowed_methods,
    reason = "a test looks at the files itself"
)]
fn the_recorded_demonstration_does_the_main_job_and_says_that_it_is_one() {
    let sandbox = Sandbox::quiet();
    let done = sandbox.cli(&["demo", "--recorded"]).ended(0);
    assert!(!done.stderr.contains("asking the model"), "nobody is asked");
    assert!(done.stderr.contains("playing the next reply"), "{done:?}");
    assert!(done.stderr.contains("RECORDING: replies of "), "{done:?}");
    assert!(done.stderr.contains("record_update"), "{done:?}");
    assert_eq!(done.stdout.matches("Succeeded: ").count(), 3, "{done:?}");
    assert!(done.stdout.contains("data/notes"), "{done:?}");
    for told in [
        "  + Car: ",
        "      before: ",
        "      after:  ",
        "(from: Parking ticket)",
    ] {
        assert!(done.stdout.contains(told), "{told}: {done:?}");
    }
    let root = done.stderr.split("scratch folder: ").nth(1).unwrap();
    let root = root.lines().next().unwrap().trim();
    let corrected = std::fs::read_dir(std::path::Path::new(root).join("data/notes"))
        .unwrap()
        .map(|file| std::fs::read_to_string(file.unwrap().path()).unwrap())
        .filter(|note| note.contains("level 4") && !note.contains("level 2"));
    assert_eq!(corrected.count(), 1, "one note says where the car is now");
    std::fs::remove_dir_all(root).unwrap();
}
