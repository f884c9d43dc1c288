//! Which note a step is for.
//! A small model names a note that shares a word with the request in place of the one that is meant.

use super::change::edit_of;
use super::check::is_telling;
use super::evidence::{
    is_short, is_telling_term, note_by_line, parts_of, sentence_of, shares, tells_of, terms_of,
    title_words_in,
};
use super::lines::{ListMark, lines_of};
use super::new_note::Context;
use super::plan::Step;
use super::target::Target;
use crate::core::notes::{Note, Terms, is_unspaced, phrase_stands_in};

/// Returns a step for the note that the request names with typing errors, in place of one whose title
/// has more words.
pub(super) fn in_misspelt_note(mut step: Step, target: &Target<'_>) -> Step {
    if let Step::Add { note, .. } | Step::Change { note, .. } | Step::Remove { note, .. } =
        &mut step
        && let Some(old) = note.as_deref().and_then(|title| target.titled(title))
        && let Some(other) = target.spelt_rather_than(old)
    {
        *note = Some(other.title.clone());
    }
    step
}

/// Returns a removal from the only list that has the item, if the note that the plan names has no word of it
/// and no other step of the plan is about that list.
pub(super) fn in_note_with_item(step: Step, plan: &[Step], target: &Target<'_>) -> Step {
    let Step::Remove {
        note: Some(title),
        what,
    } = &step
    else {
        return step;
    };
    let item = Terms::of(what);
    let telling: Vec<&str> = item.iter().filter(|word| is_telling(word)).collect();
    let is_there = target
        .titled(title)
        .is_none_or(|note| tells_of(note, &item));
    if is_there || telling.is_empty() {
        return step;
    }
    let has_item = |note: &&&Note| {
        let lines = lines_of(&note.value);
        let items = lines.iter().filter(|it| ListMark::of(it.text).is_some());
        let mut items = items.map(|line| Terms::of(line.text));
        items.any(|line| telling.iter().all(|it| line.has(it)))
    };
    let is_free = |note: &Note| {
        let mut titles = plan.iter().flat_map(Step::titles);
        !titles.any(|it| it == note.title)
    };
    let mut found = target.notes.iter().filter(has_item);
    match (found.next(), found.next()) {
        (Some(only), None) if is_free(only) => Step::Remove {
            note: Some(only.title.clone()),
            what: what.clone(),
        },
        _ => step,
    }
}

/// Returns whether a change of the note of a title is rather one of another note.
pub(super) fn is_for_other(title: &str, text: &str, target: &Target<'_>) -> bool {
    meant_rather(title, target).is_some()
        || !is_related(title, text, target) && !is_named(title, target)
}

/// Returns the other note that a change is for, if it can be told.
pub(super) fn other_to_change<'a>(
    title: &str,
    text: &str,
    target: &Target<'a>,
) -> Option<&'a Note> {
    let by_line = || note_by_line(target.notes, sentence_of(target.request, text));
    meant_rather(title, target).or_else(by_line)
}

/// Returns the note that a request means rather than the one of a title.
/// It is the only one with a word of its title in the request, and it has more of its telling words.
fn meant_rather<'a>(title: &str, target: &Target<'a>) -> Option<&'a Note> {
    let asked = Terms::of(target.request);
    let own = target.titled(title)?;
    let is_spoken_of = |note: &&&Note| title_words_in(note, &asked) > 0;
    let mut spoken_of = target.notes.iter().filter(is_spoken_of);
    let (Some(other), None) = (spoken_of.next(), spoken_of.next()) else {
        return None;
    };
    let shared = |note: &Note| {
        let terms = terms_of(note);
        let mut telling: Vec<&str> = asked.iter().filter(|it| is_telling_term(it)).collect();
        telling.retain(|term| terms.has(term));
        telling.len()
    };
    let is_other = title_words_in(own, &asked) == 0 && shared(other) > shared(own);
    is_other.then_some(*other)
}

/// Returns whether the request names the note of a title, and no other one.
fn is_named(title: &str, target: &Target<'_>) -> bool {
    let note = target.titled_exactly(title);
    note.is_some_and(|note| target.is_named(note))
}

/// Returns the other note that the request names, if a plan combines a note with itself.
pub(super) fn note_to_combine(to: &str, from: String, target: &Target<'_>) -> String {
    let named = target.named_in(target.request);
    let mut others = named.iter().filter(|note| note.title != to);
    match (others.next(), others.next()) {
        (Some(only), None) if from == to => only.title.clone(),
        _ => from,
    }
}

