//! Carries commands out: between two steps of the loop, while a model works, or without a loop.
//!
//! Changes go through the guard and become one commit. A refusal is answered and harms nothing;
//! only an error of the store ends the loop.

use super::background_verify::BackgroundVerify;
use super::command::{
    AgentLaunch, ChangeContext, Command, CommandOutcome, CommandReply, Decide, DraftParts, Envelope,
};
use super::heartbeat::Heartbeat;
use super::observer::{ChangedNote, LogObserver, Observer};
use super::reload::Reload;
use super::stop::Halt;
use crate::config::Config;
use crate::core::agent::{cancel, retry};
use crate::core::automation::{self, Rule};
use crate::core::guard::{Approved, EditedItems};
use crate::core::journal::event::RunQueued;
use crate::core::journal::{Cause, Change, CommitDraft, Event};
use crate::core::run::{Run, RunState, Trigger};
use crate::failure::{Code, Failure};
use crate::ids::{EventId, RunId};
use crate::limits::RUNS_OPEN_MAX;
use crate::store::{Error, Store, own_draft};
use crate::time::Timestamp;

/// The reason why a command failed.
enum CommandError {
    /// The command is refused, for good or for now. The loop goes on.
    Refused(Failure),
    /// The store cannot go on.
    Lost(Failure),
}

impl From<Failure> for CommandError {
    fn from(failure: Failure) -> Self {
        Self::Refused(failure)
    }
}

impl From<Error> for CommandError {
    fn from(error: Error) -> Self {
        if error.is_full() || matches!(error, Error::TooLarge { .. }) {
            Self::Refused(error.into())
        } else {
            Self::Lost(error.into())
        }
    }
}

/// The parts of the agent that a command may use while the rest of it waits for a model.
#[derive(Debug)]
pub(super) struct CommandHandler<'a> {
    pub(super) store: &'a mut Store,
    pub(super) config: &'a Config,
    pub(super) background_verify: &'a mut BackgroundVerify,
    pub(super) observer: &'a mut dyn Observer,
    pub(super) heartbeat: &'a Heartbeat,
    pub(super) now: Timestamp,
    pub(super) meanwhile: &'a mut EditedItems,
    /// A flag that is set when a person has edited RAM.
    pub(super) is_edited: &'a mut bool,
    /// The reload that reads the files again; `None` without a loop.
    pub(super) reload: Option<&'a Reload>,
    /// The run under way that is cancelled; `None` without a loop.
    pub(super) cancelled: Option<&'a mut Option<RunId>>,
    /// The failure after the command's commit: the command is done, and the loop ends.
    pub(super) failed_after: Option<Failure>,
}

