//! The one way out: data to standard output, failures and messages to standard error, and the
//! width and colours of the terminal. All output is safe for a terminal. A reader that has closed
//! the pipe is a quiet success. Never words an error itself.

use super::arguments::Format;
use super::environment::ProcessEnvironment;
use super::text::{joined, visible};
use crate::config::Environment;
use crate::failure::{Code, Exit, Failure};
use crate::plain_text::json_spelt_out;
use clap::error::ErrorKind;
use serde::Serialize;
use std::io::{self, IsTerminal, Write as _, stderr, stdout};
use std::process::ExitCode;

const HINT: &str = "hint:";

/// The output of a verb on standard output, and its exit code.
#[derive(Debug)]
pub(super) struct VerbOutput {
    /// The data, with a final newline; empty for none.
    pub(super) text: String,
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

    pub(super) const fn with_exit(mut self, exit: Exit) -> Self {
        self.exit = exit.number();
        self
    }
}

/// Prints an answer and returns the process's exit code.
pub(super) fn print(answer: &VerbOutput, format: Format) -> ExitCode {
    let mut out = stdout().lock();
    let written = out.write_all(answer.text.as_bytes());
    let Err(error) = written.and_then(|()| out.flush()) else {
        return ExitCode::from(answer.exit);
    };
    let kind = error.kind();
    if kind == io::ErrorKind::BrokenPipe {
        // The reader has closed the pipe on purpose.
        return ExitCode::from(answer.exit);
    }
    let code = if kind == io::ErrorKind::StorageFull {
        Code::DiskFull
    } else {
        Code::DiskError
    };
    let message = format!("standard output cannot be written: {error}");
    let hint = "Send it where there is room, and repeat the command.";
    report_failure(&Failure::new(code, message).only_hint(hint), format)
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

pub(super) fn print_message(line: &str) {
    let mut out = stderr().lock();
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
    let mut failure = Failure::new(Code::Usage, joined(message.lines().map(str::trim), " "));
    let lines = rest.lines().map(str::trim);
    let hints = lines.filter(|line| line.starts_with("tip: ") || line.starts_with("Usage: "));
    let hints = hints.map(|line| line.trim_start_matches("tip: ").to_owned());
    failure.hints.splice(0..0, hints);
    failure
}

/// The variable with which people ask for text without colours.
pub(super) const NO_COLOR: &str = "NO_COLOR";
const COLUMNS: &str = "COLUMNS";
const TERM: &str = "TERM";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Terminal {
    /// The columns of a line; `None` where lines may have any length.
    pub(super) width: Option<usize>,
    pub(super) has_colours: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    Head,
    Id,
    Error,
    Hint,
}

impl Style {
    const fn number(self) -> &'static str {
        match self {
            Self::Head => "1",
            Self::Id => "2",
            Self::Error => "1;31",
            Self::Hint => "36",
        }
    }
}

impl Terminal {
    /// A stream without a line length and without colours.
    pub(super) const PLAIN: Self = Self {
        width: None,
        has_colours: false,
    };

    /// Returns the properties of standard output.
    /// The width is `$COLUMNS`, else that of the terminal. Only terminals have colours.
    pub(super) fn of_stdout(environment: &dyn Environment) -> Self {
        let named = environment.get(COLUMNS);
        let named = named.and_then(|text| text.trim().parse().ok());
        let stdout = stdout();
        Self {
            width: named
                .filter(|width| *width > 0)
                .or_else(|| terminal_width(&stdout)),
            has_colours: has_colours(&stdout, environment),
        }
    }

    /// Returns the properties of standard error.
    /// Its lines are not cut.
    pub(super) fn of_stderr(environment: &dyn Environment) -> Self {
        Self {
            width: None,
            has_colours: has_colours(&stderr(), environment),
        }
    }

    /// Returns the stream without colours, for text that is escaped afterwards.
    pub(super) const fn without_colours(self) -> Self {
        Self {
            has_colours: false,
            ..self
        }
    }

    /// Returns the text in a style, where there are colours.
    pub(super) fn painted(self, style: Style, text: &str) -> String {
        if self.has_colours && !text.is_empty() {
            format!("\u{1b}[{}m{text}\u{1b}[0m", style.number())
        } else {
            text.to_owned()
        }
    }
}

/// Returns the columns of a terminal; `None` for any other stream.
fn terminal_width(stream: &(impl IsTerminal + std::os::fd::AsFd)) -> Option<usize> {
    if !stream.is_terminal() {
        return None;
    }
    let size = rustix::termios::tcgetwinsize(stream).ok()?;
    Some(usize::from(size.ws_col)).filter(|width| *width > 0)
}

fn has_colours(stream: &impl IsTerminal, environment: &dyn Environment) -> bool {
    let is_plain = environment.get(NO_COLOR).is_some_and(|it| !it.is_empty());
    let is_dumb = environment.get(TERM).is_some_and(|term| term == "dumb");
    stream.is_terminal() && !is_plain && !is_dumb
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
