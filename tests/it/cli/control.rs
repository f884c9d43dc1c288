//! The control interface of a real daemon, spoken to with bytes: what it answers, whom it turns away,
//! and that nobody who speaks with it can hold anything up.

#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test may stop at once, and it looks at what the process leaves on the disk"
)]

use super::sandbox::{
    DEADLINE, RULE_ID, Sandbox, answer, started, state_in, thinking, until, worker,
};
use crate::peer::{Gate, NOBODY, Peer, Step};
use rustix::fs::{OFlags, fcntl_setfl};
use rustix::process::Signal;
use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader, Read, Write as _};
use std::net::TcpStream;
use std::os::unix::fs::{FileTypeExt as _, PermissionsExt as _};
use std::os::unix::net::{UnixListener, UnixStream};

/// Has `strace` fail every renaming in the folder of the notes.
pub(super) const NO_NOTE_FILE: [&str; 4] = [
    "-P",
    "data/notes",
    "-e",
    "inject=rename,renameat,renameat2:error=EIO",
];

/// An answer: its status line's number, its head in small letters, its body.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Answer {
    fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| unreachable!("{error}: {self:?}"))
    }

    /// The code of a problem.
    fn code(&self) -> String {
        assert!(
            self.head.contains("content-type: application/problem+json"),
            "{self:?}"
        );
        assert_eq!(self.json()["status"], json!(self.status));
        self.json()["code"].as_str().unwrap().to_owned()
    }
}

/// Reads one answer.
fn read(stream: impl Read) -> Answer {
    let mut reader = BufReader::new(stream);
    let mut head = String::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).unwrap();
        if line.trim().is_empty() {
            break;
        }
        head.push_str(&line.to_ascii_lowercase());
    }
    let status = head.split(' ').nth(1).unwrap_or("0").parse().unwrap();
    let length = head
        .lines()
        .find_map(|line| line.strip_prefix("content-length: "))
        .map_or(0, |length| length.trim().parse().unwrap());
    let mut body = vec![0; length];
    reader.read_exact(&mut body).unwrap();
    let body = String::from_utf8(body).unwrap();
    Answer { status, head, body }
}

/// Sends these bytes and reads the answer.
fn raw(sandbox: &Sandbox, bytes: &[u8]) -> Answer {
    let mut stream = sandbox.connect();
    // It may be refused before everything was said.
    drop(stream.write_all(bytes));
    read(&stream)
}

/// A request with these further lines in its head.
pub(crate) fn ask(sandbox: &Sandbox, line: &str, head: &str, body: &str) -> Answer {
    let length = body.len();
    let text = format!(
        "{line} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {length}\r\n{head}\r\n{body}"
    );
    raw(sandbox, text.as_bytes())
}

fn get(sandbox: &Sandbox, path: &str) -> Answer {
    ask(sandbox, &format!("GET {path}"), "", "")
}

pub(crate) const JSON: &str = "Content-Type: application/json\r\n";

fn send(sandbox: &Sandbox, line: &str, body: &Value) -> Answer {
    ask(sandbox, line, JSON, &body.to_string())
}

fn check_metrics(text: &str) {
    for line in [
        "kjxlkj_agent_up 1",
        "kjxlkj_agent_in_time 1",
        "kjxlkj_agent_notes 1",
        "kjxlkj_agent_runs_total{outcome=\"succeeded\"} 1",
        "kjxlkj_agent_llm_replies_total 3",
        "kjxlkj_agent_llm_saved_tokens_total 0",
        "kjxlkj_agent_llm_cost_micro_dollars_total 0",
        "kjxlkj_agent_provider_available{provider=\"lmstudio\"} 1",
        "kjxlkj_agent_provider_circuit_open{provider=\"lmstudio\"} 0",
        "kjxlkj_agent_provider_consecutive_failures{provider=\"lmstudio\"} 0",
        "kjxlkj_agent_provider_last_failure_timestamp_seconds{provider=\"lmstudio\"} 0.000",
    ] {
        assert!(text.lines().any(|one| one == line), "{line} in {text}");
    }
}

#[test]
fn health_status_runs_notes_and_ram_are_told_at_the_socket_as_the_verbs_tell_them() {
    let peer = worker();
    let sandbox = Sandbox::with(&peer);
    let daemon = sandbox.resting();
    for path in ["/healthz", "/readyz"] {
        let told = get(&sandbox, path);
        assert_eq!((told.status, told.body.as_str()), (200, "ok\n"));
    }
    let first = |list: [&str; 2], id: &str| -> String {
        let list = sandbox.json(&list);
        list["items"][0][id].as_str().unwrap().to_owned()
    };
    let (run_id, note) = (
        &first(["runs", "list"], "run_id"),
        &first(["notes", "list"], "id"),
    );
    for (path, verb) in [
        ("/v1/status".to_owned(), vec!["status"]),
        ("/v1/runs".to_owned(), vec!["runs", "list"]),
        (
            "/v1/runs?state=failed&limit=2".to_owned(),
            vec!["runs", "list", "--state=failed", "--limit=2"],
        ),
        (format!("/v1/runs/{run_id}"), vec!["runs", "show", run_id]),
        (
            "/v1/notes?limit=1&offset=0".to_owned(),
            vec!["notes", "list", "--limit=1", "--offset=0"],
        ),
        (format!("/v1/notes/{note}"), vec!["notes", "show", note]),
        (
            format!("/v1/notes/{note}?version=1"),
            vec!["notes", "show", note, "--version=1"],
        ),
        (
            format!("/v1/notes/{note}/history"),
            vec!["notes", "history", note],
        ),
        (
            "/v1/search?query=tea".to_owned(),
            vec!["notes", "search", "tea"],
        ),
        ("/v1/issues".to_owned(), vec!["notes", "issues"]),
        ("/v1/ram".to_owned(), vec!["ram", "list"]),
        (
            "/v1/ram/think_log".to_owned(),
            vec!["ram", "get", "think_log"],
        ),
        (
            "/v1/audit?limit=3".to_owned(),
            vec!["audit", "list", "--limit=3"],
        ),
        ("/v1/audit/head".to_owned(), vec!["audit", "head"]),
    ] {
        let told = get(&sandbox, &path);
        assert_eq!(told.status, 200, "{path}: {told:?}");
        assert!(told.head.contains("content-type: application/json"));
        assert!(told.head.contains("x-request-id: "));
        assert_eq!(told.json(), sandbox.json(&verb), "{path}");
    }
    check_metrics(&get(&sandbox, "/metrics").body);
    daemon.end_by(Signal::TERM);
    assert!(!sandbox.path("data/control.sock").exists());
}

