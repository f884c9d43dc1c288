//! What runs may not do: end well without a deed, go on without end.

use super::guard_check::{
    ANSWERED, Attempt, Came, GuardCheck, NOT_MEANT, ReplyAttempt, ScriptedReply, Shown,
};
use super::scratch::Scratch;
use crate::core::journal::event::Outcome;
use crate::core::prompt::Mode;
use crate::core::run::{RunState, Trigger};
use crate::daemon::Command;
use crate::failure::{Code, Failure};
use crate::ids::{EventId, RunId};
use uuid::Uuid;

/// More iterations than any of these trials needs.
pub(super) const MANY: u32 = 50;

pub(super) fn go_to(state: &str) -> ScriptedReply {
    ScriptedReply::complete(format!("<state_add><state>{state}</state></state_add>"))
}

fn remember(key: &str, value: &str) -> ScriptedReply {
    let text = format!("<ram_add><key>{key}</key><value>{value}</value></ram_add>");
    ScriptedReply::complete(text)
}

pub(super) fn a_note(title: &str) -> ScriptedReply {
    ScriptedReply::complete(a_note_text(title))
}

pub(super) fn a_note_text(title: &str) -> String {
    format!(
        "<record_add><title>{title}</title><keywords>proof</keywords><kind>note</kind>\
         <value>A note that {title} brings.</value></record_add>"
    )
}

/// The trials at runs.
pub(super) const GUARD_CHECKS: &[GuardCheck] = &[
    GuardCheck {
        guard: "run.claims",
        tried: "a run that ends with nothing done for its request",
        attempt: Attempt::ReplyAttempt(
            ReplyAttempt::new(&[Code::NoProgress], |_| {
                vec![go_to("executing"), go_to("evaluating"), go_to("idle")]
            })
            .tuned(|tuned| tuned.iterations = Some(MANY)),
        ),
    },
    GuardCheck {
        guard: "run.idle_cycle",
        tried: "a whole cycle in which nothing is done",
        attempt: Attempt::ReplyAttempt(
            ReplyAttempt::new(&[Code::NoProgress], |_| {
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
    GuardCheck {
        guard: "run.in_vain",
        tried: "the same refused instruction again and again",
        attempt: Attempt::Done(no_progress),
    },
    GuardCheck {
        guard: "run.iterations",
        tried: "a run longer than loop.max_iterations",
        attempt: Attempt::ReplyAttempt(
            ReplyAttempt::new(&[Code::IterationLimit], |_| {
                vec![remember("steps", "one\ntwo"), remember("proof_more", "x")]
            })
            .tuned(|tuned| tuned.iterations = Some(2))
            .holding(|_, before, after| before.notes == after.notes),
        ),
    },
    GuardCheck {
        guard: "run.owed",
        tried: "a refusal that other work is to cover up",
        attempt: Attempt::Done(open_refusal),
    },
    GuardCheck {
        guard: "run.twice",
        tried: "the same event launched twice",
        attempt: Attempt::Done(twice),
    },
    GuardCheck {
        guard: "run.key_reused",
        tried: "the same key launched for something else",
        attempt: Attempt::Done(key_reused),
    },
    GuardCheck {
        guard: "prompt.window",
        tried: "a prompt that does not fit the model's window",
        attempt: Attempt::ReplyAttempt(
            ReplyAttempt::new(&[Code::ContextOverflow], |_| vec![go_to("executing")])
                .tuned(|tuned| tuned.config.provider.context_tokens = Some(256)),
        ),
    },
    GuardCheck {
        guard: "prompt.critical",
        tried: "a prompt whose critical parts exceed token_budget.max_total",
        attempt: Attempt::ReplyAttempt(
            ReplyAttempt::new(&[Code::TokenCriticalDropped], |_| vec![go_to("executing")])
                .tuned(|tuned| tuned.config.token_budget.max_total = 1),
        ),
    },
];

fn no_progress(scratch: &mut Scratch) -> Result<Came, Failure> {
    let mut tuned = scratch.tuned();
    tuned.asks = false;
    let refused = "<record_delete><key>Nothing is called so</key></record_delete>";
    // With steps to do, the run does not simply end.
    let mut replies = vec![remember("steps", "one\ntwo")];
    replies.extend(vec![ScriptedReply::complete(refused); 12]);
    tuned.iterations = Some(MANY);
    let asked = scratch.ask(&tuned, &replies)?;
    if asked.run.error_code != Some(Code::NoProgress) || asked.before != asked.after {
        return Ok(Came::Through(asked.changed()));
    }
    Ok(Came::by_audit(&asked.entries, Code::NoProgress))
}

/// One thing is refused, another is done: the run must not count as a success.
fn open_refusal(scratch: &mut Scratch) -> Result<Came, Failure> {
    let mut tuned = scratch.tuned();
    tuned.iterations = Some(MANY);
    let refused = "<record_update><key>Nothing is called so</key><value>x</value></record_update>";
    let mut replies = vec![
        ScriptedReply::complete(refused),
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
    scratch.command(&tuned, Command::Cancel { run_id: first })?;
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
    let launch = |request: &str| Command::Launch {
        event: event.clone(),
        request: Some(request.to_owned()),
    };
    scratch.command(&tuned, launch("Keep a note."))?;
    let second = scratch.command(&tuned, launch("Delete every note."));
    scratch.command(&tuned, Command::Cancel { run_id })?;
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
    scratch.command(&tuned, Command::Cancel { run_id: run.run_id })?;
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
