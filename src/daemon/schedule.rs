//! What runs next: the open run, the next in the queue, or a wait until something opens one.
//! Only triggers open runs; a run that was interrupted goes on before anything else.

use super::agent::{Agent, Halt};
use super::observer::LoopEvent;
use crate::core::agent::{IdleProfile, LoopState};
use crate::core::guard::{ram_own, ram_own_deleted};
use crate::core::journal::event::{RequestRefused, RunQueued};
use crate::core::journal::{Cause, Event, State};
use crate::core::memory::ram::{CONTEXT, STATE, STEPS};
use crate::core::route::RetryPolicy;
use crate::core::run::{Run, RunState, Trigger};
use crate::ids::{EventId, RunId};
use crate::limits::{
    NO_PROGRESS_MAX, NO_PROGRESS_PAUSE_MS_MAX, NO_PROGRESS_PAUSE_MS_MIN, RETENTION_EVERY_MS,
    RUNS_OPEN_MAX,
};
use crate::store::inbox::Taken;
use crate::store::own_draft;
use crate::time::Timestamp;
use serde_json::Value;

impl Agent {
    /// Lives until it is asked to stop: runs what there is to run, and waits for more.
    pub async fn live(&mut self) -> Result<(), Halt> {
        self.schedule_timer
            .begin(self.clock.now(), self.clock.uptime_ms());
        loop {
            self.take_triggers().await?;
            match self.next_run() {
                Some(run_id) => {
                    self.idle_delay_ms = 0;
                    self.drive(run_id).await?;
                    self.profile = self.profiles.of(None);
                    // Here too: a loop that always has something to do never comes to rest.
                    self.retire(self.clock.now())?;
                }
                None => self.wait_for_trigger().await?,
            }
        }
    }

    /// Drives a run to its end, and gives its record. One that has ended is left as it is. An idle run
    /// ends before its time where something else has opened a run.
    pub async fn drive(&mut self, run_id: RunId) -> Result<Run, Halt> {
        let run = self.record(run_id)?;
        self.idle_run = (run.trigger == Trigger::Idle).then_some(run_id);
        let driven = Box::pin(self.drive_to_end(run_id)).await;
        self.idle_run = None;
        match driven {
            Err(Halt::Preempted) => self.end_preempted(run_id).await,
            driven => driven,
        }
    }

    async fn drive_to_end(&mut self, run_id: RunId) -> Result<Run, Halt> {
        let run = self.begin(run_id).await?;
        if run.is_finished() {
            return Ok(run);
        }
        while self.iteration(run_id).await?.ending.is_none() {
            let no_progress_streak = self.record(run_id)?.progress.no_progress_streak;
            self.pause_for_slots(self.delay_after(no_progress_streak))
                .await?;
            self.take_triggers().await?;
        }
        let run = self.record(run_id)?;
        // Any other has gone on for as long as an edit left something to do.
        self.is_edited &= run.trigger == Trigger::Idle;
        Ok(run)
    }

    /// The pause after an iteration, in milliseconds: longer and longer while a model repeats itself.
    fn delay_after(&self, no_progress_streak: u32) -> u64 {
        let delay_ms = self.profile.config.r#loop.loop_delay_ms;
        let Some(repeats) = no_progress_streak.checked_sub(1) else {
            return delay_ms;
        };
        let back_off = RetryPolicy {
            max_retries: NO_PROGRESS_MAX,
            base_delay_ms: NO_PROGRESS_PAUSE_MS_MIN,
            max_delay_ms: NO_PROGRESS_PAUSE_MS_MAX,
        };
        delay_ms.max(back_off.delay_ms(repeats))
    }

    /// Runs one iteration of a run, which stays open unless that ends it, and gives its record.
    pub async fn step(&mut self, run_id: RunId) -> Result<Run, Halt> {
        let run = self.begin(run_id).await?;
        if run.is_finished() {
            return Ok(run);
        }
        self.iteration(run_id).await?;
        self.record(run_id)
    }

