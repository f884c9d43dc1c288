//! The journal as a stream: what each commit was, from a number on, in order and without a gap. Reads
//! only what is new since the last look; never writes.

use super::audit::{AuditEntry, entries_of};
use crate::core::journal::commit::{ActorType, Commit};
use crate::core::journal::{Event, Hash};
use crate::ids::RunId;
use crate::store::disk::Disk;
use crate::store::error::Error;
use crate::store::journal::reader;
use crate::store::journal::{Place, scan};
use crate::time::Timestamp;
use serde::Serialize;

/// A commit as it is told: what kinds of facts it holds and what became of each instruction.
#[derive(Clone, Debug, Serialize)]
pub struct Fed {
    /// Its number.
    pub seq: u64,
    /// When.
    pub ts: Timestamp,
    /// Who.
    pub actor_type: ActorType,
    /// What it came from.
    pub cause: String,
    /// The run, if there was one.
    pub run_id: Option<RunId>,
    /// The iteration in it, from 1.
    pub iteration: Option<u32>,
    /// The type of each fact.
    pub events: Vec<&'static str>,
    /// What became of each instruction, or what a person changed.
    pub entries: Vec<AuditEntry>,
    /// The hash of its line.
    pub hash: Hash,
}

impl From<&Commit> for Fed {
    fn from(commit: &Commit) -> Self {
        let draft = &commit.draft;
        Self {
            seq: commit.seq,
            ts: draft.ts,
            actor_type: draft.actor.actor_type,
            cause: draft.cause.kind.clone(),
            run_id: draft.cause.run_id,
            iteration: draft.cause.iteration,
            events: draft.events.iter().map(Event::type_name).collect(),
            entries: entries_of(commit),
            hash: commit.hash,
        }
    }
}

/// A reader of the journal that knows how far it is.
#[derive(Debug)]
pub struct Feed {
    place: Place,
    /// The last commit that need not be told.
    after: u64,
}

impl Feed {
    /// A reader of all that comes after commit `after`. Gives also the first number that it can tell,
    /// which is a later one where the journal has let go of what came before.
    pub fn after(disk: &mut dyn Disk, after: u64) -> Result<(Self, u64), Error> {
        let place = reader::read(disk, &mut |journal| Ok(journal.first.place()))?;
        let first = place.head.seq.max(after) + 1;
        let after = first - 1;
        Ok((Self { place, after }, first))
    }

    /// What has come since the last look up to commit `durable`, at most one segment of it. Empty where
    /// nothing has. What stands behind that commit may not be on the disk yet, and is read again.
    ///
    /// # Errors
    /// Also where the journal has let go of what was to be read.
    pub fn next(&mut self, disk: &mut dyn Disk, durable: u64) -> Result<Vec<Fed>, Error> {
        while self.after < durable {
            let (after, mut fed) = (self.after, Vec::new());
            let (end, more) = scan::scan_segment(disk, self.place, &mut |commit, _| {
                if (after + 1..=durable).contains(&commit.seq) {
                    fed.push(Fed::from(commit));
                }
            })?;
            if end.place.head.seq <= durable {
                self.place = end.place;
            }
            self.after = fed.last().map_or(after, |last| last.seq);
            if !more || !fed.is_empty() {
                return Ok(fed);
            }
        }
        Ok(Vec::new())
    }
}
