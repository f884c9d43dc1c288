//! Silent truncation: a server cuts a prompt that exceeds its window without an error, and its answer is
//! of half a question. Noticed by the window that it tells once its model is loaded, or by how little of the prompt it counted; then
//! the question is put once more, made for the room that there is. Never trusts a count alone: a server
//! may count only what its cache lacked, and then the shorter prompt is not counted whole either.

use super::asked_server::AskedServer;
use super::call_facts::Put;
use super::run_profiles::RunProfile;
use crate::core::journal::State;
use crate::core::prompt::{Counted, Message, Window};

/// A prompt that was cut, as far as its server counts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cut {
    /// The tokens that the server has read of it.
    pub(super) tokens: u32,
    /// What was known before of how many it reads.
    pub(super) before: Option<u32>,
}

impl Cut {
    /// Says that a prompt was cut, and what comes of it.
    pub(super) fn message(self, and: &str) -> String {
        let cut = Window::cut_text(self.tokens);
        format!(
            "{cut}, {and}; load the model with a larger window, or set `provider.context_tokens`"
        )
    }
}

/// Judges by the answer to the shorter prompt whether the longer one was cut. Returns what is said of it.
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

/// Says that a prompt which was just answered had no room: a server that tells its window only once its
/// model is loaded may have cut it without a word, and what such an answer says is of half a question.
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
