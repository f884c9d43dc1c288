//! The cursors of the schedules: since when each is in force, and up to when it is judged.
//! They are kept for ever, for each rule that ever had a schedule. A judged time is never judged
//! again, whatever becomes of the rule or the clock.

use super::slots::{LatenessPolicy, MissedPolicy, SlotTimes, SlotsRecorded, judge};
use super::{Rule, Schedule, Zone};
use crate::ids::RuleId;
use crate::limits::LATENESS_MINUTES;
use crate::time::Timestamp;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A schedule as text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScheduleText {
    /// The cron expression.
    pub cron: String,
    /// The name of the time zone.
    pub timezone: String,
}

impl ScheduleText {
    /// Returns the parsed schedule, or `None` if this version cannot read it.
    pub fn read(&self, now: Timestamp) -> Option<Schedule> {
        Schedule::parse(&self.cron, Zone::parse(&self.timezone)?, now).ok()
    }
}

/// The schedules of all enabled rules from a commit on, as recorded in the journal.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SchedulesTaken {
    /// The schedules by rule.
    pub schedules: BTreeMap<RuleId, ScheduleText>,
}

/// The cursor of one rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RuleCursor {
    /// The schedule, while it is in force.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schedule: Option<ScheduleText>,
    /// The time after which its slots lie.
    pub since: Timestamp,
    /// The time up to which all slots are judged.
    pub recorded_to: Timestamp,
}

/// The cursors of all rules.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ScheduleCursor {
    marks: BTreeMap<RuleId, RuleCursor>,
}

impl ScheduleCursor {
    /// Returns whether no rule ever had a schedule.
    pub fn is_empty(&self) -> bool {
        self.marks.is_empty()
    }

    /// Returns the cursor of a rule.
    pub fn mark(&self, rule_id: RuleId) -> Option<&RuleCursor> {
        self.marks.get(&rule_id)
    }

    /// Returns the cursors of all rules.
    pub fn marks(&self) -> impl Iterator<Item = (RuleId, &RuleCursor)> {
        self.marks.iter().map(|(id, mark)| (*id, mark))
    }

    /// Returns the schedules in force, each with the time up to which its slots are judged.
    pub fn in_force(&self) -> impl Iterator<Item = (RuleId, &ScheduleText, Timestamp)> {
        self.marks
            .iter()
            .filter_map(|(id, mark)| Some((*id, mark.schedule.as_ref()?, mark.recorded_to)))
    }

    /// Returns whether exactly these schedules are in force.
    pub fn are(&self, schedules: &BTreeMap<RuleId, ScheduleText>) -> bool {
        self.in_force()
            .map(|(id, text, _)| (id, text))
            .eq(schedules.iter().map(|(id, text)| (*id, text)))
    }

    /// Puts schedules in force at `ts`.
    /// A new or changed schedule begins there, but never before a time that is judged already.
    pub fn take(&mut self, taken: &SchedulesTaken, ts: Timestamp) {
        for (id, mark) in &mut self.marks {
            if !taken.schedules.contains_key(id) {
                mark.schedule = None;
            }
        }
        for (id, text) in &taken.schedules {
            let mark = self.marks.entry(*id).or_insert(RuleCursor {
                schedule: None,
                since: ts,
                recorded_to: ts,
            });
            if mark.schedule.as_ref() != Some(text) {
                mark.schedule = Some(text.clone());
                mark.recorded_to = mark.recorded_to.max(ts);
                mark.since = mark.recorded_to;
            }
        }
    }

    /// Records that slots have been judged.
    pub fn record(&mut self, recorded: &SlotsRecorded) {
        if let Some(mark) = self.marks.get_mut(&recorded.rule_id) {
            mark.recorded_to = mark.recorded_to.max(recorded.to);
        }
    }
}

/// The facts to be recorded when time has passed: to be committed together, in this order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CursorAdvance {
    /// The outcomes of the slots up to now.
    pub judged: Vec<SlotsRecorded>,
    /// The schedules from now on, if they have changed.
    pub taken: Option<SchedulesTaken>,
}

/// Judges all slots up to `now`, and puts the schedules of the rules in force.
/// The slots of a schedule that no rule has any more are judged too, but open nothing. `refuse`
/// returns the reason why a slot must not open a run, if there is one.
pub fn time_passes(
    schedule_cursor: &ScheduleCursor,
    rules: &[Rule],
    up_since: Timestamp,
    now: Timestamp,
    mut refuse: impl FnMut(&Rule, Timestamp) -> Option<String>,
) -> CursorAdvance {
    let mut passed = CursorAdvance::default();
    let crons = rules.iter().filter_map(|rule| Some((rule, rule.cron()?)));
    let crons: BTreeMap<RuleId, _> = crons.map(|it| (it.0.rule_id, it)).collect();
    for (rule_id, text, recorded_to) in schedule_cursor.in_force() {
        let look = SlotTimes {
            recorded_to,
            up_since,
            now,
        };
        let judged = match crons.get(&rule_id).filter(|(_, cron)| cron.text == *text) {
            Some((rule, cron)) => judge(rule_id, &cron.schedule, cron.lateness, look, |slot| {
                refuse(rule, slot)
            }),
            None => text.read(recorded_to).and_then(|schedule| {
                judge(rule_id, &schedule, GONE, look, |_| {
                    Some("the rule was changed or is gone".to_owned())
                })
            }),
        };
        passed.judged.extend(judged);
    }
    let schedules = crons
        .into_iter()
        .map(|(id, (_, cron))| (id, cron.text.clone()));
    let schedules = schedules.collect();
    passed.taken = (!schedule_cursor.are(&schedules)).then_some(SchedulesTaken { schedules });
    passed
}

/// The treatment of the late slots of a schedule that no rule has any more.
const GONE: LatenessPolicy = LatenessPolicy {
    missed: MissedPolicy::Once,
    max_ms: LATENESS_MINUTES * 60_000,
};
