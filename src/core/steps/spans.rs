//! The words of a line that may be replaced.
//! A model chooses among them instead of writing the line again.

use super::check::is_telling;
use crate::core::notes::{is_hiragana, is_unspaced};
use std::collections::HashSet;

/// The maximum length of a span, in words: a date, a time with its unit, a name.
const SPAN_WORDS_MAX: usize = 6;

/// The place of a word in a line: its start and its end, in bytes.
type Place = (usize, usize);

/// Returns every run of adjacent words of a line, at most six of them, each once and in order.
/// The box of a task, a number with its punctuation, and a character of a script without spaces are
/// words of their own.
pub fn spans_of(line: &str) -> Vec<&str> {
    let places = places_of(line);
    let spans = places.iter().enumerate().flat_map(|(first, (start, _))| {
        let ends = places.iter().skip(first).take(SPAN_WORDS_MAX);
        ends.filter_map(|(_, end)| line.get(*start..*end))
    });
    let mut met = HashSet::new();
    spans.filter(|span| met.insert(*span)).collect()
}

/// Returns the numbers of a text, with their inner punctuation: `8:10`, `2,50`.
pub fn numbers_of(text: &str) -> Vec<&str> {
    let is_number = |span: &&str| {
        span.starts_with(|it: char| it.is_ascii_digit())
            && span
                .bytes()
                .all(|it| it.is_ascii_digit() || it.is_ascii_punctuation())
    };
    text.lines().flat_map(spans_of).filter(is_number).collect()
}

/// Returns the numbers that only the line has, and those that only the text has.
pub(super) fn exchanged<'a>(line: &'a str, text: &'a str) -> (Vec<&'a str>, Vec<&'a str>) {
    let (old, new) = (numbers_of(line), numbers_of(text));
    let gone = old.iter().filter(|it| !new.contains(it)).copied();
    let come = new.iter().filter(|it| !old.contains(it)).copied();
    (gone.collect(), come.collect())
}

/// Returns the only one of the old things that stands among the fresh ones, and the only fresh one that is
/// new in its place; `is_new` takes a fresh thing and the one that goes.
pub(super) fn exchange_of<'a, T: PartialEq>(
    old: &'a [T],
    fresh: &'a [T],
    is_new: impl Fn(&T, &T) -> bool,
) -> Option<(&'a T, &'a T)> {
    let mut gone = old.iter().filter(|it| fresh.contains(it));
    let gone = gone.next().filter(|_| gone.next().is_none())?;
    let mut come = fresh.iter().filter(|it| is_new(it, gone));
    let come = come.next().filter(|_| come.next().is_none())?;
    Some((gone, come))
}

/// Returns the words of a text without the punctuation around them.
pub fn bare_words(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split_whitespace();
    words.map(|word| word.trim_matches(|it: char| !it.is_alphanumeric()))
}

/// Returns whether a text has a digit.
pub fn has_digit(text: &str) -> bool {
    text.contains(|it: char| it.is_ascii_digit())
}

/// Returns the line with the first occurrence of `old` replaced.
/// `None` if `old` does not stand there as whole words.
pub fn replaced(line: &str, old: &str, new: &str) -> Option<String> {
    let places = places_of(line);
    let starts = |at: usize| places.iter().any(|(start, _)| *start == at);
    let ends = |at: usize| places.iter().any(|(_, end)| *end == at);
    let mut found = line.match_indices(old);
    let (at, _) = found.find(|(at, _)| !old.is_empty() && starts(*at) && ends(at + old.len()))?;
    let (before, behind) = (line.get(..at)?, line.get(at + old.len()..)?);
    Some([before, new.trim(), behind].concat())
}

/// The marks between the two ends of a range.
const RANGE_MARKS: [char; 2] = ['-', '\u{2013}'];

