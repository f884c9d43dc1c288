//! Formats lists for people: a table of the shown part, and a line about the rest.

use super::table::Table;
use super::terminal::Terminal;
use crate::service::{List, Pagination};

/// The text for an empty list.
const NOTHING: &str = "nothing found\n";

/// Formats the table of the shown part with a line about the rest; a text for an empty list.
pub(super) fn list_text<T>(list: &List<T>, table: &Table, terminal: Terminal) -> String {
    let rest = rest(list);
    if !list.items.is_empty() {
        return table.lines(terminal) + &rest;
    }
    if rest.is_empty() {
        NOTHING.to_owned()
    } else {
        rest
    }
}

/// Returns the line about the part that is not shown; empty when all is shown.
fn rest<T>(list: &List<T>) -> String {
    let Pagination { total, offset, .. } = list.pagination;
    let shown = list.items.len();
    if shown == total {
        return String::new();
    }
    format!("{shown} of {total} shown, from {offset} on; --limit and --offset show others\n")
}
