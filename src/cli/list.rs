//! Lists for people: a table of the part that is shown, and what is left out.

use super::table::Table;
use super::terminal::Terminal;
use crate::service::{List, Pagination};

/// What is said of an empty list.
const NOTHING: &str = "nothing found\n";

/// A table of the part, with what is left out; a word where there is nothing at all.
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

/// What is left out, as a line for people; empty when nothing is.
fn rest<T>(list: &List<T>) -> String {
    let Pagination { total, offset, .. } = list.pagination;
    let shown = list.items.len();
    if shown == total {
        return String::new();
    }
    format!("{shown} of {total} shown, from {offset} on; --limit and --offset show others\n")
}
