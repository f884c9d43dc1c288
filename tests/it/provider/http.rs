//! What the HTTP adapter sends, and what it makes of good answers.

use super::{ask, ask_step, config, question, replay, with_key};
use crate::peer::{NOBODY, Peer, Step};
use kjxlkj_agent::config::{ProviderConfig, ProviderKind, Secret};
use kjxlkj_agent::failure::Code;
use kjxlkj_agent::provider::{FinishReason, HttpProvider, LlmProvider as _, Usage};
use serde_json::{Value, json};
use std::time::Duration;

#[tokio::test]
async fn the_path_is_appended_exactly_once() {
    for ending in ["", "/", "/chat/completions", "/chat/completions/"] {
        let peer = Peer::start();
        peer.push(Step::reply("hi"));
        ask(&config(&(peer.base_url() + ending))).await.unwrap();
        let requests = peer.requests();
        assert_eq!(requests[0].method, "POST");
        assert_eq!(requests[0].path, "/v1/chat/completions", "{ending:?}");
    }
}

#[tokio::test]
async fn the_body_is_what_was_configured() {
    let peer = Peer::start();
    peer.push(Step::reply("hi"));
    let reply = ask(&config(&peer.base_url())).await.unwrap();
    assert_eq!(reply.text, "hi");
    assert_eq!(reply.finish, FinishReason::Stop);
    let requests = peer.requests();
    assert_eq!(
        requests[0].json(),
        json!({
            "model": "nvidia/nemotron-3-nano", "max_tokens": 4096, "temperature": 0.1,
            "stream": true, "stream_options": {"include_usage": true},
            "messages": [
                {"role": "system", "content": "You keep notes."},
                {"role": "user", "content": "An example"},
                {"role": "assistant", "content": "Its answer"},
                {"role": "user", "content": "my canary prompt: the geese fly at dawn"},
            ],
        })
    );
    // Also as text: a parsed 0.1 could hide float noise.
    let body = String::from_utf8(requests[0].body.clone()).unwrap();
    assert!(body.contains(r#""temperature":0.1,"#), "{body}");
    let header = |name| requests[0].header(name);
    assert_eq!(header("content-type"), Some("application/json"));
    assert_eq!(header("accept-encoding"), Some("identity"));
    assert_eq!(header("authorization"), None);
}

type Change = fn(&mut ProviderConfig);

#[tokio::test]
async fn each_of_the_five_settings_reaches_the_request() {
    let (peer, other) = (Peer::start(), Peer::start());
    let plain = config(&peer.base_url());
    let changes: [(&str, Change, Value); 3] = [
        ("model", |it| it.model = "small".to_owned(), json!("small")),
        ("max_tokens", |it| it.max_tokens = 77, json!(77)),
        ("temperature", |it| it.temperature = 0.7, json!(0.7)),
    ];
    for (key, change, expected) in changes {
        peer.push(Step::reply("a"));
        peer.push(Step::reply("b"));
        let mut changed = plain.clone();
        change(&mut changed);
        let before = peer.request_count();
        ask(&plain).await.unwrap();
        ask(&changed).await.unwrap();
        let requests = peer.requests();
        let (usual, mut changed) = (requests[before].json(), requests[before + 1].json());
        assert_eq!(changed[key], expected);
        changed[key] = usual[key].clone();
        assert_eq!(changed, usual, "{key} and nothing else");
    }
    other.push(Step::reply("c"));
    ask(&config(&other.base_url())).await.unwrap();
    assert_eq!(other.request_count(), 1);
    // The fifth decides how long is waited, which another test shows.
}

#[tokio::test]
async fn any_compatible_address_will_do() {
    for path in [
        "/v1",
        "",
        "/api/v1",
        "/openai/deployments/small",
        "/v1beta/openai/",
    ] {
        let peer = Peer::start();
        peer.push(Step::reply("hi"));
        let base_url = peer.base_url().replace("/v1", path);
        let config = ProviderConfig {
            kind: ProviderKind::OpenAi,
            ..config(&base_url)
        };
        assert_eq!(ask(&config).await.unwrap().text, "hi");
        let path = format!("{}/chat/completions", path.trim_end_matches('/'));
        assert_eq!(peer.requests()[0].path, path);
    }
}

#[tokio::test]
async fn a_silent_server_is_given_up_after_the_timeout() {
    let peer = Peer::start();
    peer.push(Step::hang());
    let config = ProviderConfig {
        timeout_ms: 50,
        ..config(&peer.base_url())
    };
    let error = ask(&config).await.unwrap_err();
    assert_eq!((error.code, error.retry), (Code::LlmTimeout, true));
    peer.wait_for_requests(1, super::DEADLINE);
}

#[tokio::test]
async fn a_key_is_sent_as_a_bearer_header_beside_the_same_body() {
    let peer = Peer::start();
    peer.push(Step::reply("a"));
    peer.push(Step::reply("b"));
    ask(&with_key(&peer.base_url())).await.unwrap();
    ask(&config(&peer.base_url())).await.unwrap();
    let requests = peer.requests();
    let bearer = format!("Bearer {}", super::KEY);
    assert_eq!(requests[0].header("authorization"), Some(bearer.as_str()));
    assert_eq!(requests[0].body, requests[1].body);
}

#[tokio::test]
async fn the_provider_is_named_after_its_kind() {
    for (kind, name) in [
        (ProviderKind::LmStudio, "lmstudio"),
        (ProviderKind::OpenRouter, "openrouter"),
        (ProviderKind::OpenAi, "openai"),
    ] {
        let config = ProviderConfig {
            kind,
            ..config(NOBODY[0])
        };
        assert_eq!(HttpProvider::new(&config).unwrap().provider_name(), name);
    }
}

#[tokio::test]
async fn the_list_of_models_is_the_health_check() {
    let peer = Peer::start();
    let provider = HttpProvider::new(&config(&peer.base_url())).unwrap();
    assert_eq!(provider.models().await.unwrap(), ["peer-model"]);
    for (name, models) in [
        ("xllamacpp-2026.10.11549-models.http", vec!["smollm2"]),
        (
            "lmstudio-0.4.20-models.json",
            vec!["nvidia/nemotron-3-nano", "google/gemma-4-e2b"],
        ),
        ("ollama-0.12-models.json", vec!["gemma3:4b", "qwen3:latest"]),
        ("ollama-0.12-models-none.json", vec![]),
        ("vllm-0.14-models.json", vec!["Qwen/Qwen3-4B"]),
        (
            "openrouter-2026-08-models.json",
            vec!["google/gemma-3-12b-it", "openai/gpt-5-nano"],
        ),
    ] {
        peer.push_models(replay(200, name));
        assert_eq!(provider.models().await.unwrap(), models, "{name}");
    }
    // A name is logged and journaled: what could be none is passed over.
    let long = "m".repeat(301);
    let odd = json!({"data": [{"id": long}, {"id": "a\nb"}, {"id": "m".repeat(300)}]});
    peer.push_models(Step::json(&odd));
    assert_eq!(provider.models().await.unwrap(), ["m".repeat(300)]);
    peer.push_models(replay(503, "xllamacpp-2026.10.11549-models-loading.http"));
    let loading = provider.models().await.unwrap_err();
    assert_eq!((loading.code, loading.retry), (Code::LlmUnavailable, true));
    assert!(loading.message.ends_with("Loading model"), "{loading}");
    // An address without the part that LM Studio needs: it says so, with status 200.
    peer.push_models(replay(200, "lmstudio-0.3.14-error-path.http"));
    let lost = provider.models().await.unwrap_err();
    assert_eq!((lost.code, lost.retry), (Code::ProviderNotFound, false));
    assert_eq!(peer.models_asked(), 10);

    let down = HttpProvider::new(&config(NOBODY[0])).unwrap();
    assert_eq!(down.models().await.unwrap_err().code, Code::LlmUnavailable);
}

#[tokio::test]
async fn reasoning_is_found_under_both_names() {
    let both = json!({"choices": [{"message":
        {"content": "t", "reasoning": "new", "reasoning_content": "old"}}]});
    let empty = json!({"choices": [{"message":
        {"content": "t", "reasoning": "", "reasoning_content": "old"}}]});
    let cases = [
        (Step::reply_with_reasoning("t", "reasoning", "r"), Some("r")),
        (
            Step::reply_with_reasoning("t", "reasoning_content", "r"),
            Some("r"),
        ),
        (Step::json(&both), Some("new")),
        (Step::json(&empty), Some("old")),
        (Step::reply("t"), None),
    ];
    for (step, reasoning) in cases {
        let reply = ask_step(step).await.unwrap();
        assert_eq!(reply.text, "t");
        assert_eq!(reply.reasoning.as_deref(), reasoning);
    }
}

fn choice(content: &Value, finish: &Value) -> Value {
    json!({"choices": [{"message": {"content": content, "tool_calls": []}, "finish_reason": finish}]})
}

#[tokio::test]
async fn answers_of_many_shapes_are_understood() {
    let parts = json!([{"type": "text", "text": "a"}, {"type": "image_url"}, "b", {"text": "c"}]);
    let cases = [
        (choice(&json!("t"), &json!("stop")), "t", FinishReason::Stop),
        (choice(&json!("t"), &json!(null)), "t", FinishReason::Stop),
        (choice(&json!("t"), &json!("eos")), "t", FinishReason::Stop),
        (
            choice(&json!("t"), &json!("length")),
            "t",
            FinishReason::Length,
        ),
        (choice(&parts, &json!("stop")), "abc", FinishReason::Stop),
        (
            json!({"error": null, "usage": "much", "model": 7, "new_field": [1],
                   "choices": [{"message": {"content": "first"}}, {"message": {"content": "second"}}]}),
            "first",
            FinishReason::Stop,
        ),
    ];
    for (body, text, finish) in cases {
        let reply = ask_step(Step::json(&body)).await.unwrap();
        assert_eq!(
            (reply.text.as_str(), reply.finish),
            (text, finish),
            "{body}"
        );
    }
}

#[tokio::test]
async fn odd_usage_is_bounded() {
    let cases = [
        (json!({}), 0, 0),
        (
            json!({"prompt_tokens": -5, "completion_tokens": "many"}),
            0,
            0,
        ),
        (
            json!({"prompt_tokens": u64::MAX, "completion_tokens": 1e300}),
            0xffff_ffff,
            0xffff_ffff,
        ),
    ];
    for (usage, input_tokens, output_tokens) in cases {
        let mut body = choice(&json!("t"), &json!("stop"));
        body["usage"] = usage;
        let reply = ask_step(Step::json(&body)).await.unwrap();
        let expected = Usage::of_reply(input_tokens, output_tokens);
        assert_eq!(reply.usage, expected, "{body}");
    }
}

#[tokio::test]
async fn the_way_of_delivery_does_not_matter() {
    let text = "Grüße, 世界 — 🪿".repeat(3);
    let reply = || Step::reply(&text);
    let deliveries = [
        reply(),
        reply().chunks(&[1, 2, 3, 5, 7, 11]),
        reply().chunks(&[1; 400]),
        reply().until_close(),
        reply().drip(Duration::ZERO),
        reply().header("content-encoding", "identity"),
        reply().header("content-type", "text/plain"),
    ];
    for step in deliveries {
        let shown = format!("{step:?}");
        assert_eq!(ask_step(step).await.unwrap().text, text, "{shown}");
    }
}

#[tokio::test]
async fn one_connection_serves_many_calls() {
    let peer = Peer::answering(|request, index| {
        assert_eq!(request.json()["stream"], true);
        Step::reply(&format!("reply {index}"))
    });
    let provider = HttpProvider::new(&config(&peer.base_url())).unwrap();
    for index in 0..50 {
        let reply = provider.complete(&question()).await.unwrap();
        assert_eq!(reply.text, format!("reply {index}"));
    }
    assert_eq!(peer.connection_count(), 1);
    assert_eq!(peer.request_count(), 50);
}

#[test]
fn unusable_addresses_and_keys_are_refused_without_repeating_them() {
    let bad = [
        "127.0.0.1:1234/v1",
        "file:///etc/passwd",
        "http://",
        "http://me:swordfish@127.0.0.1/v1",
        "http://127.0.0.1/v1?key=swordfish",
        "http://127.0.0.1/v1#swordfish",
    ];
    for base_url in bad {
        let failure = HttpProvider::new(&config(base_url)).unwrap_err();
        assert_eq!(failure.code, Code::ConfigSchemaInvalid, "{base_url}");
        assert!(!failure.to_string().contains("swordfish"), "{failure}");
    }
    let config = ProviderConfig {
        api_key: Some(Secret::new("swordfish\n".to_owned())),
        ..config(NOBODY[0])
    };
    let failure = HttpProvider::new(&config).unwrap_err();
    assert_eq!(failure.code, Code::ConfigSchemaInvalid);
    assert!(!format!("{failure:?}").contains("swordfish"));
}
