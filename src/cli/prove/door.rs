//! What may not come in at the doors of the control interface.

use super::super::environment::ProcessEnvironment;
use super::guard_check::{ANSWERED, Attempt, Came, GuardCheck, Shown, WAITS};
use super::scratch::{Scratch, unusable};
use crate::api::{self, Bounds, Call, CommandOutput, Control, Doors, Verbs};
use crate::config::{ConfigReader, Secret};
use crate::daemon::{Heartbeat, SystemClock, stop_pair};
use crate::failure::{Code, Failure};
use crate::limits::{API_BODY_BYTES_MAX, API_HEAD_BYTES_MAX};
use crate::service::Session;
use crate::store::connect;
use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// The token of the scratch doors.
const TOKEN: &str = "proof-token-0123456789";

/// How long an answer may take.
pub(super) const ANSWER_WAIT: Duration = Duration::from_secs(5);

/// How long a door of a check waits for the rest of what is said.
const QUICK: Duration = Duration::from_millis(100);

/// How long it is looked whether somebody is answered who must not be yet.
const LOOK: Duration = Duration::from_millis(500);

/// Most of an answer that is looked at, in bytes.
const ANSWER_BYTES_MAX: u64 = 64 * 1024;

/// The checks at the doors.
pub(super) const GUARD_CHECKS: &[GuardCheck] = &[
    GuardCheck {
        guard: "door.host",
        tried: "a request for another machine's name",
        attempt: Attempt::Done(|scratch| {
            denied(scratch, Door::Socket, &status_of("evil.example", ""), "421")
        }),
    },
    GuardCheck {
        guard: "door.origin",
        tried: "a request of a page in a browser",
        attempt: Attempt::Done(|scratch| {
            let origin = "Origin: https://evil.example\r\n";
            let request = status_of("localhost", origin);
            denied(scratch, Door::Socket, &request, "403")
        }),
    },
    GuardCheck {
        guard: "door.token",
        tried: "a request over TCP with a wrong token",
        attempt: Attempt::Done(|scratch| {
            let token = "Authorization: Bearer proof-token-9876543210\r\n";
            let request = status_of("localhost", token);
            denied(scratch, Door::Tcp, &request, "401")
        }),
    },
    GuardCheck {
        guard: "door.head_bytes",
        tried: "a request with a head larger than any",
        attempt: Attempt::Done(|scratch| {
            let much = "x".repeat(2 * API_HEAD_BYTES_MAX);
            let request = status_of("localhost", &format!("X-A: {much}\r\n"));
            denied(scratch, Door::Socket, &request, "431")
        }),
    },
    GuardCheck {
        guard: "door.body_bytes",
        tried: "a request with a body larger than any",
        attempt: Attempt::Done(|scratch| {
            let length = API_BODY_BYTES_MAX + 1;
            let head = format!(
                "POST /v1/runs HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nIdempotency-Key: proof\r\n\
                 Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n"
            );
            denied(scratch, Door::Socket, &(head + &"x".repeat(length)), "413")
        }),
    },
    GuardCheck {
        guard: "door.head_time",
        tried: "a request whose head never ends",
        attempt: Attempt::Done(|scratch| slow(scratch, "GET /v1/status HTTP/1.1\r\nHost: loc", "")),
    },
    GuardCheck {
        guard: "door.body_time",
        tried: "a request whose body never comes",
        attempt: Attempt::Done(|scratch| {
            let head = "POST /v1/runs HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\
                        Idempotency-Key: proof\r\nContent-Type: application/json\r\n\
                        Content-Length: 10\r\n\r\n{";
            slow(scratch, head, "HTTP/1.1 408")
        }),
    },
    GuardCheck {
        guard: "door.connections",
        tried: "one connection more than may be open at once",
        attempt: Attempt::Done(one_too_many),
    },
];

/// A question for the state, by a name of this machine, with more lines in its head.
fn status_of(host: &str, more: &str) -> String {
    format!("GET /v1/status HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{more}\r\n")
}

#[derive(Clone, Copy)]
enum Door {
    Socket,
    Tcp,
}

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

/// The doors of the scratch folder, open while `visit` is at them.
fn at_doors(
    scratch: &Scratch,
    bounds: Bounds,
    visit: impl FnOnce(Option<SocketAddr>) -> io::Result<Came>,
) -> Result<Came, Failure> {
    let (handle, stop) = stop_pair();
    let token = Secret::new(TOKEN.to_owned());
    let files = ConfigReader::new(scratch.root.clone(), &ProcessEnvironment);
    let control = Control {
        session: Session::alone(files, Arc::new(())),
        heartbeat: Heartbeat::default(),
        verbs: Arc::new(Nobody),
        clock: Arc::new(SystemClock),
    };
    let doors = Doors {
        socket: true,
        tcp: Some((SocketAddr::from((Ipv4Addr::LOCALHOST, 0)), &token)),
        bounds,
    };
    let listening = api::open(&doors, &control, stop)?;
    let came = visit(listening.tcp);
    handle.stop();
    drop(listening);
    came.map_err(|error| unusable(Path::new("control.sock"), &error))
}

