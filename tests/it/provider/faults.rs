//! Servers that fail, lie or attack. Each row of the table is one behaviour on a real connection; all
//! of them are also asked not to show the key or the prompt.

use super::{KEY, ask, ask_step, meets_the_timeout, question, with_key};
use crate::peer::{NOBODY, Peer, Step};
use kjxlkj_agent::failure::Code;
use kjxlkj_agent::provider::{HttpProvider, LlmProvider as _, ProviderError};
use serde_json::json;
use std::sync::Arc;
use std::time::Duration;
use tokio::task::spawn_blocking;

/// One behaviour: the step, the code, whether it is worth a repeat, and words of the message.
type Row = (&'static str, Step, Code, bool, &'static str);

async fn check(rows: Vec<Row>) {
    for (name, step, code, retry, words) in rows {
        let error = ask_step(step).await.expect_err(name);
        assert_eq!((error.code, error.retry), (code, retry), "{name}: {error}");
        assert!(error.message.contains(words), "{name}: {error}");
        assert!(
            error.message.starts_with("http://127.0.0.1:"),
            "{name}: {error}"
        );
        assert_silent(name, &error);
    }
}

fn assert_silent(name: &str, error: &ProviderError) {
    let shown = format!("{error} {error:?}");
    for secret in [KEY, &KEY[4..24], "Bearer", "geese fly at dawn"] {
        assert!(!shown.contains(secret), "{name}: {shown}");
    }
}

fn error(status: u16, error: &serde_json::Value) -> Step {
    Step::status(status).body(json!({ "error": error }).to_string())
}

#[tokio::test]
async fn unreachable_servers_are_unavailable() {
    let refused = ask(&with_key(NOBODY[0])).await.unwrap_err();
    assert_eq!((refused.code, refused.retry), (Code::LlmUnavailable, true));
    assert!(refused.message.contains("refused"), "{refused}");

    // A label of a name has at most 63 bytes (RFC 1035), so no server is even asked about this one.
    let nameless = format!("http://{}.invalid/v1", "x".repeat(64));
    let nameless = ask(&with_key(&nameless)).await.unwrap_err();
    assert_eq!(
        (nameless.code, nameless.retry),
        (Code::LlmUnavailable, true)
    );

    let peer = Peer::start();
    let tls = with_key(&peer.base_url().replace("http:", "https:"));
    // A machine without root certificates cannot even begin; that is the same code.
    let code = match HttpProvider::new(&tls) {
        Ok(provider) => provider.complete(&question()).await.unwrap_err().code,
        Err(failure) => failure.code,
    };
    assert_eq!(code, Code::LlmUnavailable);
}

#[tokio::test]
async fn silence_and_drip_end_at_the_timeout() {
    let steps = [
        Step::hang(),
        Step::reply("late").drip(Duration::from_millis(50)),
        // A good head, then silence.
        Step::reply("late").stall_after(20),
    ];
    for step in steps {
        meets_the_timeout(step, 100).await;
    }
}

#[tokio::test]
async fn a_cut_answer_is_never_an_answer() {
    let whole = Step::reply("Grüße").chunks(&[]);
    let inside_a_character =
        Step::status(200).body(&b"{\"choices\":[{\"message\":{\"content\":\"Gr\xc3"[..]);
    let bad = Code::ProviderBadResponse;
    check(vec![
        (
            "cut body",
            Step::reply("hello").cut_after(40),
            bad,
            true,
            "cut short",
        ),
        (
            "cut at once",
            Step::reply("hello").cut_after(0),
            bad,
            true,
            "cut short",
        ),
        (
            "close-delimited and cut",
            Step::status(200)
                .body("{\"choices\": [{\"mess")
                .until_close(),
            bad,
            true,
            "cut short",
        ),
        (
            "inside a character",
            inside_a_character.until_close(),
            bad,
            true,
            "cut short",
        ),
        (
            "chunks without an end",
            Step::raw("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\n{\"cho\r\n"),
            bad,
            true,
            "cut short",
        ),
        (
            "length beyond the body",
            Step::raw("HTTP/1.1 200 OK\r\ncontent-length: 500\r\n\r\n{\"choices\":[]}"),
            bad,
            true,
            "cut short",
        ),
        (
            "closed without a word",
            Step::raw(""),
            Code::LlmUnavailable,
            true,
            "broke",
        ),
        (
            "cut head",
            Step::raw("HTTP/1.1 200 O"),
            Code::LlmUnavailable,
            true,
            "broke",
        ),
    ])
    .await;
    assert_eq!(ask_step(whole).await.unwrap().text, "Grüße");
}

