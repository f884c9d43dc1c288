//! Steps that the program carries out itself, in the executor.
//! Also finds the facts of the request that appear in the changes of this reply.

use super::Executor;
use crate::core::agent::result::REPLY;
use crate::core::agent::{ActionResult, StepOutcome};
use crate::core::journal::Change;
use crate::core::memory::ram::REQUIRED_KEYS;
use crate::core::notes::Note;
use crate::core::review::ProposedChange;
use crate::core::run::OpenRefusal;
use crate::core::steps::check::{ShownTexts, is_shown, still_stands};
use crate::core::steps::evidence::is_contrasted;
use crate::failure::Code;

/// The maximum number of reports about missing facts in one run.
const ASKED_AGAIN_MAX: u32 = 2;

/// The `op` of the open refusal of a step that found nothing.
const STEP: &str = "step";

/// Records the outcome of a step.
/// The step is done, whatever the outcome.
pub(in crate::core::agent) fn take_step(executor: &mut Executor<'_>, outcome: &StepOutcome) {
    executor.overlay.progress.note_step();
    executor.overlay.wrote.record = true;
    for what in &outcome.missed {
        executor.overlay.progress.open_refusals.push(OpenRefusal {
            op: STEP.to_owned(),
            target: what.clone(),
            code: Code::NotShown,
            instead: None,
        });
    }
}

/// Records which facts of the request appear in the changes, or in the outcome of a step.
pub(in crate::core::agent) fn note_shown(
    executor: &mut Executor<'_>,
    outcome: Option<&StepOutcome>,
) {
    let Some(request) = executor.context.run.request.as_deref() else {
        return;
    };
    let mut facts = executor.overlay.progress.missing(request);
    // Most requests name nothing to look for; texts may be long.
    if facts.is_empty() && executor.overlay.progress.shown.is_empty() {
        return;
    }
    let shown = shown_by_changes(executor, outcome);
    // A text that an earlier step left unchanged may now stand beside its correction.
    let stands_again =
        |fact: &String| is_contrasted(fact, request) && still_stands(fact, request, &shown);
    let known = &mut executor.overlay.progress.shown;
    known.retain(|fact| !stands_again(fact));
    facts.retain(|fact| is_shown(fact, &shown) && !still_stands(fact, request, &shown));
    known.extend(facts);
}

/// Reports to the model which facts of the request appear nowhere, at most twice in a run.
pub(in crate::core::agent) fn report_missing(executor: &mut Executor<'_>) {
    let request = executor.context.run.request.as_deref().unwrap_or_default();
    let missing = executor.overlay.progress.missing(request);
    let has_work = executor.overlay.progress.changed || executor.overlay.progress.settled > 0;
    if missing.is_empty() || !has_work || executor.overlay.progress.asked_again >= ASKED_AGAIN_MAX {
        return;
    }
    executor.overlay.progress.asked_again += 1;
    executor.overlay.progress.note_step();
    let message = format!(
        "this stands nowhere in what was changed: {}",
        missing.join(", ")
    );
    executor.feedback.add(ActionResult {
        op: REPLY.to_owned(),
        code: Some(Code::NotShown),
        message,
        ..ActionResult::default()
    });
}

fn shown_by_changes(executor: &Executor<'_>, outcome: Option<&StepOutcome>) -> ShownTexts {
    let mut shown = ShownTexts::default();
    let proposed = executor.overlay.proposals.iter();
    let proposed = proposed.map(|it| (&it.note, it.wanted == ProposedChange::Delete));
    let changes = executor.overlay.changes.iter();
    let changed = changes.filter_map(|change| change.get().note());
    let changed = changed.map(|note| (note, note.deleted_at.is_some()));
    for (note, is_gone) in changed.chain(proposed) {
        let before = executor.context.state.notes.get(note.id);
        match (before, is_gone) {
            (Some(before), true) => shown.deleted.push(text_of(before)),
            (None, true) => {}
            (Some(before), false) => shown.rewritten.push((text_of(before), text_of(note))),
            (None, false) => shown.created.push(text_of(note)),
        }
    }
    // A value that a model keeps in RAM on request counts. The loop's own keys do not: `steps`
    // repeats the request.
    let kept = executor
        .overlay
        .changes
        .iter()
        .filter_map(|change| match change.get() {
            Change::RamSet(set) if REQUIRED_KEYS.contains(&set.key.as_str()) => None,
            Change::RamSet(set) => Some(format!("{} {}", set.key, set.value)),
            Change::StorageSet(set) => Some(format!("{} {}", set.path, set.value)),
            Change::RamDeleted(deleted) => Some(deleted.key.clone()),
            Change::StorageDeleted(_)
            | Change::NoteCreated(_)
            | Change::NoteUpdated(_)
            | Change::NoteDeleted(_) => None,
        });
    shown.created.extend(kept);
    shown
        .titles
        .extend(outcome.into_iter().flat_map(|it| it.shows.clone()));
    shown
}

/// Returns the whole text of a note, with its title, keywords, issues and links.
fn text_of(note: &Note) -> String {
    let issues = note.issues.iter().map(|issue| issue.text.as_str());
    let links = note.links.iter().map(ToString::to_string);
    let mut parts = vec![
        note.title.clone(),
        note.keywords.join(" "),
        note.value.clone(),
    ];
    parts.extend(issues.map(str::to_owned));
    parts.extend(links);
    parts.join("\n")
}
