//! What calls may not cost: more than a day, a run or a minute is allowed.

use super::runs::{MANY, go_to};
use super::trial::{Attempt, Said, Trial};
use crate::failure::Code;

pub(super) const TRIALS: &[Trial] = &[
    Trial {
        guard: "budget.calls",
        tried: "a call beyond budget.calls_per_day",
        attempt: Attempt::Said(
            Said::new(&[Code::BudgetExceeded], |_| {
                vec![go_to("executing"), go_to("evaluating")]
            })
            .tuned(|tuned| {
                tuned.iterations = Some(MANY);
                tuned.config.budget.day.calls = Some(1);
            }),
        ),
    },
    Trial {
        guard: "budget.tokens",
        tried: "a call beyond budget.tokens_per_day",
        attempt: Attempt::Said(
            Said::new(&[Code::BudgetExceeded], |_| vec![go_to("executing")])
                .tuned(|tuned| tuned.config.budget.day.tokens = Some(10)),
        ),
    },
    Trial {
        guard: "budget.run_calls",
        tried: "a call beyond budget.calls_per_run",
        attempt: Attempt::Said(
            Said::new(&[Code::BudgetExceeded], |_| vec![go_to("executing")])
                .tuned(|tuned| tuned.config.budget.run.calls = Some(0)),
        ),
    },
    Trial {
        guard: "budget.run_tokens",
        tried: "a call beyond budget.tokens_per_run",
        attempt: Attempt::Said(
            Said::new(&[Code::BudgetExceeded], |_| vec![go_to("executing")])
                .tuned(|tuned| tuned.config.budget.run.tokens = Some(10)),
        ),
    },
    Trial {
        guard: "budget.rate",
        tried: "a call beyond budget.calls_per_minute",
        attempt: Attempt::Said(
            Said::new(&[Code::RateLimited], |_| {
                vec![go_to("executing"), go_to("evaluating")]
            })
            .tuned(|tuned| {
                tuned.iterations = Some(MANY);
                tuned.config.budget.calls_per_minute = Some(1);
            }),
        ),
    },
];
