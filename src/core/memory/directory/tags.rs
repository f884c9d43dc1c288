//! Tags of keys: those that a key's name gives, and queries by tags. Keeps nothing.

use crate::limits::{KEY_TAG_CHARS_MAX, KEY_TAGS_MAX, SEARCH_TERMS_MAX};
use std::collections::BTreeSet;

/// The separators of the parts of a name, in the scripts that people write lists in.
const COMMAS: [char; 3] = [',', '\u{3001}', '\u{ff0c}'];

/// The quotes around a tag of several words.
const QUOTES: [char; 3] = ['"', '\u{201c}', '\u{201d}'];

/// Returns the tags that a key's name gives: its parts, if separators divide it.
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

/// A query by tags. `tag:a tag:b` means both, `tag:a|b` one of them. Case does not count.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TagQuery {
    /// The groups of tags; a key matches if it has one tag of each group.
    groups: Vec<Vec<String>>,
}

impl TagQuery {
    /// Parses the tags of a query. Returns them with the rest of the query.
    pub fn parse(query: &str) -> (Self, String) {
        let mut is_quoted = false;
        let ends_word = |character: char| {
            is_quoted ^= QUOTES.contains(&character);
            !is_quoted && (character.is_whitespace() || COMMAS.contains(&character))
        };
        let mut words = query.split(ends_word).filter(|word| !word.is_empty());
        let (mut groups, mut others) = (Vec::new(), Vec::new());
        while let Some(word) = words.next() {
            let group = match tags_asked_for(word) {
                None => {
                    others.push(word);
                    continue;
                }
                // Small models put a blank behind the colon.
                Some("") => words.next().unwrap_or_default(),
                Some(tags) => tags,
            };
            let group: Vec<String> = group
                .split('|')
                .map(|tag| form(tag.trim_matches(QUOTES)))
                .filter(|tag| !tag.is_empty())
                .collect();
            if !group.is_empty() && groups.len() < SEARCH_TERMS_MAX {
                groups.push(group);
            }
        }
        (Self { groups }, others.join(" "))
    }

    /// Returns whether the query has no tag.
    pub const fn is_blank(&self) -> bool {
        self.groups.is_empty()
    }

    /// Returns whether a key with these tags matches.
    pub fn is_answered_by(&self, tags: &BTreeSet<String>) -> bool {
        if self.is_blank() || tags.is_empty() {
            return false;
        }
        let forms: BTreeSet<String> = tags.iter().map(|tag| form(tag)).collect();
        let mut groups = self.groups.iter();
        groups.all(|group| group.iter().any(|tag| forms.contains(tag)))
    }
}

/// Returns the text behind `tag:`.
fn tags_asked_for(word: &str) -> Option<&str> {
    let (head, tags) = word.split_once(':')?;
    head.eq_ignore_ascii_case("tag").then_some(tags)
}

/// Returns the form in which tags are compared.
fn form(tag: &str) -> String {
    tag.trim().to_lowercase()
}
