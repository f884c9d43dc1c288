//! `trace RUN`, `why NOTE` and `replay RUN`: what happened and why, in an order that a person can
//! follow, and whether the retained replies of a run are still decided as they were. Formats
//! journal data for people, not for a model.

use super::context::Context;
use super::output::VerbOutput;
use super::record;
use super::text::{add_line, count, joined, one_line, text_of_value};
use crate::core::journal::event::{CallMade, InstructionDecided};
use crate::core::route::{Breakdown, FinishReason, ScoredModel};
use crate::failure::Failure;
use crate::ids::NoteId;
use crate::service::notes::{self, NamedNote};
use crate::service::runs::{self, NamedRun, ReplayReport, TracedView};
use crate::store::{InstructionResult, TraceEffect, TraceStep, VersionOrigin, VersionOrigins};

/// The most characters of a title, a target or a message on a line.
const CELL_CHARACTERS_MAX: usize = 100;

/// The digits of a hash that a line shows.
const HASH_DIGITS: usize = 12;

/// Runs the verb `trace`.
pub(super) fn trace(context: &Context, run: NamedRun) -> Result<VerbOutput, Failure> {
    let traced = runs::trace(&context.session, run)?;
    context.answer(&traced, || trace_text(&traced))
}

/// Runs the verb `why`.
pub(super) fn why(context: &Context, note: NamedNote) -> Result<VerbOutput, Failure> {
    let found = notes::why(&context.session, note)?;
    context.answer(&found, || why_text(found.note_id, &found.why))
}

fn trace_text(traced: &TracedView) -> String {
    let mut out = record::text_with(&traced.run.run, traced.run.waiting);
    for step in &traced.steps {
        add_line(&mut out, format_args!("\n{}  {}", step.ts, head_of(step)));
        add_indented(&mut out, &details_of(step));
    }
    out
}

fn add_indented(text: &mut String, lines: &[String]) {
    for line in lines {
        add_line(text, format_args!("    {line}"));
    }
}

/// Describes a commit in a few words.
fn head_of(step: &TraceStep) -> String {
    if let Some(iteration) = &step.iteration {
        let usage = iteration.usage;
        let about = record::about(usage);
        return format!(
            "iteration {}, {}: {}, {about}{} tokens in, {about}{} out, {} ms since the commit before",
            iteration.number,
            iteration.state,
            count(usage.calls, "reply"),
            usage.input_tokens,
            usage.output_tokens,
            iteration.took_ms
        );
    }
    if let Some(queued) = &step.queued {
        let rule = queued.rule_id.map(|rule_id| format!(" by rule {rule_id}"));
        let trigger = record::word(&queued.trigger);
        return format!("queued{} ({trigger})", rule.unwrap_or_default());
    }
    match step.cause.as_str() {
        "run" => "begun".to_owned(),
        other => format!("{other} by {}", record::word(&step.actor_type)),
    }
}

fn details_of(step: &TraceStep) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some([provider, model]) = &step.model {
        lines.push(format!(
            "asks {provider} for {}",
            one_line(model, CELL_CHARACTERS_MAX)
        ));
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
        let code = ended.error_code.map(|code| format!(" ({code})"));
        let reason = record::word(&ended.stop_reason).replace('_', " ");
        let state = record::word(&ended.state);
        lines.push(format!(
            "ended {state}: {reason}{}",
            code.unwrap_or_default()
        ));
    }
    lines
}

/// Describes a call: its provider, the reason of the choice, and the reply.
fn call_line(call: &CallMade) -> String {
    let shown = |text: &str| one_line(text, CELL_CHARACTERS_MAX);
    let mut line = vec![format!(
        "call of {}",
        shown(&format!("{} {}", call.provider, call.model))
    )];
    line.extend(
        call.answered_by
            .iter()
            .map(|it| format!(", answered by {}", shown(it))),
    );
    line.extend(
        call.constraint_kind
            .map(|it| format!(", kept to {}", it.name())),
    );
    line.push(format!(": {}", call.reason));
    if !call.failures.is_empty() {
        line.push(format!(", after {}", joined(&call.failures, ", ")));
    }
    line.extend(
        call.waited
            .iter()
            .map(|it| format!("; waited {} ms ({})", it.ms, it.code)),
    );
    line.extend(call.circuit.map(|it| format!("; circuit {}", it.text())));
    line.extend(
        call.first_token_ms
            .map(|ms| format!("; first word after {ms} ms")),
    );
    let finish = call.finish.filter(|finish| *finish != FinishReason::Stop);
    line.extend(finish.map(|it| format!("; stop reason {}", it.name())));
    line.extend(call.early_stop.map(|early_stop| {
        let reason = early_stop.name().replace('_', " ");
        format!(
            "; ended early ({reason}), up to {} tokens saved",
            call.saved_tokens
        )
    }));
    line.concat()
}

/// Describes one candidate of a choice: its points and their parts, or why it was ruled out.
fn scored_line(scored: &ScoredModel) -> String {
    let name = one_line(&scored.model_id, CELL_CHARACTERS_MAX);
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
    let parts = parts.collect::<String>();
    format!("  {name}: {} points = {base}{parts}", scored.score)
}

