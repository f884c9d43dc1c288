//! Texts that a request dictates, most of them new notes, and that a small model takes to pieces.
//! The request is `TITLE: TEXT`, or lines below a title, or one sentence with several parts.

use super::change::edit_of;
use super::check::is_telling;
use super::checkboxes::has_box;
use super::evidence::{sentence_of, sentences_of, shares, tells_of, terms_of};
use super::plan::Step;
use super::plan_correction::with_capital;
use super::request_questions::is_question;
use super::target::Target;
use crate::core::notes::{Note, Terms, is_unspaced, phrase_stands_in};

/// The maximum number of words of a title before a colon, or in a line of its own.
const TITLE_WORDS_MAX: usize = 6;

/// The number of new notes from which one sentence dictates a single one.
const SENTENCE_NOTES_MIN: usize = 3;

/// The number of items from which a text is a list.
const ITEMS_MIN: usize = 2;

/// The maximum number of words of an item.
const ITEM_WORDS_MAX: usize = 4;

/// The number of lines of a request from which its first one may be a title.
const DICTATED_LINES_MIN: usize = 3;

/// The maximum number of words before a colon that name the note of a dictated text.
const ADDRESS_WORDS_MAX: usize = 8;

/// The share of a planned text that a dictated one has, in percent, if it is the same.
const SAME_SHARE_MIN: usize = 80;

/// Returns the step that writes the whole text which a request dictates, if a plan makes something else of it.
pub(super) fn dictated(plan: &[Step], target: &Target<'_>) -> Option<Step> {
    under_title(plan, target)
        .or_else(|| behind_order(plan, target))
        .or_else(|| to_note(plan, target))
}

/// Returns the new note that a request dictates as `TITLE: TEXT`.
/// The plan adds parts of it to notes that the request does not mention.
fn under_title(plan: &[Step], target: &Target<'_>) -> Option<Step> {
    let (title, text) = split_heading(target.request)?;
    if let Some(title) = title_behind_order(plan, (title, text)) {
        return Some(Step::New {
            title: Some(title.to_owned()),
            text: text.trim().to_owned(),
        });
    }
    let is_apart =
        is_taken_apart(plan, title) || is_taken_by_item(plan, text) || is_untitled(plan, text);
    let adds = |step: &Step| {
        if let Step::Add { note, .. } = step {
            let is_named = |note: &String| phrase_stands_in(note, target.request);
            return !note.as_ref().is_some_and(is_named);
        }
        *step == Step::Nothing
    };
    let is_of_note = |note: &&Note| shares(&note.title, title);
    let is_new = (is_apart || plan.iter().all(adds)) && !target.notes.iter().any(is_of_note);
    (!plan.is_empty() && is_new && !is_question(text)).then(|| Step::New {
        title: Some(title.trim().to_owned()),
        text: text.trim().to_owned(),
    })
}

/// Returns the new note that a request dictates behind an order, if it has told before what the text is about:
/// `the meeting was tonight. please write down: ...`. The plan makes several new notes of it.
fn behind_order(plan: &[Step], target: &Target<'_>) -> Option<Step> {
    let (head, body) = target.request.split_once(": ")?;
    let (story, order) = head.rsplit_once(['.', '!', '?'])?;
    let is_order = (1..=TITLE_WORDS_MAX).contains(&order.split_whitespace().count());
    let said = Terms::of(target.request);
    let is_part =
        |step: &Step| matches!(step, Step::New { text, .. } if Terms::of(text).are_in(&said));
    let is_one = plan.len() > 1 && plan.iter().all(is_part) && !body.trim().contains('\n');
    (is_one && is_order && !story.trim().is_empty() && !is_question(body)).then(|| Step::New {
        title: None,
        text: [story.trim(), ". ", body.trim()].concat(),
    })
}

/// Returns the addition of a text of several sentences that a request dictates for a note, where a plan takes it
/// for a change: `for the wrist splint note: it's for the night only. And if the velcro gives up ...`. A text
/// that has words of the note may correct it.
fn to_note(plan: &[Step], target: &Target<'_>) -> Option<Step> {
    let [
        Step::Change {
            note: Some(title),
            text,
        },
    ] = plan
    else {
        return None;
    };
    let note = target.titled(title)?;
    let (head, body) = target.request.split_once(": ")?;
    let body = body.trim();
    let address = sentences_of(head).pop()?;
    let is_address = phrase_stands_in(&note.title, address)
        && address.split_whitespace().count() <= ADDRESS_WORDS_MAX;
    let said = Terms::of(text);
    let is_same = said.shared(&Terms::of(body)) * 100 >= said.len() * SAME_SHARE_MIN;
    let is_dictated = is_address
        && is_same
        && !shares(&note.value, body)
        && !has_box(text)
        && sentences_of(body).len() > 1
        && !is_question(body);
    let step = is_dictated.then(|| edit_of(note, body, with_capital(body)))?;
    matches!(step, Step::Add { .. }).then_some(step)
}

