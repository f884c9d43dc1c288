//! Corrections that only a whole plan shows.
//! Its lines belong together, they do something else than was asked for, or the notes already hold
//! what is reported as done.

use super::check::{facts_of, is_telling};
use super::checkboxes::{ticked_each, ticked_in_place_of_added, unboxed};
use super::dictation::{in_lines, in_one_sentence, joined_to_one_note, parts_of_one};
use super::evidence::{
    contrasted, is_short, items_done, label_and_value, label_of, parts_of, sentence_of, shares,
    terms_of,
};
use super::lines::{ListMark, has_item, lines_of};
use super::overview::{COVERING_NOTES_MIN, UNNAMED_MIN, topic_of_request, unnamed_titles};
use super::plan::Step;
use super::request_questions::is_question;
use super::spans::{has_same_kind, numbers_of, of_same_kind};
use super::target::Target;
use crate::core::notes::{Note, Terms, phrase_stands_in};
use std::collections::BTreeSet;

/// Returns the plan that these lines mean as a whole; `None` if each line stands for itself.
pub(super) fn corrected_plan(plan: &[Step], target: &Target<'_>) -> Option<Vec<Step>> {
    if plan.is_empty() {
        return None;
    }
    ticked_items(plan, target)
        .or_else(|| ticked_each(plan, target))
        .or_else(|| ticked_in_place_of_added(plan, target))
        .or_else(|| removed_from_list(plan, target))
        .or_else(|| inverted(plan, target))
        .or_else(|| contradicted(plan, target))
        .or_else(|| behind_label(plan, target))
        .or_else(|| brought_back(plan, target))
        .or_else(|| rescheduled(plan, target))
        .or_else(|| moved_item(plan, target))
        .or_else(|| put_together(plan, target))
        .or_else(|| in_lines(plan, target))
        .or_else(|| joined_to_one_note(plan, target))
        .or_else(|| in_one_sentence(plan, target))
        .or_else(|| as_overview(plan, target))
        .or_else(|| parts_of_one(plan, target))
        .or_else(|| as_change(plan, target))
        .or_else(|| without_reasons(plan))
}

/// Returns a change, if a plan removes the value behind a label and adds another one to that note.
/// `House key: Rosalind` keeps its label.
fn behind_label(plan: &[Step], target: &Target<'_>) -> Option<Vec<Step>> {
    let (title, what, text) = exchanged_in_note(plan)?;
    let note = target.titled(title)?;
    let (gone, come) = (Terms::of(what), Terms::of(text));
    let lines = lines_of(&note.value);
    let mut found = lines.iter().filter_map(|line| {
        let (label, value) = label_and_value(line.text)?;
        let (item, value) = (ListMark::text_of(line.text), Terms::of(value));
        // A sentence has both: `Rosalind has given the house key back`.
        let is_sentence = Terms::of(item).are_in(&gone);
        let is_meant = !gone.is_empty() && gone.are_in(&value) || is_sentence;
        is_meant.then_some((label, is_sentence))
    });
    let (label, is_sentence) = found.next().filter(|_| found.next().is_none())?;
    let is_one = label_of(text).is_none() && gone.shared(&come) == 0;
    let text = if is_sentence {
        format!("{label}: {text}")
    } else {
        format!("{label}: {text}, not {what}")
    };
    is_one.then(|| {
        vec![Step::Change {
            note: Some(note.title.clone()),
            text,
        }]
    })
}

/// Returns a change where a plan takes something out of a note and adds the same again: how it is now stands in the
/// request. What only says what goes, such as `the sentence with the bell`, is no part of the note, and
/// goes.
fn brought_back(plan: &[Step], target: &Target<'_>) -> Option<Vec<Step>> {
    let (title, what, text) = exchanged_in_note(plan)?;
    let note = Some(title.to_owned());
    let gone = Terms::of(what);
    let own = Terms::of(&target.titled(title)?.value);
    let is_same = gone == Terms::of(text);
    let telling = || gone.iter().filter(|term| is_telling(term));
    let is_description =
        telling().any(|term| own.has(term)) && !telling().all(|term| own.has(term));
    let step = if is_description {
        Step::Remove {
            note,
            what: what.to_owned(),
        }
    } else {
        Step::Change {
            note,
            text: sentence_of(target.request, what).trim().to_owned(),
        }
    };
    is_same.then(|| vec![step])
}

