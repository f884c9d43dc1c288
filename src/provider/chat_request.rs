//! The `OpenAI`-compatible chat format: what is sent, with the fields that only some servers know. Decides
//! nothing about which of them a server gets.

use super::types::{ChatRole, Message};
use serde::Serialize;
use serde_json::value::RawValue;

/// The body of `POST /chat/completions`. `temperature` is an `f64` because an `f32` 0.1 would be
/// written as 0.10000000149011612.
#[derive(Serialize)]
pub(super) struct ChatRequest<'a> {
    pub(super) model: &'a str,
    pub(super) messages: Vec<ChatMessage<'a>>,
    pub(super) max_tokens: u32,
    pub(super) temperature: f64,
    pub(super) stream: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) stream_options: Option<StreamOptions>,
    /// `OpenRouter`'s list of models to try, the asked one first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) models: Vec<&'a str>,
    /// LM Studio's idle time of a model that a question loads, in seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) ttl: Option<u64>,
    /// llama.cpp's own field.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) grammar: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) response_format: Option<ResponseFormat<'a>>,
    /// Of llama.cpp and vLLM.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) chat_template_kwargs: Option<TemplateArguments>,
    /// `OpenRouter`'s word on how long a model reasons.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) reasoning: Option<Reasoning>,
    /// `OpenRouter`'s choice among the hosts of a model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) provider: Option<HostRules>,
}

/// The form that an answer is to have.
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
    /// As it is written: a server leads the model through its members in this order.
    schema: &'a RawValue,
}

impl<'a> ResponseFormat<'a> {
    /// The form of a schema; `None` for a text that is no JSON.
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

/// What a chat template is told beside the messages.
#[derive(Serialize)]
pub(super) struct TemplateArguments {
    pub(super) enable_thinking: bool,
}

/// How long a model reasons.
#[derive(Serialize)]
pub(super) struct Reasoning {
    pub(super) effort: &'static str,
}

/// Which hosts of a model may be asked.
#[derive(Serialize)]
pub(super) struct HostRules {
    /// Only those that heed every field of the question; others would ignore some without a word.
    pub(super) require_parameters: bool,
}

/// What a streamed answer is to have beside its text.
#[derive(Serialize)]
pub(super) struct StreamOptions {
    pub(super) include_usage: bool,
}

/// One message of a request.
#[derive(Serialize)]
pub(super) struct ChatMessage<'a> {
    role: &'static str,
    content: &'a str,
}

impl<'a> From<&'a Message> for ChatMessage<'a> {
    fn from(message: &'a Message) -> Self {
        Self {
            role: match message.role {
                ChatRole::System => "system",
                ChatRole::User => "user",
                ChatRole::Assistant => "assistant",
            },
            content: &message.content,
        }
    }
}
