//! Servers that lie about what they send: lengths, ends, places, counts, times.

use super::fields::pick;
use crate::peer::{Step, event, said};
use crate::random::Random;
use serde_json::{Value, json};

/// Deflated zeroes without end: one block of the stored kind, over and over.
const BOMB: [u8; 5] = [0, 0xff, 0xff, 0, 0];

/// Some answer with a text, honest or not. `elsewhere` is another server, which nobody may ask.
pub(super) fn lie(random: &mut Random, text: &str, elsewhere: &str) -> Step {
    match random.below(12) {
        0 => framed(random, text),
        1 => endless(random, text),
        2 => away(random, elsewhere),
        3 => wrapped(random, text),
        4 => counted(random, text),
        5 => late(random),
        6 | 7 => streamed(random, text),
        8 => refused(random, text),
        9 => bytes(random, text),
        _ => Step::reply(text),
    }
}

fn answer(text: &str) -> Value {
    serde_json::from_slice(Step::reply(text).body_bytes()).unwrap()
}

/// Heads that say something else than the body.
fn framed(random: &mut Random, text: &str) -> Step {
    let body = answer(text).to_string();
    let length = body.len();
    let head =
        |more: &str| format!("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n{more}\r\n\r\n");
    let with = |more: &str| Step::raw(format!("{}{body}", head(more)));
    match random.below(14) {
        0 => with(&format!("content-length: {}", length / 2)),
        1 => with(&format!("content-length: {}", length + 100)),
        2 => with("content-length: 18446744073709551615"),
        3 => with("content-length: -1"),
        4 => with(&format!("content-length: {length}\r\ncontent-length: 3")),
        5 => with(&format!(
            "content-length: {length}\r\ntransfer-encoding: chunked"
        )),
        6 => with("transfer-encoding: chunked"),
        7 => with("content-encoding: gzip"),
        8 => with(&format!("x-filler: {}", "f".repeat(1 << 20))),
        9 => with(&"a: b\r\n".repeat(20_000)),
        10 => with(&format!("content-length: {length}\r\n broken")),
        11 => Step::raw(format!("HTTP/9.9 200 OK\r\n\r\n{body}")),
        12 => Step::raw(body),
        _ => Step::raw(format!(
            "HTTP/1.1 200 OK\r\ncontent-length: {length}\r\n\r\n{body}{body}"
        )),
    }
}

/// What never ends by itself.
fn endless(random: &mut Random, text: &str) -> Step {
    let begun = Step::events(&[said(text)]);
    match random.below(7) {
        0 => Step::endless(),
        1 => Step::flood(b"HTTP/1.1 200 OK\r\n", b"a: b\r\n"),
        2 => begun.then_endlessly("data: {}\n\n".repeat(100)),
        3 => begun.then_endlessly(event(&said("and on ")).repeat(100)),
        4 => begun.then_endlessly("data: a".repeat(1000)),
        5 => Step::status(500).then_endlessly("x".repeat(4096)),
        _ => Step::status(200)
            .header("content-type", "application/json")
            .then_endlessly(BOMB.repeat(1000)),
    }
}

/// Ways to somewhere else.
fn away(random: &mut Random, elsewhere: &str) -> Step {
    let places = [
        format!("{elsewhere}/chat/completions"),
        elsewhere.replace("127.0.0.1", "localhost"),
        elsewhere.replace("http:", ""),
        "file:///etc/passwd".to_owned(),
        "javascript:alert(1)".to_owned(),
        "/v1/chat/completions".to_owned(),
        String::new(),
    ];
    let status = [301, 302, 303, 307, 308, 300, 305][random.index(7)];
    let place = &places[random.index(places.len())];
    Step::status(status)
        .header("location", place)
        .header("refresh", &format!("0; url={place}"))
        .header("alt-svc", "h2=\"127.0.0.1:1\"")
}

