//! Keys that are asked for by their tags, as this reply has left them.

use super::Executor;
use crate::core::memory::KeyDirectory;
use crate::core::memory::directory::TagQuery;
use crate::core::memory::ram::text_in;
use crate::core::notes::{Matcher, Query};
use std::borrow::Cow;
use std::cmp::Reverse;

impl Executor<'_> {
    /// The keys with the tags that a query asks for, the last used first; where it has other words as
    /// well, those that answer them too, and these words. `None` for a query that asks for no tag.
    pub(super) fn tagged_keys(&self, query: &str) -> Option<(Vec<String>, Query)> {
        let (tags, words) = TagQuery::parse(query);
        if tags.is_blank() {
            return None;
        }
        let words = Query::parse(&words);
        let mut matcher = Matcher::new(&words);
        let mut answers = |key: &str| {
            let mut values = self.values_of(key);
            values.any(|(_, value)| matcher.score_text(key, &text_in(&value)).is_some())
        };
        let keys = self.keys_now();
        let mut tagged = keys.tagged(&tags);
        tagged.sort_by_key(|key| Reverse(keys.get(key).map(|entry| entry.last_use)));
        let found = tagged.into_iter().filter(|key| answers(key));
        Some((found.map(str::to_owned).collect(), words))
    }

    /// The directory of keys once this reply has taken effect.
    fn keys_now(&self) -> Cow<'_, KeyDirectory> {
        if self.changes.is_empty() && self.noted.is_empty() {
            return Cow::Borrowed(&self.state.keys);
        }
        let mut keys = self.state.keys.clone();
        for change in &self.changes {
            keys.apply(change.get(), self.now);
        }
        keys.note(&self.noted, self.now);
        Cow::Owned(keys)
    }
}
