//! Checks the prompt file: a misunderstood prompt would change the model's instructions, so any
//! error stops the start. Holds no text of the prompt itself.

use super::problem::Findings;
use crate::core::prompt::{Condition, Example, Mode, PromptFile, Segment, SimilarExamples};
use crate::core::protocol::{AllowedTags, Tag};
use crate::failure::Code;
use crate::strict_json::JsonPath;
use chrono::NaiveDate;
use serde_json::{Map, Value};
use sha2::{Digest as _, Sha256};
use std::fmt::Write as _;
use std::sync::Arc;

/// The only name of the agent.
const AGENT_NAME: &str = "kjxlkj-agent";

/// The only protocol.
const PROTOCOL: &str = "xml_attrless";

/// All keys of the file.
const KNOWN: [&str; 8] = [
    "agent_name",
    "version",
    "default_mode",
    "protocol",
    "allowed_tags",
    "segments",
    "examples",
    "question_words",
];

/// Checks a document; `None` when it has an error, which the findings hold.
pub(super) fn check(document: &Value, bytes: &[u8], findings: &mut Findings) -> Option<PromptFile> {
    let top = JsonPath::default();
    let Some(entries) = document.as_object() else {
        findings.error(top, "the prompt file must be an object");
        return None;
    };
    warn_unknown(entries, &KNOWN, &top, findings);
    constant(entries, "agent_name", AGENT_NAME, findings);
    constant(entries, "protocol", PROTOCOL, findings);
    let version = version(entries, findings);
    let default_mode = default_mode(entries, findings);
    let tags = allowed_tags(entries, findings);
    let segments = segments(entries, findings);
    let mut examples = examples(entries, findings);
    let question_words = question_words(entries, findings);
    warn_unmentioned(&tags, &segments, findings);
    if findings.has_errors() {
        return None;
    }
    let similar = Arc::new(SimilarExamples::of(&examples));
    examples.retain(|it| !matches!(it.condition, Condition::Similar(_)));
    Some(PromptFile {
        agent_name: AGENT_NAME.to_owned(),
        version,
        default_mode,
        allowed_tags: tags
            .into_iter()
            .map(|(_, tag)| tag)
            .collect::<AllowedTags>(),
        segments,
        examples,
        similar,
        question_words,
        hash: hash(bytes),
    })
}

/// Returns the SHA-256 in lower-case hex.
fn hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes)
        .iter()
        .fold(String::with_capacity(64), |mut text, byte| {
            // Writing into a string cannot fail.
            write!(text, "{byte:02x}").unwrap_or_default();
            text
        })
}

fn warn_unknown(
    entries: &Map<String, Value>,
    known: &[&str],
    path: &JsonPath,
    findings: &mut Findings,
) {
    for name in entries.keys() {
        if !known.contains(&name.as_str()) {
            findings.warn_key(path.key(name), "is not a known key and is ignored");
        }
    }
}

/// Returns the entry, or adds an error that it is missing.
fn required<'a>(
    entries: &'a Map<String, Value>,
    path: &JsonPath,
    name: &str,
    findings: &mut Findings,
) -> Option<&'a Value> {
    let value = entries.get(name);
    if value.is_none() {
        findings.error(path.key(name), "is missing");
    }
    value
}

fn constant(
    entries: &Map<String, Value>,
    name: &'static str,
    expected: &str,
    findings: &mut Findings,
) {
    let path = JsonPath::default();
    if let Some(value) = required(entries, &path, name, findings)
        && value.as_str() != Some(expected)
    {
        findings.error(path.key(name), format!("must be `{expected}`"));
    }
}

fn version(entries: &Map<String, Value>, findings: &mut Findings) -> String {
    let path = JsonPath::default();
    let Some(value) = required(entries, &path, "version", findings) else {
        return String::new();
    };
    match value.as_str() {
        Some(text) if is_date(text) || is_semantic_version(text) => text.to_owned(),
        _ => {
            findings.error(
                path.key("version"),
                "must be a date as 2026-02-15 or a semantic version as 1.2.0",
            );
            String::new()
        }
    }
}

