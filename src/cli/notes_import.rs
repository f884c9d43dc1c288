//! `notes import`: imports notes from a person's files. Reads the files and reports the results;
//! beside a daemon, hands the notes over.

mod files;
mod part;

use super::arguments::ImportOptions;
use super::context::Context;
use super::output::Answer;
use super::record::word;
use super::text::{count, visible};
use crate::failure::{Code, Failure};
use crate::service::import::{Import, ImportReport, Outcome};
use files::Files;
use std::fmt::Write as _;

/// Runs the verb.
pub(super) fn run(context: &Context, options: &ImportOptions) -> Result<Answer, Failure> {
    if options.part {
        return part::take(context);
    }
    let session = &context.session;
    let config = session.load()?.config;
    let mut import = Import::begin(&config, Files::find(options)?);
    if options.dry_run {
        import.try_out(session, &config)?;
    } else {
        match import.take_in(session) {
            Err(locked) if locked.code == Code::DataLocked => {
                part::hand_over(context, &mut import, &locked)?;
            }
            taken_in => taken_in?,
        }
    }
    let report = import.report(options.dry_run);
    if report.items.is_empty() {
        context.talk(if options.json {
            "hint: no JSON file was found; without --json, Markdown is read"
        } else {
            "hint: no Markdown file was found; with --json, JSON is read"
        });
    }
    let answer = context.answer(&report, || text_of(&report))?;
    Ok(answer.ok_if(report.is_complete()))
}

fn text_of(report: &ImportReport) -> String {
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