#[tokio::test]
async fn an_unfinished_reply_is_not_a_reply() {
    let finished = |reason: &str| {
        Step::json(&json!({"choices": [{"message": {"content": "x"}, "finish_reason": reason}]}))
    };
    let only_reasoned = |reason: &str| {
        Step::json(&json!({"choices": [{"finish_reason": reason,
            "message": {"content": "", "reasoning_content": "hm"}}]}))
    };
    let server = Code::ProviderServerError;
    check(vec![
        (
            "filter",
            finished("content_filter"),
            server,
            false,
            "content filter",
        ),
        ("error", finished("error"), server, true, "failed while"),
        (
            "abort",
            finished("abort"),
            Code::ProviderBadResponse,
            true,
            "not understood: abort",
        ),
        (
            "cut reasoning",
            only_reasoned("length"),
            Code::LlmReplyTruncated,
            false,
            "reasoning",
        ),
        (
            "reasoning alone",
            only_reasoned("stop"),
            Code::LlmEmptyReply,
            true,
            "only reasoned",
        ),
    ])
    .await;
}

#[tokio::test]
async fn bodies_that_are_no_answer_are_refused() {
    let bad = Code::ProviderBadResponse;
    let body = |body: &str| Step::status(200).body(body);
    let utf16: Vec<u8> = "\u{feff}{}"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    check(vec![
        (
            "html",
            body("<html>hi</html>").header("content-type", "text/html"),
            bad,
            true,
            "JSON",
        ),
        ("empty body", body(""), bad, true, "no body"),
        ("no content", Step::status(204), bad, true, "no body"),
        ("array", body("[]"), bad, true, "JSON"),
        (
            "broken JSON",
            body("{\"choices\": oops}"),
            bad,
            true,
            "JSON",
        ),
        ("two documents", body("{}{}"), bad, true, "JSON"),
        (
            "other JSON",
            body("{\"choices\": 7}"),
            bad,
            false,
            "not a chat answer",
        ),
        ("UTF-8 mark", body("\u{feff}{}"), bad, true, "JSON"),
        (
            "UTF-16",
            Step::status(200).body(utf16),
            Code::XmlParseError,
            false,
            "UTF-8",
        ),
        (
            "not UTF-8",
            Step::status(200).body(&b"{\"choices\":\"\xff\"}"[..]),
            Code::XmlParseError,
            false,
            "UTF-8",
        ),
    ])
    .await;
}

#[tokio::test]
async fn answers_without_text_are_empty() {
    let empty = Code::LlmEmptyReply;
    let body = |body: &str| Step::status(200).body(body);
    let content = |content: &str| {
        body(&format!(
            "{{\"choices\":[{{\"message\":{{\"content\":{content}}}}}]}}"
        ))
    };
    check(vec![
        ("object", body("{}"), empty, true, "no text"),
        (
            "no choice",
            body("{\"choices\": []}"),
            empty,
            true,
            "no text",
        ),
        (
            "null choices",
            body("{\"choices\": null}"),
            empty,
            true,
            "no text",
        ),
        ("null content", content("null"), empty, true, "no text"),
        ("blank content", content("\" \\n\""), empty, true, "no text"),
        ("odd content", content("{\"a\": 1}"), empty, true, "no text"),
        (
            "no parts",
            content("[{\"type\": \"image\"}]"),
            empty,
            true,
            "no text",
        ),
        (
            "runaway",
            content(&format!("\"{}\"", "la ".repeat(100_000))),
            Code::LlmReplyRunaway,
            false,
            "longer",
        ),
    ])
    .await;
}

