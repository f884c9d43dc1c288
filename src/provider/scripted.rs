//! Replies from a JSONL script, in order: for rehearsals, recordings and tests. Opens no file; the
//! whole script is checked before the first reply, so that mistakes show at once.

use super::types::{
    CallFuture, CallResult, Contact, FinishReason, LlmProvider, LlmReply, LlmRequest,
    ProviderError, ReplyArrival, Usage,
};
use super::wire;
use crate::config::ProviderKind;
use crate::failure::{Code, Failure};
use serde::Deserialize;
use serde_json::Value;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A provider that plays a script, one line a call.
#[derive(Debug)]
pub struct ScriptedProvider {
    name: String,
    replies: Vec<CallResult>,
    played: AtomicUsize,
}

/// The fields of a line, or of its `reply` in a conversation log.
const FIELDS: [&str; 6] = ["text", "reasoning", "finish", "usage", "model", "error"];

#[derive(Deserialize)]
#[serde(rename = "Line")]
struct ScriptLine {
    text: Option<String>,
    reasoning: Option<String>,
    #[serde(default)]
    finish: FinishReason,
    #[serde(default)]
    usage: ScriptUsage,
    model: Option<String>,
    error: Option<ScriptError>,
}

#[derive(Default, Deserialize)]
#[serde(default, rename = "Tokens")]
struct ScriptUsage {
    input_tokens: u64,
    output_tokens: u64,
}

#[derive(Deserialize)]
#[serde(rename = "Failed")]
struct ScriptError {
    code: Code,
    #[serde(default)]
    retry: bool,
    message: Option<String>,
    retry_after_ms: Option<u64>,
}

impl ScriptedProvider {
    /// Reads a script: one JSON object a line.
    /// Each is either `{"text", "reasoning"?, "finish"?: "stop"|"length", "usage"?:
    /// {"input_tokens", "output_tokens"}, "model"?}`, or `{"error": {"code", "retry"?, "message"?,
    /// "retry_after_ms"?}}`, or any object with such an object as its `reply`. Blank lines and
    /// objects without a reply are skipped. `name` names the script in errors, and is the one model
    /// that it offers.
    ///
    /// # Errors
    /// `CONFIG_SCHEMA_INVALID` for a script without any reply or with bad lines; all of them are
    /// named.
    pub fn from_text(name: &str, text: &str) -> Result<Self, Failure> {
        let mut replies = Vec::new();
        let mut problems = Vec::new();
        for (line, number) in text.lines().zip(1_usize..) {
            match read_line(line) {
                Ok(Some(line)) => replies.push(reply(name, line)),
                Ok(None) => {}
                Err(problem) => problems.push(format!("line {number}: {problem}")),
            }
        }
        if problems.is_empty() && replies.is_empty() {
            problems.push("it holds no reply, such as {\"text\": \"...\"}".to_owned());
        }
        if problems.is_empty() {
            return Ok(Self {
                name: name.to_owned(),
                replies,
                played: AtomicUsize::new(0),
            });
        }
        Err(Failure::new(
            Code::ConfigSchemaInvalid,
            format!("script `{name}`: {}", problems.join("; ")),
        ))
    }

    /// Returns the replies of the script, in order.
    pub fn into_replies(self) -> Vec<CallResult> {
        self.replies
    }

    fn next(&self) -> CallResult {
        let count = self.replies.len();
        let next = self.played.fetch_add(1, Ordering::Relaxed);
        self.replies.get(next).cloned().unwrap_or_else(|| {
            let message = format!("script `{}` ended after {count} replies", self.name);
            Err(ProviderError {
                contact: Contact::Made,
                ..ProviderError::held(Code::LlmUnavailable, message, None)
            })
        })
    }
}

impl LlmProvider for ScriptedProvider {
    fn complete<'a>(&'a self, _request: &'a LlmRequest) -> CallFuture<'a, CallResult> {
        Box::pin(async move { self.next() })
    }

    fn provider_name(&self) -> &'static str {
        ProviderKind::Scripted.name()
    }

    fn models(&self) -> CallFuture<'_, Result<Vec<String>, ProviderError>> {
        Box::pin(async move { Ok(vec![self.name.clone()]) })
    }
}

/// Reads the reply of a line; `None` if it has none.
fn read_line(line: &str) -> Result<Option<ScriptLine>, String> {
    if line.trim().is_empty() {
        return Ok(None);
    }
    let value: Value = serde_json::from_str(line).map_err(|error| {
        // serde_json counts lines within this one line, so only its column is of use.
        format!("not JSON near column {}", error.column())
    })?;
    let Value::Object(mut fields) = value else {
        return Err("not a JSON object".to_owned());
    };
    let reply = match fields.remove("reply") {
        Some(Value::Object(reply)) => reply,
        Some(Value::Null) => return Ok(None),
        Some(_) => return Err("`reply` is not an object".to_owned()),
        None if fields.contains_key("text")
            || fields.get("error").is_some_and(Value::is_object) =>
        {
            if let Some(unknown) = fields.keys().find(|key| !FIELDS.contains(&key.as_str())) {
                return Err(format!("unknown field `{unknown}`"));
            }
            fields
        }
        None => return Ok(None),
    };
    let line: ScriptLine =
        serde_json::from_value(Value::Object(reply)).map_err(|e| e.to_string())?;
    match (&line.text, &line.error) {
        (None, None) => Err("neither `text` nor `error`".to_owned()),
        (Some(_), Some(_)) => Err("both `text` and `error`".to_owned()),
        _ => Ok(Some(line)),
    }
}

/// Returns the reply of a line, judged exactly as a reply over HTTP is.
fn reply(name: &str, line: ScriptLine) -> CallResult {
    if let Some(failed) = line.error {
        let worded = || format!("script `{name}`: {}", failed.code.page().what);
        let message = failed.message.unwrap_or_else(worded);
        return Err(ProviderError {
            retry: failed.retry,
            contact: Contact::Made,
            ..ProviderError::held(failed.code, message, failed.retry_after_ms)
        });
    }
    let reply = LlmReply {
        text: line.text.unwrap_or_default(),
        reasoning: line.reasoning.filter(|text| !text.trim().is_empty()),
        finish: line.finish,
        usage: Usage::of_reply(line.usage.input_tokens, line.usage.output_tokens),
        model: line.model,
        arrival: ReplyArrival::default(),
    };
    let reply = wire::judged(reply, 0);
    reply.map_err(|fault| fault.into_error(&format!("script `{name}`"), &[], &[]))
}
