//! Messages to a model whose replies do not carry out a step.

use crate::core::notes::Note;
use crate::core::steps::check::contains;
use crate::core::steps::count_change::CountChange;
use crate::core::steps::effects::{Effect, carry_out};
use crate::core::steps::evidence::{is_contrasted, text_of};
use crate::core::steps::plan::Step;
use crate::core::steps::spans::{form_of, numbers_of};
use crate::core::steps::step_question::Replies;
use crate::core::steps::target::Target;
use crate::ids::NoteId;

/// Returns the message to the model if the effects do not carry out the step.
pub(super) fn unfulfilled_message(
    step: &Step,
    effects: &[Effect],
    notes: &[&Note],
) -> Option<String> {
    match (step, effects) {
        (Step::Change { text, .. }, [Effect::Missed { .. }]) => Some(format!(
            "That changes nothing. What goes, and what stands there now: {text}"
        )),
        (
            Step::Change { text, .. },
            [
                Effect::Rewrite {
                    note, text: new, ..
                },
            ],
        ) if CountChange::of(text).is_none() => {
            let old = notes.iter().find(|it| it.id == *note)?;
            let (stands, known) = (numbers_of(new), numbers_of(&old.value));
            let is_lost = |number: &&str| !stands.contains(number) && !known.contains(number);
            let missing: Vec<&str> = numbers_of(text).into_iter().filter(is_lost).collect();
            (!missing.is_empty()).then(|| format!("Not in it yet: {}.", missing.join(", ")))
        }
        (
            Step::Answer { .. },
            [
                Effect::Unanswered {
                    is_final: false, ..
                },
            ],
        ) => Some("Use only words of the lines.".to_owned()),
        _ => None,
    }
}

/// Returns the note of a change that an earlier step of the plan has made: of the numbers of its text the note
/// has only some that earlier steps have `shown`, and the others are of their form, so they are denied.
pub(super) fn note_changed_already(
    step: &Step,
    target: &Target<'_>,
    shown: &[String],
) -> Option<NoteId> {
    let Step::Change {
        note: Some(title),
        text,
    } = step
    else {
        return None;
    };
    let note = target.titled(title)?;
    let said = numbers_of(text);
    let (there, gone): (Vec<&str>, Vec<&str>) =
        said.iter().partition(|it| contains(&note.value, it));
    let is_shown = |number: &&str| shown.iter().any(|fact| contains(fact, number));
    let is_denied = |number: &&str| there.iter().any(|it| form_of(it) == form_of(number));
    let is_done = !there.is_empty() && !gone.is_empty() && there.iter().all(is_shown);
    (is_done && gone.iter().all(is_denied)).then_some(note.id)
}

/// Returns a number that a change takes away beside the one that it puts another in the place of, although
/// the request does not say it: `15:30` in `5 September, 15:30`, where only the day is another.
pub(super) fn number_lost<'a>(
    effects: &[Effect],
    notes: &[&'a Note],
    request: &str,
) -> Option<&'a str> {
    let [
        Effect::Rewrite {
            note, text: new, ..
        },
    ] = effects
    else {
        return None;
    };
    let old = notes.iter().find(|it| it.id == *note)?;
    let (before, after) = (numbers_of(&old.value), numbers_of(new));
    let come = after.iter().filter(|it| !before.contains(it)).count();
    let lost: Vec<&str> = before
        .into_iter()
        .filter(|it| !after.contains(it))
        .collect();
    let mut unsaid = lost.iter().filter(|it| !contains(request, it));
    unsaid
        .next()
        .copied()
        .filter(|_| come > 0 && lost.len() > come)
}

/// Returns the effects of a change or a removal, or others if they would remove shown facts.
/// `facts` are those that earlier steps have shown. The change then becomes an addition; the
/// removal does nothing, because an earlier step has removed its text.
pub(super) fn without_fact_loss(
    step: &Step,
    effects: Vec<Effect>,
    target: &Target<'_>,
    facts: &[String],
) -> Vec<Effect> {
    let [
        Effect::Rewrite {
            note, text: new, ..
        },
    ] = effects.as_slice()
    else {
        return effects;
    };
    let Some(old) = target.all.iter().find(|it| it.id == *note) else {
        return effects;
    };
    let stands_elsewhere = |fact: &str| {
        let mut others = target.all.iter().filter(|it| it.id != *note);
        others.any(|it| contains(&text_of(it), fact))
    };
    // What a removal names is to go.
    let is_meant = |fact: &str| matches!(step, Step::Remove { what, .. } if contains(what, fact));
    let is_lost = |fact: &String| {
        contains(&old.value, fact)
            && !contains(new, fact)
            && !is_meant(fact)
            && !is_contrasted(fact, target.request)
            && !stands_elsewhere(fact)
    };
    if !facts.iter().any(is_lost) {
        return effects;
    }
    if let Step::Change { text, .. } = step {
        let addition = Step::Add {
            note: Some(old.title.clone()),
            text: text.clone(),
        };
        // A step that names its note needs no question.
        carry_out(&addition, target, &mut Replies::of(&[])).unwrap_or(effects)
    } else if let Step::Remove { .. } = step {
        vec![Effect::Present { note: *note }]
    } else {
        effects
    }
}
