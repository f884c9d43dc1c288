//! Removals: a line, an item, or a whole note.

use super::check::{is_telling, stands_in};
use super::compose::without;
use super::effects::{Effect, missed, rewrite};
use super::evidence::{sentences_of, title_words_in};
use super::lines::{Line, ListMark, lines_of};
use super::meant_line::line;
use super::plan::Step;
use super::spans::has_digit;
use super::step_question::{Replies, StepQuestion};
use super::target::{Target, clearest};
use crate::core::notes::{Note, Terms, phrase_stands_in};

/// The number of telling words of a title from which a request speaks of its note.
const TITLE_WORDS_MIN: usize = 2;

/// The number of shared telling words from which a request means a line, and not its note.
const LINE_WORDS_MIN: usize = 2;

pub(super) fn delete(
    title: &str,
    target: &Target<'_>,
    replies: &mut Replies<'_>,
) -> Result<Vec<Effect>, StepQuestion> {
    let Some(note) = target.titled(title) else {
        let key = target.keys.iter().find(|key| *key == title.trim());
        return Ok(key.map_or_else(
            || missed(title),
            |key| vec![Effect::Forget { key: key.clone() }],
        ));
    };
    let mut lines = lines_meant(note, target.request);
    if lines.len() < 2 {
        let line = line_to_delete(note, target.request, replies)?;
        lines = line.into_iter().collect();
    }
    if lines.is_empty() {
        return Ok(vec![Effect::Delete { note: note.id }]);
    }
    // From the last one on, so that the indexes before it stay.
    let text = lines.iter().rev().fold(note.value.clone(), |text, index| {
        without(&text, *index, target.request)
    });
    Ok(vec![rewrite(note, text)])
}

/// Returns the sentences of a request that only say why a note goes. They speak of it, and what asks for
/// its deletion stands behind them, without its title: `the class is off, 4 signed up. chuck that note`.
pub fn reason_for_deletion<'a>(note: &Note, request: &'a str) -> &'a str {
    let Some(order) = sentences_of(request).pop() else {
        return "";
    };
    let before = request.strip_suffix(order).unwrap_or_default();
    let speaks_of_it = |text: &str| title_words_in(note, &Terms::of(text)) > 0;
    if speaks_of_it(before) && !speaks_of_it(order) && !has_digit(order) {
        before
    } else {
        ""
    }
}

/// Returns the only item of a list that a request speaks of in several words, if it names no other.
pub fn item_spoken_of<'a>(note: &'a Note, request: &str) -> Option<&'a str> {
    let lines = lines_of(&note.value);
    match lines_meant(note, request).as_slice() {
        [index] => lines.get(*index).map(|line| ListMark::text_of(line.text)),
        _ => None,
    }
}

/// Returns the indexes of the items of a list that a request names, each in several words.
/// Empty if it names all of them or none: then the whole note goes.
fn lines_meant(note: &Note, request: &str) -> Vec<usize> {
    let asked = Terms::of(request).without(&Terms::of(&note.title));
    let lines = lines_of(&note.value);
    let is_meant = |line: &str| {
        let own = Terms::of(line);
        let telling: Vec<&str> = own.iter().filter(|term| is_telling(term)).collect();
        let shared = telling.iter().filter(|term| asked.has(term)).count();
        let is_all = shared > 0 && shared == telling.len() && own.len() > LINE_WORDS_MIN;
        ListMark::of(line).is_some() && (shared >= LINE_WORDS_MIN || is_all)
    };
    let named = lines
        .iter()
        .enumerate()
        .filter(|(_, line)| is_meant(line.text));
    let named: Vec<usize> = named.map(|(index, _)| index).collect();
    if named.len() < lines.len() {
        named
    } else {
        Vec::new()
    }
}

/// Returns the index of the line to delete in place of its whole note, if there is one.
/// That is so if the request mentions lines of the note; the model chooses among several.
fn line_to_delete(
    note: &Note,
    request: &str,
    replies: &mut Replies<'_>,
) -> Result<Option<usize>, StepQuestion> {
    let asked = Terms::of(request).without(&Terms::of(&note.title));
    let lines = lines_of(&note.value);
    let is_told = |line: &str| {
        let line = Terms::of(line);
        let mut telling = line.iter().filter(|term| is_telling(term));
        telling.any(|term| asked.has(term))
    };
    let told = lines
        .iter()
        .enumerate()
        .filter(|(_, line)| is_told(line.text));
    let told: Vec<(usize, &str)> = told.map(|(index, line)| (index, line.text)).collect();
    if told.is_empty() || lines.len() < 2 {
        return Ok(None);
    }
    let shared = |line: &str| {
        let line = Terms::of(line);
        let telling = line
            .iter()
            .filter(|term| is_telling(term) && asked.has(term));
        telling.count()
    };
    let is_whole = phrase_stands_in(&note.title, request)
        || title_words_in(note, &Terms::of(request)) >= TITLE_WORDS_MIN;
    let is_whole_item = |line: &str| {
        let own = Terms::of(line);
        let mut telling = own.iter().filter(|term| is_telling(term));
        ListMark::of(line).is_some() && telling.all(|term| asked.has(term))
    };
    // One word of a line is a chance if the request speaks of the note, unless it is the whole item, and
    // so is one of a sentence if it has a word of the title.
    let is_spoken_of = title_words_in(note, &Terms::of(request)) > 0;
    let is_chance = |line: &str| {
        let is_item = ListMark::of(line).is_some();
        let is_named = is_whole && !is_whole_item(line) || is_spoken_of && !is_item;
        shared(line) < LINE_WORDS_MIN && is_named
    };
    if told.iter().all(|(_, line)| is_chance(line)) {
        return Ok(None);
    }
    if let [(index, line)] = told.as_slice()
        && (!is_whole || shared(line) >= LINE_WORDS_MIN)
    {
        return Ok(Some(*index));
    }
    let options = told.iter().map(|(_, line)| (*line).to_owned());
    let whole = format!("the whole note {}", note.title);
    let chosen = replies.choose(request, options.chain([whole]).collect())?;
    let line = chosen.and_then(|chosen| told.get(chosen));
    Ok(line.map(|(index, _)| *index))
}

