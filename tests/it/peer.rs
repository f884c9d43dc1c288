//! The scripted HTTP peer: a real TCP server on loopback that plays a model server, good or bad. It
//! knows nothing of the product and nothing of the other test modules. What needs the bytes themselves,
//! or TLS, has a listener of its own.

#![expect(clippy::unwrap_used, reason = "a test may stop at once")]

use serde_json::{Value, json};
use std::collections::{BTreeMap, VecDeque};
use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Two addresses where nobody answers. No system hands out such low ports, so that no peer of another
/// test can come to stand there meanwhile.
pub(crate) const NOBODY: [&str; 2] = ["http://127.0.0.1:9/v1", "http://127.0.0.1:1/v1"];

/// Requests that an answering peer keeps: a long run must not fill the memory.
const ANSWERING_KEEPS: usize = 16;

/// One request as it came in.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    /// `GET`, `POST`, ...
    pub(crate) method: String,
    /// The target, with the query if there is one.
    pub(crate) path: String,
    /// Names in lower case, in the order of arrival.
    pub(crate) headers: Vec<(String, String)>,
    /// The body.
    pub(crate) body: Vec<u8>,
}

impl Request {
    /// The first header of that name, given in lower case.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str())
    }

    /// The body as JSON.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }
}

/// A door that an answer waits behind until the test opens it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Gate(Arc<(Mutex<bool>, Condvar)>);

impl Gate {
    /// Lets every answer behind it go, now and later.
    pub(crate) fn open(&self) {
        *lock(&self.0.0) = true;
        self.0.1.notify_all();
    }

    fn wait(&self, shared: &Shared) {
        let mut open = lock(&self.0.0);
        while !*open && !lock(&shared.state).closing {
            // Woken now and then only to see whether the peer is being dropped.
            let waited = self.0.1.wait_timeout(open, Duration::from_millis(20));
            open = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

/// What to do with one request: a response, and how it is delivered.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    status: u16,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
    delivery: Delivery,
    gate: Option<Gate>,
}

#[derive(Clone, Debug)]
enum Delivery {
    /// With a `Content-Length`, at once; the connection stays open.
    Whole,
    /// The same bytes up to a count of body bytes, then the connection closes.
    CutAfter(usize),
    /// The same bytes up to a count of body bytes, then nothing until the peer is dropped.
    StallAfter(usize),
    /// Without a length: the end of the connection is the end of the body.
    UntilClose,
    /// As chunks of these sizes, the rest as the last one.
    Chunks(Vec<usize>),
    /// One byte at a time, head included, with a pause after each.
    Drip(Duration),
    /// The body as one chunk, and then this one over and over.
    Endless(Vec<u8>),
    /// Just these bytes, then the connection closes.
    Raw(Vec<u8>),
    /// Just these bytes, which say themselves whether the connection closes.
    Recorded(Vec<u8>),
    /// Just these bytes, and then those over and over: a head that never ends.
    Flood(Vec<u8>, Vec<u8>),
    /// Nothing, until the peer is dropped.
    Hang,
}

impl Step {
    /// An answer with that text, finished with `stop`.
    pub(crate) fn reply(text: &str) -> Self {
        Self::json(&json!({
            "id": "peer", "object": "chat.completion", "model": "peer-model",
            "choices": [{"index": 0, "finish_reason": "stop",
                         "message": {"role": "assistant", "content": text}}],
            "usage": {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18},
        }))
    }

    /// An answer of a llama.cpp server that gives its first word with that probability.
    pub(crate) fn probable(text: &str, probability: f64) -> Self {
        let mut answer: Value = serde_json::from_slice(&Self::reply(text).body).unwrap();
        answer["choices"][0]["logprobs"] = json!({"content": [
            {"token": "\n", "logprob": -0.1},
            {"token": "verb", "logprob": probability.ln()},
            {"token": " rest", "logprob": -9.0},
        ]});
        Self::json(&answer)
    }

    /// An answer of a llama.cpp server that gives one word with that probability, and is sure of all others.
    pub(crate) fn doubtful(text: &str, word: &str, probability: f64) -> Self {
        let mut answer: Value = serde_json::from_slice(&Self::reply(text).body).unwrap();
        let tokens = text.split_inclusive([' ', '\n', ':']).map(|token| {
            // The blank before a word belongs to it.
            let token = if token.ends_with(' ') {
                token.trim_end()
            } else {
                token
            };
            let logprob = if token.trim() == word {
                probability.ln()
            } else {
                -0.01
            };
            let own = json!({"token": format!(" {token}"), "logprob": logprob});
            let mut token = own.clone();
            token["top_logprobs"] = json!([own]);
            token
        });
        answer["choices"][0]["logprobs"] = json!({"content": tokens.collect::<Vec<Value>>()});
        Self::json(&answer)
    }

    /// An answer with a reasoning field of that name beside the text.
    pub(crate) fn reply_with_reasoning(text: &str, field: &str, reasoning: &str) -> Self {
        let mut answer: Value = serde_json::from_slice(&Self::reply(text).body).unwrap();
        answer["choices"][0]["message"][field] = json!(reasoning);
        Self::json(&answer)
    }

    /// An answer that is streamed word by word, finished with `stop`, with its usage at the end.
    pub(crate) fn streamed(text: &str) -> Self {
        let mut events: Vec<Value> = text.split_inclusive(' ').map(said).collect();
        events.push(json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}));
        events.push(json!({
            "choices": [],
            "usage": {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18},
        }));
        let mut step = Self::events(&events);
        step.body.extend_from_slice(b"data: [DONE]\n\n");
        step
    }