/// Returns a change, if a plan removes from a note what it does not say and adds a sentence of the
/// same kind as one of its lines, such as another day: `the reader cancelled, he comes on the 19th`.
fn rescheduled(plan: &[Step], target: &Target<'_>) -> Option<Vec<Step>> {
    let (title, what, text) = exchanged_in_note(plan)?;
    let note = target.titled(title)?;
    let own = Terms::of(&note.value);
    let gone = Terms::of(what).without(&Terms::of(title));
    let is_absent = !gone.iter().any(|term| is_telling(term) && own.has(term));
    let lines = lines_of(&note.value);
    let is_same_kind = lines.iter().any(|line| has_same_kind(line.text, text));
    (is_absent && is_same_kind && !is_short(text)).then(|| {
        vec![Step::Change {
            note: Some(note.title.clone()),
            text: text.to_owned(),
        }]
    })
}

/// Returns the title of the one note that a plan of two lines takes something out of and puts something into, what
/// goes, and what comes.
fn exchanged_in_note(plan: &[Step]) -> Option<(&str, &str, &str)> {
    let [
        Step::Remove {
            note: Some(title),
            what,
        },
        Step::Add {
            note: Some(to),
            text,
        }
        | Step::New {
            title: Some(to),
            text,
        },
    ] = plan
    else {
        return None;
    };
    (title == to).then_some((title, what, text))
}

/// Returns the steps that tick the open items which the request reports as done.
fn ticked_items(plan: &[Step], target: &Target<'_>) -> Option<Vec<Step>> {
    let is_about_more = !numbers_of(target.request).is_empty();
    let ticks = |step: &&Step| matches!(step, Step::Change { text, .. } if text.starts_with("[x]"));
    // A plan that ticks several items has named all of them.
    if plan.iter().filter(ticks).count() > 1 {
        return None;
    }
    let may_tell = |step: &Step| {
        step.writes()
            || matches!(step, Step::Nothing | Step::Issue { .. })
            || is_added_again(step, plan)
    };
    if is_question(target.request) || is_about_more || !plan.iter().all(may_tell) {
        return None;
    }
    // Another note may have the same item.
    let named = target.named_in(target.request);
    let notes = if named.is_empty() {
        target.notes
    } else {
        &named
    };
    let told = items_done(notes, target.request);
    let (note, _) = *told.first()?;
    if told.iter().any(|(other, _)| other.id != note.id) {
        return None;
    }
    let asked = Terms::of(target.request);
    let lines = lines_of(&note.value).into_iter().enumerate();
    let ticked = lines.filter(|(index, line)| {
        let item = Terms::of(ListMark::text_of(line.text));
        let mut telling = item.iter().filter(|term| is_telling(term));
        let is_told = told.iter().any(|(_, told)| told == index);
        // A request that reports one item of a list may report others in fewer words.
        line.text.contains("[ ]") && (is_told || telling.any(|term| asked.has(term)))
    });
    let steps = ticked.map(|(_, line)| Step::Change {
        note: Some(note.title.clone()),
        text: format!("[x] {}", ListMark::text_of(line.text)),
    });
    Some(steps.collect())
}

/// Returns the one removal that is meant, if a plan takes the same out of two notes.
/// One of them has it as an item; the other says something about it.
/// An example is `Jonte has a mat, take the mat off the packing list`.
fn removed_from_list(plan: &[Step], target: &Target<'_>) -> Option<Vec<Step>> {
    let [
        Step::Remove {
            note: Some(beside),
            what,
        },
        Step::Remove {
            note: Some(list),
            what: other,
        },
    ] = plan
    else {
        return None;
    };
    let (stated, listed) = (target.titled(beside)?, target.titled(list)?);
    let is_meant = stated.id != listed.id
        && has_item(&listed.value, what)
        && !has_item(&stated.value, what)
        && Terms::of(other) == Terms::of(&stated.title);
    is_meant.then(|| {
        vec![Step::Remove {
            note: Some(list.clone()),
            what: what.clone(),
        }]
    })
}

/// Returns whether a plan adds again what a step removes.
fn is_added_again(step: &Step, plan: &[Step]) -> bool {
    let Step::Remove { note, what } = step else {
        return false;
    };
    let gone = Terms::of(what);
    plan.iter().any(|other| {
        matches!(other, Step::Add { note: to, text } if to == note && Terms::of(text) == gone)
    })
}

