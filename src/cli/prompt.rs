//! `prompt`: shows the next prompt, the sizes of its parts, and what is cut or left out.

use super::output::Terminal;
use super::table::Kind::{Fixed, Spare, Text};
use super::table::Table;
use super::text::{visible, word};
use super::{Context, VerbOutput};
use crate::core::agent::LoopState;
use crate::core::prompt::{BudgetAllocation, PartType, PromptPart};
use crate::failure::Failure;
use crate::service::budget_report;
use crate::service::next_prompt::{self, NextPrompt, RamSize};

pub(super) fn run(context: &Context, asked: Option<LoopState>) -> Result<VerbOutput, Failure> {
    let shown = next_prompt::show(&context.session, asked)?;
    let answer = context.answer(&shown, |it| text_of(it, context.terminal))?;
    let Some(failure) = &shown.failure else {
        return Ok(answer);
    };
    context.print_failure(failure);
    Ok(answer.with_exit(failure.exit()))
}

fn text_of(shown: &NextPrompt, terminal: Terminal) -> String {
    let terminal = terminal.without_colours();
    let messages = shown.messages.iter().map(|message| {
        let (role, content) = (word(&message.role), visible(&message.content));
        format!("--- {role}\n{content}\n")
    });
    let parts = parts_table(&shown.allocation).lines(terminal);
    let types = types_table(shown).lines(terminal);
    let NextPrompt {
        characters,
        estimated_tokens,
        estimate_method,
        window,
        answer_tokens,
        held_back_tokens,
        max_tokens,
        ..
    } = shown;
    let RamSize {
        characters: used,
        character_max,
    } = shown.ram;
    let asked = (max_tokens > answer_tokens).then(|| {
        format!(" are left; up to {max_tokens} are requested, since the window is unknown")
    });
    let held_back = (*held_back_tokens > 0).then(|| {
        format!(
            "--- {held_back_tokens} more tokens may be needed by a prompt that is unlike those \
             counted so far\n"
        )
    });
    let window = budget_report::text_of(*window).map(|window| format!("; window {window}"));
    let [asked, held_back, window] = [asked, held_back, window].map(Option::unwrap_or_default);
    let messages: String = messages.collect();
    format!(
        "{messages}--- parts\n{parts}--- types\n{types}\
         --- RAM {used} of {character_max} characters; {answer_tokens} tokens for the \
         answer{asked}\n{held_back}--- about {estimated_tokens} tokens (an estimate: \
         {estimate_method}; {characters} characters){window}\n"
    )
}

fn parts_table(allocation: &BudgetAllocation) -> Table {
    let row = |part: &PromptPart| {
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
        ("TYPE", Fixed),
        ("PRIORITY", Spare),
        ("TOKENS", Fixed),
        ("FATE", Text),
        ("PART", Text),
    ];
    Table::new(columns, parts.map(row))
}

fn types_table(shown: &NextPrompt) -> Table {
    let NextPrompt {
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
    let sums = [
        ("all", allocation.total_tokens, limits.max_total),
        (
            "reserve",
            allocation.critical_reserve_used,
            limits.critical_reserve,
        ),
    ];
    let sums =
        sums.map(|(name, used, limit)| [name.to_owned(), used.to_string(), limit.to_string()]);
    let rows = PartType::ALL.map(row).into_iter().chain(sums);
    Table::new(["TYPE", "TOKENS", "LIMIT"].map(|head| (head, Fixed)), rows)
}
