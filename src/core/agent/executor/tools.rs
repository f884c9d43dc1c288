//! Tool calls in the executor: `/working_memory`, which is a view of RAM, and `/storage`. This file is
//! the registry. A new tool is a module below here and a line in [`TOOLS`]; the parser, the grammars and
//! the executor know it by that. Paths are keys of ours; no tool knows any file.

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

use super::{Acted, Done, Executor, Refused};
use crate::core::agent::LoopState;
use crate::core::agent::transition::Wish;
use crate::core::guard::Refusal;
use crate::core::memory::ram::STATE;
use crate::core::memory::{StorePath, Tree};
use crate::core::protocol::{Takes, ToolCall};
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

/// A tool: how it is called, and what it does.
#[derive(Debug)]
pub struct Tool {
    /// The name as it stands in `<kind>`. Names are case-sensitive.
    pub name: &'static str,
    /// What it takes beside `<target_path>`.
    pub takes: Takes,
    /// Whether it only looks.
    pub is_look: bool,
    /// A correct call, short enough to be shown to a small model.
    pub sample: &'static str,
    /// Works a call: the path, and what is taken beside it.
    run: fn(&mut Executor<'_>, &StorePath, &str) -> Result<Done, Refused>,
}

impl Tool {
    /// The tool with that name.
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

/// Works a tool call. One that writes to where the state stands is a wish like every other one.
pub(super) fn tool(executor: &mut Executor<'_>, call: &ToolCall) -> Result<Acted, Refused> {
    if let Some(wish) = wish_of(call) {
        return Ok(Acted::Wish(wish));
    }
    let path = place_of(executor, &call.path)?;
    (call.tool.run)(executor, &path, &call.taken).map(Acted::from)
}

/// The place that a path names, in the spelling in which it is stored.
fn place_of(executor: &Executor<'_>, written: &str) -> Result<StorePath, Refusal> {
    let path = StorePath::parse(written)?;
    Ok(view::as_stored(
        executor.overlay.ram(),
        executor.overlay.storage(),
        &path,
        written,
    ))
}

/// Whether an operation only looks.
pub(super) fn is_look(op: &str) -> bool {
    Tool::find(op).is_some_and(|tool| tool.is_look)
}

/// Returns the wish of a call that writes to where the state stands.
fn wish_of(call: &ToolCall) -> Option<Wish> {
    let path = StorePath::parse(&call.path).ok()?;
    let is_state = path.tree() == Tree::WorkingMemory && path.parts() == [STATE];
    (is_state && call.tool.takes == Takes::Content)
        .then(|| Wish::Enter(LoopState::parse(&call.taken)))
}

/// A call that worked, and what the next prompt says of it.
fn feedback(message: impl Into<String>) -> Done {
    Done::feedback(Some(message.into()))
}

/// What changed RAM shows by itself, in the next prompt; what changed `/storage` is told.
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
