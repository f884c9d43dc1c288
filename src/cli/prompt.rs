//! `prompt`: shows the next prompt, the sizes of its parts, and what is cut or left out.

use super::context::Context;
use super::output::VerbOutput;
use super::table::Kind::{Fixed, Spare, Text};
use super::table::Table;
use super::terminal::Terminal;
use super::text::{add_line, visible};
use crate::core::agent::LoopState;
use crate::core::prompt::{BudgetAllocation, PartType, PromptPart};
use crate::failure::Failure;
use crate::service::budget_report;
use crate::service::next_prompt::{self, NextPrompt, RamSize};

/// Shows the next prompt, or that of another state.
pub(super) fn run(context: &Context, asked: Option<LoopState>) -> Result<VerbOutput, Failure> {
    let shown = next_prompt::show(&context.session, asked)?;
    let answer = context.answer(&shown, || text_of(&shown, context.terminal))?;
    let Some(failure) = &shown.failure else {
        return Ok(answer);
    };
    context.print_failure(failure);
    Ok(answer.with_exit(failure.exit()))
}

fn text_of(shown: &NextPrompt, terminal: Terminal) -> String {
    let terminal = terminal.without_colours();
    let mut text = String::new();
    for message in &shown.messages {
        let role = super::record::word(&message.role);
        let content = visible(&message.content);
        add_line(&mut text, format_args!("--- {role}\n{content}"));
    }
    text.push_str("--- parts\n");
    text.push_str(&parts_table(&shown.allocation).lines(terminal));
    text.push_str("--- types\n");
    text.push_str(&types_table(shown).lines(terminal));
    let NextPrompt {
        characters,
        estimated_tokens,
        estimate_method,
        window,
        answer_tokens,
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
    let asked = asked.unwrap_or_default();
    add_line(
        &mut text,
        format_args!(
            "--- RAM {used} of {character_max} characters; {answer_tokens} tokens for the answer{asked}"
        ),
    );
    let held_back = shown.held_back_tokens;
    if held_back > 0 {
        add_line(
            &mut text,
            format_args!(
                "--- {held_back} more tokens may be needed by a prompt that is unlike those counted so far"
            ),
        );
    }
    let method = format!("an estimate: {estimate_method}");
    let window = budget_report::text_of(*window).map(|window| format!("; window {window}"));
    let window = window.unwrap_or_default();
    text + &format!(
        "--- about {estimated_tokens} tokens ({method}; {characters} characters){window}\n"
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
    Table::new(["TYPE", "TOKENS", "LIMIT"].map(|head| (head, Fixed)), rows)
}
