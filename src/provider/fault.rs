//! A failed call before it is worded for people: code, reason, and the server's own words apart.
//! Holds untrusted words, so it never leaves this module; [`ProviderError`](super::ProviderError) does.

use super::quote;
use super::types::{Contact, FinishReason, Message, Objection, Overflow, ProviderError, Usage};
use crate::config::Secret;
use crate::failure::Code;
use std::time::UNIX_EPOCH;

/// Why a call failed.
#[derive(Debug)]
pub(super) struct Fault {
    /// The stable code.
    pub(super) code: Code,
    /// Our own words, in a form that follows `host: `.
    pub(super) reason: String,
    /// What the server said about it: untrusted, shown only through [`super::quote`].
    pub(super) quote: Option<String>,
    /// Whether the same call may work a little later.
    pub(super) retry: bool,
    /// The pause that the server asked for, in milliseconds.
    pub(super) retry_after_ms: Option<u64>,
    /// The numbers of a prompt that does not fit.
    pub(super) overflow: Option<Overflow>,
    /// Why there is no answer, in the words of a finish reason.
    pub(super) finish: FinishReason,
    /// How far the request came.
    pub(super) contact: Contact,
    /// What of the request it is about.
    pub(super) objection: Objection,
    /// What an answer took that came and is no use.
    pub(super) billed: Option<Box<Usage>>,
}

/// Refuses to speak TLS under a clock before 1970: no certificate is valid then, and what reads the time for it
/// panics.
pub(super) fn check_clock() -> Result<(), Fault> {
    if UNIX_EPOCH.elapsed().is_ok() {
        return Ok(());
    }
    let reason = "no connection: the clock is before 1970, when no certificate is valid; set it";
    Err(Fault::passing(Code::LlmUnavailable, reason).at(Contact::None))
}

impl Fault {
    /// A fault that a repeat does not cure.
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

    /// The same fault of a request that came so far.
    pub(super) fn at(self, contact: Contact) -> Self {
        Self { contact, ..self }
    }

    /// A fault that a repeat may cure.
    pub(super) fn passing(code: Code, reason: impl Into<String>) -> Self {
        Self {
            retry: true,
            ..Self::lasting(code, reason)
        }
    }

    /// Words it: who failed and why, then the server's words if they repeat nothing of ours.
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
