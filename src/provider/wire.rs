//! Reads the `OpenAI`-compatible replies. Tolerant of extra fields and of the servers' differences;
//! strict about whether a reply is complete. Requests are in `chat`.

use super::fault::{Fault, cut_short, one_line};
use super::refusal;
use super::types::{FinishReason, LlmReply, LlmRequest, ReplyArrival, Usage};
use crate::core::protocol::{EarlyStop, is_json_reply};
use crate::core::steps::line_certainty::LineCertainty;
use crate::failure::Code;
use crate::limits::{
    DOLLARS_PER_CALL_MAX, MODELS_LISTED_MAX, REPLY_TEXT_BYTES_MAX, SERVER_MESSAGE_CHARS_MAX,
    USAGE_TOKENS_MAX,
};
use reqwest::header::HeaderMap;
use serde::Deserialize;
use serde_json::{Value, json};

/// A chat reply, or one event of it while it is streamed.
/// Fields whose type differs between servers are kept as JSON.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct ChatAnswer {
    error: Option<Value>,
    choices: Option<Vec<Choice>>,
    pub(super) usage: Option<Value>,
    pub(super) model: Option<Value>,
    /// The text `error` where the reply itself is an error, as vLLM sends it.
    object: Option<Value>,
    message: Option<Value>,
    code: Option<Value>,
}

/// The text and the reasoning of a model.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct MessageText {
    pub(super) content: Option<Value>,
    pub(super) reasoning: Option<Value>,
    pub(super) reasoning_content: Option<Value>,
}

/// One of the choices of a reply, or of an event.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Choice {
    message: Option<MessageText>,
    /// The new text, in an event of a stream.
    pub(super) delta: Option<MessageText>,
    pub(super) finish_reason: Option<Value>,
    pub(super) error: Option<Value>,
    index: Option<Value>,
    logprobs: Option<Value>,
}

impl Choice {
    fn is_first(&self) -> bool {
        let number = self.index.as_ref().and_then(Value::as_u64);
        number.is_none_or(|number| number == 0)
    }

    /// Returns the tokens with their probabilities, in percent, and the likeliest ones in the place of each;
    /// none if the server does not report them.
    fn tokens(&self) -> impl Iterator<Item = (&str, u8, impl Iterator<Item = (&str, u8)>)> {
        let content = self.logprobs.as_ref().and_then(|it| it.get("content"));
        let tokens = content.and_then(Value::as_array).into_iter().flatten();
        tokens.filter_map(|it| {
            let (token, percent) = token_in(it)?;
            let likeliest = it.get("top_logprobs").and_then(Value::as_array);
            let likeliest = likeliest.into_iter().flatten().filter_map(token_in);
            Some((token, percent, likeliest))
        })
    }
}

/// Returns a token and its probability, in percent.
fn token_in(token: &Value) -> Option<(&str, u8)> {
    let logprob = token.get("logprob")?.as_f64()?;
    Some((token.get("token")?.as_str()?, percent_of(logprob)?))
}

/// How probable the tokens of a reply were, as far as the server reports it.
#[derive(Debug, Default)]
pub(super) struct ReplyCertainty {
    /// The probability of the first token that is not blank, in percent.
    pub(super) first_percent: Option<u8>,
    pub(super) lines: LineCertainty,
}

impl ReplyCertainty {
    /// Adds the tokens of a reply, or of a piece of it.
    pub(super) fn take(&mut self, choice: &Choice) {
        for (token, percent, likeliest) in choice.tokens() {
            if !token.trim().is_empty() {
                self.first_percent = self.first_percent.or(Some(percent));
            }
            self.lines.take(token, percent, likeliest);
        }
    }
}

impl ChatAnswer {
    /// Reads a reply or an event that came with a success status.
    ///
    /// # Errors
    /// Returns the fault that it reports, or that of text that is not a reply.
    pub(super) fn read(text: &str, headers: &HeaderMap) -> Result<Self, Fault> {
        // A proxy's page, or a broken piece, may be followed by a good reply.
        let answer: Self = read_object_or(text, Fault::passing)?;
        no_fault_in(answer.error.as_ref(), headers)?;
        if answer.object.as_ref().and_then(Value::as_str) == Some("error") {
            let error = json!({"message": answer.message, "code": answer.code});
            no_fault_in(Some(&error), headers)?;
        }
        Ok(answer)
    }

