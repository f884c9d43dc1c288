//! How much the terms say that two texts share.

use super::check::is_telling;
use crate::core::notes::Terms;
use std::collections::BTreeMap;

/// How much each term says: a term that stands in few texts says more than one that stands in most.
#[derive(Debug)]
pub(super) struct Weights(BTreeMap<String, usize>);

/// How much less a short word is worth.
const SHORT_TERM_PART: usize = 10;

/// What a term is worth that stands in one text alone.
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

    /// Returns what the terms are worth that a text shares with a clause.
    pub(super) fn score(&self, text: &Terms, clause: &Terms) -> usize {
        let shared = clause.iter().filter(|term| text.has(term));
        shared
            .map(|term| worth(term) / self.0.get(term).copied().unwrap_or(1).max(1))
            .sum()
    }
}

/// Returns what a term is worth: short words, such as articles, hardly say anything.
fn worth(term: &str) -> usize {
    if is_telling(term) || term.starts_with(|it: char| it.is_ascii_digit()) {
        TERM_WORTH
    } else {
        TERM_WORTH / SHORT_TERM_PART
    }
}
