//! Decides what runs next: the open run, the next in the queue, or a wait for a new one; and time as
//! a trigger: when the slots of schedules are looked at, and how long nothing is due.
//!
//! Only triggers open runs; a run that was interrupted goes on before anything else.
//! `core::automation` decides what becomes of a slot. Only a daemon has a running timer: a single
//! request by hand must not start everything that is due.

use super::agent::Agent;
use super::asked_server::settle_model;
use super::concurrent_work::end_preempted;
use super::engine::Engine;
use super::observer::LoopEvent;
use super::run_profiles::end_without_owner;
use super::stop::Halt;
use crate::config::Config;
use crate::core::agent::{IdleProfile, LoopState, is_organizing_asked};
use crate::core::automation::{Rule, fire_due, judged_ahead, next_slot};
use crate::core::guard::{in_ram_of, ram_own, ram_own_deleted};
use crate::core::journal::{Cause, Event, State};
use crate::core::memory::ram::{CONTEXT, STATE, STEPS};
use crate::core::route::RetryPolicy;
use crate::core::run::{Run, RunState, Trigger};
use crate::ids::{EventId, RuleId, RunId};
use crate::limits::{
    CLOCK_LEAP_MS_MIN, NO_PROGRESS_MAX, NO_PROGRESS_PAUSE_MS_MAX, NO_PROGRESS_PAUSE_MS_MIN,
    RETENTION_EVERY_MS,
};
use crate::store::own_draft;
use crate::time::Timestamp;
use serde_json::Value;
use std::collections::BTreeSet;
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
        // Any other run of the main agent has gone on for as long as an edit left something to do.
        self.engine.files.is_edited &= run.trigger == Trigger::Idle || run.has_private_ram();
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
        if end_without_owner(&mut self.engine, &mut self.asker, &run)
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
        self.engine.profile = Arc::clone(self.profiles.of_run(&run));
        self.asker.charge_to(&mut self.engine, run_id).await?;
        // The record names the asked model; where none can be chosen, the call reports that.
        drop(settle_model(&mut self.engine).await?);
        self.engine.take_edits().await?;
        if run.request.is_some()
            && !run.has_private_ram()
            && let Some(request) = new_request(self.engine.state())
        {
            // The run's own request takes its place in `context`.
            self.queue_edit(Some(request)).await?;
        }
        let first = if run.trigger == Trigger::Idle {
            self.organizer.unasked_state(&mut self.engine).await?
        } else if run.request.is_none()
            && !run.has_private_ram()
            && run.rule_id.is_none()
            && is_organizing_asked(&self.engine.state().main.ram)
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
        let ram = &self.engine.state().memory_of(&run).ram;
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
        let draft = own_draft(cause, in_ram_of(&run, events), now);
        self.engine.commit(draft).await?;
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
        sleeps && !self.is_perpetual() && !is_organizing_asked(&state.main.ram)
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
    let memory = state.memory_of(run);
    let maker = memory.keys.maker(STEPS);
    let is_of_other = maker.is_some_and(|maker| maker != run.run_id);
    let goes = run.request.is_some() && is_of_other && !memory.ram.steps().is_empty();
    goes.then(|| Event::Change(ram_own_deleted(STEPS)))
}

