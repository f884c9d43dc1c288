//! Points in time as the journal writes them: RFC 3339, UTC, milliseconds.
//! Pure: reading a clock is `daemon::clock`'s business.

use chrono::{DateTime, Local, SecondsFormat, Utc};
use serde::de::Visitor;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// Milliseconds since the Unix epoch, UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp {
    /// Milliseconds since 1970-01-01T00:00:00Z.
    pub millis: i64,
}

impl Timestamp {
    /// A timestamp from milliseconds since the epoch.
    pub const fn from_millis(millis: i64) -> Self {
        Self { millis }
    }

    /// Parses RFC 3339 text with any offset.
    pub fn parse(text: &str) -> Option<Self> {
        DateTime::parse_from_rfc3339(text).ok().map(|moment| Self {
            millis: moment.timestamp_millis(),
        })
    }

    /// The same moment as a `chrono` value; moments that it cannot hold become the epoch.
    pub fn to_utc(self) -> DateTime<Utc> {
        DateTime::from_timestamp_millis(self.millis).unwrap_or_default()
    }

    /// `YYYY-MM-DD HH:MM:SS` in the machine's zone: the title of a note that was given none.
    pub fn local_title(self) -> String {
        self.to_utc()
            .with_timezone(&Local)
            .format("%Y-%m-%d %H:%M:%S")
            .to_string()
    }

    /// `YYYY-MM-DD HH:MM` in the machine's zone: the time as a prompt tells it.
    pub fn local_minute(self) -> String {
        self.to_utc()
            .with_timezone(&Local)
            .format("%Y-%m-%d %H:%M")
            .to_string()
    }

    /// This moment and `millis` more (or less, if negative); saturates at the ends of time.
    #[must_use]
    pub const fn plus_millis(self, millis: i64) -> Self {
        Self {
            millis: self.millis.saturating_add(millis),
        }
    }
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

/// Reads a time where it stands, without a copy of its text.
struct TimeVisitor;

impl Visitor<'_> for TimeVisitor {
    type Value = Timestamp;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an RFC 3339 time")
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Timestamp, E> {
        let time = Timestamp::parse(text);
        time.ok_or_else(|| E::custom(format_args!("`{text}` is not an RFC 3339 time")))
    }
}
