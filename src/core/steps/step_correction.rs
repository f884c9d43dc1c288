//! Corrections of a plan that can be computed.
//! A small model confuses verbs in ways that the request itself shows. A question becomes a note,
//! an existing title gets a second note, or a text to be kept as it is is reworded.

use super::addition::in_script_of;
use super::addressed_note::{
    addressed_elsewhere, described_better, is_foreign, is_repeated_for_named,
};
use super::check::{facts_of, is_telling, left_out_facts};
use super::checkboxes::{adds_done_item, has_box, in_note_with_box, reopens};
use super::dictation::{dictated, for_no_note, split_heading};
use super::evidence::{
    contrasted, contrasted_in, count_telling_words, has_own_word, is_telling_term, parts_of,
    sentence_of, shares, terms_of, text_of, title_words_in,
};
use super::lines::{Line, has_item, lines_of};
use super::meant_note::{
    added, in_misspelt_note, in_note_with_item, is_for_other, note_to_combine, other_to_change,
};
use super::new_note::Context;
use super::overview::corrected_overview;
use super::plan::Step;
use super::plan_correction::{corrected_plan, join_additions, without_box};
use super::removal::with_moved_items;
use super::request_questions::{full_question, is_question};
use super::spans::{has_digit, numbers_of};
use super::splitting::split_off;
use super::target::Target;
use crate::core::notes::{Note, Terms, phrase_stands_in};

/// The share of common words from which a step repeats an earlier one for another note, in percent.
const REPEATED_SHARE_MIN: usize = 60;

/// The number of words up to which a change may say too little.
const SCANTY_WORDS_MAX: usize = 2;

/// Returns the steps of a plan in the script of the request and for the notes that it misspells. A question
/// adds no item that is done.
fn as_requested(plan: Vec<Step>, target: &Target<'_>) -> Vec<Step> {
    let request = target.request;
    let asks = plan.iter().any(Step::is_lookup);
    let steps = plan.into_iter();
    let steps = steps.filter(|step| !asks || !adds_done_item(step, request));
    let steps = steps.map(|step| in_misspelt_note(in_script_of(step, request), target));
    steps.collect()
}

/// Returns the plan with all corrections that can be computed.
pub fn corrected_steps(plan: Vec<Step>, target: &Target<'_>) -> Vec<Step> {
    let plan = as_requested(plan, target);
    let plan = dictated(&plan, target).map_or(plan, |step| vec![step]);
    let plan = for_no_note(&plan, target).unwrap_or(plan);
    let plan = addressed_elsewhere(&plan, target).unwrap_or(plan);
    if let Some(split) = split_off(&plan, target) {
        return split;
    }
    let plan = corrected_plan(&plan, target).unwrap_or(plan);
    let is_alone = plan.len() == 1;
    let adds_title =
        |step: &Step| matches!(step, Step::Add { text, .. } if is_other_title(text, target));
    let plan: Vec<Step> = if plan.iter().all(adds_title) {
        plan
    } else {
        plan.into_iter().filter(|step| !adds_title(step)).collect()
    };
    let whole = plan.clone();
    let named = target.named_in(addressed(target.request));
    let has_edit = plan.iter().any(is_edit);
    let mut steps: Vec<Step> = Vec::new();
    let has_boxes = !target.with_open_items().is_empty();
    for (index, step) in plan.into_iter().enumerate() {
        let others = whole.iter().enumerate().filter(|(it, _)| *it != index);
        let others = target.notes_of(others.map(|(_, other)| other));
        let target = &target.of_step(&others);
        let step = with_numbers_exchanged(turned_round(step, target.request), target);
        let step = in_note_with_item(in_note_with_box(step, target), &whole, target);
        let step = if has_boxes || reopens(&step, target) {
            step
        } else {
            without_box(step, target)
        };
        let is_stray = !is_alone
            && (is_off_topic(&step, target)
                || loses_kept(&step, &whole)
                || only_denies(&step, &whole, target)
                || is_foreign(&step, &whole, target)
                || is_repeated_for_named(&step, &whole, target));
        let described = described_better(&step, target);
        if is_stray || described.is_none() && !is_meant(&step, target) {
            continue;
        }
        let step = described.unwrap_or(step);
        let context = Context {
            target,
            plan: &whole,
            named: &named,
            is_alone,
            has_edit,
        };
        let step = corrected_step(step, &context);
        if !steps.contains(&step) && !repeats_elsewhere(&step, &steps, target) {
            steps.push(step);
        }
    }
    let mut steps = with_moved_items(steps, target);
    // An item that is there and goes is not added again.
    let goes = steps.clone();
    steps.retain(|step| {
        !goes
            .iter()
            .any(|other| restores_removed_item(step, other, target))
    });
    let mut places = named.iter().filter(|note| !is_added(note, &steps));
    if places.next().is_none() || places.next().is_none() {
        join_additions(steps)
    } else {
        steps
    }
}

