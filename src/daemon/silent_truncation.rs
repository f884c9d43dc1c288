//! Silent truncation: a server cuts a prompt that exceeds its window without an error, and its answer is
//! of half a question. Noticed by the window that it tells once its model is loaded, or by how little of the prompt it counted; then
//! the question is put once more, made for the room that there is. Never trusts a count alone: a server
//! may count only what its cache lacked, and then the shorter prompt is not counted whole either.

use super::agent::{Agent, Halt};
use super::model::{Put, is_smaller};
use super::observer::LoopEvent;
use crate::config::ProviderKind;
use crate::core::agent::{Beside, LoopState};
use crate::core::prompt::{Counted, Window};

impl Agent {
    /// Puts an answered question once more that was cut; nothing where it was not, as far as is known.
    pub(super) async fn retry_truncated(
        &mut self,
        state: LoopState,
        beside: &Beside,
        first: &Put,
    ) -> Result<Option<Put>, Halt> {
        let Ok(reply) = &first.reply else {
            return Ok(None);
        };
        let usage = reply.usage_with(first.request.max_tokens);
        if self.was_truncated(&first.request).await? {
            self.uncounted_usage.add(usage);
            return self.put(state, beside).await.map(Some);
        }
        let Some(tokens) = self.tokens_read_of(first) else {
            return Ok(None);
        };
        let before = self.server_mut().context_window.tokens_read.replace(tokens);
        let composed = self.compose(state, beside);
        if !composed.is_ok_and(|composed| is_smaller(&composed.request, &first.request)) {
            self.server_mut().context_window.tokens_read = before;
            self.server_mut().context_window.has_partial_counts = true;
            self.report_truncation(tokens, "and it cannot be made shorter");
            return Ok(None);
        }
        self.uncounted_usage.add(usage);
        let again = self.put(state, beside).await?;
        let counted = self.counted_in(&again.reply, &again.request.messages);
        let last = self.last_counted();
        let is_of_all =
            |counted: Counted| counted.tokens < u64::from(tokens) && !counted.is_of_part(last);
        if counted.is_some_and(is_of_all) {
            self.report_truncation(
                tokens,
                "so it is asked again, and prompts are made for that",
            );
        } else {
            tracing::debug!(tokens, "what the server counts is not what it has read");
            self.server_mut().context_window.tokens_read = before;
            self.server_mut().context_window.has_partial_counts = again.reply.is_ok();
        }
        Ok(Some(again))
    }

    /// How many tokens of a question its server has read, where that was not all of it.
    fn tokens_read_of(&self, put: &Put) -> Option<u32> {
        // A program counts what it likes, and its window is its own.
        let is_server = !matches!(
            self.server().config.kind,
            ProviderKind::Cli | ProviderKind::Scripted
        );
        if !is_server || self.server().context_window.has_partial_counts {
            return None;
        }
        let counted = self.counted_in(&put.reply, &put.request.messages)?;
        counted.cut_at(self.last_counted())
    }

    fn report_truncation(&mut self, tokens: u32, and: &str) {
        let cut = Window::cut_text(tokens);
        let message = format!(
            "{cut}, {and}; load the model with a larger window, or set `provider.context_tokens`"
        );
        self.observer
            .on_event(LoopEvent::Notice { message: &message });
    }
}
