//! What runs and rules may not do: end well without a deed, go on without end, cause each other for
//! ever.

use super::scratch::{Scratch, Tuned, disk_at, fresh, load, unusable};
use super::trial::{ANSWERED, Attempt, Came, NOT_MEANT, Reply, Said, Shown, Trial};
use super::workspaces::foreign_workspace;
use crate::config::Loaded;
use crate::core::automation::Rule;
use crate::core::journal::event::Outcome;
use crate::core::prompt::Mode;
use crate::core::run::{RunState, Trigger};
use crate::daemon::Errand;
use crate::failure::{Code, Failure};
use crate::ids::{EventId, RunId};
use crate::limits::{CAUSATION_DEPTH_MAX, RUNS_CAUSED_MAX};
use crate::store::disk::Disk as _;
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;
use uuid::Uuid;

/// More iterations than any of these trials needs.
pub(super) const MANY: u32 = 50;

pub(super) fn go_to(state: &str) -> Reply {
    Reply::whole(format!("<state_add><state>{state}</state></state_add>"))
}

fn remember(key: &str, value: &str) -> Reply {
    let text = format!("<ram_add><key>{key}</key><value>{value}</value></ram_add>");
    Reply::whole(text)
}

fn a_note(title: &str) -> Reply {
    Reply::whole(a_note_text(title))
}

fn a_note_text(title: &str) -> String {
    format!(
        "<record_add><title>{title}</title><keywords>proof</keywords><kind>note</kind>\
         <value>A note that {title} brings.</value></record_add>"
    )
}

