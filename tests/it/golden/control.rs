//! What the control interface answers on a lived-in root: its document, every address, the names of the
//! metrics, and the first events.

use super::Goldens;
use super::root::Root;
use crate::cli::control::{JSON, ask};
use crate::cli::sandbox::{RULE_ID, until};
use rustix::process::Signal;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::io::{BufRead as _, BufReader, Write as _};

/// Addresses that are read. `RUN0` to `RUN8` are the runs of the life.
const READ: &[&str] = &[
    "/healthz",
    "/readyz",
    "/v1/status",
    "/v1/runs",
    "/v1/runs?state=failed&limit=1",
    "/v1/runs/RUN2",
    "/v1/runs/RUN2/trace",
    "/v1/runs/nobody",
    "/v1/runs?limit=x",
    "/v1/runs?nothing=1",
    "/v1/notes",
    "/v1/notes?limit=1&offset=1",
    "/v1/notes/Bus",
    "/v1/notes/Bus?version=1",
    "/v1/notes/none",
    "/v1/notes/Bus/history",
    "/v1/notes/Bus/why",
    "/v1/search?query=line",
    "/v1/search",
    "/v1/issues",
    "/v1/ram",
    "/v1/ram/mood",
    "/v1/ram/none",
    "/v1/audit?limit=3",
    "/v1/audit?run=RUN1",
    "/v1/audit/head",
    "/v1/rules",
    "/v1/rules/55555555-5555-4555-8555-555555555555",
    "/v1/rules/nobody",
    "/v1/nothing",
];

/// Changes in their order: the line, more of the head, the body.
fn changes() -> Vec<(&'static str, &'static str, Value)> {
    let note =
        json!({"value": "Sail.", "title": "Boat house", "keywords": ["boat"], "kind": "note"});
    let rule = json!({"rule": {"rule_id": "77777777-7777-4777-8777-777777777777", "trigger": "manual",
        "action_json": {"kind": "kjxlkj_agent"}}});
    vec![
        ("POST /v1/notes", "", note),
        ("POST /v1/notes", "", json!({"value": 1})),
        ("POST /v1/notes", "", json!({})),
        (
            "PATCH /v1/notes/Boat%20house",
            "",
            json!({"value": "Sail and oar."}),
        ),
        (
            "PATCH /v1/notes/Boat%20house?version=1",
            "",
            json!({"value": "Sail and pump."}),
        ),
        ("PATCH /v1/notes/none", "", json!({"value": "x"})),
        (
            "POST /v1/notes/Boat%20house/restore",
            "",
            json!({"version": 1}),
        ),
        ("DELETE /v1/notes/Boat%20house", "", Value::Null),
        ("PUT /v1/ram/mood", "", json!({"value": {"is": "wild"}})),
        ("PUT /v1/ram/mood", "", json!({})),
        ("DELETE /v1/ram/mood", "", Value::Null),
        ("DELETE /v1/ram/mood", "", Value::Null),
        ("POST /v1/rules", "", rule),
        ("POST /v1/rules", "", json!({"rule": {"trigger": "never"}})),
        ("POST /v1/rules/77777777/disable", "", Value::Null),
        (
            "POST /v1/rules/77777777/runs",
            "Idempotency-Key: off\r\n",
            Value::Null,
        ),
        ("POST /v1/rules/77777777/enable", "", Value::Null),
        ("DELETE /v1/rules/77777777", "", Value::Null),
        (
            "POST /v1/verbs",
            "",
            json!({"words": ["ram", "get", "list"]}),
        ),
        ("POST /v1/verbs", "", json!({"words": ["ram", "shwo"]})),
        (
            "POST /v1/verbs",
            "",
            json!({"words": ["ram", "set", "note", "-"], "input": "text"}),
        ),
        ("PATCH /v1/status", "", Value::Null),
        ("POST /v1/runs/RUN4/cancel", "", Value::Null),
        ("POST /v1/runs/nobody/retry", "", Value::Null),
    ]
}

