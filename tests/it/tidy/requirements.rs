//! The check of `tests/requirements.toml`: what the program does, one entry a requirement, with the
//! tests that show it. A test that is renamed or removed is missed here.

use super::scan::Source;
use serde::Deserialize;
use std::collections::BTreeMap;

/// Characters of a requirement's text: it says one thing.
const TEXT_CHARS_MAX: usize = 240;

/// The program of the campaigns; each is an arm of its `main`.
const CAMPAIGNS: &str = "tests/campaign/main.rs";

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    requirement: Vec<Requirement>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Requirement {
    id: String,
    text: String,
    status: Option<Status>,
    note: Option<String>,
    #[serde(default)]
    tests: Vec<String>,
}

/// Why a requirement has no test.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq)]
#[serde(rename_all = "snake_case")]
enum Status {
    /// The program does not do it yet.
    Later,
    /// Something else shows it, which the note names.
    ByReview,
}

/// Returns what is wrong with the text of `tests/requirements.toml` beside these sources.
pub(crate) fn requirements(text: &str, sources: &[Source]) -> Vec<String> {
    let document: Document = match toml::from_str(text) {
        Ok(document) => document,
        Err(error) => return vec![error.to_string()],
    };
    let known = known_tests(sources);
    let requirements = &document.requirement;
    let mut complaints: Vec<String> = requirements
        .windows(2)
        .filter(|pair| pair[0].id >= pair[1].id)
        .map(|pair| format!("{}: does not come after {}", pair[1].id, pair[0].id))
        .collect();
    for requirement in requirements {
        let wrong = faults(requirement, &known);
        complaints.extend(wrong.map(|fault| format!("{}: {fault}", requirement.id)));
    }
    complaints
}

/// Returns the tests whose names carry a code: a word of one or two letters and up to three digits.
pub(crate) fn coded_names(sources: &[Source]) -> Vec<String> {
    let tests = sources.iter().flat_map(|source| {
        let names = test_names(&source.text).into_iter();
        names.map(|name| (source.path.as_str(), name))
    });
    tests
        .filter(|(_, name)| name.split('_').any(is_code))
        .map(|(path, name)| format!("{path}: `{name}` carries a code"))
        .collect()
}

fn faults(
    requirement: &Requirement,
    known: &BTreeMap<String, usize>,
) -> impl Iterator<Item = String> {
    let text = requirement.text.as_str();
    let long = text.chars().count() > TEXT_CHARS_MAX;
    let note = requirement.note.as_deref().unwrap_or_default();
    let is_tested = !requirement.tests.is_empty();
    let plain = [
        (!text.ends_with('.'), "the text ends without a full stop"),
        (long, "the text is too long"),
        (
            requirement.status.is_none() && !is_tested,
            "has neither a test nor a status",
        ),
        (
            requirement.status.is_some() && is_tested,
            "has a test, so it needs no status",
        ),
        (
            requirement.status == Some(Status::ByReview) && note.is_empty(),
            "is kept without a test, and no note says by what",
        ),
    ];
    let plain = plain.into_iter().filter(|(is_wrong, _)| *is_wrong);
    let mut faults: Vec<String> = plain.map(|(_, fault)| fault.to_owned()).collect();
    for (at, test) in requirement.tests.iter().enumerate() {
        if requirement.tests[..at].contains(test) {
            faults.push(format!("names `{test}` twice"));
        }
        match known.get(test) {
            Some(1) => {}
            Some(count) => faults.push(format!("there are {count} tests `{test}`")),
            None => faults.push(format!("there is no test `{test}`")),
        }
    }
    faults.into_iter()
}

/// How often there is a test of each name, written as a requirement names it.
fn known_tests(sources: &[Source]) -> BTreeMap<String, usize> {
    let mut known = BTreeMap::new();
    for source in sources {
        if source.path == CAMPAIGNS {
            let arms = source.text.split("\n        Some(\"").skip(1);
            for name in arms.filter_map(|arm| arm.split('"').next()) {
                *known.entry(format!("campaign:{name}")).or_default() += 1;
            }
        }
        if let Some(module) = module_of(&source.path) {
            for name in test_names(&source.text) {
                *known.entry(format!("{module}{name}")).or_default() += 1;
            }
        }
    }
    known
}

/// Returns what stands before the names of the tests in that file: `cli::life::`, `unit:core::merge::`.
fn module_of(path: &str) -> Option<String> {
    let (mark, below) = match path.strip_prefix("tests/it/") {
        Some(below) => ("", below),
        None => ("unit:", path.strip_prefix("src/")?),
    };
    let below = below.strip_suffix(".rs")?;
    let below = below.strip_suffix("/mod").unwrap_or(below);
    if ["main", "lib"].contains(&below) {
        return Some(mark.to_owned());
    }
    Some(format!("{mark}{}::", below.replace('/', "::")))
}

/// The names of the functions that stand under a `test` attribute.
fn test_names(text: &str) -> Vec<&str> {
    let mut names = Vec::new();
    let mut is_test = false;
    for line in text.lines().map(str::trim) {
        is_test |= line == "#[test]" || line.starts_with("#[tokio::test");
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

fn is_code(word: &str) -> bool {
    let letters = word.trim_end_matches(|it: char| it.is_ascii_digit());
    let digits = word.len() - letters.len();
    let is_lower = letters.bytes().all(|it| it.is_ascii_lowercase());
    is_lower && (1..=2).contains(&letters.len()) && (1..=3).contains(&digits)
}
