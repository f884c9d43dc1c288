//! Undo and the real loop: what was taken back is not done again, whatever RAM held in the middle of the run.

#![expect(clippy::unwrap_used, reason = "a test may stop at once")]

use crate::agent::{ram_add, record_add};
use crate::lab::{Lab, ask, live, succeeded};
use crate::peer::{Peer, Step};
use kjxlkj_agent::core::agent::IdleProfile;
use kjxlkj_agent::core::run::{Run, RunState};
use kjxlkj_agent::daemon::{ChangeContext, Clock as _, Command, hold, run_alone, store_options};
use kjxlkj_agent::service::undo::{UndoReport, undo};
use kjxlkj_agent::store::disk::RealDisk;
use kjxlkj_agent::store::{Store, UndoScope, past_of};
use kjxlkj_agent::time::Timestamp;
use serde_json::{Value, json};
use std::sync::mpsc;

/// A model that plans one step, writes one note and is content; and that puts nothing in order.
fn writer() -> Lab {
    let peer = Peer::answering(|request, index| {
        let asked = request.json().to_string();
        Step::reply(&if asked.contains("[planning words]") {
            ram_add("steps", "write the note") + &ram_add("plan", "one note")
        } else if asked.contains("[executing words]") {
            record_add(&format!("Note {index}"), "x")
        } else {
            ram_add("think_log", "-")
        })
    });
    let mut lab = Lab::with_peer(peer);
    lab.config.r#loop.idle_profile = IdleProfile::Sleep;
    lab
}

/// Takes back as the verb does where no daemon lives.
pub(crate) fn take_back(lab: &Lab, undone: UndoScope) -> UndoReport {
    let (held, now) = (hold(lab.root()).unwrap(), lab.clock.now());
    let (mut store, _) = Store::open(held.disk, store_options(&lab.config), now).unwrap();
    let (say, said) = mpsc::channel();
    let root = lab.root().to_path_buf();
    let decide = move |cx: &mut ChangeContext<'_>| {
        let past = past_of(&mut RealDisk::open(&root, false).unwrap(), undone)?;
        let memory = &cx.config.memory;
        let (part, report) = undo(&past, undone, cx.state, &cx.guard, memory, cx.now)?;
        say.send(report).unwrap();
        Ok(part)
    };
    let command = Command::Change(Box::new(decide));
    run_alone(&mut store, &lab.config, now, command).unwrap();
    store.checkpoint(true, now).unwrap();
    said.recv().unwrap()
}

/// Lives for a hundred waits, in which a run opens if anything asks for one.
async fn live_on(lab: &mut Lab) {
    let mut agent = lab.start();
    let stop = lab.stopper();
    let waits = lab.clock.slept_ms().len();
    lab.clock.at_wait(waits + 100, move || stop.stop());
    live(&mut agent).await;
    agent.close().unwrap();
}

/// Nothing is asked for, nobody is asked, and the next request is served as any other.
async fn assert_rests(lab: &mut Lab, told: &str) {
    let (runs, asked, notes) = (
        lab.runs().len(),
        lab.peer.request_count(),
        lab.notes().len(),
    );
    live_on(lab).await;
    assert_eq!(lab.runs().len(), runs, "{told}: no run opens");
    assert_eq!(
        lab.peer.request_count(),
        asked,
        "{told}: the model is not asked"
    );
    let kv = lab.kv();
    assert_eq!(kv["state"], json!("idle"), "{told}");
    for member in ["user_request", "task"] {
        assert_eq!(kv["context"].get(member), None, "{told}: {kv}");
    }
    let next = lab.run("the next one").await;
    assert!(succeeded(&next), "{told}: {:?}", next.error_code);
    assert_eq!(next.loop_count, 3, "{told}");
    assert_eq!(lab.notes().len(), notes + 1, "{told}");
}

/// When each iteration of a run was committed, in their order.
fn commits_of(lab: &Lab, run: &Run) -> Vec<Timestamp> {
    let mut times: Vec<(Option<u32>, Timestamp)> = lab
        .audit()
        .into_iter()
        .filter(|entry| entry.run_id == Some(run.run_id) && entry.iteration.is_some())
        .map(|entry| (entry.iteration, entry.ts))
        .collect();
    times.dedup();
    times.into_iter().map(|(_, ts)| ts).collect()
}

