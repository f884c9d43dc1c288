//! Asks a model until its reply can be read, and accounts for the cost.
//!
//! The budget is reserved before each attempt and settled by the next commit. A call whose server is
//! away, or that a limit holds, is handed back, to be made anew from the state at a later time.
//! Decides nothing about what a reply says: `core` does.

use super::budget_ledger::BudgetLedger;
use super::call_driver::MessageHashes;
use super::call_facts::CallLog;
use super::compose::{Composed, Composer, is_no_prompt};
use super::engine::Engine;
use super::observer::LoopEvent;
use super::provider_pool::ProviderPool;
use super::run_profiles::RunProfile;
use super::stop::{Halt, OutagePolicy};
use crate::core::agent::{
    ActionResult, LoopState, NextAction, PromptAdditions, ReplyError, ReplyErrors, StepOutcome,
    StepReply, Stepwise, offers_as_results, relevant_notes,
};
use crate::core::journal::event::{BudgetReserved, ConversationKept, KeptReply};
use crate::core::journal::{Cause, CommitDraft, Event, State};
use crate::core::notes::OrganizeScan;
use crate::core::prompt::{PromptCount, PromptMessage};
use crate::core::protocol::{ConstraintKind, ParseOptions, ParsedReply, parse_as};
use crate::core::route::Cost;
use crate::core::run::{Run, Usage};
use crate::failure::Code;
use crate::ids::RunId;
use crate::provider::{Contact, FinishReason, LlmReply, ProviderError};
use crate::store::own_draft;
use crate::time::Timestamp;

/// The longest wait for a server with a person in front of it, in milliseconds.
///
/// It is as long as a breaker stays open.
const SHORT_WAIT_MS_MAX: u64 = 30_000;

/// The subject and the settings of a call, chosen when an iteration begins.
#[derive(Clone, Copy, Debug)]
pub(super) struct CallContext<'a> {
    pub(super) run: &'a Run,
    pub(super) state: LoopState,
    pub(super) profile: &'a RunProfile,
    pub(super) patience: OutagePolicy,
}

/// The calls of an iteration so far, however many it took.
#[derive(Default)]
pub(super) struct CallTotals {
    replies: u32,
    pub(super) usage: Usage,
    /// The replies that the journal keeps.
    pub(super) kept: Vec<Event>,
    pub(super) prompt: LastPrompt,
}

/// The last prompt of an iteration, and the last count that its server made.
#[derive(Default)]
pub(super) struct LastPrompt {
    pub(super) composed: Composed,
    pub(super) counted: Option<PromptCount>,
    pub(super) messages_hash: String,
}

enum Reply {
    /// A reply, and the form in which it is read.
    Text(LlmReply, Option<ConstraintKind>),
    /// A reply that is not even text.
    Garbled(ProviderError),
    /// The call failed in a way that ends the run.
    Failed(Code),
    /// The server is away: there is no reply, and nothing is lost.
    Away(TransientFailure),
}

pub(super) enum AskOutcome {
    /// The model replied, or the call failed in a way that ends the run.
    Answered(Box<FinalReply>),
    /// The server is away: there is no reply, and nothing is lost.
    Away(TransientFailure),
}

/// The final reply of the model, after as many calls as it took.
pub(super) struct FinalReply {
    pub(super) reply: Result<(ParsedReply, Option<String>), Code>,
    pub(super) outcome: Option<StepOutcome>,
    /// Whether the request is worked on in small steps.
    pub(super) is_stepwise: bool,
    /// Whether it is not sure that the request asks for the plan or for the step.
    pub(super) is_unsure: bool,
    pub(super) heard: CallTotals,
}

impl CallTotals {
    /// Makes these calls an answer in instructions.
    fn answered(&mut self, reply: Result<(ParsedReply, Option<String>), Code>) -> AskOutcome {
        AskOutcome::Answered(Box::new(FinalReply {
            reply,
            outcome: None,
            is_stepwise: false,
            is_unsure: false,
            heard: std::mem::take(self),
        }))
    }

