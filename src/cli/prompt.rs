//! `prompt`: what the model would be shown next, what takes how much of it, and what is cut or left
//! out. Asks nobody.

use super::context::Context;
use super::output::Answer;
use super::room_report::{self, RoomReport};
use super::table::{Column, Table};
use super::terminal::Terminal;
use super::text::visible;
use crate::config::Loaded;
use crate::core::agent::{
    ActionResult, LoopState, begins_in, look, offered, relevant_notes, shown_ram,
};
use crate::core::journal::State;
use crate::core::prompt::{
    BudgetAllocation, ByType, Fitted, Message, NoPrompt, PartType, Placed, PromptBudget,
    PromptData, TokenBudget, Window, characters, fit_worst_case, overflow,
};
use crate::core::run::{RunState, Trigger};
use crate::failure::Failure;
use crate::service::{now, warn_of_ram};
use serde::Serialize;
use serde_json::Value;
use std::fmt::Write as _;

#[derive(Debug, Serialize)]
struct Shown {
    state: LoopState,
    /// Why there is no prompt; what would stand in it is told all the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Value>,
    messages: Vec<Message>,
    characters: usize,
    estimated_tokens: usize,
    estimate_method: String,
    window: Window,
    /// What of the window is left to the answer.
    answer_tokens: u32,
    /// The most tokens that the call asks for: more, where nobody tells the window.
    max_tokens: u32,
    ram: Ram,
    limits: Limits,
    /// What the window leaves to prompts and this one may not have, since no prompt like it was counted.
    held_back_tokens: usize,
    allocation: BudgetAllocation,
}

/// How full RAM is, as it would stand in a prompt whole.
#[derive(Debug, Serialize)]
struct Ram {
    characters: usize,
    character_max: usize,
}

/// The budget as far as the window has room for it.
#[derive(Debug, Serialize)]
struct Limits {
    max_total: usize,
    by_type: ByType,
    critical_reserve: usize,
}