impl CommandHandler<'_> {
    /// Carries a command out and answers it, unless its sender has given up.
    pub(super) fn serve(&mut self, envelope: Envelope) -> Result<(), Halt> {
        let Some((command, reply)) = envelope.claim() else {
            return Ok(());
        };
        let outcome = match self.background_verify.check() {
            Ok(()) => self.carry_out(command),
            // Damage ends the loop, and the sender learns of it.
            Err(failure) => Err(CommandError::Lost(failure)),
        };
        self.heartbeat.on_commit(self.store);
        let (answer, halt) = match outcome {
            Ok(done) => {
                let warning = self.failed_after.take();
                let halt = warning.clone().map_or(Ok(()), |it| Err(Halt::Failed(it)));
                (Ok(CommandReply { done, warning }), halt)
            }
            Err(CommandError::Refused(failure)) => (Err(failure), Ok(())),
            Err(CommandError::Lost(failure)) => (Err(failure.clone()), Err(Halt::Failed(failure))),
        };
        // The sender may be gone.
        reply.send(answer).unwrap_or_default();
        halt
    }

    /// Commits the changes of a command. A failure after the commit is kept, and undoes nothing.
    fn commit(&mut self, draft: CommitDraft) -> Result<(), CommandError> {
        let changed = ChangedNote::of(&draft.events);
        match self.store.commit(draft) {
            Err(error @ Error::AfterCommit { .. }) => self.failed_after = Some(error.into()),
            other => drop(other?),
        }
        self.observer.on_notes_changed(&changed);
        Ok(())
    }

    /// Returns whether the run under way is cancelled.
    pub(super) fn is_called_off(&self) -> bool {
        self.cancelled.as_ref().is_some_and(|it| it.is_some())
    }

    fn carry_out(&mut self, command: Command) -> Result<CommandOutcome, CommandError> {
        match command {
            Command::Change(decide) => self.change(decide),
            Command::Launch { event, request } => self.launch(event, request),
            Command::RunAgent(launch) => self.run_agent(launch),
            Command::Trigger { rule, event } => self.trigger(&rule, event),
            Command::File(change) => {
                change()?;
                self.read_files_again();
                Ok(CommandOutcome::Changed)
            }
            Command::Retry { run_id } => self.retry(run_id),
            Command::Cancel { run_id } => self.cancel(run_id),
        }
    }

    /// Decides and commits a change. Edits in files go first, as they would by themselves.
    fn change(&mut self, decide: Decide) -> Result<CommandOutcome, CommandError> {
        self.take_edits()?;
        let mut cx = ChangeContext::new(self.store.state(), self.config, self.now);
        let parts = decide(&mut cx)?;
        if parts.events.is_empty() {
            return Ok(CommandOutcome::Changed);
        }
        for event in &parts.events {
            if let Event::Change(change) = event {
                self.note_edited(change);
            }
        }
        self.commit(parts.draft(self.now))?;
        Ok(CommandOutcome::Changed)
    }

    /// Notes which key or note a person has changed while the model answers.
    fn note_edited(&mut self, change: &Approved<Change>) {
        match change.get() {
            Change::RamSet(set) => drop(self.meanwhile.ram_keys.insert(set.key.clone())),
            Change::RamDeleted(deleted) => {
                self.meanwhile.ram_keys.insert(deleted.key.clone());
            }
            Change::NoteCreated(written)
            | Change::NoteUpdated(written)
            | Change::NoteDeleted(written) => {
                self.meanwhile.notes.insert(written.note.id);
            }
            Change::StorageSet(_) | Change::StorageDeleted(_) => {}
        }
    }

    fn launch(
        &mut self,
        event: EventId,
        request: Option<String>,
    ) -> Result<CommandOutcome, CommandError> {
        let run_id = RunId::derive(self.config.scope.workspace_id, &event);
        if let Some(known) = self.launched(run_id, request.as_deref())? {
            return Ok(known);
        }
        let trigger = match request {
            Some(_) => Trigger::Request,
            None => Trigger::Manual,
        };
        let mut run = Run::queued(run_id, event, trigger, self.now);
        run.request = request;
        self.open(run)
    }

    fn run_agent(&mut self, launch: AgentLaunch) -> Result<CommandOutcome, CommandError> {
        let AgentLaunch {
            agent,
            event,
            task,
            queues,
        } = launch;
        let run_id = RunId::derive(self.config.scope.workspace_id, &event);
        if let Some(known) = self.launched(run_id, Some(&task))? {
            return Ok(known);
        }
        let is_of_agent = |run: &Run| run.agent.as_ref() == Some(&agent);
        if !queues && self.store.state().runs.open().any(is_of_agent) {
            let message = format!("agent `{agent}` has an open run");
            return Err(Failure::new(Code::AgentAlreadyRunning, message).into());
        }
        if !self.config.agents.contains_key(&agent) {
            self.read_files_again();
        }
        let mut run = Run::queued(run_id, event, Trigger::Request, self.now);
        run.request = Some(task);
        run.agent = Some(agent);
        self.open(run)
    }

    /// Returns the run that was launched under an id, if one was.
    fn launched(
        &mut self,
        run_id: RunId,
        request: Option<&str>,
    ) -> Result<Option<CommandOutcome>, CommandError> {
        if !self.store.state().runs.knows(run_id) {
            return Ok(None);
        }
        let Some(run) = self.opened(run_id)? else {
            return Ok(None);
        };
        if run.request.as_deref() != request {
            let message = format!("run {run_id} was launched under this key for something else");
            return Err(Failure::new(Code::IdempotencyKeyReused, message).into());
        }
        Ok(Some(CommandOutcome::run(run, false)))
    }

    fn open(&mut self, run: Run) -> Result<CommandOutcome, CommandError> {
        self.check_room()?;
        let events = vec![Event::RunQueued(RunQueued { run: run.clone() })];
        let cause = Cause::run("trigger", run.run_id);
        self.commit(own_draft(cause, events, self.now))?;
        Ok(CommandOutcome::run(run, true))
    }

    fn trigger(&mut self, rule: &Rule, event: EventId) -> Result<CommandOutcome, CommandError> {
        let run_id = RunId::of_rule(rule.rule_id, &event);
        if let Some(run) = self.opened(run_id)? {
            return Ok(CommandOutcome::run(run, false));
        }
        self.check_room()?;
        let workspace_id = self.config.scope.workspace_id;
        let run = automation::launch(rule, event, workspace_id, self.now);
        let run = run.map_err(Failure::from)?;
        let mut in_force = self.config.rules.iter();
        if !in_force.any(|known| known.rule_id == rule.rule_id) {
            self.read_files_again();
        }
        let parts = DraftParts {
            cause: Cause::run("trigger", run_id),
            events: vec![Event::RunQueued(RunQueued { run: run.clone() })],
        };
        self.commit(parts.draft(self.now))?;
        Ok(CommandOutcome::run(run, true))
    }

    /// Makes the loop read its files again before its next step.
    fn read_files_again(&self) {
        if let Some(reload) = self.reload {
            reload.handle.ask();
        }
    }

    /// Cancels a run. The loop ends one under way as soon as it gets there.
    fn cancel(&mut self, run_id: RunId) -> Result<CommandOutcome, CommandError> {
        let run = self.known_run(run_id)?;
        if run.state == RunState::Running
            && let Some(cancelled) = &mut self.cancelled
        {
            **cancelled = Some(run_id);
            return Ok(CommandOutcome::run(run, false));
        }
        let events = cancel(&run, &self.store.state().memory_of(&run).ram, self.now);
        let done = self.decide_run(run_id, events.map_err(Failure::from)?)?;
        self.heartbeat.on_run_end(Code::RunCancelled);
        Ok(done)
    }

    fn retry(&mut self, run_id: RunId) -> Result<CommandOutcome, CommandError> {
        let retried = retry(&self.known_run(run_id)?).map_err(|refusal| {
            let failure = Failure::from(refusal);
            if failure.code == Code::LimitExceeded {
                failure.only_hint(ASK_ANEW)
            } else {
                failure
            }
        })?;
        self.check_room()?;
        self.decide_run(run_id, vec![retried])
    }

    /// Refuses another run where too many wait.
    fn check_room(&self) -> Result<(), Failure> {
        if self.store.state().runs.open_len() < RUNS_OPEN_MAX {
            return Ok(());
        }
        let message = format!("{RUNS_OPEN_MAX} runs wait already");
        Err(Failure::new(Code::LimitExceeded, message).only_hint(WAIT_OR_CANCEL))
    }

    /// Commits a person's decision about a run.
    fn decide_run(
        &mut self,
        run_id: RunId,
        events: Vec<Event>,
    ) -> Result<CommandOutcome, CommandError> {
        let cause = Cause::run("verb", run_id);
        self.commit(DraftParts { cause, events }.draft(self.now))?;
        Ok(CommandOutcome::run(self.known_run(run_id)?, false))
    }

    /// Returns the run that an event has opened already.
    ///
    /// # Errors
    /// `HISTORY_RETIRED` where nothing but the id of that run is left.
    fn opened(&mut self, run_id: RunId) -> Result<Option<Run>, CommandError> {
        let run = self.store.run(run_id)?;
        if run.is_none() && self.store.state().runs.knows(run_id) {
            let message = format!("this has opened run {run_id}, which is past the kept journal");
            return Err(Failure::new(Code::HistoryRetired, message).into());
        }
        Ok(run)
    }

    fn known_run(&mut self, run_id: RunId) -> Result<Run, CommandError> {
        let run = self.store.run(run_id)?;
        Ok(run.ok_or_else(|| super::unknown_run(run_id))?)
    }
}

/// The hint for a run that may not be tried again.
const ASK_ANEW: &str = "Ask for it anew, with `ask`, `runs launch` or `rules trigger`: a new event has \
    attempts of its own.";

/// The hint while too many runs wait.
const WAIT_OR_CANCEL: &str =
    "Repeat it once some of them have ended; `runs cancel` ends one early.";

/// Carries a command out without a loop.
pub fn run_alone(
    store: &mut Store,
    config: &Config,
    now: Timestamp,
    command: Command,
) -> Result<CommandReply, Failure> {
    let mut meanwhile = EditedItems::default();
    let mut handler = CommandHandler {
        store,
        config,
        background_verify: &mut BackgroundVerify::new(None),
        observer: &mut LogObserver::default(),
        heartbeat: &Heartbeat::default(),
        now,
        meanwhile: &mut meanwhile,
        is_edited: &mut false,
        reload: None,
        cancelled: None,
        failed_after: None,
    };
    let done = handler.carry_out(command)?;
    let warning = handler.failed_after;
    Ok(CommandReply { done, warning })
}

impl From<CommandError> for Failure {
    fn from(trouble: CommandError) -> Self {
        match trouble {
            CommandError::Refused(failure) | CommandError::Lost(failure) => failure,
        }
    }
}
