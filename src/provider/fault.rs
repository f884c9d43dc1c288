//! A failed call before it is worded for people: the error, whose message is only a reason, and,
//! apart from it, the server's words. It holds untrusted words, so it never leaves this module;
//! `ProviderError` does.

use super::error_excerpt;
use super::types::{Contact, FinishReason, PromptMessage, ProviderError};
use crate::config::Secret;
use crate::failure::Code;
use std::time::UNIX_EPOCH;

/// The reason why a call failed.
#[derive(Debug)]
pub(super) struct Fault {
    /// The error; its message is the reason in our own words, in a form that follows `host: `.
    pub(super) error: ProviderError,
    /// The server's words about it: untrusted, shown only through [`super::error_excerpt`].
    pub(super) quote: Option<String>,
}

/// Refuses to speak TLS under a clock before 1970.
// No certificate is valid then, and the TLS library panics on such a time.
pub(super) fn check_clock() -> Result<(), Fault> {
    if UNIX_EPOCH.elapsed().is_ok() {
        return Ok(());
    }
    let reason = "no connection: the clock is before 1970, when no certificate is valid; set it";
    Err(Fault::passing(Code::LlmUnavailable, reason).at(Contact::None))
}

/// Creates the fault of a reply that is not UTF-8 text.
pub(super) fn not_text() -> Fault {
    Fault::lasting(Code::XmlParseError, "the answer is not UTF-8 text")
}

/// Creates the fault of a reply that ends too early.
pub(super) fn cut_short() -> Fault {
    Fault::passing(Code::ProviderBadResponse, "the answer was cut short")
}

impl Fault {
    /// Creates a fault that a repeat does not cure.
    pub(super) fn lasting(code: Code, reason: impl Into<String>) -> Self {
        Self {
            error: ProviderError {
                contact: Contact::Made,
                ..ProviderError::held(code, reason.into(), None)
            },
            quote: None,
        }
    }

    /// Creates a fault that a repeat may cure.
    pub(super) fn passing(code: Code, reason: impl Into<String>) -> Self {
        let mut fault = Self::lasting(code, reason);
        fault.error.retry = true;
        fault
    }

    pub(super) fn at(mut self, contact: Contact) -> Self {
        self.error.contact = contact;
        self
    }

    pub(super) fn ending_in(mut self, finish: FinishReason) -> Self {
        self.error.finish = finish;
        self
    }

    /// Words the fault: who failed, why, and the server's words.
    /// Words that quote a key or the prompt are left out.
    pub(super) fn into_error(
        self,
        who: &str,
        keys: &[Secret],
        messages: &[PromptMessage],
    ) -> ProviderError {
        let shown = self
            .quote
            .and_then(|words| error_excerpt::shown(&words, keys, messages))
            .map_or_else(String::new, |words| format!(": {words}"));
        ProviderError {
            message: format!("{who}: {}{shown}", self.error.message),
            ..self.error
        }
    }
}
