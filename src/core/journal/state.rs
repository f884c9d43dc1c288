//! Everything that the journal adds up to, and the one function that adds.
//! `apply` is total and pure: replaying the same lines always gives the same state.

use super::commit::{ActorType, Commit};
use super::event::{Change, Cycle, Event, IterationDone, StateCarried};
use super::run_facts::change_run;
use crate::core::agent::ActionResult;
use crate::core::memory::Ram;
use crate::core::notes::Notes;
use crate::core::run::Runs;
use crate::ids::{NoteId, RunId};
use std::collections::BTreeMap;

/// The state of a root.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct State {
    /// RAM.
    pub ram: Ram,
    /// Notes; possibly not all read yet.
    pub notes: Notes,
    /// Runs.
    pub runs: Runs,
    /// What the state machine remembers.
    pub cycle: Cycle,
    /// What the next prompt tells about the iteration before.
    pub results: Vec<ActionResult>,
    /// The version of each note that the agent saw last.
    pub seen: BTreeMap<NoteId, u64>,
}

impl State {
    /// The state of an empty root.
    pub fn empty() -> Self {
        Self {
            notes: Notes::complete(),
            ..Self::default()
        }
    }

    /// Adds a commit.
    pub fn apply_commit(&mut self, commit: &Commit) {
        for event in &commit.draft.events {
            self.apply(event, commit.draft.actor.actor_type);
        }
    }

    /// Adds one event.
    pub fn apply(&mut self, event: &Event, actor: ActorType) {
        match event {
            Event::Change(change) => self.apply_change(change.get(), actor),
            Event::RunQueued(queued) => self.runs.queue(queued.run.clone()),
            Event::RunStarted(started) => self.change_run(started.run_id, event),
            Event::IterationDone(done) => {
                self.apply_iteration(done);
                self.change_run(done.run_id, event);
            }
            Event::RunEnded(ended) => {
                self.change_run(ended.run_id, event);
                self.runs.finish(ended.run_id);
            }
            Event::StateCarried(carried) => self.apply_carried(carried),
            Event::RunsRemembered(carried) => self.runs.remember(carried.past.clone()),
            Event::NoteCarried(carried) => self.notes.put(carried.note.clone()),
            Event::RootCreated(_)
            | Event::InstructionDecided(_)
            | Event::ViewsWritten(_)
            | Event::TailCut(_)
            | Event::ViewRestored(_)
            | Event::EditRefused(_)
            | Event::RequestRefused(_)
            | Event::ConversationKept(_) => {}
        }
    }

    fn apply_change(&mut self, change: &Change, actor: ActorType) {
        match change {
            Change::RamSet(set) => self.ram.set(set.key.clone(), set.value.clone()),
            Change::RamDeleted(deleted) => self.ram.delete(&deleted.key),
            Change::NoteCreated(written) | Change::NoteUpdated(written) => {
                if actor == ActorType::Agent {
                    self.seen.insert(written.note.id, written.note.version);
                }
                self.notes.put(written.note.clone());
            }
            Change::NoteDeleted(written) => {
                self.seen.remove(&written.note.id);
                self.notes.remove(written.note.id);
            }
        }
    }

    fn change_run(&mut self, id: RunId, event: &Event) {
        if let Some(run) = self.runs.open_mut(id) {
            change_run(run, event);
        }
    }

    fn apply_iteration(&mut self, done: &IterationDone) {
        // The prompt of this iteration showed the results of the one before.
        for item in self.results.iter().flat_map(|result| &result.items) {
            self.seen.insert(item.id, item.version);
        }
        self.results.clone_from(&done.results);
        self.cycle = done.cycle;
    }

    fn apply_carried(&mut self, carried: &StateCarried) {
        self.ram = Ram::from_entries(carried.ram.clone());
        // The list is complete: what a journal without its beginning made of runs does not count.
        self.runs = Runs::default();
        for run in &carried.runs {
            self.runs.put(run.clone());
        }
        self.cycle = carried.cycle;
        self.results.clone_from(&carried.results);
        self.seen.clone_from(&carried.seen);
    }
}
