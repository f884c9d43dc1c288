//! Divides a request into the parts that are about different notes.
//!
//! A small model that reads two wishes at once mixes them up. Where one ends and the next begins is
//! learnt from the worked plans: the words of a line stand in one part of the request. Pure and
//! deterministic.

use super::joined_items::{self, JoinedWords, JoiningCounts};
use super::linear::{Features, LinearClassifier};
use super::reading::{Reading, Token, known_titles, telling_words, tokens_of};
use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::ops::Range;

/// The maximum number of parts of a request.
const PARTS_MAX: usize = 4;

/// The probability, 0 to 1, above which a part begins.
/// Of 34 requests of two parts in the sets of tasks 27 are above it, the least likely one at 0.59, and of
/// some 500 others that are no questions none, the likeliest one at 0.45.
const BOUNDARY_MIN: f32 = 0.55;

/// The minimum number of words of a part.
const PART_WORDS_MIN: usize = 3;

/// The minimum number of requests in which a joining word stands between two parts.
const JOINING_MIN: usize = 8;

/// The part of the requests with a joining word, one in so many, in which it stands between parts.
const JOINING_PART: usize = 12;

/// The marks behind which a part may begin.
pub(super) const MARKS: [char; 14] = [
    '.', ';', '!', '?', ',', ':', '\u{2013}', '\u{2014}', '-', ')', '\u{2026}', '\u{3002}',
    '\u{3001}', '\u{ff01}',
];

/// The classes of a place in a request.
const INSIDE: usize = 0;
const BOUNDARY: usize = 1;

/// Where parts of requests begin, and the words that join them, such as `and`.
#[derive(Clone, Debug)]
pub(super) struct PartClassifier {
    boundaries: LinearClassifier<2>,
    joining: BTreeSet<String>,
    joining_items: BTreeSet<String>,
}

/// A worked plan: how its request reads, and the bytes between its parts.
struct Lesson<'a> {
    reading: Reading,
    plan: &'a str,
    gaps: Vec<Range<usize>>,
}

impl PartClassifier {
    /// Learns from pairs of a question and its plan.
    /// Plans whose lines cannot be found apart in the request teach nothing.
    pub(super) fn of<'a>(pairs: impl Iterator<Item = (&'a str, &'a str)>) -> Self {
        let all: Vec<(Reading, &str)> = pairs
            .map(|(question, plan)| {
                let (titles, request) = known_titles(question);
                (Reading::of(&titles, request), plan)
            })
            .collect();
        let tokens = all.iter().map(|(it, plan)| (it.tokens.as_slice(), *plan));
        let joining_items = joined_items::joining_words(tokens);
        let lessons = all.into_iter().filter_map(|(reading, plan)| {
            Some(Lesson {
                gaps: gaps_of(&reading.tokens, plan)?,
                reading,
                plan,
            })
        });
        let lessons: Vec<Lesson<'_>> = lessons.collect();
        let joining = joining_words(&lessons);
        let mut places = Vec::new();
        for Lesson { reading, gaps, .. } in &lessons {
            let found = candidates(reading, &joining);
            let is_in = |gap: &Range<usize>, at: &usize| {
                let token = reading.tokens.get(*at);
                token.is_some_and(|it| (gap.start..=gap.end).contains(&it.place.start))
            };
            let is_reached = |gap: &Range<usize>| found.iter().any(|at| is_in(gap, at));
            if !gaps.iter().all(is_reached) {
                continue;
            }
            for at in &found {
                let is_boundary = gaps.iter().any(|gap| is_in(gap, at));
                let class = if is_boundary { BOUNDARY } else { INSIDE };
                places.push((features(reading, *at), class));
            }
        }
        Self {
            boundaries: LinearClassifier::trained(&places, 2),
            joining,
            joining_items,
        }
    }

    /// Returns the pairs of words in a text that are of two items of an enumeration.
    pub(super) fn joined_items<'a>(&self, text: &'a str) -> Vec<JoinedWords<'a>> {
        joined_items::joined_words(text, &self.joining_items)
    }

    /// Returns the parts of a question's request, in their order; the whole request if it is one.
    pub(super) fn parts<'a>(&self, question: &'a str) -> Vec<&'a str> {
        let (titles, request) = known_titles(question);
        let mut parts = vec![request];
        let mut at = 0;
        while let Some(part) = parts.get(at).copied() {
            let divided = self.divided(&titles, part);
            match divided.filter(|_| parts.len() < PARTS_MAX) {
                Some(both) => {
                    parts.splice(at..=at, both);
                }
                None => at += 1,
            }
        }
        parts
    }

    /// Returns the largest probability, 0 to 1, of a boundary in a question's request; 0 for one clause.
    pub(super) fn likeliest_boundary(&self, question: &str) -> f32 {
        let (titles, request) = known_titles(question);
        let reading = Reading::of(&titles, request);
        let probable = self.probable(&reading).map(|(it, _)| it);
        probable.fold(0.0, f32::max)
    }

    /// Returns the probability of each candidate for a boundary, and its place among the tokens.
    fn probable(&self, reading: &Reading) -> impl Iterator<Item = (f32, usize)> {
        let found = candidates(reading, &self.joining).into_iter();
        found.map(|at| {
            let features = features(reading, at);
            (self.boundaries.probabilities(&features)[BOUNDARY], at)
        })
    }

    /// Returns both parts of a request, if it has a boundary.
    fn divided<'a>(&self, titles: &[&str], request: &'a str) -> Option<[&'a str; 2]> {
        let reading = Reading::of(titles, request);
        let words = |tokens: &[Token]| tokens.iter().filter(|it| it.is_word).count();
        let is_long = |at: usize| {
            let (before, behind) = reading.sides(at);
            words(before).min(words(behind)) >= PART_WORDS_MIN
        };
        let probable = self.probable(&reading);
        let probable = probable.filter(|(it, at)| *it > BOUNDARY_MIN && is_long(*at));
        let (_, at) = probable.max_by(|(one, _), (other, _)| one.total_cmp(other))?;
        let (_, behind) = reading.sides(at);
        let is_joining = |it: &&Token| !it.is_word || self.joining.contains(&it.text);
        let first = behind.iter().find(|it| !is_joining(it))?.place.start;
        let before = request.get(..behind.first()?.place.start)?;
        let end = |it: char| it.is_whitespace() || it != '.' && it != '!' && MARKS.contains(&it);
        Some([before.trim_end_matches(end), request.get(first..)?])
    }
}

