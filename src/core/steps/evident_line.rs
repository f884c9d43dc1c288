//! The lines of notes that are the answer to a question by their own words, whatever a model says of it.

use super::check::{contains, is_telling, stands_in};
use super::evidence::{label_of, text_of};
use super::lines::ListMark;
use super::lookup::{NoteLines, OVERVIEW_CHARS_MAX};
use super::spans::{form_of, numbers_of};
use super::target::clearest;
use crate::core::notes::{Note, Terms, is_unspaced};
use crate::ids::NoteId;
use std::collections::BTreeSet;

/// The number of telling words of a question from which a line is the answer.
const EVIDENT_WORDS_MIN: usize = 2;

/// Returns an answer without the last clause behind a comma, if none of its telling words stands in the
/// lines: `Kainz comes at 7:45, costs ten films`.
pub(super) fn without_invention(answer: &str, shown: &[NoteLines<'_>]) -> String {
    let lines = shown.iter().flat_map(|(_, lines)| lines.iter());
    let own = lines.fold(Terms::default(), |all, line| all.with(&Terms::of(line)));
    let invents = |clause: &str| {
        let said = Terms::of(clause);
        let mut telling = said.iter().filter(|term| is_telling(term)).peekable();
        telling.peek().is_some() && !telling.any(|term| stands_in(term, &own))
    };
    match answer.rsplit_once(", ") {
        Some((rest, last)) if !answer.contains(is_unspaced) && invents(last) && !invents(rest) => {
            format!("{rest}.")
        }
        _ => answer.to_owned(),
    }
}

/// Returns the only line `LABEL: ...` that an answer in other words comes from.
/// The question names the label, and the answer adds a word of that line.
pub(super) fn line_meant<'a>(
    reply: &str,
    question: &str,
    shown: &[NoteLines<'a>],
) -> Option<&'a str> {
    let asked = Terms::of(question);
    let added = Terms::of(reply).without(&asked);
    let tells = |term: &str| is_telling(term) || term.starts_with(|it: char| it.is_ascii_digit());
    let is_meant = |line: &&str| {
        let label = label_of(line).map(Terms::of);
        let is_named = label.is_some_and(|label| !label.is_empty() && label.are_in(&asked));
        let line = Terms::of(line);
        is_named && added.iter().any(|term| tells(term) && line.has(term))
    };
    let line = only_line(shown, is_meant)?;
    let is_made_up = |number: &&str| !contains(line, number) && !contains(question, number);
    (!numbers_of(reply).iter().any(is_made_up)).then(|| ListMark::text_of(line))
}

/// Returns the only line `LABEL: ...` whose label stands in a question.
/// It is the answer if a model looked in another line.
pub(super) fn line_asked_for<'a>(question: &str, shown: &[NoteLines<'a>]) -> Option<&'a str> {
    let asked = Terms::of(question);
    let is_asked_for = |line: &&str| {
        let label = label_of(line).map(Terms::of);
        label.is_some_and(|label| {
            label.iter().any(is_telling) && label.iter().all(|term| stands_in(term, &asked))
        })
    };
    only_line(shown, is_asked_for).map(ListMark::text_of)
}

/// Returns the only line that satisfies a condition, if it is short enough for an answer.
fn only_line<'a>(shown: &[NoteLines<'a>], is_meant: impl Fn(&&str) -> bool) -> Option<&'a str> {
    let lines = shown.iter().flat_map(|(_, lines)| lines.iter().copied());
    let mut found = lines.filter(is_meant);
    let line = found.next().filter(|_| found.next().is_none())?;
    fits_answer(line).then_some(line)
}

/// Returns whether a line is short enough for an answer.
fn fits_answer(line: &str) -> bool {
    line.chars().count() <= OVERVIEW_CHARS_MAX
}

/// Returns the line whose label a question names, if an answer has nothing of it.
pub(super) fn line_missed<'a>(
    reply: &str,
    question: &str,
    shown: &[NoteLines<'a>],
) -> Option<&'a str> {
    let line = line_asked_for(question, shown)?;
    let told = Terms::of(reply).without(&Terms::of(question));
    let is_other = !told.is_empty() && told.shared(&Terms::of(line)) == 0;
    // A value that stands in no line is the model's own, and is judged as such.
    let mut lines = shown.iter().flat_map(|(_, lines)| lines.iter());
    let is_of_another = lines.any(|line| told.are_in(&Terms::of(line)));
    (is_other && is_of_another).then_some(line)
}

