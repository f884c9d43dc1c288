//! `runs`: the run records, all that the kept journal has.

use super::arguments::{Page, RunsVerb};
use super::ask::or_in_inbox;
use super::context::Context;
use super::follow::follow;
use super::outcome::RunOutcome;
use super::output::Answer;
use super::record::{self, RunRecord};
use super::run::request_text;
use super::short_ids::ShortIds;
use super::table::{Column, Table};
use super::text::one_line;
use super::when::when;
use crate::core::run::{Run, RunState};
use crate::daemon::{Command, Done, unknown_run};
use crate::failure::{Code, Failure};
use crate::ids::EventId;
use crate::limits::{API_KEY_CHARS_MAX, INBOX_FILE_BYTES_MAX};
use crate::service::List;
use crate::service::command_by;
use crate::store::disk::RealDisk;
use crate::store::{AuditEntry, AuditedRun, RunQuery, changed_notes, run_with_audit, runs_page};
use serde::Serialize;
use uuid::Uuid;

/// Characters of a request that a row shows.
const REQUEST_CHARACTERS_MAX: usize = 60;

/// What the list of runs shows.
const COLUMNS: [Column; 6] = [
    Column::text("REQUEST"),
    Column::fixed("STATE"),
    Column::spare("OUTCOME"),
    Column::fixed("QUEUED"),
    Column::id("RUN"),
    Column::spare("TRIGGER"),
];

/// What stands in the place of a request where there is none.
const NO_REQUEST: &str = "(no request)";
/// Characters of what came of a run that a row shows.
const OUTCOME_CHARACTERS_MAX: usize = 60;

/// A run record with what became of each instruction.
#[derive(Debug, Serialize)]
struct Shown<'a> {
    #[serde(flatten)]
    record: RunRecord<'a>,
    operations: Vec<AuditEntry>,
}

/// Answers one of the verbs.
pub(super) fn run(context: &Context, verb: RunsVerb) -> Result<Answer, Failure> {
    context.session.load()?;
    let mut disk = context.session.disk()?;
    match verb {
        RunsVerb::List { state, page } => list(context, &mut disk, state, page),
        RunsVerb::Undo { run, dry_run } => super::undo::run(context, &run, dry_run),
        RunsVerb::Show { run } => {
            let run_id = record::run_id(context, &run)?;
            let found = run_with_audit(&mut disk, run_id)?;
            let unknown = || or_in_inbox(context, run_id, unknown_run(run_id));
            let AuditedRun {
                run,
                operations,
                waiting,
            } = found.ok_or_else(unknown)?;
            let shown = Shown {
                record: RunRecord::from(&run).with_waiting(waiting),
                operations,
            };
            context.answer(&shown, || {
                let head = record::text_with(&run, Some(waiting));
                format!(
                    "{head}\n{}",
                    super::audit::lines(context, &shown.operations)
                )
            })
        }
        RunsVerb::Watch { run } => {
            let run_id = run.map(|run| record::run_id(context, &run)).transpose()?;
            follow(context, run_id)
        }
        RunsVerb::Launch { request, key } => {
            let request = request.map(|text| context.value_or_input(text, INBOX_FILE_BYTES_MAX));
            let request = request
                .transpose()?
                .map(|text| request_text(&text))
                .transpose()?;
            let event = event_of(key)?;
            match command_by(&context.session, Command::Launch { event, request })? {
                Done::Run { run, is_new } => record::launched(context, &run, is_new),
                Done::Changed => Ok(Answer::nothing()),
            }
        }
        RunsVerb::Cancel { run } => {
            let run_id = record::run_id(context, &run)?;
            let cancelled = recorded(context, Command::Cancel { run_id });
            cancelled.map_err(|failure| or_in_inbox(context, run_id, failure))
        }
        RunsVerb::Retry { run } => {
            let run_id = record::run_id(context, &run)?;
            recorded(context, Command::Retry { run_id })
        }
    }
}

/// Lists runs with what came of them.
fn list(
    context: &Context,
    disk: &mut RealDisk,
    state: Option<RunState>,
    page: Page,
) -> Result<Answer, Failure> {
    let query = RunQuery {
        state,
        offset: page.offset.unwrap_or(0),
        limit: page.limit,
    };
    let found = runs_page(disk, query)?;
    let list = List::part(found.runs, found.total, page.into());
    let waiting = |run: &Run| found.proposals.waiting_of(run.run_id);
    let ids = list.items.iter().map(|run| run.run_id);
    let changed = changed_notes(disk, &ids.collect())?;
    let outcome = |run| RunOutcome {
        record: RunRecord::from(run).with_waiting(waiting(run)),
        changed_notes: changed.get(&run.run_id).map_or(&[][..], Vec::as_slice),
    };
    let (runs, pagination) = (&list.items, list.pagination);
    let outcomes = List {
        items: runs.iter().map(outcome).collect(),
        pagination,
    };
    let rows = runs.iter().zip(&outcomes.items);
    let ids = ShortIds::of(&found.ids);
    let rows = rows.map(|(run, outcome)| row(run, waiting(run), outcome, &ids));
    let rows: Vec<[String; 6]> = rows.collect::<Result<_, _>>()?;
    context.list(&outcomes, || Table::new(COLUMNS, rows))
}

/// The event of a launch by hand. One without a key is never the same as another.
fn event_of(key: Option<String>) -> Result<EventId, Failure> {
    let Some(key) = key else {
        return Ok(EventId(Uuid::new_v4().to_string()));
    };
    // Beside the events of the program's own, such as idleness.
    Ok(EventId(format!("key:{}", checked_key(key)?)))
}

/// What a person calls a launch by.
pub(super) fn checked_key(key: String) -> Result<String, Failure> {
    let is_plain = key.bytes().all(|byte| byte.is_ascii_graphic());
    if !is_plain || key.is_empty() || key.len() > API_KEY_CHARS_MAX {
        let message = format!("a key has 1 to {API_KEY_CHARS_MAX} visible ASCII characters");
        return Err(Failure::new(Code::Usage, message));
    }
    Ok(key)
}

/// Runs a command, and prints the run's record.
fn recorded(context: &Context, command: Command) -> Result<Answer, Failure> {
    let is_cancel = matches!(command, Command::Cancel { .. });
    match command_by(&context.session, command)? {
        Done::Run { run, .. } => {
            if is_cancel && !run.is_finished() {
                context.talk("hint: it ends as soon as the question under way is given up");
            }
            context.answer(&RunRecord::from(run.as_ref()), || record::text_of(&run))
        }
        Done::Changed => Ok(Answer::nothing()),
    }
}

fn row(
    run: &Run,
    waiting: usize,
    outcome: &RunOutcome<'_>,
    ids: &ShortIds,
) -> Result<[String; 6], Failure> {
    let request = run.request.as_deref().unwrap_or(NO_REQUEST);
    Ok([
        one_line(request, REQUEST_CHARACTERS_MAX),
        record::state_text(run, Some(waiting)),
        one_line(&outcome.line()?, OUTCOME_CHARACTERS_MAX),
        when(run.queued_at),
        ids.short(&run.run_id),
        record::word(&run.trigger),
    ])
}
