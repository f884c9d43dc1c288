//! Slots: the times at which a schedule fires, and what became of each. Every slot of a rule ends in
//! exactly one record, whether the program was there at the time or not.

use super::Schedule;
use crate::ids::{EventId, RuleId, RunId};
use crate::limits::{SLOTS_CAUGHT_UP_MAX, SLOTS_COUNTED_MAX};
use crate::time::Timestamp;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// What is done about slots that went by while the program was not there, or busy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MissedPolicy {
    /// The newest one is caught up with, for those before it too.
    #[default]
    Once,
    /// Nothing.
    Skip,
    /// Each one is caught up with, up to [`SLOTS_CAUGHT_UP_MAX`].
    All,
}

impl MissedPolicy {
    /// The names in a rule, and what they mean.
    pub const NAMES: [(&'static str, Self); 3] = [
        ("once", Self::Once),
        ("skip", Self::Skip),
        ("all", Self::All),
    ];
}

/// What became of a slot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub enum SlotOutcome {
    /// It opened a run when it came.
    Ran {
        /// The run.
        run_id: RunId,
    },
    /// It opened a run later.
    CaughtUp {
        /// The run.
        run_id: RunId,
    },
    /// A later slot of the same rule stands for it.
    Coalesced {
        /// That one.
        into: Timestamp,
    },
    /// It opened nothing, since the program was away or too late.
    Missed {
        /// Why.
        reason: MissedReason,
    },
    /// It opened nothing, since something stood against it when it was looked at.
    Skipped {
        /// What.
        reason: String,
    },
}

impl SlotOutcome {
    /// Where it opened nothing: what that is called, and why.
    pub fn reason(&self) -> Option<(&'static str, Cow<'_, str>)> {
        match self {
            Self::Missed { reason } => Some(("missed", Cow::Borrowed(reason.words()))),
            Self::Skipped { reason } => Some(("skipped", Cow::Borrowed(reason))),
            Self::Ran { .. } | Self::CaughtUp { .. } | Self::Coalesced { .. } => None,
        }
    }
}

/// Why a slot was missed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MissedReason {
    /// It was longer ago than the rule allows.
    TooLate,
    /// The program did not run, and the rule does not want it caught up with.
    NotRunning,
    /// More than may be caught up with had gathered.
    TooMany,
}

impl MissedReason {
    /// The reason in words.
    pub const fn words(self) -> &'static str {
        match self {
            Self::TooLate => "it was longer ago than the rule allows",
            Self::NotRunning => "no daemon ran, and the rule wants none caught up with",
            Self::TooMany => "more than may be caught up with had gathered",
        }
    }
}

/// Slots that follow each other and ended the same way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SlotSpan {
    /// The first of them.
    pub first: Timestamp,
    /// None lies behind this one.
    pub last: Timestamp,
    /// How many; absent where they are too many to be counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<u64>,
    /// What became of each.
    #[serde(flatten)]
    pub outcome: SlotOutcome,
}

/// What became of the slots of a rule up to some time: a fact of the journal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SlotsRecorded {
    /// The rule.
    pub rule_id: RuleId,
    /// Every slot up to here has its record.
    pub to: Timestamp,
    /// The records of those that had none before.
    pub spans: Vec<SlotSpan>,
}

/// How late slots are treated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lateness {
    /// What is done about slots that went by.
    pub missed: MissedPolicy,
    /// A slot that is longer ago is not caught up with, in milliseconds.
    pub max_ms: u64,
}

/// The moments that a look at the slots is made between.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// Up to here every slot has its record.
    pub recorded_to: Timestamp,
    /// Since when the program has been there.
    pub up_since: Timestamp,
    /// The present.
    pub now: Timestamp,
}

/// How the events of slots begin; a launch by hand must not take the place of one.
pub const SLOT_EVENTS: &str = "cron:";