    /// The open run, or the next one in the queue.
    pub fn next_run(&self) -> Option<RunId> {
        self.store.state().runs.next().map(|run| run.run_id)
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
    pub async fn queue(
        &mut self,
        event: EventId,
        trigger: Trigger,
        request: Option<String>,
    ) -> Result<RunId, Halt> {
        let run_id = RunId::derive(self.profile.config.scope.workspace_id, &event);
        if self.store.state().runs.knows(run_id) {
            return Ok(run_id);
        }
        let now = self.clock.now();
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

    /// A run that has not ended.
    pub(super) fn open_run(&mut self, run_id: RunId) -> Result<Run, Halt> {
        let run = self.record(run_id)?;
        if run.is_finished() {
            return Err(super::unknown_run(run_id).into());
        }
        Ok(run)
    }

    /// Begins a queued run: its request goes into `context`, and planning comes first. Gives the
    /// run as it was.
    async fn begin(&mut self, run_id: RunId) -> Result<Run, Halt> {
        self.reload_if_asked();
        let run = self.record(run_id)?;
        if run.is_finished() {
            return Ok(run);
        }
        if self.end_without_rule(&run).await?.is_some() {
            return self.record(run_id);
        }
        self.report_busy();
        self.observer.on_event(LoopEvent::RunBegan { run: &run });
        if run.state == RunState::Running {
            return Ok(run);
        }
        self.profile = self.profiles.of(run.rule_id);
        self.charge_to(run_id).await?;
        // The record names the model that is asked; where none can be chosen, the question says so.
        drop(self.settle_model().await?);
        self.take_edits().await?;
        if run.request.is_some()
            && let Some(request) = self.new_request()
        {
            // The run's own takes its place in `context`.
            self.queue_edit(Some(request)).await?;
        }
        let first = if run.trigger == Trigger::Idle {
            self.unasked_state().await?
        } else if run.request.is_none() && run.rule_id.is_none() && self.is_organizing_asked() {
            LoopState::RecordOrganizing
        } else {
            LoopState::Planning
        };
        // Commands were carried out meanwhile, and one of them may have ended it.
        let as_it_is = self.record(run_id)?;
        if as_it_is.is_finished() {
            return Ok(as_it_is);
        }
        let now = self.clock.now();
        let mut events = vec![self.started(run_id, now)];
        let ram = &self.store.state().ram;
        if let Some(context) = run.context_in(ram) {
            events.push(Event::Change(ram_own(CONTEXT, context)));
        }
        events.extend(without_steps_of_others(&run, self.store.state()));
        let organizes = first == LoopState::RecordOrganizing;
        let rests = matches!(ram.state(), LoopState::Idle)
            || organizes && ram.state() == LoopState::Planning;
        if first != LoopState::Idle && rests {
            let first = Value::from(first.name());
            events.push(Event::Change(ram_own(STATE, first)));
        }
        let cause = Cause::run("run", run_id);
        self.commit(own_draft(cause, events, now)).await?;
        Ok(run)
    }

    /// Takes requests out of the inbox; each becomes a queued run, exactly once. With too many
    /// open runs they stay where they are.
    pub async fn take_inbox(&mut self) -> Result<(), Halt> {
        let most = RUNS_OPEN_MAX.saturating_sub(self.store.state().runs.open_len());
        if most == 0 {
            return Ok(());
        }
        let mut watch = std::mem::take(&mut self.inbox);
        let now = self.clock.now();
        let taken = self
            .with_room(|store| store.inbox().take_requests(&mut watch, now, most))
            .await;
        for message in watch.take_notices() {
            self.observer
                .on_event(LoopEvent::Notice { message: &message });
        }
        self.inbox = watch;
        for taken in taken? {
            match &taken.request {
                Ok(request) => {
                    let event = EventId(taken.id.to_string());
                    self.queue(event, Trigger::Request, Some(request.clone()))
                        .await?;
                    self.close_request(&taken, false).await?;
                }
                Err(reason) => self.refuse_request(&taken, reason).await?,
            }
        }
        Ok(())
    }

    /// Whether the inbox holds a request that is taken as soon as it lies still.
    pub fn expects_request(&self) -> bool {
        self.inbox.is_expecting()
    }

    async fn refuse_request(&mut self, taken: &Taken, reason: &str) -> Result<(), Halt> {
        let file = taken.name.clone();
        let message = format!("the request in {file} could not be taken: {reason}");
        self.observer
            .on_event(LoopEvent::Notice { message: &message });
        let refused = RequestRefused {
            file,
            reason: reason.to_owned(),
        };
        let now = self.clock.now();
        let events = vec![Event::RequestRefused(refused)];
        self.commit(own_draft(Cause::plain("trigger"), events, now))
            .await?;
        self.close_request(taken, true).await
    }

    async fn close_request(&mut self, taken: &Taken, rejected: bool) -> Result<(), Halt> {
        let mut watch = std::mem::take(&mut self.inbox);
        let closed = self
            .with_room(|store| store.inbox().close_request(&mut watch, taken, rejected))
            .await;
        self.inbox = watch;
        closed
    }

    /// Waits until a request, a hand edit or enough time opens a run.
    async fn wait_for_trigger(&mut self) -> Result<(), Halt> {
        let mut delay_ms = self.idle_delay_ms.max(self.first_delay_ms());
        let since_ms = self.clock.uptime_ms();
        self.report_idle(Some(delay_ms).filter(|_| !self.sleeps()));
        loop {
            if self.reload_if_asked() {
                delay_ms = self.first_delay_ms();
                self.report_idle(Some(delay_ms).filter(|_| !self.sleeps()));
            }
            self.take_edits().await?;
            // Nothing is retired before the files were looked at.
            self.retire(self.clock.now())?;
            let request = self.new_request();
            if std::mem::take(&mut self.is_edited) || request.is_some() {
                return self.queue_edit(request).await;
            }
            self.take_triggers().await?;
            if self.next_run().is_some() {
                return Ok(());
            }
            let waited_ms = self.clock.uptime_ms().saturating_sub(since_ms);
            // What lies in the inbox, and is not taken before it lies still, goes first.
            let may_idle = !self.sleeps() && !self.expects_request();
            if may_idle && waited_ms >= delay_ms {
                return self.run_unasked(delay_ms).await;
            }
            if !self.store.notes_are_read() {
                // No question is held back, and none may come for days.
                self.read_notes().await?;
                continue;
            }
            let left_ms = may_idle.then(|| delay_ms.saturating_sub(waited_ms));
            let due_ms = self.schedule_timer.left_ms(self.clock.now());
            self.rest(left_ms.into_iter().chain(due_ms).min()).await?;
        }
    }

    /// A request that a person has written into `context`, and for which there is no run yet.
    fn new_request(&self) -> Option<String> {
        let state = self.store.state();
        let request = state.ram.request()?;
        let mut open = state.runs.open();
        (!open.any(|run| run.owns_request(&state.ram))).then(|| request.to_owned())
    }

    /// Queues a run for what a person has written into RAM.
    async fn queue_edit(&mut self, request: Option<String>) -> Result<(), Halt> {
        let event = EventId(format!("edit:{}", self.store.head().seq));
        self.queue(event, Trigger::Edit, request).await.map(drop)
    }

    /// One run that nobody asked for, and a longer wait after it if nothing came of it: a round of
    /// work where the loop has no bound, else a single idle iteration.
    async fn run_unasked(&mut self, delay_ms: u64) -> Result<(), Halt> {
        let seq = self.store.head().seq;
        let (event, trigger) = if self.is_perpetual() {
            (format!("start:{seq}"), Trigger::Start)
        } else {
            (format!("idle:{seq}"), Trigger::Idle)
        };
        let run_id = self.queue(EventId(event), trigger, None).await?;
        let run = self.drive(run_id).await?;
        let is_fruitless = match trigger {
            Trigger::Start => run.state == RunState::Failed,
            Trigger::Idle
            | Trigger::Request
            | Trigger::Manual
            | Trigger::Edit
            | Trigger::Cron
            | Trigger::NoteChanged
            | Trigger::NoteCreated
            | Trigger::NoteDeleted => true,
        };
        self.idle_delay_ms = if is_fruitless && !run.progress.changed {
            let delay_ms = delay_ms.max(1).saturating_mul(2);
            delay_ms.min(self.profile.config.r#loop.idle_delay_max_ms)
        } else {
            0
        };
        Ok(())
    }

    /// The shortest wait before a run that nobody asked for.
    fn first_delay_ms(&self) -> u64 {
        if self.is_perpetual() {
            self.profile.config.r#loop.loop_delay_ms
        } else {
            self.profile.config.r#loop.idle_delay_ms
        }
    }

    /// Whether nothing happens until a trigger comes from outside. On a root where nobody has asked for
    /// anything, and where there are no notes, there is nothing to look after.
    fn sleeps(&self) -> bool {
        let state = self.store.state();
        let is_fresh = state.runs.newest_first().next().is_none() && state.notes.is_empty();
        let sleeps = is_fresh || self.profile.config.r#loop.idle_profile == IdleProfile::Sleep;
        sleeps && !self.is_perpetual() && !self.is_organizing_asked()
    }

    /// Whether the loop goes on without end.
    fn is_perpetual(&self) -> bool {
        self.policies().max_iterations.is_none()
    }

    /// Lets go of journal segments past their age, once in a while. That it finds no room is no
    /// reason to wait: each attempt adds to the journal.
    fn retire(&mut self, now: Timestamp) -> Result<(), Halt> {
        let is_due = |last: Timestamp| now >= last.after_millis(RETENTION_EVERY_MS) || now < last;
        if self.retired_at.is_none_or(is_due) {
            let retired = match self.store.retire(now) {
                Err(error) if error.is_full() => {
                    tracing::warn!(%error, "old journal segments are kept for now");
                    Some(0)
                }
                other => other?,
            };
            self.heartbeat.update_if_committed(&self.store);
            if retired.is_some() {
                self.retired_at = Some(now);
            }
        }
        Ok(())
    }
}

/// The steps that a model had left to do for another request go before a request is worked on: they would be
/// done for this one.
fn without_steps_of_others(run: &Run, state: &State) -> Option<Event> {
    let maker = state.keys.maker(STEPS);
    let is_of_other = maker.is_some_and(|maker| maker != run.run_id);
    let goes = run.request.is_some() && is_of_other && !state.ram.steps().is_empty();
    goes.then(|| Event::Change(ram_own_deleted(STEPS)))
}
