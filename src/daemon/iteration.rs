//! One iteration: eight steps in one function, named as in the contract.
//!
//! Pure functions of `core` make every decision; here they are only called in order.

use super::agent::Agent;
use super::asker::{
    AskOutcome, CallContext, CallTotals, FinalReply, TransientFailure, ask_in_steps, is_stepwise,
};
use super::engine::Engine;
use super::observer::LoopEvent;
use super::run_profiles::{RunProfile, end_without_owner};
use super::stop::{Halt, OutagePolicy};
use crate::core::agent::{
    Decision, Ending, LoopState, Policies, Turn, decide, decide_failure, initial_state, wants_notes,
};
use crate::core::guard::EditedItems;
use crate::core::journal::Event;
use crate::core::notes::OrganizeScan;
use crate::core::protocol::ParsedReply;
use crate::core::run::Run;
use crate::failure::Failure;
use crate::ids::RunId;
use crate::store::TimeOrderedIds;
use std::sync::Arc;

struct IterationInput {
    run: Run,
    state: LoopState,
    profile: Arc<RunProfile>,
    look: Option<OrganizeScan>,
    /// Whether the request has changed since the iteration began.
    is_request_new: bool,
}

impl IterationInput {
    fn work(&self, patience: OutagePolicy) -> CallContext<'_> {
        CallContext {
            run: &self.run,
            state: self.state,
            profile: &self.profile,
            patience,
        }
    }
}

enum LoadOutcome {
    Loaded(Box<IterationInput>),
    /// The run has ended: its rule or agent is gone.
    Ended(Ending),
}

impl Agent {
    /// Runs one iteration of an open run, and returns how the run ended, if it did.
    ///
    /// # Errors
    /// [`Halt::Failed`] with `RUN_NOT_FOUND` for a run that is not open, and with
    /// `LLM_UNAVAILABLE`, the run left as it is, for a server that is away and not waited for.
    pub async fn iteration(&mut self, run_id: RunId) -> Result<Option<Ending>, Halt> {
        let request = self.engine.request_of(run_id)?;
        let mut heard = CallTotals::default();
        let mut pause_ms = 0;
        loop {
            // 1 load state
            let loaded = match self.load(run_id, request.as_deref()).await? {
                LoadOutcome::Loaded(loaded) => loaded,
                LoadOutcome::Ended(ending) => {
                    return Ok(Some(ending));
                }
            };

            // 2 segments, 3 assemble, 4 complete, 5 parse: for as many questions as it takes
            let work = loaded.work(self.patience);
            let (engine, asker) = (&mut self.engine, &mut self.asker);
            let asked = if is_stepwise(engine, work) {
                ask_in_steps(asker, engine, work, &mut heard).await?
            } else {
                let look = loaded.look.as_ref();
                asker.ask(engine, work, look, &mut heard).await?
            };
            let answer = match asked {
                AskOutcome::Answered(answer) => answer,
                AskOutcome::Away(away) => {
                    self.wait_out(&away, &mut pause_ms).await?;
                    continue;
                }
            };

            // 6 decide: what a person edited meanwhile goes first
            let edited = edited_meanwhile(&mut self.engine, &loaded.run).await?;
            let policies = loaded.profile.policies(self.max_iterations);
            let decision = decide_answer(&self.engine, &loaded, &answer, &edited, &policies);

            // 7 commit
            let ending = self.commit(&loaded, *answer, decision).await?;

            // 8 wait: the caller's, who knows what comes next
            return Ok(ending);
        }
    }

    /// Takes in what has changed outside, and loads the input of the iteration.
    async fn load(
        &mut self,
        run_id: RunId,
        request_before: Option<&str>,
    ) -> Result<LoadOutcome, Halt> {
        self.reload_if_asked();
        let engine = &mut self.engine;
        engine.take_edits().await?;
        engine.files.meanwhile = EditedItems::default();
        let run = engine.open_run(run_id)?;
        if let Some(ending) = end_without_owner(engine, &mut self.asker, &run).await? {
            return Ok(LoadOutcome::Ended(ending));
        }
        let profile = Arc::clone(self.profiles.of_run(&run));
        engine.profile = Arc::clone(&profile);
        self.asker.charge_to(engine, run_id).await?;
        let known = engine.state();
        let memory = known.memory_of(&run);
        let state = initial_state(memory, &profile.config.memory, memory.ram.state());
        if wants_notes(memory, state) {
            engine.read_notes().await?;
        }
        let look = self.organizer.look_for(engine, &run, state).await?;
        engine.observer.on_event(LoopEvent::Asking {
            state,
            iteration: run.loop_count + 1,
        });
        Ok(LoadOutcome::Loaded(Box::new(IterationInput {
            is_request_new: engine.state().memory_of(&run).ram.request() != request_before,
            run,
            state,
            profile,
            look,
        })))
    }

