//! The call budgets of the day and of the run, as the loop keeps to them.
//!
//! A part is reserved in the journal before each attempt, so that a crash has paid for the call
//! that it cut off. The commit of the iteration settles it. Whatever a model writes is paid for,
//! probes included; what servers report without a model costs nothing. Without a budget nothing is
//! written or counted.

use super::asked_server::Iteration;
use super::context_window::bare_tokens;
use super::run_profiles::RunProfile;
use crate::config::CallBudget;
use crate::core::journal::event::BudgetSettled;
use crate::core::journal::{Event, State};
use crate::core::prompt::{PromptMessage, TokenMeter};
use crate::core::route::{Allowance, Cost, ErrorClass, OverBudget};
use crate::core::run::{Run, Usage};
use crate::failure::Code;
use crate::ids::RunId;
use crate::provider::{CallResult, LlmReply, LlmRequest, Objection, ProviderError};
use crate::time::Timestamp;

/// The budget reserved and spent since the last settlement.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct BudgetLedger {
    pub(super) run_id: Option<RunId>,
    pub(super) day: i64,
    /// The whole reservation. An attempt leaves the rest of it to the next one.
    reserved: Cost,
    spent: Cost,
    /// The most that the attempt under way may cost.
    under_way: Cost,
}

impl BudgetLedger {
    /// Returns the part of an attempt's cost that is not reserved yet.
    pub(super) fn missing(&self, cost: Cost) -> Cost {
        self.spent.and(cost).without(self.reserved)
    }

    /// Records a reservation of `more` for an attempt that may cost `cost`.
    pub(super) const fn reserve(&mut self, more: Cost, cost: Cost) {
        self.reserved = self.reserved.and(more);
        self.under_way = cost;
    }

    pub(super) fn iteration(&self, state: &State) -> Iteration {
        let run = state.runs.get(self.run_id?)?;
        Some((run.run_id, run.loop_count))
    }

    pub(super) fn over_budget(
        &self,
        budget: &CallBudget,
        state: &State,
        now: Timestamp,
        cost: Cost,
    ) -> Option<ProviderError> {
        let run = self.run_id.and_then(|id| state.runs.get(id));
        // As if it were settled: what attempts leave over is not spent.
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

    /// Counts the actual cost of an attempt.
    pub(super) fn record_cost(&mut self, messages: &[PromptMessage], reply: &CallResult) {
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
            // A server that counts nothing, or too little, is charged at least the estimate.
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
                // The number of tokens written before the failure is unknown.
                Some(ErrorClass::Network | ErrorClass::Timeout | ErrorClass::Server) | None => {
                    reserved
                }
            },
        };
        self.spent = self.spent.and(spent);
    }

    /// Returns the event that settles the calls since the last settlement, if there were any.
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
            // The cost of an attempt that was broken off is unknown: all of it counts.
            spent: before.spent.and(before.under_way),
            run_id: before.run_id,
        };
        (!before.reserved.is_nothing()).then_some(Event::BudgetSettled(settled))
    }
}

/// Returns the most that an attempt may cost; `None` without a budget.
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

fn estimate(messages: &[PromptMessage], reply: &LlmReply) -> u64 {
    let reasoning = reply.reasoning.as_deref().unwrap_or_default();
    let written = TokenMeter::bare().text(&reply.text) + TokenMeter::bare().text(reasoning);
    bare_tokens(messages).saturating_add(u64::try_from(written).unwrap_or(u64::MAX))
}
