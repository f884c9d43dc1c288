//! Sends requests to the listeners of the control interface, and runs a model server that floods
//! its callers.

use super::super::environment::ProcessEnvironment;
use super::attempt::WAITS;
use super::check::{Attempt, AttemptResult};
use super::scratch::{Scratch, Setup, disk_at, unusable};
use crate::api::{self, Bounds, Call, CommandOutput, Control, ListenConfig, Verbs};
use crate::config::{ConfigReader, ProviderKind, Secret};
use crate::daemon::{Heartbeat, SystemClock, stop_pair};
use crate::failure::{Code, Failure};
use crate::limits::REPLY_BODY_BYTES_MAX;
use crate::provider::connect;
use crate::service::Session;
use crate::store::connect as connect_socket;
use crate::store::disk::RealDisk;
use serde_json::json;
use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

const TOKEN: &str = "proof-token-0123456789";
const ANSWER_WAIT: Duration = Duration::from_secs(5);

/// The time that an impatient listener waits for the rest of a request.
const QUICK: Duration = Duration::from_millis(100);

/// The time in which a second connection must not be served yet.
const LOOK: Duration = Duration::from_millis(500);

/// The most bytes of a response that are read.
const LOOKED_BYTES_MAX: u64 = 64 * 1024;

/// A request whose body is not complete.
const HALF_ASKED: &[u8] = b"POST /v1/notes HTTP/1.1\r\nHost: localhost\r\n\
    Content-Type: application/json\r\nContent-Length: 9\r\n\r\n{";

#[derive(Clone, Copy, PartialEq)]
pub(super) enum Listener {
    Socket,
    Tcp,
    /// The socket, with a short time limit for reading.
    Impatient,
    /// The socket, with room for one connection, while another one is served.
    Full,
}

/// The verbs behind the listeners, which succeed when they are reached.
struct StubVerbs;

impl Verbs for StubVerbs {
    fn answer(&self, _call: &Call) -> CommandOutput {
        CommandOutput {
            stdout: "{}".to_owned(),
            ..CommandOutput::default()
        }
    }
}

/// Sends a request to a listener, whose response must begin like this and end the connection.
pub(super) fn ask(listener: Listener, answer: &'static str, request: String) -> Attempt {
    let act = move |scratch: &Scratch, _, _: &Path| asked(scratch, listener, answer, &request);
    let attempt = Attempt::new(act);
    if listener == Listener::Full {
        attempt.unaudited(WAITS)
    } else {
        attempt
    }
}

fn asked(
    scratch: &Scratch,
    listener: Listener,
    answer: &str,
    request: &str,
) -> Result<AttemptResult, Failure> {
    let mut disk = disk_at(&scratch.root)?;
    let (handle, stop) = stop_pair();
    let token = Secret::new(TOKEN.to_owned());
    let files = ConfigReader::new(scratch.root.clone(), &ProcessEnvironment);
    let control = Control {
        session: Session::alone(files, Arc::new(())),
        heartbeat: Heartbeat::default(),
        verbs: Arc::new(StubVerbs),
        clock: Arc::new(SystemClock),
    };
    let mut bounds = Bounds::default();
    if listener == Listener::Impatient {
        bounds.read = QUICK;
    }
    if listener == Listener::Full {
        bounds.connections = 1;
    }
    let config = ListenConfig {
        socket: true,
        tcp: Some((SocketAddr::from((Ipv4Addr::LOCALHOST, 0)), &token)),
        bounds,
    };
    let listening = api::open(&config, &control, stop)?;
    let answered = match (listener, listening.tcp) {
        (Listener::Full, _) => ask_second(&mut disk, request),
        (Listener::Tcp, Some(address)) => TcpStream::connect(address).and_then(|stream| {
            stream.set_read_timeout(Some(ANSWER_WAIT))?;
            exchange(stream, request)
        }),
        _ => connect_socket(&mut disk).and_then(|stream| {
            stream.set_read_timeout(Some(ANSWER_WAIT))?;
            exchange(stream, request)
        }),
    };
    handle.stop();
    drop(listening);
    let answered = answered.map_err(|error| unusable(Path::new("control.sock"), &error))?;
    let line = answered.lines().next();
    let line = line.unwrap_or("the connection was closed");
    let words = match listener {
        Listener::Full => "it was answered when the other had left",
        Listener::Socket | Listener::Tcp | Listener::Impatient => line,
    };
    let is_named = |code: &&Code| answered.contains(&format!("\"{code}\""));
    let code = Code::ALL.iter().find(is_named).copied();
    let seen = AttemptResult {
        failure: code.map(|code| Failure::new(code, line)),
        words: Some(words.to_owned()),
        ..AttemptResult::default()
    };
    let harm = format!("the answer was: {line}");
    Ok(seen.unless(answered.starts_with(answer), &harm))
}

