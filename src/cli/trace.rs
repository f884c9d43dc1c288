//! `trace RUN`, `why NOTE`, `replay RUN` and `undo`: what happened and why, in an order that a
//! person can follow, whether the retained replies of a run are still decided as they were, and
//! what was taken back. Formats journal data for people, not for a model.

use super::arguments::SpanStart;
use super::runs::{about, text_with};
use super::text::{count, joined, one_line, text_of_value, word};
use super::{Context, VerbOutput};
use crate::core::journal::event::{CallMade, InstructionDecided};
use crate::core::route::{Breakdown, FinishReason, ScoredModel};
use crate::core::undo::{ChangeTarget, Conflict};
use crate::failure::Failure;
use crate::service::notes::{self, NamedNote, NoteOrigins};
use crate::service::now;
use crate::service::runs::{self, NamedRun, ReplayReport, TracedView};
use crate::service::undo::{self, UndoReport};
use crate::store::{InstructionResult, TraceEffect, TraceStep, VersionOrigin};

const CELL_CHARACTERS_MAX: usize = 100;

/// The digits of a hash that a line shows.
const HASH_DIGITS: usize = 12;

pub(super) fn trace(context: &Context, run: NamedRun) -> Result<VerbOutput, Failure> {
    context.answer(&runs::trace(&context.session, run)?, trace_text)
}

pub(super) fn why(context: &Context, note: NamedNote) -> Result<VerbOutput, Failure> {
    context.answer(&notes::why(&context.session, note)?, why_text)
}

fn trace_text(traced: &TracedView) -> String {
    let mut out = text_with(&traced.run.run, traced.run.waiting);
    for step in &traced.steps {
        let head = format!("{}  {}", step.ts, head_of(step));
        out += &below(&head, &details_of(step));
    }
    out
}

/// Returns a line after an empty one, and below it others with an indentation.
fn below(head: &str, lines: &[String]) -> String {
    let lines = lines.iter().map(|line| format!("    {line}\n"));
    format!("\n{head}\n{}", lines.collect::<String>())
}

fn head_of(step: &TraceStep) -> String {
    if let Some(iteration) = &step.iteration {
        let (number, state, usage) = (iteration.number, iteration.state, iteration.usage);
        let (replies, about) = (count(usage.calls, "reply"), about(usage));
        let (input, output) = (usage.input_tokens, usage.output_tokens);
        return format!(
            "iteration {number}, {state}: {replies}, {about}{input} tokens in, {about}{output} \
             out, {} ms since the commit before",
            iteration.took_ms
        );
    }
    if let Some(queued) = &step.queued {
        let rule = queued.rule_id.map(|rule_id| format!(" by rule {rule_id}"));
        let trigger = word(&queued.trigger);
        return format!("queued{} ({trigger})", rule.unwrap_or_default());
    }
    match step.cause.as_str() {
        "run" => "begun".to_owned(),
        other => format!("{other} by {}", word(&step.actor_type)),
    }
}

fn details_of(step: &TraceStep) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some([provider, model]) = &step.model {
        lines.push(format!("asks {provider} for {}", cell(model)));
    }
    if let Some(iteration) = &step.iteration {
        let with = match iteration.shown.len() {
            0 => String::new(),
            notes => format!(" with {}", count(notes, "note")),
        };
        lines.push(format!("prompt {}{with}", digits(&iteration.messages_hash)));
    }
    for call in &step.calls {
        lines.push(call_line(call));
        let decision = call.decision.iter();
        lines.extend(decision.flat_map(|it| it.scores.iter().map(scored_line)));
    }
    lines.extend(step.instructions.iter().map(judged_line));
    lines.extend(step.effects.iter().flat_map(written_lines));
    if let Some(ended) = &step.ended {
        let code = ended
            .error_code
            .map_or_else(String::new, |code| format!(" ({code})"));
        let reason = word(&ended.stop_reason).replace('_', " ");
        lines.push(format!("ended {}: {reason}{code}", word(&ended.state)));
    }
    lines
}

