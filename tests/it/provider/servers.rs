//! The answers of each server, by server and version, and what is made of them. Those of llama.cpp are
//! recorded, the others are in the shape that their documentation and their users' reports give.

use super::{config, question, recorded, with_key};
use crate::peer::{Gate, Peer, Step};
use kjxlkj_agent::config::{ProviderConfig, ProviderKind};
use kjxlkj_agent::failure::Code;
use kjxlkj_agent::provider::{HttpProvider, LlmProvider as _};
use std::collections::BTreeSet;

const PLAN: &str = "<ram_add><key>plan</key><value>tea</value></ram_add>";
const DELETE: &str = "{\"instructions\": [{\"op\": \"ram_delete\", \"key\": \"plan\"}]}";
const THOUGHT: Option<&str> = Some("The plan is to buy tea.");
const BRIEFLY: Option<&str> = Some("Buy tea.");

/// What is made of an answer: its text, its reasoning and its price, or a code and whether the same is
/// asked again.
type Read = Result<(&'static str, Option<&'static str>, Option<u64>), (Code, bool)>;

/// Every answer, with the status that it comes with.
const ANSWERS: &[(&str, u16, Read)] = &[
    (
        "lmstudio-0.4.23-chat-reasoning-content.json",
        200,
        Ok((PLAN, THOUGHT, None)),
    ),
    (
        "lmstudio-0.4.23-chat-reasoning.json",
        200,
        Ok((PLAN, THOUGHT, None)),
    ),
    (
        "lmstudio-0.4.23-chat-json-in-reasoning.json",
        200,
        Ok((DELETE, None, None)),
    ),
    ("lmstudio-0.4.23-stream.sse", 200, Ok((PLAN, BRIEFLY, None))),
    (
        "lmstudio-0.4.23-stream-empty.sse",
        200,
        Err((Code::LlmEmptyReply, true)),
    ),
    (
        "lmstudio-0.4.23-stream-error.sse",
        200,
        Err((Code::ProviderServerError, true)),
    ),
    (
        "lmstudio-0.4.23-error-in-200.json",
        200,
        Err((Code::ProviderContextExceeded, false)),
    ),
    (
        "lmstudio-0.4.23-error-400.json",
        400,
        Err((Code::ProviderInvalidRequest, false)),
    ),
    (
        "lmstudio-0.4.23-error-401.json",
        401,
        Err((Code::ProviderAuthError, false)),
    ),
    (
        "lmstudio-0.4.23-error-404.json",
        404,
        Err((Code::ProviderNotFound, false)),
    ),
    (
        "ollama-0.12-chat-reasoning.json",
        200,
        Ok((PLAN, THOUGHT, None)),
    ),
    ("ollama-0.12-stream.sse", 200, Ok((PLAN, None, None))),
    (
        "ollama-0.12-error-404.json",
        404,
        Err((Code::ProviderNotFound, false)),
    ),
    (
        "vllm-0.14-chat-reasoning.json",
        200,
        Ok((PLAN, THOUGHT, None)),
    ),
    (
        "vllm-0.9-chat-reasoning-content.json",
        200,
        Ok((PLAN, THOUGHT, None)),
    ),
    ("vllm-0.14-stream.sse", 200, Ok((PLAN, BRIEFLY, None))),
    (
        "vllm-0.14-stream-error.sse",
        200,
        Err((Code::ProviderServerError, true)),
    ),
    (
        "vllm-0.14-error-400.json",
        400,
        Err((Code::ProviderContextExceeded, false)),
    ),
    (
        "openrouter-2026-08-chat.json",
        200,
        Ok((PLAN, THOUGHT, Some(13))),
    ),
    (
        "openrouter-2026-08-stream.sse",
        200,
        Ok((PLAN, None, Some(13))),
    ),
    (
        "openrouter-2026-08-error-in-choice.json",
        200,
        Err((Code::ProviderServerError, true)),
    ),
    (
        "openrouter-2026-08-stream-error.sse",
        200,
        Err((Code::RateLimited, true)),
    ),
    (
        "openrouter-2026-08-error-402.json",
        402,
        Err((Code::ProviderInvalidRequest, false)),
    ),
    (
        "openrouter-2026-08-error-404.json",
        404,
        Err((Code::ProviderNotFound, false)),
    ),
    (
        "openrouter-2026-08-error-503.json",
        503,
        Err((Code::LlmUnavailable, false)),
    ),
];

