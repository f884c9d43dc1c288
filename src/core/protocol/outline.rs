//! The instructions that a reply can hold, as a description that a server can keep a model to. It
//! is made of the table that the parser checks with; a grammar and a schema are written from it. It
//! promises form only: whether an instruction takes effect is decided as for any other.

use super::ToolArgument;
use super::draft::tool_shape;
use super::tag::{AllowedTags, Child, Shape, Tag, shape};
use crate::core::agent::{LoopState, TOOLS, Tool};
use serde::{Deserialize, Serialize};

/// A way in which a server keeps a model's output to instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ConstraintKind {
    /// By a grammar of the replies as they are: llama.cpp.
    Gbnf,
    JsonSchema,
}

impl ConstraintKind {
    /// Returns the name in configuration, records and files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Gbnf => "gbnf",
            Self::JsonSchema => "json_schema",
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct OutlineChild {
    pub(super) child: Child,
    pub(super) must: bool,
    /// Whether it holds the state that can be left: the one there is.
    pub(super) is_current: bool,
}

#[derive(Clone, Debug)]
pub(super) struct InstructionForm {
    pub(super) op: &'static str,
    /// The tags before its children, and those behind.
    pub(super) around: (String, String),
    /// Its children in order. Where none must stand, one of them has to.
    pub(super) parts: Vec<OutlineChild>,
}

/// The instructions that a reply may hold.
#[derive(Clone, Debug)]
pub struct Outline {
    pub(super) forms: Vec<InstructionForm>,
    targets: Vec<&'static str>,
    current: &'static str,
}

impl Outline {
    /// Returns the replies that a prompt file's tags allow in the state `current`, from which the
    /// model may ask for `targets`.
    pub fn new(allowed: AllowedTags, current: LoopState, targets: &[LoopState]) -> Self {
        // A grammar without a state to ask for would be none.
        let may_stand =
            |tag: &Tag| allowed.contains(*tag) && (*tag != Tag::StateAdd || !targets.is_empty());
        let tags = Tag::ALL.into_iter().filter(may_stand);
        Self {
            forms: tags.flat_map(forms_of).collect(),
            targets: targets.iter().map(|state| state.name()).collect(),
            current: current.name(),
        }
    }

    /// Returns the outline in which every instruction can be written.
    pub(super) fn of_all() -> Self {
        let all = Tag::ALL.into_iter().collect();
        Self::new(all, LoopState::Planning, &LoopState::ALL)
    }

    /// Returns whether it has no instruction, so that nobody can be kept to it.
    pub fn is_empty(&self) -> bool {
        self.forms.is_empty()
    }

    /// Returns the names of the states that a child may hold.
    pub(super) fn states(&self, part: OutlineChild) -> &[&'static str] {
        if part.is_current {
            std::slice::from_ref(&self.current)
        } else {
            &self.targets
        }
    }
}

fn forms_of(tag: Tag) -> Vec<InstructionForm> {
    if tag == Tag::Actions {
        return TOOLS.iter().map(tool_form).collect();
    }
    let name = tag.name();
    let mut parts = parts_of(&shape(tag));
    if tag == Tag::RecordSearch {
        // Ids are long, and small models invent them.
        parts.retain(|part| part.child == Child::Query);
        for part in &mut parts {
            part.must = true;
        }
    }
    for part in &mut parts {
        part.is_current = (tag, part.child) == (Tag::StateDelete, Child::State);
    }
    vec![InstructionForm {
        op: name,
        around: (format!("<{name}>"), format!("</{name}>")),
        parts,
    }]
}

fn tool_form(tool: &Tool) -> InstructionForm {
    let name = tool.name;
    let mut parts = parts_of(&tool_shape(tool));
    parts.retain(|part| part.child != Child::Kind);
    if tool.takes == ToolArgument::Words {
        // It takes its words from one of two; the examples have the first.
        parts.retain(|part| part.child != Child::Query);
        for part in &mut parts {
            part.must = true;
        }
    }
    InstructionForm {
        op: name,
        around: (
            format!("<actions><action><kind>{name}</kind>"),
            "</action></actions>".to_owned(),
        ),
        parts,
    }
}

/// Returns the children of a shape in their order. Another workspace is not offered: what is hardly
/// ever right would only tempt a small model.
fn parts_of(shape: &Shape) -> Vec<OutlineChild> {
    let required = shape.required.iter().map(|child| (*child, true));
    let optional = shape.optional.iter().map(|child| (*child, false));
    let mut parts: Vec<OutlineChild> = required
        .chain(optional)
        .filter(|(child, _)| *child != Child::WorkspaceId)
        .map(|(child, must)| OutlineChild {
            child,
            must,
            is_current: false,
        })
        .collect();
    parts.sort_by_key(|part| part.child.rank());
    parts
}
