//! What goes over the wire beside the question: every byte of every request, seen by a listener that
//! knows no HTTP but where a request ends. Who is told the key, who is not, and that no redirect is
//! followed with it.

use super::{KEY, config, question};
use kjxlkj_agent::config::{ProviderConfig, ProviderKind, Secret};
use kjxlkj_agent::provider::{HttpProvider, LlmProvider as _, TokenCounter};
use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

/// Answers everything alike and keeps what came.
struct Recorder {
    address: SocketAddr,
    requests: Arc<Mutex<Vec<String>>>,
    listener: Option<JoinHandle<()>>,
}

/// The only request that is no client's: the last one, of the recorder itself.
const OVER: &[u8] = b"OVER\r\n\r\n";

impl Recorder {
    fn answering(answer: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let requests = Arc::new(Mutex::new(Vec::new()));
        let (kept, answer) = (Arc::clone(&requests), answer.to_owned());
        let listener = std::thread::spawn(move || {
            loop {
                let mut stream = listener.accept().unwrap().0;
                let request = whole_request(&mut stream);
                if request.as_bytes() == OVER {
                    return;
                }
                kept.lock().unwrap().push(request);
                // A client that has gone is none.
                drop(stream.write_all(answer.as_bytes()));
            }
        });
        Self {
            address,
            requests,
            listener: Some(listener),
        }
    }

    /// One that has an answer for every question.
    fn obliging() -> Self {
        let body = "{\"choices\": [{\"message\": {\"content\": \"hi\"}}], \"data\": [], \"models\": 7, \
                    \"count\": 3, \"input_tokens\": 3}";
        Self::answering(&format!(
            "HTTP/1.1 200 OK\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
            body.len()
        ))
    }

    /// One that sends everybody on.
    fn redirecting(status: u16, target: &str) -> Self {
        Self::answering(&format!(
            "HTTP/1.1 {status} Elsewhere\r\nlocation: {target}\r\ncontent-length: 0\r\n\
             connection: close\r\n\r\n"
        ))
    }

    fn base_url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// What came, once nothing more can come.
    fn requests(mut self) -> Vec<String> {
        self.end();
        std::mem::take(&mut *self.requests.lock().unwrap())
    }

    fn end(&mut self) {
        if let Some(listener) = self.listener.take() {
            let mut last = TcpStream::connect(self.address).unwrap();
            last.write_all(OVER).unwrap();
            listener.join().unwrap();
        }
    }
}

impl Drop for Recorder {
    fn drop(&mut self) {
        self.end();
    }
}

/// The bytes of a request up to its end.
fn whole_request(stream: &mut TcpStream) -> String {
    let mut bytes = Vec::new();
    loop {
        let text = String::from_utf8(bytes.clone()).unwrap();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head.lines().find_map(|line| {
                let (name, value) = line.split_once(": ")?;
                name.eq_ignore_ascii_case("content-length").then_some(value)
            });
            if body.len() >= length.map_or(0, |length| length.parse().unwrap()) {
                return text;
            }
        }
        let mut piece = [0; 16 * 1024];
        let count = stream.read(&mut piece).unwrap();
        assert!(count > 0, "half a request: {text}");
        bytes.extend_from_slice(&piece[..count]);
    }
}

/// Everything that is ever asked of a server.
async fn ask_everything(provider: &HttpProvider) -> [Option<String>; 6] {
    let question = question();
    let words = |error: kjxlkj_agent::provider::ProviderError| format!("{error} {error:?}");
    for counter in [TokenCounter::LlamaServer, TokenCounter::Vllm] {
        provider.count_tokens(&question.messages, counter).await;
    }
    let other = provider.with_model("other").unwrap();
    [
        provider.complete(&question).await.err().map(words),
        other.complete(&question).await.err().map(words),
        provider.models().await.err().map(words),
        provider.loaded_models().await.err().map(words),
        provider.served().await.err().map(words),
        other.served().await.err().map(words),
    ]
}