/// Returns the only line with a number of the same form as one of a question, in the only note whose title
/// the question names: it says whether `it comes on the 15th` is right.
pub(super) fn line_in_question<'a>(question: &str, shown: &[NoteLines<'a>]) -> Option<&'a str> {
    let titled = only_titled(&Terms::of(question), shown)?;
    let forms: Vec<String> = numbers_of(question).into_iter().map(form_of).collect();
    let is_alike = |number: &&str| forms.contains(&form_of(number));
    let has_alike = |line: &&str| numbers_of(line).iter().any(is_alike);
    only_line(std::slice::from_ref(titled), has_alike).map(ListMark::text_of)
}

/// Returns the only note whose title has a telling word of a question, with its lines.
fn only_titled<'a, 'b>(asked: &Terms, shown: &'b [NoteLines<'a>]) -> Option<&'b NoteLines<'a>> {
    let mut titled = shown.iter().filter(|(note, _)| is_titled(note, asked));
    titled.next().filter(|_| titled.next().is_none())
}

/// Returns whether the title of a note has a telling word of a question.
fn is_titled(note: &Note, asked: &Terms) -> bool {
    let title = Terms::of(&note.title);
    title.iter().any(|term| is_telling(term) && asked.has(term))
}

/// Returns the line that the words of a question point at, whatever a model says of it.
/// It has two telling words of the question beside those of its note's title; or one such word, and
/// the model's reply consists of its words. Of several notes, each gives its line.
/// `None` if two lines of a note are alike in this.
pub(super) fn evident_answer(
    reply: &str,
    question: &str,
    shown: &[NoteLines<'_>],
) -> Option<String> {
    let (asked, said) = (Terms::of(question), Terms::of(reply));
    let words = |note: &Note, line: &str| {
        let (title, own) = (Terms::of(&note.title), Terms::of(line));
        let is_there = |number: &&str| contains(line, number) || contains(&note.title, number);
        if !numbers_of(question).iter().all(is_there) {
            return 0;
        }
        let named = is_titled(note, &asked);
        let telling = asked
            .iter()
            .filter(|term| is_telling(term) && !title.has(term));
        let (has, lacks): (Vec<&str>, Vec<&str>) = telling.partition(|it| stands_in(it, &own));
        let count = has.len();
        // Another line with a word that this one lacks may be asked for as well.
        let is_rivalled = || {
            let others = shown.iter().filter(|(it, _)| it.id == note.id);
            let others = others.flat_map(|(_, lines)| lines);
            let mut others = others.map(|it| Terms::of(it));
            others.any(|other| lacks.iter().any(|it| stands_in(it, &other)))
        };
        let is_repeated = named && !said.is_empty() && said.are_in(&own) && !is_rivalled();
        if is_repeated || count >= EVIDENT_WORDS_MIN {
            count
        } else {
            0
        }
    };
    let lines = shown.iter().flat_map(|(note, lines)| {
        let lines = lines.iter().map(|line| (words(note, line), *note, *line));
        lines.collect::<Vec<_>>()
    });
    let lines: Vec<(usize, &Note, &str)> = lines.filter(|(count, ..)| *count > 0).collect();
    let best = lines.iter().map(|(count, ..)| *count).max()?;
    let found: Vec<(&Note, &str)> = lines
        .iter()
        .filter(|(count, ..)| *count == best)
        .map(|(_, note, line)| (*note, *line))
        .collect();
    let is_any_titled = found.iter().any(|(note, _)| is_titled(note, &asked));
    let found: Vec<(&Note, &str)> = found
        .into_iter()
        .filter(|(note, _)| !is_any_titled || is_titled(note, &asked))
        .collect();
    let notes: BTreeSet<NoteId> = found.iter().map(|(note, _)| note.id).collect();
    if notes.len() < found.len() || !found.iter().all(|(_, line)| fits_answer(line)) {
        return None;
    }
    if let [(_, line)] = found.as_slice() {
        return Some(ListMark::text_of(line).to_owned());
    }
    let lines = found.iter();
    let lines = lines.map(|(note, line)| format!("{}: {}", note.title, ListMark::text_of(line)));
    Some(lines.collect::<Vec<_>>().join("\n"))
}

/// Returns the only line that the words of a question point at, if an answer comes from lines that share
/// far fewer of them. The titles of the notes count with their lines.
pub(super) fn evident_elsewhere<'a>(
    reply: &str,
    question: &str,
    shown: &[NoteLines<'a>],
) -> Option<&'a str> {
    // Scripts without spaces have no words to count.
    if question.contains(is_unspaced) {
        return None;
    }
    let asked = Terms::of(question);
    let own = Terms::of(reply).without(&asked);
    let shared = |text: &str| {
        let text = Terms::of(text);
        let telling = asked.iter().filter(|term| is_telling(term));
        telling.filter(|term| stands_in(term, &text)).count()
    };
    // A short word of a title tells, too, if no other note has it: `Dig log`.
    let short = |note: &Note| {
        let others = shown.iter().filter(|(other, _)| other.id != note.id);
        let others: Vec<Terms> = others
            .map(|(other, _)| Terms::of(&text_of(other)))
            .collect();
        let title = Terms::of(&note.title);
        let own = title
            .iter()
            .filter(|term| !is_telling(term) && asked.has(term));
        own.filter(|term| !others.iter().any(|other| other.has(term)))
            .count()
    };
    let lines = shown.iter().flat_map(|(note, lines)| {
        let short = short(note);
        let count = |line: &str| short + shared(&[&note.title, "\n", line].concat());
        let lines = lines.iter().map(|line| (count(line), *line));
        lines.collect::<Vec<_>>()
    });
    let lines: Vec<(usize, &str)> = lines.collect();
    let (best, line) = clearest(&lines, |(count, _)| *count)?;
    let behind = lines.iter().filter(|(_, line)| is_behind(&own, line));
    let most = behind.map(|(count, _)| *count).max()?;
    let is_evident = shared(line) >= EVIDENT_WORDS_MIN && best >= most + EVIDENT_WORDS_MIN;
    (is_evident && fits_answer(line) && !is_behind(&own, line)).then(|| ListMark::text_of(line))
}

