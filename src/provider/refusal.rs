//! The meaning of an error response: its code, whether to repeat the request, the sizes of a prompt
//! that was too long, and the end of a limit. The table of HTTP statuses and the vocabularies of the
//! servers are only here. No clock of ours is compared with the server's: a moment counts from the
//! reply's own `Date`.

use super::fault::Fault;
use super::loaded_window::window_of;
use super::types::{Objection, PromptOverflow};
use crate::failure::Code;
use crate::limits::{RESETS_AFTER_MS_MAX, RESETS_PLAUSIBLE_MS_MAX, USAGE_TOKENS_MAX};
use chrono::{DateTime, FixedOffset};
use reqwest::header::{DATE, HeaderMap, RETRY_AFTER};
use serde_json::Value;
use std::time::Duration;

/// The fields of an error object.
/// `error` may be a string (LM Studio), or an object whose `code` is a number (llama.cpp,
/// `OpenRouter`) or a word (`OpenAI`).
#[derive(Debug, Default)]
pub(super) struct ErrorBody {
    message: Option<String>,
    /// The values of `type`, `code` and `metadata.error_type`, in lower case.
    words: Vec<String>,
    status: Option<u16>,
    overflow: PromptOverflow,
    /// The value of `OpenRouter`'s `availability.retryable`.
    retryable: Option<bool>,
    /// The end of a limit, from `resets_at`.
    resets_at: Option<DateTime<FixedOffset>>,
    /// The end of a limit of calls, from the copy of `OpenRouter`'s header in the body.
    calls_reset_at: Option<DateTime<FixedOffset>>,
    /// The pause of `availability.retry_after`, in milliseconds.
    pause_ms: Option<u64>,
    /// Whether the content of the request was refused, and not the key.
    is_blocked: bool,
}