/// Returns a request that a person has written into `context` and that has no run yet.
fn new_request(state: &State) -> Option<String> {
    let request = state.main.ram.request()?;
    let mut open = state.runs.open();
    (!open.any(|run| !run.has_private_ram() && run.owns_request(&state.main.ram)))
        .then(|| request.to_owned())
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

/// The timer of schedules: since when slots are waited for, and until when none is due.
#[derive(Debug, Default)]
pub(super) struct ScheduleTimer {
    presence: Option<UptimeSpan>,
    quiet: Option<QuietSpan>,
    /// The rules for which it was reported that a clock ahead has silenced them.
    reported: BTreeSet<RuleId>,
}

/// The time for which the program has been present, by the wall clock as it is now.
#[derive(Clone, Copy, Debug)]
struct UptimeSpan {
    since: Timestamp,
    seen: Timestamp,
    /// The uptime at the last look, in milliseconds.
    uptime_ms: u64,
}

impl UptimeSpan {
    /// Returns the presence at a later time.
    ///
    /// Where the wall clock has moved further than the uptime, the machine slept or the clock was
    /// put forward: only the uptime since the last look counts as presence. Where the clock was put
    /// back, the presence began earlier by it.
    fn at(self, now: Timestamp, uptime_ms: u64) -> Self {
        let lived_ms = uptime_ms.saturating_sub(self.uptime_ms);
        let expected = self.seen.after_millis(lived_ms);
        let since = if expected.millis_until(now) >= CLOCK_LEAP_MS_MIN {
            let lived_ms = i64::try_from(lived_ms).unwrap_or(i64::MAX);
            now.plus_millis(lived_ms.saturating_neg())
        } else if now.millis_until(expected) >= CLOCK_LEAP_MS_MIN {
            let back_ms = expected.millis.saturating_sub(now.millis);
            self.since.plus_millis(back_ms.saturating_neg())
        } else {
            self.since
        };
        Self {
            since,
            seen: now,
            uptime_ms,
        }
    }
}

/// A span of time in which nothing is due.
#[derive(Clone, Copy, Debug)]
struct QuietSpan {
    from: Timestamp,
    to: Option<Timestamp>,
}

impl ScheduleTimer {
    pub(super) const fn begin(&mut self, now: Timestamp, uptime_ms: u64) {
        self.presence = Some(UptimeSpan {
            since: now,
            seen: now,
            uptime_ms,
        });
    }

    /// Returns since when the program has been present for slots; `None` where it waits for none.
    fn present_since(&mut self, now: Timestamp, uptime_ms: u64) -> Option<Timestamp> {
        let presence = self.presence.as_mut()?;
        *presence = presence.at(now, uptime_ms);
        Some(presence.since)
    }

    /// Forgets the rules, which may have changed.
    pub(super) fn forget(&mut self) {
        self.quiet = None;
        self.reported.clear();
    }

    /// Returns whether nothing is known to be due.
    ///
    /// After a clock that was put back, slots are looked at anew.
    fn is_quiet(&self, now: Timestamp) -> bool {
        self.quiet
            .is_some_and(|quiet| quiet.from <= now && quiet.to.is_none_or(|to| now < to))
    }

    /// Returns how long nothing is due, in milliseconds; `None` if nothing ever is.
    pub(super) fn left_ms(&self, now: Timestamp) -> Option<u64> {
        let to = self.quiet?.to?;
        Some(now.millis_until(to))
    }

    /// Judges the slots up to now; `None` where none is waited for, or none is due yet.
    pub(super) fn fire_due(
        &mut self,
        config: &Config,
        state: &State,
        now: Timestamp,
        uptime_ms: u64,
    ) -> Option<DueSlots> {
        // Even where nothing is due: how the clock moved cannot be found out later.
        let since = self.present_since(now, uptime_ms);
        let since = since.filter(|_| !self.is_quiet(now))?;
        let mut notices = Vec::new();
        for rule in config.rules.iter() {
            let said = judged_ahead(rule, state, now);
            if let Some(said) = said.filter(|_| self.reported.insert(rule.rule_id)) {
                notices.push(format!("rule {}: {said}", rule.rule_id));
            }
        }
        let events = fire_due(&config.rules, config.scope.workspace_id, state, since, now);
        Some(DueSlots { notices, events })
    }

    /// Records until when nothing is due, once the slots up to now are judged.
    pub(super) fn set_quiet_until(&mut self, rules: &[Rule], state: &State, now: Timestamp) {
        self.quiet = Some(QuietSpan {
            from: now,
            to: next_slot(rules, state, now),
        });
    }
}

#[derive(Debug)]
pub(super) struct DueSlots {
    pub(super) notices: Vec<String>,
    pub(super) events: Vec<Event>,
}

#[cfg(test)]
mod tests {
    use super::{Timestamp, UptimeSpan};

    #[test]
    fn a_program_was_there_for_as_long_as_it_has_lived() {
        let minute = 60_000;
        // Both clocks begin together, and are looked at after an hour; then the wall clock is at
        // `wall` and the uptime at `lived`. The presence began at `since`. All are in minutes.
        for (what, wall, lived, since) in [
            ("nothing happened", 90, 90, 0),
            (
                "slept for eight hours, then lived five minutes",
                545,
                65,
                540,
            ),
            (
                "put forward by ten years",
                60 + 5_260_000,
                61,
                60 + 5_259_999,
            ),
            ("put back by two hours", 60 - 119, 61, -120),
            (
                "put back before the epoch",
                60 - 30_000_000,
                60,
                -30_000_000,
            ),
        ] {
            let begun = Timestamp::from_millis(0);
            let presence = UptimeSpan {
                since: begun,
                seen: begun,
                uptime_ms: 7,
            };
            let hour = presence.at(begun.plus_millis(60 * minute), 7 + 60 * 60_000);
            assert_eq!(hour.since, begun);
            let now = begun.plus_millis(wall * minute);
            let then = hour.at(now, 7 + lived * 60_000);
            assert_eq!(then.since.millis, since * minute, "{what}");
            // A leap counts once.
            let later = then.at(now.plus_millis(minute), 7 + (lived + 1) * 60_000);
            assert_eq!(later.since, then.since, "{what}");
        }
    }
}
