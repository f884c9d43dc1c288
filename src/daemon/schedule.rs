//! Decides what runs next: the open run, the next in the queue, or a wait for a new one.
//!
//! Only triggers open runs; a run that was interrupted goes on before anything else.

use super::agent::Agent;
use super::asked_server::settle_model;
use super::concurrent_work::end_preempted;
use super::engine::Engine;
use super::observer::LoopEvent;
use super::run_profiles::end_without_rule;
use super::stop::Halt;
use crate::core::agent::{IdleProfile, LoopState, is_organizing_asked};
use crate::core::guard::{ram_own, ram_own_deleted};
use crate::core::journal::{Cause, Event, State};
use crate::core::memory::ram::{CONTEXT, STATE, STEPS};
use crate::core::route::RetryPolicy;
use crate::core::run::{Run, RunState, Trigger};
use crate::ids::{EventId, RunId};
use crate::limits::{
    NO_PROGRESS_MAX, NO_PROGRESS_PAUSE_MS_MAX, NO_PROGRESS_PAUSE_MS_MIN, RETENTION_EVERY_MS,
};
use crate::store::own_draft;
use crate::time::Timestamp;
use serde_json::Value;
use std::sync::Arc;

/// The waits of an idle loop, and the time of its last look at old segments.
#[derive(Debug, Default)]
pub(super) struct IdleState {
    /// The next wait while there is nothing to do, in milliseconds, if longer than the first.
    delay_ms: u64,
    /// The time of the last look for old segments.
    retired_at: Option<Timestamp>,
}

impl IdleState {
    /// Makes the next wait longer after a run that nobody asked for, if it changed nothing.
    fn take_in(&mut self, run: &Run, delay_ms: u64, most_ms: u64) {
        let is_fruitless = run.trigger != Trigger::Start || run.state == RunState::Failed;
        self.delay_ms = if is_fruitless && !run.progress.changed {
            delay_ms.max(1).saturating_mul(2).min(most_ms)
        } else {
            0
        };
    }

    /// Retires journal segments past their age, once in a while.
    ///
    /// A full disk is no reason to wait: each attempt adds to the journal.
    fn retire(&mut self, engine: &mut Engine) -> Result<(), Halt> {
        let now = engine.now();
        let is_due = |last: Timestamp| now >= last.after_millis(RETENTION_EVERY_MS) || now < last;
        if self.retired_at.is_none_or(is_due) {
            let retired = match engine.store.retire(now) {
                Err(error) if error.is_full() => {
                    tracing::warn!(%error, "old journal segments are kept for now");
                    Some(0)
                }
                other => other?,
            };
            engine.status.heartbeat.update_if_committed(&engine.store);
            if retired.is_some() {
                self.retired_at = Some(now);
            }
        }
        Ok(())
    }
}

impl Agent {
    /// Works on the runs that there are and waits for more, until it is asked to stop.
    pub async fn live(&mut self) -> Result<(), Halt> {
        let (now, uptime_ms) = (self.engine.now(), self.engine.clock.uptime_ms());
        self.engine.schedule_timer.begin(now, uptime_ms);
        loop {
            self.take_triggers().await?;
            match self.next_run() {
                Some(run_id) => {
                    self.idling.delay_ms = 0;
                    self.drive(run_id).await?;
                    self.engine.profile = Arc::clone(self.profiles.of(None));
                    // Here too: a loop that always has work never rests.
                    self.idling.retire(&mut self.engine)?;
                }
                None => self.wait_for_trigger().await?,
            }
        }
    }

    /// Drives a run to its end, and returns its record.
    ///
    /// A run that has ended is left as it is. An idle run ends early where something else has
    /// opened a run.
    pub async fn drive(&mut self, run_id: RunId) -> Result<Run, Halt> {
        let run = self.engine.record(run_id)?;
        self.engine.idle_run = (run.trigger == Trigger::Idle).then_some(run_id);
        let driven = Box::pin(self.drive_to_end(run_id)).await;
        self.engine.idle_run = None;
        match driven {
            Err(Halt::Preempted) => end_preempted(&mut self.engine, &mut self.asker, run_id).await,
            driven => driven,
        }
    }

