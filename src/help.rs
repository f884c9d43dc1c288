//! The topics that `help TOPIC` prints, one Markdown file each below `src/help`, and their
//! generated tables. The error pages beside them belong to [`crate::failure`].

use crate::failure::{Code, Exit};
use std::fmt::Write as _;

/// A topic of the help.
#[derive(Clone, Copy, Debug)]
pub struct Topic {
    /// The name of the topic; the file is `src/help/NAME.md`.
    pub name: &'static str,
    /// The subject, in a few words.
    pub about: &'static str,
    /// The text of the file.
    pub text: &'static str,
}

impl Topic {
    /// Finds a topic by its name.
    pub fn find(name: &str) -> Option<&'static Self> {
        TOPICS.iter().find(|topic| topic.name == name)
    }
}

macro_rules! topics {
    ($($name:literal $about:literal)*) => {
        &[$(Topic {
            name: $name,
            about: $about,
            text: include_str!(concat!("help/", $name, ".md")),
        },)*]
    };
}

/// All topics, in the order in which a newcomer reads them.
pub const TOPICS: &[Topic] = topics! {
    "start" "install, make a folder, ask, read the answer"
    "files" "where everything is kept, and how to back it up"
    "editing" "change notes and memory by hand or in an editor"
    "loop" "runs, states, small steps, and when a run has succeeded"
    "memory" "RAM, the storage tree, and what happens when RAM is full"
    "notes" "add, find, link, export and import notes"
    "rules" "runs at fixed times or when a note changes; rehearsals"
    "agents" "agents with words, memory and permissions of their own"
    "review-undo" "approve changes first, see why, take them back"
    "instructions" "what the model writes, and how it is read"
    "prompts-windows" "the prompt file, what is in a prompt, windows and tokens"
    "providers" "model servers and programs, several at once, streaming"
    "budgets" "bounds of calls and tokens, limits, repeats"
    "service" "run as a service; signals, stopping, the log"
    "http" "the control interface of a running daemon"
    "security" "what the model can never do, and how to prove it"
    "config" "every key of data/config.json, and reloading"
    "exit-codes" "what the number at the end says"
    "troubleshooting" "when something does not work"
    "glossary" "the words that these pages use"
    "changes" "what an upgrade does, and what is new"
};

/// Returns the topics as lines with name and subject.
pub fn topic_list() -> String {
    let width = TOPICS.iter().map(|topic| topic.name.len()).max();
    let width = width.unwrap_or_default();
    let lines = TOPICS
        .iter()
        .map(|Topic { name, about, .. }| format!("  {name:width$}  {about}"));
    lines.collect::<Vec<String>>().join("\n")
}

/// The meaning of exit code 130.
/// No error code leads to it.
const SECOND_SIGNAL: &str = "ended at once by a second signal";

/// Returns the exit codes with their meanings, in order.
pub fn exits() -> impl Iterator<Item = (u8, &'static str)> {
    let failures = Exit::ALL.map(|exit| (exit.number(), exit.meaning()));
    std::iter::once((0, "success"))
        .chain(failures)
        .chain([(130, SECOND_SIGNAL)])
}

/// Returns the table of exit codes as Markdown, for the topic `exit-codes`.
pub fn exit_table() -> String {
    let mut text = "| exit code | meaning | error codes |\n|--:|---|---|\n".to_owned();
    for (number, meaning) in exits() {
        let codes = Code::ALL
            .iter()
            .filter(|code| code.exit().number() == number);
        let codes: Vec<String> = codes.map(|code| format!("`{code}`")).collect();
        let codes = if number == Exit::Failed.number() {
            "every code that is not named below".to_owned()
        } else {
            codes.join(" ")
        };
        // Writing into a string cannot fail.
        writeln!(text, "| {number} | {meaning} | {codes} |").unwrap_or_default();
    }
    text
}
