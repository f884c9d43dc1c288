//! The model that a server is asked for: the configured one, or the only one that it has.
//!
//! Never chooses among several, and never touches the configuration.

use super::context_window::query_window;
use super::engine::Engine;
use super::halt::Halt;
use super::offer::{Offer, is_choosy, offer, passes, unclear};
use crate::core::route::ModelChoice;
use crate::provider::ProviderError;

/// The outcome of choosing a model.
enum Chosen {
    /// The server has the asked model.
    Settled,
    /// The server is away.
    Away,
    /// No model can be chosen.
    Unclear(ProviderError),
}

/// Makes sure that the server is asked for a model that it has, and learns its window.
///
/// Once both are known this costs nothing. The inner error names the server's models, where none
/// can be chosen.
pub(super) async fn settle_model(engine: &mut Engine) -> Result<Result<(), ProviderError>, Halt> {
    let server = engine.server();
    if !server.model.is_settled && is_choosy(server.config.kind) {
        match choose(engine).await? {
            Chosen::Settled => engine.server_mut().model.is_settled = true,
            // The call itself reports that, and waits; the next call looks again.
            Chosen::Away => return Ok(Ok(())),
            Chosen::Unclear(error) => return Ok(Err(error)),
        }
    }
    query_window(engine).await?;
    Ok(Ok(()))
}

async fn choose(engine: &mut Engine) -> Result<Chosen, Halt> {
    let mut apart = engine.apart();
    let offered = offer(apart.server.pipeline.provider(), &apart.server.config);
    let Some(offered) = apart.meanwhile.wait_for(offered).await? else {
        return Ok(Chosen::Away);
    };
    let instead = match offered {
        Err(error) if passes(&error) => return Ok(Chosen::Away),
        Ok(Offer { listed, choice }) => match choice {
            ModelChoice::Configured => None,
            ModelChoice::Other(model) => Some(model),
            ModelChoice::Unclear => {
                let error = unclear(&engine.server().config.model, &listed);
                return Ok(Chosen::Unclear(error));
            }
        },
        // A server without such a list knows its own model best.
        Err(_) => None,
    };
    if let Some(message) = engine.server_mut().ask_for(instead) {
        engine.notice(&message);
    }
    Ok(Chosen::Settled)
}
