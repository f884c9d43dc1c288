//! The JSON form of a reply, as a schema asks for it, put into the one form that everything else
//! reads. Owns no checks of its own: what comes out goes through the same parser as any reply.

use super::escape::escape;
use super::grammar::{INSTRUCTIONS, OP};
use serde_json::{Map, Value};
use std::borrow::Cow;

/// The XML form of a reply that is JSON, or `None` for one that is something else; whoever asked for
/// JSON and got XML can read that just as well.
///
/// Members that are no text are written as JSON. A reply that holds the list alone, or one
/// instruction alone, is taken as well: some servers keep a model to the schema only loosely.
pub fn xml_of_json(reply: &str) -> Option<String> {
    let text = without_fence(reply.trim());
    let document: Value = serde_json::from_str(text).ok()?;
    let items = match &document {
        Value::Object(members) => match members.get(INSTRUCTIONS) {
            Some(list) => list.as_array()?.iter().collect(),
            None => vec![&document],
        },
        Value::Array(list) => list.iter().collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => return None,
    };
    let written: Option<Vec<String>> = items
        .into_iter()
        .map(|item| item.as_object().and_then(instruction))
        .collect();
    Some(written?.join("\n"))
}

fn instruction(members: &Map<String, Value>) -> Option<String> {
    let op = members.get(OP)?.as_str().filter(|name| is_name(name))?;
    let mut text = format!("<{op}>");
    for (name, value) in members.iter().filter(|(name, _)| *name != OP) {
        if !is_name(name) {
            return None;
        }
        let content = match value {
            Value::String(text) => escape(text),
            Value::Null
            | Value::Bool(_)
            | Value::Number(_)
            | Value::Array(_)
            | Value::Object(_) => Cow::Owned(escape(&value.to_string()).into_owned()),
        };
        text.extend(["<", name, ">", content.as_ref(), "</", name, ">"]);
    }
    text.extend(["</", op, ">"]);
    Some(text)
}

/// What can be an element's name, so that no member can write markup.
fn is_name(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|it| it.is_ascii_lowercase() || it == b'_')
}

/// The text inside a code fence around all of it.
fn without_fence(text: &str) -> &str {
    let inner = || {
        let rest = text.strip_prefix("```")?.strip_suffix("```")?;
        Some(rest.split_once('\n')?.1)
    };
    inner().unwrap_or(text).trim()
}
