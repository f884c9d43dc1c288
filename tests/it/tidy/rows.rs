//! Which requirements the names of the tests carry. The specification that the program was built from
//! is a table whose rows are numbered by letters for their part and digits: K is the agent's own
//! contract, D what is delivered, L and C the two older agents whose rules were taken over, T the token
//! budget, PR the providers, RT the choice of a model, X where two of these disagreed, G what none of
//! them said, F the faults that it has to bear, V those of model servers among them, L from 108 on what
//! runs away. `k054_...` is the test of row K-054; several rows may stand in one name, `k088_to_k091_`
//! stands for all four. The table itself is no part of these sources: what a row asks for is what its
//! test checks.

use super::scan::Source;
use std::collections::BTreeSet;

/// The rows that must each be proved by a test: their letters, their digits in a name, from, to.
pub(crate) const ROWS: &[(&str, usize, u32, u32)] = &[
    ("k", 3, 1, 152),
    ("d", 2, 1, 7),
    ("l", 3, 1, 89),
    ("c", 3, 1, 50),
    ("t", 2, 1, 14),
    ("pr", 2, 1, 17),
    ("rt", 2, 1, 22),
    ("x", 2, 6, 6),
    ("x", 2, 10, 13),
    ("x", 2, 22, 22),
    ("x", 2, 30, 30),
    ("x", 2, 34, 34),
    ("x", 2, 41, 43),
    ("x", 2, 80, 80),
    ("g", 2, 5, 10),
    ("g", 2, 11, 18),
    ("g", 2, 28, 31),
    ("g", 2, 34, 38),
    ("g", 2, 52, 54),
    ("x", 2, 25, 27),
    ("x", 2, 47, 49),
    ("x", 2, 64, 66),
    ("x", 2, 77, 77),
    ("g", 2, 26, 27),
    ("g", 2, 43, 43),
    ("g", 2, 47, 48),
    ("g", 2, 51, 51),
    ("g", 2, 58, 58),
    ("f", 2, 81, 85),
    ("l", 3, 108, 111),
    ("v", 2, 25, 42),
];

/// Rows that wait for a feature, with its name. This list may only become shorter: a row that a test
/// carries must not stand here.
pub(crate) const ROWS_LATER: &[(&str, &str)] = &[];

/// The rows that the names of the tests in these files carry.
pub(crate) fn carried(tests: &[Source]) -> BTreeSet<String> {
    let mut rows = BTreeSet::new();
    for source in tests {
        for name in test_names(&source.text) {
            rows.extend(rows_of(name));
        }
    }
    rows
}

/// Rows that nothing carries, rows that wait although something carries them, and rows that wait
/// although nobody asked for them.
pub(crate) fn missing(carried: &BTreeSet<String>, later: &[(&str, &str)]) -> Vec<String> {
    let wanted: BTreeSet<String> = ROWS.iter().flat_map(rows_of_range).collect();
    let waits = |row: &String| later.iter().any(|(name, _)| name == row);
    let untested = wanted
        .iter()
        .filter(|row| !carried.contains(*row) && !waits(row));
    let untested = untested.map(|row| format!("{row}: no test carries this row"));
    let stale = later.iter().filter_map(|(row, _)| {
        let reason = if carried.contains(*row) {
            "a test carries this row, so it no longer waits"
        } else if wanted.contains(*row) {
            return None;
        } else {
            "is none of the rows"
        };
        Some(format!("{row}: {reason}"))
    });
    untested.chain(stale).collect()
}

fn rows_of_range(range: &(&str, usize, u32, u32)) -> Vec<String> {
    let (letter, digits, from, to) = *range;
    (from..=to)
        .map(|row| format!("{letter}{row:0digits$}"))
        .collect()
}

/// The names of the functions that stand under a `test` attribute.
fn test_names(text: &str) -> Vec<&str> {
    let mut names = Vec::new();
    let mut is_test = false;
    for line in text.lines().map(str::trim) {
        is_test |= line == "#[test]" || line == "#[tokio::test]";
        let line = line.strip_prefix("async ").unwrap_or(line);
        if let Some(rest) = line.strip_prefix("fn ") {
            if is_test {
                names.extend(rest.split('(').next());
            }
            is_test = false;
        }
    }
    names
}

/// The rows at the beginning of a name.
fn rows_of(name: &str) -> Vec<String> {
    let mut rows: Vec<String> = Vec::new();
    let mut words = name.split('_').peekable();
    while let Some(word) = words.next() {
        if word == "to"
            && let (Some(from), Some(to)) = (
                rows.last().and_then(|row| row_of(row)),
                words.peek().and_then(|to| row_of(to)),
            )
        {
            let (letter, digits, from) = from;
            rows.extend(rows_of_range(&(letter, digits, from, to.2)));
        } else if row_of(word).is_some() {
            rows.push(word.to_owned());
        } else {
            break;
        }
    }
    rows
}

/// Letters, number of digits and number of a row's name.
fn row_of(word: &str) -> Option<(&str, usize, u32)> {
    let (letters, digits) = word.split_at(word.find(|it: char| !it.is_ascii_lowercase())?);
    let number = digits.parse().ok()?;
    (!letters.is_empty()).then_some((letters, digits.len(), number))
}