/// Describes a call: its provider, the reason of the choice, and the reply.
fn call_line(call: &CallMade) -> String {
    let mut line = vec![format!(
        "call of {}",
        cell(&format!("{} {}", call.provider, call.model))
    )];
    line.extend((call.answered_by.iter()).map(|it| format!(", answered by {}", cell(it))));
    line.extend((call.constraint_kind).map(|it| format!(", kept to {}", it.name())));
    line.push(format!(": {}", call.reason));
    if !call.failures.is_empty() {
        line.push(format!(", after {}", joined(&call.failures, ", ")));
    }
    line.extend((call.waited.iter()).map(|it| format!("; waited {} ms ({})", it.ms, it.code)));
    line.extend(call.circuit.map(|it| format!("; circuit {}", it.text())));
    line.extend((call.first_token_ms).map(|ms| format!("; first word after {ms} ms")));
    let finish = call.finish.filter(|finish| *finish != FinishReason::Stop);
    line.extend(finish.map(|it| format!("; stop reason {}", it.name())));
    line.extend(call.early_stop.map(|early_stop| {
        let (reason, saved) = (early_stop.name().replace('_', " "), call.saved_tokens);
        format!("; ended early ({reason}), up to {saved} tokens saved")
    }));
    line.concat()
}

fn cell(text: &str) -> String {
    one_line(text, CELL_CHARACTERS_MAX)
}

/// Describes one candidate of a choice: its points and their parts, or why it was ruled out.
fn scored_line(scored: &ScoredModel) -> String {
    let name = cell(&scored.model_id);
    if let Some(disqualified) = scored.disqualified {
        return format!("  {name}: out, {}", disqualified.reason());
    }
    let Breakdown {
        base,
        task_type,
        capabilities,
        preference,
        priority,
        context_penalty: _,
    } = scored.breakdown;
    let parts = [
        (task_type, "task"),
        (capabilities, "capabilities"),
        (preference, "preference"),
        (priority, "priority"),
    ];
    let parts = parts.iter().filter(|(points, _)| *points != 0);
    let parts = parts.map(|(points, of)| format!(" + {points} {of}"));
    let parts: String = parts.collect();
    format!("  {name}: {} points = {base}{parts}", scored.score)
}

fn judged_line(judged: &InstructionResult) -> String {
    let line = instruction_text(&judged.decided);
    match &judged.message {
        Some(message) if judged.decided.code.is_some() => {
            format!("{line}: {}", cell(message))
        }
        _ => line,
    }
}

fn instruction_text(decided: &InstructionDecided) -> String {
    let outcome = decided.outcome.name_for_people(decided.proposed);
    let target = cell(&decided.target);
    let space = if target.is_empty() { "" } else { " " };
    let repaired = if decided.repaired { ", repaired" } else { "" };
    let code = decided
        .code
        .map_or_else(String::new, |code| format!(" {code}"));
    format!("{outcome} {}{space}{target}{repaired}{code}", decided.op)
}

/// Describes a change: the value on its line, or the diff of a note below it.
fn written_lines(effect: &TraceEffect) -> Vec<String> {
    let value = effect.value.as_ref();
    let value = value.map(|value| format!(" = {}", cell(&text_of_value(value))));
    let mut lines = vec![effect_line(effect) + &value.unwrap_or_default()];
    let diff = effect.diff.iter().flat_map(|diff| diff.lines());
    lines.extend(diff.map(|line| format!("   {line}")));
    lines
}

fn effect_line(effect: &TraceEffect) -> String {
    let title = effect.title.as_deref();
    let title = title.map(|title| format!(" \"{}\"", cell(title)));
    let version = effect.version.map(|version| format!(", version {version}"));
    let [title, version] = [title, version].map(Option::unwrap_or_default);
    format!(
        "-> {} {}{title}{version}",
        effect.kind,
        cell(&effect.target)
    )
}

fn digits(hash: &str) -> &str {
    hash.get(..HASH_DIGITS).unwrap_or(hash)
}

fn why_text(NoteOrigins { note_id, why }: &NoteOrigins) -> String {
    let gone = why.code.zip(why.versions.first()).map(|(code, first)| {
        let from = first.version;
        format!("what came before version {from} is gone ({code})\n")
    });
    let versions = why.versions.iter();
    let versions = versions.map(|version| below(&version_head(version), &version_lines(version)));
    let versions: String = versions.collect();
    format!("note {note_id}\n{}{versions}", gone.unwrap_or_default())
}

fn version_head(origin: &VersionOrigin) -> String {
    let what = if origin.deleted { "deleted " } else { "" };
    let (version, title, by) = (
        origin.version,
        cell(&origin.title),
        word(&origin.actor_type),
    );
    let (cause, ts, seq) = (&origin.cause, origin.ts, origin.seq);
    format!("version {version} \"{title}\" {what}by {by} ({cause}), {ts}, commit {seq}")
}

