//! `runs`: the run records, all that the kept journal has.

use super::arguments::RunsVerb;
use super::ask::or_in_inbox;
use super::change::errand_by;
use super::context::Context;
use super::list::List;
use super::output::Answer;
use super::record::{self, RunRecord};
use super::run::request_text;
use super::short_ids::ShortIds;
use super::table::{Column, Table};
use super::text::one_line;
use super::when::when;
use crate::core::run::Run;
use crate::daemon::{Done, Errand, unknown_run};
use crate::failure::{Code, Failure};
use crate::ids::EventId;
use crate::limits::{API_KEY_CHARS_MAX, INBOX_FILE_BYTES_MAX};
use crate::store::{AuditEntry, AuditedRun, RunQuery, run_with_audit, runs_page};
use serde::Serialize;
use uuid::Uuid;

/// Characters of a request that a row shows.
const REQUEST_CHARACTERS_MAX: usize = 60;

/// What the list of runs shows.
const COLUMNS: [Column; 5] = [
    Column::text("REQUEST"),
    Column::fixed("STATE"),
    Column::fixed("QUEUED"),
    Column::id("RUN"),
    Column::spare("TRIGGER"),
];

/// What stands in the place of a request where there is none.
const NO_REQUEST: &str = "(no request)";

/// A run record with what became of each instruction.
#[derive(Debug, Serialize)]
struct Shown<'a> {
    #[serde(flatten)]
    record: RunRecord<'a>,
    operations: Vec<AuditEntry>,
}

/// Answers one of the verbs.
pub(super) fn run(context: &Context, verb: RunsVerb) -> Result<Answer, Failure> {
    context.load_without_key()?;
    let mut disk = context.disk()?;
    match verb {
        RunsVerb::List { state, page } => {
            let query = RunQuery {
                state,
                offset: page.offset.unwrap_or(0),
                limit: page.limit,
            };
            let found = runs_page(&mut disk, query)?;
            let list = List::part(found.runs, found.total, page);
            let waiting = |run: &Run| found.proposals.waiting_of(run.run_id);
            let told = |run| RunRecord::from(run).with_waiting(waiting(run));
            context.list(&list.map(told), || {
                let ids = ShortIds::of(&found.ids);
                let rows = list.items.iter();
                Table::new(COLUMNS, rows.map(|run| row(run, waiting(run), &ids)))
            })
        }
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
        RunsVerb::Launch { request, key } => {
            let request = request.map(|text| context.value_or_input(text, INBOX_FILE_BYTES_MAX));
            let request = request
                .transpose()?
                .map(|text| request_text(&text))
                .transpose()?;
            let event = event_of(key)?;
            match errand_by(context, Errand::Launch { event, request })? {
                Done::Run { run, is_new } => record::launched(context, &run, is_new),
                Done::Changed => Ok(Answer::nothing()),
            }
        }
        RunsVerb::Cancel { run } => {
            let run_id = record::run_id(context, &run)?;
            let cancelled = recorded(context, Errand::Cancel { run_id });
            cancelled.map_err(|failure| or_in_inbox(context, run_id, failure))
        }
        RunsVerb::Retry { run } => {
            let run_id = record::run_id(context, &run)?;
            recorded(context, Errand::Retry { run_id })
        }
    }
}

/// The event of a launch by hand. One without a key is never the same as another.
fn event_of(key: Option<String>) -> Result<EventId, Failure> {
    let Some(key) = key else {
        return Ok(EventId(Uuid::new_v4().to_string()));
    };
    // Beside the events of the program's own, such as the first start.
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

/// Has an errand done, and prints the run's record.
fn recorded(context: &Context, errand: Errand) -> Result<Answer, Failure> {
    let is_cancel = matches!(errand, Errand::Cancel { .. });
    match errand_by(context, errand)? {
        Done::Run { run, .. } => {
            if is_cancel && !run.is_finished() {
                context.talk("hint: it ends as soon as the question under way is given up");
            }
            context.answer(&RunRecord::from(run.as_ref()), || record::text_of(&run))
        }
        Done::Changed => Ok(Answer::nothing()),
    }
}

fn row(run: &Run, waiting: usize, ids: &ShortIds) -> [String; 5] {
    let request = run.request.as_deref().unwrap_or(NO_REQUEST);
    [
        one_line(request, REQUEST_CHARACTERS_MAX),
        record::state_text(run, Some(waiting)),
        when(run.queued_at),
        ids.short(&run.run_id),
        record::word(&run.trigger),
    ]
}