/// Returns the replacement of a value; one end of a range such as `14h-18h` stays.
/// `None` if the new value may be either end.
pub fn in_place_of(old: &str, new: &str) -> Option<String> {
    let starts_with_digit = |it: &&str| it.trim().starts_with(|it: char| it.is_ascii_digit());
    let ends = |text: &'_ str| -> Option<(usize, usize)> {
        let at = text.find(RANGE_MARKS)?;
        let width = text.get(at..)?.chars().next()?.len_utf8();
        let (from, to) = (text.get(..at)?, text.get(at + width..)?);
        let is_range = [from, to].iter().all(starts_with_digit) && !to.contains(RANGE_MARKS);
        is_range.then_some((at, at + width))
    };
    let new = new.trim();
    let Some((end, start)) = ends(old).filter(|_| ends(new).is_none() && starts_with_digit(&new))
    else {
        return Some(new.to_owned());
    };
    let (from, to) = (old.get(..end)?, old.get(start..)?);
    let value = |text: &str| -> Option<Vec<u64>> {
        let parts = text.split(|it: char| !it.is_ascii_digit());
        let parts = parts.filter(|part| !part.is_empty());
        parts.map(|part| part.parse().ok()).collect()
    };
    let (first, last, value) = (value(from)?, value(to)?, value(new)?);
    if value > last {
        Some([old.get(..start)?, new].concat())
    } else if value < first {
        Some([new, old.get(end..)?].concat())
    } else {
        None
    }
}

/// The number of words before a number among which a telling one says what it counts.
/// An example is `closes at 20:00`.
const WORDS_BEFORE_MAX: usize = 2;

/// A number in a text, with the words beside it.
#[derive(Clone, Copy, Debug)]
struct Counted<'a> {
    at: Place,
    number: &'a str,
    /// The word directly before the number, however short.
    beside: Option<&'a str>,
    /// The nearest telling word before the number.
    before: Option<&'a str>,
    behind: Option<&'a str>,
}

impl Counted<'_> {
    /// Returns whether another number counts the same.
    /// Both have one word behind them, or one telling word before them.
    fn counts_same(&self, other: &Self) -> bool {
        is_same_word(self.behind, other.behind) || is_same_word(self.before, other.before)
    }

    /// Returns whether the same word stands directly before both numbers, as in `at 10` and
    /// `at 11:30`.
    fn stands_alike(&self, other: &Self) -> bool {
        is_same_word(self.beside, other.beside)
    }
}

fn is_same_word(one: Option<&str>, other: Option<&str>) -> bool {
    one.zip(other)
        .is_some_and(|(one, other)| one.to_lowercase() == other.to_lowercase())
}

/// Returns the line with the number replaced that the only new number of a text recounts.
/// `None` if the text has no new number or several, or if it recounts no number of the line or more
/// than one.
pub fn recounted(line: &str, text: &str) -> Option<String> {
    with_number(line, text, |old, new| new.counts_same(old))
}

/// Returns the line with the number replaced that stands behind the same word as the only new
/// number of a text, as in `at 10` and `at 11:30`. `None` as for [`recounted`].
pub(super) fn recounted_beside(line: &str, text: &str) -> Option<String> {
    with_number(line, text, |old, new| new.stands_alike(old))
}

fn with_number(
    line: &str,
    text: &str,
    is_same: impl Fn(&Counted<'_>, &Counted<'_>) -> bool,
) -> Option<String> {
    let (old, new) = (counted(line), counted(text));
    let is_known = |number: &&Counted<'_>| {
        let mut same = old.iter().filter(|it| it.number == number.number);
        same.any(|it| it.counts_same(number))
    };
    let come: Vec<&Counted<'_>> = new.iter().filter(|it| !is_known(it)).collect();
    let [come] = come.as_slice() else {
        return None;
    };
    let mut meant = old.iter().filter(|it| is_same(it, come));
    let (meant, None) = (meant.next()?, meant.next()) else {
        return None;
    };
    let (start, end) = meant.at;
    let (head, tail) = (line.get(..start)?, line.get(end..)?);
    Some([head, come.number, tail].concat())
}

/// Returns whether a text has a number or a word of the same kind as one of a line.
/// See [`of_same_kind`].
pub fn has_same_kind(line: &str, text: &str) -> bool {
    let same_form = |one: &str, other: &str| form_of(one) == form_of(other);
    let (old, new) = (numbers_of(line), numbers_of(text));
    let has_number = old
        .iter()
        .any(|one| new.iter().any(|other| same_form(one, other)));
    has_number || of_same_kind(line, text).is_some()
}