#[tokio::test]
async fn a_run_that_is_taken_back_in_part_is_not_done_again() {
    // The queue, the beginning, each of the three iterations, and the moment behind the last.
    for moment in 0..6 {
        for again in [false, true] {
            let mut lab = writer();
            let run = lab.run("keep this").await;
            assert!(succeeded(&run) && run.loop_count == 3, "{run:?}");
            let commits = commits_of(&lab, &run);
            let since = match moment {
                0 => run.queued_at,
                1 => run.started_at.unwrap(),
                2..5 => commits[moment - 2],
                _ => commits[2].plus_millis(1),
            };
            lab.clock.advance(60_000);
            let report = take_back(&lab, UndoScope::Since(since));
            let told = format!("moment {moment}, again {again}: {report:?}");
            assert_eq!(report.conflicts, [], "{told}");
            if again {
                lab.clock.advance(60_000);
                take_back(&lab, UndoScope::Since(since));
            }
            // The note was written in the second iteration.
            let is_back = since <= commits[1];
            assert_eq!(lab.notes().len(), usize::from(!is_back), "{told}");
            assert_eq!(lab.kv()["steps"], json!([]), "{told}");
            assert_rests(&mut lab, &told).await;
        }
    }
}

#[tokio::test]
async fn an_undo_over_several_runs_opens_none_of_them() {
    let mut lab = writer();
    let first = lab.run("first").await;
    let inside = commits_of(&lab, &first)[1];
    lab.clock.advance(60_000);
    let between = lab.clock.now();
    let second = lab.run("second").await;
    let late = commits_of(&lab, &second)[2];
    lab.clock.advance(60_000);
    for (since, left) in [(late, 2), (between, 1), (inside, 0)] {
        let report = take_back(&lab, UndoScope::Since(since));
        assert_eq!(report.conflicts, []);
        lab.clock.advance(60_000);
        assert_eq!(lab.notes().len(), left, "{report:?}");
        let asked = lab.peer.request_count();
        live_on(&mut lab).await;
        assert_eq!(lab.peer.request_count(), asked, "{report:?}");
    }
    assert_rests(&mut lab, "all of it").await;
    let states: Vec<RunState> = lab.runs().iter().map(|run| run.state).collect();
    assert_eq!(states, [RunState::Succeeded; 3]);
}

/// Who writes a request or a task into RAM by hand has it there before the run begins; what was asked for is
/// not asked for again with the whole run taken back.
#[tokio::test]
async fn what_a_person_wrote_into_ram_is_not_asked_for_again() {
    let wishes = [
        ("a request", json!({"user_request": "keep this"})),
        ("a task", json!({"task": "record_organizing"})),
    ];
    for (told, wish) in wishes {
        let mut lab = writer();
        lab.run("before").await;
        lab.edit_kv(&[("context", wish)]);
        live_on(&mut lab).await;
        let run = lab.runs().pop().unwrap();
        assert_ne!(run.request.as_deref(), Some("before"));
        assert_eq!(lab.kv()["context"], json!({}), "{told}");
        lab.clock.advance(60_000);
        let report = take_back(&lab, UndoScope::Run(run.run_id));
        assert_eq!(report.conflicts, [], "{told}");
        assert_rests(&mut lab, told).await;
    }
}

/// A run that waits begins as any other once another one was taken back in part.
#[tokio::test]
async fn a_run_that_waits_begins_by_planning_after_an_undo_in_part() {
    let mut lab = writer();
    let run = lab.run("keep this").await;
    let since = commits_of(&lab, &run)[1];
    lab.clock.advance(60_000);
    let mut agent = lab.start();
    crate::lab::queue(&mut agent, "waits").await;
    agent.close().unwrap();
    take_back(&lab, UndoScope::Since(since));
    let mut agent = lab.start();
    let waiting = ask(&mut agent, "waits").await;
    agent.close().unwrap();
    assert!(succeeded(&waiting));
    assert_eq!(waiting.loop_count, 3, "planned, executed and evaluated");
    let prompt = lab.prompt_text(3);
    assert!(prompt.contains("[planning words]"), "{prompt}");
    assert!(!prompt.contains("write the note"), "{prompt}");
    assert_eq!(lab.notes().len(), 1);
    let context: Value = lab.kv()["context"].clone();
    assert_eq!(context, json!({}));
}
