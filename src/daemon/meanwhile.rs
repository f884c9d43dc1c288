//! The waits of a loop that lives, and what becomes of errands meanwhile: whatever the loop waits for, be
//! it a model, its server or mere time, an errand is carried out as soon as it comes. Only where the disk
//! has no room is it refused.

use super::agent::{Agent, Halt, MessageHashes};
use super::clock::Clock;
use super::counter::Counter;
use super::errand::{Letter, next_letter};
use super::preempt::Preemption;
use super::progress::Progress;
use super::rest::or_never;
use super::stop::Stop;
use crate::config::Config;
use crate::failure::Failure;
use crate::provider::{Arrived, Pipeline};
use std::pin::pin;
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::time::Instant;

/// An agent taken apart, so that something can be asked of the provider while the rest works.
#[derive(Debug)]
pub(super) struct Apart<'a> {
    pub(super) pipeline: &'a Pipeline,
    pub(super) config: &'a Config,
    pub(super) hashes: &'a mut MessageHashes,
    pub(super) arrived: &'a Arrived,
    pub(super) meanwhile: Meanwhile<'a>,
}

/// What is waited with, while something is asked of the provider.
#[derive(Debug)]
pub(super) struct Meanwhile<'a> {
    pub(super) counter: Counter<'a>,
    /// How far the answer is.
    progress: Progress<'a>,
    /// What ends the wait where it is for an idle run.
    preemption: Option<Preemption<'a>>,
    letters: &'a mut Option<mpsc::Receiver<Letter>>,
    stop: &'a Stop,
    clock: &'a dyn Clock,
}

/// What happens while something is waited for.
enum Event {
    /// An errand has come.
    Letter(Letter),
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
        if preemption.look(&mut self.counter)? {
            return Err(Halt::Preempted);
        }
        Ok(())
    }

    /// Waits for something, and carries errands out; gives nothing where one of them has called off the
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
            if (self.preemption.as_ref()).is_some_and(|it| it.must_yield(&self.counter)) {
                return Err(Halt::Preempted);
            }
            let news = self.preemption.as_mut().map(|it| it.news(&self.counter));
            let event = tokio::select! {
                biased;
                () = self.stop.asked() => return Err(Halt::Stopped),
                found = &mut wanted => return Ok(Some(found)),
                letter = next_letter(self.letters) => Event::Letter(letter),
                () = or_never(news) => Event::News,
                () = self.progress.tick() => Event::Tick,
            };
            self.counter.now = self.clock.now();
            match event {
                Event::Letter(letter) => self.counter.serve(letter)?,
                Event::News => self.look()?,
                Event::Tick => self.progress.tell(&mut self.counter),
            }
            if self.counter.is_called_off() {
                return Ok(None);
            }
        }
    }
}

impl Agent {
    /// Has the agent carry out errands.
    pub fn serve_by(&mut self, letters: mpsc::Receiver<Letter>) {
        self.letters = Some(letters);
    }

    /// Has the agent carry out no more errands. Whoever waits for one that was not begun is told that
    /// nothing was changed.
    pub fn serve_no_more(&mut self) {
        self.letters = None;
    }

    /// The provider, and what is waited with for its answer.
    pub(super) fn apart(&mut self) -> Apart<'_> {
        let counter = Counter {
            store: &mut self.store,
            config: &self.config,
            survey: &mut self.survey,
            watcher: self.watcher.as_mut(),
            pulse: &self.pulse,
            now: self.clock.now(),
            meanwhile: &mut self.meanwhile,
            is_edited: &mut self.is_edited,
            reload: self.reload.as_ref(),
            cancelled: Some(&mut self.cancelled),
            failed_after: None,
        };
        let begun = Instant::now();
        let due_ms = self.hours.left_ms(counter.now).map(Duration::from_millis);
        let due_at = due_ms.and_then(|due_ms| begun.checked_add(due_ms));
        let preemption = self.idle_run.map(|run_id| Preemption {
            run_id,
            events: &mut self.events,
            inbox: &self.inbox,
            due_at,
            looked_at: begun,
        });
        let progress = Progress {
            doing: &mut self.doing,
            lock: self.lock.as_ref(),
            arrived: &self.arrived,
            told: None,
        };
        let meanwhile = Meanwhile {
            counter,
            progress,
            preemption,
            letters: &mut self.letters,
            stop: &self.stop,
            clock: self.clock.as_ref(),
        };
        Apart {
            pipeline: &self.pipeline,
            config: &self.config,
            hashes: &mut self.hashes,
            arrived: &self.arrived,
            meanwhile,
        }
    }

    /// Waits for something before the loop begins to live, such as a server that comes up, and carries
    /// errands out meanwhile.
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

    /// Carries an errand out, between two steps of the loop.
    pub(super) fn serve(&mut self, letter: Letter) -> Result<(), Halt> {
        self.apart().meanwhile.counter.serve(letter)
    }

    /// Waits like [`Agent::pause`], and carries errands out meanwhile. A cancelled run ends the wait.
    pub(super) async fn pause_serving(&mut self, delay_ms: u64) -> Result<(), Halt> {
        let end_ms = self.clock.uptime_ms().saturating_add(delay_ms);
        let mut letters = self.letters.take();
        let ended = self.pause_until(end_ms, delay_ms, &mut letters).await;
        self.letters = letters;
        ended
    }

    async fn pause_until(
        &mut self,
        end_ms: u64,
        delay_ms: u64,
        letters: &mut Option<mpsc::Receiver<Letter>>,
    ) -> Result<(), Halt> {
        let mut left_ms = delay_ms;
        loop {
            // Dropping the pause drops nothing but a wait; a letter that has come is served.
            let letter = tokio::select! {
                biased;
                letter = next_letter(letters) => letter,
                ended = self.pause(left_ms) => return ended,
            };
            self.serve(letter)?;
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
        let mut letters = self.letters.take();
        let ended = {
            let mut pause = pin!(self.pause(delay_ms));
            loop {
                tokio::select! {
                    biased;
                    letter = next_letter(&mut letters) => letter.refuse(why.clone()),
                    ended = &mut pause => break ended,
                }
            }
        };
        self.letters = letters;
        ended
    }
}