/// Returns the title of a plan that makes several new notes of one text.
/// The first has a title from `New note, title TITLE: TEXT`, and all texts stand below it.
fn title_behind_order<'a>(plan: &'a [Step], (heading, text): (&str, &str)) -> Option<&'a str> {
    let [
        Step::New {
            title: Some(title), ..
        },
        _,
        ..,
    ] = plan
    else {
        return None;
    };
    let below = Terms::of(text);
    let is_below = |step: &Step| matches!(step, Step::New { text, .. } if Terms::of(text).are_in(&below.clone().with(&Terms::of(heading))));
    let is_title = heading
        .trim()
        .to_lowercase()
        .ends_with(&title.to_lowercase());
    (is_title && plan.iter().all(is_below)).then_some(title)
}

/// Returns whether a plan is one new note without a title whose text stands below the title.
fn is_untitled(plan: &[Step], text: &str) -> bool {
    matches!(plan, [Step::New { title: None, text: own }] if Terms::of(own).are_in(&Terms::of(text)))
}

/// Returns whether a plan makes a note of each item of a list, such as `milk, eggs, bread`.
/// Each note says nothing but its item.
fn is_taken_by_item(plan: &[Step], text: &str) -> bool {
    let items: Vec<Terms> = text.split([',', ';']).map(Terms::of).collect();
    let words = text
        .split([',', ';'])
        .map(|item| item.split_whitespace().count());
    let is_list = items.len() >= ITEMS_MIN
        && !text.trim().trim_end_matches('.').contains(['.', '\n'])
        && words.max().unwrap_or_default() <= ITEM_WORDS_MAX;
    let is_item = |step: &Step| {
        let Step::New { title, text } = step else {
            return false;
        };
        let said = Terms::of(&[title.as_deref().unwrap_or_default(), " ", text].concat());
        items.iter().any(|item| said.are_in(item))
    };
    is_list && plan.iter().all(is_item)
}

/// Returns whether a plan makes three or more notes of a text, one of them with most words of its title.
/// `Two things for my notes: ...` is no title: no note has a word of it.
fn is_taken_apart(plan: &[Step], title: &str) -> bool {
    let heading = Terms::of(title);
    let telling: Vec<&str> = heading.iter().filter(|term| is_telling(term)).collect();
    let repeats = |step: &Step| {
        let said = Terms::of(&step.to_string());
        telling.iter().filter(|term| said.has(term)).count() * 2 > telling.len()
    };
    let is_new = |step: &Step| matches!(step, Step::New { .. });
    plan.len() >= SENTENCE_NOTES_MIN && plan.iter().all(is_new) && plan.iter().any(repeats)
}

/// Splits a request `TITLE: TEXT`; `None` for any other form.
pub(super) fn split_heading(request: &str) -> Option<(&str, &str)> {
    let (title, text) = request.split_once(": ")?;
    let is_title = (1..=TITLE_WORDS_MAX).contains(&title.split_whitespace().count());
    let is_headed = is_title && !title.contains(['.', '!', '?', '\n']);
    (is_headed && !text.trim().is_empty()).then_some((title, text))
}

/// Returns the new note that a request of several lines dictates, the first as its title.
/// The plan takes it to pieces.
pub(super) fn in_lines(plan: &[Step], target: &Target<'_>) -> Option<Vec<Step>> {
    let (title, text) = target.request.trim().split_once('\n')?;
    let title = title.trim().trim_end_matches(':');
    let lines = text.lines().filter(|line| !line.trim().is_empty()).count();
    let words = title.split_whitespace().count();
    let is_title = (1..=TITLE_WORDS_MAX).contains(&words) && !title.ends_with(['.', '!', '?', ',']);
    let is_list = lines + 1 >= DICTATED_LINES_MIN && plan.len() > 1;
    // `For the shopping list:` only says where.
    let is_all_of = |note: &&Note| {
        let first = Terms::of(title);
        let own = Terms::of(&note.title);
        let mut telling = first.iter().filter(|term| is_telling(term));
        telling.all(|term| own.has(term))
    };
    let is_known = target.notes.iter().any(is_all_of);
    let is_text = |step: &Step| step.writes() || *step == Step::Nothing;
    (is_title && is_list && plan.iter().all(is_text) && !is_known).then(|| {
        vec![Step::New {
            title: Some(title.to_owned()),
            text: text.trim().to_owned(),
        }]
    })
}

