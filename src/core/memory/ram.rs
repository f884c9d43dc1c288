//! The RAM map and its typed keys.
//! Five keys always exist, each with its type; all others hold any JSON value. The guard decides
//! what may be written; the code here only coerces values.

use crate::core::agent::LoopState;
use crate::core::prompt::render_ram;
use crate::strict_json::{self, JsonProblem};
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// The key of the reasoning trace.
pub const THINK_LOG: &str = "think_log";
/// The key of the current plan.
pub const PLAN: &str = "plan";
/// The key of the list of remaining steps.
pub const STEPS: &str = "steps";
/// The key of the working context.
pub const CONTEXT: &str = "context";
/// The key of the loop's state.
pub const STATE: &str = "state";
/// The member of `context` that holds the open request.
pub const USER_REQUEST: &str = "user_request";
/// The member of `context` that names a task; `record_organizing` is the only known one.
pub const TASK: &str = "task";

/// The key of the person's own data; it is `{"todo": {}}` until it has content.
pub const USER_DATA: &str = "user_data";
/// The member of `user_data` that holds the person's to-do list.
pub const TODO: &str = "todo";

/// The keys that always exist.
pub const REQUIRED_KEYS: [&str; 5] = [CONTEXT, PLAN, STATE, STEPS, THINK_LOG];

/// The flat key-value store, sorted by key, so that the same content always gives the same file.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Ram {
    map: BTreeMap<String, Value>,
}

impl Default for Ram {
    /// Returns a new store: the five keys, empty, in state `planning`.
    fn default() -> Self {
        let map = REQUIRED_KEYS
            .iter()
            .map(|key| ((*key).to_owned(), empty_value(key)))
            .collect();
        Self { map }
    }
}

impl Ram {
    /// Returns a store with these entries.
    /// Required keys that are missing are added, and values of the wrong type are coerced.
    pub fn from_entries(entries: impl IntoIterator<Item = (String, Value)>) -> Self {
        let typed = entries.into_iter().map(|(key, value)| {
            let value = with_type_of(&key, value);
            (key, value)
        });
        // A map that is filled key by key takes several times as long.
        let mut map: BTreeMap<String, Value> = typed.collect();
        for key in REQUIRED_KEYS {
            if !map.contains_key(key) {
                map.insert(key.to_owned(), empty_value(key));
            }
        }
        Self { map }
    }

    pub fn get(&self, key: &str) -> Option<&Value> {
        self.map.get(key)
    }

    /// Returns all entries, sorted by key.
    pub fn entries(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.map.iter().map(|(key, value)| (key.as_str(), value))
    }

    pub fn len(&self) -> usize {
        self.map.len()
    }

    /// Returns whether there is no key; never true, since five keys always exist.
    pub fn is_empty(&self) -> bool {
        self.map.is_empty()
    }

    /// Sets the value of a key; the value of a required key is coerced to its type.
    pub fn set(&mut self, key: String, value: Value) {
        let value = with_type_of(&key, value);
        self.map.insert(key, value);
    }

    /// Sets the value of a key like [`Ram::set`], but copies the key only if it is new.
    pub fn put(&mut self, key: &str, value: &Value) {
        match self.map.get_mut(key) {
            Some(known) => *known = with_type_of(key, value.clone()),
            None => self.set(key.to_owned(), value.clone()),
        }
    }

    /// Removes a key; a required key gets its empty value.
    pub fn delete(&mut self, key: &str) {
        if REQUIRED_KEYS.contains(&key) {
            self.map.insert(key.to_owned(), empty_value(key));
        } else {
            self.map.remove(key);
        }
    }

    /// Returns the loop's state. A missing or unknown name means planning.
    pub fn state(&self) -> LoopState {
        let name = self.get(STATE).and_then(Value::as_str);
        name.and_then(LoopState::parse)
            .unwrap_or(LoopState::Planning)
    }

    /// Returns the remaining steps.
    pub fn steps(&self) -> &[Value] {
        let steps = self.get(STEPS).and_then(Value::as_array);
        steps.map_or(&[], Vec::as_slice)
    }

    /// Returns the first step on one line, as a prompt shows it.
    pub fn step(&self) -> Option<String> {
        self.steps().first().map(line_of)
    }