    async fn drive_to_end(&mut self, run_id: RunId) -> Result<Run, Halt> {
        let run = self.begin(run_id).await?;
        if run.is_finished() {
            return Ok(run);
        }
        while self.iteration(run_id).await?.is_none() {
            let no_progress_streak = self.engine.record(run_id)?.progress.no_progress_streak;
            let delay_ms = self.engine.profile.config.r#loop.loop_delay_ms;
            let delay_ms = delay_after(delay_ms, no_progress_streak);
            self.engine.pause_for_slots(delay_ms).await?;
            self.take_triggers().await?;
        }
        let run = self.engine.record(run_id)?;
        // Any other run has gone on for as long as an edit left something to do.
        self.engine.files.is_edited &= run.trigger == Trigger::Idle;
        Ok(run)
    }

    /// Runs one iteration of a run, and returns its record.
    ///
    /// The run stays open unless the iteration ends it.
    pub async fn step(&mut self, run_id: RunId) -> Result<Run, Halt> {
        let run = self.begin(run_id).await?;
        if run.is_finished() {
            return Ok(run);
        }
        self.iteration(run_id).await?;
        self.engine.record(run_id)
    }

    /// Returns the open run, or the next one in the queue.
    pub fn next_run(&self) -> Option<RunId> {
        self.engine.state().runs.next().map(|run| run.run_id)
    }

    /// Begins a queued run: its request goes into `context`, and planning comes first.
    ///
    /// Returns the run as it was, or its record if it has ended.
    async fn begin(&mut self, run_id: RunId) -> Result<Run, Halt> {
        self.reload_if_asked();
        let run = self.engine.record(run_id)?;
        if run.is_finished() {
            return Ok(run);
        }
        if end_without_rule(&mut self.engine, &mut self.asker, &run)
            .await?
            .is_some()
        {
            return self.engine.record(run_id);
        }
        self.engine.report_busy();
        self.engine
            .observer
            .on_event(LoopEvent::RunBegan { run: &run });
        if run.state == RunState::Running {
            return Ok(run);
        }
        self.engine.profile = Arc::clone(self.profiles.of(run.rule_id));
        self.asker.charge_to(&mut self.engine, run_id).await?;
        // The record names the asked model; where none can be chosen, the call reports that.
        drop(settle_model(&mut self.engine).await?);
        self.engine.take_edits().await?;
        if run.request.is_some()
            && let Some(request) = new_request(self.engine.state())
        {
            // The run's own request takes its place in `context`.
            self.queue_edit(Some(request)).await?;
        }
        let first = if run.trigger == Trigger::Idle {
            self.organizer.unasked_state(&mut self.engine).await?
        } else if run.request.is_none()
            && run.rule_id.is_none()
            && is_organizing_asked(&self.engine.state().ram)
        {
            LoopState::RecordOrganizing
        } else {
            LoopState::Planning
        };
        // Commands were carried out meanwhile, and one of them may have ended the run.
        let as_it_is = self.engine.record(run_id)?;
        if as_it_is.is_finished() {
            return Ok(as_it_is);
        }
        let now = self.engine.now();
        let mut events = vec![
            self.engine
                .server()
                .started(&self.engine.profile, run_id, now),
        ];
        let ram = &self.engine.state().ram;
        if let Some(context) = run.context_in(ram) {
            events.push(Event::Change(ram_own(CONTEXT, context)));
        }
        events.extend(without_steps_of_others(&run, self.engine.state()));
        let organizes = first == LoopState::RecordOrganizing;
        let rests = matches!(ram.state(), LoopState::Idle)
            || organizes && ram.state() == LoopState::Planning;
        if first != LoopState::Idle && rests {
            let first = Value::from(first.name());
            events.push(Event::Change(ram_own(STATE, first)));
        }
        let cause = Cause::run("run", run_id);
        self.engine.commit(own_draft(cause, events, now)).await?;
        Ok(run)
    }

