//! The questions that a step may ask a model, and the replies so far.
//! A step starts again after each reply. Earlier questions find their replies, and the first
//! question without one ends the attempt. So no state is kept, and equal replies always lead to
//! equal effects.

use std::slice::Iter;

/// One short question to a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StepQuestion {
    /// The choice of one option; the reply is its number, counted from 1.
    Choose {
        /// The request.
        request: String,
        /// The options, one line each; at least two.
        options: Vec<String>,
    },
    /// The words of a line to be replaced; the reply is `OLD > NEW`, one on a line.
    Replace {
        /// The line as it is.
        line: String,
        /// The text that says how it is now.
        change: String,
        /// The possible texts of `OLD`.
        spans: Vec<String>,
    },
    /// An answer in one sentence.
    Answer {
        /// The question.
        question: String,
        /// The lines that it is answered from.
        lines: Vec<String>,
    },
    /// The check whether lines answer a question; the reply is `yes` or `no`.
    Confirm {
        /// The question.
        question: String,
        /// The lines that an answer comes from.
        lines: Vec<String>,
    },
}

/// The reply that confirms.
pub const YES: &str = "yes";

/// The reply that denies.
pub const NO: &str = "no";

/// The replies that a model has given so far, in the order of the questions.
#[derive(Clone, Debug)]
pub struct Replies<'a>(Iter<'a, String>);

impl<'a> Replies<'a> {
    /// Returns the replies, from the first one on.
    pub fn of(replies: &'a [String]) -> Self {
        Self(replies.iter())
    }

    /// Returns the index of the option that a model chooses; `None` if its reply names no option.
    /// A single option is chosen without a question.
    ///
    /// # Errors
    /// The question, if it has no reply yet.
    pub(super) fn choose(
        &mut self,
        request: &str,
        options: Vec<String>,
    ) -> Result<Option<usize>, StepQuestion> {
        if options.len() < 2 {
            return Ok(Some(0));
        }
        let count = options.len();
        let reply = self.to(|| StepQuestion::Choose {
            request: request.to_owned(),
            options,
        })?;
        let digits = reply.trim().trim_matches(|it: char| !it.is_ascii_digit());
        let number = digits
            .parse::<usize>()
            .ok()
            .and_then(|it| it.checked_sub(1));
        Ok(number.filter(|number| *number < count))
    }

    /// Returns the reply to a question.
    ///
    /// # Errors
    /// The question, if it has no reply yet.
    pub(super) fn to(
        &mut self,
        ask: impl FnOnce() -> StepQuestion,
    ) -> Result<&'a str, StepQuestion> {
        self.0.next().map(String::as_str).ok_or_else(ask)
    }
}

pub(super) fn is_no(reply: &str) -> bool {
    reply.trim().to_lowercase().starts_with(NO)
}

/// Returns whether a reply is yes or no, and nothing else.
pub(super) fn is_yes_or_no(reply: &str) -> bool {
    let reply = reply.trim().trim_end_matches('.').to_lowercase();
    reply == YES || reply == NO
}
