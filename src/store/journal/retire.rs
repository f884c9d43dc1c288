//! Retention: segments are retired once they are old enough.
//! Live state in them is journaled again first, so that every view can be rebuilt from the kept
//! segments. The store does this in order: plan, carry, checkpoint, remove.

use super::scan::{self, JournalPosition};
use super::{Head, Segments};
use crate::core::journal::event::{
    KeysCarried, NoteWritten, PrivateMemoryCarried, ProposalsChanged, RunsRemembered, StateCarried,
    StorageSet,
};
use crate::core::journal::{Event, State};
use crate::core::memory::StorePath;
use crate::ids::NoteId;
use crate::limits::RETENTION_GAP_DAYS;
use crate::store::disk::Disk;
use crate::store::error::Error;
use crate::store::layout;
use crate::time::{DAY_MS, Timestamp};
use std::collections::BTreeMap;

/// The most bytes of carried notes or values in one commit, unless a single one is larger.
const CARRIED_BYTES_MAX: usize = 1024 * 1024;

impl Segments {
    /// Finds the segments that are older than the retention, and the last writes in them.
    /// Returns `None` if no segment is to be retired.
    pub(crate) fn plan_retirement(
        &self,
        disk: &mut dyn Disk,
        age_ms: i64,
        now: Timestamp,
    ) -> Result<Option<Plan>, Error> {
        if self.first.segment >= self.end.segment {
            return Ok(None);
        }
        // The whole journal is read only if the oldest segment's last write is old enough.
        let horizon = now.plus_millis(age_ms.saturating_neg());
        let oldest = disk.look_at(&layout::segment_path(self.first.segment))?;
        if oldest.is_some_and(|it| it.modified_ns / 1_000_000 >= horizon.millis) {
            return Ok(None);
        }
        let mut plan = Plan::from_nothing(self.first);
        let place = self.first;
        let mut last_segment = place.segment;
        let mut head = self.first.head;
        let mut lived = ElapsedTime::default();
        let mut ends: Vec<(JournalPosition, i64)> = Vec::new();
        scan::scan(disk, place, &mut |commit, segment| {
            if segment != last_segment {
                let first = JournalPosition {
                    segment,
                    offset: 0,
                    head,
                };
                ends.push((first, lived.ms));
                last_segment = segment;
            }
            lived.pass(commit.draft.ts);
            head = Head::of(commit);
            for event in &commit.draft.events {
                if let Some(note) = event.note() {
                    plan.last_written.insert(note.id, segment);
                }
                if let Some(set) = event.stored() {
                    plan.last_stored.insert(set.path.parts().to_vec(), segment);
                }
            }
        })?;
        lived.pass(now);
        // If a segment is old to its end, all segments up to it may go.
        let old = ends.iter().take_while(|(_, end)| lived.ms - end > age_ms);
        plan.first = old.last().map_or(plan.first, |(first, _)| *first);
        Ok((plan.first != self.first).then_some(plan))
    }

    /// Removes the segments before the first kept one, which the checkpoint on disk also names.
    pub(crate) fn remove_retired(&self, disk: &mut dyn Disk) -> Result<(), Error> {
        for number in scan::segments(disk)? {
            if number < self.first.segment {
                disk.remove_file(&layout::segment_path(number))?;
            }
        }
        Ok(())
    }
}

/// The time that passed along the journal, without leaps of the clock.
#[derive(Default)]
struct ElapsedTime {
    ms: i64,
    last: Option<Timestamp>,
}

impl ElapsedTime {
    /// Advances to a time.
    fn pass(&mut self, now: Timestamp) {
        let gap_ms = self.last.map_or(0, |last| now.millis - last.millis);
        let is_leap = gap_ms.abs() > i64::from(RETENTION_GAP_DAYS) * DAY_MS;
        if !is_leap {
            self.ms += gap_ms.max(0);
        }
        // Time that a clock repeats after it was set back counts once.
        if is_leap || gap_ms > 0 || self.last.is_none() {
            self.last = Some(now);
        }
    }
}

