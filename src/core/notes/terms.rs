//! The terms by which two texts are compared when one may mention the other.
//! Case, accents and a plural `s` do not count; scripts without spaces count by pairs of
//! neighbouring characters.

use super::words::{Words, is_run, pairs, tokens};
use std::collections::BTreeSet;
use std::ops::Bound;

/// The number of letters from which on a final `s` of a word counts as a plural.
const PLURAL_CHARS_MIN: usize = 4;

/// The terms of a text, each once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Terms(BTreeSet<String>);

impl Terms {
    /// Returns the terms of a text.
    pub fn of(text: &str) -> Self {
        let words = Words::of(text);
        let mut terms = BTreeSet::new();
        for token in tokens(words.as_str()) {
            if !is_run(token) {
                terms.insert(singular(token).to_owned());
            } else if token.chars().nth(1).is_none() {
                terms.insert(token.to_owned());
            } else {
                terms.extend(pairs(token).map(str::to_owned));
            }
        }
        Self(terms)
    }

    /// Returns whether there is no term.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns how many terms there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns whether the text has a term.
    pub fn has(&self, term: &str) -> bool {
        self.0.contains(term)
    }

    /// Returns the term itself if the text has it, else the first longer one that begins with it.
    pub fn beginning_with(&self, term: &str) -> Option<&str> {
        let from = (Bound::Included(term), Bound::Unbounded);
        let first = self.0.range::<str, _>(from).next()?;
        first.starts_with(term).then_some(first)
    }

    /// Returns how many terms both have.
    pub fn shared(&self, other: &Self) -> usize {
        self.0.intersection(&other.0).count()
    }

    /// Returns whether the other text has every term, too.
    pub fn are_in(&self, other: &Self) -> bool {
        self.0.is_subset(&other.0)
    }

    /// Returns the terms of both.
    #[must_use]
    pub fn with(mut self, other: &Self) -> Self {
        self.0.extend(other.0.iter().cloned());
        self
    }

    /// Returns the terms that the other text does not have.
    #[must_use]
    pub fn without(mut self, other: &Self) -> Self {
        self.0.retain(|term| !other.has(term));
        self
    }

    /// Returns the terms in alphabetical order.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }
}

/// Returns whether the words of a phrase are side by side in a text, in any of their forms.
/// A phrase without words is in no text.
pub fn phrase_stands_in(phrase: &str, text: &str) -> bool {
    phrase_stands_apart(phrase, text, &[])
}

/// Returns whether a phrase is in a text other than as a part of one of the `longer` phrases.
pub fn phrase_stands_apart(phrase: &str, text: &str, longer: &[&str]) -> bool {
    let phrase = in_form(phrase);
    let text = in_form_without(text, longer);
    let words = phrase.trim();
    // Scripts without spaces have no ends of words.
    let is_run_alone = tokens(words).all(is_run);
    !words.is_empty() && text.contains(if is_run_alone { words } else { phrase.as_str() })
}

/// Returns how often a phrase is in a text other than as a part of one of the `longer` phrases.
pub fn phrase_count(phrase: &str, text: &str, longer: &[&str]) -> usize {
    let phrase = in_form(phrase);
    match phrase.trim() {
        "" => 0,
        words => in_form_without(text, longer).matches(words).count(),
    }
}

/// Returns the form of a text from which phrases are cut out.
fn in_form_without(text: &str, phrases: &[&str]) -> String {
    let phrases = phrases.iter().map(|phrase| in_form(phrase));
    let phrases = phrases.filter(|phrase| !phrase.trim().is_empty());
    phrases.fold(in_form(text), |text, phrase| text.replace(&phrase, CUT))
}

/// The replacement of a phrase that is cut out of a text. It contains no word.
const CUT: &str = " \n ";

/// Returns the words of a text in their plainest form, with a space before and behind each.
fn in_form(text: &str) -> String {
    let words = Words::of(text);
    tokens(words.as_str())
        .map(|token| {
            if is_run(token) {
                token
            } else {
                singular(token)
            }
        })
        .fold(" ".to_owned(), |form, word| form + word + " ")
}

fn singular(word: &str) -> &str {
    match word.strip_suffix('s') {
        Some(stem) if word.chars().count() >= PLURAL_CHARS_MIN && !stem.ends_with('s') => stem,
        _ => word,
    }
}

#[cfg(test)]
mod tests {
    use super::{Terms, phrase_stands_apart, phrase_stands_in};

    #[test]
    fn a_phrase_stands_in_a_text_as_a_whole() {
        for (phrase, text, stands) in [
            ("Shopping list", "Add it to my shopping lists, please", true),
            ("Chess club", "The chess board is at the club house", false),
            ("art", "the party", false),
            ("歯医者", "ノート「歯医者」を直して", true),
            ("", "text", false),
            ("!", "text!", false),
        ] {
            assert_eq!(phrase_stands_in(phrase, text), stands, "{phrase}");
        }
    }

    #[test]
    fn a_phrase_stands_apart_from_longer_ones() {
        for (text, stands) in [
            ("Put Chess club into Chess", true),
            ("the chess clubs meet", false),
            ("Chess, chess club", true),
        ] {
            assert_eq!(phrase_stands_apart("Chess", text, &["Chess club"]), stands);
        }
    }

    #[test]
    fn texts_share_terms_whatever_their_form() {
        for (one, other, shared) in [
            ("Boat jobs", "the BOAT job", 2),
            ("Café at 8:10", "cafe, 8.10", 3),
            ("glass", "glas", 0),
            ("歯医者の予約", "歯医者は火曜日", 2),
            ("傘", "傘は会社", 0),
            ("", "anything", 0),
        ] {
            assert_eq!(Terms::of(one).shared(&Terms::of(other)), shared, "{one}");
        }
        assert!(Terms::of("red kite").are_in(&Terms::of("The kite is red.")));
        assert!(!Terms::of("red kites fly").are_in(&Terms::of("The kite is red.")));
    }
}
