//! `runs`: formats the run records of the whole kept journal.

use super::arguments::RunsVerb;
use super::context::Context;
use super::follow::follow;
use super::output::VerbOutput;
use super::record;
use super::short_ids::ShortIds;
use super::table::Kind::{Fixed, Id, Spare, Text};
use super::table::{Column, Table};
use super::text::one_line;
use super::time_text::when;
use crate::failure::Failure;
use crate::ids::RunId;
use crate::limits::INBOX_FILE_BYTES_MAX;
use crate::service::runs::{self, RunOutcome, run_id_of};
use crate::service::{ListWithIds, RunView};

/// The most characters of a request in a row.
const REQUEST_CHARACTERS_MAX: usize = 60;

/// The columns of the list of runs.
const COLUMNS: [Column; 6] = [
    ("REQUEST", Text),
    ("STATE", Fixed),
    ("OUTCOME", Spare),
    ("QUEUED", Fixed),
    ("RUN", Id),
    ("TRIGGER", Spare),
];

/// The text for a missing request.
const NO_REQUEST: &str = "(no request)";

/// The most characters of a run's result in a row.
const OUTCOME_CHARACTERS_MAX: usize = 60;

/// Runs one of the verbs.
pub(super) fn run(context: &Context, verb: RunsVerb) -> Result<VerbOutput, Failure> {
    let session = &context.session;
    match verb {
        RunsVerb::List(asked) => list(context, &runs::list(session, asked)?),
        RunsVerb::Undo { run, dry_run } => super::undo::run(context, &run, dry_run),
        RunsVerb::Show(run) => {
            let shown = runs::show(session, run)?;
            context.answer(&shown, || {
                let head = record::text_with(&shown.run.run, shown.run.waiting);
                format!(
                    "{head}\n{}",
                    super::audit::lines(context, &shown.operations)
                )
            })
        }
        RunsVerb::Watch { run } => {
            session.checked_disk()?;
            let run_id = run.map(|run| run_id_of(session, &run)).transpose()?;
            follow(context, run_id)
        }
        RunsVerb::Launch(mut asked) => {
            session.checked_disk()?;
            asked.request = context.text_or_input(asked.request, INBOX_FILE_BYTES_MAX)?;
            record::launched(context, &runs::launch(session, asked)?)
        }
        RunsVerb::Cancel(run) => recorded(context, &runs::cancel(session, run)?),
        RunsVerb::Retry(run) => recorded(context, &runs::retry(session, run)?),
    }
}

fn recorded(context: &Context, run: &RunView) -> Result<VerbOutput, Failure> {
    context.answer(run, || record::text_of(&run.run))
}

/// Lists runs with their results.
fn list(context: &Context, found: &ListWithIds<RunOutcome, RunId>) -> Result<VerbOutput, Failure> {
    let ListWithIds { list, ids } = found;
    context.list_with(found, list, "", || {
        let ids = ShortIds::of(ids);
        Table::new(COLUMNS, list.items.iter().map(|outcome| row(outcome, &ids)))
    })
}

fn row(outcome: &RunOutcome, ids: &ShortIds) -> [String; 6] {
    let RunView { run, waiting } = &outcome.run;
    let request = run.request.as_deref().unwrap_or(NO_REQUEST);
    let came = record::outcome_line(run.answer.as_ref(), &outcome.changed_notes);
    [
        one_line(request, REQUEST_CHARACTERS_MAX),
        record::state_text(run, *waiting),
        one_line(&came, OUTCOME_CHARACTERS_MAX),
        when(run.queued_at),
        ids.short(&run.run_id),
        record::word(&run.trigger),
    ]
}