    /// Returns the first choice, as only one was requested.
    pub(super) fn choice(&mut self) -> Option<Choice> {
        self.choices.take()?.into_iter().find(Choice::is_first)
    }
}

/// Refuses an error object in place of a reply; `headers` are those of the response.
pub(super) fn no_fault_in(error: Option<&Value>, headers: &HeaderMap) -> Result<(), Fault> {
    error
        .and_then(|error| refusal::inside_good_answer(error, headers))
        .map_or(Ok(()), Err)
}

/// Reads the body of a chat reply that came with a success status.
pub(super) fn read_chat(body: &str, headers: &HeaderMap) -> Result<LlmReply, Fault> {
    let mut answer = ChatAnswer::read(body, headers)?;
    let choice = answer.choice().unwrap_or_default();
    no_fault_in(choice.error.as_ref(), headers)?;
    let finish = finish_reason(choice.finish_reason.as_ref())?;
    let mut certainty = ReplyCertainty::default();
    certainty.take(&choice);
    let message = choice.message.unwrap_or_default();
    let usage = usage(answer.usage.as_ref());
    Ok(LlmReply {
        text: message.content.map(content_text).unwrap_or_default(),
        // vLLM and LM Studio renamed the field; the newer name wins.
        reasoning: message
            .reasoning
            .and_then(spoken)
            .or_else(|| message.reasoning_content.and_then(spoken)),
        finish,
        usage: usage.unwrap_or_default(),
        model: answer.model.and_then(model_name),
        arrival: ReplyArrival {
            certainty_percent: certainty.first_percent,
            least_percent: certainty.lines.least_percent(),
            usage_is_estimated: usage.is_none(),
            cost_micro_dollars: cost_micro_dollars(answer.usage.as_ref()),
            ..ReplyArrival::default()
        },
    })
}

/// Returns the percent of a natural logarithm of a probability; `None` for what is not one.
fn percent_of(logprob: f64) -> Option<u8> {
    let percent = (logprob.exp() * 100.0).round();
    (0..=100u8).find(|it| f64::from(*it) >= percent)
}

pub(super) fn too_long() -> Fault {
    let message = format!("the reply is longer than {REPLY_TEXT_BYTES_MAX} bytes");
    Fault::lasting(Code::LlmReplyRunaway, message)
}

/// Refuses an unusable reply, after it has estimated tokens that the server did not count.
pub(super) fn accept(reply: LlmReply, question: &LlmRequest) -> Result<LlmReply, Fault> {
    judged(reply.counted_for(question), question.max_tokens)
}

/// Refuses an unusable reply; the fault holds the reply's usage.
/// All adapters' replies pass through here.
pub(super) fn judged(reply: LlmReply, max_tokens: u32) -> Result<LlmReply, Fault> {
    let billed = Some(Box::new(reply.usage_with(max_tokens)));
    usable(reply).map_err(|mut fault| {
        fault.error.billed = billed;
        fault
    })
}

/// Returns the reply if it holds text.
// Some servers send the JSON of a reasoning model as its reasoning; it is taken from there.
fn usable(mut reply: LlmReply) -> Result<LlmReply, Fault> {
    if let Some(fault) = withheld(reply.finish) {
        return Err(fault);
    }
    if reply.text.trim().is_empty()
        && let Some(text) = reply.reasoning.take_if(|text| is_json_reply(text))
    {
        reply.text = text;
    }
    if reply.text.len() > REPLY_TEXT_BYTES_MAX {
        return Err(too_long());
    }
    if !reply.text.trim().is_empty() {
        return Ok(reply);
    }
    Err(match (&reply.reasoning, reply.finish) {
        (Some(_), _) if reply.arrival.early_stop == Some(EarlyStop::Repetition) => Fault::lasting(
            Code::LlmReplyTruncated,
            "the model repeated itself in its reasoning, and the rest was not waited for",
        ),
        // The same question would be reasoned about up to the same limit again.
        (Some(_), FinishReason::Length) => Fault::lasting(
            Code::LlmReplyTruncated,
            "the token limit came while the model was still reasoning",
        )
        .ending_in(reply.finish),
        (Some(_), _) => Fault::passing(
            Code::LlmEmptyReply,
            "the model only reasoned; its reply holds no text",
        ),
        (None, _) => Fault::passing(Code::LlmEmptyReply, "the reply holds no text"),
    })
}

