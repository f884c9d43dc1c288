//! Replies in the form of JSON, as a schema asks for, and worked examples put into that form. Each
//! item becomes the draft of an instruction, which is checked like any other.

use super::characters::resolved;
use super::draft::{Field, InstructionDraft};
use super::instruction::Instruction;
use super::outline::{InstructionForm, Outline};
use super::parse::{ParseOptions, drop_foreign, parse};
use super::report::{ParseReport, ReplyRefusal};
use super::schema::{INSTRUCTIONS, OP};
use super::tag::{Child, Element, Tag};
use crate::core::agent::Tool;
use crate::limits::ELEMENT_NAME_BYTES_MAX;
use crate::strict_json::parse_lossless;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Write as _;

struct Items<'t> {
    /// The complete ones, each with its first byte.
    complete: Vec<(usize, Map<String, Value>)>,
    /// The first byte and the name of the one in which the server cut the reply off.
    open: Option<(usize, &'t str)>,
}

/// Reads a reply that is JSON into the report; `None` for one that is something else.
///
/// Members that are no text are taken as JSON, long numbers with all their digits, and null says
/// that there is none.
pub(super) fn read(reply: &str, report: &mut ParseReport) -> Option<Result<(), ReplyRefusal>> {
    let Items { complete, open } = items(reply, &report.options)?;
    let read = complete
        .iter()
        .try_for_each(|(start, members)| add(report, *start, members));
    Some(read.and_then(|()| match open {
        Some((start, op)) => report.drop_truncated(start, op),
        None => Ok(()),
    }))
}

/// Returns the names of the instructions of a reply that is JSON; `None` for one that is something
/// else.
pub fn json_ops(reply: &str) -> Option<Vec<String>> {
    let items = items(reply, &ParseOptions::default())?.complete.into_iter();
    let op = |members: &Map<String, Value>| Some(members.get(OP)?.as_str()?.to_owned());
    items.map(|(_, members)| op(&members)).collect()
}

/// Returns whether a text is a reply in the form of JSON, to its end.
pub fn is_json_reply(text: &str) -> bool {
    let options = ParseOptions {
        strict: true,
        ..ParseOptions::default()
    };
    items(text, &options).is_some()
}

/// Returns the items of a reply, or `None` for one that is no list of instructions.
///
/// A reply that holds the list alone, or one instruction alone, is taken as well: some servers keep
/// a model to the schema only loosely. Of one that breaks off, the complete items count, except in
/// strict mode.
fn items<'t>(reply: &'t str, options: &ParseOptions) -> Option<Items<'t>> {
    let text = without_fence(reply.trim());
    // All parts are slices of the reply.
    let offset = |part: &str| part.as_ptr().addr().saturating_sub(reply.as_ptr().addr());
    let is_whole = serde_json::from_str::<IgnoredAny>(text).is_ok();
    let mut open = None;
    let listed = if is_whole {
        listed(text)?
    } else if options.strict || !text.starts_with(['{', '[']) {
        return None;
    } else {
        let mut scan = JsonScan::default();
        scan.advance(text);
        let begun = scan.open_item().filter(|_| options.truncated);
        let begun = begun.and_then(|start| text.get(start..));
        open = begun.and_then(|item| Some((offset(item), name_of_begun(item)?)));
        let listed = scan.items.iter().map(|(start, end)| text.get(*start..*end));
        listed.collect::<Option<Vec<_>>>()?
    };
    let complete = listed
        .into_iter()
        .map(|item| Some((offset(item), members_of(item)?)))
        .collect::<Option<Vec<_>>>()?;
    let is_begun = !complete.is_empty() || open.is_some();
    (is_whole || is_begun).then_some(Items { complete, open })
}

/// Returns the text inside a code fence around all of it.
fn without_fence(text: &str) -> &str {
    let inner = || {
        let rest = text.strip_prefix("```")?.strip_suffix("```")?;
        Some(rest.split_once('\n')?.1)
    };
    inner().unwrap_or(text).trim()
}

fn listed(text: &str) -> Option<Vec<&str>> {
    let list = if text.starts_with('[') {
        text
    } else {
        let members: BTreeMap<String, &RawValue> = serde_json::from_str(text).ok()?;
        match members.get(INSTRUCTIONS) {
            Some(list) => list.get(),
            None => return Some(vec![text]),
        }
    };
    let items: Vec<&RawValue> = serde_json::from_str(list).ok()?;
    Some(items.into_iter().map(RawValue::get).collect())
}

