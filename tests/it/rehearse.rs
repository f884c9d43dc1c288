//! Rehearsals: the real loop with a person's rules, in days that nobody waits for. What comes of them is
//! counted here by hand; the root that is rehearsed stays as it is.

#![expect(clippy::unwrap_used, reason = "a test may stop at once")]

use crate::lab::Lab;
use crate::loop_rules::{EACH_MINUTE, lab_with, rule};
use kjxlkj_agent::core::agent::IdleProfile;
use kjxlkj_agent::core::automation::Slot;
use kjxlkj_agent::core::journal::event::KeptReply;
use kjxlkj_agent::core::run::{Trigger, Usage};
use kjxlkj_agent::daemon::{
    Rehearsal, RehearsalReport, RehearsedPart, Script, rehearse, stop_pair,
};
use kjxlkj_agent::failure::{Code, Failure};
use kjxlkj_agent::ids::{EventId, RuleId};
use kjxlkj_agent::time::{DAY_MS, Timestamp};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Room enough for everything here, in bytes.
const ROOM: u64 = 256 * 1024 * 1024;

const DAILY: &str = "22222222-2222-4222-8222-222222222222";
const ON_NOTES: &str = "33333333-3333-4333-8333-333333333333";
const ON_NOTES_TOO: &str = "44444444-4444-4444-8444-444444444444";

fn cron(rule_id: &str, expression: &str, zone: &str) -> Value {
    let times = json!({"cron": expression, "timezone": zone});
    rule(rule_id, "automation_schedule.cron", &times)
}

fn on_notes(rule_id: &str) -> Value {
    rule(rule_id, "workspace_event.note_created", &json!({}))
}

/// So many days of a laboratory's root, from a time on, with calls that take no time.
fn days(lab: &Lab, from: &str, days: i64) -> Rehearsal {
    let from = Timestamp::parse(from).unwrap();
    Rehearsal {
        config: lab.config.clone(),
        prompt: lab.prompt.clone(),
        state: lab.state(),
        from,
        to: from.plus_millis(days * DAY_MS),
        script: Script::built_in(),
        call_ms: Some(0),
        bytes_max: ROOM,
    }
}

async fn rehearsed(rehearsal: Rehearsal) -> Result<RehearsalReport, Failure> {
    let (handle, stop) = stop_pair();
    Box::pin(rehearse(rehearsal, handle, stop)).await
}

fn part<'a>(report: &'a RehearsalReport, rule_id: &str) -> &'a RehearsedPart {
    let rule_id: RuleId = rule_id.parse().unwrap();
    let mut rules = report.rules.iter();
    &rules.find(|it| it.rule_id == rule_id).unwrap().part
}

/// What is neither a failure nor a refusal.
fn is_smooth(part: &RehearsedPart) -> bool {
    part.runs.failed.is_empty() && part.refusals.is_empty() && part.held.is_empty()
}

/// Thirty days in Berlin, the change to summer time among them: each hour of time that passes, each day
/// once although one has no half past two, and what the notes of both set off.
#[tokio::test]
async fn thirty_days_fire_exactly_as_often_as_their_clock_says() {
    let rules = [
        cron(EACH_MINUTE, "0 * * * *", "Europe/Berlin"),
        cron(DAILY, "30 2 * * *", "Europe/Berlin"),
        on_notes(ON_NOTES),
    ];
    let lab = lab_with(&rules);
    let before = lab.data_files();
    let report = rehearsed(days(&lab, "2026-03-15T00:00:00Z", 30))
        .await
        .unwrap();
    let fires = [EACH_MINUTE, DAILY, ON_NOTES].map(|id| part(&report, id).fires);
    assert_eq!(fires, [720, 30, 720 + 30]);
    for rule in &report.rules {
        assert!(is_smooth(&rule.part), "{rule:?}");
        // The runs of the last slot, at the very end, may not have ended.
        assert!(rule.part.runs.open <= 1 && rule.part.usage.calls >= 3 * (rule.part.fires - 1));
        assert_eq!(rule.part.writes.notes, rule.part.runs.succeeded);
    }
    // Derived again from the schedules that the journal tells, it is the same.
    let found = &report.reconciled;
    assert_eq!((found.slots, found.ran, found.pending), (750, 750, 0));
    assert!(found.is_clean() && found.wrong == Vec::<Slot>::new());
    assert_eq!(report.total.fires, 750 + 750);
    assert!(!report.interrupted);
    // Nobody was asked, and the root is as it was.
    assert_eq!(lab.peer.requests().len(), 0);
    assert_eq!(lab.data_files(), before);
}