/// The messages that contradict their status: a phrase, the right status, and whether to repeat.
/// The first match counts.
const WORDED_ERRORS: [(&str, u16, bool); 10] = [
    // LM Studio's message for an unknown path, with status 200.
    ("unexpected endpoint or method", 404, false),
    // LM Studio sends the others with status 400. The next request loads an unloaded model again.
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
    /// Reads the body of an error response; one that is not JSON gives no fields.
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
        let message = message.or_else(|| first_field_error(error));
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
            overflow: PromptOverflow {
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

    /// Returns the pause in milliseconds that the body or the headers of a response ask for.
    pub(super) fn wait_ms(&self, status: u16, headers: &HeaderMap) -> Option<u64> {
        let resets_at = if status == 429 {
            let calls_reset_at = calls_reset_at(headers).or(self.calls_reset_at);
            self.resets_at.max(calls_reset_at)
        } else {
            self.resets_at
        };
        let resets_in_ms = resets_at.and_then(|at| ends_in_ms(at, headers));
        retry_after_ms(headers).max(resets_in_ms)
    }

    /// Returns the right status, and whether to repeat the request where the message decides that.
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

    /// Returns the part of the request that a refusal with that status may be about.
    /// A refused key, an empty account, an unknown model and a failing server are not about the
    /// body.
    fn objection(&self, status: u16, asked_to_wait: bool) -> Objection {
        let message = self.message.as_deref().unwrap_or_default();
        match self.meant_by(status).0 {
            // `OpenRouter` has no host that supports all members of the body.
            404 if message.contains("requested parameters") => Objection::Body,
            402 if !asked_to_wait => Objection::Credit,
            400 | 415 | 422 if !self.is_of_model() => Objection::Body,
            _ => Objection::None,
        }
    }

    /// Returns whether a word says that the model does not exist.
    fn is_of_model(&self) -> bool {
        self.has_word(&["model_not_found", "not_found"])
    }

    fn has_word(&self, words: &[&str]) -> bool {
        self.words.iter().any(|word| words.contains(&word.as_str()))
    }

    /// Returns whether the prompt was too long.
    /// A word of the server says so, else phrases of its message.
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

/// Returns the message of an error; the host's own where a market passes one on.
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

/// Returns the fault of an error object that came with status 200; `None` for an empty one.
/// `OpenRouter` and LM Studio send such objects once the headers are out.
pub(super) fn inside_good_answer(error: &Value, headers: &HeaderMap) -> Option<Fault> {
    if !says_something(error) {
        return None;
    }
    let said = ErrorBody::in_error(error);
    if let Some(status) = said.status {
        return Some(of_status(status, &said, said.wait_ms(status, headers)));
    }
    let mut fault = of_words(500, &said, said.wait_ms(500, headers));
    if fault.error.code == Code::ProviderServerError {
        "the answer is an error".clone_into(&mut fault.error.message);
    }
    Some(fault)
}

/// Returns the fault of a response whose status is not a success.
pub(super) fn of_status(status: u16, said: &ErrorBody, retry_after_ms: Option<u64>) -> Fault {
    let mut fault = of_words(status, said, retry_after_ms);
    if fault.error.overflow.is_none() {
        let reason = &fault.error.message;
        fault.error.message = format!("{reason} (HTTP {status})");
    }
    fault
}

/// Returns the fault of a response that another program got and reports.
pub(super) fn reported(status: u16, message: &str) -> Fault {
    let error = Value::String(message.to_owned());
    of_words(status, &ErrorBody::in_error(&error), None)
}

/// Returns the fault of an error response, without the status in its reason.
fn of_words(status: u16, said: &ErrorBody, retry_after_ms: Option<u64>) -> Fault {
    let retry_after_ms = retry_after_ms.max(said.pause_ms.map(within_bounds));
    let quote = said.message.clone();
    if matches!(status, 400 | 413 | 422 | 500) && said.is_context_overflow() {
        let mut fault = Fault::lasting(Code::ProviderContextExceeded, said.context_overflow());
        fault.quote = quote;
        fault.error.overflow = Some(said.overflow);
        return fault;
    }
    let asked_to_wait = retry_after_ms.is_some();
    let (code, reason, retry) = judge(status, said, asked_to_wait);
    let is_refused_key = code == Code::ProviderAuthError;
    let mut fault = Fault::lasting(code, reason);
    // A text beside a refused key is not shown: it may hold the key. Nor is a pause kept.
    fault.quote = quote.filter(|_| !is_refused_key);
    fault.error.objection = said.objection(status, asked_to_wait);
    fault.error.retry = retry;
    fault.error.retry_after_ms = retry_after_ms.filter(|_| !is_refused_key);
    fault
}

/// Returns the code and the reason of a status, and whether to repeat the request.
fn judge(status: u16, said: &ErrorBody, asked_to_wait: bool) -> (Code, &'static str, bool) {
    let (status, retryable) = said.meant_by(status);
    let unless_said = |default: bool| retryable.unwrap_or(default);
    match status {
        // A redirect would hand the prompt to a host that is not configured.
        300..=399 => (Code::ProviderBadResponse, "redirect refused", false),
        // A key's own budget that is full again at a known time does not mean a refused key.
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
        // 501 and 505 to 519 are about what the server supports, and so they last.
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

/// The places, below the value that holds an error, where the list of invalid members may stand.
const FIELD_ERROR_PLACES: [&str; 4] = ["", "/detail", "/message/detail", "/message"];

/// Returns the first invalid member as `PLACE: SENTENCE`; `None` where none are listed.
/// `FastAPI` and pydantic list them, each with its place; the others have the same cause.
fn first_field_error(error: &Value) -> Option<String> {
    let mut lists = FIELD_ERROR_PLACES
        .iter()
        .filter_map(|place| error.pointer(place));
    let entry = lists.find_map(|list| list.as_array()?.first())?;
    if let Some(text) = entry.as_str() {
        return Some(text.to_owned());
    }
    let mut words = ["msg", "message"].into_iter();
    let sentence = words.find_map(|name| entry.get(name)?.as_str())?;
    let place = entry.get("loc").and_then(Value::as_array);
    let steps = place.into_iter().flatten().filter_map(|step| match step {
        Value::String(name) => Some(name.clone()),
        Value::Number(index) => Some(index.to_string()),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
    });
    let place = steps.collect::<Vec<_>>().join(".");
    Some(if place.is_empty() {
        sentence.to_owned()
    } else {
        format!("{place}: {sentence}")
    })
}

/// The phrases before and after the size of a window in a message; either may be empty.
const WINDOW_PHRASES: [(&str, &str); 8] = [
    ("maximum context length is ", ""),
    ("available context size (", ""),
    ("n_ctx: ", ""),
    ("n_ctx = ", ""),
    ("n_ctx (", ""),
    ("context length of only ", ""),
    ("context length is only ", ""),
    ("context length of ", ""),
];

/// The phrases before and after the size of a prompt in a message; either may be empty.
const PROMPT_PHRASES: [(&str, &str); 7] = [
    ("resulted in ", ""),
    ("request (", ""),
    ("keep the first ", ""),
    ("n_keep: ", ""),
    ("n_keep (", ""),
    ("", " input tokens"),
    ("", " in the messages"),
];

/// Reads the sizes from the message of a refusal.
fn overflow_in_words(message: &str) -> PromptOverflow {
    let message = message.to_ascii_lowercase();
    PromptOverflow {
        prompt_tokens: number_in(&message, &PROMPT_PHRASES).and_then(prompt_of),
        window_tokens: number_in(&message, &WINDOW_PHRASES).and_then(window_of),
    }
}

/// Returns the number at the first phrase that has one.
fn number_in(message: &str, phrases: &[(&str, &str)]) -> Option<u64> {
    let not_digit = |character: char| !character.is_ascii_digit();
    let mut found = phrases.iter().filter_map(|(before, behind)| {
        let digits = if before.is_empty() {
            let (rest, _) = message.split_once(behind)?;
            rest.rsplit(not_digit).next()?
        } else {
            let (_, rest) = message.split_once(before)?;
            rest.split(not_digit).next()?
        };
        digits.parse().ok()
    });
    found.next()
}

/// Returns the number if it can be the size of a prompt in tokens.
pub(super) fn prompt_of(tokens: u64) -> Option<u64> {
    (1..=USAGE_TOKENS_MAX).contains(&tokens).then_some(tokens)
}

/// Returns when a limit of calls is full again, by `OpenRouter`'s header.
/// `None` where calls are left, as that is not the limit that refused the request.
fn calls_reset_at(headers: &HeaderMap) -> Option<DateTime<FixedOffset>> {
    let text = |name| Some(headers.get(name)?.to_str().ok()?.trim());
    let left: Option<u64> = text("x-ratelimit-remaining").and_then(|left| left.parse().ok());
    if left.is_some_and(|left| left > 0) {
        return None;
    }
    moment_in(text("x-ratelimit-reset")?)
}

/// Returns the milliseconds until a moment, counted from the reply's own `Date`, within bounds.
/// `None` where the moment is past or too far away to be the end of a limit.
fn ends_in_ms(moment: DateTime<FixedOffset>, headers: &HeaderMap) -> Option<u64> {
    let left = moment.signed_duration_since(date_of(headers)?);
    u64::try_from(left.num_milliseconds())
        .ok()
        .filter(|ms| (1..=RESETS_PLAUSIBLE_MS_MAX).contains(ms))
        .map(within_bounds)
}

/// Returns the pause, or the longest allowed one where it is longer.
fn within_bounds(pause_ms: u64) -> u64 {
    pause_ms.min(RESETS_AFTER_MS_MAX)
}

/// Reads a moment: RFC 3339, or seconds or milliseconds since 1970, also as text.
fn moment(value: &Value) -> Option<DateTime<FixedOffset>> {
    if let Some(text) = value.as_str() {
        return moment_in(text.trim());
    }
    of_number(value.as_i64()?)
}

fn moment_in(text: &str) -> Option<DateTime<FixedOffset>> {
    match text.parse() {
        Ok(number) => of_number(number),
        Err(_) => DateTime::parse_from_rfc3339(text).ok(),
    }
}

fn of_number(number: i64) -> Option<DateTime<FixedOffset>> {
    // As milliseconds, the bound is in 1973; as seconds, in the year 5138.
    let moment = if number < 100_000_000_000 {
        DateTime::from_timestamp(number, 0)
    } else {
        DateTime::from_timestamp_millis(number)
    };
    moment.map(|moment| moment.fixed_offset())
}

/// Converts a number of seconds, whole or not, to milliseconds.
fn seconds(value: &Value) -> Option<u64> {
    let pause = Duration::try_from_secs_f64(value.as_f64()?).ok()?;
    u64::try_from(pause.as_millis()).ok()
}

/// Returns the `Date` of a reply, by the server's clock.
fn date_of(headers: &HeaderMap) -> Option<DateTime<FixedOffset>> {
    let text = headers.get(DATE)?.to_str().ok()?;
    DateTime::parse_from_rfc2822(text.trim()).ok()
}

/// Returns the pause of `Retry-After` in milliseconds, within bounds.
/// It may be a number of seconds, or a date. Anything else is ignored.
fn retry_after_ms(headers: &HeaderMap) -> Option<u64> {
    let text = |name| headers.get(name)?.to_str().ok().map(str::trim);
    let asked = text(RETRY_AFTER)?;
    let pause_ms = if !asked.is_empty() && asked.bytes().all(|byte| byte.is_ascii_digit()) {
        // More digits than a number holds still ask for a very long pause.
        asked.parse().unwrap_or(u64::MAX).saturating_mul(1000)
    } else {
        let until = DateTime::parse_from_rfc2822(asked).ok()?;
        let now = date_of(headers)?;
        u64::try_from(until.signed_duration_since(now).num_milliseconds()).ok()?
    };
    Some(within_bounds(pause_ms))
}
