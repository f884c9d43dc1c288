//! What calls may not do: bring more than any answer has, be repeated without end, or go on to a server
//! that only fails.

use super::guard_check::{Attempt, Came, GuardCheck, Shown, WAITS};
use super::scratch::{Scratch, unusable};
use crate::config::ProviderKind;
use crate::core::route::BreakerPolicy;
use crate::failure::{Code, Failure};
use crate::limits::REPLY_BODY_BYTES_MAX;
use crate::provider::{CallFuture, LlmProvider, LlmReply, LlmRequest, ProviderError, connect};
use serde_json::json;
use std::io::{self, Read as _, Write as _};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread;

/// Repeats that a trial allows.
const REPEATS: u32 = 2;

/// More repeats than a server is given before it is left alone.
const MANY_REPEATS: u32 = 20;

const _: () = assert!(REPEATS + 1 < BreakerPolicy::SPECIFIED.failure_threshold);
const _: () = assert!(MANY_REPEATS > BreakerPolicy::SPECIFIED.failure_threshold);

/// Most of a question that the scratch server reads at once, in bytes.
const QUESTION_BYTES: usize = 64 * 1024;

/// The trials at calls.
pub(super) const GUARD_CHECKS: &[GuardCheck] = &[
    GuardCheck {
        guard: "call.body_bytes",
        tried: "an answer of a server that is larger than any",
        attempt: Attempt::Done(flooded),
    },
    GuardCheck {
        guard: "call.retries",
        tried: "a failed call repeated once more than retry.max_retries",
        attempt: Attempt::Done(|scratch| broken(scratch, REPEATS, REPEATS + 1)),
    },
    GuardCheck {
        guard: "call.breaker",
        tried: "a server asked on and on that fails each time",
        attempt: Attempt::Done(|scratch| {
            let most = BreakerPolicy::SPECIFIED.failure_threshold;
            broken(scratch, MANY_REPEATS, most)
        }),
    },
];

/// A model server that is out of order, and how often it was asked.
#[derive(Debug)]
struct Broken {
    asked: Arc<AtomicU32>,
}

impl LlmProvider for Broken {
    fn complete<'a>(
        &'a self,
        _request: &'a LlmRequest,
    ) -> CallFuture<'a, Result<LlmReply, ProviderError>> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        let message = "out of order".to_owned();
        let error = ProviderError::held(Code::LlmUnavailable, message, Some(1));
        Box::pin(std::future::ready(Err(error)))
    }

    fn provider_name(&self) -> &'static str {
        "proof"
    }

    fn models(&self) -> CallFuture<'_, Result<Vec<String>, ProviderError>> {
        Box::pin(std::future::ready(Ok(vec!["proof".to_owned()])))
    }
}

/// Asks a server that fails, which must be asked so often and no more.
fn broken(scratch: &mut Scratch, repeats: u32, most: u32) -> Result<Came, Failure> {
    let mut tuned = scratch.tuned();
    tuned.config.retry.max_retries = repeats;
    let asked = Arc::new(AtomicU32::new(0));
    let model = Broken {
        asked: Arc::clone(&asked),
    };
    let came = scratch.ask_model(&tuned, Box::new(model), 1)?;
    let count = asked.load(Ordering::Relaxed);
    let Some(failure) = came.halt.filter(|_| count == most) else {
        return Ok(Came::Through(format!("it was asked {count} times")));
    };
    let words = format!("asked {count} times; {}", failure.message);
    Ok(Came::Stopped(Shown::words(failure.code, &words, WAITS)))
}

/// A server whose answer would be a good one if it were not so large.
fn flooded(scratch: &mut Scratch) -> Result<Came, Failure> {
    let failed = |error: io::Error| unusable(Path::new("a scratch server"), &error);
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).map_err(failed)?;
    let address = listener.local_addr().map_err(failed)?;
    let is_over = Arc::new(AtomicBool::new(false));
    let serving = {
        let is_over = Arc::clone(&is_over);
        thread::spawn(move || serve(&listener, &is_over))
    };
    let mut tuned = scratch.tuned();
    let provider = &mut tuned.config.provider;
    provider.kind = ProviderKind::OpenAi;
    provider.base_url = format!("http://{address}/v1");
    "proof".clone_into(&mut provider.model);
    provider.stream = false;
    let came = connect(provider, None)
        .and_then(|model| scratch.ask_model(&tuned, model, 1))
        .map(|asked| {
            let came = Came::by_audit(&asked.entries, Code::ProviderBadResponse);
            came.only_if(asked.before == asked.after, &asked.changed())
        });
    is_over.store(true, Ordering::Relaxed);
    // It wakes to see that it is over.
    drop(TcpStream::connect(address));
    drop(serving.join());
    came
}

/// Answers whoever comes with the same flood, until it is over.
fn serve(listener: &TcpListener, is_over: &AtomicBool) {
    for stream in listener.incoming() {
        if is_over.load(Ordering::Relaxed) {
            return;
        }
        // Who is cut off in the middle has refused the rest.
        stream.and_then(answer).unwrap_or_default();
    }
}

fn answer(mut stream: TcpStream) -> io::Result<()> {
    let mut question = vec![0; QUESTION_BYTES];
    let mut length = 0;
    // Small questions come in a piece or two; the rest of a large one is not waited for.
    while !question.windows(4).any(|end| end == b"\r\n\r\n") && length < QUESTION_BYTES {
        let free = question.get_mut(length..).unwrap_or_default();
        match stream.read(free)? {
            0 => return Ok(()),
            read => length += read,
        }
    }
    let text = "<ram_add><key>proof</key><value>got through</value></ram_add>";
    let body = json!({
        "choices": [{"message": {"role": "assistant", "content": text}, "finish_reason": "stop"}],
        "data": [{"id": "proof"}],
        "much": "x".repeat(REPLY_BODY_BYTES_MAX),
    });
    let body = body.to_string();
    let length = body.len();
    write!(
        stream,
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\
         Connection: close\r\n\r\n{body}"
    )?;
    // Closed before all was read, the answer would be lost with it.
    stream.shutdown(std::net::Shutdown::Write)?;
    stream.set_read_timeout(Some(super::door::ANSWER_WAIT))?;
    io::copy(&mut stream, &mut io::sink()).map(drop)
}
