//! Model servers: the one trait, its adapters, and the pipeline that every call goes through.
//! Never decides what a reply means, and never lets a key or a raw answer into an error.

mod body;
mod connect;
mod fault;
mod http;
mod launch;
mod pipeline;
mod quote;
mod refusal;
mod scripted;
mod served;
mod types;
mod wire;

pub use connect::connect;
pub use http::HttpProvider;
pub use launch::{Launched, Launcher, OutputSink};
pub use pipeline::{CallOutcome, Pipeline, Sleeper};
pub use scripted::ScriptedProvider;
pub use types::{
    CallFuture, ChatRole, FinishReason, LlmProvider, LlmReply, LlmRequest, Message, Overflow,
    ProviderError, Served, TokenCounter, Usage,
};
