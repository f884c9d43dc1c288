//! Replies in the form of JSON: what a schema asks for, put into the one form that everything else
//! reads, and worked examples put into it. Owns no checks of its own: what comes out goes through the
//! same parser as any reply.

use super::characters::decode;
use super::instruction::{Instruction, Parsed};
use super::json_scan::JsonScan;
use super::outline::{Form, Outline};
use super::schema::{INSTRUCTIONS, OP};
use super::{ParseOptions, Tag, parse};
use crate::core::agent::Tool;
use crate::strict_json::parse_lossless;
use serde_json::{Map, Value};
use std::fmt::Write as _;

/// Children whose text may be JSON of its own.
const HOLDS_JSON: [&str; 3] = ["value", "content", "metadata"];

/// Reads a reply that was asked for as JSON; one that is something else as it stands, since whoever
/// asked for JSON and got XML can read that just as well. Lines and columns are those of the XML.
pub fn parse_json(reply: &str, options: &ParseOptions) -> Parsed {
    match xml_of_json(reply, options) {
        Some(xml) => parse(&xml, options),
        None => parse(reply, options),
    }
}

/// The XML form of a reply that is JSON, or `None` for one that is something else.
///
/// Members that are no text are written as JSON, long numbers with all their digits, and null says that
/// there is none. A reply that holds
/// the list alone, or one instruction alone, is taken as well: some servers keep a model to the schema
/// only loosely. Of one that breaks off, the instructions before are taken, except in strict mode.
pub fn xml_of_json(reply: &str, options: &ParseOptions) -> Option<String> {
    let text = without_fence(reply.trim());
    let Ok(document) = parse_lossless(text) else {
        return if options.strict {
            None
        } else {
            xml_of_begun(text, options.truncated)
        };
    };
    let items = match &document {
        Value::Object(members) => match members.get(INSTRUCTIONS) {
            Some(list) => list.as_array()?.iter().collect(),
            None => vec![&document],
        },
        Value::Array(list) => list.iter().collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => return None,
    };
    let written = items.into_iter().map(|item| instruction(item.as_object()?));
    Some(written.collect::<Option<Vec<_>>>()?.join("\n"))
}

/// Whether a text is a reply in the form of JSON, to its end.
pub fn is_json_reply(text: &str) -> bool {
    let options = ParseOptions {
        strict: true,
        ..ParseOptions::default()
    };
    xml_of_json(text, &options).is_some()
}

/// A document that breaks off: its whole instructions, and of the one that is open only its name, if
/// the server says that it cut there.
fn xml_of_begun(text: &str, truncated: bool) -> Option<String> {
    if !text.starts_with(['{', '[']) {
        return None;
    }
    let scan = JsonScan::of(text);
    let items = scan.items().iter();
    let items = items.map(|(start, end)| {
        let item = parse_lossless(text.get(*start..*end)?).ok()?;
        instruction(item.as_object()?)
    });
    let mut written = items.collect::<Option<Vec<_>>>()?;
    let open = scan.open_item().filter(|_| truncated);
    if let Some(op) = open.and_then(|start| name_of_begun(text.get(start..)?)) {
        written.push(format!("<{op}>"));
    }
    (!written.is_empty()).then(|| written.join("\n"))
}

/// The name in an instruction that breaks off; it stands first.
fn name_of_begun(text: &str) -> Option<&str> {
    let (_, rest) = text.split_once("\"op\"")?;
    let rest = rest.trim_start().strip_prefix(':')?.trim_start();
    let (name, _) = rest.strip_prefix('"')?.split_once('"')?;
    is_name(name).then_some(name)
}

fn instruction(members: &Map<String, Value>) -> Option<String> {
    let op = members.get(OP)?.as_str().filter(|name| is_name(name))?;
    let is_tool = Tag::parse(op).is_none() && Tool::find(op).is_some();
    let mut text = if is_tool {
        format!("<actions><action><kind>{op}</kind>")
    } else {
        format!("<{op}>")
    };
    for (name, value) in members.iter().filter(|(name, _)| *name != OP) {
        member(&mut text, name, value)?;
    }
    if is_tool {
        text.push_str("</action></actions>");
    } else {
        text.extend(["</", op, ">"]);
    }
    Some(text)
}

