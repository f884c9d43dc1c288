//! Times for people: local, and relative to now.

use crate::service::now;
use crate::time::Timestamp;
use chrono::{DateTime, Days, Local, TimeZone};
use std::fmt::Display;

/// The milliseconds of a minute.
const MINUTE_MS: u64 = 60_000;

/// The milliseconds of an hour.
const HOUR_MS: u64 = 60 * MINUTE_MS;

/// Formats a time for a row of a table: `5 min ago`, `yesterday 18:20`, else the date.
pub(super) fn when(at: Timestamp) -> String {
    seen_from(at, now(), &Local)
}

/// Like [`when`], but empty for an unknown time.
pub(super) fn when_known(at: Option<Timestamp>) -> String {
    at.map(when).unwrap_or_default()
}

/// Formats a time on its own: to the second, and relative to now where that is a day or less.
pub(super) fn at(at: Timestamp) -> String {
    exactly(at, now(), &Local)
}

fn exactly<Z: TimeZone<Offset: Display>>(at: Timestamp, now: Timestamp, zone: &Z) -> String {
    let date = local(at, zone).format("%Y-%m-%d %H:%M:%S").to_string();
    let about = seen_from(at, now, zone);
    // A relative form that is the date itself adds nothing.
    if about.starts_with(|c: char| c.is_ascii_digit()) && !about.contains("min") {
        date
    } else {
        format!("{date} ({about})")
    }
}

fn seen_from<Z: TimeZone<Offset: Display>>(at: Timestamp, now: Timestamp, zone: &Z) -> String {
    let (ago, ahead) = (at.millis_until(now), now.millis_until(at));
    let span = ago.max(ahead);
    if span < MINUTE_MS {
        return "just now".to_owned();
    }
    if span < HOUR_MS {
        let minutes = span / MINUTE_MS;
        return if ago > 0 {
            format!("{minutes} min ago")
        } else {
            format!("in {minutes} min")
        };
    }
    let (moment, today) = (local(at, zone), local(now, zone).date_naive());
    let time = moment.format("%H:%M");
    let day = moment.date_naive();
    let one = Days::new(1);
    if day == today {
        format!("today {time}")
    } else if day.checked_add_days(one) == Some(today) {
        format!("yesterday {time}")
    } else if today.checked_add_days(one) == Some(day) {
        format!("tomorrow {time}")
    } else {
        moment.format("%Y-%m-%d %H:%M").to_string()
    }
}

fn local<Z: TimeZone>(at: Timestamp, zone: &Z) -> DateTime<Z> {
    at.to_utc().with_timezone(zone)
}

#[cfg(test)]
mod tests {
    use super::{Timestamp, exactly, seen_from};
    use chrono_tz::Europe::Berlin;

    #[test]
    fn times_are_local_and_seen_from_now() {
        let parse = |text: &str| Timestamp::parse(text).unwrap();
        let now = parse("2026-11-23T22:30:00Z");
        for (at, said) in [
            ("2026-11-23T22:30:00Z", "just now"),
            ("2026-11-23T22:29:01Z", "just now"),
            ("2026-11-23T22:29:00Z", "1 min ago"),
            ("2026-11-23T21:30:01Z", "59 min ago"),
            ("2026-11-23T21:30:00Z", "today 22:30"),
            ("2026-11-22T23:00:00Z", "today 00:00"),
            ("2026-11-22T22:59:00Z", "yesterday 23:59"),
            ("2026-11-22T17:20:00Z", "yesterday 18:20"),
            ("2026-11-21T17:20:00Z", "2026-11-21 18:20"),
            ("2026-07-01T17:20:00Z", "2026-07-01 19:20"),
            ("2026-11-23T22:35:00Z", "in 5 min"),
            ("2026-11-24T08:00:00Z", "tomorrow 09:00"),
            ("2026-11-25T08:00:00Z", "2026-11-25 09:00"),
        ] {
            assert_eq!(seen_from(parse(at), now, &Berlin), said, "{at}");
        }
    }

    #[test]
    fn a_time_on_its_own_is_exact() {
        let parse = |text: &str| Timestamp::parse(text).unwrap();
        let now = parse("2026-11-23T22:30:00Z");
        for (at, said) in [
            ("2026-11-23T22:25:03Z", "2026-11-23 23:25:03 (4 min ago)"),
            (
                "2026-11-22T17:20:00Z",
                "2026-11-22 18:20:00 (yesterday 18:20)",
            ),
            ("2026-11-21T17:20:09Z", "2026-11-21 18:20:09"),
        ] {
            assert_eq!(exactly(parse(at), now, &Berlin), said, "{at}");
        }
    }
}
