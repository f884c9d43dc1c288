//! The questions in a request, and the text that it dictates.

use super::check::contains;
use super::lines::lines_of;
use super::spans::numbers_of;
use crate::core::notes::Terms;

/// The share of common terms from which a planned text means a dictated one, in percent.
const BODY_SHARE_MIN: usize = 60;

/// The number of first terms by which a text is found in a request.
const BEGINNING_TERMS: usize = 3;

/// Returns whether a text is a question, by its last mark.
pub fn is_question(text: &str) -> bool {
    text.trim_end().ends_with(['?', '\u{ff1f}'])
}

/// Returns the question of a request that a text repeats, if it does.
pub(super) fn asked_in<'a>(request: &'a str, text: &str) -> Option<&'a str> {
    let said = Terms::of(text);
    let repeats = |question: &&str| {
        let asked = Terms::of(question);
        is_question(text) || !asked.is_empty() && asked.are_in(&said)
    };
    questions_of(request).find(repeats)
}

/// Returns the question in the words of the request, if the plan says only a part of it.
pub(super) fn full_question(question: &str, request: &str) -> String {
    let said = Terms::of(question);
    let all: Vec<&str> = questions_of(request).collect();
    if let [only] = all.as_slice() {
        return (*only).to_owned();
    }
    let whole = all.iter().find(|it| said.are_in(&Terms::of(it)));
    whole.copied().unwrap_or(question).to_owned()
}

/// The number of words from which a text before a full stop is a sentence.
/// No capital need follow it.
const SENTENCE_WORDS_MIN: usize = 4;

/// Returns the questions of a text.
pub(super) fn questions_of(text: &str) -> impl Iterator<Item = &str> {
    let sentences = lines_of(text).into_iter().map(|line| line.text.trim());
    sentences
        .filter(|sentence| is_question(sentence))
        .map(|sentence| {
            let parts = sentence.rsplit_once(". ");
            let is_sentence = |it: &str| it.split_whitespace().count() >= SENTENCE_WORDS_MIN;
            parts
                .filter(|(before, _)| is_sentence(before))
                .map_or(sentence, |(_, question)| question)
        })
}

/// Returns the text that a request dictates, unchanged.
/// It follows a colon or the first line, and it begins like the planned text. A model that rewords
/// a text loses parts of it.
pub(super) fn body_of(request: &str, planned: &str) -> Option<String> {
    let lines = request.split_once('\n').map(|(_, body)| body);
    let colon = request.split_once(": ").map(|(_, body)| body);
    let colon_at_end = request.split_once(":\n").map(|(_, body)| body);
    let fullwidth = request.split_once('\u{ff1a}').map(|(_, body)| body);
    let beginning = |text: &str| -> Vec<String> {
        let words = text.split_whitespace().flat_map(|word| {
            let terms = Terms::of(word);
            terms.iter().map(str::to_owned).collect::<Vec<_>>()
        });
        words.take(BEGINNING_TERMS).collect()
    };
    let begins = beginning(planned);
    let bodies = [colon_at_end, colon, lines, fullwidth];
    let mut bodies = bodies.into_iter().flatten().map(str::trim);
    let said = Terms::of(planned);
    let is_like = |body: &str| {
        let whole = Terms::of(body);
        let shared = said.shared(&whole) * 100;
        // A number before the colon would be lost: `boiler in flat 3: ...`.
        let has_numbers = numbers_of(planned).iter().all(|it| contains(body, it));
        has_numbers
            && shared >= whole.len() * BODY_SHARE_MIN
            && shared >= said.len() * BODY_SHARE_MIN
    };
    // Behind a sentence, what stands before the colon is a part of the text.
    let is_cut = |body: &str| {
        let before = request.split(body).next().unwrap_or_default();
        let heading = before
            .rsplit_once(". ")
            .map(|(_, heading)| Terms::of(heading));
        heading.is_some_and(|heading| !heading.is_empty() && heading.are_in(&said))
    };
    let is_body = |body: &&str| {
        if is_cut(body) {
            return false;
        }
        let is_same = beginning(body).starts_with(&begins) || is_like(body);
        !begins.is_empty() && !body.is_empty() && is_same && !is_question(body)
    };
    bodies.find(is_body).map(str::to_owned)
}
