//! `help` and `explain`: print the help of a verb, a topic, or the list of both, and the page of an
//! error code.

use super::arguments::grammar;
use super::markdown::{Block, blocks};
use super::table::Kind::{Fixed, Text};
use super::text::{joined, one_line, pairs};
use super::{Context, VerbOutput};
use crate::failure::{Code, Failure};
use crate::help::{TOPICS, Topic};
use crate::service::{List, closest};
use clap::Command;
use serde::Serialize;
use unicode_width::UnicodeWidthStr as _;

/// The columns of a page where the terminal has more or none.
/// Longer lines are hard to read.
const WIDTH_MAX: usize = 100;
const GAP: usize = 2;

/// The fewest columns for the last cell of a table; with fewer, each cell gets a line.
const LAST_COLUMN_MIN: usize = 32;

/// The indentation of code and of the cells below a row.
const INDENT: usize = 4;

#[derive(Debug, Serialize)]
struct HelpIndex {
    verbs: Vec<HelpEntry>,
    topics: Vec<HelpEntry>,
}

#[derive(Debug, Serialize)]
struct HelpEntry {
    name: String,
    about: String,
}

/// The help of a name: a verb, a topic, or both.
#[derive(Debug, Serialize)]
struct HelpPage<'a> {
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    verb: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    topic: Option<&'a str>,
}

pub(super) fn run(context: &Context, words: &[String]) -> Result<VerbOutput, Failure> {
    let mut grammar = grammar();
    grammar.build();
    if words.is_empty() {
        return context.answer(&everything(&grammar), |_| {
            grammar.render_long_help().to_string()
        });
    }
    let topic = match words {
        [name] => Topic::find(name),
        _ => None,
    };
    let verb = part(&mut grammar, words).map(|verb| verb.render_long_help().to_string());
    if verb.is_none() && topic.is_none() {
        return Err(unknown(&grammar, words));
    }
    let shown = HelpPage {
        name: words.join(" "),
        verb,
        topic: topic.map(|topic| topic.text),
    };
    context.answer(&shown, |shown| {
        let page = topic.map(|topic| page(topic.text, context.terminal.width));
        joined(shown.verb.iter().cloned().chain(page), "\n")
    })
}

fn everything(grammar: &Command) -> HelpIndex {
    let entry = |name: &str, about: String| HelpEntry {
        name: name.to_owned(),
        about,
    };
    let verbs = grammar.get_subcommands();
    let topics = TOPICS.iter();
    HelpIndex {
        verbs: verbs
            .map(|verb| {
                entry(
                    verb.get_name(),
                    verb.get_about()
                        .map(ToString::to_string)
                        .unwrap_or_default(),
                )
            })
            .collect(),
        topics: topics
            .map(|topic| entry(topic.name, topic.about.to_owned()))
            .collect(),
    }
}

fn part<'c>(grammar: &'c mut Command, words: &[String]) -> Option<&'c mut Command> {
    words
        .iter()
        .try_fold(grammar, |part, word| part.find_subcommand_mut(word))
}

fn unknown(grammar: &Command, words: &[String]) -> Failure {
    let name = one_line(&words.join(" "), 80);
    let message = format!("`{name}` is no verb and no topic");
    let verbs = grammar.get_subcommands().map(Command::get_name);
    let names = verbs.chain(TOPICS.iter().map(|topic| topic.name));
    let near = closest(&name, names);
    let failure = Failure::new(Code::Usage, message).only_hint("`help` lists verbs and topics.");
    match near.first() {
        Some(near) => failure.hint(format!("Did you mean `help {near}`?")),
        None => failure,
    }
}

