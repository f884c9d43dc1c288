//! The state that the journal adds up to, and the one function that applies an event.
//! `apply` is total and pure: replaying the same lines always gives the same state.

use super::commit::{ActorType, CommitDraft};
use super::event::{Change, Event, IterationDone, StateCarried};
use crate::core::agent::WorkingMemory;
use crate::core::automation::ScheduleCursor;
use crate::core::memory::{KeyDirectory, Layers, Ram, Storage};
use crate::core::notes::{Notes, OrganizeState};
use crate::core::prompt::{Calibration, Calibrations, TokenMeter, unchecked_meter};
use crate::core::review::Proposals;
use crate::core::route::Spending;
use crate::core::run::{Answer, Run, RunState, Runs};
use crate::time::Timestamp;

/// The state of a root.
/// Its JSON form is the snapshot in a checkpoint, without notes and `/storage`, which have files of
/// their own.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct State {
    /// The working memory of the main agent, whose RAM is the KV file.
    pub main: WorkingMemory,
    pub storage: Storage,
    pub keys: KeyDirectory,
    /// The notes; possibly not all read yet.
    pub notes: Notes,
    pub runs: Runs,
    pub organizing: OrganizeState,
    /// The token calibration of each model, learned from past calls.
    pub calibrations: Calibrations,
    /// The cost of the calls of the newest day.
    pub spending: Spending,
    /// The schedule cursor of all rules.
    pub schedule_cursor: ScheduleCursor,
    /// The open proposals, and the decisions that the next prompt shows.
    pub proposals: Proposals,
}

impl State {
    pub fn empty() -> Self {
        Self {
            notes: Notes::complete(),
            ..Self::default()
        }
    }

    /// Returns the token meter that is calibrated for a model.
    /// A model without calibration gets a meter that counts more than the bare estimate, to be
    /// safe.
    pub fn meter_for(&self, model: &str) -> TokenMeter {
        let known = self.calibrations.of(model);
        known.map_or_else(unchecked_meter, Calibration::meter)
    }

