//! The comparison of slots in the kept journal with the schedules that were in force. Never writes.

use crate::core::automation::{Reconciled, Reconciler};
use crate::core::journal::Event;
use crate::store::disk::Disk;
use crate::store::error::Error;
use crate::store::journal::reader;
use crate::time::Timestamp;

/// Derives the slots in `(from, to]` from the journal, and compares them with their records.
pub fn reconcile(disk: &mut dyn Disk, from: Timestamp, to: Timestamp) -> Result<Reconciled, Error> {
    let slots = reader::read(disk, &mut |journal| {
        let mut slots = Reconciler::of(journal.first.segment > 1);
        journal.each_commit(&mut |commit| {
            for event in &commit.draft.events {
                if let Event::SchedulesTaken(taken) = event {
                    slots.take(taken, commit.draft.ts);
                } else if let Event::SlotsRecorded(recorded) = event {
                    slots.record(recorded);
                } else if let Event::StateCarried(carried) = event {
                    slots.carry(&carried.schedule_cursor);
                }
            }
        })?;
        Ok(slots)
    })?;
    Ok(slots.reconcile(from, to))
}
