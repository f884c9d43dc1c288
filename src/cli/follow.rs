//! `ask --wait` and `runs watch`: follows a run until it ends, and prints what came of it. Reads the
//! journal and what the worker says beside its lock; needs no socket, and changes nothing.

use super::arguments::Format;
use super::context::Context;
use super::outcome::{answer_text, marked};
use super::output::Answer;
use super::progress::{ProgressLine, Stage, status_text};
use super::record;
use crate::config::Config;
use crate::core::journal::State;
use crate::core::run::{Run, RunState, StopReason};
use crate::daemon::unknown_run;
use crate::failure::{Code, Failure};
use crate::ids::RunId;
use crate::service::runs::RunOutcome;
use crate::service::{RunView, holder, inbox_requests, is_in_inbox, now};
use crate::store::journal::Head;
use crate::store::{AuditedRun, ChangedNote, changed_notes, head_of, run_with_audit};
use std::collections::BTreeSet;
use std::time::Duration;

/// How often a run is looked at.
const LOOK_EVERY: Duration = Duration::from_millis(250);

/// Looks in a row without anybody who works here, or without a trace of the run, after which the wait ends:
/// two seconds and more.
const IDLE_LOOKS_MAX: u32 = 10;

/// A run that is followed.
#[derive(Debug)]
struct Follower<'a> {
    context: &'a Context,
    config: Config,
    /// The run; `None` until one is under way.
    run_id: Option<RunId>,
    head: Option<Head>,
    state: State,
    idle_looks: u32,
}

/// Follows a run to its end. Without an id, the one that is under way, or the next one.
///
/// # Errors
/// `DAEMON_BUSY` where nobody works on the root; the run is left as it is.
pub(super) fn follow(context: &Context, run_id: Option<RunId>) -> Result<Answer, Failure> {
    let config = context.session.load()?.config;
    let mut follower = Follower {
        context,
        config,
        run_id,
        head: None,
        state: State::default(),
        idle_looks: 0,
    };
    let mut line = ProgressLine::on_stderr(context);
    let ended = loop {
        match follower.look(&mut line) {
            Ok(None) => std::thread::sleep(LOOK_EVERY),
            Ok(Some(run)) => break Ok(run),
            Err(failure) => break Err(failure),
        }
    };
    line.clear();
    conclude(context, &ended?)
}

impl Follower<'_> {
    /// Looks once and shows how far it is. Returns the run when it has ended.
    fn look(&mut self, line: &mut ProgressLine<'_>) -> Result<Option<Run>, Failure> {
        let mut disk = self.context.session.disk()?;
        let head = head_of(&mut disk)?;
        if self.head != Some(head) {
            self.state = self.context.session.state(&self.config)?;
            self.head = Some(head);
        }
        let runs = &self.state.runs;
        if self.run_id.is_none() {
            let running = runs.next().map(|run| run.run_id);
            self.run_id = running;
        }
        let known = self.run_id.and_then(|id| runs.get(id));
        if let Some(run) = known.filter(|run| run.is_finished()) {
            return Ok(Some(run.clone()));
        }
        let holder = holder(&mut disk);
        let is_lost = match self.run_id.filter(|_| known.is_none()) {
            None => false,
            Some(run_id) => {
                if let Some(AuditedRun { run, .. }) = run_with_audit(&mut disk, run_id)? {
                    return Ok(Some(run).filter(Run::is_finished));
                }
                !is_in_inbox(&self.context.session, run_id)?
            }
        };
        self.idle_looks = if holder.is_none() || is_lost {
            self.idle_looks + 1
        } else {
            0
        };
        if self.idle_looks >= IDLE_LOOKS_MAX {
            return Err(match self.run_id.filter(|_| is_lost) {
                Some(run_id) => unknown_run(run_id),
                None => nobody(self.run_id),
            });
        }
        let stage = match (self.run_id, known) {
            (None, _) => Stage::Nothing,
            (Some(_), None) => Stage::Inbox,
            (Some(id), Some(run)) => Stage::Known {
                run,
                before: runs.open().take_while(|run| run.run_id != id).count(),
                ram: &self.state.ram,
            },
        };
        let open = runs.open();
        let queued = open.filter(|run| run.state == RunState::Queued).count();
        let waiting = queued + inbox_requests(&self.context.session)?;
        let status = holder.map(|holder| holder.status).unwrap_or_default();
        let more = status_text(&status, waiting, now());
        line.show(&stage, &status, &more);
        Ok(None)
    }
}

fn nobody(run_id: Option<RunId>) -> Failure {
    let message = "nobody works on this root, so that nothing would ever come";
    let failure = Failure::new(Code::DaemonBusy, message);
    match run_id {
        Some(run_id) => failure.only_hint(format!(
            "The request is kept: start `kjxlkj-agent daemon` in another terminal, then `runs watch {run_id}`."
        )),
        None => failure.only_hint("Start `kjxlkj-agent daemon` in another terminal."),
    }
}

/// Prints what came of a run that has ended.
fn conclude(context: &Context, run: &Run) -> Result<Answer, Failure> {
    let ids = BTreeSet::from([run.run_id]);
    let mut changed = changed_notes(&mut context.session.disk()?, &ids)?;
    let notes = changed.remove(&run.run_id).unwrap_or_default();
    let well = run.state == RunState::Succeeded;
    if let Some(code) = run.error_code
        && context.format() == Format::Text
    {
        context.complain(&Failure::new(code, code.page().what));
    }
    if run.stop_reason == Some(StopReason::PendingReview) {
        context.talk("hint: what it proposes waits for you: `review list`");
    }
    let outcome = RunOutcome {
        run: RunView::from(run.clone()),
        changed_notes: notes,
    };
    let text = || text_of(run, &outcome.changed_notes);
    Ok(context.answer(&outcome, text)?.ok_if(well))
}

fn text_of(run: &Run, notes: &[ChangedNote]) -> String {
    match &run.answer {
        Some(answer) => answer_text(answer),
        None if notes.is_empty() => record::state_text(run, None),
        None => marked(notes).join("\n"),
    }
}
