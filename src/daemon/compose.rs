//! The question of a state: the prompt file's words and data, as much of them as there is room for.
//! Decides nothing about what is in: `core::prompt` does.

use super::agent::Agent;
use super::observer::LoopEvent;
use crate::core::agent::{Beside, LoopState, shown_ram};
use crate::core::notes::ShownNote;
use crate::core::prompt::{
    AllocationSummary, PromptBudget, PromptData, fit, fit_worst_case, with_worked,
};
use crate::core::protocol::{ConstraintKind, json_of_xml};
use crate::failure::Code;
use crate::provider::{LlmRequest, ProviderError};

/// A question that fits its room.
#[derive(Debug)]
pub(super) struct Composed {
    /// The question.
    pub(super) request: LlmRequest,
    /// What the token budget gave to its parts.
    pub(super) allocation: AllocationSummary,
    /// The notes that stand in it.
    pub(super) shown: Vec<ShownNote>,
    /// How many decisions about proposals it tells.
    pub(super) outcomes_shown: usize,
}

impl Agent {
    /// The room that the asked model has for a prompt.
    pub(super) fn prompt_budget(&self) -> PromptBudget {
        PromptBudget {
            window: self.window(),
            max_tokens: self.server().config.max_tokens,
            meter: self.meter(),
            budget: self.profile.config.token_budget,
            shrink_steps: self.server().context_window.shrink_steps,
        }
    }

    /// The question of a state, with what stands beside it.
    ///
    /// # Errors
    /// The code of [`PromptBudget::failure`], with the numbers, when what must be in it does not fit.
    pub(super) fn compose(
        &mut self,
        state: LoopState,
        beside: &Beside,
    ) -> Result<Composed, ProviderError> {
        if let Some(question) = &beside.question {
            return self.compose_question(question);
        }
        let prompt_budget = self.prompt_budget();
        let (counts_itself, last) = (self.counts_itself(), self.last_counted());
        let constraint = self.constraint(state);
        let known = self.store.state();
        let outcomes = known.proposals.outcomes();
        let outcomes_count = outcomes.len();
        let mut results = [outcomes, &known.results].concat();
        results.extend_from_slice(&beside.results);
        let is_json = constraint.as_ref().map(|it| it.kind) == Some(ConstraintKind::JsonSchema);
        for result in results.iter_mut().filter(|_| is_json) {
            result.example = result.example.as_deref().and_then(json_of_xml);
        }
        let step = known.ram.step();
        let ram = shown_ram(known, known.ram.request(), &self.profile.config.memory);
        let ram_order = known.keys.oldest_first(&ram);
        let data = PromptData {
            time: self.minute.of(self.clock.now()),
            state,
            request: known.ram.request(),
            ram: &ram,
            ram_order: &ram_order,
            step: step.as_deref(),
            results: &results,
            numbered: known.result_log.newest(known.results.len(), outcomes_count),
        };
        let worked = beside.worked.as_deref();
        let worked = worked.map(|output| with_worked(&self.profile.prompt, &data, output));
        let prompt = worked.as_ref().unwrap_or(&self.profile.prompt);
        let in_json = is_json.then(|| prompt.in_json());
        let prompt = in_json.as_ref().unwrap_or(prompt);
        let fitted = if counts_itself {
            fit(prompt, &data, &prompt_budget)
        } else {
            fit_worst_case(prompt, &data, &prompt_budget, last)
        };
        let fitted = fitted.map_err(|no_prompt| {
            let failure = prompt_budget.failure(no_prompt);
            let hint = failure.hints.first().cloned().unwrap_or_default();
            ProviderError::held(failure.code, format!("{}. {hint}", failure.message), None)
        })?;
        let (dropped, allocation) = (fitted.examples_dropped, fitted.summary());
        let (shown, outcomes_shown) = (fitted.notes, fitted.results.min(outcomes_count));
        let request = LlmRequest {
            messages: fitted.messages,
            max_tokens: self.answer_tokens(),
            allowed_tags: self.profile.prompt.allowed_tags,
            constraint,
            without_reasoning: self.without_reasoning(),
        };
        self.report_dropped(dropped);
        Ok(Composed {
            request,
            allocation,
            shown,
            outcomes_shown,
        })
    }

    /// Says once that examples have to go, and again when it is more of them.
    fn report_dropped(&mut self, examples: usize) {
        if examples > self.server().context_window.examples_dropped {
            let message = self.prompt_budget().without_examples(examples);
            self.observer
                .on_event(LoopEvent::Notice { message: &message });
        }
        self.server_mut().context_window.examples_dropped =
            self.server().context_window.examples_dropped.max(examples);
    }
}

/// Whether a code says that there is no prompt that could be asked.
pub(super) const fn is_no_prompt(code: Code) -> bool {
    matches!(code, Code::ContextOverflow | Code::TokenCriticalDropped)
}
