//! When a cron expression fires. The only place that knows the `cron` crate's own reading of
//! expressions, which is not the one that people are used to.

use crate::time::Timestamp;
use cron::Schedule as Parsed;
use std::fmt::Write as _;
use std::str::FromStr as _;

/// Names of the days, Sunday first as in the five-field form. The crate counts Sunday as 1, so
/// numbers are never handed on.
const DAYS: [&str; 8] = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN"];

/// How far ahead a first occurrence is looked for, in milliseconds: five years. An expression
/// without one never fires, as 30 February.
const HORIZON_MS: i64 = 5 * 366 * 24 * 60 * 60 * 1000;

/// A cron expression, in UTC.
#[derive(Clone, Debug)]
pub struct Schedule {
    parsed: Parsed,
}

impl Schedule {
    /// Reads an expression of five fields as in Unix (minute first), or of six or seven (second
    /// first, year last). `now` is where the search for a first occurrence begins.
    pub fn parse(text: &str, now: Timestamp) -> Result<Self, String> {
        let fields: Vec<&str> = text.split_whitespace().collect();
        let expression = match fields.as_slice() {
            [name] if name.starts_with('@') => (*name).to_owned(),
            [minute, hour, day, month, weekday] => {
                let weekday = named_days(weekday)?;
                format!("0 {minute} {hour} {day} {month} {weekday}")
            }
            [_, _, _, day, _, weekday] | [_, _, _, day, _, weekday, _] => {
                check_days(day, weekday)?;
                text.to_owned()
            }
            _ => {
                return Err(format!(
                    "{} fields; five, six or seven are understood",
                    fields.len()
                ));
            }
        };
        if let [_, _, day, _, weekday] = fields.as_slice() {
            check_days(day, weekday)?;
        }
        let parsed = Parsed::from_str(&expression).map_err(|error| error.to_string())?;
        let schedule = Self { parsed };
        match schedule.next_after(now) {
            Some(next) if next.millis - now.millis <= HORIZON_MS => Ok(schedule),
            Some(_) | None => Err("it never fires within five years".to_owned()),
        }
    }

    /// The first occurrence after `now`.
    pub fn next_after(&self, now: Timestamp) -> Option<Timestamp> {
        let next = self.parsed.after(&now.to_utc()).next()?;
        Some(Timestamp::from_millis(next.timestamp_millis()))
    }
}

/// The crate fires only where both day fields match; people expect either. Nobody gets surprised if
/// it is refused.
fn check_days(day: &str, weekday: &str) -> Result<(), String> {
    let free = |field: &str| matches!(field, "*" | "?");
    if free(day) || free(weekday) {
        return Ok(());
    }
    Err("restrict the day of the month or the day of the week, not both".to_owned())
}

/// Numbers of days as names: 0 and 7 are Sunday.
fn named_days(field: &str) -> Result<String, String> {
    let mut out = String::with_capacity(field.len() + 8);
    let mut rest = field;
    while let Some(first) = rest.chars().next() {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        // Behind a slash stands a step, not a day.
        let is_step = out.ends_with('/');
        if digits == 0 || is_step {
            let take = if digits == 0 {
                first.len_utf8()
            } else {
                digits
            };
            out.push_str(rest.get(..take).unwrap_or_default());
            rest = rest.get(take..).unwrap_or_default();
            continue;
        }
        let (number, behind) = rest.split_at(digits);
        let day = number
            .parse::<usize>()
            .ok()
            .and_then(|number| DAYS.get(number));
        let day = day.ok_or_else(|| format!("`{number}` is no day of the week (0 to 7)"))?;
        write!(out, "{day}").map_err(|error| error.to_string())?;
        rest = behind;
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::Schedule;
    use crate::time::Timestamp;

    fn next(expression: &str, now: &str) -> Result<String, String> {
        let now = Timestamp::parse(now).unwrap();
        let schedule = Schedule::parse(expression, now)?;
        Ok(schedule.next_after(now).unwrap().to_string())
    }

    #[test]
    fn expressions_fire_when_people_expect_it() {
        let saturday = "2026-11-21T12:30:00Z";
        let cases = [
            ("*/15 * * * *", "2026-11-21T12:45:00.000Z"),
            ("30 2 * * *", "2026-11-22T02:30:00.000Z"),
            ("0 9 * * 1", "2026-11-23T09:00:00.000Z"),
            ("0 9 * * 0", "2026-11-22T09:00:00.000Z"),
            ("0 9 * * 7", "2026-11-22T09:00:00.000Z"),
            ("0 9 * * 1-5", "2026-11-23T09:00:00.000Z"),
            ("0 9 * * SUN", "2026-11-22T09:00:00.000Z"),
            ("0 0 1 * *", "2026-12-01T00:00:00.000Z"),
            ("10 0 12 * * *", "2026-11-22T12:00:10.000Z"),
            ("0 0 12 * * * 2027", "2027-01-01T12:00:00.000Z"),
            ("@daily", "2026-11-22T00:00:00.000Z"),
        ];
        for (expression, expected) in cases {
            assert_eq!(
                next(expression, saturday).as_deref(),
                Ok(expected),
                "{expression}"
            );
        }
    }

    #[test]
    fn expressions_that_would_surprise_are_refused() {
        let cases = [
            "",
            "* * *",
            "0 0 30 2 *",
            "0 12 13 * 5",
            "0 0 12 13 * Fri",
            "0 9 * * 8",
            "a b c d e",
        ];
        for expression in cases {
            assert!(
                next(expression, "2026-11-21T12:30:00Z").is_err(),
                "{expression}"
            );
        }
    }
}
