//! An error as a person sees it: one code, one sentence, hints, one exit code. The only place that
//! words errors for people; it never decides whether something is an error.

mod code;

use serde::{Deserialize, Serialize};
use std::fmt;

pub use code::Code;

/// An error for a person or a script.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    pub code: Code,
    /// The advice, the likeliest first.
    pub hints: Vec<String>,
    /// The message, one clear sentence about this case.
    /// Never holds a secret, a prompt or a raw reply.
    #[serde(alias = "detail")]
    pub message: String,
    /// Whether a repeat may work later without any change.
    #[serde(default)]
    retryable: bool,
}

impl Failure {
    /// Creates a failure with the code's own hint.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            hints: vec![code.page().hint.to_owned()],
            retryable: code.retryable(),
        }
    }

    /// Adds a hint before the others.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hints.insert(0, hint.into());
        self
    }

    /// Replaces all hints by one, where the code's own does not fit.
    #[must_use]
    pub fn only_hint(mut self, hint: impl Into<String>) -> Self {
        self.hints = vec![hint.into()];
        self
    }

    /// Marks the failure as retryable, as nothing was done.
    /// Its code may say otherwise.
    #[must_use]
    pub const fn retry_later(mut self) -> Self {
        self.retryable = true;
        self
    }

    /// Returns the exit code of a process that ends with this failure.
    pub const fn exit(&self) -> Exit {
        self.code.exit()
    }

    /// Returns whether a repeat may work later without any change.
    pub const fn retryable(&self) -> bool {
        self.retryable
    }

    /// Returns the failure as the JSON object that `--format json` prints.
    pub fn to_json(&self) -> serde_json::Value {
        serde_json::json!({"error": self})
    }
}

impl fmt::Display for Failure {
    /// Writes `error[CODE]: message`, then one `hint:` line for each hint.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "error[{}]: {}", self.code, self.message)?;
        self.hints
            .iter()
            .try_for_each(|hint| write!(f, "\nhint: {hint}"))
    }
}

impl std::error::Error for Failure {}

/// The exit code of a process that ends with an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    Failed = 1,
    /// The command line was wrong.
    Usage = 2,
    /// The data is damaged.
    Corrupt = 65,
    Disk = 74,
    /// Another process holds the data folder.
    Locked = 75,
    /// Configuration, prompt or rules are invalid, or `data` is a link.
    Config = 78,
}

impl Exit {
    /// All exit codes, by number.
    pub const ALL: [Self; 6] = [
        Self::Failed,
        Self::Usage,
        Self::Corrupt,
        Self::Disk,
        Self::Locked,
        Self::Config,
    ];

    pub const fn number(self) -> u8 {
        self as u8
    }

    /// Returns the meaning in a few words.
    pub const fn meaning(self) -> &'static str {
        match self {
            Self::Failed => "the thing asked for failed",
            Self::Usage => "the command line was wrong",
            Self::Corrupt => "the data is damaged",
            Self::Disk => "the disk failed",
            Self::Locked => "another process holds the data folder",
            Self::Config => "configuration, prompt or rules are invalid, or `data` is a link",
        }
    }
}

/// The page of one code: three paragraphs of a Markdown file.
#[derive(Clone, Copy, Debug)]
pub struct ErrorPage {
    pub what: &'static str,
    /// The reason why the program behaves so.
    pub why: &'static str,
    /// The advice; also the default hint of an error.
    pub hint: &'static str,
}

impl ErrorPage {
    /// Splits a page into its paragraphs: heading, error, reason, advice.
    // A test checks the form of every page.
    fn read(text: &'static str) -> Self {
        let mut parts = text.trim_end().split("\n\n").skip(1);
        let mut next = || parts.next().unwrap_or_default();
        let (what, why, hint) = (next(), next(), next());
        Self {
            what,
            why,
            hint: hint.strip_prefix("Try: ").unwrap_or(hint),
        }
    }
}
