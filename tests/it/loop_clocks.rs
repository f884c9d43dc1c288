//! Clocks that are put, and machines that sleep: what the real loop makes of the times of its rules, and
//! how long it then waits.

#![expect(clippy::unwrap_used, reason = "a test may stop at once")]

use crate::lab::{Lab, live, stop_after, succeeded};
use crate::loop_rules::{
    EACH_MINUTE, lab_beside, lab_with, live_for, of_rules, rule, take_rules, writer,
};
use chrono::Timelike as _;
use kjxlkj_agent::core::agent::IdleProfile;
use kjxlkj_agent::core::automation::SlotReconciliation;
use kjxlkj_agent::daemon::Clock as _;
use kjxlkj_agent::store::disk::RealDisk;
use kjxlkj_agent::store::reconcile;
use kjxlkj_agent::time::{DAY_MS, Timestamp};
use serde_json::{Value, json};

const MINUTE_MS: i64 = 60_000;
const YEARS_MS: i64 = 3652 * DAY_MS;

/// A rule that waits for one minute of the day.
fn daily(at: Timestamp, missed: &str) -> Value {
    let at = at.to_utc();
    let cron = format!("{} {} * * *", at.minute(), at.hour());
    let times = json!({"cron": cron, "missed": missed});
    rule(EACH_MINUTE, "automation_schedule.cron", &times)
}

/// How all times ended that the journal knows of.
fn outcomes(lab: &Lab) -> SlotReconciliation {
    let mut disk = RealDisk::open(lab.root(), false).unwrap();
    let to = lab.clock.now().plus_millis(2 * YEARS_MS);
    let found = reconcile(&mut disk, Timestamp::from_millis(0), to).unwrap();
    assert!(found.is_clean(), "{found:?}");
    found
}

/// Begins at a full minute, two minutes later the clock is put, and ten minutes of life later it ends. The
/// rule waits for so many minutes behind the beginning.
async fn ten_minutes(slot: i64, missed: &str, put_ms: i64) -> SlotReconciliation {
    let mut lab = lab_with(&[]);
    let now = lab.clock.now().millis;
    lab.clock.put(MINUTE_MS - now.rem_euclid(MINUTE_MS));
    let begin = lab.clock.now();
    let rules = [daily(begin.plus_millis(slot * MINUTE_MS), missed)];
    take_rules(&mut lab, &rules);
    lab.clock.put_at(begin.plus_millis(2 * MINUTE_MS), put_ms);
    let mut agent = lab.start();
    let stop = lab.stopper();
    lab.clock.at_wait(600, move || stop.stop());
    live(&mut agent).await;
    agent.close().unwrap();
    let found = outcomes(&lab);
    let runs = of_rules(&lab);
    assert_eq!(runs.len() as u64, found.ran + found.caught_up);
    assert!(runs.iter().all(succeeded));
    found
}

#[tokio::test]
async fn times_that_a_sleep_or_a_set_clock_went_over_were_not_attended() {
    let slept = 48 * MINUTE_MS;
    for (what, slot, missed, put_ms, [ran, caught_up, gone]) in [
        ("nothing happens", 5, "skip", 0, [1, 0, 0]),
        ("slept over it", 30, "skip", slept, [0, 0, 1]),
        ("slept over it", 30, "once", slept, [0, 1, 0]),
        ("slept until just before it", 51, "skip", slept, [1, 0, 0]),
        ("slept behind it", 1, "skip", slept, [1, 0, 0]),
        ("ten years ahead", 30, "skip", YEARS_MS, [0, 0, 3652]),
        ("ten years ahead", 6, "skip", YEARS_MS, [1, 0, 3652]),
        ("ten years ahead", 6, "once", YEARS_MS, [1, 0, 3652]),
        (
            "two hours back, it has been",
            1,
            "skip",
            -120 * MINUTE_MS,
            [1, 0, 0],
        ),
        ("two hours back", 5, "skip", -120 * MINUTE_MS, [0, 0, 0]),
    ] {
        let found = ten_minutes(slot, missed, put_ms).await;
        let ended = [found.ran, found.caught_up, found.missed];
        assert_eq!(ended, [ran, caught_up, gone], "{what}: {missed}");
    }
}

