//! The terminal that text is printed on: its width, and whether it has colours.

use crate::config::Environment;
use std::io::{IsTerminal, stderr, stdout};

/// The variable with which people ask for text without colours.
pub(super) const NO_COLOR: &str = "NO_COLOR";

/// The variable with the width of a line.
const COLUMNS: &str = "COLUMNS";

/// The variable with the kind of the terminal.
const TERM: &str = "TERM";

/// The properties of an output stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Terminal {
    /// The columns of a line; `None` where lines may have any length.
    pub(super) width: Option<usize>,
    /// Whether it has colours.
    pub(super) has_colours: bool,
}

/// A style of a part of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    /// The head of a table.
    Head,
    /// An id.
    Id,
    /// The start of an error.
    Error,
    /// The start of a hint.
    Hint,
}

impl Style {
    /// Returns the code of the style in an escape sequence.
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
