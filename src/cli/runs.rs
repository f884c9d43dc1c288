//! `runs`: the run records, all that the kept journal has.

use super::arguments::RunsVerb;
use super::change::{refused, with_store};
use super::context::{Context, now};
use super::list::List;
use super::output::Answer;
use super::record::{self, RunRecord};
use super::text::{columns, one_line};
use crate::core::agent::{cancel, retry};
use crate::core::guard::Refusal;
use crate::core::journal::{Actor, ActorType, Cause, Draft, Event, State};
use crate::core::run::Run;
use crate::daemon::unknown_run;
use crate::failure::Failure;
use crate::store::{AuditEntry, RunQuery, run_with_audit, runs_page};
use serde::Serialize;

/// Characters of a request that a row shows.
const REQUEST_CHARACTERS_MAX: usize = 60;

/// A run record with what became of each instruction.
#[derive(Debug, Serialize)]
struct Shown<'a> {
    #[serde(flatten)]
    record: RunRecord<'a>,
    operations: Vec<AuditEntry>,
}

/// Answers one of the verbs.
pub(super) fn run(context: &Context, verb: &RunsVerb) -> Result<Answer, Failure> {
    context.load_without_key()?;
    let mut disk = context.disk()?;
    match verb {
        RunsVerb::Cancel { run } => {
            decide(context, run, |run, state| cancel(run, &state.ram, now()))
        }
        RunsVerb::Retry { run } => decide(context, run, |run, _| Ok(vec![retry(run)?])),
        RunsVerb::List { state, page } => {
            let query = RunQuery {
                state: *state,
                offset: page.offset.unwrap_or(0),
                limit: page.limit,
            };
            let found = runs_page(&mut disk, query)?;
            let list = List::part(found.runs, found.total, *page);
            context.answer(&list.map(RunRecord::from), || {
                let rows: Vec<[String; 5]> = list.items.iter().map(row).collect();
                columns(["RUN", "STATE", "TRIGGER", "QUEUED", "REQUEST"], &rows) + &list.rest()
            })
        }
        RunsVerb::Undo { run, dry_run } => super::undo::run(context, run, *dry_run),
        RunsVerb::Show { run } => {
            let run_id = record::run_id(run)?;
            let found = run_with_audit(&mut disk, run_id)?;
            let (run, operations) = found.ok_or_else(|| unknown_run(run_id))?;
            let shown = Shown {
                record: RunRecord::from(&run),
                operations,
            };
            context.answer(&shown, || {
                let head = record::text_of(&run);
                format!("{head}\n{}", super::audit::table(&shown.operations))
            })
        }
    }
}

/// Commits what a person decides about a run, and prints its record.
fn decide(
    context: &Context,
    run: &str,
    decide: impl FnOnce(&Run, &State) -> Result<Vec<Event>, Refusal>,
) -> Result<Answer, Failure> {
    let run_id = record::run_id(run)?;
    let mut decided = None;
    with_store(context, |store, _| {
        let run = store.run(run_id)?.ok_or_else(|| unknown_run(run_id))?;
        let events = decide(&run, store.state()).map_err(refused)?;
        store.commit(Draft {
            ts: now(),
            actor: Actor {
                actor_type: ActorType::User,
            },
            cause: Cause::run("verb", run_id),
            events,
        })?;
        decided = store.run(run_id)?;
        Ok(())
    })?;
    let run = decided.ok_or_else(|| unknown_run(run_id))?;
    context.answer(&RunRecord::from(&run), || record::text_of(&run))
}

fn row(run: &Run) -> [String; 5] {
    let request = run.request.as_deref().unwrap_or_default();
    [
        run.run_id.to_string(),
        record::state_text(run),
        record::word(&run.trigger),
        run.queued_at.to_string(),
        one_line(request, REQUEST_CHARACTERS_MAX),
    ]
}
