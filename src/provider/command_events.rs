//! What command-line providers print: one JSON object a line, in the dialects of the programs that
//! are known. Tolerant of everything that it does not know; strict about whether there was an end.
//! Starts nothing.

use super::fault::Fault;
use super::types::{Arrival, LlmReply, Usage};
use super::wire::{accept, finish_reason, too_long};
use crate::failure::Code;
use crate::limits::{REPLY_TEXT_BYTES_MAX, USAGE_TOKENS_MAX};
use serde_json::Value;

/// How the program said that it was done.
#[derive(Debug)]
enum End {
    Good,
    Failed(String),
}

/// An answer while its lines arrive.
#[derive(Debug, Default)]
pub(super) struct CommandAnswer {
    /// What the model said, piece by piece.
    said: String,
    /// What the program gives as the result; it goes before the pieces.
    result: Option<String>,
    reasoning: String,
    usage: Usage,
    model: Option<String>,
    /// Why the model stopped, in the program's words, where it tells.
    finish: Option<Value>,
    end: Option<End>,
    /// Lines that were no JSON object.
    strange_lines: usize,
}

impl CommandAnswer {
    /// Takes a line in.
    ///
    /// # Errors
    /// An answer beyond every bound.
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
        match text("/type").unwrap_or_default() {
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
                Some("agent_message") => self.say(text("/item/text")),
                Some("reasoning") => self.think(text("/item/text")),
                _ => {}
            },
            "turn.completed" => {
                self.count(event.get("usage"));
                self.end = Some(End::Good);
            }
            "turn.failed" | "error" => {
                let message = text("/error/message").or_else(|| text("/message"));
                let message = message.or_else(|| text("/error"));
                self.end = Some(End::Failed(message.unwrap_or_default().to_owned()));
            }
            // Gemini.
            "init" => self.model = text("/model").map(str::to_owned),
            "message" if text("/role") != Some("user") => self.say(text("/content")),
            _ => {}
        }
        if self.said.len().max(self.reasoning.len()) > REPLY_TEXT_BYTES_MAX {
            return Err(too_long());
        }
        Ok(())
    }

    fn say(&mut self, text: Option<&str>) {
        self.said.push_str(text.unwrap_or_default());
    }

    fn think(&mut self, text: Option<&str>) {
        self.reasoning.push_str(text.unwrap_or_default());
    }

    /// The last word on it counts: a program may let its model speak several times.
    fn stopped(&mut self, reason: Option<&Value>) {
        let told = reason.filter(|reason| !reason.is_null());
        self.finish = told.cloned().or_else(|| self.finish.take());
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

    /// The last record of Claude, Qwen and Gemini.
    fn result(&mut self, event: &Value) {
        let text = |path: &str| event.pointer(path).and_then(Value::as_str);
        let mut counts = ["usage", "stats"].into_iter();
        self.count(counts.find_map(|name| event.get(name)));
        let is_error = event.get("is_error").and_then(Value::as_bool) == Some(true);
        let has_failed = text("/subtype").is_some_and(|subtype| subtype != "success")
            || text("/status").is_some_and(|status| status != "success");
        if is_error || has_failed {
            let words = ["/result", "/error/message", "/subtype"];
            let message = words.into_iter().find_map(text).unwrap_or_default();
            self.end = Some(End::Failed(message.to_owned()));
            return;
        }
        self.stopped(event.get("stop_reason"));
        self.result = text("/result").map(str::to_owned);
        self.end = Some(End::Good);
    }

    fn count(&mut self, counts: Option<&Value>) {
        let tokens = |name: &str| {
            let count = counts.and_then(|counts| counts.get(name)?.as_u64());
            count.unwrap_or_default().min(USAGE_TOKENS_MAX)
        };
        self.usage.input_tokens = tokens("input_tokens");
        self.usage.output_tokens = tokens("output_tokens");
    }

    /// The answer, once the program has ended; `status` says how, and whether that was good.
    ///
    /// # Errors
    /// A program that ended badly, said that it failed, or never said that it was done.
    pub(super) fn finish(self, status: &str, is_success: bool) -> Result<LlmReply, Fault> {
        let strange = match self.strange_lines {
            0 => String::new(),
            lines => format!("; {lines} lines of its output were not understood"),
        };
        match self.end {
            Some(End::Good) if is_success => {}
            Some(End::Failed(message)) => {
                let fault = Fault::passing(Code::ProviderServerError, "the program failed");
                return Err(Fault {
                    quote: Some(message),
                    ..fault
                });
            }
            Some(End::Good) | None if !is_success => {
                let reason = format!("the program failed ({status}){strange}");
                return Err(Fault::passing(Code::ProviderServerError, reason));
            }
            Some(End::Good) | None => {
                let reason = format!("the program ended without a result{strange}");
                return Err(Fault::passing(Code::ProviderBadResponse, reason));
            }
        }
        let result = self.result.filter(|text| !text.trim().is_empty());
        let reasoning = Some(self.reasoning).filter(|text| !text.trim().is_empty());
        accept(LlmReply {
            text: result.unwrap_or(self.said),
            reasoning,
            finish: finish_reason(self.finish.as_ref())?,
            usage: Usage {
                calls: 1,
                ..self.usage
            },
            model: self.model,
            arrival: Arrival::default(),
        })
    }
}