fn is_date(text: &str) -> bool {
    text.len() == "2026-02-15".len() && NaiveDate::parse_from_str(text, "%Y-%m-%d").is_ok()
}

fn is_semantic_version(text: &str) -> bool {
    let (text, build) = text.split_once('+').unwrap_or((text, "0"));
    let (core, before) = text.split_once('-').unwrap_or((text, "0"));
    let is_word = |part: &str| {
        !part.is_empty() && part.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
    };
    let is_number = |part: &str| {
        !part.is_empty()
            && part.bytes().all(|b| b.is_ascii_digit())
            && (part == "0" || !part.starts_with('0'))
    };
    core.split('.').count() == 3
        && core.split('.').all(is_number)
        && before.split('.').all(is_word)
        && build.split('.').all(is_word)
}

fn default_mode(entries: &Map<String, Value>, findings: &mut Findings) -> Mode {
    let path = JsonPath::default();
    match required(entries, &path, "default_mode", findings).map(Value::as_str) {
        Some(Some("reviewed")) => Mode::Reviewed,
        Some(Some("yolo")) | None => Mode::Yolo,
        Some(_) => {
            findings.error(path.key("default_mode"), "must be `yolo` or `reviewed`");
            Mode::Yolo
        }
    }
}

/// Returns the entries of a required list that must not be empty.
fn list<'a>(entries: &'a Map<String, Value>, name: &str, findings: &mut Findings) -> &'a [Value] {
    let path = JsonPath::default();
    match required(entries, &path, name, findings) {
        Some(Value::Array(items)) if !items.is_empty() => items,
        Some(_) => {
            findings.error(path.key(name), "must be a list with at least one entry");
            &[]
        }
        None => &[],
    }
}

/// Returns the tags with their indexes in the list.
fn allowed_tags(entries: &Map<String, Value>, findings: &mut Findings) -> Vec<(usize, Tag)> {
    let path = JsonPath::default().key("allowed_tags");
    let mut tags: Vec<(usize, Tag)> = Vec::new();
    for (index, item) in list(entries, "allowed_tags", findings).iter().enumerate() {
        let place = path.index(index);
        let Some(name) = item.as_str() else {
            findings.error(place, "must be the name of a tag");
            continue;
        };
        match Tag::parse(name) {
            Some(tag) if tags.iter().any(|(_, known)| *known == tag) => {
                findings.warn(place, format!("`{name}` stands twice"));
            }
            Some(tag) => tags.push((index, tag)),
            None => {
                let known = Tag::ALL.map(Tag::name).join(", ");
                let hint = format!("Known tags: {known}.");
                let shown: String = name.chars().take(40).collect();
                findings.error_with_hint(place, format!("`{shown}` is not a known tag"), hint);
            }
        }
    }
    tags
}

fn warn_unmentioned(tags: &[(usize, Tag)], segments: &[Segment], findings: &mut Findings) {
    if segments.is_empty() {
        return; // Refused already; further warnings would only hide that.
    }
    let path = JsonPath::default().key("allowed_tags");
    for (index, tag) in tags {
        let name = tag.name();
        if !segments.iter().any(|segment| segment.prompt.contains(name)) {
            findings.warn(
                path.index(*index),
                format!("no segment mentions `{name}`, so the model cannot know of it"),
            );
        }
    }
}

fn condition(entries: &Map<String, Value>, path: &JsonPath, findings: &mut Findings) -> Condition {
    let Some(value) = required(entries, path, "condition", findings) else {
        return Condition::Default;
    };
    value
        .as_str()
        .and_then(Condition::parse)
        .unwrap_or_else(|| {
            findings.error_with_hint(
                path.key("condition"),
                "is not a condition",
                "Conditions: default, planning, executing, evaluating, record_organizing, paging, \
                 idle, idle_creative, idle_enrich, plan, choose, replace, answer.",
            );
            Condition::Default
        })
}

