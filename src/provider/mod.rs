//! Model servers: the one trait, its adapters, and the pipeline that every call goes through.
//! Never decides what a reply means, and never lets a key or a raw reply into an error.

mod chat;
mod command;
mod command_events;
mod connect;
mod fault;
mod first_request;
mod http;
mod known_commands;
mod launch;
mod loaded_window;
mod pipeline;
mod process_group;
mod refusal;
mod scripted;
mod sse;
mod stream;
mod types;
mod wire;

pub use chat::read_stream;
pub use command::{CommandLine, CommandProvider, Scratch};
pub use connect::{ProviderEnvironment, connect, connect_in};
pub use http::HttpProvider;
pub use known_commands::{KNOWN_COMMANDS, KnownCommand, variables_of};
pub use launch::{LaunchedServer, Launcher, OutputSink};
pub use pipeline::{
    Attempts, CallOutcome, CallPolicy, CallStep, KnownServers, Pipeline, Sleeper, ask_alone,
};
pub use scripted::ScriptedProvider;
pub use types::{
    CallFuture, CallResult, ChatRole, Constraint, Contact, FinishReason, LlmProvider, LlmReply,
    LlmRequest, Objection, PromptMessage, PromptOverflow, ProviderError, ReplyArrival, ServedModel,
    StreamProgress, TokenCounter, Usage,
};
