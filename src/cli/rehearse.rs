//! `rehearse`: tries the rules and the configuration of a root on days to come. Reads the root, and
//! never locks it, changes it or calls its model server.

use super::arguments::RehearseOptions;
use super::output::Terminal;
use super::server::{runtime, script_at};
use super::table::Kind::{Fixed, Id, Spare, Text};
use super::table::Table;
use super::text::{ShortIds, joined, pairs};
use super::{Context, VerbOutput};
use crate::daemon::{
    self, Rehearsal, RehearsalReport, RehearsedPart, Script, ShutdownLimit, rehearse, stop_pair,
};
use crate::failure::{Code, Failure};
use crate::limits::REHEARSAL_BYTES_MAX;
use crate::service::now;
use crate::store::retained_runs;
use crate::time::DAY_MS;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Display;
use std::path::PathBuf;

#[derive(Debug, Serialize)]
struct RehearsalOutput {
    ok: bool,
    days: u32,
    /// The source of the replies.
    script: String,
    #[serde(flatten)]
    report: RehearsalReport,
}

pub(super) fn run(context: &Context, options: RehearseOptions) -> Result<VerbOutput, Failure> {
    let loaded = context.session.load()?;
    let state = context.session.state(&loaded.config)?;
    let (name, script) = script_of(context, options.recorded)?;
    let (handle, stop) = stop_pair();
    daemon::listen(handle.clone(), ShutdownLimit::AnyTime, None)?;
    let began = now();
    let from = options.from.unwrap_or(began);
    let rehearsal = Rehearsal {
        config: loaded.config,
        prompt: loaded.prompt,
        state,
        from,
        to: from.plus_millis(i64::from(options.days) * DAY_MS),
        script,
        call_ms: options.call_seconds.map(|seconds| seconds * 1000),
        bytes_max: REHEARSAL_BYTES_MAX,
    };
    let report = runtime()?.block_on(Box::pin(rehearse(rehearsal, handle, stop)))?;
    context.inform(&format!(
        "rehearsed in {} ms; nothing was asked, and nothing of the root was changed",
        began.millis_until(now())
    ));
    if report.interrupted {
        context.inform_always("interrupted; this is how far it came");
    }
    let printed = RehearsalOutput {
        ok: !report.interrupted && report.reconciled.is_clean(),
        days: options.days,
        script: name,
        report,
    };
    context.answer_if(printed.ok, &printed, |it| text_of(it, context.terminal))
}

/// Returns the script of replies, with its name.
#[expect(
    clippy::option_option,
    reason = "the option stands alone or before a file"
)]
fn script_of(
    context: &Context,
    recorded: Option<Option<PathBuf>>,
) -> Result<(String, Script), Failure> {
    match recorded {
        None => Ok(("built-in".to_owned(), Script::built_in())),
        Some(Some(path)) => {
            let name = path.display().to_string();
            let script = Script::from_text(&name, &script_at(&path)?)?;
            Ok((name, script))
        }
        Some(None) => {
            let runs = retained_runs(&mut context.session.disk()?)?;
            if runs.is_empty() {
                let message = "this root has retained no reply";
                return Err(Failure::new(Code::ConversationNotKept, message));
            }
            let runs = runs.into_iter().map(|run| (run.rule_id, run.replies));
            Ok(("retained".to_owned(), Script::recorded(runs)?))
        }
    }
}

fn text_of(printed: &RehearsalOutput, terminal: Terminal) -> String {
    let report = &printed.report;
    let ids = ShortIds::of(report.rules.iter().map(|rule| rule.rule_id));
    let mut rows: Vec<[String; 10]> = Vec::new();
    for rule in &report.rules {
        let disabled = if rule.enabled { "" } else { " (disabled)" };
        let trigger = format!("{}{disabled}", rule.trigger);
        rows.push(row(&ids.short(&rule.rule_id), &trigger, &rule.part));
    }
    for other in &report.others {
        rows.push(row("-", other.trigger, &other.part));
    }
    rows.push(row("all", "", &report.total));
    let columns = [
        ("RULE", Id),
        ("TRIGGER", Text),
        ("FIRES", Fixed),
        ("OK", Fixed),
        ("FAILED", Fixed),
        ("OPEN", Spare),
        ("NOTES", Fixed),
        ("REFUSED", Spare),
        ("CALLS", Spare),
        ("TOKENS", Spare),
    ];
    let table = Table::new(columns, rows);
    table.lines(terminal.without_colours()) + "\n" + &pairs(&summary(printed))
}

