//! Sends a request to the model: streamed where the server can, whole where it cannot. A reply
//! counts only when it is complete, or when the monitor says that the rest is not worth waiting
//! for: then the connection is dropped, which makes a local server stop generating. Never repeats a
//! request: where a server refuses to stream, the error says that the request is worth repeating at
//! once.

use super::fault::{Fault, cut_short};
use super::http::{HttpProvider, read_text, refuse_packed, send, transport_fault};
use super::sse::{Event, EventReader};
use super::stream::ChatStream;
use super::types::{CallResult, LlmReply, LlmRequest, Objection, PromptMessage, StreamProgress};
use super::wire::{accept, read_chat};
use crate::config::{ProviderConfig, ProviderKind};
use crate::core::protocol::{AllowedTags, ConstraintKind, StreamMonitor};
use crate::failure::Code;
use crate::limits::REPLY_BODY_BYTES_MAX;
use reqwest::Response;
use reqwest::header::{CONTENT_TYPE, HeaderMap};
use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use std::sync::{MutexGuard, PoisonError};
use std::time::Duration;
use tokio::time::{Instant, timeout_at};

/// The number of the likeliest tokens that a server reports in the place of each token of a plan.
const LIKELIEST_TOKENS: u8 = 5;

/// The longest wait for the token count after the end of a reply.
// Servers send the count at once or never; some neither send an end nor close the connection.
const COUNT_WAIT: Duration = Duration::from_secs(2);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ReplyMode {
    /// Streamed, with a token count at the end.
    Counted,
    Streamed,
    Whole,
}

impl ReplyMode {
    /// Returns the way to begin with.
    pub(super) const fn first(config: &ProviderConfig) -> Self {
        if config.stream {
            Self::Counted
        } else {
            Self::Whole
        }
    }

    /// Returns the way to try after a refusal that names streaming; each way is tried once.
    fn after(self, fault: &Fault) -> Option<Self> {
        let is_refusal = matches!(
            fault.error.code,
            Code::ProviderInvalidRequest | Code::ProviderServerError
        );
        let said = fault.quote.as_deref().unwrap_or_default();
        let said = said.to_ascii_lowercase().replace("upstream", "");
        match self {
            Self::Whole => None,
            _ if !is_refusal || fault.error.retry || !said.contains("stream") => None,
            Self::Counted if said.contains("options") => Some(Self::Streamed),
            Self::Counted | Self::Streamed => Some(Self::Whole),
        }
    }
}

impl HttpProvider {
    fn way(&self) -> MutexGuard<'_, ReplyMode> {
        self.way.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the models that `OpenRouter` tries in turn; none where only one is configured.
    fn models_in_turn(&self) -> Vec<&str> {
        let config = &self.config;
        if config.kind != ProviderKind::OpenRouter || config.fallback_models.is_empty() {
            return Vec::new();
        }
        let others = config.fallback_models.iter().map(String::as_str);
        std::iter::once(&*config.model).chain(others).collect()
    }

    fn body(&self, way: ReplyMode, question: &LlmRequest) -> Result<Vec<u8>, Fault> {
        let config = &self.config;
        let constraint = question.constraint.as_ref();
        let of_kind = |kind| {
            let constraint = constraint.filter(|it| it.kind == kind);
            constraint.map(|it| &*it.text)
        };
        let response_format = of_kind(ConstraintKind::JsonSchema).and_then(ResponseFormat::of);
        let is_market = config.kind == ProviderKind::OpenRouter;
        let request = ChatRequest {
            model: &config.model,
            messages: &question.messages,
            max_tokens: question.max_tokens,
            temperature: config.temperature,
            stream: way != ReplyMode::Whole,
            stream_options: (way == ReplyMode::Counted).then(|| json!({"include_usage": true})),
            models: self.models_in_turn(),
            ttl: config
                .ttl_seconds
                .filter(|_| config.kind == ProviderKind::LmStudio),
            grammar: of_kind(ConstraintKind::Gbnf),
            logprobs: question.wants_certainty.then_some(true),
            // llama.cpp would report twenty by itself.
            top_logprobs: question.wants_certainty.then_some(LIKELIEST_TOKENS),
            chat_template_kwargs: (question.without_reasoning && !is_market)
                .then(|| json!({"enable_thinking": false})),
            reasoning: (question.without_reasoning && is_market).then(|| json!({"effort": "none"})),
            // Other hosts would silently ignore some members.
            provider: (is_market && response_format.is_some())
                .then(|| json!({"require_parameters": true})),
            response_format,
        };
        serde_json::to_vec(&request)
            .map_err(|_| Fault::lasting(Code::Internal, "the request cannot be written as JSON"))
    }

