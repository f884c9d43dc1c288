//! The context window of the asked model, and how prompts are measured: the window and the meter in
//! force. What the server tells is asked for beside the model, twice at most, and then never again until the
//! server goes away or another is asked. Never words a prompt.

use super::engine::Engine;
use super::halt::Halt;
use super::run_profiles::RunProfile;
use crate::core::prompt::{Calibration, Counted, Message, TokenMeter, Window};
use crate::provider::{LlmRequest, Served, TokenCounter};

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

/// Whether a prompt that was just answered had no room: a server that tells its window only once its
/// model is loaded may have cut it without a word, and what such an answer says is of half a question.
pub(super) async fn was_truncated(
    engine: &mut Engine,
    profile: &RunProfile,
    request: &LlmRequest,
) -> Result<bool, Halt> {
    if engine.server().context_window.look != Look::Last {
        return Ok(false);
    }
    let before = engine.server().window();
    query_window(engine).await?;
    let prompt_budget = engine.server().prompt_budget(profile, engine.state());
    let was_truncated = engine.server().window() != before
        && prompt_budget.meter.messages(&request.messages) > prompt_budget.prompt_tokens();
    if was_truncated {
        let tokens = engine.server().window().tokens;
        let message =
            format!("the loaded model has a window of {tokens} tokens; it is asked again");
        engine.notice(&message);
    }
    Ok(was_truncated)
}

/// Lets the server count a prompt whose size is not known well enough. Gives whether the prompt has
/// to be made anew: the meter counts more since, or the server does not count after all.
pub(super) async fn count_first(
    engine: &mut Engine,
    profile: &RunProfile,
    request: &LlmRequest,
) -> Result<bool, Halt> {
    let counter = engine.server().context_window.counter();
    let Some(counter) = counter.filter(|_| engine.server().context_window.counts_itself()) else {
        return Ok(false);
    };
    let meter = engine.server().meter(engine.state());
    if engine.server().calibration(engine.state()).is_some()
        && engine
            .server()
            .fits_surely(&request.messages, profile, engine.state())
    {
        return Ok(false);
    }
    let mut apart = engine.apart();
    let provider = apart.server.pipeline.provider();
    let counted = provider.count_tokens(&request.messages, counter);
    let Some(counted) = apart.meanwhile.wait_for(counted).await? else {
        return Ok(false);
    };
    let counted = counted.map(|tokens| Counted::of(&request.messages, tokens));
    let Some(newer) = counted.and_then(Calibration::first) else {
        // It will not count the next one either, so each is made with more caution.
        engine.server_mut().context_window.counter_failed = true;
        return Ok(true);
    };
    engine.server_mut().context_window.learn(newer);
    Ok(engine.server().meter(engine.state()) != meter)
}

/// The bare estimate of a prompt.
pub(super) fn bare_tokens(messages: &[Message]) -> u64 {
    u64::try_from(TokenMeter::bare().messages(messages)).unwrap_or(u64::MAX)
}
