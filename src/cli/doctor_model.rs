//! The part of `doctor` that speaks with the model server: whether it answers, knows the model, and
//! can answer the next prompt at all. Applies nothing of what it hears.

use super::context::now;
use super::doctor::Check;
use super::server::{provider_of, runtime};
use super::tokens::WINDOW_ASSUMED;
use super::{prompt, text::count, text::one_line};
use crate::config::{Loaded, ProviderKind};
use crate::core::journal::State;
use crate::failure::{Code, Failure};
use crate::provider::{LlmProvider, LlmRequest, ProviderError};

/// Tokens of the answer that is asked for: enough to see that some come.
const ANSWER_TOKENS: u32 = 32;

/// Models that are named when the configured one is not among them.
const MODELS_NAMED_MAX: usize = 10;

/// The checks of the model server, each after the one that it needs.
pub(super) fn checks(loaded: &Loaded, state: &State) -> Vec<Check> {
    match runtime() {
        Ok(runtime) => runtime.block_on(Box::pin(ask(loaded, state))),
        Err(failure) => vec![Check::failed("provider", failure)],
    }
}

async fn ask(loaded: &Loaded, state: &State) -> Vec<Check> {
    let mut checks = vec![window(loaded)];
    let mut short = loaded.config.clone();
    short.provider.max_tokens = short.provider.max_tokens.min(ANSWER_TOKENS);
    let provider = match provider_of(&short) {
        Ok(provider) => provider,
        Err(failure) => {
            checks.push(Check::failed("provider", failure));
            return checks;
        }
    };
    match provider.models().await {
        Ok(models) => {
            let listed_models = count(models.len(), "model");
            let message = format!(
                "{} answers, {listed_models} listed",
                provider.provider_name()
            );
            checks.push(Check::ok("provider", message));
            checks.push(listed(loaded, &models));
        }
        Err(error) => {
            checks.push(unreachable(loaded, error));
            return checks;
        }
    }
    if loaded.config.provider.kind != ProviderKind::Scripted {
        checks.push(generate(loaded, state, provider.as_ref()).await);
    }
    checks
}

fn window(loaded: &Loaded) -> Check {
    match loaded.config.provider.context_tokens {
        Some(window) => Check::ok("window", format!("{window} tokens, as configured")),
        None => Check::warn(
            "window",
            format!("unknown; {WINDOW_ASSUMED} tokens are assumed"),
            "Set `provider.context_tokens` to the window that the model was loaded with.",
        ),
    }
}

fn unreachable(loaded: &Loaded, error: ProviderError) -> Check {
    if error.code == Code::LlmUnavailable && loaded.config.provider.launch.is_some() {
        let hint = "Nothing to do: `daemon` and `run` start it with `provider.launch`.";
        return Check::warn("provider", error.message, hint);
    }
    Check::failed("provider", Failure::new(error.code, error.message))
}

fn listed(loaded: &Loaded, models: &[String]) -> Check {
    let wanted = &loaded.config.provider.model;
    if models.contains(wanted) {
        return Check::ok("model", format!("`{}` is listed", one_line(wanted, 200)));
    }
    let named: Vec<String> = models
        .iter()
        .take(MODELS_NAMED_MAX)
        .map(|name| one_line(name, 200))
        .collect();
    let message = format!("`{}` is not listed", one_line(wanted, 200));
    let hint = if named.is_empty() {
        "Load a model in the server.".to_owned()
    } else {
        format!("Set `provider.model` to one of: {}.", named.join(", "))
    };
    Check::warn("model", message, hint)
}

/// Asks for the first tokens of an answer to the next prompt, and tells how long they took.
async fn generate(loaded: &Loaded, state: &State, provider: &dyn LlmProvider) -> Check {
    let (_, messages) = prompt::next(&loaded.prompt, state, None);
    let began = now();
    let reply = provider.complete(&LlmRequest { messages }).await;
    let took_ms = now().millis.saturating_sub(began.millis).max(0);
    let seconds = format!("{}.{:01} s", took_ms / 1000, took_ms % 1000 / 100);
    match reply {
        Ok(reply) => {
            let (input, output) = (reply.usage.input_tokens, reply.usage.output_tokens);
            let message =
                format!("the next prompt ({input} tokens) gave {output} tokens in {seconds}");
            Check::ok("generation", message)
        }
        // A model that thinks first spends so few tokens on that alone.
        Err(error) if error.code == Code::LlmEmptyReply => Check::warn(
            "generation",
            format!("{seconds}: {}", error.message),
            "A model that only reasons at first does this; else load it with a larger context.",
        ),
        Err(error) => Check::failed("generation", Failure::new(error.code, error.message)),
    }
}
