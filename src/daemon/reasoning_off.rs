//! Turns reasoning off for models that reason in place of answering, up to the limit or in a loop: where
//! the server can be told so, the question is put once more without reasoning, and so are those after it if that has helped.
//! Never touches a question that was answered.

use super::agent::Agent;
use super::observer::LoopEvent;
use super::output_constraint::{is_refusal, may_turn_reasoning_off};
use crate::config::ProviderKind;
use crate::provider::{LlmReply, LlmRequest, ProviderError};

/// Whether the asked model is told not to reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Reasoning {
    /// It reasons as it likes.
    #[default]
    Free,
    /// It is told not to.
    Silenced,
    /// It is not: that was of no use, or refused.
    Needed,
}

impl Agent {
    /// Whether a question is put without reasoning.
    pub(super) fn without_reasoning(&self) -> bool {
        self.server().model.reasoning == Reasoning::Silenced || self.is_reasoning_off_for_form()
    }

    /// Whether a question that came to nothing but reasoning is worth putting once more without; from now
    /// on all of them are.
    pub(super) fn turn_reasoning_off(
        &mut self,
        request: &LlmRequest,
        error: &ProviderError,
    ) -> bool {
        let is_heard = self.server().config.kind == ProviderKind::OpenRouter
            || may_turn_reasoning_off(self.server().context_window.counter());
        let is_new = self.server().model.reasoning == Reasoning::Free && !request.without_reasoning;
        if !error.is_wordless() || !is_heard || !is_new || self.is_postponed(error) {
            return false;
        }
        self.server_mut().model.reasoning = Reasoning::Silenced;
        let name = self.server().pipeline.provider().provider_name();
        let message = format!("{name}: the model only reasons; it is told not to from now on");
        self.observer
            .on_event(LoopEvent::Notice { message: &message });
        true
    }

    /// What the same question without reasoning says of it. Where it was refused for that, or came to as
    /// little, the model reasons on; a refusal is no news of the question.
    pub(super) fn judge_reasoning_off(
        &mut self,
        reply: &mut Result<LlmReply, ProviderError>,
        before: ProviderError,
    ) {
        let Err(error) = reply else {
            return;
        };
        if is_refusal(error) {
            self.server_mut().model.reasoning = Reasoning::Needed;
            *error = before;
        } else if error.is_wordless() {
            self.server_mut().model.reasoning = Reasoning::Needed;
        }
    }
}
