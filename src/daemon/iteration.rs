//! One iteration: eight steps in one straight function, named as in the contract. Everything that
//! it decides is decided by pure functions of `core`; here they are only called in order.

use super::agent::{Agent, Halt, Patience};
use super::compose::is_no_prompt;
use super::heard::{Answer, Asked, Heard, keep};
use super::observer::LoopEvent;
use crate::config::ProviderKind;
use crate::core::agent::{
    ActionResult, Beside, Complaint, Complaints, Decision, Ending, LoopState, Turn, begins_in,
    decide, decide_failure, offered, relevant_notes, wants_notes,
};
use crate::core::guard::Edited;
use crate::core::journal::Event;
use crate::core::notes::Look;
use crate::core::prompt::{Counted, Message};
use crate::core::protocol::{ConstraintKind, ParseOptions, Parsed, parse_as};
use crate::core::route::is_stand_in;
use crate::core::run::Run;
use crate::failure::{Code, Failure};
use crate::ids::RunId;
use crate::provider::{Contact, FinishReason, LlmReply, LlmRequest, ProviderError};
use crate::store::DrawnIds;

/// What an iteration came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Iterated {
    /// How the run ended, if it did.
    pub ending: Option<Ending>,
}

/// What an iteration is about.
#[derive(Clone, Copy)]
struct Begun<'a> {
    run: &'a Run,
    ran_in: LoopState,
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
        let request = |agent: &Self| agent.store.state().ram.request().map(str::to_owned);
        let request_before = request(self);
        let mut heard = Heard::default();
        loop {
            // 1 load state
            self.reload_if_asked();
            self.take_edits().await?;
            self.meanwhile = Edited::default();
            let run = self.open_run(run_id)?;
            if let Some(ending) = self.end_without_rule(&run).await? {
                let ending = Some(ending);
                return Ok(Iterated { ending });
            }
            self.profile = self.profiles.of(run.rule_id);
            self.charge_to(run_id).await?;
            let known = self.store.state();
            let ran_in = begins_in(known, &self.profile.config.memory, known.ram.state());
            if wants_notes(self.store.state(), ran_in) {
                self.read_notes().await?;
            }
            let look = self.look_for(&run, ran_in).await?;
            let is_request_new = request(self) != request_before;
            self.observer.on_event(LoopEvent::Asking {
                state: ran_in,
                iteration: run.loop_count + 1,
            });

            // 2 segments, 3 assemble, 4 complete, 5 parse
            let asked = if self.is_stepwise(&run, ran_in) {
                self.ask_in_steps(&run, ran_in, &mut heard).await?
            } else {
                self.ask(&run, ran_in, look.as_ref(), &mut heard).await?
            };
            match asked {
                Asked::Answered(answer) => {
                    self.report_busy();
                    let begun = Begun {
                        run: &run,
                        ran_in,
                        look: look.as_ref(),
                        is_request_new,
                    };
                    return self.conclude(begun, *answer).await;
                }
                Asked::Away(error) if !self.is_waited_for(&error) => {
                    self.settle_now().await?;
                    let message = self.wait_message(&error);
                    return Err(Failure::new(error.code, message).into());
                }
                // Time passes: the question is put anew, from the state as it is then.
                Asked::Away(error) => {
                    // It may not even have come to a question, and be so for days.
                    self.read_notes().await?;
                    // It opens then, and not later for having been asked for often.
                    let due_ms = self.due_in_ms(&error);
                    let asked_ms = error.retry_after_ms.unwrap_or(0);
                    pause_ms = due_ms.unwrap_or_else(|| pause_ms.max(asked_ms));
                    let message = self.wait_message(&error);
                    let since_ms = self.clock.uptime_ms();
                    self.wait_for_server(error.code, &message, &mut pause_ms, due_ms)
                        .await?;
                    self.note_wait(error.code, since_ms);
                    self.report_retrying();
                    self.take_triggers().await?;
                }
            }
        }
    }

    /// The second half of an iteration, once there is an answer.
    async fn conclude(&mut self, begun: Begun<'_>, answer: Answer) -> Result<Iterated, Halt> {
        let Begun { run, ran_in, .. } = begun;
        // 6 decide: what a person edited meanwhile goes first
        let mut edited = std::mem::take(&mut self.meanwhile);
        let Edited { ram_keys, notes } = self.take_edits().await?;
        edited.ram_keys.extend(ram_keys);
        edited.notes.extend(notes);
        let mut decision = self.decide(begun, &answer, &edited);
        decision.draft.events.extend(answer.kept);
        // In front: what ends a run comes last.
        let mut front: Vec<Event> = self.settle().into_iter().collect();
        front.extend(self.take_calls_made());
        front.extend(self.started_otherwise(run));
        decision.draft.events.splice(0..0, front);

        // 7 commit
        let Decision {
            draft,
            next,
            ending,
            entries,
        } = decision;
        let head = self.commit(draft).await?;
        self.forget_counts();
        if ending.is_some() {
            self.cancelled = None;
        }
        self.heartbeat.on_iteration(answer.usage, ending);

        // 8 wait: the caller's, who knows what comes next
        self.observer.on_event(LoopEvent::Committed {
            run,
            iteration: run.loop_count + 1,
            state: ran_in,
            next,
            usage: answer.usage,
            entries: &entries,
            head,
            ending,
        });
        Ok(Iterated { ending })
    }

    fn decide(&self, begun: Begun<'_>, answer: &Answer, edited: &Edited) -> Decision {
        let now = self.clock.now();
        let nothing = Parsed::nothing();
        let (reply, reasoning) = match &answer.reply {
            Ok((parsed, reasoning)) => (parsed, reasoning.as_deref()),
            Err(_) => (&nothing, None),
        };
        let turn = Turn {
            state: self.store.state(),
            index: self.store.search_index(),
            run: begun.run,
            ran_in: begun.ran_in,
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
            Ok(_) => decide(&turn, &self.policies(), &mut ids),
            Err(code) => decide_failure(&turn, &self.policies(), &mut ids, code),
        }
    }

    /// Asks until the reply can be read, within the bounds of the configuration.
    async fn ask(
        &mut self,
        run: &Run,
        state: LoopState,
        look: Option<&Look>,
        heard: &mut Heard,
    ) -> Result<Asked, Halt> {
        let mut counted = None;
        let mut complaints = Complaints::default();
        let results = self.results_beside(state, look);
        let offered = results.len();
        let mut beside = Beside {
            results,
            ..Beside::default()
        };
        loop {
            let put = self.question(run, state, &beside).await?;
            let form = self.form_of(&put.request);
            let (messages_hash, messages) = (put.messages_hash, put.request.messages);
            let (allocation, shown, outcomes_shown) =
                (put.allocation, put.shown, put.outcomes_shown);
            counted = self.counted_in(&put.reply, &messages).or(counted);
            heard.usage.add(std::mem::take(&mut self.uncounted_usage));
            let answered = |reply, heard: &mut Heard| {
                let Heard { usage, kept, .. } = std::mem::take(heard);
                Asked::Answered(Box::new(Answer {
                    usage,
                    counted,
                    allocation,
                    shown,
                    outcomes_shown,
                    messages_hash,
                    kept,
                    ..Answer::of(reply)
                }))
            };
            let complaint = match put.reply {
                Ok(reply) => {
                    heard.replies += 1;
                    heard.usage.add(reply.usage_with(put.request.max_tokens));
                    let (parsed, complaint) = self.read(&reply, form, &messages);
                    if self.profile.config.memory.retain_full_conversation_logs {
                        let kept = keep(run, heard.replies, messages, &reply, form);
                        heard.kept.push(kept);
                    }
                    let Some(complaint) = complaint else {
                        return Ok(answered(Ok((parsed, reply.reasoning)), heard));
                    };
                    complaint
                }
                Err(error) if self.is_away(&error) => return Ok(Asked::Away(error)),
                // A reply that is not even text is as unreadable as one can be.
                Err(error) if error.code == Code::XmlParseError => {
                    heard.replies += 1;
                    heard.usage.calls = heard.usage.calls.saturating_add(1);
                    Complaint::plain(error.code, error.message)
                }
                Err(error) => {
                    self.report_failed(&error);
                    return Ok(answered(Err(error.code), heard));
                }
            };
            let (code, message) = (complaint.code, &complaint.message);
            self.observer.on_event(LoopEvent::Unreadable { message });
            let is_last = heard.replies > self.profile.config.r#loop.parse_retries;
            match complaints.add(complaint).filter(|_| !is_last) {
                Some(next) => beside.put(offered, next),
                None => return Ok(answered(Err(code), heard)),
            }
        }
    }

    /// What a prompt shows beside the results of the iteration before.
    fn results_beside(&self, state: LoopState, look: Option<&Look>) -> Vec<ActionResult> {
        let known = self.store.state();
        let mut results = look.map_or_else(Vec::new, |look| offered(known, look));
        results.extend(relevant_notes(
            known,
            &self.profile.config.scope,
            state,
            known.ram.request(),
        ));
        results
    }

    /// Says why a question came to nothing.
    pub(super) fn report_failed(&mut self, error: &ProviderError) {
        if is_no_prompt(error.code) {
            // Nothing was asked: a person has to know why.
            let message = format!("{}: {error}", error.code);
            self.observer
                .on_event(LoopEvent::Notice { message: &message });
        } else if error.code == Code::RunCancelled {
            // A person's own word is no trouble.
            tracing::info!(code = %error.code, "{error}");
        } else {
            tracing::warn!(code = %error.code, "{error}");
        }
    }

    /// Whether an error says that the server is not there, or not there yet, or that a limit of ours
    /// holds the question back. A person who waits is told so whatever the reason; a daemon waits only
    /// for what can pass.
    pub(super) fn is_away(&self, error: &ProviderError) -> bool {
        let is_away = error.code == Code::LlmUnavailable;
        let is_held = error.contact == Contact::Held && error.retry;
        is_held
            || self.is_postponed(error)
            || is_away && (error.retry || self.patience == Patience::None)
    }

    /// The form in which an answer is read: the one that it was asked for in. A recording may hold JSON
    /// as well.
    pub(super) fn form_of(&self, request: &LlmRequest) -> Option<ConstraintKind> {
        let is_recorded = self.server().config.kind == ProviderKind::Scripted;
        if is_recorded {
            Some(ConstraintKind::JsonSchema)
        } else {
            request.constraint_kind()
        }
    }

    /// What the server counted for a prompt that the asked model answered: another has a tokenizer of
    /// its own.
    pub(super) fn counted_in(
        &self,
        reply: &Result<LlmReply, ProviderError>,
        messages: &[Message],
    ) -> Option<Counted> {
        let reply = reply.as_ref().ok()?;
        let others = &self.server().config.fallback_models;
        let answered = reply.model.as_deref().unwrap_or_default();
        let is_of_asked = !is_stand_in(answered, self.asked_model(), others);
        let is_counted = is_of_asked && !reply.arrival.usage_is_estimated;
        is_counted.then(|| Counted::of(messages, reply.usage.input_tokens))
    }

    /// What a reply says, and what is wrong with it, if anything is.
    fn read(
        &self,
        reply: &LlmReply,
        form: Option<ConstraintKind>,
        messages: &[Message],
    ) -> (Parsed, Option<Complaint>) {
        let options = ParseOptions {
            strict: self.profile.config.parser_strict,
            allowed_tags: self.profile.prompt.allowed_tags,
            truncated: reply.finish == FinishReason::Length,
        };
        let parsed = parse_as(form, &reply.text, &options);
        let early_stop = reply.arrival.early_stop;
        let request = self.store.state().ram.request();
        let complaint = Complaint::against(&parsed, &reply.text, messages, early_stop, request);
        (parsed, complaint)
    }
}
