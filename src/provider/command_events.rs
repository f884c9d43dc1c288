//! The output of command-line providers: one JSON object a line, in the dialects of the known
//! programs. Ignores everything unknown; strict about whether there was an end. Starts nothing.

use super::fault::Fault;
use super::types::{LlmReply, ReplyArrival, Usage};
use super::wire::{finish_reason, micro_dollars, too_long};
use crate::failure::Code;
use crate::limits::{REPLY_TEXT_BYTES_MAX, USAGE_TOKENS_MAX};
use serde_json::Value;

/// The error names in a record, each with the HTTP status that it stands for.
const ERROR_WORDS: [(&str, u16); 7] = [
    ("authentication_failed", 401),
    ("billing_error", 402),
    ("oauth_org_not_allowed", 403),
    ("rate_limit", 429),
    ("invalid_request", 400),
    ("server_error", 500),
    ("overloaded", 529),
];

/// The phrases in an error message, each with the HTTP status that it stands for.
const MESSAGE_WORDS: [(&str, u16); 9] = [
    ("/login", 401),
    ("no auth type is selected", 401),
    ("unauthenticated", 401),
    ("api key not valid", 401),
    ("resource_exhausted", 429),
    ("not logged in", 401),
    ("invalid api key", 401),
    ("usage limit", 429),
    ("overloaded", 529),
];

/// The phrases before an HTTP status in an error message.
const BEFORE_STATUS: [&str; 4] = [
    "api error: ",
    "status: ",
    "unexpected status ",
    "error code: ",
];

/// The types of the records after which no program prints anything.
/// Codex may go on after an `error`, with which it reports that it reconnects.
const LAST_RECORDS: [&str; 3] = ["result", "turn.completed", "turn.failed"];

/// A reply while its lines arrive.
#[derive(Debug, Default)]
pub(super) struct CommandAnswer {
    /// The text of the model, piece by piece.
    reply_text: String,
    /// The text of the result record; it takes precedence over the pieces.
    result: Option<String>,
    reasoning: String,
    /// The HTTP status of the error that the program got from its server.
    status: Option<u16>,
    /// The tokens that the program counted, where it reports them.
    usage: Option<Usage>,
    /// The price that the program reports, in millionths of a dollar.
    cost_micro_dollars: Option<u64>,
    model: Option<String>,
    /// The finish reason in the program's words, where it reports one.
    finish: Option<Value>,
    /// The result that the program reported, or the message of its failure.
    end: Option<Result<(), String>>,
    /// Whether the last record has arrived.
    is_over: bool,
    strange_lines: usize,
}

impl CommandAnswer {
    /// Reads one line.
    ///
    /// # Errors
    /// Returns the fault of a reply that is too long.
    pub(super) fn take(&mut self, line: &str) -> Result<(), Fault> {
        let line = line.trim();
        if line.is_empty() {
            return Ok(());
        }
        let Ok(event @ Value::Object(_)) = serde_json::from_str::<Value>(line) else {
            self.strange_lines += 1;
            return Ok(());
        };
        let text = |path: &str| event.pointer(path).and_then(Value::as_str);
        self.note_status(&event);
        let kind = text("/type").unwrap_or_default();
        self.is_over |= LAST_RECORDS.contains(&kind);
        match kind {
            // Claude Code and Qwen Code.
            "system" => {
                self.model = text("/model")
                    .map(str::to_owned)
                    .or_else(|| self.model.take());
            }
            "assistant" => {
                self.blocks(event.pointer("/message/content"));
                self.stopped(event.pointer("/message/stop_reason"));
            }
            "result" => self.result(&event),
            // Codex.
            "item.completed" => match text("/item/type") {
                // The last message is the reply; those before it report progress.
                Some("agent_message") => {
                    self.reply_text.clear();
                    self.say(text("/item/text"));
                }
                Some("reasoning") => self.think(text("/item/text")),
                _ => {}
            },
            "turn.completed" => {
                self.count(event.get("usage"));
                self.end = Some(Ok(()));
            }
            "turn.failed" | "error" => {
                let message = text("/error/message").or_else(|| text("/message"));
                let message = message.or_else(|| text("/error"));
                self.end = Some(Err(message.unwrap_or_default().to_owned()));
            }
            // Gemini.
            "init" => self.model = text("/model").map(str::to_owned),
            "message" if text("/role") != Some("user") => self.say(text("/content")),
            _ => {}
        }
        if self.reply_text.len().max(self.reasoning.len()) > REPLY_TEXT_BYTES_MAX {
            return Err(too_long());
        }
        Ok(())
    }

    /// Returns whether the last record has arrived.
    pub(super) const fn is_over(&self) -> bool {
        self.is_over
    }

    /// Notes the HTTP status of an error that Claude reports.
    fn note_status(&mut self, event: &Value) {
        let number = event.get("api_error_status").and_then(Value::as_u64);
        let word = event.get("error").and_then(Value::as_str);
        let meant = || {
            let mut known = ERROR_WORDS.iter();
            known.find(|(known, _)| word == Some(known)).map(|it| it.1)
        };
        let status = number.and_then(|number| u16::try_from(number).ok());
        let status = status.filter(|status| is_bad(*status)).or_else(meant);
        self.status = status.or(self.status);
    }

    fn say(&mut self, text: Option<&str>) {
        self.reply_text.push_str(text.unwrap_or_default());
    }