/// Returns a step with the corrections that can be computed from it alone.
fn corrected_step(step: Step, context: &Context<'_, '_>) -> Step {
    let target = context.target;
    match step {
        Step::New { title, text } => context.new_note(title, &text),
        Step::Answer { title, question } => answered(title, &question, target),
        Step::Overview { title, topic } => corrected_overview(title, topic, target),
        // The title of another note stands nowhere in this one: what the request mentions is
        // removed.
        Step::Remove {
            note: Some(title),
            what,
        } if is_other_title(&what, target) && phrase_stands_in(&title, target.request) => {
            Step::Remove {
                note: Some(title.clone()),
                what: title,
            }
        }
        Step::Merge { from, to } => {
            let from = note_to_combine(&to, from, target);
            Step::Merge { from, to }
        }
        Step::Link { from, to } => Step::Link {
            from: note_to_combine(&to, from, target),
            to,
        },
        Step::Change {
            note: Some(title),
            text,
        } if is_for_other(&title, &text, target) => {
            let other = other_to_change(&title, &text, target);
            Step::Change {
                note: other.map(|note| note.title.clone()),
                text,
            }
        }
        Step::Add {
            note: Some(title),
            text,
        } => added(title, text, context),
        Step::Nothing if is_question(target.request) => Step::Answer {
            title: None,
            question: target.request.trim().to_owned(),
        },
        // A part of the request that lacks its facts says too little.
        Step::Change { note, text }
            if context.is_alone
                && !has_box(&text)
                && (note.is_none() && is_bare(&text)
                    || parts_of(target.request).len() < 2
                        && (lacks_fact(&text, target) || is_scanty(&text, target.request))) =>
        {
            let note =
                note.filter(|title| target.titled(title).is_none_or(|it| says_of(it, target)));
            Step::Change {
                note,
                text: target.request.trim().to_owned(),
            }
        }
        other @ (Step::Add { .. }
        | Step::Change { .. }
        | Step::Remove { .. }
        | Step::Issue { .. }
        | Step::Rename { .. }
        | Step::Delete { .. }
        | Step::Nothing) => other,
    }
}

/// Returns a step that answers the whole question of the request.
/// A note that nobody asked for would be superfluous; an existing one says where to look.
fn answered(title: Option<String>, question: &str, target: &Target<'_>) -> Step {
    let is_asked_for = |title: &String| {
        if is_question(target.request) {
            target.titled(title).is_some()
        } else {
            phrase_stands_in(title, target.request)
        }
    };
    Step::Answer {
        title: title.filter(is_asked_for),
        question: without_preface(
            question,
            in_context(full_question(question, target.request), target),
            target,
        ),
    }
}

/// Returns the planned question in place of the whole one, if that only has a clause before it of which no
/// note has a word: `I'm minding the kids today, when do Ines and Bruno nap?`
fn without_preface(planned: &str, whole: String, target: &Target<'_>) -> String {
    let (planned, lower) = (planned.trim(), whole.to_lowercase());
    let preface = lower.trim().strip_suffix(&planned.to_lowercase());
    let preface = preface.and_then(|it| it.trim_end().strip_suffix(','));
    let is_beside = preface.is_some_and(|preface| {
        let said = Terms::of(preface);
        let mut telling = said.iter().filter(|word| is_telling(word));
        let is_in = |word: &str| target.notes.iter().any(|it| terms_of(it).has(word));
        !has_digit(preface) && !telling.any(is_in)
    });
    if is_beside { planned.to_owned() } else { whole }
}

