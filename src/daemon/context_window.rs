//! The context window of the asked model, and how prompts are measured: the window and the meter in
//! force. What the server tells is asked for beside the model, twice at most, and then never again until the
//! server goes away or another is asked. Never words a prompt.

use super::asked_server::AskedServer;
use super::engine::Engine;
use super::halt::Halt;
use super::run_profiles::RunProfile;
use crate::core::journal::State;
use crate::core::prompt::{Calibration, Counted, Message, TokenMeter, Window};
use crate::provider::{Served, TokenCounter};

/// What is known of the context window of the asked model.
#[derive(Debug, Default)]
pub(super) struct ContextWindow {
    look: Look,
    pub(super) served: Served,
    /// Whether its counter of tokens has failed.
    counter_failed: bool,
    /// What was counted before an iteration could be committed with it: by the server's counter, or
    /// in a refusal.
    pub(super) counted: Option<Calibration>,
    /// How often a prompt was too long without a number that says by how much.
    pub(super) shrink_steps: u32,
    /// All that the server has read of a prompt that was longer, where it did not say so.
    pub(super) tokens_read: Option<u32>,
    /// Whether its counts say nothing of what it has read.
    pub(super) has_partial_counts: bool,
    /// Examples that have no room, as a person was told.
    pub(super) examples_dropped: usize,
}

/// Whether the server is still to be asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Look {
    /// It is.
    #[default]
    Due,
    /// It told nothing; a model that is only loaded by its first question has no window before it.
    AfterReply,
    /// It has answered a question since.
    Last,
    /// It is not.
    Done,
}

impl ContextWindow {
    /// The server was away: it may come back with another window.
    pub(super) const fn look_again(&mut self) {
        self.look = Look::Due;
        // What it found too long says nothing of that one.
        self.shrink_steps = 0;
        self.tokens_read = None;
        self.has_partial_counts = false;
    }

    /// The counter of tokens that such a server has, which also tells what server it is.
    pub(super) const fn counter(&self) -> Option<TokenCounter> {
        self.served.counter
    }

    /// The window that it makes for a provider with that `context_tokens`.
    pub(super) const fn window(&self, configured: Option<u32>) -> Window {
        Window::of(self.served.window_tokens, configured).cut_at(self.tokens_read)
    }

    /// Whether the server may tell its window now that it has answered.
    pub(super) const fn is_last_look(&self) -> bool {
        matches!(self.look, Look::Last)
    }

    /// A question was answered.
    pub(super) const fn answered(&mut self) {
        if matches!(self.look, Look::AfterReply) {
            self.look = Look::Last;
        }
    }

    /// Whether the server counts a prompt that may turn out too long, before it is asked.
    pub(super) const fn counts_itself(&self) -> bool {
        self.counter().is_some() && !self.counter_failed
    }

    pub(super) fn learn(&mut self, newer: Calibration) {
        let known = self.counted;
        self.counted = Some(known.map_or(newer, |known| known.or_more(newer)));
    }
}

/// Asks the server for its window, while that may bring something.
pub(super) async fn query_window(engine: &mut Engine) -> Result<(), Halt> {
    let is_last = match engine.server().context_window.look {
        Look::Due => false,
        Look::Last => true,
        Look::AfterReply | Look::Done => return Ok(()),
    };
    let mut apart = engine.apart();
    let served = apart.server.pipeline.provider().served();
    let Some(served) = apart.meanwhile.wait_for(served).await? else {
        return Ok(());
    };
    let is_reported = match served {
        Ok(mut served) => {
            let is_reported = served.window_tokens.is_some();
            let window = &mut engine.server_mut().context_window;
            // What was learnt otherwise holds until something else is told.
            served.window_tokens = served.window_tokens.or(window.served.window_tokens);
            window.served = served;
            window.counter_failed = false;
            is_reported
        }
        Err(error) => {
            tracing::debug!(code = %error.code, "the server does not tell its window: {error}");
            false
        }
    };
    engine.server_mut().context_window.look = if is_reported || is_last {
        Look::Done
    } else {
        Look::AfterReply
    };
    Ok(())
}

/// Lets the server count a prompt. Returns nothing where a command has ended the wait.
pub(super) async fn count_tokens(
    engine: &mut Engine,
    messages: &[Message],
    counter: TokenCounter,
) -> Result<Option<Option<u64>>, Halt> {
    let mut apart = engine.apart();
    let provider = apart.server.pipeline.provider();
    let counted = provider.count_tokens(messages, counter);
    apart.meanwhile.wait_for(counted).await
}

impl AskedServer {
    /// Returns the counter that a prompt is to be counted by, where its size is not known well enough.
    pub(super) fn counter_for(
        &self,
        messages: &[Message],
        profile: &RunProfile,
        state: &State,
    ) -> Option<TokenCounter> {
        let counter = self.context_window.counter()?;
        let is_known =
            self.calibration(state).is_some() && self.fits_surely(messages, profile, state);
        (self.context_window.counts_itself() && !is_known).then_some(counter)
    }

    /// Takes in what the server has counted. Returns whether it has.
    pub(super) fn take_count(&mut self, messages: &[Message], tokens: Option<u64>) -> bool {
        let counted = tokens.map(|tokens| Counted::of(messages, tokens));
        let Some(newer) = counted.and_then(Calibration::first) else {
            // It will not count the next one either, so each is made with more caution.
            self.context_window.counter_failed = true;
            return false;
        };
        self.context_window.learn(newer);
        true
    }
}

/// The bare estimate of a prompt.
pub(super) fn bare_tokens(messages: &[Message]) -> u64 {
    u64::try_from(TokenMeter::bare().messages(messages)).unwrap_or(u64::MAX)
}
