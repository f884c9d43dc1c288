//! Who comes to the doors of the control interface, and a model server that floods whoever asks it.

use super::super::environment::ProcessEnvironment;
use super::check::{Door, Seen};
use super::scratch::{Scratch, Setup, disk_at, unusable};
use crate::api::{self, Bounds, Call, CommandOutput, Control, Doors, Verbs};
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

/// The token of the scratch doors.
const TOKEN: &str = "proof-token-0123456789";

/// How long an answer may take.
const ANSWER_WAIT: Duration = Duration::from_secs(5);

/// How long an impatient door waits for the rest of a request.
const QUICK: Duration = Duration::from_millis(100);

/// How long it is looked whether somebody is answered who must not be yet.
const LOOK: Duration = Duration::from_millis(500);

/// Most of an answer or a question that is looked at, in bytes.
const LOOKED_BYTES_MAX: u64 = 64 * 1024;

/// A request whose body is still to come.
const HALF_ASKED: &[u8] = b"POST /v1/notes HTTP/1.1\r\nHost: localhost\r\n\
    Content-Type: application/json\r\nContent-Length: 9\r\n\r\n{";

/// Whoever is asked has been reached.
struct Nobody;

impl Verbs for Nobody {
    fn answer(&self, _call: &Call) -> CommandOutput {
        CommandOutput {
            exit: 0,
            stdout: "{}".to_owned(),
            talk: Vec::new(),
            failure: None,
        }
    }
}

/// Sends a request to a door, which must answer like this and end the connection.
pub(super) fn ask(
    scratch: &Scratch,
    door: Door,
    answer: &str,
    request: &str,
) -> Result<Seen, Failure> {
    let mut disk = disk_at(&scratch.root)?;
    let (handle, stop) = stop_pair();
    let token = Secret::new(TOKEN.to_owned());
    let files = ConfigReader::new(scratch.root.clone(), &ProcessEnvironment);
    let control = Control {
        session: Session::alone(files, Arc::new(())),
        heartbeat: Heartbeat::default(),
        verbs: Arc::new(Nobody),
        clock: Arc::new(SystemClock),
    };
    let mut bounds = Bounds::default();
    if door == Door::Impatient {
        bounds.read = QUICK;
    }
    if door == Door::Full {
        bounds.connections = 1;
    }
    let doors = Doors {
        socket: true,
        tcp: Some((SocketAddr::from((Ipv4Addr::LOCALHOST, 0)), &token)),
        bounds,
    };
    let listening = api::open(&doors, &control, stop)?;
    let answered = match (door, listening.tcp) {
        (Door::Full, _) => speak_second(&mut disk, request),
        (Door::Tcp, Some(address)) => TcpStream::connect(address).and_then(|stream| {
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
    let words = match door {
        Door::Full => "it was answered when the other had left",
        Door::Socket | Door::Tcp | Door::Impatient => line,
    };
    let is_named = |code: &&Code| answered.contains(&format!("\"{code}\""));
    let code = Code::ALL.iter().find(is_named).copied();
    let seen = Seen {
        failure: code.map(|code| Failure::new(code, line)),
        words: Some(words.to_owned()),
        ..Seen::default()
    };
    let harm = format!("the answer was: {line}");
    Ok(seen.unless(answered.starts_with(answer), &harm))
}

/// Says something and takes what comes back. Who is cut off while speaking has still been answered.
fn exchange(mut stream: impl Read + Write, request: &str) -> io::Result<String> {
    stream.write_all(request.as_bytes()).unwrap_or_default();
    let mut answer = Vec::new();
    match stream.take(LOOKED_BYTES_MAX).read_to_end(&mut answer) {
        Err(error) if is_silence(&error) => Err(io::Error::other("the connection stays open")),
        _ => Ok(String::from_utf8_lossy(&answer).into_owned()),
    }
}

/// Says something while somebody else is heard, and takes what comes back when that one has left.
fn speak_second(disk: &mut RealDisk, request: &str) -> io::Result<String> {
    // Whoever is silent would make room; this one is being answered.
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

/// Whether nothing came in the time there was.
fn is_silence(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut
    )
}

/// Has a server answer in one run whose answer would be a good one if it were not so large.
pub(super) fn flooded_run(scratch: &Scratch, setup: &Setup) -> Result<Seen, Failure> {
    let failed = |error: io::Error| unusable(Path::new("a scratch server"), &error);
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).map_err(failed)?;
    let address = listener.local_addr().map_err(failed)?;
    let serving = thread::spawn(move || {
        let mut streams = listener.incoming().map(|stream| stream.and_then(flood));
        // It is over when somebody comes who asks nothing.
        while let Some(Ok(true)) = streams.next() {}
    });
    let mut provider = setup.config.provider.clone();
    provider.kind = ProviderKind::OpenAi;
    provider.base_url = format!("http://{address}/v1");
    "proof".clone_into(&mut provider.model);
    provider.stream = false;
    let seen = connect(&provider, None).and_then(|model| scratch.run(setup, model));
    drop(TcpStream::connect(address));
    drop(serving.join());
    seen
}

/// Answers a question with too much; gives whether there was one.
fn flood(mut stream: TcpStream) -> io::Result<bool> {
    let (mut question, mut byte) = (Vec::new(), [0]);
    // The rest of a large one is not waited for.
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
    // Who is cut off in the middle has refused the rest. Closed before all was read, the answer would be
    // lost with it.
    let sent = stream.write_all(answer.as_bytes());
    let sent = sent.and_then(|()| stream.shutdown(Shutdown::Write));
    let sent = sent.and_then(|()| stream.set_read_timeout(Some(ANSWER_WAIT)));
    drop(sent.and_then(|()| io::copy(&mut stream, &mut io::sink())));
    Ok(true)
}
