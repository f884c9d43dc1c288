//! Which model is asked, and what the record of a run says of it. Found out once for each server,
//! before its first question: people load what they have, and the configuration may name another
//! one. Never chooses among several, and never touches the configuration.

use super::agent::{Agent, Halt};
use super::watcher::Sight;
use crate::config::{ProviderConfig, ProviderKind};
use crate::core::journal::event::RunStarted;
use crate::core::journal::{Event, change_run};
use crate::core::protocol::PARSER_VERSION;
use crate::core::route::{ModelChoice, choose_model};
use crate::core::run::Run;
use crate::failure::Code;
use crate::ids::RunId;
use crate::provider::{LlmProvider, LlmReply, LlmRequest, Pipeline, ProviderError, Sleeper};
use crate::time::Timestamp;
use std::sync::Arc;

/// Models that are named when none of them can be chosen.
const MODELS_NAMED_MAX: usize = 10;

/// The model that is asked, apart from the configured one.
#[derive(Debug, Default)]
pub(super) struct AskedModel {
    /// The one that is asked in place of the configured one.
    instead: Option<String>,
    /// Whether the server is known to have the one that is asked.
    is_settled: bool,
}

/// What a server has.
#[derive(Debug)]
pub struct Offer {
    /// Its models.
    pub listed: Vec<String>,
    /// Which of them is asked.
    pub choice: ModelChoice,
}

/// Asks a server what it has. Changes nothing, so it can be dropped at any point.
///
/// # Errors
/// Whatever kept the server from saying so.
pub async fn offer(
    provider: &dyn LlmProvider,
    config: &ProviderConfig,
) -> Result<Offer, ProviderError> {
    let listed = provider.models().await?;
    if !is_choosy(config.kind) || listed.is_empty() || listed.contains(&config.model) {
        let choice = ModelChoice::Configured;
        return Ok(Offer { listed, choice });
    }
    let loaded = match provider.loaded_models().await {
        Err(error) if passes(&error) => return Err(error),
        // An older LM Studio has no such list.
        loaded => loaded.unwrap_or_default(),
    };
    let choice = choose_model(&config.model, &listed, &loaded);
    Ok(Offer { listed, choice })
}

/// Whether another model may be asked than the configured one. Of a market's hundreds none is the
/// only one, and it says itself what it lacks.
const fn is_choosy(kind: ProviderKind) -> bool {
    matches!(kind, ProviderKind::LmStudio | ProviderKind::OpenAi)
}

/// Whether the same may be answered a little later.
fn passes(error: &ProviderError) -> bool {
    error.retry || error.code == Code::LlmUnavailable
}

impl Agent {
    /// The model that is asked.
    pub(super) fn asked_model(&self) -> &str {
        let instead = self.model.instead.as_deref();
        instead.unwrap_or(&self.config.provider.model)
    }

    /// Puts a question to a model that the server has. Gives what came of it, and the digest of the
    /// messages.
    pub(super) async fn question(
        &mut self,
        request: &LlmRequest,
    ) -> Result<(Result<LlmReply, ProviderError>, String), Halt> {
        let was_settled = self.model.is_settled;
        if let Err(error) = self.settle_model().await? {
            return Ok((Err(error), self.hashes.of(&request.messages)));
        }
        let (reply, messages_hash) = self.complete(request).await?;
        match &reply {
            // The server says itself who answered.
            Ok(reply) if reply.model.as_deref() == Some(self.asked_model()) => {
                self.model.is_settled = true;
            }
            Err(error) if error.code == Code::ProviderNotFound => self.model.is_settled = false,
            Ok(_) | Err(_) => {}
        }
        if self.model.is_settled || !was_settled {
            return Ok((reply, messages_hash));
        }
        // It was there before: a person has loaded another one since.
        let asked = self.asked_model().to_owned();
        match self.settle_model().await? {
            Err(error) => Ok((Err(error), messages_hash)),
            Ok(()) if asked == self.asked_model() => Ok((reply, messages_hash)),
            Ok(()) => self.complete(request).await,
        }
    }

    /// Sees to it that the server is asked for a model that it has. The error names those there are,
    /// where none can be chosen. Once this is known it costs nothing.
    pub(super) async fn settle_model(&mut self) -> Result<Result<(), ProviderError>, Halt> {
        if self.model.is_settled || !is_choosy(self.config.provider.kind) {
            return Ok(Ok(()));
        }
        let offered = tokio::select! {
            biased;
            () = self.stop.asked() => return Err(Halt::Stopped),
            offered = offer(self.pipeline.provider(), &self.config.provider) => offered,
        };
        match offered {
            // The question itself will say so, and wait; before the next one it is looked again.
            Err(error) if passes(&error) => return Ok(Ok(())),
            Ok(Offer { listed, choice }) => match choice {
                ModelChoice::Configured => self.ask_for(None),
                ModelChoice::Other(model) => self.ask_for(Some(model)),
                ModelChoice::Unclear => {
                    return Ok(Err(unclear(&self.config.provider.model, &listed)));
                }
            },
            // A server without such a list knows its own model best.
            Err(_) => self.ask_for(None),
        }
        self.model.is_settled = true;
        Ok(Ok(()))
    }

    /// Asks for another model than the configured one, or for that one again.
    fn ask_for(&mut self, instead: Option<String>) {
        if self.model.instead == instead {
            return;
        }
        let configured = &self.config.provider.model;
        let (model, message) = match &instead {
            Some(model) => (
                model,
                format!("the server does not list `{configured}`; `{model}` is asked instead"),
            ),
            None => (configured, format!("`{configured}` is asked again")),
        };
        let Some(provider) = self.pipeline.provider().with_model(model) else {
            return;
        };
        self.watcher.saw(Sight::Notice { message: &message });
        let sleeper: Arc<dyn Sleeper> = Arc::clone(&self.clock) as Arc<dyn Sleeper>;
        self.pipeline = Pipeline::new(provider, self.config.retry, sleeper);
        self.model.instead = instead;
    }

    /// What the record of a run says of what it is worked on with.
    pub(super) fn started(&self, run_id: RunId, started_at: Timestamp) -> Event {
        Event::RunStarted(RunStarted {
            run_id,
            started_at,
            provider: self.pipeline.provider().provider_name().to_owned(),
            model: self.asked_model().to_owned(),
            mode: self.config.mode_with(&self.prompt),
            prompt_hash: self.prompt.hash.clone(),
            parser_version: PARSER_VERSION.to_owned(),
        })
    }

    /// The same once more, where the record no longer says what is so: the model was found out after
    /// the run began, or a reload or a restart came in between.
    pub(super) fn started_otherwise(&self, run: &Run) -> Option<Event> {
        let event = self.started(run.run_id, run.started_at?);
        let mut corrected = run.clone();
        change_run(&mut corrected, &event);
        (corrected != *run).then_some(event)
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