/// Returns the places of the tokens with which a part may begin: behind a mark, or a joining word.
fn candidates(reading: &Reading, joining: &BTreeSet<String>) -> Vec<usize> {
    let tokens = &reading.tokens;
    let pairs = tokens.iter().zip(tokens.iter().skip(1)).enumerate();
    let found = pairs.filter(|(_, (before, token))| {
        let is_apart = token.place.start > before.place.end;
        if before.is_word {
            is_apart && joining.contains(&token.text)
        } else {
            let is_unspaced = matches!(before.text.as_str(), "\u{3002}" | "\u{3001}" | "\u{ff01}");
            before.text.contains(MARKS) && (is_apart || is_unspaced)
        }
    });
    let words = found.filter(|(_, (_, token))| token.is_word);
    words.map(|(at, _)| at + 1).collect()
}

/// Returns the places of the features of a boundary before a token, each once.
/// They are the mark and the words around it, the words on each side without those of titles, which
/// title each side speaks of, and the lengths.
fn features(reading: &Reading, at: usize) -> Vec<usize> {
    let (before, behind) = reading.sides(at);
    let (before_words, behind_words) = reading.words.split_at(before.len());
    let mut found = Features::default();
    let mark = before.last().filter(|it| !it.is_word);
    let mark = mark.map_or("", |it| it.text.as_str());
    let next = |number: usize| behind_words.get(number).map_or("", String::as_str);
    let last = before_words.iter().rev().nth(1).map_or("", String::as_str);
    found.add(&["mark", mark]);
    found.add(&["next", next(0)]);
    found.add(&["mark next", mark, next(0)]);
    found.add(&["next two", next(0), next(1)]);
    found.add(&["next three", next(0), next(1), next(2)]);
    found.add(&["second", next(1)]);
    found.add(&["last", last]);
    let named = match [before, behind].map(|side| spoken_of(reading, side)) {
        [Some(one), Some(other)] if one == other => "same",
        [Some(_), Some(_)] => "both",
        [Some(_), None] => "first",
        [None, Some(_)] => "second",
        [None, None] => "none",
    };
    found.add(&["named", named]);
    let joined_by = if mark.is_empty() { next(0) } else { mark };
    found.add(&["named mark", named, joined_by]);
    for (side, tokens, words) in [
        ("before", before, before_words),
        ("behind", behind, behind_words),
    ] {
        let count = tokens.iter().filter(|it| it.is_word).count();
        found.add_length(&["length", side], count);
        found.add_words(side, words);
    }
    found.places()
}

/// Returns the place of the title of which a text has the largest share of words, if any.
fn spoken_of(reading: &Reading, tokens: &[Token]) -> Option<usize> {
    let words: BTreeSet<&str> = tokens.iter().map(Token::compared).collect();
    let shares = reading.titles.iter().enumerate().filter_map(|(at, own)| {
        let shared = own.iter().filter(|it| words.contains(it.as_str())).count();
        // Shares compare as fractions; the first of equal ones is the likelier note.
        (shared > 0).then(|| (shared * 1000 / own.len(), Reverse(at)))
    });
    shares.max().map(|(_, Reverse(at))| at)
}