#[test]
fn the_socket_is_private_and_only_a_silent_one_is_taken_over() {
    let peer = worker();
    let sandbox = Sandbox::with(&peer);
    let path = sandbox.path("data/control.sock");
    // One that nobody answers at any more, as a kill leaves it behind.
    drop(UnixListener::bind(&path).unwrap());
    let daemon = sandbox.resting();
    let mode = std::fs::symlink_metadata(&path).unwrap();
    assert!(mode.file_type().is_socket());
    assert_eq!(mode.permissions().mode() & 0o777, 0o600);
    let (status, _) = daemon.end_by(Signal::TERM);
    assert_eq!(status.code(), Some(0));

    // One that somebody answers at stays his.
    let other = UnixListener::bind(&path).unwrap();
    let done = sandbox.cli(&["daemon"]).ended(1);
    assert!(done.stderr.contains("CONTROL_UNAVAILABLE"), "{done:?}");
    drop(other);
    std::fs::remove_file(&path).unwrap();
    // So does what is no socket at all.
    std::fs::write(&path, "mine").unwrap();
    let done = sandbox.cli(&["daemon"]).ended(1);
    assert!(done.stderr.contains("CONTROL_UNAVAILABLE"), "{done:?}");
    assert_eq!(sandbox.read("data/control.sock"), "mine");
    std::fs::remove_file(&path).unwrap();

    sandbox.configure(NOBODY[0], &json!({"api": {"socket": false}}));
    let daemon = sandbox.start(&["daemon"]);
    sandbox.cli(&["ask", "buy tea"]).ended(0);
    daemon.wait_for("LLM_UNAVAILABLE", 1);
    assert!(!path.exists(), "it was not wanted");
}

/// Requests as bytes, and the status and code that each gets.
const TURNED_AWAY: &[(&str, u16, &str)] = &[
    ("GET /v1/status HTTP/1.1\r\n\r\n", 421, "ACCESS_DENIED"),
    (
        "GET /v1/status HTTP/1.1\r\nHost: evil.example\r\n\r\n",
        421,
        "ACCESS_DENIED",
    ),
    (
        "GET /v1/status HTTP/1.1\r\nHost: localhost.evil.example\r\n\r\n",
        421,
        "ACCESS_DENIED",
    ),
    (
        "GET /v1/status HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n",
        421,
        "ACCESS_DENIED",
    ),
    (
        "GET /healthz HTTP/1.1\r\nHost: evil.example\r\n\r\n",
        421,
        "ACCESS_DENIED",
    ),
    (
        "GET /v1/status HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\n\r\n",
        403,
        "ACCESS_DENIED",
    ),
    (
        "GET /v1/status HTTP/1.1\r\nHost: localhost\r\nSec-Fetch-Site: cross-site\r\n\r\n",
        403,
        "ACCESS_DENIED",
    ),
    (
        "GET /v1/nothing HTTP/1.1\r\nHost: localhost\r\n\r\n",
        404,
        "USAGE",
    ),
    (
        "PATCH /v1/status HTTP/1.1\r\nHost: localhost\r\n\r\n",
        405,
        "USAGE",
    ),
    (
        "GET /v1/runs?limit=x HTTP/1.1\r\nHost: localhost\r\n\r\n",
        400,
        "USAGE",
    ),
    (
        "GET /v1/runs?limit=1&limit=2 HTTP/1.1\r\nHost: localhost\r\n\r\n",
        400,
        "USAGE",
    ),
    (
        "GET /v1/runs?nothing=1 HTTP/1.1\r\nHost: localhost\r\n\r\n",
        400,
        "USAGE",
    ),
    (
        "GET /v1/notes/%ff HTTP/1.1\r\nHost: localhost\r\n\r\n",
        400,
        "USAGE",
    ),
    (
        "GET /v1/notes/--help HTTP/1.1\r\nHost: localhost\r\n\r\n",
        404,
        "RECORD_NOT_FOUND",
    ),
    (
        "GET /v1/runs/nobody HTTP/1.1\r\nHost: localhost\r\n\r\n",
        404,
        "RUN_NOT_FOUND",
    ),
    (
        "GET /v1/ram/nothing HTTP/1.1\r\nHost: localhost\r\n\r\n",
        404,
        "KEY_NOT_FOUND",
    ),
    (
        "POST /v1/notes HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}",
        415,
        "USAGE",
    ),
];

