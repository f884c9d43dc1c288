//! The room that the next prompt has, as the journal knows it: the window, and how tokens are counted.
//! Asks nobody; `doctor` does.

use crate::config::Config;
use crate::core::journal::State;
use crate::core::prompt::{Calibration, Counted, Room, Window, WindowSource, estimate_method};

/// The room for a prompt, and how it is known.
#[derive(Debug)]
pub(super) struct Known {
    /// The room itself.
    pub room: Room,
    /// What stands behind its numbers.
    pub method: String,
    /// The last prompt that was counted.
    pub last: Option<Counted>,
}

impl Known {
    /// As it was when last a model was asked, as far as the configuration grants it now.
    pub(super) fn of(config: &Config, state: &State) -> Self {
        let kind = config.provider.kind.name();
        let mut runs = state.runs.newest_first();
        let last = runs.find_map(|run| Some((run.provider.as_deref()?, run.window?)));
        let tokens = |source| {
            let told =
                last.filter(|(provider, window)| *provider == kind && window.source == source);
            told.map(|(_, window)| window.tokens)
        };
        let model = last_asked(state).unwrap_or(&config.provider.model);
        let mut known = Self::with(config, state, model, tokens(WindowSource::Server));
        known.room.window = known.room.window.cut_at(tokens(WindowSource::Cut));
        known
    }

    /// Of a model whose server has just told its window, or nothing of it.
    pub(super) fn with(
        config: &Config,
        state: &State,
        model: &str,
        served_tokens: Option<u32>,
    ) -> Self {
        let room = Room {
            window: Window::of(served_tokens, config.provider.context_tokens),
            max_tokens: config.provider.max_tokens,
            meter: state.meter_for(model),
            budget: config.token_budget,
            tightened: 0,
        };
        let known = state.calibrations.of(model);
        Self {
            room,
            method: estimate_method(known),
            last: known.and_then(Calibration::last),
        }
    }
}

/// The model that the last run which began was asked of.
pub(super) fn last_asked(state: &State) -> Option<&str> {
    let mut asked = state.runs.newest_first();
    asked.find_map(|run| run.model.as_deref())
}

/// What to tell of a server that cut a prompt without a word when last a model was asked.
pub(super) fn cut_warning(window: Window) -> Option<String> {
    let is_cut = window.source == WindowSource::Cut;
    is_cut.then(|| {
        format!(
            "the server read only {} tokens of a longer prompt and did not say so; load the model with \
             a larger window, or set `provider.context_tokens` to the one that it has",
            window.tokens
        )
    })
}

/// The window and who says so; nothing for one that is only assumed.
pub(super) fn text_of(window: Window) -> Option<String> {
    let source = window.source.text();
    window
        .is_known()
        .then(|| format!("{} tokens, {source}", window.tokens))
}
