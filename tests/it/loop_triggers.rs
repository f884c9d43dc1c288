//! What opens runs, in which order, and how long the loop waits when nothing does.

use crate::agent::{ram_add, record_add};
use crate::lab::{Lab, Seen, edit_kv, live, stop_after, succeeded};
use crate::peer::{Peer, Step};
use crate::sim_disk::SimDisk;
use kjxlkj_agent::core::agent::{IdleProfile, LoopState};
use kjxlkj_agent::core::journal::event::InstructionOutcome;
use kjxlkj_agent::core::run::Trigger::{self, Edit, Idle, Manual, Request, Start};
use kjxlkj_agent::core::run::{RunState, StopReason};
use kjxlkj_agent::daemon::{Agent, LockedRoot};
use kjxlkj_agent::failure::Code;
use kjxlkj_agent::limits::RUNS_OPEN_MAX;
use kjxlkj_agent::provider::connect;
use kjxlkj_agent::store::disk::Disk as _;
use rustix::time::{ClockId, clock_gettime};
use serde_json::json;
use std::path::Path;
use std::time::Duration;

/// A laboratory whose model has nothing to say.
fn dull() -> Lab {
    Lab::with_peer(Peer::answering(|_, _| {
        Step::reply(&ram_add("think_log", "-"))
    }))
}

fn triggers(lab: &Lab) -> Vec<Trigger> {
    lab.runs().iter().map(|run| run.trigger).collect()
}

#[tokio::test]
async fn a_start_opens_no_run_by_itself() {
    let mut lab = dull();
    let mut agent = lab.start();
    stop_after(&lab, 3);
    live(&mut agent).await;
    agent.close().unwrap();
    assert_eq!(triggers(&lab), [Start]);
    let mut agent = lab.start();
    stop_after(&lab, 1);
    live(&mut agent).await;
    agent.close().unwrap();
    assert_eq!(triggers(&lab), [Start, Idle]);
    assert_eq!(lab.runs()[0].stop_reason, Some(StopReason::NothingToDo));
}

#[tokio::test]
async fn requests_from_the_inbox_run_in_turn_and_bad_ones_are_put_aside() {
    let mut lab = Lab::with_peer(Peer::answering(|request, index| {
        let asked = request.json().to_string();
        let name = ["first words", "second words"]
            .into_iter()
            .find(|words| asked.contains(words));
        Step::reply(&name.map_or_else(
            || ram_add("think_log", "-"),
            |name| record_add(name, &index.to_string()),
        ))
    }));
    lab.config.r#loop.max_iterations = Some(3);
    let mut agent = lab.start();
    lab.write("data/inbox/a.txt", "first words\n");
    lab.write("data/inbox/b.json", "{\"request\": \"second words\"}");
    lab.write("data/inbox/c.json", "{\"wish\": 1}");
    lab.write("data/inbox/d.txt", "   \n");
    lab.write("data/inbox/.hidden.txt", "not looked at");
    lab.write("data/inbox/e.md", "not looked at");
    stop_after(&lab, 9);
    live(&mut agent).await;
    agent.close().unwrap();
    let runs = lab.runs();
    let asked: Vec<_> = runs.iter().map(|run| run.request.as_deref()).collect();
    assert_eq!(asked, [None, Some("first words"), Some("second words")]);
    assert_eq!(lab.names("data/inbox/rejected"), ["c.json", "d.txt"]);
    assert_eq!(lab.names("data/inbox/done").len(), 2);
    assert_eq!(lab.names("data/inbox/.taken"), Vec::<String>::new());
    assert_eq!(
        lab.names("data/inbox"),
        [".hidden.txt", ".taken", "done", "e.md", "rejected"]
    );
    let refused: Vec<_> = lab
        .audit()
        .into_iter()
        .filter(|entry| entry.code == Some(Code::RequestInvalid))
        .collect();
    assert_eq!(refused.len(), 2);
    assert!(
        refused
            .iter()
            .all(|entry| entry.outcome == InstructionOutcome::Rejected)
    );
}

#[tokio::test]
async fn with_too_many_open_runs_requests_wait_in_the_inbox() {
    let mut lab = dull();
    let provider = connect(&lab.config.provider, None).unwrap();
    let mut disk = SimDisk::new(7);
    let mut agent = lab.start_with(LockedRoot::unshared(Box::new(disk.clone())), provider);
    for number in 0..RUNS_OPEN_MAX {
        let event = kjxlkj_agent::ids::EventId(number.to_string());
        agent.queue(event, Manual, None).await.unwrap();
    }
    let request = Path::new("data/inbox/0192f0c4-7a11-7c9e-8000-000000000001.json");
    disk.create_folder(Path::new("data/inbox")).unwrap();
    disk.create(request, b"{\"request\": \"wait\"}").unwrap();
    let open = |agent: &Agent| agent.store().state().runs.open_len();
    for _ in 0..3 {
        agent.take_inbox().await.unwrap();
    }
    assert!(
        disk.stat(request).unwrap().is_some(),
        "it stays where it is"
    );
    assert_eq!(open(&agent), RUNS_OPEN_MAX);
    // Once one has ended there is room for it.
    agent.drive(agent.next_run().unwrap()).await.unwrap();
    for _ in 0..3 {
        agent.take_inbox().await.unwrap();
    }
    assert_eq!(open(&agent), RUNS_OPEN_MAX);
    assert!(disk.stat(request).unwrap().is_none());
}