    /// Status 200 with these events as a stream, and no word of its end.
    pub(crate) fn events(events: &[Value]) -> Self {
        let written: String = events.iter().map(event).collect();
        Self::status(200)
            .header("content-type", "text/event-stream; charset=utf-8")
            .body(written)
    }

    /// Status 200 with that JSON.
    pub(crate) fn json(body: &Value) -> Self {
        Self::status(200)
            .header("content-type", "application/json")
            .body(body.to_string())
    }

    /// llama.cpp's word for the window that its model has.
    pub(crate) fn window(tokens: u32) -> Self {
        Self::json(&json!({"default_generation_settings": {"n_ctx": tokens}}))
    }

    /// An empty answer with that status.
    pub(crate) fn status(status: u16) -> Self {
        Self {
            status,
            headers: Vec::new(),
            body: Vec::new(),
            delivery: Delivery::Whole,
            gate: None,
        }
    }

    /// Exactly these bytes instead of a response, then the connection closes.
    pub(crate) fn raw(bytes: impl Into<Vec<u8>>) -> Self {
        Self::status(200).delivered(Delivery::Raw(bytes.into()))
    }

    /// An answer as it was recorded, head and all.
    pub(crate) fn recorded(bytes: impl Into<Vec<u8>>) -> Self {
        Self::status(200).delivered(Delivery::Recorded(bytes.into()))
    }

    /// No answer at all, until the peer is dropped.
    pub(crate) fn hang() -> Self {
        Self::status(200).delivered(Delivery::Hang)
    }

    /// A good head and then bytes without end.
    pub(crate) fn endless() -> Self {
        Self::status(200).then_endlessly(vec![b'a'; 16 * 1024])
    }

    /// Just these bytes, and then those without end.
    pub(crate) fn flood(bytes: &[u8], block: &[u8]) -> Self {
        Self::status(200).delivered(Delivery::Flood(bytes.to_vec(), block.to_vec()))
    }

    /// The same answer with one more header.
    #[must_use]
    pub(crate) fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// The same body with status 200.
    #[must_use]
    pub(crate) fn with_good_status(mut self) -> Self {
        self.status = 200;
        self
    }

    /// The same answer with that body.
    #[must_use]
    pub(crate) fn body(mut self, body: impl Into<Vec<u8>>) -> Self {
        self.body = body.into();
        self
    }

    /// The same answer, once the gate is open.
    #[must_use]
    pub(crate) fn behind(mut self, gate: &Gate) -> Self {
        self.gate = Some(gate.clone());
        self
    }

    /// The same head, but the connection closes after so many bytes of the body.
    #[must_use]
    pub(crate) fn cut_after(self, bytes: usize) -> Self {
        self.delivered(Delivery::CutAfter(bytes))
    }

    /// The same head, but after so many bytes of the body nothing more comes.
    #[must_use]
    pub(crate) fn stall_after(self, bytes: usize) -> Self {
        self.delivered(Delivery::StallAfter(bytes))
    }

    /// The same answer without a length, ended by closing the connection.
    #[must_use]
    pub(crate) fn until_close(self) -> Self {
        self.delivered(Delivery::UntilClose)
    }

