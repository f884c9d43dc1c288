//! Finds the items of an enumeration that a word joins, as in `plums and leeks`.
//!
//! Which words join items is learnt from the worked plans: such a word stands in the request between the
//! last word of an item and the first word of the next one. A comma does so, too, but mostly stands
//! between clauses. Pure and deterministic.

use super::parts::MARKS;
use super::reading::{Token, tokens_of};
use std::collections::{BTreeMap, BTreeSet};

/// The minimum number of requests in which a word joins two items of a plan.
const JOINING_MIN: usize = 3;

/// The part of the requests with such a word, one in so many, in which it joins two items: one in 8 to
/// 17 for `and`, `und`, `et`, `y` and `e`, one in 20 to 30 for `&`, one in 47 for `en`.
const JOINING_PART: usize = 30;

/// The maximum number of characters of an article, as of `une`.
const ARTICLE_CHARS_MAX: usize = 3;

/// Two words of a request with a joining word between them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JoinedWords<'a> {
    /// The word before the joining word.
    pub first: &'a str,
    /// The word behind it.
    pub second: &'a str,
}

/// Counts in how many requests a word stands, and in how many of these places it joins something.
#[derive(Debug, Default)]
pub(super) struct JoiningCounts {
    /// The number of places that each word joins, and that of the requests that have it.
    words: BTreeMap<String, (usize, usize)>,
}

impl JoiningCounts {
    pub(super) fn add_request(&mut self, tokens: &[Token]) {
        let all: BTreeSet<&String> = tokens.iter().map(|it| &it.text).collect();
        for word in all {
            self.words.entry(word.clone()).or_default().1 += 1;
        }
    }

    pub(super) fn add_joining(&mut self, token: &Token) {
        self.words.entry(token.text.clone()).or_default().0 += 1;
    }

    /// Returns the words that join at least so many places, and one in `part` of the requests with them.
    pub(super) fn joining(self, min: usize, part: usize) -> impl Iterator<Item = String> {
        let words = self.words.into_iter();
        let joining = words.filter(move |(_, (joins, all))| *joins >= min && joins * part >= *all);
        joining.map(|(word, _)| word)
    }
}

/// Returns the words that join items, in lower case, given the tokens of requests with their plans.
pub(super) fn joining_words<'a>(
    lessons: impl Iterator<Item = (&'a [Token], &'a str)>,
) -> BTreeSet<String> {
    let mut counts = JoiningCounts::default();
    for (tokens, plan) in lessons {
        counts.add_request(tokens);
        for pair in items_of(plan).windows(2) {
            let [(list, item), (of_next, next)] = pair else {
                continue;
            };
            let (item, next) = (tokens_of(item), tokens_of(next));
            let (Some(last), Some(first)) = (item.last(), next.first()) else {
                continue;
            };
            let joins = |it: &&[Token]| matches!(it, [one, _, other] if one.text == last.text && other.text == first.text);
            if list == of_next
                && let Some([_, joining, _]) = tokens.windows(3).find(joins)
            {
                counts.add_joining(joining);
            }
        }
    }
    let joining = counts.joining(JOINING_MIN, JOINING_PART);
    joining.filter(|word| !word.contains(MARKS)).collect()
}

/// Returns the items that a plan names, in their order, each with the step and the note for which it does.
fn items_of(plan: &str) -> Vec<(&str, &str)> {
    let lines = plan.lines().filter_map(|line| line.split_once(':'));
    let items =
        lines.flat_map(|(list, items)| items.split(',').map(move |item| (list, item.trim())));
    items.collect()
}

/// Returns whether a token is a word that may be an article, by its length.
fn is_article(token: &Token) -> bool {
    token.is_word && token.text.chars().count() <= ARTICLE_CHARS_MAX && !token.is_number()
}

/// Returns the pairs of words in a text that one of the joining words stands between. The second word may
/// have an article.
pub(super) fn joined_words<'a>(text: &'a str, joining: &BTreeSet<String>) -> Vec<JoinedWords<'a>> {
    let tokens = tokens_of(text);
    let word = |token: &Token| text.get(token.place.clone()).filter(|_| token.is_word);
    let pairs = (0..tokens.len()).filter_map(|at| {
        let [first, between, rest @ ..] = tokens.get(at..)? else {
            return None;
        };
        let second = match rest {
            [article, second, ..] if is_article(article) && second.is_word => second,
            _ => rest.first()?,
        };
        let pair = JoinedWords {
            first: word(first)?,
            second: word(second)?,
        };
        joining.contains(&between.text).then_some(pair)
    });
    pairs.collect()
}

#[cfg(test)]
mod tests {
    use super::super::reading::{Token, tokens_of};
    use super::{JoinedWords, joined_words, joining_words};

    #[test]
    fn which_words_join_items_is_learnt_from_the_plans() {
        let mut lessons: Vec<(Vec<Token>, &str)> = Vec::new();
        for request in [
            "put plums og leeks on it",
            "we need plums og leeks",
            "plums og leeks, please",
            "it lacks plums og leeks",
        ] {
            lessons.push((tokens_of(request), "add Food: plums\nadd Food: leeks"));
            let plan = "add Food: oats, rye";
            lessons.push((tokens_of("it needs oats, rye, so go"), plan));
            lessons.push((tokens_of("we go so we pay"), "add Food: oats"));
        }
        let lessons = lessons
            .iter()
            .map(|(tokens, plan)| (tokens.as_slice(), *plan));
        let joining = joining_words(lessons);
        assert_eq!(joining.iter().collect::<Vec<_>>(), ["og"]);
        let found = joined_words("Jam og Bread og a bag, and oil og: water", &joining);
        let pairs = [("Jam", "Bread"), ("Bread", "bag")];
        assert_eq!(
            found,
            pairs.map(|(first, second)| JoinedWords { first, second })
        );
    }
}
