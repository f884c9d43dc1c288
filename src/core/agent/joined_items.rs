//! Items of an enumeration that a plan leaves out: of `put plums and leeks on it`, it adds only leeks.
//! Pure.

use super::planning::Planning;
use crate::core::notes::{Note, Terms};
use crate::core::steps::check::{is_telling, stands_in};
use crate::core::steps::checkboxes::{has_box, unboxed};
use crate::core::steps::evidence::is_spelt;
use crate::core::steps::lines::{ListMark, lines_of};
use crate::core::steps::plan::{STEPS_MAX, Step};

/// The share of plans that repeat a word, 0 to 1, from which it is an item. A word that no plan knows has
/// 0.6. Of 8,857 worked plans, some 20 seem to leave out a joined item, half of them because of its spelling;
/// of 1,930 from which a step was taken, some 170.
const ITEM_SHARE_MIN: f64 = 0.5;

/// The share below which a word beside an item does not belong to it, as in `add plums and leeks`.
const BESIDE_SHARE_MAX: f64 = 0.5;

/// An item that a plan leaves out.
#[derive(Clone, Copy, Debug)]
struct LeftOutItem<'a> {
    item: &'a str,
    /// The place of the step for the item that it is joined to.
    step: usize,
    /// Whether it stands before that item.
    is_before: bool,
}

/// Returns what a plan leaves out of the request: clauses, and items that are joined to one which it has.
pub(super) fn parts_left_out<'a>(steps: &[Step], planning: &'a Planning<'_>) -> Vec<&'a str> {
    let mut parts = planning.clauses_left_out(steps);
    parts.extend(left_out(steps, planning).iter().map(|it| it.item));
    parts
}

/// Returns a plan with the items that it leaves out, done as those that they are joined to: removed, ticked,
/// or added if they are one word.
pub(super) fn with_joined_items(mut steps: Vec<Step>, planning: &Planning<'_>) -> Vec<Step> {
    // The first step that is added moves the places of the others, so they are looked up again.
    while steps.len() < STEPS_MAX {
        let items = left_out(&steps, planning);
        let added = items.iter().find_map(|it| {
            let step = like(steps.get(it.step)?, it, planning)?;
            let step = Some(step).filter(|it| !steps.contains(it))?;
            Some((it.step + usize::from(!it.is_before), step))
        });
        let Some((at, step)) = added else {
            break;
        };
        steps.insert(at, step);
    }
    steps
}

/// Returns whether a step is about items of a list.
fn is_of_list(step: &Step) -> bool {
    matches!(step, Step::Add { .. } | Step::Remove { .. }) || has_box(step.clause())
}

fn left_out<'a>(steps: &[Step], planning: &Planning<'a>) -> Vec<LeftOutItem<'a>> {
    // The joining words are learnt when they are first asked for; most questions need none.
    if !steps.iter().any(is_of_list) {
        return Vec::new();
    }
    let similar = &planning.prompt.similar;
    let lines: Vec<String> = steps.iter().map(Step::to_string).collect();
    let said = Terms::of(&lines.join("\n"));
    let is_word = |word: &str| is_telling(word) && word.chars().all(char::is_alphabetic);
    let is_left_out = |word: &str| {
        let own = Terms::of(word);
        let is_said = |term: &str| stands_in(term, &said) || is_spelt(term, &said);
        is_word(word) && !own.iter().any(is_said) && similar.repeated_share(word) >= ITEM_SHARE_MIN
    };
    let step_with = |word: &str| {
        let own = Terms::of(word);
        let has = |step: &Step| is_of_list(step) && own.are_in(&Terms::of(step.clause()));
        steps.iter().position(has).filter(|_| is_word(word))
    };
    let pairs = similar.joined_items(planning.target.request).into_iter();
    let both = pairs.flat_map(|it| [(it.first, it.second, true), (it.second, it.first, false)]);
    let left_out = both.filter(|(item, _, _)| is_left_out(item));
    let left_out = left_out.filter_map(|(item, other, is_before)| {
        let step = step_with(other)?;
        Some(LeftOutItem {
            item,
            step,
            is_before,
        })
    });
    left_out.collect()
}

/// Returns a step that does with an item what a step does with the one beside it. `None` if the note has no
/// such line, or if more words than one may belong to the item.
fn like(step: &Step, item: &LeftOutItem<'_>, planning: &Planning<'_>) -> Option<Step> {
    let note = planning.target.titled(step.note()?)?;
    let title = Some(note.title.clone());
    let word = item.item.to_owned();
    if let Step::Change { text, .. } = step
        && has_box(text)
    {
        let line = line_with(note, &word).filter(|line| has_box(line))?;
        let mark = text.strip_suffix(unboxed(text))?;
        let text = [mark, unboxed(ListMark::text_of(line))].concat();
        return Some(Step::Change { note: title, text });
    }
    if matches!(step, Step::Remove { .. }) {
        return line_with(note, &word).map(|_| Step::Remove {
            note: title,
            what: word,
        });
    }
    let is_added = matches!(step, Step::Add { .. }) && is_one_word(item, planning);
    is_added.then_some(Step::Add {
        note: title,
        text: word,
    })
}

/// Returns the line of a note that has a word.
fn line_with<'a>(note: &'a Note, word: &str) -> Option<&'a str> {
    let word = Terms::of(word);
    let mut lines = lines_of(&note.value).into_iter().map(|line| line.text);
    lines.find(|line| word.are_in(&Terms::of(line)))
}

/// Returns whether an item is one word: the next word away from the other item does not belong to it.
fn is_one_word(item: &LeftOutItem<'_>, planning: &Planning<'_>) -> bool {
    let Some((before, behind)) = planning.target.request.split_once(item.item) else {
        return false;
    };
    let is_mark = |it: char| !it.is_alphanumeric() && !it.is_whitespace();
    let word = if item.is_before {
        let before = before.trim_end();
        let word = before.rsplit(char::is_whitespace).next();
        word.filter(|_| !before.ends_with(is_mark))
    } else {
        let behind = behind.trim_start();
        let word = behind.split(char::is_whitespace).next();
        word.filter(|_| !behind.starts_with(is_mark))
    };
    let word = word.filter(|word| !word.is_empty());
    word.is_none_or(|word| {
        let similar = &planning.prompt.similar;
        let is_amount = planning.prompt.amount_words.contains(&word.to_lowercase());
        is_amount
            || similar.is_frequent(word) && !is_telling(word)
            || is_telling(word) && similar.repeated_share(word) < BESIDE_SHARE_MAX
            || similar.is_of_asking(word)
    })
}