    /// The same answer in chunks of these sizes; the rest is the last chunk.
    #[must_use]
    pub(crate) fn chunks(self, sizes: &[usize]) -> Self {
        self.delivered(Delivery::Chunks(sizes.to_vec()))
    }

    /// The same answer, and then these bytes over and over, until the client hangs up.
    #[must_use]
    pub(crate) fn then_endlessly(self, block: impl Into<Vec<u8>>) -> Self {
        self.delivered(Delivery::Endless(block.into()))
    }

    /// The same answer byte by byte, with a pause after each.
    #[must_use]
    pub(crate) fn drip(self, pause: Duration) -> Self {
        self.delivered(Delivery::Drip(pause))
    }

    /// The body as it will be delivered.
    pub(crate) fn body_bytes(&self) -> &[u8] {
        &self.body
    }

    fn delivered(mut self, delivery: Delivery) -> Self {
        self.delivery = delivery;
        self
    }

    fn head(&self, framing: &str) -> Vec<u8> {
        let mut head = format!("HTTP/1.1 {} Peer\r\n", self.status);
        for (name, value) in &self.headers {
            write!(head, "{name}: {value}\r\n").unwrap();
        }
        head.push_str(framing);
        head.push_str("\r\n");
        head.into_bytes()
    }

    fn whole(&self) -> Vec<u8> {
        let mut bytes = self.head(&format!("content-length: {}\r\n", self.body.len()));
        bytes.extend_from_slice(&self.body);
        bytes
    }

    fn cut(&self, body_bytes: usize) -> Vec<u8> {
        let mut bytes = self.whole();
        bytes.truncate(bytes.len() - self.body.len() + body_bytes);
        bytes
    }

    /// Writes the answer; returns whether the connection can carry another.
    fn play(&self, stream: &mut TcpStream, shared: &Shared) -> io::Result<bool> {
        if let Some(gate) = &self.gate {
            gate.wait(shared);
        }
        match &self.delivery {
            Delivery::Whole => stream.write_all(&self.whole()).map(|()| true),
            Delivery::CutAfter(bytes) => stream.write_all(&self.cut(*bytes)).map(|()| false),
            Delivery::StallAfter(bytes) => {
                stream.write_all(&self.cut(*bytes))?;
                shared.wait_for_the_end();
                Ok(false)
            }
            Delivery::UntilClose => {
                stream.write_all(&self.head("connection: close\r\n"))?;
                stream.write_all(&self.body).map(|()| false)
            }
            Delivery::Chunks(sizes) => {
                stream.write_all(&self.head("transfer-encoding: chunked\r\n"))?;
                let mut rest = self.body.as_slice();
                for &size in sizes.iter().chain([&usize::MAX]) {
                    let (chunk, after) = rest.split_at(size.min(rest.len()));
                    rest = after;
                    if !chunk.is_empty() {
                        write_chunk(stream, chunk)?;
                    }
                }
                stream.write_all(b"0\r\n\r\n").map(|()| true)
            }
            Delivery::Drip(pause) => {
                for byte in self.whole() {
                    stream.write_all(&[byte])?;
                    std::thread::sleep(*pause);
                }
                Ok(true)
            }
            Delivery::Endless(block) => {
                stream.write_all(&self.head("transfer-encoding: chunked\r\n"))?;
                if !self.body.is_empty() {
                    write_chunk(stream, &self.body)?;
                }
                loop {
                    write_chunk(stream, block)?;
                    shared.count(|state| state.endless_bytes += block.len());
                }
            }
            Delivery::Raw(bytes) => stream.write_all(bytes).map(|()| false),
            Delivery::Recorded(bytes) => {
                let closing = b"\r\nConnection: close\r\n";
                let stays = !bytes.windows(closing.len()).any(|part| part == closing);
                stream.write_all(bytes).map(|()| stays)
            }
            Delivery::Flood(bytes, block) => {
                stream.write_all(bytes)?;
                loop {
                    stream.write_all(block)?;
                    shared.count(|state| state.endless_bytes += block.len());
                }
            }
            Delivery::Hang => {
                shared.wait_for_the_end();
                Ok(false)
            }
        }
    }
}

/// The event of a piece of an answer.
pub(crate) fn said(text: &str) -> Value {
    json!({
        "model": "peer-model",
        "choices": [{"index": 0, "delta": {"content": text}, "finish_reason": null}],
    })
}

