//! Schedules from cron expressions.
//! No other module uses the `cron` crate, whose reading of expressions is not the usual one.

use super::zone::{LocalInstant, Zone};
use crate::time::Timestamp;
use chrono::DateTime;
use cron::Schedule as Parsed;
use std::str::FromStr as _;

/// The names of the days, Sunday first as in the five-field form.
/// The crate counts Sunday as 1, so it gets names and never numbers.
const DAYS: [&str; 7] = [
    "SUNDAY",
    "MONDAY",
    "TUESDAY",
    "WEDNESDAY",
    "THURSDAY",
    "FRIDAY",
    "SATURDAY",
];

/// The time within which a schedule must fire first, in milliseconds: five years.
/// An expression such as 30 February never fires.
const HORIZON_MS: i64 = 5 * 366 * 24 * 60 * 60 * 1000;

/// A cron expression with its time zone.
///
/// An expression with fixed hours, minutes and seconds means times of the wall clock. A time that
/// is skipped when clocks are put forward fires once, at the first instant after it. A time that is
/// shown twice when they are put back fires the first time. An expression with a `*` in one of the
/// three fields follows elapsed time: nothing is made up for, and both hours count.
#[derive(Clone, Debug)]
pub struct Schedule {
    parsed: Parsed,
    zone: Zone,
    /// Whether its hours, minutes and seconds are fixed.
    is_fixed: bool,
}

impl Schedule {
    /// Parses an expression of five fields as in Unix (minute first), or of six or seven.
    /// Six fields begin with the second, and a seventh is the year. `now` is where the search for a
    /// first occurrence begins.
    ///
    /// # Errors
    /// A message for a person about an expression that is invalid, never fires, or would surprise.
    pub fn parse(text: &str, zone: Zone, now: Timestamp) -> Result<Self, String> {
        let fields: Vec<&str> = text.split_whitespace().collect();
        let is_star = |field: &&str| field.starts_with('*');
        let (expression, is_fixed) = match fields.as_slice() {
            [name] if name.starts_with('@') => ((*name).to_owned(), *name != "@hourly"),
            [minute, hour, day, month, weekday] => {
                check_days(day, weekday)?;
                // The week of the crate begins with Sunday, and no range crosses its end.
                let named = weekday.split(',').map(days_of);
                let weekday = named.collect::<Result<Vec<_>, _>>()?.join(",");
                let expression = format!("0 {minute} {hour} {day} {month} {weekday}");
                (expression, ![minute, hour].into_iter().any(is_star))
            }
            [second, minute, hour, day, _, weekday]
            | [second, minute, hour, day, _, weekday, _] => {
                check_days(day, weekday)?;
                let times = [second, minute, hour];
                (text.to_owned(), !times.into_iter().any(is_star))
            }
            _ => {
                return Err(format!(
                    "{} fields; five, six or seven are understood",
                    fields.len()
                ));
            }
        };
        let parsed = Parsed::from_str(&expression).map_err(|error| error.to_string())?;
        let schedule = Self {
            parsed,
            zone,
            is_fixed,
        };
        match schedule.next_after(now) {
            Some(next) if next.millis - now.millis <= HORIZON_MS => Ok(schedule),
            Some(_) | None => Err("it never fires within five years".to_owned()),
        }
    }

    /// Returns the first occurrence after `now`.
    pub fn next_after(&self, now: Timestamp) -> Option<Timestamp> {
        let now = now.millis.div_euclid(1000);
        let next = if self.is_fixed {
            self.next_named(now)
        } else {
            self.next_passing(now)
        };
        Some(Timestamp::from_millis(next? * 1000))
    }

    /// Returns the occurrences in `(from, to]`, in order.
    pub fn between(&self, from: Timestamp, to: Timestamp) -> impl Iterator<Item = Timestamp> {
        let next = |at: &Timestamp| self.next_after(*at);
        std::iter::successors(self.next_after(from), next).take_while(move |at| *at <= to)
    }