#[tokio::test]
async fn a_request_named_by_its_id_runs_once_however_often_it_is_dropped_in() {
    let mut lab = Lab::with_peer(Peer::answering(|_, index| {
        Step::reply(&record_add(&index.to_string(), "v"))
    }));
    lab.config.r#loop.max_iterations = Some(1);
    let name = "data/inbox/0192f0c4-7a11-7c9e-8000-000000000001.json";
    for _ in 0..2 {
        let mut agent = lab.start();
        lab.write(name, "{\"request\": \"once\"}");
        lab.edit_kv(&[("n", json!(lab.peer.request_count()))]);
        stop_after(&lab, 2);
        live(&mut agent).await;
        agent.close().unwrap();
    }
    let requests = lab.runs().into_iter().filter(|run| run.trigger == Request);
    assert_eq!(requests.count(), 1);
}

#[tokio::test]
async fn an_edit_while_idle_opens_a_run() {
    let mut lab = dull();
    let mut agent = lab.start();
    stop_after(&lab, 3);
    live(&mut agent).await;
    agent.close().unwrap();
    lab.edit_kv(&[("steps", json!(["look at this"]))]);
    let mut agent = lab.start();
    stop_after(&lab, 1);
    live(&mut agent).await;
    agent.close().unwrap();
    assert_eq!(triggers(&lab), [Start, Edit]);
    let runs = lab.runs();
    assert_eq!(
        (runs[1].state, runs[1].request.as_deref()),
        (RunState::Running, None)
    );
    assert!(
        lab.peer.requests()[3]
            .json()
            .to_string()
            .contains("look at this")
    );
}

#[tokio::test]
async fn a_request_written_into_context_by_hand_counts_as_one() {
    let mut lab = Lab::with_peer(Peer::answering(|_, index| {
        Step::reply(&if index == 4 {
            record_add("Hand", "v")
        } else {
            ram_add("think_log", "-")
        })
    }));
    let mut agent = lab.start();
    let (stop, root) = (lab.stopper(), lab.root().to_path_buf());
    let mut commits = 0;
    lab.eyes.react(move |seen| {
        if matches!(seen, Seen::Committed { .. }) {
            commits += 1;
            if commits == 3 {
                edit_kv(&root, &[("context", json!({"user_request": "by hand"}))]);
            }
            if commits == 6 {
                stop.stop();
            }
        }
    });
    live(&mut agent).await;
    agent.close().unwrap();
    let runs = lab.runs();
    assert_eq!(runs[1].request.as_deref(), Some("by hand"));
    assert!(succeeded(&runs[1]), "{:?}", runs[1]);
    assert_eq!(lab.kv()["context"], json!({}));
}

