//! Predicts the verb of a plan from its question, by what the worked examples do.
//!
//! A small model is sometimes taken in by one word of a request. Pure and deterministic.

use super::linear::{Features, LinearClassifier};
use super::words::{titles_and_request, words_of};
use crate::core::notes::is_unspaced;
use std::collections::BTreeSet;

/// The maximum number of verbs that are told apart; plans have as many.
const VERBS_MAX: usize = 12;

/// The number of characters by which words and titles are compared: it leaves most endings out.
const STEM_CHARS: usize = 6;

/// The number of characters by which a word counts as one of a title.
const TITLE_STEM_CHARS: usize = 5;

/// The minimum length of a word of a title that is recognised, in characters.
const TITLE_WORD_CHARS_MIN: usize = 3;

/// The lengths of the parts of words that are features, in characters.
const PART_CHARS: [usize; 2] = [3, 4];

/// The largest number of adjacent words that are one feature; more for scripts without spaces.
const ADJACENT_MAX: usize = 3;

/// The number of titles whose words are features; the worked examples have two.
const TITLES_MAX: usize = 2;

/// The number of numbers or commas from which more make no difference.
const COUNTED_MAX: usize = 4;

/// The placeholder for a word of a title.
const TITLE: &str = "\u{1}";

/// The verbs of plans, and the weights by which a question calls for them.
#[derive(Clone, Debug)]
pub(super) struct VerbClassifier {
    verbs: Vec<String>,
    weights: LinearClassifier<VERBS_MAX>,
}

impl VerbClassifier {
    /// Trains a classifier on pairs of a question and its plan. The verb is the first word.
    pub(super) fn of<'a>(pairs: impl Iterator<Item = (&'a str, &'a str)>) -> Self {
        let pairs: Vec<(&str, &str)> = pairs
            .map(|(question, plan)| (question, first_word(plan)))
            .collect();
        let verbs: BTreeSet<&str> = pairs.iter().map(|(_, verb)| *verb).collect();
        let verbs: Vec<String> = verbs
            .into_iter()
            .take(VERBS_MAX)
            .map(str::to_owned)
            .collect();
        let place = |verb: &str| verbs.iter().position(|it| it == verb);
        let lessons: Vec<(Vec<usize>, usize)> = pairs
            .iter()
            .filter_map(|(question, verb)| Some((features_of(question), place(verb)?)))
            .collect();
        let weights = LinearClassifier::trained(&lessons, verbs.len());
        Self { verbs, weights }
    }

    /// Returns each verb with its probability, 0 to 1, for a question in the form of the examples.
    pub(super) fn probabilities(&self, question: &str) -> Vec<(&str, f32)> {
        let found = self.weights.probabilities(&features_of(question));
        self.verbs.iter().map(String::as_str).zip(found).collect()
    }
}

/// Returns the first word of a plan, without its colon.
pub(super) fn first_word(plan: &str) -> &str {
    let word = plan.split_whitespace().next().unwrap_or_default();
    word.trim_end_matches(':')
}

/// Returns the places of the features of a question, each once.
/// They are words, adjacent words, words around another one, words in a half of the request and parts of
/// words, all without the words of titles; the words of the first titles by themselves; and how far
/// the request names a note.
pub(super) fn features_of(question: &str) -> Vec<usize> {
    let (titles, request) = titles_and_request(question);
    let titles = titles.map(str::to_lowercase);
    let titles: Vec<String> = titles.filter(|title| title != "none").collect();
    let lower = request.to_lowercase();
    let words = masked_words(&lower, &titles);
    let mut found = Features::default();
    let stems: Vec<&str> = words.iter().map(|word| stem(word, STEM_CHARS)).collect();
    for (at, word) in words.iter().enumerate() {
        let most = ADJACENT_MAX + usize::from(word.contains(is_unspaced));
        for count in 1..=most {
            if let Some(adjacent) = stems.get(at..at + count) {
                found.add(adjacent);
            }
        }
        if word != TITLE && !word.contains(is_unspaced) {
            add_parts(word, &mut found);
        }
    }
    for around in stems.windows(3) {
        if let [before, _, behind] = around {
            found.add(&["around", before, behind]);
        }
    }
    let (head, tail) = stems.split_at(stems.len().div_ceil(2));
    for (name, half) in [("head", head), ("tail", tail)] {
        for word in half {
            found.add(&[name, word]);
        }
    }
    for (name, end) in [("first", stems.first()), ("last", stems.last())] {
        if let Some(word) = end {
            found.add(&[name, word]);
        }
    }
    for title in titles.iter().take(TITLES_MAX) {
        for word in words_of(title) {
            found.add(&["title", stem(&word, STEM_CHARS)]);
        }
    }
    add_measures(&lower, &titles, words.len(), &mut found);
    found.places()
}

/// Adds the parts of a word that are features.
fn add_parts(word: &str, features: &mut Features) {
    let spaced = format!(" {word} ");
    let ends = spaced.char_indices().map(|(at, _)| at);
    let ends: Vec<usize> = ends.chain([spaced.len()]).collect();
    for length in PART_CHARS {
        for (from, to) in ends.iter().zip(ends.iter().skip(length)) {
            features.add(&["part", spaced.get(*from..*to).unwrap_or_default()]);
        }
    }
}

