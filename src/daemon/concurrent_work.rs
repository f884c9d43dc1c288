//! The waits of a loop that runs, and the commands that come meanwhile.
//!
//! Whether the loop waits for a model, its server or a time, a command is carried out as soon as it
//! comes. It is refused only where the disk has no room. A request, a person's edit or a due slot
//! ends the call of an idle run at once, and nothing of the call is committed; any other run is
//! never interrupted here.

use super::asked_server::ProviderState;
use super::asker::Asker;
use super::clock::Clock;
use super::command::Envelope;
use super::command_handler::CommandHandler;
use super::engine::Engine;
use super::file_events::{FileEvents, POLL_MS, WATCHED_POLL_MS, drain};
use super::observer::LoopEvent;
use super::reload::Reload;
use super::status::Progress;
use super::stop::{Halt, Stop};
use super::waits::{Wakeup, WakeupSources, next_wakeup};
use crate::core::agent::preempt;
use crate::core::journal::Cause;
use crate::core::run::Run;
use crate::ids::RunId;
use crate::provider::StreamProgress;
use crate::store::inbox::InboxWatch;
use crate::store::{Error, Store, own_draft};
use std::pin::pin;
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::time::Instant;

/// The ways in which a person reaches the loop.
#[derive(Debug, Default)]
pub(super) struct Commands {
    pub(super) envelopes: Option<mpsc::Receiver<Envelope>>,
    /// The reload that reads the files again, if there is one.
    pub(super) reload: Option<Reload>,
    pub(super) cancelled: Option<RunId>,
}

/// An engine in parts, so that the provider can be asked while the rest works.
#[derive(Debug)]
pub(super) struct EngineParts<'a> {
    pub(super) server: &'a ProviderState,
    pub(super) arrived: &'a StreamProgress,
    pub(super) meanwhile: ConcurrentWork<'a>,
}

/// The part of the engine that works while the provider is asked.
#[derive(Debug)]
pub(super) struct ConcurrentWork<'a> {
    pub(super) handler: CommandHandler<'a>,
    progress: Progress<'a>,
    /// The events that end the wait of an idle run.
    preemption: Option<Preemption<'a>>,
    envelopes: &'a mut Option<mpsc::Receiver<Envelope>>,
    pub(super) stop: &'a Stop,
    clock: &'a dyn Clock,
}

impl ConcurrentWork<'_> {
    /// Looks at files, where that may end the wait.
    fn look(&mut self) -> Result<(), Halt> {
        let Some(preemption) = &mut self.preemption else {
            return Ok(());
        };
        if preemption.look(&mut self.handler)? {
            return Err(Halt::Preempted);
        }
        Ok(())
    }

    /// Waits for a future, and carries commands out meanwhile.
    ///
    /// Returns `None` where a command has cancelled the run under way. The future must be safe to
    /// drop.
    ///
    /// # Errors
    /// [`Halt::Preempted`] for an idle run, as soon as anything opens another one.
    pub(super) async fn wait_for<T>(
        &mut self,
        wanted: impl Future<Output = T>,
    ) -> Result<Option<T>, Halt> {
        let mut wanted = pin!(wanted);
        loop {
            if (self.preemption.as_ref()).is_some_and(|it| it.must_yield(&self.handler)) {
                return Err(Halt::Preempted);
            }
            let wakeup = next_wakeup(self.sources(), &mut wanted).await?;
            self.handler.now = self.clock.now();
            match wakeup {
                Wakeup::Ready(found) => return Ok(Some(found)),
                Wakeup::Command(envelope) => self.handler.serve(envelope)?,
                Wakeup::Progress => self.progress.report_progress(&mut self.handler),
                Wakeup::Files | Wakeup::Time | Wakeup::Reload => self.look()?,
            }
            if self.handler.is_called_off() {
                return Ok(None);
            }
        }
    }

    fn sources(&mut self) -> WakeupSources<'_> {
        let mut sources = WakeupSources::of(self.stop, self.handler.background_verify);
        sources.commands = self.envelopes.as_mut();
        sources.has_progress = self.progress.is_due();
        if let Some(preemption) = &mut self.preemption {
            let look_at = preemption.look_at(self.handler.store);
            sources.time = Some(Box::pin(tokio::time::sleep_until(look_at)));
            sources.files = preemption.events.as_deref_mut();
        }
        sources
    }
}

