//! Streamed answers over real TCP: however they are cut into pieces, wherever they break off or fall
//! silent, and what is not waited for.

use super::{ask, ask_step, config, question};
use crate::peer::{Peer, Request, Step, event, said};
use kjxlkj_agent::config::ProviderConfig;
use kjxlkj_agent::core::protocol::{AllowedTags, ConstraintKind, EarlyStop, Tag};
use kjxlkj_agent::failure::Code;
use kjxlkj_agent::provider::{
    Constraint, FinishReason, HttpProvider, LlmProvider as _, LlmReply, LlmRequest, Objection,
    ProviderError, ask_alone,
};
use serde_json::{Value, json};
use std::time::Duration;

const REPLY: &str = "<ram_add><key>plan</key><value>\u{8336} and \u{1f375}</value></ram_add>";

fn ended() -> Value {
    json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]})
}

/// What an answer says, without how long it took.
fn told(mut reply: LlmReply) -> LlmReply {
    reply.arrival.first_token_ms = None;
    reply
}

/// Waits until the client has closed a connection; it does so on this runtime.
async fn hung_up(peer: Peer) {
    let waiting = move || peer.wait_for_hang_ups(1, super::DEADLINE);
    tokio::task::spawn_blocking(waiting).await.unwrap();
}

fn body_bytes(step: &Step) -> usize {
    step.body_bytes().len()
}

#[tokio::test]
async fn a_stream_that_is_split_at_any_byte_says_the_same() {
    let whole = ask_step(Step::streamed(REPLY)).await.unwrap();
    assert_eq!(whole.text, REPLY);
    assert_eq!(
        (whole.usage.input_tokens, whole.usage.output_tokens),
        (11, 7)
    );
    assert_eq!(
        (whole.finish, whole.model.as_deref()),
        (FinishReason::Stop, Some("peer-model"))
    );
    assert!(whole.arrival.first_token_ms.is_some() && !whole.arrival.usage_is_estimated);
    let whole = told(whole);

    let bytes = body_bytes(&Step::streamed(REPLY));
    let peer = Peer::start();
    let provider = HttpProvider::new(&config(&peer.base_url())).unwrap();
    for at in 1..bytes {
        peer.push(Step::streamed(REPLY).chunks(&[at]));
        let reply = provider.complete(&question()).await.unwrap();
        assert_eq!(told(reply), whole, "split at {at}");
    }
    peer.push(Step::streamed(REPLY).chunks(&vec![1; bytes]));
    let reply = provider.complete(&question()).await.unwrap();
    assert_eq!(told(reply), whole);
}

#[tokio::test]
async fn a_stream_may_say_the_wrong_thing_of_itself_and_keep_alive() {
    let comments = b": OPENROUTER PROCESSING\n\n".to_vec();
    let mut body = comments.clone();
    body.extend_from_slice(
        event(
            &json!({"choices": [{"delta": {"role": "assistant", "content": null,
                                             "reasoning": "hm"}}]}),
        )
        .as_bytes(),
    );
    body.extend_from_slice(&comments);
    body.extend_from_slice(Step::streamed(REPLY).body_bytes());
    for kind in [
        "text/event-stream",
        "Text/Event-Stream;charset=utf-8",
        "application/json",
        "x",
    ] {
        let step = Step::status(200)
            .header("content-type", kind)
            .body(body.clone());
        let reply = ask_step(step).await.unwrap();
        assert_eq!(reply.text, REPLY, "{kind}");
        assert_eq!(reply.reasoning.as_deref(), Some("hm"), "{kind}");
        assert_eq!(reply.usage.input_tokens, 11, "{kind}");
    }
}

#[tokio::test]
async fn a_stream_counts_only_when_it_is_complete() {
    let step = Step::streamed(REPLY);
    let bytes = step.body_bytes().to_vec();
    let finished = String::from_utf8(bytes.clone()).unwrap();
    let finished = finished.find("\"stop\"").unwrap();
    for at in (0..bytes.len()).step_by(7) {
        for step in [
            step.clone().cut_after(at),
            Step::events(&[]).body(&bytes[..at]).until_close(),
        ] {
            match ask_step(step).await {
                Ok(reply) => {
                    assert!(at > finished, "complete after {at} of {finished} bytes");
                    assert_eq!(reply.text, REPLY);
                }
                Err(error) => {
                    assert_eq!(error.code, Code::ProviderBadResponse, "{at}");
                    assert!(error.retry, "{at}");
                }
            }
        }
    }
    // The end was told, though not by its own word; only the count is missing.
    let reply = ask_step(Step::events(&[said(REPLY), ended()]))
        .await
        .unwrap();
    assert_eq!(reply.text, REPLY);
    assert!(reply.arrival.usage_is_estimated && reply.usage.input_tokens > 0);
    assert_eq!(reply.arrival.early_stop, None);
}