#[test]
fn requests_that_are_not_for_it_are_turned_away_with_a_code() {
    let peer = worker();
    let sandbox = Sandbox::with(&peer);
    let daemon = sandbox.resting();
    let before = sandbox.json(&["audit", "head"]);
    for (bytes, status, code) in TURNED_AWAY {
        let told = raw(&sandbox, bytes.as_bytes());
        assert_eq!(told.status, *status, "{bytes}: {told:?}");
        assert_eq!(told.code(), *code, "{bytes}");
    }
    for (body, what) in [
        (json!({}), "`value` is missing"),
        (
            json!({"value": 1}),
            "`value` must be a text that is not blank",
        ),
        (json!({"value": "x", "nothing": 1}), "no member `nothing`"),
        (json!([]), "a JSON object"),
        (json!({"value": " "}), "not blank"),
        (json!({"value": "a\u{0}b"}), "no NUL"),
        (json!({"value": "a", "title": "\u{0}"}), "no NUL"),
        (
            json!({"value": "a", "keywords": ["\u{0}"]}),
            "without commas",
        ),
        (json!({"value": "a", "keywords": ["a,b"]}), "without commas"),
    ] {
        let told = send(&sandbox, "POST /v1/notes", &body);
        assert_eq!(
            (told.status, told.code().as_str()),
            (400, "USAGE"),
            "{body}: {told:?}"
        );
        assert!(told.body.contains(what), "{told:?}");
    }
    let told = ask(
        &sandbox,
        "POST /v1/notes",
        JSON,
        "{\"value\":\"a\",\"value\":\"b\"}",
    );
    assert_eq!(told.code(), "USAGE");
    let large = json!({"value": "x".repeat(2 * 1024 * 1024)});
    assert_eq!(send(&sandbox, "POST /v1/notes", &large).status, 413);
    let own = ask(&sandbox, "GET /healthz", "X-Request-Id: mine-1\r\n", "");
    assert!(own.head.contains("x-request-id: mine-1"));
    assert_eq!(
        sandbox.json(&["audit", "head"]),
        before,
        "nothing was written"
    );
    let (status, said) = daemon.end_by(Signal::TERM);
    assert_eq!(status.code(), Some(0), "{said}");
}

#[test]
fn half_a_request_a_huge_head_and_silence_harm_nobody_else() {
    let peer = worker();
    let sandbox = Sandbox::with(&peer);
    let daemon = sandbox.resting();
    // More than may be open at once would be too many; these stay open to the end.
    let halves: Vec<UnixStream> = [
        &b""[..],
        b"GET",
        b"GET /v1/status HTTP/1.1\r\nHost: local",
        b"POST /v1/notes HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{",
        b"\0\0\0\0",
        b"GET /v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n",
    ]
    .iter()
    .map(|bytes| {
        let mut stream = sandbox.connect();
        stream.write_all(bytes).unwrap();
        stream
    })
    .collect();
    let mut huge = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Long: ".to_vec();
    huge.extend(std::iter::repeat_n(b'x', 100_000));
    assert_eq!(raw(&sandbox, &huge).status, 431);
    let many = "X-Many: 1\r\n".repeat(200);
    assert_eq!(ask(&sandbox, "GET /healthz", &many, "").status, 431);
    assert_eq!(raw(&sandbox, b"nonsense\r\n\r\n").status, 400);
    // Somebody else gets his answer, and the loop takes changes.
    assert_eq!(get(&sandbox, "/healthz").status, 200);
    let added = send(&sandbox, "POST /v1/notes", &json!({"value": "in between"}));
    assert_eq!(added.status, 201, "{added:?}");
    drop(halves);
    let (status, said) = daemon.end_by(Signal::TERM);
    assert_eq!(status.code(), Some(0), "{said}");
}

#[test]
fn over_tcp_a_token_is_asked_for_and_pages_are_turned_away_first() {
    let peer = worker();
    let sandbox = Sandbox::with(&peer);
    let configured = json!({"api": {"tcp": "127.0.0.1:0", "socket": false}});
    sandbox.configure(NOBODY[0], &configured);
    let done = sandbox.cli(&["daemon"]).ended(78);
    assert!(done.stderr.contains("KJXLKJ_API_TOKEN"), "{done:?}");
    let token = "0123456789abcdef0123";
    let mut command = sandbox.command(&["daemon"]);
    command.env("KJXLKJ_API_TOKEN", token);
    let daemon = started(command);
    daemon.wait_for("listening", 1);
    let said = daemon.said();
    let (_, rest) = said.split_once("address=").unwrap();
    let address = rest.split_whitespace().next().unwrap().to_owned();
    let ask = |head: &str| {
        let mut stream = TcpStream::connect(&address).unwrap();
        let text = format!("GET /v1/status HTTP/1.1\r\nHost: {address}\r\n{head}\r\n");
        stream.write_all(text.as_bytes()).unwrap();
        read(&stream)
    };
    let right = format!("Authorization: Bearer {token}\r\n");
    assert_eq!(ask(&right).status, 200);
    // The name of a scheme has no case, a token has.
    let small = format!("authorization: bearer {token}\r\n");
    assert_eq!(ask(&small).status, 200);
    for wrong in [
        "",
        "Authorization: Bearer \r\n",
        "Authorization: Bearer 0123456789abcdef0124\r\n",
        "Authorization: Basic eA==\r\n",
    ] {
        let told = ask(wrong);
        assert_eq!((told.status, told.code().as_str()), (401, "ACCESS_DENIED"));
        assert!(told.head.contains("www-authenticate: bearer"));
    }
    // The token does not help a page.
    assert_eq!(
        ask(&format!("Origin: http://{address}\r\n{right}")).status,
        403
    );
    assert!(!daemon.said().contains(token));
    drop(daemon);
}

