//! The wakeups and the pauses of the loop: each wait is made here, and ends at once where the end is
//! asked for or damage is found.
//!
//! Commands are carried out or refused meanwhile. The waits for a future are in `concurrent_work`.

use super::background_verify::BackgroundVerify;
use super::clock::Clock;
use super::command::{Envelope, next_envelope};
use super::concurrent_work::opened_beside;
use super::engine::{Engine, PAUSE_MS_MIN};
use super::file_events::{FileEvents, NOTES_PER_WATCHED_POLL, POLL_MS, WATCHED_POLL_MS};
use super::observer::LoopEvent;
use super::reload::Reload;
use super::schedule::DueSlots;
use super::status::tick;
use super::stop::{Halt, Stop};
use crate::core::journal::Cause;
use crate::failure::{Code, Failure};
use crate::limits::SLOTS_LOOK_MS_MAX;
use crate::provider::{CallFuture, ProviderError};
use crate::store::own_draft;
use std::future::pending;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc;

/// The longest pause between two attempts while something outside fails, in milliseconds.
const PAUSE_MS_MAX: u64 = 60_000;

/// The shortest pause within a call that is reported, in milliseconds.
const PAUSE_REPORTED_MS_MIN: u64 = 1000;

/// The treatment of a command that comes during a wait.
#[derive(Clone, Copy, Debug)]
enum CommandPolicy<'a> {
    /// The command stays in its queue.
    Leave,
    /// The command is carried out; the wait goes on unless that has changed what there is to do.
    CarryOut,
    /// The command is refused for this reason: something is half done.
    Refuse(&'a Failure),
    /// The command is carried out and ends the wait, as a reload does.
    EndWith,
}

impl Engine {
    /// Reports a wait for something outside, waits, and doubles the next wait.
    ///
    /// Commands are refused meanwhile.
    pub(super) async fn wait_for_better(
        &mut self,
        code: Code,
        message: &str,
        pause_ms: &mut u64,
    ) -> Result<(), Halt> {
        let delay_ms = self.report_wait(code, message, pause_ms, None);
        let why = Failure::new(code, message);
        self.wait(delay_ms, CommandPolicy::Refuse(&why)).await
    }

    /// Reports a wait, and doubles the next one; returns its length in milliseconds.
    ///
    /// On a private root nobody adds files: only time and the next slot can open a budget. A wait
    /// with a known end is reported with that end, however often files are looked at until then.
    fn report_wait(
        &mut self,
        code: Code,
        message: &str,
        pause_ms: &mut u64,
        due_ms: Option<u64>,
    ) -> u64 {
        let most_ms = if code == Code::BudgetExceeded && self.store.is_private() {
            let next_slot_ms = self.schedule_timer.left_ms(self.now());
            next_slot_ms.unwrap_or(u64::MAX)
        } else {
            PAUSE_MS_MAX
        };
        let delay_ms = (*pause_ms).min(most_ms).max(PAUSE_MS_MIN);
        self.report_waiting(code, message, due_ms.unwrap_or(0).max(delay_ms));
        self.observer.on_event(LoopEvent::Waiting {
            code,
            message,
            delay_ms,
        });
        *pause_ms = delay_ms.saturating_mul(2);
        delay_ms
    }

    /// Waits, unless the end is asked for first or damage is found. Commands stay in their queue.
    pub(super) async fn pause(&mut self, delay_ms: u64) -> Result<(), Halt> {
        self.wait(delay_ms, CommandPolicy::Leave).await
    }

    /// Waits like [`Engine::pause`], but carries commands out. A cancelled run ends the wait.
    pub(super) async fn pause_serving(&mut self, delay_ms: u64) -> Result<(), Halt> {
        self.wait(delay_ms, CommandPolicy::CarryOut).await
    }

