//! The open refusals of a run: how a refusal is recorded, and which later instruction resolves it.

use super::{ActionResult, Executor, ResultItem, TARGET_CHARS, tools};
use crate::core::agent::result::REPLY;
use crate::core::journal::event::{InstructionDecided, InstructionOutcome};
use crate::core::notes::{Matcher, Note, Query, answers_to};
use crate::core::prompt::shorten;
use crate::core::protocol::{Diagnostic, Severity, Tag};
use crate::core::run::{OpenRefusal, RefusedInstruction};
use crate::failure::Code;

/// Records a refusal: in the audit, among the open refusals of the run, and for the model.
pub(super) fn refuse(executor: &mut Executor<'_>, entry: usize, refused: super::Refused) {
    let super::Refused {
        refusal,
        items,
        instead,
    } = refused;
    let Some(noted) = executor.entries.get_mut(entry) else {
        return;
    };
    noted.outcome = InstructionOutcome::Rejected;
    noted.code = Some(refusal.code);
    let (op, target) = (noted.op.clone(), noted.target.clone());
    let open = OpenRefusal {
        op: op.clone(),
        target: target.clone(),
        code: refusal.code,
        instead,
    };
    // Nothing is lost by a look that found nothing, so it leaves no open refusal.
    if !tools::is_look(&op) && !executor.overlay.progress.open_refusals.contains(&open) {
        executor.overlay.progress.open_refusals.push(open);
    }
    report_refusal(executor, &op, &target, refusal.code, refusal.message, items);
}

/// Records an instruction that the parser dropped, and reports it to the model.
/// One that only repeated another one is not reported.
pub(in crate::core::agent) fn dropped(
    executor: &mut Executor<'_>,
    op: &str,
    diagnostic: &Diagnostic,
) {
    let op = shorten(op, TARGET_CHARS);
    let code = diagnostic.code;
    executor.entries.push(InstructionDecided {
        op: op.clone(),
        target: String::new(),
        outcome: InstructionOutcome::Ignored,
        repaired: false,
        code: Some(code),
        proposed: false,
    });
    if diagnostic.severity <= Severity::Info {
        return;
    }
    let op = Tag::parse(&op).map_or(REPLY, Tag::name);
    let example = diagnostic.example.as_ref();
    let example = example.map(|example| example.text.to_string());
    let result = ActionResult::error(op, code, &diagnostic.message, example);
    let problem = shorten(&result.message, TARGET_CHARS);
    if let Some(result) = in_another_form(executor, &problem, result) {
        executor.feedback.add(result);
    }
}

/// Reports a refusal to the model.
pub(super) fn report_refusal(
    executor: &mut Executor<'_>,
    op: &str,
    target: &str,
    code: Code,
    message: String,
    items: Vec<ResultItem>,
) {
    let result = ActionResult {
        op: op.to_owned(),
        target: target.to_owned(),
        code: Some(code),
        message,
        items,
        ..ActionResult::default()
    };
    if let Some(result) = in_another_form(executor, target, result) {
        executor.feedback.add(result);
    }
}

/// Returns the report of a refusal: in full at first, shortened the second time, then none.
/// A model that reads the same again does the same again.
fn in_another_form(
    executor: &mut Executor<'_>,
    target: &str,
    result: ActionResult,
) -> Option<ActionResult> {
    let code = result.code?;
    let before = executor
        .context
        .run
        .progress
        .times_refused(&result.op, target, code);
    executor.overlay.progress.note_refusal(RefusedInstruction {
        op: result.op.clone(),
        target: target.to_owned(),
        code,
        times: before.saturating_add(1),
    });
    executor.refused_again |= before > 0;
    match before {
        0 => Some(result),
        1 => Some(result.repeated(code)),
        _ => None,
    }
}

/// Counts an iteration that only repeated refused instructions.
pub(in crate::core::agent) const fn count_no_progress(executor: &mut Executor<'_>) {
    let is_without_progress = executor.refused_again && !executor.overlay.has_changed;
    let streak = &mut executor.overlay.progress.no_progress_streak;
    *streak = if is_without_progress {
        streak.saturating_add(1)
    } else {
        0
    };
}

/// Removes the open refusals that an instruction resolves.
/// The target counts, by whatever name the note had then. A name that meant no single note resolves
/// with a note that a search for it finds. An update of the existing note resolves the refusal of
/// its near-duplicate.
pub(super) fn resolve_refusals(
    executor: &mut Executor<'_>,
    op: &str,
    target: &str,
    base: Option<&Note>,
) {
    executor.overlay.progress.open_refusals.retain(|open| {
        let unresolved = matches!(open.code, Code::RecordNotFound | Code::RecordKeyAmbiguous);
        let is_meant = |note: &Note| {
            let query = Query::parse(&open.target);
            answers_to(note, &open.target)
                || unresolved && Matcher::new(&query).score(note).is_some()
        };
        let same = open.op == op && (open.target == target || base.is_some_and(is_meant));
        let instead = op == Tag::RecordUpdate.name()
            && open
                .instead
                .is_some_and(|id| base.is_some_and(|base| base.id == id));
        !same && !instead
    });
}