/// Few descriptors and many who only connect: whoever asks is answered all the same.
#[test]
fn idle_connections_over_tcp_keep_nobody_out_where_there_are_few_descriptors() {
    let sandbox = Sandbox::quiet();
    let configured = json!({"api": {"tcp": "127.0.0.1:0"}});
    sandbox.configure(NOBODY[0], &configured);
    let token = "0123456789abcdef0123";
    let mut command = sandbox.after("ulimit -n 64", &["daemon"]);
    command.env("KJXLKJ_API_TOKEN", token);
    let daemon = started(command);
    daemon.wait_for("listening", 1);
    let said = daemon.said();
    let (_, rest) = said.split_once("address=").unwrap();
    let address = rest.split_whitespace().next().unwrap().to_owned();
    let idle = (0..100).map(|_| TcpStream::connect(&address).unwrap());
    let idle: Vec<TcpStream> = idle.collect();
    for number in 0..5 {
        let mut stream = TcpStream::connect(&address).unwrap();
        stream.set_read_timeout(Some(DEADLINE)).unwrap();
        let body = format!("{{\"value\": \"{number}\"}}");
        let text = format!(
            "PUT /v1/ram/key HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {token}\r\n\
             {JSON}Content-Length: {}\r\n\r\n{body}",
            body.len()
        );
        stream.write_all(text.as_bytes()).unwrap();
        assert_eq!(read(&stream).status, 200);
        assert_eq!(sandbox.kv()["key"], json!(number.to_string()));
    }
    drop(idle);
    let (status, said) = daemon.end_by(Signal::TERM);
    assert_eq!(status.code(), Some(0), "{said}");
}

/// The doors open before the store does, so whoever answers at the socket keeps the journal as it is.
#[test]
fn a_daemon_whose_socket_is_anothers_writes_nothing() {
    let sandbox = Sandbox::quiet();
    sandbox.cli(&["ram", "set", "key", "value"]).ended(0);
    let segment = sandbox.path("data/journal/00000001.jsonl");
    let mut bytes = std::fs::read(&segment).unwrap();
    // A start that came as far as the store would put this aside.
    bytes.extend_from_slice(b"torn");
    std::fs::write(&segment, &bytes).unwrap();
    let kept = || {
        let mut files = sandbox.snapshot();
        files.retain(|(path, _)| {
            let name = path.file_name().unwrap();
            name != "daemon.lock"
        });
        files
    };
    let before = kept();
    let path = sandbox.path("data/control.sock");
    let other = UnixListener::bind(&path).unwrap();
    let done = sandbox.cli(&["daemon"]).ended(1);
    assert!(done.stderr.contains("CONTROL_UNAVAILABLE"), "{done:?}");
    assert!(kept() == before, "something was written");
    drop(other);
    std::fs::remove_file(&path).unwrap();
    sandbox.cli(&["ram", "set", "key", "other"]).ended(0);
    assert!(std::fs::read(&segment).unwrap() != bytes);
    assert_eq!(sandbox.json(&["audit", "verify"])["ok"], json!(true));
}

/// A change that stands although a file behind it failed is answered as made, with a warning.
#[test]
fn a_change_behind_which_a_file_failed_is_told_over_http_with_a_warning() {
    let sandbox = Sandbox::quiet();
    sandbox.cli(&["ram", "set", "first", "1"]).ended(0);
    let Some(command) = sandbox.traced(&NO_NOTE_FILE, &["daemon"]) else {
        return;
    };
    let daemon = started(command);
    let made = send(
        &sandbox,
        "POST /v1/notes",
        &json!({"title": "Tea", "value": "green"}),
    );
    assert_eq!(made.status, 201, "{made:?}");
    let warnings = made.json()["warnings"].take();
    let warnings: Vec<String> = serde_json::from_value(warnings).unwrap();
    assert_eq!(warnings.len(), 1, "{made:?}");
    assert!(warnings[0].contains("the change is made"), "{made:?}");
    assert_eq!(daemon.wait().0.code(), Some(74));
    let notes = sandbox.json(&["notes", "list"]);
    assert_eq!(notes["items"][0]["id"], made.json()["id"], "{notes}");
    assert_eq!(notes["pagination"]["total"], json!(1), "{notes}");
    assert_eq!(sandbox.json(&["audit", "verify"])["ok"], json!(true));
}

#[test]
fn which_of_two_keys_stands_for_a_launch_is_nobodys_guess() {
    let peer = worker();
    let sandbox = Sandbox::with(&peer);
    let daemon = sandbox.resting();
    let head = format!("{JSON}Idempotency-Key: k-1\r\nIdempotency-Key: k-2\r\n");
    let told = ask(
        &sandbox,
        "POST /v1/runs",
        &head,
        "{\"request\": \"buy tea\"}",
    );
    assert_eq!(told.status, 400, "{told:?}");
    drop(daemon);
}

#[test]
fn a_key_launches_one_run_also_across_a_restart() {
    let peer = worker();
    let sandbox = Sandbox::with(&peer);
    let daemon = sandbox.resting();
    let launch = |key: &str, request: &str| {
        let head = format!("{JSON}Idempotency-Key: {key}\r\n");
        ask(
            &sandbox,
            "POST /v1/runs",
            &head,
            &json!({ "request": request }).to_string(),
        )
    };
    let first = launch("k-1", "buy tea");
    assert_eq!(first.status, 202, "{first:?}");
    assert_eq!(first.json()["duplicate"], json!(false));
    let run_id = first.json()["run_id"].clone();
    let is_the_same = |again: &Answer| {
        assert_eq!(again.status, 200, "{again:?}");
        assert_eq!(again.json()["run_id"], run_id);
        assert_eq!(again.json()["duplicate"], json!(true));
        again.json()["state"].clone()
    };
    is_the_same(&launch("k-1", "buy tea"));
    let other = launch("k-1", "buy coffee");
    assert_eq!(
        (other.status, other.code().as_str()),
        (409, "IDEMPOTENCY_KEY_REUSED")
    );
    daemon.wait_for("run ended", 2);
    let asked = peer.request_count();
    let state = is_the_same(&launch("k-1", "buy tea"));
    assert_eq!(state, "Succeeded", "its outcome is told");
    daemon.end_by(Signal::KILL);

    let daemon = sandbox.daemon();
    assert_eq!(is_the_same(&launch("k-1", "buy tea")), "Succeeded");
    let runs = sandbox.json(&["runs", "list"]);
    assert_eq!(
        runs["pagination"]["total"],
        json!(2),
        "the first start's, and this one"
    );
    assert_eq!(peer.request_count(), asked, "the model was not asked again");
    // The same with a rule.
    let rule = json!({"rule": {"rule_id": RULE_ID, "trigger": "manual"}});
    let added = send(&sandbox, "POST /v1/rules", &rule);
    assert_eq!(added.status, 201, "{added:?}");
    assert_eq!(
        get(&sandbox, "/v1/rules").json()["items"][0]["rule_id"],
        RULE_ID
    );
    let line = format!("POST /v1/rules/{RULE_ID}/runs");
    let trigger = || ask(&sandbox, &line, "Idempotency-Key: e-1\r\n", "");
    let first = trigger();
    assert_eq!(
        (first.status, &first.json()["duplicate"]),
        (202, &json!(false))
    );
    let again = trigger();
    let told = again.json();
    assert_eq!((again.status, &told["duplicate"]), (200, &json!(true)));
    assert_eq!(told["run_id"], first.json()["run_id"]);
    // Without a key each launch is one of its own.
    let bare = ask(&sandbox, "POST /v1/runs", "", "").json();
    assert_eq!(bare["trigger"], json!("manual"));
    assert_ne!(
        bare["run_id"],
        ask(&sandbox, "POST /v1/runs", "", "").json()["run_id"]
    );
    assert_eq!(sandbox.json(&["audit", "verify"])["ok"], json!(true));
    drop(daemon);
}