    /// Waits, and treats each command that comes meanwhile as `on_command` says.
    ///
    /// The check of what the start left unread begins with the first wait at the latest.
    async fn wait(&mut self, delay_ms: u64, on_command: CommandPolicy<'_>) -> Result<(), Halt> {
        let end_ms = self.clock.uptime_ms().saturating_add(delay_ms);
        let mut left_ms = delay_ms;
        loop {
            self.status.heartbeat.step(left_ms);
            if left_ms > 0 {
                self.background_verify.begin(&mut self.store);
                self.tend_index()?;
            }
            let mut sources = WakeupSources::of(&self.stop, &self.background_verify);
            sources.time = Some(pass(self.clock.as_ref(), left_ms));
            if !matches!(on_command, CommandPolicy::Leave) {
                sources.commands = self.commands.envelopes.as_mut();
            }
            if matches!(on_command, CommandPolicy::EndWith) {
                sources.reload = self.commands.reload.as_ref();
            }
            match (next_wakeup(sources, pending::<()>()).await?, on_command) {
                (Wakeup::Command(envelope), CommandPolicy::Refuse(why)) => {
                    envelope.refuse(why.clone());
                }
                (Wakeup::Command(envelope), CommandPolicy::CarryOut) => {
                    self.serve(envelope)?;
                    if self.commands.cancelled.is_some() || self.is_preempted() {
                        return Ok(());
                    }
                }
                (Wakeup::Command(envelope), _) => return self.serve(envelope),
                _ => return Ok(()),
            }
            left_ms = end_ms.saturating_sub(self.clock.uptime_ms());
        }
    }

    /// Waits between two iterations like [`Engine::pause_serving`], but judges slots that come.
    pub(super) async fn pause_for_slots(&mut self, delay_ms: u64) -> Result<(), Halt> {
        let end_ms = self.clock.uptime_ms().saturating_add(delay_ms);
        loop {
            let left_ms = end_ms.saturating_sub(self.clock.uptime_ms());
            let due_ms = self.schedule_timer.left_ms(self.now());
            let due_ms = due_ms.map(|due_ms| due_ms.min(SLOTS_LOOK_MS_MAX));
            let Some(due_ms) = due_ms.filter(|due_ms| *due_ms < left_ms) else {
                return self.pause_serving(left_ms).await;
            };
            self.pause_serving(due_ms).await?;
            if self.commands.cancelled.is_some() {
                return Ok(());
            }
            self.let_time_pass().await?;
        }
    }

    /// Waits for a model server that is away.
    ///
    /// A reload ends the wait, since it may name another server. So does a command, after which the
    /// prompt may be another one.
    pub(super) async fn wait_for_server(
        &mut self,
        code: Code,
        message: &str,
        pause_ms: &mut u64,
        due_ms: Option<u64>,
    ) -> Result<(), Halt> {
        if code == Code::LlmUnavailable {
            self.server_mut().context_window.look_again();
        }
        let delay_ms = self.report_wait(code, message, pause_ms, due_ms);
        self.wait(delay_ms, CommandPolicy::EndWith).await
    }

    /// Rests until there may be something to do, for `longest_ms` milliseconds at most.
    ///
    /// A changed file, a reload, a command or the next look at the files ends the rest.
    pub(super) async fn rest(&mut self, longest_ms: Option<u64>) -> Result<(), Halt> {
        self.tend_index()?;
        let is_reported = self.files.events.is_some()
            && !self.files.inbox.is_expecting()
            && !self.store.needs_another_look()
            && !self.store.awaits_index();
        let poll_ms = if self.store.is_private() && !self.store.needs_another_look() {
            u64::MAX
        } else if is_reported {
            WATCHED_POLL_MS
        } else {
            POLL_MS
        };
        let delay_ms = longest_ms.map_or(poll_ms, |longest_ms| longest_ms.min(poll_ms));
        self.background_verify.begin(&mut self.store);
        self.status.heartbeat.step(delay_ms);
        let mut sources = WakeupSources::of(&self.stop, &self.background_verify);
        sources.reload = self.commands.reload.as_ref();
        sources.commands = self.commands.envelopes.as_mut();
        sources.files = self.files.events.as_deref_mut();
        sources.time = Some(self.clock.sleep(Duration::from_millis(delay_ms)));
        match next_wakeup(sources, pending::<()>()).await? {
            Wakeup::Command(envelope) => return self.serve(envelope),
            Wakeup::Time => {
                // No event reports a change of the journal, which nobody else may write.
                self.store.check_journal()?;
                if is_reported && delay_ms == WATCHED_POLL_MS {
                    self.store.look_at_notes_next(NOTES_PER_WATCHED_POLL);
                }
            }
            Wakeup::Ready(()) | Wakeup::Reload | Wakeup::Files | Wakeup::Progress => {}
        }
        Ok(())
    }

