//! What clients were told while the program worked, and how far the drive's record went at that moment.

#![expect(clippy::unwrap_used, reason = "a campaign may stop at once")]

use super::device::Record;
use std::path::PathBuf;
use std::sync::Mutex;

/// Something that a client was told.
#[derive(Clone, Debug)]
pub(crate) enum Fact {
    /// Everything up to this commit is there.
    Commit(u64),
    /// The commit that first holds this text is there.
    Text(String),
    /// A file below the root has this content.
    File(PathBuf, Vec<u8>),
    /// A request lies in the inbox under this event's id, or has opened this run.
    Request { event: String, run: String },
}

/// How a client was told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum By {
    /// A verb ended with 0.
    Exit,
    /// A request over HTTP was answered with 2xx.
    Answer,
    /// An event came.
    Event,
    /// The model was shown it.
    Prompt,
}

/// A fact and when it was told.
#[derive(Clone, Debug)]
pub(crate) struct Told {
    /// How far the drive's record went.
    pub(crate) position: usize,
    pub(crate) by: By,
    pub(crate) fact: Fact,
}

/// Writes down what is told, from any thread.
#[derive(Debug)]
pub(crate) struct Witness {
    record: Record,
    told: Mutex<Vec<Told>>,
}

impl Witness {
    pub(crate) const fn new(record: Record) -> Self {
        Self {
            record,
            told: Mutex::new(Vec::new()),
        }
    }

    /// How far the drive's record goes.
    pub(crate) fn position(&self) -> usize {
        self.record.position()
    }

    /// Notes a fact that was told at this very moment.
    pub(crate) fn note(&self, by: By, fact: Fact) {
        self.note_at(self.position(), by, fact);
    }

    /// Notes a fact that was told when the record went that far.
    pub(crate) fn note_at(&self, position: usize, by: By, fact: Fact) {
        let told = Told { position, by, fact };
        self.told.lock().unwrap().push(told);
    }

    /// All that was told, in order of time.
    pub(crate) fn told(&self) -> Vec<Told> {
        let mut told = self.told.lock().unwrap().clone();
        told.sort_by_key(|told| told.position);
        told
    }
}
