//! The models that a server has, and the one that is asked. Makes requests, and changes nothing.

use crate::config::{ProviderConfig, ProviderKind};
use crate::core::route::{ModelChoice, choose_model};
use crate::failure::Code;
use crate::provider::{LlmProvider, ProviderError};

/// The most models that are named when none of them can be chosen.
const MODELS_NAMED_MAX: usize = 10;

/// The models of a server.
#[derive(Debug)]
pub struct Offer {
    /// The names of the models.
    pub listed: Vec<String>,
    /// The model that is asked.
    pub choice: ModelChoice,
}

/// Asks a server for its models. Changes nothing, so it can be dropped at any point.
///
/// # Errors
/// The error of the request.
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

/// Returns whether another model than the configured one may be asked.
///
/// A market has hundreds of models, so that none is the only one, and it reports what it lacks
/// itself.
pub const fn is_choosy(kind: ProviderKind) -> bool {
    matches!(kind, ProviderKind::LmStudio | ProviderKind::OpenAi)
}

/// Returns whether the request may succeed a little later.
pub(super) fn passes(error: &ProviderError) -> bool {
    error.retry || error.code == Code::LlmUnavailable
}

/// Returns the error for a server that lists several models, but not the configured one.
pub fn unclear(configured: &str, listed: &[String]) -> ProviderError {
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
