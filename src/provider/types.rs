//! The requests that go to a model server and the replies that come back, free of any wire shape.

use crate::core::prompt::unchecked_meter;
use crate::core::protocol::{AllowedTags, ConstraintKind, EarlyStop};
use crate::core::route::ErrorClass;
use crate::failure::Code;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

pub use crate::core::prompt::{ChatRole, PromptMessage};
pub use crate::core::route::FinishReason;
pub use crate::core::run::Usage;

/// A request to a model.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LlmRequest {
    /// The conversation, system message first.
    pub messages: Vec<PromptMessage>,
    pub max_tokens: u32,
    /// The instructions that the reply may hold; none for a reply in prose.
    /// A reply is cut once nothing more in it can count; in prose everything counts.
    pub allowed_tags: AllowedTags,
    /// The grammar or schema that the server keeps the reply to, if any.
    pub constraint: Option<Constraint>,
    /// Whether the model is asked not to reason first.
    /// Reasoning holds no instruction, and a grammar applies to it as well. Some servers ignore
    /// this.
    pub without_reasoning: bool,
    /// Whether the server is asked how probable the beginning of the reply is.
    pub wants_certainty: bool,
}

/// A grammar or schema that a server keeps a reply to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Constraint {
    pub kind: ConstraintKind,
    /// The grammar, or the schema as JSON.
    pub text: Arc<str>,
}

impl LlmRequest {
    /// Returns the form of the constraint, if there is one.
    pub fn constraint_kind(&self) -> Option<ConstraintKind> {
        self.constraint.as_ref().map(|constraint| constraint.kind)
    }
}

/// The properties that a server reports of the model as it is loaded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ServedModel {
    /// The window of the loaded model, in tokens, where the server reports it.
    pub window_tokens: Option<u32>,
    /// The server's own token counter, where it has one.
    pub counter: Option<TokenCounter>,
}

impl ServedModel {
    /// Creates the report of a server that counts no tokens; the window may be unknown.
    pub(super) const fn window(window_tokens: Option<u32>) -> Self {
        Self {
            window_tokens,
            counter: None,
        }
    }
}

/// The way to have a server count the tokens of a prompt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenCounter {
    /// llama.cpp: an endpoint that counts a chat, else its chat template and its tokenizer.
    LlamaServer,
    /// vLLM: its tokenizer takes the chat.
    Vllm,
}

/// The sizes of a prompt that did not fit, as far as the server reports them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PromptOverflow {
    pub prompt_tokens: Option<u64>,
    pub window_tokens: Option<u32>,
}

/// A complete reply.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LlmReply {
    /// The text of the first choice.
    pub text: String,
    /// The text of the server's reasoning field, if it has one.
    pub reasoning: Option<String>,
    /// The reason why the model stopped.
    pub finish: FinishReason,
    /// The tokens, as the server counted them.
    pub usage: Usage,
    /// The name of the model that replied, as the server gives it.
    pub model: Option<String>,
    pub arrival: ReplyArrival,
}

impl LlmReply {
    /// Returns the reply with an estimate of the tokens where the server sent no count.
    // The estimate errs on the high side, because a budget is charged with it.
    pub(super) fn counted_for(mut self, question: &LlmRequest) -> Self {
        if self.arrival.usage_is_estimated {
            let meter = unchecked_meter();
            let reasoned = self.reasoning.as_deref().map_or(0, |it| meter.text(it));
            let said = meter.text(&self.text) + reasoned;
            let tokens = |tokens: usize| u64::try_from(tokens).unwrap_or(u64::MAX);
            self.usage = Usage::of_reply(
                tokens(meter.messages(&question.messages)),
                tokens(said).min(u64::from(question.max_tokens)),
            );
        }
        self
    }

    /// Returns calls, tokens and price of a request for at most `max_tokens` tokens.
    /// A reply that was cut saved the tokens that were left of them.
    pub fn usage_with(&self, max_tokens: u32) -> Usage {
        let left = u64::from(max_tokens).saturating_sub(self.usage.output_tokens);
        let is_cut = self.arrival.early_stop.is_some();
        Usage {
            estimated_calls: u64::from(self.arrival.usage_is_estimated),
            saved_tokens: if is_cut { left } else { 0 },
            cost_micro_dollars: self.arrival.cost_micro_dollars.unwrap_or(0),
            ..self.usage.of_one_call()
        }
    }
}

