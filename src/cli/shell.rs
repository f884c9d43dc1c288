//! `completions` and `man`: shell completions and the manual page, made from the grammar of the
//! command line. Prints only.

use super::arguments::grammar;
use super::markdown::{Block, blocks};
use super::output::VerbOutput;
use crate::failure::{Code, Failure};
use crate::help::{TOPICS, Topic, exits};
use clap::Command;
use clap::builder::StyledStr;
use clap_complete::Shell;
use clap_mangen::Man;
use clap_mangen::roff::{Inline, Roff, bold, roman};
use std::io;

pub(super) fn completions(shell: Shell) -> VerbOutput {
    let mut text = Vec::new();
    let mut command = grammar();
    clap_complete::generate(shell, &mut command, env!("CARGO_PKG_NAME"), &mut text);
    answer(&text)
}

/// Returns the manual page: the program, then each verb, the topics, and the exit codes.
pub(super) fn manual() -> Result<VerbOutput, Failure> {
    let failed = |error: io::Error| {
        let message = format!("the page cannot be written: {error}");
        Failure::new(Code::Internal, message)
    };
    let mut text = Vec::new();
    let mut command = grammar();
    command.build();
    let page = Man::new(command.clone());
    page.render(&mut text).map_err(failed)?;
    let mut more = Roff::new();
    for verb in command.get_subcommands() {
        more.control("SH", [verb.get_name().to_uppercase().as_str()]);
        let mut usage = verb.clone().disable_help_flag(true);
        more.text([roman(usage.render_usage().to_string())]);
        render_options(&mut more, verb);
        for part in verb.get_subcommands() {
            more.control("TP", []);
            more.text([roman(part.clone().render_usage().to_string())]);
            more.text([roman(text_of(part.get_about()))]);
            more.control("RS", []);
            render_options(&mut more, part);
            more.control("RE", []);
        }
    }
    for topic in TOPICS {
        render_topic(&mut more, topic);
    }
    more.control("SH", ["EXIT STATUS"]);
    for (number, meaning) in exits() {
        more.control("TP", []);
        more.text([roman(number.to_string())]);
        more.text(inlines(meaning));
    }
    more.to_writer(&mut text).map_err(failed)?;
    Ok(answer(&text))
}

fn text_of(styled: Option<&StyledStr>) -> String {
    styled.map(ToString::to_string).unwrap_or_default()
}

/// Adds the options of a verb, without those of every verb, and its examples.
fn render_options(page: &mut Roff, verb: &Command) {
    let options = verb.get_arguments();
    for option in options.filter(|option| !option.is_global_set() && option.get_id() != "help") {
        let long = option.get_long().map(|long| format!("--{long}"));
        page.control("TP", []);
        page.text([roman(long.unwrap_or_else(|| option.get_id().to_string()))]);
        page.text([roman(text_of(option.get_help()))]);
    }
    let text = text_of(verb.get_after_help());
    let mut lines = text.lines();
    page.control("PP", []);
    page.text([roman(lines.next().unwrap_or_default())]);
    for line in lines {
        page.control("br", []);
        page.text([roman(line.trim_start())]);
    }
}

/// Adds a topic: its first heading names the section, the others its parts.
fn render_topic(page: &mut Roff, topic: &Topic) {
    for block in blocks(topic.text) {
        match block {
            Block::Heading(1, title) => {
                let title = format!("TOPIC {}: {title}", topic.name);
                page.control("SH", [title.as_str()]);
            }
            Block::Heading(_, title) => {
                page.control("SS", [title]);
            }
            Block::Text(text) => {
                page.control("PP", []);
                page.text(inlines(&text));
            }
            Block::Item(text) => {
                page.control("IP", ["-", "2"]);
                page.text(inlines(&text));
            }
            Block::Code(lines) => render_code(page, &lines),
            Block::Table(rows) => render_table(page, &rows),
        }
    }
}

fn render_code(page: &mut Roff, lines: &[&str]) {
    page.control("PP", []);
    page.control("RS", ["4"]);
    page.control("nf", []);
    for line in lines {
        page.text([roman(*line)]);
    }
    page.control("fi", []);
    page.control("RE", []);
}

/// Adds a table: the first cell of each row, and below it the others with their heads.
fn render_table(page: &mut Roff, rows: &[Vec<String>]) {
    let Some((heads, rows)) = rows.split_first() else {
        return;
    };
    for row in rows {
        page.control("TP", []);
        page.text(inlines(row.first().map_or("", String::as_str)));
        let others = heads.iter().zip(row).skip(1);
        for (at, (head, cell)) in others.filter(|(_, cell)| !cell.is_empty()).enumerate() {
            if at > 0 {
                page.control("br", []);
            }
            if heads.len() == 2 {
                page.text(inlines(cell));
            } else {
                page.text(inlines(&format!("{head}: {cell}")));
            }
        }
    }
}

/// Formats a text with code in bold type.
fn inlines(text: &str) -> Vec<Inline> {
    let parts = text.split('`').enumerate();
    let parts = parts.filter(|(_, part)| !part.is_empty());
    let typed = parts.map(|(at, part)| if at % 2 == 0 { roman(part) } else { bold(part) });
    typed.collect()
}

fn answer(text: &[u8]) -> VerbOutput {
    VerbOutput::of_text(String::from_utf8_lossy(text).into_owned())
}
