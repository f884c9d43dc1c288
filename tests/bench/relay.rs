//! A relay in front of a real model server: it passes questions and answers on, word by word where they
//! are streamed, and notes what each answer says about tokens. What stands between may rewrite the
//! questions; the relay itself asks for nothing but counts and knows nothing of the product.

use crate::http::{Request, header, read_request};
use crate::measure::Outcome;
use serde_json::{Value, json};
use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What one answer says about tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Counted {
    /// Tokens of the prompt.
    pub(crate) tokens: u64,
    /// Tokens of them that the server had kept from before; `None` if it does not say.
    pub(crate) cached: Option<u64>,
    /// Tokens of the answer.
    pub(crate) generated: u64,
}

impl Counted {
    /// Reads `timings` of llama.cpp, else `usage` in the way of `OpenAI`.
    pub(crate) fn read(answer: &Value) -> Option<Self> {
        let (timings, usage) = (&answer["timings"], &answer["usage"]);
        if let Some((cached, fresh)) = timings["cache_n"]
            .as_u64()
            .zip(timings["prompt_n"].as_u64())
        {
            return Some(Self {
                tokens: cached + fresh,
                cached: Some(cached),
                generated: timings["predicted_n"].as_u64().unwrap_or_default(),
            });
        }
        usage["prompt_tokens"].as_u64().map(|tokens| Self {
            tokens,
            cached: usage["prompt_tokens_details"]["cached_tokens"].as_u64(),
            generated: usage["completion_tokens"].as_u64().unwrap_or_default(),
        })
    }
}

/// Stands between a client and its model.
pub(crate) trait Between: Send {
    /// The question to pass on in place of this one.
    fn asked(&mut self, question: Value) -> Value;
    /// What came of it: the answer, or a refusal.
    fn answered(&mut self, answer: Option<&Value>);
}

/// Passes questions on as they are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Nothing;

impl Between for Nothing {
    fn asked(&mut self, question: Value) -> Value {
        question
    }

    fn answered(&mut self, _: Option<&Value>) {}
}

/// A running relay. It serves as long as the process lives.
#[derive(Debug)]
pub(crate) struct Relay {
    base_url: String,
    noted: Arc<Mutex<Vec<Counted>>>,
}

struct ChangeContext {
    authority: String,
    between: Mutex<Box<dyn Between>>,
    /// Held over a question and its answer: an answer that its reader ended early is done with before
    /// the next question.
    turn: Mutex<()>,
    noted: Arc<Mutex<Vec<Counted>>>,
}

