//! The `OpenAI`-compatible chat format of requests, with the fields that only some servers know.
//! Does not decide which of them a server gets.

use super::types::PromptMessage;
use serde::Serialize;
use serde_json::value::RawValue;

/// The body of `POST /chat/completions`.
// `temperature` is an `f64` because an `f32` 0.1 would be written as 0.10000000149011612.
#[derive(Serialize)]
pub(super) struct ChatRequest<'a> {
    pub(super) model: &'a str,
    pub(super) messages: &'a [PromptMessage],
    pub(super) max_tokens: u32,
    pub(super) temperature: f64,
    pub(super) stream: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) stream_options: Option<StreamOptions>,
    /// `OpenRouter`'s list of models to try, the first choice first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) models: Vec<&'a str>,
    /// LM Studio's idle time, in seconds, after which it unloads a model that a request loaded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) ttl: Option<u64>,
    /// llama.cpp's field for a GBNF grammar.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) grammar: Option<&'a str>,
    /// Whether the server is to report the probability of each token.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) logprobs: Option<bool>,
    /// The number of the most probable tokens to report at each place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) top_logprobs: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) response_format: Option<ResponseFormat<'a>>,
    /// The field of llama.cpp and vLLM for their chat templates.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) chat_template_kwargs: Option<TemplateArguments>,
    /// `OpenRouter`'s setting of how long a model reasons.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) reasoning: Option<Reasoning>,
    /// `OpenRouter`'s rules for choosing among the hosts of a model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) provider: Option<HostRules>,
}

/// The required form of the reply.
#[derive(Serialize)]
pub(super) struct ResponseFormat<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    json_schema: NamedSchema<'a>,
}

#[derive(Serialize)]
struct NamedSchema<'a> {
    name: &'static str,
    strict: bool,
    /// The schema, verbatim: a server generates its members in this order.
    schema: &'a RawValue,
}

impl<'a> ResponseFormat<'a> {
    /// Returns the form of a schema; `None` for a text that is not JSON.
    pub(super) fn of(schema: &'a str) -> Option<Self> {
        Some(Self {
            kind: "json_schema",
            json_schema: NamedSchema {
                name: "instructions",
                strict: true,
                schema: serde_json::from_str(schema).ok()?,
            },
        })
    }
}

/// The arguments of a chat template beside the messages.
#[derive(Serialize)]
pub(super) struct TemplateArguments {
    pub(super) enable_thinking: bool,
}

/// The setting of how long a model reasons.
#[derive(Serialize)]
pub(super) struct Reasoning {
    pub(super) effort: &'static str,
}

/// The rules for the hosts of a model that may be used.
#[derive(Serialize)]
pub(super) struct HostRules {
    /// Only hosts that support every field of the request; others would silently ignore some.
    pub(super) require_parameters: bool,
}

/// The additional parts of a streamed reply.
#[derive(Serialize)]
pub(super) struct StreamOptions {
    pub(super) include_usage: bool,
}
