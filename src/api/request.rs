//! The parts of a request, checked against its row of the route table.
//!
//! A part that is not in the row is refused, so that a slip does not pass for another request.

use super::problem::Problem;
use super::routes::{Location, Parameter, ParameterForm, Route};
use crate::failure::{Code, Failure};
use crate::limits::API_KEY_CHARS_MAX;
use crate::strict_json;
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, StatusCode};
use serde_json::{Map, Value};

/// The values that a request carries, by the names of its parts.
#[derive(Debug, Default)]
pub(super) struct RequestParts {
    path: Vec<(String, String)>,
    /// The values of query, headers and body, by name.
    pub(super) values: Map<String, Value>,
}

fn form(message: impl Into<String>) -> Problem {
    Problem::form(StatusCode::BAD_REQUEST, message)
}

impl RequestParts {
    /// Reads the parts of a request that its row lists, and refuses any other.
    pub(super) fn read(
        route: &Route,
        path: Vec<(String, String)>,
        query: Vec<(String, String)>,
        headers: &HeaderMap,
        body: &[u8],
    ) -> Result<Self, Problem> {
        let mut values = Map::new();
        let part_in = |location, name: &str| {
            let mut parts = route.parts_in(location);
            parts.find(|part| part.name == name)
        };
        for (name, text) in query {
            let part = part_in(Location::Query, &name);
            let part = part.ok_or_else(|| form(format!("there is no parameter `{name}`")))?;
            if values.insert(name, from_text(part, &text)?).is_some() {
                return Err(form(format!("`{}` is given twice", part.name)));
            }
        }
        for part in route.parts_in(Location::Header) {
            let mut given = headers.get_all(part.name).iter();
            if let Some(value) = given.next() {
                if given.next().is_some() {
                    return Err(form(format!("`{}` is given twice", part.name)));
                }
                let text = value.to_str().unwrap_or_default();
                let is_plain = (1..=API_KEY_CHARS_MAX).contains(&text.len());
                if !is_plain || !text.bytes().all(|byte| byte.is_ascii_graphic()) {
                    let bounds = format!("1 to {API_KEY_CHARS_MAX} visible ASCII characters");
                    return Err(form(format!("`{}` must have {bounds}", part.name)));
                }
                values.insert(part.name.to_owned(), Value::from(text));
            }
        }
        for (name, value) in body_of(route, headers, body)? {
            let part = part_in(Location::Body, &name);
            let part = part.ok_or_else(|| form(format!("there is no member `{name}`")))?;
            values.insert(name, checked(part, value)?);
        }
        let mut changes = route.parts_in(Location::Body);
        if route.must_name_change() && !changes.any(|part| values.contains_key(part.name)) {
            return Err(form("nothing to change is named"));
        }
        let mut needed = route.parts.iter().filter(|part| part.required);
        if let Some(part) = needed.find(|part| !values.contains_key(part.name)) {
            return Err(form(format!("`{}` is missing", part.name)));
        }
        Ok(Self { path, values })
    }

    /// Returns the request to a service: the names in the path, and the parts.
    ///
    /// The names of parts are in lower case, with underscores for hyphens.
    ///
    /// # Errors
    /// `LIMIT_EXCEEDED` for a part with too many bytes.
    pub(super) fn request(self, route: &Route) -> Result<Value, Problem> {
        for part in route.parts {
            let bytes = self.values.get(part.name).map_or(0, bytes_of);
            if bytes > part.bytes_max {
                let message = format!("standard input holds more than {} bytes", part.bytes_max);
                return Err(Failure::new(Code::LimitExceeded, message).into());
            }
        }
        let values = self.values.into_iter();
        let values = values.map(|(name, it)| (name.to_ascii_lowercase().replace('-', "_"), it));
        let path = self.path.into_iter();
        let path = path.map(|(name, text)| (name, Value::from(text)));
        Ok(Value::Object(values.chain(path).collect()))
    }