/// Returns a change in the words of the request, if it turns them round: it says of the old value that
/// it is true, and of the new one that it is not.
fn turned_round(step: Step, request: &str) -> Step {
    let Step::Change { note, text } = step else {
        return step;
    };
    if phrase_stands_in(&text, request) {
        return Step::Change { note, text };
    }
    let (denied, gone) = (contrasted(&text), contrasted_in(request));
    let affirmed = Terms::of(&text).without(&denied);
    let wrongly = denied.without(&gone);
    let is_said = wrongly.iter().any(is_telling) && wrongly.are_in(&Terms::of(request));
    let mut parts = parts_of(request).into_iter();
    let told = parts.find(|part| is_said && affirmed.shared(&contrasted(part)) > 0);
    Step::Change {
        note,
        text: told.map_or(text, |told| told.trim().to_owned()),
    }
}

/// Returns whether a text is only the title of a note that the request does not name.
pub fn is_other_title(text: &str, target: &Target<'_>) -> bool {
    let said = Terms::of(text);
    let is_title = |note: &&Note| Terms::of(&note.title) == said;
    target.notes.iter().any(is_title) && !phrase_stands_in(text, target.request)
}

/// Returns a change with its two numbers exchanged, if it keeps the one that the note has and denies the
/// one that the note lacks: `52 links, not 56`. The request does not say it in these words.
fn with_numbers_exchanged(mut step: Step, target: &Target<'_>) -> Step {
    let Step::Change {
        note: Some(title),
        text,
    } = &mut step
    else {
        return step;
    };
    let denied = contrasted(text);
    if let ([kept, gone], Some(note)) = (&*numbers_of(text), target.titled(title)) {
        let own = numbers_of(&note.value);
        let is_turned = own.contains(kept) && !own.contains(gone);
        let is_denied = denied.has(gone) && !denied.has(kept);
        if is_turned && is_denied && !phrase_stands_in(text, target.request) {
            let pieces: Vec<&str> = text.split(*kept).collect();
            *text = pieces.join("\0").replace(*gone, kept).replace('\0', gone);
        }
    }
    step
}

/// Returns whether a step adds an existing item to a note from which another step removes one, or the
/// item that goes in other words: `The Mild Peppers` beside `Mild Peppers`.
fn restores_removed_item(step: &Step, other: &Step, target: &Target<'_>) -> bool {
    let (
        Step::Add {
            note: Some(title),
            text,
        },
        Step::Remove {
            note: Some(from),
            what,
        },
    ) = (step, other)
    else {
        return false;
    };
    let (added, removed) = (Terms::of(text), Terms::of(what));
    let is_of_line = |line: &Line<'_>| {
        let own = Terms::of(line.text);
        added.are_in(&own) && removed.are_in(&own)
    };
    let note = target.titled(title).filter(|_| title == from);
    note.is_some_and(|note| {
        has_item(&note.value, text) || lines_of(&note.value).iter().any(is_of_line)
    })
}

/// Returns whether a step deletes or merges notes that another step keeps.
/// The plan writes to them or links them, or a merge deletes them itself.
fn loses_kept(step: &Step, plan: &[Step]) -> bool {
    let is_kept = |other: &Step| match (step, other) {
        (Step::Delete { title }, Step::Merge { from, to }) => title == from || title == to,
        (Step::Delete { title }, Step::Add { .. } | Step::Change { .. }) => {
            other.note() == Some(title)
        }
        (
            Step::Merge { from, to },
            Step::Link {
                from: one,
                to: other,
            },
        ) => (one == from && other == to) || (one == to && other == from),
        _ => false,
    };
    plan.iter().any(is_kept)
}

/// Returns whether a change only says that a number of its note is wrong, if another one for that note says
/// the right one: `it takes 10 ropes. 6 was wrong`.
fn only_denies(step: &Step, plan: &[Step], target: &Target<'_>) -> bool {
    let Step::Change {
        note: Some(title),
        text,
    } = step
    else {
        return false;
    };
    let Some(note) = target.titled(title) else {
        return false;
    };
    let (own, said) = (terms_of(note), numbers_of(text));
    let known = numbers_of(&note.value);
    let is_known = |number: &&str| known.contains(number);
    let brings_other = |other: &Step| {
        let is_change = matches!(other, Step::Change { .. }) && other.note() == Some(title);
        is_change && numbers_of(other.clause()).iter().any(|it| !is_known(it))
    };
    let told = Terms::of(text);
    let mut telling = told.iter().filter(|it| is_telling(it) && !has_digit(it));
    !said.is_empty()
        && said.iter().all(is_known)
        && !telling.any(|word| own.has(word))
        && plan.iter().any(brings_other)
}

