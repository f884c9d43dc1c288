//! Joins the events of a streamed chat reply. The reply counts only when the server has said that
//! it is complete, or when the monitor has said that the rest is not worth waiting for.

use super::fault::{Fault, cut_short};
use super::types::{FinishReason, LlmReply, ReplyArrival, Usage};
use super::wire::{
    ChatAnswer, MessageText, ReplyCertainty, content_text, cost_micro_dollars, finish_reason,
    model_name, no_fault_in, spoken, usage,
};
use crate::core::protocol::{EarlyStop, ReasoningLoop, StopPoint, StreamMonitor};
use crate::failure::Code;
use crate::limits::{REPLY_TEXT_BYTES_MAX, STREAM_EVENTS_MAX};
use reqwest::header::HeaderMap;
use serde_json::Value;

/// A chat reply while it arrives.
#[derive(Debug)]
pub(super) struct ChatStream {
    monitor: StreamMonitor,
    stop: Option<StopPoint>,
    reasoning: String,
    reasoning_loop: ReasoningLoop,
    finish: Option<FinishReason>,
    usage: Option<Usage>,
    arrival: ReplyArrival,
    certainty: ReplyCertainty,
    model: Option<String>,
    events: usize,
    /// The number of events with text or reasoning.
    words: u64,
    headers: HeaderMap,
}

impl ChatStream {
    /// Creates a reply of which only the headers have arrived.
    pub(super) fn new(monitor: StreamMonitor, headers: HeaderMap) -> Self {
        Self {
            monitor,
            stop: None,
            reasoning: String::new(),
            reasoning_loop: ReasoningLoop::default(),
            finish: None,
            usage: None,
            arrival: ReplyArrival::default(),
            certainty: ReplyCertainty::default(),
            model: None,
            events: 0,
            words: 0,
            headers,
        }
    }

    /// Reads the data of an event.
    /// Returns whether it held text or reasoning.
    ///
    /// # Errors
    /// Returns the fault that the event reports, or that of a reply that is too long.
    pub(super) fn take(&mut self, data: &str) -> Result<bool, Fault> {
        self.events += 1;
        if self.events > STREAM_EVENTS_MAX {
            let message = format!("the answer has more than {STREAM_EVENTS_MAX} events");
            return Err(Fault::lasting(Code::LlmReplyRunaway, message));
        }
        let mut chunk = ChatAnswer::read(data, &self.headers)?;
        let choice = chunk.choice();
        if self.model.is_none() {
            self.model = chunk.model.and_then(model_name);
        }
        if let Some(usage) = usage(chunk.usage.as_ref()) {
            self.usage = Some(usage);
            self.arrival.cost_micro_dollars = cost_micro_dollars(chunk.usage.as_ref());
        }
        let Some(choice) = choice else {
            return Ok(false);
        };
        no_fault_in(choice.error.as_ref(), &self.headers)?;
        if choice
            .finish_reason
            .as_ref()
            .is_some_and(|it| !it.is_null())
        {
            self.finish = Some(finish_reason(choice.finish_reason.as_ref())?);
        }
        self.certainty.take(&choice);
        self.say(choice.delta.unwrap_or_default())
    }

    /// Adds text and reasoning of an event.
    /// Text after a cut is ignored.
    fn say(&mut self, delta: MessageText) -> Result<bool, Fault> {
        let text = delta.content.map(content_text).unwrap_or_default();
        let thought = [delta.reasoning, delta.reasoning_content];
        let mut thought = thought.into_iter().flatten().map(content_text);
        let thought = thought.find(|text| !text.is_empty()).unwrap_or_default();
        if self.reasoning.len() + thought.len() > REPLY_TEXT_BYTES_MAX {
            let message = format!("the reasoning is longer than {REPLY_TEXT_BYTES_MAX} bytes");
            return Err(Fault::lasting(Code::LlmReplyRunaway, message));
        }
        self.reasoning.push_str(&thought);
        if self.stop.is_none() && self.reasoning_loop.is_in(&self.reasoning) {
            self.stop = self.monitor.stop_here(EarlyStop::Repetition);
        }
        if self.stop.is_none() && !text.is_empty() {
            self.stop = self.monitor.push(&text);
        }
        let has_words = !text.is_empty() || !thought.is_empty();
        self.words += u64::from(has_words);
        Ok(has_words)
    }

    /// Returns the number of events with text or reasoning: servers send one for each token.
    pub(super) const fn words(&self) -> u64 {
        self.words
    }

    /// Returns whether the server has sent a finish reason: only a token count may follow.
    pub(super) const fn has_ended(&self) -> bool {
        self.finish.is_some()
    }

    /// Returns the cut after which the rest need not be waited for, if there is one.
    pub(super) const fn stop(&self) -> Option<StopPoint> {
        self.stop
    }

