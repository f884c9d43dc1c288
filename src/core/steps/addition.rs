//! Additions to a note: an item of its list, a part of one of its lines, a tick, a sentence.

use super::assignment::filled;
use super::checkboxes::has_box;
use super::compose::{appended, with_line};
use super::effects::{Effect, rewrite, says};
use super::evidence::{labelled_line, sentence_of, words_around};
use super::lines::{ListMark, lines_of};
use super::plan::Step;
use super::step_question::{Replies, StepQuestion};
use super::target::{NONE_OF_THESE, Target};
use crate::core::notes::{Note, Terms, is_unspaced};

/// The maximum number of words beside those of an open item in a text that reports it as done.
const OTHER_WORDS_MAX: usize = 4;

/// The minimum length of a word that has other forms, in bytes.
const FORM_CHARS_MIN: usize = 3;

/// The maximum length of an item that is put into the characters of the request.
const ITEM_CHARS_MAX: usize = 8;

/// Returns whether an item ends before a character.
const fn is_item_end(it: char) -> bool {
    matches!(it, '\n' | '\u{3001}' | '\u{ff0c}')
}

/// Returns an addition in the characters of the request.
/// A model may write those of another language in their place, such as simplified Chinese ones.
pub(super) fn in_script_of(step: Step, request: &str) -> Step {
    let Step::Add { note, text } = step else {
        return step;
    };
    let asked: Vec<char> = request.chars().collect();
    let as_asked = |item: &str| {
        let own: Vec<char> = item.chars().collect();
        let is_other = item.contains(is_unspaced) && !request.contains(item);
        let shared = |part: &[char]| {
            part.iter()
                .zip(&own)
                .filter(|(one, other)| one == other)
                .count()
        };
        let parts = asked
            .windows(own.len().max(1))
            .filter(|_| is_other && own.len() <= ITEM_CHARS_MAX);
        let best = parts.max_by_key(|part| shared(part));
        let best = best.filter(|part| shared(part) * 2 >= own.len());
        best.map_or_else(|| item.to_owned(), |part| part.iter().collect())
    };
    let items = text.split_inclusive(is_item_end).map(|item| {
        let own = item.trim_end_matches(is_item_end);
        [&as_asked(own), item.get(own.len()..).unwrap_or_default()].concat()
    });
    Step::Add {
        note,
        text: items.collect(),
    }
}

pub(super) fn add(note: &Note, text: &str, request: &str) -> Vec<Effect> {
    let text = without_title(text, &note.title);
    if says(note, text) {
        return vec![Effect::Present { note: note.id }];
    }
    if let Some((index, line)) = filled(note, text, request) {
        return vec![rewrite(note, with_line(&note.value, index, &line))];
    }
    // A text for one of several lines goes there: `Nils: climbing gloves`.
    let around = words_around(sentence_of(request, text), text).without(&Terms::of(&note.title));
    let lines = lines_of(&note.value);
    if let Some(index) = labelled_line(&note.value, &around)
        && let Some(line) = lines.get(index)
        && lines.len() > 1
    {
        let line = appended_to_label(line.text, text);
        return vec![rewrite(note, with_line(&note.value, index, &line))];
    }
    let text = if has_box(&note.value) {
        if let Some(index) = done_item(&note.value, text) {
            return vec![rewrite(note, ticked(&note.value, index))];
        }
        text
    } else {
        text.trim_start_matches("[x] ")
    };
    vec![rewrite(note, appended(&note.value, text))]
}

/// Returns a line `LABEL: ...` with an addition behind its value.
fn appended_to_label(line: &str, text: &str) -> String {
    let items: Vec<&str> = text.trim().trim_end_matches('.').lines().collect();
    let text = items.join(", ");
    match line.strip_suffix('.') {
        Some(line) => format!("{line}, {text}."),
        None => format!("{line}, {text}"),
    }
}

/// The maximum length of a word between an addition and the title of its note, in letters.
const PREPOSITION_CHARS_MAX: usize = 4;

/// Returns an addition without the title of its note: `pliers to the tool box`.
fn without_title<'a>(text: &'a str, title: &str) -> &'a str {
    let said = text.trim_end_matches(['.', ' ']);
    let at = said.len().saturating_sub(title.len());
    let Some((head, tail)) = said.split_at_checked(at) else {
        return text;
    };
    let mut head = head.trim_end();
    if !tail.eq_ignore_ascii_case(title) || head.is_empty() {
        return text;
    }
    let mut words = 0;
    while let Some((rest, word)) = head.rsplit_once(' ')
        && word.chars().count() <= PREPOSITION_CHARS_MAX
    {
        head = rest.trim_end();
        words += 1;
    }
    if words > 0 { head } else { text }
}

/// Returns the index of the only open item that a text reports as done.
/// The text says the same in other forms of its words.
fn done_item(note: &str, text: &str) -> Option<usize> {
    let said = Terms::of(text);
    let is_form = |one: &str, other: &str| one.starts_with(other) || other.starts_with(one);
    let lines = lines_of(note);
    let mut items = lines.iter().enumerate().filter(|(_, line)| {
        let item = Terms::of(ListMark::text_of(line.text));
        let mut words = item.iter().filter(|word| word.len() >= FORM_CHARS_MIN);
        let is_said = |word: &str| said.iter().any(|it| is_form(it, word));
        line.text.contains("[ ]") && item.len() > 1 && words.all(is_said)
    });
    let (index, _) = items.next()?;
    items.next().is_none().then_some(index)
}

/// Returns the open item that a new text reports as done, with its note and the index of its line.
/// The text has all its words and few others, and the model confirms it.
pub(super) fn done_in_fact<'a>(
    text: &str,
    target: &Target<'a>,
    replies: &mut Replies<'_>,
) -> Result<Option<(&'a Note, usize)>, StepQuestion> {
    let said = Terms::of(text);
    let is_told = |line: &str| {
        let item = Terms::of(ListMark::text_of(line));
        let is_near = said.len() <= item.len() + OTHER_WORDS_MAX;
        line.contains("[ ]") && item.len() > 1 && is_near && item.are_in(&said)
    };
    for note in target.notes {
        for (index, line) in lines_of(&note.value).iter().enumerate() {
            if is_told(line.text) {
                let item = line.text.replacen("[ ]", "[x]", 1);
                let options = vec![format!("{}: {item}", note.title), NONE_OF_THESE.to_owned()];
                let chosen = replies.choose(target.request, options)?;
                return Ok((chosen == Some(0)).then_some((*note, index)));
            }
        }
    }
    Ok(None)
}

/// Returns a text with the line at an index ticked.
pub(super) fn ticked(note: &str, index: usize) -> String {
    let lines = lines_of(note);
    let line = lines.get(index).map_or("", |line| line.text);
    with_line(note, index, &line.replacen("[ ]", "[x]", 1))
}
