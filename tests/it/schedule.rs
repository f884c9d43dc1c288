//! When a schedule fires, held against another implementation and against the days on which clocks are
//! put forward and back.

#![expect(clippy::unwrap_used, reason = "a test may stop at once")]

use chrono::{Offset as _, TimeZone as _};
use chrono_tz::Tz;
use croner::parser::{CronParser, Seconds, Year};
use kjxlkj_agent::core::automation::{Schedule, Zone};
use kjxlkj_agent::time::{DAY_MS, Timestamp};
use proptest::prelude::*;
use std::sync::LazyLock;

/// Zones with an hour's summer time north and south, half an hour's, one that begins at midnight, one
/// with winter time in summer, one with none.
const ZONES: [&str; 7] = [
    "Europe/Berlin",
    "America/New_York",
    "America/Santiago",
    "Australia/Lord_Howe",
    "Africa/Cairo",
    "Africa/Casablanca",
    "Asia/Kolkata",
];

/// Ten years.
const FROM: &str = "2020-01-01T00:00:00Z";
const TO: &str = "2030-01-01T00:00:00Z";

fn at(text: &str) -> Timestamp {
    Timestamp::parse(text).unwrap()
}

fn schedule(expression: &str, zone: &str) -> Schedule {
    let zone = Zone::parse(zone).unwrap();
    Schedule::parse(expression, zone, at(FROM)).unwrap()
}

/// The same occurrences as the other implementation counts them.
fn oracle(expression: &str, zone: &str, from: Timestamp, to: Timestamp) -> Vec<Timestamp> {
    let parser = CronParser::builder()
        .seconds(Seconds::Optional)
        .year(Year::Optional)
        .build();
    let cron = parser.parse(expression).unwrap();
    let zone: Tz = zone.parse().unwrap();
    let from = from.to_utc().with_timezone(&zone);
    cron.iter_after(from)
        .map(|next| Timestamp::from_millis(next.timestamp_millis()))
        .take_while(|next| *next <= to)
        .collect()
}

fn same(expression: &str, zone: &str, from: Timestamp, to: Timestamp) {
    let ours: Vec<_> = schedule(expression, zone).between(from, to).collect();
    let theirs = oracle(expression, zone, from, to);
    let differs = ours.iter().zip(&theirs).find(|(one, other)| one != other);
    assert_eq!(differs, None, "{expression} in {zone}");
    assert_eq!(ours.len(), theirs.len(), "{expression} in {zone}");
}

/// The instants within the ten years at which the clocks of each zone are changed, to the hour.
static CHANGES: LazyLock<[Vec<Timestamp>; 7]> = LazyLock::new(|| ZONES.map(changes));

fn changes(zone: &str) -> Vec<Timestamp> {
    let zone: Tz = zone.parse().unwrap();
    let offset = |millis: i64| {
        let utc = Timestamp::from_millis(millis).to_utc();
        zone.offset_from_utc_datetime(&utc.naive_utc()).fix()
    };
    (at(FROM).millis..at(TO).millis)
        .step_by(3_600_000)
        .filter(|now| offset(*now) != offset(now - 3_600_000))
        .map(Timestamp::from_millis)
        .collect()
}

#[test]
fn ten_years_of_daily_and_rarer_schedules_are_those_of_another_implementation() {
    let expressions = [
        "30 2 * * *",
        "0 0 * * *",
        "15 1 * * *",
        "30 0 * * 1-5",
        "0 9 * * 0",
        "45 1 1 * *",
        "0 12 29 2 *",
        "5 30 2 * 3,4,9,10,11 *",
        "0 30 1 * 4-10 SUN",
        "0 0 0 1 1 * 2024-2028",
    ];
    for zone in ZONES {
        for expression in expressions {
            same(expression, zone, at(FROM), at(TO));
        }
    }
}

#[test]
fn schedules_of_hours_minutes_and_seconds_are_the_same_around_every_change_of_the_clocks() {
    let expressions = [
        "0 * * * *",
        "*/30 * * * *",
        "*/7 * * * *",
        "15 */2 * * *",
        "20 */5 1-3 * * *",
        "0 0,20,40 * * * *",
        "*/10 2 * * *",
    ];
    let two_days = 2 * DAY_MS;
    for (zone, changes) in ZONES.iter().zip(CHANGES.iter()) {
        for change in changes {
            let from = Timestamp::from_millis(change.millis - two_days);
            let to = Timestamp::from_millis(change.millis + two_days);
            for expression in expressions {
                same(expression, zone, from, to);
            }
        }
    }
    assert_eq!(CHANGES[0].len(), 20, "clocks are changed");
}