    /// Returns the reply once the stream has ended; `was_done` means that the server sent the end.
    ///
    /// # Errors
    /// Returns a fault for a stream that was cut short.
    pub(super) fn finish(self, was_done: bool) -> Result<LlmReply, Fault> {
        let finish = match (self.stop, self.finish) {
            (
                Some(StopPoint {
                    truncated: true, ..
                }),
                _,
            ) => FinishReason::Length,
            (Some(_), _) => FinishReason::Stop,
            (None, Some(finish)) => finish,
            // As without streaming, a reply without a finish reason counts if the server has sent
            // the end.
            (None, None) if was_done => FinishReason::Stop,
            (None, None) => return Err(cut_short()),
        };
        let arrival = ReplyArrival {
            certainty_percent: self.certainty.first_percent,
            least_percent: self.certainty.lines.least_percent(),
            early_stop: self.stop.map(|stop| stop.reason),
            usage_is_estimated: self.usage.is_none(),
            ..self.arrival
        };
        Ok(LlmReply {
            text: self.monitor.into_text(self.stop),
            reasoning: spoken(Value::String(self.reasoning)),
            finish,
            usage: self.usage.unwrap_or_default(),
            model: self.model,
            arrival,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::ChatStream;
    use crate::core::protocol::{AllowedTags, StreamMonitor};
    use crate::failure::Code;
    use crate::provider::types::{FinishReason, LlmReply};
    use crate::provider::wire::judged;
    use reqwest::header::HeaderMap;
    use serde_json::{Value, json};

    fn content_chunk(content: &str) -> Value {
        json!({"model": "m", "choices": [{"delta": {"content": content}, "finish_reason": null}]})
    }

    fn ended(reason: &str) -> Value {
        json!({"choices": [{"delta": {}, "finish_reason": reason}]})
    }

    fn answer(events: &[Value], was_done: bool) -> Result<LlmReply, Code> {
        let mut stream =
            ChatStream::new(StreamMonitor::new(AllowedTags::shipped()), HeaderMap::new());
        for event in events {
            stream
                .take(&event.to_string())
                .map_err(|fault| fault.error.code)?;
            if stream.stop().is_some() {
                break;
            }
        }
        let reply = stream.finish(was_done);
        let reply = reply.and_then(|reply| judged(reply, 0));
        reply.map_err(|fault| fault.error.code)
    }

    #[test]
    fn pieces_add_up_and_the_usage_comes_last() {
        let events = [
            json!({"choices": [{"delta": {"role": "assistant", "content": null}}]}),
            json!({"choices": [{"delta": {"reasoning_content": "hm"}}]}),
            json!({"choices": [{"delta": {"reasoning": "", "reasoning_content": "?"}}]}),
            json!({"choices": [{"delta": {"reasoning": "!"}}]}),
            content_chunk("<ram_delete>"),
            content_chunk("<key>plan</key></ram_delete>"),
            ended("stop"),
            json!({"choices": [], "usage": {"prompt_tokens": 7, "completion_tokens": 3}}),
        ];
        let reply = answer(&events, true).unwrap();
        assert_eq!(reply.text, "<ram_delete><key>plan</key></ram_delete>");
        assert_eq!(reply.reasoning.as_deref(), Some("hm?!"));
        assert_eq!(
            (reply.usage.input_tokens, reply.usage.output_tokens),
            (7, 3)
        );
        assert_eq!(
            (reply.finish, reply.model.as_deref()),
            (FinishReason::Stop, Some("m"))
        );
    }

    #[test]
    fn only_a_complete_answer_counts() {
        let text = content_chunk("<ram_delete><key>plan</key></ram_delete>");
        let one = std::slice::from_ref(&text);
        assert_eq!(answer(one, false), Err(Code::ProviderBadResponse));
        assert!(answer(one, true).is_ok());
        let cases = [
            (
                vec![
                    text.clone(),
                    json!({"error": {"code": 502, "message": "x"}}),
                ],
                Code::ProviderServerError,
            ),
            (
                vec![text.clone(), ended("error")],
                Code::ProviderServerError,
            ),
            (vec![text.clone(), json!("x")], Code::ProviderBadResponse),
            (vec![ended("stop")], Code::LlmEmptyReply),
            (
                vec![
                    text,
                    json!({"choices": [{"error": {"code": 429, "message": "x"}}]}),
                ],
                Code::RateLimited,
            ),
        ];
        for (events, code) in cases {
            assert_eq!(answer(&events, true).unwrap_err(), code, "{events:?}");
        }
        let length = answer(
            &[content_chunk("<ram_delete><key>pl"), ended("length")],
            true,
        )
        .unwrap();
        assert_eq!(length.finish, FinishReason::Length);
    }

    #[test]
    fn a_tail_is_not_waited_for() {
        let one = "<ram_delete><key>plan</key></ram_delete>";
        let prose = content_chunk(&" And so on.".repeat(50));
        let reply = answer(
            &[content_chunk(one), prose, content_chunk("never asked for")],
            false,
        )
        .unwrap();
        assert_eq!(
            (reply.text.as_str(), reply.finish),
            (one, FinishReason::Stop)
        );
    }

    #[test]
    fn the_first_token_that_is_not_blank_tells_how_sure_the_model_is() {
        let said = |content: &str, token: &str, logprob: Value| {
            json!({"choices": [{
                "delta": {"content": content}, "finish_reason": null,
                "logprobs": {"content": [{"token": token, "logprob": logprob}]},
            }]})
        };
        for (events, expected) in [
            (
                vec![
                    said("add", "add", json!(-0.5)),
                    said(" x", " x", json!(-4.0)),
                ],
                Some(61),
            ),
            (
                vec![
                    said("\n", "\n", json!(-3.0)),
                    said("add", "add", json!(0.0)),
                ],
                Some(100),
            ),
            (vec![said("add", "add", json!("-0.5"))], None),
            (vec![said("add", "add", json!(3.0))], None),
            (vec![said("add", "add", json!(-1e300))], Some(0)),
            (vec![content_chunk("add")], None),
        ] {
            let all = [events, vec![ended("stop")]].concat();
            let reply = answer(&all, true).unwrap();
            assert_eq!(reply.arrival.certainty_percent, expected, "{all:?}");
        }
    }
}
