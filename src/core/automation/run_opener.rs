//! Opens runs by rules, and records why a rule opened none.
//! Never opens two runs for one event of one rule.

use super::event::manual_event;
use super::{Rule, RuleTrigger};
use crate::core::guard::Refusal;
use crate::core::journal::event::RunQueued;
use crate::core::journal::{Event, State};
use crate::core::run::{Origin, Run, Trigger};
use crate::failure::Code;
use crate::ids::{EventId, RuleId, RunId, WorkspaceId};
use crate::limits::{RUNS_CAUSED_MAX, RUNS_OPEN_MAX};
use crate::time::Timestamp;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// The reason for opening no run because too many are open.
pub(super) const TOO_MANY: &str = "too many runs wait already";

/// The reason for opening no run because one run has caused too many.
const TOO_MANY_CAUSED: &str = "too many runs were opened for what one run did";

/// The record that a rule opened no run for some events, although it waited for them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RuleSkipped {
    /// The rule.
    pub rule_id: RuleId,
    /// The first of the events.
    pub event_id: EventId,
    /// The number of events, all of one commit.
    pub count: u64,
    /// The code of the reason.
    pub code: Code,
    /// The reason, in words for a person.
    pub reason: String,
}

impl RuleSkipped {
    /// Returns the target of the record in the audit.
    pub fn target(&self) -> String {
        let (rule_id, event_id) = (self.rule_id, &self.event_id);
        match self.count {
            1 => format!("{rule_id} {event_id}"),
            count => format!("{rule_id} {event_id} and {} more", count.saturating_sub(1)),
        }
    }
}

/// Collects the runs that one commit opens.
#[derive(Debug)]
pub(super) struct RunOpener<'a> {
    state: &'a State,
    now: Timestamp,
    /// The number of runs that may still be opened.
    room: usize,
    opened: BTreeSet<RunId>,
    queued: Vec<Run>,
    skipped: Vec<RuleSkipped>,
}

impl<'a> RunOpener<'a> {
    /// Returns an opener without runs, for a state.
    pub(super) fn new(state: &'a State, now: Timestamp) -> Self {
        Self {
            state,
            now,
            room: RUNS_OPEN_MAX.saturating_sub(state.runs.open_len()),
            opened: BTreeSet::new(),
            queued: Vec::new(),
            skipped: Vec::new(),
        }
    }

    /// Opens a run of a rule, unless this event has opened one already.
    pub(super) fn open(&mut self, rule: &Rule, event: EventId, trigger: Trigger, origin: Origin) {
        let rule_id = rule.rule_id;
        let mut run = Run::of_rule(rule_id, event, trigger, origin, self.now);
        run.request.clone_from(&rule.request);
        if self.state.runs.knows(run.run_id) || !self.opened.insert(run.run_id) {
            return;
        }
        let reason = match root_of(&run).map(|root| self.caused_by(root)) {
            Some(caused) if caused >= RUNS_CAUSED_MAX => Some(TOO_MANY_CAUSED),
            Some(_) | None => (self.room == 0).then_some(TOO_MANY),
        };
        if let Some(reason) = reason {
            let event = run.triggering_event_id;
            return self.skip(rule_id, event, Code::LimitExceeded, reason);
        }
        self.room -= 1;
        self.queued.push(run);
    }

    /// Returns the number of runs that a run has caused, among those that are kept whole.
    fn caused_by(&self, root: RunId) -> usize {
        let known = self.state.runs.newest_first();
        let caused = |run: &&Run| root_of(run) == Some(root);
        known.chain(&self.queued).filter(caused).count()
    }

    /// Records that a rule opened no run.
    /// Several events of one commit share a record.
    pub(super) fn skip(&mut self, rule_id: RuleId, event_id: EventId, code: Code, reason: &str) {
        let same =
            |it: &&mut RuleSkipped| it.rule_id == rule_id && it.code == code && it.reason == reason;
        match self.skipped.iter_mut().find(same) {
            Some(skipped) => skipped.count += 1,
            None => self.skipped.push(RuleSkipped {
                rule_id,
                event_id,
                count: 1,
                code,
                reason: reason.to_owned(),
            }),
        }
    }

    /// Returns whether a rule holds for an event.
    /// A condition without an answer is recorded.
    pub(super) fn holds(
        &mut self,
        rule: &Rule,
        event_id: &EventId,
        event: &serde_json::Value,
    ) -> bool {
        match rule.condition.holds(event) {
            Ok(holds) => holds,
            Err(reason) => {
                let reason = no_answer(&reason);
                self.skip(rule.rule_id, event_id.clone(), Code::RulesInvalid, &reason);
                false
            }
        }
    }

    /// Returns the journal events: the opened runs in order, then the skipped events.
    pub(super) fn events(self) -> Vec<Event> {
        let queued = self.queued.into_iter();
        let queued = queued.map(|run| Event::RunQueued(RunQueued { run }));
        let skipped = self.skipped.into_iter().map(Event::RuleSkipped);
        queued.chain(skipped).collect()
    }
}

/// Returns the run that a person launches by a rule.
/// A rule with another trigger is launched without its condition, which needs an event of its own
/// kind. The caller checks that there is no such run yet, and that there is room.
///
/// # Errors
/// `RULE_NOT_FIRED` with the reason.
pub fn launch(
    rule: &Rule,
    event_id: EventId,
    workspace_id: WorkspaceId,
    now: Timestamp,
) -> Result<Run, Refusal> {
    let refused = |reason: &str| Refusal::new(Code::RuleNotFired, reason);
    if !rule.enabled {
        return Err(refused("the rule is disabled"));
    }
    if rule.workspace_id != workspace_id {
        return Err(refused("the rule belongs to another workspace"));
    }
    let event = manual_event();
    if matches!(rule.trigger, RuleTrigger::Manual) {
        match rule.condition.holds(&event) {
            Ok(true) => {}
            Ok(false) => return Err(refused("its condition does not hold")),
            Err(reason) => return Err(refused(&no_answer(&reason))),
        }
    }
    let origin = Origin::first(event);
    let mut run = Run::of_rule(rule.rule_id, event_id, Trigger::Manual, origin, now);
    run.request.clone_from(&rule.request);
    Ok(run)
}

/// Returns the first run of the chain that caused a run, if there is one.
fn root_of(run: &Run) -> Option<RunId> {
    run.origin.as_ref().and_then(|origin| origin.root)
}

/// Returns the message about a condition without an answer.
pub(super) fn no_answer(reason: &str) -> String {
    format!("its condition has no answer: {reason}")
}
