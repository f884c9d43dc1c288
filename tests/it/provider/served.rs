//! What servers tell of the model that they serve: the window of what is loaded, and their own count
//! of tokens. Where the answers come from stands beside them, in `tests/corpus/server-answers`.

use super::{DEADLINE, config, question, recorded, replay};
use crate::peer::{NOBODY, Peer, Step};
use kjxlkj_agent::config::{ProviderConfig, ProviderKind};
use kjxlkj_agent::failure::Code;
use kjxlkj_agent::limits::{MODELS_BODY_BYTES_MAX, REPLY_BODY_BYTES_MAX};
use kjxlkj_agent::provider::{HttpProvider, LlmProvider as _, ServedModel, TokenCounter};
use serde_json::{Value, json};

const LLAMA: Option<TokenCounter> = Some(TokenCounter::LlamaServer);

fn provider(peer: &Peer, kind: ProviderKind, model: &str) -> HttpProvider {
    let config = ProviderConfig {
        kind,
        model: model.to_owned(),
        ..config(&peer.base_url())
    };
    HttpProvider::new(&config).unwrap()
}

fn saying(text: impl Into<Vec<u8>>) -> Step {
    Step::status(200).body(text)
}

/// Lets a peer answer a path. The list of models is answered once, whatever its path.
fn tell(peer: &Peer, path: &str, step: Step) {
    if path == "/v1/models" {
        peer.push_models(step);
    } else {
        peer.tell(path, step);
    }
}

#[expect(clippy::too_many_lines, reason = "one table")]
#[tokio::test]
async fn the_window_is_that_of_what_is_loaded_at_every_server() {
    let vllm = Some(TokenCounter::Vllm);
    let (lmstudio, openai) = (ProviderKind::LmStudio, ProviderKind::OpenAi);
    let market = ProviderKind::OpenRouter;
    let newer = "/api/v1/models lmstudio-0.4.23-api-v1-models.json";
    let older = "/api/v0/models lmstudio-0.3.17-api-v0-models.json";
    let eldest = "/api/v1/models lmstudio-0.3.14-error-path.http /api/v0/models \
                  lmstudio-0.3.17-api-v0-models.json";
    let disguised = "/props lmstudio-0.3.14-error-path.http /v1/models \
                     lmstudio-0.4.20-models.json /api/ps lmstudio-0.3.14-error-path.http";
    let ollama = "/v1/models ollama-0.12-models.json /api/ps ollama-0.12-ps.json";
    let cases = [
        (lmstudio, "nvidia/nemotron-3-nano", newer, Some(8192), None),
        (
            lmstudio,
            "nvidia/nemotron-3-nano:2",
            newer,
            Some(4096),
            None,
        ),
        (lmstudio, "qwen/qwen3.5-9b", newer, Some(16384), None),
        (lmstudio, "my-qwen", newer, Some(16384), None),
        (lmstudio, "google/gemma-4-e2b", newer, None, None),
        (
            lmstudio,
            "text-embedding-nomic-embed-text-v1.5",
            newer,
            None,
            None,
        ),
        (lmstudio, "nvidia/nemotron-3-nano", older, Some(4096), None),
        (lmstudio, "google/gemma-4-e2b", older, None, None),
        // A path that LM Studio does not have is an answer with status 200.
        (lmstudio, "nvidia/nemotron-3-nano", eldest, Some(4096), None),
        (openai, "nvidia/nemotron-3-nano", disguised, None, None),
        (
            lmstudio,
            "smollm2",
            "/props xllamacpp-2026.10.11549-props.http",
            Some(4096),
            LLAMA,
        ),
        (
            openai,
            "smollm2",
            "/props xllamacpp-2026.10.11549-props.http",
            Some(4096),
            LLAMA,
        ),
        // What the model was trained with, and all slots together, are no window.
        (
            openai,
            "smollm2",
            "/v1/models xllamacpp-2026.10.11549-models.http",
            None,
            None,
        ),
        (
            openai,
            "Qwen/Qwen3-4B",
            "/v1/models vllm-0.14-models.json",
            Some(8192),
            vllm,
        ),
        (openai, "gemma3:4b", ollama, Some(4096), None),
        (openai, "qwen3", ollama, Some(16384), None),
        (openai, "llama3", ollama, None, None),
        (
            market,
            "google/gemma-3-12b-it",
            "/v1/models openrouter-2026-08-models.json",
            Some(32768),
            None,
        ),
        (
            market,
            "openai/gpt-5-nano",
            "/v1/models openrouter-2026-08-models.json",
            Some(400_000),
            None,
        ),
        (
            market,
            "google/gemma-3-12b-it:nitro",
            "/v1/models openrouter-2026-08-models.json",
            Some(32768),
            None,
        ),
        (
            market,
            "nobody/nothing",
            "/v1/models openrouter-2026-08-models.json",
            None,
            None,
        ),
        // A kind that does not say which server it is.
        (lmstudio, "gemma3:4b", ollama, Some(4096), None),
        (
            lmstudio,
            "Qwen/Qwen3-4B",
            "/v1/models vllm-0.14-models.json",
            Some(8192),
            vllm,
        ),
        (openai, "nvidia/nemotron-3-nano", newer, Some(8192), None),
        (openai, "any", "", None, None),
        (lmstudio, "any", "", None, None),
    ];
    for (kind, model, answers, window_tokens, counter) in cases {
        let peer = Peer::start();
        let words: Vec<&str> = answers.split_whitespace().collect();
        for pair in words.chunks(2) {
            tell(&peer, pair[0], replay(200, pair[1]));
            if kind == lmstudio && pair[0] == "/v1/models" {
                // The peer takes the older native list for the same.
                tell(&peer, pair[0], replay(200, pair[1]));
            }
        }
        let told = provider(&peer, kind, model).served().await.unwrap();
        let expected = ServedModel {
            window_tokens,
            counter,
        };
        assert_eq!(told, expected, "{model} {answers}");
        let probes = peer.probes();
        assert!(probes.iter().all(|probe| probe.method == "GET"));
        let asked = |path: &str| probes.iter().any(|probe| probe.path.starts_with(path));
        // Who is known is not asked for what others have.
        let is_native = answers.contains("/api/v");
        let is_compatible = counter.is_some() || answers.contains("/api/ps");
        assert_eq!(
            asked("/props"),
            kind == openai || kind == lmstudio && !is_native
        );
        if kind == lmstudio || is_compatible && window_tokens.is_some() {
            assert_eq!(asked("/api/v1"), kind == lmstudio, "{answers}");
        }
        assert_eq!(
            asked("/api/ps"),
            counter.is_none() && (kind == openai || kind == lmstudio && !is_native)
        );
    }
}

