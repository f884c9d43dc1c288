//! `trace RUN` and `why NOTE`: what happened and why, in an order that a person can follow. Formats
//! journal data for people, not for a model.

use super::context::Context;
use super::output::Answer;
use super::record;
use super::text::one_line;
use crate::core::journal::event::{CallMade, InstructionDecided, Waited};
use crate::core::route::{Breakdown, FinishReason, Scored};
use crate::failure::Failure;
use crate::ids::NoteId;
use crate::plain_text::count;
use crate::service::notes::{self, NamedNote};
use crate::service::runs::{self, NamedRun, TracedView};
use crate::store::{Effect, Judged, Step, Why, WhyVersion};
use std::fmt::Write as _;

/// The most characters of a title, a target or a message on a line.
const CELL_CHARACTERS_MAX: usize = 100;

/// The digits of a hash that a line shows.
const HASH_DIGITS: usize = 12;

/// Runs the verb `trace`.
pub(super) fn trace(context: &Context, run_id: String) -> Result<Answer, Failure> {
    let traced = runs::trace(&context.session, NamedRun { run_id })?;
    context.answer(&traced, || trace_text(&traced))
}

/// Runs the verb `why`.
pub(super) fn why(context: &Context, note: String) -> Result<Answer, Failure> {
    let found = notes::why(&context.session, NamedNote { note })?;
    context.answer(&found, || why_text(found.note_id, &found.why))
}

fn trace_text(traced: &TracedView) -> String {
    let mut out = record::text_with(&traced.run.run, traced.run.waiting);
    for step in &traced.steps {
        // Writing into a string cannot fail.
        writeln!(out, "\n{}  {}", step.ts, head_of(step)).unwrap_or_default();
        for line in details_of(step) {
            writeln!(out, "    {line}").unwrap_or_default();
        }
    }
    out
}