#[tokio::test]
async fn every_answer_of_every_server_is_read_rightly() {
    for (name, status, expected) in ANSWERS {
        let streamed = *status == 200 && name.contains("-stream");
        let kind = if streamed {
            "text/event-stream"
        } else {
            "application/json"
        };
        let peer = Peer::start();
        peer.push(
            Step::status(*status)
                .header("content-type", kind)
                .body(recorded(name)),
        );
        let provider = HttpProvider::new(&with_key(&peer.base_url())).unwrap();
        let reply = provider.complete(&question()).await;
        if let Ok(reply) = &reply {
            assert_eq!(
                (reply.usage.input_tokens, reply.usage.output_tokens),
                (41, 17),
                "{name}"
            );
            assert!(
                reply.model.is_some() && !reply.arrival.usage_is_estimated,
                "{name}"
            );
        }
        let read = match &reply {
            Ok(reply) => Ok((
                reply.text.as_str(),
                reply.reasoning.as_deref(),
                reply.arrival.cost_micro_dollars,
            )),
            Err(error) => Err((error.code, error.retry)),
        };
        assert_eq!(read, *expected, "{name}: {reply:?}");
    }
}

/// Nothing lies in the corpus that nobody looks at.
#[test]
fn every_answer_that_names_a_version_is_in_the_table() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/corpus/server-answers/");
    let files = std::fs::read_dir(folder).unwrap();
    let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
    let has_version = |name: &String| {
        let rest = name.split_once('-').map_or("", |(_, rest)| rest);
        rest.starts_with(|c: char| c.is_ascii_digit())
    };
    let names: BTreeSet<String> = names.filter(has_version).collect();
    let known: BTreeSet<String> = ANSWERS
        .iter()
        .map(|(name, ..)| (*name).to_owned())
        .collect();
    assert_eq!(names, known);
}

fn of_kind(peer: &Peer, kind: ProviderKind) -> ProviderConfig {
    ProviderConfig {
        kind,
        fallback_models: vec!["second/choice".to_owned()],
        attribution: vec!["https://notes.example".to_owned(), "Notes".to_owned()],
        ttl_seconds: Some(600),
        ..config(&peer.base_url())
    }
}

#[tokio::test]
async fn each_server_is_told_only_what_it_knows() {
    for kind in [
        ProviderKind::LmStudio,
        ProviderKind::OpenRouter,
        ProviderKind::OpenAi,
    ] {
        let peer = Peer::start();
        peer.push(Step::reply(PLAN));
        let provider = HttpProvider::new(&of_kind(&peer, kind)).unwrap();
        provider.complete(&question()).await.unwrap();
        let request = &peer.requests()[0];
        let body = request.json();
        let is_market = kind == ProviderKind::OpenRouter;
        let models = serde_json::json!(["nvidia/nemotron-3-nano", "second/choice"]);
        assert_eq!(body.get("models"), is_market.then_some(&models));
        let ttl = serde_json::json!(600);
        assert_eq!(
            body.get("ttl"),
            (kind == ProviderKind::LmStudio).then_some(&ttl)
        );
        let told = is_market.then_some("https://notes.example");
        assert_eq!(request.header("http-referer"), told);
        assert_eq!(
            request.header("x-openrouter-title"),
            is_market.then_some("Notes")
        );
    }
    // Nobody is told anything that nobody wanted told.
    let peer = Peer::start();
    peer.push(Step::reply(PLAN));
    let provider = HttpProvider::new(&with_key(&peer.base_url())).unwrap();
    provider.complete(&question()).await.unwrap();
    let request = &peer.requests()[0];
    assert_eq!(request.header("http-referer"), None);
    assert_eq!(request.header("x-openrouter-title"), None);
    assert!(request.json().get("models").is_none());
}

#[tokio::test]
async fn the_first_question_to_lm_studio_is_alone_because_it_loads_the_model() {
    let peer = Peer::start();
    let gate = Gate::default();
    peer.push(Step::status(500).body("loading failed").behind(&gate));
    let second = Gate::default();
    peer.push(Step::reply(PLAN).behind(&second));
    peer.push(Step::reply(PLAN));
    let provider = HttpProvider::new(&config(&peer.base_url())).unwrap();
    let question = question();
    let both = async { tokio::join!(provider.complete(&question), provider.complete(&question)) };
    let watching = async {
        for (count, gate) in [(1, &gate), (2, &second)] {
            while peer.request_count() < count {
                tokio::task::yield_now().await;
            }
            for _ in 0..1000 {
                tokio::task::yield_now().await;
                assert_eq!(peer.request_count(), count, "one is under way");
            }
            gate.open();
        }
    };
    let ((first, other), ()) = tokio::join!(both, watching);
    // One that failed has loaded nothing: the next is alone as well.
    assert_eq!((first.is_ok(), other.is_ok()), (false, true));
    provider.complete(&question).await.unwrap();
}
