//! Names and titles that a request spells in another way than a note.

use super::evidence::terms_of;
use super::lines::lines_of;
use super::spans::{bare_words, replaced};
use super::target::Target;
use crate::core::notes::{Note, Terms};
use std::collections::BTreeSet;

/// The number of letters of a name from which another spelling of it can be told from another name.
const NAME_CHARS_MIN: usize = 5;

/// The maximum number of letters by which two spellings differ.
const SLIPS_MAX: usize = 2;

/// Returns the title of the note with the only line that has a name of the request, and that line with
/// the other spelling that the request has and no note.
/// `None` unless there is one such pair of names, and one such line.
pub fn respelled_line(target: &Target<'_>) -> Option<(String, String)> {
    let names: BTreeSet<&str> = bare_words(target.request)
        .filter(|word| is_name(word))
        .collect();
    let lines = target.notes.iter().flat_map(|note| {
        let lines = lines_of(&note.value).into_iter();
        lines.map(|line| (note.title.as_str(), line.text))
    });
    let lines: Vec<(&str, &str)> = lines.collect();
    let titles: Vec<Terms> = target.notes.iter().map(|it| Terms::of(&it.title)).collect();
    let is_in = |text: &Terms, name: &str| Terms::of(name).are_in(text);
    let is_titled = |name: &str| titles.iter().any(|title| is_in(title, name));
    let with = |name: &str| -> Vec<(&str, &str)> {
        let lines = lines.iter().copied();
        lines
            .filter(|(_, line)| is_in(&Terms::of(line), name))
            .collect()
    };
    let mut found = names.iter().flat_map(|old| {
        let others = names.iter().filter(|new| are_spellings(old, new));
        let others = others.filter(|new| with(new).is_empty() && !is_titled(new));
        others.filter_map(|new| match with(old).as_slice() {
            [(title, line)] => Some(((*title).to_owned(), replaced(line, old, new)?)),
            _ => None,
        })
    });
    found.next().filter(|_| found.next().is_none())
}

/// Returns a question with the words of titles as those are spelt: `gogles` becomes `goggles`.
/// A word that a note has stays, and so does a short one.
pub(super) fn with_titles_spelt(question: &str, notes: &[&Note]) -> String {
    let texts = notes.iter().map(|note| terms_of(note));
    let known = texts.fold(Terms::default(), |all, own| all.with(&own));
    let titles = notes.iter().flat_map(|note| bare_words(&note.title));
    let titles: Vec<String> = titles.map(str::to_lowercase).collect();
    let spelt = |word: &str| {
        let lower = word.to_lowercase();
        let may_be_slip = word.chars().count() >= NAME_CHARS_MIN && !Terms::of(word).are_in(&known);
        let is_like = |title: &&String| title.chars().next() == lower.chars().next();
        let mut alike = titles.iter().filter(is_like);
        let found = alike.find(|title| strsim::osa_distance(&lower, title) == 1);
        found.filter(|_| may_be_slip).cloned()
    };
    let words = bare_words(question).filter_map(|word| Some((word, spelt(word)?)));
    words.fold(question.to_owned(), |text, (word, title)| {
        text.replacen(word, &title, 1)
    })
}

fn is_name(word: &str) -> bool {
    word.starts_with(char::is_uppercase)
        && word.chars().all(char::is_alphabetic)
        && word.chars().count() >= NAME_CHARS_MIN
}

/// Returns whether two names are spellings of one: they begin alike and differ in few letters.
fn are_spellings(one: &str, other: &str) -> bool {
    let (one, other) = (one.to_lowercase(), other.to_lowercase());
    let slips = strsim::osa_distance(&one, &other);
    one.chars().next() == other.chars().next() && (1..=SLIPS_MAX).contains(&slips)
}

#[cfg(test)]
mod tests {
    use super::super::sample_note as note;
    use super::super::target::Target;
    use super::{respelled_line, with_titles_spelt};

    #[test]
    fn a_word_of_a_title_is_spelt_as_there() {
        let skis = note(1, "Ski goggles", "In the blue suitcase.");
        let house = note(2, "House", "The horse is in the stable.");
        let notes = [&skis, &house];
        for (question, expected) in [
            ("where are my ski gogles?", "where are my ski goggles?"),
            ("Where is the Huose key?", "Where is the house key?"),
            ("Where is the horse?", "Where is the horse?"),
            ("Where do the boggles go?", "Where do the boggles go?"),
        ] {
            assert_eq!(with_titles_spelt(question, &notes), expected);
        }
    }

    #[test]
    fn another_spelling_takes_the_place_of_the_one_that_a_line_has() {
        let viewing = note(
            1,
            "Viewing",
            "Sunday at 11:20, Mr Quinnell shows us round.\nRubber boots",
        );
        let agents = note(2, "Agents", "- Ms Marchetti\n- Mr Dorran");
        let notes = [&viewing, &agents];
        for (request, expected) in [
            (
                "The agent spells himself Quennell, I have him as Quinnell.",
                Some("Sunday at 11:20, Mr Quennell shows us round."),
            ),
            (
                "Mr Quinnell comes with his wife, she is called Querida.",
                None,
            ),
            (
                "Ms Marchetti, Ms Marchetto and Mr Quinnell come.",
                Some("- Ms Marchetto"),
            ),
        ] {
            let target = Target {
                notes: &notes,
                all: &notes,
                keys: &[],
                request,
                of_other_steps: &[],
            };
            let found = respelled_line(&target).map(|(_, line)| line);
            assert_eq!(found.as_deref(), expected, "{request}");
        }
    }
}