/// An event as it is written.
pub(crate) fn event(data: &Value) -> String {
    format!("data: {data}\n\n")
}

fn write_chunk(stream: &mut TcpStream, chunk: &[u8]) -> io::Result<()> {
    let mut framed = format!("{:x}\r\n", chunk.len()).into_bytes();
    framed.extend_from_slice(chunk);
    framed.extend_from_slice(b"\r\n");
    stream.write_all(&framed)
}

type Responder = dyn Fn(&Request, usize) -> Step + Send + Sync;

struct Shared {
    state: Mutex<State>,
    changed: Condvar,
    responder: Option<Box<Responder>>,
    /// Whether the function is also asked what is told at other paths.
    answers_probes: bool,
}

#[derive(Default)]
struct State {
    steps: VecDeque<Step>,
    model_lists: VecDeque<Step>,
    /// The models that are listed where no step says otherwise; none: the peer's own.
    models: Option<Vec<String>>,
    /// What is told at other paths, in order; the last of it again and again.
    told: BTreeMap<String, VecDeque<Step>>,
    probes: Vec<Request>,
    requests: VecDeque<Request>,
    request_count: usize,
    connection_count: usize,
    models_asked: usize,
    endless_bytes: usize,
    hung_up: usize,
    unexpected: Vec<String>,
    streams: BTreeMap<usize, TcpStream>,
    workers: Vec<JoinHandle<()>>,
    closing: bool,
}

impl Shared {
    fn count(&self, change: impl FnOnce(&mut State)) {
        change(&mut lock(&self.state));
        self.changed.notify_all();
    }

    fn wait_for_the_end(&self) {
        let state = lock(&self.state);
        drop(self.changed.wait_while(state, |state| !state.closing));
    }

    /// Notes a request and finds the step that answers it.
    fn step_for(&self, request: Request) -> Step {
        let mut state = lock(&self.state);
        let (path, _) = request.path.split_once('?').unwrap_or((&request.path, ""));
        if let Some(responder) = self
            .responder
            .as_ref()
            .filter(|_| self.answers_probes && is_probe(path))
        {
            drop(state);
            return responder(&request, 0);
        }
        if is_probe(path) && (state.told.contains_key(path) || !path.contains("/v0/")) {
            let step = state.told.get_mut(path).and_then(|steps| {
                let is_last = steps.len() == 1;
                let step = steps.front().cloned();
                steps.drain(..usize::from(!is_last));
                step
            });
            state.probes.push(request);
            drop(state);
            self.changed.notify_all();
            return step.unwrap_or_else(|| Step::status(404));
        }
        if request.method == "GET" && path.ends_with("/models") {
            state.models_asked += usize::from(!is_probe(path));
            if let Some(step) = state.model_lists.pop_front() {
                return step;
            }
            let own = || vec!["peer-model".to_owned()];
            let models = state.models.clone().unwrap_or_else(own);
            let models: Vec<Value> = models.iter().map(|id| json!({"id": id})).collect();
            return Step::json(&json!({"object": "list", "data": models}));
        }
        let index = state.request_count;
        let step = match &self.responder {
            Some(responder) => {
                // The responder may look at the peer, so it runs without the lock.
                drop(state);
                let step = responder(&request, index);
                state = lock(&self.state);
                if state.requests.len() == ANSWERING_KEEPS {
                    state.requests.pop_front();
                }
                step
            }
            None => state.steps.pop_front().unwrap_or_else(|| {
                if asks_for_a_form(&request) {
                    return Step::reply("Hello!");
                }
                let what = format!("{} {}", request.method, request.path);
                state.unexpected.push(what);
                Step::status(500).body("no step is left for this request")
            }),
        };
        state.request_count += 1;
        state.requests.push_back(request);
        drop(state);
        self.changed.notify_all();
        step
    }
}

/// Whether it is the short question by which a server's forms are found out. Most servers pass over the
/// field, and so does the peer where no step says otherwise.
fn asks_for_a_form(request: &Request) -> bool {
    memchr::memmem::find(&request.body, b"kjx_mark").is_some()
}