/// Returns a plan that moves one item to another note, where a plan merges the two.
/// The request names just that item.
fn moved_item(plan: &[Step], target: &Target<'_>) -> Option<Vec<Step>> {
    let [Step::Merge { from, to }] = plan else {
        return None;
    };
    let note = target.titled(from)?;
    let lines = lines_of(&note.value);
    let items: Vec<&str> = lines
        .iter()
        .map(|line| ListMark::text_of(line.text))
        .collect();
    let mut named = items.iter().filter(|item| {
        !Terms::of(item).is_empty()
            && phrase_stands_in(item, target.request)
            && !phrase_stands_in(item, from)
            && !phrase_stands_in(item, to)
    });
    let item = named.next().filter(|_| named.next().is_none())?;
    (items.len() > 1).then(|| {
        vec![
            Step::Remove {
                note: Some(from.clone()),
                what: (*item).to_owned(),
            },
            Step::Add {
                note: Some(to.clone()),
                text: (*item).to_owned(),
            },
        ]
    })
}

/// Returns a merge, if a plan deletes one of the two notes that the request names.
/// The plan adds nothing that the notes do not say.
fn put_together(plan: &[Step], target: &Target<'_>) -> Option<Vec<Step>> {
    let named = target.named_in(target.request);
    let [one, other] = named.as_slice() else {
        return None;
    };
    let is_deleted = |note: &Note| {
        plan.iter()
            .any(|step| title_to_delete(step).is_some_and(|title| is_title_of(note, title)))
    };
    let (from, to) = match (is_deleted(one), is_deleted(other)) {
        (true, false) => (one, other),
        (false, true) => (other, one),
        (true, true) | (false, false) => return None,
    };
    let texts = target.notes.iter().map(|note| terms_of(note));
    let known = texts.fold(Terms::of(""), |known, text| known.with(&text));
    let brings_nothing = |step: &Step| {
        let clause = step.clause();
        let said = Terms::of(clause);
        let mut telling = said.iter().filter(|term| is_telling(term));
        telling.all(|term| known.has(term)) && numbers_of(clause).is_empty()
    };
    let renames = |step: &Step| matches!(step, Step::Rename { .. });
    let is_merge = plan.len() > 1
        && !plan.iter().any(renames)
        && !is_item(from, to)
        && plan.iter().all(brings_nothing);
    is_merge.then(|| {
        vec![Step::Merge {
            from: from.title.clone(),
            to: to.title.clone(),
        }]
    })
}

/// Returns whether the title of a note stands in another one.
/// A guest who has a note of her own is removed from the list of guests.
fn is_item(note: &Note, list: &Note) -> bool {
    phrase_stands_in(&note.title, &list.value)
}

fn is_title_of(note: &Note, title: &str) -> bool {
    Terms::of(&note.title) == Terms::of(title)
}

/// Returns the title of the note that a step would delete.
/// A small model also removes a note by its title.
fn title_to_delete(step: &Step) -> Option<&str> {
    if let Step::Delete { title } = step {
        return Some(title);
    }
    let Step::Remove { note, what } = step else {
        return None;
    };
    let is_title = |note: &String| Terms::of(note) == Terms::of(what);
    note.as_ref().is_none_or(is_title).then_some(what)
}

/// Returns the two notes of a request whose plan only deletes one: the deleted and the other one.
/// One may be meant to be merged into the other.
pub fn only_deleted<'a>(plan: &[Step], target: &Target<'a>) -> Option<(&'a Note, &'a Note)> {
    let named = target.named_in(target.request);
    let ([step], [one, other]) = (plan, named.as_slice()) else {
        return None;
    };
    let title = title_to_delete(step)?;
    let (deleted, kept) = match (is_title_of(one, title), is_title_of(other, title)) {
        (true, false) => (one, other),
        (false, true) => (other, one),
        (true, true) | (false, false) => return None,
    };
    (!is_item(deleted, kept)).then_some((deleted, kept))
}

