//! The seven classes of a provider's errors, from the table of the specification.
//! A class says whether to repeat the call and whether to ask another provider.

use crate::failure::Code;

/// The class of a failed call, which decides what to do next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorClass {
    /// The network: no connection, or one that broke.
    Network,
    /// No answer in time.
    Timeout,
    /// Too many calls.
    RateLimited,
    /// The key was refused.
    Auth,
    /// The request was refused.
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

    /// Returns whether the same provider is worth asking again.
    pub const fn is_repeated(self) -> bool {
        !matches!(self, Self::Auth | Self::InvalidInput)
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

#[cfg(test)]
mod tests {
    use super::ErrorClass;

    #[test]
    fn a_table_says_what_is_repeated_and_what_goes_to_another_provider() {
        let classes = ErrorClass::ALL.map(|class| {
            let code = class.code();
            assert_eq!(code.retryable(), class.is_repeated(), "{code}");
            (code.as_str(), class.is_repeated(), class.fails_over())
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
}
