//! A model server behind TLS: it is asked when its certificate is trusted, and never otherwise. The
//! certificates under `tests/it/tls` are made for this and good for nothing else.

#![expect(clippy::unwrap_used, reason = "a test may stop at once")]

use super::sandbox::{Done, Sandbox, answer, finished, state_in, worker};
use crate::peer::{Request, read_request};
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ServerConfig, ServerConnection, StreamOwned};
use serde_json::json;
use std::io::{self, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

const ISSUER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/tls/issuer.pem");
const OTHER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/tls/other-issuer.pem");

/// A model server that speaks TLS as `localhost` and keeps the requests that it could read.
struct TlsPeer {
    port: u16,
    requests: Arc<Mutex<Vec<Request>>>,
}

impl TlsPeer {
    /// Starts it. Its thread waits for connections as long as the test's process lives.
    fn start() -> Self {
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let builder = ServerConfig::builder_with_provider(provider);
        let builder = builder.with_safe_default_protocol_versions().unwrap();
        let certificate = CertificateDer::from_pem_slice(include_bytes!("../tls/server.pem"));
        let key = PrivateKeyDer::from_pem_slice(include_bytes!("../tls/server-key.pem"));
        let config = builder
            .with_no_client_auth()
            .with_single_cert(vec![certificate.unwrap()], key.unwrap());
        let config = Arc::new(config.unwrap());
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let port = listener.local_addr().unwrap().port();
        let requests: Arc<Mutex<Vec<Request>>> = Arc::default();
        let kept = Arc::clone(&requests);
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let connection = ServerConnection::new(Arc::clone(&config)).unwrap();
                let mut stream = StreamOwned::new(connection, stream.unwrap());
                // A client that refuses the certificate hangs up here.
                drop(serve(&mut stream, &kept));
            }
        });
        Self { port, requests }
    }

    fn base_url(&self, host: &str) -> String {
        format!("https://{host}:{}/v1", self.port)
    }
}

/// Answers one request and closes.
fn serve(
    stream: &mut StreamOwned<ServerConnection, TcpStream>,
    kept: &Mutex<Vec<Request>>,
) -> io::Result<()> {
    let Some(request) = read_request(stream, &mut Vec::new())? else {
        return Ok(());
    };
    let reply = if request.method == "GET" {
        json!({"object": "list", "data": [{"id": "peer-model", "object": "model"}]})
    } else {
        let index = kept.lock().unwrap().len();
        let text = answer(&state_in(&request), index);
        json!({"choices": [{"finish_reason": "stop",
                            "message": {"role": "assistant", "content": text}}],
               "usage": {"prompt_tokens": 11, "completion_tokens": 7}})
    };
    kept.lock().unwrap().push(request);
    let reply = reply.to_string();
    let length = reply.len();
    write!(
        stream,
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\
         connection: close\r\n\r\n{reply}"
    )?;
    stream.conn.send_close_notify();
    stream.flush()
}

/// Runs the program as one that trusts the issuers of that file alone.
fn trusting(issuers: &str, sandbox: &Sandbox, arguments: &[&str]) -> Done {
    let mut command = sandbox.command(arguments);
    command.env("SSL_CERT_FILE", issuers);
    finished(command)
}

#[test]
fn a_server_with_a_trusted_certificate_does_the_main_job() {
    let peer = TlsPeer::start();
    let sandbox = Sandbox::at(&peer.base_url("localhost"));
    let run = ["run", "--task", "tea", "--format", "json"];
    let record = trusting(ISSUER, &sandbox, &run).ended(0).json();
    assert_eq!(record["state"], json!("Succeeded"), "{record:#}");
    // Everything that it wants of the server goes through that door: looks, and one question a state.
    let requests = peer.requests.lock().unwrap();
    let (looks, questions): (Vec<_>, Vec<_>) = requests.iter().partition(|it| it.method == "GET");
    let models = looks.iter().filter(|look| look.path == "/v1/models");
    assert_eq!(models.count(), 3, "for the model, and for its window");
    let asked: Vec<_> = questions
        .iter()
        .map(|it| (&*it.method, &*it.path))
        .collect();
    assert_eq!(asked, [("POST", "/v1/chat/completions"); 3]);
    let states: Vec<_> = questions.iter().map(|it| state_in(it)).collect();
    assert_eq!(states, ["planning", "executing", "evaluating"]);
    drop(requests);
    let told = trusting(ISSUER, &sandbox, &["doctor"]).ended(0).stdout;
    assert!(told.contains("ok    generation"), "{told}");
}

#[test]
fn a_server_that_cannot_be_trusted_is_told_and_never_asked() {
    let tls = TlsPeer::start();
    let plain = worker();
    let of_plain = plain
        .base_url()
        .replace("http://127.0.0.1", "https://localhost");
    for (case, base_url, issuers, hint) in [
        (
            "strange issuer",
            tls.base_url("localhost"),
            OTHER,
            "SSL_CERT_FILE",
        ),
        (
            "other name",
            tls.base_url("127.0.0.1"),
            ISSUER,
            "not valid for this address",
        ),
        ("no TLS", of_plain, ISSUER, "speaks no TLS"),
    ] {
        let sandbox = Sandbox::at(&base_url);
        let told = trusting(issuers, &sandbox, &["doctor"]).ended(1).stdout;
        let line = told.lines().find(|line| line.starts_with("fail  provider"));
        let line = line.unwrap_or(&told);
        assert!(
            line.contains("LLM_UNAVAILABLE") && line.contains(hint),
            "{case}: {told}"
        );
        let done = trusting(issuers, &sandbox, &["run", "--task", "tea"]).ended(1);
        assert!(
            done.stderr.contains("error[LLM_UNAVAILABLE]"),
            "{case}: {done:?}"
        );
        assert!(done.stderr.contains(hint), "{case}: {done:?}");
    }
    assert_eq!(tls.requests.lock().unwrap().len(), 0, "nothing was sent");
    assert_eq!(
        plain.request_count() + plain.models_asked(),
        0,
        "nor in the clear"
    );
}