const KINDS: [ProviderKind; 3] = [
    ProviderKind::LmStudio,
    ProviderKind::OpenRouter,
    ProviderKind::OpenAi,
];

fn keyed(base_url: &str, kind: ProviderKind) -> ProviderConfig {
    ProviderConfig {
        kind,
        api_key: Some(Secret::new(KEY.to_owned())),
        attribution: vec!["https://notes.example".to_owned(), "Notes".to_owned()],
        ..config(base_url)
    }
}

#[tokio::test]
async fn every_request_carries_these_headers_and_no_others() {
    for kind in KINDS {
        for with_key in [true, false] {
            let recorder = Recorder::obliging();
            let mut config = keyed(&recorder.base_url(), kind);
            config.api_key.take_if(|_| !with_key);
            let host = recorder.address.to_string();
            ask_everything(&HttpProvider::new(&config).unwrap()).await;
            let requests = recorder.requests();
            assert!(requests.len() >= 6, "{kind:?}: {requests:#?}");
            for request in requests {
                let (head, body) = request.split_once("\r\n\r\n").unwrap();
                let (first, headers) = head.split_once("\r\n").unwrap();
                let is_post = first.starts_with("POST ");
                let (length, agent) = (body.len().to_string(), env!("CARGO_PKG_VERSION"));
                let (agent, bearer) = (format!("kjxlkj-agent/{agent}"), format!("Bearer {KEY}"));
                let is_market = kind == ProviderKind::OpenRouter;
                let expected = [
                    (true, "accept-encoding", "identity"),
                    (true, "accept", "*/*"),
                    (with_key, "authorization", &bearer),
                    (is_post, "content-length", &length),
                    (is_post, "content-type", "application/json"),
                    (true, "host", &host),
                    (is_market, "http-referer", "https://notes.example"),
                    (true, "user-agent", &agent),
                    (is_market, "x-openrouter-title", "Notes"),
                ];
                let expected = expected.iter().filter(|(is_sent, ..)| *is_sent);
                let expected: Vec<_> = expected
                    .map(|(_, name, value)| format!("{name}: {value}"))
                    .collect();
                let mut sent: Vec<&str> = headers.split("\r\n").collect();
                sent.sort_unstable();
                assert_eq!(sent, expected, "{kind:?} {first}");
                assert_eq!(
                    request.matches(KEY).count(),
                    usize::from(with_key),
                    "{request}"
                );
            }
        }
    }
}

#[tokio::test]
async fn no_request_follows_a_redirect_and_the_key_stays_here() {
    for kind in KINDS {
        for status in [301, 302, 303, 307, 308] {
            let elsewhere = Recorder::obliging();
            let target = format!("{}/stolen?key={KEY}", elsewhere.base_url());
            // Also one that only looks as if it went nowhere.
            for target in [target.as_str(), "/v1/chat/completions", "//127.0.0.1:1/v1"] {
                let recorder = Recorder::redirecting(status, target);
                let config = keyed(&recorder.base_url(), kind);
                let errors = ask_everything(&HttpProvider::new(&config).unwrap()).await;
                assert!(errors[..2].iter().all(Option::is_some), "{errors:?}");
                for error in errors.into_iter().flatten() {
                    assert!(!error.contains(KEY) && !error.contains("stolen"), "{error}");
                }
                let requests = recorder.requests();
                let chats = requests
                    .iter()
                    .filter(|request| request.contains(" /v1/chat/completions HTTP/"));
                assert_eq!(
                    chats.count(),
                    2,
                    "{kind:?} {status} {target}: each is put once"
                );
                for request in requests {
                    let first = request.lines().next().unwrap();
                    assert!(!first.contains("stolen"), "{request}");
                }
            }
            assert_eq!(
                elsewhere.requests(),
                Vec::<String>::new(),
                "{kind:?} {status}"
            );
        }
    }
}