#[tokio::test]
async fn an_endless_answer_is_cut_at_the_limit() {
    let peer = Arc::new(Peer::start());
    peer.push(Step::endless());
    let error = ask(&with_key(&peer.base_url())).await.unwrap_err();
    assert_eq!(
        (error.code, error.retry),
        (Code::ProviderBadResponse, false)
    );
    assert!(
        error.message.contains("larger than 1048576 bytes"),
        "{error}"
    );
    // The connection is closed: what got out beyond the limit lay in socket buffers.
    let closed = Arc::clone(&peer);
    let closed = spawn_blocking(move || closed.wait_for_hang_ups(1, super::DEADLINE));
    closed.await.unwrap();
    assert!(peer.endless_bytes() < 64 * 1024 * 1024);

    let announced = Step::raw("HTTP/1.1 200 OK\r\ncontent-length: 99999999999\r\n\r\n{");
    check(vec![(
        "announced",
        announced,
        Code::ProviderBadResponse,
        false,
        "larger than",
    )])
    .await;
}

#[tokio::test]
async fn a_packed_answer_is_not_unpacked() {
    let bad = Code::ProviderBadResponse;
    let packed = |encoding| Step::reply("hi").header("content-encoding", encoding);
    check(vec![
        ("gzip", packed("gzip"), bad, false, "compressed"),
        ("br", packed("br"), bad, false, "compressed"),
        (
            "both",
            packed("identity").header("content-encoding", "gzip"),
            bad,
            false,
            "compressed",
        ),
    ])
    .await;
}

#[tokio::test]
async fn a_redirect_is_never_followed() {
    let elsewhere = Peer::start();
    for status in [301, 302, 303, 307, 308] {
        for target in [
            &elsewhere.base_url(),
            "http://169.254.169.254/",
            "https://x.invalid/",
        ] {
            let step = Step::status(status).header("location", target);
            let error = ask_step(step).await.unwrap_err();
            assert_eq!(
                (error.code, error.retry),
                (Code::ProviderBadResponse, false)
            );
            assert!(error.message.contains("redirect refused"), "{error}");
            assert!(!error.message.contains(target), "{error}");
        }
    }
    assert_eq!(elsewhere.connection_count(), 0);
}

/// A day, in milliseconds.
const DAY_MS: u64 = 86_400_000;

/// The longest wait that a server is believed, in milliseconds.
const LONGEST_MS: u64 = 32 * DAY_MS;

#[tokio::test]
async fn retry_after_is_honoured_within_bounds() {
    let date = "Wed, 21 Oct 2026 07:28:00 GMT";
    let cases = [
        ("7", Some(7000)),
        (" 0 ", Some(0)),
        ("120", Some(120_000)),
        ("3600", Some(3_600_000)),
        ("2592000", Some(30 * DAY_MS)),
        ("2764800", Some(LONGEST_MS)),
        // Further away than any limit is: waited for as long as for the longest.
        ("2764801", Some(LONGEST_MS)),
        ("1000000000", Some(LONGEST_MS)),
        ("99999999999999999999999999", Some(LONGEST_MS)),
        ("Wed, 21 Oct 2026 07:28:30 GMT", Some(30_000)),
        ("Fri, 21 Oct 2026 07:28:30 GMT", None),
        ("Thu, 22 Oct 2026 07:28:00 GMT", Some(86_400_000)),
        ("Fri, 20 Nov 2026 07:28:00 GMT", Some(30 * DAY_MS)),
        ("Thu, 21 Oct 2027 07:28:00 GMT", Some(LONGEST_MS)),
        ("Wed, 21 Oct 2026 07:27:00 GMT", None),
        ("-5", None),
        ("1.5", None),
        ("soon", None),
        ("", None),
    ];
    for status in [429, 503] {
        for (asked, pause_ms) in cases {
            let step = Step::status(status)
                .header("retry-after", asked)
                .header("date", date);
            let error = ask_step(step).await.unwrap_err();
            assert!(error.retry);
            assert_eq!(error.retry_after_ms, pause_ms, "{asked:?}");
        }
    }
    let undated = Step::status(429).header("retry-after", "Wed, 21 Oct 2026 07:28:30 GMT");
    assert_eq!(ask_step(undated).await.unwrap_err().retry_after_ms, None);
}