#[tokio::test]
async fn the_same_days_come_to_the_same_numbers() {
    let mut lab = lab_with(&[cron(EACH_MINUTE, "7,9 * * * *", "UTC"), on_notes(ON_NOTES)]);
    // With what the idle loop does, with a past, and with calls that take their time.
    lab.config.r#loop.idle_profile = IdleProfile::Maintenance;
    lab.run("remember the tea").await;
    let mut reports = Vec::new();
    for _ in 0..2 {
        let mut rehearsal = days(&lab, "2026-05-01T00:00:00Z", 2);
        rehearsal.call_ms = Some(30_000);
        reports.push(rehearsed(rehearsal).await.unwrap());
    }
    assert_eq!(reports[0], reports[1]);
    let report = &reports[0];
    assert!(report.others.iter().any(|other| other.trigger == "idle"));
    // Two minutes are not enough for three calls of each of the two runs: a run waits for the one
    // before, and what its time comes to is told.
    assert_eq!(part(report, EACH_MINUTE).slots.ran, 4 * 24);
    assert!(
        part(report, EACH_MINUTE).busy_ms >= 90_000 * 95,
        "{report:?}"
    );
    let asked = u64::try_from(lab.peer.requests().len()).unwrap();
    assert_eq!(asked, lab.runs()[0].usage.calls);
}

/// A model that is slower than its schedule: what falls behind has its record too.
#[tokio::test]
async fn times_that_come_while_a_run_lasts_are_coalesced_or_skipped_and_counted() {
    let lab = lab_with(&[cron(EACH_MINUTE, "* * * * *", "UTC")]);
    let mut rehearsal = days(&lab, "2026-05-01T00:00:00Z", 1);
    rehearsal.call_ms = Some(300_000);
    let report = rehearsed(rehearsal).await.unwrap();
    let part = part(&report, EACH_MINUTE);
    let slots = &part.slots;
    let skipped: u64 = slots.skipped.values().sum();
    assert_eq!(part.fires, slots.ran + slots.caught_up);
    assert!(
        part.fires < 200 && slots.coalesced + skipped > 1000,
        "{slots:?}"
    );
    let found = &report.reconciled;
    assert!(found.is_clean());
    assert_eq!(
        (found.ran, found.coalesced, found.skipped, found.missed),
        (slots.ran, slots.coalesced, skipped, slots.missed)
    );
    // What was not judged yet when the days were over waits for the next look.
    assert_eq!(
        found.slots,
        slots.ran + slots.caught_up + slots.coalesced + slots.missed + skipped + found.pending
    );
    assert_eq!(found.slots, 24 * 60);
}

#[tokio::test]
async fn a_rule_outside_its_scope_shows_its_refusals() {
    let mut outside = cron(DAILY, "0 9 * * *", "UTC");
    outside["action_json"]["scope"] = json!({"allowed_note_kinds": ["template"]});
    let lab = lab_with(&[outside, cron(EACH_MINUTE, "0 12 * * *", "UTC")]);
    let report = rehearsed(days(&lab, "2026-05-01T00:00:00Z", 3))
        .await
        .unwrap();
    let refused = part(&report, DAILY);
    assert_eq!((refused.fires, refused.runs.succeeded), (3, 0));
    assert!(refused.refusals[&Code::ScopeViolation] >= 3, "{refused:?}");
    assert_eq!(refused.runs.failed.values().sum::<u64>(), 3);
    assert_eq!(refused.writes.notes, 0);
    assert!(is_smooth(part(&report, EACH_MINUTE)));
    assert_eq!(report.total.refusals, refused.refusals);
}

#[tokio::test]
async fn a_budget_smaller_than_the_need_shows_the_questions_that_it_held_back() {
    let mut lab = lab_with(&[cron(EACH_MINUTE, "0 * * * *", "UTC")]);
    lab.config.budget.day.calls = Some(10);
    let mut rehearsal = days(&lab, "2026-05-01T00:00:00Z", 3);
    // At midnight a fourth day would begin.
    rehearsal.to = rehearsal.to.plus_millis(-1);
    let report = rehearsed(rehearsal).await.unwrap();
    let total = &report.total;
    assert_eq!(total.usage.calls, 30, "each day all that it has");
    let held = part(&report, EACH_MINUTE).held[&Code::BudgetExceeded];
    assert_eq!(held.questions, 3, "one each day");
    // Until its rule is due again, and at last until the budget opens: not once a minute.
    assert!(held.waits <= 3 * 24, "{held:?}");
    assert!(
        held.waited_ms > u64::try_from(2 * DAY_MS).unwrap(),
        "{held:?}"
    );
    // A call that no day can pay for is not waited for.
    lab.config.budget.day.tokens = Some(1);
    let report = rehearsed(days(&lab, "2026-05-01T00:00:00Z", 1))
        .await
        .unwrap();
    assert_eq!(report.total.usage.calls, 0);
    let part = part(&report, EACH_MINUTE);
    assert_eq!(
        part.runs.failed,
        BTreeMap::from([(Code::BudgetExceeded, 24)])
    );
}

