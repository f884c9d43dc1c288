//! The one shape of every list: items and where they stand among all of them.

use serde::{Deserialize, Serialize};

/// Items of a list where nobody says how many.
pub const PAGE_ITEMS: usize = 100;

/// Which part of a list is asked for.
#[derive(Clone, Copy, Debug, Deserialize)]
pub struct Page {
    /// At most so many.
    #[serde(default = "page_items")]
    pub limit: usize,
    /// Leave out so many first.
    pub offset: Option<usize>,
}

const fn page_items() -> usize {
    PAGE_ITEMS
}

/// A part of a list.
#[derive(Debug, Serialize)]
pub struct List<T> {
    /// The part.
    pub items: Vec<T>,
    /// Where it stands.
    pub pagination: Pagination,
}

/// A part of a list, with the ids of everything that may be confused with what it names.
#[derive(Debug, Serialize)]
pub struct Among<T, I> {
    /// The part.
    #[serde(flatten)]
    pub list: List<T>,
    /// All ids.
    #[serde(skip)]
    pub ids: Vec<I>,
}

/// Where a part stands among all items.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Pagination {
    /// All items.
    pub total: usize,
    /// How many were asked for.
    pub limit: usize,
    /// How many come before the part.
    pub offset: usize,
    /// Whether more come behind it.
    #[serde(rename = "hasMore")]
    pub has_more: bool,
}

impl<T> List<T> {
    /// Returns the part of `all` that was asked for.
    pub fn page(all: Vec<T>, page: Page) -> Self {
        Self::cut(all, page.limit, page.offset.unwrap_or(0))
    }

    /// Returns the part of `all` that was asked for; without an offset its end.
    pub fn last_page(all: Vec<T>, page: Page) -> Self {
        let end = all.len().saturating_sub(page.limit);
        Self::cut(all, page.limit, page.offset.unwrap_or(end))
    }

    /// Returns a part that was cut out before, of `total`.
    pub fn part(items: Vec<T>, total: usize, page: Page) -> Self {
        let offset = page.offset.unwrap_or(0);
        let pagination = Pagination {
            total,
            limit: page.limit,
            offset,
            has_more: offset.saturating_add(items.len()) < total,
        };
        Self { items, pagination }
    }

    /// Returns everything.
    pub fn complete(all: Vec<T>) -> Self {
        let limit = all.len();
        Self::cut(all, limit, 0)
    }

    fn cut(all: Vec<T>, limit: usize, offset: usize) -> Self {
        let total = all.len();
        let items = all.into_iter().skip(offset).take(limit).collect();
        let offset = Some(offset);
        Self::part(items, total, Page { limit, offset })
    }

    /// Returns the same part in another form.
    pub fn map<U>(self, form: impl FnMut(T) -> U) -> List<U> {
        List {
            items: self.items.into_iter().map(form).collect(),
            pagination: self.pagination,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{List, Page};

    #[test]
    fn parts_know_where_they_stand() {
        let page = |limit, offset| Page { limit, offset };
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