#[tokio::test]
async fn a_limit_that_resets_at_a_known_time_holds_until_then() {
    let date = "Wed, 21 Oct 2026 07:28:00 GMT";
    let hour = Some(3_600_000);
    let cases = [
        (403, json!("2026-10-21T08:28:00Z"), Code::RateLimited, hour),
        (403, json!(1_792_571_280), Code::RateLimited, hour),
        (403, json!(1_792_571_280_000_u64), Code::RateLimited, hour),
        (
            429,
            json!("2026-11-20T07:28:00Z"),
            Code::RateLimited,
            Some(30 * DAY_MS),
        ),
        // Further away than any limit is: as long as for the longest.
        (
            429,
            json!("2027-10-21T07:28:00Z"),
            Code::RateLimited,
            Some(LONGEST_MS),
        ),
        // No time at all.
        (429, json!("2126-10-21T07:28:00Z"), Code::RateLimited, None),
        (
            429,
            json!(9_999_999_999_999_999_u64),
            Code::RateLimited,
            None,
        ),
        (429, json!("2026-10-21T08:28:00Z"), Code::RateLimited, hour),
        (
            403,
            json!("2026-10-21T07:00:00Z"),
            Code::ProviderAuthError,
            None,
        ),
        (403, json!("soon"), Code::ProviderAuthError, None),
        (
            401,
            json!("2026-10-21T08:28:00Z"),
            Code::ProviderAuthError,
            None,
        ),
    ];
    for (status, resets_at, code, wait_ms) in cases {
        let said = json!({"message": "used up", "metadata": {"resets_at": resets_at}});
        let step = error(status, &said).header("date", date);
        let error = ask_step(step).await.unwrap_err();
        assert_eq!(
            (error.code, error.retry_after_ms),
            (code, wait_ms),
            "{status} {resets_at}"
        );
        assert_eq!(error.retry, status == 429 || wait_ms.is_some());
        // The same once the headers of a good answer are out.
        let inside = json!({"error": {"code": status, "message": "used up",
            "metadata": {"resets_at": resets_at}}});
        let events = format!("data: {inside}\n\n");
        for step in [Step::json(&inside), Step::events(&[]).body(events)] {
            let error = ask_step(step.header("date", date)).await.unwrap_err();
            let told = (error.code, error.retry_after_ms);
            assert_eq!(told, (code, wait_ms), "{status} {resets_at}");
        }
    }
}

/// `OpenRouter`'s own daily limit: milliseconds since 1970, in a header, and once more in the body.
#[tokio::test]
async fn a_limit_of_calls_that_a_market_resets_holds_until_then() {
    let date = "Wed, 21 Oct 2026 07:28:00 GMT";
    let hour = Some(3_600_000);
    let in_header = |status: u16, reset: &str, left: &str| {
        error(
            status,
            &json!({"code": status, "message": "free-models-per-day"}),
        )
        .header("date", date)
        .header("x-ratelimit-limit", "50")
        .header("x-ratelimit-remaining", left)
        .header("x-ratelimit-reset", reset)
    };
    let told = json!({"code": 429, "message": "free-models-per-day",
        "metadata": {"headers": {"X-RateLimit-Reset": "1792571280000"}}});
    let cases = [
        ("header", in_header(429, "1792571280000", "0"), hour),
        ("seconds", in_header(429, "1792571280", "0"), hour),
        ("body", error(429, &told).header("date", date), hour),
        ("undated", error(429, &told), None),
        // Another limit was met than this one.
        ("left", in_header(429, "1792571280000", "7"), None),
        ("over", in_header(429, "1792567680000", "0"), None),
        (
            "a month",
            in_header(429, "1795159680000", "0"),
            Some(30 * DAY_MS),
        ),
        (
            "a year",
            in_header(429, "1824107280000", "0"),
            Some(LONGEST_MS),
        ),
        ("too far", in_header(429, "17925712800000", "0"), None),
        ("a span", in_header(429, "6m0s", "0"), None),
        ("other status", in_header(500, "1792571280000", "0"), None),
    ];
    for (name, step, wait_ms) in cases {
        let failed = ask_step(step).await.unwrap_err();
        assert_eq!(
            (failed.retry_after_ms, failed.retry),
            (wait_ms, true),
            "{name}"
        );
    }
}