    /// Judges the slots up to now, and opens the runs that are due, each exactly once.
    ///
    /// A time that has been judged is never judged again, whatever becomes of the process or the
    /// clock.
    pub(super) async fn let_time_pass(&mut self) -> Result<(), Halt> {
        let (now, uptime_ms) = (self.now(), self.clock.uptime_ms());
        let profile = Arc::clone(&self.profile);
        let config = &profile.config;
        let due = self
            .schedule_timer
            .fire_due(config, self.store.state(), now, uptime_ms);
        let Some(DueSlots { notices, events }) = due else {
            return Ok(());
        };
        for message in &notices {
            self.notice(message);
        }
        if !events.is_empty() {
            let draft = own_draft(Cause::plain("schedule"), events, now);
            self.commit(draft).await?;
        }
        self.schedule_timer
            .set_quiet_until(&config.rules, self.store.state(), now);
        Ok(())
    }

    /// Returns whether another run is open beside the idle run under way.
    pub(super) fn is_preempted(&self) -> bool {
        let open = self.state().runs.open();
        self.idle_run.is_some_and(|id| opened_beside(open, id))
    }

    /// Waits within a call, and reports a wait for which a server is the reason.
    pub(super) async fn pause_reporting(
        &mut self,
        why: Option<&ProviderError>,
        pause_ms: u64,
    ) -> Result<(), Halt> {
        let Some(error) = why.filter(|_| pause_ms >= PAUSE_REPORTED_MS_MIN) else {
            return self.pause_serving(pause_ms).await;
        };
        self.report_waiting(error.code, &error.message, pause_ms);
        let ended = self.pause_serving(pause_ms).await;
        self.report_retrying();
        ended
    }
}

/// Lets time pass, from when the future is awaited.
fn pass(clock: &dyn Clock, ms: u64) -> CallFuture<'_, ()> {
    if ms == 0 {
        // A timer would make it a whole millisecond.
        return Box::pin(tokio::task::yield_now());
    }
    Box::pin(async move { clock.sleep(Duration::from_millis(ms)).await })
}

/// An event that wakes the loop.
#[derive(Debug)]
pub(super) enum Wakeup<T> {
    Ready(T),
    Reload,
    Command(Envelope),
    Files,
    Progress,
    Time,
}

/// The sources of wakeups, beside the awaited future.
pub(super) struct WakeupSources<'a> {
    stop: &'a Stop,
    damage: CallFuture<'static, Halt>,
    pub(super) reload: Option<&'a Reload>,
    pub(super) commands: Option<&'a mut mpsc::Receiver<Envelope>>,
    pub(super) files: Option<&'a mut (dyn FileEvents + Send + 'static)>,
    pub(super) has_progress: bool,
    pub(super) time: Option<CallFuture<'a, ()>>,
}

impl<'a> WakeupSources<'a> {
    /// Makes the sources with only the end and damage.
    pub(super) fn of(stop: &'a Stop, background_verify: &BackgroundVerify) -> Self {
        Self {
            stop,
            damage: Box::pin(background_verify.damage()),
            reload: None,
            commands: None,
            files: None,
            has_progress: false,
            time: None,
        }
    }
}

/// Waits for a future, or for a wakeup before it. Cancel safe where the future is.
///
/// # Errors
/// Where the end is asked for or damage is found.
pub(super) async fn next_wakeup<T>(
    sources: WakeupSources<'_>,
    wanted: impl Future<Output = T>,
) -> Result<Wakeup<T>, Halt> {
    let progress = sources.has_progress.then(tick);
    // Each arm can be dropped at any point: its event is not lost.
    tokio::select! {
        biased;
        () = sources.stop.asked() => Err(Halt::Stopped),
        halt = sources.damage => Err(halt),
        wanted = wanted => Ok(Wakeup::Ready(wanted)),
        () = or_never(sources.reload.map(Reload::asked)) => Ok(Wakeup::Reload),
        envelope = or_never(sources.commands.map(next_envelope)) => Ok(Wakeup::Command(envelope)),
        () = or_never(sources.files.map(FileEvents::changed)) => Ok(Wakeup::Files),
        () = or_never(progress) => Ok(Wakeup::Progress),
        () = or_never(sources.time) => {
            // The time may have been that of the end.
            if sources.stop.is_asked() { Err(Halt::Stopped) } else { Ok(Wakeup::Time) }
        }
    }
}

/// Waits for a future; for ever where there is none.
async fn or_never<T>(wanted: Option<impl Future<Output = T>>) -> T {
    match wanted {
        Some(wanted) => wanted.await,
        None => pending().await,
    }
}
