//! The note that a request speaks of, if a plan names another one.

use super::check::{facts_of, is_telling};
use super::evidence::{is_spelt, shares, text_of, title_words_in};
use super::plan::Step;
use super::target::Target;
use crate::core::notes::{Note, Terms, phrase_stands_in};

/// The number of telling words of a title by which a request describes its note.
const DESCRIBED_WORDS_MIN: usize = 2;

/// The number of letters from which a word of a title shows whether that note is meant.
const NAMED_CHARS_MIN: usize = 3;

/// Returns a plan of additions for the note that the request names around them.
/// The plan names one of which only an addition speaks: `add to the hostel that towels cost 4 euros`.
pub(super) fn addressed_elsewhere(plan: &[Step], target: &Target<'_>) -> Option<Vec<Step>> {
    let Some(Step::Add {
        note: Some(title), ..
    }) = plan.first()
    else {
        return None;
    };
    let note = target.titled(title)?;
    let clauses: Vec<&str> = plan.iter().map(Step::clause).collect();
    let said = Terms::of(&clauses.join("\n"));
    let around = Terms::of(target.request).without(&said);
    if title_words_in(note, &around) > 0 || title_words_in(note, &said) == 0 {
        return None;
    }
    let notes = target.notes.iter();
    let mut others = notes.filter(|other| title_words_in(other, &around) > 0);
    let other = others.next().filter(|_| others.next().is_none())?;
    let texts = plan.iter().map(|step| step.added_to(title));
    let steps = texts.map(|text| {
        Some(Step::Add {
            note: Some(other.title.clone()),
            text: text?.clone(),
        })
    });
    steps.collect()
}

/// Returns the deletion of the only note that a request describes in several words of its title, if
/// a step deletes one with fewer: `I got the job, so the list of firms to ask can go`. Of as many, the
/// request has every word of the one and not of the other. A title in parentheses is an aside.
pub(super) fn described_better(step: &Step, target: &Target<'_>) -> Option<Step> {
    let Step::Delete { title } = step else {
        return None;
    };
    let outside = without_asides(target.request);
    if let [only] = target.named_in(&outside).as_slice()
        && !phrase_stands_in(title, &outside)
        && phrase_stands_in(title, target.request)
    {
        return Some(Step::Delete {
            title: only.title.clone(),
        });
    }
    let is_named = |title: &str| phrase_stands_in(title, target.request);
    let is_planned_named = is_named(title);
    let asked = Terms::of(target.request);
    let words = |note: &Note| title_words_in(note, &asked);
    let planned = target.titled(title).map_or(0, words);
    let lacks_word = |note: &Note| {
        let title = Terms::of(&note.title);
        let is_long = |word: &str| word.chars().count() >= NAMED_CHARS_MIN;
        let mut words = title.iter();
        words.any(|word| is_long(word) && !is_spelt(word, &asked))
    };
    let is_partly = target.titled(title).is_some_and(lacks_word);
    let is_better = |note: &&&Note| {
        let own = Terms::of(&note.title);
        let telling = own.iter().filter(|term| is_telling(term)).count();
        let is_nearer =
            words(note) > planned || words(note) == planned && is_partly && !lacks_word(note);
        let is_free = !(target.is_of_other_step(note) || is_planned_named && is_named(&note.title));
        is_nearer && is_free && words(note) >= DESCRIBED_WORDS_MIN && words(note) == telling
    };
    let mut found = target.notes.iter().filter(is_better);
    let only = found.next().filter(|_| planned > 0)?;
    found.next().is_none().then(|| Step::Delete {
        title: only.title.clone(),
    })
}

/// Returns a text without what stands in parentheses.
fn without_asides(text: &str) -> String {
    let mut depth = 0_usize;
    let is_outside = |letter: &char| {
        match letter {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => return depth == 0,
        }
        false
    };
    text.chars().filter(is_outside).collect()
}