/// Returns whether a change repeats one of an earlier step for another note, or an addition what all
/// earlier steps write. The request does not name that note, or has no word of the title.
fn repeats_elsewhere(step: &Step, steps: &[Step], target: &Target<'_>) -> bool {
    let Some(title) = step.note().filter(|_| step.writes()) else {
        return false;
    };
    let said = Terms::of(step.clause());
    let repeats = |text: &Terms| text.shared(&said) * 100 >= said.len() * REPEATED_SHARE_MIN;
    let is_other = |before: &&Step| before.note().is_some_and(|other| other != title);
    let is_change = |step: &Step| matches!(step, Step::Change { .. });
    let before = steps.iter().filter(is_other);
    if is_change(step) {
        let mut changes = before.filter(|step| is_change(step));
        return changes.any(|step| repeats(&Terms::of(step.clause())))
            && !phrase_stands_in(title, target.request);
    }
    let texts = before.filter(|step| is_change(step));
    let texts = texts.map(|step| Terms::of(step.clause()));
    let all = texts.fold(Terms::default(), |all, text| all.with(&text));
    let asked = Terms::of(target.request);
    let is_unnamed = |note: &Note| title_words_in(note, &asked) == 0;
    matches!(step, Step::Add { .. })
        && repeats(&all)
        && target.titled(title).is_some_and(is_unnamed)
}

/// Returns a question with the rest of the request, if only the rest names a note.
/// An example is `I cannot come to the yoga class. Until when can I cancel it?`
/// A question that leaves out one of several notes becomes its whole sentence.
fn in_context(question: String, target: &Target<'_>) -> String {
    let named = target.named_in(&question).len();
    let is_named = named == 0 && !target.named_in(target.request).is_empty();
    let is_meant = || named == 0 && is_described_before(&question, target);
    if target.request.contains(question.as_str()) && (is_named || is_meant()) {
        return target.request.trim().to_owned();
    }
    let sentence = sentence_of(target.request, &question);
    if named > 0 && target.named_in(sentence).len() > named
        || leaves_out_sibling(&question, sentence, target)
    {
        sentence.trim().to_owned()
    } else {
        question
    }
}

/// The number of telling words that a line shares with the rest of a request, beside those of the question,
/// from which the rest says what is asked for.
const EARLIER_WORDS_MIN: usize = 2;

/// Returns whether a line of the notes is told by the rest of a request rather than by its question:
/// `A family gave us something for the depot. Who were they?`
fn is_described_before(question: &str, target: &Target<'_>) -> bool {
    let (said, asked) = (Terms::of(question), Terms::of(target.request));
    let lines = target.notes.iter().flat_map(|note| lines_of(&note.value));
    let lines: Vec<Terms> = lines.map(|line| Terms::of(line.text)).collect();
    let shared = |words: &Terms| {
        let shared = lines.iter().map(|line| {
            let telling = words.iter().filter(|word| is_telling(word));
            telling.filter(|word| line.has(word)).count()
        });
        shared.max().unwrap_or_default()
    };
    shared(&asked) >= shared(&said) + EARLIER_WORDS_MIN
}

/// Returns whether a question leaves out a note that its sentence tells from another one by a word of its
/// title: `the Polish class` and `the Greek one`.
fn leaves_out_sibling(question: &str, sentence: &str, target: &Target<'_>) -> bool {
    let (said, asked) = (Terms::of(question), Terms::of(sentence));
    let titles: Vec<Terms> = target.notes.iter().map(|it| Terms::of(&it.title)).collect();
    let is_told_in = |title: &Terms, text: &Terms| {
        let others: Vec<&Terms> = titles.iter().filter(|other| *other != title).collect();
        has_own_word(title, &others, text)
    };
    let told: Vec<&Terms> = titles.iter().filter(|it| is_told_in(it, &said)).collect();
    titles.iter().any(|title| {
        let is_sibling = told
            .iter()
            .any(|other| *other != title && other.shared(title) > 0);
        is_sibling && is_told_in(title, &asked) && !is_told_in(title, &said)
    })
}