/// `FastAPI` and pydantic list what is wrong with a request.
#[tokio::test]
async fn a_refusal_that_is_a_list_says_what_its_first_entry_says() {
    let entry = json!({"type": "extra_forbidden", "loc": ["body", "top_k", 0],
        "msg": "Extra inputs are not permitted", "input": "geese fly at dawn"});
    let words = "(HTTP 422): body.top_k.0: Extra inputs are not permitted";
    let refusal = |body: &serde_json::Value| Step::status(422).body(body.to_string());
    let told = |message: &str| json!({"detail": [{"loc": [], "msg": message}]});
    let code = Code::ProviderInvalidRequest;
    check(vec![
        (
            "detail",
            refusal(&json!({"detail": [entry, 7]})),
            code,
            false,
            words,
        ),
        (
            "message",
            refusal(&json!({"object": "error", "message": {"detail": [entry]}})),
            code,
            false,
            words,
        ),
        (
            "error",
            refusal(&json!({"error": [entry]})),
            code,
            false,
            words,
        ),
        (
            "text",
            refusal(&json!({"detail": ["no such field"]})),
            code,
            false,
            "no such field",
        ),
        (
            "no place",
            refusal(&told("what is this")),
            code,
            false,
            "(HTTP 422): what is this",
        ),
        // Withheld like any other words that repeat ours.
        (
            "key",
            refusal(&told(KEY)),
            code,
            false,
            "the request was refused (HTTP 422)",
        ),
        (
            "empty",
            refusal(&json!({"detail": []})),
            code,
            false,
            "the request was refused (HTTP 422)",
        ),
        (
            "odd",
            refusal(&json!({"detail": [[1], {"loc": 7}]})),
            code,
            false,
            "refused (HTTP 422)",
        ),
    ])
    .await;
}

#[tokio::test]
async fn a_pause_that_stands_in_the_body_is_kept() {
    let cases = [
        (json!(7), Some(7_000)),
        (json!(1.5), Some(1_500)),
        (json!(1e300), None),
        (json!(2_592_000), Some(30 * DAY_MS)),
        (json!(9_999_999), Some(LONGEST_MS)),
        (json!(-3), None),
        (json!("soon"), None),
    ];
    for (asked, wait_ms) in cases {
        let said =
            json!({"message": "busy", "availability": {"retryable": true, "retry_after": asked}});
        let failed = ask_step(error(503, &said)).await.unwrap_err();
        assert_eq!(failed.retry_after_ms, wait_ms, "{asked}");
        let inside = Step::json(&json!({"error": {"code": 503, "message": "busy",
            "availability": {"retry_after": asked}}}));
        let failed = ask_step(inside).await.unwrap_err();
        assert_eq!(
            failed.retry_after_ms, wait_ms,
            "{asked} inside a good answer"
        );
    }
}

