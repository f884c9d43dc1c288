//! Runs: the records that the kept journal has, with the order of fields that the contract sets;
//! launches by hand, cancellations and retries.

use super::change::command_by;
use super::inbox::{or_in_inbox, runs_in_inbox};
use super::list::{List, ListWithIds, PageQuery};
use super::session::Session;
use super::typed_id::{beginning_with, only};
use crate::config::LoadedConfig;
use crate::core::prompt::{Mode, Window};
use crate::core::run::{Answer, Run, RunState, StopReason, Trigger, Usage};
use crate::daemon::{self, Command, CommandOutcome, IterationReplay, unknown_run};
use crate::failure::{Code, Failure};
use crate::ids::{AgentId, EventId, RuleId, RunId};
use crate::limits::API_KEY_CHARS_MAX;
use crate::plain_text::one_line;
use crate::store::{
    AuditEntry, ChangedNote, RunQuery, TraceStep, changed_notes, run_ids, run_with_audit,
    runs_page, trace_of,
};
use crate::time::Timestamp;
use clap::Args;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use uuid::Uuid;

const ID_CHARACTERS_MAX: usize = 200;

/// A request to list runs.
#[derive(Args, Clone, Debug, Deserialize)]
pub struct ListRuns {
    /// Only runs in this state: queued, running, succeeded or failed.
    #[arg(long, value_parser = state_named)]
    #[serde(default, deserialize_with = "state_by_name")]
    pub state: Option<RunState>,
    #[command(flatten)]
    #[serde(flatten)]
    pub page: PageQuery,
}

/// A request that names a run.
#[derive(Args, Clone, Debug, Deserialize)]
pub struct NamedRun {
    /// The run's id, or the beginning of it.
    #[serde(rename = "run_id")]
    pub run: String,
}

/// A request to launch a run by hand.
#[derive(Args, Clone, Debug, Deserialize)]
pub struct LaunchRun {
    /// The request; `-` reads standard input.
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub request: Option<String>,
    /// The idempotency key: the same key never launches two runs.
    #[arg(long, value_name = "KEY")]
    #[serde(rename = "idempotency_key")]
    pub key: Option<String>,
}

/// A run record with the notes that the run changed.
#[derive(Debug, Serialize)]
pub struct RunOutcome {
    #[serde(flatten)]
    pub run: RunView,
    pub changed_notes: Vec<ChangedNote>,
}

/// A run record with the result of each instruction.
#[derive(Debug, Serialize)]
pub struct AuditedView {
    #[serde(flatten)]
    pub run: RunView,
    pub operations: Vec<AuditEntry>,
}

/// A run record with its steps.
#[derive(Debug, Serialize)]
pub struct TracedView {
    #[serde(flatten)]
    pub run: RunView,
    pub steps: Vec<TraceStep>,
}

/// A run that was launched.
#[derive(Debug, Serialize)]
pub struct LaunchedView {
    #[serde(flatten)]
    pub run: RunView,
    /// Whether the event had opened it already.
    pub duplicate: bool,
}

/// The report whether the retained replies of a run are still decided as they were.
#[derive(Debug, Serialize)]
pub struct ReplayReport {
    run_id: RunId,
    /// Whether no reply is decided otherwise.
    pub same: bool,
    /// The settings that replies are decided with, in words.
    pub decided_with: &'static str,
    pub iterations: Vec<IterationReplay>,
}

fn state_by_name<'de, D: Deserializer<'de>>(name: D) -> Result<Option<RunState>, D::Error> {
    let found = state_named(&String::deserialize(name)?);
    found.map(Some).map_err(D::Error::custom)
}

fn state_named(name: &str) -> Result<RunState, String> {
    let mut all = RunState::ALL.into_iter();
    let found = all.find(|state| state.name().eq_ignore_ascii_case(name));
    found.ok_or_else(|| {
        let known = RunState::ALL.map(RunState::name).join(", ");
        format!("known states: {known}")
    })
}

/// Lists the open runs, then the finished ones, each newest first, with the notes they changed.
pub fn list(
    session: &Session,
    ListRuns { state, page }: ListRuns,
) -> Result<ListWithIds<RunOutcome, RunId>, Failure> {
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
    Ok(ListWithIds { list, ids })
}

