//! Servers that lie about sizes, never end, or send what is no text, no JSON or no number: streamed and
//! whole. Whatever comes, the answer is an error of a known class in bounded time and memory, or it is
//! one that the server did give.

use super::{ask, ask_step, meets_the_timeout, question, with_key};
use crate::peer::{Peer, Step, event, said};
use kjxlkj_agent::failure::Code;
use kjxlkj_agent::limits::{REPLY_BODY_BYTES_MAX, STREAM_EVENT_BYTES_MAX};
use kjxlkj_agent::provider::{HttpProvider, LlmProvider as _};
use serde_json::{Value, json};
use std::sync::Arc;

/// A name, what the server does, and what it comes to: a code and whether the same is asked again.
type Row = (&'static str, Step, Code, bool);

const BAD: Code = Code::ProviderBadResponse;
const PLAN: &str = "<ram_delete><key>plan</key></ram_delete>";

fn head(more: &str) -> String {
    format!("HTTP/1.1 200 OK\r\n{more}")
}

fn streamed(body: impl Into<Vec<u8>>) -> Step {
    Step::events(&[]).body(body)
}

fn whole(body: impl Into<Vec<u8>>) -> Step {
    Step::status(200).body(body)
}

fn content(value: &str) -> String {
    format!("{{\"choices\":[{{\"message\":{{\"content\":{value}}}}}]}}")
}

async fn check(rows: Vec<Row>) {
    for (name, step, code, retry) in rows {
        let error = ask_step(step).await.expect_err(name);
        assert_eq!((error.code, error.retry), (code, retry), "{name}: {error}");
        assert!(error.message.len() < 2000, "{name}");
        assert!(
            !error.message.contains(char::is_control),
            "{name}: {error:?}"
        );
    }
}

#[tokio::test]
async fn what_never_ends_is_left_within_bounds() {
    let lines = |block: &str| streamed("").then_endlessly(block.repeat(1000));
    let rows: [(&str, Step, Code, usize); 7] = [
        ("a body", Step::endless(), BAD, REPLY_BODY_BYTES_MAX),
        (
            "a head of many headers",
            Step::flood(head("").as_bytes(), b"a: b\r\n"),
            BAD,
            1 << 20,
        ),
        (
            "a head of one header",
            Step::flood(head("a: ").as_bytes(), &[b'b'; 4096]),
            BAD,
            1 << 20,
        ),
        (
            "a line of a stream",
            lines("data: a"),
            BAD,
            STREAM_EVENT_BYTES_MAX,
        ),
        (
            "one event of a stream",
            lines("data: a\n"),
            BAD,
            4 * STREAM_EVENT_BYTES_MAX,
        ),
        (
            "a refusal",
            Step::status(500).then_endlessly("x".repeat(4096)),
            Code::ProviderServerError,
            1 << 20,
        ),
        (
            "empty events",
            lines("data: {}\n\n"),
            Code::LlmReplyRunaway,
            8 << 20,
        ),
    ];
    for (name, step, code, bytes) in rows {
        let peer = Arc::new(Peer::start());
        peer.push(step);
        let error = ask(&with_key(&peer.base_url())).await.expect_err(name);
        assert_eq!(error.code, code, "{name}: {error}");
        let waiting = Arc::clone(&peer);
        let left = move || waiting.wait_for_hang_ups(1, super::DEADLINE);
        tokio::task::spawn_blocking(left).await.unwrap();
        // What lay in the sockets on its way comes on top.
        assert!(
            peer.endless_bytes() < bytes + (32 << 20),
            "{name}: {}",
            peer.endless_bytes()
        );
    }
    // What comes too slowly for a bound of bytes meets that of time.
    for step in [lines(": ping\n\n"), lines("\n"), lines("retry: 1\n\n")] {
        meets_the_timeout(step, 200).await;
    }
}

#[tokio::test]
async fn of_several_choices_only_the_first_is_read() {
    let other = "<ram_delete><key>steps</key></ram_delete>";
    let choice = |index: Value, name: &str, text: &str| json!({"index": index, "finish_reason": "stop", name: {"content": text}});
    for numbers in [[json!(0), json!(1)], [json!(null), json!(7)]] {
        let [first, second] = &numbers;
        let (ours, theirs) = PLAN.split_at(11);
        let delta = |index: &Value, text: &str| json!({"choices": [{"index": index, "delta": {"content": text}}]});
        let end = json!({"choices": [choice(first.clone(), "delta", "")]});
        let mixed = [
            delta(second, other),
            delta(first, ours),
            delta(second, other),
            delta(first, theirs),
            end,
        ];
        let both = ["delta", "message"].map(|name| {
            json!({"choices": [choice(second.clone(), name, other), choice(first.clone(), name, PLAN)]})
        });
        let [streamed, whole] = both;
        for step in [
            Step::events(&mixed),
            Step::events(&[streamed]),
            Step::json(&whole),
        ] {
            assert_eq!(ask_step(step).await.unwrap().text, PLAN, "{numbers:?}");
        }
    }
}

/// Whatever else a server or a proxy says on a connection is no answer to the next question.
#[tokio::test]
async fn what_was_said_beyond_an_answer_answers_no_other_question() {
    let answer = |text: &str| {
        let body = content(&format!("\"{text}\""));
        format!(
            "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        )
    };
    let early = format!("{}{}", answer("the first"), answer("of another"));
    let half = format!("{}HTTP/1.1 200 OK\r\n", answer("the first"));
    for surplus in [early, half] {
        for _ in 0..20 {
            let peer = Peer::start();
            peer.push(Step::recorded(surplus.clone()));
            peer.push(Step::reply("the second"));
            let provider = HttpProvider::new(&with_key(&peer.base_url())).unwrap();
            for expected in ["the first", "the second"] {
                let reply = provider.complete(&question()).await.unwrap();
                assert_eq!(reply.text, expected);
            }
            assert_eq!(peer.connection_count(), 2, "nothing of it is read on");
        }
    }
}

#[tokio::test]
async fn lengths_that_lie_are_found_out() {
    let body = content("\"hello\"");
    let with = |framing: &str| Step::raw(head(&format!("{framing}\r\n\r\n{body}")));
    let chunk =
        |chunks: &str| Step::raw(head(&format!("transfer-encoding: chunked\r\n\r\n{chunks}")));
    check(vec![
        (
            "shorter than the body",
            with("content-length: 20"),
            BAD,
            true,
        ),
        (
            "longer than the body",
            with("content-length: 2000"),
            BAD,
            true,
        ),
        (
            "longer than anything",
            with("content-length: 18446744073709551615"),
            BAD,
            false,
        ),
        (
            "beyond every number",
            with("content-length: 99999999999999999999999"),
            BAD,
            false,
        ),
        ("below nothing", with("content-length: -1"), BAD, false),
        ("no number", with("content-length: many"), BAD, false),
        (
            "another protocol",
            Step::raw("HTTP/1.1 101 Switching\r\nupgrade: x\r\n\r\n"),
            BAD,
            false,
        ),
        ("a chunk that is cut", chunk("ff\r\n{\"cho"), BAD, true),
        (
            "a chunk larger than it says",
            chunk("3\r\n{\"choices\":[]}\r\n0\r\n\r\n"),
            BAD,
            true,
        ),
        (
            "a chunk of negative size",
            chunk("-5\r\n{}\r\n0\r\n\r\n"),
            BAD,
            true,
        ),
        (
            "an endless name of a chunk",
            chunk(&format!("1;{}", "x".repeat(1 << 20))),
            BAD,
            true,
        ),
        (
            "a packed stream",
            streamed(event(&said("x"))).header("content-encoding", "gzip"),
            BAD,
            false,
        ),
    ])
    .await;
}

#[tokio::test]
async fn what_is_no_text_or_no_json_is_refused() {
    let deep =
        |open: &str, close: &str| format!("{}1{}", open.repeat(10_000), close.repeat(10_000));
    let (list, object) = (deep("[", "]"), deep("{\"a\":", "}"));
    let text = Code::XmlParseError;
    let data = |data: &str| streamed(format!("data: {data}\n\n"));
    check(vec![
        ("a zero byte", whole("{\"choices\": \u{0}}"), BAD, true),
        (
            "a zero byte in a text",
            whole(content("\"a\u{0}b\"")),
            BAD,
            true,
        ),
        ("a zero byte in a stream", data("{\u{0}}"), BAD, true),
        ("nothing but zero bytes", whole(vec![0; 4096]), BAD, true),
        (
            "no UTF-8",
            whole(&b"{\"choices\":[{\"message\":{\"content\":\"\xc3\x28\"}}]}"[..]),
            text,
            false,
        ),
        (
            "no UTF-8 in a stream",
            streamed(&b"data: \xff\n\n"[..]),
            text,
            false,
        ),
        ("half a surrogate", whole(content("\"\\ud800\"")), BAD, true),
        ("lists in lists", whole(list.clone()), BAD, true),
        (
            "objects in objects",
            whole(object.clone()),
            Code::LlmEmptyReply,
            true,
        ),
        ("lists in a content", whole(content(&list)), BAD, true),
        (
            "objects in a usage",
            whole(format!("{{\"usage\":{object}}}")),
            BAD,
            true,
        ),
        (
            "lists in an unknown field",
            whole(format!("{{\"new\":{list}}}")),
            Code::LlmEmptyReply,
            true,
        ),
        ("lists in a stream", data(&list), BAD, true),
        (
            "objects in a stream",
            data(&format!("{{\"choices\":{object}}}")),
            BAD,
            false,
        ),
        (
            "lists in a refusal",
            Step::status(400).body(format!("{{\"error\":{list}}}")),
            Code::ProviderInvalidRequest,
            false,
        ),
    ])
    .await;
}

#[tokio::test]
async fn choices_of_every_other_shape_are_no_answer() {
    let empty = Code::LlmEmptyReply;
    let choices = |choices: Value| Step::json(&json!({ "choices": choices }));
    let delta = |delta: Value| {
        let events = [json!({"choices": [{"delta": delta}]})].map(|it| event(&it));
        streamed(events.concat() + "data: [DONE]\n\n")
    };
    check(vec![
        ("none", choices(json!([])), empty, true),
        ("null", choices(json!(null)), empty, true),
        ("a number", choices(json!(7)), BAD, false),
        ("a text", choices(json!("x")), BAD, false),
        ("an object", choices(json!({"0": {}})), BAD, false),
        ("a list of null", choices(json!([null])), BAD, false),
        ("a list of lists", choices(json!([["message"]])), BAD, false),
        (
            "a message that is a text",
            choices(json!([{"message": "hi"}])),
            BAD,
            false,
        ),
        (
            "a message that is null",
            choices(json!([{"message": null}])),
            empty,
            true,
        ),
        (
            "a content that is a number",
            choices(json!([{"message": {"content": 42}}])),
            empty,
            true,
        ),
        (
            "an answer as older servers have it",
            choices(json!([{"text": "hi"}])),
            empty,
            true,
        ),
        (
            "a reason that is a number",
            choices(json!([{"message": {"content": "x"}, "finish_reason": 1}])),
            BAD,
            true,
        ),
        (
            "a stream of nothing",
            streamed("data: [DONE]\n\n"),
            empty,
            true,
        ),
        ("a stream of null", delta(json!(null)), empty, true),
        (
            "a stream of numbers",
            delta(json!({"content": 42})),
            empty,
            true,
        ),
        ("a stream that is a text", delta(json!("x")), BAD, false),
        (
            "a stream without a word of its end",
            streamed(event(&said("x"))),
            BAD,
            true,
        ),
        ("a stream without anything", streamed(""), BAD, true),
    ])
    .await;
}

#[tokio::test]
async fn odd_counts_prices_and_names_of_a_stream_or_an_answer_harm_nothing() {
    let huge = 0xffff_ffff;
    let rows = [
        (json!(null), None, None),
        (json!("many"), None, None),
        (json!([1, 2]), None, None),
        (json!({}), Some((0, 0)), None),
        (
            json!({"prompt_tokens": "24", "completion_tokens": "7"}),
            Some((0, 0)),
            None,
        ),
        (
            json!({"prompt_tokens": -1, "completion_tokens": 1.5, "cost": -1}),
            Some((0, 0)),
            None,
        ),
        (
            json!({"prompt_tokens": u64::MAX, "completion_tokens": 1e300, "cost": 1e300}),
            Some((huge, huge)),
            None,
        ),
        (
            json!({"prompt_tokens": 24, "completion_tokens": 7, "cost": "0.1"}),
            Some((24, 7)),
            None,
        ),
        (
            json!({"prompt_tokens": 24, "completion_tokens": 7, "cost": 0}),
            Some((24, 7)),
            Some(0),
        ),
    ];
    let name = format!("evil\n\u{1b}[2J\u{0}{}", "x".repeat(100_000));
    for (usage, counted, cost) in rows {
        let ended = json!({"model": name, "choices": [{"delta": {}, "finish_reason": "stop"}], "usage": usage});
        let first =
            json!({"model": name, "choices": [{"delta": {"content": PLAN}}], "usage": null});
        let stream = event(&first) + &event(&ended) + "data: [DONE]\n\n";
        let answer = json!({"model": name, "usage": usage,
            "choices": [{"message": {"content": PLAN}, "finish_reason": "stop"}]});
        for step in [streamed(stream), Step::json(&answer)] {
            let reply = ask_step(step).await.unwrap();
            assert_eq!(reply.text, PLAN);
            let told = (reply.usage.input_tokens, reply.usage.output_tokens);
            assert_eq!(
                reply.arrival.usage_is_estimated,
                counted.is_none(),
                "{usage}"
            );
            match counted {
                Some(counted) => assert_eq!(told, counted, "{usage}"),
                // Where they are left out they are estimated, and said to be.
                None => assert!(told.0 > 0 && told.1 > 0, "{usage}: {told:?}"),
            }
            assert_eq!(reply.arrival.cost_micro_dollars, cost, "{usage}");
            let model = reply.model.unwrap();
            assert!(model.starts_with("evil [2J"), "{model:?}");
            assert!(
                model.len() < 1000 && !model.contains(char::is_control),
                "{model:?}"
            );
        }
    }
}
