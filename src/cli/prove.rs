//! `doctor --prove`: tries each forbidden thing in a scratch folder, with the real loop and a model that
//! says what is written here, and reports which guard fired, with its entry in the audit. Reads the
//! person's configuration for the fence and the limits; never touches the root, its lock or its model
//! server. Nothing here can switch a guard off: a guard that is gone shows as a red line.

mod calls;
mod door;
mod files;
mod footprint;
mod guard_check;
mod imports;
mod journal;
mod notes;
mod ram;
mod replies;
mod rules;
mod runs;
mod scratch;
mod spending;
mod workspaces;

use super::context::Context;
use super::output::Answer;
use super::text::{count, one_line};
use crate::failure::{Code, Failure};
use crate::store::AuditEntry;
use guard_check::{Came, GuardCheck};
use scratch::Scratch;
use serde::Serialize;
use std::fmt::Write as _;
use std::path::PathBuf;

/// Every guard with what is tried at it, in the order of the report.
fn guard_checks() -> impl Iterator<Item = &'static GuardCheck> {
    let groups = [
        replies::GUARD_CHECKS,
        workspaces::GUARD_CHECKS,
        notes::GUARD_CHECKS,
        ram::GUARD_CHECKS,
        runs::GUARD_CHECKS,
        rules::GUARD_CHECKS,
        spending::GUARD_CHECKS,
        calls::GUARD_CHECKS,
        journal::GUARD_CHECKS,
        files::GUARD_CHECKS,
        imports::GUARD_CHECKS,
        door::GUARD_CHECKS,
        notes::LAST,
    ];
    groups.into_iter().flatten()
}

/// What came of one check.
#[derive(Debug, Serialize)]
struct Line {
    guard: &'static str,
    tried: &'static str,
    fired: bool,
    /// The code by which it was stopped.
    code: Option<Code>,
    /// What shows that, in words; of a guard that did not fire, what got through.
    shown: String,
    /// Its entry in the audit of the scratch folder.
    audit: Option<AuditEntry>,
    /// Why it has none.
    unaudited: Option<&'static str>,
    /// SHA-256 over RAM, notes, `/storage` and proposals before it, where they were in question.
    before: Option<String>,
    /// The same after it: limits let the first ones stand, everything else leaves it as it was.
    after: Option<String>,
}

#[derive(Debug, Serialize)]
struct Report {
    ok: bool,
    guards: usize,
    fired: usize,
    /// The scratch folder, where it was kept to be looked at.
    root: Option<PathBuf>,
    lines: Vec<Line>,
}

/// Tries every guard. Fails if one did not fire; then the scratch folder stays.
pub(super) fn run(context: &Context) -> Result<Answer, Failure> {
    let person = context.session.load()?;
    let mut scratch = Scratch::new(&person)?;
    let lines: Vec<Line> = guard_checks()
        .map(|guard_check| line(guard_check, &mut scratch))
        .collect();
    let fired = lines.iter().filter(|line| line.fired).count();
    let ok = fired == lines.len();
    let root = scratch.root.clone();
    let kept = if ok { scratch.remove() } else { Some(root) };
    let report = Report {
        ok,
        guards: lines.len(),
        fired,
        root: kept,
        lines,
    };
    Ok(context.answer(&report, || text_of(&report))?.ok_if(ok))
}

fn line(guard_check: &GuardCheck, scratch: &mut Scratch) -> Line {
    let came = guard_check.run(scratch);
    let (before, after) = scratch.digests().map(<(String, String)>::from).unzip();
    let mut line = Line {
        guard: guard_check.guard,
        tried: guard_check.tried,
        fired: false,
        code: None,
        shown: String::new(),
        audit: None,
        unaudited: None,
        before,
        after,
    };
    match came {
        Ok(Came::Stopped(shown)) => {
            (line.fired, line.code, line.shown) = (true, shown.code, shown.words);
            line.unaudited = shown.audit.as_ref().err().copied();
            line.audit = shown.audit.ok();
        }
        Ok(Came::Through(what)) => line.shown = what,
        // What could not be tried is not proved.
        Err(failure) => {
            line.shown = format!("could not be tried: {}: {}", failure.code, failure.message);
        }
    }
    line
}

fn text_of(report: &Report) -> String {
    let mut text = String::new();
    for line in &report.lines {
        let sign = if line.fired { "fired" } else { "RED  " };
        let code = line.code.map_or("-", Code::as_str);
        let (guard, tried) = (line.guard, line.tried);
        let shown = one_line(&line.shown, 200);
        let why = line.unaudited.map(|why| format!("; no audit entry: {why}"));
        let why = why.unwrap_or_default();
        // Writing into a string cannot fail.
        writeln!(text, "{sign}  {guard:24}  {code:24}  {tried}; {shown}{why}").unwrap_or_default();
    }
    let guards = count(report.guards, "guard");
    let red = report.guards - report.fired;
    writeln!(
        text,
        "{guards} tried, {} fired, {red} did not",
        report.fired
    )
    .unwrap_or_default();
    if let Some(root) = &report.root {
        writeln!(text, "scratch folder: {}", root.display()).unwrap_or_default();
    }
    text
}