/// Returns an overview, if a plan links, writes to or lists many notes that the request does not name.
/// Its topic is what the notes have in common with the request.
fn as_overview(plan: &[Step], target: &Target<'_>) -> Option<Vec<Step>> {
    let is_unnamed =
        |title: &str| target.titled(title).is_some() && !phrase_stands_in(title, target.request);
    let gathered = plan.iter().map(|step| {
        let title = match step {
            Step::Link { from, to } => Some(to).filter(|_| is_unnamed(from)),
            Step::New { title, text } => {
                let listed = unnamed_titles(text, target);
                if listed.len() >= UNNAMED_MIN {
                    return Some(listed);
                }
                title.as_ref()
            }
            Step::Add { note: title, .. } | Step::Change { note: title, .. } => title.as_ref(),
            Step::Remove { .. }
            | Step::Answer { .. }
            | Step::Overview { .. }
            | Step::Issue { .. }
            | Step::Rename { .. }
            | Step::Merge { .. }
            | Step::Delete { .. }
            | Step::Nothing => None,
        };
        title
            .filter(|title| is_unnamed(title))
            .map(|title| vec![title.as_str()])
    });
    let titles: Option<Vec<Vec<&str>>> = gathered.collect();
    let titles: BTreeSet<&str> = titles?.into_iter().flatten().collect();
    if titles.len() < UNNAMED_MIN || !facts_of(target.request).is_empty() {
        return None;
    }
    let asked = Terms::of(target.request);
    let texts = target.notes.iter().map(|note| terms_of(note));
    let texts: Vec<Terms> = texts.collect();
    let is_topic = |term: &&str| {
        let holding = texts.iter().filter(|text| text.has(term)).count();
        is_telling(term) && holding >= COVERING_NOTES_MIN
    };
    let topic: Vec<&str> = asked.iter().filter(is_topic).collect();
    let topic = if topic.is_empty() {
        topic_of_request(target)
    } else {
        topic.join(" ")
    };
    Some(vec![Step::Overview {
        title: Some(with_capital(&topic)),
        topic,
    }])
}

/// Returns a text with a capital as its first letter.
pub fn with_capital(text: &str) -> String {
    let mut rest = text.chars();
    let first = rest.next().map(|first| first.to_uppercase().to_string());
    first.unwrap_or_default() + rest.as_str()
}

/// Returns a change, if a plan answers a request that is no question.
/// The request has no question mark, but a number that no note has.
fn as_change(plan: &[Step], target: &Target<'_>) -> Option<Vec<Step>> {
    let [Step::Answer { title: None, .. }] = plan else {
        return None;
    };
    let request = target.request.trim();
    let is_known = |number: &str| {
        let mut notes = target.notes.iter();
        notes.any(|note| numbers_of(&note.value).contains(&number) || note.title.contains(number))
    };
    let has_news = numbers_of(request).iter().any(|number| !is_known(number));
    (!is_question(request) && has_news).then(|| {
        vec![Step::Change {
            note: None,
            text: request.to_owned(),
        }]
    })
}

/// Returns the plan without additions that only give the reason of a removal.
fn without_reasons(plan: &[Step]) -> Option<Vec<Step>> {
    let removed = plan
        .iter()
        .filter(|step| matches!(step, Step::Remove { .. }));
    let gone: Vec<(Option<&str>, Terms)> = removed
        .filter_map(|step| {
            let Step::Remove { note, what } = step else {
                return None;
            };
            Some((note.as_deref(), Terms::of(what)))
        })
        .collect();
    let is_reason = |step: &&Step| {
        let Step::Add { note, text } = step else {
            return false;
        };
        let said = Terms::of(text);
        // A text that moves from one note to another is no reason.
        let tells = |(from, what): &(Option<&str>, Terms)| {
            let is_more = said.len() == what.len() || said.len() > what.len() + 1;
            let is_same_note = note.is_none() || note.as_deref() == *from;
            is_same_note && !what.is_empty() && what.are_in(&said) && is_more
        };
        gone.iter().any(tells)
    };
    let kept: Vec<Step> = plan
        .iter()
        .filter(|step| !is_reason(step))
        .cloned()
        .collect();
    (kept.len() < plan.len()).then_some(kept)
}

/// Returns the only note with a line `LABEL: ...` for just that label, with the line.
pub(super) fn labelled<'a>(notes: &[&'a Note], label: &str) -> Option<(&'a Note, String)> {
    let wanted = Terms::of(label);
    let mut found = notes.iter().flat_map(|note| {
        let lines = lines_of(&note.value);
        let lines: Vec<(&Note, String)> = lines
            .iter()
            .filter(|line| label_of(line.text).is_some_and(|it| Terms::of(it) == wanted))
            .map(|line| (*note, line.text.to_owned()))
            .collect();
        lines
    });
    let only = found.next().filter(|_| !wanted.is_empty())?;
    found.next().is_none().then_some(only)
}