/// Returns the only line that has the most telling words and numbers of the request.
/// They may have any form. Those of the title do not count. The note must have several lines.
fn line_spoken_of<'a>(note: &'a Note, request: &str) -> Option<(usize, &'a str)> {
    let asked = Terms::of(request).without(&Terms::of(&note.title));
    let lines = lines_of(&note.value);
    let shared = |line: &(usize, &str)| {
        let line = Terms::of(line.1);
        let is_number = |term: &str| term.starts_with(|it: char| it.is_ascii_digit());
        let is_in = |term: &&str| {
            is_telling(term) && stands_in(term, &line) || is_number(term) && line.has(term)
        };
        asked.iter().filter(is_in).count()
    };
    let lines = lines.iter().map(|line| line.text).enumerate();
    let lines: Vec<(usize, &str)> = lines.collect();
    clearest(&lines, shared).filter(|_| lines.len() > 1)
}

/// Returns whether a text has a word of `what` that tells what is meant: a telling word or the last one,
/// as in `green tea`. An article is none, if `what` says more.
fn is_anywhere_in(text: &str, what: &str) -> bool {
    let (own, wanted) = (Terms::of(text), Terms::of(what));
    let telling: Vec<&str> = wanted.iter().filter(|term| is_telling(term)).collect();
    let last = Terms::of(what.split_whitespace().last().unwrap_or_default());
    telling.iter().any(|term| stands_in(term, &own))
        || last.shared(&own) > 0
        || telling.is_empty() && wanted.shared(&own) > 0
}

pub(super) fn remove(
    note: &Note,
    what: &str,
    request: &str,
    replies: &mut Replies<'_>,
) -> Result<Vec<Effect>, StepQuestion> {
    // The title in `the sentence about the lights in my court note` says nothing of the line.
    let untitled = what
        .to_lowercase()
        .replacen(&note.title.to_lowercase(), "", 1);
    let is_left = Terms::of(&untitled).iter().any(is_telling);
    let what = if is_left && phrase_stands_in(&note.title, what) {
        untitled.as_str()
    } else {
        what
    };
    // A text that is nowhere cannot be removed: a choice among other lines would lose one of them.
    if !is_anywhere_in(&note.value, what) {
        return Ok(match line_spoken_of(note, request) {
            Some((index, line)) => vec![rewrite(note, without(&note.value, index, line))],
            None => missed(what),
        });
    }
    let Some(index) = line(&note.value, what, request, replies)? else {
        return Ok(missed(what));
    };
    let text = without(&note.value, index, what);
    // A note that is no list would be empty: it is deleted on request only.
    if text.trim().is_empty() && ListMark::of(&note.value).is_none() {
        return Ok(missed(what));
    }
    Ok(vec![rewrite(note, text)])
}

/// Returns a plan whose moved items are whole ones: `3 metres of hessian` in place of `hessian`. A request with a
/// number may move a part.
pub(super) fn with_moved_items(mut steps: Vec<Step>, target: &Target<'_>) -> Vec<Step> {
    if has_digit(target.request) {
        return steps;
    }
    let pairs = steps.iter().enumerate().flat_map(|(at, step)| {
        let others = steps.iter().enumerate();
        others.filter_map(move |(to, other)| Some((at, to, item_to_move(step, other, target)?)))
    });
    let moved: Vec<(usize, usize, String)> = pairs.collect();
    for (at, to, item) in moved {
        if let Some(Step::Remove { what, .. }) = steps.get_mut(at) {
            what.clone_from(&item);
        }
        if let Some(Step::Add { text, .. }) = steps.get_mut(to) {
            *text = item;
        }
    }
    steps
}

/// Returns the whole item of a list that one step removes, if another one adds the same to another note.
/// `None` if the line enumerates several items, or if several lines have it.
fn item_to_move(step: &Step, other: &Step, target: &Target<'_>) -> Option<String> {
    let (
        Step::Remove {
            note: Some(from),
            what,
        },
        Step::Add {
            note: Some(to),
            text,
        },
    ) = (step, other)
    else {
        return None;
    };
    let gone = Terms::of(what);
    let note = target
        .titled(from)
        .filter(|_| from != to && gone == Terms::of(text))?;
    let has_it =
        |line: &&Line<'_>| ListMark::of(line.text).is_some() && gone.are_in(&Terms::of(line.text));
    let lines = lines_of(&note.value);
    let mut found = lines.iter().filter(has_it);
    let line = found
        .next()
        .filter(|_| !gone.is_empty() && found.next().is_none())?;
    let item = ListMark::text_of(line.text);
    (!item.contains(", ")).then(|| item.to_owned())
}

#[cfg(test)]
mod tests {
    use super::super::sample_note as note;
    use super::lines_meant;

    #[test]
    fn of_a_list_the_named_items_go() {
        let text =
            "- early repayment: what does it cost?\n- fixed for 10 years?\n- who pays the valuer?";
        let questions = note(1, "Mortgage questions", text);
        let request = "The bank answered two of my mortgage questions, the early repayment one and who pays the valuer. You can delete those two.";
        assert_eq!(lines_meant(&questions, request), [0, 2]);
        assert!(lines_meant(&questions, "delete the mortgage questions").is_empty());
    }
}
