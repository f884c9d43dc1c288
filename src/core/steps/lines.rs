//! The lines of a note as a person would point at them.
//! They are its lines, and the sentences of a line of prose. Joined again, they give the text to
//! the byte.

use crate::core::notes::Terms;

/// The maximum number of digits of a list number.
const NUMBER_DIGITS_MAX: usize = 4;

/// The maximum length of a capitalized abbreviation, in letters: Dr., Mrs., Prof.
const TITLE_CHARS_MAX: usize = 4;

/// The maximum length of a lower case abbreviation before a number, in letters: no.
/// 5, ca. 10.
const SHORT_CHARS_MAX: usize = 3;

/// The maximum number of digits of an ordinal: 3.
/// Mai.
const ORDINAL_DIGITS_MAX: usize = 2;

/// The maximum length of a word before an ordinal, in letters: am, dem, vom.
const ARTICLE_CHARS_MAX: usize = 3;

/// One line, or one sentence of a line of prose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line<'a> {
    /// The text, without its separator.
    pub text: &'a str,
    /// The blanks or line breaks behind it.
    pub separator: &'a str,
}

/// Returns the lines of a text, blank ones included.
pub fn lines_of(text: &str) -> Vec<Line<'_>> {
    let mut lines = Vec::new();
    for whole in text.split_inclusive('\n') {
        let body = whole.trim_end_matches(['\n', '\r']);
        let mut rest = body;
        if ListMark::of(body).is_none() {
            while let Some((sentence, blanks, behind)) = first_sentence(rest) {
                lines.push(Line {
                    text: sentence,
                    separator: blanks,
                });
                rest = behind;
            }
        }
        lines.push(Line {
            text: rest,
            separator: whole.get(body.len()..).unwrap_or_default(),
        });
    }
    lines
}

/// Returns whether a line of a text has just the words of an item, with or without a list mark.
pub fn has_item(text: &str, item: &str) -> bool {
    let item = Terms::of(item);
    let lines = lines_of(text);
    let mut lines = lines.iter();
    lines.any(|line| Terms::of(ListMark::text_of(line.text)) == item)
}

/// Joins lines into a text.
pub fn joined<'a>(lines: impl IntoIterator<Item = Line<'a>>) -> String {
    let mut text = String::new();
    for line in lines {
        text.push_str(line.text);
        text.push_str(line.separator);
    }
    text
}

/// Splits the first sentence off, if another one follows it.
/// Returns the sentence, the blanks behind it, and the rest.
fn first_sentence(text: &str) -> Option<(&str, &str, &str)> {
    for (at, mark) in text.char_indices() {
        let end = at + mark.len_utf8();
        let (sentence, behind) = text.split_at(end);
        let rest = behind.trim_start();
        let blanks = behind.get(..behind.len() - rest.len())?;
        let is_end = match mark {
            '\u{3002}' | '\u{ff01}' | '\u{ff1f}' => true,
            '!' | '?' => !blanks.is_empty(),
            '.' => !blanks.is_empty() && !is_abbreviation(sentence, rest),
            _ => false,
        };
        if is_end && !rest.is_empty() {
            return Some((sentence, blanks, rest));
        }
    }
    None
}

/// Returns whether the full stop at the end of `sentence` belongs to its last word.
/// The forms of that word and of the rest decide: a list of abbreviations would know one language
/// only.
fn is_abbreviation(sentence: &str, rest: &str) -> bool {
    let word = sentence.trim_end_matches('.').split_whitespace().last();
    let word = word
        .unwrap_or_default()
        .trim_start_matches(|it: char| !it.is_alphanumeric());
    let count = word.chars().count();
    let next = rest.chars().next().unwrap_or_default();
    let first = word.chars().next().unwrap_or_default();
    if next.is_lowercase() || count == 1 && first.is_alphabetic() {
        return true;
    }
    if word.bytes().all(|it| it.is_ascii_digit()) {
        let is_short = !word.is_empty() && count <= ORDINAL_DIGITS_MAX;
        return is_short && next.is_alphabetic() && leads_to_ordinal(sentence);
    }
    let is_title = first.is_uppercase() && count <= TITLE_CHARS_MAX && next.is_uppercase();
    let is_short = first.is_lowercase() && count <= SHORT_CHARS_MAX && next.is_ascii_digit();
    is_title && word.chars().any(char::is_lowercase) && !has_vowel_end(word) || is_short
}

/// Returns whether the text before the number at the end of `sentence` may lead to an ordinal.
/// That is nothing, a punctuation mark, or a short word such as an article. A house number follows
/// a name.
fn leads_to_ordinal(sentence: &str) -> bool {
    let mut words = sentence.split_whitespace().rev().skip(1);
    words.next().is_none_or(|before| {
        let is_short = before.chars().count() <= ARTICLE_CHARS_MAX;
        let is_lower = before.chars().all(char::is_lowercase);
        is_short && is_lower || before.ends_with([',', ':', '-'])
    })
}