    /// Returns the members of `context`, if it is an object.
    pub fn context(&self) -> Option<&Map<String, Value>> {
        self.get(CONTEXT)?.as_object()
    }

    /// Returns the open request in `context`, if there is one.
    pub fn request(&self) -> Option<&str> {
        let text = self.get(CONTEXT)?.get(USER_REQUEST)?.as_str()?;
        (!text.trim().is_empty()).then_some(text)
    }

    /// Returns `context` with the request set or removed.
    pub fn context_with_request(&self, request: Option<&str>) -> Value {
        let context = self.get(CONTEXT).cloned().unwrap_or_default();
        with_request(context, request)
    }

    /// Returns the task that `context` names, if any.
    pub fn task(&self) -> Option<&str> {
        self.get(CONTEXT)?.get(TASK)?.as_str()
    }

    pub fn context_without_task(&self) -> Value {
        let mut context = self.get(CONTEXT).cloned().unwrap_or_default();
        if let Value::Object(members) = &mut context {
            members.remove(TASK);
        }
        context
    }

    /// Returns the KV file: one flat, pretty-printed JSON object with a final newline.
    pub fn to_file(&self) -> Vec<u8> {
        file_of(&self.map)
    }

    /// Returns the keys and texts that a prompt shows, rarely changing keys first.
    /// `state`, the request and empty values are left out.
    pub fn rendered(&self) -> Vec<(String, String)> {
        let shown = shown(self.entries()).into_iter();
        shown
            .map(|(key, text)| (key.into_owned(), text.into_owned()))
            .collect()
    }

    /// Returns the characters of RAM in a prompt, which `working_memory_character_max` bounds.
    pub fn characters(&self) -> usize {
        render_ram(&shown(self.entries())).chars().count()
    }

    /// Returns the characters of RAM in a prompt after a key is set.
    pub fn characters_after(&self, key: &str, value: &Value) -> usize {
        let mut after = self.clone();
        after.put(key, value);
        after.characters()
    }
}

/// Returns the keys and texts that a prompt shows of entries, which are sorted by key.
fn shown<'a>(
    entries: impl Iterator<Item = (&'a str, &'a Value)>,
) -> Vec<(Cow<'a, str>, Cow<'a, str>)> {
    let mut shown = Vec::new();
    let mut last = [const { None }; 3];
    let mut context = None;
    for (key, value) in entries {
        match key {
            CONTEXT => context = value.as_object(),
            PLAN => last[0] = Some((PLAN, value)),
            STEPS => last[1] = Some((STEPS, value)),
            THINK_LOG => last[2] = Some((THINK_LOG, value)),
            STATE => {}
            own => shown.push((Cow::Borrowed(own), text_in(value))),
        }
    }
    for (name, value) in context.into_iter().flatten() {
        if name != USER_REQUEST {
            shown.push((Cow::Owned(format!("{CONTEXT}.{name}")), text_in(value)));
        }
    }
    for (key, value) in last.into_iter().flatten() {
        let text = text_in(value);
        if !text.is_empty() {
            shown.push((Cow::Borrowed(key), text));
        }
    }
    shown
}

/// Returns the bytes of a file under `data`: pretty-printed JSON with a final newline.
pub(in crate::core) fn file_of(content: &impl Serialize) -> Vec<u8> {
    // Serialising values like these to memory cannot fail; the empty object is never used.
    let mut bytes = serde_json::to_vec_pretty(content).unwrap_or_else(|_| b"{}".to_vec());
    bytes.push(b'\n');
    bytes
}

impl<'de> Deserialize<'de> for Ram {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let entries = BTreeMap::<String, Value>::deserialize(deserializer)?;
        Ok(Self::from_entries(entries))
    }
}

/// Returns a value for `context` with the request set or removed.
pub fn with_request(context: Value, request: Option<&str>) -> Value {
    let mut members = if let Value::Object(members) = context {
        members
    } else {
        Map::new()
    };
    match request {
        Some(text) => members.insert(USER_REQUEST.to_owned(), Value::from(text)),
        None => members.remove(USER_REQUEST),
    };
    Value::Object(members)
}

