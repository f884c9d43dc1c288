//! The one shape of every list: items and where they stand among all of them.

use super::arguments::Page;
use super::table::Table;
use super::terminal::Terminal;
use serde::Serialize;

/// What is said of an empty list.
const NOTHING: &str = "nothing found\n";

/// A part of a list.
#[derive(Debug, Serialize)]
pub(super) struct List<T> {
    /// The part.
    pub(super) items: Vec<T>,
    pagination: Pagination,
}

#[derive(Clone, Copy, Debug, Serialize)]
struct Pagination {
    total: usize,
    limit: usize,
    offset: usize,
    #[serde(rename = "hasMore")]
    has_more: bool,
}

impl<T> List<T> {
    /// The part of `all` that was asked for.
    pub(super) fn page(all: Vec<T>, page: Page) -> Self {
        Self::cut(all, page.limit, page.offset.unwrap_or(0))
    }

    /// The same, but without an offset the end of the list and not its beginning.
    pub(super) fn last_page(all: Vec<T>, page: Page) -> Self {
        let end = all.len().saturating_sub(page.limit);
        Self::cut(all, page.limit, page.offset.unwrap_or(end))
    }

    /// A part that was cut out before, of `total`.
    pub(super) fn part(items: Vec<T>, total: usize, page: Page) -> Self {
        let offset = page.offset.unwrap_or(0);
        let pagination = Pagination {
            total,
            limit: page.limit,
            offset,
            has_more: offset.saturating_add(items.len()) < total,
        };
        Self { items, pagination }
    }

    /// Everything.
    pub(super) fn complete(all: Vec<T>) -> Self {
        let limit = all.len();
        Self::cut(all, limit, 0)
    }

    fn cut(all: Vec<T>, limit: usize, offset: usize) -> Self {
        let total = all.len();
        let items = all.into_iter().skip(offset).take(limit).collect();
        let offset = Some(offset);
        Self::part(items, total, Page { limit, offset })
    }

    /// The same part in another form.
    pub(super) fn map<'a, U>(&'a self, form: impl Fn(&'a T) -> U) -> List<U> {
        List {
            items: self.items.iter().map(form).collect(),
            pagination: self.pagination,
        }
    }

    /// A table of the part, with what is left out; a word where there is nothing at all.
    pub(super) fn text(&self, table: &Table, terminal: Terminal) -> String {
        if self.items.is_empty() {
            let rest = self.rest();
            return if rest.is_empty() {
                NOTHING.to_owned()
            } else {
                rest
            };
        }
        table.lines(terminal) + &self.rest()
    }

    /// What is left out, as a line for people; empty when nothing is.
    fn rest(&self) -> String {
        let Pagination { total, offset, .. } = self.pagination;
        let shown = self.items.len();
        if shown == total {
            return String::new();
        }
        format!("{shown} of {total} shown, from {offset} on; --limit and --offset show others\n")
    }
}

#[cfg(test)]
mod tests {
    use super::{List, Page};

    #[test]
    fn parts_know_where_they_stand() {
        let page = |limit, offset| Page { limit, offset };
        let shape = |list: List<i32>| (list.items.clone(), list.pagination.has_more, list.rest());
        let all = || vec![1, 2, 3];
        assert_eq!(
            shape(List::page(all(), page(9, None))),
            (all(), false, String::new())
        );
        let (items, has_more, rest) = shape(List::page(all(), page(2, None)));
        assert_eq!((items.as_slice(), has_more), ([1, 2].as_slice(), true));
        assert!(rest.starts_with("2 of 3 shown"));
        let (items, has_more, _) = shape(List::page(all(), page(2, Some(2))));
        assert_eq!((items.as_slice(), has_more), ([3].as_slice(), false));
        let (items, has_more, _) = shape(List::page(all(), page(2, Some(7))));
        assert_eq!((items.as_slice(), has_more), ([].as_slice(), false));
        let (items, has_more, _) = shape(List::last_page(all(), page(2, None)));
        assert_eq!((items.as_slice(), has_more), ([2, 3].as_slice(), false));
    }
}