/// Returns the meaning of a server's finish reason.
///
/// # Errors
/// `PROVIDER_BAD_RESPONSE` for an unknown reason.
// A missing reason counts as a normal end: without streaming, the body itself was complete.
pub(super) fn finish_reason(reason: Option<&Value>) -> Result<FinishReason, Fault> {
    let Some(reason) = reason else {
        return Ok(FinishReason::Stop);
    };
    match reason.as_str().unwrap_or("a value that is not text") {
        "stop" | "eos" | "eos_token" | "stop_sequence" | "end_turn" => Ok(FinishReason::Stop),
        "tool_calls" | "function_call" | "tool_use" => Ok(FinishReason::ToolCalls),
        "length"
        | "max_tokens"
        | "max_output_tokens"
        | "model_length"
        | "model_context_window_exceeded" => Ok(FinishReason::Length),
        "content_filter" | "refusal" => Ok(FinishReason::ContentFilter),
        "error" => Ok(FinishReason::Error),
        other => {
            let reason = "the reply ended for a reason that is not understood";
            let mut fault = Fault::passing(Code::ProviderBadResponse, reason);
            fault.quote = Some(other.to_owned());
            Err(fault)
        }
    }
}

/// Returns the fault of a reply with this finish reason; `None` for a usable one.
fn withheld(finish: FinishReason) -> Option<Fault> {
    match finish {
        FinishReason::Stop | FinishReason::Length | FinishReason::ToolCalls => None,
        FinishReason::ContentFilter => {
            let reason = "a content filter of the provider withheld the reply";
            Some(Fault::lasting(Code::ProviderServerError, reason).ending_in(finish))
        }
        FinishReason::Error => Some(Fault::passing(
            Code::ProviderServerError,
            "the model failed while it was writing",
        )),
    }
}

/// Returns the text of `content`: a string, or an array of parts of which those with text count.
pub(super) fn content_text(content: Value) -> String {
    match content {
        Value::String(text) => text,
        Value::Array(parts) => parts.iter().filter_map(part_text).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => String::new(),
    }
}

fn part_text(part: &Value) -> Option<&str> {
    if let Some(text) = part.as_str() {
        return Some(text);
    }
    let kind = part.get("type").and_then(Value::as_str).unwrap_or("text");
    matches!(kind, "text" | "output_text")
        .then(|| part.get("text").and_then(Value::as_str))
        .flatten()
}

/// Returns the name of a model, bounded and on one line, as records and terminals show it.
pub(super) fn model_name(value: Value) -> Option<String> {
    spoken(value).map(|name| one_line(&name))
}

/// Returns the text of a string that is not blank.
pub(super) fn spoken(value: Value) -> Option<String> {
    let Value::String(text) = value else {
        return None;
    };
    (!text.trim().is_empty()).then_some(text)
}

/// Reads the tokens that a server counted, where it reports them.
pub(super) fn usage(usage: Option<&Value>) -> Option<Usage> {
    let counts = usage?.as_object()?;
    let tokens = |name: &str| token_count(counts.get(name)).min(USAGE_TOKENS_MAX);
    let [input, output] = ["prompt_tokens", "completion_tokens"].map(tokens);
    Some(Usage::of_reply(input, output))
}

/// Reads the price of a reply in millionths of a dollar, where the server reports one.
pub(super) fn cost_micro_dollars(usage: Option<&Value>) -> Option<u64> {
    micro_dollars(usage?.get("cost")?)
}

/// Converts dollars to millionths of one, rounded up; `None` for an implausible price.
pub(super) fn micro_dollars(dollars: &Value) -> Option<u64> {
    let dollars = dollars.as_f64()?;
    if !(0.0..=DOLLARS_PER_CALL_MAX).contains(&dollars) {
        return None;
    }
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "it is within the bounds above"
    )]
    Some((dollars * 1e6).ceil() as u64)
}

/// Reads a token count.
/// Absent, negative or odd values are 0; one beyond every integer is the largest.
fn token_count(count: Option<&Value>) -> u64 {
    let Some(count) = count else { return 0 };
    let beyond = count.as_f64().is_some_and(|count| count >= 1e18);
    count.as_u64().unwrap_or(if beyond { u64::MAX } else { 0 })
}

