//! What goes to a model server and what comes back, free of any wire shape.

use crate::core::prompt::unchecked_meter;
use crate::core::protocol::{AllowedTags, ConstraintKind, EarlyStop};
use crate::core::route::ErrorClass;
use crate::failure::Code;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

pub use crate::core::prompt::{ChatRole, Message};
pub use crate::core::route::FinishReason;
pub use crate::core::run::Usage;

/// One question to a model.
#[derive(Clone, Debug, PartialEq)]
pub struct LlmRequest {
    /// The conversation, system message first.
    pub messages: Vec<Message>,
    /// The most tokens that the answer may have.
    pub max_tokens: u32,
    /// The instructions that the answer may hold; none for a question that is answered in prose. An
    /// answer of which nothing more can count is not waited for; of prose all counts.
    pub allowed_tags: AllowedTags,
    /// What the server is to keep the answer to, if to anything.
    pub constraint: Option<Constraint>,
    /// Whether the model is told not to reason first: what it reasons is no instruction, and a grammar
    /// holds there as well. Some servers pass over that.
    pub without_reasoning: bool,
}

/// What a server is to keep an answer to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Constraint {
    /// In which form it is said.
    pub kind: ConstraintKind,
    /// The grammar, or the schema as JSON.
    pub text: Arc<str>,
}

impl LlmRequest {
    /// The form in which the server is to keep to instructions, if in any.
    pub fn constraint_kind(&self) -> Option<ConstraintKind> {
        self.constraint.as_ref().map(|constraint| constraint.kind)
    }
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
    /// How it arrived.
    pub arrival: Arrival,
}

impl LlmReply {
    /// The same with an estimate in the place of a count that never came. It errs on the high side: it is
    /// what a budget is charged with.
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

    /// Calls, tokens and price of one question with room for so many tokens. What was saved is all the room
    /// that an answer had left which was not waited for.
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

/// How an answer arrived.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Arrival {
    /// Milliseconds from the question to the model's first word, where the answer was streamed.
    pub first_token_ms: Option<u64>,
    /// Why the rest of it was not waited for, if it was not.
    pub early_stop: Option<EarlyStop>,
    /// Whether its tokens are an estimate, because the server's count never came. Nothing may be
    /// learnt from one.
    pub usage_is_estimated: bool,
    /// What the server charged for it, in millionths of a dollar, where it says so.
    pub cost_micro_dollars: Option<u64>,
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
    /// How long the server asked to wait, in milliseconds; where it is left alone, until it no longer is.
    pub retry_after_ms: Option<u64>,
    /// The numbers of a prompt that does not fit, with `PROVIDER_CONTEXT_EXCEEDED`.
    pub overflow: Option<Overflow>,
    /// Why there is no answer, in the words of a finish reason.
    pub finish: FinishReason,
    /// How far the request came.
    pub contact: Contact,
    /// What of the request it is about.
    pub objection: Objection,
    /// What an answer took that came and is no use, as the server counted it: it is paid for all the same.
    pub billed: Option<Box<Usage>>,
}

/// What of a request a refusal is about: whether it is worth putting in another way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Objection {
    /// Nothing that its body holds, as far as is known.
    #[default]
    None,
    /// Nothing of it: the account that pays for it has no credit left.
    Credit,
    /// It may be about a member of its body, such as the form of the answer.
    Body,
    /// It was about a member that can be done without, and that the adapter leaves out from now on: the
    /// same is worth asking at once.
    LeftOut,
}

/// How far a request came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contact {
    /// Nobody could be asked: a limit of ours, or a program that is not there.
    Held,
    /// Nobody was asked: the server is left alone until a known time.
    Postponed,
    /// Nobody answers at the address.
    None,
    /// The connection broke; what became of the request is not known.
    Lost,
    /// It was received.
    Made,
}

/// The classes of the codes that have only one.
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
    /// An error of our own, before anybody was asked. Worth another try after so many milliseconds.
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

    /// Its class in the table of errors; none for a reply that is no use, which is no server's fault.
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

    /// Whether another provider is worth asking the same.
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

    /// Whether the account at the server is empty: whatever is asked there is refused, until somebody pays.
    pub fn is_out_of_credit(&self) -> bool {
        self.objection == Objection::Credit
    }

    /// Whether the answer held no text, as that of a model does that has only reasoned.
    pub const fn is_wordless(&self) -> bool {
        matches!(self.code, Code::LlmEmptyReply | Code::LlmReplyTruncated)
    }

    /// Whether nobody answers at the address at all. A server that is still loading does answer.
    pub fn is_nobody_there(&self) -> bool {
        self.code == Code::LlmUnavailable && self.contact == Contact::None
    }

    /// Whether nothing was asked, so that nothing was spent.
    pub const fn is_unasked(&self) -> bool {
        matches!(
            self.contact,
            Contact::Held | Contact::Postponed | Contact::None
        )
    }
}

/// How many tokens of an answer have arrived, as far as its pieces tell. Clones count the same answer.
#[derive(Clone, Debug, Default)]
pub struct Arrived(Arc<AtomicU64>);

impl Arrived {
    /// Sets the count: of the pieces that held words so far.
    pub fn set(&self, tokens: u64) {
        self.0.store(tokens, Ordering::Relaxed);
    }

    /// Returns the count.
    pub fn tokens(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
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

    /// Asks once like [`LlmProvider::complete`], and counts the answer while it arrives. A provider whose
    /// answers come at once counts nothing.
    fn complete_counted<'a>(
        &'a self,
        request: &'a LlmRequest,
        _arrived: &'a Arrived,
    ) -> CallFuture<'a, Result<LlmReply, ProviderError>> {
        self.complete(request)
    }

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
