//! `prompt`: what the model would be shown next, and about how long it is. Asks nobody.

use super::context::{Context, now};
use super::output::Answer;
use super::text::visible;
use crate::core::agent::LoopState;
use crate::core::journal::State;
use crate::core::prompt::{
    ESTIMATE_METHOD, Message, PromptData, PromptFile, TokenMeter, assemble, characters,
};
use crate::core::run::{RunState, Trigger};
use crate::failure::Failure;
use serde::Serialize;
use std::fmt::Write as _;

#[derive(Debug, Serialize)]
struct Shown {
    state: LoopState,
    messages: Vec<Message>,
    characters: usize,
    estimated_tokens: usize,
    estimate_method: &'static str,
}

/// Shows the next prompt, or that of another state.
pub(super) fn run(context: &Context, asked: Option<LoopState>) -> Result<Answer, Failure> {
    let loaded = context.load_without_key()?;
    let state = context.state(&loaded.config)?;
    let (loop_state, messages) = next(&loaded.prompt, &state, asked);
    let shown = Shown {
        state: loop_state,
        characters: characters(&messages),
        estimated_tokens: TokenMeter::bare().messages(&messages),
        estimate_method: ESTIMATE_METHOD,
        messages,
    };
    context.answer(&shown, || text_of(&shown))
}

/// The messages of the next call, as far as they are known now: a run that is about to begin brings
/// its request, and wakes an idle loop.
pub(super) fn next(
    prompt: &PromptFile,
    state: &State,
    asked: Option<LoopState>,
) -> (LoopState, Vec<Message>) {
    let about_to_begin = state
        .runs
        .next()
        .filter(|run| run.state == RunState::Queued);
    let wakes = about_to_begin.is_some_and(|run| run.trigger != Trigger::Idle);
    let present = state.ram.state();
    let woken = present == LoopState::Idle && wakes;
    let present = if woken { LoopState::Planning } else { present };
    let loop_state = asked.unwrap_or(present);
    let request = about_to_begin.and_then(|run| run.request.as_deref());
    let data = PromptData {
        time: &now().local_minute(),
        state: loop_state,
        request: request.or_else(|| state.ram.request()),
        ram: &state.ram.rendered(),
        results: &state.results,
    };
    (loop_state, assemble(prompt, &data))
}

fn text_of(shown: &Shown) -> String {
    let mut text = String::new();
    for message in &shown.messages {
        let role = super::record::word(&message.role);
        // Writing into a string cannot fail.
        writeln!(text, "--- {role}\n{}", visible(&message.content)).unwrap_or_default();
    }
    let Shown {
        characters,
        estimated_tokens,
        estimate_method,
        ..
    } = shown;
    let method = format!("an estimate: {estimate_method}");
    text + &format!("--- about {estimated_tokens} tokens ({method}; {characters} characters)\n")
}