/// Writes a member as a child, or as several where it is a list of objects.
fn member(text: &mut String, name: &str, value: &Value) -> Option<()> {
    if !is_name(name) {
        return None;
    }
    let content = match value {
        Value::Null => return Some(()),
        Value::String(text) => quoted(text),
        Value::Array(list) if name == "store" => {
            for stored in list {
                text.extend(["<", name, ">"]);
                for (part, value) in stored.as_object()? {
                    let value = plain(part, value);
                    text.extend(["<", part, ">", &value, "</", part, ">"]);
                }
                text.extend(["</", name, ">"]);
            }
            return Some(());
        }
        Value::Array(_) | Value::Object(_) | Value::Bool(_) | Value::Number(_) => {
            plain(name, value)
        }
    };
    text.extend(["<", name, ">", &content, "</", name, ">"]);
    Some(())
}

/// The text of a member that may be a list of names.
fn plain(name: &str, value: &Value) -> String {
    let names = value.as_array().filter(|_| !HOLDS_JSON.contains(&name));
    let names = names.and_then(|list| list.iter().map(Value::as_str).collect::<Option<Vec<_>>>());
    match (names, value) {
        (Some(names), _) => quoted(&names.join(", ")),
        (None, Value::String(text)) => quoted(text),
        (None, _) => quoted(&value.to_string()),
    }
}

/// A text of JSON as the content of an element. Models copy what they are shown, and data is shown
/// escaped: a text with references and without a raw `<` or `&` is such a copy. Any other
/// is taken to the letter.
fn quoted(text: &str) -> String {
    let is_copy = !text.contains('<') && text.split('&').skip(1).all(begins_reference);
    if is_copy {
        literal(text)
    } else {
        escape_marks(&text.replace('&', "&amp;"))
    }
}

/// A text of XML as the content of an element: references stay, and everything else is text as it
/// stands.
pub(super) fn literal(text: &str) -> String {
    let mut parts = text.split('&');
    let mut escaped = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let is_reference = begins_reference(part);
        escaped.push_str(if is_reference { "&" } else { "&amp;" });
        escaped.push_str(part);
    }
    escape_marks(&escaped)
}

/// Whether what follows a `&` makes it a reference.
fn begins_reference(part: &str) -> bool {
    let name = part.split_once(';').map(|(name, _)| name);
    name.and_then(decode).is_some()
}

fn escape_marks(text: &str) -> String {
    text.replace('<', "&lt;").replace('>', "&gt;")
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

/// A worked example in the form of JSON, its members in the schema's order; `None` for a text that
/// holds anything but instructions, and where the schema has no member for something that one says.
pub fn json_of_xml(example: &str) -> Option<String> {
    let options = ParseOptions {
        strict: true,
        allowed_tags: Tag::ALL.into_iter().collect(),
        truncated: false,
    };
    let parsed = parse(example, &options);
    if !parsed.ok || parsed.instructions.is_empty() {
        return None;
    }
    let outline = Outline::of_all();
    let written = parsed.instructions.iter().map(|located| {
        let form = |form: &&Form| form.op == located.instruction.op();
        written(outline.forms.iter().find(form)?, &located.instruction)
    });
    let written = written.collect::<Option<Vec<_>>>()?.join(",");
    Some(format!("{{\"{INSTRUCTIONS}\":[{written}]}}"))
}

fn written(form: &Form, instruction: &Instruction) -> Option<String> {
    let Ok(Value::Object(mut members)) = serde_json::to_value(instruction) else {
        return None;
    };
    members.remove(OP);
    let mut text = format!("{{\"{OP}\":\"{}\"", form.op);
    for part in &form.parts {
        let name = part.child.name();
        // A search names what it looks for in one of two ways.
        let other = if name == "content" { "query" } else { name };
        let value = match members.remove(name).or_else(|| members.remove(other)) {
            None => continue,
            Some(Value::Array(list)) if list.is_empty() => continue,
            Some(value) => value,
        };
        let value = match value {
            // The schema has a text there.
            Value::Object(_) => Value::from(value.to_string()),
            Value::Null
            | Value::Bool(_)
            | Value::Number(_)
            | Value::String(_)
            | Value::Array(_) => value,
        };
        write!(text, ",\"{name}\":{value}").ok()?;
    }
    text.push('}');
    let is_said = |left: &Value| left.as_array().is_some_and(Vec::is_empty);
    members.values().all(is_said).then_some(text)
}
