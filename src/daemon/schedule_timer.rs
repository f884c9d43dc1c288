//! Time as a trigger: when the slots of schedules are looked at, and how long nothing is due.
//!
//! `core::automation` decides what becomes of a slot. Only a daemon has a running timer: a single
//! request by hand must not start everything that is due.

use crate::config::Config;
use crate::core::automation::{Rule, fire_due, judged_ahead, next_slot};
use crate::core::journal::{Event, State};
use crate::ids::RuleId;
use crate::limits::CLOCK_LEAP_MS_MIN;
use crate::time::Timestamp;
use std::collections::BTreeSet;

/// The timer of schedules: since when slots are waited for, and until when none is due.
#[derive(Debug, Default)]
pub(super) struct ScheduleTimer {
    presence: Option<UptimeSpan>,
    quiet: Option<QuietSpan>,
    /// The rules for which it was reported that a clock ahead has silenced them.
    reported: BTreeSet<RuleId>,
}

/// The time for which the program has been present, by the wall clock as it is now.
#[derive(Clone, Copy, Debug)]
struct UptimeSpan {
    since: Timestamp,
    seen: Timestamp,
    /// The uptime at the last look, in milliseconds.
    uptime_ms: u64,
}

impl UptimeSpan {
    /// Returns the presence at a later time.
    ///
    /// Where the wall clock has moved further than the uptime, the machine slept or the clock was
    /// put forward: only the uptime since the last look counts as presence. Where the clock was put
    /// back, the presence began earlier by it.
    fn at(self, now: Timestamp, uptime_ms: u64) -> Self {
        let lived_ms = uptime_ms.saturating_sub(self.uptime_ms);
        let expected = self.seen.after_millis(lived_ms);
        let since = if expected.millis_until(now) >= CLOCK_LEAP_MS_MIN {
            let lived_ms = i64::try_from(lived_ms).unwrap_or(i64::MAX);
            now.plus_millis(lived_ms.saturating_neg())
        } else if now.millis_until(expected) >= CLOCK_LEAP_MS_MIN {
            let back_ms = expected.millis.saturating_sub(now.millis);
            self.since.plus_millis(back_ms.saturating_neg())
        } else {
            self.since
        };
        Self {
            since,
            seen: now,
            uptime_ms,
        }
    }
}

/// A span of time in which nothing is due.
#[derive(Clone, Copy, Debug)]
struct QuietSpan {
    from: Timestamp,
    to: Option<Timestamp>,
}

impl ScheduleTimer {
    pub(super) const fn begin(&mut self, now: Timestamp, uptime_ms: u64) {
        self.presence = Some(UptimeSpan {
            since: now,
            seen: now,
            uptime_ms,
        });
    }

    /// Returns since when the program has been present for slots; `None` where it waits for none.
    fn present_since(&mut self, now: Timestamp, uptime_ms: u64) -> Option<Timestamp> {
        let presence = self.presence.as_mut()?;
        *presence = presence.at(now, uptime_ms);
        Some(presence.since)
    }

    /// Forgets the rules, which may have changed.
    pub(super) fn forget(&mut self) {
        self.quiet = None;
        self.reported.clear();
    }

    /// Returns whether nothing is known to be due.
    ///
    /// After a clock that was put back, slots are looked at anew.
    fn is_quiet(&self, now: Timestamp) -> bool {
        self.quiet
            .is_some_and(|quiet| quiet.from <= now && quiet.to.is_none_or(|to| now < to))
    }

    /// Returns how long nothing is due, in milliseconds; `None` if nothing ever is.
    pub(super) fn left_ms(&self, now: Timestamp) -> Option<u64> {
        let to = self.quiet?.to?;
        Some(now.millis_until(to))
    }

    /// Judges the slots up to now; `None` where none is waited for, or none is due yet.
    pub(super) fn fire_due(
        &mut self,
        config: &Config,
        state: &State,
        now: Timestamp,
        uptime_ms: u64,
    ) -> Option<DueSlots> {
        // Even where nothing is due: how the clock moved cannot be found out later.
        let since = self.present_since(now, uptime_ms);
        let since = since.filter(|_| !self.is_quiet(now))?;
        let mut notices = Vec::new();
        for rule in config.rules.iter() {
            let said = judged_ahead(rule, state, now);
            if let Some(said) = said.filter(|_| self.reported.insert(rule.rule_id)) {
                notices.push(format!("rule {}: {said}", rule.rule_id));
            }
        }
        let events = fire_due(&config.rules, config.scope.workspace_id, state, since, now);
        Some(DueSlots { notices, events })
    }

    /// Records until when nothing is due, once the slots up to now are judged.
    pub(super) fn set_quiet_until(&mut self, rules: &[Rule], state: &State, now: Timestamp) {
        self.quiet = Some(QuietSpan {
            from: now,
            to: next_slot(rules, state, now),
        });
    }
}

#[derive(Debug)]
pub(super) struct DueSlots {
    pub(super) notices: Vec<String>,
    pub(super) events: Vec<Event>,
}

#[cfg(test)]
mod tests {
    use super::{Timestamp, UptimeSpan};

    #[test]
    fn a_program_was_there_for_as_long_as_it_has_lived() {
        let minute = 60_000;
        // Both clocks begin together, and are looked at after an hour; then the wall clock is at
        // `wall` and the uptime at `lived`. The presence began at `since`. All are in minutes.
        for (what, wall, lived, since) in [
            ("nothing happened", 90, 90, 0),
            (
                "slept for eight hours, then lived five minutes",
                545,
                65,
                540,
            ),
            (
                "put forward by ten years",
                60 + 5_260_000,
                61,
                60 + 5_259_999,
            ),
            ("put back by two hours", 60 - 119, 61, -120),
            (
                "put back before the epoch",
                60 - 30_000_000,
                60,
                -30_000_000,
            ),
        ] {
            let begun = Timestamp::from_millis(0);
            let presence = UptimeSpan {
                since: begun,
                seen: begun,
                uptime_ms: 7,
            };
            let hour = presence.at(begun.plus_millis(60 * minute), 7 + 60 * 60_000);
            assert_eq!(hour.since, begun);
            let now = begun.plus_millis(wall * minute);
            let then = hour.at(now, 7 + lived * 60_000);
            assert_eq!(then.since.millis, since * minute, "{what}");
            // A leap counts once.
            let later = then.at(now.plus_millis(minute), 7 + (lived + 1) * 60_000);
            assert_eq!(later.since, then.since, "{what}");
        }
    }
}
