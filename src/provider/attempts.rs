//! The attempts of a call at one server: their number, their results, and the next action. Decides
//! nothing and sends nothing; the pipeline does.

use super::types::{Contact, LlmReply, ProviderError, Usage};
use crate::failure::Code;

/// The attempts of a running call at one server.
#[derive(Debug, Default)]
pub struct Attempts {
    /// The attempts at this request before the wait that this call ends.
    pub(super) before: u32,
    pub(super) made: u32,
    /// The attempts that failed because of a member that is left out since.
    /// They count as no failures.
    pub(super) left_out: u32,
    pub(super) failures: Vec<Code>,
    /// The usage of the replies that could not be used.
    pub(super) billed: Usage,
    /// The pause before the next attempt, in milliseconds.
    pub(super) pause_ms: u64,
    /// Whether the rate limit lets the next attempt through.
    pub(super) is_granted: bool,
    /// The newest result; the final one when the call is over.
    pub(super) reply: Option<Result<LlmReply, ProviderError>>,
    pub(super) is_over: bool,
    /// The number of attempts so far, where the request is to be repeated.
    /// The repeat comes once the server is no longer left alone.
    pub(super) postponed: Option<u32>,
    /// Whether the pause that the server asked other calls for was kept.
    pub(super) has_paused: bool,
}

/// The next action of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// Wait for that many milliseconds.
    Pause(u64),
    /// Send the request and report the result to the pipeline.
    Attempt,
    /// Nothing: the call is over.
    Over,
}

/// The result of a call.
#[derive(Debug)]
pub struct CallOutcome {
    /// The reply, or the error of the last attempt.
    pub reply: Result<LlmReply, ProviderError>,
    /// The number of requests made, the first one included.
    pub attempts: u32,
    /// The codes of the failed attempts, in order.
    /// It is the code of the `ErrorClass` where there is one.
    pub failures: Vec<Code>,
    /// The usage of the replies that could not be used.
    pub billed: Usage,
    /// The number of attempts so far, where the call ended before its repeats did.
    /// The server is left alone until a known time, and the request is worth repeating then.
    pub postponed: Option<u32>,
}

impl Attempts {
    /// Creates the attempts of a call that resumes a request, postponed after `attempts` attempts.
    pub fn after(attempts: u32) -> Self {
        Self {
            before: attempts,
            ..Self::default()
        }
    }

    /// Returns the error of the newest attempt, if it failed.
    pub fn trouble(&self) -> Option<&ProviderError> {
        self.reply.as_ref()?.as_ref().err()
    }

    /// Returns the code that explains the pause.
    /// It is `RATE_LIMITED` for the limit of a minute, else the code of the last error.
    pub fn waits_for(&self) -> Code {
        let trouble = self.trouble().filter(|_| !self.is_granted);
        trouble.map_or(Code::RateLimited, |error| error.code)
    }

    /// Returns whether the call is over.
    pub const fn is_over(&self) -> bool {
        self.is_over
    }

    /// Postpones the request, so that its next call goes on counting the attempts.
    /// A server that is unreachable is waited for without a limit, so its attempts are not counted.
    pub(super) fn postpone(&mut self) {
        let is_away = self
            .trouble()
            .is_some_and(|error| error.code == Code::LlmUnavailable);
        let failed = self.made.saturating_sub(self.left_out);
        let attempts = self.before.saturating_add(failed);
        self.postponed = (failed > 0 && !is_away).then_some(attempts);
    }

    /// Ends the call with an error, without another attempt.
    pub fn refuse(&mut self, error: ProviderError) {
        self.reply = Some(Err(error));
        self.is_over = true;
    }

    /// Returns the result of the call.
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

/// Creates the error of a call that was not made because the server is left alone for `wait_ms`.
pub(super) fn retry_later(code: Code, message: String, wait_ms: u64) -> ProviderError {
    ProviderError {
        contact: Contact::Postponed,
        ..ProviderError::held(code, message, Some(wait_ms))
    }
}