/// Returns a word of a line and a new word of a text that seem to be names of the same kind.
/// Their ends show it, as in days of the week: the last letters are equal, at least three and half
/// of the shorter word.
pub fn of_same_kind<'a>(line: &'a str, text: &'a str) -> Option<(&'a str, &'a str)> {
    let words = |text: &'a str| {
        places_of(text)
            .into_iter()
            .filter_map(|(start, end)| text.get(start..end))
    };
    let (old, new): (Vec<&str>, Vec<&str>) = (words(line).collect(), words(text).collect());
    let lower =
        |words: &[&str]| -> Vec<String> { words.iter().map(|it| it.to_lowercase()).collect() };
    let (known, said) = (lower(&old), lower(&new));
    let mut found: Option<(usize, &str, &str)> = None;
    for (one, one_lower) in old.iter().zip(&known) {
        for (other, other_lower) in new.iter().zip(&said) {
            let is_new = !known.contains(other_lower) && !said.contains(one_lower);
            let is_capital = |word: &str| word.starts_with(char::is_uppercase);
            let least = if is_capital(one) || is_capital(other) {
                ENDING_CHARS_MIN
            } else {
                SMALL_ENDING_CHARS_MIN
            };
            let shared =
                shared_ending(one_lower, other_lower).filter(|shared| is_new && *shared >= least);
            if shared > found.map(|(most, _, _)| most) {
                found = shared.map(|shared| (shared, *one, *other));
            }
        }
    }
    found.map(|(_, one, other)| (one, other))
}

/// The minimum number of equal last letters of names of one kind.
const ENDING_CHARS_MIN: usize = 3;

/// That number if both words are in lower case: `filter` and `water` are of no kind.
const SMALL_ENDING_CHARS_MIN: usize = 4;

/// Returns the number of equal last letters of two words, if they are names of one kind.
fn shared_ending(one: &str, other: &str) -> Option<usize> {
    let plain = |word: &str| word.strip_suffix('s').unwrap_or(word).to_owned();
    let (one, other) = (plain(one), plain(other));
    let letters = one.chars().rev().zip(other.chars().rev());
    let shared = letters.take_while(|(a, b)| a == b).count();
    let shorter = one.chars().count().min(other.chars().count());
    let is_word = one.chars().chain(other.chars()).all(char::is_alphabetic);
    let is_kind = shared >= ENDING_CHARS_MIN && shared * 2 >= shorter;
    (is_word && one != other && is_kind).then_some(shared)
}

/// The maximum length of a contradicted word in a script without spaces, in characters.
const CONTRADICTED_CHARS_MAX: usize = 3;

/// Returns the characters of a line that a text contradicts, and the new ones.
/// It is for scripts without spaces. Both stand in the request, each with the equal characters
/// beside it: `後三時` and `後四時`. `None` if there is no such pair, or several.
pub fn contradicted_run(line: &str, text: &str, request: &str) -> Option<(String, String)> {
    let (old, new): (Vec<char>, Vec<char>) = (line.chars().collect(), text.chars().collect());
    let mut found: Vec<(String, String)> = Vec::new();
    for length in 1..=CONTRADICTED_CHARS_MAX {
        for one in old.windows(length + 2) {
            for other in new.windows(length + 2) {
                let (inner, by) = (inside(one), inside(other));
                let is_framed = one.first() == other.first() && one.last() == other.last();
                let is_other = inner.iter().zip(by).all(|(one, other)| one != other);
                let is_run = one.iter().chain(other).all(|it| is_unspaced(*it));
                if !(is_framed && is_other && is_run) {
                    continue;
                }
                let (wrong, right): (String, String) =
                    (one.iter().collect(), other.iter().collect());
                let is_told = request.contains(&wrong) && request.contains(&right);
                if is_told && !text.contains(&wrong) && !line.contains(&right) {
                    found.push((wrong, right));
                }
            }
        }
    }
    found.dedup();
    let pair = found.pop()?;
    found.is_empty().then_some(pair)
}

/// The minimum number of characters between two runs of a script without spaces of which the first is no
/// longer true: `ではなく`, `じゃなくて`. Particles are shorter.
const DENIAL_CHARS_MIN: usize = 4;

