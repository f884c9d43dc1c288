//! Changes of counts: `jam -2 jars` makes `Jam: 9 jars` into `Jam: 7 jars`.
//! A model says the difference, and the program counts.

use super::check::{is_telling, stands_in};
use super::lines::lines_of;
use super::spans::{numbers_of, replaced};
use super::target::clearest;
use crate::core::notes::{Note, Terms};

/// The change of a count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CountChange<'a> {
    /// The number with its sign, as it stands in the text.
    word: &'a str,
    /// The difference; negative if there are fewer.
    by: i64,
}

impl<'a> CountChange<'a> {
    /// Returns the only signed whole number of a text.
    pub fn of(text: &'a str) -> Option<Self> {
        let mut found = text.split_whitespace().filter_map(|word| {
            let word = word.trim_end_matches(['.', ',', ';']);
            let digits = word.strip_prefix(['+', '-', '\u{2212}'])?;
            let is_whole = !digits.is_empty() && digits.bytes().all(|it| it.is_ascii_digit());
            let count: i64 = digits.parse().ok().filter(|_| is_whole)?;
            let by = if word.starts_with('+') { count } else { -count };
            Some(Self { word, by })
        });
        found.next().filter(|_| found.next().is_none())
    }

    /// Returns whether a request has the number with its sign.
    /// It is then no change of a count, but a temperature, for example.
    pub(super) fn stands_in(self, request: &str) -> bool {
        request.contains(self.word)
    }

    /// Returns the number without its sign, as a request may say it.
    pub fn number(self) -> String {
        self.by.unsigned_abs().to_string()
    }

    /// Returns the text without the number.
    fn matter(self, text: &str) -> String {
        text.replacen(self.word, "", 1)
    }

    /// Returns the text of an increase, with an unsigned number; `None` for a decrease.
    pub(super) fn as_addition(self, text: &str) -> Option<String> {
        let number = self.by.to_string();
        (self.by > 0).then(|| text.replacen(self.word, &number, 1))
    }

    /// Returns the index of the line of a note whose count changes, and the changed line.
    /// `None` if no line or more than one is meant, or if the count would be negative.
    pub(super) fn counted(self, note: &Note, text: &str) -> Option<(usize, String)> {
        let matter = Terms::of(&self.matter(text));
        let lines = lines_of(&note.value).into_iter().enumerate();
        let lines: Vec<(usize, &str)> = lines
            .map(|(index, line)| (index, line.text))
            .filter(|(_, line)| !integers_of(line).is_empty())
            .collect();
        let spoken_of = |(_, line): &(usize, &str)| {
            let line = Terms::of(line);
            matter
                .iter()
                .filter(|term| is_telling(term) && stands_in(term, &line))
                .count()
        };
        let (index, line) = match lines.as_slice() {
            [only] => *only,
            _ => clearest(&lines, spoken_of)?,
        };
        let counts = integers_of(line);
        let old = match counts.as_slice() {
            [only] => *only,
            _ => counted_as(line, &counts, &matter)?,
        };
        let new = old.parse::<i64>().ok()?.checked_add(self.by)?;
        let line = replaced(line, old, &new.to_string())?;
        (new >= 0).then_some((index, line))
    }
}

/// Returns the only number of a line that is followed by a word of the matter: `9 jars`.
fn counted_as<'a>(line: &str, counts: &[&'a str], matter: &Terms) -> Option<&'a str> {
    let is_meant = |count: &&&str| {
        let (_, behind) = line.split_once(**count).unwrap_or_default();
        let unit = behind.split_whitespace().next().map(Terms::of);
        unit.is_some_and(|unit| !unit.is_empty() && unit.are_in(matter))
    };
    let mut meant = counts.iter().filter(is_meant);
    meant.next().filter(|_| meant.next().is_none()).copied()
}

fn integers_of(line: &str) -> Vec<&str> {
    let is_whole = |number: &&str| number.bytes().all(|it| it.is_ascii_digit());
    numbers_of(line).into_iter().filter(is_whole).collect()
}

#[cfg(test)]
mod tests {
    use super::super::sample_note;
    use super::CountChange;

    #[test]
    fn a_count_changes_by_what_a_text_says() {
        let larder = "Plum jam: 5 jars\nPassata: 9 jars, from 2024\nRice: 3 kg\nSalt";
        for (value, text, expected) in [
            (
                larder,
                "passata -2 jars",
                Some((1, "Passata: 7 jars, from 2024")),
            ),
            (larder, "rice +1 kg", Some((2, "Rice: 4 kg"))),
            (larder, "plum jam \u{2212}5.", Some((0, "Plum jam: 0 jars"))),
            (
                "Lena owes 50 euros.",
                "Lena -20 euros",
                Some((0, "Lena owes 30 euros.")),
            ),
            ("Leave: 12 days", "-4 days", Some((0, "Leave: 8 days"))),
            // A negative count, a line without a number, two lines that may be meant.
            (larder, "plum jam -6 jars", None),
            (larder, "salt -1", None),
            (larder, "-1", None),
        ] {
            let note = sample_note(1, "Larder", value);
            let found = CountChange::of(text).unwrap().counted(&note, text);
            let found = found.as_ref().map(|(index, line)| (*index, line.as_str()));
            assert_eq!(found, expected, "{text}");
        }
        for text in ["2 jars", "8-10", "-2.5", "+3 -1", "x-2", "-"] {
            assert_eq!(CountChange::of(text), None, "{text}");
        }
        let eggs = CountChange::of("eggs +3").unwrap();
        assert!(eggs.stands_in("make the eggs +3") && !eggs.stands_in("3 more eggs"));
        assert_eq!(eggs.as_addition("eggs +3").as_deref(), Some("eggs 3"));
    }
}