#[tokio::test]
async fn what_a_stream_says_is_wrong_is_the_answer() {
    let failures = [
        (
            json!({"error": {"code": 502, "message": "x"},
                "choices": [{"delta": {"content": ""}, "finish_reason": "error"}]}),
            Code::ProviderServerError,
            true,
        ),
        (
            json!({"error": "the model has crashed"}),
            Code::ProviderServerError,
            true,
        ),
        (
            json!({"choices": [{"delta": {}, "error": {"code": 429, "message": "x"}}]}),
            Code::RateLimited,
            true,
        ),
        (
            json!({"error": {"code": 401, "message": "x"}}),
            Code::ProviderAuthError,
            false,
        ),
        (
            json!({"error": {"message": "Trying to keep the first 9000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough"}}),
            Code::ProviderContextExceeded,
            false,
        ),
    ];
    for (failure, code, retry) in failures {
        let shown = failure.to_string();
        for before in [
            vec![],
            vec![said("<ram_delete><key>plan</key></ram_delete>")],
        ] {
            let mut events = before;
            events.extend([failure.clone(), ended()]);
            let error = ask_step(Step::events(&events)).await.unwrap_err();
            assert_eq!((error.code, error.retry), (code, retry), "{shown}");
        }
    }
    let nothing = ask_step(Step::events(&[]).body("data: [DONE]\n\n"))
        .await
        .unwrap_err();
    assert_eq!((nothing.code, nothing.retry), (Code::LlmEmptyReply, true));
}

/// Some servers tell the end, and then neither count nor hang up.
#[tokio::test]
async fn a_count_that_never_comes_is_not_waited_for() {
    let peer = Peer::start();
    peer.push(Step::events(&[said(REPLY), ended()]).then_endlessly(": ping\n\n"));
    let patient = 600_000;
    let config = ProviderConfig {
        stall_timeout_ms: patient,
        timeout_ms: patient,
        ..config(&peer.base_url())
    };
    let reply = tokio::time::timeout(super::DEADLINE, ask(&config)).await;
    assert_eq!(reply.unwrap().unwrap().text, REPLY);
}

#[tokio::test]
async fn a_model_that_falls_silent_is_given_up_and_one_that_thinks_is_not() {
    let stalled = async |step: Step| -> Result<LlmReply, ProviderError> {
        let peer = Peer::start();
        peer.push(step);
        let config = ProviderConfig {
            stall_timeout_ms: 50,
            ..config(&peer.base_url())
        };
        ask(&config).await
    };
    let step = Step::streamed(REPLY);
    let first = event(&said("<ram_add><key>plan</key><value>\u{8336} ")).len();
    let error = stalled(step.clone().stall_after(first)).await.unwrap_err();
    assert_eq!((error.code, error.retry), (Code::LlmTimeout, true));
    assert!(error.message.contains("fell silent"), "{error}");
    // That the server lives says nothing of the model.
    let alive = Step::events(&[said("<ram_add>")]).then_endlessly(": ping\n\n");
    assert_eq!(stalled(alive).await.unwrap_err().code, Code::LlmTimeout);
    // The answer is complete, though the server goes on to say so only by a count.
    let at_end = Step::events(&[said(REPLY), ended()]);
    let bytes = body_bytes(&at_end);
    let reply = stalled(
        step.body([at_end.body_bytes(), b"data: "].concat())
            .stall_after(bytes),
    );
    assert_eq!(reply.await.unwrap().text, REPLY);
    // Before its first word a model may take its time: here many times as long.
    let thinks = format!("{}{}", ": PROCESSING\n\n".repeat(5), event(&said(REPLY)));
    let thinks = thinks.replace("\"finish_reason\":null", "\"finish_reason\":\"stop\"");
    let thinks = Step::events(&[])
        .body(thinks)
        .drip(Duration::from_millis(2));
    assert_eq!(stalled(thinks).await.unwrap().text, REPLY);
}

#[tokio::test]
async fn the_wall_clock_ends_a_stream_that_never_does() {
    let peer = Peer::start();
    peer.push(Step::events(&[]).then_endlessly(": ping\n\n"));
    let config = ProviderConfig {
        timeout_ms: 100,
        ..config(&peer.base_url())
    };
    let error = ask(&config).await.unwrap_err();
    assert_eq!((error.code, error.retry), (Code::LlmTimeout, true));
    hung_up(peer).await;
}

