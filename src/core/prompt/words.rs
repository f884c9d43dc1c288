//! The words of a question of small steps.

use crate::core::notes::is_unspaced;

/// The placeholder for a note title: it matters that a note is named, not which one.
pub(super) const TITLE: &str = "<title>";

/// Splits a question of small steps into the titles of its notes and the request or question.
pub(super) fn titles_and_request(question: &str) -> (impl Iterator<Item = &str>, &str) {
    let (notes, request) = question
        .split_once("\nRequest: ")
        .or_else(|| Some(("", question.rsplit_once("\nQuestion: ")?.1)))
        .unwrap_or(("", question));
    let titles = notes.trim_start_matches("Notes: ").split("; ");
    (titles.filter(|title| !title.is_empty()), request)
}

/// Returns the words and the telling punctuation marks of a text, in their order.
/// All numbers are equal.
pub(super) fn words_of(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for part in text.split_whitespace() {
        if part.contains(TITLE) {
            words.push(TITLE.to_owned());
            continue;
        }
        let mut word = String::new();
        for character in part.chars() {
            let is_part =
                character.is_alphanumeric() || character == '\'' || character == '\u{2019}';
            if is_part && !is_unspaced(character) {
                word.push(if character.is_numeric() {
                    '0'
                } else {
                    character
                });
                continue;
            }
            if !word.is_empty() {
                words.push(std::mem::take(&mut word));
            }
            if is_unspaced(character) || matches!(character, '?' | ':' | ',' | '\u{ff1f}') {
                words.push(character.to_string());
            }
        }
        if !word.is_empty() {
            words.push(word);
        }
    }
    let is_number = |word: &String| word.starts_with('0');
    for word in words.iter_mut().filter(|word| is_number(word)) {
        "0".clone_into(word);
    }
    words
}
