//! The prefix of the journal that a start does not verify: the lines that its checkpoint covers. They are
//! checked beside the work, and damage is reported as a start would report it. Changes nothing.

use super::Store;
use super::checkpoint::{self, Checkpoint, First};
use super::disk::Disk;
use super::error::Error;
use super::journal::{Head, LastLine};
use super::scan;

/// The journal lines that the checkpoint of a start covers. They never change any more.
#[derive(Clone, Copy, Debug)]
pub struct UnverifiedPrefix {
    /// Where the kept journal begins.
    first: First,
    /// The last line.
    last: LastLine,
    /// The commit in it.
    head: Head,
}

impl UnverifiedPrefix {
    /// Returns what a checkpoint covers, if it covers anything.
    pub(super) fn of(checkpoint: &Checkpoint) -> Option<Self> {
        checkpoint.last.map(|last| Self {
            first: checkpoint.first,
            last,
            head: checkpoint.head,
        })
    }

    /// Checks every line: form, chain and digests. Old segments may be retired meanwhile, and the
    /// journal may grow.
    ///
    /// # Errors
    /// [`Error::Damaged`] and [`Error::Incomplete`], as a start on the same journal without its
    /// checkpoint would say.
    pub fn check(&self, disk: &mut dyn Disk) -> Result<(), Error> {
        let mut first = self.first;
        while first.head.seq < self.head.seq {
            let Err(error) = scan::check_until(disk, first.place(), self.last, self.head) else {
                return Ok(());
            };
            if matches!(error, Error::Damaged { .. }) {
                return Err(error);
            }
            // Before segments are removed, the checkpoint says that the journal begins later.
            match checkpoint::read(disk)?.ok().flatten() {
                Some(now) if now.first.segment > first.segment => first = now.first,
                Some(_) | None => return Err(error),
            }
        }
        Ok(())
    }
}

impl Store {
    /// Hands out what the start left unverified, once.
    pub const fn take_unverified_prefix(&mut self) -> Option<UnverifiedPrefix> {
        self.unverified_prefix.take()
    }

    /// Checks it on the store's own disk.
    pub fn verify_prefix(&mut self, unverified_prefix: UnverifiedPrefix) -> Result<(), Error> {
        unverified_prefix.check(self.disk.as_mut())
    }
}
