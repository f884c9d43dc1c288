//! Parses single words of the command line. Checks forms only.

use crate::core::agent::LoopState;
use crate::core::run::RunState;
use crate::time::Timestamp;

/// The start of a time span.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cli) enum Since {
    /// This moment.
    At(Timestamp),
    /// This many milliseconds before now.
    Ago(i64),
}

impl Since {
    /// Returns the moment, relative to `now`.
    pub(in crate::cli) const fn before(self, now: Timestamp) -> Timestamp {
        match self {
            Self::At(moment) => moment,
            Self::Ago(millis) => now.plus_millis(millis.saturating_neg()),
        }
    }
}

/// Parses a state of the loop.
pub(super) fn loop_state(name: &str) -> Result<LoopState, String> {
    LoopState::parse(name).ok_or_else(|| {
        let known = LoopState::ALL.map(LoopState::name).join(", ");
        format!("known states: {known}")
    })
}

/// Parses a time, or how long ago it was.
pub(super) fn since(text: &str) -> Result<Since, String> {
    let ago = || {
        let (number, unit) = text.split_at_checked(text.len().checked_sub(1)?)?;
        let seconds = match unit {
            "s" => 1,
            "m" => 60,
            "h" => 60 * 60,
            "d" => 24 * 60 * 60,
            _ => return None,
        };
        let number: u32 = number.parse().ok()?;
        Some(Since::Ago(i64::from(number).saturating_mul(seconds * 1000)))
    };
    let at = Timestamp::parse(text).map(Since::At);
    at.or_else(ago)
        .ok_or_else(|| "neither RFC 3339 nor a number with s, m, h or d".to_owned())
}

/// Parses a state of a run.
pub(super) fn run_state(name: &str) -> Result<RunState, String> {
    let found = RunState::ALL.into_iter();
    let mut found = found.filter(|state| state.name().eq_ignore_ascii_case(name));
    found.next().ok_or_else(|| {
        let known = RunState::ALL.map(RunState::name).join(", ");
        format!("known states: {known}")
    })
}

#[cfg(test)]
mod tests {
    use super::{Since, Timestamp, since};

    #[test]
    fn times_are_moments_or_how_long_ago() {
        for (text, read) in [
            (
                "2026-01-31T08:00:00Z",
                Some(Since::At(Timestamp::from_millis(1_769_846_400_000))),
            ),
            ("90s", Some(Since::Ago(90_000))),
            ("2d", Some(Since::Ago(172_800_000))),
            ("0m", Some(Since::Ago(0))),
            ("", None),
            ("h", None),
            ("-1h", None),
            ("1\u{e4}", None),
            ("yesterday", None),
        ] {
            assert_eq!(since(text).ok(), read, "{text}");
        }
    }
}
