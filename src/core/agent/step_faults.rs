//! Faults of a step that the request shows: it adds nothing, repeats the request, or deletes a note
//! whose text was to change.

use super::planning::Planning;
use crate::core::notes::{Note, Terms, is_unspaced, phrase_stands_in};
use crate::core::steps::check::{contains, facts_of, is_telling, stands_in};
use crate::core::steps::evidence::{count_telling_words, speaks_of, terms_of, text_of};
use crate::core::steps::lines::{ListMark, lines_of};
use crate::core::steps::new_note::is_list;
use crate::core::steps::plan::Step;
use crate::core::steps::request_questions::is_question;
use crate::core::steps::spans::{has_same_kind, numbers_of};
use crate::core::steps::step_correction::is_other_title;
use crate::core::steps::target::Target;

/// The number of telling words shared with a note's text from which a request is about that text.
const CONTENT_WORDS_MIN: usize = 2;

/// The maximum number of telling words of a topic that is no sentence.
const TOPIC_WORDS_MAX: usize = 3;

/// The number of words of a list item from which a sentence around it is no item.
const ITEM_WORDS_MIN: usize = 2;

/// The number of words by which such a sentence is longer than the item.
const AROUND_ITEM_WORDS_MIN: usize = 4;

/// Returns whether a plan is one deletion of a note that the request names.
pub(super) fn is_of_named_note(steps: &[Step], target: &Target<'_>) -> bool {
    matches!(steps, [Step::Delete { title }] if phrase_stands_in(title, target.request))
}

/// Returns whether a plan only takes something out of notes: the request may say why.
pub(super) fn only_removes(steps: &[Step]) -> bool {
    let removes = |step: &Step| matches!(step, Step::Remove { .. });
    !steps.is_empty() && steps.iter().all(removes)
}

/// Returns whether a step writes a text of which no telling word stands in the request.
pub(super) fn is_made_up(step: &Step, target: &Target<'_>) -> bool {
    let (said, asked) = (Terms::of(step.clause()), Terms::of(target.request));
    let mut telling = said.iter().filter(|term| is_telling(term)).peekable();
    step.writes()
        && !step.clause().contains(is_unspaced)
        && telling.peek().is_some()
        && !telling.any(|term| stands_in(term, &asked))
}

/// The number of digits from which a number that nobody said is no other way to write a word.
const MADE_UP_DIGITS_MIN: usize = 3;

/// Returns a long number, or a word of another script, that a step writes although neither the request nor a
/// note has it. A round number may stand there in words.
pub(super) fn invented_word<'a>(steps: &'a [Step], target: &Target<'_>) -> Option<&'a str> {
    let is_known = |number: &str| {
        let mut notes = target.notes.iter();
        contains(target.request, number) || notes.any(|note| contains(&text_of(note), number))
    };
    let written = steps.iter().filter(|step| step.writes());
    let mut numbers = written.flat_map(|step| numbers_of(step.clause()));
    let number = numbers.find(|number| {
        let is_whole = number.bytes().all(|it| it.is_ascii_digit());
        let is_long = number.len() >= MADE_UP_DIGITS_MIN && !number.ends_with("00");
        is_whole && is_long && !is_known(number)
    });
    let mut words = steps
        .iter()
        .filter_map(|step| word_in_other_script(step, target));
    number.or_else(|| words.next())
}

/// The minimum length of a word in other letters, in characters: one or two may be a unit.
const OTHER_LETTERS_MIN: usize = 3;

/// Returns a word of Latin letters that a step writes for a request in a script without spaces, although
/// neither the request nor a note has it: `three` for `三`.
fn word_in_other_script<'a>(step: &'a Step, target: &Target<'_>) -> Option<&'a str> {
    if !step.writes() || !target.request.contains(is_unspaced) {
        return None;
    }
    let is_known = |word: &str| {
        let has = |text: &str| text.to_lowercase().contains(&word.to_lowercase());
        has(target.request) || target.notes.iter().any(|note| has(&text_of(note)))
    };
    let words = step.clause().split(|it: char| !it.is_ascii_alphabetic());
    let mut words = words.filter(|word| word.len() >= OTHER_LETTERS_MIN);
    words.find(|word| !is_known(word))
}

/// Returns whether a step takes a text out of a note: an addition of it elsewhere moves it.
pub(super) fn takes_out(step: &Step, text: &str) -> bool {
    matches!(step, Step::Remove { what, .. } if Terms::of(what) == Terms::of(text))
}

/// Returns whether a plan only adds to notes that have no line about the same.
pub(super) fn only_adds_news(steps: &[Step], target: &Target<'_>) -> bool {
    let is_news = |step: &Step| {
        let Step::Add {
            note: Some(title),
            text,
        } = step
        else {
            return false;
        };
        let said = Terms::of(text).without(&Terms::of(title));
        target.titled(title).is_some_and(|note| {
            let lines = lines_of(&note.value);
            !lines.iter().any(|line| {
                let own = Terms::of(line.text);
                let mut telling = said.iter().filter(|term| is_telling(term));
                telling.any(|term| own.has(term)) || has_same_kind(line.text, text)
            })
        })
    };
    !steps.is_empty() && steps.iter().all(is_news)
}

/// Returns whether a step writes the title of another note that the request does not name.
pub(super) fn writes_title(step: &Step, target: &Target<'_>) -> bool {
    let writes = matches!(
        step,
        Step::New { .. } | Step::Add { .. } | Step::Change { .. }
    );
    writes && is_other_title(step.clause(), target)
}