/// Returns one new note of the whole request, if a plan changes only parts that no note mentions.
pub(super) fn parts_of_one(plan: &[Step], target: &Target<'_>) -> Option<Vec<Step>> {
    let is_part = |step: &Step| {
        let Step::Change { note: None, text } = step else {
            return false;
        };
        let said = Terms::of(text);
        let speaks_of = |note: &&Note| {
            let own = terms_of(note);
            let mut telling = said.iter().filter(|term| is_telling(term));
            telling.any(|term| own.has(term))
        };
        !target.notes.iter().any(speaks_of)
    };
    (plan.len() > 1 && plan.iter().all(is_part)).then(|| {
        vec![Step::New {
            title: None,
            text: target.request.trim().to_owned(),
        }]
    })
}

/// Returns the plan with new notes in place of additions to one note that has no telling word of the
/// request. Whatever a person dictates does not belong there.
pub(super) fn for_no_note(plan: &[Step], target: &Target<'_>) -> Option<Vec<Step>> {
    let [
        Step::Add {
            note: Some(title), ..
        },
        _,
        ..,
    ] = plan
    else {
        return None;
    };
    let asked = Terms::of(target.request);
    if target.request.contains(is_unspaced) || tells_of(target.titled(title)?, &asked) {
        return None;
    }
    let texts = plan.iter().map(|step| step.added_to(title));
    let notes = texts.map(|text| {
        Some(Step::New {
            title: None,
            text: text?.clone(),
        })
    });
    let notes: Vec<Step> = notes.collect::<Option<_>>()?;
    // A sentence beside another one, which says that it is to be written down, is the whole text.
    let mut sentences = notes
        .iter()
        .map(|step| sentence_of(target.request, step.clause()));
    let first = sentences.next()?;
    if first != target.request && sentences.all(|other| other == first) {
        return Some(vec![Step::New {
            title: None,
            text: first.trim().to_owned(),
        }]);
    }
    Some(notes)
}

/// Returns one new note, if a plan makes three or more of one sentence.
/// A person who dictates so much in one sentence means one occasion.
pub(super) fn joined_to_one_note(plan: &[Step], target: &Target<'_>) -> Option<Vec<Step>> {
    let mut first = None;
    let mut lines: Vec<&str> = Vec::new();
    for step in plan {
        let Step::New { title, text } = step else {
            return None;
        };
        let sentence = sentence_of(target.request, text);
        let (_, told) = *first.get_or_insert((title, sentence));
        if told != sentence || sentence.contains(['\n', ':', ';']) {
            return None;
        }
        if !lines.contains(&text.as_str()) {
            lines.push(text);
        }
    }
    let (title, _) = first.filter(|_| lines.len() >= SENTENCE_NOTES_MIN)?;
    Some(vec![Step::New {
        title: title.clone(),
        text: lines.join("\n"),
    }])
}

/// Returns the plan with new notes joined if only a comma separates them in one sentence.
/// An example is `the key is under the pot, alarm code 2907`.
pub(super) fn in_one_sentence(plan: &[Step], target: &Target<'_>) -> Option<Vec<Step>> {
    let mut joined: Vec<Step> = Vec::new();
    for step in without_repeated(plan) {
        let same = match (joined.last_mut(), step) {
            (Some(Step::New { text, .. }), Step::New { title, text: more }) => {
                let whole = follows(text, title.as_deref(), more, target.request);
                if let Some(whole) = &whole {
                    text.push('\n');
                    text.push_str(whole);
                }
                whole.is_some()
            }
            _ => false,
        };
        if !same {
            joined.push(step.clone());
        }
    }
    (joined.len() < plan.len()).then_some(joined)
}

/// Returns the steps of a plan without the new notes whose words another one has, too.
pub fn without_repeated(plan: &[Step]) -> impl Iterator<Item = &Step> {
    let steps = plan.iter().enumerate();
    let kept = steps.filter(move |(at, step)| {
        let mut others = plan.iter().enumerate();
        !others.any(|(other, more)| {
            other != *at && is_in(step, more) && (other > *at || !is_in(more, step))
        })
    });
    kept.map(|(_, step)| step)
}

