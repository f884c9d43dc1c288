//! What goes to a model server and what comes back, free of any wire shape.

use crate::failure::Code;
use std::pin::Pin;

pub use crate::core::prompt::{ChatRole, Message};
pub use crate::core::run::Usage;

/// One question to a model.
#[derive(Clone, Debug, PartialEq)]
pub struct LlmRequest {
    /// The conversation, system message first.
    pub messages: Vec<Message>,
    /// The most tokens that the answer may have.
    pub max_tokens: u32,
}

/// What a server tells of the model as it serves it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Served {
    /// The window of what is loaded, in tokens, where the server says so.
    pub window_tokens: Option<u32>,
    /// The server's own counter of tokens, where it has one.
    pub counter: Option<TokenCounter>,
}

impl Served {
    /// A server that tells its window, or does not, and counts nothing.
    pub(super) const fn window(window_tokens: Option<u32>) -> Self {
        Self {
            window_tokens,
            counter: None,
        }
    }
}

/// How a server counts the tokens of a prompt when it is asked to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenCounter {
    /// llama.cpp: the chat as it would be asked, or its template and its tokenizer.
    LlamaServer,
    /// vLLM: its tokenizer takes the chat.
    Vllm,
}

/// By how much a prompt was too long, as far as the server says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Overflow {
    /// Tokens of the prompt.
    pub prompt_tokens: Option<u64>,
    /// Tokens of the window.
    pub window_tokens: Option<u32>,
}

/// A complete answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LlmReply {
    /// The text of the first choice.
    pub text: String,
    /// The server's reasoning field, if it keeps one apart.
    pub reasoning: Option<String>,
    /// Why the model stopped.
    pub finish: FinishReason,
    /// Tokens as the server counted them.
    pub usage: Usage,
    /// The model that answered, as the server names it.
    pub model: Option<String>,
}

/// Why the model stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FinishReason {
    /// By itself.
    Stop,
    /// At the token limit: whatever was open is incomplete.
    Length,
}

/// A call that failed. The message names host and reason; never a key, a prompt or a raw answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ProviderError {
    /// The stable code.
    pub code: Code,
    /// One sentence.
    pub message: String,
    /// Whether the pipeline may repeat the call.
    pub retry: bool,
    /// How long the server asked to wait, in milliseconds.
    pub retry_after_ms: Option<u64>,
    /// The numbers of a prompt that does not fit, with `PROVIDER_CONTEXT_EXCEEDED`.
    pub overflow: Option<Overflow>,
}

/// A boxed future, so that adapters can be exchanged by configuration.
pub type CallFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// A model server.
pub trait LlmProvider: Send + Sync + std::fmt::Debug {
    /// Asks once. Retrying is the pipeline's business.
    fn complete<'a>(
        &'a self,
        request: &'a LlmRequest,
    ) -> CallFuture<'a, Result<LlmReply, ProviderError>>;

    /// The kind's name: `lmstudio`, `openrouter`, `openai` or `scripted`.
    fn provider_name(&self) -> &'static str;

    /// The models that the server offers: the health check of `doctor` and `demo`.
    fn models(&self) -> CallFuture<'_, Result<Vec<String>, ProviderError>>;

    /// Those of them that are loaded; none where the server does not say.
    fn loaded_models(&self) -> CallFuture<'_, Result<Vec<String>, ProviderError>> {
        Box::pin(std::future::ready(Ok(Vec::new())))
    }

    /// What the server tells of the model as it serves it. A server that tells nothing is no error;
    /// one that is away is.
    fn served(&self) -> CallFuture<'_, Result<Served, ProviderError>> {
        Box::pin(std::future::ready(Ok(Served::default())))
    }

    /// The tokens of a prompt by the server's own counter; `None` where it does not say.
    fn count_tokens<'a>(
        &'a self,
        _messages: &'a [Message],
        _counter: TokenCounter,
    ) -> CallFuture<'a, Option<u64>> {
        Box::pin(std::future::ready(None))
    }

    /// The same server asked for another model; `None` where there is nothing to choose.
    fn with_model(&self, _model: &str) -> Option<Box<dyn LlmProvider>> {
        None
    }
}
