//! What a server has, and which of its models is meant by the configured name. Asks, and changes nothing.

use crate::config::{ProviderConfig, ProviderKind};
use crate::core::route::{ModelChoice, choose_model};
use crate::failure::Code;
use crate::provider::{LlmProvider, ProviderError};

/// Models that are named when none of them can be chosen.
const MODELS_NAMED_MAX: usize = 10;

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
pub const fn is_choosy(kind: ProviderKind) -> bool {
    matches!(kind, ProviderKind::LmStudio | ProviderKind::OpenAi)
}

/// Whether the same may be answered a little later.
pub(super) fn passes(error: &ProviderError) -> bool {
    error.retry || error.code == Code::LlmUnavailable
}

/// What is said where a server lists several models, and not the one that is to be asked.
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
