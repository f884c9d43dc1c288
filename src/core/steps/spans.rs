//! The words of a line that may be replaced: a model chooses among them instead of writing the line again.

use crate::core::notes::is_unspaced;

/// Longest span, in words: a date, a time with its unit, a name.
const SPAN_WORDS_MAX: usize = 6;

/// One word of a line: where it begins and ends, in bytes.
type Place = (usize, usize);

/// Returns every run of neighbouring words of a line, at most six of them, each once and in order. A box of
/// a task, a number with its punctuation and a character of a script without spaces are words of their own.
pub fn spans_of(line: &str) -> Vec<&str> {
    let places = places_of(line);
    let mut spans = Vec::new();
    for (first, (start, _)) in places.iter().enumerate() {
        for (_, end) in places.iter().skip(first).take(SPAN_WORDS_MAX) {
            if let Some(span) = line.get(*start..*end)
                && !spans.contains(&span)
            {
                spans.push(span);
            }
        }
    }
    spans
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

/// Returns the line with the first occurrence of `old`, as whole words, replaced; none where it does not
/// stand there.
pub fn replaced(line: &str, old: &str, new: &str) -> Option<String> {
    let places = places_of(line);
    let starts = |at: usize| places.iter().any(|(start, _)| *start == at);
    let ends = |at: usize| places.iter().any(|(_, end)| *end == at);
    let mut found = line.match_indices(old);
    let (at, _) = found.find(|(at, _)| !old.is_empty() && starts(*at) && ends(at + old.len()))?;
    let (before, behind) = (line.get(..at)?, line.get(at + old.len()..)?);
    Some([before, new.trim(), behind].concat())
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

/// Returns the length of the word that a text begins with, in bytes; 0 where it begins with none.
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
    use super::{replaced, spans_of};

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