#[test]
fn verbs_that_change_something_go_through_the_loop_also_while_the_model_thinks() {
    let (sandbox, peer, gate, daemon) = thinking();
    sandbox.cli(&["ram", "set", "colour", "blue"]).ended(0);
    assert_eq!(
        sandbox.kv()["colour"],
        json!("blue"),
        "there, and in the file, at once"
    );
    let added = sandbox.json(&["notes", "add", "two litres", "--title", "Milk"]);
    assert_eq!(added["created_by"]["actor_type"], json!("user"));
    let done = sandbox.cli_reading(&["notes", "edit", "Milk", "--value", "-"], b"three litres");
    assert_eq!(done.ended(0).stderr, "");
    assert_eq!(
        sandbox.json(&["notes", "show", "Milk"])["value"],
        json!("three litres")
    );
    sandbox.cli(&["notes", "delete", "Milk"]).ended(0);
    let id = added["id"].as_str().unwrap();
    let restored = sandbox.json(&["notes", "restore", id]);
    assert_eq!(restored["value"], json!("three litres"));
    sandbox.cli(&["ram", "delete", "colour"]).ended(0);
    assert_eq!(sandbox.kv().get("colour"), None);
    // What is refused is refused as it would be without a daemon, word for word.
    let refused = sandbox
        .cli(&["ram", "get", "colour", "--format", "json"])
        .ended(1);
    assert_eq!(refused.error()["code"], json!("KEY_NOT_FOUND"));
    let refused = sandbox
        .cli(&["notes", "delete", "Nothing", "--format", "json"])
        .ended(1);
    assert_eq!(refused.error()["code"], json!("RECORD_NOT_FOUND"));
    assert_eq!(peer.request_count(), 1, "the question was not disturbed");
    gate.open();
    daemon.end_well(&sandbox);
    assert_eq!(
        sandbox.json(&["notes", "show", id])["value"],
        json!("three litres")
    );
}