fn version_lines(version: &VersionOrigin) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(run_id) = version.run_id {
        let iteration = version.run.as_ref().and_then(|run| run.iteration);
        let iteration = iteration.map(|number| format!(", iteration {number}"));
        lines.push(format!("run {run_id}{}", iteration.unwrap_or_default()));
    }
    if let Some(run) = &version.run {
        lines.extend(run.rule_id.map(|rule_id| format!("rule {rule_id}")));
        lines.extend((run.request.iter()).map(|it| format!("request \"{}\"", cell(it))));
        lines.extend((run.model.iter()).map(|it| format!("model {}", cell(it))));
        lines.extend((run.prompt_hash.iter()).map(|it| format!("prompt file {}", digits(it))));
        lines.extend((run.messages_hash.iter()).map(|it| format!("prompt {}", digits(it))));
    }
    lines.extend(version.instruction.as_ref().map(instruction_text));
    lines.extend(version.diff.lines().map(str::to_owned));
    lines.extend(version.shown.iter().map(|shown| {
        let (run_id, iteration, ts) = (shown.run_id, shown.iteration, shown.ts);
        format!("shown to run {run_id}, iteration {iteration}, {ts}")
    }));
    lines
}

const FACT_CHARACTERS_MAX: usize = 200;

pub(super) fn replay(context: &Context, run: NamedRun) -> Result<VerbOutput, Failure> {
    let report = runs::replay(&context.session, run)?;
    context.answer_if(report.same, &report, replay_text)
}

fn replay_text(report: &ReplayReport) -> String {
    let mut lines = vec![format!("decided with {}", report.decided_with)];
    for replayed in &report.iterations {
        let word = match replayed.same {
            Some(true) => "the same",
            Some(false) => "differs",
            None => "its reply was not retained",
        };
        lines.push(format!("iteration {}: {word}", replayed.iteration));
        if let Some(facts) = &replayed.difference {
            let [then, now] = facts
                .each_ref()
                .map(|fact| one_line(fact, FACT_CHARACTERS_MAX));
            lines.push(format!("    then: {then}\n    now:  {now}"));
        }
    }
    lines.join("\n")
}

pub(super) fn undo_run(
    context: &Context,
    run: &NamedRun,
    dry_run: bool,
) -> Result<VerbOutput, Failure> {
    undone(context, &undo::of_run(&context.session, run, dry_run)?)
}

pub(super) fn undo_since(
    context: &Context,
    since: SpanStart,
    dry_run: bool,
) -> Result<VerbOutput, Failure> {
    let since = since.before(now());
    undone(context, &undo::since(&context.session, since, dry_run)?)
}

fn undone(context: &Context, report: &UndoReport) -> Result<VerbOutput, Failure> {
    context.answer_if(report.conflicts.is_empty(), report, undo_text)
}

fn undo_text(report: &UndoReport) -> String {
    let mut lines = vec![undo_head(report)];
    let effects = report.changes.iter().map(effect_line);
    lines.extend(effects.map(|effect| format!("    {effect}")));
    let withdrawn = report.withdrawn.iter();
    lines.extend(withdrawn.map(|number| format!("    proposal {number} withdrawn")));
    let in_part = report.runs_in_part.iter();
    lines.extend(in_part.map(|run_id| format!("    run {run_id} {PART}")));
    let kept = report.kept.iter();
    lines.extend(kept.map(|key| format!("    {key} was written since and stays as it is")));
    let conflicts = report.conflicts.iter();
    lines.extend(conflicts.map(|conflict| conflict_text(conflict, "would be again")));
    lines.extend(
        report
            .undone_at
            .map(|at| format!("hint: `undo --since {at}` takes this back")),
    );
    if !report.conflicts.is_empty() {
        lines.push(CONFLICTS.to_owned());
    }
    lines.join("\n")
}

/// The hint below conflicts.
const CONFLICTS: &str = "\nhint: set each place to what it should be with `notes edit`, `notes \
                         delete` or `ram set`";

/// The remark about a run that is only taken back in part.
const PART: &str =
    "is taken back in part: what it was asked for and had left to do is not opened again";

fn undo_head(report: &UndoReport) -> String {
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
    let (then, now) = (text(&conflict.wanted), text(&conflict.present));
    format!(
        "\n{}\n--- {wanted}:\n{then}\n--- is now:\n{now}",
        conflict.place
    )
}