/// Where a run of another sort is under way, a request that is written by hand waits its turn.
#[tokio::test]
async fn a_request_written_by_hand_meanwhile_gets_a_run_of_its_own() {
    /// When it is written, what runs then, and how many iterations there are until it is done.
    type Case = (fn(&Seen) -> bool, &'static [Trigger], usize);
    let cases: [Case; 4] = [
        (
            // The idle run gives way before it asks anything.
            |seen| matches!(seen, Seen::Began(_, Idle)),
            &[Start, Idle, Edit],
            6,
        ),
        (
            |seen| matches!(seen, Seen::Asking(LoopState::Idle, _)),
            &[Start, Idle, Edit],
            7,
        ),
        (
            |seen| matches!(seen, Seen::Began(_, Request)),
            &[Start, Request, Edit],
            9,
        ),
        (|seen| matches!(seen, Seen::Asking(_, 3)), &[Start, Edit], 6),
    ];
    for (number, (is_time, triggers_then, commits)) in cases.into_iter().enumerate() {
        let mut lab = Lab::with_peer(Peer::answering(|request, index| {
            let asked = request.json().to_string();
            let is_asked =
                asked.contains("<request>by hand") && asked.contains("[executing words]");
            Step::reply(&if is_asked {
                record_add("Hand", "v")
            } else {
                ram_add("n", &index.to_string())
            })
        }));
        lab.config.r#loop.max_iterations = Some(if number == 3 { 3 } else { 100 });
        let mut agent = lab.start();
        if triggers_then.contains(&Request) {
            lab.write("data/inbox/r.txt", "by file");
        }
        let (stop, root) = (lab.stopper(), lab.root().to_path_buf());
        let (mut is_written, mut left) = (false, commits);
        lab.eyes.react(move |seen| {
            if !is_written && is_time(seen) {
                is_written = true;
                edit_kv(&root, &[("context", json!({"user_request": "by hand"}))]);
            }
            if matches!(seen, Seen::Committed { .. }) {
                left -= 1;
                if left == 0 {
                    stop.stop();
                }
            }
        });
        live(&mut agent).await;
        agent.close().unwrap();
        let runs = lab.runs();
        assert_eq!(triggers(&lab), triggers_then, "{number}: {runs:#?}");
        let last = runs.last().unwrap();
        assert_eq!(last.request.as_deref(), Some("by hand"));
        assert!(succeeded(last), "{last:?}");
        assert_eq!(lab.notes().len(), 1);
        assert_eq!(lab.kv()["context"], json!({}), "{number}");
    }
}

/// An idle run shows an edit once at most; what is to be done needs more than that.
#[tokio::test]
async fn an_edit_during_an_idle_run_opens_a_run_after_it() {
    let mut lab = dull();
    let mut agent = lab.start();
    let (stop, root) = (lab.stopper(), lab.root().to_path_buf());
    lab.eyes.react(move |seen| {
        if matches!(seen, Seen::Asking(LoopState::Idle, _)) {
            edit_kv(&root, &[("steps", json!(["look"]))]);
        }
        if matches!(seen, Seen::Began(_, Edit)) {
            stop.stop();
        }
    });
    live(&mut agent).await;
    agent.close().unwrap();
    assert_eq!(triggers(&lab), [Start, Idle, Edit]);
}

#[tokio::test]
async fn idle_iterations_come_ever_further_apart_until_something_changes() {
    let mut lab = Lab::with_peer(Peer::answering(|_, index| {
        Step::reply(&if index == 6 {
            record_add("Tidy", "v")
        } else {
            ram_add("think_log", "-")
        })
    }));
    lab.config.r#loop.idle_delay_max_ms = 20_000;
    let mut agent = lab.start();
    stop_after(&lab, 9);
    live(&mut agent).await;
    agent.close().unwrap();
    let runs = lab.runs();
    let ends: Vec<i64> = runs
        .iter()
        .map(|run| run.completed_at.unwrap().millis)
        .collect();
    let gaps: Vec<i64> = ends.windows(2).map(|pair| pair[1] - pair[0]).collect();
    assert_eq!(gaps, [5000, 10_000, 20_000, 20_000, 5000, 10_000]);
    assert!(
        runs[1..]
            .iter()
            .all(|run| run.trigger == Idle && run.loop_count == 1)
    );
    let asked = lab.peer.requests();
    assert!(asked[8].json().to_string().contains("[idle words]"));
}

#[tokio::test]
async fn a_request_makes_the_idle_waits_short_again() {
    let mut lab = dull();
    let mut agent = lab.start();
    let (stop, root) = (lab.stopper(), lab.root().to_path_buf());
    let mut commits = 0;
    lab.eyes.react(move |seen| {
        if matches!(seen, Seen::Committed { .. }) {
            commits += 1;
            match commits {
                6 => crate::lab::write(&root.join("data/inbox/r.txt"), "hello"),
                10 => stop.stop(),
                _ => {}
            }
        }
    });
    live(&mut agent).await;
    agent.close().unwrap();
    let runs = lab.runs();
    let kinds: Vec<_> = runs.iter().map(|run| run.trigger).collect();
    assert_eq!(kinds, [Start, Idle, Idle, Idle, Request, Idle]);
    let gap = runs[5].completed_at.unwrap().millis - runs[4].completed_at.unwrap().millis;
    assert_eq!(gap, 5000);
}

#[tokio::test]
async fn a_sleeping_agent_makes_no_call_and_uses_hardly_any_processor_time() {
    let mut lab = dull();
    lab.config.r#loop.idle_profile = IdleProfile::Sleep;
    let mut agent = lab.start();
    let root = lab.root().to_path_buf();
    // After a thousand looks a request comes; when it is done, so is the test.
    lab.clock.at_wait(1000, move || {
        crate::lab::write(&root.join("data/inbox/r.txt"), "hello");
    });
    stop_after(&lab, 6);
    let used = || Duration::try_from(clock_gettime(ClockId::ThreadCPUTime)).unwrap();
    let before = used();
    live(&mut agent).await;
    let used = used().saturating_sub(before);
    agent.close().unwrap();
    assert_eq!(triggers(&lab), [Start, Request]);
    let slept = lab.clock.slept_ms();
    assert!(
        slept[2..1000].iter().all(|wait| *wait == 1000),
        "a look a second, no more"
    );
    // The thousand seconds that passed on the agent's clock cost less than a hundredth of that in
    // processor time, on any machine.
    assert!(used < Duration::from_secs(10), "{used:?}");
}

#[tokio::test]
async fn manual_runs_need_no_request() {
    let mut lab = dull();
    let mut agent = lab.start();
    let event = kjxlkj_agent::ids::EventId("by hand".to_owned());
    let run_id = agent.queue(event, Manual, None).await.unwrap();
    let run = agent.drive(run_id).await.unwrap();
    assert_eq!(
        (run.trigger, run.stop_reason),
        (Manual, Some(StopReason::NothingToDo))
    );
    assert!(succeeded(&run));
}
