//! Texts that are JSON objects or arrays.
//! A text becomes a structure only if JSON loses nothing of it: numbers that would lose digits and
//! repeated members leave it a text.

use super::ram::{PLAN, STATE, THINK_LOG};
use crate::strict_json::{self, JsonProblem};
use serde::de::IgnoredAny;
use serde_json::Value;

/// Returns the object or array that a text is, if nothing of the text is lost by that.
pub fn structure_in(text: &str) -> Option<Value> {
    read(text)?.ok()
}

/// Returns the reason why a JSON text stays text in a key, if it does.
/// `None` for keys that hold text only.
pub fn kept_as_text(key: &str, text: &str) -> Option<String> {
    if matches!(key, PLAN | THINK_LOG | STATE) {
        return None;
    }
    let problem = read(text)?.err()?;
    let is_json = serde_json::from_str::<IgnoredAny>(text).is_ok();
    is_json.then(|| format!("stored as text, not as JSON: {}", problem.message))
}

fn read(text: &str) -> Option<Result<Value, JsonProblem>> {
    let is_structure = text.trim_start().starts_with(['{', '[']);
    is_structure.then(|| strict_json::parse_exact(text.as_bytes()))
}
