//! Run records: what opened a run, what it came to, and that the same trigger never runs twice.

#![expect(clippy::unwrap_used, reason = "a test may stop at once")]

use crate::agent::{ram_add, record_add};
use crate::lab::{Lab, Seen, ask, live, messages, stop_after, succeeded};
use crate::peer::{Peer, Step};
use kjxlkj_agent::core::journal::Hash;
use kjxlkj_agent::core::run::{Run, RunState, StopReason, Trigger};
use kjxlkj_agent::daemon::hold;
use kjxlkj_agent::failure::Code;
use kjxlkj_agent::ids::{EventId, RunId};
use kjxlkj_agent::limits::RUNS_FINISHED_KEPT;
use kjxlkj_agent::provider::ScriptedProvider;
use kjxlkj_agent::provider::Sleeper as _;
use kjxlkj_agent::store::disk::RealDisk;
use kjxlkj_agent::store::{RunPage, RunQuery, read_state, run_with_audit, runs_page};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// The model's next replies serve a request.
pub(crate) fn good_run(lab: &Lab) {
    for reply in good_replies() {
        lab.says(&reply);
    }
}

/// Three replies that serve a request.
pub(crate) fn good_replies() -> [String; 3] {
    [
        ram_add("plan", "p"),
        record_add("T", "v"),
        ram_add("think_log", "ok"),
    ]
}

#[tokio::test]
async fn a_good_run_has_a_full_record() {
    let mut lab = Lab::new();
    good_run(&lab);
    let run = lab.run("keep this").await;
    assert!(succeeded(&run));
    assert_eq!(
        (run.stop_reason, run.error_code),
        (Some(StopReason::Done), None)
    );
    assert_eq!(
        (run.trigger, run.request.as_deref()),
        (Trigger::Request, Some("keep this"))
    );
    assert_eq!(
        (run.loop_count, run.operation_count, run.usage.calls),
        (3, 3, 3)
    );
    assert_eq!((run.usage.input_tokens, run.usage.output_tokens), (33, 21));
    assert_eq!(run.provider.as_deref(), Some("lmstudio"));
    assert_eq!(run.model.as_deref(), Some("peer-model"));
    assert_eq!(
        run.parser_version.as_deref(),
        Some(kjxlkj_agent::core::protocol::PARSER_VERSION)
    );
    let prompt = Hash::of(lab.text("data/agent-prompt.json").as_bytes()).to_string();
    assert_eq!(run.prompt_hash, Some(prompt), "of the prompt file's bytes");
    let (queued, started) = (run.queued_at, run.started_at.unwrap());
    assert!(queued <= started && started <= run.completed_at.unwrap());
    let event = EventId("keep this".to_owned());
    let workspace = lab.config.scope.workspace_id;
    assert_eq!(run.run_id, RunId::derive(workspace, &event));
    assert_eq!(lab.runs(), [run], "as it reads after a restart");
}

#[tokio::test]
async fn each_iteration_tells_the_hash_of_its_messages() {
    let mut lab = Lab::new();
    good_run(&lab);
    lab.run("keep this").await;
    for (index, iteration) in (0..3).zip(1..) {
        let body = lab.peer.requests()[index].json();
        let hashes = messages(&body)
            .into_iter()
            .map(|text| Hash::of(text.as_bytes()));
        let expected = Hash::of_all(hashes).to_string();
        let audit = lab.audit();
        let entry = audit
            .iter()
            .find(|entry| entry.iteration == Some(iteration))
            .unwrap();
        assert_eq!(entry.prompt_hash.as_deref(), Some(expected.as_str()));
    }
}

