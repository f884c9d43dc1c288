//! Turns the children of one instruction into the typed instruction. Owns which children are right
//! and what each may hold; every refusal is one sentence for the model.

use super::characters::{BLANKS, decode, is_barred_in_words, is_hidden};
use super::draft::{Field, Form};
use super::instruction::{Instruction, RecordEdit, Search, Store, ToolArgument, ToolCall};
use super::tag::{Child, Shape, Tag};
use crate::core::agent::{TOOLS, Tool};
use crate::limits::{KEYS_PER_LIST_MAX, RAM_KEY_BYTES_MAX};
use crate::strict_json::parse_lossless;
use quick_xml::Reader;
use quick_xml::events::Event;
use serde::de::IgnoredAny;
use serde_json::{Map, Number, Value};
use std::collections::BTreeSet;

/// Builds the instruction, and uses up `fields`.
///
/// # Errors
/// Returns a sentence that says what is wrong with its children.
pub(super) fn build(
    form: Form,
    fields: &mut Vec<Field<'_>>,
    strict: bool,
) -> Result<Instruction, String> {
    let tag = match form {
        Form::Plain(Tag::Action) => return block(fields),
        Form::Plain(tag) => tag,
        Form::Call(_) => Tag::Action,
    };
    check_children(tag, &form.shape(), fields)?;
    let mut children = Children { fields };
    match form {
        Form::Call(tool) => children.tool_call(tool, strict),
        Form::Plain(tag) => plain(tag, &mut children, strict),
    }
}

fn plain(tag: Tag, children: &mut Children<'_, '_>, strict: bool) -> Result<Instruction, String> {
    Ok(match tag {
        Tag::StateAdd => Instruction::StateAdd {
            state: children.name(Child::State)?,
        },
        Tag::StateDelete => Instruction::StateDelete {
            state: children.name(Child::State)?,
        },
        Tag::RamAdd => Instruction::RamAdd {
            key: children.ram_key()?,
            value: children.value(),
        },
        Tag::RamDelete => Instruction::RamDelete {
            key: children.ram_key()?,
        },
        Tag::RecordAdd => Instruction::RecordAdd {
            keywords: children
                .optional_words(Child::Keywords)?
                .unwrap_or_default(),
            value: children.value(),
            title: children.optional_words(Child::Title)?,
            kind: children.optional_name(Child::Kind)?,
            workspace_id: children.optional_name(Child::WorkspaceId)?,
        },
        Tag::RecordIssue => Instruction::RecordIssue {
            key: children.words(Child::Key)?,
            value: children.value(),
            metadata: children.metadata(strict)?,
        },
        Tag::RecordUpdate => Instruction::RecordUpdate {
            key: children.words(Child::Key)?,
            value: children.value(),
            title: children.optional_words(Child::Title)?,
            keywords: children.optional_words(Child::Keywords)?,
            version: children.version()?,
        },
        Tag::RecordSearch => Instruction::RecordSearch {
            search: children.search()?,
        },
        Tag::RecordDelete => Instruction::RecordDelete {
            key: children.words(Child::Key)?,
        },
        Tag::RecordAppend
        | Tag::RecordLine
        | Tag::RecordCut
        | Tag::RecordLink
        | Tag::RecordTitle
        | Tag::RecordMerge => Instruction::Edit(children.edit(tag)?),
        // It has yet to be compared with the notes.
        Tag::Answer => Instruction::Answer {
            value: children.value(),
            sources: Vec::new(),
            found: false,
        },
        Tag::Thinking => Instruction::Thinking {
            analysis: children.written(Child::Analysis),
            planning: children.written(Child::Planning),
            context_keys: children.list(Child::ContextKeys)?,
        },
        Tag::Evaluation => children.evaluation()?,
        Tag::Paging => Instruction::Paging {
            archive: children.list(Child::Archive)?,
            retrieve: children.list(Child::Retrieve)?,
            delete: children.list(Child::Delete)?,
        },
        Tag::Actions | Tag::Action => return Err(format!("<{tag}> holds nothing to do.")),
    })
}

