//! An error as a person sees it: one code, one sentence, hints, one exit code. The only place that
//! words errors for people; it never decides whether something is an error.

mod code;
mod list;
mod page;

use serde::{Deserialize, Serialize};
use std::fmt;

pub use code::Code;
pub use page::{ErrorPage, Exit};

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
