//! Tool calls at the bench: `/working_memory`, which is a view of RAM, and `/storage`. This file is
//! the registry: each tool is a module that gets the bench and what the call says.
//! Paths are keys of ours; no tool knows any file.

mod get;
mod ls;
mod mkdir;
mod mv;
mod rm;
mod search;
mod set;
mod trial;
mod view;

use super::{Bench, Done, Refused};
use crate::core::agent::LoopState;
use crate::core::agent::transition::Wish;
use crate::core::guard::Refusal;
use crate::core::memory::ram::STATE;
use crate::core::memory::{StorePath, Tree};
use crate::core::protocol::{ToolCall, ToolKind};
use crate::failure::Code;

impl Bench<'_> {
    /// Works a tool call.
    pub(super) fn tool(&mut self, call: &ToolCall) -> Result<Done, Refused> {
        match call {
            ToolCall::Set { path, content } => set::run(self, &StorePath::parse(path)?, content),
            ToolCall::Get { path } => get::run(self, &StorePath::parse(path)?),
            ToolCall::Rm { path } => rm::run(self, &StorePath::parse(path)?),
            ToolCall::Mv { source, target } => {
                mv::run(self, &StorePath::parse(source)?, &StorePath::parse(target)?)
            }
            ToolCall::Ls { path } => ls::run(self, &StorePath::parse(path)?),
            ToolCall::Search { scope, query } => {
                search::run(self, &StorePath::parse(scope)?, query)
            }
            ToolCall::Mkdir { path } => mkdir::run(self, &StorePath::parse(path)?),
        }
    }
}

/// Whether an operation only looks.
pub(super) fn is_look(op: &str) -> bool {
    match ToolKind::parse(op) {
        Some(ToolKind::Get | ToolKind::Ls | ToolKind::Search) => true,
        Some(ToolKind::Set | ToolKind::Rm | ToolKind::Mv | ToolKind::Mkdir) | None => false,
    }
}

/// The wish of a call that writes to where the state stands. It goes the same way as every other one.
pub(super) fn wish_of(call: &ToolCall) -> Option<Wish> {
    let ToolCall::Set { path, content } = call else {
        return None;
    };
    let path = StorePath::parse(path).ok()?;
    let is_state = path.tree() == Tree::WorkingMemory && path.parts() == [STATE];
    is_state.then(|| Wish::Enter(LoopState::parse(content)))
}

/// A call that worked, and what the next prompt says of it.
fn told(message: impl Into<String>) -> Done {
    Done {
        told: Some((message.into(), Vec::new())),
        ..Done::default()
    }
}

/// What changed RAM shows by itself, in the next prompt; what changed `/storage` is told.
fn told_of(path: &StorePath, message: &str) -> Done {
    match path.tree() {
        Tree::Storage => told(message),
        Tree::WorkingMemory => Done::default(),
    }
}

fn nothing_at(path: &StorePath) -> Refused {
    let parent = path.parent().map_or_else(String::new, |parent| {
        format!("; look at what there is with ls {parent}")
    });
    let message = format!("nothing stands at {path}{parent}");
    Refusal::new(Code::RecordNotFound, message).into()
}
