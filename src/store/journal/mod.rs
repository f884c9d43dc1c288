//! The journal: commits in the order in which they became durable.
//!
//! [`ReadJournal`] and [`Journal`] say what a journal does, wherever it is kept. [`SegmentJournal`]
//! is the one in files: segments of lines, appended and synced, never rewritten. Appending does not
//! interpret the lines; `recover` makes a state of them, and `retire` removes old ones.

pub(crate) mod checkpoint;
pub(crate) mod reader;
pub(crate) mod recover;
pub(crate) mod retire;
pub(crate) mod scan;
pub(crate) mod verify;

use super::disk::{Disk, is_full};
use super::error::Error;
use super::{layout, quarantine};
use crate::core::journal::event::TailCut;
use crate::core::journal::{Commit, CommitDraft, Hash, commit};
use crate::limits::JOURNAL_LINE_BYTES_MAX;
use crate::time::Timestamp;
use reader::SegmentReader;
pub use scan::JournalPosition;
use std::path::Path;
use verify::UnverifiedPrefix;

/// The identity of a commit: its number and hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Head {
    /// The number of the last commit; 0 before the first.
    pub seq: u64,
    /// The hash of the commit; zeros before the first.
    pub hash: Hash,
}

impl Head {
    /// The head before the first commit.
    pub const START: Self = Self {
        seq: 0,
        hash: Hash::ZERO,
    };

    pub(crate) const fn of(commit: &Commit) -> Self {
        Self {
            seq: commit.seq,
            hash: commit.hash,
        }
    }
}

/// The location of the last commit's line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct LastLine {
    pub segment: u32,
    /// The offset of the line in it, in bytes.
    pub offset: u64,
    /// The length of the line with its newline, in bytes.
    pub bytes: u64,
}

/// A journal whose kept commits can be read.
pub trait ReadJournal {
    /// Returns the beginning of the kept journal.
    fn first(&self) -> JournalPosition;

    /// Passes every kept commit whose number is greater than `after` to `take`, in order.
    ///
    /// # Errors
    /// [`Error::Damaged`] if a commit does not follow the one before it.
    fn read_from(&mut self, after: u64, take: &mut dyn FnMut(&Commit)) -> Result<(), Error>;

    /// Passes every kept commit to `take`, in order.
    ///
    /// # Errors
    /// Those of [`ReadJournal::read_from`].
    fn each_commit(&mut self, take: &mut dyn FnMut(&Commit)) -> Result<(), Error> {
        self.read_from(0, take)
    }

    /// Returns whether nothing was ever retired from it.
    fn is_complete(&self) -> bool {
        self.first().head == Head::START
    }
}

/// A journal that one process appends to.
///
/// Another implementation promises the same: a commit that was reported is durable and never
/// changes, commits are numbered without gaps and name the hash of the one before, and a process
/// that lost the journal to another one appends nothing more.
pub trait Journal: ReadJournal {
    /// Returns the last commit.
    fn head(&self) -> Head;

    /// Checks that this process may still append, and that the journal is unchanged by others.
    ///
    /// # Errors
    /// [`Error::Journal`]: nothing may be written any more.
    fn claim(&mut self) -> Result<(), Error>;

    /// Appends a commit and makes it durable.
    ///
    /// # Errors
    /// [`Error::Full`] and [`Error::TooLarge`]: the journal is unchanged. After any other error its
    /// content is unknown.
    fn append(&mut self, draft: &CommitDraft) -> Result<Head, Error>;
}

/// The journal in segments under `data/journal`, on the disk that has them.
#[derive(Debug)]
pub struct SegmentJournal<'a> {
    disk: &'a mut dyn Disk,
    segments: &'a mut Segments,
}

impl<'a> SegmentJournal<'a> {
    /// Returns the journal of segments on a disk.
    pub fn on(disk: &'a mut dyn Disk, segments: &'a mut Segments) -> Self {
        Self { disk, segments }
    }
}

impl ReadJournal for SegmentJournal<'_> {
    fn first(&self) -> JournalPosition {
        self.segments.first
    }

    fn read_from(&mut self, after: u64, take: &mut dyn FnMut(&Commit)) -> Result<(), Error> {
        let first = self.segments.first;
        let disk = &mut *self.disk;
        SegmentReader { disk, first }.read_from(after, take)
    }
}

