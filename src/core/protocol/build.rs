//! Turns the children of one instruction into the typed instruction. Owns which children are
//! right and what each may hold; every refusal is one sentence for the model.

use super::action::{self, Form};
use super::characters::{BLANKS, decode, is_barred_in_words, is_hidden};
use super::child::Child;
use super::id_list::ids_in;
use super::instruction::{Instruction, Search};
use super::record_edit;
use super::tag::{Shape, Tag, shape};
use crate::limits::{KEYS_PER_LIST_MAX, RAM_KEY_BYTES_MAX};
use crate::strict_json::parse_lossless;
use quick_xml::Reader;
use quick_xml::events::Event;
use serde_json::{Map, Number, Value};
use std::borrow::Cow;
use std::collections::BTreeSet;

/// One child as it was read.
#[derive(Debug)]
pub(super) struct Field<'a> {
    pub(super) child: Child,
    /// The content with its references resolved.
    pub(super) text: Cow<'a, str>,
    /// The content as written.
    pub(super) raw: &'a str,
    /// Elements stand in it.
    pub(super) holds_elements: bool,
    /// It stands inside `<store>`.
    pub(super) in_store: bool,
}

/// Builds the instruction, and uses up `fields`.
///
/// # Errors
/// A sentence that says what is wrong with its children.
pub(super) fn build(
    tag: Tag,
    fields: &mut Vec<Field<'_>>,
    strict: bool,
) -> Result<Instruction, String> {
    check_children(tag, &shape(tag), fields)?;
    let mut children = Children { fields };
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
            keywords: children.words(Child::Keywords)?.unwrap_or_default(),
            value: children.value(),
            title: children.words(Child::Title)?,
            kind: children.optional_name(Child::Kind)?,
            workspace_id: children.optional_name(Child::WorkspaceId)?,
        },
        Tag::RecordIssue => Instruction::RecordIssue {
            key: children.record_key()?,
            value: children.value(),
            metadata: children.metadata(strict)?,
        },
        Tag::RecordUpdate => Instruction::RecordUpdate {
            key: children.record_key()?,
            value: children.value(),
            title: children.words(Child::Title)?,
            keywords: children.words(Child::Keywords)?,
            version: children.version()?,
        },
        Tag::RecordSearch => Instruction::RecordSearch {
            search: children.search()?,
        },
        Tag::RecordDelete => Instruction::RecordDelete {
            key: children.record_key()?,
        },
        Tag::RecordAppend
        | Tag::RecordLine
        | Tag::RecordCut
        | Tag::RecordLink
        | Tag::RecordTitle
        | Tag::RecordMerge => Instruction::Edit(record_edit::build(tag, &mut children)?),
        Tag::Answer => Instruction::answer_of_model(children.value()),
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
        // These two have no children of their own; see `build_action`.
        Tag::Actions | Tag::Action => return Err(format!("<{tag}> holds nothing to do.")),
    })
}

/// Builds what an `<action>` is, and uses up `fields`.
///
/// # Errors
/// A sentence that says what is wrong with its children.
pub(super) fn build_action(
    form: Form,
    fields: &mut Vec<Field<'_>>,
    strict: bool,
) -> Result<Instruction, String> {
    match form {
        Form::Tool(kind) => {
            check_children(Tag::Action, &form.shape(), fields)?;
            action::tool_call(kind, Children { fields }, strict)
        }
        Form::Block => action::block(fields),
    }
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
    if fields.is_empty() {
        let names: Vec<&str> = shape.optional.iter().map(|child| child.name()).collect();
        return Err(format!("<{tag}> needs one of: {}.", names.join(", ")));
    }
    Ok(())
}

/// The checked children, taken out one by one.
pub(super) struct Children<'f, 'a> {
    fields: &'f mut Vec<Field<'a>>,
}

impl<'f, 'a> Children<'f, 'a> {
    /// The children in `fields`, which are used up.
    pub(super) const fn of(fields: &'f mut Vec<Field<'a>>) -> Self {
        Self { fields }
    }

