//! Tool calls in the executor: `/working_memory`, which is a view of RAM, and `/storage`.
//! This file is the registry. A new tool is a module below here and a line in [`TOOLS`], which
//! makes it known to the parser, the grammars and the executor. Paths are keys of these trees; no
//! tool reaches a file.

#[cfg(test)]
mod count;
mod get;
mod ls;
mod mkdir;
mod mv;
mod places;
mod rm;
mod search;
mod set;
mod view;

use super::{Accepted, Done, Executor, Refused};
use crate::core::agent::LoopState;
use crate::core::agent::transition::StateRequest;
use crate::core::guard::Refusal;
use crate::core::memory::ram::STATE;
use crate::core::memory::{StorePath, Tree};
use crate::core::protocol::{ToolArgument, ToolCall};
use crate::failure::Code;

pub(super) use ls::list;
pub(super) use view::{look, result_at, result_of, text_at};

/// Every tool.
pub static TOOLS: &[Tool] = &[
    set::TOOL,
    get::TOOL,
    rm::TOOL,
    mv::TOOL,
    ls::TOOL,
    search::TOOL,
    mkdir::TOOL,
    #[cfg(test)]
    count::TOOL,
];

/// A tool: its name, its arguments and its function.
#[derive(Debug)]
pub struct Tool {
    /// The name in `<kind>`.
    /// Names are case-sensitive.
    pub name: &'static str,
    /// The argument that it takes beside `<target_path>`.
    pub takes: ToolArgument,
    /// Whether it only reads.
    pub is_look: bool,
    /// A correct call, short enough to be shown to a small model.
    pub sample: &'static str,
    /// The function that executes a call, given the path and the argument beside it.
    run: fn(&mut Executor<'_>, &StorePath, &str) -> Result<Done, Refused>,
}

impl Tool {
    /// Returns the tool of that name.
    pub fn find(name: &str) -> Option<&'static Self> {
        TOOLS.iter().find(|tool| tool.name == name)
    }
}

impl PartialEq for Tool {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Tool {}

/// Executes a tool call.
/// A call that writes to `state` is a request for a state.
pub(super) fn tool(executor: &mut Executor<'_>, call: &ToolCall) -> Result<Accepted, Refused> {
    if let Some(request) = state_request_of(call) {
        return Ok(Accepted::StateRequest(request));
    }
    let path = place_of(executor, &call.path)?;
    (call.tool.run)(executor, &path, &call.taken).map(Accepted::from)
}

/// Returns the place that a path names, in the spelling in which it is stored.
fn place_of(executor: &Executor<'_>, written: &str) -> Result<StorePath, Refusal> {
    let path = StorePath::parse(written)?;
    Ok(view::as_stored(
        executor.overlay.ram(),
        executor.overlay.storage(),
        &path,
        written,
    ))
}

/// Returns whether a tool only reads.
pub(super) fn is_look(op: &str) -> bool {
    Tool::find(op).is_some_and(|tool| tool.is_look)
}

/// Returns the request for a state of a call that writes to `state`.
fn state_request_of(call: &ToolCall) -> Option<StateRequest> {
    let path = StorePath::parse(&call.path).ok()?;
    let is_state = path.tree() == Tree::WorkingMemory && path.parts() == [STATE];
    (is_state && call.tool.takes == ToolArgument::Content)
        .then(|| StateRequest::Enter(LoopState::parse(&call.taken)))
}

/// Returns the outcome of a call, with a message for the next prompt.
fn feedback(message: impl Into<String>) -> Done {
    Done::feedback(Some(message.into()))
}

/// Returns the outcome of a call that wrote to a path.
/// The next prompt shows a change of RAM by itself; a change of `/storage` needs the message.
fn feedback_for(path: &StorePath, message: &str) -> Done {
    match path.tree() {
        Tree::Storage => feedback(message),
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