/// Reads the body of `GET /models`.
/// That is `data[].id` as `OpenAI` sends it, else `models[]` of native lists.
pub(super) fn read_models(body: &str) -> Result<Vec<String>, Fault> {
    let answer: Value = read_object(body)?;
    no_fault_in(answer.get("error"), &HeaderMap::new())?;
    let list = ["data", "models"]
        .into_iter()
        .find_map(|name| answer.get(name).and_then(Value::as_array));
    let Some(list) = list else {
        // Ollama's empty list of models.
        if answer.get("data").is_some_and(Value::is_null) {
            return Ok(Vec::new());
        }
        let reason = "the answer is no list of models";
        return Err(Fault::lasting(Code::ProviderBadResponse, reason));
    };
    let mut names: Vec<String> = Vec::new();
    for entry in list.iter().take(MODELS_LISTED_MAX) {
        let name = ["id", "key", "name"]
            .into_iter()
            .find_map(|field| entry.get(field).and_then(Value::as_str));
        if let Some(name) = name.filter(|name| may_be_a_model(name))
            && !names.iter().any(|known| known == name)
        {
            names.push(name.to_owned());
        }
    }
    Ok(names)
}

/// Returns whether a text can be the name of a model.
// It is logged and journaled with each run, so its length is bounded.
pub(super) fn may_be_a_model(name: &str) -> bool {
    name.chars().count() <= SERVER_MESSAGE_CHARS_MAX && !name.contains(char::is_control)
}

/// Reads one JSON object.
/// Any other text is a lasting fault; text that ends too early was cut.
pub(super) fn read_object<'a, T: Deserialize<'a>>(body: &'a str) -> Result<T, Fault> {
    read_object_or(body, Fault::lasting)
}

/// Like [`read_object`], but `fault` makes the fault of a text that is no JSON object.
fn read_object_or<'a, T: Deserialize<'a>>(
    body: &'a str,
    fault: fn(Code, &'static str) -> Fault,
) -> Result<T, Fault> {
    let text = body.trim_start();
    if text.is_empty() {
        return Err(Fault::passing(
            Code::ProviderBadResponse,
            "the answer has no body",
        ));
    }
    let not_understood = || fault(Code::ProviderBadResponse, "the answer is not a JSON object");
    if !text.starts_with('{') {
        return Err(not_understood());
    }
    serde_json::from_str(text).map_err(|error| {
        if error.is_eof() {
            cut_short()
        } else if error.is_data() {
            Fault::lasting(
                Code::ProviderBadResponse,
                "the answer is JSON, but not a chat answer",
            )
        } else {
            not_understood()
        }
    })
}

#[cfg(test)]
mod tests {
    use super::{read_chat, read_models, token_count};
    use crate::failure::Code;
    use reqwest::header::HeaderMap;
    use serde_json::json;

    #[test]
    fn odd_token_counts_never_wrap() {
        let cases = [
            (json!(7), 7),
            (json!(-7), 0),
            (json!("7"), 0),
            (json!(1.5), 0),
            (json!(1e300), u64::MAX),
            (json!(u64::MAX), u64::MAX),
            (json!(null), 0),
        ];
        for (count, expected) in cases {
            assert_eq!(token_count(Some(&count)), expected, "{count}");
        }
    }

    #[test]
    fn deep_nesting_is_an_error_and_not_a_crash() {
        let body = format!("{{\"usage\":{}1", "[".repeat(100_000));
        assert_eq!(
            read_chat(&body, &HeaderMap::new()).unwrap_err().error.code,
            Code::ProviderBadResponse
        );
        let body = format!("{{\"unknown\":{}1", "[".repeat(100_000));
        assert_eq!(
            read_chat(&body, &HeaderMap::new()).unwrap_err().error.code,
            Code::ProviderBadResponse
        );
    }

    #[test]
    fn model_lists_of_several_shapes_are_read() {
        let cases = [
            (
                json!({"data": [{"id": "a"}, {"id": "b"}, {"id": "a"}]}),
                vec!["a", "b"],
            ),
            (json!({"models": [{"key": "k"}]}), vec!["k"]),
            (json!({"data": [], "models": [{"name": "x"}]}), vec![]),
            (json!({"object": "list", "data": null}), vec![]),
        ];
        for (body, names) in cases {
            assert_eq!(read_models(&body.to_string()).unwrap(), names, "{body}");
        }
        assert!(read_models("{}").is_err());
    }
}
