//! Rules in the real loop: what comes at its time, and what notes set off, opens runs exactly once.

#![expect(clippy::unwrap_used, reason = "a test may stop at once")]

use crate::lab::{Lab, Seen, WORKSPACE, live, succeeded};
use crate::peer::{Peer, Step};
use kjxlkj_agent::config;
use kjxlkj_agent::core::agent::IdleProfile;
use kjxlkj_agent::core::run::{Run, Trigger};
use kjxlkj_agent::daemon::Clock as _;
use kjxlkj_agent::store::disk::RealDisk;
use kjxlkj_agent::store::reconcile;
use kjxlkj_agent::time::Timestamp;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

const DAY_MS: i64 = 24 * 60 * 60 * 1000;

/// Ids of rules, by what they are called here.
pub(crate) const EACH_MINUTE: &str = "11111111-1111-4111-8111-111111111111";

/// A rule of the file.
pub(crate) fn rule(rule_id: &str, trigger: &str, condition: Value) -> Value {
    json!({
        "rule_id": rule_id, "workspace_id": WORKSPACE, "trigger": trigger,
        "condition_json": condition, "action_json": {"kind": "kjxlkj_agent"}, "enabled": true,
        "created_at": "2026-02-15T00:00:00Z", "updated_at": "2026-02-15T00:00:00Z",
    })
}

/// A laboratory whose model is content at once, that does nothing by itself, with these rules.
pub(crate) fn lab_with(rules: &[Value]) -> Lab {
    let peer = Peer::answering(|_, index| Step::reply(&think(index)));
    let mut lab = Lab::with_peer(peer);
    lab.config.r#loop.idle_profile = IdleProfile::Sleep;
    lab.config.r#loop.loop_delay_ms = 0;
    take_rules(&mut lab, rules);
    lab
}

/// Writes the rules file, for the next start.
pub(crate) fn take_rules(lab: &mut Lab, rules: &[Value]) {
    lab.write("data/rules.json", &json!(rules).to_string());
    let nothing: BTreeMap<String, String> = BTreeMap::new();
    lab.config.rules = config::load(lab.root(), &nothing).unwrap().config.rules;
}

fn think(index: usize) -> String {
    format!("<ram_add><key>think_log</key><value>{index}</value></ram_add>")
}

/// Lives until so many runs have ended.
pub(crate) async fn live_for(lab: &mut Lab, ended: usize) {
    let mut agent = lab.start();
    let (stop, mut left) = (lab.stopper(), ended);
    lab.eyes.react(move |seen| {
        if matches!(
            seen,
            Seen::Committed {
                ending: Some(_),
                ..
            }
        ) {
            left = left.saturating_sub(1);
            if left == 0 {
                stop.stop();
            }
        }
    });
    live(&mut agent).await;
    agent.close().unwrap();
}

pub(crate) fn of_rules(lab: &Lab) -> Vec<Run> {
    let runs = lab.runs().into_iter();
    runs.filter(|run| run.rule_id.is_some()).collect()
}

#[tokio::test]
async fn k012_k123_g31_each_time_of_a_schedule_opens_one_run_across_restarts() {
    let minute = rule(
        EACH_MINUTE,
        "automation_schedule.cron",
        json!({"cron": "* * * * *"}),
    );
    let mut lab = lab_with(&[minute]);
    // The first start, then two minutes.
    live_for(&mut lab, 3).await;
    let before = of_rules(&lab);
    assert_eq!(before.len(), 2);
    // Started again within the same minute, and with a clock that was put back by a day.
    live_for(&mut lab, 1).await;
    lab.clock.advance(-DAY_MS);
    let mut agent = lab.start();
    let stop = lab.stopper();
    let waits = lab.clock.slept_ms().len();
    lab.clock.at_wait(waits + 600, move || stop.stop());
    live(&mut agent).await;
    agent.close().unwrap();
    let runs = of_rules(&lab);
    assert_eq!(runs.len(), 3);
    let events: BTreeSet<&str> = runs
        .iter()
        .map(|run| run.triggering_event_id.0.as_str())
        .collect();
    assert_eq!(events.len(), 3);
    for run in &runs {
        assert!(succeeded(run));
        assert_eq!(run.trigger, Trigger::Cron);
        let slot = run.triggering_event_id.0.rsplit_once("Z").unwrap();
        assert!(slot.0.ends_with(":00.000"), "{run:?}");
    }
    // The model is told what happened.
    let text = lab.prompt_text(lab.peer.requests().len() - 1);
    assert!(text.contains("rule_event"), "{text}");
    let mut disk = RealDisk::open(lab.root(), false).unwrap();
    let (from, to) = (
        Timestamp::from_millis(0),
        lab.clock.now().plus_millis(DAY_MS),
    );
    let found = reconcile(&mut disk, from, to).unwrap();
    assert!(found.is_clean(), "{found:?}");
    assert_eq!((found.ran, found.doubled), (3, 0), "{found:?}");
}

const OF_NOTES: [(&str, &str); 3] = [
    (
        "22222222-2222-4222-8222-222222222222",
        "workspace_event.note_changed",
    ),
    (
        "33333333-3333-4333-8333-333333333333",
        "workspace_event.note_created",
    ),
    (
        "44444444-4444-4444-8444-444444444444",
        "workspace_event.note_deleted",
    ),
];

/// How many runs each of the rules about notes has.
fn counts(runs: &[Run]) -> [usize; 3] {
    OF_NOTES.map(|(id, _)| {
        let of_rule = |run: &&Run| run.rule_id.unwrap().to_string() == id;
        runs.iter().filter(of_rule).count()
    })
}

fn note_file(title: &str, value: &str) -> String {
    json!({"title": title, "value": value}).to_string()
}

/// What a person does to a note in the folder, and by a verb, with the rules looking on.
#[tokio::test]
async fn k009_k010_k011_g09_what_happens_to_a_note_opens_the_runs_of_its_rules() {
    let rules = OF_NOTES.map(|(id, trigger)| rule(id, trigger, json!({})));
    let mut lab = lab_with(&rules);
    live_for(&mut lab, 1).await;
    lab.write("data/notes/tea.json", &note_file("Tea", "green"));
    live_for(&mut lab, 2).await;
    assert_eq!(counts(&of_rules(&lab)), [1, 1, 0]);
    // The note and the runs stand in one line.
    let journal = lab.text("data/journal/00000001.jsonl");
    let line = journal
        .lines()
        .find(|line| line.contains("\"type\":\"note.created\""))
        .unwrap();
    assert_eq!(line.matches("\"type\":\"run.queued\"").count(), 2, "{line}");
    let name = lab.names("data/notes").pop().unwrap();
    let mut file: Value = serde_json::from_str(&lab.text(&format!("data/notes/{name}"))).unwrap();
    file["value"] = json!("black");
    lab.write(&format!("data/notes/{name}"), &file.to_string());
    live_for(&mut lab, 1).await;
    assert_eq!(counts(&of_rules(&lab)), [2, 1, 0]);
    for run in of_rules(&lab) {
        assert!(succeeded(&run));
        let id = name.strip_suffix(".json").unwrap();
        assert!(
            run.triggering_event_id
                .0
                .starts_with(&format!("note:{id}:"))
        );
        assert_eq!(run.origin.unwrap().depth, 0);
    }
}
