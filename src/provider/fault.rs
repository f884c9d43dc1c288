//! A failed call before it is worded for people: code, reason and, apart from them, the server's
//! words. It holds untrusted words, so it never leaves this module;
//! `ProviderError` does.

use super::quote;
use super::types::{Contact, FinishReason, Message, Objection, Overflow, ProviderError, Usage};
use crate::config::Secret;
use crate::failure::Code;
use std::time::UNIX_EPOCH;

/// The reason why a call failed.
#[derive(Debug)]
pub(super) struct Fault {
    /// The stable code.
    pub(super) code: Code,
    /// The reason in our own words, in a form that follows `host: `.
    pub(super) reason: String,
    /// The server's words about it: untrusted, shown only through [`super::quote`].
    pub(super) quote: Option<String>,
    /// Whether a repeat may work a little later.
    pub(super) retry: bool,
    /// The pause that the server asked for, in milliseconds.
    pub(super) retry_after_ms: Option<u64>,
    /// The sizes of a prompt that does not fit.
    pub(super) overflow: Option<Overflow>,
    /// The reason why there is no reply, as a finish reason.
    pub(super) finish: FinishReason,
    /// The progress of the request.
    pub(super) contact: Contact,
    /// The part of the request that the server objects to.
    pub(super) objection: Objection,
    /// The usage of a reply that arrived but could not be used.
    pub(super) billed: Option<Box<Usage>>,
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

impl Fault {
    /// Creates a fault that a repeat does not cure.
    pub(super) fn lasting(code: Code, reason: impl Into<String>) -> Self {
        Self {
            code,
            reason: reason.into(),
            quote: None,
            retry: false,
            retry_after_ms: None,
            overflow: None,
            finish: FinishReason::Error,
            contact: Contact::Made,
            objection: Objection::None,
            billed: None,
        }
    }

    /// Returns the fault with another contact.
    pub(super) fn at(self, contact: Contact) -> Self {
        Self { contact, ..self }
    }

    /// Creates a fault that a repeat may cure.
    pub(super) fn passing(code: Code, reason: impl Into<String>) -> Self {
        Self {
            retry: true,
            ..Self::lasting(code, reason)
        }
    }

    /// Words the fault: who failed, why, and the server's words.
    /// Words that quote a key or the prompt are left out.
    pub(super) fn word(self, who: &str, keys: &[Secret], messages: &[Message]) -> ProviderError {
        let mut message = format!("{who}: {}", self.reason);
        let said = self
            .quote
            .and_then(|words| quote::shown(&words, keys, messages));
        if let Some(said) = said {
            message.push_str(": ");
            message.push_str(&said);
        }
        ProviderError {
            code: self.code,
            message,
            retry: self.retry,
            retry_after_ms: self.retry_after_ms,
            overflow: self.overflow,
            finish: self.finish,
            contact: self.contact,
            objection: self.objection,
            billed: self.billed,
        }
    }
}
