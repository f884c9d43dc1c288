//! Facts in texts: what a person would look for, in any of its spellings. Case, width and the kinds of
//! dashes and quotation marks do not count; a number is found only as a whole number.
//!
//! A fact is written as its spellings with `|` between them. `&` between words asks for all of them in
//! one line: `lift&12 May|lift&May 12`.

use unicode_normalization::UnicodeNormalization as _;

/// Returns whether a text holds a fact.
pub(crate) fn holds(text: &str, fact: &str) -> bool {
    let text = folded(text);
    fact.split('|')
        .any(|spelling| holds_spelling(&text, spelling))
}

/// Returns whether a text holds all facts.
pub(crate) fn holds_all(text: &str, facts: &[String]) -> bool {
    facts.iter().all(|fact| holds(text, fact))
}

/// Returns whether a text holds at least one of the facts.
pub(crate) fn holds_any(text: &str, facts: &[String]) -> bool {
    facts.iter().any(|fact| holds(text, fact))
}

/// Returns whether two titles are the same but for case, width and blanks around them.
pub(crate) fn is_same_title(one: &str, other: &str) -> bool {
    folded(one.trim()) == folded(other.trim())
}

/// Returns letters and digits of a text alone, in lower case.
pub(crate) fn bare(text: &str) -> String {
    let text = folded(text);
    text.chars().filter(|it| it.is_alphanumeric()).collect()
}

fn holds_spelling(text: &str, spelling: &str) -> bool {
    let words: Vec<String> = spelling.split('&').map(folded).collect();
    match words.as_slice() {
        [word] => holds_word(text, word),
        words => {
            let has_all = |line: &str| words.iter().all(|word| holds_word(line, word));
            text.lines().any(has_all)
        }
    }
}

fn holds_word(text: &str, word: &str) -> bool {
    let stands_alone = |(at, _): (usize, &str)| {
        let (before, rest) = text.split_at(at);
        let behind = &rest[word.len()..];
        let is_cut_before = starts_with_digit(word) && ends_with_number(before);
        let is_cut_behind = starts_with_digit(&reversed(word)) && starts_with_number(behind);
        !is_cut_before && !is_cut_behind
    };
    text.match_indices(word).any(stands_alone)
}

fn starts_with_digit(text: &str) -> bool {
    text.starts_with(|it: char| it.is_ascii_digit())
}

/// Returns whether a text goes on with more of a number: a digit, or a mark and a digit.
fn starts_with_number(text: &str) -> bool {
    let rest = text.strip_prefix(['.', ',', ':']).unwrap_or(text);
    starts_with_digit(rest)
}

fn ends_with_number(text: &str) -> bool {
    starts_with_number(&reversed(text))
}

fn reversed(text: &str) -> String {
    text.chars().rev().collect()
}

/// Returns a text in lower case, in the widths and with the marks that everyone types.
fn folded(text: &str) -> String {
    let marks = text.nfkc().map(|it| match it {
        '\u{2018}' | '\u{2019}' => '\'',
        '\u{201c}' | '\u{201d}' | '\u{201e}' => '"',
        '\u{2010}'..='\u{2015}' => '-',
        other => other,
    });
    marks.collect::<String>().to_lowercase()
}

/// Fails where a fact is found that is not there, or missed where it is.
pub(crate) fn verify() {
    let found = [
        ("The hall holds 120 people.", "120"),
        ("It ends at 9.", "9"),
        ("ＦＡＸ ２４８", "fax&248"),
        ("Lift: 12 May", "lift&12 May|lift&May 12"),
        ("l\u{2019}heure", "l'heure"),
    ];
    for (text, fact) in found {
        assert!(holds(text, fact), "{fact} is in: {text}");
    }
    let missed = [
        ("The hall holds 120 people.", "20"),
        ("It ends at 9:30.", "9"),
        ("1,250 euros", "250"),
        ("Lift: 3 May\nStairs: 12 May", "lift&12 May"),
    ];
    for (text, fact) in missed {
        assert!(!holds(text, fact), "{fact} is not in: {text}");
    }
}