#[tokio::test]
async fn a_router_is_asked_for_the_model_by_name() {
    let peer = Peer::start();
    peer.tell("/props", replay(200, "xllamacpp-2026.10.11549-props.http"));
    let model = "a b&c=d#e";
    provider(&peer, ProviderKind::OpenAi, model)
        .served()
        .await
        .unwrap();
    let path = &peer.probes()[0].path;
    assert_eq!(path, "/props?model=a+b%26c%3Dd%23e");
}

#[tokio::test]
async fn below_a_prefix_the_server_has_its_other_paths_there_too() {
    let peer = Peer::start();
    peer.tell(
        "/llm/props",
        replay(200, "xllamacpp-2026.10.11549-props.http"),
    );
    let config = ProviderConfig {
        kind: ProviderKind::OpenAi,
        ..config(&peer.base_url().replace("/v1", "/llm/v1"))
    };
    let provider = HttpProvider::new(&config).unwrap();
    assert_eq!(provider.served().await.unwrap().window_tokens, Some(4096));
}

/// What says a window, by server: kind, path, and the answer around a value.
type Shape = (ProviderKind, &'static str, fn(&Value) -> Value);

const SHAPES: [Shape; 6] = [
    (ProviderKind::LmStudio, "/api/v1/models", |value| {
        json!({"models": [{"type": "llm", "key": "m", "max_context_length": 9999,
            "loaded_instances": [{"id": "m", "config": {"context_length": value}}]}]})
    }),
    (ProviderKind::LmStudio, "/api/v0/models", |value| {
        json!({"data": [{"id": "m", "type": "llm", "state": "loaded",
            "max_context_length": 9999, "loaded_context_length": value}]})
    }),
    (
        ProviderKind::OpenAi,
        "/props",
        |value| json!({"default_generation_settings": {"n_ctx": value}}),
    ),
    (
        ProviderKind::OpenAi,
        "/v1/models",
        |value| json!({"data": [{"id": "m", "max_model_len": value, "meta": {"n_ctx_train": 9999}}]}),
    ),
    (
        ProviderKind::OpenAi,
        "/api/ps",
        |value| json!({"models": [{"name": "m", "context_length": value}]}),
    ),
    (
        ProviderKind::OpenRouter,
        "/v1/models",
        |value| json!({"data": [{"id": "m", "context_length": value}]}),
    ),
];

#[tokio::test]
async fn a_window_that_makes_no_sense_was_not_told() {
    let values = [
        json!(4096.5),
        json!("4096"),
        json!(0),
        json!(255),
        json!(-4096),
        json!(16_777_217),
        json!(4_294_971_392_u64),
        json!(1e300),
        json!(null),
        json!(true),
        json!([4096]),
        json!({"tokens": 4096}),
    ];
    for (kind, path, shape) in SHAPES {
        for (value, expected) in [
            (json!(256), Some(256)),
            (json!(16_777_216), Some(16_777_216)),
        ]
        .into_iter()
        .chain(values.iter().cloned().map(|value| (value, None)))
        {
            let peer = Peer::start();
            tell(&peer, path, Step::json(&shape(&value)));
            let told = provider(&peer, kind, "m").served().await.unwrap();
            assert_eq!(told.window_tokens, expected, "{path} {value}");
        }
    }
}

#[tokio::test]
async fn an_answer_of_another_shape_tells_nothing() {
    let bodies = [
        "",
        "null",
        "[]",
        "4096",
        "{}",
        "<html>hi</html>",
        "{\"models\": 1, \"data\": 1, \"default_generation_settings\": 1}",
        "{\"models\": [1, null, []], \"data\": [1, null, []]}",
        "{\"models\": [{\"loaded_instances\": [1, {\"id\": 1}]}], \"data\": [{\"state\": 1}]}",
        "{\"error\": \"Unexpected endpoint or method. (GET /props)\"}",
    ];
    for (kind, path, _) in SHAPES {
        for body in bodies {
            let peer = Peer::start();
            tell(&peer, path, saying(body));
            let told = provider(&peer, kind, "m").served().await;
            // Only of an answer that was cut another one can be hoped for.
            let told = told
                .map(|told| told.window_tokens)
                .or_else(|error| match error {
                    error if error.retry && body.is_empty() => Ok(None),
                    error => Err(error),
                });
            assert_eq!(told, Ok(None), "{path} {body}");
        }
    }
}

#[tokio::test]
async fn an_endless_answer_is_left_and_a_silent_server_is_away() {
    for (kind, path, _) in SHAPES {
        let peer = Peer::start();
        tell(&peer, path, Step::endless());
        let told = provider(&peer, kind, "m").served().await.unwrap();
        assert_eq!(told, ServedModel::default(), "{path}");
        let most = MODELS_BODY_BYTES_MAX.max(REPLY_BODY_BYTES_MAX);
        // What the sockets hold on their way comes on top.
        assert!(peer.endless_bytes() < 4 * most, "{path}");

        let peer = Peer::start();
        tell(&peer, path, Step::hang());
        let config = ProviderConfig {
            kind,
            model: "m".to_owned(),
            timeout_ms: 50,
            ..config(&peer.base_url())
        };
        let provider = HttpProvider::new(&config).unwrap();
        let error = provider.served().await.unwrap_err();
        assert_eq!(
            (error.code, error.retry),
            (Code::LlmTimeout, true),
            "{path}"
        );
    }
    let down = HttpProvider::new(&config(NOBODY[0])).unwrap();
    let error = down.served().await.unwrap_err();
    assert_eq!(error.code, Code::LlmUnavailable);
}

#[tokio::test]
async fn a_slow_probe_ends_at_its_own_bound_and_not_at_that_of_a_question() {
    let peer = Peer::start();
    peer.tell("/props", Step::hang());
    let config = ProviderConfig {
        kind: ProviderKind::OpenAi,
        timeout_ms: 3_600_000,
        ..config(&peer.base_url())
    };
    let provider = HttpProvider::new(&config).unwrap();
    let served = tokio::time::timeout(DEADLINE, provider.served()).await;
    let error = served.expect("long before an hour").unwrap_err();
    assert_eq!(error.code, Code::LlmTimeout);
}

/// What a server answers at which path, whether it counts tokens, and what it counts.
type Case<'a> = (&'a [(&'a str, &'a str)], TokenCounter, Option<u64>);