/// Returns the key that a spelling means: `plan,steps` is `steps`, `plan,next` is `next`.
pub fn canonical_key(key: &str) -> &str {
    match key {
        "plan,steps" | "plan, steps" => STEPS,
        "plan,next" | "plan, next" => "next",
        other => other,
    }
}

/// Returns the value that a model's text means for a key.
/// `steps` is a list, `context` an object; `plan`, `think_log` and `state` are text. For any other
/// key, JSON objects and arrays are kept as such if that loses nothing, and everything else is
/// text.
pub fn value_from_text(key: &str, text: &str) -> Value {
    match key {
        PLAN | THINK_LOG | STATE => Value::from(text),
        STEPS => match structure_in(text) {
            Some(list @ Value::Array(_)) => list,
            Some(_) | None => Value::from(lines_as_steps(text)),
        },
        CONTEXT => match structure_in(text) {
            Some(object @ Value::Object(_)) => object,
            Some(_) | None => serde_json::json!({ "text": text }),
        },
        _ => structure_in(text).unwrap_or_else(|| Value::from(text)),
    }
}

/// Returns the object or array that a text is, if JSON loses nothing of it.
/// Numbers that would lose digits and repeated members leave it a text.
pub fn structure_in(text: &str) -> Option<Value> {
    read_structure(text)?.ok()
}

/// Returns the reason why a JSON text stays text in a key, if it does.
/// `None` for keys that hold text only.
pub fn kept_as_text(key: &str, text: &str) -> Option<String> {
    if matches!(key, PLAN | THINK_LOG | STATE) {
        return None;
    }
    let problem = read_structure(text)?.err()?;
    let is_json = serde_json::from_str::<IgnoredAny>(text).is_ok();
    is_json.then(|| format!("stored as text, not as JSON: {}", problem.message))
}

fn read_structure(text: &str) -> Option<Result<Value, JsonProblem>> {
    let is_structure = text.trim_start().starts_with(['{', '[']);
    is_structure.then(|| strict_json::parse_exact(text.as_bytes()))
}

/// Returns one step for each non-blank line, without list marks.
fn lines_as_steps(text: &str) -> Vec<String> {
    let unmarked = |line: &str| {
        let line = line.trim();
        let bare = line.strip_prefix(['-', '*', '\u{2022}']).unwrap_or(line);
        let digits = bare.bytes().take_while(u8::is_ascii_digit).count();
        let numbered = (digits > 0)
            .then(|| bare.get(digits..)?.strip_prefix(['.', ')', ':']))
            .flatten()
            .unwrap_or(bare);
        numbered.trim().to_owned()
    };
    text.lines()
        .map(unmarked)
        .filter(|step| !step.is_empty())
        .collect()
}

/// Coerces a value to the type of its key, if the key has one.
fn with_type_of(key: &str, value: Value) -> Value {
    let fits = match key {
        PLAN | THINK_LOG | STATE => value.is_string(),
        STEPS => value.is_array(),
        CONTEXT => value.is_object(),
        _ => true,
    };
    if fits {
        value
    } else if value.is_null() {
        empty_value(key)
    } else {
        value_from_text(key, &text_of(&value))
    }
}

/// Returns the empty value of a required key.
fn empty_value(key: &str) -> Value {
    match key {
        STEPS => Value::Array(Vec::new()),
        CONTEXT => Value::Object(Map::new()),
        STATE => Value::from(LoopState::Planning.name()),
        _ => Value::from(""),
    }
}

/// Returns a value as a person reads it.
/// Text stays as it is, a list of plain values has one on each line, anything else is compact JSON.
pub fn text_of(value: &Value) -> String {
    text_in(value).into_owned()
}

fn line_of(item: &Value) -> String {
    text_in(item).replace('\n', " ")
}