/// Returns whether another new note has all words of a new note.
fn is_in(step: &Step, other: &Step) -> bool {
    let (Step::New { text, .. }, Step::New { title, text: more }) = (step, other) else {
        return false;
    };
    let whole = [title.as_deref().unwrap_or_default(), " ", more].concat();
    Terms::of(text).are_in(&Terms::of(&whole))
}

/// Returns a text that is the whole part between two commas, behind the part of another text.
/// A title and a text may be that part together: `Ida has it`. A word that joins the two, or a
/// label, belongs to neither.
fn follows(before: &str, title: Option<&str>, text: &str, request: &str) -> Option<String> {
    let sentence = sentence_of(request, text);
    let pieces: Vec<&str> = sentence.split([',', ';']).map(str::trim).collect();
    let place = |text: &str| {
        let said = Terms::of(text);
        let shared = pieces.iter().map(|piece| Terms::of(piece).shared(&said));
        let shared: Vec<usize> = shared.collect();
        let most = shared.iter().copied().max().filter(|most| *most > 0)?;
        shared.iter().rposition(|it| *it == most)
    };
    let last = before.lines().last().unwrap_or_default();
    let (one, other) = (place(last)?, place(text)?);
    let piece = pieces.get(other).filter(|_| one < other)?;
    let words = |text: &str| text.split_whitespace().count();
    if words(piece) <= words(text) {
        return Some(text.to_owned());
    }
    let whole = [title?, " ", text].concat();
    let is_whole = Terms::of(piece) == Terms::of(&whole) && !piece.contains(':');
    is_whole.then_some(whole)
}

/// Returns a text with the label before it in the request, if that has a number that would be lost.
/// An example is `9 october: fetch the suit`.
pub(super) fn with_label(title: Option<&str>, text: String, target: &Target<'_>) -> String {
    let Some((label, body)) = split_heading(target.request) else {
        return text;
    };
    let said = Terms::of(&[title.unwrap_or_default(), " ", &text].concat());
    let is_number = |term: &str| term.starts_with(|it: char| it.is_ascii_digit());
    let is_lost = |term: &str| is_number(term) && !said.has(term);
    let is_of_body = Terms::of(&text).shared(&Terms::of(body)) > 0;
    if is_of_body && Terms::of(label).iter().any(is_lost) {
        format!("{}: {text}", label.trim())
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::super::plan::parse;
    use super::super::step_correction::corrected_steps;
    use super::super::{sample_note as note, sample_target};
    use super::{is_taken_apart, is_taken_by_item};

    #[test]
    fn what_is_dictated_to_a_note_is_added_whole() {
        let splint = note(
            1,
            "Wrist splint",
            "Left hand, size M.\nWash it at 30 degrees.",
        );
        let notes = [&splint];
        let request =
            |body: &str| format!("Back from the clinic. For the wrist splint note: {body}");
        for (body, plan, expected) in [
            (
                "it's for the night only. If the velcro gives up, I ask for Mr Baptiste.",
                "change Wrist splint: It is for the night only.",
                "add Wrist splint: It's for the night only. If the velcro gives up, I ask for Mr Baptiste.",
            ),
            (
                "wash it at 40 degrees. Not at 30.",
                "change Wrist splint: Wash it at 40 degrees.",
                "change Wrist splint: Wash it at 40 degrees.",
            ),
        ] {
            let request = request(body);
            let target = sample_target(&notes, &request);
            assert_eq!(corrected_steps(parse(plan), &target), parse(expected));
        }
    }

    #[test]
    fn the_items_of_a_list_are_no_notes_of_their_own() {
        let plan = "new Middlemarch: Middlemarch\nnew Dubliners: Dubliners";
        for (text, expected) in [
            ("Middlemarch, The Leopard, Dubliners", true),
            ("Middlemarch is long and sad, Dubliners is short", false),
            ("Middlemarch", false),
            ("milk, eggs", false),
        ] {
            assert_eq!(is_taken_by_item(&parse(plan), text), expected, "{text}");
        }
    }

    #[test]
    fn what_only_counts_things_is_no_title() {
        let plan = "new Key: The key hangs here.\nnew Pot: The pot is lent.\nnew Rope: It is new.";
        assert!(!is_taken_apart(&parse(plan), "Three things for my notes"));
        assert!(is_taken_apart(&parse(plan), "The rope"));
    }
}
