//! The life of one index: its outdated entries, and the thread that opens it or builds a new one.
//! The thread has a snapshot of the entries, and shares only messages with the loop.

use super::build::{IndexEntry, build};
use super::folder::Folder;
use super::reader::{self, IndexReader};
use crate::core::notes::{Candidates, Query};
use crate::limits::{INDEX_BEHIND_MIN, INDEX_ENTRIES_MIN, INDEX_LOOK_MS, INDEX_RETRY_MS};
use crate::store::Notice;
use crate::store::disk::RealDisk;
use crate::time::Timestamp;
use std::cell::Cell;
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::sync::{Arc, Mutex};
use std::thread::{Builder, JoinHandle};
use std::{fmt, io};
use tantivy::TantivyError;

/// The maintainer of one index, which may not exist yet.
#[derive(Debug)]
pub(super) struct IndexMaintainer<E: IndexEntry> {
    pub(super) folder: Folder,
    pub(super) current: Option<ActiveIndex<E>>,
    job: Option<BuildThread<E>>,
    /// Whether the current index proved to be damaged.
    pub(super) is_broken: Cell<bool>,
    /// Whether the files of the current index were missing at the last check.
    /// The open index goes on to be read, but the next reader would have none.
    is_gone: bool,
    looked_at: Option<Timestamp>,
    /// The time before which no other build is tried.
    not_before: Option<Timestamp>,
    /// Whether there are enough entries for an index; `None` if they must be counted again.
    is_worth_it: Option<bool>,
}

/// An index that searches use.
pub(super) struct ActiveIndex<E: IndexEntry> {
    pub(super) reader: IndexReader<E>,
    /// The keys whose current content it does not know.
    pub(super) unindexed: BTreeSet<E::Key>,
}

impl<E: IndexEntry> fmt::Debug for ActiveIndex<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (entries, behind) = (E::counted(self.reader.len()), self.unindexed.len());
        write!(f, "Current({entries}, {behind} behind)")
    }
}

impl<E: IndexEntry> IndexMaintainer<E> {
    pub(super) fn new(disk: Arc<Mutex<RealDisk>>) -> Self {
        Self {
            folder: Folder::of(disk, E::FOLDER),
            current: None,
            job: None,
            is_broken: Cell::new(false),
            is_gone: false,
            looked_at: None,
            not_before: None,
            is_worth_it: None,
        }
    }

    /// Records written or removed entries.
    pub(super) fn touch(&mut self, keys: impl IntoIterator<Item = E::Key>) {
        self.is_worth_it = None;
        for key in keys {
            if let Some(job) = &mut self.job {
                job.touched.insert(key.clone());
            }
            if let Some(current) = &mut self.current {
                current.unindexed.insert(key);
            }
        }
    }

    /// Handles the messages of the thread, and drops a damaged index. Returns notices for a person.
    pub(super) fn settle(&mut self, now: Timestamp) -> Vec<Notice> {
        let slow = E::SLOW_SEARCH;
        let mut notices = Vec::new();
        if self.is_broken.replace(false) {
            self.current = None;
            let message =
                format!("the search index is damaged and will be built anew; until then {slow}");
            notices.push(message.into());
        }
        while let Some(job) = &self.job {
            match job.messages.try_recv() {
                Err(TryRecvError::Empty) => break,
                Err(TryRecvError::Disconnected) => self.job = None,
                Ok(BuildMessage::Building(entries)) => notices.push(Notice::progress(format!(
                    "the search index is being built over {}; until then {slow}",
                    E::counted(entries)
                ))),
                Ok(BuildMessage::Opened { index, is_new }) => {
                    if is_new {
                        let entries = E::counted(index.reader.len());
                        let message = format!("the search index covers {entries}");
                        notices.push(Notice::progress(message));
                    }
                    self.take(*index);
                }
                Ok(BuildMessage::Failed(why)) => {
                    self.not_before = Some(now.plus_millis(INDEX_RETRY_MS));
                    let message = format!("the search index could not be built: {why}; {slow}");
                    notices.push(message.into());
                }
            }
        }
        self.look(now);
        notices
    }

    /// Checks now and then whether the files of the current index were deleted.
    fn look(&mut self, now: Timestamp) {
        let soon = |at: Timestamp| at <= now && now < at.plus_millis(INDEX_LOOK_MS);
        if self.current.is_none() || self.is_at_work() || self.looked_at.is_some_and(soon) {
            return;
        }
        self.looked_at = Some(now);
        self.is_gone = !self.folder.is_complete();
    }

    fn take(&mut self, mut opened: ActiveIndex<E>) {
        let Some(job) = &mut self.job else { return };
        opened.unindexed.append(&mut job.touched);
        self.current = Some(opened);
        self.is_gone = false;
    }

    /// Returns whether the thread is running.
    pub(super) const fn is_at_work(&self) -> bool {
        self.job.is_some()
    }

    /// Returns whether an index should be opened or built now.
    /// `count` counts the entries up to a number.
    pub(super) fn is_due(&mut self, now: Timestamp, count: impl Fn(usize) -> usize) -> bool {
        let waits = self.not_before.is_some_and(|until| now < until);
        if self.is_at_work() || waits {
            return false;
        }
        if let Some(current) = &self.current {
            return self.is_gone || is_behind(current.unindexed.len(), current.reader.len());
        }
        let is_enough = || count(INDEX_ENTRIES_MIN) >= INDEX_ENTRIES_MIN;
        *self.is_worth_it.get_or_insert_with(is_enough)
    }

