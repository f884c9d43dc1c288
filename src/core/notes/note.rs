//! One note, exactly as its file holds it.

use crate::ids::{NoteId, RunId, WorkspaceId};
use crate::limits::NOTE_KEYWORDS_MAX;
use crate::time::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// A note. The field order is the order in the file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Note {
    /// Its name for ever.
    pub id: NoteId,
    /// The workspace that owns it.
    pub workspace_id: WorkspaceId,
    /// What sort of note it is.
    pub note_kind: String,
    /// Its title.
    pub title: String,
    /// Words to find it by.
    pub keywords: Vec<String>,
    /// Its text.
    pub value: String,
    /// The notes that its text points to with `[[id]]` or `[[title]]`, and those that a person has
    /// listed.
    pub links: Vec<NoteId>,
    /// What was flagged about it.
    pub issues: Vec<Issue>,
    /// From 1, one more with each change.
    pub version: u64,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
    /// Who created it.
    pub created_by: CreatedBy,
    /// When it was deleted; absent in files, since a deleted note leaves the folder.
    pub deleted_at: Option<Timestamp>,
}

/// Who created a note.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CreatedBy {
    /// The sort of author.
    pub actor_type: NoteAuthor,
    /// The run that wrote it, if an agent did.
    pub run_id: Option<RunId>,
}

/// Who writes notes.
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

/// Something flagged about a note.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Issue {
    /// What is wrong.
    pub text: String,
    /// Details.
    pub metadata: Map<String, Value>,
    /// When it was flagged.
    pub created_at: Timestamp,
    /// Whether it still stands.
    pub open: bool,
}

impl Note {
    /// The note's file: pretty-printed JSON with a final newline.
    pub fn to_file(&self) -> Vec<u8> {
        // Serialising plain strings and numbers to memory cannot fail.
        let mut bytes = serde_json::to_vec_pretty(self).unwrap_or_default();
        bytes.push(b'\n');
        bytes
    }
}

/// The keywords of a comma- or line-separated list, trimmed, empties and repeats dropped. Of a
/// list beyond all bounds just enough is kept for the guard to refuse it.
pub fn split_keywords(text: &str) -> Vec<String> {
    let mut known = BTreeSet::new();
    text.split(is_separator)
        .map(str::trim)
        .filter(|word| !word.is_empty() && known.insert(*word))
        .take(NOTE_KEYWORDS_MAX + 1)
        .map(str::to_owned)
        .collect()
}

/// What stands between keywords, in the scripts that people write lists in.
const fn is_separator(character: char) -> bool {
    matches!(
        character,
        ',' | ';' | '\n' | '\u{3001}' | '\u{ff0c}' | '\u{ff1b}'
    )
}

/// The ids that a text points to with `[[id]]`, in order, without repeats.
pub fn links_in(text: &str) -> Vec<NoteId> {
    let mut known = BTreeSet::new();
    targets_in(text)
        .filter_map(|target| target.parse().ok())
        .filter(|id| known.insert(*id))
        .collect()
}

/// `links` and those that the text names by id, each once.
pub fn with_links_of(text: &str, links: Vec<NoteId>) -> Vec<NoteId> {
    let mut seen = BTreeSet::new();
    let all = links.into_iter().chain(links_in(text));
    all.filter(|link| seen.insert(*link)).collect()
}

/// The titles that a text points to with `[[title]]`, in order, as they are written.
pub fn names_in(text: &str) -> impl Iterator<Item = &str> + Clone {
    targets_in(text)
        .map(str::trim)
        .filter(|target| !target.is_empty() && target.parse::<NoteId>().is_err())
}

/// What stands between double brackets.
fn targets_in(text: &str) -> impl Iterator<Item = &str> + Clone {
    text.split("[[")
        .skip(1)
        .filter_map(|candidate| Some(candidate.split_once("]]")?.0))
}

/// Title and text of a `record_add` value: plain text, or a JSON object with `title` and
/// `markdown`.
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