/// Returns whether another step writes the same text into a note that the request names, and this one
/// does not.
pub(super) fn is_repeated_for_named(step: &Step, plan: &[Step], target: &Target<'_>) -> bool {
    let is_named = |step: &Step| {
        let title = if let Step::New { title, .. } = step {
            title.as_ref()
        } else {
            step.note()
        };
        title.is_some_and(|title| phrase_stands_in(title, target.request))
    };
    // What goes from one note to another is no repetition.
    let is_alike = |other: &Step| other.verb() == step.verb();
    let mut others = plan
        .iter()
        .filter(|it| is_alike(it) && it.clause() == step.clause());
    !step.clause().is_empty() && !is_named(step) && others.any(is_named)
}

/// Returns whether a step edits a note of which neither the request nor the step itself speaks.
/// Another step edits one that the request names.
pub(super) fn is_foreign(step: &Step, plan: &[Step], target: &Target<'_>) -> bool {
    let asked = Terms::of(target.request);
    let edited = |step: &Step| step.note().and_then(|title| target.titled_exactly(title));
    let is_meant = |step: &Step| edited(step).is_some_and(|note| title_words_in(note, &asked) > 0);
    edited(step).is_some_and(|note| !shares(&text_of(note), step.clause()))
        && facts_of(step.clause()).is_empty()
        && !is_meant(step)
        && plan.iter().any(is_meant)
}

#[cfg(test)]
mod tests {
    use super::super::plan::{Step, parse};
    use super::super::sample_note as note;
    use super::super::sample_target;
    use super::super::step_correction::corrected_steps;

    #[test]
    fn additions_go_to_the_note_that_is_named_around_them() {
        let towels = note(1, "Towels", "19 euros each.");
        let hostel = note(2, "Hostel in Ljubljana", "The house with the blue doors.");
        let notes = [&towels, &hostel];
        let target = sample_target(
            &notes,
            "Can you add to the note about the hostel that check-in is from 3 and that towels cost 4 euros?",
        );
        let plan = "add Towels: Check-in is from 3.\nadd Towels: Towels cost 4 euros.";
        let steps = corrected_steps(parse(plan), &target);
        let steps: Vec<String> = steps.iter().map(Step::to_string).collect();
        assert!(
            steps
                .iter()
                .all(|step| step.starts_with("add Hostel in Ljubljana: ")),
            "{steps:?}"
        );
    }

    #[test]
    fn of_two_notes_the_one_whose_title_stands_whole_in_the_request_is_deleted() {
        let wishes = note(1, "Dad's birthday wishes", "A desk fan.");
        let ad = note(2, "Ad for the rocking chair", "Pine, 60 euros.");
        let notes = [&wishes, &ad];
        let target = sample_target(
            &notes,
            "Sold the rocking chair so you can delete the ad for it. And put a foam roller on my birthday wish list",
        );
        let steps = corrected_steps(parse("delete Dad's birthday wishes"), &target);
        assert_eq!(steps, parse("delete Ad for the rocking chair"));
    }

    #[test]
    fn a_note_that_is_named_in_parentheses_is_not_deleted() {
        let bank = note(1, "Bottle bank", "Green goes on the left.");
        let dating = note(2, "Speed dating", "Every first Friday.");
        let notes = [&bank, &dating];
        let target = sample_target(
            &notes,
            "I've met somebody (at the bottle bank, of all places), so no speed dating for me. Away with the note!",
        );
        let steps = corrected_steps(parse("delete Bottle bank"), &target);
        assert_eq!(steps, parse("delete Speed dating"));
    }

    #[test]
    fn the_note_that_is_described_in_more_words_is_deleted() {
        let job = note(1, "Internship", "From 2 March.");
        let firms = note(2, "Companies to write to", "Hallberg, Sund.");
        let notes = [&job, &firms];
        let target = sample_target(
            &notes,
            "I got the internship so the note with the companies i wanted to write to can go",
        );
        let steps = corrected_steps(parse("delete Internship"), &target);
        assert_eq!(steps, parse("delete Companies to write to"));
    }
}