/// Sends a request to a door of the scratch folder, which must answer with that status.
fn denied(scratch: &mut Scratch, door: Door, request: &str, status: &str) -> Result<Came, Failure> {
    let mut disk = scratch.disk()?;
    at_doors(scratch, Bounds::default(), |tcp| {
        let answer = if let (Door::Tcp, Some(address)) = (door, tcp) {
            let mut stream = TcpStream::connect(address)?;
            stream.set_read_timeout(Some(ANSWER_WAIT))?;
            exchange(&mut stream, request)?
        } else {
            let mut stream = connect(&mut disk)?;
            stream.set_read_timeout(Some(ANSWER_WAIT))?;
            exchange(&mut stream, request)?
        };
        Ok(judged(&answer, status))
    })
}

fn judged(answer: &str, status: &str) -> Came {
    let line = answer.lines().next().unwrap_or_default().to_owned();
    if !line.starts_with(&format!("HTTP/1.1 {status}")) {
        return Came::Through(format!("the answer was: {line}"));
    }
    let said = Code::ALL
        .iter()
        .find(|code| answer.contains(&format!("\"{code}\"")));
    let code = said.copied();
    Came::Stopped(Shown {
        code,
        words: line,
        audit: Err(ANSWERED),
    })
}

/// Begins to say something and does not go on: the connection must end, with that answer.
fn slow(scratch: &mut Scratch, begun: &str, answer: &str) -> Result<Came, Failure> {
    let mut disk = scratch.disk()?;
    let bounds = Bounds {
        read: QUICK,
        ..Bounds::default()
    };
    at_doors(scratch, bounds, |_| {
        let mut stream = connect(&mut disk)?;
        stream.set_read_timeout(Some(ANSWER_WAIT))?;
        stream.write_all(begun.as_bytes())?;
        let mut said = Vec::new();
        let ended = stream.take(ANSWER_BYTES_MAX).read_to_end(&mut said);
        let said = String::from_utf8_lossy(&said).into_owned();
        let line = said.lines().next().unwrap_or("the connection was closed");
        Ok(match ended {
            Err(error) if is_silence(&error) => {
                Came::Through("the connection stays open".to_owned())
            }
            _ if said.starts_with(answer) => Came::stopped(line.to_owned(), ANSWERED),
            _ => Came::Through(format!("the answer was: {line}")),
        })
    })
}

/// Of two who come where one may be, the second must wait until the first has left.
/// A request whose body is still to come.
const HALF_ASKED: &str = "POST /v1/notes HTTP/1.1\r\nHost: localhost\r\n\
    Content-Type: application/json\r\nContent-Length: 9\r\n\r\n{";

fn one_too_many(scratch: &mut Scratch) -> Result<Came, Failure> {
    let mut disk = scratch.disk()?;
    let bounds = Bounds {
        connections: 1,
        ..Bounds::default()
    };
    at_doors(scratch, bounds, |_| {
        let mut first = connect(&mut disk)?;
        // Whoever is silent would make room; this one is being answered.
        first.write_all(HALF_ASKED.as_bytes())?;
        let mut second = connect(&mut disk)?;
        second.set_read_timeout(Some(LOOK))?;
        second.write_all(status_of("localhost", "").as_bytes())?;
        let mut byte = [0];
        match second.read(&mut byte) {
            Err(error) if is_silence(&error) => {}
            _ => return Ok(Came::Through("it was answered at once".to_owned())),
        }
        drop(first);
        second.set_read_timeout(Some(ANSWER_WAIT))?;
        second.read_exact(&mut byte)?;
        let words = "it was answered when the other had left".to_owned();
        Ok(Came::stopped(words, WAITS))
    })
}

/// Whether nothing came in the time there was.
fn is_silence(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut
    )
}

/// Says something and takes what comes back. Who is cut off while speaking has still been answered.
fn exchange(stream: &mut (impl Read + Write), request: &str) -> io::Result<String> {
    let sent = stream.write_all(request.as_bytes());
    let mut answer = Vec::new();
    let read = stream.take(ANSWER_BYTES_MAX).read_to_end(&mut answer);
    if answer.is_empty() {
        sent?;
        read?;
    }
    Ok(String::from_utf8_lossy(&answer).into_owned())
}