/// Returns the step for an addition to a note.
/// A text that names another note belongs to that one, and a sentence without a common word is not
/// about the note, unless another sentence says that it is.
pub(super) fn added(title: String, text: String, context: &Context<'_, '_>) -> Step {
    let target = context.target;
    if let Some(other) = note_of_sentence(&title, &text, target) {
        edit_of(other, target.request, text)
    } else if is_short(&text)
        || is_related(&title, &text, target)
        || is_named_aside(&title, context)
    {
        let note = Some(title);
        Step::Add { note, text }
    } else if let Some(other) = note_by_line(target.notes, sentence_of(target.request, &text)) {
        edit_of(other, target.request, text)
    } else if is_named_for_all(&title, context) {
        let note = Some(title);
        Step::Add { note, text }
    } else if is_for_another(&text, target) {
        Step::Add { note: None, text }
    } else {
        Step::New { title: None, text }
    }
}

/// Returns whether sentences that no step is about name a note and no other one:
/// `My note about the loom is incomplete. Mention that the treadle creaks.`
fn is_named_aside(title: &str, context: &Context<'_, '_>) -> bool {
    let target = context.target;
    let Some(note) = target.titled(title).filter(|_| is_named(title, target)) else {
        return false;
    };
    let parts = parts_of(target.request);
    let mut naming = parts
        .iter()
        .filter(|part| title_words_in(note, &Terms::of(part)) > 0);
    let is_planned = |part: &&str| {
        let mut steps = context.plan.iter();
        steps.any(|step| sentence_of(target.request, step.clause()).contains(*part))
    };
    parts.len() > 1 && !naming.any(is_planned)
}

/// Returns whether the request names a note, and each step of the plan is about it:
/// `tick the gas on the van list and write down that the fridge is loud`.
fn is_named_for_all(title: &str, context: &Context<'_, '_>) -> bool {
    let mut steps = context.plan.iter();
    phrase_stands_in(title, context.target.request)
        && steps.all(|step| step.titles().as_slice() == [title])
}

/// Returns whether the sentence of a text has a word of the title of any note.
fn is_for_another(text: &str, target: &Target<'_>) -> bool {
    let sentence = Terms::of(sentence_of(target.request, text));
    let mut notes = target.notes.iter();
    notes.any(|note| title_words_in(note, &sentence) > 0)
}

/// Returns the only note that a text names, if it is another one than the text is added to.
/// The sentence of the text does not name the latter.
fn note_of_sentence<'a>(title: &str, text: &str, target: &Target<'a>) -> Option<&'a Note> {
    let named = target.named_in(text);
    let [only] = named.as_slice() else {
        return None;
    };
    let said = Terms::of(text);
    let pieces = target.request.split([',', ';', '.', '\n']);
    let is_from = |piece: &&str| {
        let piece = Terms::of(piece);
        said.shared(&piece) * 2 > piece.len()
    };
    let mut pieces = pieces.filter(is_from);
    let is_other = only.title != title
        && !is_short(text)
        && !pieces.any(|piece| phrase_stands_in(title, piece))
        && phrase_stands_in(&only.title, target.request);
    is_other.then_some(*only)
}

/// Returns whether a text, or its sentence in the request, has a word in common with a note.
/// True if there is no note of that title, or if the request has a script without spaces.
fn is_related(title: &str, text: &str, target: &Target<'_>) -> bool {
    let note = target.titled(title);
    target.request.contains(is_unspaced)
        || note.is_none_or(|note| {
            speaks_of(note, text) || speaks_of(note, sentence_of(target.request, text))
        })
}

/// The minimum length of a title's word that a compound ends in, in characters.
const STEM_CHARS_MIN: usize = 5;

/// Returns whether a word is a compound that ends in a word of a title: `Reservesleutel` of `Sleutels`.
fn ends_in_title(word: &str, title: &Terms) -> bool {
    let is_end = |end: &str| {
        let mut stem = end.chars();
        stem.next_back();
        let stem = stem.as_str();
        stem.chars().count() >= STEM_CHARS_MIN && (word.ends_with(end) || word.ends_with(stem))
    };
    title.iter().any(is_end)
}

/// Returns whether a text has a telling word of a note, or any word of its title.
/// Short words of its text do not count: they may be articles.
fn speaks_of(note: &Note, text: &str) -> bool {
    let (own, said) = (terms_of(note), Terms::of(text));
    let title = Terms::of(&note.title);
    shares(&note.title, text)
        || title_words_in(note, &said) > 0
        || said.iter().any(|term| ends_in_title(term, &title))
        || said.iter().any(|term| is_telling(term) && own.has(term))
}
