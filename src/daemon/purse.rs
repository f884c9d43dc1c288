//! The day's budget as the loop keeps to it: set aside in the journal before each attempt, so that a
//! crash has paid for the call that it cut off, and settled by the commit of the iteration. Without a
//! budget nothing is written and nothing counted.

use super::agent::{Agent, Halt};
use super::room::bare_tokens;
use crate::core::journal::event::{BudgetReserved, BudgetSettled};
use crate::core::journal::{Cause, Event};
use crate::core::prompt::{Message, TokenMeter};
use crate::core::route::{Cost, ErrorClass, OverBudget};
use crate::failure::Code;
use crate::provider::{LlmReply, LlmRequest, ProviderError};
use crate::store::own_draft;

/// What was set aside since the last settlement.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Purse {
    day: i64,
    /// All of it.
    reserved: Cost,
    /// What attempts have really cost.
    spent: Cost,
    /// What the attempt under way may cost.
    under_way: Cost,
    /// What was set aside for attempts that came to nobody: the next one takes it.
    idle: Cost,
}

impl Agent {
    /// Why the budget does not allow an attempt, if it does not.
    pub(super) fn over_budget(&self, cost: Cost) -> Option<ProviderError> {
        let budget = self.config.budget.day;
        let now = self.clock.now();
        let mut spending = self.store.state().spending;
        spending.settle(self.purse.day, self.purse.idle, Cost::default());
        let over = budget.fits(&spending, cost, now).err()?;
        let spent = spending.on(spending.day_at(now));
        let most = |most: Option<u64>| most.unwrap_or(u64::MAX);
        let (message, until) = match over {
            OverBudget::Calls(until) => (
                format!(
                    "all {} calls of the day are made, until {until}",
                    most(budget.calls)
                ),
                Some(until),
            ),
            OverBudget::Tokens(until) => (
                format!(
                    "{} of the day's {} tokens are spent, and a call may take {}, until {until}",
                    spent.tokens,
                    most(budget.tokens),
                    cost.tokens
                ),
                Some(until),
            ),
            OverBudget::Never => (
                format!(
                    "one call may take {} tokens, more than the {} of a whole day",
                    cost.tokens,
                    most(budget.tokens)
                ),
                None,
            ),
        };
        let wait_ms = until.map(|until| now.millis_until(until));
        Some(ProviderError::held(Code::BudgetExceeded, message, wait_ms))
    }

    /// Sets aside what an attempt may cost. Durable when this returns.
    pub(super) async fn set_aside(&mut self, cost: Cost) -> Result<(), Halt> {
        let now = self.clock.now();
        let day = self.store.state().spending.day_at(now);
        if self.purse.day != day {
            // Nobody asks any more what the day before really cost.
            self.purse = Purse {
                day,
                ..Purse::default()
            };
        }
        let more = cost.without(self.purse.idle);
        if more != Cost::default() {
            let reserved = Event::BudgetReserved(BudgetReserved { day, cost: more });
            let cause = Cause::plain("budget");
            self.commit(own_draft(cause, vec![reserved], now)).await?;
        }
        let purse = &mut self.purse;
        purse.reserved = purse.reserved.and(more);
        purse.idle = purse.idle.without(cost);
        purse.under_way = cost;
        Ok(())
    }

    /// Counts what an attempt has really cost.
    pub(super) fn pay(&mut self, messages: &[Message], reply: &Result<LlmReply, ProviderError>) {
        if self.purse.reserved == Cost::default() {
            return;
        }
        let reserved = std::mem::take(&mut self.purse.under_way);
        let call = |tokens| Cost {
            calls: 1,
            tokens,
            micro_dollars: 0,
        };
        let spent = match reply {
            Ok(reply) => {
                let counted = reply.usage.input_tokens;
                let counted = counted.saturating_add(reply.usage.output_tokens);
                // A server that counts nothing, or too little, does not work for nothing.
                Cost {
                    micro_dollars: reply.arrival.cost_micro_dollars.unwrap_or(0),
                    ..call(counted.max(estimate(messages, reply)))
                }
            }
            Err(error) if error.is_unasked() => {
                self.purse.idle = self.purse.idle.and(reserved);
                return;
            }
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
        self.purse.spent = self.purse.spent.and(spent);
    }

    /// What the journal is to say of the calls since the last settlement; nothing if there were none.
    pub(super) fn settlement(&mut self) -> Option<Event> {
        let Purse {
            day,
            reserved,
            spent,
            ..
        } = std::mem::take(&mut self.purse);
        let settled = BudgetSettled {
            day,
            reserved,
            spent,
        };
        (reserved != Cost::default()).then_some(Event::BudgetSettled(settled))
    }

    /// Settles without an iteration, before the loop ends.
    pub(super) async fn settle_now(&mut self) -> Result<(), Halt> {
        if let Some(settled) = self.settlement() {
            let draft = own_draft(Cause::plain("budget"), vec![settled], self.clock.now());
            self.commit(draft).await?;
        }
        Ok(())
    }

    /// What an attempt may cost; nothing to keep to without a budget.
    pub(super) fn cost_at_most(&self, request: &LlmRequest) -> Option<Cost> {
        if self.config.budget.day.is_endless() {
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

fn estimate(messages: &[Message], reply: &LlmReply) -> u64 {
    let reasoning = reply.reasoning.as_deref().unwrap_or_default();
    let written = TokenMeter::bare().text(&reply.text) + TokenMeter::bare().text(reasoning);
    bare_tokens(messages).saturating_add(u64::try_from(written).unwrap_or(u64::MAX))
}
