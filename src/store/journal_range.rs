//! Reads the range of the journal that is kept, for readers that do not hold the root: a daemon may retire
//! segments while they read. Never writes.

use super::checkpoint::{self, First};
use super::disk::Disk;
use super::error::Error;
use super::replay;
use super::scan;
use crate::core::journal::Commit;
use std::io;

/// Where the kept journal begins.
pub(super) fn first_of(disk: &mut dyn Disk) -> Result<First, Error> {
    match checkpoint::read(disk)? {
        Ok(Some(checkpoint)) => Ok(checkpoint.first),
        Ok(None) | Err(_) => replay::first_in_range(disk),
    }
}

/// Hands every commit of the kept journal to `take`, in order.
pub fn each_commit(disk: &mut dyn Disk, take: &mut dyn FnMut(&Commit)) -> Result<(), Error> {
    let first = first_of(disk)?;
    scan::scan(disk, first.place(), &mut |commit, _| take(commit)).map(drop)
}

/// Reads something of the journal, and once more, from the checkpoint on, if a segment was not
/// there: it may have been retired after the checkpoint was read. One that is really lost is missing
/// the second time too.
pub(super) fn read_range<T>(
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