    fn take(&mut self, child: Child) -> Option<Field<'a>> {
        let index = self.fields.iter().position(|field| field.child == child)?;
        Some(self.fields.swap_remove(index))
    }

    /// Free text without the blanks around it.
    fn value(&mut self) -> String {
        self.text(Child::Value).unwrap_or_default()
    }

    /// Free text in any child, if that is there.
    pub(super) fn text(&mut self, child: Child) -> Option<String> {
        let field = self.take(child)?;
        Some(trimmed(field.text, str::trim_ascii))
    }

    /// Free text, if there is any.
    fn written(&mut self, child: Child) -> Option<String> {
        self.text(child).filter(|text| !text.is_empty())
    }

    /// Free text that must be there, such as a path; what that may hold is decided where paths are known.
    pub(super) fn required_text(&mut self, child: Child) -> Result<String, String> {
        self.written(child)
            .ok_or_else(|| format!("<{}> is empty.", child.name()))
    }

    /// Words with commas between them, each once.
    pub(super) fn list(&mut self, child: Child) -> Result<Vec<String>, String> {
        let Some(text) = self.words(child)? else {
            return Ok(Vec::new());
        };
        each_once(text.split([',', '\n']).map(str::trim), child)
    }

    /// A number from 0, to `max` if there is one.
    fn number(&mut self, child: Child, max: Option<u32>) -> Result<Option<Number>, String> {
        let Some(text) = self.optional_name(child)? else {
            return Ok(None);
        };
        let range = 0.0..=max.map_or(f64::MAX, f64::from);
        let number = text.parse().ok().filter(|number| range.contains(number));
        let wrong = || {
            let upper = max.map_or(String::new(), |max| format!(" to {max}"));
            format!("<{}> must be a number from 0{upper}.", child.name())
        };
        let number = number.and_then(Number::from_f64);
        number.map(Some).ok_or_else(wrong)
    }

    fn evaluation(&mut self) -> Result<Instruction, String> {
        Ok(Instruction::Evaluation {
            quality: self.number(Child::Quality, None)?,
            enrichment: self.number(Child::Enrichment, None)?,
            progress: self.number(Child::Progress, Some(1))?,
            recommendations: self.written(Child::Recommendations),
        })
    }

    /// A child that must hold a plain name.
    fn name(&mut self, child: Child) -> Result<String, String> {
        self.optional_name(child)?
            .ok_or_else(|| format!("<{}> is empty.", child.name()))
    }

    /// A child that may be empty, else holds a plain name.
    fn optional_name(&mut self, child: Child) -> Result<Option<String>, String> {
        self.checked(child, is_hidden)
    }

    /// A child that may be empty, else holds words for people.
    pub(super) fn words(&mut self, child: Child) -> Result<Option<String>, String> {
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
        let text = trimmed(field.text, str::trim);
        // Printable ASCII is barred nowhere, and is nearly all there is.
        let is_printable = |plain, byte| plain & matches!(byte, b' '..=b'~');
        let plain = text.bytes().fold(true, is_printable);
        if !plain && text.chars().any(is_barred) {
            return Err(format!("<{}> holds invisible characters.", child.name()));
        }
        Ok((!text.is_empty()).then_some(text))
    }

    fn ram_key(&mut self) -> Result<String, String> {
        self.key()?.ok_or_else(|| "<key> is empty.".to_owned())
    }

    /// A key of RAM or of the storage; `None` if it is absent or empty.
    pub(super) fn key(&mut self) -> Result<Option<String>, String> {
        let key = self.optional_name(Child::Key)?;
        if key
            .as_ref()
            .is_some_and(|key| key.len() > RAM_KEY_BYTES_MAX)
        {
            return Err(format!("<key> is longer than {RAM_KEY_BYTES_MAX} bytes."));
        }
        Ok(key)
    }

    /// What finds a note: an id, a title or keywords, and so words.
    pub(super) fn record_key(&mut self) -> Result<String, String> {
        self.words(Child::Key)?
            .ok_or_else(|| "<key> is empty.".to_owned())
    }

    /// Words that must be there.
    pub(super) fn filled(&mut self, child: Child) -> Result<String, String> {
        self.words(child)?
            .ok_or_else(|| format!("<{}> is empty.", child.name()))
    }

    fn version(&mut self) -> Result<Option<u64>, String> {
        let version = self.optional_name(Child::Version)?;
        let number = version.map(|text| text.parse());
        number
            .transpose()
            .map_err(|_| "<version> is not a whole number.".to_owned())
    }

    fn search(&mut self) -> Result<Search, String> {
        match (self.take(Child::Query), self.take(Child::Ids)) {
            (Some(query), None) => {
                self.fields.push(query);
                self.words(Child::Query)?
                    .map(Search::Query)
                    .ok_or_else(|| "<query> is empty.".to_owned())
            }
            (None, Some(ids)) => ids_in(&ids.text).map(Search::Ids),
            (Some(_), Some(_)) => {
                Err("<record_search> takes <query> or <ids>, not both.".to_owned())
            }
            (None, None) => Err("<record_search> needs <query> or <ids>.".to_owned()),
        }
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
        let text = trimmed(field.text, str::trim_ascii);
        Ok(Map::from_iter([("text".to_owned(), Value::String(text))]))
    }
}

/// Cuts the ends off without copying a text that has nothing to cut.
fn trimmed(text: Cow<'_, str>, trim: fn(&str) -> &str) -> String {
    let kept = trim(&text);
    if kept.len() == text.len() {
        text.into_owned()
    } else {
        kept.to_owned()
    }
}

/// The words of a list that are not empty, each once.
pub(super) fn each_once<'t>(
    words: impl Iterator<Item = &'t str>,
    child: Child,
) -> Result<Vec<String>, String> {
    let mut seen = BTreeSet::new();
    let words = words.filter(|word| !word.is_empty() && seen.insert(*word));
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

/// `<severity>high</severity><line>3</line>` as an object of strings. `None` unless the text is
/// one or more such elements, each once, with nothing around them and no markup inside them.
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