/// Two rules that wake each other: the chain ends where it would in earnest.
#[tokio::test]
async fn rules_that_wake_each_other_are_stopped_at_the_depth_that_is_allowed() {
    let rules = [
        cron(DAILY, "0 9 * * *", "UTC"),
        on_notes(ON_NOTES),
        on_notes(ON_NOTES_TOO),
    ];
    let lab = lab_with(&rules);
    let report = rehearsed(days(&lab, "2026-05-01T00:00:00Z", 4))
        .await
        .unwrap();
    assert_eq!(part(&report, DAILY).fires, 4);
    for id in [ON_NOTES, ON_NOTES_TOO] {
        let part = part(&report, id);
        assert_eq!(part.fires, 4 * 3, "three in a row each day");
        assert_eq!(part.not_opened, BTreeMap::from([(Code::LimitExceeded, 4)]));
    }
}

#[tokio::test]
async fn what_is_disabled_sleeps_and_what_was_open_is_worked_on() {
    let mut asleep = cron(DAILY, "0 9 * * *", "UTC");
    asleep["enabled"] = json!(false);
    let mut lab = lab_with(&[asleep]);
    let mut agent = lab.start();
    let event = EventId("tea".to_owned());
    let request = Some("remember the tea".to_owned());
    agent.queue(event, Trigger::Request, request).await.unwrap();
    agent.close().unwrap();
    let before = lab.data_files();
    let report = rehearsed(days(&lab, "2027-05-01T00:00:00Z", 2))
        .await
        .unwrap();
    assert_eq!(part(&report, DAILY), &RehearsedPart::default());
    let [request] = &report.others[..] else {
        panic!("{report:?}")
    };
    assert_eq!((request.trigger, request.part.fires), ("request", 0));
    assert_eq!(request.part.runs.succeeded, 1);
    assert_eq!(lab.data_files(), before);
}

fn kept(text: &str) -> KeptReply {
    KeptReply {
        text: text.to_owned(),
        reasoning: None,
        certainty_percent: None,
        least_percent: None,
        finish: "stop".to_owned(),
        usage: Usage {
            calls: 1,
            input_tokens: 700,
            output_tokens: 7,
            ..Usage::default()
        },
    }
}

#[tokio::test]
async fn retained_replies_are_played_by_their_rules_and_a_script_whoever_asks() {
    let rules = [
        cron(DAILY, "0 9 * * *", "UTC"),
        cron(EACH_MINUTE, "0 10 * * *", "UTC"),
    ];
    let lab = lab_with(&rules);
    let ram = |key: &str, value: &str| {
        kept(&format!(
            "<ram_add><key>{key}</key><value>{value}</value></ram_add>"
        ))
    };
    let note = |title: &str| {
        format!("<record_add><keywords>{title}</keywords><value>{title}</value></record_add>")
    };
    let two = note("alpha") + &note("a second one");
    let of_daily = vec![
        ram("steps", "two notes"),
        kept(&two),
        ram("think_log", "well"),
    ];
    let rule_id: RuleId = DAILY.parse().unwrap();
    let mut rehearsal = days(&lab, "2026-05-01T00:00:00Z", 1);
    rehearsal.script = Script::recorded([(Some(rule_id), of_daily)]).unwrap();
    let report = rehearsed(rehearsal).await.unwrap();
    assert_eq!(part(&report, DAILY).writes.notes, 2);
    // What the server counted then is what counts.
    let usage = part(&report, DAILY).usage;
    assert_eq!((usage.input_tokens, usage.output_tokens), (2100, 21));
    assert_eq!(part(&report, EACH_MINUTE).writes.notes, 1);
    assert_eq!(report.made_up, report.total.usage.calls - 3);
    // A script says the same to everybody, and then again.
    let mut rehearsal = days(&lab, "2026-05-01T00:00:00Z", 2);
    let lines = [json!({"text": "<ram_add><key>tea</key><value>green</value></ram_add>"})];
    let lines = lines.map(|line| line.to_string()).join("\n");
    rehearsal.script = Script::from_text("a script", &lines).unwrap();
    let report = rehearsed(rehearsal).await.unwrap();
    assert_eq!((report.total.writes.notes, report.made_up), (0, 0));
    assert_eq!(report.total.writes.ram, report.total.usage.calls);
    let refused = Script::from_text("a script", "nonsense").unwrap_err();
    assert_eq!(refused.code, Code::ConfigSchemaInvalid);
}

#[tokio::test]
async fn a_rehearsal_ends_when_it_is_asked_to_and_when_its_room_is_used() {
    let lab = lab_with(&[cron(EACH_MINUTE, "* * * * *", "UTC")]);
    let rehearsal = days(&lab, "2026-05-01T00:00:00Z", 300);
    let from = rehearsal.from;
    let (handle, stop) = stop_pair();
    handle.stop();
    let report = Box::pin(rehearse(rehearsal, handle, stop)).await.unwrap();
    assert!(report.interrupted && report.to < from.plus_millis(DAY_MS));
    let mut rehearsal = days(&lab, "2026-05-01T00:00:00Z", 300);
    rehearsal.bytes_max = 300_000;
    let failure = rehearsed(rehearsal).await.unwrap_err();
    assert_eq!(failure.code, Code::LimitExceeded);
    assert!(failure.message.contains("300000 bytes"), "{failure:?}");
}
