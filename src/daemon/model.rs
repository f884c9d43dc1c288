//! Which model a server is asked for: the configured one, or the only one that it has. Never chooses among
//! several, and never touches the configuration.

use super::context_window::query_window;
use super::engine::Engine;
use super::halt::Halt;
use super::offer::{Offer, is_choosy, offer, passes, unclear};
use crate::core::route::ModelChoice;
use crate::provider::ProviderError;

/// What came of choosing.
enum Chosen {
    /// The server has the one that is asked now.
    Settled,
    /// It is not there to say so.
    Away,
    /// None can be chosen.
    Unclear(ProviderError),
}

/// Sees to it that the server is asked for a model that it has, and for its window. The error names
/// those there are, where none can be chosen. Once this is known it costs nothing.
pub(super) async fn settle_model(engine: &mut Engine) -> Result<Result<(), ProviderError>, Halt> {
    let server = engine.server();
    if !server.model.is_settled && is_choosy(server.config.kind) {
        match choose(engine).await? {
            Chosen::Settled => engine.server_mut().model.is_settled = true,
            // The question itself will say so, and wait; before the next one it is looked again.
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
