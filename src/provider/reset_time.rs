//! The end of a server's limit, as headers and bodies give it, in each form that servers use. No
//! clock of ours is compared with the server's: a moment counts from the reply's own `Date`.

use crate::limits::{RESETS_AFTER_MS_MAX, RESETS_PLAUSIBLE_MS_MAX};
use chrono::{DateTime, FixedOffset};
use reqwest::header::{DATE, HeaderMap, RETRY_AFTER};
use serde_json::Value;
use std::time::Duration;

/// Returns when a limit of calls is full again, by `OpenRouter`'s header.
/// `None` where calls are left, as that is not the limit that refused the request.
pub(super) fn calls_reset_at(headers: &HeaderMap) -> Option<DateTime<FixedOffset>> {
    let text = |name| Some(headers.get(name)?.to_str().ok()?.trim());
    let left: Option<u64> = text("x-ratelimit-remaining").and_then(|left| left.parse().ok());
    if left.is_some_and(|left| left > 0) {
        return None;
    }
    moment_in(text("x-ratelimit-reset")?)
}

/// Returns the milliseconds until a moment, counted from the reply's own `Date`, within bounds.
/// `None` where the moment is past or too far away to be the end of a limit.
pub(super) fn ends_in_ms(moment: DateTime<FixedOffset>, headers: &HeaderMap) -> Option<u64> {
    let left = moment.signed_duration_since(date_of(headers)?);
    u64::try_from(left.num_milliseconds())
        .ok()
        .filter(|ms| (1..=RESETS_PLAUSIBLE_MS_MAX).contains(ms))
        .map(within_bounds)
}

/// Returns the pause, or the longest allowed one where it is longer.
pub(super) fn within_bounds(pause_ms: u64) -> u64 {
    pause_ms.min(RESETS_AFTER_MS_MAX)
}

/// Reads a moment: RFC 3339, or seconds or milliseconds since 1970, also as text.
pub(super) fn moment(value: &Value) -> Option<DateTime<FixedOffset>> {
    if let Some(text) = value.as_str() {
        return moment_in(text.trim());
    }
    of_number(value.as_i64()?)
}

fn moment_in(text: &str) -> Option<DateTime<FixedOffset>> {
    match text.parse() {
        Ok(number) => of_number(number),
        Err(_) => DateTime::parse_from_rfc3339(text).ok(),
    }
}

fn of_number(number: i64) -> Option<DateTime<FixedOffset>> {
    // As milliseconds, the bound is in 1973; as seconds, in the year 5138.
    let moment = if number < 100_000_000_000 {
        DateTime::from_timestamp(number, 0)
    } else {
        DateTime::from_timestamp_millis(number)
    };
    moment.map(|moment| moment.fixed_offset())
}

/// Converts a number of seconds, whole or not, to milliseconds.
pub(super) fn seconds(value: &Value) -> Option<u64> {
    let pause = Duration::try_from_secs_f64(value.as_f64()?).ok()?;
    u64::try_from(pause.as_millis()).ok()
}

/// Returns the `Date` of a reply, by the server's clock.
fn date_of(headers: &HeaderMap) -> Option<DateTime<FixedOffset>> {
    let text = headers.get(DATE)?.to_str().ok()?;
    DateTime::parse_from_rfc2822(text.trim()).ok()
}

/// Returns the pause of `Retry-After` in milliseconds, within bounds.
/// It may be a number of seconds, or a date. Anything else is ignored.
pub(super) fn retry_after_ms(headers: &HeaderMap) -> Option<u64> {
    let text = |name| headers.get(name)?.to_str().ok().map(str::trim);
    let asked = text(RETRY_AFTER)?;
    let pause_ms = if !asked.is_empty() && asked.bytes().all(|byte| byte.is_ascii_digit()) {
        // More digits than a number holds still ask for a very long pause.
        asked.parse().unwrap_or(u64::MAX).saturating_mul(1000)
    } else {
        let until = DateTime::parse_from_rfc2822(asked).ok()?;
        let now = date_of(headers)?;
        u64::try_from(until.signed_duration_since(now).num_milliseconds()).ok()?
    };
    Some(within_bounds(pause_ms))
}
