//! The room `provider` against real TCP: the HTTP adapter, its faults, the pipeline, the scripted
//! adapter and the launcher.

#![expect(clippy::unwrap_used, reason = "a test may stop at once")]

mod command;
mod faults;
mod headers;
mod hostile;
mod http;
mod launch;
mod pipeline;
mod programs;
mod scripted;
mod served;
mod servers;
mod stream;

use crate::peer::{Peer, Step};
use kjxlkj_agent::config::{Constrain, ProviderConfig, ProviderKind, Secret};
use kjxlkj_agent::core::protocol::AllowedTags;
use kjxlkj_agent::failure::Code;
use kjxlkj_agent::provider::{
    ChatRole, HttpProvider, LlmProvider as _, LlmReply, LlmRequest, PromptMessage, ProviderError,
};
use std::time::Duration;

/// Longest wait for anything that must happen.
const DEADLINE: Duration = Duration::from_secs(20);

/// A key that must never be seen anywhere but in its header.
const KEY: &str = "sk-canary-7f3a9b2c4d5e6f708192a3b4c5";

fn config(base_url: &str) -> ProviderConfig {
    ProviderConfig {
        kind: ProviderKind::LmStudio,
        base_url: base_url.to_owned(),
        model: "nvidia/nemotron-3-nano".to_owned(),
        timeout_ms: 20_000,
        max_tokens: 4096,
        temperature: 0.1,
        api_key: None,
        api_key_env: None,
        context_tokens: None,
        stream: true,
        stall_timeout_ms: 20_000,
        launch: None,
        constrain: Constrain::Off,
        fallback_models: Vec::new(),
        attribution: Vec::new(),
        ttl_seconds: None,
        command: Vec::new(),
    }
}

fn with_key(base_url: &str) -> ProviderConfig {
    ProviderConfig {
        kind: ProviderKind::OpenRouter,
        api_key: Some(Secret::new(KEY.to_owned())),
        ..config(base_url)
    }
}

fn question() -> LlmRequest {
    let message = |role, content: &str| PromptMessage {
        role,
        content: content.to_owned(),
    };
    LlmRequest {
        messages: vec![
            message(ChatRole::System, "You keep notes."),
            message(ChatRole::User, "An example"),
            message(ChatRole::Assistant, "Its answer"),
            message(ChatRole::User, "my canary prompt: the geese fly at dawn"),
        ],
        max_tokens: 4096,
        allowed_tags: AllowedTags::shipped(),
        constraint: None,
        without_reasoning: false,
        wants_certainty: false,
    }
}

async fn ask(config: &ProviderConfig) -> Result<LlmReply, ProviderError> {
    let provider = HttpProvider::new(config).unwrap();
    let question = LlmRequest {
        max_tokens: config.max_tokens,
        ..question()
    };
    provider.complete(&question).await
}

/// Asks a peer that plays this one step.
async fn ask_step(step: Step) -> Result<LlmReply, ProviderError> {
    let peer = Peer::start();
    peer.push(step);
    ask(&with_key(&peer.base_url())).await
}

/// Asks a peer that plays this one step, which takes longer than it may.
async fn meets_the_timeout(step: Step, timeout_ms: u64) {
    let peer = Peer::start();
    peer.push(step);
    let config = ProviderConfig {
        timeout_ms,
        ..with_key(&peer.base_url())
    };
    let error = ask(&config).await.unwrap_err();
    assert_eq!(
        (error.code, error.retry),
        (Code::LlmTimeout, true),
        "{error}"
    );
}

/// Where the answers of servers lie.
const ANSWERS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/corpus/server-answers/");

/// An answer of a server, as its file has it.
#[expect(clippy::disallowed_methods, reason = "a test reads its own corpus")]
fn recorded(name: &str) -> Vec<u8> {
    std::fs::read(format!("{ANSWERS}{name}")).unwrap()
}

/// The step that gives it: byte for byte where it was recorded with its head, else as the body of an
/// answer with that status.
fn replay(status: u16, name: &str) -> Step {
    let kind = match name.rsplit_once('.') {
        Some((_, "http")) => return Step::recorded(recorded(name)),
        Some((_, "sse")) => "text/event-stream",
        _ => "application/json; charset=utf-8",
    };
    let step = Step::status(status).header("content-type", kind);
    step.body(recorded(name))
}