/// Returns the only run of a line that a request denies, and the run that it puts in its place:
/// `北小学校` and `市民体育館` in `北小学校じゃなくて市民体育館`. Only hiragana stand between them.
pub fn denied_run<'a>(line: &str, request: &'a str) -> Option<(&'a str, &'a str)> {
    let is_of_name = |it: char| it.is_alphanumeric() && is_unspaced(it) && !is_hiragana(it);
    let runs = runs_of(request, is_of_name);
    let pairs = runs.windows(2).filter_map(|pair| match pair {
        [(_, end, old), (start, _, new)] => {
            let between = request.get(*end..*start)?;
            let is_denial =
                between.chars().all(is_hiragana) && between.chars().count() >= DENIAL_CHARS_MIN;
            (is_denial && line.contains(old) && !line.contains(new)).then_some((*old, *new))
        }
        _ => None,
    });
    let mut pairs = pairs.filter(|(old, new)| old.chars().count() > 1 && new.chars().count() > 1);
    pairs.next().filter(|_| pairs.next().is_none())
}

/// Returns the longest runs of a text of which all characters are alike, each with its start and its end.
fn runs_of(text: &str, is_alike: impl Fn(char) -> bool) -> Vec<(usize, usize, &str)> {
    let mut runs = Vec::new();
    let mut start = None;
    let ends = text.char_indices().chain([(text.len(), ' ')]);
    for (at, mark) in ends {
        if is_alike(mark) {
            start = start.or(Some(at));
        } else if let Some(from) = start.take() {
            runs.extend(text.get(from..at).map(|run| (from, at, run)));
        }
    }
    runs
}

/// Returns the characters between the first and the last one.
fn inside(characters: &[char]) -> &[char] {
    let end = characters.len().saturating_sub(1);
    characters.get(1..end).unwrap_or_default()
}

/// Returns the form of a number: its digits as nines.
pub fn form_of(number: &str) -> String {
    let digit = |it: char| if it.is_ascii_digit() { '9' } else { it };
    number.chars().map(digit).collect()
}

fn counted(line: &str) -> Vec<Counted<'_>> {
    let places = places_of(line);
    let word = |at: usize| {
        let (start, end) = *places.get(at)?;
        line.get(start..end)
    };
    let is_number = |word: &str| word.starts_with(|it: char| it.is_ascii_digit());
    let words = |at: usize| word(at).filter(|word| !is_number(word));
    let numbers = places.iter().enumerate().filter_map(|(at, place)| {
        Some(Counted {
            at: *place,
            number: word(at).filter(|word| is_number(word))?,
            beside: at.checked_sub(1).and_then(words),
            before: (1..=WORDS_BEFORE_MAX)
                .filter_map(|back| at.checked_sub(back).and_then(words))
                .find(|word| is_telling(word)),
            behind: words(at + 1),
        })
    });
    numbers.collect()
}

fn places_of(line: &str) -> Vec<Place> {
    let mut places = Vec::new();
    let mut at = 0;
    while let Some(rest) = line.get(at..).filter(|rest| !rest.is_empty()) {
        let length = word_length(rest);
        if length > 0 {
            places.push((at, at + length));
            at += length;
        } else {
            at += rest.chars().next().map_or(1, char::len_utf8);
        }
    }
    places
}

/// Returns the length of the word that a text begins with, in bytes; 0 if there is none.
fn word_length(text: &str) -> usize {
    if ["[ ]", "[x]", "[X]"].iter().any(|it| text.starts_with(it)) {
        return 3;
    }
    let mut characters = text.char_indices().peekable();
    let Some((_, first)) = characters.next() else {
        return 0;
    };
    if is_unspaced(first) {
        return first.len_utf8();
    }
    if !first.is_alphanumeric() {
        return 0;
    }
    let mut end = first.len_utf8();
    let is_number = first.is_ascii_digit();
    while let Some((at, character)) = characters.next() {
        let next = characters.peek().map(|(_, next)| *next);
        let goes_on = if is_number {
            let joins = matches!(character, '.' | ':' | ',' | '/' | '-');
            character.is_ascii_digit() || joins && next.is_some_and(|it| it.is_ascii_digit())
        } else {
            let joins = matches!(character, '\'' | '\u{2019}' | '-');
            let is_part = |it: char| it.is_alphanumeric() && !is_unspaced(it);
            is_part(character) || joins && next.is_some_and(is_part)
        };
        if !goes_on {
            break;
        }
        end = at + character.len_utf8();
    }
    end
}

#[cfg(test)]
mod tests {
    use super::{
        contradicted_run, in_place_of, of_same_kind, recounted, recounted_beside, replaced,
        spans_of,
    };

