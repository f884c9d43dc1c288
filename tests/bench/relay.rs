//! A relay in front of a real model server: it passes questions and answers on unchanged and notes what
//! each answer says about prompt tokens. It adds nothing and knows nothing of the product.

use crate::measure::Outcome;
use crate::peer::{Request, header, read_request};
use serde_json::Value;
use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex, PoisonError};

/// What one answer says about its prompt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Prompt {
    /// Tokens of the prompt.
    pub(crate) tokens: u64,
    /// Tokens of them that the server had kept from before; `None` if it does not say.
    pub(crate) cached: Option<u64>,
}

impl Prompt {
    /// Reads `timings` of llama.cpp, else `usage` in the way of `OpenAI`.
    pub(crate) fn read(answer: &Value) -> Option<Self> {
        let timings = &answer["timings"];
        if let Some((cached, fresh)) = timings["cache_n"]
            .as_u64()
            .zip(timings["prompt_n"].as_u64())
        {
            return Some(Self {
                tokens: cached + fresh,
                cached: Some(cached),
            });
        }
        let usage = &answer["usage"];
        let cached = usage["prompt_tokens_details"]["cached_tokens"].as_u64();
        usage["prompt_tokens"]
            .as_u64()
            .map(|tokens| Self { tokens, cached })
    }
}

/// A running relay. It serves as long as the process lives.
#[derive(Debug)]
pub(crate) struct Relay {
    base_url: String,
    prompts: Arc<Mutex<Vec<Prompt>>>,
}

impl Relay {
    /// Relays to a plain-HTTP server.
    pub(crate) fn start(server: &reqwest::Url) -> Outcome<Self> {
        let host = server.host_str().ok_or("the address has no host")?;
        let port = server
            .port_or_known_default()
            .ok_or("the address has no port")?;
        let authority = format!("{host}:{port}");
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let path = server.path().trim_end_matches('/');
        let base_url = format!("http://{}{path}", listener.local_addr()?);
        let prompts = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&prompts);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (authority, prompts) = (authority.clone(), Arc::clone(&kept));
                // A client that goes away ends its connection and nothing else.
                std::thread::spawn(move || drop(pass_on(stream, &authority, &prompts)));
            }
        });
        Ok(Self { base_url, prompts })
    }

    /// The address to configure.
    pub(crate) fn base_url(&self) -> &str {
        &self.base_url
    }

    /// What was noted so far.
    pub(crate) fn prompts(&self) -> Vec<Prompt> {
        self.prompts
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }
}

fn pass_on(mut client: TcpStream, authority: &str, prompts: &Mutex<Vec<Prompt>>) -> Outcome<()> {
    let mut received = Vec::new();
    let Some(request) = read_request(&mut client, &mut received)? else {
        return Ok(());
    };
    let mut server = TcpStream::connect(authority)?;
    server.write_all(&rewritten(&request, authority))?;
    let mut answer = Vec::new();
    server.read_to_end(&mut answer)?;
    client.write_all(&answer)?;
    if request.is_question
        && let Some(prompt) = body_of(&answer).as_ref().and_then(Prompt::read)
    {
        prompts
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(prompt);
    }
    Ok(())
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
        if !matches!(name.as_str(), "host" | "connection") {
            text.push_str(line);
            text.push_str("\r\n");
        }
    }
    text.push_str("host: ");
    text.push_str(authority);
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
