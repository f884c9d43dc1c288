//! Keys that are asked for by their tags, as this reply has left them.

use super::Executor;
use super::lookup::values_of;
use crate::core::memory::KeyDirectory;
use crate::core::memory::directory::TagQuery;
use crate::core::memory::ram::text_in;
use crate::core::notes::{Matcher, Query};
use std::borrow::Cow;
use std::cmp::Reverse;

/// The keys with the tags that a query asks for, the last used first; where it has other words as
/// well, those that answer them too, and these words. `None` for a query that asks for no tag.
pub(super) fn tagged_keys(executor: &Executor<'_>, query: &str) -> Option<(Vec<String>, Query)> {
    let (tags, words) = TagQuery::parse(query);
    if tags.is_blank() {
        return None;
    }
    let words = Query::parse(&words);
    let mut matcher = Matcher::new(&words);
    let mut answers = |key: &str| {
        let mut values = values_of(executor, key);
        values.any(|(_, value)| matcher.score_text(key, &text_in(&value)).is_some())
    };
    let keys = keys_now(executor);
    let mut tagged = keys.tagged(&tags);
    tagged.sort_by_key(|key| Reverse(keys.get(key).map(|entry| entry.last_use)));
    let found = tagged.into_iter().filter(|key| answers(key));
    Some((found.map(str::to_owned).collect(), words))
}

/// The directory of keys once this reply has taken effect.
fn keys_now<'e>(executor: &'e Executor<'_>) -> Cow<'e, KeyDirectory> {
    if executor.overlay.changes.is_empty() && executor.overlay.noted.is_empty() {
        return Cow::Borrowed(&executor.context.state.keys);
    }
    let mut keys = executor.context.state.keys.clone();
    for change in &executor.overlay.changes {
        keys.apply(change.get(), executor.context.now);
    }
    keys.note(&executor.overlay.noted, executor.context.now);
    Cow::Owned(keys)
}