#[tokio::test]
async fn runs_are_seen_queued_and_running_while_the_model_thinks() {
    let root: Arc<Mutex<PathBuf>> = Arc::default();
    let seen: Arc<Mutex<Vec<Vec<RunState>>>> = Arc::default();
    let peer = Peer::answering({
        let (root, seen) = (Arc::clone(&root), Arc::clone(&seen));
        move |_, _| {
            let mut disk = RealDisk::open(&root.lock().unwrap(), false).unwrap();
            let state = read_state(&mut disk, Path::new("data/agent-kv-store.json")).unwrap();
            let mut states: Vec<RunState> =
                state.runs.newest_first().map(|run| run.state).collect();
            states.reverse();
            seen.lock().unwrap().push(states);
            Step::reply(&ram_add("n", "1"))
        }
    });
    let mut lab = Lab::with_peer(peer);
    *root.lock().unwrap() = lab.root().to_path_buf();
    lab.config.r#loop.max_iterations = Some(1);
    let mut agent = lab.start();
    let mut ids = Vec::new();
    for event in ["a", "b"] {
        let queued = agent.queue(EventId(event.to_owned()), Trigger::Manual, None);
        ids.push(queued.await.unwrap());
    }
    for id in ids {
        agent.drive(id).await.unwrap();
    }
    let seen = seen.lock().unwrap();
    assert_eq!(seen[0], [RunState::Running, RunState::Queued]);
    // Open runs come last: the first one has ended.
    assert_eq!(seen[1], [RunState::Succeeded, RunState::Running]);
}

#[tokio::test]
async fn the_same_event_never_runs_twice_not_even_after_a_restart() {
    let mut lab = Lab::new();
    good_run(&lab);
    let first = lab.run("keep this").await;
    let mut agent = lab.start();
    let again = ask(&mut agent, "keep this").await;
    assert_eq!(again, first);
    let stepped = agent.step(first.run_id).await.unwrap();
    assert_eq!(stepped, first);
    assert_eq!(lab.peer.request_count(), 3, "nobody was asked again");
    assert_eq!(lab.notes().len(), 1);
}

#[tokio::test]
async fn failed_runs_have_their_record_too() {
    let mut lab = Lab::new();
    lab.config.r#loop.parse_retries = 0;
    lab.says("no instruction");
    good_run(&lab);
    for _ in 0..3 {
        lab.says(&ram_add("think_log", "thinking"));
    }
    let mut agent = lab.start();
    let mut runs: Vec<Run> = Vec::new();
    for request in ["bad", "good", "lazy"] {
        runs.push(ask(&mut agent, request).await);
    }
    agent.close().unwrap();
    let codes: Vec<_> = runs.iter().map(|run| (run.state, run.error_code)).collect();
    assert_eq!(
        codes,
        [
            (RunState::Failed, Some(Code::XmlParseError)),
            (RunState::Succeeded, None),
            (RunState::Failed, Some(Code::NoProgress)),
        ]
    );
    assert_eq!(lab.runs(), runs);
    assert_eq!(lab.kv()["state"], "idle", "the daemon goes on");
}

#[tokio::test]
async fn the_bound_of_iterations_holds() {
    let mut lab = Lab::new();
    lab.config.r#loop.max_iterations = Some(3);
    for _ in 0..3 {
        lab.says(&ram_add("steps", "for ever"));
    }
    let run = lab.run("never ends").await;
    assert_eq!(
        (run.loop_count, run.error_code),
        (3, Some(Code::IterationLimit))
    );
    assert_eq!(run.stop_reason, Some(StopReason::MaxIterations));
    assert_eq!(lab.peer.request_count(), 3);
}

#[tokio::test]
async fn one_call_is_one_iteration_and_repeats_stay_inside_it() {
    for unreadable in [0, 1, 2] {
        let mut lab = Lab::new();
        for _ in 0..unreadable {
            lab.says("no instruction");
        }
        good_run(&lab);
        let run = lab.run("keep this").await;
        assert!(succeeded(&run));
        let replies = 3 + unreadable;
        assert_eq!((run.loop_count, run.usage.calls), (3, replies));
        assert_eq!(lab.peer.request_count() as u64, replies);
        let committed = lab.eyes.seen().into_iter().filter_map(|seen| match seen {
            Seen::Committed { usage, .. } => Some(usage.calls),
            Seen::Began(..)
            | Seen::Asking(..)
            | Seen::Unreadable(_)
            | Seen::Notice(_)
            | Seen::Waiting(..) => None,
        });
        assert_eq!(committed.collect::<Vec<_>>(), [1 + unreadable, 1, 1]);
    }
}

