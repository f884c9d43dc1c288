//! Overviews of several notes on a topic, or of a short one as a whole.
//! They are computed, without the words of a model.

use super::check::{is_telling, stands_in};
use super::effects::Effect;
use super::evidence::{begins_alike, count_telling_words, is_spelt, speaks_of, terms_of};
use super::lines::{ListMark, lines_of};
use super::lookup::{OVERVIEW_CHARS_MAX, answer, nearest, unanswered};
use super::plan::Step;
use super::plan_correction::with_capital;
use super::request_questions::is_question;
use super::spans::bare_words;
use super::step_question::{Replies, StepQuestion};
use super::target::Target;
use crate::core::notes::{Note, Terms, is_unspaced, phrase_stands_in};
use crate::ids::NoteId;
use std::cmp::Reverse;

/// The number of notes, named by nobody, from which an overview is meant that links, writes to or lists them.
pub(super) const UNNAMED_MIN: usize = 3;

/// The number of telling words from which the topic of an overview may be a question.
const TOPIC_WORDS_MAX: usize = 3;

/// Gathers the notes on a topic: as links in a new note if a title is given, else as an answer.
/// A topic that no note mentions, such as `all notes`, means all.
///
/// # Errors
/// The question to the model, if it has no reply yet.
pub(super) fn overview(
    title: Option<&str>,
    topic: &str,
    target: &Target<'_>,
    replies: &mut Replies<'_>,
) -> Result<Vec<Effect>, StepQuestion> {
    // A topic such as `notes` says nothing that the title of the overview does not say better.
    let speaks = |topic: &str| is_spoken_of(topic, target);
    let own = |note: &&&Note| title.is_none_or(|title| note.title.trim() != title.trim());
    let notes: Vec<&Note> = target.all.iter().filter(own).copied().collect();
    let keywords = |note: &Note| note.keywords.join(" ");
    let text = |note: &Note| [&note.title, " ", &keywords(note), " ", &note.value].concat();
    // A title in words of the request may name more of the topic: `Open-air cinema` for `cinema`.
    let is_topic = |title: &str| {
        let own = Terms::of(title);
        let covering = notes
            .iter()
            .filter(|note| own.are_in(&Terms::of(&text(note))));
        own.shared(&Terms::of(topic)) > 0
            && phrase_stands_in(title, target.request)
            && covering.count() >= COVERING_NOTES_MIN
    };
    let is_in_title = |title: &&str| !speaks(topic) && speaks(title) || is_topic(title);
    let wanted = Terms::of(title.filter(is_in_title).unwrap_or(topic));
    let mut scored = nearest(notes, text, &wanted, SCORE_SHARE_MIN);
    let covers = |note: &Note, is_counted: fn(&str) -> bool| {
        let own = Terms::of(&text(note));
        let mut counted = wanted.iter().filter(|term| is_counted(term)).peekable();
        counted.peek().is_some() && counted.all(|term| stands_in(term, &own))
    };
    // Where several notes speak of the whole topic, one with a part of it is about something else. Short
    // words count as long as several notes have them: `dog show`.
    let every_word: fn(&str) -> bool = |_| true;
    for is_counted in [every_word, is_telling] {
        let covering = scored.iter().filter(|(_, note)| covers(note, is_counted));
        let covering: Vec<(usize, &Note)> = covering.copied().collect();
        if covering.len() >= COVERING_NOTES_MIN {
            scored = covering;
            break;
        }
    }
    scored.sort_by_key(|(score, note)| (Reverse(*score), note.created_at, note.id));
    scored.truncate(OVERVIEW_NOTES_MAX);
    if scored.is_empty() {
        return Ok(vec![unanswered(topic, Vec::new(), true)]);
    }
    // A note that only the plan names is the one that the question is about.
    let is_hint = is_question(target.request) && !phrase_stands_in(topic, target.request);
    let meant = target.titled(topic).filter(|_| is_hint);
    if let Some(note) = meant {
        return answer(Some(&note.title), target.request, target, replies);
    }
    // One note is no overview: a question about it gets an answer, unless the note is brief.
    if let ([(_, only)], None, true) = (scored.as_slice(), title, is_question(target.request))
        && !is_brief(only)
    {
        return answer(Some(&only.title), target.request, target, replies);
    }
    let sources: Vec<NoteId> = scored.iter().map(|(_, note)| note.id).collect();
    // A second note of the same title would separate what belongs together.
    let Some(title) = title.filter(|title| target.titled(title).is_none()) else {
        let lines: Vec<String> = scored.iter().map(|(_, note)| summary_line(note)).collect();
        return Ok(vec![Effect::Answer {
            text: lines.join("\n"),
            sources,
            question: topic.to_owned(),
        }]);
    };
    let links = scored
        .iter()
        .map(|(_, note)| format!("- [[{}]]", note.title));
    Ok(vec![Effect::Create {
        title: title.to_owned(),
        text: links.collect::<Vec<_>>().join("\n"),
    }])
}

fn is_spoken_of(topic: &str, target: &Target<'_>) -> bool {
    let topic = Terms::of(topic);
    let mut notes = target.all.iter();
    notes.any(|note| speaks_of(&terms_of(note), &topic))
}