#[test]
fn a_daemon_answers_by_its_last_good_configuration_while_the_file_is_broken() {
    let (sandbox, _peer, gate, daemon) = thinking();
    let good = sandbox.read("data/config.json");
    for (colour, broken) in [("red", "{"), ("blue", r#"{"provider": {"model": 7}}"#)] {
        sandbox.write("data/config.json", broken);
        assert_eq!(get(&sandbox, "/v1/status").status, 200);
        let launched = send(&sandbox, "POST /v1/runs", &json!({"request": "Buy tea."}));
        assert_eq!(launched.status, 202, "{launched:?}");
        // So do the verbs, and say why that is worth a word.
        sandbox.cli(&["ram", "set", "colour", colour]).ended(0);
        assert_eq!(sandbox.kv()["colour"], json!(colour));
        let done = sandbox.cli(&["ram", "get", "colour"]).ended(0);
        assert!(done.stderr.contains("data/config.json:1:"), "{done:?}");
        assert!(done.stderr.contains("stays in force"), "{done:?}");
        // What `-` stands for is never read from the daemon's own terminal.
        let words = json!({"words": ["ram", "set", "colour", "-"]});
        let refused = send(&sandbox, "POST /v1/verbs", &words);
        assert_eq!(refused.json()["exit"], json!(2), "{refused:?}");
    }
    sandbox.write("data/config.json", &good);
    let done = sandbox.cli(&["ram", "get", "colour"]).ended(0);
    assert_eq!(done.stderr, "");
    sandbox.write("data/config.json", "{");
    gate.open();
    let (status, said) = daemon.end_by(Signal::TERM);
    assert_eq!(status.code(), Some(0), "{said}");
    // Without a daemon nothing is in force.
    sandbox.cli(&["ram", "set", "colour", "red"]).ended(78);
}

#[test]
fn a_persons_change_through_the_socket_wins_over_the_model_that_was_asked_before_it() {
    let gate = Gate::default();
    let waits = gate.clone();
    let peer = Peer::answering(move |request, index| match index {
        0 => Step::reply("<ram_add><key>colour</key><value>red</value></ram_add>").behind(&waits),
        _ => Step::reply(&answer(&state_in(request), index)),
    });
    let sandbox = Sandbox::with(&peer);
    let daemon = sandbox.start(&["daemon"]);
    peer.wait_for_requests(1, DEADLINE);
    sandbox.cli(&["ram", "set", "colour", "blue"]).ended(0);
    gate.open();
    daemon.wait_for("run ended", 1);
    assert_eq!(sandbox.kv()["colour"], json!("blue"));
    let audit = sandbox.json(&["audit", "list"]);
    let refused = audit["items"].as_array().unwrap().iter();
    let mut refused = refused.filter(|entry| entry["code"] == json!("VERSION_CONFLICT"));
    assert_eq!(refused.next().unwrap()["target"], json!("colour"));
    drop(daemon);
}

#[test]
fn a_run_is_cancelled_in_the_middle_of_a_call_or_in_the_queue_and_the_daemon_lives_on() {
    let (sandbox, peer, gate, daemon) = thinking();
    let running = sandbox.json(&["runs", "list"])["items"][0]["run_id"].clone();
    let running = running.as_str().unwrap().to_owned();
    let queued = sandbox.json(&["runs", "launch", "--request", "buy tea"])["run_id"].clone();
    let queued = queued.as_str().unwrap().to_owned();
    assert_eq!(
        sandbox.json(&["runs", "show", &queued])["state"],
        json!("Queued")
    );
    let record = sandbox.json(&["runs", "cancel", &queued]);
    assert_eq!(record["state"], json!("Failed"));
    assert_eq!(record["error_code"], json!("RUN_CANCELLED"));
    let told = send(
        &sandbox,
        &format!("POST /v1/runs/{running}/cancel"),
        &json!({}),
    );
    assert_eq!(told.status, 400, "a body is not expected: {told:?}");
    let told = ask(&sandbox, &format!("POST /v1/runs/{running}/cancel"), "", "");
    assert_eq!(told.status, 202, "{told:?}");
    daemon.wait_for("run ended", 1);
    let record = sandbox.json(&["runs", "show", &running]);
    assert_eq!(record["error_code"], json!("RUN_CANCELLED"));
    assert_eq!(sandbox.kv()["state"], json!("idle"));
    assert_eq!(peer.request_count(), 1, "the question was given up");
    gate.open();
    let next = sandbox.json(&["runs", "launch", "--request", "buy coffee"])["run_id"].clone();
    daemon.wait_for("run ended", 2);
    let record = sandbox.json(&["runs", "show", next.as_str().unwrap()]);
    assert_eq!(record["state"], json!("Succeeded"), "{record:#}");
    let done = sandbox
        .cli(&["runs", "cancel", next.as_str().unwrap()])
        .ended(1);
    assert!(done.stderr.contains("RUN_STATE_INVALID"), "{done:?}");
    let again = sandbox.json(&["runs", "retry", &queued]);
    assert_eq!(again["run_id"], json!(queued));
    daemon.wait_for("run ended", 3);
    let record = sandbox.json(&["runs", "show", &queued]);
    assert_eq!(record["state"], json!("Succeeded"), "{record:#}");
    drop(daemon);

    // Without a daemon the verb does it by itself: one that was interrupted, and one that waits.
    let quiet = Sandbox::quiet();
    let record = quiet.json(&["runs", "launch", "--request", "x"]);
    assert_eq!(record["duplicate"], json!(false));
    let id = record["run_id"].as_str().unwrap();
    quiet.cli(&["once"]).ended(1);
    assert_eq!(quiet.json(&["runs", "show", id])["state"], json!("Running"));
    let record = quiet.json(&["runs", "cancel", id]);
    assert_eq!(record["error_code"], json!("RUN_CANCELLED"));
    assert_eq!(quiet.kv()["context"].get("user_request"), None);
    assert_eq!(quiet.kv()["state"], json!("idle"));
    quiet
        .cli(&["runs", "cancel", "00000000-0000-0000-0000-000000000000"])
        .ended(1);
}

/// A run that is cancelled while its server is still asked what it has does not begin after all.
#[test]
fn a_run_that_is_cancelled_while_it_begins_stays_ended_and_the_daemon_lives_on() {
    let peer = worker();
    let gate = Gate::default();
    let models = json!({"data": [{"id": "peer-model"}]});
    peer.push_models(Step::json(&models).behind(&gate));
    let sandbox = Sandbox::with(&peer);
    let launched = sandbox.json(&["runs", "launch", "--request", "badgers"]);
    let id = launched["run_id"].as_str().unwrap();
    let daemon = sandbox.daemon();
    until("the question", || (peer.models_asked() > 0).then_some(()));
    let record = sandbox.json(&["runs", "cancel", id]);
    assert_eq!(record["error_code"], json!("RUN_CANCELLED"), "{record:#}");
    gate.open();
    let next = sandbox.json(&["runs", "launch", "--request", "buy tea"]);
    daemon.wait_for("run ended", 1);
    let shown = |id: &Value| sandbox.json(&["runs", "show", id.as_str().unwrap()]);
    assert_eq!(shown(&next["run_id"])["state"], json!("Succeeded"));
    let record = shown(&launched["run_id"]);
    assert_eq!(record["state"], json!("Failed"), "{record:#}");
    assert_eq!(record["started_at"], json!(null), "{record:#}");
    assert!(
        !peer
            .requests()
            .iter()
            .any(|request| request.json().to_string().contains("badgers"))
    );
    daemon.end_well(&sandbox);
}

/// What is launched gets no key of ours, whichever part of the configuration it is for.
#[test]
fn a_launched_server_sees_no_key_and_no_token_and_does_not_outlive_the_daemon() {
    let sandbox = Sandbox::quiet();
    let launch = json!({
        "command": ["sh", "-c", "env > seen; mkfifo alive; echo it is written; exec sleep 1000 > alive"],
        "ready_timeout_ms": 600_000,
    });
    let other = json!({
        "name": "other", "provider_kind": "openai", "base_url": NOBODY[0],
        "model": "m", "api_key_env": "OTHER_KEY",
    });
    let mut first = other.clone();
    first["name"] = json!("first");
    first["api_key_env"] = json!("FIRST_KEY");
    let mut config: Value = serde_json::from_str(&sandbox.read("data/config.json")).unwrap();
    config["provider"]["launch"] = launch;
    config["provider"]["api_key_env"] = json!("MAIN_KEY");
    config["providers"] = json!([first, other]);
    config["api"]["tcp"] = json!("127.0.0.1:0");
    sandbox.write("data/config.json", &config.to_string());
    let mut command = sandbox.command(&["daemon", "-v"]);
    for (name, value) in [
        ("MAIN_KEY", "canary-main-0123456789"),
        ("FIRST_KEY", "canary-first-0123456789"),
        ("OTHER_KEY", "canary-other-0123456789"),
        ("THE_SAME_AGAIN", "canary-other-0123456789"),
        ("KJXLKJ_API_TOKEN", "canary-token-0123456789"),
        ("NO_KEY", "visible"),
    ] {
        command.env(name, value);
    }
    let daemon = started(command);
    daemon.wait_for("it is written", 1);
    let seen = sandbox.read("seen");
    assert!(seen.contains("NO_KEY=visible"), "{seen}");
    assert!(!seen.contains("canary"), "{seen}");
    // It holds this pipe open for as long as it lives.
    let mut alive = std::fs::File::open(sandbox.path("alive")).unwrap();
    fcntl_setfl(&alive, OFlags::NONBLOCK).unwrap();
    assert!(alive.read(&mut [0]).is_err());
    assert_eq!(daemon.end_by(Signal::TERM).0.code(), Some(0));
    until("the end of what was launched", || {
        matches!(alive.read(&mut [0]), Ok(0)).then_some(())
    });
}

#[test]
fn a_run_that_waits_for_the_budget_of_a_day_says_so_and_can_be_cancelled() {
    let peer = worker();
    let sandbox = Sandbox::with(&peer);
    sandbox.configure(&peer.base_url(), &json!({"budget": {"calls_per_day": 1}}));
    let daemon = sandbox.daemon();
    let waiting = until("the end of the budget", || {
        let waiting = sandbox.json(&["status"])["daemon"]["waiting"].clone();
        waiting.is_object().then_some(waiting)
    });
    assert_eq!(waiting["code"], json!("BUDGET_EXCEEDED"));
    let run = sandbox.json(&["runs", "list"])["items"][0]["run_id"].clone();
    let run = run.as_str().unwrap();
    let told = sandbox.cli(&["runs", "cancel", run]).ended(0);
    assert!(told.stderr.contains("it ends as soon as"), "{told:?}");
    daemon.wait_for("run ended", 1);
    let record = sandbox.json(&["runs", "show", run]);
    assert_eq!(record["error_code"], json!("RUN_CANCELLED"));
    assert_eq!(peer.request_count(), 1);
    drop(daemon);
}

#[test]
fn commands_are_carried_out_while_a_model_server_comes_up_or_says_nothing() {
    let sandbox = Sandbox::quiet();
    let launch = json!({"command": ["sleep", "1000"], "ready_timeout_ms": 600_000});
    sandbox.configure(NOBODY[0], &json!({"provider": {"launch": launch}}));
    let daemon = sandbox.daemon();
    assert_eq!(
        sandbox.json(&["ram", "set", "colour", "blue"])["value"],
        "blue"
    );
    assert_eq!(sandbox.kv()["colour"], json!("blue"));
    let run = sandbox.json(&["runs", "launch", "--request", "buy tea"]);
    assert_eq!(run["state"], json!("Queued"));
    let (status, said) = daemon.end_by(Signal::TERM);
    assert_eq!(status.code(), Some(0), "{said}");

    // One that is asked what it has, and does not say.
    let peer = Peer::start();
    peer.push_models(Step::hang());
    let sandbox = Sandbox::with(&peer);
    let daemon = sandbox.daemon();
    until("the question", || (peer.models_asked() > 0).then_some(()));
    sandbox.cli(&["ram", "set", "colour", "blue"]).ended(0);
    assert_eq!(daemon.end_by(Signal::TERM).0.code(), Some(0));
}

#[test]
fn a_key_that_a_person_wrote_is_readable_whatever_it_holds() {
    let sandbox = Sandbox::quiet();
    let daemon = sandbox.daemon();
    let keys = [
        "a b",
        "a/b",
        "100%",
        "\u{1f375}",
        "?x=1#y",
        "\u{e4}",
        "-",
        "--help",
    ];
    let mut kv = sandbox.kv();
    for key in keys {
        kv[key] = json!(format!("of {key}"));
    }
    // Editors write beside a file and rename.
    sandbox.write("data/edited", &kv.to_string());
    std::fs::rename(
        sandbox.path("data/edited"),
        sandbox.path("data/agent-kv-store.json"),
    )
    .unwrap();
    until("the edit", || {
        let listed = sandbox.json(&["ram", "list"]);
        listed.to_string().contains("of a b").then_some(())
    });
    for key in keys {
        let spell = |spelt: String, byte| spelt + &format!("%{byte:02X}");
        let spelt = key.bytes().fold(String::new(), spell);
        let told = get(&sandbox, &format!("/v1/ram/{spelt}"));
        assert_eq!(told.status, 200, "{key:?}: {told:?}");
        assert_eq!(told.json()["value"], json!(format!("of {key}")));
    }
    drop(daemon);
}

#[test]
fn a_list_of_texts_is_stored_as_the_list_that_it_is() {
    let sandbox = Sandbox::quiet();
    let daemon = sandbox.daemon();
    for (key, value) in [
        ("mine", json!(["a", "b"])),
        ("mine", json!([])),
        ("mine", json!(["one, two", "three"])),
        ("mine", json!([1, "b"])),
        ("mine", json!("a,b")),
        ("steps", json!(["one, two", "three"])),
    ] {
        let told = send(
            &sandbox,
            &format!("PUT /v1/ram/{key}"),
            &json!({ "value": value }),
        );
        assert_eq!(told.status, 200, "{value}: {told:?}");
        assert_eq!(sandbox.kv()[key], value);
    }
    drop(daemon);
}

/// Whoever repeats a change because its answer was lost would make it twice.
#[test]
fn a_daemon_that_hangs_up_over_a_change_may_have_made_it() {
    let sandbox = Sandbox::quiet();
    let daemon = sandbox.daemon();
    let name = sandbox.path("data/control.sock");
    std::fs::remove_file(&name).unwrap();
    let listener = UnixListener::bind(&name).unwrap();
    std::fs::set_permissions(&name, std::fs::Permissions::from_mode(0o600)).unwrap();
    let hangs_up = std::thread::spawn(move || {
        // Whoever only looks whether somebody answers says nothing.
        until("a request", || {
            let (stream, _) = listener.accept().unwrap();
            BufReader::new(&stream).lines().next()?.ok()
        })
    });
    let done = sandbox
        .cli(&["notes", "add", "tea", "--title", "Tea", "--format", "json"])
        .ended(1);
    assert!(hangs_up.join().unwrap().starts_with("POST /v1/verbs"));
    assert_eq!(done.error()["code"], json!("ANSWER_LOST"), "{done:?}");
    assert_eq!(done.error()["retryable"], json!(false), "{done:?}");
    drop(daemon);
}

/// Reads events until one of this number has come; gives the numbers.
fn events(stream: &UnixStream, last: u64) -> Vec<u64> {
    let mut numbers = Vec::new();
    for line in BufReader::new(stream).lines() {
        let line = line.unwrap();
        if let Some(number) = line.strip_prefix("id: ") {
            numbers.push(number.parse().unwrap());
        } else if line.starts_with("data: ") && numbers.last() >= Some(&last) {
            return numbers;
        }
    }
    unreachable!("the stream ended at {numbers:?}")
}

#[test]
fn events_tell_each_commit_once_and_one_that_comes_back_misses_nothing() {
    let peer = worker();
    let sandbox = Sandbox::with(&peer);
    let daemon = sandbox.resting();
    let head = || sandbox.json(&["audit", "head"])["seq"].as_u64().unwrap();
    let listen = |path: &str, head: &str| {
        let mut stream = sandbox.connect();
        let text = format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n{head}\r\n");
        stream.write_all(text.as_bytes()).unwrap();
        stream
    };
    let whole = listen("/v1/events?after=0", "");
    let begun = head();
    assert_eq!(events(&whole, begun), (1..=begun).collect::<Vec<_>>());
    let live = listen("/v1/events", "");
    // Its head says that it listens.
    let mut byte = [0];
    (&live).read_exact(&mut byte).unwrap();
    sandbox.cli(&["ram", "set", "a", "1"]).ended(0);
    assert_eq!(events(&live, begun + 1), [begun + 1]);
    drop(live);
    for value in ["2", "3", "4"] {
        sandbox.cli(&["ram", "set", "a", value]).ended(0);
    }
    let back = listen("/v1/events", &format!("Last-Event-ID: {}\r\n", begun + 1));
    let last = head();
    assert_eq!(events(&back, last), (begun + 2..=last).collect::<Vec<_>>());
    assert_eq!(
        ask(&sandbox, "GET /v1/events", "Last-Event-ID: x\r\n", "").status,
        400
    );
    // Told by a journal that was put back since: said, and what comes now is told.
    let ahead = listen("/v1/events", "Last-Event-ID: 5000\r\n");
    let mut lines = BufReader::new(&ahead).lines().map(Result::unwrap);
    assert!(lines.any(|line| line == "event: gap"));
    assert_eq!(
        lines.next().unwrap(),
        format!("data: {{\"first\":{}}}", last + 1)
    );
    sandbox.cli(&["ram", "set", "a", "5"]).ended(0);
    assert!(lines.any(|line| line == format!("id: {}", last + 1)));
    // What a person does to a file is told as soon as it is taken in.
    sandbox.write(
        "data/notes/tea.json",
        r#"{"title": "Tea", "value": "green"}"#,
    );
    assert!(lines.any(|line| line.contains("note.created")));
    assert_eq!(daemon.end_by(Signal::TERM).0.code(), Some(0));
}

#[test]
fn the_document_tells_of_every_address_and_every_address_answers() {
    let peer = worker();
    let sandbox = Sandbox::with(&peer);
    let daemon = sandbox.resting();
    let document = get(&sandbox, "/openapi.json").json();
    assert_eq!(document["openapi"], json!("3.1.0"));
    let mut names = Vec::new();
    for (path, operations) in document["paths"].as_object().unwrap() {
        for (method, operation) in operations.as_object().unwrap() {
            names.push(operation["operationId"].as_str().unwrap().to_owned());
            let held: Vec<&str> = path.split('/').filter(|it| it.starts_with('{')).collect();
            let parameters = operation["parameters"].as_array().unwrap().iter();
            let told = parameters.filter(|one| one["in"] == json!("path"));
            assert_eq!(told.count(), held.len(), "{path}");
            if path == "/v1/events" {
                continue;
            }
            let path = path.replace(['{', '}'], "");
            let told = ask(
                &sandbox,
                &format!("{} {path}", method.to_uppercase()),
                "",
                "",
            );
            assert_ne!(told.status, 405, "{method} {path}");
            assert!(
                told.status != 404 || told.code() != "USAGE",
                "{method} {path}: {told:?}"
            );
            assert_ne!(told.status, 500, "{method} {path}: {told:?}");
        }
    }
    let count = names.len();
    names.sort();
    names.dedup();
    assert_eq!(names.len(), count, "names are unique");
    assert!(count > 20);
    drop(daemon);
}
