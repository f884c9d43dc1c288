//! What text is printed on: how wide a line may be, and whether it has colours.

use crate::config::Environment;
use std::io::{IsTerminal, stderr, stdout};

/// The variable by which people ask for plain text everywhere.
pub(super) const NO_COLOR: &str = "NO_COLOR";

/// The variable that names the width of a line.
const COLUMNS: &str = "COLUMNS";

/// The variable that names the kind of a terminal.
const TERM: &str = "TERM";

/// What text is printed on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Terminal {
    /// Columns of a line; none where lines may be of any length.
    pub(super) width: Option<usize>,
    /// Whether there are colours.
    pub(super) has_colours: bool,
}

/// A style of a part of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    /// The head of a table.
    Head,
    /// An id.
    Id,
    /// What an error begins with.
    Error,
    /// What a hint begins with.
    Hint,
}

impl Style {
    /// The number that a terminal knows it by.
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
    /// Lines of any length without colours.
    pub(super) const PLAIN: Self = Self {
        width: None,
        has_colours: false,
    };

    /// What standard output is: `$COLUMNS` names the width, else the terminal. Colours are for
    /// terminals alone.
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

    /// What standard error is. Its lines are not cut.
    pub(super) fn of_stderr(environment: &dyn Environment) -> Self {
        Self {
            width: None,
            has_colours: has_colours(&stderr(), environment),
        }
    }

    /// The same without colours, for text that is cleaned of them afterwards.
    pub(super) const fn without_colours(self) -> Self {
        Self {
            has_colours: false,
            ..self
        }
    }

    /// The text in a style, where there are colours.
    pub(super) fn painted(self, style: Style, text: &str) -> String {
        if self.has_colours && !text.is_empty() {
            format!("\u{1b}[{}m{text}\u{1b}[0m", style.number())
        } else {
            text.to_owned()
        }
    }
}

/// The columns of a terminal; none for what is no terminal.
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
