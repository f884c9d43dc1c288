//! A canary in the place of each secret, and every error path that could carry it off: servers that say
//! the key back, addresses that hold it, configurations that are refused, verbs that fail, the control
//! interface. It must stand in no output, no answer and no file of the program's.

#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a campaign may stop at once; it plays the person, the server and a client"
)]

use super::sandbox::{DEADLINE, Done, Sandbox, finished, started, until};
use crate::peer::{NOBODY, Peer, Request, Step};
use rustix::process::Signal;
use serde_json::{Value, json};
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The secrets of one search. Each has a middle of its own, by which it is known.
const KEY: &str = "sk-or-v1-canary-6d1f0e9b7a53c284-end";
const CREDENTIAL: &str = "sk-or-v1-canary-b8402e57f6c9d31a-end";
const TOKEN: &str = "canary-token-3e95a7c01d84b26f-end";
const MIDDLES: [&str; 3] = ["6d1f0e9b7a53c284", "b8402e57f6c9d31a", "3e95a7c01d84b26f"];

/// The variable of the key and the name of its credential.
const VARIABLE: &str = "OPENROUTER_API_KEY";
const CREDENTIAL_NAME: &str = "openrouter_api_key";

/// The shortest time that an answer may be given.
const TIMEOUT_MS: u64 = 1000;

/// What a search came to.
#[derive(Debug, Default)]
pub(crate) struct Searched {
    /// Error paths that were gone.
    pub(crate) paths: u64,
    /// Where a canary was found.
    pub(crate) leaks: Vec<String>,
    /// Paths on which there was nothing to be carried off, or no error.
    pub(crate) missed: Vec<String>,
    /// Outputs, answers and files that were looked through.
    pub(crate) texts: u64,
    /// Their bytes.
    pub(crate) bytes: u64,
}

impl Searched {
    /// Looks through a text.
    pub(super) fn look(&mut self, place: &str, bytes: &[u8]) {
        self.texts += 1;
        self.bytes += u64::try_from(bytes.len()).unwrap();
        let lower = bytes.to_ascii_lowercase();
        for middle in MIDDLES {
            if memchr::memmem::find(&lower, middle.as_bytes()).is_some() {
                self.leaks
                    .push(format!("{place} holds the canary {middle}"));
            }
        }
    }

    fn look_at(&mut self, place: &str, done: &Done) {
        self.look(&format!("{place}: standard output"), done.stdout.as_bytes());
        self.look(&format!("{place}: standard error"), done.stderr.as_bytes());
    }

    /// Looks through every file of a root and its home. What a person wrote is theirs.
    fn look_at_files(&mut self, place: &str, sandbox: &Sandbox, of_person: &[&str]) {
        for (path, bytes) in sandbox.snapshot() {
            let below = path
                .strip_prefix(sandbox.root())
                .unwrap()
                .display()
                .to_string();
            if !of_person.contains(&below.as_str()) {
                self.look(&format!("{place}: {below}"), &bytes);
            }
        }
    }

    /// Runs a verb with every secret in its environment.
    fn run(
        &mut self,
        place: &str,
        sandbox: &Sandbox,
        secrets: Secrets<'_>,
        words: &[&str],
    ) -> Done {
        let mut command = sandbox.command(words);
        command.env("KJXLKJ_API_TOKEN", TOKEN);
        match secrets {
            Secrets::InEnvironment => drop(command.env(VARIABLE, KEY)),
            Secrets::AsCredential(folder) => drop(command.env("CREDENTIALS_DIRECTORY", folder)),
        }
        let done = finished(command);
        self.paths += 1;
        self.look_at(&format!("{place}: `{}`", words.join(" ")), &done);
        done
    }
}

/// Where the key comes from.
#[derive(Clone, Copy)]
enum Secrets<'a> {
    InEnvironment,
    AsCredential(&'a Path),
}

/// How a server fails. It is given what came as the key.
type Fails = fn(&str) -> Step;

/// An error that holds a text wherever one can be put.
fn error(text: &str) -> Value {
    json!({"error": {"message": text, "code": text, "type": text, "param": text,
        "metadata": {"raw": text, "provider_name": text, "headers": {"authorization": text}}}})
}

fn with_headers(step: Step, text: &str) -> Step {
    [
        "x-echo",
        "set-cookie",
        "www-authenticate",
        "retry-after",
        "server",
        "x-request-id",
    ]
    .iter()
    .fold(step, |step, name| step.header(name, text))
}

