//! How many tokens a model takes in at once, and who says so. Asks nobody: what a server told and what
//! a person configured come in as values.

use serde::{Deserialize, Serialize};

/// The window assumed while nobody says how large it is, in tokens: what LM Studio loads a model
/// with unless it is told otherwise.
pub const WINDOW_ASSUMED_TOKENS: u32 = 4096;

/// An answer may have one part in so many of a known window, so that the prompt keeps the rest.
const ANSWER_PART: u32 = 4;

/// The window that prompts are made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Window {
    /// Tokens of prompt and answer together.
    pub tokens: u32,
    /// Who says so.
    pub source: WindowSource,
}

/// Who says how large the window is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WindowSource {
    /// The server, of the model as it is loaded.
    Server,
    /// `provider.context_tokens`.
    Configured,
    /// Nobody.
    Assumed,
    /// The server, by how few tokens of a longer prompt it has read.
    Cut,
}

impl Window {
    /// What follows from the server's word and the configuration, each in tokens where there is one.
    /// The smaller of both holds: what a server has not room for does not fit, and a person may want
    /// less than there is.
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

    /// The same where the server has read only so many tokens of a longer prompt, if it has: whatever
    /// was said before, there is room for no more.
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

    /// What is said of a server that has read only so many tokens.
    pub fn cut_text(read_tokens: u32) -> String {
        format!("the server read only {read_tokens} tokens of a longer prompt and did not say so")
    }

    /// The smallest window that leaves a prompt so many tokens, beside an answer of at most so many.
    pub const fn least_for(prompt_tokens: u32, max_tokens: u32) -> u32 {
        // Either the answer has all that it may, or a quarter.
        let with_all = prompt_tokens.saturating_add(max_tokens);
        let before = prompt_tokens.saturating_sub(1);
        let with_part = before
            .saturating_add(before / (ANSWER_PART - 1))
            .saturating_add(if prompt_tokens == 0 { 0 } else { 1 });
        if with_all < with_part {
            with_all
        } else {
            with_part
        }
    }

    /// Whether somebody says so.
    pub const fn is_known(self) -> bool {
        !matches!(self.source, WindowSource::Assumed)
    }

    /// The most tokens that an answer may have: what the configuration grants, and of a known window
    /// never more than a quarter.
    pub const fn answer_tokens(self, max_tokens: u32) -> u32 {
        if !self.is_known() {
            return max_tokens;
        }
        let part = self.tokens / ANSWER_PART;
        let granted = if max_tokens < part { max_tokens } else { part };
        if granted == 0 { 1 } else { granted }
    }

    /// The most tokens that a prompt may have, so that the answer has room behind it. Of a window that
    /// is only assumed, too, a quarter stays free.
    pub const fn prompt_tokens(self, max_tokens: u32) -> u32 {
        let part = self.tokens / ANSWER_PART;
        let answer = if max_tokens < part { max_tokens } else { part };
        self.tokens - answer
    }
}

impl WindowSource {
    /// The word for it, behind a number of tokens.
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
