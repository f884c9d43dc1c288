//! The prefix of the journal that a start does not verify: the lines that its checkpoint covers.
//! They are verified in the background, and damage is reported as a start would report it. Changes
//! nothing.

use super::checkpoint::{self, Checkpoint, First};
use super::scan;
use super::{Head, LastLine};
use crate::store::disk::Disk;
use crate::store::error::Error;

/// The journal lines that the checkpoint of a start covers. They never change any more.
#[derive(Clone, Copy, Debug)]
pub struct UnverifiedPrefix {
    /// The beginning of the kept journal.
    first: First,
    /// The last line.
    last: LastLine,
    /// The commit in it.
    head: Head,
}

impl UnverifiedPrefix {
    /// Returns the prefix that a checkpoint covers, if it covers any commit.
    pub(crate) fn of(checkpoint: &Checkpoint) -> Option<Self> {
        checkpoint.last.map(|last| Self {
            first: checkpoint.first,
            last,
            head: checkpoint.head,
        })
    }

    /// Verifies every line: form, chain and digests.
    /// Old segments may be retired meanwhile, and the journal may grow.
    ///
    /// # Errors
    /// [`Error::Damaged`] and [`Error::Incomplete`], like a start on this journal without its
    /// checkpoint.
    pub fn check(&self, disk: &mut dyn Disk) -> Result<(), Error> {
        let mut first = self.first;
        while first.head.seq < self.head.seq {
            let Err(error) = scan::check_until(disk, first.place(), self.last, self.head) else {
                return Ok(());
            };
            if matches!(error, Error::Damaged { .. }) {
                return Err(error);
            }
            // Before segments are removed, the checkpoint states a later beginning.
            match checkpoint::read(disk)?.ok().flatten() {
                Some(now) if now.first.segment > first.segment => first = now.first,
                Some(_) | None => return Err(error),
            }
        }
        Ok(())
    }
}
