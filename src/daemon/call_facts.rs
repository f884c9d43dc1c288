//! The input, the data and the output of a call: events, facts and actions.
//!
//! Decides nothing: [`Call`](super::call::Call) does.

use super::asked_server::ProviderState;
use super::asker::CallContext;
use super::budget_ledger::BudgetLedger;
use super::call_log::CallLog;
use super::compose::Composed;
use super::provider_pool::ProviderPool;
use crate::core::journal::State;
use crate::core::route::Cost;
use crate::core::run::Usage;
use crate::failure::Code;
use crate::provider::{Contact, LlmReply, LlmRequest, ProviderError, TokenCounter};
use crate::time::Timestamp;
use std::sync::Arc;

/// A prompt that was sent, and its outcome.
#[derive(Debug)]
pub(super) struct SentPrompt {
    pub(super) prompt: Composed,
    /// The reply, or the error in its place.
    pub(super) reply: Result<LlmReply, ProviderError>,
    pub(super) failures: Vec<Code>,
    /// The usage of replies that were discarded before this one.
    pub(super) uncounted: Usage,
}

impl SentPrompt {
    /// Makes the outcome of a prompt that was not sent, for a reason.
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

    /// Returns the error that forbids another attempt, if there is one.
    pub(super) fn refusal(&self, cost: Option<Cost>) -> Option<ProviderError> {
        if self.is_cancelled {
            return Some(called_off(Contact::Held));
        }
        let budget = &self.work.profile.config.budget;
        let (state, now) = (self.state, self.now);
        cost.and_then(|cost| self.ledger.over_budget(budget, state, now, cost))
    }
}

/// An event that follows an action of a call.
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
    /// The server has replied, or failed.
    Replied(Result<LlmReply, ProviderError>),
}

#[derive(Debug)]
pub(super) enum CallAction {
    /// Find out which model the server has, and its window.
    SettleModel,
    AskWindow,
    Compose,
    Count(Arc<LlmRequest>, TokenCounter),
    /// Wait for `wait_ms` milliseconds.
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
