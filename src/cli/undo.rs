//! `runs undo` and `undo`: report what was taken back.

use super::arguments::SpanStart;
use super::context::Context;
use super::output::VerbOutput;
use super::text::{add_line, count};
use super::trace::effect_line;
use crate::core::undo::{ChangeTarget, Conflict};
use crate::failure::Failure;
use crate::service::now;
use crate::service::runs::NamedRun;
use crate::service::undo::{self, UndoReport};

/// Runs the verb `runs undo`.
pub(super) fn run(context: &Context, run: &NamedRun, dry_run: bool) -> Result<VerbOutput, Failure> {
    answer(context, &undo::of_run(&context.session, run, dry_run)?)
}

/// Runs the verb `undo --since`.
pub(super) fn since(
    context: &Context,
    since: SpanStart,
    dry_run: bool,
) -> Result<VerbOutput, Failure> {
    let since = since.before(now());
    answer(context, &undo::since(&context.session, since, dry_run)?)
}

fn answer(context: &Context, report: &UndoReport) -> Result<VerbOutput, Failure> {
    let answer = context.answer(report, || text_of(report))?;
    Ok(answer.ok_if(report.conflicts.is_empty()))
}

fn text_of(report: &UndoReport) -> String {
    let mut out = head_of(report);
    out.push('\n');
    for effect in &report.changes {
        add_line(&mut out, format_args!("    {}", effect_line(effect)));
    }
    for number in &report.withdrawn {
        add_line(&mut out, format_args!("    proposal {number} withdrawn"));
    }
    for run_id in &report.runs_in_part {
        add_line(&mut out, format_args!("    run {run_id} {PART}"));
    }
    for key in &report.kept {
        let stays = format_args!("    {key} was written since and stays as it is");
        add_line(&mut out, stays);
    }
    for conflict in &report.conflicts {
        out.push_str(&conflict_text(conflict, "would be again"));
    }
    if let Some(undone_at) = report.undone_at {
        let hint = format_args!("hint: `undo --since {undone_at}` takes this back");
        add_line(&mut out, hint);
    }
    if !report.conflicts.is_empty() {
        out.push_str("\nhint: set each place to what it should be with `notes edit`, `notes delete` or `ram set`\n");
    }
    out
}

/// The remark about a run that is only taken back in part.
const PART: &str =
    "is taken back in part: what it was asked for and had left to do is not opened again";

fn head_of(report: &UndoReport) -> String {
    if let Some(code) = report.code {
        let places = count(report.conflicts.len(), "place");
        return format!("nothing is taken back ({code}): written since in {places}");
    }
    if report.changes.is_empty() && report.withdrawn.is_empty() {
        return "there is nothing to take back".to_owned();
    }
    let word = if report.dry_run { "would take" } else { "took" };
    format!("{word} back {}", count(report.commits.len(), "commit"))
}

/// Formats a conflict with both texts; `wanted` describes the text that is not there.
pub(super) fn conflict_text(conflict: &Conflict, wanted: &str) -> String {
    let text = |text: &Option<String>| match (text, &conflict.place) {
        (Some(text), _) => text.clone(),
        (None, ChangeTarget::Note { .. }) => "(no note)".to_owned(),
        (None, ChangeTarget::Ram { .. } | ChangeTarget::Storage { .. }) => "(nothing)".to_owned(),
    };
    format!(
        "\n{}\n--- {wanted}:\n{}\n--- is now:\n{}\n",
        conflict.place,
        text(&conflict.wanted),
        text(&conflict.present)
    )
}