fn page(text: &str, terminal_width: Option<usize>) -> String {
    let width = terminal_width.unwrap_or(WIDTH_MAX).min(WIDTH_MAX);
    let mut out = String::new();
    let mut after_item = false;
    for block in blocks(text) {
        let is_item = matches!(block, Block::Item(_));
        let goes_on = is_item && after_item;
        if !out.is_empty() && !goes_on {
            out.push('\n');
        }
        after_item = is_item;
        out += &match block {
            Block::Heading(level, title) => "#".repeat(level) + " " + title + "\n",
            Block::Text(text) => wrapped(&text, "", "", width),
            Block::Item(text) => wrapped(&text, "- ", "  ", width),
            Block::Code(lines) => {
                let lines = lines.iter().map(|line| format!("{:INDENT$}{line}", ""));
                lines
                    .map(|line| line.trim_end().to_owned() + "\n")
                    .collect()
            }
            Block::Table(rows) => table(&rows, width),
        };
    }
    out
}

/// Wraps the words into lines, no wider than `width` unless a word is.
fn wrapped(text: &str, first: &str, others: &str, width: usize) -> String {
    let (mut out, mut line) = (String::new(), first.to_owned());
    let mut is_empty = true;
    for word in words(text) {
        if !is_empty && line.width() + 1 + word.width() > width {
            out.push_str(&line);
            out.push('\n');
            others.clone_into(&mut line);
            is_empty = true;
        }
        if !is_empty {
            line.push(' ');
        }
        line.push_str(&word);
        is_empty = false;
    }
    out + line.trim_end() + "\n"
}

/// Splits a text into words.
/// Text in backticks is one word, so that it can be copied.
fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut in_code = false;
    for part in text.split_whitespace() {
        match words.last_mut() {
            Some(word) if in_code => {
                word.push(' ');
                word.push_str(part);
            }
            _ => words.push(part.to_owned()),
        }
        in_code ^= part.matches('`').count() % 2 == 1;
    }
    words
}

/// Formats the rows side by side where they fit, else each cell on lines of its own.
fn table(rows: &[Vec<String>], width: usize) -> String {
    let Some((heads, _)) = rows.split_first() else {
        return String::new();
    };
    let widest = |at: usize| {
        let cells = rows.iter().filter_map(|row| row.get(at));
        cells.map(|cell| cell.width()).max().unwrap_or_default()
    };
    let widths: Vec<usize> = (0..heads.len()).map(widest).collect();
    let before_last = widths.iter().rev().skip(1);
    let before_last: usize = before_last.map(|width| width + GAP).sum();
    let last = widths.last().copied().unwrap_or_default();
    if before_last + last.min(LAST_COLUMN_MIN) > width {
        return stacked(rows, width);
    }
    let row = |cells: &Vec<String>| {
        let mut start = String::new();
        let (last, first) = cells.split_last()?;
        for (cell, width) in first.iter().zip(&widths) {
            start.push_str(cell);
            start.push_str(&" ".repeat(width.saturating_sub(cell.width()) + GAP));
        }
        Some(wrapped(last, &start, &" ".repeat(before_last), width))
    };
    rows.iter().filter_map(row).collect()
}

/// Formats each row as a line, with its further cells indented below it.
fn stacked(rows: &[Vec<String>], width: usize) -> String {
    let Some((heads, rows)) = rows.split_first() else {
        return String::new();
    };
    let mut out = String::new();
    for row in rows {
        for (at, (head, cell)) in heads.iter().zip(row).enumerate() {
            let indent = " ".repeat(INDENT);
            let line = match at {
                0 => cell.clone() + "\n",
                _ if cell.is_empty() => String::new(),
                _ if heads.len() == 2 => wrapped(cell, &indent, &indent, width),
                _ => wrapped(&format!("{head}: {cell}"), &indent, &indent, width),
            };
            out.push_str(&line);
        }
    }
    out
}

#[derive(Debug, Serialize)]
struct CodeExplanation {
    code: Code,
    what: &'static str,
    why: &'static str,
    hint: &'static str,
    retryable: bool,
    exit: u8,
}

impl CodeExplanation {
    fn of(code: Code) -> Self {
        let page = code.page();
        Self {
            code,
            what: page.what,
            why: page.why,
            hint: page.hint,
            retryable: code.retryable(),
            exit: code.exit().number(),
        }
    }
}

