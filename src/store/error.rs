//! What can go wrong between the program and its data folder, and the code that each has for people.
//! Hints are `failure`'s business.

use super::disk::is_full;
use crate::core::journal::LineError;
use crate::failure::{Code, Failure};
use crate::limits::JOURNAL_LINE_BYTES_MAX;
use std::io;
use std::path::PathBuf;

/// An error of the store.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// No room, and the attempt was taken back cleanly: nothing has changed, try again later.
    #[error("no room on the disk: {0}")]
    Full(io::Error),
    /// The journal could not be written or synced; what the disk holds is unknown.
    #[error("the journal could not be written: {0}")]
    Journal(io::Error),
    /// Any other file operation failed.
    #[error("{operation} {}: {error}", path.display())]
    File {
        /// What was tried, in words: `read`, `write`.
        operation: &'static str,
        /// The file, relative to the root.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// The journal is damaged beyond a torn last line.
    #[error("{segment}, line {line}: {reason}")]
    Damaged {
        /// The segment's name.
        segment: String,
        /// The line in it, from 1.
        line: u64,
        /// The number that the commit there should have.
        seq: u64,
        /// What is wrong.
        reason: LineError,
    },
    /// The segments that are there do not make up the journal.
    #[error("{0}")]
    Incomplete(String),
    /// The commit would make a longer line than is ever read back; nothing was written.
    #[error("the commit would take {bytes} bytes, and at most {JOURNAL_LINE_BYTES_MAX} fit a line")]
    TooLarge {
        /// The line's length in bytes.
        bytes: usize,
    },
    /// A fact could not be turned into JSON.
    #[error("a fact could not be written as JSON: {0}")]
    Encode(#[from] serde_json::Error),
    /// The commit is in the journal and safe; what failed came after it. Nothing is written any more,
    /// and the next start makes the files again that follow from the journal.
    #[error("the change is made (commit {seq}); what failed came after it: {error}")]
    AfterCommit {
        /// The number of the commit.
        seq: u64,
        /// What failed.
        error: Box<Self>,
    },
    /// Another commit holds this number already.
    #[error("expected to write commit {expected}, but the journal is at {found}")]
    Sequence {
        /// The number that the caller expected.
        expected: u64,
        /// The number that comes next.
        found: u64,
    },
}

impl Error {
    /// A failed file operation, told apart from a full disk.
    pub fn file(operation: &'static str, path: impl Into<PathBuf>, error: io::Error) -> Self {
        if is_full(&error) {
            return Self::Full(error);
        }
        Self::File {
            operation,
            path: path.into(),
            error,
        }
    }

    /// A failed sync. It is never a matter of room: what the disk holds is unknown then.
    pub fn sync(path: impl Into<PathBuf>, error: io::Error) -> Self {
        Self::File {
            operation: "sync",
            path: path.into(),
            error,
        }
    }

    /// The same error, behind a commit that stands.
    #[must_use]
    pub fn after_commit(self, seq: u64) -> Self {
        if matches!(self, Self::AfterCommit { .. }) {
            return self;
        }
        Self::AfterCommit {
            seq,
            error: Box::new(self),
        }
    }

    /// The same error where the commit before it was the program's own, and not what was asked for.
    #[must_use]
    pub fn before_work(self) -> Self {
        if let Self::AfterCommit { error, .. } = self {
            *error
        } else {
            self
        }
    }

    /// Whether waiting for room may help.
    pub const fn is_full(&self) -> bool {
        matches!(self, Self::Full(_))
    }
}

impl Error {
    /// The code that it has wherever it is told: the same damage is never called two things.
    pub fn code(&self) -> Code {
        match self {
            Self::Full(_) => Code::DiskFull,
            Self::Journal(_) => Code::JournalWriteFailed,
            Self::File { .. } => Code::DiskError,
            Self::Damaged {
                reason: LineError::Chain(_) | LineError::Digest(_) | LineError::Covered,
                ..
            } => Code::JournalTampered,
            Self::Damaged {
                reason: LineError::Unsupported(_),
                ..
            } => Code::FormatUnsupported,
            Self::Damaged { .. } | Self::Incomplete(_) => Code::DataCorrupt,
            Self::TooLarge { .. } => Code::LimitExceeded,
            Self::AfterCommit { error, .. } => error.code(),
            Self::Encode(_) | Self::Sequence { .. } => Code::Internal,
        }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::new(error.code(), error.to_string())
    }
}
