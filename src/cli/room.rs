//! The room that the next prompt has, as the journal knows it: the window, and how tokens are counted.
//! Asks nobody; `doctor` does.

use crate::config::Config;
use crate::core::journal::State;
use crate::core::prompt::{
    Calibration, TokenMeter, Window, WindowSource, estimate_method, unchecked_meter,
};

/// The room for a prompt.
#[derive(Debug)]
pub(super) struct Room {
    /// The window that the last run had, as far as the configuration grants it now.
    pub window: Window,
    /// How tokens are counted for the model that was asked last.
    pub meter: TokenMeter,
    /// What stands behind its numbers.
    pub method: String,
    /// The most tokens that the prompt may have.
    pub prompt_tokens: usize,
}

impl Room {
    /// As it was when last a model was asked.
    pub(super) fn of(config: &Config, state: &State) -> Self {
        let kind = config.provider.kind.name();
        let mut runs = state.runs.newest_first();
        let last = runs.find_map(|run| Some((run.provider.as_deref()?, run.window?)));
        let told = last.filter(|(provider, window)| {
            *provider == kind && window.source == WindowSource::Server
        });
        Self::with(config, state, told.map(|(_, window)| window.tokens))
    }

    /// With what a server has just told.
    pub(super) fn with(config: &Config, state: &State, served_tokens: Option<u32>) -> Self {
        let model = last_asked(state).unwrap_or(&config.provider.model);
        let known = state.calibrations.of(model);
        let window = Window::of(served_tokens, config.provider.context_tokens);
        let most = window.prompt_tokens(config.provider.max_tokens);
        Self {
            window,
            meter: known.map_or_else(unchecked_meter, Calibration::meter),
            method: estimate_method(known),
            prompt_tokens: usize::try_from(most).unwrap_or(usize::MAX),
        }
    }
}

/// The model that the last run which began was asked of.
pub(super) fn last_asked(state: &State) -> Option<&str> {
    let mut asked = state.runs.newest_first();
    asked.find_map(|run| run.model.as_deref())
}

/// The window and who says so; nothing for one that is only assumed.
pub(super) fn text_of(window: Window) -> Option<String> {
    let source = window.source.text();
    window
        .is_known()
        .then(|| format!("{} tokens, {source}", window.tokens))
}
