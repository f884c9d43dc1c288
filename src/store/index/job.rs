//! The thread that opens an index or builds one.
//! It has its own disk and a snapshot of the entries, and shares only messages with the loop.

use super::build::build;
use super::entry::Entry;
use super::folder::Folder;
use super::keeper::is_behind;
use super::reader::{self, Reader};
use std::collections::BTreeSet;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::thread::{Builder, JoinHandle};
use tantivy::TantivyError;

/// A message of the thread.
pub(super) enum JobMessage<E: Entry> {
    /// The build of an index of this number of entries begins.
    Building(usize),
    /// The index of this number of entries is built.
    Built(usize),
    /// An index is ready.
    Opened(Box<Opened<E>>),
    /// No index could be built, for this reason.
    Failed(String),
    /// The thread has ended.
    Over,
}

/// An open index, and the keys of the snapshot whose current content it does not know.
pub(super) struct Opened<E: Entry> {
    pub(super) reader: Reader<E>,
    pub(super) unindexed: BTreeSet<E::Key>,
}

/// A running thread. Dropping it stops the thread and waits for its end, which is near.
#[derive(Debug)]
pub(super) struct Job<E: Entry> {
    messages: Receiver<JobMessage<E>>,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
    /// The keys that changed since the snapshot.
    pub(super) touched: BTreeSet<E::Key>,
}

impl<E: Entry> Job<E> {
    /// Starts the thread.
    /// In the thread, `snapshot` returns all entries, sorted by key. With `rebuild`, an existing
    /// index is ignored.
    pub(super) fn start(
        folder: Folder,
        snapshot: impl FnOnce() -> Vec<E> + Send + 'static,
        seq: u64,
        rebuild: bool,
    ) -> io::Result<Self> {
        let (teller, messages) = channel();
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = Arc::clone(&stop);
        let thread = Builder::new().name("index".to_owned());
        let thread = thread.spawn(move || {
            let work = Work {
                folder,
                entries: snapshot(),
                seq,
                stop: stopped,
                teller,
            };
            work.run(rebuild);
        })?;
        Ok(Self {
            messages,
            stop,
            thread: Some(thread),
            touched: BTreeSet::new(),
        })
    }

    /// Returns the next message of the thread, if there is one.
    pub(super) fn next_message(&self) -> Option<JobMessage<E>> {
        match self.messages.try_recv() {
            Ok(messages) => Some(messages),
            Err(TryRecvError::Empty) => None,
            Err(TryRecvError::Disconnected) => Some(JobMessage::Over),
        }
    }
}

impl<E: Entry> Drop for Job<E> {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            tracing::debug!("the index's thread ended by a panic");
        }
    }
}

struct Work<E: Entry> {
    folder: Folder,
    /// The entries, sorted by key.
    entries: Vec<E>,
    seq: u64,
    stop: Arc<AtomicBool>,
    teller: Sender<JobMessage<E>>,
}

impl<E: Entry> Work<E> {
    fn run(self, rebuild: bool) {
        if !rebuild && let Some(opened) = self.open_existing() {
            self.send(JobMessage::Opened(Box::new(opened)));
            return;
        }
        let entries = self.entries.len();
        self.send(JobMessage::Building(entries));
        let built = catch_unwind(AssertUnwindSafe(|| self.build()));
        match built {
            Ok(Ok(Some(opened))) => {
                self.send(JobMessage::Built(entries));
                self.send(JobMessage::Opened(Box::new(opened)));
            }
            // It was stopped.
            Ok(Ok(None)) => {}
            Ok(Err(error)) => self.send(JobMessage::Failed(error.to_string())),
            Err(_) => self.send(JobMessage::Failed("the library gave up".to_owned())),
        }
    }

    fn send(&self, messages: JobMessage<E>) {
        // The receiver may be gone.
        drop(self.teller.send(messages));
    }

    /// Returns the existing index, if it is intact and not too far behind.
    fn open_existing(&self) -> Option<Opened<E>> {
        let opened = catch_unwind(AssertUnwindSafe(|| self.open())).ok()?;
        match opened {
            Ok(opened) => opened,
            Err(error) => {
                tracing::debug!(%error, "the search index cannot be opened");
                None
            }
        }
    }

    fn open(&self) -> Result<Option<Opened<E>>, TantivyError> {
        let Some(covers) = reader::covers(&self.folder) else {
            return Ok(None);
        };
        if covers.seq > self.seq {
            // The journal was replaced by an older one.
            return Ok(None);
        }
        let reader = Reader::<E>::open(&self.folder, &covers)?;
        // Both are sorted by key.
        let mut known = reader.digests()?.peekable();
        let mut unindexed = BTreeSet::new();
        for entry in &self.entries {
            let (key, digest) = (entry.key(), entry.digest());
            while let Some((gone, _)) = known.next_if(|(other, _)| *other < key) {
                unindexed.insert(gone);
            }
            let same = known.next_if(|(other, _)| *other == key);
            if digest.is_none() || same.map(|(_, digest)| digest) != digest {
                unindexed.insert(key);
            }
        }
        unindexed.extend(known.map(|(gone, _)| gone));
        let is_good = !is_behind(unindexed.len(), self.entries.len());
        Ok(is_good.then_some(Opened { reader, unindexed }))
    }

    fn build(&self) -> Result<Option<Opened<E>>, TantivyError> {
        if !build(&self.folder, &self.entries, self.seq, &self.stop)? {
            return Ok(None);
        }
        let opened = self.open()?;
        // Another build would give the same result, without end.
        let opened = opened.ok_or_else(|| io::Error::other("it is not what it was built from"))?;
        Ok(Some(opened))
    }
}