/// Returns the plan with adjacent short additions to one note joined in one step.
/// Each alone might be taken for something else.
pub(super) fn join_additions(steps: Vec<Step>) -> Vec<Step> {
    let mut joined: Vec<Step> = Vec::new();
    for step in steps {
        let same = match (joined.last_mut(), &step) {
            (Some(Step::Add { note: last, text }), Step::Add { note, text: more })
                if last == note && is_short(more) && text.lines().all(is_short) =>
            {
                text.push('\n');
                text.push_str(more);
                true
            }
            _ => false,
        };
        if !same {
            joined.push(step);
        }
    }
    joined
}

/// Returns the step for an item with a box if there is nothing to tick: a done item is removed.
pub(super) fn without_box(step: Step, target: &Target<'_>) -> Step {
    let Step::Change { note, text } = step else {
        return step;
    };
    // Another name of the same kind, such as a day of the week, is what has changed.
    let exchanges = |what: &str| {
        let notes = target.notes.iter();
        let mut lines = notes.flat_map(|note| lines_of(&note.value));
        lines.any(|line| shares(line.text, what) && of_same_kind(line.text, what).is_some())
    };
    match text.strip_prefix("[x] ") {
        // A number is mentioned because it has changed.
        Some(what) if numbers_of(what).is_empty() && !exchanges(what) => Step::Remove {
            note,
            what: what.to_owned(),
        },
        _ => Step::Change {
            note,
            text: unboxed(&text).to_owned(),
        },
    }
}

/// Returns the plan with a removal and an addition exchanged, if they are the wrong way round.
/// It removes what is absent and adds what is there, as for `peppers instead of the olives`.
fn inverted(plan: &[Step], target: &Target<'_>) -> Option<Vec<Step>> {
    let removed = plan.iter().find_map(|step| {
        let Step::Remove {
            note: Some(title),
            what,
        } = step
        else {
            return None;
        };
        Some((title, what))
    });
    let (title, come) = removed?;
    let gone = plan.iter().find_map(|step| step.added_to(title))?;
    let note = target.titled(title)?;
    let is_absent = Terms::of(come).shared(&Terms::of(&note.value)) == 0;
    let is_asked = Terms::of(come).are_in(&Terms::of(target.request));
    let whole = || has_item(&note.value, gone).then_some(gone.as_str());
    let item = item_in(note, gone).or_else(whole)?;
    if !(is_absent && is_asked) {
        return None;
    }
    let turned = plan.iter().map(|step| {
        let note = Some(title.clone());
        if matches!(step, Step::Remove { what, .. } if what == come) {
            let what = item.to_owned();
            Step::Remove { note, what }
        } else if matches!(step, Step::Add { text, .. } if text == gone) {
            let text = come.clone();
            Step::Add { note, text }
        } else {
            step.clone()
        }
    });
    Some(turned.collect())
}

/// Returns the only item of a list that a text names with all of its words.
fn item_in<'a>(note: &'a Note, text: &str) -> Option<&'a str> {
    let said = Terms::of(text);
    let items = lines_of(&note.value).into_iter().map(|line| line.text);
    let items = items
        .filter(|line| ListMark::of(line).is_some())
        .map(ListMark::text_of);
    let mut named = items.filter(|item| {
        let item = Terms::of(item);
        !item.is_empty() && item.are_in(&said)
    });
    named.next().filter(|_| named.next().is_none())
}

/// Returns the change of the line that a request contradicts, if a plan only adds or removes.
/// The request has one part and contradicts a word, as in `Ida brings it, not Ben`.
fn contradicted(plan: &[Step], target: &Target<'_>) -> Option<Vec<Step>> {
    let edits = |step: &Step| matches!(step, Step::Add { .. } | Step::Remove { .. });
    if parts_of(target.request).len() != 1 || !plan.iter().all(edits) {
        return None;
    }
    let gone = contrasted(target.request);
    let named = target.named_in(target.request);
    let lines = named.iter().flat_map(|note| {
        let lines = lines_of(&note.value).into_iter();
        lines.map(|line| (*note, line.text))
    });
    let asked = Terms::of(target.request).without(&gone);
    let is_contradicted = |line: &str| {
        let line = Terms::of(line);
        let is_shared = |term: &str| is_telling(term) && line.has(term);
        gone.iter().any(|term| line.has(term)) && asked.iter().any(is_shared)
    };
    let mut found = lines.filter(|(_, line)| is_contradicted(line));
    let (note, _) = found.next()?;
    found.next().is_none().then(|| {
        vec![Step::Change {
            note: Some(note.title.clone()),
            text: target.request.trim().to_owned(),
        }]
    })
}

