//! Fires the slots that are due: their records and the runs that they open form one commit.
//! Reads no clock.

use super::event::cron_event;
use super::run_opener::{RunOpener, TOO_MANY, no_answer};
use super::slots::{MissedPolicy, SlotOutcome, slot_event};
use super::{CursorAdvance, Rule, RuleTrigger, Slot, time_passes};
use crate::core::journal::{Event, State};
use crate::core::run::{Origin, Run, RunState, Trigger};
use crate::ids::{RuleId, WorkspaceId};
use crate::limits::{JUDGED_AHEAD_MS_MIN, RUNS_OPEN_MAX};
use crate::time::Timestamp;

/// Judges every slot up to `now`, and puts the schedules of the rules in force.
/// The events are to be committed together. `up_since` is the time since which the program has been
/// running. Empty if nothing has changed.
pub fn fire_due(
    rules: &[Rule],
    workspace_id: WorkspaceId,
    state: &State,
    up_since: Timestamp,
    now: Timestamp,
) -> Vec<Event> {
    let mut room = RUNS_OPEN_MAX.saturating_sub(state.runs.open_len());
    let CursorAdvance { judged, taken } = time_passes(
        &state.schedule_cursor,
        rules,
        up_since,
        now,
        |rule, slot| {
            let refused = refusal(rule, workspace_id, state, slot)
                .or_else(|| (room == 0).then(|| TOO_MANY.to_owned()));
            room -= usize::from(refused.is_none());
            refused
        },
    );
    let mut opened: Vec<(Timestamp, RuleId)> = Vec::new();
    for recorded in &judged {
        let spans = recorded.spans.iter().filter(|span| {
            matches!(
                span.outcome,
                SlotOutcome::Ran { .. } | SlotOutcome::CaughtUp { .. }
            )
        });
        opened.extend(spans.map(|span| (span.first, recorded.rule_id)));
    }
    // The earlier slot goes first, whatever the order of the rules.
    opened.sort_unstable();
    let mut opener = RunOpener::new(state, now);
    for (slot, rule_id) in opened {
        // A rule that is gone opens nothing.
        if let Some(rule) = rules.iter().find(|rule| rule.rule_id == rule_id) {
            let origin = Origin::first(cron_event(slot));
            opener.open(rule, slot_event(rule_id, slot), Trigger::Cron, origin);
        }
    }
    let judged = judged.into_iter().map(Event::SlotsRecorded);
    let taken = taken.into_iter().map(Event::SchedulesTaken);
    judged.chain(taken).chain(opener.events()).collect()
}

/// Returns the time after `now` at which the next slot must be judged.
pub fn next_slot(rules: &[Rule], state: &State, now: Timestamp) -> Option<Timestamp> {
    rules
        .iter()
        .filter_map(|rule| next_of(rule, state, now))
        .min()
}

/// Returns the earliest next slots, one for each rule, at most `most`.
pub fn next_slots<'a>(
    rules: impl IntoIterator<Item = &'a Rule>,
    state: &State,
    most: usize,
    now: Timestamp,
) -> Vec<Slot> {
    let slots = rules.into_iter().filter_map(|rule| {
        let rule_id = rule.rule_id;
        next_of(rule, state, now).map(|at| Slot { rule_id, at })
    });
    let mut slots: Vec<Slot> = slots.collect();
    slots.sort_unstable_by_key(|slot| (slot.at, slot.rule_id));
    slots.truncate(most);
    slots
}

fn next_of(rule: &Rule, state: &State, now: Timestamp) -> Option<Timestamp> {
    let mark = state.schedule_cursor.mark(rule.rule_id);
    let from = mark.map_or(now, |mark| mark.recorded_to.max(now));
    rule.cron()?.schedule.next_after(from)
}

/// Returns the reason why an enabled rule opens nothing for a long time or ever, if one is known.
pub fn hindrance(
    rule: &Rule,
    workspace_id: WorkspaceId,
    state: &State,
    now: Timestamp,
) -> Option<String> {
    if is_elsewhere(rule, workspace_id) {
        return Some(format!("{ANOTHER_WORKSPACE}, and opens nothing here"));
    }
    judged_ahead(rule, state, now)
}

/// Returns the messages of [`judged_ahead`] about the rules, each with the id of its rule.
pub fn all_judged_ahead(
    rules: &[Rule],
    state: &State,
    now: Timestamp,
) -> impl Iterator<Item = String> {
    rules.iter().filter_map(move |rule| {
        let said = judged_ahead(rule, state, now)?;
        Some(format!("rule {}: {said}", rule.rule_id))
    })
}

/// Returns whether a rule waits only for events of another workspace.
pub fn is_elsewhere(rule: &Rule, workspace_id: WorkspaceId) -> bool {
    let is_manual = matches!(rule.trigger, RuleTrigger::Manual);
    rule.enabled && !is_manual && rule.workspace_id != workspace_id
}

/// Returns the message about a rule whose slots are judged far into the future.
/// The clock was ahead once. A slot with a record never gets another one, so only a new rule can
/// open runs before that time.
pub fn judged_ahead(rule: &Rule, state: &State, now: Timestamp) -> Option<String> {
    rule.cron()?;
    let judged_to = state.schedule_cursor.mark(rule.rule_id)?.recorded_to;
    (judged_to > now.plus_millis(JUDGED_AHEAD_MS_MIN)).then(|| {
        format!(
            "the clock was ahead once, and its times up to {judged_to} have their records: it opens nothing \
             before. If the clock is right now, add the rule under a new `rule_id`, which begins at once, \
             and remove this one"
        )
    })
}

/// Returns the reason why a slot must not open a run, if there is one.
fn refusal(
    rule: &Rule,
    workspace_id: WorkspaceId,
    state: &State,
    slot: Timestamp,
) -> Option<String> {
    if rule.workspace_id != workspace_id {
        return Some(ANOTHER_WORKSPACE.to_owned());
    }
    let wants_each = (rule.cron()).is_some_and(|cron| cron.lateness.missed == MissedPolicy::All);
    let waits = |run: &Run| {
        let is_slot = run.rule_id == Some(rule.rule_id) && run.trigger == Trigger::Cron;
        is_slot && run.state == RunState::Queued
    };
    if !wants_each && state.runs.open().any(waits) {
        return Some("an earlier run of this rule has not begun".to_owned());
    }
    match rule.condition.holds(&cron_event(slot)) {
        Ok(true) => None,
        Ok(false) => Some("its condition does not hold".to_owned()),
        Err(reason) => Some(no_answer(&reason)),
    }
}

/// The reason for a rule that another workspace owns.
const ANOTHER_WORKSPACE: &str = "the rule belongs to another workspace";
