//! Runs: the records of all that the kept journal has, launches by hand, ends and further attempts.

use super::change::command_by;
use super::inbox::{or_in_inbox, runs_in_inbox};
use super::list::{Among, List, Page};
use super::run_record::RunView;
use super::session::Session;
use super::typed_id::{beginning_with, only};
use crate::config::Loaded;
use crate::core::run::{Run, RunState};
use crate::daemon::{self, Command, Done, Replayed, unknown_run};
use crate::failure::{Code, Failure};
use crate::ids::{EventId, RunId};
use crate::limits::API_KEY_CHARS_MAX;
use crate::plain_text::one_line;
use crate::store::{
    AuditEntry, ChangedNote, RunQuery, Step, changed_notes, run_ids, run_with_audit, runs_page,
    trace_of,
};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use uuid::Uuid;

/// Characters of an id that a message shows.
const ID_CHARACTERS_MAX: usize = 200;

/// Lists runs.
#[derive(Debug, Deserialize)]
pub struct ListRuns {
    /// Only those that stand so.
    #[serde(default, deserialize_with = "state_by_name")]
    pub state: Option<RunState>,
    /// Which of them.
    #[serde(flatten)]
    pub page: Page,
}

/// Names a run.
#[derive(Debug, Deserialize)]
pub struct NamedRun {
    /// Its id, or the beginning of it.
    pub run_id: String,
}

/// Launches a run by hand.
#[derive(Debug, Deserialize)]
pub struct LaunchRun {
    /// What is asked for.
    pub request: Option<String>,
    /// Stands for this launch: the same key never launches two.
    pub idempotency_key: Option<String>,
}

/// A run record with the notes that the run changed.
#[derive(Debug, Serialize)]
pub struct RunOutcome {
    /// The run.
    #[serde(flatten)]
    pub run: RunView,
    /// The notes.
    pub changed_notes: Vec<ChangedNote>,
}

/// A run record with what became of each instruction.
#[derive(Debug, Serialize)]
pub struct AuditedView {
    /// The run.
    #[serde(flatten)]
    pub run: RunView,
    /// Its instructions.
    pub operations: Vec<AuditEntry>,
}

/// A run record with its steps.
#[derive(Debug, Serialize)]
pub struct TracedView {
    /// The run.
    #[serde(flatten)]
    pub run: RunView,
    /// Its commits, in order.
    pub steps: Vec<Step>,
}

/// A run that was launched.
#[derive(Debug, Serialize)]
pub struct LaunchedView {
    /// The run.
    #[serde(flatten)]
    pub run: RunView,
    /// Whether its event had opened it already.
    pub duplicate: bool,
}

/// Whether the retained replies of a run are still decided as they were.
#[derive(Debug, Serialize)]
pub struct ReplayReport {
    run_id: RunId,
    /// Whether none is decided otherwise.
    pub same: bool,
    /// What a reply is decided with.
    pub decided_with: &'static str,
    /// Each iteration.
    pub iterations: Vec<Replayed>,
}

fn state_by_name<'de, D: Deserializer<'de>>(name: D) -> Result<Option<RunState>, D::Error> {
    let name = String::deserialize(name)?;
    let mut all = RunState::ALL.into_iter();
    let found = all.find(|state| state.name().eq_ignore_ascii_case(&name));
    found
        .map(Some)
        .ok_or_else(|| D::Error::custom("no such state"))
}

/// Lists the open runs, then the finished ones, each newest first, with what came of them.
pub fn list(
    session: &Session,
    ListRuns { state, page }: ListRuns,
) -> Result<Among<RunOutcome, RunId>, Failure> {
    let mut disk = session.checked_disk()?;
    let query = RunQuery {
        state,
        offset: page.offset.unwrap_or(0),
        limit: page.limit,
    };
    let found = runs_page(&mut disk, query)?;
    let of_page = found.runs.iter().map(|run| run.run_id);
    let mut changed = changed_notes(&mut disk, &of_page.collect())?;
    let list = List::part(found.runs, found.total, page).map(|run| RunOutcome {
        changed_notes: changed.remove(&run.run_id).unwrap_or_default(),
        run: RunView {
            waiting: Some(found.proposals.waiting_of(run.run_id)),
            run,
        },
    });
    let ids = found.ids;
    Ok(Among { list, ids })
}

/// Returns a run record with what became of each instruction.
pub fn show(session: &Session, NamedRun { run_id }: NamedRun) -> Result<AuditedView, Failure> {
    let mut disk = session.checked_disk()?;
    let run_id = run_id_of(session, &run_id)?;
    let found = run_with_audit(&mut disk, run_id)?;
    let found = found.ok_or_else(|| or_in_inbox(session, run_id, unknown_run(run_id)))?;
    Ok(AuditedView {
        run: RunView {
            run: found.run,
            waiting: Some(found.waiting),
        },
        operations: found.operations,
    })
}

