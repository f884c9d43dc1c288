//! Tags of keys: the ones that a name brings along. Keeps nothing and decides nothing.

use crate::limits::{KEY_TAG_CHARS_MAX, KEY_TAGS_MAX};
use std::collections::BTreeSet;

/// What parts a name, in the scripts that people write lists in.
const COMMAS: [char; 3] = [',', '\u{3001}', '\u{ff0c}'];

/// The tags that a name brings: its parts, where commas part it.
pub fn tags_in(key: &str) -> BTreeSet<String> {
    if !key.contains(COMMAS) {
        return BTreeSet::new();
    }
    let parts = key.split(COMMAS).map(str::trim);
    parts
        .filter(|part| !part.is_empty())
        .take(KEY_TAGS_MAX)
        .map(|part| part.chars().take(KEY_TAG_CHARS_MAX).collect())
        .collect()
}
