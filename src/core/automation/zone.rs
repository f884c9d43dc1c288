//! Wall clocks: the time that a clock in a zone shows at an instant, and when it shows a time.
//! The rules of the zones are compiled in, so that the same build gives the same answer everywhere.
//! Reads no clock.

use chrono::{DateTime, LocalResult, NaiveDateTime, Offset as _, TimeZone as _};
use chrono_tz::Tz;
use std::fmt;
use std::str::FromStr as _;

/// The distance before a skipped time at which the offset of the zone is read, in seconds.
/// It is longer than any clock was ever put forward (a whole day, in Samoa), and no longer than the
/// distance between two changes.
const BEFORE_GAP_SECONDS: i64 = 2 * 24 * 60 * 60;

/// The time zone of a wall clock.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Zone(Tz);

/// The instant at which a wall clock shows a time, in seconds since the epoch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LocalInstant {
    /// The only instant, or the first of two.
    At(i64),
    /// No instant, because clocks are put forward over that time; the first instant after it.
    Skipped(i64),
}

impl Zone {
    /// Universal time.
    pub const UTC: Self = Self(Tz::UTC);

    /// Returns the zone of a name in the IANA database, or `None` if it has none.
    pub fn parse(name: &str) -> Option<Self> {
        Tz::from_str(name).ok().map(Self)
    }

    /// Returns its name.
    pub fn name(self) -> &'static str {
        self.0.name()
    }

    /// Returns how far the wall clock is ahead of universal time at an instant; both in seconds.
    pub(super) fn offset(self, at: i64) -> i64 {
        let offset = self.0.offset_from_utc_datetime(&naive(at));
        i64::from(offset.fix().local_minus_utc())
    }

    /// Returns when the wall clock shows a time, given in seconds as if it were universal time.
    pub(super) fn shows(self, wall: i64) -> LocalInstant {
        match self.0.offset_from_local_datetime(&naive(wall)) {
            LocalResult::Single(offset) | LocalResult::Ambiguous(offset, _) => {
                LocalInstant::At(wall - i64::from(offset.fix().local_minus_utc()))
            }
            LocalResult::None => {
                let before = wall - BEFORE_GAP_SECONDS;
                let offset = self.offset(before);
                LocalInstant::Skipped(self.change(before, wall - offset, offset))
            }
        }
    }

    /// Returns the first instant in `(from, to]` at which the offset is not `offset`.
    /// At `to`, the offset must be another one.
    pub(super) fn change(self, from: i64, to: i64, offset: i64) -> i64 {
        let (mut same, mut other) = (from, to);
        while other - same > 1 {
            let middle = same + (other - same) / 2;
            if self.offset(middle) == offset {
                same = middle;
            } else {
                other = middle;
            }
        }
        other
    }
}

impl fmt::Debug for Zone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Returns an instant as calendar date and time.
/// Instants beyond the calendar become the epoch; schedules never get there.
fn naive(seconds: i64) -> NaiveDateTime {
    DateTime::from_timestamp(seconds, 0)
        .unwrap_or_default()
        .naive_utc()
}