#[tokio::test]
async fn a_script_in_the_place_of_the_server_changes_nothing_else() {
    let mut asked = Lab::new();
    good_run(&asked);
    let over_http = asked.run("keep this").await;

    let mut lab = Lab::new();
    let lines = good_replies().map(|text| json!({ "text": text }).to_string());
    let provider = ScriptedProvider::from_text("rehearsal", &lines.join("\n")).unwrap();
    let held = hold(lab.root()).unwrap();
    let mut agent = lab.start_with(held, Box::new(provider));
    let run = ask(&mut agent, "keep this").await;
    assert!(succeeded(&run) && succeeded(&over_http));
    assert_eq!(run.provider.as_deref(), Some("scripted"));
    assert_eq!((lab.notes().len(), lab.peer.request_count()), (1, 0));
    assert_eq!(lab.decided(), asked.decided());
    assert_eq!(lab.kv(), asked.kv());
    assert_eq!(lab.notes()[0]["value"], asked.notes()[0]["value"]);
    assert_eq!(run.progress, over_http.progress);
}

#[tokio::test]
async fn the_journal_tells_the_phases_of_an_iteration_in_order() {
    let mut lab = Lab::new();
    good_run(&lab);
    lab.run("keep this").await;
    let journal = lab.text("data/journal/00000001.jsonl");
    let commits = journal.lines().map(|line| line.parse::<Value>().unwrap());
    let second = commits
        .filter(|commit| commit["events"][0]["type"] == "iteration.done")
        .nth(1)
        .unwrap();
    let kinds = second["events"].as_array().unwrap().iter();
    let kinds: Vec<&str> = kinds.map(|event| event["type"].as_str().unwrap()).collect();
    // Asked and answered; applied; what became of each instruction; what the files now hold.
    assert_eq!(
        kinds,
        [
            "iteration.done",
            "note.created",
            "ram.set",
            "instruction.decided",
            "views.written"
        ]
    );
    let (done, decided) = (&second["data"][0], &second["data"][3]);
    assert_eq!(done["state"], "executing");
    assert_eq!(done["messages_hash"].as_str().unwrap().len(), 64);
    assert_eq!(
        (&done["iteration"], &done["usage"]["calls"]),
        (&json!(2), &json!(1))
    );
    assert_eq!(
        (&decided["op"], &decided["outcome"]),
        (&json!("record_add"), &json!("applied"))
    );
}

#[tokio::test]
async fn the_agents_name_stands_in_every_record() {
    let mut lab = Lab::with_peer(Peer::answering(|_, _| {
        Step::reply(&ram_add("think_log", "-"))
    }));
    let mut agent = lab.start();
    stop_after(&lab, 5);
    live(&mut agent).await;
    drop(agent);
    let runs = lab.runs();
    assert_eq!(runs.len(), 3, "the first start, and two idle iterations");
    assert!(runs.iter().all(|run| run.agent_name == "kjxlkj-agent"));
}

/// The list of models of a server, and of LM Studio's own list those that are loaded.
fn lists(lab: &Lab, listed: &[&str], loaded: &[&str]) {
    let list = |models: &[&str], state: &str| -> Vec<Value> {
        let entry = |id: &&str| json!({"id": id, "state": state, "type": "llm"});
        models.iter().map(entry).collect()
    };
    lab.peer
        .push_models(Step::json(&json!({ "data": list(listed, "?") })));
    if listed.is_empty() || listed.contains(&"peer-model") {
        return;
    }
    let mut own = list(listed, "not-loaded");
    own.extend(list(loaded, "loaded"));
    own.push(json!({"id": "words", "state": "loaded", "type": "embeddings"}));
    lab.peer.push_models(Step::json(&json!({ "data": own })));
}

#[tokio::test]
async fn the_model_that_is_there_is_asked_and_recorded() {
    for (listed, loaded, model) in [
        (&["big", "peer-model"][..], &[][..], "peer-model"),
        (&["only"], &[], "only"),
        (&["big", "small"], &["small"], "small"),
        (&[], &["small"], "peer-model"),
    ] {
        let mut lab = Lab::new();
        lists(&lab, listed, loaded);
        good_run(&lab);
        let run = lab.run("keep this").await;
        assert!(succeeded(&run));
        assert_eq!(run.model.as_deref(), Some(model));
        let asked = lab.peer.requests();
        assert!(asked.iter().all(|request| request.json()["model"] == model));
        let notices = lab.eyes.notices();
        let told = notices.iter().filter(|it| it.contains("is asked instead"));
        assert_eq!(
            told.count(),
            usize::from(model != "peer-model"),
            "{notices:?}"
        );
    }
}

