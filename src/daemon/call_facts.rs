//! The input, the data and the output of a call: events, facts and actions; and the record of calls
//! for the next commit.
//!
//! Decides nothing: [`Call`](super::call::Call) does.

use super::asked_server::ProviderState;
use super::asker::CallContext;
use super::budget_ledger::BudgetLedger;
use super::compose::Composed;
use super::provider_pool::{CallRoute, ProviderPool};
use crate::core::journal::event::{CallMade, CallWait};
use crate::core::journal::{Event, State};
use crate::core::route::{CircuitState, Cost, FinishReason};
use crate::core::run::{Run, Usage};
use crate::failure::Code;
use crate::provider::{CallResult, Contact, LlmRequest, ProviderError, TokenCounter};
use crate::time::Timestamp;
use std::sync::Arc;

/// A prompt that was sent, and its outcome.
#[derive(Debug)]
pub(super) struct SentPrompt {
    pub(super) prompt: Composed,
    pub(super) reply: CallResult,
    pub(super) failures: Vec<Code>,
    /// The usage of replies that were discarded before this one.
    pub(super) uncounted: Usage,
}

impl SentPrompt {
    pub(super) fn unasked(error: ProviderError) -> Self {
        Self {
            prompt: Composed::default(),
            reply: Err(error),
            failures: Vec::new(),
            uncounted: Usage::default(),
        }
    }
}

/// The facts that a call decides with, and the data that it changes.
#[derive(Debug)]
pub(super) struct CallFacts<'a> {
    pub(super) pool: &'a mut ProviderPool,
    pub(super) calls: &'a mut CallLog,
    pub(super) ledger: &'a BudgetLedger,
    pub(super) state: &'a State,
    pub(super) work: CallContext<'a>,
    pub(super) is_cancelled: bool,
    pub(super) now: Timestamp,
}

impl CallFacts<'_> {
    pub(super) fn server(&mut self) -> &mut ProviderState {
        self.pool.in_force_mut()
    }

    /// Returns whether an error says that the call is to be made again at a known time.
    pub(super) fn is_postponed(&self, error: &ProviderError) -> bool {
        let iteration = self.ledger.iteration(self.state);
        self.pool.in_force().is_postponed(error, iteration)
    }

    pub(super) fn refusal(&self, cost: Option<Cost>) -> Option<ProviderError> {
        if self.is_cancelled {
            return Some(called_off(Contact::Held));
        }
        let budget = &self.work.profile.config.budget;
        let (state, now) = (self.state, self.now);
        cost.and_then(|cost| self.ledger.over_budget(budget, state, now, cost))
    }
}

#[derive(Debug)]
pub(super) enum CallEvent {
    Begun,
    /// The asked model is known, or none can be chosen.
    ModelSettled(Result<(), ProviderError>),
    WindowAsked,
    /// A prompt was made, or cannot be.
    Composed(Result<Composed, ProviderError>),
    /// The server has counted the prompt, or does not count after all.
    Counted(Option<u64>),
    /// A command has ended the wait for a count.
    Uncounted,
    /// The time has passed, or a command has ended the wait.
    Waited,
    Replied(CallResult),
}

#[derive(Debug)]
pub(super) enum CallAction {
    /// Find out which model the server has, and its window.
    SettleModel,
    AskWindow,
    Compose,
    Count(Arc<LlmRequest>, TokenCounter),
    Wait {
        wait_ms: u64,
        /// The code of the error that is waited for to pass.
        code: Code,
        /// The error of a server, where that is the reason.
        why: Option<ProviderError>,
    },
    /// Reserve the cost, and ask the provider in force.
    Send(Arc<LlmRequest>, Option<Cost>),
    /// Nothing more: this is the outcome.
    Done(Box<SentPrompt>),
}

/// Returns the error of a call whose run a person has cancelled when it had come so far.
pub(super) fn called_off(contact: Contact) -> ProviderError {
    let message = "the run was cancelled by hand".to_owned();
    ProviderError {
        contact,
        ..ProviderError::held(Code::RunCancelled, message, None)
    }
}

