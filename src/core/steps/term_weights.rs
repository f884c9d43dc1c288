//! The weights of terms that two texts share.

use super::check::is_telling;
use crate::core::notes::Terms;
use std::collections::BTreeMap;

/// The number of texts that have each term.
/// A term in few texts weighs more than one in most.
#[derive(Debug)]
pub(super) struct Weights(BTreeMap<String, usize>);

/// The divisor of the weight of a short word.
const SHORT_TERM_PART: usize = 10;

/// The number of letters from which a term also matches longer words that begin with it.
const BEGINNING_CHARS_MIN: usize = 4;

/// The weight of a term that stands in one text alone.
const TERM_WORTH: usize = 1000;

impl Weights {
    pub(super) fn of<'a>(texts: impl Iterator<Item = &'a str>) -> Self {
        let terms: Vec<Terms> = texts.map(Terms::of).collect();
        Self::of_terms(terms.iter())
    }

    pub(super) fn of_terms<'a>(texts: impl Iterator<Item = &'a Terms>) -> Self {
        let mut counts = BTreeMap::new();
        for terms in texts {
            for term in terms.iter() {
                *counts.entry(term.to_owned()).or_insert(0) += 1;
            }
        }
        Self(counts)
    }

    /// Returns the weight of the terms that a text shares with a clause.
    /// A longer word that begins with a term counts as that term: `hailstones` matches `hail`.
    pub(super) fn score(&self, text: &Terms, clause: &Terms) -> usize {
        let found = |term: &str| {
            let own = text.beginning_with(term)?;
            let is_same = own == term || term.chars().count() >= BEGINNING_CHARS_MIN;
            is_same.then(|| worth(term) / self.0.get(own).copied().unwrap_or(1).max(1))
        };
        clause.iter().filter_map(found).sum()
    }
}

/// Returns the weight of a term.
/// Short words, such as articles, hardly count.
fn worth(term: &str) -> usize {
    if is_telling(term) || term.starts_with(|it: char| it.is_ascii_digit()) {
        TERM_WORTH
    } else {
        TERM_WORTH / SHORT_TERM_PART
    }
}

#[cfg(test)]
mod tests {
    use super::{Terms, Weights};

    #[test]
    fn a_longer_word_that_begins_alike_speaks_of_the_same() {
        let lines = ["rain and hailstones", "a jacket for the rain", "haystack"];
        let weights = Weights::of(lines.into_iter());
        let score = |line: &str, clause: &str| weights.score(&Terms::of(line), &Terms::of(clause));
        assert!(score(lines[0], "did it hail") > score(lines[1], "did it hail"));
        assert_eq!(score(lines[2], "hay"), 0, "too short to tell");
    }
}
