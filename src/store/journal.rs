//! The journal on disk: segments of lines, appended and synced, never rewritten.
//! Knows nothing of what the lines mean for the state.

use super::disk::{Disk, is_full};
use super::error::Error;
use super::layout;
use crate::core::journal::{Draft, Hash, commit};
use crate::limits::JOURNAL_LINE_BYTES_MAX;
use std::path::Path;

/// A place in the journal: the commit before it, by number and hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Head {
    /// The number of the last commit; 0 before the first.
    pub seq: u64,
    /// Its hash; zeros before the first.
    pub hash: Hash,
}

impl Head {
    /// Before the first commit.
    pub const START: Self = Self {
        seq: 0,
        hash: Hash::ZERO,
    };
}

/// An append-only log of commits: the one thing that another backend would have to offer.
pub trait Log {
    /// Appends a commit and makes it durable. `expected` is the number that it must get.
    fn append(&mut self, disk: &mut dyn Disk, draft: &Draft, expected: u64) -> Result<Head, Error>;

    /// The last commit.
    fn head(&self) -> Head;
}

/// Where the last commit's line stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct LastLine {
    /// The segment.
    pub segment: u32,
    /// Where the line begins in it, in bytes.
    pub offset: u64,
    /// Its length with the newline, in bytes.
    pub bytes: u64,
}

/// The journal in segments under `data/journal`.
#[derive(Clone, Debug)]
pub struct Segments {
    /// The segment being written.
    pub number: u32,
    /// Its good bytes: everything before is whole lines.
    pub bytes: u64,
    /// The last commit's line. It stands in the segment before when this one is still empty.
    pub last: Option<LastLine>,
    /// The last commit.
    pub head: Head,
    /// Bytes after which a new segment is begun.
    pub segment_bytes: u64,
    /// Bytes appended, or read at the start, since the last checkpoint.
    pub since_checkpoint: u64,
}

impl Log for Segments {
    fn append(&mut self, disk: &mut dyn Disk, draft: &Draft, expected: u64) -> Result<Head, Error> {
        let seq = self.head.seq + 1;
        if expected != seq {
            return Err(Error::Sequence {
                expected,
                found: seq,
            });
        }
        let (line, hash) = commit::encode(draft, seq, self.head.hash)?;
        if line.len() > JOURNAL_LINE_BYTES_MAX {
            return Err(Error::TooLarge { bytes: line.len() });
        }
        let rotate = self.bytes >= self.segment_bytes;
        let (number, good) = if rotate {
            (self.number + 1, 0)
        } else {
            (self.number, self.bytes)
        };
        let path = layout::segment_path(number);
        disk.check_place(&path, good).map_err(Error::Journal)?;
        write(disk, &path, good, &line)?;
        disk.sync(&path).map_err(Error::Journal)?;
        if good == 0 {
            // A new file is durable only once its name is.
            disk.sync_folder(Path::new(layout::JOURNAL))
                .map_err(Error::Journal)?;
        }
        let bytes = u64::try_from(line.len()).unwrap_or(u64::MAX);
        self.number = number;
        self.bytes = good + bytes;
        self.last = Some(LastLine {
            segment: number,
            offset: good,
            bytes,
        });
        self.since_checkpoint += bytes;
        self.head = Head { seq, hash };
        Ok(self.head)
    }

    fn head(&self) -> Head {
        self.head
    }
}

/// Appends bytes to a segment; on a full disk the segment is cut back to its good bytes.
fn write(disk: &mut dyn Disk, path: &Path, good: u64, line: &[u8]) -> Result<(), Error> {
    let Err(error) = disk.append(path, line) else {
        return Ok(());
    };
    if !is_full(&error.source) {
        return Err(Error::Journal(error.source));
    }
    if error.written > 0 {
        // A cut that fails leaves a line of unknown length: stop rather than append to it.
        disk.truncate(path, good).map_err(Error::Journal)?;
    }
    Err(Error::Full(error.source))
}