/// Sends a request and reads the response, also where the connection is closed while it is sent.
fn exchange(mut stream: impl Read + Write, request: &str) -> io::Result<String> {
    stream.write_all(request.as_bytes()).unwrap_or_default();
    let mut answer = Vec::new();
    match stream.take(LOOKED_BYTES_MAX).read_to_end(&mut answer) {
        Err(error) if is_silence(&error) => Err(io::Error::other("the connection stays open")),
        _ => Ok(String::from_utf8_lossy(&answer).into_owned()),
    }
}

/// Sends a request while another connection is served, and reads the response after that one ended.
fn ask_second(disk: &mut RealDisk, request: &str) -> io::Result<String> {
    // A silent connection would be closed; this one is being served.
    let mut first = connect_socket(disk)?;
    first.write_all(HALF_ASKED)?;
    let mut second = connect_socket(disk)?;
    second.set_read_timeout(Some(LOOK))?;
    second.write_all(request.as_bytes())?;
    match second.read(&mut [0]) {
        Err(error) if is_silence(&error) => drop(first),
        _ => return Err(io::Error::other("it was answered at once")),
    }
    second.set_read_timeout(Some(ANSWER_WAIT))?;
    exchange(second, "")
}

/// Returns whether nothing arrived within the time limit.
fn is_silence(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut
    )
}

/// Runs with a server whose reply would be good if it were not too large.
pub(super) fn flood() -> Attempt {
    Attempt::new(|scratch, setup, _| flooded_run(scratch, &setup)).risky()
}

fn flooded_run(scratch: &Scratch, setup: &Setup) -> Result<AttemptResult, Failure> {
    let failed = |error: io::Error| unusable(Path::new("a scratch server"), &error);
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).map_err(failed)?;
    let address = listener.local_addr().map_err(failed)?;
    let serving = thread::spawn(move || {
        let mut streams = listener.incoming().map(|stream| stream.and_then(overfill));
        // A connection without a request ends it.
        while let Some(Ok(true)) = streams.next() {}
    });
    let mut provider = setup.config.provider.clone();
    provider.kind = ProviderKind::OpenAi;
    provider.base_url = format!("http://{address}/v1");
    provider.stream = false;
    let seen = connect(&provider, None).and_then(|model| scratch.run(setup, model));
    drop(TcpStream::connect(address));
    drop(serving.join());
    seen
}

/// Answers a request with too many bytes; returns whether there was a request.
fn overfill(mut stream: TcpStream) -> io::Result<bool> {
    let (mut question, mut byte) = (Vec::new(), [0]);
    // The rest of a large request is not waited for.
    while !question.ends_with(b"\r\n\r\n") {
        if stream.read(&mut byte)? == 0 {
            return Ok(false);
        }
        question.extend(byte);
    }
    let text = "<ram_add><key>proof</key><value>got through</value></ram_add>";
    let body = json!({
        "choices": [{"message": {"role": "assistant", "content": text}, "finish_reason": "stop"}],
        "data": [{"id": "proof"}],
        "much": "x".repeat(REPLY_BODY_BYTES_MAX),
    });
    let body = body.to_string();
    let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n", body.len());
    let answer = head + "Content-Type: application/json\r\nConnection: close\r\n\r\n" + &body;
    // A client that closes early has refused the rest. Closed before the request was read, the
    // connection would lose the response.
    let sent = stream.write_all(answer.as_bytes());
    let sent = sent.and_then(|()| stream.shutdown(Shutdown::Write));
    let sent = sent.and_then(|()| stream.set_read_timeout(Some(ANSWER_WAIT)));
    drop(sent.and_then(|()| io::copy(&mut stream, &mut io::sink())));
    Ok(true)
}
