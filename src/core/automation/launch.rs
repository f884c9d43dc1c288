//! The launch of a rule by hand. The same event of the same rule never opens two runs.

use super::event::manual_event;
use super::run_opener::no_answer;
use super::{Rule, RuleTrigger};
use crate::core::guard::Refusal;
use crate::core::run::{Origin, Run, Trigger};
use crate::failure::Code;
use crate::ids::{EventId, WorkspaceId};
use crate::time::Timestamp;

/// The run that a person launches by a rule. A rule that waits for something else is launched without its
/// condition: there is no such event that it could hold for. Whether there is such a run already, and room
/// for one more, the caller knows.
///
/// # Errors
/// What stands against it.
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
