//! The slots of the kept journal, held against the schedules that were in force. Never writes.

use super::disk::Disk;
use super::error::Error;
use super::journal_range::{first_of, read_range};
use super::scan;
use crate::core::automation::{Reconciled, Reconciler};
use crate::core::journal::Event;
use crate::time::Timestamp;

/// Derives the slots in `(from, to]` again from what the journal says of schedules, and holds them against
/// their records.
pub fn reconcile(disk: &mut dyn Disk, from: Timestamp, to: Timestamp) -> Result<Reconciled, Error> {
    let journal = read_range(disk, &mut |disk| {
        let first = first_of(disk)?;
        let mut journal = Reconciler::of(first.segment > 1);
        scan::scan(disk, first.place(), &mut |commit, _| {
            for event in &commit.draft.events {
                if let Event::SchedulesTaken(taken) = event {
                    journal.take(taken, commit.draft.ts);
                } else if let Event::SlotsRecorded(recorded) = event {
                    journal.record(recorded);
                } else if let Event::StateCarried(carried) = event {
                    journal.carry(&carried.schedule_cursor);
                }
            }
        })?;
        Ok(journal)
    })?;
    Ok(journal.reconcile(from, to))
}
