//! Text for people: one-line forms, pairs, and nothing that could steer a terminal. Model text
//! passes here before a person sees it.

use crate::plain_text::{self, spelt_out};
use std::fmt::Write as _;

/// The text with every control character but line breaks and tabs spelt out.
pub(super) fn visible(text: &str) -> String {
    spelt_out(text, |c| matches!(c, '\n' | '\t'))
}

/// The text on one line, at most so many characters, with a mark where it was cut.
pub(super) fn one_line(text: &str, characters_max: usize) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let line = spelt_out(&words.join(" "), |_| false);
    if line.chars().count() <= characters_max {
        return line;
    }
    let kept: String = line
        .chars()
        .take(characters_max.saturating_sub(1))
        .collect();
    format!("{kept}\u{2026}")
}

/// Lines of a name and a value, the values in one column; empty values are left out.
pub(super) fn pairs(entries: &[(&str, String)]) -> String {
    let shown = || entries.iter().filter(|(_, value)| !value.is_empty());
    let width = shown().map(|(name, _)| name.len()).max().unwrap_or(0);
    let mut out = String::new();
    for (name, value) in shown() {
        writeln!(out, "{name:width$}  {value}").unwrap_or_default();
    }
    out
}

/// A count with its noun: `1 note`, `2 notes`.
pub(super) fn count(number: usize, noun: &str) -> String {
    plain_text::count(u64::try_from(number).unwrap_or(u64::MAX), noun)
}

#[cfg(test)]
mod tests {
    use super::{one_line, visible};

    #[test]
    fn nothing_steers_the_terminal() {
        assert_eq!(visible("a\n\tb\u{1b}[2J\r"), "a\n\tb\\u{1b}[2J\\u{d}");
        assert_eq!(one_line("a\nb\u{7}\u{9b}c", 80), "a b\\u{7}\\u{9b}c");
    }

    #[test]
    fn long_lines_are_cut_with_a_mark() {
        assert_eq!(one_line("12345", 5), "12345");
        assert_eq!(one_line("123456", 5), "1234\u{2026}");
    }
}
