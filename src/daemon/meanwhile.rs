//! The waits of a loop that lives, and what becomes of commands meanwhile: whatever the loop waits for, be
//! it a model, its server or mere time, a command is carried out as soon as it comes. Only where the disk
//! has no room is it refused.

use super::agent::{Agent, Halt, MessageHashes};
use super::clock::Clock;
use super::command::{Envelope, next_envelope};
use super::command_handler::CommandHandler;
use super::preempt::Preemption;
use super::progress::Progress;
use super::provider_pool::AskedServer;
use super::rest::or_never;
use super::stop::Stop;
use crate::config::Config;
use crate::failure::Failure;
use crate::provider::Arrived;
use std::pin::pin;
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::time::Instant;

/// An agent taken apart, so that something can be asked of the provider while the rest works.
#[derive(Debug)]
pub(super) struct Apart<'a> {
    pub(super) server: &'a AskedServer,
    pub(super) config: &'a Config,
    pub(super) hashes: &'a mut MessageHashes,
    pub(super) arrived: &'a Arrived,
    pub(super) meanwhile: Meanwhile<'a>,
}

/// What is waited with, while something is asked of the provider.
#[derive(Debug)]
pub(super) struct Meanwhile<'a> {
    pub(super) handler: CommandHandler<'a>,
    /// How far the answer is.
    progress: Progress<'a>,
    /// What ends the wait where it is for an idle run.
    preemption: Option<Preemption<'a>>,
    envelopes: &'a mut Option<mpsc::Receiver<Envelope>>,
    stop: &'a Stop,
    clock: &'a dyn Clock,
}

/// What happens while something is waited for.
enum Event {
    /// A command has come.
    Envelope(Envelope),
    /// Files are worth a look.
    News,
    /// More of the answer may have arrived.
    Tick,
}

impl Meanwhile<'_> {
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

    /// Waits for something, and carries commands out; gives nothing where one of them has called off the
    /// run under way. What is waited for must be safe to drop.
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
            let news = self.preemption.as_mut().map(|it| it.news(&self.handler));
            let event = tokio::select! {
                biased;
                () = self.stop.asked() => return Err(Halt::Stopped),
                found = &mut wanted => return Ok(Some(found)),
                envelope = next_envelope(self.envelopes) => Event::Envelope(envelope),
                () = or_never(news) => Event::News,
                () = self.progress.tick() => Event::Tick,
            };
            self.handler.now = self.clock.now();
            match event {
                Event::Envelope(envelope) => self.handler.serve(envelope)?,
                Event::News => self.look()?,
                Event::Tick => self.progress.report_progress(&mut self.handler),
            }
            if self.handler.is_called_off() {
                return Ok(None);
            }
        }
    }
}

impl Agent {
    /// Has the agent carry out commands.
    pub fn serve_by(&mut self, envelopes: mpsc::Receiver<Envelope>) {
        self.envelopes = Some(envelopes);
    }

    /// Has the agent carry out no more commands. Whoever waits for one that was not begun is told that
    /// nothing was changed.
    pub fn serve_no_more(&mut self) {
        self.envelopes = None;
    }

    /// The provider, and what is waited with for its answer.
    pub(super) fn apart(&mut self) -> Apart<'_> {
        let handler = CommandHandler {
            store: &mut self.store,
            config: &self.profile.config,
            background_verify: &mut self.background_verify,
            observer: self.observer.as_mut(),
            heartbeat: &self.heartbeat,
            now: self.clock.now(),
            meanwhile: &mut self.meanwhile,
            is_edited: &mut self.is_edited,
            reload: self.reload.as_ref(),
            cancelled: Some(&mut self.cancelled),
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
            events: &mut self.events,
            inbox: &self.inbox,
            due_at,
            looked_at: begun,
        });
        let progress = Progress {
            status: &mut self.status,
            lock: self.lock.as_ref(),
            arrived: &self.arrived,
            shown_at: None,
        };
        let meanwhile = Meanwhile {
            handler,
            progress,
            preemption,
            envelopes: &mut self.envelopes,
            stop: &self.stop,
            clock: self.clock.as_ref(),
        };
        Apart {
            server: &self.pools.of(self.profile.servers_of).in_force,
            config: &self.profile.config,
            hashes: &mut self.hashes,
            arrived: &self.arrived,
            meanwhile,
        }
    }

    /// Waits for something before the loop begins to live, such as a server that comes up, and carries
    /// commands out meanwhile.
    ///
    /// # Errors
    /// Where the end is asked for first, or the store cannot go on.
    pub async fn serve_until<T>(&mut self, wanted: impl Future<Output = T>) -> Result<T, Halt> {
        let mut wanted = pin!(wanted);
        loop {
            if let Some(found) = self.apart().meanwhile.wait_for(&mut wanted).await? {
                return Ok(found);
            }
        }
    }

    /// Carries a command out, between two steps of the loop.
    pub(super) fn serve(&mut self, envelope: Envelope) -> Result<(), Halt> {
        self.apart().meanwhile.handler.serve(envelope)
    }

    /// Waits like [`Agent::pause`], and carries commands out meanwhile. A cancelled run ends the wait.
    pub(super) async fn pause_serving(&mut self, delay_ms: u64) -> Result<(), Halt> {
        let end_ms = self.clock.uptime_ms().saturating_add(delay_ms);
        let mut envelopes = self.envelopes.take();
        let ended = self.pause_until(end_ms, delay_ms, &mut envelopes).await;
        self.envelopes = envelopes;
        ended
    }

    async fn pause_until(
        &mut self,
        end_ms: u64,
        delay_ms: u64,
        envelopes: &mut Option<mpsc::Receiver<Envelope>>,
    ) -> Result<(), Halt> {
        let mut left_ms = delay_ms;
        loop {
            // Dropping the pause drops nothing but a wait; a letter that has come is served.
            let envelope = tokio::select! {
                biased;
                envelope = next_envelope(envelopes) => envelope,
                ended = self.pause(left_ms) => return ended,
            };
            self.serve(envelope)?;
            if self.cancelled.is_some() || self.is_preempted() || self.stop.is_asked() {
                return Ok(());
            }
            left_ms = end_ms.saturating_sub(self.clock.uptime_ms());
        }
    }

    /// Waits like [`Agent::pause`] with something half done; whoever asks for something meanwhile is told
    /// why it cannot be.
    pub(super) async fn pause_refusing(
        &mut self,
        delay_ms: u64,
        why: &Failure,
    ) -> Result<(), Halt> {
        let mut envelopes = self.envelopes.take();
        let ended = {
            let mut pause = pin!(self.pause(delay_ms));
            loop {
                tokio::select! {
                    biased;
                    envelope = next_envelope(&mut envelopes) => envelope.refuse(why.clone()),
                    ended = &mut pause => break ended,
                }
            }
        };
        self.envelopes = envelopes;
        ended
    }
}
