//! A call of a tool: which tool, and what it is given. Owns how a call is written and read, and never
//! what a tool does; that is its module's in the executor. Paths and texts are the raw strings of the
//! reply.

use super::child::Child;
use crate::core::agent::Tool;
use serde::ser::SerializeMap as _;
use serde::{Serialize, Serializer};

/// What a tool takes beside its `<target_path>`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Takes {
    /// Nothing.
    Nothing,
    /// What is to stand at the path, JSON or text, in `<content>`.
    Content,
    /// What is to be moved to the path, in `<source_path>`.
    Source,
    /// Words to look for, in `<content>` or `<query>`.
    Words,
}

impl Takes {
    /// The name that it has in a call that is written as JSON.
    const fn member(self) -> Option<Child> {
        match self {
            Self::Nothing => None,
            Self::Content => Some(Child::Content),
            Self::Source => Some(Child::SourcePath),
            Self::Words => Some(Child::Query),
        }
    }
}

/// A call of a tool, its paths and texts as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolCall {
    /// Which tool is called.
    pub tool: &'static Tool,
    /// Where.
    pub path: String,
    /// What the tool takes beside it; empty for one that takes nothing.
    pub taken: String,
}

impl ToolCall {
    /// The path that it works on; for a move the one that it takes away.
    pub fn target(&self) -> &str {
        match self.tool.takes {
            Takes::Source => &self.taken,
            Takes::Nothing | Takes::Content | Takes::Words => &self.path,
        }
    }
}

impl Serialize for ToolCall {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut members = serializer.serialize_map(None)?;
        members.serialize_entry("op", self.tool.name)?;
        members.serialize_entry(Child::TargetPath.name(), &self.path)?;
        if let Some(member) = self.tool.takes.member() {
            members.serialize_entry(member.name(), &self.taken)?;
        }
        members.end()
    }
}
