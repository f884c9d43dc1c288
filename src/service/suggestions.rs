//! Suggestions for a name that does not exist.

use std::cmp::Reverse;

/// The most names that are suggested.
const NAMED_MAX: usize = 3;

/// The least likeness of two texts for a suggestion, from 0 to 1000.
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
    near.truncate(NAMED_MAX);
    near.into_iter().map(|(_, name)| name).collect()
}

/// Returns the likeness of two texts, from 0 to 1000.
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
    use super::closest;

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