impl Relay {
    /// Relays to a plain-HTTP server.
    pub(crate) fn start(server: &reqwest::Url, between: Box<dyn Between>) -> Outcome<Self> {
        let host = server.host_str().ok_or("the address has no host")?;
        let port = server
            .port_or_known_default()
            .ok_or("the address has no port")?;
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let path = server.path().trim_end_matches('/');
        let base_url = format!("http://{}{path}", listener.local_addr()?);
        let noted = Arc::new(Mutex::new(Vec::new()));
        let cx = Arc::new(ChangeContext {
            authority: format!("{host}:{port}"),
            between: Mutex::new(between),
            turn: Mutex::new(()),
            noted: Arc::clone(&noted),
        });
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let cx = Arc::clone(&cx);
                // A client that goes away ends its connection and nothing else.
                std::thread::spawn(move || drop(pass_on(stream, &cx)));
            }
        });
        Ok(Self { base_url, noted })
    }

    /// The address to configure.
    pub(crate) fn base_url(&self) -> &str {
        &self.base_url
    }

    /// What was noted so far.
    pub(crate) fn noted(&self) -> Vec<Counted> {
        lock(&self.noted).clone()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn pass_on(mut client: TcpStream, cx: &ChangeContext) -> Outcome<()> {
    let mut received = Vec::new();
    let Some(mut request) = read_request(&mut client, &mut received)? else {
        return Ok(());
    };
    let mut is_streamed = false;
    let turn = asks_a_model(&request).then(|| lock(&cx.turn));
    if turn.is_some() {
        let mut question = lock(&cx.between).asked(serde_json::from_slice(&request.body)?);
        is_streamed = question["stream"] == true;
        if is_streamed {
            // llama.cpp says its counts with each word then, so that an answer ended early has some.
            question["timings_per_token"] = true.into();
        }
        request.body = serde_json::to_vec(&question)?;
    }
    let mut server = TcpStream::connect(&cx.authority)?;
    server.write_all(&rewritten(&request, &cx.authority))?;
    if is_streamed {
        return pass_words_on(client, server, cx);
    }
    let mut answer = Vec::new();
    server.read_to_end(&mut answer)?;
    if turn.is_some() {
        let body = body_of(&answer).filter(|body| body["choices"].is_array());
        lock(&cx.between).answered(body.as_ref());
        // Noted before the client knows, so that whoever has the answer finds its count.
        lock(&cx.noted).extend(body.as_ref().and_then(Counted::read));
    }
    client.write_all(&answer)?;
    Ok(())
}

/// Passes a streamed answer on until either side ends it.
fn pass_words_on(mut client: TcpStream, mut server: TcpStream, cx: &ChangeContext) -> Outcome<()> {
    let (mut answer, mut piece, mut told) = (Vec::new(), [0; 16 * 1024], None);
    loop {
        let length = server.read(&mut piece)?;
        let piece = piece.get(..length).unwrap_or_default();
        answer.extend_from_slice(piece);
        // Noted before the client knows, so that whoever has the answer finds its count.
        let counted = last_event_in(&answer, "timings").and_then(|event| Counted::read(&event));
        if let Some(counted) = counted {
            let mut noted = lock(&cx.noted);
            let at = *told.get_or_insert(noted.len());
            noted.truncate(at);
            noted.push(counted);
        }
        if length == 0 || client.write_all(piece).is_err() {
            lock(&cx.between).answered(whole_of(&answer).as_ref());
            return Ok(());
        }
    }
}

/// The events of a stream so far, those of its first chunk to the last whole one.
fn events_in(answer: &[u8]) -> impl DoubleEndedIterator<Item = Value> {
    let lines = answer.split(|byte| *byte == b'\n');
    lines.filter_map(|line| serde_json::from_slice(line.strip_prefix(b"data: ")?.trim_ascii()).ok())
}

fn last_event_in(answer: &[u8], member: &str) -> Option<Value> {
    events_in(answer).rfind(|event| event[member].is_object())
}

/// A streamed answer in the form of one that was not.
fn whole_of(answer: &[u8]) -> Option<Value> {
    let words = events_in(answer).filter_map(|event| {
        let delta = &event["choices"].get(0)?["delta"]["content"];
        Some(delta.as_str()?.to_owned())
    });
    let text: String = words.collect();
    let is_answer = events_in(answer).next().is_some();
    is_answer.then(|| json!({"choices": [{"message": {"role": "assistant", "content": text}}]}))
}

/// Servers are also asked what they have, and how many tokens a text takes.
fn asks_a_model(request: &Request) -> bool {
    let target = request.head.split(' ').nth(1).unwrap_or_default();
    request.is_question && target.ends_with("/chat/completions")
}

/// The same request for another host, one to a connection, so that the answer's end is the
/// connection's.
fn rewritten(request: &Request, authority: &str) -> Vec<u8> {
    let mut text = String::new();
    for line in request.head.trim_end().lines() {
        let name = line
            .split(':')
            .next()
            .unwrap_or_default()
            .to_ascii_lowercase();
        if !matches!(name.as_str(), "host" | "connection" | "content-length") {
            text.push_str(line);
            text.push_str("\r\n");
        }
    }
    text.push_str("host: ");
    text.push_str(authority);
    if request.is_question {
        text.push_str("\r\ncontent-length: ");
        text.push_str(&request.body.len().to_string());
    }
    text.push_str("\r\nconnection: close\r\n\r\n");
    let mut bytes = text.into_bytes();
    bytes.extend_from_slice(&request.body);
    bytes
}

/// The JSON of an answer, in one piece or in chunks.
fn body_of(answer: &[u8]) -> Option<Value> {
    let at = answer.windows(4).position(|four| four == b"\r\n\r\n")? + 4;
    let head = std::str::from_utf8(answer.get(..at)?).ok()?;
    let mut rest = answer.get(at..)?;
    if header(head, "transfer-encoding").is_none() {
        return serde_json::from_slice(rest).ok();
    }
    let mut body = Vec::new();
    loop {
        let end = rest.windows(2).position(|two| two == b"\r\n")?;
        let length = std::str::from_utf8(rest.get(..end)?).ok()?;
        let length = usize::from_str_radix(length.split(';').next()?.trim(), 16).ok()?;
        if length == 0 {
            return serde_json::from_slice(&body).ok();
        }
        body.extend_from_slice(rest.get(end + 2..end + 2 + length)?);
        rest = rest.get(end + 4 + length..)?;
    }
}