fn status(status: u16, text: &str) -> Step {
    with_headers(Step::status(status).body(error(text).to_string()), text)
}

/// Servers that fail, by name.
const FAILING: &[(&str, Fails)] = &[
    ("400", |key| status(400, key)),
    ("401", |key| status(401, key)),
    ("402", |key| status(402, key)),
    ("403", |key| status(403, key)),
    ("404", |key| status(404, key)),
    ("405", |key| status(405, key)),
    ("413", |key| status(413, key)),
    ("422", |key| status(422, key)),
    ("429", |key| status(429, key)),
    ("500", |key| status(500, key)),
    ("502 as a page", |key| {
        Step::status(502)
            .header("content-type", "text/html")
            .body(format!("<title>{key}</title>"))
    }),
    ("503 as text", |key| {
        Step::status(503).body(format!("Authorization: Bearer {key}"))
    }),
    ("529", |key| status(529, key)),
    ("a window that is too small", |key| {
        status(400, &format!("maximum context length is 300 tokens, {key}"))
    }),
    ("an error with status 200", |key| {
        with_headers(Step::json(&error(key)), key)
    }),
    ("an error in a stream", |key| {
        with_headers(Step::events(&[error(key)]), key)
    }),
    ("a choice that failed", |key| {
        Step::json(&json!({"choices": [{"error": error(key)["error"], "finish_reason": key}]}))
    }),
    ("a reason that nobody knows", |key| {
        Step::json(
            &json!({"choices": [{"message": {"content": ""}, "finish_reason": key}], "model": key}),
        )
    }),
    ("a way to elsewhere", |key| {
        Step::status(302).header("location", &format!("http://127.0.0.1:1/?key={key}"))
    }),
    ("a way with a password", |key| {
        Step::status(307).header("location", &format!("http://user:{key}@127.0.0.1:1/v1"))
    }),
    ("no JSON", |key| {
        Step::status(200).body(format!("{{\"choices\": {key}"))
    }),
    ("no text", |key| {
        Step::status(200).body([b"{\"choices\": \"\xff", key.as_bytes(), b"\"}"].concat())
    }),
    ("a body that is cut", |key| {
        Step::json(&error(key)).cut_after(20)
    }),
    ("a stream that is cut", |key| {
        Step::streamed(key).cut_after(10)
    }),
    ("no HTTP", |key| Step::raw(format!("{key}\r\n\r\n"))),
    ("a broken head", |key| {
        Step::raw(format!("HTTP/1.1 200 OK\r\n{key}\r\n\r\n"))
    }),
    ("a broken length", |key| {
        Step::raw(format!("HTTP/1.1 200 OK\r\ncontent-length: {key}\r\n\r\n"))
    }),
    ("a packed body", |key| {
        Step::json(&error(key)).header("content-encoding", key)
    }),
    ("no end", |key| {
        Step::status(500).then_endlessly(format!("{key} ").repeat(200))
    }),
    ("silence", |_| Step::hang()),
];

/// What came as the key, without its scheme.
fn key_of(request: &Request) -> String {
    let given = request.header("authorization").unwrap_or_default();
    given.strip_prefix("Bearer ").unwrap_or(given).to_owned()
}

/// Goes every path; of those that ask a server, one in so many.
pub(crate) fn search_one_in(every: usize) -> Searched {
    let mut searched = Searched::default();
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(
        folder.path().join(CREDENTIAL_NAME),
        format!("{CREDENTIAL}\n"),
    )
    .unwrap();
    let sources = [Secrets::InEnvironment, Secrets::AsCredential(folder.path())];
    for (number, (name, fails)) in FAILING.iter().enumerate() {
        if number % every == 0 {
            failing_server(&mut searched, name, *fails, sources[number / every % 2]);
        }
    }
    addresses(&mut searched);
    configurations(&mut searched);
    broken_secrets(&mut searched);
    programs(&mut searched);
    control_interface(&mut searched);
    searched
}

