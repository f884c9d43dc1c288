//! Compares a reply with the plan instructions and plan examples of the prompt file.
//! Finds repeated examples and the filler words: those that say how something is asked for, not
//! what.

use crate::core::notes::{Terms, is_hiragana, is_unspaced};
use crate::core::prompt::{Condition, Example, PromptFile, QuestionKind};
use crate::core::steps::check::{is_telling, stands_in};
use crate::core::steps::checkboxes::unboxed;
use crate::core::steps::evidence::label_of;
use crate::core::steps::plan::{Step, parse};

/// The minimum number of telling words of a question that lines must contain to answer it.
const COVERED_WORDS_MIN: usize = 2;

/// Returns whether a reply contains the question or the instructions before it.
pub(super) fn repeats_prompt(prompt: &PromptFile, request: &str, reply: &str) -> bool {
    let condition = Condition::Question(QuestionKind::Plan);
    let mut words = prompt.segments.iter();
    reply.contains(&format!("Request: {request}"))
        || words.any(|it| it.condition == condition && repeats_line(&it.prompt, reply))
}

/// Returns whether a reply contains a line of the instructions that is more than a verb.
fn repeats_line(prompt: &str, reply: &str) -> bool {
    let mut lines = reply
        .lines()
        .map(str::trim)
        .filter(|line| line.contains(": "));
    lines.any(|line| prompt.contains(line))
}

/// Returns whether lines cover a question, so that the model need not confirm it.
/// They do if they contain each telling word but the first word, by which it asks, or if the
/// question contains the labels of all lines.
pub(super) fn is_covered(prompt: &PromptFile, question: &str, lines: &[String]) -> bool {
    let (_, rest) = question.split_once(' ').unwrap_or_default();
    let behind = Terms::of(&lines.join("\n"));
    // Words of the many similar examples may be what this question is about.
    let fillers = fillers_of(plan_examples(prompt));
    let asked = Terms::of(rest);
    let telling = asked
        .iter()
        .filter(|term| is_telling(term) && !fillers.has(term));
    let telling: Vec<&str> = telling.collect();
    // `Gate: B17` answers a question that asks for the gate and names the note.
    let titles = lines.iter().filter_map(|line| line.strip_prefix("# "));
    let titles = Terms::of(&titles.collect::<Vec<_>>().join(" "));
    let is_of_matter = telling.iter().any(|term| stands_in(term, &titles));
    let own = lines.iter().filter(|line| !line.starts_with("# "));
    let mut own = own.peekable();
    let is_labelled = own.peek().is_some()
        && own.all(|line| {
            let label = label_of(line).map(Terms::of);
            label.is_some_and(|label| {
                let says_much = is_of_matter || label.len() >= COVERED_WORDS_MIN;
                !label.is_empty() && says_much && label.are_in(&asked)
            })
        });
    if is_labelled {
        return true;
    }
    telling.len() >= COVERED_WORDS_MIN && telling.iter().all(|term| stands_in(term, &behind))
}

/// Returns the filler words: words of example requests that their plans do not repeat.
pub(super) fn fillers(prompt: &PromptFile) -> Terms {
    let similar = prompt.similar.fillers();
    similar.with(&fillers_of(plan_examples(prompt)))
}

fn fillers_of<'a>(examples: impl Iterator<Item = &'a Example>) -> Terms {
    examples.fold(Terms::default(), |fillers, example| {
        let said = Terms::of(&example.output);
        fillers.with(&Terms::of(&example.input).without(&said))
    })
}

fn plan_examples(prompt: &PromptFile) -> impl Iterator<Item = &Example> {
    let condition = Condition::Question(QuestionKind::Plan);
    let examples = prompt.examples.iter();
    examples.filter(move |example| example.condition == condition)
}

/// Returns whether a step repeats an example and has little in common with the request.
/// `book the van` is no copy if the request says that the van is booked.
pub(super) fn copies_example(prompt: &PromptFile, request: &str, steps: &[Step]) -> bool {
    let asked = Terms::of(request);
    steps.iter().any(|step| {
        let said = Terms::of(unboxed(step.clause()));
        let own = said.iter().filter(|term| stands_in(term, &asked)).count();
        if said.len() < 2 || own * 2 > said.len() || has_all_signs(request, step.clause()) {
            return false;
        }
        let similar = prompt.similar.saying(&said);
        let mut shown = plan_examples(prompt)
            .chain(similar)
            .flat_map(|example| parse(&example.output));
        shown.any(|step| Terms::of(unboxed(step.clause())) == said)
    })
}

/// Returns whether a request has all signs of a text in a script without spaces, which are its nouns:
/// `火曜日、木曜日ではない` has those of `木曜日じゃなくて火曜日`. False for other scripts.
fn has_all_signs(request: &str, text: &str) -> bool {
    let is_sign = |it: &char| it.is_alphanumeric() && is_unspaced(*it) && !is_hiragana(*it);
    let mut signs = text.chars().filter(is_sign).peekable();
    signs.peek().is_some() && signs.all(|sign| request.contains(sign))
}
