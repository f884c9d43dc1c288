//! Text for people: safe for a terminal, lines, and pairs in columns.

use serde_json::Value;
use std::fmt::Display;

pub(super) use crate::plain_text::{count, joined, one_line, visible};

/// Formats names and values as lines, the values in one column; empty values are left out.
pub(super) fn pairs(entries: &[(&str, String)]) -> String {
    let shown = || entries.iter().filter(|(_, value)| !value.is_empty());
    let width = shown().map(|(name, _)| name.len()).max().unwrap_or(0);
    let lines = shown().map(|(name, value)| format!("{name:width$}  {value}\n"));
    lines.collect()
}

/// Formats a JSON value on its own: text as it is, anything else as JSON.
pub(super) fn text_of_value(value: &Value) -> String {
    value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned)
}

/// Adds a line to a text.
pub(super) fn add_line(text: &mut String, line: impl Display) {
    text.push_str(&line.to_string());
    text.push('\n');
}