/// Returns a run record with the result of each instruction.
pub fn show(session: &Session, NamedRun { run }: NamedRun) -> Result<AuditedView, Failure> {
    let mut disk = session.checked_disk()?;
    let run_id = run_id_of(session, &run)?;
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
pub fn trace(session: &Session, NamedRun { run }: NamedRun) -> Result<TracedView, Failure> {
    session.load()?;
    let run_id = run_id_of(session, &run)?;
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
pub fn replay(session: &Session, NamedRun { run }: NamedRun) -> Result<ReplayReport, Failure> {
    let LoadedConfig { config, prompt, .. } = session.load()?;
    let run_id = run_id_of(session, &run)?;
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
    let event = match asked.key {
        // The prefix keeps it apart from the program's own events, such as idleness.
        Some(key) => format!("key:{}", checked_key(key)?),
        None => Uuid::new_v4().to_string(),
    };
    let event = EventId(event);
    let done = command_by(session, Command::Launch { event, request })?;
    LaunchedView::of(done)
}

/// Cancels a run that has not ended.
pub fn cancel(session: &Session, NamedRun { run }: NamedRun) -> Result<RunView, Failure> {
    session.checked_disk()?;
    let run_id = run_id_of(session, &run)?;
    let done = command_by(session, Command::Cancel { run_id });
    let done = done.map_err(|failure| or_in_inbox(session, run_id, failure))?;
    let LaunchedView { run, .. } = LaunchedView::of(done)?;
    if !run.run.is_finished() {
        session.inform("hint: it ends as soon as the question under way is given up");
    }
    Ok(run)
}

/// Tries a failed run once more, under the same id.
pub fn retry(session: &Session, NamedRun { run }: NamedRun) -> Result<RunView, Failure> {
    session.checked_disk()?;
    let run_id = run_id_of(session, &run)?;
    let done = command_by(session, Command::Retry { run_id })?;
    Ok(LaunchedView::of(done)?.run)
}

impl LaunchedView {
    pub(super) fn of(done: CommandOutcome) -> Result<Self, Failure> {
        match done {
            CommandOutcome::Run { run, is_new } => Ok(Self {
                run: RunView::from(*run),
                duplicate: !is_new,
            }),
            CommandOutcome::Changed => {
                Err(Failure::new(Code::Internal, "a run came back as a change"))
            }
        }
    }
}

/// Trims a request, and refuses a blank one.
pub fn request_text(text: &str) -> Result<String, Failure> {
    let text = text.trim();
    if text.is_empty() {
        return Err(Failure::new(Code::Usage, "the request is empty"));
    }
    Ok(text.to_owned())
}

/// Returns the run that a person means, by its id or a beginning that no other run has.
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

/// Refuses a key that cannot stand for a launch.
pub(super) fn checked_key(key: String) -> Result<String, Failure> {
    let is_plain = key.bytes().all(|byte| byte.is_ascii_graphic());
    if !is_plain || key.is_empty() || key.len() > API_KEY_CHARS_MAX {
        let message = format!("a key has 1 to {API_KEY_CHARS_MAX} visible ASCII characters");
        return Err(Failure::new(Code::Usage, message));
    }
    Ok(key)
}

#[derive(Serialize)]
#[serde(remote = "Run")]
struct RunRecord {
    run_id: RunId,
    rule_id: Option<RuleId>,
    triggering_event_id: EventId,
    trigger: Trigger,
    state: RunState,
    stop_reason: Option<StopReason>,
    error_code: Option<Code>,
    agent_name: String,
    /// The agent that works on it, where that is not the main agent.
    #[serde(skip_serializing_if = "Option::is_none")]
    agent: Option<AgentId>,
    provider: Option<String>,
    model: Option<String>,
    mode: Mode,
    prompt_hash: Option<String>,
    parser_version: Option<String>,
    window: Option<Window>,
    loop_count: u32,
    operation_count: u64,
    rejected_count: u64,
    ignored_count: u64,
    usage: Usage,
    queued_at: Timestamp,
    started_at: Option<Timestamp>,
    completed_at: Option<Timestamp>,
    request: Option<String>,
    /// The answer, where the request was a question.
    #[serde(skip_serializing_if = "Option::is_none")]
    answer: Option<Answer>,
    /// The parts of the request that no change shows, where the run failed for that.
    #[serde(getter = "Run::not_shown", skip_serializing_if = "Vec::is_empty")]
    not_shown: Vec<String>,
    attempt: u32,
}

/// A run that is shown as its record.
#[derive(Clone, Debug, Serialize)]
pub struct RunView {
    #[serde(flatten, with = "RunRecord")]
    pub run: Run,
    /// The number of its proposals that wait for a person, where that was looked up.
    #[serde(rename = "proposals_waiting", skip_serializing_if = "Option::is_none")]
    pub waiting: Option<usize>,
}

impl From<Run> for RunView {
    fn from(run: Run) -> Self {
        Self { run, waiting: None }
    }
}