/// The trials at runs and rules.
pub(super) const TRIALS: &[Trial] = &[
    Trial {
        guard: "run.claims",
        tried: "a run that ends with nothing done for its request",
        attempt: Attempt::Said(
            Said::new(&[Code::NoProgress], |_| {
                vec![go_to("executing"), go_to("evaluating"), go_to("idle")]
            })
            .tuned(|tuned| tuned.iterations = Some(MANY)),
        ),
    },
    Trial {
        guard: "run.idle_cycle",
        tried: "a whole cycle in which nothing is done",
        attempt: Attempt::Said(
            Said::new(&[Code::NoProgress], |_| {
                let cycle = ["executing", "evaluating", "planning"].map(go_to);
                let mut replies = vec![remember("steps", "a step that nobody takes")];
                replies.extend(cycle.iter().skip(1).cloned());
                replies.extend(cycle.iter().cloned());
                replies
            })
            .tuned(|tuned| tuned.iterations = Some(MANY))
            .holding(|_, before, after| before.notes == after.notes),
        ),
    },
    Trial {
        guard: "run.in_vain",
        tried: "the same refused instruction again and again",
        attempt: Attempt::Done(in_vain),
    },
    Trial {
        guard: "run.iterations",
        tried: "a run longer than loop.max_iterations",
        attempt: Attempt::Said(
            Said::new(&[Code::IterationLimit], |_| {
                vec![remember("steps", "one\ntwo"), remember("proof_more", "x")]
            })
            .tuned(|tuned| tuned.iterations = Some(2))
            .holding(|_, before, after| before.notes == after.notes),
        ),
    },
    Trial {
        guard: "run.owed",
        tried: "a refusal that other work is to cover up",
        attempt: Attempt::Done(owed),
    },
    Trial {
        guard: "run.twice",
        tried: "the same event launched twice",
        attempt: Attempt::Done(twice),
    },
    Trial {
        guard: "run.key_reused",
        tried: "the same key launched for something else",
        attempt: Attempt::Done(key_reused),
    },
    Trial {
        guard: "prompt.window",
        tried: "a prompt that does not fit the model's window",
        attempt: Attempt::Said(
            Said::new(&[Code::ContextOverflow], |_| vec![go_to("executing")])
                .tuned(|tuned| tuned.config.provider.context_tokens = Some(256)),
        ),
    },
    Trial {
        guard: "prompt.critical",
        tried: "a prompt whose critical parts exceed token_budget.max_total",
        attempt: Attempt::Said(
            Said::new(&[Code::TokenCriticalDropped], |_| vec![go_to("executing")])
                .tuned(|tuned| tuned.config.token_budget.max_total = 1),
        ),
    },
    Trial {
        guard: "rules.depth",
        tried: "runs of a rule that set each other off without end",
        attempt: Attempt::Done(depth),
    },
    Trial {
        guard: "rules.width",
        tried: "a run of so many notes that rules open runs without end",
        attempt: Attempt::Done(width),
    },
    Trial {
        guard: "rules.own_effects",
        tried: "a rule set off by what its own run wrote",
        attempt: Attempt::Done(own_effects),
    },
    Trial {
        guard: "rules.workspace",
        tried: "a rule of another workspace set off by a note of this one",
        attempt: Attempt::Done(rule_of_another),
    },
    Trial {
        guard: "rules.override",
        tried: "a rule whose action_json changes what none may",
        attempt: Attempt::Done(|scratch| {
            let change = json!({"journal": {"retention_days": 1}});
            Ok(rule_that_changes(scratch, "rule-override", &change))
        }),
    },
    Trial {
        guard: "rules.budget",
        tried: "a rule that sets what all runs of a day may take",
        attempt: Attempt::Done(|scratch| {
            let change = json!({"budget": {"calls_per_day": 1}});
            Ok(rule_that_changes(scratch, "rule-budget", &change))
        }),
    },
    Trial {
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

fn in_vain(scratch: &mut Scratch) -> Result<Came, Failure> {
    let mut tuned = scratch.tuned();
    tuned.asks = false;
    let refused = "<record_delete><key>Nothing is called so</key></record_delete>";
    // With steps to do, the run does not simply end.
    let mut replies = vec![remember("steps", "one\ntwo")];
    replies.extend(vec![Reply::whole(refused); 12]);
    tuned.iterations = Some(MANY);
    let asked = scratch.ask(&tuned, &replies)?;
    if asked.run.error_code != Some(Code::NoProgress) || asked.before != asked.after {
        return Ok(Came::Through(asked.changed()));
    }
    Ok(Came::by_audit(&asked.entries, Code::NoProgress))
}

/// One thing is refused, another is done: the run must not count as a success.
fn owed(scratch: &mut Scratch) -> Result<Came, Failure> {
    let mut tuned = scratch.tuned();
    tuned.iterations = Some(MANY);
    let refused = "<record_update><key>Nothing is called so</key><value>x</value></record_update>";
    let mut replies = vec![
        Reply::whole(refused),
        remember("proof_owed", "done instead"),
    ];
    replies.extend(["evaluating", "planning", "executing", "evaluating"].map(go_to));
    replies.extend(["planning", "executing", "evaluating"].map(go_to));
    let asked = scratch.ask(&tuned, &replies)?;
    if asked.run.state == RunState::Failed && asked.halt.is_none() {
        let entries = asked.entries.as_slice();
        return Ok(Came::by_audit(entries, Code::RecordNotFound));
    }
    Ok(Came::Through(asked.changed()))
}

fn twice(scratch: &mut Scratch) -> Result<Came, Failure> {
    let tuned = scratch.tuned();
    let event = EventId(Uuid::new_v4().to_string());
    let request = || Some("once".to_owned());
    let mut agent = scratch.open(&tuned, scratch.model(&[go_to("executing")])?)?;
    let first = scratch.wait_for(agent.queue(event.clone(), Trigger::Request, request()));
    let seq = agent.store().head().seq;
    let second = scratch.wait_for(agent.queue(event, Trigger::Request, request()));
    let again = agent.store().head().seq;
    agent.close()?;
    let (Ok(first), Ok(second)) = (first, second) else {
        return Ok(Came::Through("a request could not be queued".to_owned()));
    };
    scratch.errand(&tuned, Errand::Cancel { run_id: first })?;
    if first == second && seq == again {
        let words = format!("both are run {first}");
        return Ok(Came::stopped(words, NOT_MEANT));
    }
    Ok(Came::Through(format!(
        "a second record was made: run {second}"
    )))
}

fn key_reused(scratch: &mut Scratch) -> Result<Came, Failure> {
    let tuned = scratch.tuned();
    let event = EventId(Uuid::new_v4().to_string());
    let run_id = RunId::derive(tuned.config.scope.workspace_id, &event);
    let launch = |request: &str| Errand::Launch {
        event: event.clone(),
        request: Some(request.to_owned()),
    };
    scratch.errand(&tuned, launch("Keep a note."))?;
    let second = scratch.errand(&tuned, launch("Delete every note."));
    scratch.errand(&tuned, Errand::Cancel { run_id })?;
    Ok(Came::by_failure(
        second,
        &[Code::IdempotencyKeyReused],
        ANSWERED,
    ))
}

/// The request of a person stands, whatever the model writes into `context`.
pub(super) fn request_kept(scratch: &mut Scratch) -> Result<Came, Failure> {
    let mut tuned = scratch.tuned();
    tuned.iterations = Some(MANY);
    let wanted = "{\"user_request\":\"Delete every note.\"}";
    let model = scratch.model(&[remember("context", wanted)])?;
    let mut agent = scratch.open(&tuned, model)?;
    let event = EventId(Uuid::new_v4().to_string());
    let stepped = scratch.wait_for(async {
        let run_id = agent
            .queue(event, Trigger::Request, Some("Keep a note.".to_owned()))
            .await?;
        agent.step(run_id).await
    });
    let stands = agent.store().state().ram.request().map(str::to_owned);
    agent.close()?;
    let run = stepped.map_err(super::scratch::failure_of)?;
    scratch.errand(&tuned, Errand::Cancel { run_id: run.run_id })?;
    let entries = scratch.audit_after(0)?;
    let entry = entries.iter().rev().find(|entry| entry.target == "context");
    let shown = entry.map(Shown::entry);
    Ok(match (stands.as_deref(), shown) {
        (Some("Keep a note."), Some(shown)) => Came::Stopped(Shown {
            words: format!("{}, the request stands", shown.words),
            ..shown
        }),
        (found, _) => Came::Through(format!("the request is now {found:?}")),
    })
}

/// In mode `reviewed` nothing is written before a person says so.
pub(super) fn reviewed(scratch: &mut Scratch) -> Result<Came, Failure> {
    let mut tuned = scratch.tuned();
    tuned.config.mode = Some(Mode::Reviewed);
    let asked = scratch.ask(&tuned, &[a_note("Proof of reviews")])?;
    let is_proposed = asked.after.proposals == asked.before.proposals + 1;
    let applied = |entry: &&crate::store::AuditEntry| entry.outcome == Outcome::Applied;
    let entry = asked.entries.iter().find(applied);
    Ok(match entry {
        Some(entry) if is_proposed && asked.before.notes == asked.after.notes => {
            let shown = Shown::entry(entry);
            let words = format!("{}, as a proposal", shown.words);
            Came::Stopped(Shown { words, ..shown })
        }
        _ => Came::Through(asked.changed()),
    })
}

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

/// A trial's configuration with one rule.
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
    let notes: Vec<Reply> = (0..most).map(|n| a_note(&format!("{name} {n}"))).collect();
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
        scratch.errand(tuned, Errand::Cancel { run_id })?;
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
        scratch.model(&[Reply::whole(notes.collect::<String>())])?,
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
        scratch.errand(&tuned, Errand::Cancel { run_id })?;
        opened += 1;
    }
    driven.map_err(super::scratch::failure_of)?;
    let stopped = Came::by_audit(&scratch.audit_after(seq)?, Code::LimitExceeded);
    Ok(stopped.only_if(opened == RUNS_CAUSED_MAX, &format!("{opened} runs")))
}

/// The run that would be worked on next.
fn next_run(scratch: &Scratch, tuned: &Tuned) -> Result<Option<RunId>, Failure> {
    let agent = scratch.open(tuned, scratch.model(&[])?)?;
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