fn row(name: &str, trigger: &str, part: &RehearsedPart) -> [String; 10] {
    let usage = part.usage;
    let tokens = usage.input_tokens.saturating_add(usage.output_tokens);
    let [fires, well, failed, open, notes, refused, calls, tokens] = [
        part.fires,
        part.runs.succeeded,
        part.runs.failed.values().sum(),
        part.runs.open,
        part.writes.notes.saturating_add(part.writes.proposals),
        part.refusals.values().sum(),
        usage.calls,
        tokens,
    ]
    .map(|count: u64| count.to_string());
    let [name, trigger] = [name, trigger].map(str::to_owned);
    [
        name, trigger, fires, well, failed, open, notes, refused, calls, tokens,
    ]
}

fn summary(printed: &RehearsalOutput) -> Vec<(&'static str, String)> {
    let RehearsalReport {
        from,
        to,
        call_ms,
        made_up,
        total,
        reconciled,
        ..
    } = &printed.report;
    let slots = &total.slots;
    let held = total.held.iter().map(|(code, held)| {
        let waited = span(held.waited_ms);
        format!("{} for {waited} in all: {code}", held.questions)
    });
    let (calls, writes, usage) = (total.usage.calls, &total.writes, &total.usage);
    let (one, in_calls) = (span(*call_ms), span(calls.saturating_mul(*call_ms)));
    let (busy, whole) = (span(total.busy_ms), span(from.millis_until(*to)));
    let proof = if reconciled.is_clean() {
        format!("each of {} times has exactly one record", reconciled.slots)
    } else {
        format!(
            "{} unexplained, {} recorded twice, {} never due",
            reconciled.unexplained, reconciled.doubled, reconciled.stray
        )
    };
    vec![
        ("days", format!("{from} to {to}")),
        ("replies", replies(&printed.script, *made_up)),
        (
            "times",
            format!(
                "{} ran, {} caught up, {} coalesced, {} missed",
                slots.ran, slots.caught_up, slots.coalesced, slots.missed
            ),
        ),
        ("skipped", counts(&slots.skipped)),
        ("not opened", counts(&total.not_opened)),
        ("failed", counts(&total.runs.failed)),
        ("refused", counts(&total.refusals)),
        ("held back", joined(held, "; ")),
        (
            "writes",
            format!(
                "{} of notes, {} of RAM, {} of /storage, {} proposals",
                writes.notes, writes.ram, writes.storage, writes.proposals
            ),
        ),
        (
            "tokens",
            format!(
                "about {} read, {} written",
                usage.input_tokens, usage.output_tokens
            ),
        ),
        (
            "time",
            format!("{in_calls} in {calls} calls of {one}; runs under way for {busy} of {whole}"),
        ),
        ("reconciled", proof),
    ]
}

fn replies(script: &str, made_up: u64) -> String {
    match made_up {
        0 => script.to_owned(),
        count => format!("{script}; {count} built-in ones where none was retained"),
    }
}

/// Formats counts with their names, on one line.
fn counts<K: Display>(counts: &BTreeMap<K, u64>) -> String {
    let each = counts.iter();
    joined(each.map(|(what, count)| format!("{count}: {what}")), "; ")
}

/// Formats a span of time in its two largest units.
fn span(millis: u64) -> String {
    let (seconds, rest_ms) = (millis / 1000, millis % 1000);
    let (minutes, hours, days) = (seconds / 60, seconds / 3600, seconds / 86_400);
    match seconds {
        0 => format!("{rest_ms} ms"),
        1..60 => format!("{seconds} s"),
        60..3600 => format!("{minutes} min {} s", seconds % 60),
        3600..86_400 => format!("{hours} h {} min", minutes % 60),
        _ => format!("{days} d {} h", hours % 24),
    }
}
