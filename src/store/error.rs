//! The errors between the program and its data folder, each with its code for people.
//! `failure` keeps the hints.

use super::disk::{Disk, FileStat, Listing, is_full};
use crate::core::journal::LineError;
use crate::failure::{Code, Failure};
use crate::limits::JOURNAL_LINE_BYTES_MAX;
use std::io;
use std::path::{Path, PathBuf};

#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// There is no room, and the attempt was undone: nothing has changed, try again later.
    #[error("no room on the disk: {0}")]
    Full(io::Error),
    /// The journal could not be written or synced; the content of the disk is unknown.
    #[error("the journal could not be written: {0}")]
    Journal(io::Error),
    /// Any other file operation failed.
    #[error("{operation} {}: {error}", path.display())]
    File {
        /// The operation as a word, such as `read` or `write`.
        operation: &'static str,
        /// The path of the file, relative to the root.
        path: PathBuf,
        /// The error of the system.
        error: io::Error,
    },
    /// The journal is damaged beyond a torn last line.
    #[error("{segment}, line {line}: {reason}")]
    Damaged {
        segment: String,
        /// The number of the line in it, from 1.
        line: u64,
        /// The number that the commit on that line should have.
        seq: u64,
        reason: LineError,
    },
    /// The segments that exist do not form a complete journal.
    #[error("{0}")]
    Incomplete(String),
    /// The commit would need a longer line than is ever read back; nothing was written.
    #[error("the commit would take {bytes} bytes, and at most {JOURNAL_LINE_BYTES_MAX} fit a line")]
    TooLarge {
        /// The length of the line in bytes.
        bytes: usize,
    },
    /// An event could not be encoded as JSON.
    #[error("a fact could not be written as JSON: {0}")]
    Encode(#[from] serde_json::Error),
    /// The commit is in the journal and durable, but a later stage failed.
    /// Nothing is written any more, and the next start derives the other files from the journal
    /// again.
    #[error("the change is made (commit {seq}); what failed came after it: {error}")]
    AfterCommit {
        seq: u64,
        /// The error of the later stage.
        error: Box<Self>,
    },
}

impl Error {
    /// Returns the error of a file operation, with a full disk as [`Error::Full`].
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

    /// Returns the error of a sync, which never counts as a lack of room.
    /// The content of the disk is unknown after it.
    pub fn sync(path: impl Into<PathBuf>, error: io::Error) -> Self {
        Self::File {
            operation: "sync",
            path: path.into(),
            error,
        }
    }

    /// Wraps the error as one after a commit that stands, unless it is one already.
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

    /// Unwraps an error after a commit that was the program's own and not the requested one.
    #[must_use]
    pub fn before_work(self) -> Self {
        if let Self::AfterCommit { error, .. } = self {
            *error
        } else {
            self
        }
    }

    /// Returns whether waiting for room may help.
    pub const fn is_full(&self) -> bool {
        matches!(self, Self::Full(_))
    }

    /// Returns the code of the error, which is the same in every message.
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
            Self::Encode(_) => Code::Internal,
        }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::new(error.code(), error.to_string())
    }
}

/// Defines operations of a disk with the errors of the store, each with the word for it.
macro_rules! with_errors {
    ($($word:literal $name:ident = $operation:ident -> $result:ty;)*) => {
        $(pub(super) fn $name(&mut self, path: &Path) -> Result<$result, Error> {
            self.$operation(path).map_err(|error| Error::file($word, path, error))
        })*
    };
}

impl dyn Disk + '_ {
    with_errors! {
        "look at" look_at = stat -> Option<FileStat>;
        "list" names_in = list -> Vec<String>;
        "list" listing_of = list_all -> Listing;
        "create" make_folder = create_folder -> ();
        "remove" remove_file = remove -> ();
    }

    /// Makes the content of a file durable, see [`Disk::sync`].
    pub(super) fn secure(&mut self, path: &Path) -> Result<(), Error> {
        self.sync(path).map_err(|error| Error::sync(path, error))
    }

    /// Makes the content of a person's file durable, see [`Disk::sync_unless_replaced`].
    pub(super) fn secure_unless_replaced(&mut self, path: &Path) -> Result<bool, Error> {
        let synced = self.sync_unless_replaced(path);
        synced.map_err(|error| Error::sync(path, error))
    }

    /// Makes the names in a folder durable, see [`Disk::sync_folder`].
    pub(super) fn secure_folder(&mut self, folder: &Path) -> Result<(), Error> {
        let synced = self.sync_folder(folder);
        synced.map_err(|error| Error::sync(folder, error))
    }

    /// Makes the name of a file durable.
    pub(super) fn secure_name(&mut self, path: &Path) -> Result<(), Error> {
        self.secure_folder(path.parent().unwrap_or(path))
    }
}
