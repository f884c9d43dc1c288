//! The budget as the loop keeps to it, that of the day and that of the run: set aside in the journal
//! before each attempt, so that a crash has paid for the call that it cut off, and settled by the commit
//! of the iteration. Whatever a model writes is paid for, short questions included; what servers tell
//! without one costs nothing. Without a budget nothing is written and nothing counted.

use super::agent::{Agent, Halt};
use super::context_window::bare_tokens;
use crate::core::journal::event::{BudgetReserved, BudgetSettled};
use crate::core::journal::{Cause, Draft, Event};
use crate::core::prompt::{Message, TokenMeter};
use crate::core::route::{Allowance, Cost, ErrorClass, OverBudget};
use crate::core::run::{Run, Usage};
use crate::failure::Code;
use crate::ids::RunId;
use crate::provider::{LlmReply, LlmRequest, Objection, ProviderError};
use crate::store::own_draft;

/// What was reserved and spent since the last settlement.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct BudgetLedger {
    /// The run that is charged.
    pub(super) run_id: Option<RunId>,
    day: i64,
    /// All of it. What is left of it after an attempt is for the next one.
    reserved: Cost,
    /// What attempts have really cost.
    spent: Cost,
    /// What the attempt under way may cost.
    under_way: Cost,
}

impl Agent {
    /// Charges the calls from now on to that run.
    pub(super) async fn charge_to(&mut self, run_id: RunId) -> Result<(), Halt> {
        if self.ledger.run_id != Some(run_id) {
            self.settle_now().await?;
            self.ledger.run_id = Some(run_id);
            // What another run waited for is no part of this one's calls.
            self.waited.clear();
        }
        Ok(())
    }

    /// Why the budget does not allow an attempt, if it does not.
    pub(super) fn over_budget(&self, cost: Cost) -> Option<ProviderError> {
        let (budget, now) = (&self.profile.config.budget, self.clock.now());
        let state = self.store.state();
        let run = self.ledger.run_id.and_then(|id| state.runs.get(id));
        // As if it were settled: nobody has spent what an attempt has left.
        let (reserved, spent) = (self.ledger.reserved, self.ledger.spent);
        let settled = |run: &Run| run.spent.without(reserved).and(spent);
        let of_run = run.map_or_else(Cost::default, settled);
        let mut spending = state.spending;
        spending.settle(self.ledger.day, reserved, spent);
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

    /// Reserves what an attempt may cost. Durable when this returns.
    pub(super) async fn reserve(&mut self, cost: Cost) -> Result<(), Halt> {
        let now = self.clock.now();
        let day = self.store.state().spending.day_at(now);
        if self.ledger.day != day {
            self.settle_now().await?;
            self.ledger.day = day;
        }
        let more = self.ledger.spent.and(cost).without(self.ledger.reserved);
        if !more.is_nothing() {
            let run_id = self.ledger.run_id;
            let reserved = Event::BudgetReserved(BudgetReserved {
                day,
                cost: more,
                run_id,
            });
            let cause = Cause::plain("budget");
            self.commit(own_draft(cause, vec![reserved], now)).await?;
        }
        let ledger = &mut self.ledger;
        ledger.reserved = ledger.reserved.and(more);
        ledger.under_way = cost;
        Ok(())
    }

    /// Counts what an attempt has really cost.
    pub(super) fn record_cost(
        &mut self,
        messages: &[Message],
        reply: &Result<LlmReply, ProviderError>,
    ) {
        if self.ledger.reserved.is_nothing() {
            return;
        }
        let reserved = std::mem::take(&mut self.ledger.under_way);
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
        self.ledger.spent = self.ledger.spent.and(spent);
    }

    /// Settles the calls since the last settlement; returns nothing if there were none.
    pub(super) fn settle(&mut self) -> Option<Event> {
        let BudgetLedger { run_id, day, .. } = self.ledger;
        let emptied = BudgetLedger {
            run_id,
            day,
            ..BudgetLedger::default()
        };
        let BudgetLedger {
            reserved,
            spent,
            under_way,
            ..
        } = std::mem::replace(&mut self.ledger, emptied);
        let settled = BudgetSettled {
            day,
            reserved,
            // Of one that was broken off nobody knows what it took.
            spent: spent.and(under_way),
            run_id,
        };
        (!reserved.is_nothing()).then_some(Event::BudgetSettled(settled))
    }

    /// Returns a draft for calls that no iteration will report.
    pub(super) fn pending_draft(&mut self) -> Option<Draft> {
        let mut events = self.take_calls_made();
        let asked = self.ledger.run_id.filter(|_| !events.is_empty());
        let cause = match asked {
            Some(run_id) => Cause::run("calls", run_id),
            None => Cause::plain("budget"),
        };
        events.extend(self.settle());
        (!events.is_empty()).then(|| own_draft(cause, events, self.clock.now()))
    }

    /// Commits pending calls without an iteration.
    pub(super) async fn settle_now(&mut self) -> Result<(), Halt> {
        if let Some(draft) = self.pending_draft() {
            self.commit(draft).await?;
        }
        Ok(())
    }

    /// What an attempt may cost; nothing to keep to without a budget.
    pub(super) fn cost_at_most(&self, request: &LlmRequest) -> Option<Cost> {
        let budget = &self.profile.config.budget;
        if budget.day.is_endless() && budget.run.is_endless() {
            return None;
        }
        let prompt = self.meter().messages(&request.messages);
        let prompt = u64::try_from(prompt).unwrap_or(u64::MAX);
        Some(Cost {
            calls: 1,
            tokens: prompt.saturating_add(request.max_tokens.into()),
            micro_dollars: 0,
        })
    }
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