    /// Counts a reply, and keeps it with its prompt where conversations are retained.
    fn take_in(
        &mut self,
        work: CallContext<'_>,
        reply: &LlmReply,
        constraint_kind: Option<ConstraintKind>,
    ) {
        let request = &self.prompt.composed.request;
        self.replies += 1;
        self.usage.add(reply.usage_with(request.max_tokens));
        if work.profile.config.memory.retain_full_conversation_logs {
            self.kept.push(Event::ConversationKept(ConversationKept {
                run_id: work.run.run_id,
                iteration: work.run.loop_count + 1,
                attempt: self.replies,
                messages: request.messages.clone(),
                reply: KeptReply {
                    text: reply.text.clone(),
                    reasoning: reply.reasoning.clone(),
                    certainty_percent: reply.arrival.certainty_percent,
                    least_percent: reply.arrival.least_percent,
                    finish: reply.finish.name().to_owned(),
                    usage: reply.usage,
                },
                constraint_kind,
            }));
        }
    }
}

/// A call that failed for now.
#[derive(Debug)]
pub(super) struct TransientFailure {
    pub(super) error: ProviderError,
    /// Whether the call is to be made again at a known time.
    pub(super) is_postponed: bool,
}

impl TransientFailure {
    /// Returns whether a wait for the asked server is worth it.
    pub(super) fn is_waited_for(
        &self,
        patience: OutagePolicy,
        pool: &ProviderPool,
        now: Timestamp,
    ) -> bool {
        if patience == OutagePolicy::Endless {
            return true;
        }
        let is_short = |wait_ms: u64| wait_ms <= SHORT_WAIT_MS_MAX;
        self.is_postponed && self.due_in_ms(pool, now).is_some_and(is_short)
    }

    /// Returns the milliseconds until the call is made again, where that is known.
    ///
    /// A budget opens then, or the server is asked again, or another one before it.
    pub(super) fn due_in_ms(&self, pool: &ProviderPool, now: Timestamp) -> Option<u64> {
        if self.error.code == Code::BudgetExceeded {
            return self.error.retry_after_ms;
        }
        let wait_ms = self.error.retry_after_ms.filter(|_| self.is_postponed)?;
        let soonest_ms = pool.soonest_ms(now);
        Some(soonest_ms.map_or(wait_ms, |soonest_ms| soonest_ms.min(wait_ms)))
    }

    /// Returns the message about a wait: the error, and the time of the next attempt.
    pub(super) fn message(&self, pool: &ProviderPool, now: Timestamp) -> String {
        let message = &self.error.message;
        let is_reported = self.error.contact == Contact::Postponed || !self.is_postponed;
        match self.due_in_ms(pool, now).filter(|_| !is_reported) {
            Some(due_ms) => {
                let due = now.after_millis(due_ms);
                format!("{message}; asked again at {due}")
            }
            None => message.clone(),
        }
    }
}

/// The asker of a model, within the budgets.
#[derive(Debug, Default)]
pub(super) struct Asker {
    pub(super) ledger: BudgetLedger,
    /// The calls and waits that no commit has recorded yet.
    pub(super) calls: CallLog,
    pub(super) composer: Composer,
    pub(super) hashes: MessageHashes,
}

impl Asker {
    /// Charges the calls from now on to a run.
    pub(super) async fn charge_to(
        &mut self,
        engine: &mut Engine,
        run_id: RunId,
    ) -> Result<(), Halt> {
        if self.ledger.run_id != Some(run_id) {
            self.settle_now(engine).await?;
            self.ledger.run_id = Some(run_id);
            // The waits of another run are no part of this one's calls.
            self.calls.forget_waits();
        }
        Ok(())
    }

    /// Reserves the most that an attempt may cost. Durable when this returns.
    pub(super) async fn reserve(&mut self, engine: &mut Engine, cost: Cost) -> Result<(), Halt> {
        let now = engine.now();
        let day = engine.state().spending.day_at(now);
        if self.ledger.day != day {
            self.settle_now(engine).await?;
            self.ledger.day = day;
        }
        let more = self.ledger.missing(cost);
        if !more.is_nothing() {
            let run_id = self.ledger.run_id;
            let reserved = Event::BudgetReserved(BudgetReserved {
                day,
                cost: more,
                run_id,
            });
            let cause = Cause::plain("budget");
            engine.commit(own_draft(cause, vec![reserved], now)).await?;
        }
        self.ledger.reserve(more, cost);
        Ok(())
    }