/// What was said of rules that a clock ahead has silenced.
fn told_of_ahead(lab: &Lab) -> Vec<String> {
    let mut said = lab.eyes.notices();
    said.retain(|message| message.contains("the clock was ahead once"));
    said
}

/// Lives for so many waits of a minute at most.
async fn run_for_minutes(lab: &mut Lab, minutes: usize) {
    let mut agent = lab.start();
    let stop = lab.stopper();
    let waits = lab.clock.slept_ms().len();
    lab.clock.at_wait(waits + minutes * 60, move || stop.stop());
    live(&mut agent).await;
    agent.close().unwrap();
}

/// The clock says 1970 or before, or a time that 32 bits do not hold, until somebody puts it right. One that was behind
/// costs nothing. One that was ahead has used up the times until then, which is told in so many words: a
/// time never comes twice, and a rule of a new id begins at once.
#[tokio::test]
async fn a_clock_that_was_behind_costs_no_time_and_one_that_was_ahead_is_told_of() {
    for year in [
        "0001-01-01T00:00:00Z",
        "1969-12-31T23:50:00Z",
        "1970-01-01T00:10:00Z",
        "2038-01-19T03:20:00Z",
    ] {
        let mut lab = lab_with(&[]);
        let begin = lab.clock.now();
        let rules = [daily(begin.plus_millis(30 * MINUTE_MS), "skip")];
        take_rules(&mut lab, &rules);
        live_for(&mut lab, 1).await;
        let wrong_ms = Timestamp::parse(year).unwrap().millis - lab.clock.now().millis;
        lab.clock.put(wrong_ms);
        run_for_minutes(&mut lab, 2).await;
        let wrong = outcomes(&lab);
        assert_eq!((wrong.ran, wrong.caught_up), (0, 0), "{year}: {wrong:?}");
        lab.clock.put(-wrong_ms);
        if wrong_ms < 0 {
            live_for(&mut lab, 1).await;
            assert_eq!(outcomes(&lab).ran, 1, "{year}");
            continue;
        }
        // What was judged is judged: the times until then are over.
        assert!(wrong.missed > 1000, "{wrong:?}");
        assert!(
            wrong
                .reasons
                .iter()
                .any(|it| it.outcome == "missed" && it.slots > 1000)
        );
        run_for_minutes(&mut lab, 60).await;
        assert_eq!(outcomes(&lab).ran, 0, "{year}");
        let told = told_of_ahead(&lab);
        assert!(
            told.len() == 1
                && told[0].contains("2038-01-19T0")
                && told[0].contains("new `rule_id`"),
            "{told:?}"
        );
        let mut anew = daily(lab.clock.now().plus_millis(30 * MINUTE_MS), "skip");
        anew["rule_id"] = json!("66666666-6666-4666-8666-666666666666");
        take_rules(&mut lab, &[anew]);
        run_for_minutes(&mut lab, 60).await;
        assert_eq!(outcomes(&lab).ran, 1, "{year}");
    }
}

#[tokio::test]
async fn a_clock_that_is_put_back_makes_no_wait_longer() {
    let mut lab = lab_with(&[]);
    lab.config.r#loop.idle_profile = IdleProfile::Maintenance;
    let begin = lab.clock.now();
    lab.clock.put_at(begin.plus_millis(2000), -DAY_MS);
    // The first run, and one that nobody asked for.
    live_for(&mut lab, 2).await;
    let waited_ms: u64 = lab.clock.slept_ms().iter().sum();
    assert!((5000..20_000).contains(&waited_ms), "{waited_ms}");
}

/// Two hours between two iterations are no reason to miss what is due every half an hour.
#[tokio::test]
async fn times_that_come_in_the_pause_between_two_iterations_are_heeded() {
    let times = json!({"cron": "*/30 * * * *"});
    let rules = [rule(EACH_MINUTE, "automation_schedule.cron", &times)];
    let mut lab = lab_beside(writer(), &rules);
    lab.config.r#loop.loop_delay_ms = 2 * 60 * 60_000;
    let mut agent = lab.start();
    stop_after(&lab, 2);
    live(&mut agent).await;
    agent.close().unwrap();
    let found = outcomes(&lab);
    // The run of the first waits for its turn, so the others are told to be skipped.
    assert_eq!((found.ran, found.skipped), (1, 3), "{found:?}");
    assert_eq!((found.missed, found.coalesced), (0, 0), "{found:?}");
}
