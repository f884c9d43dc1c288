//! The launch of a rule by hand.
//! One event of one rule never opens two runs.

use super::event::manual_event;
use super::run_opener::no_answer;
use super::{Rule, RuleTrigger};
use crate::core::guard::Refusal;
use crate::core::run::{Origin, Run, Trigger};
use crate::failure::Code;
use crate::ids::{EventId, WorkspaceId};
use crate::time::Timestamp;

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
