//! Cuts a text visibly: a mark says how much is left out and how to get it.
//! Every cut text is a piece of the original and a mark with correct numbers.

use crate::limits::STORAGE_WRITTEN_BYTES_MAX;
use std::collections::BTreeSet;

/// The maximum number of characters by which a cut moves to lie between two words.
const WORD_CHARS: usize = 16;

/// The divisor that gives the share of the end in the kept characters, if the end matters too.
const END_KEEPS_ONE_IN: usize = 3;

/// The largest number in a mark that the program can have written.
/// No text is longer. A mark with a larger number is part of the text, whoever wrote it.
const LEFT_OUT_MAX: usize = STORAGE_WRITTEN_BYTES_MAX;

/// The text of the mark in front of a passage, after its number.
const BEFORE: &str = " characters before) ...";

/// The text of the mark behind a piece, after its number.
const BEHIND: &str = " more characters";

/// The text of that mark before its number.
const FRONT: &str = "... (";

/// The texts before and after the number of each mark.
const MARKS: [(&str, &str); 2] = [(FRONT, BEHIND), ("(", BEFORE)];

/// Returns the first `chars` characters, with a mark that counts the others.
/// Empty for 0.
pub fn shorten(text: &str, chars: usize) -> String {
    if chars == 0 {
        return String::new();
    }
    match text.char_indices().nth(chars) {
        None => text.to_owned(),
        Some((at, _)) => {
            let (kept, rest) = text.split_at(at);
            format!("{kept}{}", mark(rest.chars().count(), ""))
        }
    }
}

/// Returns about `chars` characters around the place where most words of a search stand.
/// Marks count what is left out before and after. A text that is short enough stays as it is.
/// `places` holds the characters at which words begin, each with the number of its word; sorted.
pub fn passage(text: &str, places: &[(usize, usize)], chars: usize) -> String {
    let from = passage_start(text, places, chars);
    let start = text.char_indices().nth(from).map_or(0, |(at, _)| at);
    let rest = text.get(start..).unwrap_or_default();
    mark_before(from) + &shorten(rest, chars)
}

/// Returns the character from which a passage shows a text.
pub(super) fn passage_start(text: &str, places: &[(usize, usize)], chars: usize) -> usize {
    let total = text.chars().count();
    if total <= chars {
        return 0;
    }
    // The text just before the words belongs to them.
    let from = place_of(places, chars).saturating_sub(chars / 4);
    word_start(text, from).min(total - chars)
}

/// Returns the mark in front of a text for `left_out` characters; empty for 0.
pub(super) fn mark_before(left_out: usize) -> String {
    if left_out == 0 {
        String::new()
    } else {
        format!("({left_out}{BEFORE}")
    }
}

/// Returns a text shortened to `chars` characters, whose own mark at the end counts on.
pub fn shorten_more(text: &str, chars: usize) -> String {
    let cut = cut_end(text, "", chars, |_| true);
    cut.unwrap_or_else(|| text.to_owned())
}

/// Returns the marks in a text, each with its number of left out characters.
/// A mark is given by the part that does not depend on where it leads.
pub fn marks(text: &str) -> impl Iterator<Item = (&str, usize)> {
    MARKS.into_iter().flat_map(move |(front, behind)| {
        text.match_indices(behind).filter_map(move |(at, _)| {
            let before = text.get(..at)?;
            let head = before.trim_end_matches(|c: char| c.is_ascii_digit());
            let left_out = before.get(head.len()..)?.parse().ok()?;
            let from = head.strip_suffix(front)?.len();
            Some((text.get(from..at + behind.len())?, left_out))
        })
    })
}

/// Returns the character from which most of the words stand close together.
fn place_of(places: &[(usize, usize)], chars: usize) -> usize {
    let close = |first: usize| {
        let near = places.iter().skip(first);
        let near = near.take_while(|(place, _)| *place < places[first].0 + chars);
        near.map(|(_, number)| number)
            .collect::<BTreeSet<_>>()
            .len()
    };
    // Of several equally good places `max_by_key` gives the last one.
    let best = (0..places.len()).rev().max_by_key(|first| close(*first));
    best.map_or(0, |best| places[best].0)
}

/// Returns the character, or one slightly later where a word begins.
fn word_start(text: &str, from: usize) -> usize {
    let before = from.saturating_sub(1);
    let blank = text.chars().skip(before).take(WORD_CHARS);
    let blank = blank.enumerate().find(|(_, c)| c.is_whitespace());
    match blank {
        Some((at, _)) if from > 0 => before + at + 1,
        Some(_) | None => from,
    }
}