/// The reply to a call, or the error in its place.
pub type CallResult = Result<LlmReply, ProviderError>;

/// The way in which a reply arrived.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReplyArrival {
    /// The probability of the reply's first token, in percent, where the server reports it.
    pub certainty_percent: Option<u8>,
    /// The smallest probability of what its lines begin with, in percent, likewise; see
    /// [`LineCertainty`](crate::core::steps::line_certainty::LineCertainty).
    pub least_percent: Option<u8>,
    /// The milliseconds from the request to the model's first word, where the reply was streamed.
    pub first_token_ms: Option<u64>,
    /// The reason why the rest was not waited for, if it was cut.
    pub early_stop: Option<EarlyStop>,
    /// Whether the tokens are an estimate, because the server sent no count.
    /// Estimates must not be used to calibrate anything.
    pub usage_is_estimated: bool,
    /// The price that the server charged, in millionths of a dollar, where it reports one.
    pub cost_micro_dollars: Option<u64>,
}

/// A failed call; the message names host and reason, never a key, a prompt or a raw reply.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ProviderError {
    pub code: Code,
    pub message: String,
    /// Whether the pipeline may repeat the call.
    pub retry: bool,
    /// The pause that the server asked for, in milliseconds.
    /// While the server is left alone, it is the time until that ends.
    pub retry_after_ms: Option<u64>,
    /// The sizes of a prompt that does not fit, with `PROVIDER_CONTEXT_EXCEEDED`.
    pub overflow: Option<PromptOverflow>,
    /// The reason why there is no reply, as a finish reason.
    pub finish: FinishReason,
    pub contact: Contact,
    /// The part of the request that the server objects to.
    pub objection: Objection,
    /// The usage of a reply that arrived but could not be used, as the server counted it.
    /// It is charged to the budget.
    pub billed: Option<Box<Usage>>,
}

/// The part of a request that a refusal is about: it decides whether another form is worth trying.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Objection {
    /// No member of the body, as far as is known.
    #[default]
    None,
    /// No part of it: the account that pays has no credit left.
    Credit,
    /// Possibly a member of the body, such as the form of the reply.
    Body,
    /// An optional member of the body, which the adapter leaves out from now on.
    /// The request is worth repeating at once.
    LeftOut,
}

/// The progress of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contact {
    /// It was not sent: a limit of ours forbids it, or the program is missing.
    Held,
    /// It was not sent: the server is left alone until a known time.
    Postponed,
    /// Nothing answers at the address.
    None,
    /// The connection broke; whether the server has the request is not known.
    Lost,
    /// The server received it.
    Made,
}

/// The error classes of the codes that have exactly one.
const CLASSES: [(Code, ErrorClass); 8] = [
    (Code::LlmTimeout, ErrorClass::Timeout),
    (Code::RateLimited, ErrorClass::RateLimited),
    (Code::ProviderAuthError, ErrorClass::Auth),
    (Code::ProviderInvalidRequest, ErrorClass::InvalidInput),
    (Code::ProviderContextExceeded, ErrorClass::InvalidInput),
    (Code::ProviderServerError, ErrorClass::Server),
    (Code::ProviderBadResponse, ErrorClass::Server),
    (Code::LlmEmptyReply, ErrorClass::Server),
];

impl ProviderError {
    /// Creates an error of this program for a request that was not sent.
    /// It is worth a repeat after `retry_after_ms`, if given.
    pub(crate) const fn held(code: Code, message: String, retry_after_ms: Option<u64>) -> Self {
        Self {
            code,
            message,
            retry: retry_after_ms.is_some(),
            retry_after_ms,
            overflow: None,
            finish: FinishReason::Error,
            contact: Contact::Held,
            objection: Objection::None,
            billed: None,
        }
    }