    #[test]
    fn the_spans_of_a_line_are_its_runs_of_words() {
        assert_eq!(
            spans_of("Bus at 8:25."),
            ["Bus", "Bus at", "Bus at 8:25", "at", "at 8:25", "8:25"]
        );
        assert_eq!(spans_of("- [ ] Ivo's"), ["[ ]", "[ ] Ivo's", "Ivo's"]);
        assert_eq!(spans_of("8時"), ["8", "8時", "時"]);
        assert_eq!(spans_of("a a"), ["a", "a a"]);
        assert!(spans_of(" -- ").is_empty());
        let long = "one two three four five six seven";
        assert!(
            spans_of(long)
                .iter()
                .all(|span| span.split(' ').count() <= 6)
        );
    }

    #[test]
    fn a_number_is_replaced_by_one_that_counts_the_same() {
        for (line, text, expected) in [
            (
                "Train 12 leaves at 9:12 from platform 12.",
                "Train 12 leaves from platform 4.",
                Some("Train 12 leaves at 9:12 from platform 4."),
            ),
            (
                "Treffen am 4. Juni um 9 Uhr",
                "Das Treffen ist um 11 Uhr",
                Some("Treffen am 4. Juni um 11 Uhr"),
            ),
            (
                "Party: 3 March at 10:30.",
                "The party is on 5 March.",
                Some("Party: 5 March at 10:30."),
            ),
            ("Lessons are on Monday at 5.", "They cost 22 euros.", None),
            ("It costs 5 euros, then 6 euros.", "It costs 7 euros.", None),
            ("It costs 5 euros.", "It costs 6 euros or 7 euros.", None),
            ("It costs 5 euros.", "It costs 5 euros.", None),
        ] {
            assert_eq!(recounted(line, text).as_deref(), expected, "{line}");
        }
    }

    #[test]
    fn a_number_is_replaced_by_one_behind_the_same_word() {
        let line = "The vet has a slot on 12 May at 10, 180 euros.";
        for (text, expected) in [
            (
                "The slot is at 11:30.",
                Some("The vet has a slot on 12 May at 11:30, 180 euros."),
            ),
            ("The slot costs 200.", None),
            ("The slot is at 11:30 or at 12.", None),
        ] {
            assert_eq!(recounted_beside(line, text).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn one_end_of_a_range_stays() {
        for (old, new, expected) in [
            ("14h-18h", "19h", Some("14h-19h")),
            ("9:00\u{2013}17:30", "8:30", Some("8:30\u{2013}17:30")),
            ("9-17", "12", None),
            ("9-17", "10-16", Some("10-16")),
            ("8:25", "8:40", Some("8:40")),
            ("555-0104", "Ida", Some("Ida")),
        ] {
            assert_eq!(in_place_of(old, new).as_deref(), expected, "{old}");
        }
    }

    #[test]
    fn words_of_one_kind_end_alike() {
        for (line, text, expected) in [
            ("Every Monday", "on fridays", Some(("Monday", "fridays"))),
            ("le mercredi", "le vendredi", Some(("mercredi", "vendredi"))),
            ("the water is high", "the filter is new", None),
        ] {
            assert_eq!(of_same_kind(line, text), expected, "{line}");
        }
    }

    #[test]
    fn a_script_without_spaces_is_contradicted_character_by_character() {
        let line = "次の予約は六月十日の午後三時です。";
        let request = "予約は午後三時ではなく、午後四時になりました。";
        let pair = contradicted_run(line, "予約は午後四時になりました。", request);
        assert_eq!(pair, Some(("後三時".to_owned(), "後四時".to_owned())));
        assert_eq!(contradicted_run(line, "予約は午後四時", "午後四時に"), None);
    }

    #[test]
    fn only_whole_words_are_replaced() {
        for (line, old, new, expected) in [
            ("Line 7 at 17:00", "7", "9", Some("Line 9 at 17:00")),
            ("Bus at 8:25.", "8:25", " 8:40 ", Some("Bus at 8:40.")),
            ("- [ ] sails", "[ ]", "[x]", Some("- [x] sails")),
            (
                "バスは8時10分に出ます。",
                "8時10分",
                "8時30分",
                Some("バスは8時30分に出ます。"),
            ),
            ("concatenate", "cat", "dog", None),
            ("cat", "", "dog", None),
        ] {
            assert_eq!(replaced(line, old, new).as_deref(), expected, "{line}");
        }
    }
}
