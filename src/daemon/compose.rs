//! Makes the prompt of a state: the prompt file's text and data, as much as there is room for.
//!
//! Decides nothing about the contents: `core::prompt` does.

use super::asked_server::ProviderState;
use super::asker::CallContext;
use super::engine::Engine;
use super::run_profiles::RunProfile;
use crate::core::agent::{ActionResult, Numbered, PromptAdditions, shown_ram};
use crate::core::notes::ShownNote;
use crate::core::prompt::{
    AllocationSummary, PromptBudget, PromptData, QuestionKind, TokenMeter, Window, fit,
    fit_worst_case, least_tokens, with_example,
};
use crate::core::protocol::{ConstraintKind, json_of_xml};
use crate::core::steps::question::Question;
use crate::failure::Code;
use crate::provider::{Constraint, LlmRequest, ProviderError};
use crate::time::LocalMinute;
use std::sync::Arc;

/// A prompt that fits its budget; by default, none.
#[derive(Debug, Default)]
pub(super) struct Composed {
    pub(super) request: Arc<LlmRequest>,
    /// The tokens that the budget gave to the parts of the prompt.
    pub(super) allocation: Option<AllocationSummary>,
    pub(super) shown: Vec<ShownNote>,
    /// The number of decisions about proposals that the prompt shows.
    pub(super) outcomes_shown: usize,
}

#[derive(Debug, Default)]
pub(super) struct Composer {
    minute: LocalMinute,
}

impl Composer {
    /// Makes the prompt of a state, with the data that stands beside it.
    ///
    /// # Errors
    /// The code of [`PromptBudget::failure`], with the numbers, when the required parts do not fit.
    pub(super) fn compose(
        &mut self,
        engine: &mut Engine,
        work: CallContext<'_>,
        additions: &PromptAdditions,
    ) -> Result<Composed, ProviderError> {
        if let Some(question) = &additions.question {
            return compose_question(engine, work.profile, question);
        }
        let (run, profile, state) = (work.run, work.profile, work.state);
        let (server, known) = (engine.server(), engine.state());
        let prompt_budget = server.prompt_budget(profile, known);
        let counts_itself = server.context_window.counts_itself();
        let last = server.last_counted(known);
        let memory = known.memory_of(run);
        let constraint = server.constraint(profile, memory, state);
        let outcomes = known.outcomes_for(run);
        let outcomes_count = outcomes.len();
        let is_json = constraint.as_ref().map(|it| it.kind) == Some(ConstraintKind::JsonSchema);
        let results = results_in_form(&[outcomes, &memory.results, &additions.results], is_json);
        let step = memory.ram.step();
        let ram = shown_ram(
            known,
            memory,
            Some(run.run_id),
            memory.ram.request(),
            &profile.config.memory,
        );
        let ram_order = memory.keys.oldest_first(&ram);
        let data = PromptData {
            time: self.minute.of(engine.now()),
            state,
            request: memory.ram.request(),
            ram: &ram,
            ram_order: &ram_order,
            step: step.as_deref(),
            results: &results,
            numbered: memory
                .result_log
                .newest(memory.results.len(), outcomes_count),
        };
        let example = additions.example.as_deref();
        let with_example_shown = example.map(|output| with_example(&profile.prompt, &data, output));
        let prompt = with_example_shown.as_ref().unwrap_or(&profile.prompt);
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
        let (dropped, allocation) = (fitted.examples_dropped, fitted.allocation.summary());
        let (shown, outcomes_shown) = (fitted.notes, fitted.results.min(outcomes_count));
        let request = LlmRequest {
            messages: fitted.messages,
            max_tokens: server.answer_tokens(),
            allowed_tags: profile.prompt.allowed_tags,
            constraint,
            without_reasoning: server.without_reasoning(),
            ..LlmRequest::default()
        };
        report_dropped(engine, profile, dropped);
        Ok(Composed {
            request: Arc::new(request),
            allocation: Some(allocation),
            shown,
            outcomes_shown,
        })
    }