    /// Returns both layers of the memory.
    pub const fn layers(&self) -> Layers<'_> {
        Layers {
            working: &self.main.ram,
            storage: &self.storage,
        }
    }

    /// Applies the content of a commit.
    pub fn apply_draft(&mut self, draft: &CommitDraft) {
        for event in &draft.events {
            self.apply(event, draft.actor.actor_type, draft.ts);
        }
        self.main.log.add(draft);
    }

    /// Applies one event of a commit by `actor`, made at `ts`.
    pub fn apply(&mut self, event: &Event, actor: ActorType, ts: Timestamp) {
        if let Some(run) = event.run_id().and_then(|id| self.runs.open_mut(id)) {
            change_run(run, event);
        }
        match event {
            Event::Change(change) => {
                let is_agent = actor == ActorType::Agent;
                self.keys.note_maker(change.get(), is_agent, &self.main.ram);
                self.keys.apply(change.get(), ts);
                self.apply_change(change.get(), actor);
            }
            Event::KeysNoted(noted) => self.keys.note(&noted.keys, ts),
            Event::KeysCarried(carried) => self.keys.clone_from(&carried.keys),
            Event::RunQueued(queued) => self.runs.queue(queued.run.clone()),
            Event::RunRetried(retried) => self.runs.put(retried.run.clone()),
            Event::RunStarted(started) => {
                // Results of another run do not concern this one.
                if self.keys.last_run() != Some(started.run_id) {
                    self.main.results.clear();
                }
            }
            Event::IterationDone(done) => {
                self.keys.begin_loop(done.run_id);
                self.apply_iteration(done);
            }
            Event::RunEnded(ended) => self.runs.finish(ended.run_id),
            Event::StateCarried(carried) => {
                self.apply_carried(carried);
                self.keys.take_in(&self.main.ram, ts);
            }
            Event::RunsRemembered(carried) => self.runs.remember(carried.past.clone()),
            Event::StorageCarried(set) => self.storage.set(set.path.parts(), set.value.clone()),
            Event::NoteCarried(carried) => self.notes.put(carried.note.clone()),
            Event::BudgetReserved(reserved) => self.spending.reserve(reserved.day, reserved.cost),
            Event::BudgetSettled(settled) => {
                let (reserved, spent) = (settled.reserved, settled.spent);
                self.spending.settle(settled.day, reserved, spent);
            }
            Event::SchedulesTaken(taken) => self.schedule_cursor.take(taken, ts),
            Event::SlotsRecorded(recorded) => self.schedule_cursor.record(recorded),
            Event::ProposalsChanged(change) => change.apply(&mut self.proposals),
            Event::RootCreated(_)
            | Event::CallMade(_)
            | Event::InstructionDecided(_)
            | Event::ViewsWritten(_)
            | Event::TailCut(_)
            | Event::ViewRestored(_)
            | Event::EditRefused(_)
            | Event::RequestRefused(_)
            | Event::RuleSkipped(_)
            | Event::ConversationKept(_) => {}
        }
    }

    /// Returns the parts of the state that the deferred views show, as they are after a draft.
    #[must_use]
    pub fn deferred_after(&self, draft: &CommitDraft) -> Self {
        let mut after = Self {
            main: WorkingMemory {
                ram: self.main.ram.clone(),
                log: self.main.log.clone(),
                ..WorkingMemory::default()
            },
            storage: self.storage.clone(),
            keys: self.keys.clone(),
            ..Self::default()
        };
        after.main.log.add(draft);
        for event in draft.events.iter().filter(|event| event.note().is_none()) {
            after.apply(event, draft.actor.actor_type, draft.ts);
        }
        after
    }

    fn apply_change(&mut self, change: &Change, actor: ActorType) {
        match change {
            Change::RamSet(set) => self.main.ram.put(&set.key, &set.value),
            Change::RamDeleted(deleted) => self.main.ram.delete(&deleted.key),
            Change::StorageSet(set) => self.storage.set(set.path.parts(), set.value.clone()),
            Change::StorageDeleted(deleted) => self.storage.remove(deleted.path.parts()),
            Change::NoteCreated(written) | Change::NoteUpdated(written) => {
                if actor == ActorType::Agent {
                    self.main.seen.insert(written.note.id, written.note.version);
                }
                self.organizing.count_change();
                self.notes.put(written.note.clone());
            }
            Change::NoteDeleted(written) => {
                self.main.seen.remove(&written.note.id);
                self.organizing.count_change();
                self.notes.remove(written.note.id);
            }
        }
    }

    fn apply_iteration(&mut self, done: &IterationDone) {
        self.proposals.forget_outcomes(done.outcomes_shown);
        for number in &done.results_removed {
            self.main.result_log.remove(*number);
        }
        self.main.result_log.add(&done.results);
        if let Some(look) = &done.look {
            self.organizing.take(look);
        }
        let shown = done.shown.iter().map(|note| (note.id, note.version));
        self.main.seen.extend(shown);
        self.main.results.clone_from(&done.results);
        self.main.cycle = done.cycle;
        let run = self.runs.open_mut(done.run_id);
        let model = run.and_then(|run| run.model.as_deref());
        if let (Some(model), Some(counted)) = (model, done.counted) {
            self.calibrations.learn(model, counted);
        }
    }

    fn apply_carried(&mut self, carried: &StateCarried) {
        self.main.ram = Ram::from_entries(carried.ram.clone());
        // The list is complete: runs that an incomplete journal left behind do not count.
        self.runs = Runs::default();
        for run in &carried.runs {
            self.runs.put(run.clone());
        }
        self.main.cycle = carried.cycle;
        self.main.results.clone_from(&carried.results);
        self.main.result_log.clone_from(&carried.result_log);
        self.main.log.clone_from(&carried.log);
        self.main.seen.clone_from(&carried.seen);
        self.organizing.clone_from(&carried.organizing);
        self.calibrations.clone_from(&carried.calibrations);
        self.spending = carried.spending;
        self.schedule_cursor.clone_from(&carried.schedule_cursor);
    }
}

/// Applies an event to the record of its run. Events that do not concern runs change nothing.
#[expect(clippy::wildcard_enum_match_arm, reason = "most events concern no run")]
pub fn change_run(run: &mut Run, event: &Event) {
    match event {
        Event::RunRetried(retried) => run.clone_from(&retried.run),
        // A run that ended before its start was committed stays ended.
        Event::RunStarted(_) if run.is_finished() => {}
        Event::RunStarted(started) => {
            run.state = RunState::Running;
            run.started_at = Some(started.started_at);
            run.provider = Some(started.provider.clone());
            run.model = Some(started.model.clone());
            run.mode = started.mode;
            run.prompt_hash = Some(started.prompt_hash.clone());
            run.parser_version = Some(started.parser_version.clone());
            run.window = started.window;
            run.server.clone_from(&started.server);
        }
        Event::IterationDone(done) => {
            run.loop_count = done.iteration;
            run.operation_count += done.applied;
            run.rejected_count += done.rejected;
            run.ignored_count += done.ignored;
            run.usage.add(done.usage);
            run.progress.clone_from(&done.progress);
            for answer in &done.answers {
                Answer::add_to(&mut run.answer, answer);
            }
        }
        Event::RunEnded(ended) => {
            run.state = ended.state;
            run.stop_reason = Some(ended.stop_reason);
            run.error_code = ended.error_code;
            run.completed_at = Some(ended.completed_at);
        }
        Event::BudgetReserved(reserved) => run.spent = run.spent.and(reserved.cost),
        Event::BudgetSettled(settled) => {
            run.spent = run.spent.without(settled.reserved).and(settled.spent);
        }
        _ => {}
    }
}
