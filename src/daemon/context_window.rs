//! The context window of the asked model, and the measuring of prompts.
//!
//! The server is asked for its window twice at most, and then not again until it goes away or
//! another model is asked. Never words a prompt.

use super::asked_server::ProviderState;
use super::call_facts::SentPrompt;
use super::engine::Engine;
use super::run_profiles::RunProfile;
use super::stop::Halt;
use crate::core::journal::State;
use crate::core::prompt::{
    Calibration, PromptCount, PromptMessage, TokenMeter, Window, most_tokens,
};
use crate::provider::{ServedModel, TokenCounter};

/// The facts known about the context window of the asked model.
#[derive(Debug, Default)]
pub(super) struct ContextWindow {
    look: WindowQuery,
    pub(super) served: ServedModel,
    /// Whether the server's token counter has failed.
    counter_failed: bool,
    /// The calibration that no iteration has committed yet.
    ///
    /// It comes from the server's counter, or from a refusal.
    pub(super) counted: Option<Calibration>,
    /// The steps by which prompts shrink, after refusals for a length that name no number.
    pub(super) shrink_steps: u32,
    /// The tokens that the server has read of a longer prompt, where it did not report the cut.
    pub(super) tokens_read: Option<u32>,
    /// Whether the server's counts do not show what it has read.
    pub(super) has_partial_counts: bool,
    /// The number of examples without room, as of the last notice to a person.
    pub(super) examples_dropped: usize,
}

/// Whether the server is still to be asked for its window.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum WindowQuery {
    #[default]
    Due,
    /// It reported none; a model that is loaded by its first request has no window before it.
    AfterReply,
    /// It has answered a request since, and is asked once more.
    Last,
    Done,
}

impl ContextWindow {
    /// Makes a server that was away be asked again: it may come back with another window.
    pub(super) const fn look_again(&mut self) {
        self.look = WindowQuery::Due;
        // Refusals for length say nothing of that window.
        self.shrink_steps = 0;
        self.tokens_read = None;
        self.has_partial_counts = false;
    }

    /// Returns the server's token counter, which also shows the kind of server.
    pub(super) const fn counter(&self) -> Option<TokenCounter> {
        self.served.counter
    }

    /// Returns the window of a provider with that `context_tokens`.
    pub(super) const fn window(&self, configured: Option<u32>) -> Window {
        Window::of(self.served.window_tokens, configured).cut_at(self.tokens_read)
    }

    /// Returns whether the server may report its window now that it has answered.
    pub(super) const fn is_last_look(&self) -> bool {
        matches!(self.look, WindowQuery::Last)
    }

    pub(super) const fn answered(&mut self) {
        if matches!(self.look, WindowQuery::AfterReply) {
            self.look = WindowQuery::Last;
        }
    }

    /// Returns whether the server counts a prompt that may be too long before it is sent.
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
        WindowQuery::Due => false,
        WindowQuery::Last => true,
        WindowQuery::AfterReply | WindowQuery::Done => return Ok(()),
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
            // What was learnt otherwise holds until the server reports something else.
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
        WindowQuery::Done
    } else {
        WindowQuery::AfterReply
    };
    Ok(())
}

/// Lets the server count a prompt.
///
/// Returns `None` where a command has ended the wait, and `Some(None)` where the server did not
/// count.
pub(super) async fn count_tokens(
    engine: &mut Engine,
    messages: &[PromptMessage],
    counter: TokenCounter,
) -> Result<Option<Option<u64>>, Halt> {
    let mut apart = engine.apart();
    let provider = apart.server.pipeline.provider();
    let counted = provider.count_tokens(messages, counter);
    apart.meanwhile.wait_for(counted).await
}

impl ProviderState {
    /// Returns the counter for a prompt whose size is not known well enough.
    pub(super) fn counter_for(
        &self,
        messages: &[PromptMessage],
        profile: &RunProfile,
        state: &State,
    ) -> Option<TokenCounter> {
        let counter = self.context_window.counter()?;
        // The most tokens that any tokenizer makes of the prompt.
        let most = most_tokens(messages, self.last_counted(state));
        let room = self.prompt_budget(profile, state).prompt_tokens();
        let fits_surely = usize::try_from(most).is_ok_and(|most| most <= room);
        let is_known = self.calibration(state).is_some() && fits_surely;
        (self.context_window.counts_itself() && !is_known).then_some(counter)
    }

    /// Learns from the server's count; returns whether there was one.
    pub(super) fn take_count(&mut self, messages: &[PromptMessage], tokens: Option<u64>) -> bool {
        let counted = tokens.map(|tokens| PromptCount::of(messages, tokens));
        let Some(newer) = counted.and_then(Calibration::first) else {
            // It will not count the next prompt either, so each one is made with more caution.
            self.context_window.counter_failed = true;
            return false;
        };
        self.context_window.learn(newer);
        true
    }
}

pub(super) fn bare_tokens(messages: &[PromptMessage]) -> u64 {
    u64::try_from(TokenMeter::bare().messages(messages)).unwrap_or(u64::MAX)
}

// === silent truncation ===
//
// A server may cut a prompt that exceeds its window without an error; its reply is then to half a
// prompt. It shows in the window that the server reports once its model is loaded, or in a small
// count of the prompt; then a prompt that fits is sent once more. A count alone is not trusted: a
// server may count only what its cache lacked, and then it does not count all of the shorter prompt
// either.

/// A prompt that was cut, as far as its server's count shows.
#[derive(Clone, Copy, Debug)]
pub(super) struct TruncatedPrompt {
    /// The tokens of it that the server has read.
    pub(super) tokens: u32,
    /// The tokens that the server reads at most, as known before.
    pub(super) before: Option<u32>,
}

impl TruncatedPrompt {
    /// Returns the message that a prompt was cut, and what follows from that.
    pub(super) fn message(self, and: &str) -> String {
        let cut = Window::cut_text(self.tokens);
        format!(
            "{cut}, {and}; load the model with a larger window, or set `provider.context_tokens`"
        )
    }
}

/// Judges by the reply to the shorter prompt whether the longer one was cut.
///
/// Returns the message about it.
pub(super) fn judge_cut(
    server: &mut ProviderState,
    state: &State,
    cut: TruncatedPrompt,
    again: &SentPrompt,
) -> Option<String> {
    let counted = server.counted_in(&again.reply, &again.prompt.request.messages);
    let last = server.last_counted(state);
    let is_of_all =
        |counted: PromptCount| counted.tokens < u64::from(cut.tokens) && !counted.is_of_part(last);
    if counted.is_some_and(is_of_all) {
        return Some(cut.message("so it is asked again, and prompts are made for that"));
    }
    let tokens = cut.tokens;
    tracing::debug!(tokens, "what the server counts is not what it has read");
    server.context_window.tokens_read = cut.before;
    server.context_window.has_partial_counts = again.reply.is_ok();
    None
}

/// Returns the message that a prompt was answered for which the window had no room.
///
/// A server that reports its window only once its model is loaded may have cut it without an error,
/// so that its reply is to half a prompt.
pub(super) fn cut_by_window(
    server: &ProviderState,
    before: Window,
    profile: &RunProfile,
    messages: &[PromptMessage],
    state: &State,
) -> Option<String> {
    let prompt_budget = server.prompt_budget(profile, state);
    let is_cut = server.window() != before
        && prompt_budget.meter.messages(messages) > prompt_budget.prompt_tokens();
    let tokens = server.window().tokens;
    is_cut.then(|| format!("the loaded model has a window of {tokens} tokens; it is asked again"))
}