/// Failures in good answers, and answers of odd shapes.
fn wrapped(random: &mut Random, text: &str) -> Step {
    let mut reply = answer(text);
    let error = json!({"message": text, "code": "insufficient_quota", "type": text});
    match random.below(10) {
        0 => Step::json(&json!({"error": error})),
        1 => {
            reply["error"] = error;
            Step::json(&reply)
        }
        2 => Step::json(&json!({"object": "error", "message": text, "code": 40_001})),
        3 => {
            reply["choices"][0]["message"]["content"] = json!([{"type": "text", "text": text}]);
            Step::json(&reply)
        }
        4 => {
            reply["choices"][0]["message"]["tool_calls"] =
                json!([{"function": {"name": "record_delete", "arguments": text}}]);
            Step::json(&reply)
        }
        5 => {
            reply["choices"][0]["finish_reason"] = json!(pick(
                random,
                &["length", "content_filter", "tool_calls", "", "error"]
            ));
            Step::json(&reply)
        }
        6 => {
            reply["choices"][0]["index"] = json!(7);
            Step::json(&reply)
        }
        7 => Step::json(&json!({"choices": []})),
        8 => Step::reply_with_reasoning("", "reasoning_content", text),
        _ => Step::status(200)
            .header("content-type", "text/html")
            .body(format!("<html>{text}</html>")),
    }
}

/// Counts of tokens and prices that cannot be.
fn counted(random: &mut Random, text: &str) -> Step {
    let mut reply = answer(text);
    let odd = [
        json!(-1),
        json!(u64::MAX),
        json!(1e300),
        json!("7"),
        json!(null),
        json!([1]),
        json!(0),
    ];
    let mut one = || odd[random.index(odd.len())].clone();
    reply["usage"] = json!({"prompt_tokens": one(), "completion_tokens": one(), "total_tokens": one(),
        "cost": one(), "prompt_tokens_details": one()});
    reply["model"] = json!(format!("evil\n\u{1b}[2J\0{}", "m".repeat(50_000)));
    Step::json(&reply)
}

/// Refusals with times that cannot be.
fn late(random: &mut Random) -> Step {
    let times = [
        "-1",
        "0",
        "1e99",
        "18446744073709551615",
        "99999999999999999999999",
        "Thu, 01 Jan 1970 00:00:00 GMT",
        "Fri, 31 Dec 9999 23:59:59 GMT",
        "soon",
        "0x10",
        "",
    ];
    let status = [429, 503, 413, 408, 425][random.index(5)];
    let step = Step::status(status).header("retry-after", pick(random, &times));
    step.header("x-ratelimit-reset", pick(random, &times))
        .header("retry-after-ms", pick(random, &times))
}

/// Streams, cut at any byte, in any pieces.
fn streamed(random: &mut Random, text: &str) -> Step {
    let whole = Step::streamed(text);
    let length = whole.body_bytes().len();
    match random.below(6) {
        0 => whole.cut_after(random.index(length)),
        1 => {
            let body = whole.body_bytes()[..random.index(length)].to_vec();
            whole.body(body).until_close()
        }
        2 => {
            let sizes: Vec<usize> = (0..20).map(|_| random.between(1, 40)).collect();
            whole.chunks(&sizes)
        }
        3 => {
            let body = whole.body_bytes().repeat(2);
            whole.body(body)
        }
        4 => {
            let mut body = whole.body_bytes().to_vec();
            body[random.index(length)] = [0, 0xff, b'\n', b'"'][random.index(4)];
            whole.body(body)
        }
        _ => whole,
    }
}

fn refused(random: &mut Random, text: &str) -> Step {
    let status = [
        400, 401, 402, 403, 404, 405, 418, 422, 500, 502, 504, 529, 999,
    ][random.index(13)];
    let body = match random.below(4) {
        0 => json!({"error": {"message": text, "code": text}}).to_string(),
        1 => {
            let tokens = pick(random, &["0", "1", "300", "1099511627776"]);
            json!({"error": format!("maximum context length is {tokens} tokens")}).to_string()
        }
        2 => text.to_owned(),
        _ => "<html>".repeat(10_000),
    };
    Step::status(status).body(body)
}

/// Bytes that are no text, no JSON, or too much of it.
fn bytes(random: &mut Random, text: &str) -> Step {
    let mut body = answer(text).to_string().into_bytes();
    match random.below(5) {
        0 => {
            let at = random.index(body.len());
            body[at] = [0, 0xc3, 0xff, 0x80][random.index(4)];
        }
        1 => body.truncate(random.index(body.len())),
        2 => body = format!("{}1{}", "[".repeat(10_000), "]".repeat(10_000)).into_bytes(),
        3 => body.splice(0..0, *b"\xef\xbb\xbf").for_each(drop),
        _ => body.resize(2 << 20, b' '),
    }
    Step::status(200)
        .header("content-type", "application/json")
        .body(body)
}