/// Asks, and tells what was answered.
fn told(root: &Root, line: &str, head: &str, body: &Value) -> String {
    let mut asked = line.to_owned();
    for (number, run) in root.runs.iter().enumerate() {
        asked = asked.replace(&format!("RUN{number}"), run);
    }
    let text = if body.is_null() {
        String::new()
    } else {
        body.to_string()
    };
    let json = if body.is_null() { "" } else { JSON };
    let answer = ask(&root.sandbox, &asked, &format!("{json}{head}"), &text);
    let mut told = format!("> {asked} {text}\n< {}", answer.status);
    for name in [
        "content-type: ",
        "location: ",
        "etag: ",
        "allow: ",
        "retry-after: ",
    ] {
        let lines = answer.head.lines();
        for value in lines.filter(|line| line.starts_with(name)) {
            write!(told, "\n< {value}").unwrap();
        }
    }
    let body = serde_json::from_str::<Value>(&answer.body);
    let body = body.map_or(answer.body, |it| serde_json::to_string_pretty(&it).unwrap());
    root.masked(&format!("{told}\n{body}\n\n"))
}

/// The names of the metrics with their labels.
fn metrics(text: &str) -> String {
    let lines = text.lines().map(|line| {
        let is_comment = line.starts_with('#');
        let name = line.rsplit_once(' ').map_or(line, |(name, _)| name);
        if is_comment { line } else { name }
    });
    lines.map(|line| line.to_owned() + "\n").collect()
}

/// The first lines of the events behind a commit, up to the commit of that number.
fn events(root: &Root, last: u64) -> String {
    let mut stream = root.sandbox.connect();
    let text = "GET /v1/events?after=0 HTTP/1.1\r\nHost: localhost\r\n\r\n";
    stream.write_all(text.as_bytes()).unwrap();
    let mut told = String::new();
    let mut is_last = false;
    for line in BufReader::new(&stream).lines().map(Result::unwrap) {
        is_last |= line == format!("id: {last}");
        let is_of_events = ["id: ", "event: ", "data: "]
            .iter()
            .any(|it| line.starts_with(it));
        if is_of_events {
            writeln!(told, "{line}").unwrap();
        }
        if is_last && line.is_empty() {
            break;
        }
    }
    root.masked(&told)
}

#[tokio::test]
async fn the_control_interface_answers_as_it_did() {
    let mut goldens = Goldens::of("control");
    let root = Root::lived_in().await;
    let daemon = root.sandbox.start(&["daemon"]);
    drop(root.sandbox.connect());
    until("the loop", || {
        (ask(&root.sandbox, "GET /readyz", "", "").status == 200).then_some(())
    });
    let document = ask(&root.sandbox, "GET /openapi.json", "", "");
    let document: Value = serde_json::from_str(&document.body).unwrap();
    let document = serde_json::to_string_pretty(&document).unwrap();
    goldens.check("openapi.json", &(document + "\n"));
    let read: String = READ
        .iter()
        .map(|path| told(&root, &format!("GET {path}"), "", &Value::Null))
        .collect();
    goldens.check("read.txt", &read);
    goldens.check("events.txt", &events(&root, 12));
    let named = ask(&root.sandbox, "GET /metrics", "", "").body;
    goldens.check("metrics.txt", &metrics(&named));
    let changed: String = changes()
        .iter()
        .map(|(line, head, body)| told(&root, line, head, body))
        .collect();
    goldens.check("changed.txt", &changed);
    let launched = told(
        &root,
        "POST /v1/runs",
        "Idempotency-Key: one\r\n",
        &json!({"request": "Keep rice"}),
    );
    let path = format!("/v1/rules/{RULE_ID}/runs");
    let triggered = told(
        &root,
        &format!("POST {path}"),
        "Idempotency-Key: two\r\n",
        &Value::Null,
    );
    goldens.check("launched.txt", &(launched + &triggered));
    assert_eq!(daemon.end_by(Signal::TERM).0.code(), Some(0));
    goldens.end();
}
