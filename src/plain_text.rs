//! Text that is safe on a terminal. Text of a model, a note or a server may hold characters that
//! move the cursor, change colours, type for the person or reverse the order of writing; here they
//! are escaped. Never judges the meaning of a text.

use std::fmt::Display;

/// Returns whether a character controls the terminal.
/// These are control characters, and those that change the direction of the following text.
pub fn steers(c: char) -> bool {
    c.is_control() || matches!(c, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

/// Returns the text with its control characters escaped, except those that `keep` accepts.
pub fn spelt_out(text: &str, keep: impl Fn(char) -> bool) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if steers(c) && !keep(c) {
            out.extend(c.escape_unicode());
        } else {
            out.push(c);
        }
    }
    out
}

/// Returns JSON text with its control characters, except line breaks, as JSON escapes.
/// Inside strings the value stays equal; elsewhere valid JSON has no such characters.
pub fn json_spelt_out(json: &str) -> String {
    use std::fmt::Write as _;
    let mut out = String::with_capacity(json.len());
    for c in json.chars() {
        if steers(c) && c != '\n' {
            // Writing into a string cannot fail.
            write!(out, "\\u{:04x}", u32::from(c)).unwrap_or_default();
        } else {
            out.push(c);
        }
    }
    out
}

/// Returns the text with its control characters, except line breaks and tabs, escaped.
pub fn visible(text: &str) -> String {
    spelt_out(text, |c| matches!(c, '\n' | '\t'))
}

/// Returns the text on one line of at most `characters_max` characters.
/// A cut ends with an ellipsis.
pub fn one_line(text: &str, characters_max: usize) -> String {
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

/// Returns a count with its noun: `1 note`, `2 notes`, `2 replies`.
pub fn count(number: impl TryInto<u64>, noun: &str) -> String {
    let number = number.try_into().unwrap_or(u64::MAX);
    let stem = noun.strip_suffix('y');
    match stem.filter(|stem| !stem.ends_with(['a', 'e', 'o', 'u'])) {
        _ if number == 1 => format!("{number} {noun}"),
        Some(stem) => format!("{number} {stem}ies"),
        None => format!("{number} {noun}s"),
    }
}

/// Returns items on one line, with a separator between them.
pub fn joined(items: impl IntoIterator<Item = impl Display>, separator: &str) -> String {
    let items = items.into_iter().map(|item| item.to_string());
    items.collect::<Vec<String>>().join(separator)
}

#[cfg(test)]
mod tests {
    use super::{count, json_spelt_out, one_line, spelt_out, steers, visible};

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

    #[test]
    fn one_is_not_many() {
        for (number, noun, text) in [
            (0, "error", "0 errors"),
            (1, "error", "1 error"),
            (1, "reply", "1 reply"),
            (2, "reply", "2 replies"),
            (2, "key", "2 keys"),
        ] {
            assert_eq!(count(number, noun), text);
        }
    }

    #[test]
    fn everything_that_steers_is_spelt_out_and_nothing_else() {
        let hostile = "a\u{1b}[2J\r\u{7}\u{7f}\u{9b}1m\u{202e}b\u{2066}";
        let plain = spelt_out(hostile, |_| false);
        assert_eq!(
            plain,
            "a\\u{1b}[2J\\u{d}\\u{7}\\u{7f}\\u{9b}1m\\u{202e}b\\u{2066}"
        );
        let same = "plain \u{e9}\u{4e2d}\u{1f680} \"quoted\" \\";
        assert_eq!(spelt_out(same, |_| false), same);
        assert_eq!(spelt_out("a\n\tb", |c| c == '\n'), "a\n\\u{9}b");
    }

    #[test]
    fn json_keeps_its_values() {
        let value = serde_json::json!({"a\u{9b}": "\u{1b}\u{7f}\u{85}\u{202e}\n\u{1f680}"});
        for json in [value.to_string(), format!("{value:#}")] {
            let plain = json_spelt_out(&json);
            assert!(!plain.contains(|c| steers(c) && c != '\n'), "{plain}");
            let read: serde_json::Value = serde_json::from_str(&plain).unwrap();
            assert_eq!(read, value);
        }
    }
}