/// Returns the part of a request that says which notes it is about.
/// A dictated text may hold any words.
fn addressed(request: &str) -> &str {
    split_heading(request).map_or(request, |(title, _)| title)
}

/// Returns whether a step adds the title of a note, such as a guest who has a note of her own.
fn is_added(note: &Note, steps: &[Step]) -> bool {
    let title = Terms::of(&note.title);
    let mut steps = steps.iter();
    steps.any(|step| matches!(step, Step::Add { text, .. } if title == Terms::of(text)))
}

/// Returns whether a step beside others has nothing to do with the request.
/// It changes what no note mentions, or a note that the request does not name, or says what a note
/// says already.
fn is_off_topic(step: &Step, target: &Target<'_>) -> bool {
    let clause = step.clause();
    let names_other = |note: &&Note| {
        phrase_stands_in(&note.title, clause) && !phrase_stands_in(&note.title, target.request)
    };
    let said = Terms::of(clause);
    let says = |note: &&Note| {
        let lines = lines_of(&note.value);
        let mut lines = lines.iter();
        lines.any(|line| {
            let own = Terms::of(&[&note.title, " ", line.text].concat());
            let mut telling = said.iter().filter(|term| is_telling_term(term)).peekable();
            telling.peek().is_some() && telling.all(|term| own.has(term))
        })
    };
    match step {
        // It repeats the note: it says what was wrong, and not what is right.
        Step::Change {
            note: Some(title),
            text,
        } => !has_box(text) && target.titled(title).as_ref().is_some_and(says),
        Step::Change { note: None, .. } => {
            let mut notes = target.notes.iter();
            let relates = |note: &&Note| shares(&text_of(note), clause);
            let is_fact = !facts_of(clause).is_empty();
            if target.notes.iter().any(says) {
                return true;
            }
            // A sentence with a number says with that number what has changed.
            let sentence = sentence_of(target.request, clause);
            let is_number_elsewhere = !is_fact && !numbers_of(sentence).is_empty();
            let stands = |note: &&Note| {
                let own = said.clone().without(&Terms::of(&note.title));
                let text = Terms::of(&note.value);
                own.iter()
                    .any(|term| is_telling_term(term) && text.has(term))
            };
            if is_number_elsewhere && !target.notes.iter().any(stands) {
                return true;
            }
            target.notes.iter().any(names_other) || !is_fact && !notes.any(relates)
        }
        Step::Add { note: None, .. } => target.notes.iter().any(names_other),
        Step::New { .. }
        | Step::Add { .. }
        | Step::Remove { .. }
        | Step::Answer { .. }
        | Step::Overview { .. }
        | Step::Issue { .. }
        | Step::Link { .. }
        | Step::Rename { .. }
        | Step::Merge { .. }
        | Step::Delete { .. }
        | Step::Nothing => false,
    }
}

const fn is_edit(step: &Step) -> bool {
    !matches!(
        step,
        Step::New { .. } | Step::Answer { .. } | Step::Overview { .. } | Step::Nothing
    )
}

/// Returns whether a text has a number, but no telling word.
fn is_bare(text: &str) -> bool {
    let digits = |it: char| it.is_ascii_digit();
    text.contains(digits)
        && Terms::of(text)
            .iter()
            .all(|term| !is_telling(term) || term.contains(digits))
}

/// Returns whether a text lacks a fact of the request that no note has either.
fn lacks_fact(text: &str, target: &Target<'_>) -> bool {
    let step = Step::Change {
        note: None,
        text: text.to_owned(),
    };
    !left_out_facts(target.request, &[step], target.notes).is_empty()
}

/// Returns whether a text of at most two words and no number omits most telling words of a request.
fn is_scanty(text: &str, request: &str) -> bool {
    let said = Terms::of(text);
    // A number says enough.
    numbers_of(text).is_empty()
        && said.len() <= SCANTY_WORDS_MAX
        && count_telling_words(&said) * 3 <= count_telling_words(&Terms::of(request))
}

