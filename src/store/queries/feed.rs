//! The journal as a stream of commits from a number on, in order and without a gap.
//! Reads only commits that are new since the last look; never writes.

use super::audit::{AuditEntry, entries_of};
use crate::core::journal::commit::{ActorType, Commit};
use crate::core::journal::{Event, Hash};
use crate::ids::RunId;
use crate::store::disk::Disk;
use crate::store::error::Error;
use crate::store::journal::reader;
use crate::store::journal::scan::{self, JournalPosition};
use crate::time::Timestamp;
use serde::Serialize;

/// A commit in the stream: the types of its events, and the outcome of each instruction.
#[derive(Clone, Debug, Serialize)]
pub struct FeedCommit {
    /// The number of the commit.
    pub seq: u64,
    /// The time of the commit.
    pub ts: Timestamp,
    /// The kind of actor.
    pub actor_type: ActorType,
    /// The kind of cause.
    pub cause: String,
    /// The run, if there was one.
    pub run_id: Option<RunId>,
    /// The number of the iteration in it, from 1.
    pub iteration: Option<u32>,
    /// The type of each event.
    pub events: Vec<&'static str>,
    /// The outcome of each instruction, or the changes of a person.
    pub entries: Vec<AuditEntry>,
    /// The hash of the line.
    pub hash: Hash,
}

impl From<&Commit> for FeedCommit {
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

/// A reader of the journal that remembers its position.
#[derive(Debug)]
pub struct Feed {
    place: JournalPosition,
    /// The number of the last commit that is not to be returned.
    after: u64,
}

impl Feed {
    /// Returns a reader of all commits after `after`, and the first number that it can return.
    /// That number is later than the next one if the journal has retired commits.
    pub fn after(disk: &mut dyn Disk, after: u64) -> Result<(Self, u64), Error> {
        let place = reader::read(disk, &mut |journal| Ok(journal.first().place()))?;
        let first = place.head.seq.max(after) + 1;
        let after = first - 1;
        Ok((Self { place, after }, first))
    }

    /// Returns the commits since the last look up to commit `durable`, at most one segment of them.
    /// Commits behind that one may not be durable yet, and are read again.
    ///
    /// # Errors
    /// Those of the disk and of a damaged journal, and [`Error::Incomplete`] if the next commits
    /// are retired.
    pub fn next(&mut self, disk: &mut dyn Disk, durable: u64) -> Result<Vec<FeedCommit>, Error> {
        while self.after < durable {
            let (after, mut fed) = (self.after, Vec::new());
            let (end, more) = scan::scan_segment(disk, self.place, &mut |commit, _| {
                if (after + 1..=durable).contains(&commit.seq) {
                    fed.push(FeedCommit::from(commit));
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
