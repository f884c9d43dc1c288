//! What was granted, in plain values: nothing here is shared with the guard that has to keep to it.

use serde_json::Value;

/// What the agent of a script may do.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a question of its own"
)]
#[derive(Clone, Debug)]
pub(crate) struct Grant {
    /// The one workspace that it writes in.
    pub(crate) workspace: String,
    /// Kinds of notes that it writes.
    pub(crate) kinds: Vec<String>,
    /// Notes that one iteration creates at most.
    pub(crate) notes_max: usize,
    /// Changes and deletions of notes in one iteration at most.
    pub(crate) edits_max: usize,
    /// Whether it deletes notes.
    pub(crate) may_delete: bool,
    /// Whether it writes to `/storage` by itself.
    pub(crate) may_store: bool,
    /// Whether a person decides about each change of a note.
    pub(crate) is_reviewed: bool,
    /// Whether proposals may be about other workspaces.
    pub(crate) proposes_abroad: bool,
    /// Whether requests are worked on in small steps, so that a plan's lines say what is done.
    pub(crate) in_steps: bool,
    /// Characters of all keys of RAM that are not the program's own.
    pub(crate) ram_characters_max: usize,
}

/// Keys that the program writes beside the model.
pub(super) const OWN_KEYS: [&str; 7] = [
    "archived",
    "context",
    "metrics",
    "plan",
    "state",
    "steps",
    "think_log",
];

const STATES: [&str; 6] = [
    "planning",
    "executing",
    "evaluating",
    "paging",
    "record_organizing",
    "idle",
];

const KEY_BYTES_MAX: usize = 256;
const RAM_VALUE_BYTES_MAX: usize = 16 * 1024;
const DEPTH_MAX: usize = 64;
const TITLE_BYTES_MAX: usize = 512;
const TEXT_BYTES_MAX: usize = 256 * 1024;
const KEYWORDS_MAX: usize = 64;
const KEYWORD_BYTES_MAX: usize = 128;
const ISSUES_MAX: usize = 100;

/// What is wrong with a name that a person has to tell from others.
pub(super) fn odd_name(name: &str) -> Option<&'static str> {
    let hides = |it: char| {
        let code = u32::from(it);
        it.is_control()
            || (0x200b..=0x200f).contains(&code)
            || (0x202a..=0x202e).contains(&code)
            || (0x2060..=0x206f).contains(&code)
            || (0xe_0000..=0xe_007f).contains(&code)
            || code == 0xfeff
    };
    if name.trim().is_empty() {
        Some("is blank")
    } else if name.chars().any(hides) {
        Some("holds what nobody sees")
    } else if name.split('/').any(|part| part == "." || part == "..") {
        Some("climbs")
    } else {
        None
    }
}

/// How deep a value is nested.
fn depth(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.iter().map(depth).max().unwrap_or(0),
        Value::Object(members) => 1 + members.values().map(depth).max().unwrap_or(0),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => 0,
    }
}

/// What is wrong with a key of RAM and its value.
pub(super) fn wrong_in_ram(key: &str, value: &Value) -> Vec<String> {
    let mut wrong = Vec::new();
    wrong.extend(odd_name(key).map(|what| format!("the RAM key {key:?} {what}")));
    if key.len() > KEY_BYTES_MAX {
        wrong.push(format!("a RAM key has {} bytes", key.len()));
    }
    let bytes = value
        .as_str()
        .map_or_else(|| value.to_string().len(), str::len);
    // The program's list of what was archived is bounded by characters.
    if bytes > RAM_VALUE_BYTES_MAX && key != "context" {
        wrong.push(format!("the RAM key {key:?} has {bytes} bytes"));
    }
    if depth(value) > DEPTH_MAX {
        wrong.push(format!(
            "the RAM key {key:?} is nested {} levels",
            depth(value)
        ));
    }
    let has_type = match key {
        "context" | "metrics" => value.is_object(),
        "steps" => value.is_array(),
        "plan" | "think_log" | "archived" => value.is_string(),
        "state" => STATES.iter().any(|name| value == name),
        _ => true,
    };
    if !has_type {
        wrong.push(format!("the RAM key {key} is {value}"));
    }
    wrong
}

/// What is wrong with a place in `/storage` and its value.
pub(super) fn wrong_in_storage(parts: &[String], value: &Value) -> Vec<String> {
    let mut wrong = Vec::new();
    let is_archived = matches!(parts, [folder, _] if folder == "archive");
    if parts.is_empty() || parts.len() == 1 && parts[0] == "archive" {
        wrong.push(format!("all of /storage/{} is replaced", parts.join("/")));
    }
    for part in parts {
        wrong.extend(odd_name(part).map(|what| format!("{part:?} in a path {what}")));
        // What is stored by its key alone may be called anything that a key may.
        let is_path = parts.len() > 1 && part.contains('/');
        if !is_archived && (part.len() > KEY_BYTES_MAX || is_path) {
            wrong.push(format!("{part:?} in a path"));
        }
    }
    if parts.len() > 16 || depth(value) + 1 > DEPTH_MAX + parts.len() {
        wrong.push(format!("{parts:?} is too deep"));
    }
    wrong
}

impl Grant {
    /// What is wrong with a note that the agent wrote.
    pub(super) fn wrong_in_note(&self, note: &Value) -> Vec<String> {
        let mut wrong = Vec::new();
        let text = |name: &str| note[name].as_str().unwrap_or_default();
        let id = text("id");
        if text("workspace_id") != self.workspace {
            wrong.push(format!("{id} is in workspace {}", note["workspace_id"]));
        }
        if !self.kinds.iter().any(|kind| kind == text("note_kind")) {
            wrong.push(format!("{id} is of kind {}", note["note_kind"]));
        }
        if text("value").contains('\0') || text("value").len() > TEXT_BYTES_MAX {
            wrong.push(format!("the text of {id} is too long or holds NUL"));
        }
        if text("title").trim().is_empty() || text("title").len() > TITLE_BYTES_MAX {
            wrong.push(format!("the title of {id} is blank or too long"));
        }
        let words = note["keywords"].as_array().cloned().unwrap_or_default();
        let longest = words.iter().filter_map(Value::as_str).map(str::len).max();
        if words.len() > KEYWORDS_MAX || longest > Some(KEYWORD_BYTES_MAX) {
            wrong.push(format!("the keywords of {id} are too many or too long"));
        }
        if note["issues"]
            .as_array()
            .is_some_and(|it| it.len() > ISSUES_MAX)
        {
            wrong.push(format!("{id} has too many issues"));
        }
        wrong
    }
}