#[cfg(test)]
mod tests {
    use super::super::plan::{Step, parse};
    use super::super::sample_note as note;
    use super::super::sample_target;
    use super::super::step_correction::corrected_steps;
    use super::only_deleted;
    use crate::core::notes::Note;

    /// A request, the plan of a small model, and the one that is meant.
    const MEANT: &[(&str, &str, &[&str])] = &[
        (
            "the wasps are gone from the plums, would you cut the sentence with the wasps",
            "remove Plums: the sentence with the wasps\nadd Plums: the sentence with the wasps",
            &["remove Plums: the sentence with the wasps"],
        ),
        (
            "swept the porch, and the gutters are cleared too",
            "new Porch: swept the porch",
            &[
                "change House jobs: [x] sweep the porch",
                "change House jobs: [x] clear the gutters",
            ],
        ),
        (
            "lift is done!! so that goes from Flat tasks over to House jobs",
            "merge Flat tasks > House jobs",
            &["remove Flat tasks: lift", "add House jobs: lift"],
        ),
        (
            "the porch is not swept after all, untick it",
            "change Pears: [ ] sweep the porch",
            &["change House jobs: [ ] sweep the porch"],
        ),
        (
            "Ines has left, Vera sees to it now",
            "remove Flat tasks: Ines\nadd Flat tasks: Vera",
            &["change Flat tasks: curtains: Vera, not Ines"],
        ),
        (
            "the doctor said the plaster stays on till monday and I need the sling and a new card for 5 euros",
            "new Plaster: The plaster stays on till Monday.\nnew Sling: I need the sling.\nnew Card: I need a new card for 5 euros.",
            &[
                "new Plaster: The plaster stays on till Monday.\nI need the sling.\nI need a new card for 5 euros.",
            ],
        ),
        // A request that repeats an item in its own words does not report it as done.
        (
            "sweep the porch",
            "new Porch: sweep the porch",
            &["new Porch: sweep the porch"],
        ),
        (
            "pear crumble\n4 pears\n120 g oats\nbake it at 180",
            "new Pears: 4 pears\nnew Pears: 120 g oats",
            &["new pear crumble: 4 pears\n120 g oats\nbake it at 180"],
        ),
        (
            "one note that links all that grows in the orchard",
            "link Pears > Plums\nlink Pears > Quinces\nlink Pears > House jobs",
            &["overview Orchard: orchard"],
        ),
        (
            "Vera has moved, it is Mill Lane 4 now",
            "change: Vera has moved.\nchange: it is Mill Lane 4.",
            &["new: Vera has moved, it is Mill Lane 4 now"],
        ),
        (
            "the quinces cost 4.20 a kilo",
            "answer: the quinces cost 4.20 a kilo",
            &["change: the quinces cost 4.20 a kilo"],
        ),
        (
            "the plums are eaten, take them off",
            "remove: plums\nadd: the plums are eaten",
            &["remove: plums"],
        ),
        (
            "put sugar and jars on it",
            "add: sugar\nadd: jars",
            &["add: sugar\njars"],
        ),
        (
            "We did not take the flat in Kiel, so delete the note Flat viewing Kiel. And note down that the \
             viewing in Bremen is on Saturday at 13:00.",
            "delete Flat viewing Kiel\nnew Flat wishes: The viewing in Bremen is on Saturday at 13:00.",
            &[
                "delete Flat viewing Kiel",
                "new: The viewing in Bremen is on Saturday at 13:00.",
            ],
        ),
        (
            "Ines has given the curtains back, Vera is sewing them from now on",
            "remove Flat tasks: Ines has given the curtains back.\nnew Flat tasks: Vera is sewing them.",
            &["change Flat tasks: curtains: Vera is sewing them."],
        ),
        (
            "make it two lamps on the flat tasks, one won't be enough",
            "remove Flat tasks: lamps\nadd Flat tasks: lamps",
            &["change Flat tasks: make it two lamps on the flat tasks, one won't be enough"],
        ),
        (
            "put Flat viewing Kiel into Flat, then it can go",
            "add: Flat wishes\nremove: Flat viewing Kiel",
            &["merge Flat viewing Kiel > Flat"],
        ),
        (
            "add what's in Flat viewing Kiel to the Flat note and then throw Flat viewing Kiel away",
            "change Flat: Flat viewing Kiel\nremove Flat viewing Kiel: Flat viewing Kiel",
            &["merge Flat viewing Kiel > Flat"],
        ),
        // An item that is there is replaced by one that is not.
        (
            "for the flat wishes I'd rather have a garden instead of a lift",
            "remove Flat tasks: garden\nadd Flat tasks: lift",
            &["remove Flat tasks: lift", "add Flat tasks: garden"],
        ),
        (
            "on the flat tasks Osman sees to the curtains, not Ines",
            "add Flat tasks: osman\nadd Flat tasks: curtains",
            &["change Flat tasks: on the flat tasks Osman sees to the curtains, not Ines"],
        ),
        // One sentence is one note.
        (
            "write down please: spare key of the chalet is beneath the sundial, alarm 3908",
            "new Chalet: Spare key is beneath the sundial.\nnew Chalet alarm: alarm 3908",
            &["new Chalet: spare key of the chalet is beneath the sundial, alarm 3908"],
        ),
        (
            "note that the ferry is 30 euros and that Vito has the tickets",
            "new Ferry: The ferry is 30 euros.\nnew Tickets: Vito has the tickets.",
            &[
                "new Ferry: The ferry is 30 euros.",
                "new Tickets: Vito has the tickets.",
            ],
        ),
        (
            "2 june: collect the rug, ticket 41. can you remind me?",
            "new Rug: Collect the rug, ticket 41.\nnew Reminder: 2 June: collect the rug, ticket 41.",
            &["new Reminder: 2 June: collect the rug, ticket 41."],
        ),
        (
            "2 june: collect the rug, ticket 41. can you remind me?",
            "new Rug: Collect the rug, ticket 41.",
            &["new Rug: 2 june: Collect the rug, ticket 41."],
        ),
        (
            "one more: the crane stands at the lock, Ottmar has the key",
            "new Crane: The crane stands at the lock.\nnew Ottmar: has the key.",
            &["new Crane: the crane stands at the lock, Ottmar has the key"],
        ),
        // A sentence that contradicts a note belongs to that note.
        (
            "a lamp goes on the flat tasks. and the viewing on friday is at 17:00 now, it used to be 16",
            "add Flat tasks: lamp\nadd Flat tasks: The viewing on Friday is at 17:00.",
            &[
                "add Flat tasks: lamp",
                "change Flat viewing Kiel: The viewing on Friday is at 17:00.",
            ],
        ),
        // The request speaks of no note.
        (
            "quick note. the kennel rang, bobo can stay from the 3rd, he should bring his blanket",
            "add Quinces: bobo can stay from the 3rd.\nadd Quinces: he should bring his blanket",
            &["new: the kennel rang, bobo can stay from the 3rd, he should bring his blanket"],
        ),
        (
            "New note, title Rug cleaning: Mr Farouk picks it up, costs 160 euros and brings it back",
            "new Rug cleaning: Mr Farouk picks it up.\nnew Rug cleaning: Mr Farouk costs 160 euros.",
            &["new Rug cleaning: Mr Farouk picks it up, costs 160 euros and brings it back"],
        ),
        // The list has the item; the other note only has something to do with it.
        (
            "Flat has a lift, so that goes off the flat tasks",
            "remove Flat: lift\nremove Flat tasks: Flat",
            &["remove Flat tasks: lift"],
        ),
        // What the note does not say is not removed: its day has changed.
        (
            "the flat viewing in Kiel is off on Friday, it is on Sunday at 16:00 then",
            "remove Flat viewing Kiel: cancelled by the landlord\nnew Flat viewing Kiel: the viewing is on Sunday at 16:00 then",
            &["change Flat viewing Kiel: the viewing is on Sunday at 16:00 then"],
        ),
        // Of a plan that ticks two items, a third one is not ticked.
        (
            "the porch is swept and the gutters are cleared. the door is still undecided",
            "change House jobs: [x] sweep the porch\nchange House jobs: [x] clear the gutters",
            &[
                "change House jobs: [x] sweep the porch",
                "change House jobs: [x] clear the gutters",
            ],
        ),
        // A title that another note has is no new one.
        (
            "the pears are Sunna's and not Dulcie's, correct the name",
            "rename Pears > Plums",
            &[],
        ),
        // The title of another note is no addition.
        (
            "a lamp goes on the flat tasks",
            "add Flat tasks: lamp\nadd Flat tasks: Quinces",
            &["add Flat tasks: lamp"],
        ),
        (
            "the landlord is Mr Ortega",
            "new Landlord: Mr Ortega",
            &["change Flat: Landlord: Mr Ortega"],
        ),
    ];

