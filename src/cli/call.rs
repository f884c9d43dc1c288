//! `call`: one request to one provider, without the loop. The reply is printed and nothing else
//! happens: no instruction in it takes effect, and no budget of the day applies. Repeats and
//! breaker work as in every call; the counts and server health of a daemon are not known here.

use super::arguments::{CallOptions, Format};
use super::server::{provider_at, unless_stopped};
use super::{Context, VerbOutput};
use crate::config::{Config, ProviderConfig, ProviderKind, UNNAMED_MODEL};
use crate::core::prompt::{ChatRole, PromptMessage};
use crate::core::protocol::AllowedTags;
use crate::core::route::{ErrorClass, FinishReason, ModelChoice};
use crate::daemon::{self, SystemClock, call_policy};
use crate::failure::{Code, Failure};
use crate::plain_text::joined;
use crate::provider::{
    CallOutcome, KNOWN_COMMANDS, LlmProvider, LlmRequest, Pipeline, ProviderError, Usage,
};
use crate::service::now;
use serde::Serialize;
use uuid::Uuid;

/// The longest prompt of the verb `call`, in bytes: more than any window holds.
const CALL_PROMPT_BYTES_MAX: usize = 4 * 1024 * 1024;

/// The highest sampling temperature that any server accepts.
const TEMPERATURE_MAX: f64 = 2.0;

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Response {
    success: bool,
    request_id: Uuid,
    #[serde(skip_serializing_if = "Option::is_none")]
    content: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reasoning: Option<String>,
    provider: &'static str,
    model: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    usage: Option<TokenUsage>,
    stop_reason: &'static str,
    latency_ms: u64,
    attempts: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<CallError>,
    cached: bool,
}

#[derive(Debug, Serialize)]
struct TokenUsage {
    #[serde(rename = "inputTokens")]
    input: u64,
    #[serde(rename = "outputTokens")]
    output: u64,
    #[serde(rename = "totalTokens")]
    total: u64,
    /// Whether the counts are an estimate of this program.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    estimated: bool,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct CallError {
    /// The code of the error class, where there is one.
    code: Code,
    /// The exact code of the error.
    cause: Code,
    message: String,
    retryable: bool,
    fallback: bool,
}

/// Sends the request, and prints the reply.
pub(super) fn run(context: &Context, options: CallOptions) -> Result<VerbOutput, Failure> {
    let loaded = context.load()?;
    let config = &loaded.config;
    let mut provider = chosen(config, &options.provider)?;
    if let Some(temperature) = options.temperature {
        if !(0.0..=TEMPERATURE_MAX).contains(&temperature) {
            let message = format!("the temperature {temperature} is not between 0 and 2");
            return Err(Failure::new(Code::ProviderInvalidInput, message));
        }
        provider.temperature = temperature;
    }
    let is_named = options.model.is_some();
    if let Some(model) = options.model {
        provider.model = model;
    }
    let is_program = provider.kind == ProviderKind::Cli;
    if is_program && (options.temperature.is_some() || options.max_tokens.is_some()) {
        context.warn("a program is told neither `--temperature` nor `--max-tokens`");
    }
    let max_tokens = options.max_tokens.unwrap_or(provider.max_tokens);
    let prompt = context.value_or_input(options.prompt, CALL_PROMPT_BYTES_MAX)?;
    let message = |role, content| PromptMessage { role, content };
    let system = options.system.map(|text| message(ChatRole::System, text));
    let messages = system.into_iter().chain([message(ChatRole::User, prompt)]);
    let request = LlmRequest {
        messages: messages.collect(),
        max_tokens,
        // No instruction takes effect, so the reply is not cut early either.
        allowed_tags: AllowedTags::default(),
        constraint: None,
        without_reasoning: false,
        wants_certainty: false,
    };
    let adapter = provider_at(&config.root, &provider, &context.environment)?;
    let kind = adapter.provider_name();
    let began = now();
    let called = async {
        let adapter = match adapter_for(context, adapter, &mut provider, is_named).await {
            Ok(adapter) => adapter,
            Err(error) => return unasked(error),
        };
        let mut pipeline = Pipeline::new(adapter, call_policy(config));
        pipeline.call(&request, &SystemClock, &now).await
    };
    let Some(outcome) = unless_stopped(Box::pin(called))? else {
        return Ok(context.interrupted());
    };
    let latency_ms = began.millis_until(now());
    printed(context, outcome, kind, provider.model, latency_ms)
}

