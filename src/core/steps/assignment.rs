//! Other names for lines `LABEL: VALUE`: who has which day, who brings what.

use super::check::{is_telling, stands_in};
use super::checkboxes::unboxed;
use super::evidence::{contrasted, label_and_value};
use super::lines::lines_of;
use super::spans::{bare_words, has_digit, numbers_of};
use crate::core::notes::{Note, Terms};

/// The maximum number of words of a value that can be replaced.
const VALUE_WORDS_MAX: usize = 3;

/// Returns the index of the line that gets another name, and the changed line.
/// The text has one label of the note, and one name for it.
pub(super) fn assigned(note: &Note, text: &str, request: &str) -> Option<(usize, String)> {
    let (index, label, old) = labelled(note, &Terms::of(text))?;
    let name = only_name(note, label, text, request)?;
    let numbers = numbers_of(label);
    let is_all = numbers_of(text).iter().all(|it| numbers.contains(it));
    let is_other = Terms::of(&name).shared(&Terms::of(old)) == 0;
    (is_all && is_other).then(|| line_with(note, index, label, &name))?
}

/// Like [`assigned`], but for a label without a name.
/// The request or the text has the label, and other labels of the note have names.
pub(super) fn filled(note: &Note, text: &str, request: &str) -> Option<(usize, String)> {
    let said = Terms::of(text);
    let found = labelled(note, &said);
    let (index, label, old) = found.or_else(|| labelled(note, &Terms::of(request)))?;
    let name = only_name(note, label, text, request)?;
    let is_name = |value: &str| value.starts_with(char::is_uppercase);
    let lines = lines_of(&note.value);
    let mut values = lines.iter().filter_map(|line| label_and_value(line.text));
    let is_free = !is_name(old) && values.any(|(_, value)| is_name(value)) && !has_digit(text);
    is_free.then(|| line_with(note, index, label, &name))?
}

/// Returns the only short line whose label stands among terms: its index, label and value.
/// `None` if the note has fewer than two labels.
fn labelled<'a>(note: &'a Note, said: &Terms) -> Option<(usize, &'a str, &'a str)> {
    let lines = lines_of(&note.value).into_iter().enumerate();
    let lines = lines.filter_map(|(index, line)| {
        let (label, value) = label_and_value(line.text)?;
        Some((index, label, value))
    });
    let lines: Vec<(usize, &str, &str)> = lines.collect();
    let is_meant = |(_, label, _): &&(usize, &str, &str)| {
        let label = Terms::of(label);
        let mut telling = label.iter().filter(|term| is_telling(term));
        telling.any(|term| stands_in(term, said))
    };
    let mut meant = lines.iter().filter(is_meant);
    let only = meant.next().filter(|_| meant.next().is_none())?;
    let is_short = only.2.split_whitespace().count() <= VALUE_WORDS_MAX && !has_digit(only.2);
    (is_short && lines.len() > 1).then_some(*only)
}

/// Returns the only name of a text that is new: not in the label or the title, and not negated.
/// The first word of a text counts if the request or a line has it as a name.
fn only_name(note: &Note, label: &str, text: &str, request: &str) -> Option<String> {
    let known = Terms::of(&[label, " ", &note.title].concat()).with(&contrasted(text));
    let is_capital = |word: &&str| word.starts_with(char::is_uppercase);
    let inside: Vec<&str> = words_of(request).skip(1).filter(is_capital).collect();
    let first = named_first(request);
    let values = note.value.lines().filter_map(label_and_value);
    let values: Vec<&str> = values.map(|(_, value)| value).collect();
    let is_name = |(at, word): &(usize, &str)| {
        let is_sure =
            *at > 0 || inside.contains(word) || values.contains(word) || first == Some(*word);
        is_capital(word)
            && is_sure
            && !Terms::of(word).is_empty()
            && !Terms::of(word).are_in(&known)
    };
    let mut names: Vec<&str> = Vec::new();
    for (_, name) in words_of(text).enumerate().filter(is_name) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    match names.as_slice() {
        [only] => Some((*only).to_owned()),
        [first, second] => {
            let both = [first, " ", *second].concat();
            text.contains(&both).then_some(both)
        }
        _ => None,
    }
}