    pub(super) fn number(&self, name: &str) -> Option<u64> {
        let value = self.values.get(name)?;
        value.as_u64().or_else(|| value.as_str()?.parse().ok())
    }
}

fn bytes_of(value: &Value) -> usize {
    value
        .as_str()
        .map_or_else(|| value.to_string().len(), str::len)
}

/// Reads the members of a JSON body; an empty body has none.
fn body_of(route: &Route, headers: &HeaderMap, body: &[u8]) -> Result<Map<String, Value>, Problem> {
    if body.is_empty() {
        return Ok(Map::new());
    }
    if route.parts_in(Location::Body).next().is_none() {
        return Err(form("a body is not expected here"));
    }
    let kind = headers
        .get(CONTENT_TYPE)
        .and_then(|value| value.to_str().ok());
    let kind = kind
        .and_then(|kind| kind.split(';').next())
        .unwrap_or_default();
    if !kind.trim().eq_ignore_ascii_case("application/json") {
        let message = "the body must be `application/json`";
        return Err(Problem::form(StatusCode::UNSUPPORTED_MEDIA_TYPE, message));
    }
    match strict_json::parse(body) {
        Ok(Value::Object(members)) => Ok(members),
        Ok(_) => Err(form("the body must be a JSON object")),
        Err(bad) => {
            let (line, column, message) = (bad.line, bad.column, bad.message);
            Err(form(format!("line {line}, column {column}: {message}")))
        }
    }
}

/// Converts the text of a query part to a value, and checks it.
fn from_text(part: &Parameter, text: &str) -> Result<Value, Problem> {
    let is_number = matches!(part.form, ParameterForm::Number(_));
    let is_plain = text.bytes().all(|byte| byte.is_ascii_digit());
    let number = text.parse::<u64>().ok().filter(|_| is_number && is_plain);
    let value = number.map_or_else(|| Value::from(text), Value::from);
    checked(part, value)
}

/// Returns a value in its normal form, or refuses one that does not fit the part's form.
fn checked(part: &Parameter, value: Value) -> Result<Value, Problem> {
    let name = part.name;
    let text = value.as_str();
    let (fits, wanted) = match part.form {
        ParameterForm::Text => (
            text.is_some_and(|text| !text.trim().is_empty() && !text.contains('\0')),
            "a text that is not blank and holds no NUL",
        ),
        ParameterForm::AnyText => (text.is_some(), "a text"),
        ParameterForm::Number(least) => {
            let number = as_u32(&value).filter(|number| *number >= least);
            return number.map(Value::from).ok_or_else(|| {
                let bounds = format!("from {least} to {}", u32::MAX);
                form(format!("`{name}` must be a whole number {bounds}"))
            });
        }
        ParameterForm::OneOf(words) => (
            text.is_some_and(|word| words.contains(&word)),
            &*format!("one of {}", words.join(", ")),
        ),
        ParameterForm::Texts => (
            are_all(&value, |text| !text.contains([',', '\0'])),
            "a list of texts without commas",
        ),
        ParameterForm::Words => (are_all(&value, |_| true), "a list of texts"),
        ParameterForm::Object => (value.is_object(), "a JSON object"),
        ParameterForm::Any => (true, ""),
    };
    if fits {
        Ok(value)
    } else {
        Err(form(format!("`{name}` must be {wanted}")))
    }
}

/// Returns whether a value is a list of texts that all pass a test.
fn are_all(value: &Value, is_such: impl Fn(&str) -> bool) -> bool {
    let is_one = |item: &Value| item.as_str().is_some_and(&is_such);
    value
        .as_array()
        .is_some_and(|items| items.iter().all(is_one))
}

/// Converts a whole number, even where JSON writes it with a decimal point.
fn as_u32(value: &Value) -> Option<u32> {
    let plain = value.as_u64().and_then(|number| u32::try_from(number).ok());
    plain.or_else(|| {
        let number = value
            .as_f64()
            .filter(|number| number.fract().abs() < f64::MIN_POSITIVE)?;
        format!("{number:.0}").parse().ok()
    })
}
