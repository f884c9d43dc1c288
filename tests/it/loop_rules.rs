//! Rules in the real loop: what comes at its time, and what notes set off, opens runs exactly once.

#![expect(clippy::unwrap_used, reason = "a test may stop at once")]

use crate::agent::record_add;
use crate::lab::{Lab, Seen, WORKSPACE, live, loaded, succeeded};
use crate::loop_calls::waits;
use crate::peer::{Peer, Step};
use kjxlkj_agent::core::agent::IdleProfile;
use kjxlkj_agent::core::run::{Run, RunState, Trigger};
use kjxlkj_agent::daemon::Clock as _;
use kjxlkj_agent::failure::Code;
use kjxlkj_agent::store::disk::RealDisk;
use kjxlkj_agent::store::{read_state, reconcile};
use kjxlkj_agent::time::{DAY_MS, Timestamp};
use serde_json::{Value, json};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::path::Path;
use std::rc::Rc;

/// Ids of rules, by what they are called here.
pub(crate) const EACH_MINUTE: &str = "11111111-1111-4111-8111-111111111111";

/// A rule of the file.
pub(crate) fn rule(rule_id: &str, trigger: &str, condition: &Value) -> Value {
    json!({
        "rule_id": rule_id, "workspace_id": WORKSPACE, "trigger": trigger,
        "condition_json": condition, "action_json": {"kind": "kjxlkj_agent"}, "enabled": true,
        "created_at": "2026-02-15T00:00:00Z", "updated_at": "2026-02-15T00:00:00Z",
    })
}

/// A laboratory whose model is content at once, that does nothing by itself, with these rules.
pub(crate) fn lab_with(rules: &[Value]) -> Lab {
    lab_beside(
        Peer::answering(|_, index| Step::reply(&think(index))),
        rules,
    )
}

/// The same with another model.
pub(crate) fn lab_beside(peer: Peer, rules: &[Value]) -> Lab {
    let mut lab = Lab::with_peer(peer);
    lab.config.r#loop.idle_profile = IdleProfile::Sleep;
    lab.config.r#loop.loop_delay_ms = 0;
    take_rules(&mut lab, rules);
    lab
}

/// Writes the rules file, for the next start.
pub(crate) fn take_rules(lab: &mut Lab, rules: &[Value]) {
    lab.write("data/rules.json", &json!(rules).to_string());
    let mut file: Value = serde_json::from_str(&lab.text("data/config.json")).unwrap();
    file["provider"]["base_url"] = json!(lab.config.provider.base_url);
    file["provider"]["model"] = json!(lab.config.provider.model);
    file["scope"]["workspace_id"] = json!(WORKSPACE);
    lab.write("data/config.json", &file.to_string());
    let loaded = loaded(lab.root()).config;
    (lab.config.rules, lab.config.actions) = (loaded.rules, loaded.actions);
}

/// A model that plans one step, writes one note for it, and is content.
pub(crate) fn writer() -> Peer {
    Peer::answering(|request, index| {
        let text = request.json()["messages"]
            .as_array()
            .unwrap()
            .last()
            .unwrap()["content"]
            .as_str()
            .unwrap()
            .to_owned();
        let state = text.rsplit_once("<state>").unwrap().1;
        Step::reply(&match state.split('<').next().unwrap() {
            "planning" => "<ram_add><key>steps</key><value>write it</value></ram_add>".to_owned(),
            "executing" => record_add(&format!("Note {index}"), &format!("text {index}")),
            _ => think(index),
        })
    })
}

