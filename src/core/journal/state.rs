//! The state that the journal adds up to, and the one function that applies an event.
//! `apply` is total and pure: replaying the same lines always gives the same state.

use super::commit::{ActorType, CommitContext, CommitDraft};
use super::event::{Change, Event, IterationDone, StateCarried};
use crate::core::agent::{ActionResult, WorkingMemory};
use crate::core::automation::ScheduleCursor;
use crate::core::memory::{Layers, Ram, Storage};
use crate::core::notes::{Notes, OrganizeState};
use crate::core::prompt::{Calibration, Calibrations, TokenMeter, unchecked_meter};
use crate::core::review::Proposals;
use crate::core::route::Spending;
use crate::core::run::{Answer, Run, RunState, Runs};
use crate::ids::RunId;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// The state of a root.
/// Its JSON form is the snapshot in a checkpoint, without notes and `/storage`, which have files of
/// their own.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct State {
    /// The working memory of the main agent, whose RAM is the KV file.
    pub main: WorkingMemory,
    /// The working memories of the open runs with private RAM.
    pub private: BTreeMap<RunId, WorkingMemory>,
    pub storage: Storage,
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

    /// Returns the working memory of a run.
    /// A run with private RAM never gets that of the main agent, not even once it has ended.
    pub fn memory_of(&self, run: &Run) -> &WorkingMemory {
        static EMPTY: LazyLock<WorkingMemory> = LazyLock::new(WorkingMemory::default);
        if run.has_private_ram() {
            self.private.get(&run.run_id).unwrap_or(&EMPTY)
        } else {
            &self.main
        }
    }

    /// Returns the decisions of a person that the next prompt of a run shows.
    /// They concern the main agent.
    pub fn outcomes_for(&self, run: &Run) -> &[ActionResult] {
        if run.has_private_ram() {
            &[]
        } else {
            self.proposals.outcomes()
        }
    }

    fn memory_mut(&mut self, run_id: Option<RunId>) -> &mut WorkingMemory {
        let own = run_id.and_then(|run_id| self.private.get_mut(&run_id));
        own.unwrap_or(&mut self.main)
    }

    /// Applies the content of a commit.
    pub fn apply_draft(&mut self, draft: &CommitDraft) {
        let run_id = draft.cause.run_id;
        // The log takes the calls of a run that ends, whose memory is gone afterwards.
        self.memory_mut(run_id).log.add(draft);
        for event in &draft.events {
            self.apply(event, draft.context());
        }
    }

    /// Applies one event of a commit.
    pub fn apply(&mut self, event: &Event, context: CommitContext) {
        if let Some(run) = event.run_id().and_then(|id| self.runs.open_mut(id)) {
            change_run(run, event);
        }
        let CommitContext { ts, run_id, .. } = context;
        match event {
            Event::Change(change) => self.apply_change(change.get(), context),
            Event::PrivateRamSet(set) => {
                if let Some(own) = self.private.get_mut(&set.run_id()) {
                    own.apply(&set.change(), context.actor, ts);
                }
            }
            Event::PrivateRamDeleted(deleted) => {
                if let Some(own) = self.private.get_mut(&deleted.run_id()) {
                    own.apply(&deleted.change(), context.actor, ts);
                }
            }
            Event::PrivateMemoryCarried(carried) => {
                let memory = carried.memory.as_ref().clone();
                self.private.insert(carried.run_id, memory);
            }
            Event::KeysNoted(noted) => self.memory_mut(run_id).keys.note(&noted.keys, ts),
            Event::KeysCarried(carried) => self.main.keys.clone_from(&carried.keys),
            Event::RunQueued(queued) => {
                self.open_memory(&queued.run);
                self.runs.queue(queued.run.clone());
            }
            Event::RunRetried(retried) => {
                self.open_memory(&retried.run);
                self.runs.put(retried.run.clone());
            }
            Event::RunStarted(started) => {
                let memory = self.memory_mut(Some(started.run_id));
                memory.begin_run(started.run_id);
            }
            Event::IterationDone(done) => self.apply_iteration(done),
            Event::RunEnded(ended) => {
                self.private.remove(&ended.run_id);
                self.runs.finish(ended.run_id);
            }
            Event::StateCarried(carried) => {
                self.apply_carried(carried);
                self.main.keys.take_in(&self.main.ram, ts);
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

    /// Gives a run with private RAM an empty working memory.
    fn open_memory(&mut self, run: &Run) {
        if run.has_private_ram() {
            self.private.insert(run.run_id, WorkingMemory::default());
        }
    }

    /// Returns the parts of the state that the deferred views show, as they are after a draft.
    #[must_use]
    pub fn deferred_after(&self, draft: &CommitDraft) -> Self {
        let mut after = Self {
            main: WorkingMemory {
                ram: self.main.ram.clone(),
                keys: self.main.keys.clone(),
                log: self.main.log.clone(),
                ..WorkingMemory::default()
            },
            // The calls of a run with private RAM are not in the log of the main agent.
            private: self.private.clone(),
            storage: self.storage.clone(),
            ..Self::default()
        };
        after.memory_mut(draft.cause.run_id).log.add(draft);
        for event in draft.events.iter().filter(|event| event.note().is_none()) {
            after.apply(event, draft.context());
        }
        after
    }

    fn apply_change(&mut self, change: &Change, context: CommitContext) {
        let CommitContext { actor, ts, run_id } = context;
        match run_id.and_then(|run_id| self.private.get_mut(&run_id)) {
            Some(own) => {
                own.apply(change, actor, ts);
                // The main agent has not seen what another agent wrote.
                self.main.apply(change, ActorType::Daemon, ts);
            }
            None => self.main.apply(change, actor, ts),
        }
        match change {
            Change::RamSet(_) | Change::RamDeleted(_) => {}
            Change::StorageSet(set) => self.storage.set(set.path.parts(), set.value.clone()),
            Change::StorageDeleted(deleted) => self.storage.remove(deleted.path.parts()),
            Change::NoteCreated(written) | Change::NoteUpdated(written) => {
                self.organizing.count_change();
                self.notes.put(written.note.clone());
            }
            Change::NoteDeleted(written) => {
                self.organizing.count_change();
                self.notes.remove(written.note.id);
            }
        }
    }

    fn apply_iteration(&mut self, done: &IterationDone) {
        self.proposals.forget_outcomes(done.outcomes_shown);
        if let Some(look) = &done.look {
            self.organizing.take(look);
        }
        self.memory_mut(Some(done.run_id)).apply_iteration(done);
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