/// Whether a path has to do with neither chats nor the list of models that every server has.
fn is_probe(path: &str) -> bool {
    let ends = [
        "/api/v1/models",
        "/api/v0/models",
        "/api/ps",
        "/props",
        "/tokenize",
        "/apply-template",
        "/input_tokens",
    ];
    ends.iter().any(|end| path.ends_with(end))
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A running peer. Dropping it fails the test if a pushed step was not used or a request came that no
/// step was there for.
pub(crate) struct Peer {
    address: SocketAddr,
    shared: Arc<Shared>,
    acceptor: Option<JoinHandle<()>>,
}

impl Peer {
    /// A peer that plays pushed steps.
    pub(crate) fn start() -> Self {
        Self::run(None, false)
    }

    /// A peer that answers every request with what the function says; it is given the request and its
    /// index from 0. Of the requests, only the last few are kept.
    pub(crate) fn answering(
        responder: impl Fn(&Request, usize) -> Step + Send + Sync + 'static,
    ) -> Self {
        Self::run(Some(Box::new(responder)), false)
    }

    /// The same, but the function also answers what other servers are asked at paths of their own.
    pub(crate) fn answering_all(
        responder: impl Fn(&Request, usize) -> Step + Send + Sync + 'static,
    ) -> Self {
        Self::run(Some(Box::new(responder)), true)
    }

    fn run(responder: Option<Box<Responder>>, answers_probes: bool) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let shared = Arc::new(Shared {
            state: Mutex::default(),
            changed: Condvar::new(),
            responder,
            answers_probes,
        });
        let acceptor = std::thread::spawn({
            let shared = Arc::clone(&shared);
            move || accept(&listener, &shared)
        });
        Self {
            address,
            shared,
            acceptor: Some(acceptor),
        }
    }

    /// The address to configure: `http://127.0.0.1:PORT/v1`.
    pub(crate) fn base_url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// Adds a step to the queue.
    pub(crate) fn push(&self, step: Step) {
        lock(&self.shared.state).steps.push_back(step);
    }

    /// Adds a step for the next `GET .../models`; without one, it is answered by itself.
    pub(crate) fn push_models(&self, step: Step) {
        lock(&self.shared.state).model_lists.push_back(step);
    }

    /// Lists these models from now on, where no step says otherwise.
    pub(crate) fn list_models(&self, models: &[&str]) {
        let models = models.iter().map(|&id| id.to_owned());
        lock(&self.shared.state).models = Some(models.collect());
    }

    /// Answers a path that only some servers have, after what was given for it before; the last answer
    /// is given again and again. Where there is none, the path is not found.
    pub(crate) fn tell(&self, path: &str, step: Step) {
        let mut state = lock(&self.shared.state);
        state
            .told
            .entry(path.to_owned())
            .or_default()
            .push_back(step);
    }

    /// The requests for such paths so far.
    pub(crate) fn probes(&self) -> Vec<Request> {
        lock(&self.shared.state).probes.clone()
    }

    /// The requests so far, without those for the list of models.
    pub(crate) fn requests(&self) -> Vec<Request> {
        let state = lock(&self.shared.state);
        state.requests.iter().cloned().collect()
    }

    /// How many requests came, without those for the list of models.
    pub(crate) fn request_count(&self) -> usize {
        lock(&self.shared.state).request_count
    }

    /// How often the list of models was asked for.
    pub(crate) fn models_asked(&self) -> usize {
        lock(&self.shared.state).models_asked
    }

    /// How many connections were opened.
    pub(crate) fn connection_count(&self) -> usize {
        lock(&self.shared.state).connection_count
    }

    /// Body bytes that endless answers have got rid of.
    pub(crate) fn endless_bytes(&self) -> usize {
        lock(&self.shared.state).endless_bytes
    }

    /// Waits until `count` requests have come. Blocks: beside a client on the same thread's runtime it
    /// belongs into `spawn_blocking`.
    pub(crate) fn wait_for_requests(&self, count: usize, deadline: Duration) {
        self.wait("requests", deadline, |state| state.request_count >= count);
    }

    /// Waits until such a path has been asked for; blocks, too.
    pub(crate) fn wait_for_probe(&self, path: &str, deadline: Duration) {
        self.wait("probes", deadline, |state| {
            state
                .probes
                .iter()
                .any(|probe| probe.path.starts_with(path))
        });
    }

    /// Waits until `count` clients have hung up in the middle of an answer; blocks, too.
    pub(crate) fn wait_for_hang_ups(&self, count: usize, deadline: Duration) {
        self.wait("hang-ups", deadline, |state| state.hung_up >= count);
    }

    #[expect(
        clippy::disallowed_methods,
        reason = "the deadline of a test is real time"
    )]
    fn wait(&self, what: &str, deadline: Duration, reached: impl Fn(&State) -> bool) {
        let until = Instant::now() + deadline;
        let mut state = lock(&self.shared.state);
        while !reached(&state) {
            let left = until.saturating_duration_since(Instant::now());
            assert!(!left.is_zero(), "no such number of {what} in {deadline:?}");
            let waited = self.shared.changed.wait_timeout(state, left);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        lock(&self.shared.state).closing = true;
        self.shared.changed.notify_all();
        // A last connection wakes the acceptor, which then sees that it is over.
        drop(TcpStream::connect(self.address));
        if let Some(acceptor) = self.acceptor.take() {
            acceptor.join().unwrap();
        }
        let (streams, workers) = {
            let mut state = lock(&self.shared.state);
            (
                std::mem::take(&mut state.streams),
                std::mem::take(&mut state.workers),
            )
        };
        for stream in streams.values() {
            // The client may have closed it already.
            drop(stream.shutdown(Shutdown::Both));
        }
        for worker in workers {
            assert!(worker.join().is_ok() || std::thread::panicking());
        }
        if std::thread::panicking() {
            return;
        }
        let state = lock(&self.shared.state);
        let left = state.steps.len() + state.model_lists.len();
        assert_eq!(left, 0, "steps that no request used");
        assert!(
            state.unexpected.is_empty(),
            "requests that no step was there for: {:?}",
            state.unexpected
        );
    }
}