#[tokio::test]
async fn prompts_are_counted_by_the_servers_that_can() {
    let chat = json!({
        "model": "m",
        "messages": [
            {"role": "system", "content": "You keep notes."},
            {"role": "user", "content": "An example"},
            {"role": "assistant", "content": "Its answer"},
            {"role": "user", "content": "my canary prompt: the geese fly at dawn"},
        ],
    });
    let (one_step, template) = ("/v1/chat/completions/input_tokens", "/apply-template");
    let (llama, vllm) = (TokenCounter::LlamaServer, TokenCounter::Vllm);
    let one = (one_step, "xllamacpp-2026.10.11549-input-tokens.http");
    let two = [
        (template, "xllamacpp-2026.10.11549-apply-template.http"),
        ("/tokenize", "xllamacpp-2026.10.11549-tokenize.http"),
    ];
    let cases: [Case<'_>; 6] = [
        (&[one], llama, Some(24)),
        (&two, llama, Some(24)),
        (&[two[0]], llama, None),
        (&[], llama, None),
        (&[("/tokenize", "vllm-0.14-tokenize.json")], vllm, Some(24)),
        (&[], vllm, None),
    ];
    for (answers, counter, expected) in cases {
        let peer = Peer::start();
        for (path, name) in answers {
            peer.tell(path, replay(200, name));
        }
        let provider = provider(&peer, ProviderKind::OpenAi, "m");
        let counted = provider.count_tokens(&question().messages, counter).await;
        assert_eq!(counted, expected, "{answers:?}");
        let probes = peer.probes();
        assert_eq!(probes[0].json(), chat);
        assert!(probes.iter().all(|probe| probe.method == "POST"));
        if expected.is_some() && answers.len() == 2 {
            let written = String::from_utf8(recorded(two[0].1)).unwrap();
            let (_, written) = written.split_once("\r\n\r\n").unwrap();
            let written: Value = serde_json::from_str(written).unwrap();
            assert_eq!(probes[2].json()["content"], written["prompt"]);
        }
    }
}