/// A server that fails in one way, asked by every verb that asks.
fn failing_server(searched: &mut Searched, name: &str, fails: Fails, secrets: Secrets<'_>) {
    let sent = Arc::new(AtomicUsize::new(0));
    let seen = Arc::clone(&sent);
    let peer = Peer::answering_all(move |request, _| {
        let key = key_of(request);
        seen.fetch_add(usize::from(!key.is_empty()), Ordering::SeqCst);
        fails(&key)
    });
    let sandbox = Sandbox::at(&peer.base_url());
    let provider = json!({"provider_kind": "openrouter", "timeout_ms": TIMEOUT_MS});
    let retry = json!({"max_retries": 1, "base_delay_ms": 1});
    sandbox.configure(
        &peer.base_url(),
        &json!({"provider": provider, "retry": retry}),
    );
    let place = format!("a server with {name}");
    for words in [
        &["call", "openrouter", "ping", "-vvvv"][..],
        &["call", "openrouter", "ping", "-vvvv", "--format", "json"],
        &["once", "--task", "write", "-vvvv"],
        &["once", "-vvvv", "--format", "json"],
        &["doctor", "-vvvv"],
        &["doctor", "--format", "json"],
    ] {
        let done = searched.run(&place, &sandbox, secrets, words);
        if done.code == Some(101) {
            searched.missed.push(format!("{place}: {words:?} panicked"));
        }
    }
    if sent.load(Ordering::SeqCst) == 0 {
        searched
            .missed
            .push(format!("{place} was never given the key"));
    }
    for words in READING {
        searched.run(&place, &sandbox, secrets, words);
    }
    let list = ["runs", "list", "--format", "json"];
    let runs = searched.run(&place, &sandbox, secrets, &list).json();
    for run in runs["items"].as_array().unwrap() {
        let run_id = run["run_id"].as_str().unwrap();
        for verb in [
            &["trace", run_id][..],
            &["runs", "show", run_id],
            &["replay", run_id],
        ] {
            searched.run(&place, &sandbox, secrets, verb);
        }
    }
    searched.look_at_files(&place, &sandbox, &[]);
}

/// Verbs that look at what is there.
const READING: &[&[&str]] = &[
    &["status"],
    &["status", "--format", "json"],
    &["config", "show"],
    &["config", "show", "--format", "json"],
    &["config", "check"],
    &["runs", "list", "--format", "json"],
    &["audit", "list", "--format", "json"],
    &["ram", "export"],
    &["prompt"],
    &["rules", "list"],
    &["service", "unit"],
    &["explain"],
];

/// Verbs that fail by themselves, each in the form for people and in that for programs.
const FAILING_VERBS: &[&[&str]] = &[
    &["explain", "NO_SUCH_CODE"],
    &["trace", "00000000-0000-4000-8000-000000000000"],
    &["runs", "show", "x"],
    &["runs", "retry", "00000000-0000-4000-8000-000000000000"],
    &["notes", "show", "nothing"],
    &["notes", "import", "/no/such/place"],
    &["ram", "get", "nothing"],
    &["rules", "show", "nothing"],
    &["rules", "add", "{"],
    &["review", "approve", "99"],
    &["call", "nobody", "ping"],
    &["why", "nothing"],
    &["no-such-verb"],
    &["ask", ""],
    &["parse", "/no/such/file"],
    &["undo", "--since", "never"],
];

/// Addresses where nobody answers, or that no key may be sent to.
fn addresses(searched: &mut Searched) {
    let plain = Peer::answering(|request, _| status(401, &key_of(request)));
    let behind_tls = plain.base_url().replace("http:", "https:");
    let with_password = plain.base_url().replace("//", &format!("//user:{KEY}@"));
    let with_query = format!("{}?key={KEY}", plain.base_url());
    let odd = format!("{KEY}://{KEY}");
    let rows = [
        ("an address where nobody is", NOBODY[0], false),
        ("TLS where none is spoken", behind_tls.as_str(), false),
        ("an address with a password", with_password.as_str(), true),
        ("an address with a query", with_query.as_str(), true),
        ("an address of an odd scheme", odd.as_str(), true),
    ];
    for (place, address, is_refused) in rows {
        let sandbox = Sandbox::quiet();
        let kind = json!({"provider": {"provider_kind": "openrouter"}});
        sandbox.configure(NOBODY[0], &kind);
        let good = sandbox.read("data/config.json");
        sandbox.write("data/config.json", &good.replace(NOBODY[0], address));
        for words in ASKING {
            let done = searched.run(place, &sandbox, Secrets::InEnvironment, words);
            if is_refused && done.code == Some(0) {
                searched
                    .missed
                    .push(format!("{place}: {words:?} ended well"));
            }
        }
        // The person has written the canary into this one.
        searched.look_at_files(place, &sandbox, &["data/config.json"]);
    }
}