/// Returns whether a step makes a note of one word, although the request says more.
pub(super) fn only_repeats_title(step: &Step, target: &Target<'_>) -> bool {
    let Step::New { title, text } = step else {
        return false;
    };
    let said = Terms::of(text);
    let is_repeated = title
        .as_ref()
        .is_none_or(|title| said.are_in(&Terms::of(title)));
    let asked = Terms::of(target.request);
    let left = asked.without(&said);
    said.len() == 1
        && is_repeated
        && !text.contains(is_unspaced)
        && left.iter().filter(|term| is_telling(term)).count() >= CONTENT_WORDS_MIN
}

/// Returns the item of a list that a sentence tells of, if a step adds that sentence to the list.
/// An example is `Nikos gives me his swivel chair`, which takes the chair off the list.
pub(super) fn item_mentioned_by<'a>(step: &Step, target: &Target<'a>) -> Option<&'a str> {
    let (Step::Add {
        note: Some(title),
        text,
    }
    | Step::New {
        title: Some(title),
        text,
    }) = step
    else {
        return None;
    };
    let note = target.titled(title).filter(|note| is_list(note))?;
    let words = |text: &str| text.split_whitespace().count();
    let items = lines_of(&note.value)
        .into_iter()
        .map(|line| ListMark::text_of(line.text));
    let mut told = items.filter(|item| {
        words(item) >= ITEM_WORDS_MIN
            && words(text) >= words(item) + AROUND_ITEM_WORDS_MIN
            && phrase_stands_in(item, text)
    });
    told.next()
}

/// Returns whether a step adds only filler words and titles of notes.
pub(super) fn adds_nothing(step: &Step, target: &Target<'_>, fillers: &Terms) -> bool {
    let Step::Add {
        note: Some(_),
        text,
    } = step
    else {
        return false;
    };
    let named = target.named_in(text);
    let titles: Vec<Terms> = named.iter().map(|note| Terms::of(&note.title)).collect();
    let said = Terms::of(text);
    let is_known = |term: &str| fillers.has(term) || titles.iter().any(|title| title.has(term));
    !titles.is_empty()
        && facts_of(text).is_empty()
        && !text.contains(is_unspaced)
        && said.iter().all(is_known)
        && said.len() > 1
}

/// Returns whether a request is about the text of the note that a step deletes.
/// Then the text is to change.
pub(super) fn is_about_content(step: &Step, target: &Target<'_>) -> bool {
    let Step::Delete { title } = step else {
        return false;
    };
    let asked = Terms::of(target.request).without(&Terms::of(title));
    let content = target.titled(title).map(|note| Terms::of(&note.value));
    let shared = content.map_or(0, |content| {
        let telling = asked.iter().filter(|term| is_telling(term));
        telling.filter(|term| content.has(term)).count()
    });
    shared >= CONTENT_WORDS_MIN
}

/// Returns whether a step adds the whole request to a note that it names, or to a list.
pub(super) fn repeats_request(step: &Step, target: &Target<'_>) -> bool {
    let Step::Add {
        note: Some(title),
        text,
    } = step
    else {
        return false;
    };
    let is_list = target.titled(title).is_some_and(is_list);
    let is_spoken_of = is_list || phrase_stands_in(title, target.request);
    is_spoken_of && Terms::of(text) == Terms::of(target.request)
}

/// Returns whether a note has all words that a step writes.
pub(super) fn stands_in_note(step: &Step, target: &Target<'_>) -> bool {
    let text = Terms::of(step.clause());
    let mut notes = target.notes.iter();
    step.writes() && notes.any(|note| text.are_in(&Terms::of(&text_of(note))))
}

/// Returns whether a request states no fact and asks no question.
pub(super) fn states_nothing(target: &Target<'_>) -> bool {
    facts_of(target.request).is_empty() && !is_question(target.request)
}

/// Returns whether a request has no telling word of a title.
pub(super) fn speaks_of_no_note(target: &Target<'_>) -> bool {
    let asked = Terms::of(target.request);
    let speaks_of = |note: &&Note| {
        let title = Terms::of(&note.title);
        let mut words = title.iter().filter(|word| is_telling(word));
        words.any(|word| asked.has(word))
    };
    !target.notes.iter().any(speaks_of)
}

/// The share of the worked plans that repeat the words of a topic, from which it is a subject. Words such
/// as `everything` are hardly ever repeated.
const SUBJECT_SHARE_MIN: f64 = 0.5;

/// Returns whether the words of a text are a subject, by the worked plans.
pub(super) fn is_subject(text: &str, planning: &Planning<'_>) -> bool {
    planning.prompt.similar.repeated_share(text) >= SUBJECT_SHARE_MIN
}

/// Returns the topic of an overview for which there are no notes: a subject that no note speaks of.
/// A topic such as `all notes` is no subject, and neither is the verb of the step.
pub(super) fn topic_without_notes<'a>(step: &'a Step, planning: &Planning<'_>) -> Option<&'a str> {
    let Step::Overview { title, topic } = step else {
        return None;
    };
    let wanted = Terms::of(&[topic, " ", title.as_deref().unwrap_or_default()].concat());
    let said = Terms::of(topic);
    let words = count_telling_words(&said);
    let is_subject = !topic.contains(is_unspaced)
        && topic.to_lowercase() != step.verb()
        && (words > TOPIC_WORDS_MAX || is_subject(topic, planning));
    // A whole sentence is a topic only if a note has most of its words.
    let speaks = |note: &Note| {
        let own = terms_of(note);
        let shared = said
            .iter()
            .filter(|word| is_telling(word) && own.has(word))
            .count();
        speaks_of(&own, &wanted) && (words <= TOPIC_WORDS_MAX || shared * 2 > words)
    };
    let mut notes = planning.target.all.iter();
    (is_subject && !notes.any(|note| speaks(note))).then_some(topic)
}