fn accept(listener: &TcpListener, shared: &Arc<Shared>) {
    for (stream, id) in listener.incoming().zip(0_usize..) {
        let mut state = lock(&shared.state);
        if state.closing {
            return;
        }
        let stream = stream.unwrap();
        stream.set_nodelay(true).unwrap();
        state.streams.insert(id, stream.try_clone().unwrap());
        state.connection_count += 1;
        let worker = std::thread::spawn({
            let shared = Arc::clone(shared);
            move || {
                serve(stream, &shared);
                let closed = lock(&shared.state).streams.remove(&id);
                if let Some(stream) = closed {
                    drop(stream.shutdown(Shutdown::Both));
                }
            }
        });
        state.workers.retain(|worker| !worker.is_finished());
        state.workers.push(worker);
    }
}

/// Answers the requests of one connection, one after the other.
fn serve(mut stream: TcpStream, shared: &Shared) {
    let mut received = Vec::with_capacity(16 * 1024);
    // A client that breaks off before its request is complete has asked for nothing.
    while let Ok(Some(request)) = read_request(&mut stream, &mut received) {
        match shared.step_for(request).play(&mut stream, shared) {
            Ok(true) => {}
            Ok(false) => return,
            Err(_) => return shared.count(|state| state.hung_up += 1),
        }
    }
}

/// The next request, or `None` at the end of the connection.
pub(crate) fn read_request(
    stream: &mut impl io::Read,
    received: &mut Vec<u8>,
) -> io::Result<Option<Request>> {
    let mut chunk = [0_u8; 16 * 1024];
    let mut searched = 0;
    let head_end = loop {
        let new = &received[searched..];
        if let Some(at) = new.windows(4).position(|four| four == b"\r\n\r\n") {
            break searched + at;
        }
        if received
            .first()
            .is_some_and(|byte| !byte.is_ascii_uppercase())
        {
            // Not HTTP; a client that tries TLS here would wait for ever.
            return Ok(None);
        }
        searched = received.len().saturating_sub(3);
        match stream.read(&mut chunk)? {
            0 => return Ok(None),
            count => received.extend_from_slice(&chunk[..count]),
        }
    };
    let head = std::str::from_utf8(&received[..head_end]).unwrap();
    let mut lines = head.split("\r\n");
    let mut first = lines.next().unwrap().split(' ');
    let mut request = Request {
        method: first.next().unwrap().to_owned(),
        path: first.next().unwrap().to_owned(),
        headers: lines
            .map(|line| line.split_once(':').unwrap())
            .map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned()))
            .collect(),
        body: Vec::new(),
    };
    let length = request.header("content-length");
    let length: usize = length.map_or(0, |text| text.parse().unwrap());
    let end = head_end + 4 + length;
    while received.len() < end {
        match stream.read(&mut chunk)? {
            0 => return Ok(None),
            count => received.extend_from_slice(&chunk[..count]),
        }
    }
    request.body = received[head_end + 4..end].to_vec();
    received.drain(..end);
    Ok(Some(request))
}