/// Describes a commit in a few words.
fn head_of(step: &Step) -> String {
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

fn details_of(step: &Step) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some([provider, model]) = &step.model {
        lines.push(format!(
            "asks {provider} for {}",
            one_line(model, CELL_CHARACTERS_MAX)
        ));
    }
    if let Some(iteration) = &step.iteration {
        let notes = u64::try_from(iteration.shown.len()).unwrap_or(u64::MAX);
        let with = if notes > 0 {
            format!(" with {}", count(notes, "note"))
        } else {
            String::new()
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
    let asked = format!("{} {}", call.provider, call.model);
    let mut line = format!("call of {}", one_line(&asked, CELL_CHARACTERS_MAX));
    if let Some(model) = &call.answered_by {
        let model = one_line(model, CELL_CHARACTERS_MAX);
        write!(line, ", answered by {model}").unwrap_or_default();
    }
    if let Some(constraint_kind) = call.constraint_kind {
        write!(line, ", kept to {}", constraint_kind.name()).unwrap_or_default();
    }
    write!(line, ": {}", call.reason).unwrap_or_default();
    if !call.failures.is_empty() {
        let failures: Vec<&str> = call.failures.iter().map(|code| code.as_str()).collect();
        write!(line, ", after {}", failures.join(", ")).unwrap_or_default();
    }
    for Waited { code, ms } in &call.waited {
        write!(line, "; waited {ms} ms ({code})").unwrap_or_default();
    }
    if let Some(circuit) = call.circuit {
        write!(line, "; circuit {}", circuit.text()).unwrap_or_default();
    }
    if let Some(first_token_ms) = call.first_token_ms {
        write!(line, "; first word after {first_token_ms} ms").unwrap_or_default();
    }
    if let Some(finish) = call.finish.filter(|finish| *finish != FinishReason::Stop) {
        write!(line, "; stop reason {}", finish.name()).unwrap_or_default();
    }
    if let Some(early_stop) = call.early_stop {
        let reason = early_stop.name().replace('_', " ");
        let saved = call.saved_tokens;
        write!(line, "; ended early ({reason}), up to {saved} tokens saved").unwrap_or_default();
    }
    line
}

/// Describes one candidate of a choice: its points and their parts, or why it was ruled out.
fn scored_line(scored: &Scored) -> String {
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
    let mut line = format!("  {name}: {} points = {base}", scored.score);
    for (points, of) in [
        (task_type, "task"),
        (capabilities, "capabilities"),
        (preference, "preference"),
        (priority, "priority"),
    ] {
        if points != 0 {
            write!(line, " + {points} {of}").unwrap_or_default();
        }
    }
    line
}

fn judged_line(judged: &Judged) -> String {
    let mut line = instruction_text(&judged.decided);
    if let (Some(message), true) = (&judged.message, judged.decided.code.is_some()) {
        let message = one_line(message, CELL_CHARACTERS_MAX);
        write!(line, ": {message}").unwrap_or_default();
    }
    line
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
fn written_lines(effect: &Effect) -> Vec<String> {
    let value = effect.value.as_ref().map(|value| {
        let text = value
            .as_str()
            .map_or_else(|| value.to_string(), str::to_owned);
        format!(" = {}", one_line(&text, CELL_CHARACTERS_MAX))
    });
    let head = format!("{}{}", effect_line(effect), value.unwrap_or_default());
    let diff = effect.diff.iter().flat_map(|diff| diff.lines());
    std::iter::once(head)
        .chain(diff.map(|line| format!("   {line}")))
        .collect()
}

pub(super) fn effect_line(effect: &Effect) -> String {
    let target = one_line(&effect.target, CELL_CHARACTERS_MAX);
    let title = effect
        .title
        .as_deref()
        .map(|title| one_line(title, CELL_CHARACTERS_MAX));
    let title = title
        .map(|title| format!(" \"{title}\""))
        .unwrap_or_default();
    let version = effect.version.map(|version| format!(", version {version}"));
    format!(
        "-> {} {target}{title}{}",
        effect.kind,
        version.unwrap_or_default()
    )
}

fn digits(hash: &str) -> &str {
    hash.get(..HASH_DIGITS).unwrap_or(hash)
}

fn why_text(note_id: NoteId, why: &Why) -> String {
    let mut out = format!("note {note_id}\n");
    if let (Some(code), Some(first)) = (why.code, why.versions.first()) {
        let from = first.version;
        writeln!(out, "what came before version {from} is gone ({code})").unwrap_or_default();
    }
    for version in &why.versions {
        writeln!(out, "\n{}", version_head(version)).unwrap_or_default();
        for line in version_lines(version) {
            writeln!(out, "    {line}").unwrap_or_default();
        }
    }
    out
}

fn version_head(version: &WhyVersion) -> String {
    let what = if version.deleted { "deleted" } else { "" };
    let title = one_line(&version.title, CELL_CHARACTERS_MAX);
    let by = record::word(&version.actor_type);
    let cause = &version.cause;
    format!(
        "version {} \"{title}\" {what}{}by {by} ({cause}), {}, commit {}",
        version.version,
        if version.deleted { " " } else { "" },
        version.ts,
        version.seq
    )
}

fn version_lines(version: &WhyVersion) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(run_id) = version.run_id {
        let iteration = version.run.as_ref().and_then(|run| run.iteration);
        let iteration = iteration.map(|number| format!(", iteration {number}"));
        lines.push(format!("run {run_id}{}", iteration.unwrap_or_default()));
    }
    if let Some(run) = &version.run {
        lines.extend(run.rule_id.map(|rule_id| format!("rule {rule_id}")));
        let request = run.request.as_deref();
        let request = request.map(|request| one_line(request, CELL_CHARACTERS_MAX));
        lines.extend(request.map(|request| format!("request \"{request}\"")));
        lines.extend(
            run.model
                .as_ref()
                .map(|model| format!("model {}", one_line(model, CELL_CHARACTERS_MAX))),
        );
        let hash = run.prompt_hash.as_deref();
        lines.extend(hash.map(|hash| format!("prompt file {}", digits(hash))));
        let hash = run.messages_hash.as_deref();
        lines.extend(hash.map(|hash| format!("prompt {}", digits(hash))));
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
