//! The doors of the control interface with short bounds: whoever is silent, slow or deaf is let go, at
//! both doors, and nobody else waits for that.

#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test may stop at once, and it stands in for whoever keeps the folder"
)]

use crate::wait::{DEADLINE, until};
use kjxlkj_agent::api::{
    Bounds, Call, CommandOutput, Control, ListenConfig, OpenSockets, Verbs, open,
};
use kjxlkj_agent::config::{ConfigReader, Secret};
use kjxlkj_agent::daemon::{Clock, Heartbeat, StopHandle, SystemClock, VirtualClock, stop_pair};
use kjxlkj_agent::provider::Sleeper as _;
use kjxlkj_agent::service::Session;
use kjxlkj_agent::time::Timestamp;
use std::collections::BTreeMap;
use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::os::unix::net::UnixStream;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tempfile::TempDir;

const TOKEN: &str = "0123456789abcdef0123";

/// An environment without variables.
static NO_VARIABLES: BTreeMap<String, String> = BTreeMap::new();

/// More than the buffers between two processes hold.
const ANSWER_BYTES: usize = 16 * 1024 * 1024;

/// Says a great deal, whatever it is asked.
struct Talker;

impl Verbs for Talker {
    fn answer(&self, _: &Call) -> CommandOutput {
        CommandOutput {
            exit: 0,
            stdout: "x".repeat(ANSWER_BYTES),
            talk: Vec::new(),
            failure: None,
        }
    }
}

/// Says that it was asked something, and answers when it may.
struct Waiter {
    asked: Sender<()>,
    may: Mutex<Receiver<()>>,
}

impl Verbs for Waiter {
    fn answer(&self, _: &Call) -> CommandOutput {
        self.asked.send(()).unwrap();
        // Nobody may be left who lets it.
        self.may.lock().unwrap().recv().unwrap_or_default();
        CommandOutput {
            exit: 0,
            stdout: "{}".to_owned(),
            talk: Vec::new(),
            failure: None,
        }
    }
}

/// Both doors of a root.
struct House {
    folder: TempDir,
    tcp: SocketAddr,
    listening: Option<OpenSockets>,
    stop: StopHandle,
}

trait Stream: Read + Write {
    fn patience(&self, wait: Duration);
}

impl Stream for UnixStream {
    fn patience(&self, wait: Duration) {
        self.set_read_timeout(Some(wait)).unwrap();
    }
}

impl Stream for TcpStream {
    fn patience(&self, wait: Duration) {
        self.set_read_timeout(Some(wait)).unwrap();
    }
}

#[derive(Clone, Copy, Debug)]
enum Door {
    Unix,
    Tcp,
}

impl House {
    fn open(bounds: Bounds) -> Self {
        Self::of(bounds, Arc::new(Talker))
    }

    fn of(bounds: Bounds, verbs: Arc<dyn Verbs>) -> Self {
        Self::at(bounds, verbs, Arc::new(SystemClock))
    }

    fn at(bounds: Bounds, verbs: Arc<dyn Verbs>, clock: Arc<dyn Clock>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("data")).unwrap();
        let files = ConfigReader::new(folder.path().to_owned(), &NO_VARIABLES);
        let control = Control {
            session: Session::alone(files, Arc::new(())),
            heartbeat: Heartbeat::default(),
            verbs,
            clock,
        };
        let token = Secret::new(TOKEN.to_owned());
        let config = ListenConfig {
            socket: true,
            tcp: Some(("127.0.0.1:0".parse().unwrap(), &token)),
            bounds,
        };
        let (handle, stop) = stop_pair();
        let listening = open(&config, &control, stop).unwrap();
        Self {
            tcp: listening.tcp.unwrap(),
            listening: Some(listening),
            folder,
            stop: handle,
        }
    }

    fn connect(&self, door: Door) -> Box<dyn Stream> {
        let stream = self.try_connect(door).unwrap();
        stream.patience(DEADLINE);
        stream
    }

    fn try_connect(&self, door: Door) -> io::Result<Box<dyn Stream>> {
        Ok(match door {
            Door::Unix => {
                let path = self.folder.path().join("data/control.sock");
                Box::new(UnixStream::connect(path)?)
            }
            Door::Tcp => Box::new(TcpStream::connect(self.tcp)?),
        })
    }
}

