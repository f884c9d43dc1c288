//! The files that a person writes, the events that end a rest, and the requests in the inbox: each
//! becomes a queued run or is rejected, exactly once.
//!
//! Where the system reports changed files, a long rest misses nothing; where it does not, files are
//! looked at often.

use super::engine::Engine;
use super::observer::Observer;
use super::stop::Halt;
use crate::core::guard::EditedItems;
use crate::core::journal::event::RequestRefused;
use crate::core::journal::{Cause, Event};
use crate::core::run::Trigger;
use crate::ids::EventId;
use crate::limits::RUNS_OPEN_MAX;
use crate::provider::CallFuture;
use crate::store::inbox::{InboxRequest, InboxWatch};
use crate::store::{FileChanges, FileWatch, Store, own_draft};
use std::fmt;
use std::io;
use tokio::io::unix::AsyncFd;

/// The interval of looks at the inbox and the files, in milliseconds.
///
/// It is for systems that report no changes, and for files that are not finished yet.
pub(super) const POLL_MS: u64 = 1000;

/// The interval of looks where changes are reported, in milliseconds.
///
/// It is for what no system reports, such as a file that is written through a mapping.
pub(super) const WATCHED_POLL_MS: u64 = 60_000;

/// The notes looked at in one of those rare looks.
pub(super) const NOTES_PER_WATCHED_POLL: usize = 4096;

/// A source of events about changed files.
pub trait FileEvents: fmt::Debug {
    /// Waits until something may have changed.
    ///
    /// Cancel safe: what was seen stays for [`FileEvents::take`].
    fn changed(&mut self) -> CallFuture<'_, ()>;

    /// Takes what was seen since the last call. Never waits.
    ///
    /// # Errors
    /// Where the source cannot be relied on any more; it is not asked again then.
    fn take(&mut self) -> io::Result<FileChanges>;
}

/// The system's own events. Needs the runtime in which it is waited for.
#[derive(Debug)]
pub struct SystemEvents {
    watch: AsyncFd<FileWatch>,
    /// The changes that were read during a wait.
    seen: FileChanges,
    /// The error after which it cannot be relied on, until `take` returns it.
    broken: Option<io::Error>,
}

impl SystemEvents {
    /// Makes a source of a file watch, in the runtime that is entered.
    #[expect(
        deprecated,
        reason = "what is to replace it is unsafe; this watch owns its descriptor for as long as it lives"
    )]
    pub fn of(watch: FileWatch) -> io::Result<Self> {
        Ok(Self {
            watch: AsyncFd::try_new(watch)?,
            seen: FileChanges::default(),
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
            // Read after it was marked as read: a later change marks it again.
            self.read();
        }
    }
}

impl FileEvents for SystemEvents {
    fn changed(&mut self) -> CallFuture<'_, ()> {
        Box::pin(self.wait())
    }

    fn take(&mut self) -> io::Result<FileChanges> {
        self.read();
        match self.broken.take() {
            Some(error) => Err(error),
            None => Ok(std::mem::take(&mut self.seen)),
        }
    }
}

/// The files that a person writes: the source of their events, and what was found in them.
#[derive(Debug, Default)]
pub(super) struct WatchedFiles {
    pub(super) inbox: InboxWatch,
    pub(super) events: Option<Box<dyn FileEvents + Send>>,
    /// Whether a person has edited RAM since a run last went on for as long as there was work.
    pub(super) is_edited: bool,
    /// The edits of a person since the request was sent.
    pub(super) meanwhile: EditedItems,
}

/// Passes file events on to the store; a source that fails is not asked again.
pub(super) fn drain(
    events: &mut Option<Box<dyn FileEvents + Send>>,
    store: &mut Store,
    observer: &mut dyn Observer,
) {
    match events.as_mut().map(|events| events.take()) {
        None => {}
        Some(Ok(seen)) => store.note_seen(&seen),
        Some(Err(error)) => {
            *events = None;
            observer.notice(&unwatched(&error));
        }
    }
}

/// Returns the notice that the system does not report changes.
pub fn unwatched(error: &io::Error) -> String {
    format!("the system does not tell of changed files ({error}); they are looked at each second")
}

/// Takes requests out of the inbox; each becomes a queued run, exactly once.
///
/// With too many open runs they stay where they are.
pub(super) async fn take_requests(engine: &mut Engine) -> Result<(), Halt> {
    let most = RUNS_OPEN_MAX.saturating_sub(engine.state().runs.open_len());
    if most == 0 {
        return Ok(());
    }
    let mut watch = std::mem::take(&mut engine.files.inbox);
    let now = engine.now();
    let taken = engine
        .with_room(|store| store.inbox().take_requests(&mut watch, now, most))
        .await;
    for message in watch.take_notices() {
        engine.notice(&message);
    }
    engine.files.inbox = watch;
    for taken in taken? {
        match &taken.request {
            Ok(request) => {
                let event = EventId(taken.id.to_string());
                engine
                    .queue(event, Trigger::Request, Some(request.clone()))
                    .await?;
                close_request(engine, &taken, false).await?;
            }
            Err(reason) => refuse_request(engine, &taken, reason).await?,
        }
    }
    Ok(())
}

async fn refuse_request(
    engine: &mut Engine,
    taken: &InboxRequest,
    reason: &str,
) -> Result<(), Halt> {
    let file = taken.name.clone();
    let message = format!("the request in {file} could not be taken: {reason}");
    engine.notice(&message);
    let refused = RequestRefused {
        file,
        reason: reason.to_owned(),
    };
    let now = engine.now();
    let events = vec![Event::RequestRefused(refused)];
    engine
        .commit(own_draft(Cause::plain("trigger"), events, now))
        .await?;
    close_request(engine, taken, true).await
}

async fn close_request(
    engine: &mut Engine,
    taken: &InboxRequest,
    rejected: bool,
) -> Result<(), Halt> {
    let mut watch = std::mem::take(&mut engine.files.inbox);
    let closed = engine
        .with_room(|store| store.inbox().close_request(&mut watch, taken, rejected))
        .await;
    engine.files.inbox = watch;
    closed
}
