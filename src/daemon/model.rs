//! Which model is asked. Found out once for each server, before its first question: people load what
//! they have, and the configuration may name another one. Never chooses among several.

use super::agent::{Agent, Halt};
use super::watcher::Sight;
use crate::config::ProviderKind;
use crate::core::route::{ModelChoice, choose_model};
use crate::failure::Code;
use crate::provider::{Pipeline, ProviderError, Sleeper};
use std::sync::Arc;

/// Models that are named when none of them can be chosen.
const MODELS_NAMED_MAX: usize = 10;

impl Agent {
    /// Sees to it that the server is asked for a model that it has. The error names those there are,
    /// where none can be chosen. Once this is known it costs nothing.
    pub(super) async fn settle_model(&mut self) -> Result<Result<(), ProviderError>, Halt> {
        // Of a market's hundreds of models none is the only one, and it says itself what it lacks.
        let local = matches!(
            self.config.provider.kind,
            ProviderKind::LmStudio | ProviderKind::OpenAi
        );
        if self.model_is_settled || !local {
            return Ok(Ok(()));
        }
        // Asking changes nothing, so it can be dropped at any point.
        let (listed, loaded) = tokio::select! {
            biased;
            () = self.stop.asked() => return Err(Halt::Stopped),
            found = self.models() => found,
        };
        let listed = match listed {
            Ok(listed) => listed,
            // The question itself will say so, and wait.
            Err(error) if error.code == Code::LlmUnavailable => return Ok(Ok(())),
            // A server without such a list knows its own model best.
            Err(_) => Vec::new(),
        };
        let configured = self.config.provider.model.clone();
        match choose_model(&configured, &listed, &loaded) {
            ModelChoice::Configured => {}
            ModelChoice::Other(model) => self.ask_for(&configured, model),
            ModelChoice::Unclear => return Ok(Err(unclear(&configured, &listed))),
        }
        self.model_is_settled = true;
        Ok(Ok(()))
    }

    /// The models that the server lists, and if the configured one is not among them, those that are
    /// loaded.
    async fn models(&self) -> (Result<Vec<String>, ProviderError>, Vec<String>) {
        let provider = self.pipeline.provider();
        let listed = provider.models().await;
        let missing = listed
            .as_ref()
            .is_ok_and(|listed| !listed.contains(&self.config.provider.model));
        let loaded = if missing {
            provider.loaded_models().await.unwrap_or_default()
        } else {
            Vec::new()
        };
        (listed, loaded)
    }

    fn ask_for(&mut self, configured: &str, model: String) {
        let Some(provider) = self.pipeline.provider().with_model(&model) else {
            return;
        };
        let message =
            format!("the server does not list `{configured}`; `{model}` is asked instead");
        self.watcher.saw(Sight::Notice { message: &message });
        let sleeper: Arc<dyn Sleeper> = Arc::clone(&self.clock) as Arc<dyn Sleeper>;
        self.pipeline = Pipeline::new(provider, self.config.retry, sleeper);
        self.config.provider.model = model;
    }
}

fn unclear(configured: &str, listed: &[String]) -> ProviderError {
    let named: Vec<&str> = listed
        .iter()
        .take(MODELS_NAMED_MAX)
        .map(String::as_str)
        .collect();
    ProviderError {
        code: Code::ProviderNotFound,
        message: format!(
            "the server does not list `{configured}`; set `provider.model` to one of: {}",
            named.join(", ")
        ),
        retry: false,
        retry_after_ms: None,
    }
}
