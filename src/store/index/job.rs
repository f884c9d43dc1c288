//! The thread that opens an index or builds one. It has its own disk and a snapshot of the notes,
//! and shares nothing with the loop but what it tells.

use super::build::build;
use super::folder::Folder;
use super::reader::{self, Reader};
use super::{Indexed, is_behind};
use crate::ids::NoteId;
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::thread::{Builder, JoinHandle};
use tantivy::TantivyError;

/// What the thread tells.
pub(super) enum Told {
    /// It begins to build an index of so many notes.
    Building(usize),
    /// It has built it.
    Built(usize),
    /// An index is ready.
    Opened(Box<Opened>),
    /// There will be none.
    Failed(String),
    /// The thread has ended.
    Over,
}

/// An index that is ready, and the notes of the snapshot that it does not know.
pub(super) struct Opened {
    pub(super) reader: Reader,
    pub(super) unindexed: BTreeSet<NoteId>,
}

/// A thread at work. Dropping it stops it and waits for its end, which is near.
#[derive(Debug)]
pub(super) struct Job {
    told: Receiver<Told>,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
    /// Notes that changed since the snapshot.
    pub(super) touched: BTreeSet<NoteId>,
}

impl Job {
    /// Starts the thread. `rebuild`: what is there is not looked at.
    pub(super) fn start(
        folder: Folder,
        notes: Vec<Indexed>,
        seq: u64,
        rebuild: bool,
    ) -> std::io::Result<Self> {
        let (teller, told) = channel();
        let stop = Arc::new(AtomicBool::new(false));
        let work = Work {
            folder,
            notes,
            seq,
            stop: Arc::clone(&stop),
            teller,
        };
        let thread = Builder::new().name("index".to_owned());
        let thread = thread.spawn(move || work.run(rebuild))?;
        Ok(Self {
            told,
            stop,
            thread: Some(thread),
            touched: BTreeSet::new(),
        })
    }

    /// The next thing that the thread has told, if it has told anything.
    pub(super) fn told(&self) -> Option<Told> {
        match self.told.try_recv() {
            Ok(told) => Some(told),
            Err(TryRecvError::Empty) => None,
            Err(TryRecvError::Disconnected) => Some(Told::Over),
        }
    }
}

impl Drop for Job {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            tracing::debug!("the index's thread ended by a panic");
        }
    }
}

struct Work {
    folder: Folder,
    /// In the order of their ids.
    notes: Vec<Indexed>,
    seq: u64,
    stop: Arc<AtomicBool>,
    teller: Sender<Told>,
}

impl Work {
    fn run(self, rebuild: bool) {
        if !rebuild && let Some(opened) = self.open_existing() {
            self.tell(Told::Opened(Box::new(opened)));
            return;
        }
        let notes = self.notes.len();
        self.tell(Told::Building(notes));
        let built = catch_unwind(AssertUnwindSafe(|| self.build()));
        match built {
            Ok(Ok(Some(opened))) => {
                self.tell(Told::Built(notes));
                self.tell(Told::Opened(Box::new(opened)));
            }
            Ok(Ok(None)) => {}
            Ok(Err(error)) => self.tell(Told::Failed(error.to_string())),
            Err(_) => self.tell(Told::Failed("the library gave up".to_owned())),
        }
    }

    fn tell(&self, told: Told) {
        // Nobody may be listening any more.
        drop(self.teller.send(told));
    }

    /// The index that is there, if it is whole and not too far behind.
    fn open_existing(&self) -> Option<Opened> {
        let opened = catch_unwind(AssertUnwindSafe(|| self.open())).ok()?;
        match opened {
            Ok(Some(opened)) if !is_behind(opened.unindexed.len(), self.notes.len()) => {
                Some(opened)
            }
            Ok(_) => None,
            Err(error) => {
                tracing::debug!(%error, "the search index cannot be opened");
                None
            }
        }
    }

    fn open(&self) -> Result<Option<Opened>, TantivyError> {
        let Some(covers) = reader::covers(&self.folder) else {
            return Ok(None);
        };
        if covers.seq > self.seq {
            // The journal was set back to an older one.
            return Ok(None);
        }
        let reader = Reader::open(&self.folder, &covers)?;
        let mut known = reader.digests()?;
        let mut unindexed = BTreeSet::new();
        for Indexed { note, digest } in &self.notes {
            if digest.is_none() || known.remove(&note.id) != *digest {
                unindexed.insert(note.id);
            }
        }
        // What is left over is not there any more.
        unindexed.extend(known.into_keys());
        Ok(Some(Opened { reader, unindexed }))
    }

    fn build(&self) -> Result<Option<Opened>, TantivyError> {
        if build(&self.folder, &self.notes, self.seq, &self.stop)? {
            return self.open();
        }
        Ok(None)
    }
}