/// Returns the members of an item, or `None` for one that can be no instruction.
fn members_of(item: &str) -> Option<Map<String, Value>> {
    let Ok(Value::Object(members)) = parse_lossless(item) else {
        return None;
    };
    let has_names = |object: &Map<String, Value>| object.keys().all(|name| is_name(name));
    let stores = members.get(Child::Store.name()).and_then(Value::as_array);
    let mut stores = stores.into_iter().flatten();
    let is_item = is_name(members.get(OP)?.as_str()?)
        && has_names(&members)
        && stores.all(|store| store.as_object().is_some_and(has_names));
    is_item.then_some(members)
}

/// Returns the name in an item that breaks off; it stands first.
fn name_of_begun(text: &str) -> Option<&str> {
    let (_, rest) = text.split_once("\"op\"")?;
    let rest = rest.trim_start().strip_prefix(':')?.trim_start();
    let (name, _) = rest.strip_prefix('"')?.split_once('"')?;
    is_name(name).then_some(name)
}

/// Returns whether a text can be the name of an element.
fn is_name(name: &str) -> bool {
    (1..=ELEMENT_NAME_BYTES_MAX).contains(&name.len())
        && name.bytes().all(|it| it.is_ascii_lowercase() || it == b'_')
}

/// Adds one item to the report, or drops it.
fn add(
    report: &mut ParseReport,
    start: usize,
    members: &Map<String, Value>,
) -> Result<(), ReplyRefusal> {
    let with_dialects = report.options.allowed_tags.has_dialect();
    let op = members.get(OP).and_then(Value::as_str).unwrap_or_default();
    let known = Element::parse(op, with_dialects);
    let is_call = known.is_none() && with_dialects && Tool::find(op).is_some();
    let mut draft = match known {
        Some(Element::Instruction(tag)) => InstructionDraft::new(tag, start, false),
        None if is_call => InstructionDraft::new(Tag::Action, start, true),
        Some(Element::Child(_)) | None => {
            return drop_foreign(report, start, op, known.is_some());
        }
    };
    report.begin(start)?;
    if is_call {
        draft
            .fields
            .push(Field::plain(Child::Kind, op.into(), false));
    }
    for (name, value) in members {
        if name == OP || value.is_null() {
            continue;
        }
        match Element::parse(name, with_dialects) {
            Some(Element::Child(Child::Store)) if value.is_array() => {
                push_stores(&mut draft, report, value)?;
            }
            Some(Element::Child(child)) => push(&mut draft, report, child, value, false)?,
            Some(Element::Instruction(inner)) => draft.wrong(|tag| {
                format!("<{inner}> stands inside <{tag}>. Write them one after the other.")
            }),
            None if draft.tag.is_dialect() => step_over(&mut draft, report, name)?,
            None => draft.wrong(|tag| format!("<{name}> does not belong in <{tag}>.")),
        }
    }
    draft.settle(report)
}

/// Reports a member that a dialect does not know.
fn step_over(
    draft: &mut InstructionDraft<'_>,
    report: &mut ParseReport,
    name: &str,
) -> Result<(), ReplyRefusal> {
    let message = format!(
        "<{name}> does not belong in <{}> and was stepped over.",
        draft.tag
    );
    draft.repair(report, draft.start, message)
}

/// Adds a list of pieces to store.
fn push_stores(
    draft: &mut InstructionDraft<'_>,
    report: &mut ParseReport,
    list: &Value,
) -> Result<(), ReplyRefusal> {
    for store in list.as_array().into_iter().flatten() {
        let field = Field::plain(Child::Store, Cow::Borrowed(""), false);
        draft.fields.push(field);
        for (name, value) in store.as_object().into_iter().flatten() {
            match Child::parse(name) {
                Some(_) if value.is_null() => {}
                Some(child) => push(draft, report, child, value, true)?,
                None => step_over(draft, report, name)?,
            }
        }
    }
    Ok(())
}

fn push(
    draft: &mut InstructionDraft<'_>,
    report: &mut ParseReport,
    child: Child,
    value: &Value,
    in_store: bool,
) -> Result<(), ReplyRefusal> {
    let field = Field::plain(child, text_of(child, value).into(), in_store);
    draft.push(report, field, draft.start)
}