/// Returns a required text; a blank one is an error with the code `blank`.
fn text(
    entries: &Map<String, Value>,
    path: &JsonPath,
    name: &str,
    blank: Code,
    findings: &mut Findings,
) -> String {
    match required(entries, path, name, findings) {
        Some(Value::String(text)) if text.trim().is_empty() => {
            findings.error_as(blank, path.key(name), "is empty");
        }
        Some(Value::String(text)) => return text.clone(),
        Some(_) => findings.error(path.key(name), "must be a text"),
        None => {}
    }
    String::new()
}

fn segments(entries: &Map<String, Value>, findings: &mut Findings) -> Vec<Segment> {
    let path = JsonPath::default().key("segments");
    let mut segments = Vec::new();
    for (index, item) in list(entries, "segments", findings).iter().enumerate() {
        let path = path.index(index);
        let Some(entries) = item.as_object() else {
            findings.error(path, "must be an object with `condition` and `prompt`");
            continue;
        };
        warn_unknown(entries, &["condition", "prompt"], &path, findings);
        segments.push(Segment {
            condition: condition(entries, &path, findings),
            prompt: text(entries, &path, "prompt", Code::PromptSegmentEmpty, findings),
        });
    }
    segments
}

/// Returns the words that questions begin with.
fn question_words(entries: &Map<String, Value>, findings: &mut Findings) -> Vec<String> {
    let path = JsonPath::default().key("question_words");
    let Some(value) = entries.get("question_words") else {
        return Vec::new();
    };
    let words = value.as_array().map(|items| {
        let words = items.iter().filter_map(Value::as_str);
        words.map(str::to_lowercase).collect::<Vec<_>>()
    });
    match words {
        Some(words) if words.len() == value.as_array().map_or(0, Vec::len) => words,
        Some(_) | None => {
            findings.error(path, "must be a list of words");
            Vec::new()
        }
    }
}

fn examples(entries: &Map<String, Value>, findings: &mut Findings) -> Vec<Example> {
    let path = JsonPath::default().key("examples");
    let items = match entries.get("examples") {
        None => return Vec::new(),
        Some(Value::Array(items)) => items,
        Some(_) => {
            findings.error(path, "must be a list");
            return Vec::new();
        }
    };
    let mut examples = Vec::with_capacity(items.len());
    for (index, item) in items.iter().enumerate() {
        let path = path.index(index);
        let Some(entries) = item.as_object() else {
            findings.error(
                path,
                "must be an object with `condition`, `input` and `output`",
            );
            continue;
        };
        warn_unknown(entries, &["condition", "input", "output"], &path, findings);
        let blank = Code::PromptSchemaInvalid;
        examples.push(Example {
            condition: condition(entries, &path, findings),
            input: text(entries, &path, "input", blank, findings),
            output: text(entries, &path, "output", blank, findings),
        });
    }
    examples
}

#[cfg(test)]
mod tests {
    use super::{hash, is_date, is_semantic_version};

    #[test]
    fn versions_are_dates_or_semantic_versions() {
        for good in [
            "1.2.0",
            "0.0.1",
            "1.0.0-rc.1",
            "1.0.0-a-b+build.5",
            "1.0.0+7",
        ] {
            assert!(is_semantic_version(good), "{good}");
        }
        for bad in [
            "banana", "1.2", "1.2.3.4", "01.2.3", "1.2.x", "1.2.3-", "1.2.3+", "", "1..2",
        ] {
            assert!(!is_semantic_version(bad), "{bad}");
        }
        assert!(is_date("2026-02-15") && is_date("2024-02-29"));
        for bad in ["2026-02-30", "2026-2-15", "20260215", "2026-02-15 "] {
            assert!(!is_date(bad), "{bad}");
        }
    }

    #[test]
    fn hashes_are_those_of_sha_256() {
        assert_eq!(
            hash(b"abc"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
    }
}