/// Returns whether a note and the request have a telling word in common.
fn says_of(note: &Note, target: &Target<'_>) -> bool {
    shares(&text_of(note), target.request)
}

/// Returns whether a step about whole notes is about notes that the request mentions.
/// A note that is deleted, merged or renamed without a request is lost.
fn is_meant(step: &Step, target: &Target<'_>) -> bool {
    let request = target.request;
    let asked = Terms::of(request);
    // A note is not meant if the title of another one has more words of the request, unless the request
    // has all words of its own.
    let is_first = |title: &str| {
        let is_whole = Terms::of(title).are_in(&asked);
        let Some(note) = target.titled(title).filter(|_| !is_whole) else {
            return true;
        };
        let words = title_words_in(note, &asked);
        let others = target.notes.iter();
        let mut others = others.filter(|it| it.id != note.id && !target.is_of_other_step(it));
        !others.any(|other| title_words_in(other, &asked) > words)
    };
    let is_mentioned = |title: &str| {
        let note = target.titled(title);
        shares(title, request) || note.is_some_and(|note| title_words_in(note, &asked) > 0)
    };
    match step {
        Step::Link { from, to } | Step::Merge { from, to } => {
            is_mentioned(from) && is_mentioned(to)
        }
        Step::Rename { from, to } => {
            let is_taken = target.titled(to).is_some_and(|note| note.title != *from);
            is_mentioned(from) && !is_taken
        }
        Step::Delete { title } | Step::Issue { note: title, .. } => {
            shares(title, request) && is_first(title)
        }
        Step::New { .. }
        | Step::Add { .. }
        | Step::Change { .. }
        | Step::Remove { .. }
        | Step::Answer { .. }
        | Step::Overview { .. }
        | Step::Nothing => true,
    }
}

#[cfg(test)]
mod tests {
    use super::super::plan::{Step, parse};
    use super::super::sample_note as note;
    use super::super::sample_target;
    use super::corrected_steps;
    use crate::core::notes::Note;

    #[test]
    fn a_value_that_is_denied_is_not_the_new_one() {
        let shelf = [
            note(1, "Lisbon", "Friday: Alfama tour at 10:30, bring water"),
            note(2, "Postcards", "The one of Alfama is for Morag."),
        ];
        let notes: Vec<&Note> = shelf.iter().collect();
        let request = "I got the tour in my Lisbon note wrong. We've booked Belém, not Alfama.";
        let target = sample_target(&notes, request);
        for plan in [
            "change Lisbon: The tour is in Alfama, not Belém.",
            "change Lisbon: We've booked Belém, not Alfama.",
        ] {
            let steps = corrected_steps(parse(plan), &target);
            assert_eq!(
                steps,
                parse("change Lisbon: We've booked Belém, not Alfama.")
            );
        }
    }

    #[test]
    fn a_note_that_nobody_speaks_of_is_left_alone() {
        let shelf = [
            note(1, "Quiz night", "Friday 13 February at 19:15."),
            note(
                2,
                "Cinema club",
                "Friday 13 February: the one with the submarine.",
            ),
        ];
        let notes: Vec<&Note> = shelf.iter().collect();
        let request =
            "the quiz is put off, so friday 20 february instead of the 13th. all else as before";
        let target = sample_target(&notes, request);
        let plan = "change Quiz night: The quiz is on Friday 20 February.\n\
                    change Cinema club: All else as before.";
        let steps = corrected_steps(parse(plan), &target);
        assert_eq!(steps.len(), 1, "{steps:?}");
        assert_eq!(steps[0].note().map(String::as_str), Some("Quiz night"));
    }

    #[test]
    fn a_note_that_the_request_names_needs_no_word_in_common() {
        let shelf = [
            note(1, "School bus", "Bus 36 back: 15:50, only on Tuesdays"),
            note(
                2,
                "Swimming club",
                "The 36 goes back at 15:50 on Saturdays.",
            ),
        ];
        let notes: Vec<&Note> = shelf.iter().collect();
        let request = "new timetable for the school bus.. the late one, the 36, goes at 16:00 now, the \
                       others stay the same. can you change that?";
        let target = sample_target(&notes, request);
        let plan = parse("change School bus: The late one, the 36, goes at 16:00.");
        assert_eq!(corrected_steps(plan.clone(), &target), plan);
    }

