//! Looking for keys at the bench: what a search finds in RAM and `/storage`, beside the notes. The one
//! place that looks through them for words.

use super::told::FULL_TEXT_CHARS;
use super::{Bench, TARGET_CHARS};
use crate::core::agent::ActionResult;
use crate::core::memory::directory::{Layer, is_own, is_stored, stored_value};
use crate::core::memory::ram::{text_in, text_of};
use crate::core::memory::{Leaf, find_leaves, touched_leaves};
use crate::core::notes::{Matcher, Query};
use crate::core::prompt::{passage, shorten};
use crate::core::protocol::Search;
use crate::limits::{SEARCH_HITS_MAX, SEARCH_PREVIEW_CHARS};

/// A key that a search found.
struct Found {
    key: String,
    layer: Layer,
    /// Characters of its whole text.
    chars: usize,
    /// What is shown of it.
    shown: String,
}

impl Found {
    /// As much of a value as there is room for, from its beginning.
    fn whole(key: &str, layer: Layer, text: &str) -> Self {
        Self {
            key: key.to_owned(),
            layer,
            chars: text.chars().count(),
            shown: shorten(text, FULL_TEXT_CHARS),
        }
    }

    /// A part of a text around the words that were looked for.
    fn part(key: String, layer: Layer, text: &str, query: &Query) -> Self {
        Self {
            key,
            layer,
            chars: text.chars().count(),
            shown: passage(text, &query.places(text), SEARCH_PREVIEW_CHARS),
        }
    }
}

impl Bench<'_> {
    /// Tells which keys of RAM and `/storage` a search finds, each with its layer. An exact key brings
    /// its value, as far as there is room.
    pub(super) fn tell_keys(&mut self, search: &Search) -> usize {
        let found = self.find_keys(search);
        let count = found.len();
        for found in found {
            let where_it_is = match found.layer {
                Layer::Ram => "in RAM",
                Layer::Storage => "archived",
            };
            let message = format!("{where_it_is}, {} characters: {}", found.chars, found.shown);
            self.told.add(ActionResult {
                op: "record_search".to_owned(),
                target: shorten(&found.key, TARGET_CHARS),
                code: None,
                message,
                items: Vec::new(),
                example: None,
            });
        }
        count
    }

    /// Whether RAM or `/storage` has a key.
    pub(super) fn has_key(&self, key: &str) -> bool {
        let key = key.trim();
        let in_ram = self.ram_value(key).is_some() && !is_own(key);
        in_ram || is_stored(&self.storage, key)
    }

    /// Looks through `/storage` and RAM, one after the other. The exact key goes first.
    fn find_keys(&self, search: &Search) -> Vec<Found> {
        let (asked, query) = match search {
            Search::Query(query) => (vec![query.as_str()], Query::parse(query)),
            Search::Ids(ids) => (ids.iter().map(String::as_str).collect(), Query::parse("")),
        };
        let mut found: Vec<Found> = Vec::new();
        for key in asked.into_iter().map(str::trim) {
            let stored = || Some((Layer::Storage, stored_value(&self.storage, key)?));
            let in_ram = || Some((Layer::Ram, self.ram_value(key).filter(|_| !is_own(key))?));
            if let Some((layer, value)) = stored().or_else(in_ram) {
                found.push(Found::whole(key, layer, &text_of(&value)));
            }
        }
        if query.is_blank() {
            return found;
        }
        let add = |found: &mut Vec<Found>, hit: Found| {
            let is_new = found.iter().all(|known| known.key != hit.key);
            if is_new && found.len() < SEARCH_HITS_MAX {
                found.push(hit);
            }
        };
        for leaf in self.find_leaves(&query) {
            let hit = Found::part(leaf.name(), Layer::Storage, &leaf.text(), &query);
            add(&mut found, hit);
        }
        let mut matcher = Matcher::new(&query);
        for (key, value) in self.ram.entries().filter(|(key, _)| !is_own(key)) {
            if found.len() >= SEARCH_HITS_MAX {
                break;
            }
            let text = text_in(value);
            if matcher.score_text(key, &text).is_some() {
                let hit = Found::part(key.to_owned(), Layer::Ram, &text, &query);
                add(&mut found, hit);
            }
        }
        found
    }

    /// The best leaves of `/storage` for a query, as this reply has left them.
    fn find_leaves(&self, query: &Query) -> Vec<Leaf<'_>> {
        let changes = self.changes.iter();
        let touched = changes.flat_map(|change| touched_leaves(change.get()));
        let drafted = touched.collect();
        find_leaves(&self.storage, query, SEARCH_HITS_MAX, self.index, &drafted)
    }
}