impl Engine {
    /// Splits the engine into the provider and the part that works while it is asked.
    pub(super) fn apart(&mut self) -> EngineParts<'_> {
        let handler = CommandHandler {
            store: &mut self.store,
            config: &self.profile.config,
            background_verify: &mut self.background_verify,
            observer: self.observer.as_mut(),
            heartbeat: &self.status.heartbeat,
            now: self.clock.now(),
            meanwhile: &mut self.files.meanwhile,
            is_edited: &mut self.files.is_edited,
            reload: self.commands.reload.as_ref(),
            cancelled: Some(&mut self.commands.cancelled),
            failed_after: None,
        };
        let begun = Instant::now();
        let due_ms = self
            .schedule_timer
            .left_ms(handler.now)
            .map(Duration::from_millis);
        let due_at = due_ms.and_then(|due_ms| begun.checked_add(due_ms));
        let preemption = self.idle_run.map(|run_id| Preemption {
            run_id,
            events: &mut self.files.events,
            inbox: &self.files.inbox,
            due_at,
            looked_at: begun,
        });
        let progress = Progress {
            status: &mut self.status.status,
            lock: self.status.lock.as_ref(),
            arrived: &self.status.arrived,
            shown_at: None,
        };
        let meanwhile = ConcurrentWork {
            handler,
            progress,
            preemption,
            envelopes: &mut self.commands.envelopes,
            stop: &self.stop,
            clock: self.clock.as_ref(),
        };
        EngineParts {
            server: self.pools.of(self.profile.servers_of.as_ref()).in_force(),
            arrived: &self.status.arrived,
            meanwhile,
        }
    }

    /// Carries a command out, between two steps of the loop.
    pub(super) fn serve(&mut self, envelope: Envelope) -> Result<(), Halt> {
        self.apart().meanwhile.handler.serve(envelope)
    }
}

/// A time that is longer than any call takes, in milliseconds.
const NEVER_MS: u64 = 24 * 60 * 60 * 1000;

/// The events that can end the call of an idle run.
#[derive(Debug)]
struct Preemption<'a> {
    run_id: RunId,
    events: &'a mut Option<Box<dyn FileEvents + Send>>,
    inbox: &'a InboxWatch,
    /// The time of the next slot of a schedule.
    due_at: Option<Instant>,
    /// The time of the last look at files; before that, the beginning of the wait.
    looked_at: Instant,
}

impl Preemption<'_> {
    /// Returns when to look at files even without an event, or when a slot is due.
    ///
    /// The time is the real one: a request is out, and its server takes real time.
    fn look_at(&self, store: &Store) -> Instant {
        let poll_ms = if store.is_private() {
            NEVER_MS
        } else if self.events.is_some() && !store.needs_another_look() {
            WATCHED_POLL_MS
        } else {
            POLL_MS
        };
        let poll_at = self.looked_at + Duration::from_millis(poll_ms);
        self.due_at.map_or(poll_at, |due_at| due_at.min(poll_at))
    }

    /// Looks at the files; returns whether the idle run has to give way.
    ///
    /// Edits are taken in; a request stays where it is.
    fn look(&mut self, handler: &mut CommandHandler<'_>) -> Result<bool, Halt> {
        self.looked_at = Instant::now();
        drain(self.events, handler.store, handler.observer);
        match handler.take_edits() {
            Err(error) if error.is_full() => {}
            taken => taken?,
        }
        let has_request = handler.store.inbox().has_request(self.inbox)?;
        let is_due = self.due_at.is_some_and(|due_at| due_at <= self.looked_at);
        Ok(has_request || is_due || self.must_yield(handler))
    }

    /// Returns whether anything has opened another run, or an edit is about to.
    fn must_yield(&self, handler: &CommandHandler<'_>) -> bool {
        *handler.is_edited || opened_beside(handler.store.state().runs.open(), self.run_id)
    }
}

pub(super) fn opened_beside<'a>(mut open: impl Iterator<Item = &'a Run>, idle_run: RunId) -> bool {
    open.any(|run| run.run_id != idle_run)
}

impl CommandHandler<'_> {
    /// Takes in a person's edits while the model answers.
    pub(super) fn take_edits(&mut self) -> Result<(), Error> {
        for message in self.store.read_notes(self.now)? {
            self.observer.notice(&message);
        }
        let report = self.store.take_edits(self.now)?;
        self.observer.on_edits(&report);
        *self.is_edited |= !report.edited.ram_keys.is_empty();
        self.meanwhile.ram_keys.extend(report.edited.ram_keys);
        self.meanwhile.notes.extend(report.edited.notes);
        Ok(())
    }
}

/// Ends an idle run whose call was given up.
///
/// The possible cost of the call is counted; nothing else of it is kept.
pub(super) async fn end_preempted(
    engine: &mut Engine,
    asker: &mut Asker,
    run_id: RunId,
) -> Result<Run, Halt> {
    asker.settle_now(engine).await?;
    engine.report_busy();
    let run = engine.record(run_id)?;
    if run.is_finished() {
        return Ok(run);
    }
    let now = engine.now();
    let events = preempt(&run, &engine.state().memory_of(&run).ram, now);
    let cause = Cause::run("run", run_id);
    engine.commit(own_draft(cause, events, now)).await?;
    let message = "the idle run gives way to what was asked for";
    engine.observer.on_event(LoopEvent::Progress { message });
    engine.record(run_id)
}
