//! The one way out: data to standard output, failures and messages to standard error. All output is
//! safe for a terminal. A reader that has closed the pipe is a quiet success. Never words an error
//! itself.

use super::arguments::Format;
use super::environment::ProcessEnvironment;
use super::terminal::{Style, Terminal};
use super::text::{joined, visible};
use crate::failure::{Code, Exit, Failure};
use crate::plain_text::json_spelt_out;
use clap::error::ErrorKind;
use serde::Serialize;
use std::io::{self, Write as _};
use std::process::ExitCode;

/// The start of a hint.
const HINT: &str = "hint:";

/// The output of a verb on standard output, and its exit code.
#[derive(Debug)]
pub(super) struct VerbOutput {
    /// The data, with a final newline; empty for none.
    pub(super) text: String,
    /// The exit code.
    pub(super) exit: u8,
}

impl VerbOutput {
    /// Returns an answer without data, and success.
    pub(super) const fn nothing() -> Self {
        Self {
            text: String::new(),
            exit: 0,
        }
    }

    /// Wraps text for people that is safe for a terminal.
    pub(super) const fn of_text(text: String) -> Self {
        Self { text, exit: 0 }
    }

    /// Formats the data for a person or a program, with a final newline.
    pub(super) fn of(
        format: Format,
        data: &impl Serialize,
        text: impl FnOnce() -> String,
    ) -> Result<Self, Failure> {
        let mut text = match format {
            Format::Text => visible(&text()),
            Format::Json => {
                let json = serde_json::to_string_pretty(data).map_err(|error| {
                    Failure::new(Code::Internal, format!("the answer is no JSON: {error}"))
                })?;
                json_spelt_out(&json)
            }
        };
        if !text.ends_with('\n') {
            text.push('\n');
        }
        Ok(Self { text, exit: 0 })
    }

    /// Sets the exit code of a failure unless `well`.
    pub(super) const fn ok_if(self, well: bool) -> Self {
        if well {
            self
        } else {
            self.with_exit(Exit::Failed)
        }
    }

    /// Sets the exit code.
    pub(super) const fn with_exit(mut self, exit: Exit) -> Self {
        self.exit = exit.number();
        self
    }
}

/// Prints an answer and returns the process's exit code.
pub(super) fn print(answer: &VerbOutput, format: Format) -> ExitCode {
    let mut out = io::stdout().lock();
    let written = out
        .write_all(answer.text.as_bytes())
        .and_then(|()| out.flush());
    match written {
        Ok(()) => ExitCode::from(answer.exit),
        // The reader has closed the pipe on purpose.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::from(answer.exit),
        Err(error) => {
            let code = if error.kind() == io::ErrorKind::StorageFull {
                Code::DiskFull
            } else {
                Code::DiskError
            };
            let message = format!("standard output cannot be written: {error}");
            let failure = Failure::new(code, message);
            report_failure(
                &failure.only_hint("Send it where there is room, and repeat the command."),
                format,
            )
        }
    }
}

/// Prints a failure on standard error and returns its exit code.
/// The only place that does.
pub(super) fn report_failure(failure: &Failure, format: Format) -> ExitCode {
    print_message(&match format {
        Format::Text => painted(&visible(&failure.to_string())),
        Format::Json => json_spelt_out(&failure.to_json().to_string()),
    });
    ExitCode::from(failure.exit().number())
}

/// Colours a failure where standard error is a terminal.
fn painted(text: &str) -> String {
    let terminal = Terminal::of_stderr(&ProcessEnvironment);
    let lines = text.lines().enumerate().map(|(at, line)| {
        let (style, end) = match at {
            0 => (Style::Error, line.find(": ")),
            _ if line.starts_with(HINT) => (Style::Hint, Some(HINT.len())),
            _ => (Style::Hint, None),
        };
        let (head, rest) = line.split_at(end.unwrap_or(0));
        terminal.painted(style, head) + rest
    });
    joined(lines, "\n")
}

/// Prints a line on standard error.
pub(super) fn print_message(line: &str) {
    let mut out = io::stderr().lock();
    // A failed write to standard error cannot be reported anywhere.
    writeln!(out, "{line}").unwrap_or_default();
}

/// Ends a command line that was not understood, or prints the requested help or version.
pub(super) fn refuse_usage(refused: &clap::Error, json: bool) -> ExitCode {
    let format = if json { Format::Json } else { Format::Text };
    let text = refused.render().to_string();
    let kind = refused.kind();
    if matches!(kind, ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) {
        return print(&VerbOutput { text, exit: 0 }, format);
    }
    if kind == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        // Clap's text is the whole help here.
        let text = text.split_once("Usage: ").map_or("", |(_, usage)| usage);
        let usage = text.lines().next().unwrap_or_default();
        let failure = Failure::new(Code::Usage, "a verb is missing");
        return report_failure(&failure.hint(format!("Usage: {usage}")), format);
    }
    report_failure(&usage_failure(&text), format)
}

/// Makes a failure of clap's text: its first paragraph is the message, tips and usage are hints.
pub(super) fn usage_failure(text: &str) -> Failure {
    let text = text.trim().trim_start_matches("error: ");
    let (message, rest) = text.split_once("\n\n").unwrap_or((text, ""));
    let words: Vec<&str> = message.lines().map(str::trim).collect();
    let lines = rest.lines().map(str::trim);
    let hints = lines.filter(|line| line.starts_with("tip: ") || line.starts_with("Usage: "));
    let mut failure = Failure::new(Code::Usage, words.join(" "));
    let mut hints: Vec<String> = hints
        .map(|line| line.trim_start_matches("tip: ").to_owned())
        .collect();
    hints.append(&mut failure.hints);
    failure.hints = hints;
    failure
}

#[cfg(test)]
mod tests {
    use super::usage_failure;

    #[test]
    fn what_clap_says_becomes_message_and_hints() {
        let failure = usage_failure(
            "error: the following required arguments were not provided:\n  <TEXT>\n\n  tip: to pass \
             '-x' as a value, use '-- -x'\n\nUsage: agent ask <TEXT>\n\nFor more information, try \
             '--help'.\n",
        );
        assert_eq!(
            failure.message,
            "the following required arguments were not provided: <TEXT>"
        );
        assert_eq!(
            failure.hints[..2],
            [
                "to pass '-x' as a value, use '-- -x'",
                "Usage: agent ask <TEXT>"
            ]
        );
    }
}
