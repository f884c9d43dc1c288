//! The model server of the benches: a process of its own that answers every question at once with a
//! small instruction document, and notes when questions arrive. Both sides of each goal ask it.
//! It knows nothing of the product.

use crate::http::read_request;
use crate::measure::{Outcome, now_ns};
use serde_json::json;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

/// The name under which the peer offers its model.
pub(crate) const MODEL: &str = "bench-model";

/// How long anything is waited for before the bench gives up.
const PATIENCE_NS: u64 = 120_000_000_000;

/// What the peer has seen since it was last reset.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Seen {
    /// Questions; the list of models does not count.
    pub(crate) questions: u64,
    /// When the first one was there as a whole.
    pub(crate) first_ns: u64,
    /// Bytes of all their bodies.
    pub(crate) body_bytes: u64,
}

// === the process that serves ===

#[derive(Default)]
struct Counters {
    questions: AtomicU64,
    first_ns: AtomicU64,
    body_bytes: AtomicU64,
    holds: AtomicBool,
}

/// Serves until the standard input ends. Prints the port, then answers commands line by line.
pub(crate) fn serve() -> Outcome<()> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let counters = Arc::new(Counters::default());
    let mut stdout = std::io::stdout().lock();
    writeln!(stdout, "{}", listener.local_addr()?.port())?;
    stdout.flush()?;
    std::thread::spawn({
        let counters = Arc::clone(&counters);
        move || {
            for stream in listener.incoming().flatten() {
                let counters = Arc::clone(&counters);
                // A client that goes away ends its connection and nothing else.
                std::thread::spawn(move || drop(converse(stream, &counters)));
            }
        }
    });
    for command in std::io::stdin().lock().lines() {
        let command = command?;
        if let Some(mode) = command.strip_prefix("reset ") {
            counters.holds.store(mode == "hold", Ordering::SeqCst);
            counters.questions.store(0, Ordering::SeqCst);
            counters.first_ns.store(0, Ordering::SeqCst);
            counters.body_bytes.store(0, Ordering::SeqCst);
        }
        let number = |counter: &AtomicU64| counter.load(Ordering::SeqCst);
        let (questions, first_ns) = (number(&counters.questions), number(&counters.first_ns));
        writeln!(
            stdout,
            "{questions} {first_ns} {}",
            number(&counters.body_bytes)
        )?;
        stdout.flush()?;
    }
    Ok(())
}

fn converse(mut stream: TcpStream, counters: &Counters) -> Outcome<()> {
    stream.set_nodelay(true)?;
    let mut received = Vec::with_capacity(64 * 1024);
    while let Some(request) = read_request(&mut stream, &mut received)? {
        let content = if request.is_question {
            let arrived = now_ns();
            let bytes = u64::try_from(request.body.len())?;
            counters.body_bytes.fetch_add(bytes, Ordering::SeqCst);
            // Whoever waits for the first question looks at the count, so it comes last.
            if counters.first_ns.load(Ordering::SeqCst) == 0 {
                counters.first_ns.store(arrived, Ordering::SeqCst);
            }
            let number = counters.questions.fetch_add(1, Ordering::SeqCst);
            if counters.holds.load(Ordering::SeqCst) {
                drop(stream.read(&mut [0_u8; 1]));
                return Ok(());
            }
            answer(number)
        } else {
            json!({"object": "list", "data": [{"id": MODEL, "object": "model"}]}).to_string()
        };
        let length = content.len();
        let head = format!(
            "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n"
        );
        stream.write_all(format!("{head}{content}").as_bytes())?;
    }
    Ok(())
}

/// A chat answer. Its values change from one to the next, so that there is always something to write.
fn answer(number: u64) -> String {
    let text = format!(
        "<ram_add><key>think_log</key><value>Step {number} is done, and nothing is in the way of \
         the next one.</value></ram_add>\n<ram_add><key>progress</key><value>{number} of many \
         pages are read &amp; sorted.</value></ram_add>"
    );
    json!({
        "id": "bench", "object": "chat.completion", "model": MODEL,
        "choices": [{"index": 0, "finish_reason": "stop",
                     "message": {"role": "assistant", "content": text}}],
        "usage": {"prompt_tokens": 2000, "completion_tokens": 60, "total_tokens": 2060},
    })
    .to_string()
}

// === the handle of whoever started it ===

/// A running peer; it ends when this is dropped.
#[derive(Debug)]
pub(crate) struct Peer {
    child: Child,
    commands: ChildStdin,
    answers: BufReader<ChildStdout>,
    port: u16,
}

impl Peer {
    /// Starts this program again as a peer.
    pub(crate) fn start() -> Outcome<Self> {
        let mut child = Command::new(std::env::current_exe()?)
            .arg("--peer")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let commands = child.stdin.take().ok_or("the peer has no input")?;
        let output = child.stdout.take().ok_or("the peer has no output")?;
        let mut answers = BufReader::new(output);
        let mut line = String::new();
        answers.read_line(&mut line)?;
        let port = line.trim().parse()?;
        Ok(Self {
            child,
            commands,
            answers,
            port,
        })
    }

    /// The address to configure.
    pub(crate) fn base_url(&self) -> String {
        format!("http://127.0.0.1:{}/v1", self.port)
    }

    /// Forgets what was seen; from now on questions are answered.
    pub(crate) fn answer_from_now(&mut self) -> Outcome<()> {
        self.command("reset answer").map(drop)
    }

    /// Forgets what was seen; from now on no question is answered.
    pub(crate) fn hold_from_now(&mut self) -> Outcome<()> {
        self.command("reset hold").map(drop)
    }

    /// What was seen.
    pub(crate) fn seen(&mut self) -> Outcome<Seen> {
        self.command("seen")
    }

    /// Waits until so many questions have come; `alive` may find that none will.
    pub(crate) fn wait(
        &mut self,
        questions: u64,
        mut alive: impl FnMut() -> Outcome<()>,
    ) -> Outcome<Seen> {
        let since = now_ns();
        loop {
            let seen = self.seen()?;
            if seen.questions >= questions {
                return Ok(seen);
            }
            alive()?;
            if now_ns() - since > PATIENCE_NS {
                return Err(
                    format!("only {} of {questions} questions came", seen.questions).into(),
                );
            }
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    fn command(&mut self, command: &str) -> Outcome<Seen> {
        writeln!(self.commands, "{command}")?;
        let mut line = String::new();
        self.answers.read_line(&mut line)?;
        let mut numbers = line.split_whitespace().map(str::parse);
        let mut number = || numbers.next().ok_or("the peer is gone");
        Ok(Seen {
            questions: number()??,
            first_ns: number()??,
            body_bytes: number()??,
        })
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}
