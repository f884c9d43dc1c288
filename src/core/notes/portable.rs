//! Export and import of notes: Markdown with front matter, or the JSON of a note's file.
//! An exported text is read back unchanged, to the byte. Opens no file and decides nothing.

use super::front_matter::{self, Field, FieldValue, FrontMatterProblem};
use super::note::{Issue, Note, split_keywords, with_links_of};
use super::note_fields::{NoteFields, links_of};
use super::spelling::composed;
use crate::ids::NoteId;
use crate::limits::IMPORT_VERSION_MAX;
use crate::time::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The length of a title that is taken from a heading, in characters; a heading may be a paragraph.
const FOUND_TITLE_CHARACTERS_MAX: usize = 120;

/// A note as an exported file describes it. Its JSON parses to an equal value.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Map<String, Value>")]
pub struct PortableNote {
    /// The id, if the file has a valid one.
    pub id: Option<NoteId>,
    /// The fields that a person may write.
    #[serde(flatten)]
    pub written: NoteFields,
    /// The time of its creation.
    pub created_at: Option<Timestamp>,
    /// The time of its last change.
    pub updated_at: Option<Timestamp>,
    /// The issues that were flagged.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub issues: Vec<Issue>,
}

/// Renders a note as Markdown: front matter, the text, and one line break that is not part of it.
pub fn to_markdown(note: &Note) -> String {
    let mut out = String::from("---\n");
    let mut line = |key: &str, value: &str| {
        out.push_str(key);
        out.push_str(": ");
        out.push_str(value);
        out.push('\n');
    };
    line("id", &note.id.to_string());
    line("title", &front_matter::written(&note.title));
    let keywords = note.keywords.iter().map(String::as_str);
    line("keywords", &front_matter::written_list(keywords));
    line("kind", &front_matter::written(&note.note_kind));
    line("version", &note.version.to_string());
    line("created_at", &note.created_at.to_string());
    line("updated_at", &note.updated_at.to_string());
    let links: Vec<String> = note.links.iter().map(ToString::to_string).collect();
    line("links", &format!("[{}]", links.join(", ")));
    if !note.issues.is_empty() {
        out.push_str("issues:\n");
        for issue in &note.issues {
            // Serialising plain strings to memory cannot fail.
            let json = serde_json::to_string(issue).unwrap_or_default();
            let json = crate::plain_text::json_spelt_out(&json);
            out.push_str("  - ");
            out.push_str(&json);
            out.push('\n');
        }
    }
    out.push_str("---\n");
    out.push_str(&note.value);
    out.push('\n');
    out
}

/// Parses Markdown with or without front matter.
/// Without an id, the file comes from elsewhere: its version and links have another meaning and are
/// ignored.
pub fn from_markdown(text: &str) -> Result<PortableNote, FrontMatterProblem> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if let Some(at) = text.find('\0') {
        let line = text
            .get(..at)
            .map_or(1, |before| before.split('\n').count());
        return Err(FrontMatterProblem::new(
            line,
            "it is no text: there is a NUL in it",
        ));
    }
    let (head, body) = match front_matter::split(text) {
        Some((lines, body)) => (front_matter::fields(&lines)?, body),
        None => (Vec::new(), text),
    };
    let id = head.iter().find(|field| field.key == "id");
    let id = id.and_then(|field| {
        let FieldValue::Text(text) = &field.found else {
            return None;
        };
        text.parse().ok()
    });
    let mut portable = PortableNote {
        id,
        ..PortableNote::default()
    };
    for field in &head {
        portable.take(field)?;
    }
    if id.is_none() {
        portable.written.version = None;
    }
    let first_line = text.split('\n').next().unwrap_or_default();
    let line_end = if first_line.ends_with('\r') {
        "\r\n"
    } else {
        "\n"
    };
    let body = body.strip_suffix(line_end).unwrap_or(body);
    let body = match id {
        Some(_) => body,
        None => body.trim_start_matches(['\n', '\r']),
    };
    portable.written.value = Some(body.to_owned());
    Ok(portable)
}

impl TryFrom<Map<String, Value>> for PortableNote {
    type Error = String;

    fn try_from(members: Map<String, Value>) -> Result<Self, String> {
        Self::from_json(&members)
    }
}

impl PortableNote {
    /// Takes over a field of the front matter.
    fn take(&mut self, field: &Field) -> Result<(), FrontMatterProblem> {
        let is_ours = self.id.is_some();
        let odd = |reason: String| FrontMatterProblem::new(field.line, reason);
        let text = || match &field.found {
            FieldValue::Nothing => Ok(None),
            FieldValue::Text(text) => Ok(Some(text.trim()).filter(|text| !text.is_empty())),
            FieldValue::List(_) | FieldValue::Beyond => Err(odd(format!(
                "`{}` must be a text in the same line",
                field.key
            ))),
        };
        match field.key.as_str() {
            "title" => self.written.title = text()?.map(str::to_owned),
            "kind" | "note_kind" => self.written.kind = text()?.map(str::to_owned),
            "keywords" => self.written.keywords = Some(texts(field)?),
            "tags" => self.add_tags(&texts(field)?),
            "version" if is_ours => {
                let version = text()?.map(str::parse).transpose();
                self.written.version = version
                    .map_err(|_| odd("`version` must be a whole number".to_owned()))
                    .and_then(|version| checked(version).map_err(odd))?;
            }
            "created_at" => self.created_at = moment(text()?, is_ours).map_err(odd)?,
            "updated_at" => self.updated_at = moment(text()?, is_ours).map_err(odd)?,
            "links" if is_ours => {
                self.written.links = Some(links_of(&texts(field)?).map_err(odd)?);
            }
            "issues" if is_ours => {
                let issues = texts(field)?;
                let issues = issues.iter().map(|item| serde_json::from_str(item));
                let issues: Result<Vec<Issue>, _> = issues.collect();
                self.issues = issues.map_err(|error| odd(format!("`issues`: {error}")))?;
            }
            _ => {}
        }
        Ok(())
    }

