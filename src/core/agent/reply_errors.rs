//! Decides how to ask again for a reply that could not be read.
//! A small model gives the same answer to the same question. So each attempt has another form, and
//! when no form is left, nothing is asked. Pure: the caller sends the question.

use super::copied_example::is_copied;
use super::prompt_echo::is_echo;
use super::result::{ActionResult, REPLY};
use crate::core::prompt::PromptMessage;
use crate::core::protocol::{Diagnostic, EarlyStop, ParsedReply, Sample, Severity};
use crate::core::steps::question::Question;
use crate::failure::Code;

/// The message for a reply that repeated itself.
const REPEATED: &str = "the reply repeated itself and was stopped; write each instruction once";

/// The message for a reply that was too long.
const TOO_LONG: &str = "the reply was far too long and was stopped; write one or two instructions";

/// The message for a reply that contains the question.
const ECHOED: &str = "the reply repeats the question; answer with one short instruction only.";

/// The message for a reply that copies an example.
const COPIED: &str = "that is one of the examples; write what the request of now says";

/// The message for a mistake made twice, if the reply has no text of its own to show as an example.
const AGAIN: &str = "the same mistake again; answer with one short instruction only.";

/// The maximum number of problems that one error names.
const PROBLEMS_MAX: usize = 2;

/// The reason why a reply does not count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplyError {
    /// The code that the run fails with if nothing helps.
    pub code: Code,
    /// One or two short sentences.
    pub message: String,
    /// The first failed instruction as it would be right.
    pub example: Option<Sample>,
}

/// The parts of a prompt that do not come from the state.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PromptAdditions {
    /// Results beside those that are kept.
    pub results: Vec<ActionResult>,
    /// An answer that is shown as given to this very question before.
    pub example: Option<String>,
    /// The question that is asked in place of the state's own.
    pub question: Option<Question>,
}

/// The errors of one iteration, in order.
#[derive(Debug, Default)]
pub struct ReplyErrors {
    made: Vec<ReplyError>,
}

impl ReplyError {
    /// Returns the error of a reply to these messages, or `None` if the reply counts.
    /// A note that copies an example counts only if the `request` mentions it.
    pub fn against(
        parsed: &ParsedReply,
        text: &str,
        messages: &[PromptMessage],
        early_stop: Option<EarlyStop>,
        request: Option<&str>,
    ) -> Option<Self> {
        if !parsed.ok {
            return Some(Self::about(parsed, early_stop));
        }
        if is_echo(text, messages) {
            return Some(Self::plain(Code::XmlParseError, ECHOED.to_owned()));
        }
        let is_copied = request.is_some_and(|request| is_copied(parsed, messages, request));
        is_copied.then(|| Self::plain(Code::ExampleCopied, COPIED.to_owned()))
    }

    fn about(parsed: &ParsedReply, early_stop: Option<EarlyStop>) -> Self {
        let runaway = |message: &str| Self {
            code: Code::LlmReplyRunaway,
            message: message.to_owned(),
            example: None,
        };
        match early_stop {
            Some(EarlyStop::Repetition) => runaway(REPEATED),
            Some(EarlyStop::TooLong) => runaway(TOO_LONG),
            Some(EarlyStop::Complete | EarlyStop::ForeignTag) | None => Self::of_errors(parsed),
        }
    }

    /// Returns an error about the first problems of a reply.
    fn of_errors(parsed: &ParsedReply) -> Self {
        let diagnostics = || parsed.diagnostics.iter();
        // A dropped instruction says more than the message that no instruction is left.
        let dropped = diagnostics().filter(|found| found.dropped.is_some());
        let mut reported: Vec<&Diagnostic> = dropped.collect();
        if reported.is_empty() {
            reported.extend(diagnostics().filter(|found| found.severity == Severity::Error));
        }
        reported.truncate(PROBLEMS_MAX);
        let messages: Vec<&str> = reported
            .iter()
            .map(|found| found.message.as_str())
            .collect();
        Self {
            code: Code::XmlParseError,
            message: messages.join(" "),
            example: reported.into_iter().find_map(|found| found.example.clone()),
        }
    }

    /// Returns an error without an example.
    pub const fn plain(code: Code, message: String) -> Self {
        Self {
            code,
            message,
            example: None,
        }
    }

    fn result(&self, message: &str) -> ActionResult {
        let example = self.example.as_ref().map(|it| it.text.to_string());
        ActionResult::error(REPLY, self.code, message, example)
    }
}

impl PromptAdditions {
    /// Replaces all but the first `kept` results, and the worked answer.
    pub fn replace(&mut self, kept: usize, next: Self) {
        self.results.truncate(kept);
        self.results.extend(next.results);
        self.example = next.example;
    }
}

impl ReplyErrors {
    /// Records an error and returns the additions to the next question.
    /// `None` if every form was tried: the same question would get the same answer.
    pub fn add(&mut self, error: ReplyError) -> Option<PromptAdditions> {
        let same = self.made.iter().filter(|made| **made == error);
        let times = same.count() + 1;
        let additions = Self::form(times, &error);
        self.made.push(error);
        additions
    }

    /// Returns the additions to the question after an error that was made `times` times.
    fn form(times: usize, error: &ReplyError) -> Option<PromptAdditions> {
        match (times, &error.example) {
            (1, _) => Some(PromptAdditions {
                results: vec![error.result(&error.message)],
                ..PromptAdditions::default()
            }),
            // The model would copy a text that nobody wrote, and it would take effect.
            (2, Some(example)) if example.is_own => Some(PromptAdditions {
                results: Vec::new(),
                example: Some(example.text.to_string()),
                question: None,
            }),
            (2, _) => Some(PromptAdditions {
                results: vec![error.result(AGAIN)],
                ..PromptAdditions::default()
            }),
            _ => None,
        }
    }
}
