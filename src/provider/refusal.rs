//! What an error answer means: which code, and whether to ask again. The table of HTTP statuses and
//! the vocabularies of the servers stand here and nowhere else.

use super::fault::Fault;
use super::field_error;
use super::known_end::{self, moment, seconds, within_bounds};
use super::overflow::{overflow_in_words, prompt_of};
use super::served::window_of;
use super::types::{Objection, Overflow};
use crate::failure::Code;
use chrono::{DateTime, FixedOffset};
use reqwest::header::HeaderMap;
use serde_json::Value;

/// What an error object says. `error` may be a string (LM Studio), or an object whose `code` is a
/// number (llama.cpp, `OpenRouter`) or a word (`OpenAI`).
#[derive(Debug, Default)]
pub(super) struct ErrorBody {
    message: Option<String>,
    /// `type`, `code` and `metadata.error_type`, in lower case.
    words: Vec<String>,
    status: Option<u16>,
    overflow: Overflow,
    /// `OpenRouter`'s own judgement in `availability.retryable`.
    retryable: Option<bool>,
    /// Until when a limit holds, as `resets_at` says.
    resets_at: Option<DateTime<FixedOffset>>,
    /// The same of a limit of calls, as `OpenRouter` repeats its own header in the body.
    calls_reset_at: Option<DateTime<FixedOffset>>,
    /// The pause that `availability.retry_after` asks for, in milliseconds.
    pause_ms: Option<u64>,
    /// Whether it was what was asked that was refused, and not who asked.
    is_blocked: bool,
}

/// What servers say in words alone, beside a status that says another thing: the words, the status
/// that is meant, and whether the same is worth asking again. The first that fits counts.
const WORDED_ERRORS: [(&str, u16, bool); 10] = [
    // LM Studio's word for a path that it does not have, with status 200.
    ("unexpected endpoint or method", 404, false),
    // The rest LM Studio says with status 400. What has gone is loaded again by the next question.
    ("no models loaded", 404, false),
    ("model has crashed", 500, true),
    ("model is unloaded", 503, true),
    ("model unloaded", 503, true),
    ("model was unloaded", 503, true),
    ("model reloaded", 503, true),
    ("operation canceled", 503, true),
    ("failed to load model", 503, false),
    // vLLM before 0.10, in the middle of an answer, with the code of a bad request.
    ("enginecore encountered an issue", 500, true),
];

impl ErrorBody {
    /// Reads the body of an error answer; one that is no JSON says nothing.
    pub(super) fn in_body(body: &str) -> Self {
        let Ok(body) = serde_json::from_str::<Value>(body) else {
            return Self::default();
        };
        // FastAPI servers say `detail`, old vLLM has the fields at the top.
        let error = ["error", "detail"]
            .into_iter()
            .find_map(|name| body.get(name).filter(|value| says_something(value)));
        Self::in_error(error.unwrap_or(&body))
    }

    fn in_error(error: &Value) -> Self {
        if let Some(text) = error.as_str() {
            return Self {
                message: Some(text.to_owned()),
                overflow: overflow_in_words(text),
                ..Self::default()
            };
        }
        let text = |path: &str| error.pointer(path).and_then(Value::as_str);
        let number = |path: &str| error.pointer(path).and_then(Value::as_u64);
        let message = message_of(text("/message"), text("/metadata/raw"));
        let message = message.or_else(|| field_error::first(error));
        let in_words = message.as_deref().map(overflow_in_words);
        let in_words = in_words.unwrap_or_default();
        let code = number("/code").or_else(|| text("/code").and_then(|code| code.parse().ok()));
        Self {
            message,
            words: ["/type", "/code", "/metadata/error_type"]
                .into_iter()
                .filter_map(|path| text(path).map(str::to_ascii_lowercase))
                .collect(),
            status: code
                .and_then(|code| u16::try_from(code).ok())
                .filter(|code| (400..600).contains(code)),
            overflow: Overflow {
                prompt_tokens: number("/n_prompt_tokens")
                    .and_then(prompt_of)
                    .or(in_words.prompt_tokens),
                window_tokens: number("/n_ctx")
                    .and_then(window_of)
                    .or(in_words.window_tokens),
            },
            retryable: error
                .pointer("/availability/retryable")
                .and_then(Value::as_bool),
            resets_at: ["/metadata/resets_at", "/resets_at"]
                .into_iter()
                .find_map(|path| moment(error.pointer(path)?)),
            calls_reset_at: error
                .pointer("/metadata/headers/X-RateLimit-Reset")
                .and_then(moment),
            pause_ms: error.pointer("/availability/retry_after").and_then(seconds),
            is_blocked: ["patterns", "reasons", "flagged_input"]
                .iter()
                .any(|name| error.pointer(&format!("/metadata/{name}")).is_some()),
        }
    }

