//! The models that a server has, and the one that is asked: the configured one, or the only one.
//!
//! Never chooses among several, and never touches the configuration.

use super::context_window::query_window;
use super::engine::Engine;
use super::stop::Halt;
use crate::config::{ProviderConfig, ProviderKind};
use crate::core::route::{ModelChoice, choose_model};
use crate::failure::Code;
use crate::provider::{LlmProvider, ProviderError};

/// The most models that are named when none of them can be chosen.
const MODELS_NAMED_MAX: usize = 10;

/// The models of a server.
#[derive(Debug)]
pub struct ServerModels {
    pub listed: Vec<String>,
    pub choice: ModelChoice,
}

/// Asks a server for its models. Changes nothing, so it can be dropped at any point.
///
/// # Errors
/// The error of the request.
pub async fn offer(
    provider: &dyn LlmProvider,
    config: &ProviderConfig,
) -> Result<ServerModels, ProviderError> {
    let listed = provider.models().await?;
    if !may_choose_model(config.kind) || listed.is_empty() || listed.contains(&config.model) {
        let choice = ModelChoice::Configured;
        return Ok(ServerModels { listed, choice });
    }
    let loaded = match provider.loaded_models().await {
        Err(error) if passes(&error) => return Err(error),
        // An older LM Studio has no such list.
        loaded => loaded.unwrap_or_default(),
    };
    let choice = choose_model(&config.model, &listed, &loaded);
    Ok(ServerModels { listed, choice })
}

/// Returns whether another model than the configured one may be asked.
///
/// A market has hundreds of models, so that none is the only one, and it reports what it lacks
/// itself.
pub const fn may_choose_model(kind: ProviderKind) -> bool {
    matches!(kind, ProviderKind::LmStudio | ProviderKind::OpenAi)
}

/// Returns whether the request may succeed a little later.
fn passes(error: &ProviderError) -> bool {
    error.retry || error.code == Code::LlmUnavailable
}

/// Returns the error for a server that lists several models, but not the configured one.
pub fn ambiguous_model(configured: &str, listed: &[String]) -> ProviderError {
    let named: Vec<&str> = listed
        .iter()
        .take(MODELS_NAMED_MAX)
        .map(String::as_str)
        .collect();
    let message = format!(
        "the server does not list `{configured}`; set `provider.model` to one of: {}",
        named.join(", ")
    );
    ProviderError::held(Code::ProviderNotFound, message, None)
}

/// Makes sure that the server is asked for a model that it has, and learns its window.
///
/// Once both are known this costs nothing. The inner error names the server's models, where none
/// can be chosen.
pub(super) async fn settle_model(engine: &mut Engine) -> Result<Result<(), ProviderError>, Halt> {
    let server = engine.server();
    if !server.model.is_settled && may_choose_model(server.config.kind) {
        let mut apart = engine.apart();
        let offered = offer(apart.server.pipeline.provider(), &apart.server.config);
        let instead = match apart.meanwhile.wait_for(offered).await? {
            // The call itself reports that, and waits; the next call looks again.
            None => return Ok(Ok(())),
            Some(Err(error)) if passes(&error) => return Ok(Ok(())),
            // A server without such a list knows its own model best.
            Some(Err(_)) => None,
            Some(Ok(ServerModels { listed, choice })) => match choice {
                ModelChoice::Configured => None,
                ModelChoice::Other(model) => Some(model),
                ModelChoice::Unclear => {
                    return Ok(Err(ambiguous_model(&engine.server().config.model, &listed)));
                }
            },
        };
        if let Some(message) = engine.server_mut().ask_for(instead) {
            engine.notice(&message);
        }
        engine.server_mut().model.is_settled = true;
    }
    query_window(engine).await?;
    Ok(Ok(()))
}
