//! The room `provider` against real TCP: the HTTP adapter, its faults, the pipeline, the scripted
//! adapter and the launcher.

#![expect(clippy::unwrap_used, reason = "a test may stop at once")]

mod command;
mod faults;
mod http;
mod launch;
mod pipeline;
mod scripted;
mod served;
mod servers;
mod stream;

use crate::peer::Peer;
use kjxlkj_agent::config::{Constrain, ProviderConfig, ProviderKind, Secret};
use kjxlkj_agent::core::protocol::AllowedTags;
use kjxlkj_agent::provider::{
    ChatRole, HttpProvider, LlmProvider as _, LlmReply, LlmRequest, Message, ProviderError,
};
use std::net::TcpListener;
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
    let message = |role, content: &str| Message {
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
async fn ask_step(step: crate::peer::Step) -> Result<LlmReply, ProviderError> {
    let peer = Peer::start();
    peer.push(step);
    ask(&with_key(&peer.base_url())).await
}

/// An address where nothing listens.
fn dead_url() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    format!("http://{}/v1", listener.local_addr().unwrap())
}

/// A recorded answer of a real server.
fn recorded(name: &str) -> String {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/corpus/server-answers/");
    #[expect(clippy::disallowed_methods, reason = "a test reads its own corpus")]
    std::fs::read_to_string(format!("{folder}{name}")).unwrap()
}

/// The JSON body of a recorded error answer.
fn recorded_body(name: &str) -> String {
    let answer = recorded(name);
    answer[answer.find('{').unwrap()..].trim().to_owned()
}