/// Returns whether a word ends in a vowel.
/// Abbreviated titles hardly do, and names at the end of a sentence often do.
fn has_vowel_end(word: &str) -> bool {
    word.chars()
        .last()
        .is_some_and(|last| "aeiouy".contains(last))
}

/// The mark of a list item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ListMark<'a> {
    /// The blanks before it.
    pub indent: &'a str,
    /// The mark with its blank: `- `, `* `, `- [ ] `, `3. `; or `・`, which has none.
    pub mark: &'a str,
}

impl<'a> ListMark<'a> {
    /// Returns the mark of a line, if it is an item of a list.
    pub fn of(line: &'a str) -> Option<Self> {
        let body = line.trim_start();
        let indent = line.get(..line.len() - body.len())?;
        let boxed = ["- [ ] ", "- [x] ", "- [X] ", "* [ ] ", "* [x] "];
        let plain = ["- ", "* ", "+ ", "\u{2022} ", "\u{2013} ", "\u{30fb}"];
        let known = boxed
            .iter()
            .chain(&plain)
            .find(|mark| body.starts_with(**mark));
        if let Some(mark) = known {
            return body.get(..mark.len()).map(|mark| Self { indent, mark });
        }
        let digits = body.bytes().take_while(u8::is_ascii_digit).count();
        let behind = body.get(digits..)?;
        let is_number = (1..=NUMBER_DIGITS_MAX).contains(&digits)
            && (behind.starts_with(". ") || behind.starts_with(") "));
        let mark = body.get(..digits + 2).filter(|_| is_number)?;
        Some(Self { indent, mark })
    }

    /// Returns the text of a line behind its mark.
    pub fn text_of(line: &'a str) -> &'a str {
        Self::of(line).map_or(line, |it| {
            line.get(it.indent.len() + it.mark.len()..)
                .unwrap_or_default()
        })
    }

    /// Returns the mark of the next item, with its indent: the next number, an empty box.
    pub fn next(self) -> String {
        let Self { indent, mark } = self;
        let digits = mark.bytes().take_while(u8::is_ascii_digit).count();
        let (number, behind) = mark.split_at(digits);
        if let Ok(number) = number.parse::<u32>() {
            return format!("{indent}{}{behind}", number.saturating_add(1));
        }
        let unticked = mark.replace("[x]", "[ ]").replace("[X]", "[ ]");
        format!("{indent}{unticked}")
    }
}

#[cfg(test)]
mod tests {
    use super::{ListMark, joined, lines_of};

    #[test]
    fn a_text_falls_into_lines_and_sentences() {
        for (text, expected) in [
            (
                "Line 7 leaves at 8:10. Line 9 leaves at 8:25.",
                &["Line 7 leaves at 8:10.", "Line 9 leaves at 8:25."][..],
            ),
            (
                "- milk\n- Dr. Bee. At 5.\n",
                &["- milk", "- Dr. Bee. At 5."],
            ),
            ("Ask Dr. Bauer. He knows.", &["Ask Dr. Bauer.", "He knows."]),
            (
                "Treffen am 3. Mai, z. B. um acht. Danach Essen.",
                &["Treffen am 3. Mai, z. B. um acht.", "Danach Essen."],
            ),
            (
                "It costs ca. 5 euros. 3 are left!  Really?",
                &["It costs ca. 5 euros.", "3 are left!", "Really?"],
            ),
            (
                "バスは8時10分に出ます。席は予約できません。",
                &["バスは8時10分に出ます。", "席は予約できません。"],
            ),
            (
                "It is in Mill Lane 4. The rent is 70 euros.",
                &["It is in Mill Lane 4.", "The rent is 70 euros."],
            ),
            ("Tell Ivo. Marta knows.", &["Tell Ivo.", "Marta knows."]),
            ("one\n\ntwo", &["one", "", "two"]),
            ("see kite.example for more", &["see kite.example for more"]),
            ("", &[]),
        ] {
            let lines = lines_of(text);
            let texts: Vec<&str> = lines.iter().map(|line| line.text).collect();
            assert_eq!(texts, expected, "{text}");
            assert_eq!(joined(lines), text);
        }
    }

    #[test]
    fn a_list_goes_on_with_the_next_mark() {
        for (line, text, next) in [
            ("- milk", "milk", Some("- ")),
            ("  * [x] hull", "hull", Some("  * [ ] ")),
            ("9. nine", "nine", Some("10. ")),
            ("2) two", "two", Some("3) ")),
            ("\u{2013} milk", "milk", Some("\u{2013} ")),
            ("\u{30fb}豚肉", "豚肉", Some("\u{30fb}")),
            ("2026. A year", "A year", Some("2027. ")),
            ("-not a list", "-not a list", None),
            ("8:10 the bus", "8:10 the bus", None),
        ] {
            assert_eq!(ListMark::text_of(line), text);
            assert_eq!(
                ListMark::of(line).map(ListMark::next).as_deref(),
                next,
                "{line}"
            );
        }
    }
}
