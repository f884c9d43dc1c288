//! The audit of runs as a whole: that each run of a mixed batch has just one record with all that there is
//! to say of it, and that no clock makes one end before it began.

#![expect(clippy::unwrap_used, reason = "a test may stop at once")]

use crate::agent::{ram_add, record_add};
use crate::lab::{Lab, Seen, ask, queue};
use crate::peer::{Peer, Request, Step};
use kjxlkj_agent::core::journal::event::InstructionOutcome;
use kjxlkj_agent::core::prompt::Mode;
use kjxlkj_agent::core::protocol::PARSER_VERSION;
use kjxlkj_agent::core::run::{Run, RunState, StopReason};
use kjxlkj_agent::daemon::{Command, Envelope, command_channel};
use kjxlkj_agent::failure::Code;
use kjxlkj_agent::ids::RunId;
use kjxlkj_agent::store::disk::RealDisk;
use kjxlkj_agent::store::{RunQuery, run_with_audit, runs_page};
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use tokio::sync::mpsc;

const HOUR_MS: i64 = 3_600_000;

/// Runs that are called off in the middle of the next question about it.
type CalledOff = Arc<Mutex<Vec<RunId>>>;

/// A model that writes a note for most requests, nothing that can be read for `mumble`, only thoughts for
/// `dream`; in the middle of `hang` runs are called off.
fn moody() -> (Peer, mpsc::Receiver<Envelope>, CalledOff) {
    let (commands, envelopes) = command_channel();
    let off = CalledOff::default();
    let called_off = Arc::clone(&off);
    let peer = Peer::answering(move |request: &Request, index| {
        let body = request.json();
        let text = body["messages"].as_array().unwrap().last().unwrap()["content"].clone();
        let text = text.as_str().unwrap();
        if text.contains("hang") {
            for run_id in called_off.lock().unwrap().drain(..) {
                commands.run(Command::Cancel { run_id }).unwrap();
            }
            return Step::hang();
        }
        let state = text.rsplit_once("<state>").unwrap().1;
        let is_executing = state.starts_with("executing");
        Step::reply(&if text.contains("mumble") {
            "no instruction".to_owned()
        } else if is_executing && !text.contains("dream") {
            record_add(&format!("Note {index}"), &format!("text {index}"))
        } else {
            ram_add("think_log", &format!("thought {index}"))
        })
    });
    (peer, envelopes, off)
}

/// Two runs that end well, two that fail, two that are called off, and one that only proposes; before each
/// answer the clock is put back by an hour.
async fn mixed_batch(lab: &mut Lab, envelopes: mpsc::Receiver<Envelope>, off: &CalledOff) {
    lab.config.r#loop.parse_retries = 0;
    let mut agent = lab.start();
    agent.serve_by(envelopes);
    let clock = Arc::clone(&lab.clock);
    lab.eyes.react(move |seen| {
        if matches!(seen, Seen::Asking(..)) {
            clock.put(-HOUR_MS);
        }
    });
    for request in ["tea", "mumble", "dream", "coffee"] {
        ask(&mut agent, request).await;
    }
    let running = queue(&mut agent, "hang").await;
    let waiting = queue(&mut agent, "never begun").await;
    off.lock().unwrap().extend([waiting, running]);
    agent.drive(running).await.unwrap();
    agent.close().unwrap();
    lab.config.mode = Some(Mode::Reviewed);
    lab.run("milk").await;
}

/// The ids in all facts of a type that the journal holds, in order.
fn facts(lab: &Lab, type_name: &str) -> Vec<String> {
    let mut found = Vec::new();
    for name in lab.names("data/journal") {
        if name == "checkpoint.json" {
            continue;
        }
        let text = lab.text(&format!("data/journal/{name}"));
        for line in text.lines() {
            let line: Value = serde_json::from_str(line).unwrap();
            let events = line["events"].as_array().unwrap().iter();
            let data = line["data"].as_array().unwrap();
            for (event, data) in events.zip(data).filter(|(it, _)| it["type"] == type_name) {
                assert!(event["digest"].is_string());
                let id = [&data["run_id"], &data["run"]["run_id"]];
                found.extend(id.into_iter().filter_map(Value::as_str).map(str::to_owned));
            }
        }
    }
    found
}

#[tokio::test]
async fn each_run_of_a_mixed_batch_has_one_record_and_none_ends_before_it_began() {
    let (peer, envelopes, off) = moody();
    let mut lab = Lab::with_peer(peer);
    Box::pin(mixed_batch(&mut lab, envelopes, &off)).await;
    let mut disk = RealDisk::open(lab.root(), false).unwrap();
    let query = RunQuery {
        state: None,
        offset: 0,
        limit: 100,
    };
    let page = runs_page(&mut disk, query).unwrap();
    let by_request: BTreeMap<&str, &Run> = page
        .runs
        .iter()
        .map(|run| (run.request.as_deref().unwrap(), run))
        .collect();
    let told = |request: &str| {
        let run = by_request[request];
        (run.state, run.stop_reason.unwrap(), run.error_code)
    };
    let done = (RunState::Succeeded, StopReason::Done, None);
    let failed = |code| (RunState::Failed, StopReason::Error, Some(code));
    assert_eq!([told("tea"), told("coffee")], [done, done]);
    assert_eq!(told("mumble"), failed(Code::XmlParseError));
    assert_eq!(told("dream"), failed(Code::NoProgress));
    for request in ["hang", "never begun"] {
        assert_eq!(told(request), failed(Code::RunCancelled), "{request}");
    }
    let proposed = (RunState::Succeeded, StopReason::PendingReview, None);
    assert_eq!(told("milk"), proposed);

    // As many records as runs were opened, and as ended; each once.
    let records: Vec<String> = page.runs.iter().map(|run| run.run_id.to_string()).collect();
    assert_eq!((page.total, by_request.len()), (7, 7));
    for type_name in ["run.queued", "run.ended"] {
        let mut ids = facts(&lab, type_name);
        ids.sort_unstable();
        let mut records = records.clone();
        records.sort_unstable();
        assert_eq!(ids, records, "{type_name}");
    }
    for run in &page.runs {
        check(&lab, run);
    }
    assert_eq!(page.proposals.waiting_of(by_request["milk"].run_id), 1);
}

/// What an auditor wants to know of a run, against what else the journal says of it.
fn check(lab: &Lab, run: &Run) {
    let mut disk = RealDisk::open(lab.root(), false).unwrap();
    let audited = run_with_audit(&mut disk, run.run_id).unwrap().unwrap();
    assert_eq!(&audited.run, run);
    let applied = audited.operations.iter();
    let applied = applied
        .filter(|entry| entry.outcome == InstructionOutcome::Applied && entry.iteration.is_some());
    assert_eq!(applied.count() as u64, run.operation_count, "{run:?}");
    let done = facts(lab, "iteration.done").into_iter();
    let done = done.filter(|id| *id == run.run_id.to_string()).count();
    assert_eq!(u32::try_from(done).unwrap(), run.loop_count);
    assert_eq!(run.agent_name, "kjxlkj-agent");
    assert_eq!(run.error_code.is_some(), run.state == RunState::Failed);
    let completed_at = run.completed_at.unwrap();
    let Some(started_at) = run.started_at else {
        assert_eq!(run.request.as_deref(), Some("never begun"));
        return;
    };
    assert!(completed_at >= started_at, "{run:?}");
    assert_eq!(run.prompt_hash.as_deref().map(str::len), Some(64));
    assert_eq!(run.parser_version.as_deref(), Some(PARSER_VERSION));
    assert_eq!(run.model.as_deref(), Some("peer-model"));
}
