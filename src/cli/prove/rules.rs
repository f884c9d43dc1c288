//! What rules may not do: set each other off without end, heed what is not theirs, change what none may.

use super::guard_check::{ANSWERED, Attempt, Came, GuardCheck, NOT_MEANT, ScriptedReply};
use super::runs::{a_note, a_note_text};
use super::scratch::{Scratch, Tuned, disk_at, fresh, load, unusable};
use super::workspaces::foreign_workspace;
use crate::config::Loaded;
use crate::core::automation::Rule;
use crate::core::prompt::Mode;
use crate::core::run::Trigger;
use crate::daemon::Command;
use crate::failure::{Code, Failure};
use crate::ids::{EventId, RunId};
use crate::limits::{CAUSATION_DEPTH_MAX, RUNS_CAUSED_MAX};
use crate::store::disk::Disk as _;
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;
use uuid::Uuid;

/// The checks at rules.
pub(super) const GUARD_CHECKS: &[GuardCheck] = &[
    GuardCheck {
        guard: "rules.depth",
        tried: "runs of a rule that set each other off without end",
        attempt: Attempt::Done(depth),
    },
    GuardCheck {
        guard: "rules.width",
        tried: "a run of so many notes that rules open runs without end",
        attempt: Attempt::Done(width),
    },
    GuardCheck {
        guard: "rules.own_effects",
        tried: "a rule set off by what its own run wrote",
        attempt: Attempt::Done(own_effects),
    },
    GuardCheck {
        guard: "rules.workspace",
        tried: "a rule of another workspace set off by a note of this one",
        attempt: Attempt::Done(rule_of_another),
    },
    GuardCheck {
        guard: "rules.override",
        tried: "a rule whose action_json changes what none may",
        attempt: Attempt::Done(|scratch| {
            let change = json!({"journal": {"retention_days": 1}});
            Ok(rule_that_changes(scratch, "rule-override", &change))
        }),
    },
    GuardCheck {
        guard: "rules.budget",
        tried: "a rule that sets what all runs of a day may take",
        attempt: Attempt::Done(|scratch| {
            let change = json!({"budget": {"calls_per_day": 1}});
            Ok(rule_that_changes(scratch, "rule-budget", &change))
        }),
    },
    GuardCheck {
        guard: "rules.condition",
        tried: "a rule whose condition hangs more on each other than any",
        attempt: Attempt::Done(|scratch| {
            let deep = format!("{}1 > 0", "1+".repeat(40));
            let rule = rule_json(&Uuid::new_v4(), &json!({"cel": deep}), &json!({}));
            let loaded = with_rules(scratch, "rule-condition", &[rule]);
            Ok(Came::by_failure(loaded, &[Code::RulesInvalid], ANSWERED))
        }),
    },
];

/// A rule of the file that waits for new notes.
fn rule_json(workspace: &Uuid, condition: &Value, action: &Value) -> Value {
    let mut action = action.clone();
    action["kind"] = json!("kjxlkj_agent");
    json!({
        "rule_id": Uuid::new_v4(), "workspace_id": workspace,
        "trigger": "workspace_event.note_created", "condition_json": condition,
        "action_json": action, "enabled": true,
        "created_at": "2026-01-01T00:00:00Z", "updated_at": "2026-01-01T00:00:00Z",
    })
}

/// What a fresh root with these rules says.
fn with_rules(scratch: &Scratch, name: &str, rules: &[Value]) -> Result<Loaded, Failure> {
    let root = scratch.root.join(name);
    fresh(&root, &json!({}))?;
    let path = Path::new("data/rules.json");
    let failed = |error| unusable(path, &error);
    let mut disk = disk_at(&root)?;
    disk.remove(path).map_err(failed)?;
    disk.create(path, json!(rules).to_string().as_bytes())
        .map_err(failed)?;
    load(&root)
}

/// What comes of a rule with this `action_json`.
fn rule_that_changes(scratch: &Scratch, name: &str, action: &Value) -> Came {
    let rule = rule_json(&Uuid::new_v4(), &json!({}), action);
    let loaded = with_rules(scratch, name, &[rule]);
    Came::by_failure(loaded, &[Code::RulesInvalid], ANSWERED)
}

/// A check's configuration with one rule.
fn ruled(
    scratch: &Scratch,
    name: &str,
    workspace: &Uuid,
    condition: &Value,
) -> Result<Tuned, Failure> {
    let rule = rule_json(workspace, condition, &json!({}));
    let rules: Arc<[Rule]> = with_rules(scratch, name, &[rule])?.config.rules;
    let mut tuned = scratch.tuned();
    tuned.config.rules = rules;
    tuned.config.mode = Some(Mode::Yolo);
    Ok(tuned)
}