    /// Sends the request once, and words the error of a failure.
    pub(super) async fn ask_worded(
        &self,
        question: &LlmRequest,
        arrived: &StreamProgress,
    ) -> CallResult {
        let reply = self.ask(question, arrived).await;
        reply.map_err(|fault| self.error_of(fault, &question.messages))
    }

    /// Sends the request once.
    /// After a refusal to stream, later requests use another way.
    async fn ask(
        &self,
        question: &LlmRequest,
        arrived: &StreamProgress,
    ) -> Result<LlmReply, Fault> {
        let _turn = self.first.turn().await;
        let way = *self.way();
        let reply = self.ask_in(way, question, arrived).await;
        let mut fault = match reply.and_then(|reply| accept(reply, question)) {
            Err(fault) => fault,
            Ok(reply) => {
                self.first.ended();
                return Ok(reply);
            }
        };
        let Some(next) = way.after(&fault) else {
            return Err(fault);
        };
        tracing::debug!("the server refuses to answer in pieces as asked: {next:?} from now on");
        *self.way() = next;
        fault.error.objection = Objection::LeftOut;
        Err(fault)
    }

    /// Sends the request in one way and reads the reply, without judging it.
    async fn ask_in(
        &self,
        way: ReplyMode,
        question: &LlmRequest,
        arrived: &StreamProgress,
    ) -> Result<LlmReply, Fault> {
        let body = self.body(way, question)?;
        let asked_at = Instant::now();
        let response = send(self.chat_request(body)?).await?;
        if is_stream(&response) {
            return self.listen(response, question, asked_at, arrived).await;
        }
        let headers = response.headers().clone();
        let text = read_text(response, REPLY_BODY_BYTES_MAX).await?;
        if !begins_as_stream(&text) {
            return read_chat(&text, &headers);
        }
        // Some servers send no content type, or a wrong one.
        read_pieces([text.as_bytes()], monitor_for(question), headers)
    }

    /// Reads a streamed reply while it arrives.
    /// A return before its end drops the connection.
    async fn listen(
        &self,
        mut response: Response,
        question: &LlmRequest,
        since: Instant,
        arrived: &StreamProgress,
    ) -> Result<LlmReply, Fault> {
        refuse_packed(&response)?;
        let stall = Duration::from_millis(self.config.stall_timeout_ms);
        let mut reader = EventReader::default();
        let headers = response.headers().clone();
        let mut stream = ChatStream::new(monitor_for(question), headers);
        let (mut first_word, mut last_word, mut ended_at) = (None, None, None);
        let is_over = loop {
            let stall_at = last_word.map(|at: Instant| at + stall);
            let count_at = ended_at.map(|at: Instant| at + COUNT_WAIT);
            let stall_at = count_at.or(stall_at);
            let piece = match next_piece(&mut response, stall_at).await {
                Ok(Some(piece)) => piece,
                Ok(None) => break false,
                // Only the token count can be missing.
                Err(_) if stream.has_ended() => break true,
                Err(fault) => return Err(fault),
            };
            let is_over = take_piece(&mut stream, &mut reader, &piece, &mut last_word)?;
            arrived.set(stream.words());
            first_word = first_word.or(last_word);
            ended_at = ended_at.or_else(|| stream.has_ended().then(Instant::now));
            if is_over || stream.stop().is_some() {
                break is_over;
            }
        };
        let mut reply = stream.finish(is_over)?;
        let waited = first_word.map(|at| at.duration_since(since).as_millis());
        reply.arrival.first_token_ms = waited.and_then(|waited| waited.try_into().ok());
        Ok(reply)
    }
}

/// Reads a streamed reply from pieces of bytes, wherever they were cut.
///
/// # Errors
/// Returns the code of the fault.
pub fn read_stream<'a>(
    pieces: impl IntoIterator<Item = &'a [u8]>,
    allowed_tags: AllowedTags,
) -> Result<LlmReply, Code> {
    let reply = read_pieces(pieces, StreamMonitor::new(allowed_tags), HeaderMap::new());
    reply.map_err(|fault| fault.error.code)
}

