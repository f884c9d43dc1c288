//! A note in the form that its file holds.

use crate::ids::{NoteId, RunId, WorkspaceId};
use crate::limits::NOTE_KEYWORDS_MAX;
use crate::time::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// A note. The field order is the order in the file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Note {
    /// The permanent id.
    pub id: NoteId,
    /// The workspace that owns it.
    pub workspace_id: WorkspaceId,
    /// The kind.
    pub note_kind: String,
    /// The title.
    pub title: String,
    /// The keywords.
    pub keywords: Vec<String>,
    /// The text.
    pub value: String,
    /// The notes that its text links to by `[[id]]` or `[[title]]`, and those that a person listed.
    pub links: Vec<NoteId>,
    /// The issues that were flagged.
    pub issues: Vec<Issue>,
    /// The version, from 1, increased by each change.
    pub version: u64,
    /// The time of its creation.
    pub created_at: Timestamp,
    /// The time of its last change.
    pub updated_at: Timestamp,
    /// The author.
    pub created_by: CreatedBy,
    /// The time of its deletion; absent in files, since a deleted note leaves the folder.
    pub deleted_at: Option<Timestamp>,
}

/// The author of a note.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CreatedBy {
    /// The kind of author.
    pub actor_type: NoteAuthor,
    /// The run that wrote it, if an agent did.
    pub run_id: Option<RunId>,
}

/// The kind of author of a note.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NoteAuthor {
    /// The model, through a run.
    Agent,
    /// A person.
    User,
    /// An import.
    Import,
}

/// A problem that was flagged in a note.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Issue {
    /// The description of the problem.
    pub text: String,
    /// The details of the problem.
    pub metadata: Map<String, Value>,
    /// The time at which it was flagged.
    pub created_at: Timestamp,
    /// Whether it is still open.
    pub open: bool,
}

impl Note {
    /// Returns the note's file: pretty-printed JSON with a final newline.
    pub fn to_file(&self) -> Vec<u8> {
        // Serialising plain strings and numbers to memory cannot fail.
        let mut bytes = serde_json::to_vec_pretty(self).unwrap_or_default();
        bytes.push(b'\n');
        bytes
    }
}

/// Splits a comma- or line-separated list into trimmed keywords, without empty and repeated ones.
/// Of an overlong list, just enough is kept for the guard to refuse it.
pub fn split_keywords(text: &str) -> Vec<String> {
    let mut known = BTreeSet::new();
    text.split(is_separator)
        .map(str::trim)
        .filter(|word| !word.is_empty() && known.insert(*word))
        .take(NOTE_KEYWORDS_MAX + 1)
        .map(str::to_owned)
        .collect()
}

/// Returns whether a character separates keywords, in the scripts that people write lists in.
const fn is_separator(character: char) -> bool {
    matches!(
        character,
        ',' | ';' | '\n' | '\u{3001}' | '\u{ff0c}' | '\u{ff1b}'
    )
}

/// Returns the ids that a text links to with `[[id]]`, in order, without repeats.
pub fn links_in(text: &str) -> Vec<NoteId> {
    with_links_of(text, Vec::new())
}

/// Returns `links` and the ids that the text links to, each once.
pub fn with_links_of(text: &str, links: Vec<NoteId>) -> Vec<NoteId> {
    let mut seen = BTreeSet::new();
    let named = targets_in(text).filter_map(|target| target.parse().ok());
    let all = links.into_iter().chain(named);
    all.filter(|link| seen.insert(*link)).collect()
}

/// Returns the titles that a text links to with `[[title]]`, in order, as they are written.
pub fn names_in(text: &str) -> impl Iterator<Item = &str> + Clone {
    targets_in(text)
        .map(str::trim)
        .filter(|target| !target.is_empty() && target.parse::<NoteId>().is_err())
}

/// Returns the texts between double brackets.
fn targets_in(text: &str) -> impl Iterator<Item = &str> + Clone {
    text.split("[[")
        .skip(1)
        .filter_map(|candidate| Some(candidate.split_once("]]")?.0))
}

/// Splits a `record_add` value into title and text.
/// The value is plain text, or a JSON object with `title` and `markdown`.
pub fn title_and_text(value: &str) -> (Option<String>, String) {
    let structured = value.trim_start().starts_with('{').then(|| {
        let object: Map<String, Value> = serde_json::from_str(value).ok()?;
        let text = object.get("markdown")?.as_str()?.to_owned();
        let title = object
            .get("title")
            .and_then(Value::as_str)
            .map(|title| title.trim().to_owned());
        Some((title.filter(|title| !title.is_empty()), text))
    });
    structured
        .flatten()
        .unwrap_or_else(|| (None, value.to_owned()))
}
