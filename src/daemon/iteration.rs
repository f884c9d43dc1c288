//! One iteration: eight steps in one function, named as in the contract. Everything that it decides is
//! decided by pure functions of `core`; here they are only called in order.

use super::agent::Agent;
use super::asker::Work;
use super::engine::Engine;
use super::halt::Halt;
use super::heard::{Answer, Asked, Heard};
use super::observer::LoopEvent;
use super::postponed::Away;
use super::run_profiles::end_without_rule;
use super::steps::{ask_in_steps, is_stepwise};
use crate::core::agent::{
    Decision, Ending, Policies, Turn, begins_in, decide, decide_failure, wants_notes,
};
use crate::core::guard::Edited;
use crate::core::journal::Event;
use crate::core::notes::Look;
use crate::core::protocol::Parsed;
use crate::failure::Failure;
use crate::ids::RunId;
use crate::store::DrawnIds;
use std::sync::Arc;

/// What an iteration came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Iterated {
    /// How the run ended, if it did.
    pub ending: Option<Ending>,
}

/// What an iteration is about.
#[derive(Clone, Copy)]
struct Begun<'a> {
    work: Work<'a>,
    look: Option<&'a Look>,
    /// Whether the request is another one than when it began.
    is_request_new: bool,
}

impl Agent {
    /// Runs one iteration of an open run.
    ///
    /// # Errors
    /// [`Halt::Failed`] with `RUN_NOT_FOUND` for a run that is not open, and with
    /// `LLM_UNAVAILABLE`, the run left as it is, for a server that is away and not waited for.
    pub async fn iteration(&mut self, run_id: RunId) -> Result<Iterated, Halt> {
        let mut pause_ms = 0;
        let request = |engine: &Engine| engine.state().ram.request().map(str::to_owned);
        let request_before = request(&self.engine);
        let mut heard = Heard::default();
        loop {
            // 1 load state
            self.reload_if_asked();
            self.engine.take_edits().await?;
            self.engine.files.meanwhile = Edited::default();
            let run = self.engine.open_run(run_id)?;
            let ended = end_without_rule(&mut self.engine, &mut self.asker, &run).await?;
            if let Some(ending) = ended {
                let ending = Some(ending);
                return Ok(Iterated { ending });
            }
            let profile = self.profiles.of(run.rule_id);
            self.engine.profile = Arc::clone(&profile);
            self.asker.charge_to(&mut self.engine, run_id).await?;
            let known = self.engine.state();
            let state = begins_in(known, &profile.config.memory, known.ram.state());
            if wants_notes(known, state) {
                self.engine.read_notes().await?;
            }
            let look = self
                .organizer
                .look_for(&mut self.engine, &run, state)
                .await?;
            let begun = Begun {
                work: Work {
                    run: &run,
                    state,
                    profile: &profile,
                    patience: self.patience,
                },
                look: look.as_ref(),
                is_request_new: request(&self.engine) != request_before,
            };
            self.engine.observer.on_event(LoopEvent::Asking {
                state,
                iteration: run.loop_count + 1,
            });

            // 2 segments, 3 assemble, 4 complete, 5 parse
            let (engine, asker, work) = (&mut self.engine, &mut self.asker, begun.work);
            let asked = if is_stepwise(engine, work) {
                ask_in_steps(asker, engine, work, &mut heard).await?
            } else {
                asker.ask(engine, work, begun.look, &mut heard).await?
            };
            match asked {
                Asked::Answered(answer) => {
                    self.engine.report_busy();
                    return self.conclude(begun, *answer).await;
                }
                Asked::Away(away) => self.wait_out(&away, &mut pause_ms).await?,
            }
        }
    }

    /// Waits for a server that is away, if that is worth it: the question is put anew then, from the state
    /// as it is by that time.
    async fn wait_out(&mut self, away: &Away, pause_ms: &mut u64) -> Result<(), Halt> {
        let (engine, code) = (&mut self.engine, away.error.code);
        if !away.is_waited_for(self.patience, engine.pool(), engine.now()) {
            self.asker.settle_now(engine).await?;
            let message = away.message(engine.pool(), engine.now());
            return Err(Failure::new(code, message).into());
        }
        // It may not even have come to a question, and be so for days.
        engine.read_notes().await?;
        // It opens then, and not later for having been asked for often.
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

    /// The second half of an iteration, once there is an answer.
    async fn conclude(&mut self, begun: Begun<'_>, answer: Answer) -> Result<Iterated, Halt> {
        let Work {
            run,
            state,
            profile,
            ..
        } = begun.work;
        let (engine, asker) = (&mut self.engine, &mut self.asker);
        // 6 decide: what a person edited meanwhile goes first
        let mut edited = std::mem::take(&mut engine.files.meanwhile);
        let Edited { ram_keys, notes } = engine.take_edits().await?;
        edited.ram_keys.extend(ram_keys);
        edited.notes.extend(notes);
        let policies = profile.policies(self.max_iterations);
        let mut decision = decide_answer(engine, begun, &answer, &edited, &policies);
        decision.draft.events.extend(answer.kept);
        // In front: what ends a run comes last.
        let mut front: Vec<Event> = asker.ledger.settle().into_iter().collect();
        front.extend(asker.calls.take_calls_made());
        front.extend(engine.server().started_otherwise(profile, run));
        decision.draft.events.splice(0..0, front);

        // 7 commit
        let Decision {
            draft,
            next,
            ending,
            entries,
        } = decision;
        let head = engine.commit(draft).await?;
        let (server, known) = engine.server_and_state();
        server.forget_counts(known);
        if ending.is_some() {
            engine.commands.cancelled = None;
        }
        engine.status.heartbeat.on_iteration(answer.usage, ending);

        // 8 wait: the caller's, who knows what comes next
        engine.observer.on_event(LoopEvent::Committed {
            run,
            iteration: run.loop_count + 1,
            state,
            next,
            usage: answer.usage,
            entries: &entries,
            head,
            ending,
        });
        Ok(Iterated { ending })
    }
}

fn decide_answer(
    engine: &Engine,
    begun: Begun<'_>,
    answer: &Answer,
    edited: &Edited,
    policies: &Policies<'_>,
) -> Decision {
    let now = engine.now();
    let nothing = Parsed::nothing();
    let (reply, reasoning) = match &answer.reply {
        Ok((parsed, reasoning)) => (parsed, reasoning.as_deref()),
        Err(_) => (&nothing, None),
    };
    let turn = Turn {
        state: engine.state(),
        index: engine.store.search_index(),
        run: begun.work.run,
        ran_in: begun.work.state,
        reply,
        reasoning,
        usage: answer.usage,
        messages_hash: answer.messages_hash.clone(),
        counted: answer.counted,
        allocation: answer.allocation,
        shown: &answer.shown,
        outcomes_shown: answer.outcomes_shown,
        edited,
        is_request_new: begun.is_request_new,
        look: begun.look,
        is_stepwise: answer.is_stepwise,
        carried: answer.carried.as_ref(),
        now,
    };
    let mut ids = DrawnIds { now };
    match answer.reply {
        Ok(_) => decide(&turn, policies, &mut ids),
        Err(code) => decide_failure(&turn, policies, &mut ids, code),
    }
}
