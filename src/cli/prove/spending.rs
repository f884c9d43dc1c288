//! What calls may not cost: more than a day, a run or a minute is allowed.

use super::guard_check::{Attempt, GuardCheck, ReplyAttempt};
use super::runs::{MANY, go_to};
use crate::failure::Code;

pub(super) const GUARD_CHECKS: &[GuardCheck] = &[
    GuardCheck {
        guard: "budget.calls",
        tried: "a call beyond budget.calls_per_day",
        attempt: Attempt::ReplyAttempt(
            ReplyAttempt::new(&[Code::BudgetExceeded], |_| {
                vec![go_to("executing"), go_to("evaluating")]
            })
            .tuned(|tuned| {
                tuned.iterations = Some(MANY);
                tuned.config.budget.day.calls = Some(1);
            }),
        ),
    },
    GuardCheck {
        guard: "budget.tokens",
        tried: "a call beyond budget.tokens_per_day",
        attempt: Attempt::ReplyAttempt(
            ReplyAttempt::new(&[Code::BudgetExceeded], |_| vec![go_to("executing")])
                .tuned(|tuned| tuned.config.budget.day.tokens = Some(10)),
        ),
    },
    GuardCheck {
        guard: "budget.run_calls",
        tried: "a call beyond budget.calls_per_run",
        attempt: Attempt::ReplyAttempt(
            ReplyAttempt::new(&[Code::BudgetExceeded], |_| vec![go_to("executing")])
                .tuned(|tuned| tuned.config.budget.run.calls = Some(0)),
        ),
    },
    GuardCheck {
        guard: "budget.run_tokens",
        tried: "a call beyond budget.tokens_per_run",
        attempt: Attempt::ReplyAttempt(
            ReplyAttempt::new(&[Code::BudgetExceeded], |_| vec![go_to("executing")])
                .tuned(|tuned| tuned.config.budget.run.tokens = Some(10)),
        ),
    },
    GuardCheck {
        guard: "budget.rate",
        tried: "a call beyond budget.calls_per_minute",
        attempt: Attempt::ReplyAttempt(
            ReplyAttempt::new(&[Code::RateLimited], |_| {
                vec![go_to("executing"), go_to("evaluating")]
            })
            .tuned(|tuned| {
                tuned.iterations = Some(MANY);
                tuned.config.budget.calls_per_minute = Some(1);
            }),
        ),
    },
];
