//! Goldens: what is seen from outside, kept as files. A change of the sources that is meant to change
//! nothing leaves every one of them as it is, byte for byte.
//!
//! Each test owns a folder below `tests/it/golden`. What differs from run to run, such as drawn ids and
//! hashes, is replaced by `mask` before it is compared.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "a test may stop at once, and it keeps files of its own"
)]

mod configuration;
mod control;
mod journal;
mod life;
mod mask;
mod parse;
mod prompts;
mod root;
mod verbs;

use crate::lab::names;
use diffy::DiffOptions;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The folders of goldens. Each belongs to one test.
const FOLDERS: [&str; 11] = [
    "configuration",
    "control",
    "journal",
    "parse",
    "prompts_of_states",
    "prompts_of_steps",
    "prompts_of_xml",
    "verbs_beside_a_daemon",
    "verbs_that_change",
    "verbs_that_change_in_json",
    "verbs_that_read",
];

/// Most lines of a difference that are shown.
const DIFF_LINES_MAX: usize = 40;

/// How the files are written anew.
const AGAIN: &str = "If this change is meant, write the files anew: GOLDEN=write cargo test --locked --test it -- golden::";

/// A folder of goldens under check. What was not checked at its end is stale.
struct Goldens {
    folder: &'static str,
    checked: BTreeSet<String>,
    differing: Vec<String>,
    /// What the first one that differs looks like.
    first: String,
}

impl Goldens {
    /// Begins with a folder that is listed.
    fn of(folder: &'static str) -> Self {
        assert!(FOLDERS.contains(&folder), "{folder} is not listed");
        Self {
            folder,
            checked: BTreeSet::new(),
            differing: Vec::new(),
            first: String::new(),
        }
    }

    /// Compares a text with the file of that name, or writes the file.
    fn check(&mut self, name: &str, text: &str) {
        assert!(
            self.checked.insert(name.to_owned()),
            "{name} is there twice"
        );
        let path = place(self.folder).join(name);
        if is_written() {
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, text).unwrap();
            return;
        }
        let kept = std::fs::read_to_string(&path).unwrap_or_default();
        if kept == text {
            return;
        }
        if self.differing.is_empty() {
            self.first = difference(&kept, text);
        }
        self.differing.push(format!("{}/{name}", self.folder));
    }

    /// Ends the test: everything was as it is kept, and nothing is kept that is not checked.
    #[track_caller]
    fn end(self) {
        let stale: Vec<String> = names(&place(self.folder))
            .into_iter()
            .filter(|name| !self.checked.contains(name))
            .collect();
        if is_written() {
            for name in stale {
                std::fs::remove_file(place(self.folder).join(name)).unwrap();
            }
            return;
        }
        assert!(
            self.differing.is_empty(),
            "\n{} differ: {}\n\n{}\n{AGAIN}\n",
            self.differing.len(),
            self.differing.join(", "),
            self.first
        );
        assert!(
            stale.is_empty(),
            "{}: no test checks {stale:?}\n{AGAIN}",
            self.folder
        );
    }
}

/// Whether files are written and not compared.
fn is_written() -> bool {
    std::env::var_os("GOLDEN").is_some_and(|word| word == "write")
}

/// A place among the goldens.
fn place(below: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/it/golden")
        .join(below)
}

/// Most characters of a line that are shown.
const LINE_CHARS_MAX: usize = 200;

/// A line of a difference, where it differs from the other one.
fn clipped(line: &str, from: usize) -> String {
    if line.chars().count() <= LINE_CHARS_MAX {
        return line.to_owned();
    }
    let mark: String = line.chars().take(1).collect();
    let rest: String = line
        .chars()
        .skip(from.max(1))
        .take(LINE_CHARS_MAX)
        .collect();
    format!("{mark}... {rest} ...")
}

/// How many characters two texts have in common before they differ, in the line in which they do; a few of
/// them are shown.
fn first_column(kept: &str, text: &str) -> usize {
    let pairs = kept.chars().zip(text.chars());
    let common = pairs.take_while(|(one, other)| one == other);
    let column = common.fold(
        0_usize,
        |column, (c, _)| if c == '\n' { 0 } else { column + 1 },
    );
    column.saturating_sub(LINE_CHARS_MAX / 4)
}

/// The beginning of what differs between a text as it is kept and as it is.
fn difference(kept: &str, text: &str) -> String {
    let unified = DiffOptions::new()
        .set_context_len(2)
        .set_original_filename("kept")
        .set_modified_filename("now")
        .create_patch(kept, text)
        .to_string();
    let column = first_column(kept, text);
    let lines = unified.lines().take(DIFF_LINES_MAX);
    let mut lines: Vec<String> = lines.map(|line| clipped(line, column)).collect();
    if unified.lines().count() > DIFF_LINES_MAX {
        lines.push("...".to_owned());
    }
    lines.join("\n")
}

/// A folder that no test owns would be checked by none.
#[test]
fn every_golden_has_a_test() {
    let is_known = |name: &String| {
        Path::new(name).extension().is_some_and(|end| end == "rs")
            || name == "prompt.json"
            || FOLDERS.contains(&name.as_str())
    };
    let strange: Vec<String> = names(&place(""))
        .into_iter()
        .filter(|name| !is_known(name))
        .collect();
    assert!(strange.is_empty(), "no test checks {strange:?}");
}

#[test]
fn a_difference_is_short_and_names_both_lines() {
    let kept: String = (0..200).map(|number| number.to_string() + "\n").collect();
    let text = kept.replace("7\n", "seven\n");
    let shown = difference(&kept, &text);
    assert!(shown.contains("-7\n+seven\n"), "{shown}");
    assert_eq!(shown.lines().count(), DIFF_LINES_MAX + 1);
    assert_eq!(difference("a\n", "b\n").lines().last(), Some("+b"));
    // Of a long line, the part is shown that differs.
    let long = |middle: &str| format!("{0}{middle}{0}\n", "x".repeat(1000));
    let shown = difference(&long("left"), &long("right"));
    assert!(
        shown.contains("xleftx") && shown.contains("xrightx"),
        "{shown}"
    );
    assert!(shown.len() < 1000, "{shown}");
}