    /// Starts the thread, in which `snapshot` returns all entries, sorted by key.
    /// Returns a notice for a person if that fails.
    pub(super) fn work(
        &mut self,
        snapshot: impl FnOnce() -> Vec<E> + Send + 'static,
        seq: u64,
        now: Timestamp,
    ) -> Option<Notice> {
        let (sender, messages) = channel();
        let stop = Arc::new(AtomicBool::new(false));
        let build = IndexBuild {
            folder: self.folder.clone(),
            seq,
            stop: Arc::clone(&stop),
            sender,
        };
        // An existing index is ignored then.
        let rebuild = self.current.is_some();
        let thread = Builder::new().name("index".to_owned());
        match thread.spawn(move || build.run(&snapshot(), rebuild)) {
            Ok(thread) => {
                self.job = Some(BuildThread {
                    messages,
                    stop,
                    thread: Some(thread),
                    touched: BTreeSet::new(),
                });
                None
            }
            Err(error) => {
                // There is not enough memory for a thread.
                self.not_before = Some(now.plus_millis(INDEX_RETRY_MS));
                Some(format!("the search index cannot be built: {error}").into())
            }
        }
    }

    /// Returns the entries that may match a query; `None` if there is no index for it.
    pub(super) fn candidates(&self, query: &Query) -> Option<Candidates<'_, E::Key>> {
        let current = self.current.as_ref()?;
        if self.is_broken.get() || query.is_blank() {
            return None;
        }
        // Bytes that were damaged after they were checked may make the library panic.
        let found = catch_unwind(AssertUnwindSafe(|| current.reader.find(query)));
        let error = match found {
            Ok(Ok((ranked, are_exact))) => {
                return Some(Candidates {
                    ranked: Box::new(ranked),
                    are_exact,
                    unindexed: &current.unindexed,
                });
            }
            Ok(Err(error)) => error.to_string(),
            Err(_) => "reading it failed".to_owned(),
        };
        tracing::debug!(error, "the search index cannot be read");
        self.is_broken.set(true);
        None
    }
}

/// Returns whether so many entries are outdated that a new build is worth it.
pub(super) fn is_behind(unindexed: usize, entries: usize) -> bool {
    unindexed > INDEX_BEHIND_MIN.max(entries / 20)
}

/// A message of the thread.
enum BuildMessage<E: IndexEntry> {
    /// The build of an index of this number of entries begins.
    Building(usize),
    /// An index is ready.
    Opened {
        index: Box<ActiveIndex<E>>,
        /// Whether it was built now.
        is_new: bool,
    },
    /// No index could be built, for this reason.
    Failed(String),
}

/// A running thread. Dropping it stops the thread and waits for its end, which is near.
#[derive(Debug)]
struct BuildThread<E: IndexEntry> {
    messages: Receiver<BuildMessage<E>>,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
    /// The keys that changed since the snapshot.
    touched: BTreeSet<E::Key>,
}

impl<E: IndexEntry> Drop for BuildThread<E> {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            tracing::debug!("the index's thread ended by a panic");
        }
    }
}

/// The work of the thread. Entries are sorted by key.
struct IndexBuild<E: IndexEntry> {
    folder: Folder,
    seq: u64,
    stop: Arc<AtomicBool>,
    sender: Sender<BuildMessage<E>>,
}

impl<E: IndexEntry> IndexBuild<E> {
    fn run(self, entries: &[E], rebuild: bool) {
        // The receiver may be gone.
        let send = |message| drop(self.sender.send(message));
        let opened = |index, is_new| {
            let index = Box::new(index);
            BuildMessage::Opened { index, is_new }
        };
        if !rebuild {
            match catch_unwind(AssertUnwindSafe(|| self.open(entries))) {
                Ok(Ok(Some(index))) => return send(opened(index, false)),
                Ok(Err(error)) => tracing::debug!(%error, "the search index cannot be opened"),
                Ok(Ok(None)) | Err(_) => {}
            }
        }
        send(BuildMessage::Building(entries.len()));
        match catch_unwind(AssertUnwindSafe(|| self.build(entries))) {
            Ok(Ok(Some(index))) => send(opened(index, true)),
            // It was stopped.
            Ok(Ok(None)) => {}
            Ok(Err(error)) => send(BuildMessage::Failed(error.to_string())),
            Err(_) => send(BuildMessage::Failed("the library gave up".to_owned())),
        }
    }

    /// Returns the existing index, if it is intact and not too far behind.
    fn open(&self, entries: &[E]) -> Result<Option<ActiveIndex<E>>, TantivyError> {
        // A later number means that the journal was replaced by an older one.
        let Some(covers) = reader::covers(&self.folder).filter(|it| it.seq <= self.seq) else {
            return Ok(None);
        };
        let reader = IndexReader::<E>::open(&self.folder, &covers)?;
        let present = entries.iter().map(|entry| (entry.key(), entry.digest()));
        let unindexed = reader.outdated(present)?;
        let is_good = !is_behind(unindexed.len(), entries.len());
        Ok(is_good.then_some(ActiveIndex { reader, unindexed }))
    }

    fn build(&self, entries: &[E]) -> Result<Option<ActiveIndex<E>>, TantivyError> {
        if !build(&self.folder, entries, self.seq, &self.stop)? {
            return Ok(None);
        }
        let opened = self.open(entries)?;
        // Another build would give the same result, without end.
        let opened = opened.ok_or_else(|| io::Error::other("it is not what it was built from"))?;
        Ok(Some(opened))
    }
}
