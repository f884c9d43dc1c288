//! The forms of the values of keys: one closed list of shapes that check values, describe
//! themselves and write their part of the schema. Refusals never repeat a value that could be a
//! secret.

use super::url;
use crate::plain_text::spelt_out;
use crate::strict_json::PathSegment;
use serde_json::{Value, json};
use std::fmt;
use uuid::Uuid;

/// The default of the longest wait for a launched server, in milliseconds.
/// A first start may download a gigabyte.
const LAUNCH_READY_TIMEOUT_MS: u64 = 900_000;

/// The ceiling of that wait, in milliseconds: a day.
const LAUNCH_READY_TIMEOUT_MS_MAX: i64 = 86_400_000;

/// The longest text that a key accepts, in bytes: longer than any path, address or model name.
const TEXT_BYTES_MAX: usize = 4096;

/// The longest wrong text that a refusal repeats, in characters.
/// API keys are longer.
const SHOWN_CHARACTERS_MAX: usize = 24;

/// The longest name of a note kind, in bytes.
const LISTED_TEXT_BYTES_MAX: usize = 64;

/// A form of the value of a key.
/// Bounds are inclusive.
#[derive(Clone, Copy, Debug)]
pub enum Shape {
    /// Exactly this text.
    Literal(&'static str),
    /// A text that is not blank.
    Text,
    Path,
    /// The name of an environment variable, or null.
    VariableName,
    /// One of these words.
    OneOf(&'static [&'static str]),
    /// True or false.
    Switch,
    Integer(i64, i64),
    OptionalInteger(i64, i64),
    /// -1, or an integer from 1.
    Iterations(i64),
    /// A number.
    Number(f64, f64),
    /// A list of different texts, not empty.
    Texts,
    /// A UUID other than the nil one.
    Uuid,
    /// A list of different UUIDs, which may be empty.
    Uuids,
    /// An address of a server.
    BaseUrl,
    /// An address of this machine with its port, or null.
    OwnAddress,
    /// A command with its timeout, or null.
    Launch,
    /// A list of texts, none of them empty, or null.
    Command,
    /// A program and its arguments, which may be empty, or null.
    CommandLine,
    /// A list of objects, each like `provider`; `config::providers` checks them.
    Providers,
}

/// The reason why a value is refused.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct ShapeError {
    /// The wrong part of the value, if it is not the whole.
    pub(super) inside: Option<PathSegment>,
    pub(super) message: String,
    pub(super) hint: Option<&'static str>,
}

impl ShapeError {
    fn new(message: String) -> Self {
        Self {
            inside: None,
            message,
            hint: None,
        }
    }

    fn at(mut self, step: PathSegment) -> Self {
        self.inside = Some(step);
        self
    }

    fn hint(mut self, hint: &'static str) -> Self {
        self.hint = Some(hint);
        self
    }
}

impl Shape {
    /// Returns the value in its normal form, or the reason why it is refused.
    pub(super) fn check(self, value: &Value) -> Result<Value, ShapeError> {
        match self {
            Self::Literal(word) => self.require(value, value.as_str() == Some(word)),
            Self::OneOf(words) => {
                let known = value.as_str().is_some_and(|text| words.contains(&text));
                self.require(value, known)
            }
            Self::Text | Self::Path => self.text(value, TEXT_BYTES_MAX),
            Self::VariableName => self.variable_name(value),
            Self::Switch => self.require(value, value.is_boolean()),
            Self::OptionalInteger(..) | Self::OwnAddress if value.is_null() => Ok(Value::Null),
            Self::Integer(min, max) | Self::OptionalInteger(min, max) => {
                self.integer(value, min, max)
            }
            Self::Iterations(max) => match integer(value) {
                Some(-1) => Ok(Value::from(-1)),
                _ => self.integer(value, 1, max),
            },
            Self::Number(min, max) => match value.as_f64() {
                Some(number) if (min..=max).contains(&number) => Ok(Value::from(number)),
                _ => Err(self.refuse(value)),
            },
            Self::Texts if value.as_array().is_some_and(Vec::is_empty) => {
                Err(ShapeError::new(format!("must be {self}, but is empty")))
            }
            Self::Texts => self.list(value, |item| Self::Text.text(item, LISTED_TEXT_BYTES_MAX)),
            Self::Uuid => self.uuid(value),
            Self::Uuids => self.list(value, |item| Self::Uuid.uuid(item)),
            Self::BaseUrl => {
                let text = value.as_str().ok_or_else(|| self.refuse(value))?;
                url::normalise(text)
                    .map(Value::from)
                    .map_err(ShapeError::new)
            }
            Self::OwnAddress => self.require(value, url::own_address(value).is_some()),
            Self::Launch => self.launch(value),
            Self::Command | Self::CommandLine => {
                let may_be_empty = matches!(self, Self::CommandLine);
                let is_other = |word: &Value| is_word(word) || (may_be_empty && *word == "");
                let is_command = match value.as_array().map(Vec::as_slice) {
                    Some([first, others @ ..]) => is_word(first) && others.iter().all(is_other),
                    Some([]) | None => value.is_null(),
                };
                self.require(value, is_command)
            }
            Self::Providers => self.require(value, value.is_array()),
        }
    }