/// Cuts a text to as much of its beginning as `fits` accepts, with a mark at the end.
/// The text must be longer than that. `None` if not even the mark fits. At most `chars_max`
/// characters are considered.
pub(super) fn cut_end(
    text: &str,
    way_back: &str,
    chars_max: usize,
    fits: impl Fn(&str) -> bool,
) -> Option<String> {
    let (text, missing) = without_mark(text, way_back);
    let (before, text) = text.split_at(length_of_mark_before(text));
    let total = text.chars().count();
    let mark = |chars| mark(total - chars + missing, way_back);
    cut_behind(before, text, chars_max, mark, fits).map(|(cut, _)| cut)
}

/// Cuts `text` to as much of its beginning as `fits` accepts between `before` and its mark.
/// Also returns the number of kept characters.
pub(super) fn cut_behind(
    before: &str,
    text: &str,
    chars_max: usize,
    mark: impl Fn(usize) -> String,
    fits: impl Fn(&str) -> bool,
) -> Option<(String, usize)> {
    let ends = ends(text, chars_max);
    let cut = |chars: usize| {
        let kept = ends.get(chars).and_then(|end| text.get(..*end));
        format!("{before}{}{}", kept.unwrap_or_default(), mark(chars))
    };
    let last = ends.len().min(text.chars().count()).checked_sub(1)?;
    let chars = most(last, |chars| fits(&cut(chars)))?;
    let between_words = word_end(text, &ends, chars);
    let tidy = cut(between_words);
    Some(if fits(&tidy) {
        (tidy, between_words)
    } else {
        (cut(chars), chars)
    })
}

/// Cuts a text to as much of its beginning and its end as `fits` accepts, with a mark between.
/// The end is half as long as the beginning. `None` if not even the mark fits.
pub(super) fn cut_middle(
    text: &str,
    way_back: &str,
    chars_max: usize,
    fits: impl Fn(&str) -> bool,
) -> Option<String> {
    let total = text.chars().count();
    let ends = ends(text, total);
    let at = |chars: usize| ends.get(chars).copied().unwrap_or(text.len());
    let cut = |chars: usize| {
        let tail = chars / END_KEEPS_ONE_IN;
        let head = text.get(..at(chars - tail)).unwrap_or_default();
        let end = text.get(at(total - tail)..).unwrap_or_default();
        let mark = mark(total - chars, way_back);
        if end.is_empty() {
            format!("{head}{mark}")
        } else {
            format!("{head}{mark} ...{end}")
        }
    };
    let last = total.min(chars_max).checked_sub(1)?;
    most(last, |chars| fits(&cut(chars))).map(cut)
}

/// Returns the mark for `left_out` characters.
pub(super) fn mark(left_out: usize, way_back: &str) -> String {
    format!("{FRONT}{left_out}{BEHIND}{way_back})")
}

/// Returns a text without the mark of an earlier cut, and the number in that mark.
fn without_mark<'t>(text: &'t str, way_back: &str) -> (&'t str, usize) {
    let read = || {
        let marked = text.strip_suffix(')')?;
        let marked = marked.strip_suffix(way_back).unwrap_or(marked);
        let numbered = marked.strip_suffix(BEHIND)?;
        let (kept, number) = numbered.rsplit_once(FRONT)?;
        let left_out: usize = number.parse().ok()?;
        (left_out <= LEFT_OUT_MAX).then_some((kept, left_out))
    };
    read().unwrap_or((text, 0))
}

/// Returns the length of the mark that begins a passage, in bytes.
fn length_of_mark_before(text: &str) -> usize {
    let read = || {
        let (number, _) = text.strip_prefix('(')?.split_once(BEFORE)?;
        let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then_some(1 + number.len() + BEFORE.len())
    };
    read().unwrap_or_default()
}

/// Returns the byte positions behind the first `chars_max` characters, after a 0.
fn ends(text: &str, chars_max: usize) -> Vec<usize> {
    let behind = text.char_indices().map(|(at, c)| at + c.len_utf8());
    std::iter::once(0).chain(behind.take(chars_max)).collect()
}

/// Returns the largest number up to `last` that fits, if all smaller ones fit.
fn most(last: usize, fits: impl Fn(usize) -> bool) -> Option<usize> {
    if !fits(0) {
        return None;
    }
    let (mut good, mut bad) = (0, last + 1);
    while bad - good > 1 {
        let middle = usize::midpoint(good, bad);
        if fits(middle) {
            good = middle;
        } else {
            bad = middle;
        }
    }
    Some(good)
}

/// Returns the number of characters, or a slightly smaller one where a word ends.
fn word_end(text: &str, ends: &[usize], chars: usize) -> usize {
    let is_blank = |chars: usize| {
        let next = ends.get(chars).and_then(|end| text.get(*end..));
        let next = next.and_then(|rest| rest.chars().next());
        next.is_none_or(char::is_whitespace)
    };
    let from = chars.saturating_sub(WORD_CHARS);
    (from..=chars)
        .rev()
        .find(|at| is_blank(*at))
        .unwrap_or(chars)
}
