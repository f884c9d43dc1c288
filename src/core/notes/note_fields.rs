//! The fields of a note that a person may write, as read from a file.
//! Parses their JSON form; the guard decides whether they are allowed.

use super::note::split_keywords;
use crate::ids::NoteId;
use serde::Serialize;
use serde_json::{Map, Value};

/// The fields of a note that a person may write; absent ones stay unchanged.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct NoteFields {
    /// The version that the person edited, if the file still states it.
    pub version: Option<u64>,
    /// The title; never blank.
    pub title: Option<String>,
    /// The keywords.
    pub keywords: Option<Vec<String>>,
    /// The text.
    pub value: Option<String>,
    /// The kind; never blank.
    #[serde(rename = "note_kind")]
    pub kind: Option<String>,
    /// The notes that it links to.
    pub links: Option<Vec<NoteId>>,
}

impl NoteFields {
    /// Parses the fields from the edited file of an existing note.
    ///
    /// # Errors
    /// A message that names the field that is null, blank where it must not be, or of the wrong
    /// type.
    pub fn of_edit(members: &Map<String, Value>) -> Result<Self, String> {
        let is_blank = |name: &str| {
            let text = members.get(name).and_then(Value::as_str);
            text.is_some_and(|text| text.trim().is_empty())
        };
        let is_null = |name: &str| members.get(name).is_some_and(Value::is_null);
        if let Some(name) = ["title", "note_kind"].into_iter().find(|it| is_blank(it)) {
            return Err(format!("`{name}` must not be empty"));
        }
        let fields = ["title", "keywords", "value", "note_kind", "links"];
        if let Some(name) = fields.into_iter().find(|it| is_null(it)) {
            return Err(format!("`{name}` must not be null"));
        }
        Self::from_json(members)
    }

    /// Parses the fields of a JSON object.
    ///
    /// # Errors
    /// A message that names the field with the wrong type.
    pub fn from_json(members: &Map<String, Value>) -> Result<Self, String> {
        let text = |name: &str| match members.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.clone())),
            Some(_) => Err(format!("`{name}` must be text")),
        };
        // A blank line counts as absent.
        let line = |name: &str| {
            let text = text(name)?.map(|text| text.trim().to_owned());
            Ok::<_, String>(text.filter(|text| !text.is_empty()))
        };
        let texts = |name: &str| match members.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(split_keywords(text))),
            Some(Value::Array(items)) => {
                let items = items.iter().map(|item| item.as_str().map(str::to_owned));
                let items: Option<Vec<String>> = items.collect();
                items
                    .map(Some)
                    .ok_or_else(|| format!("`{name}` must be a list of texts"))
            }
            Some(_) => Err(format!("`{name}` must be a list of texts")),
        };
        Ok(Self {
            version: members.get("version").and_then(Value::as_u64),
            title: line("title")?,
            keywords: texts("keywords")?,
            value: text("value")?,
            kind: line("note_kind")?,
            links: texts("links")?.map(|links| links_of(&links)).transpose()?,
        })
    }
}

/// Parses the ids of notes.
pub(super) fn links_of(texts: &[String]) -> Result<Vec<NoteId>, String> {
    let ids = texts.iter().map(|text| text.parse::<NoteId>());
    let ids: Result<Vec<NoteId>, _> = ids.collect();
    ids.map_err(|_| "`links` must be note ids".to_owned())
}
