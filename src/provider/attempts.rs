//! The attempts of a call at one server: how many there were, what they came to, and what comes next.
//! Decides nothing and asks nobody; the pipeline does.

use super::types::{Contact, LlmReply, ProviderError, Usage};
use crate::failure::Code;

/// The attempts of a call at one server, while it is under way.
#[derive(Debug, Default)]
pub struct Attempts {
    /// Those at the same question before the wait that this call ends.
    pub(super) before: u32,
    pub(super) made: u32,
    /// How many of them were refused for what is left out since: they are no failures.
    pub(super) left_out: u32,
    pub(super) failures: Vec<Code>,
    /// What answers took that were no use.
    pub(super) billed: Usage,
    /// The pause before the next attempt, in milliseconds.
    pub(super) pause_ms: u64,
    /// Whether the rate limit lets the next attempt through.
    pub(super) is_granted: bool,
    /// The newest answer; the last one, if nothing follows.
    pub(super) reply: Option<Result<LlmReply, ProviderError>>,
    pub(super) is_over: bool,
    /// Attempts at the question so far, where it has more once the server is no longer left alone.
    pub(super) postponed: Option<u32>,
    /// Whether a pause was kept that the server had asked others for.
    pub(super) has_paused: bool,
}

/// What a call needs next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// A pause of so many milliseconds.
    Pause(u64),
    /// An attempt: ask the provider, and tell the pipeline how it went.
    Attempt,
    /// Nothing: it is over.
    Over,
}

/// How a call ended.
#[derive(Debug)]
pub struct CallOutcome {
    /// The reply, or the error of the last attempt.
    pub reply: Result<LlmReply, ProviderError>,
    /// Requests made, the first one included.
    pub attempts: u32,
    /// What the attempts that failed came to, in order: the codes of [`ErrorClass`] where there is one.
    pub failures: Vec<Code>,
    /// What answers took that came and were no use.
    pub billed: Usage,
    /// Attempts at the question so far, where the call ended before its repeats did: the server is left
    /// alone until a known time, and the question is worth putting then.
    pub postponed: Option<u32>,
}

impl Attempts {
    /// A call that goes on with a question that was postponed after so many attempts.
    pub fn after(attempts: u32) -> Self {
        Self {
            before: attempts,
            ..Self::default()
        }
    }

    /// Why it waits, where a server has given the reason.
    pub fn trouble(&self) -> Option<&ProviderError> {
        self.reply.as_ref()?.as_ref().err()
    }

    /// What its pause is for: the limit of a minute, where that lets the next attempt through after it,
    /// else what came of the last one.
    pub fn waits_for(&self) -> Code {
        let trouble = self.trouble().filter(|_| !self.is_granted);
        trouble.map_or(Code::RateLimited, |error| error.code)
    }

    /// Whether nothing follows.
    pub const fn is_over(&self) -> bool {
        self.is_over
    }

    /// What its attempts came to counts on when the question is put again. A server that is away is
    /// waited for however often that takes.
    pub(super) fn postpone(&mut self) {
        let is_away = self
            .trouble()
            .is_some_and(|error| error.code == Code::LlmUnavailable);
        let failed = self.made.saturating_sub(self.left_out);
        let attempts = self.before.saturating_add(failed);
        self.postponed = (failed > 0 && !is_away).then_some(attempts);
    }

    /// Ends it without another attempt.
    pub fn refuse(&mut self, error: ProviderError) {
        self.reply = Some(Err(error));
        self.is_over = true;
    }

    /// How it ended.
    pub fn into_outcome(self) -> CallOutcome {
        let unasked = || {
            let message = "the call ended before it began".to_owned();
            Err(ProviderError::held(Code::Internal, message, None))
        };
        CallOutcome {
            reply: self.reply.unwrap_or_else(unasked),
            attempts: self.made,
            failures: self.failures,
            billed: self.billed,
            postponed: self.postponed,
        }
    }
}

/// An error of a call that was not made: the server is worth asking again after so long.
pub(super) fn retry_later(code: Code, message: String, wait_ms: u64) -> ProviderError {
    ProviderError {
        contact: Contact::Postponed,
        ..ProviderError::held(code, message, Some(wait_ms))
    }
}