pub(super) fn explain(context: &Context, code: Option<&str>) -> Result<VerbOutput, Failure> {
    let Some(text) = code else {
        let list = List::complete(Code::ALL.iter().copied().map(CodeExplanation::of).collect());
        return context.list(&list, &list, [("CODE", Fixed), ("WHAT", Text)], |page| {
            [page.code.to_string(), page.what.to_owned()]
        });
    };
    let code = Code::parse(text).ok_or_else(|| {
        let message = format!("`{}` is no error code", one_line(text, 80));
        Failure::new(Code::Usage, message).hint("`explain` without a code lists all of them.")
    })?;
    context.answer(&CodeExplanation::of(code), |page| {
        let again = if page.retryable {
            "the same may work later without any change"
        } else {
            "the same fails again until something changes"
        };
        pairs(&[
            ("code", page.code.to_string()),
            ("what", page.what.to_owned()),
            ("why", page.why.to_owned()),
            ("try", page.hint.to_owned()),
            ("exit", page.exit.to_string()),
            ("again", again.to_owned()),
        ])
    })
}

#[cfg(test)]
mod tests {
    use super::{TOPICS, page};
    use crate::cli::arguments::{read, words_of};
    use crate::cli::markdown::{Block, blocks};
    use unicode_width::UnicodeWidthStr as _;

    /// The documents beside the topics that show commands.
    const OTHERS: [(&str, &str); 2] = [
        ("README.md", include_str!("../../README.md")),
        ("tests/README.md", include_str!("../../tests/README.md")),
    ];

    /// Returns the command lines of this program in the code of a page.
    fn commands(text: &str) -> Vec<String> {
        let mut commands = Vec::new();
        for block in blocks(text) {
            let Block::Code(lines) = block else { continue };
            for line in lines {
                let line = line.strip_prefix("$ ").unwrap_or(line);
                let line = line.split(" #").next().unwrap_or(line);
                let parts = line.split(" && ").map(str::trim);
                let own = parts.filter(|part| part.split(' ').next() == Some("kjxlkj-agent"));
                commands.extend(own.map(str::to_owned));
            }
        }
        commands
    }

    #[test]
    fn every_command_in_the_documents_is_understood() {
        let topics = TOPICS.iter().map(|topic| (topic.name, topic.text));
        let mut count = 0;
        for (name, text) in topics.chain(OTHERS) {
            for command in commands(text) {
                let refused = read(words_of(&command)).err();
                assert!(refused.is_none(), "{name}: {command}: {refused:?}");
                count += 1;
            }
        }
        assert!(count > 40, "{count} commands were found");
        let planted = "```sh\nkjxlkj-agent notes list # x\ncd a && kjxlkj-agent fly\n```\n";
        let [good, bad] = &commands(planted)[..] else {
            unreachable!("two commands");
        };
        assert!(read(words_of(good)).is_ok() && read(words_of(bad)).is_err());
    }

    #[test]
    fn pages_fit_a_terminal() {
        for topic in TOPICS {
            for line in page(topic.text, None).lines() {
                let is_code = line.starts_with("    ") || !line.contains(' ');
                assert!(is_code || line.width() <= 100, "{}: {line}", topic.name);
            }
            let heads = page(topic.text, Some(60));
            assert!(heads.starts_with("# "), "{}", topic.name);
            assert!(!heads.contains("]("), "{}", topic.name);
        }
    }

    #[test]
    fn tables_stand_side_by_side_or_are_stacked() {
        let rows = |text: &str| page(text, None);
        assert_eq!(
            rows("| a | b |\n|---|---|\n| long | x y |\n"),
            "a     b\nlong  x y\n"
        );
        assert_eq!(
            page("one `two three` four", Some(13)),
            "one\n`two three`\nfour\n"
        );
        let wide = "w".repeat(98);
        let text = rows(&format!(
            "| a | b | c |\n|---|---|---|\n| {wide} | 1 | x |\n"
        ));
        assert_eq!(text, format!("{wide}\n    b: 1\n    c: x\n"));
    }
}