#[tokio::test]
async fn a_count_that_makes_no_sense_was_not_made() {
    let path = "/v1/chat/completions/input_tokens";
    for count in [
        json!(0),
        json!(-1),
        json!("24"),
        json!(2.5),
        json!(1e300),
        json!(null),
        json!([24]),
        json!(4_294_967_296_u64),
    ] {
        let peer = Peer::start();
        peer.tell(path, Step::json(&json!({ "input_tokens": count })));
        peer.tell(
            "/tokenize",
            Step::json(&json!({"count": count, "tokens": count})),
        );
        peer.tell("/apply-template", Step::json(&json!({"prompt": "x"})));
        let provider = provider(&peer, ProviderKind::OpenAi, "m");
        for counter in [TokenCounter::LlamaServer, TokenCounter::Vllm] {
            let counted = provider.count_tokens(&question().messages, counter).await;
            // A list, even of one, is a list of tokens.
            let expected = (count.is_array() && counter == TokenCounter::LlamaServer).then_some(1);
            assert_eq!(counted, expected, "{count}");
        }
    }
    let peer = Peer::start();
    peer.tell(path, Step::endless());
    let provider = provider(&peer, ProviderKind::OpenAi, "m");
    let counter = TokenCounter::LlamaServer;
    assert_eq!(
        provider.count_tokens(&question().messages, counter).await,
        None
    );
}

#[expect(clippy::too_many_lines, reason = "one table")]
#[tokio::test]
async fn a_prompt_that_is_too_long_is_refused_with_its_numbers() {
    let text = |message: &str| json!({ "error": message });
    let fields = |code: &str, message: &str| json!({"error": {"code": code, "message": message}});
    let exceeded = "context_length_exceeded";
    let cases = [
        (
            json!({"error": {"code": 400, "message": "request (9031 tokens) exceeds the available context size (8192 tokens), try increasing it", "type": "exceed_context_size_error", "n_prompt_tokens": 9031, "n_ctx": 8192}}),
            Some(9031),
            Some(8192),
        ),
        (
            text(
                "The number of tokens to keep from the initial prompt is greater than the context length (n_keep: 5000>= n_ctx: 4096)",
            ),
            Some(5000),
            Some(4096),
        ),
        (
            text(
                "Trying to keep the first 5006 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough.",
            ),
            Some(5006),
            Some(4096),
        ),
        (
            fields(
                exceeded,
                "This model's maximum context length is 8192 tokens. However, your messages resulted in 9031 tokens. Please reduce the length of the messages.",
            ),
            Some(9031),
            Some(8192),
        ),
        (
            fields(
                exceeded,
                "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens (4000 in the messages, 1000 in the completion).",
            ),
            Some(4000),
            Some(4096),
        ),
        (fields(exceeded, "too much"), None, None),
        (
            json!({"error": {"type": "exceed_context_size_error", "n_prompt_tokens": -1, "n_ctx": 0}}),
            None,
            None,
        ),
        (
            json!({"error": {"type": "exceed_context_size_error", "n_prompt_tokens": "9", "n_ctx": 1e30}}),
            None,
            None,
        ),
        (
            fields(
                exceeded,
                "maximum context length is 99999999999999999999 tokens, resulted in 99999999999999999999",
            ),
            None,
            None,
        ),
        (
            fields(exceeded, "maximum context length is 12 tokens"),
            None,
            None,
        ),
    ];
    for (body, prompt_tokens, window_tokens) in cases {
        let error = super::ask_step(Step::status(400).body(body.to_string())).await;
        let error = error.unwrap_err();
        assert_eq!(
            (error.code, error.retry),
            (Code::ProviderContextExceeded, false),
            "{body}"
        );
        let overflow = error.overflow.unwrap();
        assert_eq!(overflow.prompt_tokens, prompt_tokens, "{body}");
        assert_eq!(overflow.window_tokens, window_tokens, "{body}");
    }
    let other = super::ask_step(Step::status(400)).await.unwrap_err();
    assert_eq!(other.overflow, None);
}
