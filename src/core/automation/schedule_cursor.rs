//! The cursor of each schedule: which schedules are in force, since when, and up to when their slots have
//! records. Kept for ever, for each rule there ever was: a time that has been judged is never judged
//! again, whatever becomes of the rule or the clock.

use super::slots::{Lateness, Look, MissedPolicy, SlotsRecorded, judge};
use super::{Rule, Schedule, Zone};
use crate::ids::RuleId;
use crate::limits::LATENESS_MINUTES;
use crate::time::Timestamp;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A schedule as a rule words it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScheduleText {
    /// The expression.
    pub cron: String,
    /// The name of the zone of its clock.
    pub timezone: String,
}

impl ScheduleText {
    /// The schedule, as it was read when it was taken. `None` if this version cannot read it.
    pub fn read(&self, now: Timestamp) -> Option<Schedule> {
        Schedule::parse(&self.cron, Zone::parse(&self.timezone)?, now).ok()
    }
}

/// The schedules of all enabled rules, from some commit on: a fact of the journal.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SchedulesTaken {
    /// By their rules.
    pub schedules: BTreeMap<RuleId, ScheduleText>,
}

/// The cursor of one rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mark {
    /// Its schedule while it is in force.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schedule: Option<ScheduleText>,
    /// Its slots lie behind this.
    pub since: Timestamp,
    /// No slot up to here is to be judged any more.
    pub recorded_to: Timestamp,
}

/// The cursors of all rules.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ScheduleCursor {
    marks: BTreeMap<RuleId, Mark>,
}

impl ScheduleCursor {
    /// Whether no rule ever had a schedule.
    pub fn is_empty(&self) -> bool {
        self.marks.is_empty()
    }

    /// What is known of a rule.
    pub fn mark(&self, rule_id: RuleId) -> Option<&Mark> {
        self.marks.get(&rule_id)
    }

    /// What is known of each rule.
    pub fn marks(&self) -> impl Iterator<Item = (RuleId, &Mark)> {
        self.marks.iter().map(|(id, mark)| (*id, mark))
    }

    /// The schedules in force.
    pub fn in_force(&self) -> impl Iterator<Item = (RuleId, &ScheduleText, Timestamp)> {
        self.marks
            .iter()
            .filter_map(|(id, mark)| Some((*id, mark.schedule.as_ref()?, mark.recorded_to)))
    }

    /// Whether exactly these schedules are in force.
    pub fn are(&self, schedules: &BTreeMap<RuleId, ScheduleText>) -> bool {
        self.in_force()
            .map(|(id, text, _)| (id, text))
            .eq(schedules.iter().map(|(id, text)| (*id, text)))
    }

    /// Takes schedules in force at `ts`. One that is new or worded anew begins there; never before a
    /// time that has been judged already.
    pub fn take(&mut self, taken: &SchedulesTaken, ts: Timestamp) {
        for (id, mark) in &mut self.marks {
            if !taken.schedules.contains_key(id) {
                mark.schedule = None;
            }
        }
        for (id, text) in &taken.schedules {
            let mark = self.marks.entry(*id).or_insert(Mark {
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

    /// Notes that slots have been judged.
    pub fn record(&mut self, recorded: &SlotsRecorded) {
        if let Some(mark) = self.marks.get_mut(&recorded.rule_id) {
            mark.recorded_to = mark.recorded_to.max(recorded.to);
        }
    }
}

/// What time has brought: facts to be committed together, in this order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Passed {
    /// What became of the slots up to now.
    pub judged: Vec<SlotsRecorded>,
    /// The schedules from now on, if they are others than before.
    pub taken: Option<SchedulesTaken>,
}

/// Judges all slots up to `now`, and takes the rules' schedules in force. A schedule that a rule does not
/// have any more opens nothing; its slots up to now are judged all the same. `refuse` says what stands
/// against a slot that would open a run of a rule.
pub fn time_passes(
    schedule_cursor: &ScheduleCursor,
    rules: &[Rule],
    up_since: Timestamp,
    now: Timestamp,
    mut refuse: impl FnMut(&Rule, Timestamp) -> Option<String>,
) -> Passed {
    let mut passed = Passed::default();
    let crons = rules.iter().filter_map(|rule| Some((rule, rule.cron()?)));
    let crons: BTreeMap<RuleId, _> = crons.map(|it| (it.0.rule_id, it)).collect();
    for (rule_id, text, recorded_to) in schedule_cursor.in_force() {
        let look = Look {
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

/// How the slots of a schedule are treated that no rule has any more.
const GONE: Lateness = Lateness {
    missed: MissedPolicy::Once,
    max_ms: LATENESS_MINUTES * 60_000,
};
