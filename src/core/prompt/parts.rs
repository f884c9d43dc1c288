//! Divides a request into the parts that are about different notes.
//!
//! A small model that reads two wishes at once mixes them up. Where one ends and the next begins is
//! learnt from the worked plans: the words of a line stand in one part of the request. Pure and
//! deterministic.

use super::linear::{LinearClassifier, place_of};
use super::verbs::stem;
use super::words::titles_and_request;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// The maximum number of parts of a request.
const PARTS_MAX: usize = 4;

/// The probability, 0 to 1, above which a part begins.
/// Of 36 requests of two parts in the sets of tasks 27 are divided with it, and 2 of 530 others that
/// are no questions.
const BOUNDARY_MIN: f32 = 0.5;

/// The minimum number of words of a part.
const PART_WORDS_MIN: usize = 3;

/// The number of characters by which words of plans, titles and requests are compared.
const COMPARED_CHARS: usize = 5;

/// The number of characters of a word that is a feature.
const FEATURE_CHARS: usize = 6;

/// The minimum length of a word that tells where something stands, in characters.
const TELLING_CHARS_MIN: usize = 3;

/// The number of titles whose words are known.
const TITLES_MAX: usize = 4;

/// The minimum number of requests in which a joining word stands between two parts.
const JOINING_MIN: usize = 8;

/// The part of the requests with a joining word, one in so many, in which it stands between parts.
const JOINING_PART: usize = 12;

/// The length from which it makes no difference, in pairs of words.
const PAIRS_MAX: usize = 8;

/// The marks behind which a part may begin.
const MARKS: [char; 14] = [
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
}

/// A word or a mark of a text.
#[derive(Clone, Debug)]
struct Token {
    /// Its bytes in the text.
    place: Range<usize>,
    /// Its characters, in lower case.
    text: String,
    is_word: bool,
}

/// A worked plan: its titles, its request, and the bytes between its parts.
struct Lesson<'a> {
    titles: Vec<&'a str>,
    request: &'a str,
    plan: &'a str,
    gaps: Vec<Range<usize>>,
}

impl PartClassifier {
    /// Learns from pairs of a question and its plan.
    /// Plans whose lines cannot be found apart in the request teach nothing.
    pub(super) fn of<'a>(pairs: impl Iterator<Item = (&'a str, &'a str)>) -> Self {
        let lessons: Vec<Lesson<'_>> = pairs
            .filter_map(|(question, plan)| {
                let (titles, request) = titles_and_request(question);
                Some(Lesson {
                    titles: titles.take(TITLES_MAX).collect(),
                    request,
                    plan,
                    gaps: gaps_of(request, plan)?,
                })
            })
            .collect();
        let joining = joining_words(&lessons);
        let mut places = Vec::new();
        for lesson in &lessons {
            let tokens = tokens_of(lesson.request);
            let found = candidates(&tokens, &joining);
            let is_in = |gap: &Range<usize>, at: &usize| {
                tokens
                    .get(*at)
                    .is_some_and(|it| (gap.start..=gap.end).contains(&it.place.start))
            };
            let is_reached = |gap: &Range<usize>| found.iter().any(|at| is_in(gap, at));
            if !lesson.gaps.iter().all(is_reached) {
                continue;
            }
            for at in &found {
                let is_boundary = lesson.gaps.iter().any(|gap| is_in(gap, at));
                let class = if is_boundary { BOUNDARY } else { INSIDE };
                places.push((features_of(&lesson.titles, &tokens, *at), class));
            }
        }
        Self {
            boundaries: LinearClassifier::trained(&places, 2),
            joining,
        }
    }

    /// Returns the parts of a question's request, in their order; the whole request if it is one.
    pub(super) fn parts<'a>(&self, question: &'a str) -> Vec<&'a str> {
        let (titles, request) = titles_and_request(question);
        let titles: Vec<&str> = titles.take(TITLES_MAX).collect();
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
        let (titles, request) = titles_and_request(question);
        let titles: Vec<&str> = titles.take(TITLES_MAX).collect();
        let tokens = tokens_of(request);
        let probable = self.probable(&titles, &tokens).map(|(it, _)| it);
        probable.fold(0.0, f32::max)
    }

    /// Returns the probability of each candidate for a boundary, and its place among the tokens.
    fn probable(&self, titles: &[&str], tokens: &[Token]) -> impl Iterator<Item = (f32, usize)> {
        let found = candidates(tokens, &self.joining).into_iter();
        found.map(|at| {
            let features = features_of(titles, tokens, at);
            (self.boundaries.probabilities(&features)[BOUNDARY], at)
        })
    }

    /// Returns both parts of a request, if it has a boundary.
    fn divided<'a>(&self, titles: &[&str], request: &'a str) -> Option<[&'a str; 2]> {
        let tokens = tokens_of(request);
        let words = |tokens: &[Token]| tokens.iter().filter(|it| it.is_word).count();
        let is_long = |at: usize| {
            let both = tokens.split_at_checked(at);
            both.is_some_and(|(before, behind)| words(before).min(words(behind)) >= PART_WORDS_MIN)
        };
        let probable = self.probable(titles, &tokens);
        let probable = probable.filter(|(it, at)| *it > BOUNDARY_MIN && is_long(*at));
        let (_, at) = probable.max_by(|(one, _), (other, _)| one.total_cmp(other))?;
        let behind = tokens.get(at..)?;
        let is_joining = |it: &&Token| !it.is_word || self.joining.contains(&it.text);
        let first = behind.iter().find(|it| !is_joining(it))?.place.start;
        let before = request.get(..tokens.get(at)?.place.start)?;
        let end = |it: char| it.is_whitespace() || it != '.' && it != '!' && MARKS.contains(&it);
        Some([before.trim_end_matches(end), request.get(first..)?])
    }
}