    /// Returns the class of the error; `None` for an unusable reply.
    /// Such a reply is no fault of the server.
    pub fn class(&self) -> Option<ErrorClass> {
        if self.code == Code::LlmUnavailable {
            return Some(match self.contact {
                Contact::None | Contact::Lost => ErrorClass::Network,
                Contact::Held | Contact::Postponed | Contact::Made => ErrorClass::Unavailable,
            });
        }
        let mut classes = CLASSES.iter();
        let found = classes.find(|(code, _)| *code == self.code);
        found.map(|(_, class)| *class)
    }

    /// Returns whether another provider is worth asking.
    pub fn fails_over(&self) -> bool {
        if self.contact == Contact::Held && self.code == Code::RateLimited {
            // Our own limit holds for all of them.
            return false;
        }
        // A model that is gone here may be there, and so may credit; another one need not reason without end.
        let codes = [Code::ProviderNotFound, Code::LlmReplyTruncated];
        let is_here_alone = codes.contains(&self.code) || self.is_out_of_credit();
        is_here_alone || self.class().is_some_and(ErrorClass::fails_over)
    }

    /// Returns whether the account at the server has no credit left.
    /// It then refuses every request.
    pub fn is_out_of_credit(&self) -> bool {
        self.objection == Objection::Credit
    }

    /// Returns whether the reply held no text, as when a model only reasoned.
    pub const fn is_wordless(&self) -> bool {
        matches!(self.code, Code::LlmEmptyReply | Code::LlmReplyTruncated)
    }

    /// Returns whether nothing answers at the address.
    /// A server that is still loading does answer.
    pub fn is_nobody_there(&self) -> bool {
        self.code == Code::LlmUnavailable && self.contact == Contact::None
    }

    /// Returns whether nothing was sent, so that nothing was spent.
    pub const fn is_unasked(&self) -> bool {
        matches!(
            self.contact,
            Contact::Held | Contact::Postponed | Contact::None
        )
    }
}

/// The tokens of a reply that have arrived, as far as its pieces show.
/// Clones share the count.
#[derive(Clone, Debug, Default)]
pub struct StreamProgress(Arc<AtomicU64>);

impl StreamProgress {
    /// Sets the number of pieces with text that have arrived.
    pub fn set(&self, tokens: u64) {
        self.0.store(tokens, Ordering::Relaxed);
    }

    /// Returns the count.
    pub fn tokens(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// A boxed future, as adapters are chosen by configuration.
pub type CallFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// A model server.
pub trait LlmProvider: Send + Sync + std::fmt::Debug {
    /// Sends the request once.
    /// The pipeline does the retrying.
    fn complete<'a>(&'a self, request: &'a LlmRequest) -> CallFuture<'a, CallResult>;

    /// Like [`LlmProvider::complete`], but counts the reply while it arrives.
    /// A provider whose replies arrive whole counts nothing.
    fn complete_counted<'a>(
        &'a self,
        request: &'a LlmRequest,
        _arrived: &'a StreamProgress,
    ) -> CallFuture<'a, CallResult> {
        self.complete(request)
    }

    /// Returns the name of the kind: `lmstudio`, `openrouter`, `openai`, `cli` or `scripted`.
    fn provider_name(&self) -> &'static str;

    /// Lists the models that the server offers; the health check of `doctor` and `demo`.
    fn models(&self) -> CallFuture<'_, Result<Vec<String>, ProviderError>>;

    /// Lists the models that are loaded; none where the server does not report that.
    fn loaded_models(&self) -> CallFuture<'_, Result<Vec<String>, ProviderError>> {
        Box::pin(std::future::ready(Ok(Vec::new())))
    }

    /// Asks for the window and the token counter of the model.
    /// A server that reports neither is no error; an unreachable one is.
    fn served(&self) -> CallFuture<'_, Result<ServedModel, ProviderError>> {
        Box::pin(std::future::ready(Ok(ServedModel::default())))
    }

    /// Counts the tokens of a prompt by the server's own counter; `None` where there is no count.
    fn count_tokens<'a>(
        &'a self,
        _messages: &'a [PromptMessage],
        _counter: TokenCounter,
    ) -> CallFuture<'a, Option<u64>> {
        Box::pin(std::future::ready(None))
    }

    /// Returns a provider for another model of this server; `None` without a choice of models.
    fn with_model(&self, _model: &str) -> Option<Box<dyn LlmProvider>> {
        None
    }
}
