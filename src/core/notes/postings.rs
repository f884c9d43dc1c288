//! The postings of words: pairs of a word and a slot.
//! Most pairs come at once and few later. The first pairs are one sorted list, since there are
//! millions of them; later changes are kept beside it.

use std::collections::BTreeSet;

/// A word and a slot.
pub(super) type Posting = (u32, u32);

/// The set of postings.
#[derive(Clone, Debug, Default)]
pub(super) struct Postings {
    /// The first postings, sorted, each once.
    first: Vec<Posting>,
    /// The removed ones of the first postings.
    gone: BTreeSet<Posting>,
    /// The later postings, none of which is among the first.
    later: BTreeSet<Posting>,
}

impl Postings {
    /// Returns the set of these postings, which may be in any order.
    pub(super) fn of(mut first: Vec<Posting>) -> Self {
        first.sort_unstable();
        first.dedup();
        first.shrink_to_fit();
        Self {
            first,
            ..Self::default()
        }
    }

    /// Adds a posting.
    pub(super) fn insert(&mut self, posting: Posting) {
        if !self.gone.remove(&posting) && self.first.binary_search(&posting).is_err() {
            self.later.insert(posting);
        }
    }

    /// Removes a posting.
    pub(super) fn remove(&mut self, posting: Posting) {
        if !self.later.remove(&posting) && self.first.binary_search(&posting).is_ok() {
            self.gone.insert(posting);
        }
    }

    /// Returns the slots of a word.
    pub(super) fn slots_with(&self, word: u32) -> impl Iterator<Item = u32> {
        let start = self.first.partition_point(|(other, _)| *other < word);
        let first = self.first.get(start..).unwrap_or_default().iter();
        let first = first.take_while(move |(other, _)| *other == word);
        let first = first.filter(|posting| !self.gone.contains(posting));
        let later = self.later.range((word, 0)..=(word, u32::MAX));
        first.chain(later).map(|(_, slot)| *slot)
    }
}

#[cfg(test)]
mod tests {
    use super::Postings;
    use proptest::collection::vec;
    use proptest::prelude::{any, prop_assert_eq, proptest};
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn it_holds_what_a_set_of_all_pairs_holds(
            first in vec((0_u32..4, 0_u32..4), 0..12),
            changes in vec(((0_u32..4, 0_u32..4), any::<bool>()), 0..24),
        ) {
            let mut all: BTreeSet<_> = first.iter().copied().collect();
            let mut postings = Postings::of(first);
            for (posting, comes) in changes {
                if comes {
                    all.insert(posting);
                    postings.insert(posting);
                } else {
                    all.remove(&posting);
                    postings.remove(posting);
                }
                for word in 0..4 {
                    let mut slots: Vec<_> = postings.slots_with(word).collect();
                    slots.sort_unstable();
                    let expected = all.iter().filter(|(other, _)| *other == word);
                    prop_assert_eq!(slots, expected.map(|(_, slot)| *slot).collect::<Vec<_>>());
                }
            }
        }
    }
}