    /// Returns a draft for calls that no iteration will report.
    pub(super) fn pending_draft(&mut self, now: Timestamp) -> Option<CommitDraft> {
        let mut events = self.calls.take_calls_made();
        let asked = self.ledger.run_id.filter(|_| !events.is_empty());
        let cause = match asked {
            Some(run_id) => Cause::run("calls", run_id),
            None => Cause::plain("budget"),
        };
        events.extend(self.ledger.settle());
        (!events.is_empty()).then(|| own_draft(cause, events, now))
    }

    /// Commits pending calls without an iteration.
    pub(super) async fn settle_now(&mut self, engine: &mut Engine) -> Result<(), Halt> {
        if let Some(draft) = self.pending_draft(engine.now()) {
            engine.commit(draft).await?;
        }
        Ok(())
    }

    /// Asks one question, and takes the reply in.
    async fn hear(
        &mut self,
        engine: &mut Engine,
        work: CallContext<'_>,
        additions: &PromptAdditions,
        heard: &mut CallTotals,
    ) -> Result<Reply, Halt> {
        let put = self.question(engine, work, additions).await?;
        let (server, request) = (engine.server(), &put.prompt.request);
        let form = server.form_of(request);
        let counted = server.counted_in(&put.reply, &request.messages);
        heard.prompt = LastPrompt {
            counted: counted.or(heard.prompt.counted),
            messages_hash: self.hashes.of(&request.messages),
            composed: put.prompt,
        };
        heard.usage.add(put.uncounted);
        let error = match put.reply {
            Ok(reply) => {
                heard.take_in(work, &reply, form);
                return Ok(Reply::Text(reply, form));
            }
            Err(error) => error,
        };
        if error.code == Code::XmlParseError {
            heard.replies += 1;
            heard.usage.calls = heard.usage.calls.saturating_add(1);
            return Ok(Reply::Garbled(error));
        }
        let iteration = self.ledger.iteration(engine.state());
        let is_postponed = engine.server().is_postponed(&error, iteration);
        if is_postponed || is_away(&error, work.patience) {
            return Ok(Reply::Away(TransientFailure {
                error,
                is_postponed,
            }));
        }
        report_failed(engine, &error);
        Ok(Reply::Failed(error.code))
    }

    /// Asks until the reply can be read, within the bounds of the configuration.
    pub(super) async fn ask(
        &mut self,
        engine: &mut Engine,
        work: CallContext<'_>,
        look: Option<&OrganizeScan>,
        heard: &mut CallTotals,
    ) -> Result<AskOutcome, Halt> {
        heard.prompt = LastPrompt::default();
        let mut errors = ReplyErrors::default();
        let results = results_beside(engine.state(), work, look);
        let kept = results.len();
        let mut additions = PromptAdditions {
            results,
            ..PromptAdditions::default()
        };
        loop {
            let unreadable = match self.hear(engine, work, &additions, heard).await? {
                Reply::Text(reply, form) => {
                    let messages = &heard.prompt.composed.request.messages;
                    match read(engine.state(), work, &reply, form, messages) {
                        (parsed, None) => {
                            return Ok(heard.answered(Ok((parsed, reply.reasoning))));
                        }
                        (_, Some(error)) => error,
                    }
                }
                // It cannot be read either.
                Reply::Garbled(error) => ReplyError::plain(error.code, error.message),
                Reply::Failed(code) => return Ok(heard.answered(Err(code))),
                Reply::Away(away) => return Ok(AskOutcome::Away(away)),
            };
            let (code, message) = (unreadable.code, &unreadable.message);
            engine.observer.on_event(LoopEvent::Unreadable { message });
            let is_last = heard.replies > work.profile.config.r#loop.parse_retries;
            match errors.add(unreadable).filter(|_| !is_last) {
                Some(next) => additions.replace(kept, next),
                None => return Ok(heard.answered(Err(code))),
            }
        }
    }
}

/// Returns whether an error says that the server is away, or that a limit of ours holds the call.
///
/// A person who waits learns of every reason; a daemon waits only for what can pass.
fn is_away(error: &ProviderError, patience: OutagePolicy) -> bool {
    let is_held = error.contact == Contact::Held && error.retry;
    let is_unavailable = error.code == Code::LlmUnavailable;
    is_held || is_unavailable && (error.retry || patience == OutagePolicy::None)
}

