//! The files that a person writes, and what ends a rest. Where the system tells of changed files, a long
//! rest misses nothing; where it does not, files are looked at often.

use super::observer::Observer;
use crate::core::guard::Edited;
use crate::provider::CallFuture;
use crate::store::inbox::InboxWatch;
use crate::store::{FileWatch, Seen, Store};
use std::fmt;
use std::io;
use tokio::io::unix::AsyncFd;

/// How often the inbox and the files are looked at where nobody tells of changes, and while
/// something in them is not finished yet, in milliseconds.
pub(super) const POLL_MS: u64 = 1000;

/// How often they are looked at where changes are told of, in milliseconds: for what no system
/// tells, such as a file that is written through a mapping.
pub(super) const WATCHED_POLL_MS: u64 = 60_000;

/// Notes looked at in one of those rare looks.
pub(super) const NOTES_PER_WATCHED_POLL: usize = 4096;

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

/// The files that a person writes: what tells of them, and what was found in them.
#[derive(Debug, Default)]
pub(super) struct WatchedFiles {
    pub(super) inbox: InboxWatch,
    /// Who tells of changed files, if anybody does.
    pub(super) events: Option<Box<dyn FileEvents + Send>>,
    /// Whether a person has edited RAM since a run last went on for as long as there was work.
    pub(super) is_edited: bool,
    /// What a person has changed since the question was put.
    pub(super) meanwhile: Edited,
}

/// Lets the store know where to look; whoever cannot be relied on any more is not asked again.
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

/// What is said where changes are not told of.
pub fn unwatched(error: &io::Error) -> String {
    format!("the system does not tell of changed files ({error}); they are looked at each second")
}
