//! Checks of the window: whether it is known and true, and whether the next prompt fits.
//!
//! Asks nobody.

use super::super::room_report::{self, Asked, RoomReport};
use super::Check;
use crate::config::Config;
use crate::core::journal::State;
use crate::core::prompt::{Counted, Message, WINDOW_ASSUMED_TOKENS};

/// Checks whether the window is known.
pub(super) fn window_check(known: &RoomReport) -> Check {
    match room_report::text_of(known.prompt_budget.window) {
        Some(window) => Check::ok("window", window),
        None => Check::warn(
            "window",
            format!("unknown; {WINDOW_ASSUMED_TOKENS} tokens are assumed"),
            format!(
                "Set `{}` to the window that the model was loaded with.",
                known.key
            ),
        ),
    }
}

/// Checks the window by the server's own count of the next prompt, or of the last one.
pub(super) fn confirmed(
    config: &Config,
    asked: Asked<'_>,
    state: &State,
    known: &RoomReport,
    read: Option<Counted>,
) -> Check {
    match read.and_then(|read| read.cut_at(known.last)) {
        Some(tokens) => cut(known, tokens),
        None => last_cut(config, asked, state).unwrap_or_else(|| window_check(known)),
    }
}

/// Makes the check of a server that has not read a whole prompt, as far as its count shows.
fn cut(known: &RoomReport, tokens: u32) -> Check {
    let key = &known.key;
    let window =
        room_report::text_of(known.prompt_budget.window).unwrap_or_else(|| "unknown".to_owned());
    let message = format!(
        "{window}; but the server counted only {tokens} tokens of the next prompt, which has more: it \
         cuts prompts and does not say so, or counts only what its cache lacked"
    );
    let hint = format!("Load the model with a larger window, or set `{key}` to its own.");
    Check::warn("window", message, hint)
}

/// Checks whether the server cut a prompt of the last run: the next one may be short enough.
fn last_cut(config: &Config, asked: Asked<'_>, state: &State) -> Option<Check> {
    let known = RoomReport::of_asked(config, asked, state);
    let message = room_report::cut_warning(known.prompt_budget.window, &known.key)?;
    Some(Check::warn(
        "window",
        message,
        "The next run finds out anew.",
    ))
}

/// Checks the window without an answer of the server: what it reported before is not sure any more.
pub(super) fn untold(config: &Config, asked: Asked<'_>, state: &State) -> Check {
    let now = RoomReport::with(config, asked, state, &asked.provider.model, None);
    let before = RoomReport::of_asked(config, asked, state)
        .prompt_budget
        .window;
    if now.prompt_budget.window.is_known() || !before.is_known() {
        return window_check(&now);
    }
    let tokens = before.tokens;
    let message = format!("not told now; it was {tokens} tokens in the last run");
    let hint = "Nothing to do, if it tells it again: a run asks for it before its first question.";
    Check::warn("window", message, hint)
}

/// Checks whether the next prompt fits, by the server's own count where there is one.
pub(super) fn length(known: &RoomReport, messages: &[Message], counted: Option<u64>) -> Check {
    let counted = counted.and_then(|tokens| usize::try_from(tokens).ok());
    let tokens = counted.unwrap_or_else(|| known.prompt_budget.meter.messages(messages));
    let method = match counted {
        Some(_) => "counted by the server".to_owned(),
        None => format!("an estimate: {}", known.method),
    };
    let message = format!("{tokens} tokens, {method}");
    let most = known.prompt_budget.prompt_tokens();
    if tokens <= most {
        return Check::ok("tokens", message);
    }
    let message = format!("{message}; {most} are left for it beside the answer");
    let hint = "Load the model with a larger window, or shorten the prompt file or RAM.";
    Check::warn("tokens", message, hint)
}
