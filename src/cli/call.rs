//! `call`: one question to one provider, without the loop. What it brings is printed and nothing else
//! happens: no instruction in it takes effect, and no budget of the day is asked. It goes the way of
//! every call: limit of a minute, breaker, repeats.

use super::arguments::CallOptions;
use super::context::{Context, now};
use super::output::Answer;
use super::server::{provider_at, runtime};
use crate::config::{Config, ProviderConfig, ProviderKind};
use crate::core::prompt::{ChatRole, Message};
use crate::core::protocol::AllowedTags;
use crate::core::route::{ErrorClass, FinishReason};
use crate::daemon::{SystemClock, call_policy};
use crate::failure::{Code, Failure};
use crate::provider::{
    KNOWN_COMMANDS, KnownCommand, LlmReply, LlmRequest, Pipeline, ProviderError,
};
use serde::Serialize;
use uuid::Uuid;

/// Longest question of the verb `call`, in bytes: more than any window holds.
const CALL_PROMPT_BYTES_MAX: usize = 4 * 1024 * 1024;

/// Highest sampling temperature that any server takes.
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
    /// Whether no server counted them.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    estimated: bool,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct CallError {
    /// The class in the table of errors, where there is one.
    code: Code,
    /// What exactly went wrong.
    cause: Code,
    message: String,
    retryable: bool,
    fallback: bool,
}

/// Asks, and prints the answer.
pub(super) fn run(context: &Context, options: CallOptions) -> Result<Answer, Failure> {
    let loaded = context.load()?;
    let config = &loaded.config;
    let mut provider = chosen(config, &options.provider, options.model.as_deref())?;
    if let Some(temperature) = options.temperature {
        if !(0.0..=TEMPERATURE_MAX).contains(&temperature) {
            let message = format!("the temperature {temperature} is not between 0 and 2");
            return Err(Failure::new(Code::ProviderInvalidInput, message));
        }
        provider.temperature = temperature;
    }
    if let Some(model) = options.model {
        provider.model = model;
    }
    let is_program = provider.kind == ProviderKind::Cli;
    if is_program && (options.temperature.is_some() || options.max_tokens.is_some()) {
        context.insist("a program is told neither `--temperature` nor `--max-tokens`");
    }
    let max_tokens = options.max_tokens.unwrap_or(provider.max_tokens);
    let prompt = context.value_or_input(options.prompt, CALL_PROMPT_BYTES_MAX)?;
    let message = |role, content| Message { role, content };
    let system = options.system.map(|text| message(ChatRole::System, text));
    let messages = system.into_iter().chain([message(ChatRole::User, prompt)]);
    let request = LlmRequest {
        messages: messages.collect(),
        max_tokens,
        allowed_tags: AllowedTags::default(),
        constraint: None,
    };
    let adapter = provider_at(&config.root, &provider, &context.environment)?;
    let kind = adapter.provider_name();
    let mut pipeline = Pipeline::new(adapter, call_policy(config));
    let began = now();
    let called = pipeline.call(&request, &SystemClock, &now);
    let outcome = runtime()?.block_on(called);
    let latency_ms = began.millis_until(now());
    let answered = outcome.reply.is_ok();
    let finish = match &outcome.reply {
        Ok(reply) => reply.finish,
        Err(error) => error.finish,
    };
    let (reply, error) = match outcome.reply {
        Ok(reply) => (Some(reply), None),
        Err(error) => (None, Some(error)),
    };
    if let (Some(error), super::arguments::Format::Text) = (&error, context.format) {
        return Err(Failure::new(error.code, error.message.clone()));
    }
    if finish != FinishReason::Stop {
        context.insist(&format!("stop reason: {}", finish.name()));
    }
    let response = Response {
        success: answered,
        request_id: Uuid::new_v4(),
        provider: kind,
        model: (reply.as_ref().and_then(|reply| reply.model.clone())).unwrap_or(provider.model),
        usage: reply.as_ref().map(usage_of),
        stop_reason: finish.name(),
        latency_ms,
        attempts: outcome.attempts,
        error: error.as_ref().map(told),
        cached: false,
        reasoning: reply.as_ref().and_then(|reply| reply.reasoning.clone()),
        content: reply.map(|reply| reply.text),
    };
    let text = || response.content.clone().unwrap_or_default();
    Ok(context.answer(&response, text)?.ok_if(answered))
}

/// The provider of that name: one of the configuration's list, the configured one by its kind, or a
/// program that is known.
fn chosen(config: &Config, name: &str, model: Option<&str>) -> Result<ProviderConfig, Failure> {
    if let Some(listed) = config.providers.iter().find(|listed| listed.name == name) {
        return Ok(listed.config.clone());
    }
    if config.provider.kind.name() == name {
        return Ok(config.provider.clone());
    }
    if let Some(known) = KNOWN_COMMANDS.iter().find(|known| known.name == name) {
        return Ok(ProviderConfig {
            kind: ProviderKind::Cli,
            command: words(known, model),
            model: model.unwrap_or("unnamed").to_owned(),
            api_key: None,
            launch: None,
            ..config.provider.clone()
        });
    }
    let listed = config.providers.iter().map(|listed| listed.name.as_str());
    let known = listed
        .chain([config.provider.kind.name()])
        .chain(KNOWN_COMMANDS.iter().map(|known| known.name));
    let known = known.collect::<Vec<_>>().join(", ");
    let message = format!("there is no provider `{name}`");
    Err(Failure::new(Code::Usage, message).only_hint(format!("Known: {known}.")))
}

/// The command line of a known program; without a model it takes its own.
fn words(known: &KnownCommand, model: Option<&str>) -> Vec<String> {
    let of_model = |word: &str| matches!(word, "--model" | "{model}");
    let words = known.words.iter();
    let words = words.filter(|word| model.is_some() || !of_model(word));
    words.map(|word| (*word).to_owned()).collect()
}

const fn usage_of(reply: &LlmReply) -> TokenUsage {
    let (input, output) = (reply.usage.input_tokens, reply.usage.output_tokens);
    TokenUsage {
        input,
        output,
        total: input.saturating_add(output),
        estimated: reply.arrival.usage_is_estimated,
    }
}

fn told(error: &ProviderError) -> CallError {
    let class = error.class();
    CallError {
        code: class.map_or(error.code, ErrorClass::code),
        cause: error.code,
        message: error.message.clone(),
        retryable: error.retry,
        fallback: error.fails_over(),
    }
}
