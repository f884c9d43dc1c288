//! Tells which clauses of a request a plan writes down, and which ones say why or how it is asked for.
//!
//! `The shed leaks. Could you keep that for me?` has one clause to write. Learnt from the worked plans:
//! the words of a clause stand in their texts, or they do not. Pure and deterministic.

use super::linear::{Features, LinearClassifier};
use super::reading::{NUMBER, Reading, TITLE_WORD, Token, known_titles, telling_words};
use super::verbs::first_word;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// The minimum number of words of a clause.
const CLAUSE_WORDS_MIN: usize = 2;

/// The part of the requests with a word, one in so many, up to which it tells clauses apart.
const TELLING_PART: usize = 50;

/// The share of telling words in a plan's texts, in percent, from which a clause is written, and up to
/// which it is not. What lies between teaches nothing.
const WRITTEN_PERCENT_MIN: usize = 60;
const UNWRITTEN_PERCENT_MAX: usize = 15;

/// The number of clauses, and of titles and numbers in one, from which more make no difference.
const CLAUSES_MAX: usize = 5;
const COUNTED_MAX: usize = 2;

/// The classes of a clause.
const UNWRITTEN: usize = 0;
const WRITTEN: usize = 1;

/// Which clauses of requests are written.
#[derive(Clone, Debug)]
pub(super) struct ClauseClassifier {
    classes: LinearClassifier<2>,
}

/// The tokens of a clause, the place of the clause among the others, and their number.
struct Clause {
    tokens: Range<usize>,
    at: usize,
    count: usize,
}

impl ClauseClassifier {
    /// Learns from pairs of a question and its plan; plans that look something up teach nothing.
    pub(super) fn of<'a>(pairs: impl Iterator<Item = (&'a str, &'a str)>) -> Self {
        let read = pairs.map(|(question, plan)| {
            let (titles, request) = known_titles(question);
            (Reading::of(&titles, request), plan)
        });
        let read: Vec<(Reading, &str)> = read.collect();
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for (reading, _) in &read {
            let words: BTreeSet<&str> = reading.tokens.iter().map(Token::compared).collect();
            for word in words {
                *counts.entry(word).or_default() += 1;
            }
        }
        let is_rare = |token: &&Token| {
            let count = counts.get(token.compared()).copied().unwrap_or_default();
            token.is_telling() && count * TELLING_PART <= read.len()
        };
        let mut lessons = Vec::new();
        for (reading, plan) in &read {
            if plan
                .lines()
                .any(|line| matches!(first_word(line), "answer" | "overview"))
            {
                continue;
            }
            let texts = plan
                .lines()
                .filter_map(|line| Some(line.split_once(':')?.1));
            let written: BTreeSet<String> = texts.flat_map(telling_words).collect();
            for clause in clauses_of(reading).iter().filter(|it| it.count > 1) {
                let tokens = reading.tokens.get(clause.tokens.clone());
                let tokens = tokens.unwrap_or_default().iter();
                let rare: Vec<&Token> = tokens.filter(is_rare).collect();
                let own = rare.iter().filter(|it| written.contains(it.compared()));
                let percent = (own.count() * 100).checked_div(rare.len());
                let class = match percent {
                    Some(WRITTEN_PERCENT_MIN..) => WRITTEN,
                    Some(..=UNWRITTEN_PERCENT_MAX) => UNWRITTEN,
                    _ => continue,
                };
                lessons.push((features(reading, clause), class));
            }
        }
        Self {
            classes: LinearClassifier::trained(&lessons, 2),
        }
    }

    /// Returns the clauses of a question's request with the probability, 0 to 1, that a plan writes them.
    /// Empty for a request of one clause and for one of several lines.
    pub(super) fn clauses<'a>(&self, question: &'a str) -> Vec<(&'a str, f32)> {
        let (titles, request) = known_titles(question);
        if request.contains('\n') {
            return Vec::new();
        }
        let reading = Reading::of(&titles, request);
        let all = clauses_of(&reading);
        let probable = all.iter().filter(|it| it.count > 1).filter_map(|clause| {
            let tokens = reading.tokens.get(clause.tokens.clone())?;
            let place = tokens.first()?.place.start..tokens.last()?.place.end;
            let probabilities = self.classes.probabilities(&features(&reading, clause));
            Some((request.get(place)?, probabilities[WRITTEN]))
        });
        probable.collect()
    }
}

