//! Wall clocks: what a clock on the wall of some place shows at an instant, and when it shows a time.
//! The rules of the zones are compiled in, so that the same build gives the same answer everywhere.
//! Reads no clock.

use chrono::{DateTime, LocalResult, NaiveDateTime, Offset as _, TimeZone as _};
use chrono_tz::Tz;
use std::fmt;
use std::str::FromStr as _;

/// How far before a time that no clock shows its zone is looked at, in seconds: further than any clock
/// was ever put forward (a whole day, when Samoa changed sides), and no further than two changes lie
/// apart.
const BEFORE_GAP_SECONDS: i64 = 2 * 24 * 60 * 60;

/// The zone of a wall clock.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Zone(Tz);

/// When a wall clock shows a time, in seconds since the epoch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shown {
    /// Once, or first of two times.
    At(i64),
    /// Never, as clocks are put forward over it: this is the first instant behind.
    Skipped(i64),
}

impl Zone {
    /// Universal time.
    pub const UTC: Self = Self(Tz::UTC);

    /// The zone of that name in the IANA database; `None` if it has none.
    pub fn parse(name: &str) -> Option<Self> {
        Tz::from_str(name).ok().map(Self)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        self.0.name()
    }

    /// How far the wall clock is ahead of universal time at an instant; all in seconds.
    pub(super) fn offset(self, at: i64) -> i64 {
        let offset = self.0.offset_from_utc_datetime(&naive(at));
        i64::from(offset.fix().local_minus_utc())
    }

    /// When the wall clock shows a time, given as if it were universal time, in seconds.
    pub(super) fn shows(self, wall: i64) -> Shown {
        match self.0.offset_from_local_datetime(&naive(wall)) {
            LocalResult::Single(offset) | LocalResult::Ambiguous(offset, _) => {
                Shown::At(wall - i64::from(offset.fix().local_minus_utc()))
            }
            LocalResult::None => {
                let before = wall - BEFORE_GAP_SECONDS;
                let offset = self.offset(before);
                Shown::Skipped(self.change(before, wall - offset, offset))
            }
        }
    }

    /// The first instant in `(from, to]` at which the clock is ahead by something else than `offset`,
    /// given that it is at `to`.
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

/// Moments beyond what the calendar holds become the epoch; schedules never get there.
fn naive(seconds: i64) -> NaiveDateTime {
    DateTime::from_timestamp(seconds, 0)
        .unwrap_or_default()
        .naive_utc()
}
