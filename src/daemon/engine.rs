//! The engine of the loop: commits, takes edits in, and has the profile and the servers in use.
//!
//! It holds everything outside the loop that runs work with, but no logic of runs.

use super::asked_server::ProviderState;
use super::background_verify::BackgroundVerify;
use super::clock::Clock;
use super::concurrent_work::Commands;
use super::file_events::{WatchedFiles, drain};
use super::observer::{ChangedNote, Observer};
use super::provider_pool::{ProviderPool, ProviderPools};
use super::run_profiles::RunProfile;
use super::schedule::ScheduleTimer;
use super::status::{CallStatus, DaemonStatus, StatusReporter};
use super::stop::{Halt, Stop};
use crate::core::agent::initial_state;
use crate::core::guard::EditedItems;
use crate::core::journal::event::RunQueued;
use crate::core::journal::{Cause, CommitDraft, Event, State};
use crate::core::run::{Run, Trigger};
use crate::failure::Code;
use crate::ids::{EventId, RunId};
use crate::limits::EDIT_WAIT_MS_MAX;
use crate::store::journal::Head;
use crate::store::{Error, Store, own_draft};
use crate::time::Timestamp;
use std::sync::Arc;

/// The first pause between two attempts while something outside fails, in milliseconds.
pub(super) const PAUSE_MS_MIN: u64 = 1000;

/// The interval at which an edit that is being written is looked at, in milliseconds.
const EDIT_POLL_MS: u64 = 100;

/// The parts that the loop works with, whatever run it works on.
#[derive(Debug)]
pub(super) struct Engine {
    pub(super) store: Store,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) stop: Stop,
    pub(super) observer: Box<dyn Observer>,
    /// The check of the journal's older lines, beside the loop.
    pub(super) background_verify: BackgroundVerify,
    pub(super) files: WatchedFiles,
    pub(super) commands: Commands,
    pub(super) schedule_timer: ScheduleTimer,
    /// The idle run under way: it ends as soon as anything opens another one.
    pub(super) idle_run: Option<RunId>,
    /// The profile of the run under way; the default one between runs.
    pub(super) profile: Arc<RunProfile>,
    pub(super) pools: ProviderPools,
    /// The status. Dropped last, with the lock of the folder.
    pub(super) status: StatusReporter,
}

impl Engine {
    pub(super) const fn state(&self) -> &State {
        self.store.state()
    }

    pub(super) fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// Sends a message that a person should see.
    pub(super) fn notice(&mut self, message: &str) {
        self.observer.notice(message);
    }

    /// Returns the providers for the runs of the profile in use.
    pub(super) fn pool(&self) -> &ProviderPool {
        self.pools.of(self.profile.servers_of.as_ref())
    }

    pub(super) fn pool_mut(&mut self) -> &mut ProviderPool {
        self.pools.of_mut(self.profile.servers_of.as_ref())
    }

    pub(super) fn server(&self) -> &ProviderState {
        self.pool().in_force()
    }

    pub(super) fn server_mut(&mut self) -> &mut ProviderState {
        self.pool_mut().in_force_mut()
    }

    pub(super) fn server_and_state(&mut self) -> (&mut ProviderState, &State) {
        let pool = self.pools.of_mut(self.profile.servers_of.as_ref());
        (pool.in_force_mut(), self.store.state())
    }

    /// Commits, and waits while the disk is full.
    ///
    /// The draft stays valid meanwhile: nobody else writes.
    pub(super) async fn commit(&mut self, mut draft: CommitDraft) -> Result<Head, Halt> {
        let changed = ChangedNote::of(&draft.events);
        let head = self.with_room(|store| store.try_commit(&mut draft)).await?;
        self.observer.on_notes_changed(&changed);
        Ok(head)
    }

    /// Works on the store, and repeats it as long as there is no room on the disk.
    pub(super) async fn with_room<T>(
        &mut self,
        mut work: impl FnMut(&mut Store) -> Result<T, Error>,
    ) -> Result<T, Halt> {
        let mut pause_ms = PAUSE_MS_MIN;
        let status = self.status.status.clone();
        loop {
            // Once damage is known nothing is written any more.
            self.background_verify.check()?;
            match work(&mut self.store) {
                Err(error) if error.is_full() => {
                    self.wait_for_better(Code::DiskFull, &error.to_string(), &mut pause_ms)
                        .await?;
                }
                other => {
                    self.status.heartbeat.update_if_committed(&self.store);
                    if pause_ms != PAUSE_MS_MIN {
                        // Any other wait goes on.
                        let waiting = status.waiting.as_ref();
                        self.status.trouble = waiting.map(|it| (it.code, it.since));
                        self.report(status);
                    }
                    return Ok(other?);
                }
            }
        }
    }

