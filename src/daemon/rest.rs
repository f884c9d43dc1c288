//! The rest of an agent that has nothing to do: how long it may be, and what ends it. Where the system
//! tells of changed files, a long rest misses nothing; where it does not, files are looked at often.

use super::agent::{Agent, Halt};
use super::command::next_envelope;
use super::observer::LoopEvent;
use crate::provider::CallFuture;
use crate::store::{FileWatch, Seen};
use std::fmt;
use std::io;
use std::time::Duration;
use tokio::io::unix::AsyncFd;

/// How often the inbox and the files are looked at where nobody tells of changes, and while
/// something in them is not finished yet, in milliseconds.
pub(super) const POLL_MS: u64 = 1000;

/// How often they are looked at where changes are told of, in milliseconds: for what no system
/// tells, such as a file that is written through a mapping.
pub(super) const WATCHED_POLL_MS: u64 = 60_000;

/// Notes looked at in one of those rare looks.
const NOTES_PER_WATCHED_POLL: usize = 4096;

/// Something that tells of changed files.
pub trait FileEvents: fmt::Debug {
    /// Waits until something may have changed. Cancel safe: what was seen stays for
    /// [`FileEvents::take`].
    fn changed(&mut self) -> CallFuture<'_, ()>;

    /// What was seen since the last call. Never waits.
    ///
    /// # Errors
    /// Where it cannot be relied on any more; it is not asked again then.
    fn take(&mut self) -> io::Result<Seen>;
}

/// The system's own telling. Needs the runtime in which it is waited for.
#[derive(Debug)]
pub struct SystemEvents {
    watch: AsyncFd<FileWatch>,
    /// Read while it was waited for.
    seen: Seen,
    /// Why it cannot be relied on any more, until somebody asks.
    broken: Option<io::Error>,
}

impl SystemEvents {
    /// Waits for what a watch tells, in the runtime that is entered.
    #[expect(
        deprecated,
        reason = "what is to replace it is unsafe; this watch owns its descriptor for as long as it lives"
    )]
    pub fn of(watch: FileWatch) -> io::Result<Self> {
        Ok(Self {
            watch: AsyncFd::try_new(watch)?,
            seen: Seen::default(),
            broken: None,
        })
    }

    fn read(&mut self) {
        match self.watch.get_mut().take() {
            Ok(seen) => self.seen.add(seen),
            Err(error) => self.broken = Some(error),
        }
    }

    async fn wait(&mut self) {
        loop {
            if !self.seen.is_nothing() || self.broken.is_some() {
                return;
            }
            match self.watch.readable_mut().await {
                Ok(mut ready) => ready.clear_ready(),
                Err(error) => {
                    self.broken = Some(error);
                    return;
                }
            }
            // Read after it was marked as read: what comes meanwhile marks it again.
            self.read();
        }
    }
}

impl FileEvents for SystemEvents {
    fn changed(&mut self) -> CallFuture<'_, ()> {
        Box::pin(self.wait())
    }

    fn take(&mut self) -> io::Result<Seen> {
        self.read();
        match self.broken.take() {
            Some(error) => Err(error),
            None => Ok(std::mem::take(&mut self.seen)),
        }
    }
}

impl Agent {
    /// Has the agent told of changed files.
    pub fn watch_by(&mut self, events: Box<dyn FileEvents + Send>) {
        self.events = Some(events);
    }

    /// Lets the store know where to look.
    pub(super) fn drain_file_events(&mut self) {
        match self.events.as_mut().map(|events| events.take()) {
            None => {}
            Some(Ok(seen)) => self.store.note_seen(&seen),
            Some(Err(error)) => {
                self.events = None;
                let message = unwatched(&error);
                self.observer
                    .on_event(LoopEvent::Notice { message: &message });
            }
        }
    }

    /// Rests for so long, or until there may be something to do: a file has changed, a reload was
    /// asked for, or it is time to look at the files anyway.
    pub(super) async fn rest(&mut self, longest_ms: Option<u64>) -> Result<(), Halt> {
        self.tend_index()?;
        let is_reported = self.events.is_some()
            && !self.expects_request()
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
        let asked = self.reload.as_ref().map(super::reload::Reload::asked);
        let changed = self.events.as_mut().map(|events| events.changed());
        self.heartbeat.step(delay_ms);
        let mut envelope = None;
        // Each arm can be dropped at any point: a rest holds nothing.
        tokio::select! {
            biased;
            () = self.stop.asked() => return Err(Halt::Stopped),
            halt = self.background_verify.damage() => return Err(halt),
            () = or_never(asked) => {}
            () = or_never(changed) => {}
            found = next_envelope(&mut self.envelopes) => envelope = Some(found),
            () = self.clock.sleep(Duration::from_millis(delay_ms)) => {
                // Nothing tells of a change of the journal, which nobody else may write.
                self.store.check_journal()?;
                if is_reported && delay_ms == WATCHED_POLL_MS {
                    self.store.look_at_notes_next(NOTES_PER_WATCHED_POLL);
                }
            }
        }
        envelope.map_or(Ok(()), |envelope| self.serve(envelope))
    }
}

/// What is said where changes are not told of.
pub fn unwatched(error: &io::Error) -> String {
    format!("the system does not tell of changed files ({error}); they are looked at each second")
}

/// Waits for an event that may be none at all.
pub(super) async fn or_never(event: Option<impl Future<Output = ()>>) {
    match event {
        Some(event) => event.await,
        None => std::future::pending().await,
    }
}
