//! The README stays a short way in: what it is, how to start, and where the rest stands.

use crate::help::section;
use kjxlkj_agent::help::TOPICS;
use std::fmt::Write as _;

const README: &str = include_str!("../../README.md");

/// The page of the tests, with what was measured.
const TESTS: &str = include_str!("../README.md");

/// Lines that the README has at most.
const LINES_MAX: usize = 200;

/// Lines of the first screen.
const SCREEN_LINES: usize = 24;

#[test]
fn the_readme_is_short_and_shows_a_request_at_once() {
    let lines = README.lines().count();
    assert!(lines <= LINES_MAX, "{lines} lines");
    let screen: Vec<&str> = README.lines().take(SCREEN_LINES).collect();
    let asked = screen
        .iter()
        .position(|it| it.starts_with("$ kjxlkj-agent ask --wait"));
    let answer = screen[asked.unwrap() + 1];
    assert!(!answer.starts_with('$') && !answer.is_empty(), "{answer}");
}

#[test]
fn the_readme_lists_every_topic() {
    let mut table = "| topic | about |\n|---|---|\n".to_owned();
    for topic in TOPICS {
        let (name, about) = (topic.name, topic.about);
        writeln!(table, "| [{name}](src/help/{name}.md) | {about} |").unwrap();
    }
    assert!(README.contains(&table), "the README should have:\n{table}");
}

#[test]
fn the_commands_and_the_tables_of_measurements_are_there() {
    for command in [
        "cargo build --release",
        "cargo install --locked --path .",
        "cargo run --release -- demo",
        "cargo test",
    ] {
        let mut lines = README.lines().filter_map(|line| line.split('#').next());
        assert!(lines.any(|line| line.trim() == command), "{command}");
    }
    for table in ["bench", "windows", "models", "constrain"] {
        let text = section(TESTS, table).unwrap_or_default();
        assert!(text.starts_with("| "), "{table}");
        assert!(TESTS.matches("--readme tests/README.md").count() >= 4);
    }
}