    fn think(&mut self, text: Option<&str>) {
        self.reasoning.push_str(text.unwrap_or_default());
    }

    /// Notes a finish reason.
    /// The last one counts: a program may call its model several times.
    fn stopped(&mut self, reason: Option<&Value>) {
        let reason = reason.filter(|reason| !reason.is_null());
        self.finish = reason.cloned().or_else(|| self.finish.take());
    }

    fn blocks(&mut self, content: Option<&Value>) {
        for block in content.and_then(Value::as_array).into_iter().flatten() {
            let text = |name: &str| block.get(name).and_then(Value::as_str);
            match text("type") {
                Some("text") => self.say(text("text")),
                Some("thinking") => self.think(text("thinking")),
                _ => {}
            }
        }
    }

    /// Reads the last record of Claude, Qwen and Gemini.
    fn result(&mut self, event: &Value) {
        let text = |path: &str| event.pointer(path).and_then(Value::as_str);
        let mut counts = ["usage", "stats"].into_iter();
        self.count(counts.find_map(|name| event.get(name)));
        let is_error = event.get("is_error").and_then(Value::as_bool) == Some(true);
        let has_failed = text("/subtype").is_some_and(|subtype| subtype != "success")
            || text("/status").is_some_and(|status| status != "success");
        if is_error || has_failed {
            let words = [
                "/result",
                "/error/message",
                "/error",
                "/errors/0",
                "/subtype",
            ];
            let mut words = words.into_iter().filter_map(text);
            let message = words.find(|words| !words.is_empty());
            let message = message.unwrap_or_default();
            self.end = Some(Err(message.to_owned()));
            return;
        }
        self.stopped(event.get("stop_reason"));
        self.cost_micro_dollars = event.get("total_cost_usd").and_then(micro_dollars);
        self.result = text("/result").map(str::to_owned);
        self.end = Some(Ok(()));
    }

    fn count(&mut self, counts: Option<&Value>) {
        let Some(counts) = counts.filter(|counts| counts.is_object()) else {
            return;
        };
        let tokens = |name: &str| {
            let count = counts.get(name).and_then(Value::as_u64);
            count.unwrap_or_default().min(USAGE_TOKENS_MAX)
        };
        // Claude counts cached tokens separately; the others include them.
        let is_apart = counts.get("total_tokens").is_none();
        let apart = ["cache_creation_input_tokens", "cache_read_input_tokens"].map(tokens);
        let apart = apart.into_iter().filter(|_| is_apart).sum::<u64>();
        let input_tokens = tokens("input_tokens").saturating_add(apart);
        let input_tokens = input_tokens.min(USAGE_TOKENS_MAX);
        self.usage = Some(Usage::of_reply(input_tokens, tokens("output_tokens")));
    }

    /// Returns the reply once the program has ended; `status` describes the exit.
    ///
    /// # Errors
    /// Returns a fault for a program that failed, reported a failure, or printed no result.
    pub(super) fn finish(self, status: &str, is_success: bool) -> Result<LlmReply, Fault> {
        let strange = match self.strange_lines {
            0 => String::new(),
            lines => format!("; {lines} lines of its output were not understood"),
        };
        match self.end {
            Some(Ok(())) if is_success => {}
            Some(Err(message)) => return Err(failed(self.status, &message)),
            Some(Ok(())) | None if !is_success => {
                let reason = format!("the program failed ({status}){strange}");
                return Err(Fault::passing(Code::ProviderServerError, reason));
            }
            Some(Ok(())) | None => {
                let reason = format!("the program ended without a result{strange}");
                return Err(Fault::passing(Code::ProviderBadResponse, reason));
            }
        }
        let result = self.result.filter(|text| !text.trim().is_empty());
        let reasoning = Some(self.reasoning).filter(|text| !text.trim().is_empty());
        Ok(LlmReply {
            text: result.unwrap_or(self.reply_text),
            reasoning,
            finish: finish_reason(self.finish.as_ref())?,
            usage: self.usage.unwrap_or_default(),
            model: self.model,
            arrival: ReplyArrival {
                usage_is_estimated: self.usage.is_none(),
                cost_micro_dollars: self.cost_micro_dollars,
                ..ReplyArrival::default()
            },
        })
    }
}

const fn is_bad(status: u16) -> bool {
    matches!(status, 400..600)
}

/// Returns the fault that a program reports: that of its server, where the message names it.
fn failed(status: Option<u16>, message: &str) -> Fault {
    let status = status.or_else(|| status_in_words(message));
    let mut fault = super::refusal::reported(status.unwrap_or(500), message);
    if fault.error.code == Code::ProviderServerError {
        "the program failed".clone_into(&mut fault.error.message);
    } else if fault.error.code == Code::ProviderAuthError {
        "the program is not logged in, or its key was refused".clone_into(&mut fault.error.message);
    }
    fault
}

fn status_in_words(message: &str) -> Option<u16> {
    let message = message.to_ascii_lowercase();
    let mut numbers = BEFORE_STATUS.iter().filter_map(|before| {
        let (_, rest) = message.split_once(before)?;
        rest.get(..3)?.parse().ok()
    });
    let number = numbers.find(|number| is_bad(*number));
    let mut words = MESSAGE_WORDS.iter();
    let meant = words.find(|(words, _)| message.contains(words));
    number.or_else(|| meant.map(|(_, status)| *status))
}