fn judged_line(judged: &InstructionResult) -> String {
    let line = instruction_text(&judged.decided);
    match &judged.message {
        Some(message) if judged.decided.code.is_some() => {
            format!("{line}: {}", one_line(message, CELL_CHARACTERS_MAX))
        }
        _ => line,
    }
}

fn instruction_text(decided: &InstructionDecided) -> String {
    let outcome = decided.outcome.name_for_people(decided.proposed);
    let target = one_line(&decided.target, CELL_CHARACTERS_MAX);
    let space = if target.is_empty() { "" } else { " " };
    let repaired = if decided.repaired { ", repaired" } else { "" };
    let code = decided.code.map(|code| format!(" {code}"));
    let code = code.unwrap_or_default();
    format!("{outcome} {}{space}{target}{repaired}{code}", decided.op)
}

/// Describes a change: the value on its line, or the diff of a note below it.
fn written_lines(effect: &TraceEffect) -> Vec<String> {
    let value = effect.value.as_ref().map(text_of_value);
    let value = value.map(|text| format!(" = {}", one_line(&text, CELL_CHARACTERS_MAX)));
    let head = format!("{}{}", effect_line(effect), value.unwrap_or_default());
    let diff = effect.diff.iter().flat_map(|diff| diff.lines());
    std::iter::once(head)
        .chain(diff.map(|line| format!("   {line}")))
        .collect()
}

pub(super) fn effect_line(effect: &TraceEffect) -> String {
    let target = one_line(&effect.target, CELL_CHARACTERS_MAX);
    let title = effect.title.as_deref();
    let title = title.map(|title| format!(" \"{}\"", one_line(title, CELL_CHARACTERS_MAX)));
    let version = effect.version.map(|version| format!(", version {version}"));
    let (title, version) = (title.unwrap_or_default(), version.unwrap_or_default());
    format!("-> {} {target}{title}{version}", effect.kind)
}

fn digits(hash: &str) -> &str {
    hash.get(..HASH_DIGITS).unwrap_or(hash)
}

fn why_text(note_id: NoteId, why: &VersionOrigins) -> String {
    let mut out = format!("note {note_id}\n");
    if let (Some(code), Some(first)) = (why.code, why.versions.first()) {
        let from = first.version;
        let gone = format_args!("what came before version {from} is gone ({code})");
        add_line(&mut out, gone);
    }
    for version in &why.versions {
        add_line(&mut out, format_args!("\n{}", version_head(version)));
        add_indented(&mut out, &version_lines(version));
    }
    out
}

fn version_head(version: &VersionOrigin) -> String {
    let what = if version.deleted { "deleted " } else { "" };
    let title = one_line(&version.title, CELL_CHARACTERS_MAX);
    let by = record::word(&version.actor_type);
    let cause = &version.cause;
    format!(
        "version {} \"{title}\" {what}by {by} ({cause}), {}, commit {}",
        version.version, version.ts, version.seq
    )
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
        let shown = |text: &str| one_line(text, CELL_CHARACTERS_MAX);
        let (request, model) = (run.request.as_deref(), run.model.as_deref());
        lines.extend(request.map(|it| format!("request \"{}\"", shown(it))));
        lines.extend(model.map(|it| format!("model {}", shown(it))));
        let (file, prompt) = (run.prompt_hash.as_deref(), run.messages_hash.as_deref());
        lines.extend(file.map(|hash| format!("prompt file {}", digits(hash))));
        lines.extend(prompt.map(|hash| format!("prompt {}", digits(hash))));
    }
    lines.extend(version.instruction.as_ref().map(instruction_text));
    lines.extend(version.diff.lines().map(str::to_owned));
    let shown = version.shown.iter().map(|shown| {
        format!(
            "shown to run {}, iteration {}, {}",
            shown.run_id, shown.iteration, shown.ts
        )
    });
    lines.extend(shown);
    lines
}

/// The most characters of a fact in a line.
const FACT_CHARACTERS_MAX: usize = 200;

/// Runs the verb.
pub(super) fn replay(context: &Context, run: NamedRun) -> Result<VerbOutput, Failure> {
    let report = runs::replay(&context.session, run)?;
    let answer = context.answer(&report, || replay_text(&report))?;
    Ok(answer.ok_if(report.same))
}

fn replay_text(report: &ReplayReport) -> String {
    let mut out = format!("decided with {}\n", report.decided_with);
    for replayed in &report.iterations {
        let word = match replayed.same {
            Some(true) => "the same",
            Some(false) => "differs",
            None => "its reply was not retained",
        };
        let number = replayed.iteration;
        add_line(&mut out, format_args!("iteration {number}: {word}"));
        if let Some([then, now]) = &replayed.difference {
            let [then, now] = [then, now].map(|fact| one_line(fact, FACT_CHARACTERS_MAX));
            add_line(&mut out, format_args!("    then: {then}\n    now:  {now}"));
        }
    }
    out
}
