//! Finds the line that a step means, likewise to the note: by its words, else by a numbered choice.

use super::check::is_telling;
use super::checkboxes::unboxed;
use super::evidence::{begins_alike, contrasted};
use super::lines::{ListMark, lines_of};
use super::spans::{has_same_kind, numbers_of};
use super::step_question::{Replies, StepQuestion};
use super::target::clearest;
use super::term_weights::Weights;
use crate::core::notes::Terms;

/// The maximum number of lines that a model chooses from.
const LINES_SHOWN_MAX: usize = 8;

/// Returns the index of the line of a text that a clause of a request means.
/// `None` if every line is blank, or if the model chooses none.
///
/// # Errors
/// The question, if it has no reply yet.
pub(super) fn line(
    text: &str,
    clause: &str,
    request: &str,
    replies: &mut Replies<'_>,
) -> Result<Option<usize>, StepQuestion> {
    let lines = nearest_lines(text, &[clause, " ", request].concat());
    if let [(number, _)] = lines.as_slice() {
        return Ok(Some(*number));
    }
    // A number that is wrong now shows which line it is.
    let (new, all_numbers) = (numbers_of(clause), numbers_of(request));
    let wrong: Vec<&str> = all_numbers
        .iter()
        .copied()
        .filter(|it| !new.contains(it))
        .collect();
    let wrong_numbers = |line: &str| {
        let numbers = numbers_of(line);
        wrong.iter().filter(|it| numbers.contains(it)).count()
    };
    let no_longer = contrasted(clause);
    let contradicted = |line: &str| Terms::of(line).shared(&no_longer);
    let said_numbers = |line: &str| {
        let numbers = numbers_of(line);
        numbers.iter().filter(|it| all_numbers.contains(it)).count()
    };
    let lines = most(most(lines, wrong_numbers), said_numbers);
    let lines = most(lines, contradicted);
    if let [(number, _)] = lines.as_slice() {
        return Ok(Some(*number));
    }
    let weights = Weights::of(lines.iter().map(|(_, line)| *line));
    // The mark of a box is no word of an item.
    let (clause_terms, request_terms) = (Terms::of(unboxed(clause)), Terms::of(request));
    let by_clause = |(_, line): &(usize, &str)| {
        weights.score(&Terms::of(ListMark::text_of(line)), &clause_terms)
    };
    // `connected` is another form of `connect`.
    let by_form = |(_, line): &(usize, &str)| {
        let line = Terms::of(ListMark::text_of(line));
        let telling = line.iter().filter(|term| is_telling(term));
        telling
            .filter(|term| begins_alike(term, &clause_terms))
            .count()
    };
    let by_request = |(_, line): &(usize, &str)| weights.score(&Terms::of(line), &request_terms);
    // A new number replaces a number, and a new day a day.
    let by_kind = |(_, line): &(usize, &str)| usize::from(has_same_kind(line, clause));
    let is_told = |(_, line): &(usize, &str)| {
        let line = Terms::of(line);
        let mut telling = line.iter().filter(|term| is_telling(term));
        usize::from(telling.any(|term| clause_terms.has(term) || request_terms.has(term)))
    };
    let is_any_told = lines.iter().any(|line| is_told(line) > 0);
    let by_kind = clearest(&lines, by_kind).filter(|_| !is_any_told);
    let found = by_kind
        .or_else(|| clearest(&lines, by_clause))
        .or_else(|| clearest(&lines, by_form))
        .or_else(|| clearest(&lines, by_request));
    if let Some((number, _)) = found {
        return Ok(Some(number));
    }
    let options = lines.iter().map(|(_, line)| (*line).to_owned()).collect();
    let chosen = replies.choose(clause, options)?;
    let chosen = chosen.and_then(|chosen| lines.get(chosen));
    Ok(chosen.map(|(number, _)| *number))
}

/// Returns the lines with the highest score; all of them if none has any.
fn most(lines: Vec<(usize, &str)>, score: impl Fn(&str) -> usize) -> Vec<(usize, &str)> {
    let best = lines.iter().map(|(_, line)| score(line)).max().unwrap_or(0);
    let is_best = |(_, line): &(usize, &str)| score(line) == best;
    lines.into_iter().filter(is_best).collect()
}

/// Returns the lines of a text that are nearest to a clause, at most eight.
/// They are in the order of the text, each with its index. Blank lines are left out.
pub(super) fn nearest_lines<'a>(text: &'a str, clause: &str) -> Vec<(usize, &'a str)> {
    let lines = lines_of(text).into_iter().map(|line| line.text).enumerate();
    let lines: Vec<(usize, &str)> = lines.filter(|(_, line)| !line.trim().is_empty()).collect();
    if lines.len() <= LINES_SHOWN_MAX {
        return lines;
    }
    let weights = Weights::of(lines.iter().map(|(_, line)| *line));
    let clause = Terms::of(clause);
    let mut ranked = lines;
    ranked.sort_by_key(|(number, line)| {
        (
            std::cmp::Reverse(weights.score(&Terms::of(line), &clause)),
            *number,
        )
    });
    ranked.truncate(LINES_SHOWN_MAX);
    ranked.sort_unstable_by_key(|(number, _)| *number);
    ranked
}