fn read_pieces<'a>(
    pieces: impl IntoIterator<Item = &'a [u8]>,
    monitor: StreamMonitor,
    headers: HeaderMap,
) -> Result<LlmReply, Fault> {
    let mut reader = EventReader::default();
    let mut stream = ChatStream::new(monitor, headers);
    let mut is_over = false;
    for piece in pieces {
        is_over = take_piece(&mut stream, &mut reader, piece, &mut None)?;
        if is_over || stream.stop().is_some() {
            break;
        }
    }
    stream.finish(is_over)
}

fn monitor_for(question: &LlmRequest) -> StreamMonitor {
    StreamMonitor::new(question.allowed_tags)
        .in_form(question.constraint_kind())
        .within(question.max_tokens)
}

/// Reads the events of a piece up to the end or a cut.
/// Returns whether the server has sent the end.
fn take_piece(
    stream: &mut ChatStream,
    reader: &mut EventReader,
    mut piece: &[u8],
    last_word: &mut Option<Instant>,
) -> Result<bool, Fault> {
    while let Some(event) = reader.next(&mut piece)? {
        match event {
            Event::Data(data) => {
                if stream.take(&data)? {
                    *last_word = Some(Instant::now());
                }
            }
            Event::Done => return Ok(true),
        }
        if stream.stop().is_some() {
            break;
        }
    }
    Ok(false)
}

/// Returns the next bytes of a reply, or `None` at its end.
// Between two pieces of text at most the stall timeout may pass; before the first one the model may
// think as long as the whole reply may take.
async fn next_piece(
    response: &mut Response,
    stall_at: Option<Instant>,
) -> Result<Option<Vec<u8>>, Fault> {
    let next = response.chunk();
    let piece = match stall_at {
        None => next.await,
        // Comments that arrive without a pause would keep the timeout from ever being checked.
        Some(stall_at) if stall_at <= Instant::now() => return Err(fell_silent()),
        Some(stall_at) => timeout_at(stall_at, next)
            .await
            .map_err(|_| fell_silent())?,
    };
    let piece = piece.map_err(|error| {
        if error.is_timeout() {
            transport_fault(error)
        } else {
            cut_short()
        }
    })?;
    Ok(piece.map(Vec::from))
}

fn fell_silent() -> Fault {
    let reason = "the model fell silent in the middle of its answer";
    Fault::passing(Code::LlmTimeout, reason)
}

fn is_stream(response: &Response) -> bool {
    let kind = response.headers().get(CONTENT_TYPE);
    let kind = kind.map_or(&[][..], |kind| kind.as_bytes());
    let name = b"text/event-stream";
    kind.get(..name.len())
        .is_some_and(|kind| kind.eq_ignore_ascii_case(name))
}

fn begins_as_stream(text: &str) -> bool {
    let text = text.trim_start_matches('\u{feff}').trim_start();
    [":", "data:", "event:"]
        .iter()
        .any(|field| text.starts_with(field))
}

/// The body of `POST /chat/completions`.
// `temperature` is an `f64` because an `f32` 0.1 would be written as 0.10000000149011612.
#[derive(Serialize)]
struct ChatRequest<'a> {
    model: &'a str,
    messages: &'a [PromptMessage],
    max_tokens: u32,
    temperature: f64,
    stream: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    stream_options: Option<Value>,
    /// `OpenRouter`'s list of models to try, the first choice first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    models: Vec<&'a str>,
    /// LM Studio's idle time, in seconds, after which it unloads a model that a request loaded.
    #[serde(skip_serializing_if = "Option::is_none")]
    ttl: Option<u64>,
    /// llama.cpp's field for a GBNF grammar.
    #[serde(skip_serializing_if = "Option::is_none")]
    grammar: Option<&'a str>,
    /// Whether the server is to report the probability of each token.
    #[serde(skip_serializing_if = "Option::is_none")]
    logprobs: Option<bool>,
    /// The number of the most probable tokens to report at each place.
    #[serde(skip_serializing_if = "Option::is_none")]
    top_logprobs: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    response_format: Option<ResponseFormat<'a>>,
    /// The field of llama.cpp and vLLM for their chat templates.
    #[serde(skip_serializing_if = "Option::is_none")]
    chat_template_kwargs: Option<Value>,
    /// `OpenRouter`'s setting of how long a model reasons.
    #[serde(skip_serializing_if = "Option::is_none")]
    reasoning: Option<Value>,
    /// `OpenRouter`'s rules for choosing among the hosts of a model.
    #[serde(skip_serializing_if = "Option::is_none")]
    provider: Option<Value>,
}

/// The required form of the reply.
#[derive(Serialize)]
struct ResponseFormat<'a> {
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
    fn of(schema: &'a str) -> Option<Self> {
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