    /// Returns the least window with room for the prompt of a state and a reply, in tokens.
    ///
    /// It is the least that any of the providers may need.
    pub(super) fn least_window(&mut self, engine: &Engine, work: CallContext<'_>) -> Option<u32> {
        let known = engine.state();
        let ram = &known.memory_of(work.run).ram;
        let step = ram.step();
        let data = PromptData {
            time: self.minute.of(engine.now()),
            state: work.state,
            request: ram.request(),
            ram: &[],
            ram_order: &[],
            step: step.as_deref(),
            results: &[],
            numbered: Numbered::default(),
        };
        let least = |server: &ProviderState| {
            let tokens = least_tokens(&work.profile.prompt, &data, server.meter(known)).ok()?;
            let tokens = u32::try_from(tokens).unwrap_or(u32::MAX);
            Some(Window::least_for(tokens, server.config.max_tokens))
        };
        engine.pool().servers().filter_map(least).min()
    }
}

/// Returns results in their order, with examples in the form of the reply.
fn results_in_form(results: &[&[ActionResult]], is_json: bool) -> Vec<ActionResult> {
    let mut results = results.concat();
    for result in results.iter_mut().filter(|_| is_json) {
        result.example = result.example.as_deref().and_then(json_of_xml);
    }
    results
}

/// Reports once that examples are dropped, and again when more of them are.
fn report_dropped(engine: &mut Engine, profile: &RunProfile, examples: usize) {
    let server = engine.server();
    let before = server.context_window.examples_dropped;
    if examples > before {
        let budget = server.prompt_budget(profile, engine.state());
        engine.notice(&budget.without_examples(examples));
        engine.server_mut().context_window.examples_dropped = examples;
    }
}

/// Makes the prompt of a small-step question.
///
/// It has as many examples as there is room for, the last ones first. Of a request that is too long
/// it has the beginning and the end.
///
/// # Errors
/// `CONTEXT_OVERFLOW` where not even the question itself fits.
fn compose_question(
    engine: &Engine,
    profile: &RunProfile,
    question: &Question,
) -> Result<Composed, ProviderError> {
    let server = engine.server();
    let prompt_budget = server.prompt_budget(profile, engine.state());
    let constraint = form_for(server, question);
    let constraint_kind = constraint.as_ref().map(|it| it.kind);
    let max_tokens = server.answer_tokens().min(question.reply_tokens_max());
    let budget = prompt_budget.in_force().max_total;
    let tokens = |messages: &[_]| prompt_budget.meter.messages(messages);
    let examples = question.examples_count(&profile.prompt);
    let mut first = 0;
    let mut messages = question.messages(&profile.prompt, first, constraint_kind);
    while tokens(&messages) > budget && first < examples {
        first += 1;
        messages = question.messages(&profile.prompt, first, constraint_kind);
    }
    if tokens(&messages) > budget {
        let over = tokens(&messages) - budget;
        let shorter = question.shortened_by(prompt_budget.meter.characters_below(over));
        messages = shorter.messages(&profile.prompt, first, constraint_kind);
    }
    let total_tokens = tokens(&messages);
    // Counts of other prompts may be far off; a question that fits by the bare estimate is sent.
    if TokenMeter::bare().messages(&messages) > budget {
        return Err(overflow(&prompt_budget, total_tokens));
    }
    // The first token of a plan is its verb only where a grammar keeps the reply to plain lines.
    let wants_certainty =
        question.kind() == QuestionKind::Plan && constraint_kind == Some(ConstraintKind::Gbnf);
    let allocation = AllocationSummary::of_question(messages.len(), first, total_tokens, budget);
    Ok(Composed {
        request: Arc::new(LlmRequest {
            messages,
            max_tokens,
            constraint,
            without_reasoning: server.without_reasoning(),
            wants_certainty,
            ..LlmRequest::default()
        }),
        allocation: Some(allocation),
        ..Composed::default()
    })
}

fn form_for(server: &ProviderState, question: &Question) -> Option<Constraint> {
    let constraint_kind = server.constraint_in_use()?;
    let text = match constraint_kind {
        ConstraintKind::Gbnf => question.gbnf(),
        ConstraintKind::JsonSchema => question.json_schema(),
    };
    let text = Arc::from(text);
    Some(Constraint {
        kind: constraint_kind,
        text,
    })
}

fn overflow(prompt_budget: &PromptBudget, tokens: usize) -> ProviderError {
    let window = prompt_budget.window.tokens;
    let message = format!(
        "a question of about {tokens} tokens does not fit a window of {window}. Load the model with a \
         larger window, or ask for less at once."
    );
    ProviderError::held(Code::ContextOverflow, message, None)
}

/// Returns whether a code says that no prompt could be made.
pub(super) const fn is_no_prompt(code: Code) -> bool {
    matches!(code, Code::ContextOverflow | Code::TokenCriticalDropped)
}