    #[test]
    fn a_step_that_strays_from_the_request_is_left_out() {
        let shelf = [
            note(1, "Car", "The car is parked on level 2."),
            note(2, "Car insurance", "It costs 310 euros."),
        ];
        let notes: Vec<&Note> = shelf.iter().collect();
        let kept = "change: The car is parked on level 4.";
        for stray in [
            "change: The car is parked on level 2.",
            "change: Car insurance costs 4 euros.",
            "change: Everything else stays.",
        ] {
            let target = sample_target(&notes, "The car is parked on level 4 now, not on level 2.");
            let steps = corrected_steps(parse(&format!("{kept}\n{stray}")), &target);
            let steps: Vec<String> = steps.iter().map(Step::to_string).collect();
            assert_eq!(steps, [kept], "{stray}");
        }
    }

    #[test]
    fn an_addition_has_the_characters_of_the_request() {
        let fair = note(1, "文化祭の買い出し", "- 画用紙");
        let notes = [&fair];
        let target = sample_target(&notes, "文化祭の買い出しに、紙コップと風船も入れといて");
        for (said, expected) in [("纸コップ", "紙コップ"), ("风船", "風船"), ("椅子", "椅子")]
        {
            let plan = parse(&format!("add 文化祭の買い出し: {said}"));
            let steps = corrected_steps(plan, &target);
            let steps: Vec<String> = steps.iter().map(Step::to_string).collect();
            assert_eq!(steps, [format!("add 文化祭の買い出し: {expected}")]);
        }
    }

    /// A request, its plan and the corrected plan.
    const AMENDED: &[(&str, &str, &str)] = &[
        (
            "When does line 9 leave?",
            "new Bus: When does line 9 leave?",
            "answer: When does line 9 leave?",
        ),
        (
            "When does line 9 leave? Save it as Departure.",
            "answer Departure: line 9 leave?",
            "answer Departure: When does line 9 leave?",
        ),
        (
            "When does line 9 leave?",
            "answer Departure: When does line 9 leave?",
            "answer: When does line 9 leave?",
        ),
        (
            "The bus, line 9, leaves at 8:40, not at 8:25.",
            "new Departure: Line 9 leaves at 8:40.",
            "change Bus: Line 9 leaves at 8:40.",
        ),
        (
            "Add to the note Kite that it is torn.",
            "new Kite: It is torn.",
            "add Kite: It is torn.",
        ),
        (
            "Save a note titled Kite repair: It costs 15 euros.",
            "new Kite repair: 15 euros",
            "new Kite repair: 15 euros",
        ),
        (
            "Keep this: Ivo won. Marta lost. Pavel slept.",
            "new Chess: Ivo won.",
            "new Chess: Ivo won. Marta lost. Pavel slept.",
        ),
        (
            "minutes of the swim club: Ida and me. the reel gets mended, Ivo orders rope. we meet on 20 March",
            "new Tram: minutes of the swim club: Ida and me.\nnew Reel: the reel gets mended.\nnew Ivo: orders rope.",
            "new minutes of the swim club: Ida and me. the reel gets mended, Ivo orders rope. we meet on 20 March",
        ),
        (
            "books to read: Middlemarch, Stoner",
            "new: Middlemarch, Stoner",
            "new books to read: Middlemarch, Stoner",
        ),
        (
            "Which kite is red?",
            "answer Kite: red",
            "answer Kite: Which kite is red?",
        ),
        (
            "line 9 leaves at 8:40 now",
            "new Line 9: line 9 leaves at 8:40",
            "change Bus: line 9 leaves at 8:40",
        ),
        (
            "oh and we meet in K17 for the tram now, not K14",
            "new Tram: K17",
            "change Tram: K17",
        ),
        (
            "the kite has a new owner, Ida Berg",
            "change: The kite has a new owner.",
            "change: the kite has a new owner, Ida Berg",
        ),
        // A polite request is no question, so the plan stays.
        (
            "The kite shop moves to Kiel on Friday. Can you write that down?",
            "new Kite shop: The kite shop moves to Kiel on Friday.",
            "new Kite shop: The kite shop moves to Kiel on Friday.",
        ),
        (
            "Kite and Bus are one thing, make one note of the two. Bus is the name to keep",
            "merge Bus > Bus",
            "merge Kite > Bus",
        ),
        // A note that has nothing to do with the text does not change.
        (
            "line 9 leaves at 8:40 now",
            "change Kite: line 9 leaves at 8:40",
            "change Bus: line 9 leaves at 8:40",
        ),
        (
            "the kites still need a longer tail and two hooks from the shop",
            "add Tram: the kites need a longer tail and two hooks.",
            "add Kite: the kites need a longer tail and two hooks.",
        ),
        (
            "call the note Kite \"Rain gear\" instead",
            "new Rain gear: Rain gear.",
            "rename Kite > Rain gear",
        ),
        (
            "I'll miss the tram. How long do I have to wait for the next one?",
            "answer: How long do I have to wait for the next one?",
            "answer: I'll miss the tram. How long do I have to wait for the next one?",
        ),
        (
            "the line 9 leaves at 8:40 now",
            "change Tram: the line 9 leaves at 8:40",
            "change Bus: the line 9 leaves at 8:40",
        ),
        (
            "the bus leaves at 8:40 now",
            "change Bus: The bus leaves at 8:40.\ndelete Bus",
            "change Bus: The bus leaves at 8:40.",
        ),
        (
            "the bus: 8:40 from now on",
            "change Bus: 8:40",
            "change Bus: 8:40",
        ),
        (
            "Soup of Vera: 2 onions, 1 leek. Cook it long.",
            "add: 2 onions\nadd: 1 leek",
            "new Soup of Vera: 2 onions, 1 leek. Cook it long.",
        ),
        // A dictated text belongs to no note that the request does not mention.
        (
            "idea: paint the shutters before the winter",
            "add Kite: idea: paint the shutters before the winter",
            "new idea: paint the shutters before the winter",
        ),
        (
            "the shutters want painting before the winter comes",
            "add Kite: The shutters want painting before the winter.",
            "new: The shutters want painting before the winter.",
        ),
        (
            "Save the minutes\nIvo: won\nMarta: lost",
            "new Minutes: Ivo: won",
            "new Minutes: Ivo: won\nMarta: lost",
        ),
    ];