/// Returns the words with which the text between two parts often begins.
fn joining_words(lessons: &[Lesson<'_>]) -> BTreeSet<String> {
    let mut counts: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    for lesson in lessons {
        let tokens = tokens_of(lesson.request);
        // A verb of the plan, such as `delete`, asks for something.
        let planned = tokens_of(lesson.plan);
        let is_planned = |token: &Token| planned.iter().any(|it| it.text == token.text);
        let all: BTreeSet<&String> = tokens.iter().map(|it| &it.text).collect();
        for word in all {
            counts.entry(word.clone()).or_default().1 += 1;
        }
        for gap in &lesson.gaps {
            let own = tokens
                .iter()
                .filter(|it| it.is_word && (gap.start..gap.end).contains(&it.place.start));
            if let Some(first) = own.clone().next().filter(|it| !is_planned(it)) {
                counts.entry(first.text.clone()).or_default().0 += 1;
            }
        }
    }
    let joining = counts
        .into_iter()
        .filter(|(_, (between, all))| *between >= JOINING_MIN && between * JOINING_PART >= *all);
    joining.map(|(word, _)| word).collect()
}

/// Returns the places of the tokens with which a part may begin: behind a mark, or a joining word.
fn candidates(tokens: &[Token], joining: &BTreeSet<String>) -> Vec<usize> {
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

/// Returns the bytes of a request between what the lines of a plan about different notes say.
/// Empty for a plan about one note. `None` if the lines do not stand one after another.
fn gaps_of(request: &str, plan: &str) -> Option<Vec<Range<usize>>> {
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
    let tokens = tokens_of(request);
    let mut spans: Vec<Range<usize>> = Vec::new();
    for (at, (_, own)) in notes.iter().enumerate() {
        let others = notes.iter().enumerate().filter(|(other, _)| *other != at);
        let others: BTreeSet<&String> = others.flat_map(|(_, (_, words))| words).collect();
        let is_own = |token: &&Token| {
            let word = compared(token);
            own.contains(&word) && !others.contains(&word)
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

fn compared(token: &Token) -> String {
    stem(&token.text, COMPARED_CHARS).to_owned()
}

/// Returns the words and numbers of a text that tell where something stands.
fn telling_words(text: &str) -> BTreeSet<String> {
    let tokens = tokens_of(text);
    let telling = tokens.iter().filter(|it| is_telling(it));
    telling.map(compared).collect()
}

fn is_telling(token: &Token) -> bool {
    let is_number = token.text.chars().all(|it| it.is_ascii_digit());
    token.is_word && (is_number || token.text.chars().count() >= TELLING_CHARS_MIN)
}

fn tokens_of(text: &str) -> Vec<Token> {
    let mut tokens: Vec<Token> = Vec::new();
    for (at, character) in text.char_indices() {
        if character.is_whitespace() {
            continue;
        }
        let end = at + character.len_utf8();
        let is_word = character.is_alphanumeric();
        match tokens.last_mut() {
            Some(last) if is_word && last.is_word && last.place.end == at => {
                last.place.end = end;
                last.text.extend(character.to_lowercase());
            }
            _ => tokens.push(Token {
                place: at..end,
                text: character.to_lowercase().collect(),
                is_word,
            }),
        }
    }
    tokens
}

/// Returns the places of the features of a boundary before a token, each once.
/// They are the mark and the words around it, the words on each side without those of titles, which
/// title each side speaks of, and the lengths.
fn features_of(titles: &[&str], tokens: &[Token], at: usize) -> Vec<usize> {
    let known: BTreeSet<String> = titles.iter().flat_map(|it| telling_words(it)).collect();
    let masked = |token: &Token| {
        if known.contains(&compared(token)) {
            "\u{1}".to_owned()
        } else if token.text.chars().all(|it| it.is_ascii_digit()) {
            "0".to_owned()
        } else {
            stem(&token.text, FEATURE_CHARS).to_owned()
        }
    };
    let (before, behind) = tokens.split_at_checked(at).unwrap_or((tokens, &[]));
    let before_words: Vec<String> = before.iter().map(masked).collect();
    let behind_words: Vec<String> = behind.iter().map(masked).collect();
    let mut found = Vec::new();
    let mut add = |parts: &[&str]| found.push(place_of(parts));
    let mark = before.last().filter(|it| !it.is_word);
    let mark = mark.map_or("", |it| it.text.as_str());
    let next = |number: usize| behind_words.get(number).map_or("", String::as_str);
    let last = before_words.iter().rev().nth(1).map_or("", String::as_str);
    add(&["mark", mark]);
    add(&["next", next(0)]);
    add(&["mark next", mark, next(0)]);
    add(&["next two", next(0), next(1)]);
    add(&["next three", next(0), next(1), next(2)]);
    add(&["second", next(1)]);
    add(&["last", last]);
    let spoken = [before, behind].map(|side| spoken_of(titles, side));
    let named = match spoken {
        [Some(one), Some(other)] if one == other => "same",
        [Some(_), Some(_)] => "both",
        [Some(_), None] => "first",
        [None, Some(_)] => "second",
        [None, None] => "none",
    };
    add(&["named", named]);
    add(&[
        "named mark",
        named,
        if mark.is_empty() { next(0) } else { mark },
    ]);
    for (side, tokens, words) in [
        ("before", before, &before_words),
        ("behind", behind, &behind_words),
    ] {
        let count = tokens.iter().filter(|it| it.is_word).count();
        add(&["length", side, &(count / 2).min(PAIRS_MAX).to_string()]);
        for word in words {
            add(&[side, word]);
        }
        for (word, other) in words.iter().zip(words.iter().skip(1)) {
            add(&[side, word, other]);
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// Returns the place of the title of which a text has the largest share of words, if any.
fn spoken_of(titles: &[&str], tokens: &[Token]) -> Option<usize> {
    let words: BTreeSet<String> = tokens.iter().map(compared).collect();
    let shares = titles.iter().enumerate().filter_map(|(at, title)| {
        let own = telling_words(title);
        let shared = own.intersection(&words).count();
        // Shares compare as fractions; the first of equal ones is the likelier note.
        (shared > 0).then(|| (shared * 1000 / own.len(), std::cmp::Reverse(at)))
    });
    shares.max().map(|(_, std::cmp::Reverse(at))| at)
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
