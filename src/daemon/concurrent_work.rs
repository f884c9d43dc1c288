//! The waits of a loop that runs, and the commands that come meanwhile.
//!
//! Whether the loop waits for a model, its server or a time, a command is carried out as soon as it
//! comes. It is refused only where the disk has no room.

use super::asked_server::ProviderState;
use super::clock::Clock;
use super::command::Envelope;
use super::command_handler::CommandHandler;
use super::engine::Engine;
use super::preempt::Preemption;
use super::reload::Reload;
use super::status::Progress;
use super::stop::{Halt, Stop};
use super::waits::{Wakeup, WakeupSources, next_wakeup};
use crate::ids::RunId;
use crate::provider::StreamProgress;
use std::pin::pin;
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::time::Instant;

/// The ways in which a person reaches the loop.
#[derive(Debug, Default)]
pub(super) struct Commands {
    /// The channel of commands, if there is one.
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
            server: self.pools.of(self.profile.servers_of).in_force(),
            arrived: &self.status.arrived,
            meanwhile,
        }
    }

    /// Carries a command out, between two steps of the loop.
    pub(super) fn serve(&mut self, envelope: Envelope) -> Result<(), Halt> {
        self.apart().meanwhile.handler.serve(envelope)
    }
}
