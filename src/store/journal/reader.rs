//! Reads the range of the journal that is kept, also for whoever does not hold the root: a daemon may retire
//! segments meanwhile. Never writes.

use super::checkpoint::{self, First};
use super::{Head, recover, scan};
use crate::core::journal::Commit;
use crate::store::disk::Disk;
use crate::store::error::Error;
use std::io;

/// The kept journal, for one reading of it.
#[derive(Debug)]
pub(crate) struct Reader<'a> {
    /// The disk that it is on.
    pub(crate) disk: &'a mut dyn Disk,
    /// Where it begins.
    pub(crate) first: First,
}

impl Reader<'_> {
    /// Returns whether nothing was ever retired from it.
    pub(crate) fn is_complete(&self) -> bool {
        self.first.head == Head::START
    }

    /// Hands every commit to `take`, in order.
    pub(crate) fn each_commit(&mut self, take: &mut dyn FnMut(&Commit)) -> Result<(), Error> {
        let from = self.first.place();
        scan::scan(self.disk, from, &mut |commit, _| take(commit)).map(drop)
    }
}

/// Returns where the kept journal begins.
pub(crate) fn first_of(disk: &mut dyn Disk) -> Result<First, Error> {
    match checkpoint::read(disk)? {
        Ok(Some(checkpoint)) => Ok(checkpoint.first),
        Ok(None) | Err(_) => recover::first_in_range(disk),
    }
}

/// Hands every commit of the kept journal to `take`, in order.
pub fn each_commit(disk: &mut dyn Disk, take: &mut dyn FnMut(&Commit)) -> Result<(), Error> {
    let first = first_of(disk)?;
    Reader { disk, first }.each_commit(take)
}

/// Reads something of the kept journal without holding the root.
pub(crate) fn read<T>(
    disk: &mut dyn Disk,
    read: &mut dyn FnMut(&mut Reader<'_>) -> Result<T, Error>,
) -> Result<T, Error> {
    read_range(disk, &mut |disk| {
        let first = first_of(disk)?;
        read(&mut Reader { disk, first })
    })
}

/// Reads something of the journal, and once more, from the checkpoint on, if a segment was not
/// there: it may have been retired after the checkpoint was read. One that is really lost is missing
/// the second time too.
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
