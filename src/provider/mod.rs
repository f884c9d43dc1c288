//! Model servers: the one trait, its adapters, and the pipeline that every call goes through.
//! Never decides what a reply means, and never lets a key or a raw answer into an error.

mod types;

pub use types::{
    ChatRole, FinishReason, LlmProvider, LlmReply, LlmRequest, Message, ProviderError, Usage,
};