    /// Waits for a server that is away, if that is worth it.
    ///
    /// The call is made anew then, from the state at that time.
    async fn wait_out(&mut self, away: &TransientFailure, pause_ms: &mut u64) -> Result<(), Halt> {
        let (engine, code) = (&mut self.engine, away.error.code);
        if !away.is_waited_for(self.patience, engine.pool(), engine.now()) {
            self.asker.settle_now(engine).await?;
            let message = away.message(engine.pool(), engine.now());
            return Err(Failure::new(code, message).into());
        }
        // Perhaps no request was sent since the start, and none will be for days.
        engine.read_notes().await?;
        // A known time holds, however many attempts there were.
        let due_ms = away.due_in_ms(engine.pool(), engine.now());
        let asked_ms = away.error.retry_after_ms.unwrap_or(0);
        *pause_ms = due_ms.unwrap_or_else(|| (*pause_ms).max(asked_ms));
        let message = away.message(engine.pool(), engine.now());
        let since_ms = engine.clock.uptime_ms();
        engine
            .wait_for_server(code, &message, pause_ms, due_ms)
            .await?;
        self.reload_if_asked();
        let waited_ms = self.engine.clock.uptime_ms().saturating_sub(since_ms);
        self.asker.calls.note_wait(code, waited_ms);
        self.engine.report_retrying();
        self.take_triggers().await
    }

    /// Commits the decision, and the cost of the calls before it.
    ///
    /// Returns the end of the run, if it ended.
    async fn commit(
        &mut self,
        loaded: &IterationInput,
        answer: FinalReply,
        decision: Decision,
    ) -> Result<Option<Ending>, Halt> {
        let (engine, asker, run) = (&mut self.engine, &mut self.asker, &loaded.run);
        let (mut draft, ending) = (decision.draft, decision.ending);
        draft.events.extend(answer.heard.kept);
        // In front, as the event that ends a run comes last.
        let mut front: Vec<Event> = asker.ledger.settle().into_iter().collect();
        front.extend(asker.calls.take_calls_made());
        front.extend(engine.server().started_otherwise(&loaded.profile, run));
        draft.events.splice(0..0, front);
        let head = engine.commit(draft).await?;
        let (server, known) = engine.server_and_state();
        server.forget_counts(known);
        if ending.is_some() {
            engine.commands.cancelled = None;
        }
        let usage = answer.heard.usage;
        engine.status.heartbeat.on_iteration(usage, ending);
        engine.observer.on_event(LoopEvent::Committed {
            run,
            iteration: run.loop_count + 1,
            state: loaded.state,
            next: decision.next,
            usage,
            entries: &decision.entries,
            head,
            ending,
        });
        Ok(ending)
    }
}

/// Takes in a person's edits since the request was sent.
async fn edited_meanwhile(engine: &mut Engine, run: &Run) -> Result<EditedItems, Halt> {
    engine.report_busy();
    let mut edited = std::mem::take(&mut engine.files.meanwhile);
    let EditedItems { ram_keys, notes } = engine.take_edits().await?;
    edited.ram_keys.extend(ram_keys);
    edited.notes.extend(notes);
    if run.has_private_ram() {
        // A person edits the KV file alone.
        edited.ram_keys.clear();
    }
    Ok(edited)
}

fn decide_answer(
    engine: &Engine,
    loaded: &IterationInput,
    answer: &FinalReply,
    edited: &EditedItems,
    policies: &Policies<'_>,
) -> Decision {
    let now = engine.now();
    let nothing = ParsedReply::nothing();
    let (reply, reasoning) = match &answer.reply {
        Ok((parsed, reasoning)) => (parsed, reasoning.as_deref()),
        Err(_) => (&nothing, None),
    };
    let prompt = &answer.heard.prompt;
    let turn = Turn {
        state: engine.state(),
        working: engine.state().memory_of(&loaded.run),
        index: engine.store.search_index(),
        run: &loaded.run,
        ran_in: loaded.state,
        reply,
        reasoning,
        usage: answer.heard.usage,
        messages_hash: prompt.messages_hash.clone(),
        counted: prompt.counted,
        allocation: prompt.composed.allocation,
        shown: &prompt.composed.shown,
        outcomes_shown: prompt.composed.outcomes_shown,
        edited,
        is_request_new: loaded.is_request_new,
        look: loaded.look.as_ref(),
        is_stepwise: answer.is_stepwise,
        is_unsure: answer.is_unsure,
        outcome: answer.outcome.as_ref(),
        now,
    };
    let mut ids = TimeOrderedIds { now };
    match answer.reply {
        Ok(_) => decide(&turn, policies, &mut ids),
        Err(code) => decide_failure(&turn, policies, &mut ids, code),
    }
}