/// The most calls that the commit of one iteration records.
///
/// More come together only while servers are away.
const CALLS_REPORTED_MAX: usize = 16;

/// The calls and waits that no commit has recorded yet.
#[derive(Debug, Default)]
pub(super) struct CallLog {
    unreported: Vec<CallMade>,
    /// The waits before the next call of the run, each code once.
    waited: Vec<CallWait>,
}

impl CallLog {
    /// Records a call for the next iteration of a run, if it says more than the iteration does.
    pub(super) fn note_call(
        &mut self,
        pool: &ProviderPool,
        run: &Run,
        route: &mut CallRoute,
        put: &SentPrompt,
        now: Timestamp,
    ) {
        let server = pool.in_force();
        let circuit = server.pipeline.health(now).circuit_state;
        let reply = put.reply.as_ref().ok();
        let finish = match &put.reply {
            Ok(reply) => reply.finish,
            Err(error) => error.finish,
        };
        let arrival = reply.map(|reply| reply.arrival).unwrap_or_default();
        let usage = reply.map(|reply| reply.usage_with(put.prompt.request.max_tokens));
        let answered_by = reply.and_then(|reply| reply.model.clone());
        let made = CallMade {
            run_id: run.run_id,
            iteration: run.loop_count + 1,
            provider: pool.label(),
            model: server.asked_model().to_owned(),
            answered_by: answered_by.filter(|model| model != server.asked_model()),
            reason: route.reason.clone(),
            failures: put.failures.clone(),
            answered: reply.is_some(),
            circuit: (circuit != CircuitState::Closed).then_some(circuit),
            constraint_kind: put.prompt.request.constraint_kind(),
            first_token_ms: arrival.first_token_ms,
            early_stop: arrival.early_stop,
            saved_tokens: usage.unwrap_or_default().saved_tokens,
            finish: Some(finish),
            decision: route.decision.take(),
            request_id: Some(route.request_id),
            chosen_at: Some(route.chosen_at),
            waited: self.waited_before(put),
        };
        if let Some(reason) = made.early_stop {
            tracing::info!(
                reason = reason.name(),
                tokens_saved_max = made.saved_tokens,
                "the rest of the reply was not waited for"
            );
        }
        let is_plain = made.failures.is_empty()
            && made.constraint_kind.is_none()
            && made.answered_by.is_none()
            && made.first_token_ms.is_none()
            && made.waited.is_empty()
            // A call for which nobody was asked is recorded elsewhere.
            && matches!(finish, FinishReason::Stop | FinishReason::Error);
        if !pool.has_choice() && is_plain {
            return;
        }
        if self.unreported.len() >= CALLS_REPORTED_MAX {
            // After a night without a server the newest attempts are enough.
            self.unreported.remove(0);
        }
        self.unreported.push(made);
    }

    /// Takes the calls that no commit has recorded yet, as events.
    pub(super) fn take_calls_made(&mut self) -> Vec<Event> {
        let calls = std::mem::take(&mut self.unreported).into_iter();
        calls.map(Event::CallMade).collect()
    }

    /// Forgets the waits: the next call is another run's.
    pub(super) fn forget_waits(&mut self) {
        self.waited.clear();
    }

    /// Records for the next call how long something was waited for.
    pub(super) fn note_wait(&mut self, code: Code, ms: u64) {
        if ms == 0 {
            return;
        }
        match self.waited.iter_mut().find(|it| it.code == code) {
            Some(known) => known.ms = known.ms.saturating_add(ms),
            None => self.waited.push(CallWait { code, ms }),
        }
    }

    /// Takes the waits before a call; a call that asked nobody leaves them to the next one.
    fn waited_before(&mut self, put: &SentPrompt) -> Vec<CallWait> {
        let error = put.reply.as_ref().err();
        let is_held = error.is_some_and(ProviderError::is_unasked) && put.failures.is_empty();
        if is_held {
            Vec::new()
        } else {
            std::mem::take(&mut self.waited)
        }
    }
}