/// The maximum length of a word that joins two names, in letters.
const JOINING_CHARS_MAX: usize = 3;

/// Returns the first word of a request if it is joined with a second name.
/// An example is `Tom and Priya have swapped`.
fn named_first(request: &str) -> Option<&str> {
    let mut words = words_of(request);
    let (first, joining, second) = (words.next()?, words.next()?, words.next()?);
    let is_capital = |word: &str| word.starts_with(char::is_uppercase);
    let is_joined = !is_capital(joining) && joining.chars().count() <= JOINING_CHARS_MAX;
    (is_capital(first) && is_capital(second) && is_joined).then_some(first)
}

/// Returns the words of a text without punctuation and possessive endings.
fn words_of(text: &str) -> impl Iterator<Item = &str> {
    bare_words(unboxed(text)).map(|word| {
        let end = word.find(['\'', '\u{2019}']).unwrap_or(word.len());
        word.get(..end).unwrap_or(word)
    })
}

fn line_with(note: &Note, index: usize, label: &str, name: &str) -> Option<(usize, String)> {
    let lines = lines_of(&note.value);
    let line = lines.get(index)?.text;
    let (head, _) = line.split_once(label)?;
    Some((index, format!("{head}{label}: {name}")))
}

#[cfg(test)]
mod tests {
    use super::super::sample_note;
    use super::{assigned, filled};

    const ROTA: &str = "Monday: Odile\nTuesday: Kemal\nWednesday 9-12: nobody yet";

    #[test]
    fn a_name_takes_the_place_behind_its_label() {
        let rota = sample_note(1, "Milk rota", ROTA);
        let request = "so Kemal and Odile change places, he does Monday and she does Tuesday";
        for (text, expected) in [
            ("Kemal does Monday.", Some((0, "Monday: Kemal"))),
            (
                "Tuesday is Odile's turn, not Kemal's.",
                Some((1, "Tuesday: Odile")),
            ),
            // It stands there already.
            ("Odile does Monday.", None),
            // Two names, two labels, or none.
            ("Odile and Kemal do Monday.", None),
            ("Kemal does Monday and Tuesday.", None),
            ("Kemal does it.", None),
            // A number says more than a name.
            ("Kemal does Monday at 8.", None),
            ("The milk comes on Monday.", None),
        ] {
            let found = assigned(&rota, text, request);
            let found = found.as_ref().map(|(index, line)| (*index, line.as_str()));
            assert_eq!(found, expected, "{text}");
        }
        // An earlier step has replaced the name, so it stands nowhere any more.
        let changed = sample_note(1, "Milk rota", "Monday: Odile\nTuesday: Odile");
        let request = "Kemal and Odile change places, he does Monday and she does Tuesday";
        let expected = Some((0, "Monday: Kemal".to_owned()));
        assert_eq!(assigned(&changed, "Kemal does Monday.", request), expected);
        let price = sample_note(2, "Prices", "Jam: 3 euros\nHoney: 5 euros");
        assert_eq!(assigned(&price, "The jam is from Kemal.", "x"), None);
    }

    #[test]
    fn who_is_added_fills_a_free_place_and_no_other() {
        let rota = sample_note(1, "Milk rota", ROTA);
        let request = "can you put Ines down for Wednesday";
        let expected = Some((2, "Wednesday 9-12: Ines".to_owned()));
        assert_eq!(filled(&rota, "Ines", request), expected);
        assert_eq!(filled(&rota, "[x] Ines for Wednesday", request), expected);
        assert_eq!(
            filled(&rota, "Ines", "can you put Ines down for Monday"),
            None
        );
        let menu = sample_note(2, "Menu", "Starter: soup\nMain: pie");
        assert_eq!(filled(&menu, "Pesto", "put Pesto down for the main"), None);
    }
}