    /// How long it asks to wait, with what the headers of an answer with that status say.
    pub(super) fn wait_ms(&self, status: u16, headers: &HeaderMap) -> Option<u64> {
        let resets_at = if status == 429 {
            let calls_reset_at = known_end::calls_reset_at(headers).or(self.calls_reset_at);
            self.resets_at.max(calls_reset_at)
        } else {
            self.resets_at
        };
        let resets_in_ms = resets_at.and_then(|at| known_end::ends_in_ms(at, headers));
        known_end::retry_after_ms(headers).max(resets_in_ms)
    }

    /// The status that is meant by one, and whether to ask again where the words decide that.
    fn meant_by(&self, status: u16) -> (u16, Option<bool>) {
        let is_vague = matches!(status, 400 | 404 | 500);
        let message = self.message.as_deref().filter(|_| is_vague);
        let message = message.unwrap_or_default().to_ascii_lowercase();
        let mut known = WORDED_ERRORS.iter();
        match known.find(|(words, ..)| message.contains(words)) {
            Some((_, meant, retry)) => (*meant, self.retryable.or(Some(*retry))),
            None => (status, self.retryable),
        }
    }

    /// What of a request a refusal with that status may be about. A refused key, an empty account, a
    /// model that is not there and a server in trouble say nothing of what the body holds.
    fn objection(&self, status: u16, asked_to_wait: bool) -> Objection {
        let message = self.message.as_deref().unwrap_or_default();
        match self.meant_by(status).0 {
            // A market that has no host for all members of a body.
            404 if message.contains("requested parameters") => Objection::Body,
            402 if !asked_to_wait => Objection::Credit,
            400 | 415 | 422 if !self.is_of_model() => Objection::Body,
            _ => Objection::None,
        }
    }

    /// Whether a word of it says that the model is not there.
    fn is_of_model(&self) -> bool {
        self.has_word(&["model_not_found", "not_found"])
    }

    fn has_word(&self, words: &[&str]) -> bool {
        self.words.iter().any(|word| words.contains(&word.as_str()))
    }

    /// Whether the prompt was too long: by the servers' own words, else by the phrases of those that
    /// have no word for it.
    fn is_context_overflow(&self) -> bool {
        let message = self.message.as_deref().unwrap_or("").to_ascii_lowercase();
        let mentions = |words: &[&str]| words.iter().any(|word| message.contains(word));
        self.has_word(&[
            "exceed_context_size_error",
            "context_length_exceeded",
            "string_too_long",
        ]) || (mentions(&["context length", "context size", "context window", "n_ctx"])
            && mentions(&[
                "exceed",
                "not enough",
                "maximum",
                "overflow",
                "greater than",
                "n_keep",
                "too long",
            ]))
            || mentions(&["prompt is too long", "prompt too long", "input is too long"])
    }

    fn context_overflow(&self) -> String {
        match (self.overflow.prompt_tokens, self.overflow.window_tokens) {
            (Some(prompt), Some(window)) => {
                format!("the prompt of {prompt} tokens does not fit the window of {window} tokens")
            }
            (None, Some(window)) => {
                format!("the prompt does not fit the window of {window} tokens")
            }
            (_, None) => "the prompt does not fit the model's window".to_owned(),
        }
    }
}

/// What a market says of a host's error, with the host's own words where its own are none.
fn message_of(message: Option<&str>, raw: Option<&str>) -> Option<String> {
    match (message, raw) {
        (Some("Provider returned error"), Some(raw)) => Some(format!("the host said: {raw}")),
        (message, _) => message.map(str::to_owned),
    }
}

fn says_something(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
        Value::String(text) => !text.is_empty(),
        Value::Array(list) => !list.is_empty(),
        Value::Object(fields) => !fields.is_empty(),
    }
}

