//! Turns reasoning off for models that reason in place of answering, up to the limit or in a loop: where
//! the server can be told so, the question is put once more without reasoning, and so are those after it if that has helped.
//! Never touches a question that was answered.

use super::asked_server::AskedServer;
use super::output_constraint::is_refusal;
use crate::provider::{LlmReply, ProviderError};

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

/// Judges what the same question without reasoning came to. Where it was refused for that, or came to as
/// little, the model reasons on; a refusal is no news of the question.
pub(super) fn judge_reasoning_off(
    server: &mut AskedServer,
    reply: &mut Result<LlmReply, ProviderError>,
    before: ProviderError,
) {
    let Err(error) = reply else {
        return;
    };
    if is_refusal(error) {
        server.model.reasoning = Reasoning::Needed;
        *error = before;
    } else if error.is_wordless() {
        server.model.reasoning = Reasoning::Needed;
    }
}