/// Verbs that need the whole configuration.
const ASKING: &[&[&str]] = &[
    &["call", "openrouter", "ping", "-vvvv"],
    &["call", "openrouter", "ping", "--format", "json"],
    &["once", "--task", "write", "-vvvv", "--format", "json"],
    &["run", "--task", "write", "-vvvv"],
    &["config", "check"],
    &["config", "check", "--format", "json"],
    &["doctor"],
    &["doctor", "--format", "json"],
];

/// Configurations that hold a secret, which none may, or are broken around one.
fn configurations(searched: &mut Searched) {
    let in_member = format!("\"api_key\": \"{KEY}\", \"base_url\"");
    let token = format!("\"token\": \"{TOKEN}\", \"base_url\"");
    let rows = [
        ("a key in the configuration", in_member.as_str()),
        ("a token in the configuration", token.as_str()),
        ("JSON that breaks off at a key", "\"base_url"),
    ];
    for (place, put) in rows {
        let sandbox = Sandbox::quiet();
        sandbox.configure(
            NOBODY[0],
            &json!({"provider": {"provider_kind": "openrouter"}}),
        );
        let good = sandbox.read("data/config.json");
        sandbox.write("data/config.json", &good.replacen("\"base_url\"", put, 1));
        for words in ASKING {
            let done = searched.run(place, &sandbox, Secrets::InEnvironment, words);
            if done.code == Some(0) {
                searched
                    .missed
                    .push(format!("{place}: {words:?} ended well"));
            }
        }
        searched.look_at_files(place, &sandbox, &["data/config.json"]);
    }
    let sandbox = Sandbox::quiet();
    sandbox.configure(
        NOBODY[0],
        &json!({"provider": {"provider_kind": "openrouter"}}),
    );
    for words in FAILING_VERBS {
        let place = "a verb that fails";
        let done = searched.run(place, &sandbox, Secrets::InEnvironment, words);
        if done.code == Some(0) {
            searched
                .missed
                .push(format!("{place}: {words:?} ended well"));
        }
        let words = [*words, &["--format", "json"][..]].concat();
        searched.run(place, &sandbox, Secrets::InEnvironment, &words);
    }
    searched.look_at_files("a verb that fails", &sandbox, &[]);
}

/// Secrets that cannot be used.
fn broken_secrets(searched: &mut Searched) {
    let rows = [
        ("a key with a blank", VARIABLE, format!("{KEY} {KEY}")),
        (
            "a key with a line feed",
            VARIABLE,
            format!("{KEY}\r\nX-Other: {KEY}"),
        ),
        ("a key that is no ASCII", VARIABLE, format!("{KEY}\u{e9}")),
        ("a key that is too long", VARIABLE, KEY.repeat(1000)),
        (
            "a token with a blank",
            "KJXLKJ_API_TOKEN",
            format!("{TOKEN} {TOKEN}"),
        ),
        (
            "a token that is too short",
            "KJXLKJ_API_TOKEN",
            MIDDLES[2][..15].to_owned(),
        ),
    ];
    for (place, variable, value) in rows {
        let sandbox = Sandbox::quiet();
        let configured = json!({
            "provider": {"provider_kind": "openrouter"},
            "api": {"tcp": "127.0.0.1:0"},
        });
        sandbox.configure(NOBODY[0], &configured);
        for words in ASKING.iter().chain([&&["config", "show"][..]]) {
            let mut command = sandbox.command(words);
            command
                .env(VARIABLE, KEY)
                .env("KJXLKJ_API_TOKEN", TOKEN)
                .env(variable, &value);
            let done = finished(command);
            searched.paths += 1;
            searched.look_at(&format!("{place}: {words:?}"), &done);
            let started = &MIDDLES[2][..15];
            if done.stdout.contains(started) || done.stderr.contains(started) {
                searched.leaks.push(format!("{place}: {words:?} says it"));
            }
        }
        searched.look_at_files(place, &sandbox, &[]);
    }
}

