//! The prompt that the model would get next. Calls no server.

use super::budget_report::PromptBudgetReport;
use super::pending_edits::warn_of_ram;
use super::session::{Session, now};
use crate::config::LoadedConfig;
use crate::core::agent::{
    ActionResult, LoopState, initial_state, offers_as_results, relevant_notes, scan_for_work,
    shown_ram,
};
use crate::core::journal::State;
use crate::core::prompt::{
    BudgetAllocation, FittedPrompt, PartType, PromptBudget, PromptData, PromptError, PromptMessage,
    TokenBudget, TokensByType, Window, characters, fit_worst_case, overflow,
};
use crate::core::run::{RunState, Trigger};
use crate::failure::Failure;
use serde::Serialize;

/// The next prompt, the sizes of its parts, and what is cut or left out.
#[derive(Debug, Serialize)]
pub struct NextPrompt {
    pub state: LoopState,
    /// The failure, where there is no prompt. The allocation is that of the parts all the same.
    #[serde(rename = "error", skip_serializing_if = "Option::is_none")]
    pub failure: Option<Failure>,
    /// The messages; none where there is no prompt.
    pub messages: Vec<PromptMessage>,
    pub characters: usize,
    pub estimated_tokens: usize,
    pub estimate_method: String,
    pub window: Window,
    /// The tokens of the window that are left to the reply.
    pub answer_tokens: u32,
    /// The most tokens of a reply that the call asks for: more, where the window is unknown.
    pub max_tokens: u32,
    pub ram: RamSize,
    /// The token budget in force.
    pub limits: Limits,
    /// The tokens that the window leaves to prompts but that this one may not have.
    ///
    /// No prompt like it was counted.
    pub held_back_tokens: usize,
    pub allocation: BudgetAllocation,
}

/// The size of RAM, as it would stand whole in a prompt.
#[derive(Debug, Serialize)]
pub struct RamSize {
    pub characters: usize,
    pub character_max: usize,
}

/// The token budget, as far as the window has room for it.
#[derive(Debug, Serialize)]
pub struct Limits {
    pub max_total: usize,
    pub by_type: TokensByType,
    pub critical_reserve: usize,
}

impl From<TokenBudget> for Limits {
    fn from(budget: TokenBudget) -> Self {
        let mut by_type = TokensByType::default();
        for part_type in PartType::ALL {
            by_type.add(part_type, budget.limit(part_type));
        }
        Self {
            max_total: budget.max_total,
            by_type,
            critical_reserve: budget.critical_reserve,
        }
    }
}

#[derive(Debug)]
pub(super) struct PromptPreview {
    pub(super) state: LoopState,
    pub(super) prompt_budget: PromptBudget,
    pub(super) method: String,
    pub(super) fitted: Result<FittedPrompt, PromptError>,
    /// The required parts and those without room beside them, where there is no prompt.
    pub(super) overflow: Option<BudgetAllocation>,
}

/// Returns the next prompt, or that of another state.
pub fn show(session: &Session, asked: Option<LoopState>) -> Result<NextPrompt, Failure> {
    let loaded = session.load()?;
    let state = session.state(&loaded.config)?;
    warn_of_ram(session, &loaded.config, &state.main.ram)?;
    let known = PromptBudgetReport::of(&loaded.config, &state);
    with_next(&loaded, &state, known, asked, |next| {
        let prompt_budget = next.prompt_budget;
        let in_force = prompt_budget.in_force();
        let (messages, budget, allocation, failure) = match next.fitted {
            Ok(fitted) => (fitted.messages, fitted.budget, fitted.allocation, None),
            Err(no_prompt) => {
                let failure = prompt_budget.failure(no_prompt);
                let Some(allocation) = next.overflow else {
                    return Err(failure);
                };
                (Vec::new(), in_force, allocation, Some(failure))
            }
        };
        let estimated_tokens = match &failure {
            Some(_) => allocation.total_tokens,
            None => prompt_budget.meter.messages(&messages),
        };
        Ok(NextPrompt {
            state: next.state,
            characters: characters(&messages),
            estimated_tokens,
            estimate_method: next.method,
            window: prompt_budget.window,
            answer_tokens: prompt_budget.answer_tokens(),
            max_tokens: prompt_budget.window.answer_tokens(prompt_budget.max_tokens),
            ram: RamSize {
                characters: state.main.ram.characters(),
                character_max: loaded.config.memory.working_memory_character_max,
            },
            limits: budget.into(),
            held_back_tokens: in_force.max_total.saturating_sub(budget.max_total),
            allocation,
            messages,
            failure,
        })
    })
}

