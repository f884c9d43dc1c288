//! `doctor --prove`: tries each forbidden action in a scratch folder, with the real loop and a
//! scripted model, and reports which guard fired, with its entry in the audit. Reads the person's
//! configuration for scope and limits; never touches the root, its lock or its model server.
//! Nothing here can disable a guard: a missing guard shows as a red line.

mod attempt;
mod check;
mod requests;
mod scratch;
// A row is two or three lines; the formatter would make ten of it.
#[rustfmt::skip]
mod table;

use super::text::{count, one_line};
use super::{Context, VerbOutput};
use crate::failure::{Code, Failure};
use check::GuardResult;
use scratch::Scratch;
use serde::Serialize;
use std::path::PathBuf;

#[derive(Debug, Serialize)]
struct ProveReport {
    ok: bool,
    guards: usize,
    fired: usize,
    /// The scratch folder, where it was kept for inspection.
    root: Option<PathBuf>,
    lines: Vec<GuardResult>,
}

/// Tries every guard.
/// Fails if one did not fire; then the scratch folder stays.
pub(super) fn run(context: &Context) -> Result<VerbOutput, Failure> {
    let person = context.session.load()?;
    let scratch = Scratch::new(&person)?;
    let checks = table::checks(&scratch.setup).into_iter();
    let lines: Vec<GuardResult> = checks
        .map(|check| check.judge(attempt::attempt(&check, &scratch)))
        .collect();
    let fired = lines.iter().filter(|line| line.fired).count();
    let ok = fired == lines.len();
    let root = scratch.root.clone();
    let kept = if ok { scratch.remove() } else { Some(root) };
    let report = ProveReport {
        ok,
        guards: lines.len(),
        fired,
        root: kept,
        lines,
    };
    context.answer_if(ok, &report, text_of)
}

fn text_of(report: &ProveReport) -> String {
    let lines = report.lines.iter().map(|line| {
        let sign = if line.fired { "fired" } else { "RED  " };
        let code = line.code.map_or("-", Code::as_str);
        let (guard, tried) = (line.guard, line.tried);
        let shown = one_line(&line.shown, 200);
        let why = line.unaudited.map(|why| format!("; no audit entry: {why}"));
        let why = why.unwrap_or_default();
        format!("{sign}  {guard:24}  {code:24}  {tried}; {shown}{why}\n")
    });
    let guards = count(report.guards, "guard");
    let (fired, red) = (report.fired, report.guards - report.fired);
    let root = report.root.as_ref();
    let root = root.map(|root| format!("scratch folder: {}\n", root.display()));
    let (lines, root) = (lines.collect::<String>(), root.unwrap_or_default());
    format!("{lines}{guards} tried, {fired} fired, {red} did not\n{root}")
}