    pub(super) fn schema(self) -> Value {
        match self {
            Self::Literal(word) => json!({"const": word}),
            Self::Text | Self::Path | Self::BaseUrl => json!({"type": "string", "minLength": 1}),
            Self::VariableName => {
                json!({"type": ["string", "null"], "pattern": "^[A-Za-z_][A-Za-z0-9_]*$"})
            }
            Self::OwnAddress => json!({"type": ["string", "null"], "minLength": 1}),
            Self::OneOf(words) => json!({"enum": words}),
            Self::Switch => json!({"type": "boolean"}),
            Self::Integer(min, max) => {
                json!({"type": "integer", "minimum": min, "maximum": max})
            }
            Self::OptionalInteger(min, max) => {
                json!({"type": ["integer", "null"], "minimum": min, "maximum": max})
            }
            Self::Iterations(max) => json!({"anyOf": [
                {"const": -1}, {"type": "integer", "minimum": 1, "maximum": max},
            ]}),
            Self::Number(min, max) => json!({"type": "number", "minimum": min, "maximum": max}),
            Self::Texts => json!({
                "type": "array", "minItems": 1, "uniqueItems": true,
                "items": {"type": "string", "minLength": 1},
            }),
            Self::Uuid => json!({"type": "string", "format": "uuid"}),
            Self::Uuids => json!({
                "type": "array", "uniqueItems": true,
                "items": {"type": "string", "format": "uuid"},
            }),
            Self::Command => json!({
                "type": ["array", "null"], "minItems": 1,
                "items": {"type": "string", "minLength": 1},
            }),
            Self::CommandLine => json!({
                "type": ["array", "null"], "minItems": 1, "items": {"type": "string"},
            }),
            Self::Providers => json!({"type": "array", "items": {"type": "object"}}),
            Self::Launch => json!({
                "type": ["object", "null"],
                "required": ["command"],
                "properties": {
                    "command": {
                        "type": "array", "minItems": 1,
                        "items": {"type": "string", "minLength": 1},
                    },
                    "ready_timeout_ms": {
                        "type": "integer", "minimum": 1,
                        "maximum": LAUNCH_READY_TIMEOUT_MS_MAX,
                        "default": LAUNCH_READY_TIMEOUT_MS,
                    },
                },
            }),
        }
    }

    fn require(self, value: &Value, holds: bool) -> Result<Value, ShapeError> {
        if holds {
            Ok(value.clone())
        } else {
            Err(self.refuse(value))
        }
    }

    fn refuse(self, value: &Value) -> ShapeError {
        let found = match value {
            Value::Number(_) | Value::Bool(_) | Value::Null => format!("is {value}"),
            Value::String(text) if text.trim().is_empty() => "is blank".to_owned(),
            Value::String(text) => format!("is {}", shown(text)),
            Value::Array(_) => "is a list".to_owned(),
            Value::Object(_) => "is an object".to_owned(),
        };
        ShapeError::new(format!("must be {self}, but {found}"))
    }

    fn integer(self, value: &Value, min: i64, max: i64) -> Result<Value, ShapeError> {
        integer(value)
            .filter(|number| (min..=max).contains(number))
            .map(Value::from)
            .ok_or_else(|| self.refuse(value))
    }

    fn text(self, value: &Value, bytes_max: usize) -> Result<Value, ShapeError> {
        let text = value.as_str().ok_or_else(|| self.refuse(value))?;
        if text.trim().is_empty() {
            return Err(self.refuse(value));
        }
        if text.len() > bytes_max || text.chars().any(char::is_control) {
            return Err(ShapeError::new(format!(
                "must be at most {bytes_max} bytes without control characters"
            )));
        }
        Ok(Value::from(text.trim()))
    }

    fn variable_name(self, value: &Value) -> Result<Value, ShapeError> {
        let is_name = |text: &str| {
            !text.starts_with(|c: char| c.is_ascii_digit())
                && !text.is_empty()
                && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
        };
        match value.as_str() {
            Some(text) if !is_name(text) => {
                // The value may be the key itself, so it is not repeated.
                Err(ShapeError::new("must be the name of a variable".to_owned())
                    .hint("Put the API key into an environment variable and its name here."))
            }
            text => self.require(value, text.is_some() || value.is_null()),
        }
    }