fn check_children(tag: Tag, shape: &Shape, fields: &[Field<'_>]) -> Result<(), String> {
    for (index, field) in fields.iter().enumerate() {
        let child = field.child;
        if !shape.required.contains(&child) && !shape.optional.contains(&child) {
            return Err(format!("<{}> does not belong in <{tag}>.", child.name()));
        }
        if fields[..index].iter().any(|earlier| earlier.child == child) {
            return Err(format!("<{}> stands twice in <{tag}>.", child.name()));
        }
    }
    for child in shape.required {
        if !fields.iter().any(|field| field.child == *child) {
            return Err(format!("<{}> is missing in <{tag}>.", child.name()));
        }
    }
    if fields.is_empty() && !shape.optional.is_empty() {
        let names: Vec<&str> = shape.optional.iter().map(|child| child.name()).collect();
        return Err(format!("<{tag}> needs one of: {}.", names.join(", ")));
    }
    Ok(())
}

/// Builds a block from its children in the order of the reply.
fn block(fields: &mut Vec<Field<'_>>) -> Result<Instruction, String> {
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
    let store = |mut fields: Vec<Field<'_>>| -> Result<Store, String> {
        let mut children = Children {
            fields: &mut fields,
        };
        let missing = |child: Child| format!("<{}> is missing in <store>.", child.name());
        Ok(Store {
            key: children.key()?.ok_or_else(|| missing(Child::Key))?,
            value: children
                .any_text(Child::Value)
                .ok_or_else(|| missing(Child::Value))?,
            tags: children.list(Child::Tags)?,
        })
    };
    Ok(Instruction::Action {
        store: stores
            .into_iter()
            .map(store)
            .collect::<Result<_, String>>()?,
        context_keys: Children {
            fields: &mut others,
        }
        .list(Child::ContextKeys)?,
    })
}

/// The checked children, taken out one by one.
///
/// A name holds no hidden character; words, which are for people, may hold those of human
/// languages; a text may hold any. The `optional` ones are `None` if they are absent or empty.
struct Children<'f, 'a> {
    fields: &'f mut Vec<Field<'a>>,
}