    #[test]
    fn nothing_is_removed_that_has_only_changed_or_is_to_be_added() {
        let bins = note(1, "Bins", "Rubbish: Monday\nRecycling: Tuesday");
        let lent = note(2, "Lent", "- folding table (Vikram)\n- gas burner (Ole)");
        let notes = [&bins, &lent];
        for (request, plan, expected) in [
            (
                "from now on the recycling is picked up on thursdays",
                "change Bins: [x] pick up recycling on Thursdays",
                &["change Bins: pick up recycling on Thursdays"][..],
            ),
            (
                "the gas burner is back with Ole so take that off Lent, but put down the cake stand",
                "add Lent: the gas burner is back with Ole\nremove Lent: the cake stand",
                &["add Lent: the cake stand", "remove Lent: gas burner (Ole)"],
            ),
        ] {
            let target = sample_target(&notes, request);
            let steps = corrected_steps(parse(plan), &target);
            let mut steps: Vec<String> = steps.iter().map(Step::to_string).collect();
            steps.sort();
            assert_eq!(steps, expected, "{request}");
        }
    }

    #[test]
    fn a_plan_that_shows_what_is_meant_as_a_whole_is_put_right() {
        let shelf: Vec<Note> = vec![
            note(1, "Pears", "Two trees in the orchard."),
            note(2, "Plums", "One tree in the orchard, eaten by wasps."),
            note(3, "Quinces", "Planted in the orchard in May."),
            note(
                4,
                "House jobs",
                "- [ ] sweep the porch\n- [ ] clear the gutters\n- [ ] paint the door",
            ),
            note(5, "Flat", "Landlord: Mrs Quist\nRent: 640"),
            note(6, "Flat viewing Kiel", "The viewing is on Friday at 16:00."),
            note(
                7,
                "Flat wishes",
                "A balcony, no ground floor, at most 900 euros.",
            ),
            note(8, "Flat tasks", "- lift\n- curtains: Ines"),
        ];
        let notes: Vec<&Note> = shelf.iter().collect();
        for &(request, plan, expected) in MEANT {
            let target = sample_target(&notes, request);
            let steps = corrected_steps(parse(plan), &target);
            let steps: Vec<String> = steps.iter().map(Step::to_string).collect();
            assert_eq!(steps, expected, "{request}");
        }
    }

