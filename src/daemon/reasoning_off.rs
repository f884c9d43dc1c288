//! Turns reasoning off for models that reason in place of answering, up to the limit or in a loop.
//!
//! Where the server can do that, the request is repeated without reasoning, and if that helps, so
//! are later ones. Never touches a request that was answered.

use super::asked_server::AskedServer;
use super::output_constraint::is_refusal;
use crate::provider::{LlmReply, ProviderError};

/// Whether requests turn the asked model's reasoning off.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Reasoning {
    /// Requests leave reasoning to the model.
    #[default]
    Free,
    /// Requests turn reasoning off.
    Silenced,
    /// Requests do not turn reasoning off: that was of no use, or refused.
    Needed,
}

/// Judges the outcome of a request that was repeated without reasoning.
///
/// Where it was refused for that, or has no reply either, the model reasons on. A refusal says
/// nothing new, so that the earlier error stays.
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