/// Returns the words with which the text between two parts often begins.
fn joining_words(lessons: &[Lesson<'_>]) -> BTreeSet<String> {
    let mut counts = JoiningCounts::default();
    for lesson in lessons {
        let tokens = &lesson.reading.tokens;
        // A verb of the plan, such as `delete`, asks for something.
        let planned = tokens_of(lesson.plan);
        let is_planned = |token: &Token| planned.iter().any(|it| it.text == token.text);
        counts.add_request(tokens);
        for gap in &lesson.gaps {
            let is_own = |it: &&Token| it.is_word && (gap.start..gap.end).contains(&it.place.start);
            let first = tokens.iter().find(is_own);
            if let Some(first) = first.filter(|it| !is_planned(it)) {
                counts.add_joining(first);
            }
        }
    }
    counts.joining(JOINING_MIN, JOINING_PART).collect()
}

/// Returns the bytes of a request between what the lines of a plan about different notes say.
/// Empty for a plan about one note. `None` if the lines do not stand one after another.
fn gaps_of(tokens: &[Token], plan: &str) -> Option<Vec<Range<usize>>> {
    let mut notes: Vec<(&str, BTreeSet<String>)> = Vec::new();
    for line in plan.lines() {
        let rest = line.split_once(' ').map_or("", |(_, rest)| rest);
        let note = rest.split(':').next().unwrap_or_default().trim();
        let words = telling_words(rest);
        match notes.last_mut() {
            Some((last, own)) if *last == note => own.extend(words),
            _ => notes.push((note, words)),
        }
    }
    if notes.len() < 2 {
        return Some(Vec::new());
    }
    let mut spans: Vec<Range<usize>> = Vec::new();
    for (at, (_, own)) in notes.iter().enumerate() {
        let others = notes.iter().enumerate().filter(|(other, _)| *other != at);
        let others = others.flat_map(|(_, (_, words))| words);
        let others: BTreeSet<&str> = others.map(String::as_str).collect();
        let is_own = |token: &&Token| {
            let word = token.compared();
            own.contains(word) && !others.contains(word)
        };
        let mut said = tokens.iter().filter(is_own);
        let first = said.next()?;
        let last = said.next_back().unwrap_or(first);
        spans.push(first.place.start..last.place.end);
    }
    spans.sort_by_key(|span| span.start);
    let pairs = spans.iter().zip(spans.iter().skip(1));
    pairs
        .map(|(one, next)| (one.end <= next.start).then_some(one.end..next.start))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::PartClassifier;

    #[test]
    fn a_part_begins_where_the_worked_plans_go_on_with_another_note() {
        let notes = ["Jam", "Soup", "Kiln", "Boat", "Shed", "Tea", "Kite", "Lamp"];
        let items = [
            "pears", "leeks", "glaze", "ropes", "nails", "mint", "string", "bulbs",
        ];
        let mut pairs = Vec::new();
        for (at, (one, item)) in notes.iter().zip(items).enumerate() {
            let next = (at + 1) % notes.len();
            let (other, others) = (notes[next], items[next]);
            let question = |request: String| format!("Notes: {one}; {other}\nRequest: {request}");
            pairs.push((
                question(format!("put {item} on {one}, and {other} can be deleted")),
                format!("add {one}: {item}\ndelete {other}"),
            ));
            pairs.push((
                question(format!(
                    "{one} can be deleted. And we need {others} for {other}"
                )),
                format!("delete {one}\nadd {other}: {others}"),
            ));
            pairs.push((
                question(format!("put {item} and {others} on {one}, and do it soon")),
                format!("add {one}: {item}\nadd {one}: {others}"),
            ));
            pairs.push((
                question(format!(
                    "we are done. So {one} can be deleted, and that is all"
                )),
                format!("delete {one}"),
            ));
        }
        let pairs = || {
            pairs
                .iter()
                .map(|(one, other)| (one.as_str(), other.as_str()))
        };
        let learnt = PartClassifier::of(pairs());
        for (request, expected) in [
            (
                "put oars on Raft, and Tent can be deleted",
                &["put oars on Raft", "Tent can be deleted"][..],
            ),
            (
                "Raft can be deleted. And we need pegs for Tent",
                &["Raft can be deleted.", "we need pegs for Tent"],
            ),
            (
                "put oars and pegs on Raft, and do it soon",
                &["put oars and pegs on Raft, and do it soon"],
            ),
            (
                "we are done. So Raft can be deleted, and that is all",
                &["we are done. So Raft can be deleted, and that is all"],
            ),
            ("", &[""]),
        ] {
            let question = format!("Notes: Raft; Tent\nRequest: {request}");
            let parts = learnt.parts(&question);
            assert_eq!(parts, expected);
            let likeliest = learnt.likeliest_boundary(&question);
            assert_eq!(likeliest > 0.5, parts.len() > 1, "{request}");
        }
    }

    #[test]
    fn nothing_is_learnt_from_nothing() {
        let none = PartClassifier::of(std::iter::empty());
        let question = "Notes: none\nRequest: put oars on Raft. Delete the note on the tent.";
        assert_eq!(none.parts(question).len(), 1);
    }
}