#[tokio::test]
async fn every_status_has_its_class() {
    let rows: [(u16, Code, bool); 25] = [
        (400, Code::ProviderInvalidRequest, false),
        (401, Code::ProviderAuthError, false),
        (402, Code::ProviderInvalidRequest, false),
        (403, Code::ProviderAuthError, false),
        (404, Code::ProviderNotFound, false),
        (405, Code::ProviderInvalidRequest, false),
        (408, Code::LlmTimeout, true),
        (409, Code::ProviderInvalidRequest, false),
        (410, Code::ProviderInvalidRequest, false),
        (413, Code::ProviderInvalidRequest, false),
        (415, Code::ProviderInvalidRequest, false),
        (422, Code::ProviderInvalidRequest, false),
        (429, Code::RateLimited, true),
        (451, Code::ProviderInvalidRequest, false),
        (500, Code::ProviderServerError, true),
        (501, Code::ProviderServerError, false),
        (502, Code::ProviderServerError, true),
        (503, Code::LlmUnavailable, true),
        (504, Code::LlmTimeout, true),
        (505, Code::ProviderServerError, false),
        (507, Code::ProviderServerError, false),
        (520, Code::ProviderServerError, true),
        (524, Code::ProviderServerError, true),
        (529, Code::ProviderServerError, true),
        (599, Code::ProviderServerError, true),
    ];
    for (status, code, retry) in rows {
        let html = Step::status(status).body("<html>oops</html>");
        let number = "HTTP ";
        check(vec![("status", html, code, retry, number)]).await;
        let said = error(status, &json!({"code": status, "message": "Oh dear"}));
        let words = if code == Code::ProviderAuthError {
            number
        } else {
            ": Oh dear"
        };
        check(vec![("said", said, code, retry, words)]).await;
        // The same object with status 200, as servers send it once the head is out.
        let mut late = error(status, &json!({"code": status, "message": "Oh dear"}));
        late = late.with_good_status();
        check(vec![("late", late, code, retry, words)]).await;
    }
    check(vec![(
        "402 in flight",
        Step::status(402).header("retry-after", "2"),
        Code::RateLimited,
        true,
        "in flight",
    )])
    .await;
}

#[tokio::test]
async fn errors_of_many_shapes_are_understood() {
    let server = Code::ProviderServerError;
    let inside = json!({"choices": [{"message": {"content": "half an ans"}, "finish_reason": "error",
        "error": {"code": 502, "message": "upstream died"}}]});
    let says = |error: serde_json::Value| Step::json(&json!({ "error": error }));
    check(vec![
        (
            "string",
            error(400, &json!("bad field")),
            Code::ProviderInvalidRequest,
            false,
            ": bad field",
        ),
        (
            "in choice",
            Step::json(&inside),
            server,
            true,
            "upstream died",
        ),
        (
            "string in 200",
            says(json!("crashed")),
            server,
            true,
            "is an error: crashed",
        ),
        (
            "code as text",
            says(json!({"code": "429", "message": "slow"})),
            Code::RateLimited,
            true,
            "slow",
        ),
        (
            "code as word",
            says(json!({"code": "weird"})),
            server,
            true,
            "is an error",
        ),
    ])
    .await;
}

