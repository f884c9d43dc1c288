//! The window of a model, and the source of its size.
//! Sends no request: the size from the server and from the configuration come in as values.

use serde::{Deserialize, Serialize};

/// The window that is assumed while its size is unknown, in tokens.
/// LM Studio loads models with it by default.
pub const WINDOW_ASSUMED_TOKENS: u32 = 4096;

/// The divisor of a known window that gives the maximum share of an answer.
const ANSWER_PART: u32 = 4;

/// The window that prompts are made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Window {
    /// The tokens of prompt and answer together.
    pub tokens: u32,
    /// The source of the size.
    pub source: WindowSource,
}

/// The source of the size of a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WindowSource {
    /// The server, for the model as it is loaded.
    Server,
    /// `provider.context_tokens`.
    Configured,
    /// An assumption.
    Assumed,
    /// The server, which read only so many tokens of a longer prompt.
    Cut,
}

impl Window {
    /// Returns the window from the server's and the configured size, each in tokens if known.
    /// The smaller one applies: the server has no room for more, and a person may want less.
    pub const fn of(server: Option<u32>, configured: Option<u32>) -> Self {
        let (tokens, source) = match (server, configured) {
            (Some(server), Some(configured)) if configured < server => {
                (configured, WindowSource::Configured)
            }
            (Some(server), _) => (server, WindowSource::Server),
            (None, Some(configured)) => (configured, WindowSource::Configured),
            (None, None) => (WINDOW_ASSUMED_TOKENS, WindowSource::Assumed),
        };
        Self { tokens, source }
    }

    /// Returns the window after the server read only `read` tokens of a longer prompt, if it did.
    /// That size overrides larger ones, whatever their source.
    #[must_use]
    pub const fn cut_at(self, read: Option<u32>) -> Self {
        match read {
            Some(tokens) if tokens < self.tokens => Self {
                tokens,
                source: WindowSource::Cut,
            },
            _ => self,
        }
    }

    /// Returns the message about a server that has read only so many tokens.
    pub fn cut_text(read_tokens: u32) -> String {
        format!("the server read only {read_tokens} tokens of a longer prompt and did not say so")
    }

    /// Returns the smallest window for `prompt_tokens` beside an answer of at most `max_tokens`.
    pub fn least_for(prompt_tokens: u32, max_tokens: u32) -> u32 {
        // The answer has either all that it may have, or a quarter.
        let with_all = prompt_tokens.saturating_add(max_tokens);
        let before = prompt_tokens.saturating_sub(1);
        let with_part = before
            .saturating_add(before / (ANSWER_PART - 1))
            .saturating_add(prompt_tokens.min(1));
        with_all.min(with_part)
    }

    /// Returns whether the size is known.
    pub const fn is_known(self) -> bool {
        !matches!(self.source, WindowSource::Assumed)
    }

    /// Returns the maximum tokens of an answer: as configured, at most a quarter of a known window.
    pub fn answer_tokens(self, max_tokens: u32) -> u32 {
        if self.is_known() {
            max_tokens.min(self.tokens / ANSWER_PART).max(1)
        } else {
            max_tokens
        }
    }

    /// Returns the maximum tokens of a prompt, so that the answer has room behind it.
    /// A quarter of an assumed window stays free as well.
    pub fn prompt_tokens(self, max_tokens: u32) -> u32 {
        self.tokens - max_tokens.min(self.tokens / ANSWER_PART)
    }
}

impl WindowSource {
    /// Returns the words for the source, to stand behind a number of tokens.
    pub const fn text(self) -> &'static str {
        match self {
            Self::Server => "told by the server",
            Self::Configured => "as configured",
            Self::Assumed => "assumed",
            Self::Cut => "all that the server read of a longer prompt",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Window, WindowSource};

    #[test]
    fn the_smaller_word_holds_and_nobodys_is_4096() {
        use WindowSource::{Assumed, Configured, Server};
        let cases = [
            (Some(8192), None, 8192, Server),
            (Some(8192), Some(4096), 4096, Configured),
            (Some(4096), Some(8192), 4096, Server),
            (Some(4096), Some(4096), 4096, Server),
            (None, Some(8192), 8192, Configured),
            (None, None, 4096, Assumed),
        ];
        for (server, configured, tokens, source) in cases {
            let window = Window::of(server, configured);
            assert_eq!(
                window,
                Window { tokens, source },
                "{server:?} {configured:?}"
            );
        }
    }

    #[test]
    fn what_a_server_cut_has_the_last_word() {
        let cut = Window::of(Some(8192), Some(6000)).cut_at(Some(2048));
        assert_eq!((cut.tokens, cut.source), (2048, WindowSource::Cut));
        assert!(cut.is_known());
        for read in [None, Some(8192), Some(9000)] {
            let window = Window::of(Some(8192), None);
            assert_eq!(window.cut_at(read), window);
        }
    }

    #[test]
    fn the_least_window_for_a_prompt_is_the_first_that_leaves_it_its_tokens() {
        let room = |tokens, max_tokens| Window::of(Some(tokens), None).prompt_tokens(max_tokens);
        for prompt_tokens in (0..1000).chain([4096, 131_072]) {
            for max_tokens in [1, 16, 100, 4096] {
                let least = Window::least_for(prompt_tokens, max_tokens);
                assert!(room(least, max_tokens) >= prompt_tokens, "{least}");
                let is_least = least == 0 || room(least - 1, max_tokens) < prompt_tokens;
                assert!(is_least, "{least} for {prompt_tokens} beside {max_tokens}");
            }
        }
        assert_eq!(Window::least_for(u32::MAX, u32::MAX), u32::MAX);
    }

    #[test]
    fn an_answer_has_a_quarter_of_a_known_window_at_most() {
        let known = |tokens| Window::of(Some(tokens), None);
        assert_eq!(known(8192).answer_tokens(4096), 2048);
        assert_eq!(known(8192).answer_tokens(100), 100);
        assert_eq!(known(3).answer_tokens(100), 1);
        assert_eq!(Window::of(None, None).answer_tokens(4096), 4096);
        for window in [known(8192), known(4097), Window::of(None, None)] {
            for max_tokens in [1, 100, 4096] {
                let answer = window.answer_tokens(max_tokens).min(window.tokens / 4);
                assert_eq!(window.prompt_tokens(max_tokens) + answer, window.tokens);
            }
        }
    }
}
