//! Cutting a text so that it shows: what is left out, how much it is, and how to get at it.
//! Every cut text is a piece of the original and a mark whose numbers are right.

use crate::limits::STORAGE_WRITTEN_BYTES_MAX;
use std::collections::BTreeSet;

/// Characters that a cut moves at most, to lie between two words.
const WORD_CHARS: usize = 16;

/// Of a text whose end matters too, the end keeps one character in so many of what is kept.
const END_KEEPS_ONE_IN: usize = 3;

/// Most characters that a mark can be ours for: no text that anybody writes is longer. One that counts
/// more is part of the text, whoever wrote it.
const LEFT_OUT_MAX: usize = STORAGE_WRITTEN_BYTES_MAX;

/// How the mark in front of a passage goes on behind its number.
const BEFORE: &str = " characters before) ...";

/// How the mark behind a piece goes on behind its number.
const BEHIND: &str = " more characters";

/// How that mark begins, in front of its number.
const FRONT: &str = "... (";

/// What stands in front of the number of each mark, and behind it.
const MARKS: [(&str, &str); 2] = [(FRONT, BEHIND), ("(", BEFORE)];

/// The first `chars` characters, with a mark that says how many are left out; nothing for none.
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

/// About `chars` characters around the place where most words of a search stand, with marks for what is
/// left out before and after. A text that is short enough stays as it is. `places` says at which
/// characters words begin, and which of them; sorted.
pub fn passage(text: &str, places: &[(usize, usize)], chars: usize) -> String {
    let from = passage_start(text, places, chars);
    let start = text.char_indices().nth(from).map_or(0, |(at, _)| at);
    let rest = text.get(start..).unwrap_or_default();
    mark_before(from) + &shorten(rest, chars)
}

/// From which character on a passage shows a text.
pub(super) fn passage_start(text: &str, places: &[(usize, usize)], chars: usize) -> usize {
    let total = text.chars().count();
    if total <= chars {
        return 0;
    }
    // A little of what leads up to the words belongs to them.
    let from = place_of(places, chars).saturating_sub(chars / 4);
    word_start(text, from).min(total - chars)
}

/// The mark in front of a text of which so many characters are left out there; nothing for none.
pub(super) fn mark_before(left_out: usize) -> String {
    if left_out == 0 {
        String::new()
    } else {
        format!("({left_out}{BEFORE}")
    }
}

/// The same text, shortened to so many characters, where its own mark at the end counts on.
pub fn shorten_more(text: &str, chars: usize) -> String {
    let cut = cut_end(text, "", chars, |_| true);
    cut.unwrap_or_else(|| text.to_owned())
}

/// The marks in a text, each as it stands there as far as all its numbers have it in common, with how
/// many characters it says are left out.
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

/// The character from which on most of the words stand close together.
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

/// The same character, or a few on where a word begins.
fn word_start(text: &str, from: usize) -> usize {
    let before = from.saturating_sub(1);
    let blank = text.chars().skip(before).take(WORD_CHARS);
    let blank = blank.enumerate().find(|(_, c)| c.is_whitespace());
    match blank {
        Some((at, _)) if from > 0 => before + at + 1,
        Some(_) | None => from,
    }
}

/// As much of the beginning as `fits` grants, with a mark at the end; the text has more than that.
/// `None` when not even the mark fits. No more than `chars_max` characters are looked at.
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

/// As much of the beginning of `text` as `fits` grants behind `before` and in front of its mark, and how
/// many characters that is.
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

/// As much as `fits` grants of the beginning and, half as much, of the end, with a mark between.
/// `None` when not even the mark fits.
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

/// The mark for so many characters that are left out.
pub(super) fn mark(left_out: usize, way_back: &str) -> String {
    format!("{FRONT}{left_out}{BEHIND}{way_back})")
}

/// A text that was cut already, without its mark, and how many characters that one counted.
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

/// Bytes of the mark that a passage begins with.
fn length_of_mark_before(text: &str) -> usize {
    let read = || {
        let (number, _) = text.strip_prefix('(')?.split_once(BEFORE)?;
        let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then_some(1 + number.len() + BEFORE.len())
    };
    read().unwrap_or_default()
}

/// The byte behind each of the first `chars_max` characters, and 0 in front.
fn ends(text: &str, chars_max: usize) -> Vec<usize> {
    let behind = text.char_indices().map(|(at, c)| at + c.len_utf8());
    std::iter::once(0).chain(behind.take(chars_max)).collect()
}

/// The largest number up to `last` that fits, where all smaller ones do.
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

/// The same number of characters, or a few less where a word ends there.
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
