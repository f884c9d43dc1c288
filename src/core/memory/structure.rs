//! A text that is a JSON object or array: taken as a structure only where JSON gives back all that the
//! text says. Numbers that would lose digits and members that stand twice leave it the text that it is.

use super::ram::{PLAN, STATE, THINK_LOG};
use crate::strict_json::{self, JsonProblem};
use serde::de::IgnoredAny;
use serde_json::Value;

/// The object or array that a text is, if nothing that it says is lost by that.
pub fn structure_in(text: &str) -> Option<Value> {
    read(text)?.ok()
}

/// Why a text that is JSON stays text in a key, where it does. In some keys all is text.
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
