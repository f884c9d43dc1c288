//! Retention: whole old segments are retired once they are past their age, and whatever in them is
//! still live is journaled again first, so that every view can be rebuilt from what is kept.

use super::boot::own_draft;
use super::checkpoint::First;
use super::error::Error;
use super::journal::Head;
use super::scan::{self, Place};
use super::{Store, layout};
use crate::core::journal::Event;
use crate::core::journal::event::{NoteWritten, StateCarried};
use crate::ids::NoteId;
use crate::time::Timestamp;
use std::collections::BTreeMap;

/// Milliseconds of a day.
const DAY_MS: i64 = 24 * 60 * 60 * 1000;

impl Store {
    /// Retires segments whose last commit is older than the retention. Gives how many.
    pub fn retire(&mut self, now: Timestamp) -> Result<u32, Error> {
        if self.first.segment >= self.segments.number {
            return Ok(0);
        }
        let age_ms = i64::from(self.options.retention_days).saturating_mul(DAY_MS);
        let horizon = now.plus_millis(-age_ms);
        let plan = self.plan_retirement(horizon)?;
        let retired = plan.first.segment - self.first.segment;
        if retired == 0 {
            return Ok(0);
        }
        self.carry(&plan, now)?;
        let old = self.first.segment..plan.first.segment;
        self.first = plan.first;
        // The checkpoint states where the kept journal begins, so it goes first: segments that a
        // stop leaves behind after it are simply not read any more.
        self.checkpoint(false, now)?;
        for number in old {
            let path = layout::segment_path(number);
            let failed = |error| Error::file("remove", &path, error);
            if self.disk.stat(&path).map_err(failed)?.is_some() {
                self.disk.remove(&path).map_err(failed)?;
            }
        }
        Ok(retired)
    }

    /// Finds the first segment to keep, and the notes that were last written before it.
    fn plan_retirement(&mut self, horizon: Timestamp) -> Result<Plan, Error> {
        let mut plan = Plan {
            first: self.first,
            last_written: BTreeMap::new(),
        };
        let place = Place {
            segment: self.first.segment,
            offset: 0,
            head: self.first.head,
        };
        let current = self.segments.number;
        let mut young = false;
        let mut last_segment = place.segment;
        let mut head = self.first.head;
        scan::scan(self.disk.as_mut(), place, &mut |commit, segment| {
            if segment != last_segment {
                // The segment before was old to its end, and this is not the one being written
                // unless it is the last: either way everything before this line may go.
                if !young {
                    plan.first = First { segment, head };
                }
                last_segment = segment;
            }
            young |= commit.draft.ts >= horizon || segment == current;
            head = Head {
                seq: commit.seq,
                hash: commit.hash,
            };
            for event in &commit.draft.events {
                if let Some(note) = event.note() {
                    plan.last_written.insert(note.id, segment);
                }
            }
        })?;
        Ok(plan)
    }

    /// Journals again what lives only in the segments that go.
    fn carry(&mut self, plan: &Plan, now: Timestamp) -> Result<(), Error> {
        let state = &self.state;
        let mut runs: Vec<_> = state.runs.newest_first().cloned().collect();
        runs.reverse();
        let carried = StateCarried {
            ram: state
                .ram
                .entries()
                .map(|(key, value)| (key.to_owned(), value.clone()))
                .collect(),
            runs,
            cycle: state.cycle,
            results: state.results.clone(),
            seen: state.seen.clone(),
        };
        let mut events = vec![Event::StateCarried(carried)];
        let old = |id: &NoteId| {
            plan.last_written
                .get(id)
                .is_none_or(|segment| *segment < plan.first.segment)
        };
        let notes = state.notes.iter().filter(|note| old(&note.id));
        events.extend(notes.map(|note| Event::NoteCarried(NoteWritten { note: note.clone() })));
        // Bounded lines: a commit of its own for every hundred notes.
        for chunk in events.chunks(100) {
            self.commit(own_draft("retention", chunk.to_vec(), now))?;
        }
        Ok(())
    }
}

struct Plan {
    first: First,
    last_written: BTreeMap<NoteId, u32>,
}
