//! What a model's output may be kept to: the one description of the instructions that a reply can
//! hold, made of the same table as the parser's checks. A grammar and a schema are written from it;
//! it knows neither form. Form is all that it promises: whether an instruction takes effect is decided
//! as for any other.

use super::action::tool_shape;
use super::child::Child;
use super::tag::{Shape, shape};
use super::{AllowedTags, Tag, Takes};
use crate::core::agent::{LoopState, TOOLS, Tool};
use serde::{Deserialize, Serialize};

/// How a server keeps a model's output to instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ConstraintKind {
    /// By a grammar of the replies as they are: llama.cpp.
    Gbnf,
    /// By a schema of replies that are JSON.
    JsonSchema,
}

impl ConstraintKind {
    /// The name in configuration, records and files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Gbnf => "gbnf",
            Self::JsonSchema => "json_schema",
        }
    }

    /// The one with that name.
    pub fn parse(name: &str) -> Option<Self> {
        [Self::Gbnf, Self::JsonSchema]
            .into_iter()
            .find(|constraint_kind| constraint_kind.name() == name)
    }
}

/// The children of an instruction in the order in which a model is led through them: what a note is
/// called comes before its text, as in the examples. Others follow as the table has them.
const ORDER: [Child; 10] = [
    Child::State,
    Child::Key,
    Child::Title,
    Child::Kind,
    Child::Keywords,
    Child::Query,
    Child::Ids,
    Child::Version,
    Child::Value,
    Child::Metadata,
];

/// What a child holds, as far as form goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Content {
    /// One of the states that may be asked for.
    Target,
    /// The state that can be left: the one there is.
    Current,
    /// A whole number.
    Whole,
    /// A number from 0 to 1.
    Share,
    /// A number that is not negative.
    Number,
    /// One line.
    Line,
    /// Names with commas between them.
    Names,
    /// Anything.
    Text,
    /// Things to store, each with a key, a value and tags.
    Stores,
}

/// One child of an instruction.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    pub(super) child: Child,
    pub(super) content: Content,
    /// Whether it must stand.
    pub(super) must: bool,
}

/// One instruction.
#[derive(Clone, Debug)]
pub(super) struct Form {
    /// What it is called where instructions are JSON.
    pub(super) op: &'static str,
    /// The tags before its children, and those behind.
    pub(super) around: (String, String),
    /// In order. Where none must stand, one of them has to.
    pub(super) parts: Vec<Part>,
}

/// What a reply may hold.
#[derive(Clone, Debug)]
pub struct Outline {
    pub(super) forms: Vec<Form>,
    pub(super) targets: Vec<LoopState>,
    pub(super) current: LoopState,
}

impl Outline {
    /// The replies that a prompt file's tags allow in the state `current`, from which the model may
    /// ask for `targets`.
    pub fn new(allowed: AllowedTags, current: LoopState, targets: &[LoopState]) -> Self {
        // A grammar without a state to ask for would be none.
        let may_stand =
            |tag: &Tag| allowed.contains(*tag) && (*tag != Tag::StateAdd || !targets.is_empty());
        let tags = Tag::ALL.into_iter().filter(may_stand);
        Self {
            forms: tags.flat_map(forms_of).collect(),
            targets: targets.to_vec(),
            current,
        }
    }

    /// One in which every instruction can be written.
    pub(super) fn of_all() -> Self {
        let all = Tag::ALL.into_iter().collect();
        Self::new(all, LoopState::Planning, &LoopState::ALL)
    }

    /// Whether nothing can be said in it, so that nobody can be kept to it.
    pub fn is_empty(&self) -> bool {
        self.forms.is_empty()
    }

    /// The names of the states that a child may hold.
    pub(super) fn states(&self, content: Content) -> Vec<&'static str> {
        if content == Content::Current {
            return vec![self.current.name()];
        }
        self.targets.iter().map(|state| state.name()).collect()
    }
}

fn forms_of(tag: Tag) -> Vec<Form> {
    if tag == Tag::Actions {
        return TOOLS.iter().map(tool_form).collect();
    }
    let name = tag.name();
    let mut parts = parts_of(tag, &shape(tag));
    if tag == Tag::RecordSearch {
        // Ids are long, and small models invent them.
        parts = vec![part(tag, Child::Query, true)];
    }
    let around = (format!("<{name}>"), format!("</{name}>"));
    vec![Form {
        op: name,
        around,
        parts,
    }]
}

fn tool_form(tool: &Tool) -> Form {
    let name = tool.name;
    let mut parts = parts_of(Tag::Actions, &tool_shape(tool));
    parts.retain(|part| part.child != Child::Kind);
    if tool.takes == Takes::Words {
        // It takes its words from one of two; the examples have the first.
        parts.retain(|part| part.child != Child::Query);
        for part in &mut parts {
            part.must = true;
        }
    }
    Form {
        op: name,
        around: (
            format!("<actions><action><kind>{name}</kind>"),
            "</action></actions>".to_owned(),
        ),
        parts,
    }
}

/// The children of a shape in their order. Another workspace is not offered: what is hardly ever right
/// would only tempt a small model.
fn parts_of(tag: Tag, shape: &Shape) -> Vec<Part> {
    let required = shape.required.iter().map(|child| (*child, true));
    let optional = shape.optional.iter().map(|child| (*child, false));
    let children = required.chain(optional);
    let children = children.filter(|(child, _)| *child != Child::WorkspaceId);
    let mut parts: Vec<Part> = children
        .map(|(child, must)| part(tag, child, must))
        .collect();
    let place = |part: &Part| ORDER.iter().position(|child| *child == part.child);
    parts.sort_by_key(|part| place(part).unwrap_or(ORDER.len()));
    parts
}

fn part(tag: Tag, child: Child, must: bool) -> Part {
    Part {
        child,
        content: content(tag, child),
        must,
    }
}

fn content(tag: Tag, child: Child) -> Content {
    /// Those that hold neither a line nor a text.
    const OTHERS: [(Child, Content); 10] = [
        (Child::State, Content::Target),
        (Child::Version, Content::Whole),
        (Child::Progress, Content::Share),
        (Child::Quality, Content::Number),
        (Child::Enrichment, Content::Number),
        (Child::ContextKeys, Content::Names),
        (Child::Archive, Content::Names),
        (Child::Retrieve, Content::Names),
        (Child::Delete, Content::Names),
        (Child::Store, Content::Stores),
    ];
    if (tag, child) == (Tag::StateDelete, Child::State) {
        return Content::Current;
    }
    let other = OTHERS.iter().find(|(known, _)| *known == child);
    match other {
        Some((_, content)) => *content,
        None if child.is_free_text() => Content::Text,
        None => Content::Line,
    }
}
