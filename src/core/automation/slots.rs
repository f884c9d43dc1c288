//! Slots: the times at which a schedule fires, and the outcome of each.
//! Every slot of a rule gets exactly one record, whether or not the program ran at that time.

use super::Schedule;
use crate::ids::{EventId, RuleId, RunId};
use crate::limits::{SLOTS_CAUGHT_UP_MAX, SLOTS_COUNTED_MAX};
use crate::time::Timestamp;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// The treatment of slots that passed while the program did not run or was busy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MissedPolicy {
    /// The newest one is caught up, and stands for those before it.
    #[default]
    Once,
    /// None is caught up.
    Skip,
    /// Each one is caught up, at most [`SLOTS_CAUGHT_UP_MAX`].
    All,
}

impl MissedPolicy {
    /// The names in a rule, with their policies.
    pub const NAMES: [(&'static str, Self); 3] = [
        ("once", Self::Once),
        ("skip", Self::Skip),
        ("all", Self::All),
    ];
}

/// The outcome of a slot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub enum SlotOutcome {
    /// It opened a run on time.
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
        /// The later slot.
        into: Timestamp,
    },
    /// It opened nothing, because the program did not run or was too late.
    Missed {
        /// The reason.
        reason: MissedReason,
    },
    /// It opened nothing, because something prevented it when it was judged.
    Skipped {
        /// The reason.
        reason: String,
    },
}

impl SlotOutcome {
    /// Returns the name of the outcome and the reason, if the slot opened nothing.
    pub fn reason(&self) -> Option<(&'static str, Cow<'_, str>)> {
        match self {
            Self::Missed { reason } => Some(("missed", Cow::Borrowed(reason.words()))),
            Self::Skipped { reason } => Some(("skipped", Cow::Borrowed(reason))),
            Self::Ran { .. } | Self::CaughtUp { .. } | Self::Coalesced { .. } => None,
        }
    }
}

/// The reason why a slot was missed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MissedReason {
    /// It was longer ago than the rule allows.
    TooLate,
    /// The program did not run, and the rule wants no slot caught up.
    NotRunning,
    /// More slots had passed than may be caught up.
    TooMany,
}

impl MissedReason {
    /// Returns the reason in words.
    pub const fn words(self) -> &'static str {
        match self {
            Self::TooLate => "it was longer ago than the rule allows",
            Self::NotRunning => "no daemon ran, and the rule wants none caught up with",
            Self::TooMany => "more than may be caught up with had gathered",
        }
    }
}

/// Consecutive slots with the same outcome.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SlotSpan {
    /// The first slot.
    pub first: Timestamp,
    /// The time after which no slot of the span lies.
    pub last: Timestamp,
    /// The number of slots; absent if they are too many to be counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<u64>,
    /// The outcome of each slot.
    #[serde(flatten)]
    pub outcome: SlotOutcome,
}

/// The outcomes of the slots of a rule up to some time, as recorded in the journal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SlotsRecorded {
    /// The rule.
    pub rule_id: RuleId,
    /// The time up to which every slot has its record.
    pub to: Timestamp,
    /// The records of the slots that had none before.
    pub spans: Vec<SlotSpan>,
}

/// The treatment of late slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LatenessPolicy {
    /// The treatment of slots that passed.
    pub missed: MissedPolicy,
    /// The age above which a slot is not caught up, in milliseconds.
    pub max_ms: u64,
}

/// The times that bound a look at the slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SlotTimes {
    /// The time up to which every slot has its record.
    pub recorded_to: Timestamp,
    /// The time since which the program has been running.
    pub up_since: Timestamp,
    /// The current time.
    pub now: Timestamp,
}

/// The prefix of the event ids of slots.
/// A launch by hand must not use it.
pub const SLOT_EVENTS: &str = "cron:";

/// Returns the event id of a slot, from its scheduled time and not from the current time.
pub fn slot_event(rule_id: RuleId, slot: Timestamp) -> EventId {
    EventId(format!("{SLOT_EVENTS}{rule_id}:{slot}"))
}

/// Returns the id of the run that a slot opens.
pub fn slot_run(rule_id: RuleId, slot: Timestamp) -> RunId {
    RunId::of_rule(rule_id, &slot_event(rule_id, slot))
}

/// Judges the slots that have no record yet; `None` if there are none.
/// `refuse` returns the reason why a slot must not open a run, if there is one.
pub fn judge(
    rule_id: RuleId,
    schedule: &Schedule,
    lateness: LatenessPolicy,
    look: SlotTimes,
    mut refuse: impl FnMut(Timestamp) -> Option<String>,
) -> Option<SlotsRecorded> {
    let max_ms = i64::try_from(lateness.max_ms).unwrap_or(i64::MAX);
    // Older slots need not be judged one by one.
    let horizon = Timestamp::from_millis(look.now.millis.saturating_sub(max_ms).saturating_sub(1));
    let mut spans = SlotRecords::default();
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

/// The records that are being collected.
#[derive(Default)]
struct SlotRecords {
    all: Vec<SlotSpan>,
}

impl SlotRecords {
    /// Adds a slot.
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

    /// Adds the slots in `(from, to]`, which are too old for any policy.
    /// There may be millions.
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
