//! Text for people: safe for a terminal, and pairs in columns.

use std::fmt::Write as _;

pub(super) use crate::plain_text::{count, one_line, visible};

/// Formats names and values as lines, the values in one column; empty values are left out.
pub(super) fn pairs(entries: &[(&str, String)]) -> String {
    let shown = || entries.iter().filter(|(_, value)| !value.is_empty());
    let width = shown().map(|(name, _)| name.len()).max().unwrap_or(0);
    let mut out = String::new();
    for (name, value) in shown() {
        writeln!(out, "{name:width$}  {value}").unwrap_or_default();
    }
    out
}
