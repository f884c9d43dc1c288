//! The worked examples that are most like what is asked, by the words and pairs of words in which it is put. A
//! small model follows the example before it more than any rule, so the nearest ones stand last. Subjects differ
//! from request to request; the turns of phrase say what is asked for.

use crate::core::notes::is_unspaced;
use crate::core::prompt::Example;
use std::collections::{BTreeMap, BTreeSet};

/// Similar examples that are shown.
const SHOWN_MAX: usize = 4;

/// What stands for a title of the notes: that one is named matters, which one does not.
const TITLE: &str = "<title>";

/// What a feature is worth that only one example has: hardly a turn of phrase.
const RARE_WORTH: f64 = 0.5;

/// How much more a pair of words says than a word.
const PAIR_FACTOR: f64 = 1.5;

/// Returns the examples that are most like a question, the most similar one last.
pub(super) fn similar<'a>(question: &str, examples: &[&'a Example]) -> Vec<&'a Example> {
    let pool: Vec<BTreeSet<String>> = examples.iter().map(|it| features_of(&it.input)).collect();
    let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
    for feature in pool.iter().flatten() {
        *counts.entry(feature).or_insert(0) += 1;
    }
    let total = f64::from(u32::try_from(pool.len()).unwrap_or(u32::MAX));
    let worth = |feature: &str| {
        let count = counts.get(feature).copied().unwrap_or(0);
        let of_word = if count < 2 {
            RARE_WORTH
        } else {
            (total / f64::from(count)).ln()
        };
        let is_pair = feature.contains(' ');
        of_word * if is_pair { PAIR_FACTOR } else { 1.0 }
    };
    let asked = features_of(question);
    let score = |example: &BTreeSet<String>| {
        let shared: f64 = example.intersection(&asked).map(|it| worth(it)).sum();
        let all: f64 = example.iter().map(|it| worth(it)).sum();
        // Long examples share something with everything.
        shared / all.max(1.0).sqrt()
    };
    let scores = pool.iter().map(score);
    let mut ranked: Vec<(f64, &Example)> = scores.zip(examples.iter().copied()).collect();
    ranked.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    ranked.retain(|(score, _)| *score > 0.0);
    ranked.truncate(SHOWN_MAX);
    ranked
        .into_iter()
        .rev()
        .map(|(_, example)| example)
        .collect()
}

/// Returns the words of a request or a question and its pairs of neighbouring words, in lower case and with a mark for each
/// title of a note. Scripts without spaces count by characters and pairs of them.
fn features_of(question: &str) -> BTreeSet<String> {
    let (notes, request) = question
        .split_once("\nRequest: ")
        .or_else(|| Some(("", question.rsplit_once("\nQuestion: ")?.1)))
        .unwrap_or(("", question));
    let titles = notes.trim_start_matches("Notes: ").split("; ");
    let mut text = request.to_lowercase();
    for title in titles.filter(|title| !title.is_empty()) {
        text = text.replace(&title.to_lowercase(), &format!(" {TITLE} "));
    }
    let words = words_of(&text);
    let pairs = words.iter().zip(words.iter().skip(1));
    let pairs = pairs.map(|(one, other)| format!("{one} {other}"));
    pairs.chain(words.iter().cloned()).collect()
}

/// Returns the words of a text and its marks that say what kind of text it is, in their order. All numbers are
/// alike.
fn words_of(text: &str) -> Vec<String> {
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

#[cfg(test)]
mod tests {
    use super::similar;
    use crate::core::prompt::{Condition, Example, QuestionKind};

    #[test]
    fn the_turn_of_phrase_counts_and_not_the_subject() {
        let example = |input: &str, output: &str| Example {
            condition: Condition::Similar(QuestionKind::Plan),
            input: input.to_owned(),
            output: output.to_owned(),
        };
        let pool = [
            example(
                "Notes: Jam; Soup\nRequest: the jam is made, tick it off",
                "a",
            ),
            example(
                "Notes: Jam; Soup\nRequest: Everything in Jam belongs in Soup.",
                "b",
            ),
            example(
                "Notes: Jam\nRequest: the lid isn't red any more but blue",
                "c",
            ),
            example("Notes: Jam\nRequest: how many jars are left?", "d"),
            example("Notes: Jam\nRequest: how much does the soup cost?", "e"),
            example("Notes: 畑\nRequest: 畑のメモに書き足して", "f"),
        ];
        let pool: Vec<&Example> = pool.iter().collect();
        for (question, expected) in [
            (
                "Notes: Boat\nRequest: The sails are washed, tick that off",
                "a",
            ),
            ("Notes: Old; New\nRequest: All of Old belongs in New", "b"),
            (
                "Notes: Club\nRequest: It isn't in May any more but in June.",
                "c",
            ),
            ("Notes: Tea\nRequest: how many tins do we have?", "d"),
            ("Notes: 店\nRequest: 店のメモに営業時間を書き足して", "f"),
        ] {
            let found = similar(question, &pool);
            let last = found.last().map(|it| it.output.as_str());
            assert_eq!(last, Some(expected), "{question}");
            assert!(found.len() <= 4);
        }
        assert!(similar("Notes: none\nRequest: xyz", &pool).is_empty());
    }
}
