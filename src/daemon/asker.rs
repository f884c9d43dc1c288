//! Asks a model, and accounts for the cost.
//!
//! The budget is reserved before each attempt and settled by the next commit. Decides nothing about
//! what a reply says: `core` does.

use super::budget_ledger::BudgetLedger;
use super::call_driver::MessageHashes;
use super::call_log::CallLog;
use super::compose::{Composer, is_no_prompt};
use super::engine::Engine;
use super::halt::{Halt, Patience};
use super::heard::{Answer, Asked, Heard};
use super::observer::LoopEvent;
use super::postponed::Away;
use super::run_profiles::RunProfile;
use crate::core::agent::{
    ActionResult, Beside, Complaint, Complaints, LoopState, offered, relevant_notes,
};
use crate::core::journal::event::BudgetReserved;
use crate::core::journal::{Cause, Draft, Event, State};
use crate::core::notes::Look;
use crate::core::prompt::Message;
use crate::core::protocol::{ConstraintKind, ParseOptions, Parsed, parse_as};
use crate::core::route::Cost;
use crate::core::run::Run;
use crate::failure::Code;
use crate::ids::RunId;
use crate::provider::{Contact, FinishReason, LlmReply, ProviderError};
use crate::store::own_draft;
use crate::time::Timestamp;

/// The subject and the settings of a call, chosen when an iteration begins.
#[derive(Clone, Copy, Debug)]
pub(super) struct Work<'a> {
    pub(super) run: &'a Run,
    /// The state that the iteration runs in.
    pub(super) state: LoopState,
    pub(super) profile: &'a RunProfile,
    pub(super) patience: Patience,
}

/// The asker of a model, within the budgets.
#[derive(Debug, Default)]
pub(super) struct Asker {
    /// The part of the budget that is reserved.
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
    pub(super) fn pending_draft(&mut self, now: Timestamp) -> Option<Draft> {
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

    /// Returns whether an error says that the call is to be made again at a known time.
    pub(super) fn is_postponed(&self, engine: &Engine, error: &ProviderError) -> bool {
        let iteration = self.ledger.iteration(engine.state());
        engine.server().is_postponed(error, iteration)
    }

    /// Returns whether an error says that the server is away, or that a limit holds the call.
    ///
    /// A person who waits learns of every reason; a daemon waits only for what can pass.
    pub(super) fn is_away(&self, engine: &Engine, work: Work<'_>, error: &ProviderError) -> bool {
        let is_away = error.code == Code::LlmUnavailable;
        let is_held = error.contact == Contact::Held && error.retry;
        is_held
            || self.is_postponed(engine, error)
            || is_away && (error.retry || work.patience == Patience::None)
    }

    /// Returns the facts of a call that failed for now.
    pub(super) fn away(&self, engine: &Engine, error: ProviderError) -> Away {
        Away {
            is_postponed: self.is_postponed(engine, &error),
            error,
        }
    }

    /// Asks until the reply can be read, within the bounds of the configuration.
    pub(super) async fn ask(
        &mut self,
        engine: &mut Engine,
        work: Work<'_>,
        look: Option<&Look>,
        heard: &mut Heard,
    ) -> Result<Asked, Halt> {
        let mut counted = None;
        let mut complaints = Complaints::default();
        let results = results_beside(engine.state(), work, look);
        let offered = results.len();
        let mut beside = Beside {
            results,
            ..Beside::default()
        };
        loop {
            let put = self.question(engine, work, &beside).await?;
            let form = engine.server().form_of(&put.request);
            let messages_hash = self.hashes.of(&put.request.messages);
            let (allocation, shown, outcomes_shown) =
                (put.allocation, put.shown, put.outcomes_shown);
            counted = engine
                .server()
                .counted_in(&put.reply, &put.request.messages)
                .or(counted);
            heard.usage.add(put.uncounted);
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
                    let (parsed, complaint) = read(
                        engine.state(),
                        work.profile,
                        &reply,
                        form,
                        &put.request.messages,
                    );
                    heard.take_in(work, put.request, &reply, form);
                    let Some(complaint) = complaint else {
                        return Ok(answered(Ok((parsed, reply.reasoning)), heard));
                    };
                    complaint
                }
                Err(error) if self.is_away(engine, work, &error) => {
                    return Ok(Asked::Away(self.away(engine, error)));
                }
                // A reply that is not even text cannot be read either.
                Err(error) if error.code == Code::XmlParseError => {
                    heard.take_in_garbled();
                    Complaint::plain(error.code, error.message)
                }
                Err(error) => {
                    report_failed(engine, &error);
                    return Ok(answered(Err(error.code), heard));
                }
            };
            let (code, message) = (complaint.code, &complaint.message);
            engine.observer.on_event(LoopEvent::Unreadable { message });
            let is_last = heard.replies > work.profile.config.r#loop.parse_retries;
            match complaints.add(complaint).filter(|_| !is_last) {
                Some(next) => beside.put(offered, next),
                None => return Ok(answered(Err(code), heard)),
            }
        }
    }
}

/// Returns the results that a prompt shows beside those of the iteration before.
fn results_beside(known: &State, work: Work<'_>, look: Option<&Look>) -> Vec<ActionResult> {
    let mut results = look.map_or_else(Vec::new, |look| offered(known, look));
    results.extend(relevant_notes(
        known,
        &work.profile.config.scope,
        work.state,
        known.ram.request(),
    ));
    results
}

/// Reports why a call failed.
pub(super) fn report_failed(engine: &mut Engine, error: &ProviderError) {
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

/// Parses a reply; returns with it the complaint about it, if there is one.
fn read(
    state: &State,
    profile: &RunProfile,
    reply: &LlmReply,
    form: Option<ConstraintKind>,
    messages: &[Message],
) -> (Parsed, Option<Complaint>) {
    let options = ParseOptions {
        strict: profile.config.parser_strict,
        allowed_tags: profile.prompt.allowed_tags,
        truncated: reply.finish == FinishReason::Length,
    };
    let parsed = parse_as(form, &reply.text, &options);
    let early_stop = reply.arrival.early_stop;
    let request = state.ram.request();
    let complaint = Complaint::against(&parsed, &reply.text, messages, early_stop, request);
    (parsed, complaint)
}