/// Programs that are given the key, say it in their complaint and fail.
fn programs(searched: &mut Searched) {
    let rows = [
        ("a program that prints its environment", "env >&2; exit 1"),
        (
            "a program that says its key",
            "echo \"bad key $CANARY_KEY\" >&2; exit 3",
        ),
        (
            "a program that dies",
            "echo \"$CANARY_KEY\" >&2; kill -9 $$",
        ),
    ];
    for (place, line) in rows {
        let sandbox = Sandbox::quiet();
        let provider = json!({"provider_kind": "cli", "command": ["/bin/sh", "-c", line],
            "api_key_env": "CANARY_KEY"});
        sandbox.configure(NOBODY[0], &json!({ "provider": provider }));
        for words in [
            &["call", "cli", "ping", "-vvvv"][..],
            &["once", "--task", "write", "-vvvv", "--format", "json"],
            &["doctor"],
            &["status"],
            &["audit", "list"],
        ] {
            let mut command = sandbox.command(words);
            command
                .env("CANARY_KEY", KEY)
                .env("KJXLKJ_API_TOKEN", TOKEN);
            let done = finished(command);
            searched.paths += 1;
            searched.look_at(&format!("{place}: {words:?}"), &done);
        }
        searched.look_at_files(place, &sandbox, &[]);
    }
}

/// A daemon with an open TCP door, a key and a server that says it back: what it answers and writes.
fn control_interface(searched: &mut Searched) {
    for format in ["text", "json"] {
        let place = format!("a daemon that logs {format}");
        let peer = Peer::answering_all(|request, _| status(500, &key_of(request)));
        let sandbox = Sandbox::quiet();
        let configured = json!({
            "provider": {"provider_kind": "openrouter"},
            "api": {"tcp": "127.0.0.1:0"},
            "log": {"format": format},
        });
        sandbox.configure(&peer.base_url(), &configured);
        let mut command = sandbox.command(&["daemon", "-vvvv"]);
        command.env(VARIABLE, KEY).env("KJXLKJ_API_TOKEN", TOKEN);
        sandbox.give_work();
        let daemon = started(command);
        // It has been given the key, and has had it said back.
        daemon.wait_for("PROVIDER_SERVER_ERROR", 1);
        let address = until("the address of the door", || address_in(&daemon.said()));
        for (line, body) in CALLS {
            for head in [
                String::new(),
                format!("Authorization: Bearer {TOKEN}\r\n"),
                format!("Authorization: Bearer {TOKEN}x\r\n"),
                format!("Authorization: Basic {TOKEN}\r\nOrigin: http://x\r\n"),
            ] {
                searched.paths += 1;
                let told = ask(&address, line, &head, body);
                searched.look(&format!("{place}: {line}"), &told);
            }
        }
        let (_, said) = daemon.end_by(Signal::TERM);
        searched.look(&format!("{place}: its log"), said.as_bytes());
        searched.look_at_files(&place, &sandbox, &[]);
    }
}

/// The address that a daemon says it listens at.
fn address_in(said: &str) -> Option<String> {
    let mut lines = said.lines().filter(|line| line.contains("listening"));
    let (_, rest) = lines.find_map(|line| line.split_once("127.0.0.1:"))?;
    let port: String = rest.chars().take_while(char::is_ascii_digit).collect();
    Some(format!("127.0.0.1:{port}"))
}

/// What is asked of the control interface, with a body.
const CALLS: &[(&str, &str)] = &[
    ("GET /healthz", ""),
    ("GET /metrics", ""),
    ("GET /openapi.json", ""),
    ("GET /v1/status", ""),
    ("GET /v1/runs", ""),
    ("GET /v1/audit", ""),
    ("GET /v1/ram", ""),
    ("GET /v1/notes/nothing", ""),
    ("GET /v1/runs/nothing/trace", ""),
    ("GET /no/such/place", ""),
    ("PUT /v1/ram/..%2fup", "{\"value\": 1}"),
    ("POST /v1/notes", "{\"value\": 7}"),
    ("POST /v1/notes", "{"),
    ("POST /v1/runs", "{\"request\": \"\"}"),
    ("POST /v1/verbs", "{\"words\": [\"config\", \"show\"]}"),
    (
        "POST /v1/verbs",
        "{\"words\": [\"doctor\", \"--format\", \"json\"]}",
    ),
    (
        "POST /v1/verbs",
        "{\"words\": [\"call\", \"openrouter\", \"ping\", \"-vvvv\"]}",
    ),
    ("DELETE /v1/rules/nothing", ""),
    ("BREW /v1/status", ""),
];

fn ask(address: &str, line: &str, head: &str, body: &str) -> Vec<u8> {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(DEADLINE)).unwrap();
    let length = body.len();
    let text = format!(
        "{line} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\nContent-Type: application/json\r\n\
         Content-Length: {length}\r\n{head}\r\n{body}"
    );
    let mut told = Vec::new();
    // It may hang up before it has read everything.
    drop(stream.write_all(text.as_bytes()));
    drop(stream.read_to_end(&mut told));
    told
}
