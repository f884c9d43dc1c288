//! Checks the prompt file: a misunderstood prompt would change the model's instructions, so any
//! error stops the start. Holds no text of the prompt itself.

use super::object::Object;
use super::problem::Findings;
use crate::core::journal::Hash;
use crate::core::prompt::{Condition, Example, Mode, PromptFile, Segment, SimilarExamples};
use crate::core::protocol::{AllowedTags, Tag};
use crate::failure::Code;
use crate::strict_json::JsonPath;
use chrono::NaiveDate;
use serde_json::Value;
use std::sync::Arc;

const AGENT_NAME: &str = "kjxlkj-agent";

const PROTOCOL: &str = "xml_attrless";

const KNOWN: [&str; 11] = [
    "agent_name",
    "version",
    "default_mode",
    "protocol",
    "allowed_tags",
    "segments",
    "examples",
    "question_words",
    "courtesy_words",
    "amount_words",
    "sum_words",
];

/// The message for a document that is no object.
const NO_OBJECT: &str = "the prompt file must be an object";

/// Returns the examples of a document that is right; none of one that is no object.
pub(super) fn examples_of(document: &Value) -> Vec<Example> {
    let mut findings = Findings::new(Code::PromptSchemaInvalid);
    let file = Object::of(document, JsonPath::default(), NO_OBJECT, &mut findings);
    file.map_or_else(Vec::new, |mut file| examples(&mut file))
}

/// Checks a document; `None` when it has an error, which the findings hold.
pub(super) fn check(document: &Value, bytes: &[u8], findings: &mut Findings) -> Option<PromptFile> {
    let mut file = Object::of(document, JsonPath::default(), NO_OBJECT, findings)?;
    let file = &mut file;
    warn_unknown(file, &KNOWN);
    constant(file, "agent_name", AGENT_NAME);
    constant(file, "protocol", PROTOCOL);
    let version = version(file);
    let default_mode = default_mode(file);
    let tags = allowed_tags(file);
    let segments = segments(file);
    let mut examples = examples(file);
    let question_words = words(file, "question_words");
    let courtesy_words = words(file, "courtesy_words");
    let amount_words = words(file, "amount_words");
    let sum_words = words(file, "sum_words");
    warn_unmentioned(&tags, &segments, file.findings);
    if file.findings.has_errors() {
        return None;
    }
    let similar = Arc::new(SimilarExamples::of(&examples));
    examples.retain(|it| !matches!(it.condition, Condition::Similar(_)));
    let tags = tags.into_iter().map(|(_, tag)| tag);
    Some(PromptFile {
        agent_name: AGENT_NAME.to_owned(),
        version,
        default_mode,
        allowed_tags: tags.collect::<AllowedTags>(),
        segments,
        examples,
        similar,
        question_words,
        courtesy_words,
        amount_words,
        sum_words,
        hash: Hash::of(bytes).to_string(),
    })
}

fn warn_unknown(object: &mut Object<'_>, known: &[&str]) {
    for name in object.unknown(known) {
        let path = object.at(name);
        let message = "is not a known key and is ignored";
        object.findings.warn(path, message).at_key = true;
    }
}

fn constant(file: &mut Object<'_>, name: &str, expected: &str) {
    if let Some(value) = file.required(name)
        && value.as_str() != Some(expected)
    {
        file.error(name, format!("must be `{expected}`"));
    }
}

fn version(file: &mut Object<'_>) -> String {
    let Some(value) = file.required("version") else {
        return String::new();
    };
    let text = value.as_str();
    let text = text.filter(|text| is_date(text) || is_semantic_version(text));
    let message = "must be a date as 2026-02-15 or a semantic version as 1.2.0";
    let text = file.or_error(text, "version", message);
    text.unwrap_or_default().to_owned()
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

fn default_mode(file: &mut Object<'_>) -> Mode {
    let given = file.required("default_mode");
    let mode = given.and_then(|given| Mode::parse(given.as_str()?));
    if given.is_some() && mode.is_none() {
        file.error("default_mode", "must be `yolo` or `reviewed`");
    }
    mode.unwrap_or(Mode::Yolo)
}

/// Returns the entries of a required list that must not be empty.
fn list<'a>(file: &mut Object<'a>, name: &str) -> &'a [Value] {
    match file.required(name) {
        Some(Value::Array(items)) if !items.is_empty() => items,
        Some(_) => {
            file.error(name, "must be a list with at least one entry");
            &[]
        }
        None => &[],
    }
}

