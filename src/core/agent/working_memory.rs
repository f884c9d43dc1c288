//! What a run works on beside the notes and `/storage`.

use super::{ActionLog, ActionResult, ResultLog};
use crate::core::is_default;
use crate::core::journal::event::{Cycle, IterationDone};
use crate::core::journal::{ActorType, Change};
use crate::core::memory::{KeyDirectory, Ram};
use crate::ids::{NoteId, RunId};
use crate::time::Timestamp;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The working memory of an agent: RAM, and what belongs to it.
/// The main agent has one for all its runs; a run of another agent has one of its own.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct WorkingMemory {
    /// The keys and values in every prompt.
    pub ram: Ram,
    /// The tags, the makers and the use of the keys.
    pub keys: KeyDirectory,
    /// The counters of the state machine.
    pub cycle: Cycle,
    /// The results of the last iteration, which the next prompt shows.
    #[serde(default, skip_serializing_if = "is_default")]
    pub results: Vec<ActionResult>,
    /// The results by their numbers, including those of older iterations.
    #[serde(default, skip_serializing_if = "is_default")]
    pub result_log: ResultLog,
    /// The newest tool calls.
    #[serde(default, skip_serializing_if = "is_default")]
    pub log: ActionLog,
    /// The version of each note that the agent saw last.
    #[serde(default, skip_serializing_if = "is_default")]
    pub seen: BTreeMap<NoteId, u64>,
}

impl WorkingMemory {
    /// Applies a change, made by `actor` at `ts`.
    /// A note counts as seen if the agent wrote it.
    pub fn apply(&mut self, change: &Change, actor: ActorType, ts: Timestamp) {
        let is_agent = actor == ActorType::Agent;
        self.keys.note_maker(change, is_agent, &self.ram);
        self.keys.apply(change, ts);
        match change {
            Change::RamSet(set) => self.ram.put(&set.key, &set.value),
            Change::RamDeleted(deleted) => self.ram.delete(&deleted.key),
            Change::NoteCreated(written) | Change::NoteUpdated(written) => {
                if is_agent {
                    self.seen.insert(written.note.id, written.note.version);
                }
            }
            Change::NoteDeleted(written) => drop(self.seen.remove(&written.note.id)),
            Change::StorageSet(_) | Change::StorageDeleted(_) => {}
        }
    }

    /// Begins a run. Results of another run do not concern it.
    pub fn begin_run(&mut self, run_id: RunId) {
        if self.keys.last_run() != Some(run_id) {
            self.results.clear();
        }
    }

    /// Applies a finished iteration.
    pub fn apply_iteration(&mut self, done: &IterationDone) {
        self.keys.begin_loop(done.run_id);
        for number in &done.results_removed {
            self.result_log.remove(*number);
        }
        self.result_log.add(&done.results);
        let shown = done.shown.iter().map(|note| (note.id, note.version));
        self.seen.extend(shown);
        self.results.clone_from(&done.results);
        self.cycle = done.cycle;
    }
}
