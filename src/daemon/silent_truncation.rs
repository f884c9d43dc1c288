//! Silent truncation: a server cuts a prompt that exceeds its window without an error, and its answer is
//! of half a question. Noticed by the window that it tells once its model is loaded, or by how little of the prompt it counted; then
//! the question is put once more, made for the room that there is. Never trusts a count alone: a server
//! may count only what its cache lacked, and then the shorter prompt is not counted whole either.

use super::asker::{Asker, Work};
use super::context_window::was_truncated;
use super::engine::Engine;
use super::halt::Halt;
use super::model::{Put, is_smaller};
use crate::core::agent::Beside;
use crate::core::prompt::{Counted, Window};

/// Puts an answered question once more that was cut; nothing where it was not, as far as is known.
pub(super) async fn retry_truncated(
    asker: &mut Asker,
    engine: &mut Engine,
    work: Work<'_>,
    beside: &Beside,
    first: &Put,
) -> Result<Option<Put>, Halt> {
    let Ok(reply) = &first.reply else {
        return Ok(None);
    };
    let usage = reply.usage_with(first.request.max_tokens);
    if was_truncated(engine, work.profile, &first.request).await? {
        asker.uncounted_usage.add(usage);
        return asker.put(engine, work, beside).await.map(Some);
    }
    let Some(tokens) = engine.server().tokens_read_of(first, engine.state()) else {
        return Ok(None);
    };
    let before = engine
        .server_mut()
        .context_window
        .tokens_read
        .replace(tokens);
    let composed = asker.composer.compose(engine, work, beside);
    if !composed.is_ok_and(|composed| is_smaller(&composed.request, &first.request)) {
        engine.server_mut().context_window.tokens_read = before;
        engine.server_mut().context_window.has_partial_counts = true;
        report_truncation(engine, tokens, "and it cannot be made shorter");
        return Ok(None);
    }
    asker.uncounted_usage.add(usage);
    let again = asker.put(engine, work, beside).await?;
    let counted = engine
        .server()
        .counted_in(&again.reply, &again.request.messages);
    let last = engine.server().last_counted(engine.state());
    let is_of_all =
        |counted: Counted| counted.tokens < u64::from(tokens) && !counted.is_of_part(last);
    if counted.is_some_and(is_of_all) {
        report_truncation(
            engine,
            tokens,
            "so it is asked again, and prompts are made for that",
        );
    } else {
        tracing::debug!(tokens, "what the server counts is not what it has read");
        engine.server_mut().context_window.tokens_read = before;
        engine.server_mut().context_window.has_partial_counts = again.reply.is_ok();
    }
    Ok(Some(again))
}

fn report_truncation(engine: &mut Engine, tokens: u32, and: &str) {
    let cut = Window::cut_text(tokens);
    engine.notice(&format!(
        "{cut}, {and}; load the model with a larger window, or set `provider.context_tokens`"
    ));
}
