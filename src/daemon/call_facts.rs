//! What a call is told, what it decides with, and what it says. Decides nothing: [`Call`](super::call::Call)
//! does.

use super::asked_server::AskedServer;
use super::asker::Work;
use super::budget_ledger::BudgetLedger;
use super::call_log::CallLog;
use super::compose::Composed;
use super::provider_pool::ProviderPool;
use crate::core::journal::State;
use crate::core::notes::ShownNote;
use crate::core::prompt::AllocationSummary;
use crate::core::protocol::AllowedTags;
use crate::core::route::Cost;
use crate::core::run::Usage;
use crate::failure::Code;
use crate::provider::{Contact, LlmReply, LlmRequest, ProviderError, TokenCounter};
use crate::time::Timestamp;
use std::sync::Arc;

/// A question that was put, and what came of it.
#[derive(Debug)]
pub(super) struct Put {
    /// The question.
    pub(super) request: Arc<LlmRequest>,
    /// What the token budget gave to its parts.
    pub(super) allocation: Option<AllocationSummary>,
    /// The notes that stand in it.
    pub(super) shown: Vec<ShownNote>,
    /// How many decisions about proposals it tells.
    pub(super) outcomes_shown: usize,
    /// What came of it.
    pub(super) reply: Result<LlmReply, ProviderError>,
    /// What attempts that failed came to.
    pub(super) failures: Vec<Code>,
    /// What answers took that were thrown away before this one.
    pub(super) uncounted: Usage,
}

impl Put {
    /// A question that was not put, for that reason.
    pub(super) fn unasked(error: ProviderError) -> Self {
        let request = LlmRequest {
            messages: Vec::new(),
            max_tokens: 0,
            allowed_tags: AllowedTags::default(),
            constraint: None,
            without_reasoning: false,
        };
        Self {
            request: Arc::new(request),
            allocation: None,
            shown: Vec::new(),
            outcomes_shown: 0,
            reply: Err(error),
            failures: Vec::new(),
            uncounted: Usage::default(),
        }
    }
}

/// What a call decides with and learns into: all of it is data.
#[derive(Debug)]
pub(super) struct CallFacts<'a> {
    pub(super) pool: &'a mut ProviderPool,
    pub(super) calls: &'a mut CallLog,
    pub(super) ledger: &'a BudgetLedger,
    pub(super) state: &'a State,
    pub(super) work: Work<'a>,
    /// Whether a person has called the run off.
    pub(super) is_cancelled: bool,
    pub(super) now: Timestamp,
}

impl CallFacts<'_> {
    pub(super) fn server(&mut self) -> &mut AskedServer {
        &mut self.pool.in_force
    }

    /// Whether an error says that the question is to be put again at a known time.
    pub(super) fn is_postponed(&self, error: &ProviderError) -> bool {
        let iteration = self.ledger.iteration(self.state);
        self.pool.in_force.is_postponed(error, iteration)
    }

    /// Why no attempt may follow, if none may.
    pub(super) fn refusal(&self, cost: Option<Cost>) -> Option<ProviderError> {
        if self.is_cancelled {
            return Some(called_off(Contact::Held));
        }
        let budget = &self.work.profile.config.budget;
        let (state, now) = (self.state, self.now);
        cost.and_then(|cost| self.ledger.over_budget(budget, state, now, cost))
    }
}

/// What happened since a call has said what comes next.
#[derive(Debug)]
pub(super) enum Happened {
    /// Nothing yet.
    Begun,
    /// The model is known that the server is asked for, or why none can be chosen.
    ModelSettled(Result<(), ProviderError>),
    /// The server was asked for its window.
    WindowAsked,
    /// A prompt was made, or cannot be.
    Composed(Result<Composed, ProviderError>),
    /// The server has counted the prompt, or does not count after all.
    Counted(Option<u64>),
    /// The count was not waited for.
    CountGivenUp,
    /// The time has passed, or a command has ended the wait.
    Waited,
    /// The server has answered, or failed.
    Replied(Result<LlmReply, ProviderError>),
}

/// What comes next in a call.
#[derive(Debug)]
pub(super) enum CallAction {
    /// Find out which model the server has, and its window.
    SettleModel,
    /// Ask the server for its window.
    AskWindow,
    /// Make the prompt.
    Compose,
    /// Have the server count a prompt.
    Count(Arc<LlmRequest>, TokenCounter),
    /// Wait for so many milliseconds.
    Wait {
        wait_ms: u64,
        /// What is waited for.
        code: Code,
        /// What a server has said, where that is the reason.
        why: Option<ProviderError>,
    },
    /// Set the cost aside, and ask the provider in force.
    Send(Arc<LlmRequest>, Option<Cost>),
    /// Nothing: this is what came of it.
    Done(Box<Put>),
}

/// What becomes of a question whose run a person has called off once it had come so far.
pub(super) fn called_off(contact: Contact) -> ProviderError {
    let message = "the run was cancelled by hand".to_owned();
    ProviderError {
        contact,
        ..ProviderError::held(Code::RunCancelled, message, None)
    }
}