/// Returns the results that a prompt shows beside those of the iteration before.
fn results_beside(
    known: &State,
    work: CallContext<'_>,
    look: Option<&OrganizeScan>,
) -> Vec<ActionResult> {
    let mut results = look.map_or_else(Vec::new, |look| offers_as_results(known, look));
    let memory = known.memory_of(work.run);
    results.extend(relevant_notes(
        known,
        memory,
        &work.profile.config.scope,
        work.state,
        memory.ram.request(),
    ));
    results
}

fn report_failed(engine: &mut Engine, error: &ProviderError) {
    if is_no_prompt(error.code) {
        // Nothing was asked: a person has to know why.
        let message = format!("{}: {error}", error.code);
        engine.notice(&message);
    } else if error.code == Code::RunCancelled {
        // A person's cancellation is no problem.
        tracing::info!(code = %error.code, "{error}");
    } else {
        tracing::warn!(code = %error.code, "{error}");
    }
}

/// Parses a reply, and returns the reason why it does not count, if there is one.
fn read(
    state: &State,
    work: CallContext<'_>,
    reply: &LlmReply,
    form: Option<ConstraintKind>,
    messages: &[PromptMessage],
) -> (ParsedReply, Option<ReplyError>) {
    let options = ParseOptions {
        strict: work.profile.config.parser_strict,
        allowed_tags: work.profile.prompt.allowed_tags,
        truncated: reply.finish == FinishReason::Length,
    };
    let parsed = parse_as(form, &reply.text, &options);
    let early_stop = reply.arrival.early_stop;
    let request = state.memory_of(work.run).ram.request();
    let error = ReplyError::against(&parsed, &reply.text, messages, early_stop, request);
    (parsed, error)
}

/// Returns whether an iteration of a run is worked on in small steps.
pub(super) fn is_stepwise(engine: &Engine, work: CallContext<'_>) -> bool {
    work.run.request.is_some()
        && engine.server().takes_steps(work.profile)
        && stepwise(engine, work).is_some_and(|it| it.applies())
}

fn stepwise<'a>(engine: &'a Engine, work: CallContext<'a>) -> Option<Stepwise<'a>> {
    let state = engine.state();
    let working = state.memory_of(work.run);
    Some(Stepwise {
        state,
        working,
        index: engine.store.search_index(),
        workspace_id: work.profile.config.scope.workspace_id,
        prompt: &work.profile.prompt,
        request: working.ram.request()?,
        shown: &work.run.progress.shown,
        ran_in: work.state,
        since: work.run.started_at.unwrap_or(work.run.queued_at),
    })
}

/// Makes the calls of an iteration in small steps, and returns its answer.
pub(super) async fn ask_in_steps(
    asker: &mut Asker,
    engine: &mut Engine,
    work: CallContext<'_>,
    heard: &mut CallTotals,
) -> Result<AskOutcome, Halt> {
    heard.prompt = LastPrompt {
        messages_hash: asker.hashes.of(&[]),
        ..LastPrompt::default()
    };
    let mut replies: Vec<StepReply> = Vec::new();
    let (mut outcome, mut is_unsure) = (None, false);
    let reply = loop {
        match stepwise(engine, work).map(|it| it.next(&replies)) {
            Some(NextAction::Ask(question)) => {
                let additions = PromptAdditions {
                    question: Some(*question),
                    ..PromptAdditions::default()
                };
                match asker.hear(engine, work, &additions, heard).await? {
                    Reply::Text(reply, ..) => replies.push(StepReply {
                        text: reply.text,
                        certainty_percent: reply.arrival.certainty_percent,
                        least_percent: reply.arrival.least_percent,
                    }),
                    // It says nothing.
                    Reply::Garbled(_) => replies.push(StepReply::default()),
                    Reply::Failed(code) => break Err(code),
                    Reply::Away(away) => return Ok(AskOutcome::Away(away)),
                }
            }
            Some(NextAction::Done(result)) => {
                outcome = result.outcome;
                is_unsure = result.is_unsure;
                heard.prompt.composed.shown = result.shown;
                break Ok((result.reply, None));
            }
            Some(NextAction::Failed(code)) => break Err(code),
            // The person took the request back.
            None => break Ok((ParsedReply::nothing(), None)),
        }
    };
    Ok(AskOutcome::Answered(Box::new(FinalReply {
        reply,
        outcome,
        is_stepwise: true,
        is_unsure,
        heard: std::mem::take(heard),
    })))
}