/// Returns the messages of the next prompt.
pub fn messages(
    loaded: &LoadedConfig,
    state: &State,
    known: PromptBudgetReport,
) -> Result<Vec<PromptMessage>, Failure> {
    with_next(loaded, state, known, None, |next| {
        let fitted = next.fitted.map(|fitted| fitted.messages);
        fitted.map_err(|no_prompt| next.prompt_budget.failure(no_prompt))
    })
}

/// Calls `act` with the next prompt, as far as it is known now.
///
/// A run that is about to begin brings its request, and wakes an idle loop.
pub(super) fn with_next<T>(
    loaded: &LoadedConfig,
    state: &State,
    known: PromptBudgetReport,
    asked: Option<LoopState>,
    act: impl FnOnce(PromptPreview) -> T,
) -> T {
    let next_run = state.runs.next();
    let memory = next_run.map_or(&state.main, |run| state.memory_of(run));
    let about_to_begin = next_run.filter(|run| run.state == RunState::Queued);
    let wakes = about_to_begin.is_some_and(|run| run.trigger != Trigger::Idle);
    let present = memory.ram.state();
    let woken = present == LoopState::Idle && wakes;
    let present = if woken { LoopState::Planning } else { present };
    let begins = || initial_state(memory, &loaded.config.memory, present);
    let loop_state = asked.unwrap_or_else(begins);
    let request = about_to_begin.and_then(|run| run.request.as_deref());
    let request = request.or_else(|| memory.ram.request());
    let mut beside = Vec::new();
    if loop_state == LoopState::RecordOrganizing {
        beside.extend(offers(loaded, state));
    }
    beside.extend(relevant_notes(
        state,
        memory,
        &loaded.config.scope,
        loop_state,
        request,
    ));
    let ram = shown_ram(
        state,
        memory,
        next_run.map(|run| run.run_id),
        request,
        &loaded.config.memory,
    );
    let of_main = state.proposals.outcomes();
    let outcomes = next_run.map_or(of_main, |run| state.outcomes_for(run));
    let ram_order = memory.keys.oldest_first(&ram);
    let step = memory.ram.step();
    let data = PromptData {
        time: &now().local_minute(),
        state: loop_state,
        request,
        ram: &ram,
        ram_order: &ram_order,
        step: step.as_deref(),
        results: &[outcomes, &memory.results, &beside].concat(),
        numbered: memory
            .result_log
            .newest(memory.results.len(), outcomes.len()),
    };
    let prompt_budget = known.prompt_budget;
    let fitted = fit_worst_case(&loaded.prompt, &data, &prompt_budget, known.last);
    let is_without = matches!(fitted, Err(PromptError::CriticalDropped { .. }));
    let overflow = is_without.then(|| overflow(&loaded.prompt, &data, &prompt_budget));
    act(PromptPreview {
        state: loop_state,
        prompt_budget,
        method: known.method,
        fitted,
        overflow: overflow.and_then(Result::ok),
    })
}

/// Returns the work that an organizing prompt would offer.
fn offers(loaded: &LoadedConfig, state: &State) -> Vec<ActionResult> {
    let config = &loaded.config;
    let threshold = config.notes.similar_threshold;
    let mut notes = state.notes.clone();
    notes.prepare(threshold);
    let look = scan_for_work(&notes, &state.organizing, &config.scope, threshold);
    offers_as_results(state, &look)
}