    /// Returns the next occurrence of fixed times, in seconds.
    fn next_named(&self, now: i64) -> Option<i64> {
        let mut wall = now + self.zone.offset(now);
        loop {
            wall = self.next_on_wall(wall)?;
            let (LocalInstant::At(at) | LocalInstant::Skipped(at)) = self.zone.shows(wall);
            // A time that is shown for the second time has fired already.
            if at > now {
                return Some(at);
            }
        }
    }

    /// Returns the next occurrence in elapsed time, in seconds.
    fn next_passing(&self, now: i64) -> Option<i64> {
        let (mut after, mut offset) = (now, self.zone.offset(now));
        loop {
            let at = self.next_on_wall(after + offset)? - offset;
            if self.zone.offset(at) == offset {
                return Some(at);
            }
            // Clocks change before it: search again from the change, with the offset after it.
            let change = self.zone.change(after, at, offset);
            (after, offset) = (change - 1, self.zone.offset(change));
        }
    }

    /// Returns the first match of the expression after a wall clock time, in seconds.
    fn next_on_wall(&self, wall: i64) -> Option<i64> {
        let wall = DateTime::from_timestamp(wall, 0)?;
        self.parsed.after(&wall).next().map(|next| next.timestamp())
    }
}

/// Refuses an expression that restricts both day fields.
/// The crate fires only if both match; people expect that one suffices.
fn check_days(day: &str, weekday: &str) -> Result<(), String> {
    let free = |field: &str| matches!(field, "*" | "?");
    if free(day) || free(weekday) {
        return Ok(());
    }
    Err("restrict the day of the month or the day of the week, not both".to_owned())
}

/// Returns the days of one part of the field, such as `1-5`, `FRI-SUN` or `0-6/2`.
fn days_of(part: &str) -> Result<String, String> {
    let (days, step) = match part.split_once('/') {
        Some((days, step)) => (days, Some(step)),
        None => (part, None),
    };
    if matches!(days, "*" | "?") {
        return Ok(part.to_owned());
    }
    let (first, last) = match days.split_once('-') {
        Some((first, last)) => (day(first)?, day(last)?),
        // With a step, a single day means all days from it to the end of the week.
        None => (
            day(days)?,
            day(days)?.max(if step.is_some() { 6 } else { 0 }),
        ),
    };
    let step = step.map_or(Some(1), |step| step.parse().ok().filter(|step| *step > 0));
    let step = step.ok_or_else(|| format!("`{part}` takes no steps"))?;
    let last = if last < first {
        last + DAYS.len()
    } else {
        last
    };
    let named = (first..=last).step_by(step);
    let named = named.filter_map(|day| DAYS.get(day % DAYS.len()).copied());
    Ok(named.collect::<Vec<_>>().join(","))
}

/// Returns a day by its number, where 0 and 7 are Sunday, or by the beginning of its name.
fn day(text: &str) -> Result<usize, String> {
    let name = text.to_ascii_uppercase();
    let named = DAYS
        .iter()
        .position(|day| name.len() >= 3 && day.starts_with(&name));
    let number = || text.parse().ok().filter(|day| *day <= DAYS.len());
    named
        .or_else(number)
        .ok_or_else(|| format!("`{text}` is no day of the week (0 to 7, or its name)"))
}

#[cfg(test)]
mod tests {
    use super::{Schedule, Zone};
    use crate::time::Timestamp;

    fn next(expression: &str, now: &str) -> Result<String, String> {
        let now = Timestamp::parse(now).unwrap();
        let schedule = Schedule::parse(expression, Zone::UTC, now)?;
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
            ("0 9 * * tues", "2026-11-24T09:00:00.000Z"),
            // With seconds, the numbers of days are those of the crate: 1 is Sunday.
            ("0 0 9 * * 1", "2026-11-22T09:00:00.000Z"),
            ("0 0 9 * * MON", "2026-11-23T09:00:00.000Z"),
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
            "0 9 * * 1-8",
            "0 9 * * 1-5/0",
            "0 9 * * mo",
            "0 9 * * ",
            "0 9 * * 1,",
            "0 0 9 * * 0",
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