    /// Adds tags, with or without their `#`, to the keywords.
    fn add_tags(&mut self, tags: &[String]) {
        let keywords = self.written.keywords.get_or_insert_default();
        for tag in tags {
            let tag = tag.trim().trim_start_matches('#');
            if !tag.is_empty() && keywords.iter().all(|known| known != tag) {
                keywords.push(tag.to_owned());
            }
        }
    }

    /// Parses the JSON object of a note's file.
    /// A missing text is an error, since nothing else gives the content of the note.
    pub fn from_json(members: &Map<String, Value>) -> Result<Self, String> {
        let written = NoteFields::from_json(members)?;
        if written.value.is_none() {
            return Err("it has no `value`".to_owned());
        }
        checked(written.version)?;
        let text = |name: &str| members.get(name).and_then(Value::as_str);
        let id = text("id").map(str::parse).transpose();
        let issues = members.get("issues").filter(|issues| !issues.is_null());
        let issues = issues.map(|issues| serde_json::from_value(issues.clone()));
        let issues = issues.transpose();
        Ok(Self {
            id: id.map_err(|_| "`id` is no UUID".to_owned())?,
            written,
            created_at: moment(text("created_at"), true)?,
            updated_at: moment(text("updated_at"), true)?,
            issues: issues
                .map_err(|error| format!("`issues`: {error}"))?
                .unwrap_or_default(),
        })
    }

    /// Returns the title, else the first heading of the text.
    pub fn title(&self) -> Option<String> {
        let heading = || first_heading(self.written.value.as_deref().unwrap_or_default());
        self.written.title.clone().or_else(heading)
    }

    /// Returns whether every given field equals that of the note.
    pub fn is_like(&self, note: &Note) -> bool {
        fn same<T: PartialEq>(said: Option<&T>, there: &T) -> bool {
            said.is_none_or(|said| said == there)
        }
        let written = &self.written;
        let title = self.title();
        title.is_none_or(|title| composed(&title) == composed(&note.title))
            && same(written.keywords.as_ref(), &note.keywords)
            && same(written.value.as_ref(), &note.value)
            && same(written.kind.as_ref(), &note.note_kind)
            && same(self.links().as_ref(), &note.links)
    }

    /// Returns the given links and those of the text.
    fn links(&self) -> Option<Vec<NoteId>> {
        let text = self.written.value.as_deref().unwrap_or_default();
        Some(with_links_of(text, self.written.links.clone()?))
    }
}

/// Returns the texts of a list, or of one text that is a list.
fn texts(field: &Field) -> Result<Vec<String>, FrontMatterProblem> {
    match &field.found {
        FieldValue::Nothing => Ok(Vec::new()),
        FieldValue::Text(text) => Ok(split_keywords(text)),
        FieldValue::List(items) => Ok(items.clone()),
        FieldValue::Beyond => {
            let reason = format!("`{}` must be a list of texts", field.key);
            Err(FrontMatterProblem::new(field.line, reason))
        }
    }
}

/// Refuses a version that leaves no room for later ones.
fn checked(version: Option<u64>) -> Result<Option<u64>, String> {
    let fits = |version: &u64| (1..=IMPORT_VERSION_MAX).contains(version);
    match version {
        Some(version) if !fits(&version) => {
            Err(format!("`version` must be from 1 to {IMPORT_VERSION_MAX}"))
        }
        version => Ok(version),
    }
}

/// Parses a time. A time of a file from elsewhere may have an unknown form and is ignored then.
fn moment(text: Option<&str>, is_ours: bool) -> Result<Option<Timestamp>, String> {
    let Some(text) = text else { return Ok(None) };
    let day = || Timestamp::parse(&format!("{text}T00:00:00Z"));
    match Timestamp::parse(text).or_else(day) {
        None if is_ours => Err(format!("`{text}` is not an RFC 3339 time")),
        moment => Ok(moment),
    }
}

/// Returns the first heading of a Markdown text outside of code blocks.
fn first_heading(text: &str) -> Option<String> {
    let mut fence: Option<&str> = None;
    for line in text.lines() {
        let line = line.trim();
        let mark = ["```", "~~~"]
            .into_iter()
            .find(|mark| line.starts_with(mark));
        match (fence, mark) {
            (None, Some(mark)) => fence = Some(mark),
            (Some(open), Some(mark)) if open == mark => fence = None,
            (None, None) => {
                let words = line.trim_start_matches('#');
                let level = line.len() - words.len();
                let title = words.trim().trim_end_matches('#').trim_end();
                let is_heading = (1..=6).contains(&level) && words.starts_with([' ', '\t']);
                if is_heading && !title.is_empty() {
                    let title: String = title.chars().take(FOUND_TITLE_CHARACTERS_MAX).collect();
                    // A title never ends in a blank, even if it was cut there.
                    return Some(title.trim_end().to_owned());
                }
            }
            (Some(_), _) => {}
        }
    }
    None
}
