//! What a step may ask of a model, and the replies so far. A step is carried out from its beginning each
//! time a reply has come: whatever was asked before finds its reply, and the first question without one
//! ends the attempt. So there is no state to keep, and the same replies always lead to the same effects.

use std::slice::Iter;

/// One short question to a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ask {
    /// Which one is meant; the reply is its number, counted from 1.
    Choose {
        /// What was asked for.
        request: String,
        /// What there is to choose from, one line each; at least two.
        options: Vec<String>,
    },
    /// Which words of a line go, and what stands there instead; the reply is `OLD > NEW`, one a line.
    Replace {
        /// The line as it is.
        line: String,
        /// How it is now.
        change: String,
        /// What `OLD` may be.
        spans: Vec<String>,
    },
    /// An answer in one sentence.
    Answer {
        /// The question.
        question: String,
        /// The lines that it is answered from.
        lines: Vec<String>,
    },
    /// Whether lines answer a question; the reply is `yes` or `no`.
    Confirm {
        /// The question.
        question: String,
        /// The lines that an answer comes from.
        lines: Vec<String>,
    },
}

/// The reply that confirms.
pub const YES: &str = "yes";

/// The reply that does not.
pub const NO: &str = "no";

/// The replies that a model has given so far, in the order of the questions.
#[derive(Clone, Debug)]
pub struct Replies<'a>(Iter<'a, String>);

impl<'a> Replies<'a> {
    /// Begins with the first reply.
    pub fn of(replies: &'a [String]) -> Self {
        Self(replies.iter())
    }

    /// Returns the number, counted from 0, that a model chooses among the options; none where its reply
    /// names no option. A single option is chosen without a question.
    ///
    /// # Errors
    /// The question, where it has no reply yet.
    pub(super) fn choose(
        &mut self,
        request: &str,
        options: Vec<String>,
    ) -> Result<Option<usize>, Ask> {
        if options.len() < 2 {
            return Ok(Some(0));
        }
        let count = options.len();
        let reply = self.to(|| Ask::Choose {
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
    /// The question, where it has no reply yet.
    pub(super) fn to(&mut self, ask: impl FnOnce() -> Ask) -> Result<&'a str, Ask> {
        self.0.next().map(String::as_str).ok_or_else(ask)
    }
}
