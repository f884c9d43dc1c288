//! Items with a box: the note in which one is ticked or unticked.

use super::check::{is_telling, stands_in};
use super::evidence::clauses_of;
use super::lines::{ListMark, lines_of};
use super::plan::Step;
use super::request_questions::is_question;
use super::target::Target;
use crate::core::notes::{Note, Terms};

/// Returns a step that ticks or unticks an item in the only note that has it with a box.
/// That applies if the note that the plan names does not have the item with a box.
pub(super) fn in_note_with_box(step: Step, target: &Target<'_>) -> Step {
    let Some(item) = boxless_item(&step, target) else {
        return step;
    };
    let mut found = target.notes.iter().filter(|note| has_boxed(note, &item));
    match (found.next(), found.next(), step) {
        (Some(only), None, Step::Change { text, .. }) => Step::Change {
            note: Some(only.title.clone()),
            text,
        },
        (_, _, step) => step,
    }
}

/// Returns whether a step adds an item that is done, which no question asks for.
pub(super) fn adds_done_item(step: &Step, request: &str) -> bool {
    is_question(request) && matches!(step, Step::Add { text, .. } if has_box(text))
}

/// Returns whether a step ticks or unticks an item that no note has with a box.
pub fn ticks_nothing(step: &Step, target: &Target<'_>) -> bool {
    boxless_item(step, target)
        .is_some_and(|item| !target.notes.iter().any(|note| has_boxed(note, &item)))
}

/// Returns the terms of the item that a step ticks or unticks in a note that does not have it with a box.
fn boxless_item(step: &Step, target: &Target<'_>) -> Option<Terms> {
    let Step::Change {
        note: Some(title),
        text,
    } = step
    else {
        return None;
    };
    let item = Terms::of(ListMark::text_of(text));
    let note = target.titled(title)?;
    (has_box(text) && !has_boxed(note, &item)).then_some(item)
}

fn has_boxed(note: &Note, item: &Terms) -> bool {
    let lines = lines_of(&note.value);
    let mut boxed = lines.iter().filter(|line| has_box(line.text));
    boxed.any(|line| {
        let own = Terms::of(ListMark::text_of(line.text));
        let mut telling = item.iter().filter(|term| is_telling(term));
        !own.is_empty() && own.are_in(item) || telling.any(|term| own.has(term))
    })
}

/// The number of telling words of an item in a clause from which the clause names it.
const NAMED_WORDS_MIN: usize = 2;

/// Returns the steps that tick each item which one tick names, if it names several.
/// So does the clause of the request that the tick comes from: `road signs and night driving are done`.
pub(super) fn ticked_each(plan: &[Step], target: &Target<'_>) -> Option<Vec<Step>> {
    let [
        Step::Change {
            note: Some(title),
            text,
        },
    ] = plan
    else {
        return None;
    };
    let told = text.strip_prefix("[x] ")?;
    let note = target.titled(title)?;
    let clauses = clauses_of(target.request).map(Terms::of);
    let own = Terms::of(told);
    let clause = clauses.max_by_key(|clause| clause.shared(&own))?;
    let said = own.with(&clause);
    let is_named = |item: &str| {
        let item = Terms::of(item);
        let telling: Vec<&str> = item.iter().filter(|term| is_telling(term)).collect();
        let named = telling.iter().filter(|term| stands_in(term, &said)).count();
        named > 0 && (named == telling.len() || named >= NAMED_WORDS_MIN)
    };
    let lines = lines_of(&note.value).into_iter();
    let open = lines.filter(|line| line.text.contains("[ ]"));
    let items: Vec<&str> = open
        .map(|line| ListMark::text_of(line.text))
        .filter(|item| is_named(item))
        .collect();
    let ticks = items.iter().map(|item| Step::Change {
        note: Some(title.clone()),
        text: format!("[x] {item}"),
    });
    (items.len() > 1).then(|| ticks.collect())
}

/// Returns a plan that ticks the open item which it adds once more beside a tick in the same note:
/// `change Move: [x] tax number` and `add Move: business cards`.
pub(super) fn ticked_in_place_of_added(plan: &[Step], target: &Target<'_>) -> Option<Vec<Step>> {
    let ticks_in = |title: &str| {
        let is_tick = |step: &Step| {
            matches!(step, Step::Change { note: Some(note), text }
                if note == title && text.starts_with("[x] "))
        };
        plan.iter().any(is_tick)
    };
    let ticked = |step: &Step| {
        let Step::Add {
            note: Some(title),
            text,
        } = step
        else {
            return None;
        };
        let note = target.titled(title).filter(|_| ticks_in(title))?;
        let lines = lines_of(&note.value);
        let added = Terms::of(text);
        let is_same = |item: &&str| added.are_in(&Terms::of(item));
        let open = lines.iter().filter(|line| line.text.contains("[ ]"));
        let mut items = open
            .map(|line| ListMark::text_of(line.text))
            .filter(is_same);
        let item = items
            .next()
            .filter(|_| items.next().is_none() && !added.is_empty())?;
        Some(Step::Change {
            note: Some(title.clone()),
            text: format!("[x] {item}"),
        })
    };
    let steps = plan
        .iter()
        .map(|step| ticked(step).unwrap_or_else(|| step.clone()));
    let steps: Vec<Step> = steps.collect();
    (steps != plan).then_some(steps)
}

/// Returns whether a step unticks an item of a note that has ticked ones.
pub(super) fn reopens(step: &Step, target: &Target<'_>) -> bool {
    let Step::Change { note, text } = step else {
        return false;
    };
    let note = note.as_ref().and_then(|title| target.titled(title));
    text.starts_with("[ ] ") && note.is_some_and(|note| note.value.contains("[x]"))
}

/// Returns whether a line holds a box that is or can be ticked.
pub fn has_box(line: &str) -> bool {
    ["[ ]", "[x]", "[X]"].iter().any(|it| line.contains(it))
}

/// Returns the text of an item without its box.
pub fn unboxed(text: &str) -> &str {
    text.trim_start_matches("[x] ").trim_start_matches("[ ] ")
}