    #[test]
    fn of_two_steps_each_stays_for_its_note() {
        let shelf = [
            note(
                1,
                "Brunch invitation",
                "Dear all, start is on Saturday at 11:00 on the terrace.",
            ),
            note(2, "Brunch menu", "- kedgeree"),
            note(
                3,
                "Pottery course",
                "It costs 145 euros and starts on 8 October in room 4.",
            ),
        ];
        let notes: Vec<&Note> = shelf.iter().collect();
        for (request, plan, expected) in [
            (
                "Add crumpets to the brunch menu, and in the brunch invitation change the start from 11:00 to 11:30.",
                "add Brunch menu: crumpets\nchange Brunch invitation: start at 11:30",
                "add Brunch menu: crumpets\nchange Brunch invitation: start at 11:30",
            ),
            (
                "The pottery course is 165 euros, I wrote 145 by mistake.",
                "change Pottery course: 165 euros\nchange Pottery course: 145 euros",
                "change Pottery course: 165 euros",
            ),
        ] {
            let target = sample_target(&notes, request);
            let steps = corrected_steps(parse(plan), &target);
            let steps: Vec<String> = steps.iter().map(Step::to_string).collect();
            assert_eq!(steps.join("\n"), expected, "{request}");
        }
    }

    #[test]
    fn what_the_request_shows_is_put_right() {
        let shelf = [
            note(1, "Bus", "Line 9 leaves at 8:25."),
            note(2, "Kite", "It is red."),
            note(3, "Tram", "It stops at K14, the one by the sea."),
        ];
        let notes: Vec<&Note> = shelf.iter().collect();
        for (request, plan, expected) in AMENDED {
            let (request, plan, expected) = (*request, *plan, *expected);
            let target = sample_target(&notes, request);
            let steps = corrected_steps(parse(plan), &target);
            let steps: Vec<String> = steps.iter().map(Step::to_string).collect();
            assert_eq!(steps, [expected], "{request}");
        }
    }
}
