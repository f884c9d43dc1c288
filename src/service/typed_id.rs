//! Names as people type them: the beginning of an id that only one of all has, and suggestions for
//! a name that does not exist.

use crate::failure::{Code, Failure};
use crate::plain_text::{joined, one_line};
use std::cmp::Reverse;
use std::fmt::Display;

const TYPED_CHARACTERS_MAX: usize = 60;

/// The most ids that are named where several have the same beginning.
const NAMED_MAX: usize = 10;

const DIGITS_MIN: usize = 4;

/// Returns the ids that begin with a typed text; none where it cannot begin an id.
pub(super) fn beginning_with<T: Display>(ids: impl Iterator<Item = T>, text: &str) -> Vec<T> {
    let digits = |text: &str| text.replace('-', "").to_ascii_lowercase();
    let wanted = digits(text.trim());
    let is_beginning =
        wanted.len() >= DIGITS_MIN && wanted.bytes().all(|it| it.is_ascii_hexdigit());
    let ids = ids.filter(|id| is_beginning && digits(&id.to_string()).starts_with(&wanted));
    ids.collect()
}

/// Returns the only id that was found.
///
/// # Errors
/// `RECORD_KEY_AMBIGUOUS` for several, which `plural` names; the failure of `none` for none.
pub(super) fn only<T: Display>(
    mut found: Vec<T>,
    plural: &str,
    typed: &str,
    none: impl FnOnce() -> Failure,
) -> Result<T, Failure> {
    if found.len() > 1 {
        let shown = one_line(typed, TYPED_CHARACTERS_MAX);
        let message = format!("several {plural} have an id that begins with `{shown}`");
        let ids = joined(found.iter().take(NAMED_MAX), ", ");
        let failure = Failure::new(Code::RecordKeyAmbiguous, message);
        return Err(failure.only_hint(format!("Use more of one: {ids}.")));
    }
    found.pop().ok_or_else(none)
}

const SUGGESTED_MAX: usize = 3;

/// The least similarity of two texts for a suggestion, from 0 to 1000.
const ALIKE_MIN: u32 = 650;

/// The most characters of a text that is compared; a longer one is nobody's slip.
const CHARACTERS_MAX: usize = 100;

/// Returns the names that come close to what was typed, the closest first.
pub fn closest<'a>(typed: &str, names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let typed = typed.trim().to_lowercase();
    if typed.is_empty() || typed.chars().count() > CHARACTERS_MAX {
        return Vec::new();
    }
    let judged = names.map(|name| (alike(&typed, &name.trim().to_lowercase()), name));
    let mut near: Vec<(u32, &str)> = judged.filter(|(alike, _)| *alike >= ALIKE_MIN).collect();
    near.sort_by_key(|(alike, name)| (Reverse(*alike), *name));
    near.dedup_by_key(|(_, name)| *name);
    near.truncate(SUGGESTED_MAX);
    near.into_iter().map(|(_, name)| name).collect()
}

/// Returns the similarity of two texts, from 0 to 1000.
///
/// They are compared as a whole, and each word of the one with the words of the other.
fn alike(typed: &str, name: &str) -> u32 {
    if name.is_empty() || name.chars().count() > CHARACTERS_MAX {
        return 0;
    }
    let words = typed.split_whitespace().map(|word| {
        let others = name.split_whitespace();
        others
            .map(|other| of_thousand(word, other))
            .max()
            .unwrap_or(0)
    });
    let words: Vec<u32> = words.collect();
    let count = u32::try_from(words.len()).unwrap_or(u32::MAX).max(1);
    // Words of a longer title count for less than the whole title.
    let by_words = words.iter().sum::<u32>() / count * 9 / 10;
    of_thousand(typed, name).max(by_words)
}

/// Returns the part of two texts that is the same, from 0 to 1000.
fn of_thousand(one: &str, other: &str) -> u32 {
    let longest = one.chars().count().max(other.chars().count()).max(1);
    let slips = strsim::osa_distance(one, other).min(longest);
    u32::try_from((longest - slips) * 1000 / longest).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::{beginning_with, closest};

    const IDS: [&str; 4] = [
        "0190a3b4-5c6d-7000-8000-000000000001",
        "0190a3b4-5c6d-7000-8000-000000000002",
        "0190a3b4-5c6e-7000-8000-000000000001",
        "5fffffff-0000-4000-8000-000000000000",
    ];

    #[test]
    fn the_beginning_of_an_id_leads_to_it() {
        let found = |text: &str| beginning_with(IDS.into_iter(), text);
        assert_eq!(found("5fff"), [IDS[3]]);
        assert_eq!(found(" 5FFFFFFF-0 "), [IDS[3]]);
        assert_eq!(found("0190a3b45c6e"), [IDS[2]]);
        assert_eq!(found("0190a3b4").len(), 3);
        for nothing in ["5ff", "", "zzzz", "--------", "tea"] {
            assert_eq!(found(nothing), [""; 0], "{nothing}");
        }
    }

    #[test]
    fn slips_and_parts_of_titles_are_recognised() {
        let titles = [
            "Shopping list",
            "Boat jobs",
            "Tea",
            "Dentist on Tuesday",
            "Team",
        ];
        let near = |typed: &str| closest(typed, titles.into_iter());
        assert_eq!(near("shoping lsit"), ["Shopping list"]);
        assert_eq!(near("Dentits"), ["Dentist on Tuesday"]);
        assert_eq!(near("boat job"), ["Boat jobs"]);
        assert_eq!(near("teas"), ["Tea", "Team"]);
        assert_eq!(near("invoice"), [""; 0]);
        assert_eq!(near(""), [""; 0]);
    }
}
