//! Text for people: safe for a terminal, pairs in columns, short ids, and times that are local and
//! relative to now.

use crate::service::now;
use crate::time::Timestamp;
use chrono::{DateTime, Days, Local, TimeZone};
use serde::Serialize;
use serde_json::Value;
use std::fmt::Display;

pub(super) use crate::plain_text::{count, joined, one_line, visible};

/// Formats names and values as lines, the values in one column; empty values are left out.
pub(super) fn pairs(entries: &[(&str, String)]) -> String {
    let shown = || entries.iter().filter(|(_, value)| !value.is_empty());
    let width = shown().map(|(name, _)| name.len()).max().unwrap_or(0);
    let lines = shown().map(|(name, value)| format!("{name:width$}  {value}\n"));
    lines.collect()
}

/// Formats a JSON value on its own: text as it is, anything else as JSON.
pub(super) fn text_of_value(value: &Value) -> String {
    value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned)
}

/// Returns a plain value as JSON spells it.
pub(super) fn word(value: &impl Serialize) -> String {
    let json = serde_json::to_value(value).unwrap_or_default();
    json.as_str().unwrap_or_default().to_owned()
}

/// The fewest characters of an id that are shown.
const SHOWN_MIN: usize = 8;

/// The ids among which each short one is unique.
#[derive(Debug)]
pub(super) struct ShortIds {
    sorted: Vec<String>,
}

impl ShortIds {
    pub(super) fn of(ids: impl IntoIterator<Item = impl Display>) -> Self {
        let mut sorted: Vec<String> = ids.into_iter().map(|id| id.to_string()).collect();
        sorted.sort_unstable();
        sorted.dedup();
        Self { sorted }
    }

    /// Returns the shortest beginning of an id that no other one has.
    pub(super) fn short(&self, id: &impl Display) -> String {
        let id = id.to_string();
        let at = self.sorted.partition_point(|other| *other < id);
        let before = at.checked_sub(1).and_then(|at| self.sorted.get(at));
        let rest = self.sorted.get(at..).unwrap_or_default();
        let after = rest.iter().find(|other| **other != id);
        let others = before.into_iter().chain(after);
        let shared = others.map(|other| shared(other, &id)).max();
        let mut length = shared.unwrap_or(0).saturating_add(1).max(SHOWN_MIN);
        // A final hyphen distinguishes nothing.
        if id.get(..length).is_some_and(|shown| shown.ends_with('-')) {
            length += 1;
        }
        id.get(..length).map_or_else(|| id.clone(), str::to_owned)
    }
}

/// Returns the number of characters that two texts share at their start.
fn shared(one: &str, other: &str) -> usize {
    let pairs = one.bytes().zip(other.bytes());
    pairs.take_while(|(one, other)| one == other).count()
}

const MINUTE_MS: u64 = 60_000;
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
    let minutes = span / MINUTE_MS;
    if span < HOUR_MS && ago > 0 {
        return format!("{minutes} min ago");
    }
    if span < HOUR_MS {
        return format!("in {minutes} min");
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
    use super::{ShortIds, Timestamp, exactly, seen_from};
    use chrono_tz::Europe::Berlin;

    const IDS: [&str; 4] = [
        "0190a3b4-5c6d-7000-8000-000000000001",
        "0190a3b4-5c6d-7000-8000-000000000002",
        "0190a3b4-5c6e-7000-8000-000000000001",
        "5fffffff-0000-4000-8000-000000000000",
    ];

    #[test]
    fn ids_are_as_short_as_they_may_be() {
        let ids = ShortIds::of(IDS);
        let short = IDS.map(|id| ids.short(&id));
        assert_eq!(short, [IDS[0], IDS[1], "0190a3b4-5c6e", "5fffffff"]);
        let alone = ShortIds::of(&IDS[..1]);
        assert_eq!(alone.short(&IDS[0]), "0190a3b4");
        // An id outside of the list still gets a unique beginning.
        assert_eq!(alone.short(&IDS[2]), "0190a3b4-5c6e");
    }

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