/// Chooses the model as `run` does: another one where the server no longer has the configured one.
/// A model that was named for this call is not replaced.
async fn adapter_for(
    context: &Context,
    adapter: Box<dyn LlmProvider>,
    provider: &mut ProviderConfig,
    is_named: bool,
) -> Result<Box<dyn LlmProvider>, ProviderError> {
    if is_named || !daemon::may_choose_model(provider.kind) {
        return Ok(adapter);
    }
    // An error of the list shows again in the request itself.
    let Ok(offer) = daemon::offer(adapter.as_ref(), provider).await else {
        return Ok(adapter);
    };
    match offer.choice {
        ModelChoice::Configured => Ok(adapter),
        ModelChoice::Other(other) => {
            let Some(instead) = adapter.with_model(&other) else {
                return Ok(adapter);
            };
            let configured = &provider.model;
            context.warn(&format!(
                "the server does not list `{configured}`; `{other}` is asked instead"
            ));
            provider.model = other;
            Ok(instead)
        }
        ModelChoice::Unclear => Err(daemon::ambiguous_model(&provider.model, &offer.listed)),
    }
}

fn unasked(error: ProviderError) -> CallOutcome {
    CallOutcome {
        reply: Err(error),
        attempts: 0,
        failures: Vec::new(),
        billed: Usage::default(),
        postponed: None,
    }
}

fn printed(
    context: &Context,
    outcome: CallOutcome,
    kind: &'static str,
    model: String,
    latency_ms: u64,
) -> Result<VerbOutput, Failure> {
    let (finish, reply, error) = match outcome.reply {
        Ok(reply) => (reply.finish, Some(reply), None),
        Err(error) if context.format() == Format::Text => {
            return Err(Failure::new(error.code, error.message));
        }
        Err(error) => (error.finish, None, Some(error)),
    };
    if finish != FinishReason::Stop {
        context.inform_always(&format!("stop reason: {}", finish.name()));
    }
    if let Some(early_stop) = reply.as_ref().and_then(|reply| reply.arrival.early_stop) {
        let reason = early_stop.name();
        context.inform_always(&format!("the answer was ended early: {reason}"));
    }
    let success = reply.is_some();
    let mut response = Response {
        success,
        request_id: Uuid::new_v4(),
        content: None,
        reasoning: None,
        provider: kind,
        model,
        usage: None,
        stop_reason: finish.name(),
        latency_ms,
        attempts: outcome.attempts,
        error: error.map(|error| CallError {
            code: error.class().map_or(error.code, ErrorClass::code),
            cause: error.code,
            retryable: error.retry,
            fallback: error.fails_over(),
            message: error.message,
        }),
        cached: false,
    };
    if let Some(reply) = reply {
        let usage = reply.usage;
        response.usage = Some(TokenUsage {
            input: usage.input_tokens,
            output: usage.output_tokens,
            total: usage.input_tokens.saturating_add(usage.output_tokens),
            estimated: reply.arrival.usage_is_estimated,
        });
        response.model = reply.model.unwrap_or(response.model);
        response.reasoning = reply.reasoning;
        response.content = Some(reply.text);
    }
    context.answer_if(success, &response, |it| {
        it.content.clone().unwrap_or_default()
    })
}

/// Returns the provider of that name.
/// It is one of the list, the configured one by its kind, or a known program.
fn chosen(config: &Config, name: &str) -> Result<ProviderConfig, Failure> {
    if let Some(listed) = config.providers.iter().find(|listed| listed.name == name) {
        return Ok(listed.config.clone());
    }
    if config.provider.kind.name() == name {
        return Ok(config.provider.clone());
    }
    if let Some(known) = KNOWN_COMMANDS.iter().find(|known| known.name() == name) {
        return Ok(ProviderConfig {
            kind: ProviderKind::Cli,
            command: known.words().map(str::to_owned).collect(),
            model: UNNAMED_MODEL.to_owned(),
            api_key: None,
            api_key_env: None,
            launch: None,
            ..config.provider.clone()
        });
    }
    let listed = config.providers.iter().map(|listed| listed.name.as_str());
    let programs = KNOWN_COMMANDS.iter().map(|known| -> &str { known.name() });
    let known = listed.chain([config.provider.kind.name()]).chain(programs);
    let known = joined(known, ", ");
    let message = format!("there is no provider `{name}`");
    Err(Failure::new(Code::Usage, message).only_hint(format!("Known: {known}.")))
}