impl From<TokenBudget> for Limits {
    fn from(budget: TokenBudget) -> Self {
        let mut by_type = ByType::default();
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

/// The next prompt.
#[derive(Debug)]
pub(super) struct Next<'a> {
    /// The state that it is for.
    pub(super) state: LoopState,
    /// Its room.
    pub(super) prompt_budget: PromptBudget,
    /// How its tokens are counted.
    pub(super) method: String,
    /// The prompt, or why there is none.
    pub(super) fitted: Result<Fitted<'a>, NoPrompt>,
    /// What must be in and what has no room beside it, where there is none.
    pub(super) overflow: Option<BudgetAllocation>,
}

/// Shows the next prompt, or that of another state.
pub(super) fn run(context: &Context, asked: Option<LoopState>) -> Result<Answer, Failure> {
    let loaded = context.session.load()?;
    let state = context.session.state(&loaded.config)?;
    warn_of_ram(&context.session, &loaded.config, &state.ram)?;
    let known = RoomReport::of(&loaded.config, &state);
    with_next(&loaded, &state, known, asked, |next| {
        let Next {
            prompt_budget,
            overflow,
            ..
        } = next;
        let (fitted, allocation, failure) = match next.fitted {
            Ok(fitted) => {
                let allocation = fitted.allocation();
                (Some(fitted), allocation, None)
            }
            Err(no_prompt) => {
                let failure = prompt_budget.failure(no_prompt);
                let Some(allocation) = overflow else {
                    return Err(failure);
                };
                (None, allocation, Some(failure))
            }
        };
        let in_force = prompt_budget.in_force();
        let budget = fitted.as_ref().map_or(in_force, |fitted| fitted.budget);
        let messages = fitted.map(|fitted| fitted.messages).unwrap_or_default();
        let estimated_tokens = match &failure {
            Some(_) => allocation.total_tokens,
            None => prompt_budget.meter.messages(&messages),
        };
        let shown = Shown {
            state: next.state,
            error: failure.as_ref().map(error_of),
            characters: characters(&messages),
            estimated_tokens,
            estimate_method: next.method,
            window: prompt_budget.window,
            answer_tokens: prompt_budget.answer_tokens(),
            max_tokens: prompt_budget.window.answer_tokens(prompt_budget.max_tokens),
            ram: Ram {
                characters: state.ram.characters(),
                character_max: loaded.config.memory.working_memory_character_max,
            },
            limits: budget.into(),
            held_back_tokens: in_force.max_total.saturating_sub(budget.max_total),
            allocation,
            messages,
        };
        let answer = context.answer(&shown, || text_of(&shown, context.terminal))?;
        let Some(failure) = failure else {
            return Ok(answer);
        };
        context.complain(&failure);
        Ok(answer.with_exit(failure.exit()))
    })
}

/// A failure as it stands among data.
fn error_of(failure: &Failure) -> Value {
    let mut whole = failure.to_json();
    whole["error"].take()
}

/// The messages of the next prompt.
pub(super) fn messages(
    loaded: &Loaded,
    state: &State,
    known: RoomReport,
) -> Result<Vec<Message>, Failure> {
    with_next(loaded, state, known, None, |next| {
        let fitted = next.fitted.map(|fitted| fitted.messages);
        fitted.map_err(|no_prompt| next.prompt_budget.failure(no_prompt))
    })
}

/// Does something with the next prompt as far as it is known now: a run that is about to begin brings
/// its request, and wakes an idle loop.
pub(super) fn with_next<T>(
    loaded: &Loaded,
    state: &State,
    known: RoomReport,
    asked: Option<LoopState>,
    act: impl FnOnce(Next<'_>) -> T,
) -> T {
    let about_to_begin = state
        .runs
        .next()
        .filter(|run| run.state == RunState::Queued);
    let wakes = about_to_begin.is_some_and(|run| run.trigger != Trigger::Idle);
    let present = state.ram.state();
    let woken = present == LoopState::Idle && wakes;
    let present = if woken { LoopState::Planning } else { present };
    let begins = || begins_in(state, &loaded.config.memory, present);
    let loop_state = asked.unwrap_or_else(begins);
    let request = about_to_begin.and_then(|run| run.request.as_deref());
    let request = request.or_else(|| state.ram.request());
    let mut beside = Vec::new();
    if loop_state == LoopState::RecordOrganizing {
        beside.extend(offers(loaded, state));
    }
    beside.extend(relevant_notes(
        state,
        &loaded.config.scope,
        loop_state,
        request,
    ));
    let ram = shown_ram(state, request, &loaded.config.memory);
    let outcomes = state.proposals.outcomes();
    let ram_order = state.keys.oldest_first(&ram);
    let step = state.ram.step();
    let data = PromptData {
        time: &now().local_minute(),
        state: loop_state,
        request,
        ram: &ram,
        ram_order: &ram_order,
        step: step.as_deref(),
        results: &[outcomes, &state.results, &beside].concat(),
        numbered: state.result_log.newest(state.results.len(), outcomes.len()),
    };
    let RoomReport {
        prompt_budget,
        method,
        last,
        ..
    } = known;
    let fitted = fit_worst_case(&loaded.prompt, &data, &prompt_budget, last);
    let is_without = matches!(fitted, Err(NoPrompt::CriticalDropped { .. }));
    let overflow = is_without.then(|| overflow(&loaded.prompt, &data, &prompt_budget));
    act(Next {
        state: loop_state,
        prompt_budget,
        method,
        fitted,
        overflow: overflow.and_then(Result::ok),
    })
}

/// The work that an organising prompt would offer.
fn offers(loaded: &Loaded, state: &State) -> Vec<ActionResult> {
    let config = &loaded.config;
    let threshold = config.notes.similar_threshold;
    let mut notes = state.notes.clone();
    notes.prepare(threshold);
    let look = look(&notes, &state.organizing, &config.scope, threshold);
    offered(state, &look)
}

fn text_of(shown: &Shown, terminal: Terminal) -> String {
    let terminal = terminal.without_colours();
    let mut text = String::new();
    for message in &shown.messages {
        let role = super::record::word(&message.role);
        // Writing into a string cannot fail.
        writeln!(text, "--- {role}\n{}", visible(&message.content)).unwrap_or_default();
    }
    text.push_str("--- parts\n");
    text.push_str(&parts_table(&shown.allocation).lines(terminal));
    text.push_str("--- types\n");
    text.push_str(&types_table(shown).lines(terminal));
    let Shown {
        characters,
        estimated_tokens,
        estimate_method,
        window,
        answer_tokens,
        max_tokens,
        ..
    } = shown;
    let Ram {
        characters: used,
        character_max,
    } = shown.ram;
    let asked = (max_tokens > answer_tokens).then(|| {
        format!(" are left; up to {max_tokens} are asked for, since nobody tells the window")
    });
    let asked = asked.unwrap_or_default();
    // Writing into a string cannot fail.
    writeln!(
        text,
        "--- RAM {used} of {character_max} characters; {answer_tokens} tokens for the answer{asked}"
    )
    .unwrap_or_default();
    let held_back = shown.held_back_tokens;
    if held_back > 0 {
        writeln!(
            text,
            "--- {held_back} more tokens may be needed by a prompt that is unlike those counted so far"
        )
        .unwrap_or_default();
    }
    let method = format!("an estimate: {estimate_method}");
    let window = room_report::text_of(*window).map(|window| format!("; window {window}"));
    let window = window.unwrap_or_default();
    text + &format!(
        "--- about {estimated_tokens} tokens ({method}; {characters} characters){window}\n"
    )
}

fn parts_table(allocation: &BudgetAllocation) -> Table {
    let row = |part: &Placed| {
        let fate = match (part.reason, part.cut_from) {
            (Some(code), _) => format!("left out: {code}"),
            (None, Some(from)) => format!("cut from {from}"),
            (None, None) => "in".to_owned(),
        };
        [
            part.part_type.name().to_owned(),
            part.priority.name().to_owned(),
            part.tokens.to_string(),
            fate,
            visible(&part.id),
        ]
    };
    let parts = allocation.included.iter().chain(&allocation.excluded);
    let columns = [
        Column::fixed("TYPE"),
        Column::spare("PRIORITY"),
        Column::fixed("TOKENS"),
        Column::text("FATE"),
        Column::text("PART"),
    ];
    Table::new(columns, parts.map(row))
}

fn types_table(shown: &Shown) -> Table {
    let Shown {
        limits, allocation, ..
    } = shown;
    let usage = &allocation.usage_by_type;
    let row = |part_type: PartType| {
        let limit = limits.by_type.of(part_type);
        [
            part_type.name().to_owned(),
            usage.of(part_type).to_string(),
            limit.to_string(),
        ]
    };
    let mut rows: Vec<[String; 3]> = PartType::ALL.map(row).to_vec();
    rows.push([
        "all".to_owned(),
        allocation.total_tokens.to_string(),
        limits.max_total.to_string(),
    ]);
    rows.push([
        "reserve".to_owned(),
        allocation.critical_reserve_used.to_string(),
        limits.critical_reserve.to_string(),
    ]);
    Table::new(["TYPE", "TOKENS", "LIMIT"].map(Column::fixed), rows)
}