    fn list(
        self,
        value: &Value,
        check: fn(&Value) -> Result<Value, ShapeError>,
    ) -> Result<Value, ShapeError> {
        let list = value.as_array().ok_or_else(|| self.refuse(value))?;
        let mut items: Vec<Value> = Vec::with_capacity(list.len());
        for (index, item) in list.iter().enumerate() {
            let at = |refusal: ShapeError| refusal.at(PathSegment::Index(index));
            let item = check(item).map_err(at)?;
            if items.contains(&item) {
                return Err(at(ShapeError::new("stands twice".to_owned())));
            }
            items.push(item);
        }
        Ok(Value::Array(items))
    }

    fn uuid(self, value: &Value) -> Result<Value, ShapeError> {
        let text = value.as_str().ok_or_else(|| self.refuse(value))?;
        match Uuid::try_parse(text.trim()) {
            Ok(id) if !id.is_nil() => Ok(Value::from(id.hyphenated().to_string())),
            Ok(_) => Err(ShapeError::new(
                "must not be the nil UUID, which names no workspace".to_owned(),
            )),
            Err(_) => Err(self
                .refuse(value)
                .hint("`init` in an empty folder draws one; so does `uuidgen`.")),
        }
    }

    fn launch(self, value: &Value) -> Result<Value, ShapeError> {
        let Some(parts) = value.as_object() else {
            return self.require(value, value.is_null());
        };
        let at = |name: &str, message: String| {
            ShapeError::new(message).at(PathSegment::Key(name.to_owned()))
        };
        let command = parts.get("command").filter(|given| given.is_array());
        let Some(Ok(command)) = command.map(|given| Self::Command.check(given)) else {
            let message = "must be a list of texts: the program and its arguments";
            return Err(at("command", message.to_owned()));
        };
        let timeout = match parts.get("ready_timeout_ms") {
            None => Ok(Value::from(LAUNCH_READY_TIMEOUT_MS)),
            Some(given) => Self::Integer(1, LAUNCH_READY_TIMEOUT_MS_MAX).check(given),
        };
        let timeout = timeout.map_err(|refusal| at("ready_timeout_ms", refusal.message))?;
        Ok(json!({"command": command, "ready_timeout_ms": timeout}))
    }
}

/// Returns whether the value can be a word of a command line.
fn is_word(word: &Value) -> bool {
    word.as_str()
        .is_some_and(|text| !text.is_empty() && !text.contains('\0'))
}

/// The names inside `provider.launch`.
pub(super) const LAUNCH_NAMES: [&str; 2] = ["command", "ready_timeout_ms"];

/// Returns the integer that a JSON number stands for; `3.0` is one, as in JSON Schema.
fn integer(value: &Value) -> Option<i64> {
    value.as_i64().or_else(|| {
        let number = value.as_f64()?;
        // Beyond 2^53 a double no longer names one integer.
        let exact =
            number.fract().abs() < f64::MIN_POSITIVE && number.abs() < 9_007_199_254_740_992.0;
        exact.then(|| format!("{number:.0}").parse().ok()).flatten()
    })
}

/// Quotes a short text with escaped control characters; of a long one it gives only the length.
// A long text may be a key in the wrong place.
fn shown(text: &str) -> String {
    let characters = text.chars().count();
    if characters > SHOWN_CHARACTERS_MAX {
        return format!("a text of {characters} characters");
    }
    format!("\"{}\"", spelt_out(text, |_| false))
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Literal(word) => write!(f, "`{word}`"),
            Self::Text => f.write_str("a text"),
            Self::Path => f.write_str("a path"),
            Self::VariableName => f.write_str("a variable's name or null"),
            Self::OneOf(words) => write!(f, "one of `{}`", words.join("`, `")),
            Self::Switch => f.write_str("true or false"),
            Self::Integer(min, max) => write!(f, "an integer from {min} to {max}"),
            Self::OptionalInteger(min, max) => write!(f, "an integer from {min} to {max}, or null"),
            Self::Iterations(max) => write!(f, "an integer from 1 to {max}, or -1"),
            Self::Number(min, max) => write!(f, "a number from {min} to {max}"),
            Self::Texts => f.write_str("a list of different texts"),
            Self::Uuid => f.write_str("a UUID"),
            Self::Uuids => f.write_str("a list of different UUIDs"),
            Self::BaseUrl => f.write_str("an http or https address"),
            Self::OwnAddress => f.write_str("a loopback address with its port, or null"),
            Self::Launch => f.write_str("an object or null"),
            Self::Command | Self::CommandLine => f.write_str("a list of texts, or null"),
            Self::Providers => f.write_str("a list of objects"),
        }
    }
}
