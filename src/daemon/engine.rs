//! The engine of the loop: commits, takes edits in, and knows the profile and the servers that are in use.
//! Everything outside the loop that it deals with stands here; what a run does with it does not.

use super::asked_server::AskedServer;
use super::background_verify::BackgroundVerify;
use super::clock::Clock;
use super::halt::Halt;
use super::meanwhile::Commands;
use super::observer::{ChangedNote, Observer};
use super::provider_pool::{ProviderPool, ProviderPools};
use super::rest::{WatchedFiles, drain};
use super::run_profiles::RunProfile;
use super::schedule_timer::ScheduleTimer;
use super::status::{Asking, DaemonStatus, StatusReporter};
use super::stop::Stop;
use crate::core::agent::begins_in;
use crate::core::guard::Edited;
use crate::core::journal::event::RunQueued;
use crate::core::journal::{Cause, Draft, Event, State};
use crate::core::run::{Run, Trigger};
use crate::failure::Code;
use crate::ids::{EventId, RunId};
use crate::limits::EDIT_WAIT_MS_MAX;
use crate::store::journal::Head;
use crate::store::{Error, Store, own_draft};
use crate::time::Timestamp;
use std::sync::Arc;

/// First pause between two attempts while something outside has to get better, in milliseconds.
pub(super) const PAUSE_MS_MIN: u64 = 1000;

/// How often an edit that is being written is looked at again, in milliseconds.
const EDIT_POLL_MS: u64 = 100;

/// What the loop works with, whatever it works on.
#[derive(Debug)]
pub(super) struct Engine {
    pub(super) store: Store,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) stop: Stop,
    pub(super) observer: Box<dyn Observer>,
    /// Checks the older lines of the journal beside the loop.
    pub(super) background_verify: BackgroundVerify,
    pub(super) files: WatchedFiles,
    pub(super) commands: Commands,
    /// When the next slot of a schedule comes.
    pub(super) schedule_timer: ScheduleTimer,
    /// The idle run that is being driven: it ends as soon as anything opens another one.
    pub(super) idle_run: Option<RunId>,
    /// The profile of the run that is worked on; the default one between runs.
    pub(super) profile: Arc<RunProfile>,
    /// The providers to choose among.
    pub(super) pools: ProviderPools,
    /// Let go last, with the lock of the folder.
    pub(super) status: StatusReporter,
}

impl Engine {
    /// The state as of the last commit.
    pub(super) const fn state(&self) -> &State {
        self.store.state()
    }

    /// Now, by the wall.
    pub(super) fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// Says something that a person should hear.
    pub(super) fn notice(&mut self, message: &str) {
        self.observer.notice(message);
    }

    /// The providers that the runs of the profile in use ask.
    pub(super) fn pool(&self) -> &ProviderPool {
        self.pools.of(self.profile.servers_of)
    }

    pub(super) fn pool_mut(&mut self) -> &mut ProviderPool {
        self.pools.of_mut(self.profile.servers_of)
    }

    /// The provider that is asked.
    pub(super) fn server(&self) -> &AskedServer {
        &self.pool().in_force
    }

    pub(super) fn server_mut(&mut self) -> &mut AskedServer {
        &mut self.pool_mut().in_force
    }

    /// The provider that is asked, and the state.
    pub(super) fn server_and_state(&mut self) -> (&mut AskedServer, &State) {
        let pool = self.pools.of_mut(self.profile.servers_of);
        (&mut pool.in_force, self.store.state())
    }

    /// Commits, waiting out a full disk. The draft stays valid meanwhile: nobody else writes.
    pub(super) async fn commit(&mut self, mut draft: Draft) -> Result<Head, Halt> {
        let changed = ChangedNote::of(&draft.events);
        let head = self.with_room(|store| store.try_commit(&mut draft)).await?;
        self.observer.on_notes_changed(&changed);
        Ok(head)
    }

    /// Does something to the store, and again for as long as there is no room on the disk.
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
                        // Whatever else was waited for goes on.
                        let waiting = status.waiting.as_ref();
                        self.status.trouble = waiting.map(|it| (it.code, it.since));
                        self.report(status);
                    }
                    return Ok(other?);
                }
            }
        }
    }

    /// Takes in what a person edited; waits a little while an edit is being written, and for room.
    pub(super) async fn take_edits(&mut self) -> Result<Edited, Halt> {
        let mut edited = Edited::default();
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

    /// Reads the notes, unless that was done since the start, and says what was found.
    pub(super) async fn read_notes(&mut self) -> Result<(), Halt> {
        let now = self.now();
        for message in self.with_room(|store| store.read_notes(now)).await? {
            self.notice(&message);
        }
        Ok(())
    }

    /// Lets the search index take a step, and says what came of the one before.
    pub(super) fn tend_index(&mut self) -> Result<(), Halt> {
        let now = self.now();
        let notices = self.store.tend_index(now)?;
        self.observer.on_notices(&notices);
        Ok(())
    }

    /// Opens a run for an event, unless that event has opened one already: every open run, the
    /// newest [`RUNS_FINISHED_KEPT`] finished ones and the [`RUNS_REMEMBERED`] requests before
    /// those are known, whatever the journal has let go of.
    ///
    /// That is more than the inbox can ask for by itself. A request is known to be taken by its
    /// name in `.taken`, which is worked on before anything else after a stop; it would have to
    /// outlive that many later requests. A file that a person drops in under an older name is a
    /// new request.
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

    /// The record of a run.
    pub(super) fn record(&mut self, run_id: RunId) -> Result<Run, Halt> {
        let run = self.store.run(run_id)?;
        run.ok_or_else(|| Halt::Failed(super::unknown_run(run_id)))
    }

    /// A run that has not ended.
    pub(super) fn open_run(&mut self, run_id: RunId) -> Result<Run, Halt> {
        let run = self.record(run_id)?;
        if run.is_finished() {
            return Err(super::unknown_run(run_id).into());
        }
        Ok(run)
    }

    /// Reports that something outside has to get better.
    pub(super) fn report_waiting(&mut self, code: Code, message: &str, delay_ms: u64) {
        let now = self.now();
        let status = self.status.waiting(code, message, now, delay_ms);
        self.report(status);
    }

    /// Reports that there is nothing to do for so long.
    pub(super) fn report_idle(&mut self, delay_ms: Option<u64>) {
        let now = self.now();
        self.report(DaemonStatus {
            next_idle_at: delay_ms.map(|delay_ms| now.after_millis(delay_ms)),
            ..DaemonStatus::default()
        });
    }

    /// Reports that there is nothing to wait for.
    pub(super) fn report_busy(&mut self) {
        self.status.trouble = None;
        self.report(DaemonStatus::default());
    }

    /// Reports that a question is out, of which nothing has arrived yet.
    pub(super) fn report_asking(&mut self, run_id: Option<RunId>) {
        self.status.arrived.set(0);
        let (state, memory) = (self.state(), &self.profile.config.memory);
        let asking = Asking {
            model: self.server().asked_model().to_owned(),
            run_id,
            state: begins_in(state, memory, state.ram.state()),
            since: self.now(),
            tokens: 0,
        };
        self.report(DaemonStatus {
            asking: Some(asking),
            ..DaemonStatus::default()
        });
    }

    /// Reports that what was waited for is tried again; if it is no better, it has been so since before.
    pub(super) fn report_retrying(&mut self) {
        self.report(DaemonStatus::default());
    }

    /// Publishes a status, with how the providers fare.
    pub(super) fn report(&mut self, status: DaemonStatus) {
        let providers = self.pool().health(self.now());
        self.status.publish(status, providers);
    }
}