/// Lets one run write a note, and then whatever runs that opens, each writing one more; counts them.
fn chain(scratch: &Scratch, tuned: &Tuned, name: &str) -> Result<u32, Failure> {
    let most = CAUSATION_DEPTH_MAX + 4;
    let notes: Vec<ScriptedReply> = (0..most).map(|n| a_note(&format!("{name} {n}"))).collect();
    let mut agent = scratch.open(tuned, scratch.model(&notes)?)?;
    agent.max_iterations = Some(1);
    let event = EventId(Uuid::new_v4().to_string());
    let driven = scratch.wait_for(async {
        let request = Some("Keep a note.".to_owned());
        let mut next = Some(agent.queue(event, Trigger::Request, request).await?);
        let mut count = 0;
        while let Some(run_id) = next.filter(|_| count < most) {
            agent.drive(run_id).await?;
            count += 1;
            next = agent.next_run();
        }
        Ok(count)
    });
    let left = agent.next_run();
    agent.close()?;
    if let Some(run_id) = left {
        scratch.command(tuned, Command::Cancel { run_id })?;
    }
    driven.map_err(super::scratch::failure_of)
}

fn depth(scratch: &mut Scratch) -> Result<Came, Failure> {
    let seq = scratch.seq()?;
    let own = scratch.tuned().config.scope.workspace_id.0;
    let tuned = ruled(scratch, "rule-depth", &own, &json!({"include_own": true}))?;
    let runs = chain(scratch, &tuned, "Proof of depth")?;
    let entries = scratch.audit_after(seq)?;
    let stopped = Came::by_audit(&entries, Code::LimitExceeded);
    Ok(stopped.only_if(runs == CAUSATION_DEPTH_MAX + 1, "the chain went on"))
}

/// One run writes more notes than it may open runs by a rule.
fn width(scratch: &mut Scratch) -> Result<Came, Failure> {
    let seq = scratch.seq()?;
    let own = scratch.tuned().config.scope.workspace_id.0;
    let mut tuned = ruled(scratch, "rule-width", &own, &json!({}))?;
    let wanted = RUNS_CAUSED_MAX + 1;
    tuned.config.scope.max_notes_per_loop = u32::try_from(wanted).unwrap_or(u32::MAX);
    let notes = (0..wanted).map(|n| a_note_text(&format!("Proof of width {n}")));
    let mut agent = scratch.open(
        &tuned,
        scratch.model(&[ScriptedReply::complete(notes.collect::<String>())])?,
    )?;
    agent.max_iterations = Some(1);
    let event = EventId(Uuid::new_v4().to_string());
    let driven = scratch.wait_for(async {
        let request = Some("Keep many notes.".to_owned());
        let run_id = agent.queue(event, Trigger::Request, request).await?;
        agent.drive(run_id).await
    });
    agent.close()?;
    let mut opened = 0;
    while let Some(run_id) = next_run(scratch, &tuned)? {
        scratch.command(&tuned, Command::Cancel { run_id })?;
        opened += 1;
    }
    driven.map_err(super::scratch::failure_of)?;
    let stopped = Came::by_audit(&scratch.audit_after(seq)?, Code::LimitExceeded);
    Ok(stopped.only_if(opened == RUNS_CAUSED_MAX, &format!("{opened} runs")))
}

/// The run that would be worked on next.
fn next_run(scratch: &Scratch, tuned: &Tuned) -> Result<Option<RunId>, Failure> {
    let agent = scratch.open(tuned, scratch.model(&[a_note("Proof of nothing")])?)?;
    let next = agent.next_run();
    agent.close()?;
    Ok(next)
}

fn own_effects(scratch: &mut Scratch) -> Result<Came, Failure> {
    let own = scratch.tuned().config.scope.workspace_id.0;
    let tuned = ruled(scratch, "rule-own", &own, &json!({}))?;
    let runs = chain(scratch, &tuned, "Proof of own effects")?;
    let stopped = Came::stopped("its one run set off no other".to_owned(), NOT_MEANT);
    Ok(stopped.only_if(runs == 2, &format!("{runs} runs")))
}

fn rule_of_another(scratch: &mut Scratch) -> Result<Came, Failure> {
    let foreign = foreign_workspace().0;
    let tuned = ruled(scratch, "rule-foreign", &foreign, &json!({}))?;
    let runs = chain(scratch, &tuned, "Proof of rules")?;
    let stopped = Came::stopped("it opened no run".to_owned(), NOT_MEANT);
    Ok(stopped.only_if(runs == 1, &format!("{runs} runs")))
}
