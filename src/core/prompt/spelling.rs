//! Reads the typing errors of a question as the words that are meant, so that worked examples are found
//! for it. Pure.

use super::words::{titles_and_request, words_of};
use std::collections::BTreeMap;

/// The number of examples from which a word of theirs may be meant by a typing error.
const EXAMPLES_MIN: usize = 8;

/// The number of letters from which two letters may be the wrong way round.
const SWAPPED_CHARS_MIN: usize = 3;

/// The number of letters from which one may be wrong, missing or too many.
const SLIP_CHARS_MIN: usize = 5;

/// The words that are known, with the number of examples that have each.
#[derive(Clone, Debug, Default)]
pub(super) struct KnownWords {
    counts: BTreeMap<String, usize>,
}

impl KnownWords {
    /// Takes words with the number of examples that have them; those of scripts without spaces and
    /// marks are left out.
    pub(super) fn of<'a>(words: impl Iterator<Item = (&'a str, usize)>) -> Self {
        let words = words.filter(|(word, _)| word.chars().all(char::is_alphabetic));
        let counts = words.map(|(word, count)| (word.to_owned(), count));
        Self {
            counts: counts.collect(),
        }
    }

    /// Returns a question with each unknown word of its request as the likeliest known one that differs
    /// by one typing error. Capitalized words may be names, and are left alone.
    pub(super) fn respelt(&self, question: &str) -> String {
        let (titles, request) = titles_and_request(question);
        let titles: Vec<String> = titles.flat_map(|it| words_of(&it.to_lowercase())).collect();
        let before = question.strip_suffix(request).unwrap_or_default();
        let words = request.split_inclusive(char::is_whitespace).map(|part| {
            let word = part.trim_matches(|it: char| !it.is_alphanumeric());
            match self.meant(word, &titles) {
                Some(meant) => part.replacen(word, meant, 1),
                None => part.to_owned(),
            }
        });
        [before.to_owned(), words.collect()].concat()
    }

    /// Returns the known word that an unknown one means; a word of a title before all others.
    fn meant<'a>(&'a self, word: &str, titles: &'a [String]) -> Option<&'a str> {
        let is_plain = word.chars().all(char::is_lowercase) && !word.is_empty();
        if !is_plain || self.counts.contains_key(word) || titles.iter().any(|it| it == word) {
            return None;
        }
        let mut of_titles = titles.iter().filter(|title| is_slip(word, title));
        let known = self.counts.iter();
        let frequent = known.filter(|(_, count)| **count >= EXAMPLES_MIN);
        let like = frequent.filter(|(known, _)| is_slip(word, known));
        let likeliest = || like.max_by_key(|(_, count)| **count);
        of_titles
            .next()
            .or_else(|| likeliest().map(|(known, _)| known))
            .map(String::as_str)
    }
}

/// Returns whether a word is another one with one typing error.
fn is_slip(word: &str, meant: &str) -> bool {
    let (own, other) = (word.chars().count(), meant.chars().count());
    if own.abs_diff(other) > 1 || own.min(other) < SWAPPED_CHARS_MIN {
        return false;
    }
    let is_long = own.min(other) >= SLIP_CHARS_MIN && word.chars().next() == meant.chars().next();
    let has_same_letters = || letters_of(word) == letters_of(meant);
    (is_long || has_same_letters()) && strsim::osa_distance(word, meant) == 1
}

fn letters_of(word: &str) -> Vec<char> {
    let mut letters: Vec<char> = word.chars().collect();
    letters.sort_unstable();
    letters
}

#[cfg(test)]
mod tests {
    use super::KnownWords;

    #[test]
    fn a_typing_error_is_read_as_the_word_that_is_meant() {
        let known = [
            ("where", 90),
            ("there", 40),
            ("the", 900),
            ("list", 70),
            ("holiday", 8),
            ("house", 20),
            ("mouse", 2),
        ];
        let known = KnownWords::of(known.into_iter());
        for (request, expected) in [
            (
                "wheer is teh stopcokc, in teh holdiay hosue?",
                "where is the stopcock, in the holiday house?",
            ),
            ("Wheer is Hose", "Wheer is Hose"),
            ("a holliday", "a holiday"),
            ("bouse", "bouse"),
        ] {
            let question = |request| format!("Notes: Stopcock; Oars\nRequest: {request}");
            assert_eq!(known.respelt(&question(request)), question(expected));
        }
        assert_eq!(known.respelt("wheer"), "where");
    }
}