    /// Waits until a request, an edit or enough time opens a run.
    async fn wait_for_trigger(&mut self) -> Result<(), Halt> {
        let mut delay_ms = self.idling.delay_ms.max(self.first_delay_ms());
        let since_ms = self.engine.clock.uptime_ms();
        self.engine
            .report_idle(Some(delay_ms).filter(|_| !self.sleeps()));
        loop {
            if self.reload_if_asked() {
                delay_ms = self.first_delay_ms();
                self.engine
                    .report_idle(Some(delay_ms).filter(|_| !self.sleeps()));
            }
            self.engine.take_edits().await?;
            // Nothing is retired before the files are looked at.
            self.idling.retire(&mut self.engine)?;
            let request = new_request(self.engine.state());
            if std::mem::take(&mut self.engine.files.is_edited) || request.is_some() {
                return self.queue_edit(request).await;
            }
            self.take_triggers().await?;
            if self.next_run().is_some() {
                return Ok(());
            }
            let waited_ms = self.engine.clock.uptime_ms().saturating_sub(since_ms);
            // A request in the inbox whose file may still change goes first.
            let may_idle = !self.sleeps() && !self.expects_request();
            if may_idle && waited_ms >= delay_ms {
                return self.run_unasked(delay_ms).await;
            }
            if !self.engine.store.notes_are_read() {
                // No call is held back, and none may come for days.
                self.engine.read_notes().await?;
                continue;
            }
            let left_ms = may_idle.then(|| delay_ms.saturating_sub(waited_ms));
            let due_ms = self.engine.schedule_timer.left_ms(self.engine.now());
            self.engine
                .rest(left_ms.into_iter().chain(due_ms).min())
                .await?;
        }
    }

    /// Queues a run for a person's edit of RAM.
    async fn queue_edit(&mut self, request: Option<String>) -> Result<(), Halt> {
        let event = EventId(format!("edit:{}", self.engine.store.head().seq));
        self.queue(event, Trigger::Edit, request).await.map(drop)
    }

    /// Drives one run that nobody asked for; the next one waits longer if this changes nothing.
    ///
    /// It is a round of work where the loop has no bound, else a single idle iteration.
    async fn run_unasked(&mut self, delay_ms: u64) -> Result<(), Halt> {
        let seq = self.engine.store.head().seq;
        let (event, trigger) = if self.is_perpetual() {
            (format!("start:{seq}"), Trigger::Start)
        } else {
            (format!("idle:{seq}"), Trigger::Idle)
        };
        let run_id = self.queue(EventId(event), trigger, None).await?;
        let run = self.drive(run_id).await?;
        let most_ms = self.engine.profile.config.r#loop.idle_delay_max_ms;
        self.idling.take_in(&run, delay_ms, most_ms);
        Ok(())
    }

    /// Returns whether the loop has no bound of iterations.
    fn is_perpetual(&self) -> bool {
        let policies = self.engine.profile.policies(self.max_iterations);
        policies.max_iterations.is_none()
    }

    /// Returns the shortest wait before a run that nobody asked for, in milliseconds.
    fn first_delay_ms(&self) -> u64 {
        let policy = &self.engine.profile.config.r#loop;
        if self.is_perpetual() {
            policy.loop_delay_ms
        } else {
            policy.idle_delay_ms
        }
    }

    /// Returns whether nothing happens until a trigger comes from outside.
    ///
    /// On a root without runs and without notes there is nothing to look after.
    fn sleeps(&self) -> bool {
        let state = self.engine.state();
        let is_fresh = state.runs.newest_first().next().is_none() && state.notes.is_empty();
        let profile = self.engine.profile.config.r#loop.idle_profile;
        let sleeps = is_fresh || profile == IdleProfile::Sleep;
        sleeps && !self.is_perpetual() && !is_organizing_asked(&state.ram)
    }

    /// Takes triggers from outside: requests in the inbox, and slots that are due.
    pub(super) async fn take_triggers(&mut self) -> Result<(), Halt> {
        self.take_inbox().await?;
        self.engine.let_time_pass().await
    }
}

/// Returns the event that removes the steps which a model left for another request.
///
/// They would be done for this one.
fn without_steps_of_others(run: &Run, state: &State) -> Option<Event> {
    let maker = state.keys.maker(STEPS);
    let is_of_other = maker.is_some_and(|maker| maker != run.run_id);
    let goes = run.request.is_some() && is_of_other && !state.ram.steps().is_empty();
    goes.then(|| Event::Change(ram_own_deleted(STEPS)))
}

/// Returns a request that a person has written into `context` and that has no run yet.
fn new_request(state: &State) -> Option<String> {
    let request = state.ram.request()?;
    let mut open = state.runs.open();
    (!open.any(|run| run.owns_request(&state.ram))).then(|| request.to_owned())
}

/// Returns the pause after an iteration, in milliseconds.
///
/// It becomes longer while a model repeats itself.
fn delay_after(delay_ms: u64, no_progress_streak: u32) -> u64 {
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