impl Drop for House {
    fn drop(&mut self) {
        self.stop.stop();
    }
}

fn request(line: &str, more: &str) -> String {
    format!("{line} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {TOKEN}\r\n{more}\r\n")
}

/// A command line, which the verbs of the house answer.
fn verb(more: &str) -> String {
    let body = r#"{"words": ["status"]}"#;
    let (kind, length) = ("Content-Type: application/json", body.len());
    let head = format!("{more}{kind}\r\nContent-Length: {length}\r\n");
    request("POST /v1/verbs", &head) + body
}

/// Asks how it goes, and gives the first bytes of the answer.
fn ask(mut stream: impl Read + Write) -> io::Result<String> {
    stream.write_all(request("GET /healthz", "").as_bytes())?;
    let mut bytes = [0; 15];
    stream.read_exact(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

const WELL: &str = "HTTP/1.1 200 OK";

#[test]
fn whoever_is_silent_slow_or_deaf_is_let_go_at_both_doors() {
    let house = House::open(Bounds {
        read: Duration::from_millis(50),
        write: Duration::from_millis(50),
        connections: 1,
        ..Bounds::default()
    });
    let half_body = request(
        "POST /v1/notes",
        "Content-Type: application/json\r\nContent-Length: 100\r\n",
    ) + "{";
    let unread = verb("");
    for door in [Door::Unix, Door::Tcp] {
        for bytes in [
            "",
            "GET /v1/status HTTP/1.1\r\nHost: local",
            &half_body,
            &unread,
        ] {
            // It has the only place, and never gives it up by itself.
            let mut bad = house.connect(door);
            bad.write_all(bytes.as_bytes()).unwrap();
            let told = ask(house.connect(door)).unwrap();
            assert_eq!(told, WELL, "{door:?} {bytes:?}");
        }
    }
}

#[test]
fn who_comes_when_the_house_is_full_waits_for_a_place_and_the_other_door_stays_open() {
    let house = House::open(Bounds {
        connections: 2,
        ..Bounds::default()
    });
    // Whoever listens to events is being answered all the time.
    let listener = |door| {
        let mut stream = house.connect(door);
        let line = request("GET /v1/events", "");
        stream.write_all(line.as_bytes()).unwrap();
        let mut bytes = [0; WELL.len()];
        stream.read_exact(&mut bytes).unwrap();
        assert_eq!(bytes, WELL.as_bytes());
        stream
    };
    for (door, other) in [(Door::Unix, Door::Tcp), (Door::Tcp, Door::Unix)] {
        let first = listener(door);
        let second = listener(door);
        let mut third = house.connect(door);
        third
            .write_all(request("GET /healthz", "").as_bytes())
            .unwrap();
        assert_eq!(ask(house.connect(other)).unwrap(), WELL);
        // Who came later at the other door has been answered, and this one has not.
        third.patience(Duration::from_millis(100));
        let mut bytes = [0; 15];
        let refused = third.read_exact(&mut bytes).unwrap_err();
        assert_eq!(refused.kind(), io::ErrorKind::WouldBlock, "{door:?}");
        drop(first);
        third.patience(DEADLINE);
        third.read_exact(&mut bytes).unwrap();
        assert_eq!(bytes, WELL.as_bytes(), "{door:?}");
        drop(second);
    }
}

#[test]
fn who_is_silent_goes_where_another_one_waits_and_the_longest_silent_goes_first() {
    let house = House::open(Bounds {
        // Nobody is let go for being silent alone.
        read: DEADLINE,
        connections: 2,
        ..Bounds::default()
    });
    for door in [Door::Unix, Door::Tcp] {
        let mut first = house.connect(door);
        let mut second = house.connect(door);
        // It has been answered once, and was silent for a shorter time since.
        let line = request("GET /healthz", "");
        second.write_all(line.as_bytes()).unwrap();
        let mut bytes = [0; WELL.len()];
        second.read_exact(&mut bytes).unwrap();
        assert_eq!(ask(house.connect(door)).unwrap(), WELL, "{door:?}");
        let mut nothing = [0; 1];
        assert_eq!(first.read(&mut nothing).unwrap(), 0, "it was hung up on");
        drop(second);
    }
}

/// Whoever has asked something is answered although the doors are closed, by a stop or by the end of the
/// loop, and nobody waits for whoever has asked nothing.
#[test]
fn who_has_asked_is_answered_after_the_doors_are_closed() {
    for door in [Door::Unix, Door::Tcp] {
        for is_stopped in [true, false] {
            let (asked, begun) = channel();
            let (go, may) = channel();
            let may = Mutex::new(may);
            let mut house = House::of(Bounds::default(), Arc::new(Waiter { asked, may }));
            let silent = house.connect(door);
            let mut stream = house.connect(door);
            let line = verb("Connection: close\r\n");
            stream.write_all(line.as_bytes()).unwrap();
            begun.recv_timeout(DEADLINE).unwrap();
            let listening = house.listening.take().unwrap();
            let closed = || house.try_connect(door).is_err().then_some(());
            if is_stopped {
                house.stop.stop();
                until("a closed door", closed);
            }
            let drained = std::thread::spawn(move || listening.drain());
            until("a closed door", closed);
            go.send(()).unwrap();
            drained.join().unwrap();
            let mut said = String::new();
            stream.read_to_string(&mut said).unwrap();
            assert!(said.starts_with(WELL), "{door:?} {is_stopped}: {said}");
            assert!(
                said.contains(r#""stdout":"{}""#),
                "{door:?} {is_stopped}: {said}"
            );
            drop(silent);
        }
    }
}

#[test]
fn an_answer_that_does_not_come_holds_up_the_end_only_for_a_moment() {
    let (asked, begun) = channel();
    let (go, may) = channel::<()>();
    let may = Mutex::new(may);
    let mut house = House::of(Bounds::default(), Arc::new(Waiter { asked, may }));
    let mut stream = house.connect(Door::Unix);
    let line = verb("");
    stream.write_all(line.as_bytes()).unwrap();
    begun.recv_timeout(DEADLINE).unwrap();
    house.listening.take().unwrap().drain();
    let mut nothing = Vec::new();
    assert_eq!(stream.read_to_end(&mut nothing).unwrap(), 0, "hung up on");
    drop(go);
}

/// What puts a date into an answer knows none before 1970: whoever asks is told so, and goes on once the
/// clock is right.
#[tokio::test]
async fn before_1970_everybody_is_turned_away_until_the_clock_is_right() {
    let clock = Arc::new(VirtualClock::from(Timestamp::from_millis(-1000)));
    let house = House::at(Bounds::default(), Arc::new(Talker), clock.clone());
    for door in [Door::Unix, Door::Tcp] {
        let mut stream = house.connect(door);
        stream
            .write_all(request("GET /healthz", "").as_bytes())
            .unwrap();
        let mut said = String::new();
        // Also without being asked to, the connection is closed.
        stream.read_to_string(&mut said).unwrap();
        assert!(said.starts_with("HTTP/1.1 503 "), "{door:?}: {said}");
        assert!(said.contains("DAEMON_BUSY"), "{door:?}: {said}");
        assert!(
            said.contains("the clock is before 1970"),
            "{door:?}: {said}"
        );
    }
    clock.sleep(Duration::from_secs(1)).await;
    for door in [Door::Unix, Door::Tcp] {
        assert_eq!(ask(house.connect(door)).unwrap(), WELL, "{door:?}");
    }
}