impl Journal for SegmentJournal<'_> {
    fn head(&self) -> Head {
        self.segments.end.head
    }

    fn claim(&mut self) -> Result<(), Error> {
        let path = layout::segment_path(self.segments.end.segment);
        let checked = self.disk.check_place(&path, self.segments.end.offset);
        checked.map_err(Error::Journal)
    }

    fn append(&mut self, draft: &CommitDraft) -> Result<Head, Error> {
        let disk = &mut *self.disk;
        let JournalPosition {
            mut segment,
            mut offset,
            head,
        } = self.segments.end;
        let seq = head.seq + 1;
        let (line, hash) = commit::encode(draft, seq, head.hash)?;
        if line.len() > JOURNAL_LINE_BYTES_MAX {
            return Err(Error::TooLarge { bytes: line.len() });
        }
        if offset >= self.segments.segment_bytes {
            (segment, offset) = (segment + 1, 0);
        }
        let path = layout::segment_path(segment);
        disk.check_place(&path, offset).map_err(Error::Journal)?;
        write(disk, &path, offset, &line)?;
        disk.sync(&path).map_err(Error::Journal)?;
        if offset == 0 {
            // A new file is durable only once its name is.
            disk.sync_folder(Path::new(layout::JOURNAL))
                .map_err(Error::Journal)?;
        }
        let bytes = u64::try_from(line.len()).unwrap_or(u64::MAX);
        self.segments.last = Some(LastLine {
            segment,
            offset,
            bytes,
        });
        self.segments.end = JournalPosition {
            segment,
            offset: offset + bytes,
            head: Head { seq, hash },
        };
        self.segments.since_checkpoint += bytes;
        Ok(self.segments.end.head)
    }
}

/// The segments of a journal as their writer knows them.
#[derive(Clone, Debug)]
pub struct Segments {
    /// The end of the valid lines: the present segment, the offset in it, and the last commit.
    pub(crate) end: JournalPosition,
    /// The last commit's line. It is in the segment before while the present one is empty.
    last: Option<LastLine>,
    /// The beginning of the kept journal.
    pub(crate) first: JournalPosition,
    /// The size in bytes after which a new segment begins.
    pub(crate) segment_bytes: u64,
    /// The number of bytes appended, or read at the start, since the last checkpoint.
    pub(crate) since_checkpoint: u64,
    /// The part that the start left unverified, until a caller takes it.
    pub(crate) unverified_prefix: Option<UnverifiedPrefix>,
}

impl Segments {
    /// Opens the segments alone, without the views of its root.
    /// A torn end is left to the process that opens the root.
    ///
    /// # Errors
    /// Those of [`Store::open`](super::Store::open).
    pub fn open(disk: &mut dyn Disk, segment_bytes: u64) -> Result<Self, Error> {
        let segments = recover::recover(disk, Path::new(""))?.segments;
        Ok(Self {
            segment_bytes,
            ..segments
        })
    }

    /// Moves the bytes of a torn append to quarantine and cuts them off.
    pub(crate) fn cut_tail(
        &self,
        disk: &mut dyn Disk,
        bytes: u64,
        now: Timestamp,
    ) -> Result<TailCut, Error> {
        let JournalPosition {
            segment, offset, ..
        } = self.end;
        let name = layout::segment_name(segment);
        let path = layout::segment_path(segment);
        let length = usize::try_from(bytes).unwrap_or(usize::MAX);
        let torn = scan::read_at(disk, segment, offset, length)?;
        let kept = quarantine::keep(disk, &name, &torn, now)?;
        disk.truncate(&path, offset).map_err(Error::Journal)?;
        disk.sync(&path).map_err(Error::Journal)?;
        Ok(TailCut {
            segment: name,
            bytes,
            kept_as: kept.display().to_string(),
        })
    }

    /// Returns the last commit.
    pub const fn head(&self) -> Head {
        self.end.head
    }
}

/// Appends bytes to a segment; on a full disk it cuts the segment back to its valid bytes.
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