impl<'a> Children<'_, 'a> {
    fn take(&mut self, child: Child) -> Option<Field<'a>> {
        let index = self.fields.iter().position(|field| field.child == child)?;
        Some(self.fields.swap_remove(index))
    }

    /// Takes free text without the blanks around it; `None` only if the child is absent.
    fn any_text(&mut self, child: Child) -> Option<String> {
        let field = self.take(child)?;
        Some(field.text.trim_ascii().to_owned())
    }

    fn value(&mut self) -> String {
        self.any_text(Child::Value).unwrap_or_default()
    }

    /// Takes free text, if there is any.
    fn written(&mut self, child: Child) -> Option<String> {
        self.any_text(child).filter(|text| !text.is_empty())
    }

    /// Takes free text that must be there, or a path; what that may hold is decided where paths are
    /// known.
    fn text(&mut self, child: Child) -> Result<String, String> {
        self.written(child).ok_or_else(|| empty(child))
    }

    fn name(&mut self, child: Child) -> Result<String, String> {
        self.optional_name(child)?.ok_or_else(|| empty(child))
    }

    fn optional_name(&mut self, child: Child) -> Result<Option<String>, String> {
        self.checked(child, is_hidden)
    }

    fn words(&mut self, child: Child) -> Result<String, String> {
        self.optional_words(child)?.ok_or_else(|| empty(child))
    }

    fn optional_words(&mut self, child: Child) -> Result<Option<String>, String> {
        self.checked(child, is_barred_in_words)
    }

    fn checked(
        &mut self,
        child: Child,
        is_barred: fn(char) -> bool,
    ) -> Result<Option<String>, String> {
        let Some(field) = self.take(child) else {
            return Ok(None);
        };
        let text = field.text.trim();
        // Printable ASCII is barred nowhere, and is nearly all there is.
        let is_printable = |plain, byte| plain & matches!(byte, b' '..=b'~');
        let plain = text.bytes().fold(true, is_printable);
        if !plain && text.chars().any(is_barred) {
            return Err(format!("<{}> holds invisible characters.", child.name()));
        }
        Ok((!text.is_empty()).then(|| text.to_owned()))
    }

    /// Takes words with commas between them, each once.
    fn list(&mut self, child: Child) -> Result<Vec<String>, String> {
        let Some(text) = self.optional_words(child)? else {
            return Ok(Vec::new());
        };
        each_once(text.split([',', '\n']).map(str::trim), child)
    }

    /// Takes a number from 0, to `max` if there is one.
    fn number(&mut self, child: Child, max: Option<u32>) -> Result<Option<Number>, String> {
        let Some(text) = self.optional_name(child)? else {
            return Ok(None);
        };
        let range = 0.0..=max.map_or(f64::MAX, f64::from);
        let number = text.parse().ok().filter(|number| range.contains(number));
        let number = number.and_then(Number::from_f64);
        number.map(Some).ok_or_else(|| {
            let upper = max.map_or(String::new(), |max| format!(" to {max}"));
            format!("<{}> must be a number from 0{upper}.", child.name())
        })
    }

    /// Takes a key of RAM or of the storage; `None` if it is absent or empty.
    fn key(&mut self) -> Result<Option<String>, String> {
        let key = self.optional_name(Child::Key)?;
        if key.as_ref().map_or(0, String::len) > RAM_KEY_BYTES_MAX {
            return Err(format!("<key> is longer than {RAM_KEY_BYTES_MAX} bytes."));
        }
        Ok(key)
    }

    fn ram_key(&mut self) -> Result<String, String> {
        self.key()?.ok_or_else(|| empty(Child::Key))
    }

    fn version(&mut self) -> Result<Option<u64>, String> {
        let version = self.optional_name(Child::Version)?;
        let number = version.map(|text| text.parse()).transpose();
        number.map_err(|_| "<version> is not a whole number.".to_owned())
    }

    fn edit(&mut self, tag: Tag) -> Result<RecordEdit, String> {
        let key = self.words(Child::Key)?;
        if tag == Tag::RecordAppend {
            let value = self.text(Child::Value)?;
            return Ok(RecordEdit::RecordAppend { key, value });
        }
        if matches!(tag, Tag::RecordLine | Tag::RecordCut) {
            let query = self.words(Child::Query)?;
            if tag == Tag::RecordCut {
                return Ok(RecordEdit::RecordCut { key, query });
            }
            let value = self.text(Child::Value)?;
            return Ok(RecordEdit::RecordLine { key, query, value });
        }
        let title = self.words(Child::Title)?;
        Ok(if tag == Tag::RecordLink {
            RecordEdit::RecordLink { key, title }
        } else if tag == Tag::RecordTitle {
            RecordEdit::RecordTitle { key, title }
        } else {
            RecordEdit::RecordMerge { key, title }
        })
    }

    fn evaluation(&mut self) -> Result<Instruction, String> {
        Ok(Instruction::Evaluation {
            quality: self.number(Child::Quality, None)?,
            enrichment: self.number(Child::Enrichment, None)?,
            progress: self.number(Child::Progress, Some(1))?,
            recommendations: self.written(Child::Recommendations),
        })
    }

    fn search(&mut self) -> Result<Search, String> {
        let has = |child| self.fields.iter().any(|field| field.child == child);
        match (has(Child::Query), has(Child::Ids)) {
            (true, false) => self.words(Child::Query).map(Search::Query),
            (false, true) => self.ids().map(Search::Ids),
            (true, true) => Err("<record_search> takes <query> or <ids>, not both.".to_owned()),
            (false, false) => Err("<record_search> needs <query> or <ids>.".to_owned()),
        }
    }

    /// Takes ids with commas or blanks between them, or each in an `<id>` of its own.
    fn ids(&mut self) -> Result<Vec<String>, String> {
        let wrong = || "<ids> must hold ids with commas between them.".to_owned();
        let text = self
            .take(Child::Ids)
            .map(|ids| ids.text)
            .unwrap_or_default();
        let mut parts = text.split("<id>");
        let mut bare = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let (id, after) = part.split_once("</id>").ok_or_else(wrong)?;
            bare.extend([" ", id, " ", after]);
        }
        let ids = bare.split(|c: char| c == ',' || c.is_whitespace());
        let ids = each_once(ids, Child::Ids)?;
        if ids.is_empty() {
            return Err(empty(Child::Ids));
        }
        if bare.contains(['<', '>']) || ids.iter().any(|id| id.chars().any(is_hidden)) {
            return Err(wrong());
        }
        Ok(ids)
    }

    fn metadata(&mut self, strict: bool) -> Result<Map<String, Value>, String> {
        let Some(field) = self.take(Child::Metadata) else {
            return Ok(Map::new());
        };
        if let Ok(Value::Object(object)) = parse_lossless(&field.text) {
            return Ok(object);
        }
        if let Some(object) = elements_in(field.raw) {
            return Ok(object);
        }
        if strict && field.holds_elements {
            return Err("<metadata> holds broken markup.".to_owned());
        }
        let text = Value::from(field.text.trim_ascii());
        Ok(Map::from_iter([("text".to_owned(), text)]))
    }

    fn tool_call(
        &mut self,
        tool: Option<&'static Tool>,
        strict: bool,
    ) -> Result<Instruction, String> {
        let Some(tool) = tool else {
            let names: Vec<&str> = TOOLS.iter().map(|tool| tool.name).collect();
            return Err(format!("<kind> must be one of: {}.", names.join(", ")));
        };
        let path = self.text(Child::TargetPath)?;
        let taken = match tool.takes {
            ToolArgument::Nothing => String::new(),
            ToolArgument::Content => self.content(strict)?,
            ToolArgument::Source => self.text(Child::SourcePath)?,
            ToolArgument::Words => self.words_of_either(tool)?,
        };
        Ok(Instruction::Tool(ToolCall { tool, path, taken }))
    }

    /// Takes the content of a call. Text that begins like JSON and is none is taken as the text
    /// that it is, but not in strict mode.
    fn content(&mut self, strict: bool) -> Result<String, String> {
        let text = self.any_text(Child::Content).unwrap_or_default();
        let is_json = || serde_json::from_str::<IgnoredAny>(&text).is_ok();
        if strict && text.starts_with(['{', '[']) && !is_json() {
            return Err("<content> begins like JSON and is none.".to_owned());
        }
        Ok(text)
    }

    fn words_of_either(&mut self, tool: &Tool) -> Result<String, String> {
        let content = self.optional_words(Child::Content)?;
        match (content, self.optional_words(Child::Query)?) {
            (Some(words), None) | (None, Some(words)) => Ok(words),
            (Some(_), Some(_)) => {
                let name = tool.name;
                Err(format!("{name} takes <content> or <query>, not both."))
            }
            (None, None) => Err("<content> is missing; it holds the words to look for.".to_owned()),
        }
    }
}