/// Returns an overview of a topic of the request.
/// A topic that asks for something else becomes a question.
pub(super) fn corrected_overview(
    title: Option<String>,
    topic: String,
    target: &Target<'_>,
) -> Step {
    let request = target.request;
    let asked = Terms::of(request);
    let said = Terms::of(&topic);
    // A topic that repeats most of a question is that question.
    let said_words = count_telling_words(&said);
    let is_whole = said_words >= TOPIC_WORDS_MAX && said_words * 2 > count_telling_words(&asked);
    let is_topic = !is_question(&topic) && !is_whole && said.are_in(&asked);
    if is_question(request) && !is_topic && target.titled(&topic).is_none() {
        return Step::Answer {
            title: None,
            question: request.trim().to_owned(),
        };
    }
    let title = title.filter(|_| !is_question(request));
    // The title of a note that the request does not name is mistaken for that of the overview.
    let is_mistaken =
        |title: &String| target.titled(title).is_some() && !phrase_stands_in(title, request);
    // A topic of which the request has no word is that of an example, or of the first note.
    let is_unasked = || {
        let mut words = said.iter().filter(|word| is_telling(word)).peekable();
        let named = title.as_deref().map(Terms::of).unwrap_or_default();
        let is_said = |word: &str| is_spelt(word, &asked) || begins_alike(word, &asked);
        words.peek().is_some()
            && !request.contains(is_unspaced)
            && !words.any(is_said)
            && !named.iter().any(is_said)
    };
    let is_mistaken = title.as_ref().is_some_and(is_mistaken) || title.is_some() && is_unasked();
    let is_list = unnamed_titles(&topic, target).len() >= UNNAMED_MIN;
    if !is_mistaken && !is_list {
        return Step::Overview { title, topic };
    }
    let of_request = bare_words(&topic).filter(|word| Terms::of(word).are_in(&asked));
    let topic = match of_request.collect::<Vec<_>>().as_slice() {
        [] => topic_of_request(target),
        [word] => with_word_before(word, target),
        words => words.join(" "),
    };
    let title = title.map(|_| with_capital(&topic));
    let title = title.filter(|it| target.titled(it).is_none());
    Step::Overview { title, topic }
}

/// Returns the word of a request that most notes have; the longest word if no word stands in several notes,
/// such as the one for an overview of all.
pub(super) fn topic_of_request(target: &Target<'_>) -> String {
    let texts: Vec<Terms> = target.notes.iter().map(|note| terms_of(note)).collect();
    let notes_with = |word: &&str| {
        let word = Terms::of(word);
        let tells = |text: &&Terms| word.iter().any(is_telling) && word.are_in(text);
        let count = texts.iter().filter(tells).count();
        if count < COVERING_NOTES_MIN { 0 } else { count }
    };
    let words = bare_words(target.request);
    let best = words.max_by_key(|word| (notes_with(word), word.chars().count()));
    best.unwrap_or_default().to_owned()
}

/// Returns a word with the one before it in the request, if several notes have both: `lindy exchange`.
fn with_word_before(word: &str, target: &Target<'_>) -> String {
    let words: Vec<&str> = bare_words(target.request).collect();
    let is_topic = |words: &&[&str]| {
        let both = Terms::of(&words.join(" "));
        let texts = target
            .all
            .iter()
            .filter(|note| both.are_in(&terms_of(note)));
        words.last() == Some(&word) && texts.count() >= COVERING_NOTES_MIN
    };
    let both = words.windows(2).find(is_topic);
    both.map_or_else(|| word.to_owned(), |words| words.join(" "))
}

/// Returns the titles that stand in a text and that the request does not name.
pub(super) fn unnamed_titles<'a>(text: &str, target: &Target<'a>) -> Vec<&'a str> {
    let titles = target.notes.iter().map(|note| note.title.as_str());
    let is_unnamed =
        |title: &&str| phrase_stands_in(title, text) && !phrase_stands_in(title, target.request);
    titles.filter(is_unnamed).collect()
}

/// Returns whether a note is short: a short list, or a few short lines.
fn is_brief(note: &Note) -> bool {
    let lines = lines_of(&note.value);
    let is_list = lines.iter().all(|line| ListMark::of(line.text).is_some());
    let is_short = note.value.chars().count() <= OVERVIEW_CHARS_MAX;
    is_short && (is_list || lines.len() <= BRIEF_LINES_MAX)
}

/// Returns the line of a note in an overview: its title and the beginning of its text.
fn summary_line(note: &Note) -> String {
    let lines = lines_of(&note.value);
    let parts: Vec<&str> = lines
        .iter()
        .map(|line| ListMark::text_of(line.text).trim())
        .filter(|line| !line.is_empty())
        .collect();
    let mut text = String::new();
    for part in parts {
        let separator = match text.chars().last() {
            None => "",
            Some(last) if last.is_alphanumeric() => ", ",
            Some(_) => " ",
        };
        if text.chars().count() + part.chars().count() > OVERVIEW_CHARS_MAX {
            text.push_str(" \u{2026}");
            break;
        }
        text.push_str(separator);
        text.push_str(part);
    }
    format!("{}: {text}", note.title)
}

/// The maximum number of notes in an overview.
const OVERVIEW_NOTES_MAX: usize = 100;

/// The number of notes with all words of a topic from which the others are not on it.
pub(super) const COVERING_NOTES_MIN: usize = 2;

/// The share of the best note's score from which a note is on the topic, in percent.
/// A note that has only the first word of `Interrail trip` is.
const SCORE_SHARE_MIN: usize = 15;

/// The maximum number of lines of a brief note that is no list.
const BRIEF_LINES_MAX: usize = 3;