/// Returns what happened in a run, step by step.
///
/// # Errors
/// `HISTORY_RETIRED` where parts of it are no longer in the journal.
pub fn trace(session: &Session, NamedRun { run_id }: NamedRun) -> Result<TracedView, Failure> {
    session.load()?;
    let run_id = run_id_of(session, &run_id)?;
    let traced = trace_of(&mut session.disk()?, run_id)?;
    let traced = traced.ok_or_else(|| or_in_inbox(session, run_id, unknown_run(run_id)))?;
    if traced.is_retired {
        let message = format!("parts of run {run_id} are no longer in the journal");
        return Err(Failure::new(Code::HistoryRetired, message));
    }
    Ok(TracedView {
        run: RunView {
            run: traced.run,
            waiting: Some(traced.waiting),
        },
        steps: traced.steps,
    })
}

/// Decides the retained replies of a run again.
///
/// # Errors
/// Those of [`daemon::replay`].
pub fn replay(session: &Session, NamedRun { run_id }: NamedRun) -> Result<ReplayReport, Failure> {
    let Loaded { config, prompt, .. } = session.load()?;
    let run_id = run_id_of(session, &run_id)?;
    let iterations = daemon::replay(&mut session.disk()?, &config, &prompt, run_id)?;
    Ok(ReplayReport {
        run_id,
        same: iterations.iter().all(|it| it.same != Some(false)),
        decided_with: "the mode and the bound of that time; the configuration and the rule's action as they \
                       are now",
        iterations,
    })
}

/// Launches a run by hand. The same key never launches two.
pub fn launch(session: &Session, asked: LaunchRun) -> Result<LaunchedView, Failure> {
    session.checked_disk()?;
    let request = asked.request.map(|text| request_text(&text)).transpose()?;
    let event = event_of(asked.idempotency_key)?;
    let done = command_by(session, Command::Launch { event, request })?;
    LaunchedView::of(done)
}

/// Ends a run that has not ended.
pub fn cancel(session: &Session, NamedRun { run_id }: NamedRun) -> Result<RunView, Failure> {
    session.checked_disk()?;
    let run_id = run_id_of(session, &run_id)?;
    let done = command_by(session, Command::Cancel { run_id });
    let done = done.map_err(|failure| or_in_inbox(session, run_id, failure))?;
    let LaunchedView { run, .. } = LaunchedView::of(done)?;
    if !run.run.is_finished() {
        session.talk("hint: it ends as soon as the question under way is given up");
    }
    Ok(run)
}

/// Tries a failed run once more, under the same id.
pub fn retry(session: &Session, NamedRun { run_id }: NamedRun) -> Result<RunView, Failure> {
    session.checked_disk()?;
    let run_id = run_id_of(session, &run_id)?;
    let done = command_by(session, Command::Retry { run_id })?;
    Ok(LaunchedView::of(done)?.run)
}

impl LaunchedView {
    /// Returns the run that a command was about.
    pub(super) fn of(done: Done) -> Result<Self, Failure> {
        match done {
            Done::Run { run, is_new } => Ok(Self {
                run: RunView::from(*run),
                duplicate: !is_new,
            }),
            Done::Changed => Err(Failure::new(Code::Internal, "a run came back as a change")),
        }
    }
}

impl From<Run> for RunView {
    fn from(run: Run) -> Self {
        Self { run, waiting: None }
    }
}

/// Returns the request as it is asked; a blank one asks nothing.
pub fn request_text(text: &str) -> Result<String, Failure> {
    let text = text.trim();
    if text.is_empty() {
        return Err(Failure::new(Code::Usage, "the request is empty"));
    }
    Ok(text.to_owned())
}

/// Returns the run that a person means: by its id, or by a beginning of it that no other run has.
pub fn run_id_of(session: &Session, text: &str) -> Result<RunId, Failure> {
    if let Ok(id) = text.parse() {
        return Ok(id);
    }
    let mut ids = run_ids(&mut session.disk()?)?;
    let waiting = runs_in_inbox(session)?;
    ids.extend(
        waiting
            .into_iter()
            .filter(|id| !ids.contains(id))
            .collect::<Vec<_>>(),
    );
    only(beginning_with(ids.into_iter(), text), "runs", text, || {
        let shown = one_line(text, ID_CHARACTERS_MAX);
        Failure::new(Code::RunNotFound, format!("no run has the id {shown}"))
    })
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