#[tokio::test]
async fn errors_of_unusual_servers_are_understood() {
    check(vec![
        (
            "detail",
            Step::status(422).body(r#"{"detail": [{"input": "secret"}]}"#),
            Code::ProviderInvalidRequest,
            false,
            "(HTTP 422)",
        ),
        (
            "top level",
            Step::status(400).body(r#"{"object":"error","message":"no such thing","code":400}"#),
            Code::ProviderInvalidRequest,
            false,
            "no such thing",
        ),
        (
            "no models loaded",
            error(
                400,
                &json!({"code": "model_not_found", "message": "No models loaded"}),
            ),
            Code::ProviderNotFound,
            false,
            "No models loaded",
        ),
        (
            "availability",
            error(
                404,
                &json!({"message": "busy", "availability": {"retryable": true}}),
            ),
            Code::ProviderNotFound,
            true,
            "busy",
        ),
        (
            "steering a terminal",
            error(400, &json!("a\u{1b}[31m\r\nerror[FAKE]: b")),
            Code::ProviderInvalidRequest,
            false,
            ": a [31m error[FAKE]: b",
        ),
    ])
    .await;
}

#[tokio::test]
async fn context_overflow_is_recognised_in_every_dialect() {
    let code = Code::ProviderContextExceeded;
    let says = |status, error: serde_json::Value| super::faults::error(status, &error);
    check(vec![
        (
            "OpenAI",
            says(400, json!({"code": "context_length_exceeded", "message": "This model's maximum context length is 8192 tokens."})),
            code,
            false,
            "8192",
        ),
        (
            "OpenRouter",
            says(400, json!({"code": 400, "message": "Provider error", "metadata": {"error_type": "context_length_exceeded"}})),
            code,
            false,
            "window",
        ),
        (
            "LM Studio",
            says(400, json!("Trying to keep the first 5000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough.")),
            code,
            false,
            "4096",
        ),
        (
            "LM Studio, older",
            says(400, json!("The number of tokens to keep from the initial prompt is greater than the context length (n_keep: 5000>= n_ctx: 4096)")),
            code,
            false,
            "n_ctx: 4096",
        ),
        ("payload", says(413, json!("prompt is too long: 9000 tokens")), code, false, "9000"),
        ("old llama.cpp", says(500, json!("the request exceeds the available context size")), code, false, "window"),
        (
            "inside 200",
            Step::json(&json!({"error": {"code": 400, "type": "exceed_context_size_error", "n_ctx": 2048}})),
            code,
            false,
            "2048",
        ),
    ])
    .await;
}

#[tokio::test]
async fn broken_http_is_an_error_in_bounded_time() {
    let head = "HTTP/1.1 200 OK\r\n";
    let chunked = format!("{head}transfer-encoding: chunked\r\n\r\n");
    let answers = [
        (
            "interim flood",
            "HTTP/1.1 100 Continue\r\n\r\n".repeat(10_000),
        ),
        (
            "many headers",
            format!("{head}{}\r\n", "a: b\r\n".repeat(10_000)),
        ),
        (
            "long header",
            format!("{head}a: {}\r\n\r\n", "b".repeat(1 << 20)),
        ),
        (
            "chunk size overflow",
            format!("{chunked}fffffffffffffffff\r\n{{}}\r\n0\r\n\r\n"),
        ),
        ("bad chunk", format!("{chunked}zz\r\n{{}}\r\n0\r\n\r\n")),
        (
            "two lengths",
            format!("{head}content-length: 2\r\ncontent-length: 3\r\n\r\n{{}}"),
        ),
        ("no HTTP", "SSH-2.0-OpenSSH_9.2\r\n".to_owned()),
        ("HTTP/0.9", "{\"choices\": []}".to_owned()),
        ("garbage", "\u{0}\u{1}\u{2}".repeat(1000)),
    ];
    for (name, bytes) in answers {
        let error = ask_step(Step::raw(bytes)).await.expect_err(name);
        assert!(
            matches!(error.code, Code::ProviderBadResponse | Code::LlmUnavailable),
            "{name}: {error}"
        );
        assert_silent(name, &error);
    }
}

#[tokio::test]
async fn what_is_echoed_is_never_shown() {
    let echo = format!(
        "you sent Authorization: Bearer {KEY} with `my canary prompt: the geese fly at dawn`"
    );
    let object = json!({"message": echo, "type": echo, "code": echo});
    let mut steps = vec![
        Step::json(&json!({ "error": object })),
        Step::json(&json!({ "error": echo })),
        Step::json(&json!({"choices": [{"message": {"content": ""}, "finish_reason": echo}]})),
        Step::json(&json!({"choices": [{"error": object}]})),
        Step::status(200).body(echo.clone()),
        Step::status(200).header("content-encoding", &echo),
        Step::status(429).header("retry-after", &echo),
        Step::status(307).header("location", &format!("http://127.0.0.1:1/?key={KEY}")),
        Step::raw(echo.clone()),
        Step::raw(format!("HTTP/1.1 200 OK\r\n{echo}\r\n\r\n")),
    ];
    for status in [
        300, 400, 401, 402, 403, 404, 408, 413, 418, 422, 429, 500, 503, 529,
    ] {
        steps.push(error(status, &object));
        steps.push(error(status, &json!(echo)));
        steps.push(Step::status(status).body(echo.clone()));
    }
    for step in steps {
        let shown = format!("{step:?}");
        let error = ask_step(step).await.expect_err(&shown);
        assert_silent(&shown, &error);
        if error.code == Code::ProviderAuthError {
            assert!(!error.retry, "{error}");
        }
    }
    let config = with_key(NOBODY[0]);
    let provider = HttpProvider::new(&config).unwrap();
    assert!(!format!("{config:?} {provider:?}").contains(KEY));

    let peer = Peer::start();
    peer.push_models(error(400, &object));
    let provider = HttpProvider::new(&with_key(&peer.base_url())).unwrap();
    assert_silent("models", &provider.models().await.unwrap_err());
}