/// Every way to name days by their numbers, in a zone west of Greenwich: where a day begins in the evening
/// of the one before. The other implementation reads `7` alone, and no range beyond the end of the week.
#[test]
fn numbers_and_ranges_of_days_are_those_of_another_implementation() {
    let cases = [
        ("0-7", "*"),
        ("1-7", "*"),
        ("0-6", "*"),
        ("5-7", "0,5,6"),
        ("7", "0"),
        ("6-1", "0,1,6"),
        ("FRI-MON", "0,1,5,6"),
        ("1-5", "1-5"),
        ("1-7/2", "0,1,3,5"),
        ("1/2", "1,3,5"),
        ("0,3,7", "0,3"),
        ("MON,3-4", "1,3,4"),
    ];
    let (from, to) = (at("2026-10-01T00:00:00Z"), at("2027-04-01T00:00:00Z"));
    for zone in ["America/New_York", "Europe/Berlin", "Pacific/Apia"] {
        for (days, plain) in cases {
            for (minute, hour) in [(30, 23), (15, 0)] {
                let ours = schedule(&format!("{minute} {hour} * * {days}"), zone);
                let ours: Vec<_> = ours.between(from, to).collect();
                let theirs = oracle(&format!("{minute} {hour} * * {plain}"), zone, from, to);
                assert_eq!(ours, theirs, "{days} in {zone}");
                assert!(ours.len() > 20);
            }
        }
    }
}

/// Named times, also several of them, as a person expects: the other implementation skips these.
#[test]
fn a_named_time_that_no_clock_shows_fires_behind_the_gap_and_a_repeated_one_once() {
    let cases: [(&str, &str, &str, &[&str]); 7] = [
        // Clocks go from 02:00 to 03:00 on 29 March 2026, that is at 01:00 UTC.
        (
            "30 1,2,3 * * *",
            "2026-03-29T00:00:00Z",
            "2026-03-29T02:00:00Z",
            &[
                "2026-03-29T00:30:00Z",
                "2026-03-29T01:00:00Z",
                "2026-03-29T01:30:00Z",
            ],
        ),
        // Two of them fall into the gap: it is one moment.
        (
            "10,50 2 * * *",
            "2026-03-29T00:00:00Z",
            "2026-03-29T23:00:00Z",
            &["2026-03-29T01:00:00Z"],
        ),
        // One falls into the gap, one on its end.
        (
            "0 2-3 * * *",
            "2026-03-29T00:00:00Z",
            "2026-03-29T23:00:00Z",
            &["2026-03-29T01:00:00Z"],
        ),
        // Clocks go from 03:00 back to 02:00 on 25 October 2026, that is at 01:00 UTC.
        (
            "0,30 2 * * *",
            "2026-10-24T12:00:00Z",
            "2026-10-25T12:00:00Z",
            &["2026-10-25T00:00:00Z", "2026-10-25T00:30:00Z"],
        ),
        // Looked for from within the second pass.
        (
            "30 2 * * *",
            "2026-10-25T01:10:00Z",
            "2026-10-26T12:00:00Z",
            &["2026-10-26T01:30:00Z"],
        ),
        // As time passes, both passes count, and nothing is made up for.
        (
            "30 * * * *",
            "2026-10-24T23:40:00Z",
            "2026-10-25T02:00:00Z",
            &["2026-10-25T00:30:00Z", "2026-10-25T01:30:00Z"],
        ),
        (
            "*/30 2 * * *",
            "2026-03-29T00:00:00Z",
            "2026-03-29T23:00:00Z",
            &[],
        ),
    ];
    for (expression, from, to, expected) in cases {
        let schedule = schedule(expression, "Europe/Berlin");
        let found = schedule.between(at(from), at(to));
        let expected: Vec<_> = expected.iter().map(|text| at(text)).collect();
        assert_eq!(
            found.collect::<Vec<_>>(),
            expected,
            "{expression} from {from}"
        );
    }
}

/// Samoa changed sides of the date line and had no 30 December 2011.
#[test]
fn a_day_that_a_place_skipped_fires_behind_it() {
    let schedule = schedule("0 12 * * *", "Pacific/Apia");
    let found: Vec<_> = schedule
        .between(at("2011-12-29T00:00:00Z"), at("2012-01-01T00:00:00Z"))
        .collect();
    let expected = [
        "2011-12-29T22:00:00Z",
        "2011-12-30T10:00:00Z",
        "2011-12-30T22:00:00Z",
        "2011-12-31T22:00:00Z",
    ];
    assert_eq!(found, expected.map(at));
}

proptest! {
    /// Wherever one begins to look, the next occurrence is later, and nothing lies between.
    #[test]
    fn from_wherever_one_looks_no_occurrence_is_skipped_or_repeated(
        zone in 0..ZONES.len(),
        expression in prop::sample::select(vec![
            "30 2 * * *", "*/20 * * * *", "0 0 * * *", "10,50 1-3 * * *", "0 0 12 1 * *",
        ]),
        change in 0..40_usize,
        seconds in -100_000..100_000_i64,
    ) {
        let schedule = schedule(expression, ZONES[zone]);
        let changes = &CHANGES[zone];
        let near = changes.get(change % changes.len().max(1)).copied().unwrap_or_else(|| at(FROM));
        let now = Timestamp::from_millis(near.millis + seconds * 1000 + 500);
        let next = schedule.next_after(now).unwrap();
        prop_assert!(next > now);
        // From any moment between, the same one comes next; from it, a later one.
        for part in 1..4 {
            let between = now.millis + (next.millis - now.millis) * part / 4;
            prop_assert_eq!(schedule.next_after(Timestamp::from_millis(between)), Some(next));
        }
        prop_assert!(schedule.next_after(next).unwrap() > next);
    }
}
