//! Looking for keys at the bench: what a search finds in RAM and `/storage`, beside the notes. The one
//! place that walks over them for words.

use super::{Bench, TARGET_CHARS};
use crate::core::agent::ActionResult;
use crate::core::memory::directory::{Layer, is_own, stored_value};
use crate::core::memory::path::ARCHIVE;
use crate::core::memory::ram::text_of;
use crate::core::notes::{Matcher, Query};
use crate::core::prompt::shorten;
use crate::core::protocol::Search;
use crate::limits::{SEARCH_HITS_MAX, SEARCH_PREVIEW_CHARS};
use serde_json::Value;

/// Characters of a value that was asked for by its exact key.
const FULL_TEXT_CHARS: usize = 2000;

impl Bench<'_> {
    /// Tells which keys of RAM and `/storage` a search finds, each with its layer. An exact key brings
    /// its value, as far as there is room.
    pub(super) fn tell_keys(&mut self, search: &Search) -> usize {
        let found = self.find_keys(search);
        let count = found.len();
        for (key, layer, value, chars) in found {
            let text = text_of(&value);
            let where_it_is = match layer {
                Layer::Ram => "in RAM",
                Layer::Storage => "archived",
            };
            let length = text.chars().count();
            let message = format!(
                "{where_it_is}, {length} characters: {}",
                shorten(&text, chars)
            );
            self.told.add(ActionResult {
                op: "record_search".to_owned(),
                target: shorten(&key, TARGET_CHARS),
                code: None,
                message,
                items: Vec::new(),
            });
        }
        count
    }

    /// Whether RAM or `/storage` has a key.
    pub(super) fn has_key(&self, key: &str) -> bool {
        let key = key.trim();
        let in_ram = self.ram_value(key).is_some() && !is_own(key);
        in_ram || stored_value(&self.storage, key).is_some()
    }

    /// Looks through RAM and `/storage`, one after the other. The exact key goes first.
    fn find_keys(&self, search: &Search) -> Vec<(String, Layer, Value, usize)> {
        let (asked, query) = match search {
            Search::Query(query) => (vec![query.as_str()], Query::parse(query)),
            Search::Ids(ids) => (ids.iter().map(String::as_str).collect(), Query::parse("")),
        };
        let mut found: Vec<(String, Layer, Value, usize)> = Vec::new();
        for key in asked.into_iter().map(str::trim) {
            let stored = || Some((Layer::Storage, stored_value(&self.storage, key)?));
            let in_ram = || Some((Layer::Ram, self.ram_value(key).filter(|_| !is_own(key))?));
            if let Some((layer, value)) = stored().or_else(in_ram) {
                found.push((key.to_owned(), layer, value, FULL_TEXT_CHARS));
            }
        }
        if query.is_blank() {
            return found;
        }
        let mut matcher = Matcher::new(&query);
        let ram = self.ram.entries().filter(|(key, _)| !is_own(key));
        let ram = ram.map(|(key, value)| (key.to_owned(), Layer::Ram, value.clone()));
        let stored = self.storage.leaves().map(|(names, node)| {
            let key = match names.as_slice() {
                [ARCHIVE, key] => (*key).to_owned(),
                _ => format!("/storage/{}", names.join("/")),
            };
            (key, Layer::Storage, node.to_value())
        });
        for (key, layer, value) in stored.chain(ram) {
            if found.len() >= SEARCH_HITS_MAX {
                break;
            }
            let answers = matcher.score_text(&key, &text_of(&value)).is_some();
            if answers && !found.iter().any(|(known, ..)| *known == key) {
                found.push((key, layer, value, SEARCH_PREVIEW_CHARS));
            }
        }
        found
    }
}
