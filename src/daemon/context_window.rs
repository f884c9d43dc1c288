//! The context window of the asked model, and how prompts are measured: the window and the meter in
//! force. What the server tells is asked for beside the model, twice at most, and then never again until the
//! server goes away or another is asked. Never words a prompt.

use super::agent::{Agent, Halt};
use super::observer::LoopEvent;
use super::provider_pool::AskedServer;
use crate::core::prompt::{
    Calibration, Counted, Message, TokenMeter, Window, most_tokens, unchecked_meter,
};
use crate::provider::{LlmReply, LlmRequest, Overflow, ProviderError, Served, TokenCounter};

/// What is known of the context window of the asked model.
#[derive(Debug, Default)]
pub(super) struct ContextWindow {
    look: Look,
    served: Served,
    /// Whether its counter of tokens has failed.
    counter_failed: bool,
    /// What was counted before an iteration could be committed with it: by the server's counter, or
    /// in a refusal.
    counted: Option<Calibration>,
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
    const fn answered(&mut self) {
        if matches!(self.look, Look::AfterReply) {
            self.look = Look::Last;
        }
    }

    fn learn(&mut self, newer: Calibration) {
        let known = self.counted;
        self.counted = Some(known.map_or(newer, |known| known.or_more(newer)));
    }
}

impl Agent {
    /// The window that prompts are made for.
    pub fn window(&self) -> Window {
        self.server().window()
    }

    /// Counts tokens as the server of the asked model is known to; never fewer, as far as past counts
    /// can tell.
    pub fn meter(&self) -> TokenMeter {
        self.meter_of(self.server())
    }

    /// The same of a provider, whether it is asked now or not.
    pub(super) fn meter_of(&self, server: &AskedServer) -> TokenMeter {
        let known = self.calibration_of(server);
        known.map_or_else(unchecked_meter, Calibration::meter)
    }

    fn calibration(&self) -> Option<Calibration> {
        self.calibration_of(self.server())
    }

    fn calibration_of(&self, server: &AskedServer) -> Option<Calibration> {
        let committed = self.store.state().calibrations.of(server.asked_model());
        match (committed, server.context_window.counted) {
            (Some(committed), Some(counted)) => Some(committed.or_more(counted)),
            (committed, counted) => committed.or(counted),
        }
    }

    /// The most tokens that an answer may have.
    pub(super) fn answer_tokens(&self) -> u32 {
        self.window().answer_tokens(self.server().config.max_tokens)
    }

    /// Asks the server for its window, while that may bring something.
    pub(super) async fn query_window(&mut self) -> Result<(), Halt> {
        let is_last = match self.server().context_window.look {
            Look::Due => false,
            Look::Last => true,
            Look::AfterReply | Look::Done => return Ok(()),
        };
        let mut apart = self.apart();
        let served = apart.server.pipeline.provider().served();
        let Some(served) = apart.meanwhile.wait_for(served).await? else {
            return Ok(());
        };
        let is_reported = match served {
            Ok(mut served) => {
                let is_reported = served.window_tokens.is_some();
                let window = &mut self.server_mut().context_window;
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
        self.server_mut().context_window.look = if is_reported || is_last {
            Look::Done
        } else {
            Look::AfterReply
        };
        Ok(())
    }

    /// Whether a prompt that was just answered had no room: a server that tells its window only once its
    /// model is loaded may have cut it without a word, and what such an answer says is of half a question.
    pub(super) async fn was_truncated(&mut self, request: &LlmRequest) -> Result<bool, Halt> {
        if self.server().context_window.look != Look::Last {
            return Ok(false);
        }
        let before = self.window();
        self.query_window().await?;
        let prompt_budget = self.prompt_budget();
        let was_truncated = self.window() != before
            && prompt_budget.meter.messages(&request.messages) > prompt_budget.prompt_tokens();
        if was_truncated {
            let tokens = self.window().tokens;
            let message =
                format!("the loaded model has a window of {tokens} tokens; it is asked again");
            self.observer
                .on_event(LoopEvent::Notice { message: &message });
        }
        Ok(was_truncated)
    }

    /// Lets the server count a prompt whose size is not known well enough. Gives whether the prompt has
    /// to be made anew: the meter counts more since, or the server does not count after all.
    pub(super) async fn count_first(&mut self, request: &LlmRequest) -> Result<bool, Halt> {
        let counter = self.server().context_window.counter();
        let Some(counter) = counter.filter(|_| self.counts_itself()) else {
            return Ok(false);
        };
        let meter = self.meter();
        if self.calibration().is_some() && self.fits_surely(&request.messages) {
            return Ok(false);
        }
        let mut apart = self.apart();
        let provider = apart.server.pipeline.provider();
        let counted = provider.count_tokens(&request.messages, counter);
        let Some(counted) = apart.meanwhile.wait_for(counted).await? else {
            return Ok(false);
        };
        let counted = counted.map(|tokens| Counted::of(&request.messages, tokens));
        let Some(newer) = counted.and_then(Calibration::first) else {
            // It will not count the next one either, so each is made with more caution.
            self.server_mut().context_window.counter_failed = true;
            return Ok(true);
        };
        self.server_mut().context_window.learn(newer);
        Ok(self.meter() != meter)
    }

    /// Whether a prompt fits even if its characters are as dear as any tokenizer makes them.
    fn fits_surely(&self, messages: &[Message]) -> bool {
        let prompt_tokens = self.prompt_budget().prompt_tokens();
        let most = most_tokens(messages, self.last_counted());
        usize::try_from(most).is_ok_and(|most| most <= prompt_tokens)
    }

    /// The last prompt that the server has counted.
    pub(super) fn last_counted(&self) -> Option<Counted> {
        self.calibration().and_then(Calibration::last)
    }

    /// Whether the server counts a prompt that may turn out too long, before it is asked.
    pub(super) fn counts_itself(&self) -> bool {
        self.server().context_window.counter().is_some()
            && !self.server().context_window.counter_failed
    }

    /// Takes from an answer what it says of the room. Gives whether it changed: after a refusal the
    /// prompt has to be made anew.
    pub(super) fn learn_window(
        &mut self,
        request: &LlmRequest,
        reply: &Result<LlmReply, ProviderError>,
    ) -> bool {
        let overflow = match reply {
            Ok(_) => {
                self.server_mut().context_window.answered();
                None
            }
            Err(error) => error.overflow,
        };
        let Some(Overflow {
            prompt_tokens,
            window_tokens,
        }) = overflow
        else {
            return false;
        };
        let before = (self.window(), self.meter());
        if window_tokens.is_some() {
            self.server_mut().context_window.served.window_tokens = window_tokens;
        }
        let counted = prompt_tokens.map(|tokens| Counted::of(&request.messages, tokens));
        if let Some(newer) = counted.and_then(Calibration::first) {
            self.server_mut().context_window.learn(newer);
        }
        (self.window(), self.meter()) != before
    }

    /// After a commit: what the journal has now counts, and what it does not have fades.
    pub(super) fn forget_counts(&mut self) {
        let committed = self.store.state().calibrations.of(self.asked_model());
        if let (Some(committed), Some(counted)) = (committed, self.server().context_window.counted)
        {
            let faded = counted.and(committed);
            self.server_mut().context_window.counted =
                (faded.or_more(committed) == faded).then_some(faded);
        }
    }
}

/// The bare estimate of a prompt.
pub(super) fn bare_tokens(messages: &[Message]) -> u64 {
    u64::try_from(TokenMeter::bare().messages(messages)).unwrap_or(u64::MAX)
}