/// Returns the events that carry the live state over from the retired segments, by commit.
pub(crate) fn carried(state: &State, plan: &Plan) -> Vec<Vec<Event>> {
    let old = |id: &NoteId| {
        plan.last_written
            .get(id)
            .is_none_or(|segment| *segment < plan.first.segment)
    };
    let notes = state.notes.iter().filter(|note| old(&note.id));
    let mut load = CarriedEvents::default();
    for note in notes {
        let event = Event::NoteCarried(NoteWritten { note: note.clone() });
        load.add(event, note.to_file().len());
    }
    for (names, node) in state.storage.leaves() {
        let path = StorePath::storage(names.into_iter().map(str::to_owned));
        if plan.is_old(&path) {
            let value = node.to_value();
            load.add(
                Event::StorageCarried(StorageSet { path, value }),
                node.bytes(),
            );
        }
    }
    for proposal in state.proposals.pending() {
        let notes = std::iter::once(&proposal.note).chain(&proposal.base);
        let bytes = notes.map(|note| note.to_file().len()).sum();
        let made = ProposalsChanged::made(proposal.clone());
        load.add(Event::ProposalsChanged(made), bytes);
    }
    let mut commits = load.commits;
    let keys = state.main.keys.clone();
    commits.push(vec![Event::KeysCarried(KeysCarried { keys })]);
    commits.push(all_else(state, plan.first));
    commits
}

/// Returns the events that carry the rest of the state as a whole.
fn all_else(state: &State, first: JournalPosition) -> Vec<Event> {
    let mut runs: Vec<_> = state.runs.newest_first().cloned().collect();
    runs.reverse();
    let ram = state.main.ram.entries();
    let mut carried = vec![Event::StateCarried(StateCarried {
        ram: ram
            .map(|(key, value)| (key.to_owned(), value.clone()))
            .collect(),
        runs,
        cycle: state.main.cycle,
        results: state.main.results.clone(),
        result_log: state.main.result_log.clone(),
        log: state.main.log.clone(),
        seen: state.main.seen.clone(),
        organizing: state.organizing.clone(),
        calibrations: state.calibrations.clone(),
        spending: state.spending,
        schedule_cursor: state.schedule_cursor.clone(),
        first_segment: first.segment,
    })];
    carried.extend(state.private.iter().map(|(run_id, memory)| {
        Event::PrivateMemoryCarried(PrivateMemoryCarried {
            run_id: *run_id,
            memory: Box::new(memory.clone()),
        })
    }));
    let past = state.runs.past().clone();
    if !past.is_empty() {
        carried.push(Event::RunsRemembered(RunsRemembered { past }));
    }
    if !state.proposals.is_empty() {
        let rest = ProposalsChanged::Carried(state.proposals.without_pending());
        carried.push(Event::ProposalsChanged(rest));
    }
    carried
}

/// The facts about the segments to be retired.
pub(crate) struct Plan {
    /// The beginning of the journal that stays.
    pub(crate) first: JournalPosition,
    /// The segment of the last write of each note.
    last_written: BTreeMap<NoteId, u32>,
    /// The segment of the last write of each path of `/storage`.
    last_stored: BTreeMap<Vec<String>, u32>,
}

impl Plan {
    /// Returns a plan without any known writes.
    pub(crate) const fn from_nothing(first: JournalPosition) -> Self {
        Self {
            first,
            last_written: BTreeMap::new(),
            last_stored: BTreeMap::new(),
        }
    }

    /// Returns whether no kept segment gives the value of a path.
    fn is_old(&self, place: &StorePath) -> bool {
        let parts = place.parts();
        (1..=parts.len()).all(|length| {
            let above = parts.get(..length);
            let segment = above.and_then(|above| self.last_stored.get(above));
            segment.is_none_or(|segment| *segment < self.first.segment)
        })
    }
}

/// The carried events, split into small commits.
#[derive(Default)]
struct CarriedEvents {
    commits: Vec<Vec<Event>>,
    bytes: usize,
}

impl CarriedEvents {
    fn add(&mut self, event: Event, bytes: usize) {
        match self.commits.last_mut() {
            Some(events) if self.bytes + bytes <= CARRIED_BYTES_MAX => {
                self.bytes += bytes;
                events.push(event);
            }
            Some(_) | None => {
                self.bytes = bytes;
                self.commits.push(vec![event]);
            }
        }
    }
}
