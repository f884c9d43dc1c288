//! A reader of the segments of a journal, also for processes that do not hold the root.
//! A daemon may retire segments meanwhile. Never writes.

use super::checkpoint;
use super::scan::{self, JournalPosition};
use super::{ReadJournal, recover};
use crate::core::journal::Commit;
use crate::store::disk::Disk;
use crate::store::error::Error;
use std::io;

/// The kept segments, for one reading.
#[derive(Debug)]
pub(crate) struct SegmentReader<'a> {
    pub(crate) disk: &'a mut dyn Disk,
    /// The beginning of the kept journal.
    pub(crate) first: JournalPosition,
}

impl ReadJournal for SegmentReader<'_> {
    fn first(&self) -> JournalPosition {
        self.first
    }

    fn read_from(&mut self, after: u64, take: &mut dyn FnMut(&Commit)) -> Result<(), Error> {
        let mut take_later = |commit: &Commit, _| {
            if commit.seq > after {
                take(commit);
            }
        };
        scan::scan(self.disk, self.first, &mut take_later).map(drop)
    }
}

/// Returns the beginning of the kept journal.
pub(crate) fn first_of(disk: &mut dyn Disk) -> Result<JournalPosition, Error> {
    match checkpoint::read(disk)? {
        Ok(Some(checkpoint)) => Ok(checkpoint.facts.first),
        Ok(None) | Err(_) => recover::first_in_range(disk),
    }
}

/// Passes every commit of the kept journal to `take`, in order.
pub fn each_commit(disk: &mut dyn Disk, take: &mut dyn FnMut(&Commit)) -> Result<(), Error> {
    let first = first_of(disk)?;
    SegmentReader { disk, first }.each_commit(take)
}

/// Reads from the kept journal without holding the root.
pub(crate) fn read<T>(
    disk: &mut dyn Disk,
    read: &mut dyn FnMut(&mut dyn ReadJournal) -> Result<T, Error>,
) -> Result<T, Error> {
    read_range(disk, &mut |disk| {
        let first = first_of(disk)?;
        read(&mut SegmentReader { disk, first })
    })
}

/// Folds every commit of the kept journal into a value, in order, without holding the root.
pub(crate) fn fold<T: Default>(
    disk: &mut dyn Disk,
    add: &mut dyn FnMut(&mut T, &Commit),
) -> Result<T, Error> {
    read(disk, &mut |journal| {
        let mut folded = T::default();
        journal.each_commit(&mut |commit| add(&mut folded, commit))?;
        Ok(folded)
    })
}

/// Reads from the journal, and once more if a segment was missing.
/// The segment may have been retired after the checkpoint was read. A segment that is really lost
/// is missing the second time too.
pub(crate) fn read_range<T>(
    disk: &mut dyn Disk,
    read: &mut dyn FnMut(&mut dyn Disk) -> Result<T, Error>,
) -> Result<T, Error> {
    match read(disk) {
        Err(error) if is_missing(&error) => read(disk),
        outcome => outcome,
    }
}

fn is_missing(error: &Error) -> bool {
    let absent = |error: &io::Error| error.kind() == io::ErrorKind::NotFound;
    matches!(error, Error::Incomplete(_))
        || matches!(error, Error::File { error, .. } if absent(error))
}
