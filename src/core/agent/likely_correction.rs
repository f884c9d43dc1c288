//! Corrections of a plan that hold only if the worked examples call for such a plan.
//! Pure.

use super::plan_verb::{asks_for_change, asks_for_removal, is_likely};
use super::planning::Planning;
use super::step_faults::is_subject;
use crate::core::steps::check::is_telling;
use crate::core::steps::plan::Step;
use crate::core::steps::removal::item_spoken_of;
use crate::core::steps::respelling::respelled_line;
use crate::core::steps::spans::bare_words;

/// The maximum number of words between a topic and the title behind it, as in `about the`.
const ABOUT_WORDS_MAX: usize = 2;

/// Returns a plan with the corrections that the worked examples make likely.
pub(super) fn corrected_likely(steps: Vec<Step>, planning: &Planning<'_>) -> Vec<Step> {
    let steps = with_last_named(with_item_removed(steps, planning), planning);
    let steps = answered(steps, planning);
    let steps = with_topic_behind(merged_and_gone(steps, planning), planning);
    with_name_respelled(&steps, planning).map_or(steps, |step| vec![step])
}

/// Returns a plan that removes the item of a list which the request names, in place of the list.
fn with_item_removed(steps: Vec<Step>, planning: &Planning<'_>) -> Vec<Step> {
    let [Step::Delete { title }] = steps.as_slice() else {
        return steps;
    };
    let target = planning.target;
    let note = target.titled(title);
    let item = note.and_then(|note| item_spoken_of(note, target.request));
    match item {
        Some(item) if asks_for_removal(planning.prompt, &planning.asked()) => vec![Step::Remove {
            note: Some(title.clone()),
            what: item.to_owned(),
        }],
        _ => steps,
    }
}

/// Returns a deletion of the note that the request names last, right before an order that names none, in
/// place of one that it names before: `Finn gave up the paper round, so bin the note about it`.
fn with_last_named(steps: Vec<Step>, planning: &Planning<'_>) -> Vec<Step> {
    let [Step::Delete { title }] = steps.as_slice() else {
        return steps;
    };
    let (target, similar) = (planning.target, &planning.prompt.similar);
    let request = target.request.to_lowercase();
    let place = |title: &str| {
        let title = title.to_lowercase();
        request.find(&title).map(|at| (at, at + title.len()))
    };
    let named = target.named_in(target.request);
    let named = named
        .iter()
        .filter_map(|note| Some((place(&note.title)?, *note)));
    let last = named.max_by_key(|((start, _), _)| *start);
    let (Some((first, _)), Some(((_, end), last))) = (place(title), last) else {
        return steps;
    };
    let asks = |text: Option<&str>| {
        let mut words = bare_words(text.unwrap_or_default());
        words.any(|word| is_telling(word) && similar.is_of_asking(word))
    };
    if last.title != *title && asks(request.get(end..)) && !asks(request.get(..first)) {
        vec![Step::Delete {
            title: last.title.clone(),
        }]
    } else {
        steps
    }
}

/// Returns a plan whose overview is about its title, if the request has the title right behind the topic, and
/// the topic alone is no subject: `links everything about the trip`, planned as `overview Trip: everything`.
fn with_topic_behind(mut steps: Vec<Step>, planning: &Planning<'_>) -> Vec<Step> {
    let [
        Step::Overview {
            title: Some(title),
            topic,
        },
    ] = steps.as_mut_slice()
    else {
        return steps;
    };
    let request = planning.target.request.to_lowercase();
    let (wanted, named) = (topic.to_lowercase(), title.to_lowercase());
    let behind = request.split_once(&wanted).map(|(_, behind)| behind);
    let between = behind
        .and_then(|it| it.split_once(&named))
        .map(|(it, _)| it);
    let is_behind = between.is_some_and(|between| {
        let is_apart = between.starts_with(' ') && between.ends_with(' ');
        is_apart
            && between.chars().all(|it| it.is_alphabetic() || it == ' ')
            && between.split_whitespace().count() <= ABOUT_WORDS_MAX
    });
    if is_behind && !is_subject(topic, planning) && is_subject(title, planning) {
        topic.clone_from(title);
    }
    steps
}

/// Returns a merge turned round if the last clause of the request deletes the note into which the other
/// one would go: `put what is in B into A, then delete B`.
fn merged_and_gone(mut steps: Vec<Step>, planning: &Planning<'_>) -> Vec<Step> {
    let [Step::Merge { from, to }] = steps.as_mut_slice() else {
        return steps;
    };
    let request = planning.target.request.trim().trim_end_matches(['.', '!']);
    let last = request.rsplit([',', ';', '.']).next().unwrap_or_default();
    let named = planning.target.named_in(last);
    if matches!(named.as_slice(), [only] if only.title == *to) && planning.is_for_removal(last) {
        std::mem::swap(from, to);
    }
    steps
}

/// Returns a plan that answers, in place of an overview, if the request is a question for something else.
fn answered(steps: Vec<Step>, planning: &Planning<'_>) -> Vec<Step> {
    let [Step::Overview { title: None, .. }] = steps.as_slice() else {
        return steps;
    };
    let answer = Step::Answer {
        title: None,
        question: planning.target.request.trim().to_owned(),
    };
    if is_likely(&answer, planning.prompt, &planning.asked()) {
        vec![answer]
    } else {
        steps
    }
}

/// Returns the change of the only line with a name that the request spells in another way, too.
/// A small model plans something else: `he spells himself Quennell, I have him as Quinnell`.
fn with_name_respelled(steps: &[Step], planning: &Planning<'_>) -> Option<Step> {
    let is_of_text = |step: &Step| {
        matches!(
            step,
            Step::Add { .. }
                | Step::Change { .. }
                | Step::New { .. }
                | Step::Rename { .. }
                | Step::Issue { .. }
        )
    };
    let (title, text) = respelled_line(planning.target).filter(|_| steps.iter().all(is_of_text))?;
    asks_for_change(planning.prompt, &planning.asked()).then_some(Step::Change {
        note: Some(title),
        text,
    })
}

/// Returns a plan that writes without the answers beside it that nobody asks for: such a text is a part of
/// the order, as in `can you put that right in my note?`.
pub(super) fn without_asides(mut steps: Vec<Step>, planning: &Planning<'_>) -> Vec<Step> {
    if steps.iter().any(Step::writes) {
        steps.retain(|step| {
            !matches!(step, Step::Answer { question, .. } if !planning.is_for_answer(question))
        });
    }
    steps
}
