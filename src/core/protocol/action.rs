//! The element `<action>`, which two dialects share: a tool call, or a block of things to store.
//! Owns which of the two one is, what it is made of, and its typed form.

use super::build::{Children, Field};
use super::child::Child;
use super::instruction::{Instruction, Store};
use super::tag::{Shape, Tag, shape};
use super::{Takes, ToolCall};
use crate::core::agent::{TOOLS, Tool};
use serde::de::IgnoredAny;

/// What an `<action>` is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// A call of that tool; `None` if it names none.
    Tool(Option<&'static Tool>),
    /// A block of things to store.
    Block,
}

impl Form {
    /// The parent decides: inside `<actions>` it is a tool call, elsewhere only with a `<kind>`.
    pub(super) fn of(fields: &[Field<'_>], in_actions: bool) -> Self {
        let kind = fields.iter().find(|field| field.child == Child::Kind);
        match kind {
            Some(kind) => Self::Tool(Tool::find(kind.text.trim())),
            None if in_actions => Self::Tool(None),
            None => Self::Block,
        }
    }

    /// The tag that switches it on.
    pub(super) const fn switch(self) -> Tag {
        match self {
            Self::Tool(_) => Tag::Actions,
            Self::Block => Tag::Action,
        }
    }

    /// What it is made of.
    pub(super) const fn shape(self) -> Shape {
        match self {
            Self::Tool(Some(kind)) => tool_shape(kind),
            Self::Tool(None) => NO_TOOL,
            Self::Block => shape(Tag::Action),
        }
    }
}

/// The shape of an `<action>` that is to be a tool call and names no tool.
const NO_TOOL: Shape = Shape {
    required: &[Child::Kind],
    optional: &[Child::TargetPath, Child::SourcePath, Child::Content],
    sample: shape(Tag::Actions).sample,
};

/// The shape of a call. A tool that takes words takes them from one of two children, which the two
/// lists cannot say; [`tool_call`] checks it.
pub(super) const fn tool_shape(tool: &Tool) -> Shape {
    let (required, optional): (&[Child], &[Child]) = match tool.takes {
        Takes::Nothing => (&[Child::Kind, Child::TargetPath], &[]),
        Takes::Content => (&[Child::Kind, Child::TargetPath, Child::Content], &[]),
        Takes::Source => (&[Child::Kind, Child::SourcePath, Child::TargetPath], &[]),
        Takes::Words => (
            &[Child::Kind, Child::TargetPath],
            &[Child::Content, Child::Query],
        ),
    };
    Shape {
        required,
        optional,
        sample: tool.sample,
    }
}

/// Builds a tool call from children that fit its shape.
///
/// # Errors
/// A sentence that says what is wrong with them.
pub(super) fn tool_call(
    tool: Option<&'static Tool>,
    mut children: Children<'_, '_>,
    strict: bool,
) -> Result<Instruction, String> {
    let Some(tool) = tool else {
        let names: Vec<&str> = TOOLS.iter().map(|tool| tool.name).collect();
        return Err(format!("<kind> must be one of: {}.", names.join(", ")));
    };
    let path = children.required_text(Child::TargetPath)?;
    let taken = match tool.takes {
        Takes::Nothing => String::new(),
        Takes::Content => content(&mut children, strict)?,
        Takes::Source => children.required_text(Child::SourcePath)?,
        Takes::Words => words(tool, &mut children)?,
    };
    Ok(Instruction::Tool(ToolCall { tool, path, taken }))
}

/// Text that begins like JSON and is none is taken as the text that it is, but not in strict mode.
fn content(children: &mut Children<'_, '_>, strict: bool) -> Result<String, String> {
    let text = children.text(Child::Content).unwrap_or_default();
    let is_json = || serde_json::from_str::<IgnoredAny>(&text).is_ok();
    if strict && text.starts_with(['{', '[']) && !is_json() {
        return Err("<content> begins like JSON and is none.".to_owned());
    }
    Ok(text)
}

fn words(tool: &Tool, children: &mut Children<'_, '_>) -> Result<String, String> {
    match (
        children.words(Child::Content)?,
        children.words(Child::Query)?,
    ) {
        (Some(words), None) | (None, Some(words)) => Ok(words),
        (Some(_), Some(_)) => {
            let name = tool.name;
            Err(format!("{name} takes <content> or <query>, not both."))
        }
        (None, None) => Err("<content> is missing; it holds the words to look for.".to_owned()),
    }
}

/// Builds a block from its children in the order of the reply.
///
/// # Errors
/// A sentence that says what is wrong with them.
pub(super) fn block(fields: &mut Vec<Field<'_>>) -> Result<Instruction, String> {
    let mut stores: Vec<Vec<Field<'_>>> = Vec::new();
    let mut others = Vec::new();
    for field in fields.drain(..) {
        let name = field.child.name();
        match (field.child, field.in_store) {
            (Child::Store, _) => stores.push(Vec::new()),
            (Child::Key | Child::Value | Child::Tags, true) => {
                if let Some(store) = stores.last_mut() {
                    if store.iter().any(|earlier| earlier.child == field.child) {
                        return Err(format!("<{name}> stands twice in <store>."));
                    }
                    store.push(field);
                }
            }
            (_, true) => return Err(format!("<{name}> does not belong in <store>.")),
            (Child::ContextKeys, false) if others.is_empty() => others.push(field),
            (Child::ContextKeys, false) => {
                return Err(format!("<{name}> stands twice in <action>."));
            }
            (Child::Key | Child::Value | Child::Tags, false) => {
                return Err(format!("<{name}> stands outside <store>."));
            }
            (_, false) => return Err(format!("<{name}> does not belong in <action>.")),
        }
    }
    if stores.is_empty() && others.is_empty() {
        return Err("<action> needs <kind>, <store> or <context_keys>.".to_owned());
    }
    let stores = stores.into_iter().map(store);
    Ok(Instruction::Action {
        store: stores.collect::<Result<_, String>>()?,
        context_keys: Children::of(&mut others).list(Child::ContextKeys)?,
    })
}

fn store(mut fields: Vec<Field<'_>>) -> Result<Store, String> {
    let mut children = Children::of(&mut fields);
    let missing = |child: Child| format!("<{}> is missing in <store>.", child.name());
    Ok(Store {
        key: children.key()?.ok_or_else(|| missing(Child::Key))?,
        value: children
            .text(Child::Value)
            .ok_or_else(|| missing(Child::Value))?,
        tags: children.list(Child::Tags)?,
    })
}
