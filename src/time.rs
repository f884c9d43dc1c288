//! Points in time as the journal writes them: RFC 3339, UTC, milliseconds. Pure: only
//! `daemon::clock` reads a clock.

use chrono::{DateTime, Local, SecondsFormat, Utc};
use serde::de::Visitor;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// A point in time, in milliseconds since the Unix epoch, UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp {
    /// The milliseconds since 1970-01-01T00:00:00Z.
    pub millis: i64,
}

impl Timestamp {
    /// Creates a timestamp from milliseconds since the epoch.
    pub const fn from_millis(millis: i64) -> Self {
        Self { millis }
    }

    /// Parses RFC 3339 text with any offset.
    pub fn parse(text: &str) -> Option<Self> {
        DateTime::parse_from_rfc3339(text).ok().map(|moment| Self {
            millis: moment.timestamp_millis(),
        })
    }

    /// Parses the one spelling that this program writes, `2026-01-02T03:04:05.678Z`.
    /// `None` for any other spelling, and for an impossible time.
    // A rebuild reads hundreds of thousands of them, so this is faster than `parse`.
    pub fn parse_plain(text: &str) -> Option<Self> {
        let bytes: &[u8; 24] = text.as_bytes().try_into().ok()?;
        let number = |from: usize, to: usize| {
            bytes[from..to].iter().try_fold(0_i64, |number, byte| {
                let digit = byte.wrapping_sub(b'0');
                (digit < 10).then(|| number * 10 + i64::from(digit))
            })
        };
        let marks = [4, 7, 10, 13, 16, 19, 23].map(|at| bytes[at]);
        let (year, month, day) = (number(0, 4)?, number(5, 7)?, number(8, 10)?);
        let (hour, minute, second) = (number(11, 13)?, number(14, 16)?, number(17, 19)?);
        let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        let days = match month {
            2 => 28 + i64::from(is_leap),
            4 | 6 | 9 | 11 => 30,
            1..=12 => 31,
            _ => return None,
        };
        let is_time = hour < 24 && minute < 60 && second < 60;
        if marks != *b"--T::.Z" || !(1..=days).contains(&day) || !is_time {
            return None;
        }
        let time = ((hour * 60 + minute) * 60 + second) * 1000 + number(20, 23)?;
        Some(Self::from_millis(days_to(year, month, day) * DAY_MS + time))
    }

    /// Returns the time as a `chrono` value; one out of its range becomes the epoch.
    pub fn to_utc(self) -> DateTime<Utc> {
        DateTime::from_timestamp_millis(self.millis).unwrap_or_default()
    }

    /// Returns `YYYY-MM-DD HH:MM:SS` in the machine's zone: the default title of a note.
    pub fn local_title(self) -> String {
        self.to_utc()
            .with_timezone(&Local)
            .format("%Y-%m-%d %H:%M:%S")
            .to_string()
    }

    /// Returns `YYYY-MM-DD HH:MM` in the machine's zone: the time as a prompt shows it.
    pub fn local_minute(self) -> String {
        self.to_utc()
            .with_timezone(&Local)
            .format("%Y-%m-%d %H:%M")
            .to_string()
    }

    /// Adds `millis`, which may be negative; saturates at the ends of time.
    #[must_use]
    pub const fn plus_millis(self, millis: i64) -> Self {
        Self {
            millis: self.millis.saturating_add(millis),
        }
    }

    /// Adds `millis`; saturates at the end of time.
    #[must_use]
    pub fn after_millis(self, millis: u64) -> Self {
        self.plus_millis(i64::try_from(millis).unwrap_or(i64::MAX))
    }

    /// Returns the milliseconds from this time to `then`; 0 if that is past.
    pub fn millis_until(self, then: Self) -> u64 {
        u64::try_from(then.millis.saturating_sub(self.millis)).unwrap_or_default()
    }
}

/// The local time to the minute, formatted once a minute.
// Reading the machine's zone takes longer than the rest of a prompt.
#[derive(Clone, Debug, Default)]
pub struct LocalMinute {
    /// The minutes since the epoch, and their local text.
    known: Option<(i64, String)>,
}

impl LocalMinute {
    /// Returns the text of [`Timestamp::local_minute`].
    pub fn of(&mut self, now: Timestamp) -> &str {
        let minute = now.millis.div_euclid(60_000);
        let known = self.known.take().filter(|known| known.0 == minute);
        let known = known.unwrap_or_else(|| (minute, now.local_minute()));
        &self.known.insert(known).1
    }
}

