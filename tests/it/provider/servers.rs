//! The answers of each server, by server and version, and what is made of them. Where each comes from
//! stands beside them: those of llama.cpp are recorded with head and framing, the others have the shape
//! that sources, documentation and users' recordings give.

use super::{ANSWERS, config, question, replay, with_key};
use crate::peer::{Gate, Peer, Step};
use kjxlkj_agent::config::{ProviderConfig, ProviderKind};
use kjxlkj_agent::failure::Code;
use kjxlkj_agent::provider::{HttpProvider, LlmProvider as _};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

const PLAN: &str = "<ram_add><key>plan</key><value>tea</value></ram_add>";
const DELETE: &str = "{\"instructions\": [{\"op\": \"ram_delete\", \"key\": \"plan\"}]}";
const THOUGHT: &str = "The plan is to buy tea.";
const BRIEFLY: &str = "Buy tea.";

/// What is made of an answer.
#[derive(Debug, PartialEq)]
enum Read<'a> {
    Reply {
        text: &'a str,
        reasoning: Option<&'a str>,
        /// Tokens of prompt and answer; none where they were estimated.
        usage: Option<(u64, u64)>,
        finish: &'a str,
        cost_micro_dollars: Option<u64>,
    },
    /// A code, whether the same is asked again, and words of the message.
    Error(Code, bool, &'a str),
}

/// The end of a file's name, the status that it comes with, and what is made of it.
type Row = (&'static str, u16, Read<'static>);

const fn told(text: &'static str, reasoning: Option<&'static str>) -> Read<'static> {
    Read::Reply {
        text,
        reasoning,
        usage: Some((41, 17)),
        finish: "stop",
        cost_micro_dollars: None,
    }
}

const fn sold(text: &'static str, reasoning: Option<&'static str>) -> Read<'static> {
    Read::Reply {
        text,
        reasoning,
        usage: Some((41, 17)),
        finish: "stop",
        cost_micro_dollars: Some(13),
    }
}

const fn counted(
    text: &'static str,
    usage: Option<(u64, u64)>,
    finish: &'static str,
) -> Read<'static> {
    Read::Reply {
        text,
        reasoning: None,
        usage,
        finish,
        cost_micro_dollars: None,
    }
}

