//! `completions` and `man`: what shells and readers of manuals want, made from the grammar of the
//! command line. Prints only.

use super::arguments::grammar;
use super::output::Answer;
use crate::failure::{Code, Failure};
use clap::Command;
use clap_complete::Shell;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};
use std::io;

/// What each exit code means, as the manual tells it.
const EXIT_CODES: [(u8, &str); 7] = [
    (0, "success"),
    (1, "the thing asked for failed"),
    (2, "the command line was wrong"),
    (65, "the data is damaged"),
    (74, "the disk failed"),
    (75, "another process holds the data folder"),
    (78, "configuration, prompt or rules are invalid"),
];

/// The completions of a shell.
pub(super) fn completions(shell: Shell) -> Answer {
    let mut text = Vec::new();
    let mut command = grammar();
    clap_complete::generate(shell, &mut command, env!("CARGO_PKG_NAME"), &mut text);
    answer(&text)
}

/// The manual page: the program, then each verb, then the exit codes.
pub(super) fn manual() -> Result<Answer, Failure> {
    let failed = |error: io::Error| {
        Failure::new(
            Code::Internal,
            format!("the page cannot be written: {error}"),
        )
    };
    let mut text = Vec::new();
    let mut command = grammar();
    command.build();
    Man::new(command.clone())
        .render(&mut text)
        .map_err(failed)?;
    let mut more = Roff::new();
    for verb in command
        .get_subcommands()
        .filter(|verb| verb.get_name() != "help")
    {
        more.control("SH", [verb.get_name().to_uppercase().as_str()]);
        let mut usage = verb.clone().disable_help_flag(true);
        more.text([roman(usage.render_usage().to_string())]);
        tell_options(&mut more, verb);
        tell_examples(&mut more, verb);
        for part in verb
            .get_subcommands()
            .filter(|part| part.get_name() != "help")
        {
            more.control("TP", []);
            more.text([roman(part.clone().render_usage().to_string())]);
            more.text([roman(
                part.get_about()
                    .map(ToString::to_string)
                    .unwrap_or_default(),
            )]);
            more.control("RS", []);
            tell_options(&mut more, part);
            tell_examples(&mut more, part);
            more.control("RE", []);
        }
    }
    more.control("SH", ["EXIT STATUS"]);
    for (number, meaning) in EXIT_CODES {
        more.control("TP", []);
        more.text([roman(number.to_string())]);
        more.text([roman(meaning)]);
    }
    more.to_writer(&mut text).map_err(failed)?;
    Ok(answer(&text))
}

/// What a verb takes, beside what every verb takes.
fn tell_options(page: &mut Roff, verb: &Command) {
    let options = verb.get_arguments();
    for option in options.filter(|option| !option.is_global_set() && option.get_id() != "help") {
        let name = option
            .get_long()
            .map_or_else(|| option.get_id().to_string(), |long| format!("--{long}"));
        page.control("TP", []);
        page.text([roman(name)]);
        page.text([roman(
            option
                .get_help()
                .map(ToString::to_string)
                .unwrap_or_default(),
        )]);
    }
}

/// How a verb is used.
fn tell_examples(page: &mut Roff, verb: &Command) {
    let text = verb.get_after_help().map(ToString::to_string);
    let text = text.unwrap_or_default();
    let mut lines = text.lines();
    page.control("PP", []);
    page.text([roman(lines.next().unwrap_or_default())]);
    for line in lines {
        page.control("br", []);
        page.text([roman(line.trim_start())]);
    }
}

fn answer(text: &[u8]) -> Answer {
    Answer {
        text: String::from_utf8_lossy(text).into_owned(),
        exit: 0,
    }
}