/// The event of a slot: the time that was meant, never the time it is.
pub fn slot_event(rule_id: RuleId, slot: Timestamp) -> EventId {
    EventId(format!("{SLOT_EVENTS}{rule_id}:{slot}"))
}

/// The run that a slot opens.
pub fn slot_run(rule_id: RuleId, slot: Timestamp) -> RunId {
    RunId::of_rule(rule_id, &slot_event(rule_id, slot))
}

/// Judges the slots that have no record yet; `None` if there are none. `refuse` says what stands against
/// one that would open a run, if anything does.
pub fn judge(
    rule_id: RuleId,
    schedule: &Schedule,
    lateness: Lateness,
    look: Look,
    mut refuse: impl FnMut(Timestamp) -> Option<String>,
) -> Option<SlotsRecorded> {
    let max_ms = i64::try_from(lateness.max_ms).unwrap_or(i64::MAX);
    // What is older need not be looked at one by one.
    let horizon = Timestamp::from_millis(look.now.millis.saturating_sub(max_ms).saturating_sub(1));
    let mut spans = Spans::default();
    spans.old(schedule, look.recorded_to, horizon.min(look.now));
    let recent: Vec<Timestamp> = schedule
        .between(look.recorded_to.max(horizon), look.now)
        .collect();
    let was_there = |slot: Timestamp| slot >= look.up_since;
    let may_run = |slot: Timestamp| lateness.missed != MissedPolicy::Skip || was_there(slot);
    let most = match lateness.missed {
        MissedPolicy::Once | MissedPolicy::Skip => 1,
        MissedPolicy::All => SLOTS_CAUGHT_UP_MAX,
    };
    let able = recent.iter().filter(|slot| may_run(**slot)).count();
    let mut before = able.saturating_sub(most);
    let last = recent.last().copied();
    for slot in recent {
        let outcome = if !may_run(slot) {
            SlotOutcome::Missed {
                reason: MissedReason::NotRunning,
            }
        } else if before > 0 {
            before -= 1;
            match (lateness.missed, last) {
                (MissedPolicy::Once | MissedPolicy::Skip, Some(into)) => {
                    SlotOutcome::Coalesced { into }
                }
                (MissedPolicy::All, _) | (_, None) => SlotOutcome::Missed {
                    reason: MissedReason::TooMany,
                },
            }
        } else if let Some(reason) = refuse(slot) {
            SlotOutcome::Skipped { reason }
        } else {
            let run_id = slot_run(rule_id, slot);
            if was_there(slot) {
                SlotOutcome::Ran { run_id }
            } else {
                SlotOutcome::CaughtUp { run_id }
            }
        };
        spans.add(slot, outcome);
    }
    let spans = spans.all;
    (!spans.is_empty()).then_some(SlotsRecorded {
        rule_id,
        to: look.now,
        spans,
    })
}

/// Records in the making.
#[derive(Default)]
struct Spans {
    all: Vec<SlotSpan>,
}

impl Spans {
    /// One more slot.
    fn add(&mut self, slot: Timestamp, outcome: SlotOutcome) {
        match self.all.last_mut() {
            Some(span) if span.outcome == outcome && span.count.is_some() => {
                span.last = slot;
                span.count = span.count.map(|count| count + 1);
            }
            _ => self.all.push(SlotSpan {
                first: slot,
                last: slot,
                count: Some(1),
                outcome,
            }),
        }
    }

    /// Slots in `(from, to]` that are too old, whatever the rule wants. There may be millions.
    fn old(&mut self, schedule: &Schedule, from: Timestamp, to: Timestamp) {
        let outcome = SlotOutcome::Missed {
            reason: MissedReason::TooLate,
        };
        for (number, slot) in schedule.between(from, to).enumerate() {
            if number == SLOTS_COUNTED_MAX {
                let Some(span) = self.all.last_mut() else {
                    return;
                };
                (span.last, span.count) = (to, None);
                return;
            }
            self.add(slot, outcome.clone());
        }
    }
}
