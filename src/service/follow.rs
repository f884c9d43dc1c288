//! Follows a run until it ends.
//!
//! Reads the journal and the status beside the worker's lock; needs no socket, and changes nothing.

use super::holder::holder;
use super::inbox::{inbox_requests, is_in_inbox};
use super::runs::{RunOutcome, RunView};
use super::session::Session;
use crate::config::Config;
use crate::core::journal::State;
use crate::core::memory::Ram;
use crate::core::run::{Run, RunState};
use crate::daemon::{DaemonStatus, unknown_run};
use crate::failure::{Code, Failure};
use crate::ids::RunId;
use crate::store::journal::Head;
use crate::store::{AuditedRun, changed_notes, head_of, run_with_audit};
use std::collections::BTreeSet;
use std::time::Duration;

/// The interval at which a run is looked at.
const LOOK_EVERY: Duration = Duration::from_millis(250);

/// The looks in a row without a worker, or without a trace of the run, that end the wait.
///
/// They take two seconds and more.
const IDLE_LOOKS_MAX: u32 = 10;

/// The stage of a run, as far as it is known.
#[derive(Debug)]
pub enum RunStage<'a> {
    Nothing,
    Inbox,
    Known {
        run: &'a Run,
        /// The number of runs that are worked on before it.
        before: usize,
        ram: &'a Ram,
    },
}

/// A function that shows a run's stage, the worker's status, and how many requests wait.
type StageCallback<'a> = &'a mut dyn FnMut(&RunStage<'_>, &DaemonStatus, usize);

#[derive(Debug)]
struct Follower<'a> {
    session: &'a Session,
    config: Config,
    /// The id of the run; `None` until one is under way.
    run_id: Option<RunId>,
    head: Option<Head>,
    state: State,
    idle_looks: u32,
}

/// Follows a run to its end, and returns its outcome.
///
/// Without an id, it follows the run that is under way, or the next one.
///
/// # Errors
/// `DAEMON_BUSY` where nobody works on the root, `RUN_NOT_FOUND` where there is no trace of the
/// run.
///
/// The run is left as it is.
pub fn follow(
    session: &Session,
    run_id: Option<RunId>,
    show: StageCallback<'_>,
) -> Result<RunOutcome, Failure> {
    let mut follower = Follower {
        session,
        config: session.load()?.config,
        run_id,
        head: None,
        state: State::default(),
        idle_looks: 0,
    };
    let run = loop {
        match follower.look(show)? {
            Some(run) => break run,
            None => std::thread::sleep(LOOK_EVERY),
        }
    };
    let ids = BTreeSet::from([run.run_id]);
    let mut changed = changed_notes(&mut session.disk()?, &ids)?;
    Ok(RunOutcome {
        changed_notes: changed.remove(&run.run_id).unwrap_or_default(),
        run: RunView::from(run),
    })
}

impl Follower<'_> {
    /// Looks once, and shows how far the run is. Returns the run when it has ended.
    fn look(&mut self, show: StageCallback<'_>) -> Result<Option<Run>, Failure> {
        let mut disk = self.session.disk()?;
        let head = head_of(&mut disk)?;
        if self.head != Some(head) {
            self.state = self.session.state(&self.config)?;
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
                !is_in_inbox(self.session, run_id)?
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
            (None, _) => RunStage::Nothing,
            (Some(_), None) => RunStage::Inbox,
            (Some(id), Some(run)) => RunStage::Known {
                run,
                before: runs.open().take_while(|run| run.run_id != id).count(),
                ram: &self.state.memory_of(run).ram,
            },
        };
        let open = runs.open();
        let queued = open.filter(|run| run.state == RunState::Queued).count();
        let waiting = queued + inbox_requests(self.session)?;
        let status = holder.map(|holder| holder.status).unwrap_or_default();
        show(&stage, &status, waiting);
        Ok(None)
    }
}

fn nobody(run_id: Option<RunId>) -> Failure {
    let message = "no process works on this root, so no result would ever come";
    let failure = Failure::new(Code::DaemonBusy, message);
    match run_id {
        Some(run_id) => failure.only_hint(format!(
            "The request is kept: start `kjxlkj-agent daemon` in another terminal, then `runs watch {run_id}`."
        )),
        None => failure.only_hint("Start `kjxlkj-agent daemon` in another terminal."),
    }
}
