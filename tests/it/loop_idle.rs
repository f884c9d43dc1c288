//! What happens where nobody asks for anything: nothing on a fresh root, and a question at most that ends
//! as soon as somebody asks.

#![expect(clippy::unwrap_used, reason = "a test may stop at once")]

use crate::agent::{ram_add, record_add};
use crate::lab::{Lab, Seen, ask, edit_kv, live_on, write};
use crate::loop_profiles::Untouched;
use crate::peer::{Peer, Step};
use kjxlkj_agent::core::agent::LoopState;
use kjxlkj_agent::core::run::Trigger::{Edit, Idle, Request};
use kjxlkj_agent::core::run::{RunState, StopReason, Trigger};
use kjxlkj_agent::daemon::Clock as _;
use kjxlkj_agent::time::DAY_MS;
use serde_json::json;
use std::path::Path;

/// A model that never answers an idle question, and writes a note for each other one.
fn silent_when_idle() -> Lab {
    Lab::with_peer(Peer::answering(|request, index| {
        let asked = request.json().to_string();
        if asked.contains("[idle words]") {
            return Step::hang();
        }
        Step::reply(&if asked.contains("[executing words]") {
            record_add(&format!("Note {index}"), "v")
        } else {
            ram_add("think_log", "-")
        })
    }))
}

#[tokio::test]
async fn a_fresh_root_asks_nothing_before_somebody_asks_for_something() {
    let mut lab = Lab::with_peer(Peer::answering(|_, _| {
        Step::reply(&ram_add("think_log", "-"))
    }));
    let mut agent = lab.start();
    agent.watch_by(Box::new(Untouched));
    let (stop, end) = (lab.stopper(), lab.clock.now().plus_millis(DAY_MS));
    lab.clock.at_time(end, move || stop.stop());
    live_on(&mut agent).await;
    agent.close().unwrap();
    assert_eq!(lab.runs(), []);
    assert_eq!(lab.peer.requests().len(), 0);
}

fn state_asked(seen: &Seen) -> Option<LoopState> {
    match seen {
        Seen::Asking(state, _) => Some(*state),
        Seen::Began(..)
        | Seen::Unreadable(_)
        | Seen::Committed { .. }
        | Seen::Notice(_)
        | Seen::Waiting(..) => None,
    }
}

/// What ends the question of an idle run, once it is out.
async fn idle_gives_way_to(act: impl Fn(&Path) + 'static) -> (Lab, Vec<Trigger>) {
    let mut lab = silent_when_idle();
    let mut agent = lab.start();
    ask(&mut agent, "write a note").await;
    let (stop, root) = (lab.stopper(), lab.root().to_path_buf());
    lab.eyes.react(move |seen| {
        if state_asked(seen) == Some(LoopState::Idle) {
            act(&root);
        } else if let Seen::Committed { ending, .. } = seen
            && ending.is_some()
        {
            stop.stop();
        }
    });
    live_on(&mut agent).await;
    agent.close().unwrap();
    let triggers = lab.runs().iter().map(|run| run.trigger).collect();
    (lab, triggers)
}

#[tokio::test]
async fn a_request_ends_an_idle_question_at_once_and_is_answered() {
    let (lab, triggers) = idle_gives_way_to(|root| {
        write(&root.join("data/inbox/r.txt"), "buy tea");
    })
    .await;
    assert_eq!(triggers, [Request, Idle, Request]);
    let runs = lab.runs();
    let idle = &runs[1];
    assert_eq!(
        (idle.state, idle.stop_reason, idle.error_code),
        (RunState::Succeeded, Some(StopReason::Preempted), None)
    );
    assert_eq!((idle.loop_count, idle.usage.calls), (0, 0), "nothing of it");
    assert_eq!(runs[2].request.as_deref(), Some("buy tea"));
    assert_eq!(runs[2].state, RunState::Succeeded, "{:?}", runs[2]);
    let asked: Vec<LoopState> = lab.eyes.seen().iter().filter_map(state_asked).collect();
    let idle_at = asked.iter().position(|state| *state == LoopState::Idle);
    assert_eq!(asked[idle_at.unwrap() + 1], LoopState::Planning);
}

#[tokio::test]
async fn an_edit_of_ram_ends_an_idle_question() {
    let (lab, triggers) = idle_gives_way_to(|root| {
        edit_kv(root, &[("context", json!({"user_request": "buy milk"}))]);
    })
    .await;
    assert_eq!(triggers, [Request, Idle, Edit]);
    assert_eq!(lab.runs()[2].request.as_deref(), Some("buy milk"));
    assert_eq!(lab.runs()[1].stop_reason, Some(StopReason::Preempted));
}
