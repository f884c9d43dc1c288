//! What an import tells: each entry with what became of it, and how many of each kind. Decides nothing.

use super::super::context::Context;
use super::super::output::Answer;
use super::super::record::word;
use super::super::text::{count, visible};
use crate::failure::{Code, Failure};
use crate::ids::NoteId;
use serde::{Deserialize, Serialize};
use std::fmt::Write as _;

/// What became of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Outcome {
    Created,
    Updated,
    Unchanged,
    Conflict,
    Failed,
}

/// What is told of an entry.
#[derive(Debug, Serialize)]
pub(super) struct EntryReport {
    pub(super) file: String,
    /// The line that the reason speaks of, or that the note stands in.
    pub(super) line: Option<usize>,
    pub(super) outcome: Outcome,
    pub(super) note_id: Option<NoteId>,
    pub(super) code: Option<Code>,
    pub(super) reason: Option<String>,
}

#[derive(Debug, Serialize)]
struct Report {
    dry_run: bool,
    created: usize,
    updated: usize,
    unchanged: usize,
    conflicts: usize,
    failed: usize,
    items: Vec<EntryReport>,
}

/// The answer of an import, which fails if anything was not taken in.
pub(super) fn report(
    context: &Context,
    dry_run: bool,
    items: Vec<EntryReport>,
) -> Result<Answer, Failure> {
    let number = |outcome: Outcome| items.iter().filter(|it| it.outcome == outcome).count();
    let report = Report {
        dry_run,
        created: number(Outcome::Created),
        updated: number(Outcome::Updated),
        unchanged: number(Outcome::Unchanged),
        conflicts: number(Outcome::Conflict),
        failed: number(Outcome::Failed),
        items,
    };
    let is_well = report.conflicts == 0 && report.failed == 0;
    let answer = context.answer(&report, || text_of(&report))?;
    Ok(answer.ok_if(is_well))
}

fn text_of(report: &Report) -> String {
    let mut text = String::new();
    for entry in &report.items {
        if entry.outcome == Outcome::Unchanged && entry.reason.is_none() {
            continue;
        }
        let place = entry
            .line
            .map(|line| format!(":{line}"))
            .unwrap_or_default();
        let what_became = word(&entry.outcome);
        let what = match (&entry.reason, entry.code, entry.note_id) {
            (Some(reason), Some(code), _) => format!("{code}: {reason}"),
            (Some(reason), None, _) => reason.clone(),
            (None, _, id) => id.map(|id| id.to_string()).unwrap_or_default(),
        };
        // Writing into a string cannot fail.
        writeln!(
            text,
            "{what_became:9}  {}{place}  {what}",
            visible(&entry.file).replace('\n', "\\n")
        )
        .unwrap_or_default();
    }
    let would = if report.dry_run {
        "nothing was changed; an import would come to: "
    } else {
        ""
    };
    let summary = format!(
        "{would}{} created, {} updated, {} unchanged, {}, {} failed",
        report.created,
        report.updated,
        report.unchanged,
        count(report.conflicts, "conflict"),
        report.failed
    );
    text.push_str(&summary);
    text
}
