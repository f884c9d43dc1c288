//! A list of keys as a reply names them. A key may hold a comma of its own, as a person may have written it:
//! which neighbours of a list are one key, only the keys that exist can tell. Moves nothing.

use crate::core::memory::ram::canonical_key;
use crate::limits::RAM_KEY_BYTES_MAX;

/// The keys of a list that was parted at its commas: the longest ones that exist go first.
pub(super) fn keys_in(list: &[String], exists: impl Fn(&str) -> bool) -> Vec<String> {
    let mut keys = Vec::new();
    let mut rest = list;
    while let Some(first) = rest.first() {
        let whole = (2..=rest.len()).rev().find_map(|count| {
            let parts = rest.get(..count)?;
            let bytes: usize = parts.iter().map(|part| part.len() + 1).sum();
            let spellings = [", ", ","].map(|comma| (bytes <= RAM_KEY_BYTES_MAX).then_some(comma));
            let mut joined = spellings
                .into_iter()
                .flatten()
                .map(|comma| parts.join(comma));
            Some((joined.find(|key| exists(key))?, count))
        });
        let (key, count) = whole.unwrap_or_else(|| (canonical_key(first).to_owned(), 1));
        keys.push(key);
        rest = rest.get(count..).unwrap_or_default();
    }
    keys
}