pub(in crate::core) fn text_in(value: &Value) -> Cow<'_, str> {
    match value {
        Value::String(text) => Cow::Borrowed(text),
        Value::Array(items)
            if items
                .iter()
                .all(|item| !item.is_array() && !item.is_object()) =>
        {
            Cow::Owned(items.iter().map(line_of).collect::<Vec<_>>().join("\n"))
        }
        Value::Null => Cow::Borrowed(""),
        Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => {
            Cow::Owned(value.to_string())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn text_becomes_the_type_of_its_key() {
        let cases = [
            (
                "steps",
                "1. buy tea\n\n- brew it\n* drink it",
                json!(["buy tea", "brew it", "drink it"]),
            ),
            ("steps", "[\"a\", 2]", json!(["a", 2])),
            ("steps", "{\"a\": 1}", json!(["{\"a\": 1}"])),
            ("steps", "2026 was good", json!(["2026 was good"])),
            ("context", "{\"topic\": \"tea\"}", json!({"topic": "tea"})),
            ("context", "tea", json!({"text": "tea"})),
            ("plan", "[1, 2]", json!("[1, 2]")),
            ("mood", "[1, 2]", json!([1, 2])),
            ("mood", "{broken", json!("{broken")),
            ("mood", "42", json!("42")),
            ("mood", "{\"p\": 1.10}", json!({"p": 1.1})),
            (
                "mood",
                "{\"p\": 1, \"p\": 2}",
                json!("{\"p\": 1, \"p\": 2}"),
            ),
            (
                "mood",
                "{\"id\": 98765432109876543210987}",
                json!("{\"id\": 98765432109876543210987}"),
            ),
            (
                "steps",
                "[98765432109876543210987]",
                json!(["[98765432109876543210987]"]),
            ),
            (
                "context",
                "{\"n\": 0.12345678901234567890}",
                json!({"text": "{\"n\": 0.12345678901234567890}"}),
            ),
        ];
        for (key, text, expected) in cases {
            assert_eq!(value_from_text(key, text), expected, "{key} = {text}");
        }
    }

    #[test]
    fn deleting_a_required_key_resets_it() {
        let mut ram = Ram::default();
        ram.set("steps".to_owned(), json!(["one"]));
        ram.set("state".to_owned(), json!("executing"));
        ram.set("mine".to_owned(), json!(1));
        for key in REQUIRED_KEYS.into_iter().chain(["mine", "never there"]) {
            ram.delete(key);
        }
        assert_eq!(ram, Ram::default());
    }

    #[test]
    fn an_unknown_state_means_planning() {
        let mut ram = Ram::default();
        ram.set("state".to_owned(), json!("dreaming"));
        assert_eq!(ram.state(), LoopState::Planning);
        ram.set("state".to_owned(), json!("thinking"));
        assert_eq!(ram.state(), LoopState::Planning);
        ram.set("state".to_owned(), json!("paging"));
        assert_eq!(ram.state(), LoopState::Paging);
    }

    #[test]
    fn compound_keys_are_aliases() {
        assert_eq!(canonical_key("plan,steps"), "steps");
        assert_eq!(canonical_key("plan,next"), "next");
        assert_eq!(canonical_key("tea,green"), "tea,green");
    }

    #[test]
    fn what_comes_of_a_change_is_told_without_making_it() {
        let mut ram = Ram::default();
        ram.set("mine".to_owned(), json!("old"));
        ram.set("other".to_owned(), json!({"a": [1]}));
        let changes = [
            ("mine", Some(json!("new & longer"))),
            ("steps", Some(json!("one\ntwo"))),
            (
                "context",
                Some(json!({"topic": "tea", "user_request": "x"})),
            ),
            ("state", Some(json!("paging"))),
            ("other", None),
            ("plan", None),
            ("fresh", Some(json!([1, 2]))),
        ];
        let mut after = ram.clone();
        for (key, value) in &changes {
            let before = after.clone();
            match value {
                Some(value) => after.set((*key).to_owned(), value.clone()),
                None => after.delete(key),
            }
            if let Some(value) = value {
                assert_eq!(
                    before.characters_after(key, value),
                    after.characters(),
                    "{key}"
                );
            }
        }
        let read: Ram = serde_json::from_slice(&after.to_file()).unwrap();
        assert_eq!(read, after);
        let partial: Ram = serde_json::from_str("{\"steps\": \"one\"}").unwrap();
        assert_eq!(partial.steps(), [json!("one")]);
        assert_eq!(partial.len(), REQUIRED_KEYS.len());
    }
}
