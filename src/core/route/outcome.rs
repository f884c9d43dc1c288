//! The ends of a call: why a model stopped, the class of an error, and the pause before a repeat.
//! The seven classes are those of the specification. Knows no server's own names.

use crate::failure::Code;
use serde::{Deserialize, Serialize};

/// The reason why the model stopped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum FinishReason {
    #[default]
    Stop,
    /// The token limit was reached: an element that was open is incomplete.
    Length,
    /// A filter withheld the rest: there is no answer.
    ContentFilter,
    /// The model called a tool.
    /// There are none here, so its text is complete.
    ToolCalls,
    /// The call failed: there is no answer.
    Error,
}

impl FinishReason {
    /// Returns the name in answers and records.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Stop => "stop",
            Self::Length => "length",
            Self::ContentFilter => "contentFilter",
            Self::ToolCalls => "toolCalls",
            Self::Error => "error",
        }
    }
}

/// The class of a failed call, which decides what to do next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorClass {
    /// The network: no connection, or one that broke.
    Network,
    Timeout,
    /// Too many calls.
    RateLimited,
    Auth,
    InvalidInput,
    /// The server failed, or its reply was no answer.
    Server,
    /// The server is there and cannot answer, or no provider can be asked.
    Unavailable,
}

impl ErrorClass {
    /// Every class, in the order of the table.
    pub const ALL: [Self; 7] = [
        Self::Network,
        Self::Timeout,
        Self::RateLimited,
        Self::Auth,
        Self::InvalidInput,
        Self::Server,
        Self::Unavailable,
    ];

    /// Returns the code of the class.
    pub const fn code(self) -> Code {
        match self {
            Self::Network => Code::ProviderNetworkError,
            Self::Timeout => Code::ProviderTimeout,
            Self::RateLimited => Code::ProviderRateLimited,
            Self::Auth => Code::ProviderAuthError,
            Self::InvalidInput => Code::ProviderInvalidInput,
            Self::Server => Code::ProviderServerError,
            Self::Unavailable => Code::ProviderUnavailable,
        }
    }

    /// Returns whether another provider is worth asking instead.
    /// A network that is down is down for all of them; if only this provider cannot be reached, its
    /// breaker opens, and that is [`Self::Unavailable`].
    pub const fn fails_over(self) -> bool {
        matches!(
            self,
            Self::Timeout | Self::RateLimited | Self::Server | Self::Unavailable
        )
    }
}

/// The `retry` section in force.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
pub struct RetryPolicy {
    /// The maximum number of repeats after the first call.
    pub max_retries: u32,
    /// The pause before the first repeat, in milliseconds.
    pub base_delay_ms: u64,
    /// The longest pause, in milliseconds.
    pub max_delay_ms: u64,
}

impl RetryPolicy {
    /// Returns the pause before repeat `attempt` (from 0), in milliseconds.
    /// It is `base * 2^attempt`, never above the maximum and never overflowing.
    pub fn delay_ms(&self, attempt: u32) -> u64 {
        let factor = 1_u64.checked_shl(attempt).unwrap_or(u64::MAX);
        let delay_ms = self.base_delay_ms.saturating_mul(factor);
        delay_ms.min(self.max_delay_ms)
    }
}

#[cfg(test)]
mod tests {
    use super::{ErrorClass, RetryPolicy};

    #[test]
    fn a_table_says_what_is_repeated_and_what_goes_to_another_provider() {
        let classes = ErrorClass::ALL.map(|class| {
            let code = class.code();
            (code.as_str(), code.retryable(), class.fails_over())
        });
        assert_eq!(
            classes,
            [
                ("PROVIDER_NETWORK_ERROR", true, false),
                ("PROVIDER_TIMEOUT", true, true),
                ("PROVIDER_RATE_LIMITED", true, true),
                ("PROVIDER_AUTH_ERROR", false, false),
                ("PROVIDER_INVALID_INPUT", false, false),
                ("PROVIDER_SERVER_ERROR", true, true),
                ("PROVIDER_UNAVAILABLE", true, true),
            ]
        );
    }

    #[test]
    fn delays_double_up_to_the_maximum_and_never_overflow() {
        let policy = RetryPolicy {
            max_retries: 3,
            base_delay_ms: 100,
            max_delay_ms: 5000,
        };
        let delays: Vec<u64> = (0..8).map(|attempt| policy.delay_ms(attempt)).collect();
        assert_eq!(delays, [100, 200, 400, 800, 1600, 3200, 5000, 5000]);
        assert_eq!(policy.delay_ms(100), 5000);
        assert_eq!(policy.delay_ms(u32::MAX), 5000);
    }
}