/// Returns the text of a member: names of a list with commas between them, and JSON for what is no
/// text.
///
/// Models copy what they are shown, and data is shown escaped: a text with references and without a
/// raw `<` or `&` is such a copy. Any other is taken to the letter.
fn text_of(child: Child, value: &Value) -> String {
    let may_hold_json = matches!(child, Child::Value | Child::Content | Child::Metadata);
    let names = value.as_array().filter(|_| !may_hold_json);
    let names = names.and_then(|list| list.iter().map(Value::as_str).collect::<Option<Vec<_>>>());
    let text = match (names, value) {
        (Some(names), _) => names.join(", "),
        (None, Value::String(text)) => text.clone(),
        (None, _) => value.to_string(),
    };
    match resolved(&text) {
        (copied, true) if !text.contains('<') => copied,
        (_, _) => text,
    }
}

/// Returns a worked example in the form of JSON, its members in the schema's order; `None` for a
/// text that holds anything but instructions, and where the schema has no member for something in
/// one.
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
        let mut forms = outline.forms.iter();
        let form = forms.find(|form| form.op == located.instruction.op())?;
        written(form, &located.instruction)
    });
    let written = written.collect::<Option<Vec<_>>>()?.join(",");
    Some(format!("{{\"{INSTRUCTIONS}\":[{written}]}}"))
}

fn written(form: &InstructionForm, instruction: &Instruction) -> Option<String> {
    let Ok(Value::Object(mut members)) = serde_json::to_value(instruction) else {
        return None;
    };
    let is_empty = |value: &Value| value.as_array().is_some_and(Vec::is_empty);
    members.remove(OP);
    let mut text = format!("{{\"{OP}\":\"{}\"", form.op);
    for part in &form.parts {
        let name = part.child.name();
        // A search names what it looks for in one of two ways.
        let other = if name == "content" { "query" } else { name };
        let value = members.remove(name).or_else(|| members.remove(other));
        let Some(value) = value.filter(|value| !is_empty(value)) else {
            continue;
        };
        // The schema has a text where an instruction has an object.
        let value = if value.is_object() {
            Value::from(value.to_string())
        } else {
            value
        };
        write!(text, ",\"{name}\":{value}").ok()?;
    }
    text.push('}');
    members.values().all(is_empty).then_some(text)
}

/// Finds the instructions of a JSON reply, as far as it has arrived. It follows brackets and quotes
/// and nothing else; whether the text between them has a meaning, others decide.
#[derive(Clone, Debug, Default)]
pub(super) struct JsonScan {
    /// Everything before has been looked at.
    at: usize,
    open: Vec<u8>,
    is_quoted: bool,
    is_escaped: bool,
    /// The instruction that is open: its first byte, and the number of brackets around it.
    item: Option<(usize, usize)>,
    /// The instructions that are closed, as ranges of the text.
    pub(super) items: Vec<(usize, usize)>,
    pub(super) end: Option<usize>,
}

impl JsonScan {
    /// Moves on through a text, which must begin with what was scanned before.
    pub(super) fn advance(&mut self, text: &str) {
        while self.end.is_none()
            && let Some(byte) = text.as_bytes().get(self.at)
        {
            self.take(*byte);
            self.at += 1;
        }
    }

    /// Returns the first byte of the instruction that is open.
    pub(super) fn open_item(&self) -> Option<usize> {
        self.item.map(|(start, _)| start)
    }

    fn take(&mut self, byte: u8) {
        if self.is_quoted {
            self.is_quoted = byte != b'"' || self.is_escaped;
            self.is_escaped = byte == b'\\' && !self.is_escaped;
            return;
        }
        match byte {
            // Before the document there may be a fence, and quotes mean nothing.
            b'"' => self.is_quoted = !self.open.is_empty(),
            b'{' | b'[' => {
                // An instruction is an object in a list.
                if byte == b'{' && self.item.is_none() && self.open.last() == Some(&b'[') {
                    self.item = Some((self.at, self.open.len()));
                }
                self.open.push(byte);
            }
            b'}' | b']' if self.open.pop().is_some() => {
                let depth = self.open.len();
                if let Some((start, _)) = self.item.take_if(|(_, outer)| *outer == depth) {
                    self.items.push((start, self.at + 1));
                }
                if depth == 0 {
                    self.end = Some(self.at + 1);
                }
            }
            _ => {}
        }
    }
}