/// Returns the tags with their indexes in the list.
fn allowed_tags(file: &mut Object<'_>) -> Vec<(usize, Tag)> {
    let mut tags: Vec<(usize, Tag)> = Vec::new();
    for (index, item) in list(file, "allowed_tags").iter().enumerate() {
        let place = file.at("allowed_tags").index(index);
        let findings = &mut *file.findings;
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
                let message = format!("`{shown}` is not a known tag");
                findings.error(place, message).hint = Some(hint);
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

fn condition(object: &mut Object<'_>) -> Condition {
    let Some(value) = object.required("condition") else {
        return Condition::Default;
    };
    value
        .as_str()
        .and_then(Condition::parse)
        .unwrap_or_else(|| {
            let path = object.at("condition");
            let hint = "Conditions: default, planning, executing, evaluating, record_organizing, \
                        paging, idle, idle_creative, idle_enrich, plan, choose, replace, answer.";
            object.findings.error(path, "is not a condition").hint = Some(hint.to_owned());
            Condition::Default
        })
}

/// Returns a required text; a blank one is an error with the code `blank`.
fn text(object: &mut Object<'_>, name: &str, blank: Code) -> String {
    match object.required(name) {
        Some(Value::String(text)) if text.trim().is_empty() => {
            let path = object.at(name);
            object.findings.error(path, "is empty").code = blank;
        }
        Some(Value::String(text)) => return text.clone(),
        Some(_) => object.error(name, "must be a text"),
        None => {}
    }
    String::new()
}

/// Reads each item of a list as an object with those keys.
fn each<T>(
    file: &mut Object<'_>,
    name: &str,
    (items, keys, message): (&[Value], &[&str], &str),
    read: impl Fn(&mut Object<'_>) -> T,
) -> Vec<T> {
    let path = file.at(name);
    let objects = items.iter().enumerate().filter_map(|(index, item)| {
        let mut object = Object::of(item, path.index(index), message, file.findings)?;
        warn_unknown(&mut object, keys);
        Some(read(&mut object))
    });
    objects.collect()
}

fn segments(file: &mut Object<'_>) -> Vec<Segment> {
    let items = list(file, "segments");
    let message = "must be an object with `condition` and `prompt`";
    let shape = (items, &["condition", "prompt"][..], message);
    each(file, "segments", shape, |segment| Segment {
        condition: condition(segment),
        prompt: text(segment, "prompt", Code::PromptSegmentEmpty),
    })
}

/// Returns a list of words or phrases, in lower case.
fn words(file: &mut Object<'_>, key: &str) -> Vec<String> {
    let Some(value) = file.get(key) else {
        return Vec::new();
    };
    let words = value.as_array().and_then(|items| {
        let words = items.iter().map(|it| it.as_str().map(str::to_lowercase));
        words.collect::<Option<Vec<_>>>()
    });
    let words = file.or_error(words, key, "must be a list of words");
    words.unwrap_or_default()
}

fn examples(file: &mut Object<'_>) -> Vec<Example> {
    let items = match file.get("examples") {
        None => return Vec::new(),
        Some(Value::Array(items)) => items,
        Some(_) => {
            file.error("examples", "must be a list");
            return Vec::new();
        }
    };
    let message = "must be an object with `condition`, `input` and `output`";
    let shape = (&items[..], &["condition", "input", "output"][..], message);
    let blank = Code::PromptSchemaInvalid;
    each(file, "examples", shape, |example| Example {
        condition: condition(example),
        input: text(example, "input", blank),
        output: text(example, "output", blank),
    })
}

#[cfg(test)]
mod tests {
    use super::{is_date, is_semantic_version};

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
}