    /// Takes in a person's edits.
    ///
    /// Waits a little while an edit is being written, and for room on the disk.
    pub(super) async fn take_edits(&mut self) -> Result<EditedItems, Halt> {
        let mut edited = EditedItems::default();
        let mut waited_ms = 0;
        loop {
            drain(
                &mut self.files.events,
                &mut self.store,
                self.observer.as_mut(),
            );
            let now = self.now();
            let report = self.with_room(|store| store.take_edits(now)).await?;
            self.observer.on_edits(&report);
            self.files.is_edited |= !report.edited.ram_keys.is_empty();
            edited.ram_keys.extend(report.edited.ram_keys);
            edited.notes.extend(report.edited.notes);
            if !report.waiting || waited_ms >= EDIT_WAIT_MS_MAX {
                return Ok(edited);
            }
            self.pause(EDIT_POLL_MS).await?;
            waited_ms += EDIT_POLL_MS;
        }
    }

    /// Reads the notes, unless that was done since the start, and reports what was found.
    pub(super) async fn read_notes(&mut self) -> Result<(), Halt> {
        let now = self.now();
        for message in self.with_room(|store| store.read_notes(now)).await? {
            self.notice(&message);
        }
        Ok(())
    }

    /// Advances the search index by a step, and reports its notices.
    pub(super) fn tend_index(&mut self) -> Result<(), Halt> {
        let now = self.now();
        let notices = self.store.tend_index(now)?;
        self.observer.on_notices(&notices);
        Ok(())
    }

    /// Opens a run for an event, unless that event has opened one already.
    ///
    /// Every open run, the newest [`RUNS_FINISHED_KEPT`] finished ones and the [`RUNS_REMEMBERED`]
    /// requests before those are known, even where the journal has dropped them.
    ///
    /// The inbox needs no more. A request is known to be taken by its name in `.taken`, which is
    /// worked on before anything else after a stop; it would have to outlive that many later
    /// requests. A file that a person drops in under an older name is a new request.
    ///
    /// [`RUNS_FINISHED_KEPT`]: crate::limits::RUNS_FINISHED_KEPT
    /// [`RUNS_REMEMBERED`]: crate::limits::RUNS_REMEMBERED
    pub(super) async fn queue(
        &mut self,
        event: EventId,
        trigger: Trigger,
        request: Option<String>,
    ) -> Result<RunId, Halt> {
        let run_id = RunId::derive(self.profile.config.scope.workspace_id, &event);
        if self.state().runs.knows(run_id) {
            return Ok(run_id);
        }
        let now = self.now();
        let mut run = Run::queued(run_id, event, trigger, now);
        run.request = request;
        let cause = Cause::run("trigger", run_id);
        let events = vec![Event::RunQueued(RunQueued { run })];
        self.commit(own_draft(cause, events, now)).await?;
        Ok(run_id)
    }

    pub(super) fn record(&mut self, run_id: RunId) -> Result<Run, Halt> {
        let run = self.store.run(run_id)?;
        run.ok_or_else(|| Halt::Failed(super::unknown_run(run_id)))
    }

    pub(super) fn open_run(&mut self, run_id: RunId) -> Result<Run, Halt> {
        let run = self.record(run_id)?;
        if run.is_finished() {
            return Err(super::unknown_run(run_id).into());
        }
        Ok(run)
    }

    /// Returns the request in the RAM of an open run.
    ///
    /// # Errors
    /// `RUN_NOT_FOUND` for a run that is not open.
    pub(super) fn request_of(&mut self, run_id: RunId) -> Result<Option<String>, Halt> {
        let run = self.open_run(run_id)?;
        Ok(self
            .state()
            .memory_of(&run)
            .ram
            .request()
            .map(str::to_owned))
    }

    /// Reports that the loop waits for something outside to get better.
    pub(super) fn report_waiting(&mut self, code: Code, message: &str, delay_ms: u64) {
        let now = self.now();
        let status = self.status.waiting(code, message, now, delay_ms);
        self.report(status);
    }

    /// Reports that there is nothing to do for `delay_ms` milliseconds.
    pub(super) fn report_idle(&mut self, delay_ms: Option<u64>) {
        let now = self.now();
        self.report(DaemonStatus {
            next_idle_at: delay_ms.map(|delay_ms| now.after_millis(delay_ms)),
            ..DaemonStatus::default()
        });
    }

    /// Reports that the loop waits for nothing.
    pub(super) fn report_busy(&mut self) {
        self.status.trouble = None;
        self.report(DaemonStatus::default());
    }

    /// Reports that a request was sent, of whose reply nothing has arrived yet.
    pub(super) fn report_asking(&mut self, run_id: Option<RunId>) {
        self.status.arrived.set(0);
        let known = self.state();
        let run = run_id.and_then(|run_id| known.runs.get(run_id));
        let working = run.map_or(&known.main, |run| known.memory_of(run));
        let memory = &self.profile.config.memory;
        let asking = CallStatus {
            model: self.server().asked_model().to_owned(),
            run_id,
            state: initial_state(working, memory, working.ram.state()),
            since: self.now(),
            tokens: 0,
        };
        self.report(DaemonStatus {
            asking: Some(asking),
            ..DaemonStatus::default()
        });
    }

    /// Reports another attempt; if it fails as well, the trouble counts from its beginning.
    pub(super) fn report_retrying(&mut self) {
        self.report(DaemonStatus::default());
    }

    /// Publishes a status, with the health of the providers.
    pub(super) fn report(&mut self, status: DaemonStatus) {
        let providers = self.pool().health(self.now());
        self.status.publish(status, providers);
    }
}