/// Divides a request behind its marks; empty clauses and short ones are left out.
fn clauses_of(reading: &Reading) -> Vec<Clause> {
    let tokens = &reading.tokens;
    let mut found = Vec::new();
    let mut start = 0;
    for (at, token) in tokens.iter().enumerate() {
        let next = tokens.get(at + 1);
        let is_apart = next.is_none_or(|next| next.place.start > token.place.end);
        let is_end = match token.text.as_str() {
            "," | "!" | "?" | ";" => is_apart,
            // Behind a number or one letter it is that of an ordinal or an initial.
            "." => is_apart && !tokens.get(at.wrapping_sub(1)).is_some_and(is_abbreviated),
            "\u{3002}" | "\u{3001}" | "\u{ff01}" | "\u{ff1f}" => true,
            _ => false,
        };
        if is_end || next.is_none() {
            found.push(start..at + 1);
            start = at + 1;
        }
    }
    found.retain(|range| {
        let own = tokens.get(range.clone()).unwrap_or_default();
        own.iter().filter(|it| it.is_word).count() >= CLAUSE_WORDS_MIN
    });
    let count = found.len();
    let numbered = found.into_iter().enumerate();
    numbered
        .map(|(at, tokens)| Clause { tokens, at, count })
        .collect()
}

fn is_abbreviated(token: &Token) -> bool {
    token.is_word && (token.is_number() || token.text.chars().count() == 1)
}

/// Returns the places of the features of a clause, each once.
/// They are its words, those before and behind it, all also with the next one, and its place and
/// length.
fn features(reading: &Reading, clause: &Clause) -> Vec<usize> {
    let words = &reading.words;
    let (start, end) = (clause.tokens.start, clause.tokens.end);
    let before = words.get(..start).unwrap_or_default();
    let own = words.get(start..end).unwrap_or_default();
    let behind = words.get(end..).unwrap_or_default();
    let mut found = Features::default();
    for (side, words) in [("before", before), ("own", own), ("behind", behind)] {
        found.add_words(side, words);
    }
    for three in own.windows(3) {
        if let [one, two, three] = three {
            found.add(&["own", one, two, three]);
        }
    }
    let place = if clause.at == 0 {
        "first"
    } else if clause.at + 1 == clause.count {
        "last"
    } else {
        "inside"
    };
    found.add(&["place", place]);
    found.add_length(&["length"], own.len());
    for (name, word) in [
        ("begins", own.first()),
        ("mark before", before.last()),
        ("ends", own.last()),
        ("next", behind.first()),
    ] {
        found.add(&[name, word.map_or("", String::as_str)]);
    }
    let count = |words: &[String], wanted: &str| {
        let count = words.iter().filter(|it| *it == wanted).count();
        count.min(COUNTED_MAX)
    };
    for (name, count) in [
        ("clauses", clause.count.min(CLAUSES_MAX)),
        ("titles", count(own, TITLE_WORD)),
        ("numbers", count(own, NUMBER)),
        ("titles before", count(before, TITLE_WORD).min(1)),
        ("titles behind", count(behind, TITLE_WORD).min(1)),
    ] {
        found.add(&[name, &count.to_string()]);
    }
    found.places()
}

#[cfg(test)]
mod tests {
    use super::ClauseClassifier;

    #[test]
    fn the_words_of_an_order_are_not_those_of_a_plan() {
        // Clauses are compared by their rare words, so each note has words of its own.
        let word = |at: u8, end: &str| {
            let letter = |place: u8| char::from(b'a' + place);
            format!("{}{}{end}", letter(at % 26), letter(at / 26))
        };
        let mut pairs = Vec::new();
        for at in 0..120 {
            let (one, fact) = (word(at, "box"), word(at, "oil"));
            let request = format!("My note on {one} is wrong, it needs {fact}");
            let question = format!("Notes: {one}; Oars\nRequest: {request}");
            pairs.push((question, format!("change {one}: It needs {fact}.")));
        }
        let pairs = pairs.iter();
        let pairs = pairs.map(|(one, other)| (one.as_str(), other.as_str()));
        let learnt = ClauseClassifier::of(pairs);
        let question = "Notes: Raft; Tent\nRequest: My note on raft is wrong, it needs pegs.";
        let found = learnt.clauses(question);
        let texts: Vec<&str> = found.iter().map(|(text, _)| *text).collect();
        assert_eq!(texts, ["My note on raft is wrong,", "it needs pegs."]);
        let written: Vec<bool> = found.iter().map(|(_, written)| *written > 0.5).collect();
        assert_eq!(written, [false, true], "{found:?}");
        assert!(
            learnt
                .clauses("Notes: Raft\nRequest: it needs pegs")
                .is_empty()
        );
        let dictated = "Notes: Raft\nRequest: it needs pegs.\nPut that right.";
        assert!(learnt.clauses(dictated).is_empty());
    }

    #[test]
    fn nothing_is_learnt_from_nothing() {
        let none = ClauseClassifier::of(std::iter::empty());
        let found = none.clauses("Notes: none\nRequest: It rains. Keep that.");
        assert!(
            found
                .iter()
                .all(|(_, written)| (*written - 0.5).abs() < 0.01)
        );
    }
}