/// Adds what can be counted in a request, in lower case: how far it names a note, and its marks.
fn add_measures(request: &str, titles: &[String], words: usize, features: &mut Features) {
    let said = words_of(request);
    let covered = titles.iter().map(|title| coverage(title, &said));
    let covered: Vec<usize> = covered.collect();
    let best = covered.iter().max().copied().unwrap_or_default();
    let whole = covered.iter().filter(|it| **it == COVERAGE_FULL).count();
    let exact = titles
        .iter()
        .filter(|title| request.contains(*title))
        .count();
    let numbers = request.split(|it: char| !it.is_ascii_digit());
    let numbers = numbers.filter(|number| !number.is_empty()).count();
    let is = |is: bool| usize::from(is);
    for (name, count) in [
        ("covered", best),
        ("whole", whole.min(2)),
        ("exact", exact.min(2)),
        ("untitled", is(titles.is_empty())),
        ("length", (words / 5).min(8)),
        ("numbers", numbers.min(COUNTED_MAX)),
        ("commas", request.matches(',').count().min(COUNTED_MAX)),
        ("asks", is(request.contains(['?', '\u{ff1f}']))),
        ("colon", is(request.contains(": "))),
    ] {
        features.add(&[name, &count.to_string()]);
    }
}

/// The coverage of a title whose words all stand in the request.
const COVERAGE_FULL: usize = 3;

/// Returns how many words of a title are among the words of a request, in thirds.
fn coverage(title: &str, said: &[String]) -> usize {
    let title = words_of(title);
    let has = |word: &String| {
        let own = stem(word, TITLE_STEM_CHARS);
        said.iter().any(|it| it.starts_with(own))
    };
    title.iter().filter(|it| has(it)).count() * COVERAGE_FULL / title.len().max(1)
}

/// Returns the words of a request, with a placeholder for each that a title has.
fn masked_words(request: &str, titles: &[String]) -> Vec<String> {
    let is_long = |word: &String| word.chars().count() >= TITLE_WORD_CHARS_MIN;
    let known: BTreeSet<String> = titles
        .iter()
        .flat_map(|title| words_of(title))
        .filter(is_long)
        .map(|word| stem(&word, TITLE_STEM_CHARS).to_owned())
        .collect();
    // Scripts without spaces have no words to compare.
    let unspaced = titles.iter().filter(|title| title.contains(is_unspaced));
    let text = unspaced.fold(request.to_owned(), |text, title| text.replace(title, TITLE));
    let masked = words_of(&text).into_iter().map(|word| {
        if word.contains(TITLE) || known.contains(stem(&word, TITLE_STEM_CHARS)) {
            TITLE.to_owned()
        } else {
            word
        }
    });
    masked.collect()
}

/// Returns the first characters of a word.
pub(super) fn stem(word: &str, chars: usize) -> &str {
    let end = word
        .char_indices()
        .nth(chars)
        .map_or(word.len(), |(at, _)| at);
    word.get(..end).unwrap_or(word)
}

#[cfg(test)]
mod tests {
    use super::VerbClassifier;

    #[test]
    fn verbs_are_learnt_from_the_phrasing_and_not_from_the_subject() {
        let subjects = ["jam", "soup", "kiln", "boat", "shed", "tea", "kite", "lamp"];
        let phrasings = [
            ("what is in the {}", "answer: {}"),
            ("take the lid off my {} list", "remove {}: lid"),
            ("put a lid on the {} list", "add {}: lid"),
            ("get rid of the {} note", "delete {}"),
        ];
        let mut pairs = Vec::new();
        for subject in subjects {
            for (request, plan) in phrasings {
                let request = request.replace("{}", subject);
                let plan = plan.replace("{}", subject);
                pairs.push((format!("Notes: {subject}; Oars\nRequest: {request}"), plan));
            }
        }
        let pairs = || {
            pairs
                .iter()
                .map(|(one, other)| (one.as_str(), other.as_str()))
        };
        let learnt = VerbClassifier::of(pairs());
        for (request, expected) in [
            ("take the oars off my punt list", "remove"),
            ("put a rope on the punt list", "add"),
            ("what is in the punt", "answer"),
            ("get rid of the punt note", "delete"),
        ] {
            let question = format!("Notes: Punt; Jam\nRequest: {request}");
            let found = learnt.probabilities(&question);
            let (verb, probability) = *found.iter().max_by(|a, b| a.1.total_cmp(&b.1)).unwrap();
            assert_eq!(verb, expected, "{request} {found:?}");
            assert!(probability > 0.5, "{request} {found:?}");
            let total: f32 = found.iter().map(|(_, it)| it).sum();
            assert!((total - 1.0).abs() < 0.001, "{total}");
            let again = VerbClassifier::of(pairs());
            assert_eq!(
                again.probabilities(&question),
                found,
                "learnt alike each time"
            );
        }
    }

    #[test]
    fn nothing_is_learnt_from_nothing() {
        let none = VerbClassifier::of(std::iter::empty());
        assert!(none.probabilities("Notes: none\nRequest: hello").is_empty());
    }
}