/// Returns the only line that has all words of a request which the lines behind an answer have, and more of
/// them. The titles of the notes count with their lines. Of 10 questions of the sets of tasks whose first
/// answer has such a line, it is the right one for all.
pub(super) fn line_with_more_words<'a>(
    reply: &str,
    question: &str,
    request: &str,
    shown: &[NoteLines<'a>],
) -> Option<&'a str> {
    if question.contains(is_unspaced) {
        return None;
    }
    let asked = Terms::of(&[request, " ", question].concat());
    let said = Terms::of(reply).without(&asked);
    // Short words tell something in a title or a label, too, and what one of the titles tells.
    let titles = shown.iter().map(|(note, _)| Terms::of(&note.title));
    let titles = titles.fold(Terms::default(), |all, title| all.with(&title));
    let words_in = |line: &str| -> BTreeSet<&str> {
        let (own, label) = (Terms::of(line), label_of(line).map(Terms::of));
        let is_had = |term: &&str| {
            is_telling(term) && stands_in(term, &own)
                || titles.has(term) && own.has(term)
                || label.as_ref().is_some_and(|label| label.has(term))
        };
        asked.iter().filter(is_had).collect()
    };
    let mut found: Vec<(BTreeSet<&str>, &str)> = Vec::new();
    let mut spoken_of: Vec<&str> = Vec::new();
    for (note, lines) in shown {
        let title = Terms::of(&note.title);
        let is_titled =
            |term: &&str| title.has(term) || is_telling(term) && stands_in(term, &title);
        let titled: BTreeSet<&str> = asked.iter().filter(is_titled).collect();
        for &line in lines {
            let own = words_in(line);
            spoken_of.extend((!own.is_empty()).then_some(line));
            found.push((&titled | &own, line));
        }
    }
    let behind: Vec<&BTreeSet<&str>> = found
        .iter()
        .filter(|(_, line)| is_behind(&said, line))
        .map(|(words, _)| words)
        .collect();
    let has_more = |words: &BTreeSet<&str>, other: &BTreeSet<&str>| {
        words.len() > other.len() && words.is_superset(other)
    };
    let better = found.iter().filter(|(words, line)| {
        spoken_of.contains(line) && behind.iter().all(|other| has_more(words, other))
    });
    let better: Vec<&(BTreeSet<&str>, &str)> = better.collect();
    let (most, line) = better.iter().max_by_key(|(words, _)| words.len())?;
    let is_only = better
        .iter()
        .all(|(words, other)| other == line || has_more(most, words));
    (!said.is_empty() && !behind.is_empty() && is_only && fits_answer(line))
        .then(|| ListMark::text_of(line))
}

/// Returns whether at least half of the words of an answer, `said`, stand in a line.
fn is_behind(said: &Terms, line: &str) -> bool {
    Terms::of(line).shared(said) * 2 >= said.len().max(1)
}