#[tokio::test]
async fn among_several_models_none_is_chosen_and_all_are_named() {
    let mut lab = Lab::new();
    lists(&lab, &["big", "small"], &[]);
    lists(&lab, &["big", "small"], &["big", "small"]);
    let mut agent = lab.start();
    let run = ask(&mut agent, "keep this").await;
    assert_eq!(run.error_code, Some(Code::ProviderNotFound));
    assert_eq!((run.usage.calls, lab.peer.request_count()), (0, 0));
    // Nothing is remembered of it: once the right one is there, it is asked.
    good_run(&lab);
    assert!(succeeded(&ask(&mut agent, "once more").await));
    assert_eq!(lab.peer.requests()[0].json()["model"], "peer-model");
}

#[tokio::test]
async fn a_server_without_a_list_is_asked_for_the_configured_model() {
    let mut lab = Lab::new();
    lab.peer.push_models(Step::status(404));
    good_run(&lab);
    let run = lab.run("keep this").await;
    assert!(succeeded(&run));
    assert_eq!(run.model.as_deref(), Some("peer-model"));
    // Once for the model, and for its window before and behind the first answer.
    assert_eq!(lab.peer.models_asked(), 3, "and never again");
}

/// A laboratory whose runs are one thought long, on journal files that are soon full.
fn brief() -> Lab {
    let mut lab = Lab::with_peer(Peer::answering(|_, _| {
        Step::reply(&ram_add("think_log", "-"))
    }));
    lab.config.r#loop.max_iterations = Some(1);
    lab.config.journal.segment_bytes = 64 * 1024;
    lab.config.journal.retention_days = 30;
    lab
}

#[tokio::test]
async fn old_segments_are_let_go_of_by_a_loop_that_never_comes_to_rest() {
    let mut lab = brief();
    lab.config.journal.segment_bytes = 4096;
    let mut agent = lab.start();
    let mut queued = Vec::new();
    for number in 0..60 {
        let event = EventId(format!("event {number}"));
        let run = agent.queue(event, Trigger::Manual, Some(number.to_string()));
        queued.push(run.await.unwrap());
    }
    for run_id in &queued[..20] {
        agent.drive(*run_id).await.unwrap();
    }
    assert_eq!(lab.names("data/journal")[0], "00000001.jsonl");
    lab.clock.sleep(Duration::from_hours(60 * 24)).await;
    stop_after(&lab, 10);
    live(&mut agent).await;
    assert!(
        agent.store().state().runs.open_len() > 10,
        "it never rested"
    );
    assert_ne!(lab.names("data/journal")[0], "00000001.jsonl");
}

fn page(lab: &Lab, state: Option<RunState>, offset: usize, limit: usize) -> RunPage {
    let mut disk = RealDisk::open(lab.root(), false).unwrap();
    let query = RunQuery {
        state,
        offset,
        limit,
    };
    runs_page(&mut disk, query).unwrap()
}

/// More runs than the state keeps, oldest first; every seventh has something to show for itself.
async fn many_runs(lab: &mut Lab, agent: &mut kjxlkj_agent::daemon::Agent) -> Vec<Run> {
    let mut runs = Vec::new();
    for number in 0..RUNS_FINISHED_KEPT + 30 {
        let event = EventId(format!("event {number}"));
        let request = (number % 7 != 0).then(|| number.to_string());
        let run_id = agent.queue(event, Trigger::Manual, request).await.unwrap();
        runs.push(agent.drive(run_id).await.unwrap());
        lab.clock.sleep(Duration::from_mins(1)).await;
    }
    runs
}