fn empty(child: Child) -> String {
    format!("<{}> is empty.", child.name())
}

/// Returns the words of a list that are not empty, each once.
fn each_once<'t>(
    words: impl Iterator<Item = &'t str>,
    child: Child,
) -> Result<Vec<String>, String> {
    let mut known = BTreeSet::new();
    let words = words.filter(|word| !word.is_empty() && known.insert(*word));
    let each: Vec<String> = words
        .take(KEYS_PER_LIST_MAX + 1)
        .map(str::to_owned)
        .collect();
    if each.len() > KEYS_PER_LIST_MAX {
        let name = child.name();
        return Err(format!("<{name}> names more than {KEYS_PER_LIST_MAX}."));
    }
    Ok(each)
}

/// Reads `<severity>high</severity><line>3</line>` as an object of strings. `None` unless the text
/// is one or more such elements, each once, with nothing around them and no markup inside them.
fn elements_in(raw: &str) -> Option<Map<String, Value>> {
    let mut object = Map::new();
    let mut open: Option<(String, String)> = None;
    let mut reader = Reader::from_str(raw);
    loop {
        match (reader.read_event().ok()?, &mut open) {
            (Event::Start(start), None) if start.attributes_raw().is_empty() => {
                open = Some((start.name().as_ref().to_owned(), String::new()));
            }
            (Event::Text(text), Some((_, value))) => value.push_str(&text),
            (Event::Text(text), None) if text.trim_matches(BLANKS).is_empty() => {}
            (Event::CData(text), Some((_, value))) => value.push_str(&text),
            (Event::GeneralRef(reference), Some((_, value))) => value.push(decode(&reference)?),
            (Event::End(_), Some(_)) => {
                let (name, value) = open.take()?;
                let value = Value::String(value.trim_matches(BLANKS).to_owned());
                if object.insert(name, value).is_some() {
                    return None;
                }
            }
            (Event::Eof, None) => break,
            (_, _) => return None,
        }
    }
    (!object.is_empty()).then_some(object)
}