pub(crate) fn think(index: usize) -> String {
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
async fn each_time_of_a_schedule_opens_one_run_across_restarts() {
    let minute = rule(
        EACH_MINUTE,
        "automation_schedule.cron",
        &json!({"cron": "* * * * *"}),
    );
    let mut lab = lab_with(&[minute]);
    // The first start, then two minutes.
    live_for(&mut lab, 3).await;
    let before = of_rules(&lab);
    assert_eq!(before.len(), 2);
    // Started again within the same minute, and with a clock that was put back by a day.
    live_for(&mut lab, 1).await;
    lab.clock.put(-DAY_MS);
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
        let slot = run.triggering_event_id.0.rsplit_once('Z').unwrap();
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

/// Rules about notes: their ids and what they wait for.
pub(crate) const OF_NOTES: [(&str, &str); 3] = [
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
pub(crate) fn counts(runs: &[Run]) -> [usize; 3] {
    OF_NOTES.map(|(id, _)| {
        let of_rule = |run: &&Run| run.rule_id.unwrap().to_string() == id;
        runs.iter().filter(of_rule).count()
    })
}

pub(crate) fn note_file(title: &str, value: &str) -> String {
    json!({"title": title, "value": value}).to_string()
}

/// What a person does to a note in the folder, and by a verb, with the rules looking on.
#[tokio::test]
async fn what_happens_to_a_note_opens_the_runs_of_its_rules() {
    let rules = OF_NOTES.map(|(id, trigger)| rule(id, trigger, &json!({})));
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

/// The audit's entries of rules that a guard stood against.
fn skips(lab: &Lab) -> Vec<(Option<Code>, String)> {
    let skipped = lab
        .audit()
        .into_iter()
        .filter(|entry| entry.op == "rule.skipped");
    skipped.map(|entry| (entry.code, entry.target)).collect()
}

#[tokio::test]
async fn only_rules_that_hold_open_runs() {
    let cel = |text: &str| json!({"cel": text});
    let created = OF_NOTES[1].1;
    let id = |number: usize| format!("{number:08}-0000-4000-8000-000000000000");
    let mut rules: Vec<Value> = [
        json!({}),
        cel("event.note.title == 'Tea' && event.actor == 'user'"),
        cel("event.note.title == 'Coffee'"),
        cel("size(event.note.keywords) == 0 || event.note.keywords[1] == 'a'"),
        json!({}),
        json!({}),
    ]
    .into_iter()
    .enumerate()
    .map(|(number, condition)| rule(&id(number), created, &condition))
    .collect();
    rules[4]["enabled"] = json!(false);
    rules[5]["workspace_id"] = json!("99999999-9999-4999-8999-999999999999");
    let mut lab = lab_with(&rules);
    live_for(&mut lab, 1).await;
    let note = json!({"title": "Tea", "value": "green", "keywords": ["one"]});
    lab.write("data/notes/tea.json", &note.to_string());
    live_for(&mut lab, 2).await;
    let opened = of_rules(&lab).into_iter();
    let opened: Vec<String> = opened.map(|run| run.rule_id.unwrap().to_string()).collect();
    assert_eq!(opened, [id(0), id(1)]);
    let [(code, target)] = skips(&lab).try_into().unwrap();
    assert_eq!(code, Some(Code::RulesInvalid));
    assert!(target.starts_with(&id(3)), "{target}");
    // Enabled, it heeds what comes from then on.
    rules[4]["enabled"] = json!(true);
    take_rules(&mut lab, &rules[4..]);
    lab.write("data/notes/coffee.json", &note_file("Coffee", "black"));
    live_for(&mut lab, 1).await;
    assert_eq!(
        of_rules(&lab).last().unwrap().rule_id.unwrap().to_string(),
        id(4)
    );
    assert_eq!(of_rules(&lab).len(), 3);
}

/// The first run writes a note. What becomes of it where rules heed notes that runs write.
#[tokio::test]
async fn runs_that_cause_each_other_end_after_three() {
    let created = OF_NOTES[1].1;
    let [one, other] = [OF_NOTES[0].0, OF_NOTES[1].0];
    let own = json!({"include_own": true});
    let cases = [
        (vec![rule(one, created, &json!({}))], 1, 0),
        (vec![rule(one, created, &own)], 3, 1),
        (
            vec![
                rule(one, created, &json!({})),
                rule(other, created, &json!({})),
            ],
            6,
            2,
        ),
    ];
    for (rules, runs, skipped) in cases {
        let mut lab = lab_beside(writer(), &rules);
        live_for(&mut lab, 1 + runs).await;
        let mut agent = lab.start();
        let (stop, waits) = (lab.stopper(), lab.clock.slept_ms().len());
        lab.clock.at_wait(waits + 5, move || stop.stop());
        live(&mut agent).await;
        agent.close().unwrap();
        let opened = of_rules(&lab);
        assert_eq!(opened.len(), runs);
        assert_eq!(
            opened.last().unwrap().origin.as_ref().unwrap().depth,
            if runs == 1 { 1 } else { 3 }
        );
        let told = skips(&lab);
        assert_eq!(told.len(), skipped, "{told:?}");
        assert!(
            told.iter()
                .all(|(code, _)| *code == Some(Code::LimitExceeded))
        );
    }
}

/// A laboratory a quarter of a minute before the run of a rule that asks through servers of its own.
fn lab_before_a_rule(peer: Peer) -> Lab {
    let mut each = rule(
        EACH_MINUTE,
        "automation_schedule.cron",
        &json!({"cron": "* * * * *"}),
    );
    each["action_json"]["retry"] = json!({"max_retries": 0});
    let lab = lab_beside(peer, &[each]);
    let left_ms = 60_000 - lab.clock.now().millis.rem_euclid(60_000);
    lab.clock.advance(left_ms + 45_000);
    lab
}

#[tokio::test]
async fn a_rule_with_servers_of_its_own_shares_the_minute() {
    let mut lab = lab_before_a_rule(Peer::answering(|_, index| Step::reply(&think(index))));
    lab.config.budget.calls_per_minute = Some(1);
    let begun = lab.clock.now();
    live_for(&mut lab, 2).await;
    assert_eq!(lab.runs()[1].trigger, Trigger::Cron);
    let minutes = begun.millis_until(lab.clock.now()) / 60_000;
    let asked = lab.peer.request_count();
    assert!(asked > 1 && u64::try_from(asked).unwrap() <= 1 + minutes);
}

#[tokio::test]
async fn a_rule_with_servers_of_its_own_leaves_alone_whom_others_leave_alone() {
    let peer = Peer::answering(|_, index| match index {
        0..5 => Step::status(500),
        _ => Step::reply(&think(index)),
    });
    let mut lab = lab_before_a_rule(peer);
    lab.config.retry.max_retries = 4;
    live_for(&mut lab, 2).await;
    let runs = lab.runs();
    assert_eq!(runs[0].error_code, Some(Code::ProviderServerError));
    assert!(succeeded(&runs[1]) && runs[1].trigger == Trigger::Cron);
    let waits = waits(&lab);
    assert_eq!(waits.len(), 1);
    assert_eq!(waits[0].0, Code::LlmUnavailable);
}

#[tokio::test]
async fn an_action_changes_the_runs_of_its_rule_alone() {
    let mut each = rule(
        EACH_MINUTE,
        "automation_schedule.cron",
        &json!({"cron": "* * * * *"}),
    );
    each["action_json"] = json!({
        "kind": "kjxlkj_agent", "prompt_path": "./data/other.json", "mode": "yolo",
        "provider": {"temperature": 0.7}, "loop": {"max_iterations": 2},
    });
    let other = rule(
        OF_NOTES[0].0,
        "automation_schedule.cron",
        &json!({"cron": "* * * * *"}),
    );
    let mut lab = Lab::with_peer(writer());
    lab.config.r#loop.idle_profile = IdleProfile::Sleep;
    let words = lab
        .text("data/agent-prompt.json")
        .replace("words]", "other words]");
    lab.write("data/other.json", &words);
    take_rules(&mut lab, &[each, other]);
    live_for(&mut lab, 3).await;
    let runs = lab.runs();
    let asked: Vec<(Value, bool)> = (0..lab.peer.requests().len())
        .map(|index| {
            let temperature = lab.peer.requests()[index].json()["temperature"].clone();
            (temperature, lab.prompt_text(index).contains("other words]"))
        })
        .collect();
    for run in &runs {
        let is_changed = run.rule_id.is_some_and(|id| id.to_string() == EACH_MINUTE);
        assert_eq!(run.loop_count == 2, is_changed, "{run:?}");
    }
    let changed = runs.iter().filter(|run| run.loop_count == 2).count();
    assert_eq!(changed, 1);
    let count = |wanted: (Value, bool)| asked.iter().filter(|it| **it == wanted).count();
    assert_eq!(count((json!(0.7), true)), 2);
    assert_eq!(count((json!(0.1), false)), asked.len() - 2);
}

#[tokio::test]
async fn what_is_due_at_once_is_worked_on_one_by_one() {
    let rules: Vec<Value> = OF_NOTES
        .iter()
        .map(|(id, _)| {
            rule(
                id,
                "automation_schedule.cron",
                &json!({"cron": "* * * * *"}),
            )
        })
        .collect();
    let mut lab = lab_with(&rules);
    let seen = Rc::new(RefCell::new(Vec::new()));
    let mut agent = lab.start();
    let (stop, root, taken) = (lab.stopper(), lab.root().to_owned(), Rc::clone(&seen));
    lab.eyes.react(move |it| {
        if let Seen::Committed { .. } = it {
            let mut disk = RealDisk::open(&root, false).unwrap();
            let state = read_state(&mut disk, Path::new("data/agent-kv-store.json")).unwrap();
            let is = |wanted| {
                state
                    .runs
                    .newest_first()
                    .filter(|run| run.state == wanted)
                    .count()
            };
            taken
                .borrow_mut()
                .push((is(RunState::Running), is(RunState::Queued)));
            if is(RunState::Succeeded) > 6 {
                stop.stop();
            }
        }
    });
    live(&mut agent).await;
    let seen = seen.borrow();
    assert!(seen.iter().all(|(running, _)| *running <= 1), "{seen:?}");
    assert!(seen.iter().any(|(_, queued)| *queued == 2), "{seen:?}");
    assert!(of_rules(&lab).iter().all(succeeded));
}

#[tokio::test]
async fn a_rule_lowers_what_each_of_its_runs_may_take() {
    let each = |rule_id: &str, calls: Option<u64>| {
        let cron = json!({"cron": "* * * * *"});
        let mut rule = rule(rule_id, "automation_schedule.cron", &cron);
        if let Some(calls) = calls {
            rule["action_json"]["budget"] = json!({"calls_per_run": calls});
        }
        rule
    };
    let rules = [each(EACH_MINUTE, Some(1)), each(OF_NOTES[0].0, None)];
    let mut lab = lab_beside(writer(), &rules);
    live_for(&mut lab, 2).await;
    for run in of_rules(&lab) {
        let is_lowered = run.rule_id.is_some_and(|id| id.to_string() == EACH_MINUTE);
        let expected = is_lowered.then_some(Code::BudgetExceeded);
        assert_eq!(run.error_code, expected, "{run:?}");
        assert_eq!(run.usage.calls == 1, is_lowered, "{run:?}");
    }
}

/// What a rule allows its runs goes with it: those that have not ended then never write under other rules.
#[tokio::test]
async fn runs_whose_rule_is_removed_fail_and_ask_and_write_nothing_more() {
    let cron = json!({"cron": "* * * * *"});
    let rules = [EACH_MINUTE, OF_NOTES[0].0].map(|id| {
        let mut rule = rule(id, "automation_schedule.cron", &cron);
        rule["action_json"] = json!({"kind": "kjxlkj_agent", "mode": "reviewed"});
        rule
    });
    let mut lab = lab_beside(writer(), &rules);
    live_for(&mut lab, 1).await;
    let written = lab.notes();
    // A stop in the middle of the first: it is under way then, and the other waits.
    let mut agent = lab.start();
    let stop = lab.stopper();
    lab.eyes.react(move |seen| {
        if matches!(seen, Seen::Committed { ending: None, .. }) {
            stop.stop();
        }
    });
    live(&mut agent).await;
    agent.close().unwrap();
    let states: BTreeSet<&str> = of_rules(&lab).iter().map(|run| run.state.name()).collect();
    assert_eq!(states, ["Queued", "Running"].into());
    let asked = lab.peer.request_count();

    take_rules(&mut lab, &[]);
    let mut agent = lab.start();
    let (stop, mut left) = (lab.stopper(), 2);
    lab.eyes.react(move |seen| {
        if matches!(seen, Seen::Notice(message) if message.ends_with(" is gone")) {
            left -= 1;
            if left == 0 {
                stop.stop();
            }
        }
    });
    live(&mut agent).await;
    agent.close().unwrap();
    for run in of_rules(&lab) {
        assert_eq!(run.state, RunState::Failed);
        assert_eq!(run.error_code, Some(Code::RuleNotFound));
    }
    assert_eq!(lab.peer.request_count(), asked);
    assert_eq!(lab.notes(), written);
    assert_eq!(lab.kv()["state"], "idle");
}

/// A rule with a request, launched at its times.
fn asking(request: &str) -> Value {
    let mut asking = rule(
        EACH_MINUTE,
        "automation_schedule.cron",
        &json!({"cron": "* * * * *"}),
    );
    asking["action_json"]["request"] = json!(request);
    asking
}

#[tokio::test]
async fn the_request_of_a_rule_is_what_its_run_works_on() {
    let mut lab = lab_beside(writer(), &[asking("Write the minutes.")]);
    // The first start, then one minute.
    live_for(&mut lab, 2).await;
    let [run] = of_rules(&lab).try_into().unwrap();
    assert_eq!(run.request.as_deref(), Some("Write the minutes."));
    assert!(succeeded(&run), "{run:?}");
    assert_eq!(run.trigger, Trigger::Cron);
    let asked = (0..lab.peer.requests().len()).map(|index| lab.prompt_text(index));
    assert!(
        asked
            .filter(|text| text.contains("Write the minutes."))
            .count()
            >= 3
    );
    // It was answered: the next run has nothing left of it.
    let state = read_state(
        &mut RealDisk::open(lab.root(), false).unwrap(),
        Path::new("data/agent-kv-store.json"),
    );
    assert_eq!(state.unwrap().main.ram.request(), None);
}

#[tokio::test]
async fn the_run_of_a_rule_with_a_request_is_judged_like_that_of_a_person() {
    let idle = rule(
        EACH_MINUTE,
        "automation_schedule.cron",
        &json!({"cron": "* * * * *"}),
    );
    for (rule, state, code) in [
        (idle, RunState::Succeeded, None),
        (
            asking("Write the minutes."),
            RunState::Failed,
            Some(Code::NoProgress),
        ),
    ] {
        // The model only thinks.
        let mut lab = lab_with(&[rule]);
        live_for(&mut lab, 2).await;
        let [run] = of_rules(&lab).try_into().unwrap();
        assert_eq!((run.state, run.error_code), (state, code), "{run:?}");
    }
}