#[tokio::test]
async fn every_run_of_the_kept_journal_is_found_whatever_the_state_has_room_for() {
    let mut lab = brief();
    let mut agent = lab.start();
    let mut expected = many_runs(&mut lab, &mut agent).await;
    assert!(lab.names("data/journal").len() > 3, "several files");
    let mut open = Vec::new();
    for event in ["first open", "second open"] {
        let queued = agent.queue(EventId(event.to_owned()), Trigger::Manual, None);
        let run_id = queued.await.unwrap();
        open.push(agent.store().state().runs.get(run_id).unwrap().clone());
    }
    expected.extend(open);
    expected.reverse();
    assert!(lab.state().runs.newest_first().count() < expected.len());

    let mut found = Vec::new();
    for offset in (0..expected.len()).step_by(50) {
        let part = page(&lab, None, offset, 50);
        assert_eq!(part.total, expected.len());
        found.extend(part.runs);
    }
    assert_eq!(found, expected, "each once, newest first, whole");
    assert_eq!(page(&lab, None, 1000, 50).runs, []);
    for state in RunState::ALL {
        let of_state = expected.iter().filter(|run| run.state == state);
        let of_state: Vec<Run> = of_state.cloned().collect();
        let part = page(&lab, Some(state), 3, 1000);
        assert_eq!(part.total, of_state.len(), "{state:?}");
        assert_eq!(
            part.runs,
            of_state.get(3..).unwrap_or_default(),
            "{state:?}"
        );
    }
    let oldest = expected.last().unwrap();
    let mut disk = RealDisk::open(lab.root(), false).unwrap();
    let audited = run_with_audit(&mut disk, oldest.run_id).unwrap().unwrap();
    assert_eq!(&audited.run, oldest);
    let entries = audited.operations;
    let ops = entries
        .iter()
        .map(|entry| (entry.op.as_str(), entry.run_id));
    assert!(ops.eq([("ram_add", Some(oldest.run_id))]), "{entries:?}");
}

#[tokio::test]
async fn an_event_runs_once_also_hundreds_of_runs_a_restart_and_retention_later() {
    let mut lab = brief();
    let mut agent = lab.start();
    let name = "0192f0c4-7a11-7c9e-8000-000000000001";
    let first = ask(&mut agent, name).await;
    let runs = many_runs(&mut lab, &mut agent).await;
    lab.clock.sleep(Duration::from_hours(60 * 24)).await;
    stop_after(&lab, 1);
    live(&mut agent).await;
    agent.close().unwrap();
    let journal = lab.names("data/journal");
    assert!(
        !journal.contains(&"00000001.jsonl".to_owned()),
        "{journal:?}"
    );
    let mut disk = RealDisk::open(lab.root(), false).unwrap();
    assert_eq!(
        run_with_audit(&mut disk, first.run_id).unwrap(),
        None,
        "its record is gone"
    );
    let kept = page(&lab, None, 0, 1000);
    assert_eq!(kept.total, 1 + RUNS_FINISHED_KEPT, "those carried over");
    assert_eq!(kept.runs.get(1), runs.last(), "below the idle one");
    let in_memory = kept.runs.iter().take(RUNS_FINISHED_KEPT).rev();
    assert!(in_memory.eq(lab.runs().iter()));

    // Also where the checkpoint is lost and the kept journal has to tell it.
    for checkpoint in ["kept", "lost"] {
        if checkpoint == "lost" {
            lab.remove("data/journal/checkpoint.json");
        }
        let mut agent = lab.start();
        let before = lab.peer.request_count();
        for event in [name, "event 0", "event 229"] {
            let queued = agent.queue(EventId(event.to_owned()), Trigger::Manual, None);
            queued.await.unwrap();
            assert_eq!(agent.next_run(), None, "{checkpoint}: {event}");
        }
        lab.write(
            &format!("data/inbox/{name}.json"),
            "{\"request\": \"again\"}",
        );
        lab.edit_kv(&[("n", serde_json::json!(checkpoint))]);
        stop_after(&lab, 2);
        live(&mut agent).await;
        let asked = lab.runs();
        assert!(
            asked
                .iter()
                .all(|run| run.request.as_deref() != Some("again"))
        );
        assert_eq!(lab.names("data/inbox"), [".taken", "done"], "{checkpoint}");
        assert_eq!(lab.names("data/inbox/.taken"), [""; 0], "{checkpoint}");
        let asked = lab.peer.request_count() - before;
        assert_eq!(asked, 2, "{checkpoint}: by the edit and by idleness alone");
        agent.close().unwrap();
    }
}