/// The fault of an error object that came with status 200, as `OpenRouter` and LM Studio do once the
/// headers are out. `None` when the field is there but says nothing.
pub(super) fn inside_good_answer(error: &Value, headers: &HeaderMap) -> Option<Fault> {
    if !says_something(error) {
        return None;
    }
    let said = ErrorBody::in_error(error);
    if let Some(status) = said.status {
        return Some(of_status(status, &said, said.wait_ms(status, headers)));
    }
    let mut fault = of_words(500, &said, said.wait_ms(500, headers));
    if fault.code == Code::ProviderServerError {
        "the answer is an error".clone_into(&mut fault.reason);
    }
    Some(fault)
}

/// The fault of an answer whose status is not a success.
pub(super) fn of_status(status: u16, said: &ErrorBody, retry_after_ms: Option<u64>) -> Fault {
    let mut fault = of_words(status, said, retry_after_ms);
    if fault.overflow.is_none() {
        fault.reason = format!("{} (HTTP {status})", fault.reason);
    }
    fault
}

/// The fault of an answer that somebody else had, and tells of.
pub(super) fn reported(status: u16, message: &str) -> Fault {
    let error = Value::String(message.to_owned());
    of_words(status, &ErrorBody::in_error(&error), None)
}

/// The same without a word of the status.
fn of_words(status: u16, said: &ErrorBody, retry_after_ms: Option<u64>) -> Fault {
    let retry_after_ms = retry_after_ms.max(said.pause_ms.map(within_bounds));
    let quote = said.message.clone();
    if matches!(status, 400 | 413 | 422 | 500) && said.is_context_overflow() {
        return Fault {
            quote,
            overflow: Some(said.overflow),
            ..Fault::lasting(Code::ProviderContextExceeded, said.context_overflow())
        };
    }
    let asked_to_wait = retry_after_ms.is_some();
    let (code, reason, retry) = judge(status, said, asked_to_wait);
    let is_refused_key = code == Code::ProviderAuthError;
    Fault {
        objection: said.objection(status, asked_to_wait),
        // Nothing is repeated of what stands beside a refused key: it may be the key. Nor is it waited for.
        quote: quote.filter(|_| !is_refused_key),
        retry,
        retry_after_ms: retry_after_ms.filter(|_| !is_refused_key),
        ..Fault::lasting(code, reason)
    }
}

/// The table: code, reason, and whether to ask again.
fn judge(status: u16, said: &ErrorBody, asked_to_wait: bool) -> (Code, &'static str, bool) {
    let (status, retryable) = said.meant_by(status);
    let unless_said = |default: bool| retryable.unwrap_or(default);
    match status {
        // Following it would hand the prompt to a host that nobody configured.
        300..=399 => (Code::ProviderBadResponse, "redirect refused", false),
        // A key's own budget that is full again at a known time is no refused key.
        403 if said.resets_at.is_some() && asked_to_wait => {
            (Code::RateLimited, "a limit is used up", true)
        }
        403 if said.is_blocked => (
            Code::ProviderInvalidRequest,
            "the request was blocked",
            false,
        ),
        401 | 403 => (Code::ProviderAuthError, "the key was refused", false),
        // A budget of calls in flight frees itself; an empty account does not.
        402 if asked_to_wait => (Code::RateLimited, "the budget in flight is used up", true),
        402 => (
            Code::ProviderInvalidRequest,
            "the account has no credit left",
            false,
        ),
        429 => (Code::RateLimited, "too many requests", unless_said(true)),
        404 => (Code::ProviderNotFound, NOT_FOUND, unless_said(false)),
        400..=499 if said.is_of_model() => (Code::ProviderNotFound, NOT_FOUND, unless_said(false)),
        408 | 504 => (
            Code::LlmTimeout,
            "the server gave up waiting",
            unless_said(true),
        ),
        400..=499 => (
            Code::ProviderInvalidRequest,
            "the request was refused",
            false,
        ),
        // Also what llama.cpp says while it is loading a model.
        503 => (
            Code::LlmUnavailable,
            "the server is not ready",
            unless_said(true),
        ),
        // 520 and above are gateways in trouble, 529 an overloaded one.
        500 | 502 | 520.. => (
            Code::ProviderServerError,
            "the server failed",
            unless_said(true),
        ),
        // 501 and 505 to 519 tell what the server is, not how it is.
        500..=519 => (
            Code::ProviderServerError,
            "the server failed",
            unless_said(false),
        ),
        0..=299 => (
            Code::ProviderBadResponse,
            "an answer that is not understood",
            false,
        ),
    }
}

const NOT_FOUND: &str = "the model or the path is not known there";
