//! The budget as the loop keeps to it, that of the day and that of the run: set aside in the journal
//! before each attempt, so that a crash has paid for the call that it cut off, and settled by the commit
//! of the iteration. Whatever a model writes is paid for, short questions included; what servers tell
//! without one costs nothing. Without a budget nothing is written and nothing counted.

use super::asked_server::Iteration;
use super::context_window::bare_tokens;
use super::run_profiles::RunProfile;
use crate::config::CallBudget;
use crate::core::journal::event::BudgetSettled;
use crate::core::journal::{Event, State};
use crate::core::prompt::{Message, TokenMeter};
use crate::core::route::{Allowance, Cost, ErrorClass, OverBudget};
use crate::core::run::{Run, Usage};
use crate::failure::Code;
use crate::ids::RunId;
use crate::provider::{LlmReply, LlmRequest, Objection, ProviderError};
use crate::time::Timestamp;

/// What was reserved and spent since the last settlement.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct BudgetLedger {
    /// The run that is charged.
    pub(super) run_id: Option<RunId>,
    pub(super) day: i64,
    /// All of it. What is left of it after an attempt is for the next one.
    reserved: Cost,
    /// What attempts have really cost.
    spent: Cost,
    /// What the attempt under way may cost.
    under_way: Cost,
}

impl BudgetLedger {
    /// What of an attempt is to be set aside beside what is; nothing where that is enough.
    pub(super) fn missing(&self, cost: Cost) -> Cost {
        self.spent.and(cost).without(self.reserved)
    }

    /// An attempt may cost that, for which so much was set aside.
    pub(super) const fn reserve(&mut self, more: Cost, cost: Cost) {
        self.reserved = self.reserved.and(more);
        self.under_way = cost;
    }

    /// The iteration that questions are put for.
    pub(super) fn iteration(&self, state: &State) -> Iteration {
        let run = state.runs.get(self.run_id?)?;
        Some((run.run_id, run.loop_count))
    }

    /// Why the budget does not allow an attempt, if it does not.
    pub(super) fn over_budget(
        &self,
        budget: &CallBudget,
        state: &State,
        now: Timestamp,
        cost: Cost,
    ) -> Option<ProviderError> {
        let run = self.run_id.and_then(|id| state.runs.get(id));
        // As if it were settled: nobody has spent what an attempt has left.
        let (reserved, spent) = (self.reserved, self.spent);
        let settled = |run: &Run| run.spent.without(reserved).and(spent);
        let of_run = run.map_or_else(Cost::default, settled);
        let mut spending = state.spending;
        spending.settle(self.day, reserved, spent);
        let fits = budget.run.fits_run(of_run, cost);
        let over = fits.and_then(|()| budget.day.fits_day(&spending, cost, now));
        let over = over.err()?;
        let of_day = spending.on(spending.day_at(now));
        let (message, until) = match over {
            OverBudget::Calls(until) => (all_made(budget.day, "day"), Some(until)),
            OverBudget::Tokens(until) => (too_few(budget.day, "day", of_day, cost), Some(until)),
            OverBudget::RunCalls => (all_made(budget.run, "run"), None),
            OverBudget::RunTokens => (too_few(budget.run, "run", of_run, cost), None),
            OverBudget::Never => (
                format!(
                    "one call may take {} tokens, more than the {} of a whole day",
                    cost.tokens,
                    budget.day.tokens.unwrap_or_default()
                ),
                None,
            ),
        };
        let message = match until {
            Some(until) => format!("{message}, until {until}"),
            None => message,
        };
        let wait_ms = until.map(|until| now.millis_until(until));
        Some(ProviderError::held(Code::BudgetExceeded, message, wait_ms))
    }

    /// Counts what an attempt has really cost.
    pub(super) fn record_cost(
        &mut self,
        messages: &[Message],
        reply: &Result<LlmReply, ProviderError>,
    ) {
        if self.reserved.is_nothing() {
            return;
        }
        let reserved = std::mem::take(&mut self.under_way);
        let call = |tokens| Cost {
            calls: 1,
            tokens,
            micro_dollars: 0,
        };
        let billed = |usage: Usage, at_least: u64| {
            let counted = usage.input_tokens.saturating_add(usage.output_tokens);
            // A server that counts nothing, or too little, does not work for nothing.
            Cost {
                micro_dollars: usage.cost_micro_dollars,
                ..call(counted.max(at_least))
            }
        };
        let spent = match reply {
            Ok(reply) => billed(reply.usage_with(0), estimate(messages, reply)),
            Err(ProviderError {
                billed: Some(usage),
                ..
            }) => {
                let is_counted = usage.estimated_calls == 0;
                let counted = is_counted.then(|| bare_tokens(messages));
                billed(**usage, counted.unwrap_or(reserved.tokens))
            }
            Err(error) if error.is_unasked() => Cost::default(),
            Err(error) if error.objection == Objection::LeftOut => call(0),
            Err(error) => match error.class() {
                Some(
                    ErrorClass::Auth
                    | ErrorClass::InvalidInput
                    | ErrorClass::RateLimited
                    | ErrorClass::Unavailable,
                ) => call(0),
                // How much was written before it failed, nobody knows.
                Some(ErrorClass::Network | ErrorClass::Timeout | ErrorClass::Server) | None => {
                    reserved
                }
            },
        };
        self.spent = self.spent.and(spent);
    }

    /// Settles the calls since the last settlement; returns nothing if there were none.
    pub(super) fn settle(&mut self) -> Option<Event> {
        let emptied = Self {
            run_id: self.run_id,
            day: self.day,
            ..Self::default()
        };
        let before = std::mem::replace(self, emptied);
        let settled = BudgetSettled {
            day: before.day,
            reserved: before.reserved,
            // Of one that was broken off nobody knows what it took.
            spent: before.spent.and(before.under_way),
            run_id: before.run_id,
        };
        (!before.reserved.is_nothing()).then_some(Event::BudgetSettled(settled))
    }
}

/// What an attempt may cost; nothing to keep to without a budget.
pub(super) fn cost_at_most(
    profile: &RunProfile,
    meter: TokenMeter,
    request: &LlmRequest,
) -> Option<Cost> {
    let budget = &profile.config.budget;
    if budget.day.is_endless() && budget.run.is_endless() {
        return None;
    }
    let prompt = meter.messages(&request.messages);
    let prompt = u64::try_from(prompt).unwrap_or(u64::MAX);
    Some(Cost {
        calls: 1,
        tokens: prompt.saturating_add(request.max_tokens.into()),
        micro_dollars: 0,
    })
}

fn all_made(budget: Allowance, of: &str) -> String {
    let calls = budget.calls.unwrap_or_default();
    format!("all {calls} calls of the {of} are made")
}

fn too_few(budget: Allowance, of: &str, spent: Cost, cost: Cost) -> String {
    let most = budget.tokens.unwrap_or_default();
    let (spent, wanted) = (spent.tokens, cost.tokens);
    format!("{spent} of the {of}'s {most} tokens are spent, and a call may take {wanted}")
}

fn estimate(messages: &[Message], reply: &LlmReply) -> u64 {
    let reasoning = reply.reasoning.as_deref().unwrap_or_default();
    let written = TokenMeter::bare().text(&reply.text) + TokenMeter::bare().text(reasoning);
    bare_tokens(messages).saturating_add(u64::try_from(written).unwrap_or(u64::MAX))
}