/// A day of UTC, in milliseconds.
pub const DAY_MS: i64 = 86_400_000;

/// Returns the days from the epoch to a date.
// Years are counted from March, so that the leap day is the last of a year, and in eras of 400
// years, after which the calendar repeats.
const fn days_to(year: i64, month: i64, day: i64) -> i64 {
    let year = if month > 2 { year } else { year - 1 };
    let (era, year_of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719_468
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_utc().to_rfc3339_opts(SecondsFormat::Millis, true))
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(TimeVisitor)
    }
}

/// A visitor that parses a time without a copy of its text.
struct TimeVisitor;

impl Visitor<'_> for TimeVisitor {
    type Value = Timestamp;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an RFC 3339 time")
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Timestamp, E> {
        let time = Timestamp::parse_plain(text).or_else(|| Timestamp::parse(text));
        time.ok_or_else(|| E::custom(format_args!("`{text}` is not an RFC 3339 time")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The fast parser reads what the program writes, and refuses whatever the general one refuses.
    #[test]
    fn the_plain_spelling_means_what_the_general_reader_says() {
        // A step of 31 days and a bit covers every month, the ends of centuries and leap days.
        let step = 31 * DAY_MS + 1_234_567;
        let last = days_to(9999, 12, 31) * DAY_MS;
        let mut millis = days_to(0, 1, 1) * DAY_MS;
        while millis < last {
            let moment = Timestamp::from_millis(millis);
            assert_eq!(Timestamp::parse_plain(&moment.to_string()), Some(moment));
            millis += step;
        }
        let days = [
            "2000-02-29",
            "2024-02-29",
            "1900-02-28",
            "2026-12-31",
            "1970-01-01",
        ];
        let nights = [
            "1900-02-29",
            "2023-02-29",
            "2026-04-31",
            "2026-13-01",
            "2026-00-01",
            "2026-01-00",
        ];
        for day in days.into_iter().chain(nights) {
            for time in [
                "T00:00:00.000Z",
                "T23:59:59.999Z",
                "T24:00:00.000Z",
                "T23:60:00.000Z",
            ] {
                let text = format!("{day}{time}");
                assert_eq!(
                    Timestamp::parse_plain(&text),
                    Timestamp::parse(&text),
                    "{text}"
                );
            }
        }
        for odd in [
            "2026-01-02T03:04:05.678z",
            "2026-01-02 03:04:05.678Z",
            "2026-01-02T03:04:05Z",
            "+026-01-02T03:04:05.678Z",
        ] {
            assert_eq!(Timestamp::parse_plain(odd), None, "{odd}");
        }
    }

    #[test]
    fn leap_seconds_and_the_ends_of_time_are_read_and_written() {
        for (text, means) in [
            ("2016-12-31T23:59:60Z", Some("2017-01-01T00:00:00.000Z")),
            ("2016-12-31T23:59:60.5Z", Some("2017-01-01T00:00:00.500Z")),
            (
                "2028-02-29T00:00:00+01:00",
                Some("2028-02-28T23:00:00.000Z"),
            ),
            ("2027-02-29T00:00:00Z", None),
            ("2038-01-19T03:14:08Z", Some("2038-01-19T03:14:08.000Z")),
            ("1969-12-31T23:59:59.999Z", Some("1969-12-31T23:59:59.999Z")),
            ("9999-12-31T23:59:59.999Z", Some("9999-12-31T23:59:59.999Z")),
            ("10000-01-01T00:00:00Z", None),
        ] {
            let read = Timestamp::parse(text).map(|moment| moment.to_string());
            assert_eq!(read.as_deref(), means, "{text}");
            let stored: Option<Timestamp> = serde_json::from_value(text.into()).ok();
            assert_eq!(stored.map(|moment| moment.to_string()), read, "{text}");
        }
    }

    #[test]
    fn the_minute_is_worded_anew_when_it_is_another() {
        let mut minute = LocalMinute::default();
        for millis in [0, 59_999, 60_000, -1, 0] {
            let now = Timestamp::from_millis(millis);
            assert_eq!(minute.of(now), now.local_minute(), "{millis}");
        }
    }
}
