//! The budget of the next prompt as the journal has it: the window, and the count of tokens.
//!
//! Calls no server; `doctor` does.

use crate::config::{Config, ProviderConfig};
use crate::core::journal::State;
use crate::core::prompt::{
    Calibration, PromptBudget, PromptCount, Window, WindowSource, estimate_method,
};
use crate::core::run::Run;

/// The budget of a prompt, and how it is known.
#[derive(Debug)]
pub struct PromptBudgetReport {
    pub prompt_budget: PromptBudget,
    pub method: String,
    pub last: Option<PromptCount>,
    /// The key of the configuration that names the window of the asked provider.
    pub key: String,
}

/// A provider of the configuration.
#[derive(Clone, Copy, Debug)]
pub struct ConfiguredProvider<'a> {
    pub provider: &'a ProviderConfig,
    /// Its index in `providers`, where there are any.
    pub place: Option<usize>,
}

impl<'a> ConfiguredProvider<'a> {
    /// Returns every provider that a run may ask, best first.
    fn all(config: &'a Config) -> impl Iterator<Item = Self> {
        let only = config.providers.is_empty().then_some(Self {
            provider: &config.provider,
            place: None,
        });
        let listed = config.providers.iter().enumerate();
        only.into_iter().chain(listed.map(|(place, it)| Self {
            provider: &it.config,
            place: Some(place),
        }))
    }

    /// Returns the provider that the last run asked, else the one that is asked first.
    fn next(config: &'a Config, state: &State) -> Self {
        let mut runs = state.runs.newest_first();
        let last = runs.find_map(|run| Self::all(config).find(|it| it.was_asked_by(run)));
        last.unwrap_or_else(|| Self {
            provider: config.first_provider().1,
            place: (!config.providers.is_empty()).then_some(0),
        })
    }

    /// Returns whether a run asked this one: the same kind, at the same place, for the same model.
    fn was_asked_by(self, run: &Run) -> bool {
        let provider = self.provider;
        let is_of_kind = run.provider.as_deref() == Some(provider.kind.name());
        is_of_kind
            && match &run.server {
                Some(server) => provider.as_server().as_ref() == Some(server),
                // Older records name no place.
                None => run.model.as_ref() == Some(&provider.model),
            }
    }

    /// Returns the key of the configuration that names its window.
    fn key(self) -> String {
        self.place.map_or_else(
            || "provider.context_tokens".to_owned(),
            |place| format!("providers[{place}].context_tokens"),
        )
    }
}

impl PromptBudgetReport {
    /// Returns the report as of the last call, as far as the configuration grants it now.
    pub fn of(config: &Config, state: &State) -> Self {
        Self::of_asked(config, ConfiguredProvider::next(config, state), state)
    }

    /// Like [`Self::of`], but for one provider.
    pub fn of_asked(config: &Config, asked: ConfiguredProvider<'_>, state: &State) -> Self {
        let mut runs = state.runs.newest_first();
        let last = runs.find(|run| run.window.is_some() && asked.was_asked_by(run));
        let last_window = last.and_then(|run| run.window);
        let tokens = |source| {
            let reported = last_window.filter(|window| window.source == source);
            reported.map(|window| window.tokens)
        };
        let model = last.and_then(|run| run.model.as_ref());
        let model = model.unwrap_or(&asked.provider.model);
        let reported = tokens(WindowSource::Server);
        let mut known = Self::with(config, asked, state, model, reported);
        known.prompt_budget.window = known.prompt_budget.window.cut_at(tokens(WindowSource::Cut));
        known
    }

    /// Returns the report for a model, with the window that its server has just reported, if any.
    pub fn with(
        config: &Config,
        asked: ConfiguredProvider<'_>,
        state: &State,
        model: &str,
        served_tokens: Option<u32>,
    ) -> Self {
        let prompt_budget = PromptBudget {
            window: Window::of(served_tokens, asked.provider.context_tokens),
            max_tokens: asked.provider.max_tokens,
            meter: state.meter_for(model),
            budget: config.token_budget,
            shrink_steps: 0,
        };
        let known = state.calibrations.of(model);
        Self {
            prompt_budget,
            method: estimate_method(known),
            last: known.and_then(Calibration::last),
            key: asked.key(),
        }
    }
}

/// Returns the model that was asked by the last run which began.
pub fn last_asked(state: &State) -> Option<&str> {
    let mut asked = state.runs.newest_first();
    asked.find_map(|run| run.model.as_deref())
}

/// Returns the warning of a server that cut a prompt without an error at the last call.
pub fn cut_warning(window: Window, key: &str) -> Option<String> {
    let is_cut = window.source == WindowSource::Cut;
    is_cut.then(|| {
        let cut = Window::cut_text(window.tokens);
        format!("{cut}; load the model with a larger window, or set `{key}` to the one that it has")
    })
}

/// Returns the window and its source in words; `None` for one that is only assumed.
pub fn text_of(window: Window) -> Option<String> {
    let source = window.source.text();
    window
        .is_known()
        .then(|| format!("{} tokens, {source}", window.tokens))
}