#[tokio::test]
async fn what_cannot_count_is_not_waited_for_and_the_server_is_told_so() {
    let one = "<ram_delete><key>plan</key></ram_delete>";
    let call =
        "<actions><action><kind>ls</kind><target_path>/storage</target_path></action></actions>";
    let open = "<ram_add><key>plan</key><value>tea";
    // Longer than what counts as one short piece over and over.
    let remark = " I hope that this was what you wanted of me, for I have thought about it all day \
                  long and could not come up with anything that would have been any better.";
    let cases = [
        (one, remark, EarlyStop::Repetition, FinishReason::Stop),
        (call, remark, EarlyStop::Repetition, FinishReason::Stop),
        (
            one,
            "<record_fetch>",
            EarlyStop::ForeignTag,
            FinishReason::Stop,
        ),
        (one, one, EarlyStop::Repetition, FinishReason::Stop),
        (open, ", tea", EarlyStop::Repetition, FinishReason::Length),
    ];
    for (text, tail, reason, finish) in cases {
        let peer = Peer::start();
        peer.push(Step::events(&[said(text)]).then_endlessly(event(&said(tail))));
        let provider = HttpProvider::new(&config(&peer.base_url())).unwrap();
        let question = LlmRequest {
            allowed_tags: Tag::ALL.into_iter().collect::<AllowedTags>(),
            ..question()
        };
        let reply = provider.complete(&question).await.unwrap();
        assert_eq!(reply.arrival.early_stop, Some(reason), "{text}{tail}");
        assert_eq!(reply.finish, finish, "{text}{tail}");
        assert!(reply.text.starts_with(text) && reply.text.len() < text.len() * 2 + 600);
        assert!(reply.arrival.usage_is_estimated, "no count can have come");
        assert!(reply.usage.input_tokens > 0 && reply.usage.output_tokens > 0);
        assert!(reply.usage.output_tokens < 600, "{:?}", reply.usage);
        hung_up(peer).await;
    }
}

/// Under a grammar a text ends at its own closing tag alone, so what it quotes ends nothing.
#[tokio::test]
async fn a_value_that_quotes_closing_tags_is_never_ended_early() {
    let text = "<record_add><keywords>tags</keywords><value>It ends with </record_add>. Then came \
                <one></one><two></two><three></three><four></four> and more.</value></record_add>";
    let grammar = Constraint {
        kind: ConstraintKind::Gbnf,
        text: "root ::= [^x]*".into(),
    };
    for (constraint, early_stop) in [
        (Some(grammar), None),
        // Without one nobody can know, and what looks like the end is taken for it.
        (None, Some(EarlyStop::ForeignTag)),
    ] {
        let peer = Peer::start();
        let events: Vec<Value> = text
            .split_inclusive(' ')
            .map(said)
            .chain([ended()])
            .collect();
        peer.push(Step::events(&events));
        let provider = HttpProvider::new(&config(&peer.base_url())).unwrap();
        let question = LlmRequest {
            allowed_tags: Tag::ALL.into_iter().collect::<AllowedTags>(),
            constraint,
            ..question()
        };
        let reply = provider.complete(&question).await.unwrap();
        assert_eq!(reply.arrival.early_stop, early_stop);
        assert_eq!(reply.text == text, early_stop.is_none(), "{}", reply.text);
    }
}

#[tokio::test]
async fn a_server_that_cannot_stream_is_asked_for_whole_answers() {
    let refusals = [
        r#"{"error": "unrecognized field: stream_options"}"#,
        r#"{"error": {"message": "This server does not support streaming.", "code": 400}}"#,
    ];
    let peer = Peer::start();
    for refusal in refusals {
        peer.push(Step::status(400).body(refusal));
    }
    peer.push(Step::reply("a"));
    peer.push(Step::reply("b"));
    let provider = HttpProvider::new(&config(&peer.base_url())).unwrap();
    assert_eq!(ask_alone(&provider, &question()).await.unwrap().text, "a");
    let other = provider.with_model("other").unwrap();
    assert_eq!(other.complete(&question()).await.unwrap().text, "b");
    let asked: Vec<Value> = peer.requests().iter().map(Request::json).collect();
    let streams: Vec<&Value> = asked.iter().map(|body| &body["stream"]).collect();
    assert_eq!(streams, [true, true, false, false]);
    let counted: Vec<bool> = asked
        .iter()
        .map(|body| body.get("stream_options").is_some())
        .collect();
    assert_eq!(counted, [true, false, false, false]);

    // Any other refusal is one.
    peer.push(Step::status(400).body(r#"{"error": "no such model"}"#));
    let fresh = HttpProvider::new(&config(&peer.base_url())).unwrap();
    let error = fresh.complete(&question()).await.unwrap_err();
    assert_eq!(error.code, Code::ProviderInvalidRequest);
    assert_eq!(error.objection, Objection::Body);
    assert_eq!(peer.request_count(), 5);
}

#[tokio::test]
async fn without_streaming_nothing_of_it_is_asked_for() {
    let peer = Peer::start();
    let whole = ProviderConfig {
        stream: false,
        ..config(&peer.base_url())
    };
    peer.push(Step::reply("hi"));
    assert_eq!(ask(&whole).await.unwrap().text, "hi");
    let body = peer.requests()[0].json();
    assert_eq!(body["stream"], false);
    assert!(body.get("stream_options").is_none());
}