    /// A list without boxes has nothing to tick: a done item is removed.
    #[test]
    fn what_is_ticked_without_a_box_goes() {
        let bag = note(1, "Marathon bag", "- energy gels\n- rain poncho");
        let notes = [&bag];
        let target = sample_target(
            &notes,
            "it stays dry, the rain poncho can come off the marathon bag",
        );
        let plan = parse("change Marathon bag: [x] rain poncho");
        let steps = corrected_steps(plan, &target);
        assert_eq!(steps, parse("remove Marathon bag: rain poncho"));
    }

    #[test]
    fn what_goes_from_one_list_to_another_is_added_there() {
        let plan = parse("remove Attic: dollhouse\nadd To sell: dollhouse");
        assert_eq!(super::without_reasons(&plan), None);
        let plan = parse("remove Rota: Piet\nadd Rota: Piet has moved out.");
        assert_eq!(
            super::without_reasons(&plan).map(|plan| plan.len()),
            Some(1)
        );
    }

    #[test]
    fn of_two_notes_one_may_go_into_the_other() {
        let shelf = [
            note(1, "Guests", "- Ida\n- Bruno"),
            note(2, "Bruno", "He likes chess."),
            note(3, "Ida", "She likes tea."),
        ];
        let notes: Vec<&Note> = shelf.iter().collect();
        for (request, plan, expected) in [
            (
                "Bruno can't come, take him off Guests",
                "remove: Bruno",
                None,
            ),
            ("put Ida into Bruno", "delete Ida", Some(("Ida", "Bruno"))),
            ("put Ida into Bruno", "remove: Ida", Some(("Ida", "Bruno"))),
            ("delete the note Ida", "delete Ida", None),
        ] {
            let target = sample_target(&notes, request);
            let found = only_deleted(&parse(plan), &target);
            let found = found.map(|(one, other)| (one.title.as_str(), other.title.as_str()));
            assert_eq!(found, expected, "{request}");
        }
    }
}