const fn refused(code: Code, words: &'static str) -> Read<'static> {
    Read::Error(code, false, words)
}

const fn passing(code: Code, words: &'static str) -> Read<'static> {
    Read::Error(code, true, words)
}

const OVERFLOW: &str = "9031 tokens does not fit the window of ";

/// LM Studio's answers, with the status that each comes with.
const LM_STUDIO: &[Row] = &[
    (
        "0.4.23-chat-reasoning-content.json",
        200,
        told(PLAN, Some(THOUGHT)),
    ),
    ("0.3.25-chat-reasoning.json", 200, told(PLAN, Some(THOUGHT))),
    (
        "0.4.23-chat-json-in-reasoning.json",
        200,
        told(DELETE, None),
    ),
    ("0.4.23-stream.sse", 200, told(PLAN, Some(BRIEFLY))),
    (
        "0.4.23-stream-empty.sse",
        200,
        passing(Code::LlmEmptyReply, "no text"),
    ),
    (
        "0.4.23-stream-error.sse",
        200,
        passing(Code::ProviderServerError, "crashed"),
    ),
    (
        "0.4.21-stream-overflow.sse",
        200,
        refused(Code::ProviderContextExceeded, OVERFLOW),
    ),
    (
        "0.4.23-error-in-200.json",
        200,
        refused(Code::ProviderContextExceeded, OVERFLOW),
    ),
    (
        "0.4.6-error-n-keep.json",
        400,
        refused(Code::ProviderContextExceeded, OVERFLOW),
    ),
    (
        "0.4.23-error-400.json",
        400,
        refused(Code::ProviderInvalidRequest, "(HTTP 400)"),
    ),
    (
        "0.4.23-error-401.json",
        401,
        refused(Code::ProviderAuthError, "key was refused"),
    ),
    (
        "0.4.23-error-404.json",
        404,
        refused(Code::ProviderNotFound, "No models loaded"),
    ),
    (
        "0.4.8-error-none-loaded.json",
        400,
        refused(Code::ProviderNotFound, "No models loaded"),
    ),
    (
        "0.3.14-error-path.http",
        200,
        refused(Code::ProviderNotFound, "(POST /chat/completions)"),
    ),
    (
        "0.4.6-error-crashed.json",
        400,
        passing(Code::ProviderServerError, "(HTTP 400): The model"),
    ),
    (
        "0.4.12-error-unloaded.json",
        400,
        passing(Code::LlmUnavailable, "is unloaded"),
    ),
    (
        "0.4.8-error-load-canceled.json",
        400,
        passing(Code::LlmUnavailable, "Operation canceled"),
    ),
    (
        "0.4.8-error-load-failed.json",
        400,
        refused(Code::LlmUnavailable, "insufficient system"),
    ),
];

/// Those of Ollama.
const OLLAMA: &[Row] = &[
    ("0.12-chat-reasoning.json", 200, told(PLAN, Some(THOUGHT))),
    ("0.12-stream.sse", 200, told(PLAN, Some(BRIEFLY))),
    (
        "0.12-stream-error.sse",
        200,
        passing(Code::ProviderBadResponse, "cut short"),
    ),
    (
        "0.12-error-404.json",
        404,
        refused(Code::ProviderNotFound, "'gemma3:4b' not found"),
    ),
];

/// Those of vLLM.
const VLLM: &[Row] = &[
    ("0.14-chat-reasoning.json", 200, told(PLAN, Some(THOUGHT))),
    (
        "0.9-chat-reasoning-content.json",
        200,
        told(PLAN, Some(THOUGHT)),
    ),
    ("0.14-stream.sse", 200, told(PLAN, Some(BRIEFLY))),
    (
        "0.14-stream-error.sse",
        200,
        passing(Code::ProviderServerError, "EngineCore"),
    ),
    (
        "0.9-stream-error.sse",
        200,
        passing(Code::ProviderServerError, "EngineCore"),
    ),
    (
        "0.9-error-400.json",
        400,
        refused(Code::ProviderContextExceeded, OVERFLOW),
    ),
    (
        "0.14-error-400.json",
        400,
        refused(Code::ProviderContextExceeded, OVERFLOW),
    ),
    (
        "0.16-error-400.json",
        400,
        refused(Code::ProviderContextExceeded, OVERFLOW),
    ),
];

/// Those of `OpenRouter`.
const OPENROUTER: &[Row] = &[
    ("2026-08-chat.json", 200, sold(PLAN, Some(THOUGHT))),
    ("2026-08-stream.sse", 200, sold(PLAN, Some(BRIEFLY))),
    (
        "2026-08-error-in-choice.json",
        200,
        passing(Code::ProviderServerError, "disconnected"),
    ),
    (
        "2025-02-error-beside-choices.json",
        200,
        passing(Code::RateLimited, "error code: 1015"),
    ),
    (
        "2026-08-stream-error.sse",
        200,
        passing(Code::RateLimited, "Rate limit exceeded"),
    ),
    (
        "2026-08-stream-error-word.sse",
        200,
        passing(Code::ProviderServerError, "disconnected"),
    ),
    (
        "2026-08-error-402.json",
        402,
        refused(Code::ProviderInvalidRequest, "no credit left"),
    ),
    (
        "2026-08-error-403.json",
        403,
        refused(Code::ProviderInvalidRequest, "was blocked"),
    ),
    (
        "2026-08-error-404.json",
        404,
        refused(Code::ProviderNotFound, "No endpoints found"),
    ),
    (
        "2026-09-error-429.json",
        429,
        passing(Code::RateLimited, "the host said: google/gemma"),
    ),
    (
        "2026-08-error-503.json",
        503,
        refused(Code::LlmUnavailable, "No instances"),
    ),
];

const NAMED: &str = "<ram_delete><key>tamaradu</key></ram_delete>";
const AS_JSON: &str = "{\n    \"instructions\": [\n        {\n            \"op\" : \"ram_delete\",\n            \"key\" : \"plan\"\n        }\n    ]\n}";

/// Those of llama.cpp's server, as it was built into the package `xllamacpp`.
const LLAMA_SERVER: &[Row] = &[
    (
        "chat-grammar.http",
        200,
        counted(NAMED, Some((24, 33)), "stop"),
    ),
    (
        "chat-schema.http",
        200,
        counted(AS_JSON, Some((40, 47)), "stop"),
    ),
    (
        "chat-length.http",
        200,
        counted(
            "I'm sorry for the mispronunciation. I'm here to help you",
            Some((24, 16)),
            "length",
        ),
    ),
    (
        "stream-grammar.http",
        200,
        counted(
            "<ram_delete><key>ihi</key></ram_delete>",
            Some((24, 29)),
            "stop",
        ),
    ),
    (
        "stream-timings.http",
        200,
        counted("I'm sorry for the mis", Some((24, 6)), "length"),
    ),
    (
        "stream-uncounted.http",
        200,
        counted("<ram_delete><key>truf</key></ram_delete>", None, "stop"),
    ),
    (
        "models-loading.http",
        503,
        passing(Code::LlmUnavailable, "Loading model"),
    ),
    (
        "error-context.http",
        400,
        refused(
            Code::ProviderContextExceeded,
            "9032 tokens does not fit the window of 4096",
        ),
    ),
    (
        "error-grammar.http",
        400,
        refused(Code::ProviderInvalidRequest, "parse grammar"),
    ),
    (
        "error-schema.http",
        400,
        refused(Code::ProviderInvalidRequest, "unrecognized type"),
    ),
    (
        "error-json.http",
        400,
        refused(Code::ProviderInvalidRequest, "parse error"),
    ),
    (
        "error-messages.http",
        400,
        refused(Code::ProviderInvalidRequest, "'messages' is required"),
    ),
    (
        "error-path.http",
        404,
        refused(Code::ProviderNotFound, "File Not Found"),
    ),
];

/// All of them, by what their names begin with.
const SERVERS: [(&str, &[Row]); 5] = [
    ("lmstudio-", LM_STUDIO),
    ("ollama-", OLLAMA),
    ("vllm-", VLLM),
    ("openrouter-", OPENROUTER),
    ("xllamacpp-2026.10.11549-", LLAMA_SERVER),
];

async fn read(name: &str, status: u16, expected: &Read<'static>) {
    let peer = Peer::start();
    peer.push(replay(status, name));
    let provider = HttpProvider::new(&with_key(&peer.base_url())).unwrap();
    let reply = provider.complete(&question()).await;
    let read = match &reply {
        Ok(reply) => {
            let usage = (reply.usage.input_tokens, reply.usage.output_tokens);
            assert!(reply.model.is_some(), "{name}");
            Read::Reply {
                text: &reply.text,
                reasoning: reply.reasoning.as_deref(),
                usage: (!reply.arrival.usage_is_estimated).then_some(usage),
                finish: reply.finish.name(),
                cost_micro_dollars: reply.arrival.cost_micro_dollars,
            }
        }
        Err(error) => {
            let words = match expected {
                Read::Error(_, _, words) => *words,
                Read::Reply { .. } => "",
            };
            assert!(error.message.contains(words), "{name}: {error}");
            Read::Error(error.code, error.retry, words)
        }
    };
    assert_eq!(read, *expected, "{name}: {reply:?}");
}

#[tokio::test]
async fn every_answer_of_every_server_is_read_rightly() {
    for (server, answers) in SERVERS {
        for (name, status, expected) in answers {
            read(&format!("{server}{name}"), *status, expected).await;
        }
    }
}

/// Nothing lies in the corpus that nobody looks at, and of nothing is it unsaid where it comes from.
#[expect(
    clippy::disallowed_methods,
    reason = "a test reads its own corpus and sources"
)]
#[test]
fn every_answer_is_looked_at_and_tells_its_server_version_and_source() {
    let read = |path: &Path| fs::read_to_string(path).unwrap();
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/provider");
    let tests: String = fs::read_dir(tests)
        .unwrap()
        .map(|file| read(&file.unwrap().path()))
        .collect();
    let sources = read(&Path::new(ANSWERS).join("README.md"));
    let tables = SERVERS.iter().flat_map(|(server, answers)| {
        answers
            .iter()
            .map(move |(name, ..)| format!("{server}{name}"))
    });
    let tables: BTreeSet<String> = tables.collect();
    for file in fs::read_dir(ANSWERS).unwrap() {
        let name = file.unwrap().file_name().into_string().unwrap();
        if name == "README.md" {
            continue;
        }
        let mut parts = name.splitn(2, '-');
        let (server, rest) = (parts.next().unwrap(), parts.next().unwrap_or_default());
        assert!(
            rest.starts_with(|c: char| c.is_ascii_digit()),
            "{name} tells no version"
        );
        assert!(
            sources.contains(&format!("`{server}-")),
            "{server} has no source"
        );
        assert!(
            tables.contains(&name) || tests.contains(&name),
            "{name} is not looked at"
        );
    }
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
async fn only_the_first_question_to_lm_studio_is_alone_because_it_loads_the_model() {
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
            let come = async {
                while peer.request_count() < count {
                    tokio::task::yield_now().await;
                }
            };
            tokio::time::timeout(super::DEADLINE, come).await.unwrap();
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
    // From then on they go together: both come before either is answered.
    let shut = Gate::default();
    peer.push(Step::reply(PLAN).behind(&shut));
    peer.push(Step::reply(PLAN).behind(&shut));
    let both = async { tokio::join!(provider.complete(&question), provider.complete(&question)) };
    let watching = async {
        let come = async {
            while peer.request_count() < 5 {
                tokio::task::yield_now().await;
            }
        };
        let come = tokio::time::timeout(super::DEADLINE, come).await;
        shut.open();
        come.expect("both before either is answered");
    };
    let ((first, other), ()) = tokio::join!(both, watching);
    assert!(first.is_ok() && other.is_ok());
}
