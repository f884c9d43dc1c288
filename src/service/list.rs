//! The one shape of every list: a page of items, and its place among all of them.

use clap::Args;
use serde::{Deserialize, Serialize};

/// The items of a page where no number is asked for.
pub const PAGE_ITEMS: usize = 100;

/// The part of a list that is asked for.
#[derive(Args, Clone, Copy, Debug, Deserialize)]
pub struct PageQuery {
    /// The maximum number of items.
    #[arg(long, value_name = "N", default_value_t = PAGE_ITEMS)]
    #[serde(default = "page_items")]
    pub limit: usize,
    /// The number of items to skip.
    #[arg(long, value_name = "N")]
    pub offset: Option<usize>,
}

const fn page_items() -> usize {
    PAGE_ITEMS
}

/// A page of a list.
#[derive(Debug, Serialize)]
pub struct List<T> {
    pub items: Vec<T>,
    pub pagination: Pagination,
}

/// A page of a list, with all ids that the ids in it may be confused with.
#[derive(Debug, Serialize)]
pub struct ListWithIds<T, I> {
    #[serde(flatten)]
    pub list: List<T>,
    #[serde(skip)]
    pub ids: Vec<I>,
}

/// The place of a page among all items.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Pagination {
    pub total: usize,
    pub limit: usize,
    /// The number of items before the page.
    pub offset: usize,
    /// Whether items follow the page.
    #[serde(rename = "hasMore")]
    pub has_more: bool,
}

impl<T> List<T> {
    /// Returns the page of `all` that was asked for.
    pub fn page(all: Vec<T>, page: PageQuery) -> Self {
        Self::cut(all, page.limit, page.offset.unwrap_or(0))
    }

    /// Returns the page of `all` that was asked for; without an offset, the last one.
    pub fn last_page(all: Vec<T>, page: PageQuery) -> Self {
        let end = all.len().saturating_sub(page.limit);
        Self::cut(all, page.limit, page.offset.unwrap_or(end))
    }

    /// Returns a page that was cut out before, of `total` items.
    pub fn part(items: Vec<T>, total: usize, page: PageQuery) -> Self {
        let offset = page.offset.unwrap_or(0);
        let pagination = Pagination {
            total,
            limit: page.limit,
            offset,
            has_more: offset.saturating_add(items.len()) < total,
        };
        Self { items, pagination }
    }

    /// Returns all items as one page.
    pub fn complete(all: Vec<T>) -> Self {
        let limit = all.len();
        Self::cut(all, limit, 0)
    }

    fn cut(all: Vec<T>, limit: usize, offset: usize) -> Self {
        let total = all.len();
        let items = all.into_iter().skip(offset).take(limit).collect();
        let offset = Some(offset);
        Self::part(items, total, PageQuery { limit, offset })
    }

    /// Converts each item of the page.
    pub fn map<U>(self, form: impl FnMut(T) -> U) -> List<U> {
        List {
            items: self.items.into_iter().map(form).collect(),
            pagination: self.pagination,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{List, PageQuery};

    #[test]
    fn parts_know_where_they_stand() {
        let page = |limit, offset| PageQuery { limit, offset };
        let shape = |list: List<i32>| (list.items.clone(), list.pagination.has_more);
        let all = || vec![1, 2, 3];
        for (limit, offset, items, has_more) in [
            (9, None, &[1, 2, 3][..], false),
            (2, None, &[1, 2], true),
            (2, Some(2), &[3], false),
            (2, Some(7), &[], false),
        ] {
            let list = List::page(all(), page(limit, offset));
            assert_eq!(
                shape(list),
                (items.to_vec(), has_more),
                "{limit} {offset:?}"
            );
        }
        let list = List::last_page(all(), page(2, None));
        assert_eq!(shape(list), (vec![2, 3], false));
    }
}
