//! Silent truncation: a server cuts a prompt that exceeds its window, without an error.
//!
//! Its reply is then to half a prompt. It shows in the window that the server reports once its
//! model is loaded, or in a small count of the prompt; then a prompt that fits is sent once more. A
//! count alone is not trusted: a server may count only what its cache lacked, and then it does not
//! count all of the shorter prompt either.

use super::asked_server::AskedServer;
use super::call_facts::Put;
use super::run_profiles::RunProfile;
use crate::core::journal::State;
use crate::core::prompt::{Counted, Message, Window};

/// A prompt that was cut, as far as its server's count shows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cut {
    /// The tokens of it that the server has read.
    pub(super) tokens: u32,
    /// The tokens that the server reads at most, as known before.
    pub(super) before: Option<u32>,
}

impl Cut {
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
    server: &mut AskedServer,
    state: &State,
    cut: Cut,
    again: &Put,
) -> Option<String> {
    let counted = server.counted_in(&again.reply, &again.request.messages);
    let last = server.last_counted(state);
    let is_of_all =
        |counted: Counted| counted.tokens < u64::from(cut.tokens) && !counted.is_of_part(last);
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
    server: &AskedServer,
    before: Window,
    profile: &RunProfile,
    messages: &[Message],
    state: &State,
) -> Option<String> {
    let prompt_budget = server.prompt_budget(profile, state);
    let is_cut = server.window() != before
        && prompt_budget.meter.messages(messages) > prompt_budget.prompt_tokens();
    let tokens = server.window().tokens;
    is_cut.then(|| format!("the loaded model has a window of {tokens} tokens; it is asked again"))
}
